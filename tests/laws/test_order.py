"""Order: starts strictly increase; chunks overlap only where the strategy says so."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from chunkwise import Chunker, ContractError, NotVerbatimError, Scan, Span
from tests.examples import Scripted
from tests.running import run
from tests.texts import (
    OWN_TEXTS,
    STRATEGIES_UNDER_TEST,
    every_strategy,
    sliced_texts,
)

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy
    from tests.running import Facts


def assert_in_order(chunks: list[Facts], *, overlaps: bool) -> None:
    assert [chunk.number for chunk in chunks] == list(range(len(chunks)))
    for earlier, later in pairwise(chunks):
        assert earlier.start < later.start
        assert earlier.end <= (later.end if overlaps else later.start)


@every_strategy
@given(deltas=sliced_texts())
def test_starts_increase_and_chunks_overlap_only_where_the_strategy_says_so(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    assert_in_order(run(strategy, deltas).chunks, overlaps=strategy.overlaps)


def test_some_strategies_overlap() -> None:
    """And those that say so do."""
    text = "One two, three. Four; five; six. Seven. A b c d e f. " * 12
    for strategy in (strategy for _, strategy in STRATEGIES_UNDER_TEST):
        chunks = run(strategy, [text]).chunks
        overlapping = [a for a, b in pairwise(chunks) if b.start < a.end]
        assert bool(overlapping) == strategy.overlaps


@every_strategy
@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_chunks_of_our_own_texts_are_in_order(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    assert_in_order(run(strategy, list(text)).chunks, overlaps=strategy.overlaps)


@pytest.mark.parametrize(
    "spans",
    [
        pytest.param([Span(1, 4), Span(1, 5)], id="same start"),
        pytest.param([Span(2, 4), Span(1, 5)], id="start before"),
        pytest.param([Span(0, 2), Span(2, 4), Span(1, 3)], id="third one back"),
    ],
)
def test_a_start_that_does_not_increase_is_refused(spans: list[Span]) -> None:
    chunker = Chunker(Scripted(Scan(spans, 5, 5, None)))
    with pytest.raises(ContractError, match="strictly increase") as caught:
        chunker.feed("ab!cde")
    assert caught.value.offset is not None
    assert caught.value.strategy == "Scripted"
    assert chunker.pending == ""


def test_a_start_that_does_not_increase_is_refused_across_deltas() -> None:
    """The chunk of the first delta comes again, and its text is still stored."""
    chunker = Chunker(Scripted(Scan([Span(0, 2)], 1, 2, None)))
    assert chunker.feed("ab!") == ["ab"]
    with pytest.raises(NotVerbatimError, match="strictly increase"):
        chunker.feed("!")
    assert chunker.pending == "!"


def test_a_strategy_may_overlap_and_the_gap_is_then_empty() -> None:
    spans = [Span(1, 4), Span(2, 6), Span(7, 8)]
    chunks = Chunker(Scripted(Scan(spans, 8, 8, None))).feed("abcd!fghi")
    assert chunks == ["bcd", "cd!f", "h"]
    assert [chunk.gap for chunk in chunks] == ["a", "", "g"]
