"""text_deltas and atext_deltas: what comes out, how it ended, what is closed."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from chunkwise import CUT, SourceError, aiter_chunks, iter_chunks
from chunkwise.deltas import atext_deltas, openai_chat, text_deltas
from tests.deltas.events import chat, chat_end
from tests.deltas.sources import AsyncEvents, Events
from tests.recorded_events import events_of, recordings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from chunkwise import Cut
    from chunkwise.deltas import Ending
    from tests.recorded_events import Recording

ANSWER = (chat(""), chat("It is on. It"), chat(" works"), chat_end("stop"))
CALL = chat(tool_calls=[{"index": 0, "function": {"arguments": "{}"}}])


async def collected(deltas: AsyncIterator[str | Cut]) -> list[str | Cut]:
    return [delta async for delta in deltas]


def test_the_text_of_events_comes_out_and_the_stream_is_closed() -> None:
    events = Events(*ANSWER)
    deltas = text_deltas(events)
    assert [deltas.ending, deltas.finish_reason] == [None, None]
    assert list(deltas) == ["It is on. It", " works"]
    assert [deltas.ending, deltas.finish_reason] == ["stop", "stop"]
    assert events.closed == 1


@pytest.mark.anyio
async def test_the_async_twin_does_the_same() -> None:
    events = AsyncEvents(*ANSWER)
    deltas = atext_deltas(events)
    assert await collected(deltas) == ["It is on. It", " works"]
    assert (deltas.ending, deltas.finish_reason) == ("stop", "stop")
    assert events.closed == 1


@pytest.mark.anyio
async def test_the_async_twin_takes_a_plain_iterable() -> None:
    assert await collected(atext_deltas(ANSWER)) == ["It is on. It", " works"]


@pytest.mark.parametrize("source", ["a\ud83d", b"a\xed", bytearray(b"a")])
def test_text_itself_is_one_item(source: Any) -> None:
    deltas = text_deltas(source)
    assert next(deltas) == "a"


@pytest.mark.anyio
async def test_none_among_text_is_no_delta() -> None:
    items = [None, "It is", None, "", " on.", None]
    with text_deltas(items) as deltas:
        assert list(deltas) == ["It is", " on."]
    async with atext_deltas(AsyncEvents(*items)) as adeltas:
        assert [delta async for delta in adeltas] == ["It is", " on."]
    assert list(text_deltas([None])) == []


def test_plain_text_does_not_say_how_it_ended() -> None:
    deltas = text_deltas(["a", CUT, "", b"b"])
    assert list(deltas) == ["a", CUT, "b"]
    assert deltas.ending is None


def test_half_a_pair_at_the_end_comes_out() -> None:
    assert list(text_deltas(["a\ud83d", CUT, "\ude00\ud83d"])) == [
        "a",
        "\ud83d",
        CUT,
        "\ude00",
        "\ud83d",
    ]


def test_the_choice_and_the_kind_asked_for_are_read() -> None:
    events = [
        chat("a", reasoning="Hm"),
        chat("b", 1, reasoning="So"),
        {"error": {}, "choices": []},
    ]
    assert list(text_deltas(events, choice=1)) == ["b"]
    assert list(text_deltas(events, choice=1, kind="reasoning")) == ["So"]
    deltas = text_deltas(events, extract=openai_chat)
    assert list(deltas) == ["a"]
    assert deltas.ending == "error"


def test_a_choice_that_never_came_is_an_error() -> None:
    events = Events(chat("a"), chat("c", 2))
    with pytest.raises(SourceError, match=r"no choice 1, only 0, 2 \(item 2 of"):
        list(text_deltas(events, choice=1))
    assert events.closed == 1


def test_a_tool_call_between_two_texts_cuts() -> None:
    assert list(text_deltas([chat("a"), CALL, chat("b")])) == ["a", CUT, "b"]


@pytest.mark.parametrize(
    ("items", "ending"),
    [
        (ANSWER[:3], "truncated"),
        ([*ANSWER[:3], chat_end("length")], "length"),
        ([], None),
    ],
    ids=["broke off", "said", "nothing"],
)
def test_how_the_stream_ended_is_told_once(items: Any, ending: Ending | None) -> None:
    told: list[Ending | None] = []
    deltas = text_deltas(items, on_end=told.append)
    list(deltas)
    assert told == [deltas.ending] == [ending]
    assert list(deltas) == []
    assert told == [ending]


def test_a_stream_that_raised_or_was_left_tells_no_end() -> None:
    told: list[Ending | None] = []
    with text_deltas(ANSWER, on_end=told.append) as deltas:
        next(deltas)
    assert deltas.ending is None
    deltas = text_deltas(Events(chat("a"), OSError("cut")), on_end=told.append)
    assert next(deltas) == "a"
    with pytest.raises(OSError, match="cut"):
        next(deltas)
    assert deltas.ending == "error"
    assert told == []


def test_an_interrupt_is_no_ending() -> None:
    deltas = text_deltas(Events(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        next(deltas)
    assert deltas.ending is None


@pytest.mark.parametrize(
    ("finish", "complete"),
    [("stop", True), ("tool_calls", True), ("length", False), (None, False)],
)
def test_the_ending_decides_whether_the_last_chunk_is_complete(
    finish: str | None, *, complete: bool
) -> None:
    events = [chat("It works."), *([chat_end(finish)] if finish else [])]
    (chunk,) = iter_chunks(text_deltas(events))
    assert chunk.complete is complete
    (plain,) = iter_chunks(text_deltas(["It works."]))
    assert plain.complete


@pytest.mark.anyio
async def test_the_ending_decides_in_an_async_stream_too() -> None:
    async with aiter_chunks(atext_deltas(AsyncEvents(chat("It works.")))) as chunks:
        (chunk,) = [chunk async for chunk in chunks]
    assert not chunk.complete


def test_bytes_that_are_no_text_raise_behind_their_text() -> None:
    events = Events(b"a", b"b\xff", b"c", close_error=OSError("busy"))
    deltas = text_deltas(events)
    assert [next(deltas), next(deltas)] == ["a", "b"]
    with pytest.raises(UnicodeError, match="0xff at byte offset 2"):
        next(deltas)
    assert deltas.ending == "error"
    assert isinstance(deltas.close_error, OSError)
    assert list(deltas) == []


def test_bytes_that_end_in_a_character_raise_too() -> None:
    deltas = text_deltas([b"a\xc3"])
    assert next(deltas) == "a"
    with pytest.raises(UnicodeError, match="0xc3 at byte offset 1"):
        next(deltas)
    assert deltas.ending == "error"


def test_text_that_repeats_all_before_it_is_an_error() -> None:
    items = [
        "It is on and",
        "It is on and working.",
        "It is on and working. It",
        "It is on and working. It is",
    ]
    events = Events(*items)
    with pytest.raises(SourceError) as caught:
        list(text_deltas(events))
    assert str(caught.value) == (
        "found all the text so far again, 'It is on and working. It', expected only "
        "what is new; ask the source for deltas, with stream_text(delta=True) for "
        "example (item 4 of the source)"
    )
    assert events.closed == 1


def left_by_break(events: Any) -> None:
    with iter_chunks(text_deltas(events), "word") as chunks:
        for _ in chunks:
            break


def test_leaving_chunks_early_closes_the_stream_once() -> None:
    events = Events(*ANSWER)
    left_by_break(events)
    assert events.closed == 1


@pytest.mark.anyio
async def test_leaving_async_chunks_early_unwinds_and_closes_the_stream_once() -> None:
    events = AsyncEvents(*ANSWER[:2], ...)
    async with aiter_chunks(atext_deltas(events), "word") as chunks:
        async for _ in chunks:
            break
    assert (events.cancelled, events.closed) == (1, 1)
    assert chunks.close_error is None


@pytest.mark.anyio
async def test_a_cancelled_task_closes_the_stream_once() -> None:
    events = AsyncEvents(*ANSWER[:2], ...)
    deltas = atext_deltas(events)
    with anyio.move_on_after(0.01):
        async with aiter_chunks(deltas, "paragraph") as chunks:
            await anext(chunks)
    assert (events.cancelled, events.closed) == (1, 1)
    assert deltas.ending is None


@pytest.mark.anyio
async def test_a_closer_takes_the_place_of_all_that() -> None:
    events = AsyncEvents(*ANSWER[:2], ...)
    called: list[int] = []
    async with aiter_chunks(
        atext_deltas(events, closer=lambda: called.append(1)), "word"
    ) as chunks:
        await anext(chunks)
    assert (events.cancelled, events.closed, called) == (0, 0, [1])


class Helper:
    """Has a ``text_stream`` as Anthropic's helper does, whose close closes nothing."""

    def __init__(self) -> None:
        self.text_stream = self._texts()
        self.closed = 0

    def _texts(self) -> Iterator[str]:
        yield from ("a", "b")

    def close(self) -> None:
        """Count the call."""
        self.closed += 1


