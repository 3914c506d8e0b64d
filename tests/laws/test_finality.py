"""Finality: a released chunk is never changed or taken back.

It follows from stability: ``split(a)`` is a prefix of ``split(a + b)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunker
from tests.running import (
    all_spans_of,
    as_scan,
    facts,
    run,
    scan_stream,
    scan_whole,
    spans_of,
)
from tests.texts import boundary_rich_texts, every_strategy, sliced_texts

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy, Span

pairs = st.tuples(boundary_rich_texts(), boundary_rich_texts())


@every_strategy
@given(texts=pairs)
def test_split_of_a_text_is_a_prefix_of_split_of_a_longer_one(
    strategy: ChunkingStrategy[Any], texts: tuple[str, str]
) -> None:
    """Stability; also of place, completeness and kind, and where the text ends."""
    a, b = texts
    spans = spans_of(scan_whole(strategy, a))
    assert spans_of(scan_whole(strategy, a + b))[: len(spans)] == spans
    assert spans_of(scan_whole(strategy, a + b, final=True))[: len(spans)] == spans
    assert strategy.split(a + b)[: len(spans)] == strategy.split(a)


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
    """Resumption, where ``resume`` and ``state`` are carried on.

    Each scan resumes inside its text, and no later chunk starts before its ``keep``.
    """
    steps = list(scan_stream(strategy, deltas, final=True))
    whole = scan_whole(strategy, "".join(deltas), final=True)
    assert all_spans_of(steps) == spans_of(whole)
    keep = 0
    for text, base, scan in steps:
        assert base <= scan.resume <= base + len(text)
        assert scan.keep <= base + len(text)
        assert all(span[0] >= keep for span in scan.spans)
        keep = max(keep, scan.keep)


@every_strategy
@given(deltas=sliced_texts())
def test_a_scan_that_need_not_be_made_would_find_nothing(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """``wake`` and ``trigger`` change what is looked at, not what is found or when."""
    found: list[Span] = []
    base = wake = 0
    state = strategy.begin(0)
    text = unseen = ""
    scanner = strategy.bound_to(lambda start, end: text[start:end])
    for delta in deltas:
        text += delta
        unseen += delta
        if len(text) >= wake or not strategy.trigger.isdisjoint(delta):
            scan = as_scan(scanner.scan(unseen, base, state, final=False))
            unseen = unseen[scan.resume - base :]
            _, _, base, state, wake = scan
            found += spans_of(scan)
        assert found == spans_of(scan_whole(strategy, text))
    found += spans_of(as_scan(scanner.scan(unseen, base, state, final=True)))
    assert found == spans_of(scan_whole(strategy, text, final=True))
