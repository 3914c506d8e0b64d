"""Resumable: the state between two deltas is an explicit immutable value.

It is safe for JSON and pickle, and restoring it anywhere continues exactly.
"""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, fields
from typing import TYPE_CHECKING, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunker, ChunkerState, PendingLimitError
from tests.running import Facts, Run, facts, run
from tests.texts import OWN_TEXTS, every_built_in, every_strategy, sliced_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chunkwise import ChunkingStrategy


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
    chunker = Chunker(strategy, max_pending=100, metadata={"id": 7, "of": ["a", None]})
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