class AsyncHelper(Helper):
    """The same, async."""

    def __init__(self) -> None:
        super().__init__()
        self.text_stream: Any = self._atexts()

    async def _atexts(self) -> AsyncIterator[str]:
        yield "a"
        yield "b"


def test_the_owner_of_a_text_stream_is_closed() -> None:
    helper = Helper()
    with text_deltas(helper.text_stream) as deltas:
        assert next(deltas) == "a"
    assert helper.closed == 1


@pytest.mark.anyio
async def test_the_owner_of_an_async_text_stream_is_closed() -> None:
    helper = AsyncHelper()
    async with atext_deltas(helper.text_stream) as deltas:
        assert await anext(deltas) == "a"
    assert helper.closed == 1


def test_other_generators_have_no_owner() -> None:
    helper = Helper()
    other = helper._texts()  # noqa: SLF001 - it is not the text stream
    with text_deltas(other) as deltas:
        assert next(deltas) == "a"
    assert helper.closed == 0
    assert other.gi_frame is None  # type: ignore[attr-defined]  # a generator's


def test_an_owner_that_cannot_be_closed_is_left_alone() -> None:
    def texts(self: Any) -> Iterator[str]:
        yield self.first

    owner = SimpleNamespace(first="a")
    owner.text_stream = texts(owner)
    with text_deltas(owner.text_stream) as deltas:
        assert next(deltas) == "a"


