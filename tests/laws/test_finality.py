"""Finality: a released chunk is never changed or taken back.

It follows from stability: ``split(a)`` is a prefix of ``split(a + b)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunker
from tests.running import facts, run, scan_stream, scan_whole, spans_of
from tests.texts import boundary_rich_texts, every_strategy, sliced_texts

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy

pairs = st.tuples(boundary_rich_texts(max_pieces=8), boundary_rich_texts(max_pieces=8))


@every_strategy
@given(texts=pairs)
def test_split_of_a_text_is_a_prefix_of_split_of_a_longer_one(
    strategy: ChunkingStrategy[Any], texts: tuple[str, str]
) -> None:
    a, b = texts
    split = strategy.split(a)
    assert strategy.split(a + b)[: len(split)] == split


@every_strategy
@given(texts=pairs)
def test_the_spans_of_a_text_are_the_first_spans_of_a_longer_one(
    strategy: ChunkingStrategy[Any], texts: tuple[str, str]
) -> None:
    """Stability, with place, completeness and kind."""
    a, b = texts
    spans = list(scan_whole(strategy, a).spans)
    assert list(scan_whole(strategy, a + b).spans)[: len(spans)] == spans
    assert list(scan_whole(strategy, a + b, final=True).spans)[: len(spans)] == spans


@every_strategy
@given(deltas=sliced_texts())
def test_what_feed_released_stands_when_the_stream_has_ended(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    ended = run(strategy, ["".join(deltas)]).chunks
    chunker = Chunker(strategy)
    released = []
    for delta in deltas:
        released += facts(chunker.feed(delta))
        assert ended[: len(released)] == released


@every_strategy
@given(deltas=sliced_texts())
def test_scans_that_go_on_find_the_spans_of_the_whole_text_and_no_more(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """Resumption, where ``resume`` and ``state`` are carried on."""
    steps = scan_stream(strategy, deltas, final=True)
    whole = scan_whole(strategy, "".join(deltas), final=True)
    assert spans_of(steps) == list(whole.spans)


@every_strategy
@given(deltas=sliced_texts())
def test_a_scan_keeps_what_later_scans_need(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """It resumes inside its text, and no later chunk starts before its ``keep``."""
    keep = 0
    for text, base, scan in scan_stream(strategy, deltas, final=True):
        assert base <= scan.resume <= base + len(text)
        assert scan.keep <= base + len(text)
        assert all(span[0] >= keep for span in scan.spans)
        keep = max(keep, scan.keep)


@every_strategy
@given(deltas=sliced_texts())
def test_a_scan_that_need_not_be_made_would_find_nothing(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """``wake`` and ``trigger`` change what is looked at, never what is found."""
    seldom = spans_of(scan_stream(strategy, deltas, final=True, use_wake=True))
    always = spans_of(scan_stream(strategy, deltas, final=True))
    assert seldom == always


@every_strategy
@given(deltas=sliced_texts())
def test_leaving_scans_out_delays_no_chunk(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """After every delta as much is found as by a scan of the whole text so far."""
    text = ""
    found = 0
    base = wake = 0
    state = strategy.begin(0)
    unseen = ""
    for delta in deltas:
        text += delta
        unseen += delta
        if len(text) >= wake or not strategy.trigger.isdisjoint(delta):
            spans, _, resume, state, wake = strategy.scan(
                unseen, base, state, final=False
            )
            unseen = unseen[resume - base :]
            base = resume
            found += len(spans)
        assert found == len(scan_whole(strategy, text).spans)
