"""Completion: a final scan extends the plain one and resumes at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    JSONChunking,
    MarkdownChunking,
    MarkdownTableChunking,
    SizedChunking,
)
from tests.running import as_scan, scan_whole, spans_of
from tests.texts import boundary_rich_texts, every_strategy, sliced_texts

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy, Span


@every_strategy
@given(text=boundary_rich_texts())
def test_a_final_scan_extends_the_plain_one(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    plain = scan_whole(strategy, text)
    final = scan_whole(strategy, text, final=True)
    assert spans_of(final)[: len(plain.spans)] == spans_of(plain)
    assert final.resume == len(text)


@every_strategy
@given(deltas=sliced_texts())
def test_a_final_scan_extends_the_plain_one_in_mid_stream(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    stream = text = ""
    base = 0
    scanner = strategy.bound_to(lambda start, end: stream[start:end])
    state = strategy.begin(0)
    for delta in deltas:
        stream += delta
        text += delta
        plain = as_scan(scanner.scan(text, base, state, final=False))
        final = as_scan(scanner.scan(text, base, state, final=True))
        assert spans_of(final)[: len(plain.spans)] == spans_of(plain)
        assert final.resume == base + len(text)
        text = text[plain.resume - base :]
        base, state = plain.resume, plain.state


@every_strategy
@given(text=boundary_rich_texts())
def test_only_the_end_of_the_text_leaves_open_how_a_chunk_ended(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    """A scan that is not final says of each chunk that a boundary ended it.

    But for sizes, which also cut inside of pieces, and JSON, of which only what is
    valid is complete. Both say so.
    """
    says_so = isinstance(
        strategy,
        (SizedChunking, JSONChunking, MarkdownChunking, MarkdownTableChunking),
    )
    known = {True, False} if says_so else {True}
    assert {span[2] for span in scan_whole(strategy, text).spans} <= known


@every_strategy
@given(text=boundary_rich_texts(), offset=st.integers(1, 1_000))
def test_a_stream_that_begins_at_an_offset_gives_the_same_spans_shifted(
    strategy: ChunkingStrategy[Any], text: str, offset: int
) -> None:
    """So that a strategy can start in mid-stream: after a cut, or inside another."""
    for final in (False, True):
        here = scan_whole(strategy, text, final=final)
        there = scan_whole(strategy, text, base=offset, final=final)
        assert there.resume == here.resume + offset
        assert spans_of(there) == [moved(span, offset) for span in spans_of(here)]


def moved(span: Span, offset: int) -> Span:
    return span._replace(
        start=span.start + offset,
        end=span.end + offset,
        context=tuple((at + offset, part, kind) for at, part, kind in span.context),
    )