@contextmanager
def entered() -> Iterator[list[str]]:
    yield ["a"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"stream": [], "ResponseMetadata": {}}, "a dictionary; take its 'stream'"),
        ({"body": []}, "got a dictionary; take its 'body'"),
        ({"text": "a"}, "expected a stream, got a dictionary$"),
        (AsyncEvents(), r"got AsyncEvents; use atext_deltas\(\) for an async"),
        (entered(), "enter it first"),
        (7, "expected an iterable of text or events, got int$"),
    ],
)
def test_what_is_no_stream_is_refused(source: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        text_deltas(source)


def test_the_async_twin_refuses_what_is_no_stream() -> None:
    expected = "expected an async or plain iterable of text or events, got int"
    with pytest.raises(TypeError, match=expected):
        atext_deltas(7)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"choice": -1}, ValueError, "choice must be an int of at least 0, got -1"),
        ({"choice": "0"}, TypeError, "choice must be an int, got '0'"),
        ({"kind": "thinking"}, ValueError, "kind must be one of 'text', 'reasoning'"),
        ({"on_end": 1}, TypeError, "on_end must be callable, got 1"),
        ({"extract": 1}, TypeError, "extract must be callable, got 1"),
        ({"closer": 1}, TypeError, "closer must be callable, got 1"),
    ],
)
def test_wrong_options_are_refused_and_nothing_is_closed(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    events = Events()
    for function in (text_deltas, atext_deltas):
        with pytest.raises(error, match=message):
            function(events, **options)
    assert events.closed == 0


RECORDINGS = recordings()

CUTS = {
    "s05f986d1a740",
    "s16e21ce7eb18",
    "s3fccfdc864d2",
}
"""Recordings in which a tool call stands between two texts of the answer."""


@pytest.mark.parametrize(
    "recording", RECORDINGS, ids=[f"{each.api} {each.id}" for each in RECORDINGS]
)
def test_recorded_events_are_read_without_any_client(recording: Recording) -> None:
    deltas = text_deltas(events_of(recording))
    found = list(deltas)
    assert "".join(delta for delta in found if delta is not CUT) == recording.text
    assert (CUT in found) == (recording.id in CUTS)
    assert deltas.ending == ending_of_recording(recording)


_ENDINGS_OF_OTHERS: dict[str, Ending] = {
    "x700148f38766": "truncated",
    "xd56c753b58a0": "error",
    "xc7441535a1b0": "error",
    "x9278fb5d6861": "refusal",
    "x3e1525a0a230": "refusal",
}
"""Recordings whose last word says less than all their events."""

_ENDINGS: dict[str | None, Ending] = {
    None: "stop",
    "stop_sequence": "stop",
    "end_turn": "stop",
    "stop": "stop",
    "STOP": "stop",
    "FINISH": "stop",
    "COMPLETE": "stop",
    "completed": "stop",
    "eos_token": "stop",
    "max_tokens": "length",
    "MAX_TOKENS": "length",
    "LENGTH": "length",
    "length": "length",
    "incomplete:max_output_tokens": "length",
    "tool_use": "tool_calls",
    "tool_calls": "tool_calls",
    "refusal": "refusal",
    "guardrail_intervened": "content_filter",
    "RECITATION": "content_filter",
    "blocked:SAFETY": "content_filter",
}


def ending_of_recording(recording: Recording) -> Ending:
    return _ENDINGS_OF_OTHERS.get(recording.id) or _ENDINGS[recording.finish]


@pytest.mark.parametrize(
    ("events", "ending"),
    [
        (ANSWER[:-1], "truncated"),
        ([*ANSWER[:-1], chat_end("length")], "length"),
        (["It is on."], None),
    ],
    ids=["broken off", "too long", "text"],
)
def test_the_ending_is_that_of_the_deltas_that_are_read(
    events: list[Any], ending: Any
) -> None:
    endings: list[Any] = []
    deltas = text_deltas(text_deltas(events), on_end=endings.append)
    assert list(deltas) == list(text_deltas(events))
    assert deltas.ending == ending
    assert endings == [ending]


def test_an_ending_that_is_none_of_ours_says_nothing() -> None:
    class Text(list[str]):
        ending: object = "happy"

    text = Text(["It is on."])
    deltas = text_deltas(text)
    assert list(deltas) == ["It is on."]
    assert deltas.ending is None
    text.ending = ["stop"]
    assert deltas.ending is None
    text.ending = "length"
    assert deltas.ending == "length"
