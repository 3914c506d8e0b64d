"""Resumable: the state between two deltas is an explicit immutable value.

It is safe for JSON and pickle, and restoring it anywhere continues exactly. Its JSON
form is small: beyond the pending text, the strategy's dictionary, the metadata and what
is kept as context, at most 1 KB, and 16 bytes for each piece that waits to be packed
and for each level of nesting that is open.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    Chunker,
    ChunkerState,
    MarkdownChunking,
    MarkdownTableChunking,
    NestedChunking,
    PendingLimitError,
    SizedChunking,
    WindowChunking,
)
from tests.laws.test_bounded import ADVERSARIES
from tests.running import Facts, Run, facts, run
from tests.texts import (
    BUILT_IN,
    OWN_TEXTS,
    every_built_in,
    every_strategy,
    require_recordings,
    sliced_texts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chunkwise import ChunkingStrategy
    from tests.texts import Recording


def by_json(state: ChunkerState) -> ChunkerState:
    return ChunkerState.from_json(state.to_json())


def by_pickle(state: ChunkerState) -> ChunkerState:
    again = pickle.loads(pickle.dumps(state))  # noqa: S301 - our own pickle
    assert isinstance(again, ChunkerState)
    return again


def run_in_parts(
    strategy: ChunkingStrategy[Any],
    deltas: Iterable[str],
    carry: Callable[[ChunkerState], ChunkerState],
) -> Run:
    """Go on with a new Chunker for every delta, and for the flush."""
    chunks: list[Facts] = []
    chunker = Chunker(strategy)
    for delta in deltas:
        chunks += facts(chunker.feed(delta))
        chunker = Chunker.resume(strategy, carry(chunker.state))
    chunks += facts(chunker.flush())
    tail = Chunker.resume(strategy, carry(chunker.state)).tail
    return Run(chunks, tail)


@every_strategy
@given(deltas=sliced_texts())
def test_a_stream_that_moves_at_every_delta_gives_the_same_chunks(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    assert run_in_parts(strategy, deltas, by_json) == run(strategy, ["".join(deltas)])


@every_strategy
@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_our_own_texts_move_at_every_code_point(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    assert run_in_parts(strategy, text, by_json) == run(strategy, [text])


@every_strategy
@given(deltas=sliced_texts())
def test_a_stream_moves_as_a_pickle_too(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    assert run_in_parts(strategy, deltas, by_pickle) == run(strategy, ["".join(deltas)])


@every_strategy
@given(deltas=sliced_texts(), cut=st.integers(0, 10))
def test_a_restored_state_gives_a_stream_the_same_future(
    strategy: ChunkingStrategy[Any], deltas: list[str], cut: int
) -> None:
    """Both go on: the Chunker that it was taken from, and two made of it."""
    chunker = Chunker(strategy)
    for delta in deltas[:cut]:
        chunker.feed(delta)
    state = chunker.state
    futures = []
    for going_on in (
        chunker,
        Chunker.resume(strategy, state),
        Chunker.resume(strategy, by_json(state)),
    ):
        assert going_on.state == state
        chunks = [c for delta in deltas[cut:] for c in going_on.feed(delta)]
        futures.append(Run(facts(chunks + going_on.flush()), going_on.tail))
    assert futures[0] == futures[1] == futures[2]


@every_strategy
@given(deltas=sliced_texts())
def test_a_state_survives_as_an_equal_value(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    chunker = Chunker(
        strategy, max_pending=10_000, metadata={"id": 7, "of": ["a", None]}
    )
    for delta in deltas:
        chunker.feed(delta)
    state = chunker.state
    assert by_json(state) == state
    assert by_pickle(state) == state
    assert copy.copy(state) == state
    assert copy.deepcopy(state) == state


@every_strategy
@given(deltas=sliced_texts())
def test_a_state_stays_as_it_was_while_its_chunker_goes_on(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """And taking it changes nothing."""
    chunker = Chunker(strategy)
    states = []
    chunks = []
    for delta in deltas:
        chunks += facts(chunker.feed(delta))
        states.append((chunker.state, chunker.state.to_json()))
        assert chunker.state == states[-1][0]
    chunks += facts(chunker.flush())
    assert Run(chunks, chunker.tail) == run(strategy, deltas)
    for state, written in states:
        assert state.to_json() == written


@every_strategy
def test_a_state_cannot_be_changed(strategy: ChunkingStrategy[Any]) -> None:
    chunker = Chunker(strategy, metadata={"id": 7})
    chunker.feed("One. Two;\n")
    for state in (chunker.state, by_json(chunker.state), by_pickle(chunker.state)):
        for field in fields(state):
            with pytest.raises(FrozenInstanceError):
                setattr(state, field.name, None)
        with pytest.raises(TypeError):
            state.metadata["id"] = 8  # type: ignore[index]  # that it is read-only


@every_built_in
def test_the_strategy_inside_a_state_cannot_be_changed(
    strategy: ChunkingStrategy[Any],
) -> None:
    state = Chunker(strategy).state
    for again in (state, by_json(state), by_pickle(state)):
        with pytest.raises(TypeError):
            again.strategy["type"] = "other"  # type: ignore[index]  # as above


@every_strategy
@given(deltas=sliced_texts())
def test_the_json_form_is_one_line_of_plain_ascii(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    chunker = Chunker(strategy)
    for delta in deltas:
        chunker.feed(delta)
    written = chunker.state.to_json()
    assert written.isascii()
    assert len(written.splitlines()) == 1
    assert isinstance(json.loads(written), dict)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ud83d", id="high"),
        pytest.param("\ude00", id="low"),
        pytest.param("a\ud83d\ude00b", id="high and low"),
        pytest.param("\ude00\ud83d", id="low and high"),
        pytest.param("\U0001f600", id="astral"),
        pytest.param("\ud83d\U0001f600\ude00", id="astral between"),
        pytest.param('\x00\x7f\ufeff\uffff\\"', id="escapes"),
    ],
)
@pytest.mark.parametrize("check", ["verbatim", "full"])
def test_lone_surrogates_and_what_json_escapes_survive(
    text: str, check: Literal["verbatim", "full"]
) -> None:
    """Two surrogates that follow each other stay two code points.

    Also inside the strategy's state: that of the full check holds the text.
    """
    chunker = Chunker("word", check=check)
    chunker.feed(text)
    state = by_json(chunker.state)
    assert state == chunker.state
    assert state.text == text
    assert Chunker.resume("word", state).flush() == [text]


@every_strategy
@given(deltas=sliced_texts(), cut=st.integers(0, 10))
def test_the_full_check_moves_with_the_state(
    strategy: ChunkingStrategy[Any], deltas: list[str], cut: int
) -> None:
    chunker = Chunker(strategy, check="full")
    chunks = [chunk for delta in deltas[:cut] for chunk in chunker.feed(delta)]
    chunker = Chunker.resume(strategy, by_json(chunker.state))
    chunks += [chunk for delta in deltas[cut:] for chunk in chunker.feed(delta)]
    chunks += chunker.flush()
    assert facts(chunks) == run(strategy, deltas).chunks


@every_strategy
@given(deltas=sliced_texts(), limit=st.integers(0, 8))
def test_the_limit_moves_with_the_state(
    strategy: ChunkingStrategy[Any], deltas: list[str], limit: int
) -> None:
    chunker = Chunker(strategy, max_pending=limit)
    for delta in deltas:
        over = False
        try:
            chunker.feed(delta)
        except PendingLimitError:
            over = True
        assert over == (len(chunker.pending) > limit)
        chunker = Chunker.resume(strategy, by_json(chunker.state))


@every_strategy
@given(deltas=sliced_texts(), cuts=st.sets(st.integers(0, 20)))
def test_a_stream_with_cuts_moves_too(
    strategy: ChunkingStrategy[Any], deltas: list[str], cuts: set[int]
) -> None:
    stays = Chunker(strategy)
    moves = Chunker(strategy)
    for number, delta in enumerate(deltas):
        assert facts(stays.feed(delta)) == facts(moves.feed(delta))
        if number in cuts:
            moves = Chunker.resume(strategy, by_json(moves.state))
            assert facts(stays.cut()) == facts(moves.cut())
            moves = Chunker.resume(strategy, by_json(moves.state))
    assert facts(stays.flush()) == facts(moves.flush())
    assert stays.tail == moves.tail


def some_recordings(strategy_number: int, size: int) -> list[Recording]:
    """Return recorded streams of about *size* deltas, others for each strategy.

    All of them under the long profile.
    """
    recordings = [each for each in require_recordings() if len(each.deltas) > 1]
    if os.environ.get("HYPOTHESIS_PROFILE") == "long":
        return recordings
    found: list[Recording] = []
    at = strategy_number * 29
    while sum(len(each.deltas) for each in found) < size:
        found.append(recordings[at % len(recordings)])
        at += 7
    return found


@pytest.mark.parametrize("number", range(len(BUILT_IN)), ids=dict(BUILT_IN))
def test_a_recorded_stream_moves_at_every_delta(number: int) -> None:
    _, strategy = BUILT_IN[number]
    for recording in some_recordings(number, 300):
        whole = run(strategy, ["".join(recording.deltas)])
        assert run_in_parts(strategy, recording.deltas, by_json) == whole, recording.id


def go_on(jobs: str) -> str:
    """Go on with saved streams, as another process does; JSON in, JSON out."""
    strategies = dict(BUILT_IN)
    futures = []
    for name, written, deltas in json.loads(jobs):
        chunker = Chunker.resume(strategies[name], ChunkerState.from_json(written))
        chunks = [chunk for delta in deltas for chunk in chunker.feed(delta)]
        futures.append([facts(chunks + chunker.flush()), chunker.tail])
    return json.dumps(futures)


def test_a_recorded_stream_goes_on_in_another_process() -> None:
    """Every strategy, each with a stream of its own that moves at three places."""
    jobs = []
    expected = []
    for number, (name, strategy) in enumerate(BUILT_IN):
        deltas = some_recordings(number, 1)[0].deltas
        for part in (1, 2, 3):
            place = len(deltas) * part // 4
            chunker = Chunker(strategy)
            for delta in deltas[:place]:
                chunker.feed(delta)
            jobs.append([name, chunker.state.to_json(), deltas[place:]])
            chunks = [
                chunk for delta in deltas[place:] for chunk in chunker.feed(delta)
            ]
            expected.append([facts(chunks + chunker.flush()), chunker.tail])
    code = "import sys; from tests.laws.test_resumable import go_on; "
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-c", code + "print(go_on(sys.stdin.read()))"],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert json.loads(done.stdout) == json.loads(json.dumps(expected))


LARGE: dict[str, ChunkingStrategy[Any]] = {
    "window": WindowChunking(300, stride=1, by="word"),
    "window-sentences": WindowChunking(50, stride=20),
    "sized": SizedChunking(4_000, overlap=800),
    "sized-words": SizedChunking(1_000, overlap=200, by=("word",), sizer="words"),
    "sized-bytes": SizedChunking(4_000, overlap=400, sizer="utf8_bytes"),
    "markdown": MarkdownChunking(max_size=4_000, prose="block"),
    "markdown-sentences": MarkdownChunking(max_size=4_000, code="line"),
    "markdown-table": MarkdownTableChunking(4_000),
    "nested": NestedChunking("paragraph", SizedChunking(4_000)),
}
"""Strategies with which much can wait to be packed."""


def json_size(value: object) -> int:
    return len(json.dumps(value, separators=(",", ":")))


def waiting(state: object) -> int:
    """Return how many pieces or levels the state of a strategy has.

    No tuple of a fixed form has more than 16 items: a longer one is a list of them.
    """
    if not isinstance(state, tuple):
        return 0
    return sum(map(waiting, state)) + (len(state) if len(state) > 16 else 0)


def check_size(state: ChunkerState, context: int = 0) -> None:
    """Check the size of the JSON form.

    Args:
        state: The state.
        context: What may be in it beyond the bound, in bytes.
    """
    written = state.to_json()
    form = json.loads(written)
    apart = sum(json_size(form[name]) for name in ("strategy", "text", "metadata"))
    most = 1_024 + 16 * waiting(state.strategy_state) + context
    assert len(written) - apart <= most, written


def strings_of(state: object) -> list[str]:
    """Return all texts in the state of a strategy."""
    if isinstance(state, str):
        return [state]
    if not isinstance(state, tuple):
        return []
    return [text for item in state for text in strings_of(item)]


def far_into_a_stream(strategy: ChunkingStrategy[Any]) -> Chunker:
    """Return a Chunker behind a cut at an offset of eight digits."""
    place = 12_345_678
    state = replace(
        Chunker(strategy, metadata={"id": "x" * 100}).state,
        start=place,
        base=place,
        strategy_state=strategy.begin(place),
        index=place,
        last_start=place - 1,
        last_end=place,
    )
    return Chunker.resume(strategy, state)


@pytest.mark.parametrize("text", ADVERSARIES.values(), ids=ADVERSARIES)
def test_a_state_is_small_whatever_the_text_is(text: str) -> None:
    for strategy in [strategy for _, strategy in BUILT_IN] + [*LARGE.values()]:
        chunker = far_into_a_stream(strategy)
        for part in (text[:700], text[700:], text * 2):
            chunker.feed(part)
            check_size(chunker.state)


SMALL_PACKS: list[ChunkingStrategy[Any]] = [
    SizedChunking(1),
    SizedChunking(10),
    SizedChunking(10, overlap=9),
    SizedChunking(10, min_size=9),
    SizedChunking(10, sizer="utf8_bytes"),
    SizedChunking(3, by=("sentence",), sizer="words"),
    NestedChunking("paragraph", SizedChunking(10)),
    MarkdownChunking(max_size=10),
]
"""Strategies whose chunks are smaller than what their levels look at."""


def rare(size: int, first: int, last: int) -> str:
    """Return text that no compressor makes much smaller."""
    drawn = random.Random(size)  # noqa: S311 - any will do
    return "".join(chr(drawn.randint(first, last)) for _ in range(size))


def ideographs(size: int) -> str:
    return rare(size, 0x20000, 0x2A000)


HARD_TO_WRITE = {
    "han": rare(1_200, 0x4E00, 0x9FFF),
    "ideographs": ideographs(1_200),
    "surrogates": rare(1_200, 0xD800, 0xDFFF),
    "controls": rare(1_200, 0, 31),
    "words": " ".join(ideographs(size) for size in range(1, 50)),
    "a link": f"[{ideographs(90)}]({ideographs(90)}",
    "lines": "\n".join(ideographs(size) for size in range(1, 50)),
}


@pytest.mark.parametrize("text", HARD_TO_WRITE.values(), ids=HARD_TO_WRITE)
def test_a_state_is_small_whatever_its_code_points_are(text: str) -> None:
    for strategy in [strategy for _, strategy in BUILT_IN] + SMALL_PACKS:
        chunker = far_into_a_stream(strategy)
        for start in range(0, len(text), 13):
            chunker.feed(text[start : start + 13])
            check_size(chunker.state)


OPENED = {
    "star": f"{ideographs(300)} *{ideographs(180)}! {ideographs(250)}",
    "closed": f"{ideographs(300)} _{ideographs(20)}_.{ideographs(400)}",
    "quotation": f'{ideographs(300)} "{ideographs(180)}. {ideographs(250)}',
    "code": f"`{ideographs(400)}",
    "dash": f"- {ideographs(400)}",
}
"""Texts in which what stands far to the left matters."""


@pytest.mark.parametrize("text", OPENED.values(), ids=OPENED)
def test_only_what_was_opened_in_released_text_is_kept_beyond_that(text: str) -> None:
    """It is context: up to 240 code points in which markup or a quotation is open."""
    for strategy in SMALL_PACKS:
        chunker = far_into_a_stream(strategy)
        for start in range(0, len(text), 13):
            chunker.feed(text[start : start + 13])
            state = chunker.state
            found = strings_of(state.strategy_state)
            context = [text for text in found if text not in state.text]
            assert sum(map(len, context)) <= 300
            encoded = "".join(context).encode("utf-8", "surrogatepass")
            check_size(state, len(encoded))


@every_built_in
@given(deltas=sliced_texts())
def test_a_state_of_any_text_is_small(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    chunker = Chunker(strategy)
    for delta in deltas:
        chunker.feed(delta)
        check_size(chunker.state)


@pytest.mark.parametrize("number", range(len(BUILT_IN)), ids=dict(BUILT_IN))
def test_a_state_of_a_recorded_stream_is_small(number: int) -> None:
    _, strategy = BUILT_IN[number]
    for recording in some_recordings(number, 300):
        chunker = Chunker(strategy)
        for delta in recording.deltas:
            chunker.feed(delta)
            check_size(chunker.state)


@pytest.mark.parametrize("strategy", LARGE.values(), ids=LARGE)
@given(deltas=sliced_texts())
def test_a_large_state_moves_too(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    text = "".join(deltas) * 60
    chunker = Chunker(strategy)
    chunks = facts(chunker.feed(text[: len(text) // 2]))
    for carry in (by_json, by_pickle):
        state = chunker.state
        assert carry(state) == state
        chunker = Chunker.resume(strategy, carry(state))
    chunks += facts(chunker.feed(text[len(text) // 2 :]) + chunker.flush())
    assert Run(chunks, chunker.tail) == run(strategy, [text])
