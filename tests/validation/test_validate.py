"""The entry points: what they take, and what they refuse before reading anything."""

from __future__ import annotations

from types import SimpleNamespace as Namespace
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from chunkwise import aiter_chunks, atext_deltas, iter_chunks, text_deltas
from chunkwise.validation import validate, validate_sync
from chunkwise.validation._inline import InlineStream
from chunkwise.validation._pipelined import PipelinedStream

from .streams import Source, passing

if TYPE_CHECKING:
    from chunkwise.validation import View


def judge(view: View) -> None:
    del view


@pytest.mark.anyio
async def test_the_driver_follows_from_the_task_group() -> None:
    assert isinstance(validate("a"), InlineStream)
    async with anyio.create_task_group() as group:
        assert isinstance(validate("a", task_group=group), PipelinedStream)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"release": "later"},
            "release must be one of 'hold', 'end', 'optimistic', 'o",
        ),
        ({"on_reject": "log"}, "on_reject must be one of 'raise', 'stop'"),
        ({"on_limit": "drop"}, "on_limit must be one of 'raise', 'cut'"),
        ({"hold_back": -1}, "hold_back must be an int of at least 0"),
        ({"hold_back": 1, "release": "end"}, "release='hold' only, got 'end'"),
        ({"on_limit": "cut"}, "on_limit='cut' needs max_pending"),
        ({"max_pending": -1}, "max_pending must be at least 0"),
        ({"strategy": "sentences"}, "unknown strategy 'sentences'"),
    ],
    ids=str,
)
def test_wrong_values_are_refused_and_the_source_is_left_alone(
    options: Any, message: str
) -> None:
    source = Source("a")
    with pytest.raises(ValueError, match=message):
        validate(source, passing, **options)
    with pytest.raises(ValueError, match=message):
        validate_sync(["a"], judge, **options)
    assert source.closed == source.given == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"close_timeout": 0}, "close_timeout must be above 0"),
        ({"idle_timeout": 0}, "idle_timeout must be above 0"),
        ({"idle_timeout": 1}, "pass a task_group"),
        ({"max_in_flight": 0}, "max_in_flight must be an int of at least 1"),
    ],
    ids=str,
)
def test_what_only_tasks_can_do_is_refused_without_them(
    options: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        validate("a", **options)


def test_the_close_has_a_limit() -> None:
    wrong: Any = None
    with pytest.raises(TypeError, match="close_timeout must be a number of seconds"):
        validate("a", close_timeout=wrong)


def test_what_is_no_source_or_no_check_is_refused() -> None:
    wrong: Any = None
    with pytest.raises(TypeError, match="an async or plain iterable of str, got None"):
        validate(wrong)
    with pytest.raises(TypeError, match="expected an iterable of str, got NoneType"):
        validate_sync(wrong)
    for function in (validate, validate_sync):
        with pytest.raises(TypeError, match="got bytes; decode bytes incrementally"):
            function(b"a")  # type: ignore[arg-type]  # on purpose
    with pytest.raises(TypeError, match="a check must be callable, got NoneType"):
        validate("a", wrong)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("group", "task_group must be a task group of anyio, got 'group'$"),
        (anyio.create_task_group, "of anyio, got <function create_task_group at"),
        (
            Namespace(create_task=print),
            r"got namespace\(.*\); anyio.create_task_group\(\) opens one, on asyncio",
        ),
    ],
    ids=["text", "what opens one", "of asyncio"],
)
def test_tasks_need_a_group_of_anyio(wrong: Any, message: str) -> None:
    source = Source("a")
    with pytest.raises(TypeError, match=message):
        validate(source, passing, task_group=wrong)
    assert source.closed == source.given == 0


def test_numbers_of_a_wrong_type_are_refused() -> None:
    wrong: Any = "9"
    with pytest.raises(TypeError, match="max_pending must be an int or None, got '9'"):
        validate("a", max_pending=wrong)


def test_chunks_are_no_source() -> None:
    chunks: Any = iter_chunks(["It is on. It is off."])
    later: Any = aiter_chunks(["It is on."])
    with pytest.raises(TypeError, match="got ChunkIterator; give the deltas"):
        validate_sync(chunks, judge)
    with pytest.raises(TypeError, match="got AsyncChunkIterator; give the deltas"):
        validate(later, passing)
    assert list(chunks) == ["It is on.", "It is off."]


def chat(*texts: str, finish: str) -> list[dict[str, Any]]:
    choices: list[dict[str, Any]] = [{"delta": {"content": text}} for text in texts]
    choices.append({"delta": {}, "finish_reason": finish})
    return [{"choices": [choice]} for choice in choices]


@pytest.mark.anyio
@pytest.mark.parametrize(("finish", "complete"), [("stop", True), ("length", False)])
async def test_the_text_of_a_client_is_judged_and_its_ending_counts(
    finish: str,
    complete: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    events = chat("It is", " on. It is", " off.", finish=finish)
    with validate_sync(text_deltas(events), judge) as now:
        found = [(str(piece.chunk), piece.chunk.complete) for piece in now]
    assert found == [("It is on.", True), ("It is off.", complete)]
    async with validate(atext_deltas(events), passing) as stream:
        assert [(str(p.chunk), p.chunk.complete) async for p in stream] == found
    async with anyio.create_task_group() as group:
        source = atext_deltas(events)
        async with validate(source, passing, task_group=group) as stream:
            assert [(str(p.chunk), p.chunk.complete) async for p in stream] == found
