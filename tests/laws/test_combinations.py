"""All laws at once, over strategies of any parameters, nested to depth 3."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from hypothesis import given

from chunkwise import Chunker, ChunkerState, ContractError, strategy_from_dict
from tests.combinations import combinations
from tests.running import facts, run, scan_whole, spans_of
from tests.texts import sliced_texts

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy


@given(strategy=combinations(), deltas=sliced_texts())
def test_any_slicing_equals_one_delta(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    text = "".join(deltas)
    whole = run(strategy, [text])
    assert run(strategy, deltas) == whole
    assert run(strategy, text) == whole
    texts = [chunk.text for chunk in whole.chunks]
    assert texts == strategy.split(text) + strategy.flush(text)


@given(strategy=combinations(), deltas=sliced_texts())
def test_chunks_are_slices_in_order_and_nothing_is_lost(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    text = "".join(deltas)
    found = run(strategy, deltas)
    rebuilt = ""
    start = -1
    for chunk in found.chunks:
        assert chunk.text
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunk.start > start
        start = chunk.start
        assert strategy.overlaps or chunk.start >= len(rebuilt)
        rebuilt += chunk.gap
        rebuilt += text[len(rebuilt) : chunk.end]
    assert rebuilt + found.tail == text


@given(strategy=combinations(), deltas=sliced_texts())
def test_every_delta_releases_what_the_whole_text_does(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """No chunk comes early or late for the slicing; and the stream moves each time."""
    chunker = Chunker(strategy, check="full")
    chunks = []
    for delta in deltas:
        chunks += chunker.feed(delta)
        state = chunker.state
        if state.strategy is not None:
            state = ChunkerState.from_json(state.to_json())
        chunker = Chunker.resume(strategy, state)
    chunks += chunker.flush()
    assert facts(chunks) == run(strategy, ["".join(deltas)]).chunks


@given(strategy=combinations(), deltas=sliced_texts())
def test_what_is_released_stays(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    text = "".join(deltas)
    whole = spans_of(scan_whole(strategy, text))
    assert spans_of(scan_whole(strategy, text, final=True))[: len(whole)] == whole
    for end in range(len(text)):
        spans = spans_of(scan_whole(strategy, text[:end]))
        assert spans == whole[: len(spans)]


@given(strategy=combinations())
def test_dictionaries_give_an_equal_strategy(
    strategy: ChunkingStrategy[Any],
) -> None:
    assert hash(strategy) == hash(strategy)
    with suppress(ContractError):  # A function inside of it cannot be written.
        assert strategy_from_dict(strategy.to_dict()) == strategy
