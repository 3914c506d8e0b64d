"""Opened: what is said of the open chunk is sure, and depends on the stream alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import given

from tests.running import all_spans_of, scan_stream, scan_whole, spans_of
from tests.texts import boundary_rich_texts, every_built_in, sliced_texts

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy


def opened_by_whole(
    strategy: ChunkingStrategy[Any], text: str
) -> tuple[int, int] | None:
    scan = scan_whole(strategy, text)
    return strategy.opened(text[scan.resume :], scan.resume, scan.state)


@every_built_in
@given(deltas=sliced_texts())
def test_it_does_not_depend_on_the_slicing(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    text = ""
    for delta, step in zip(deltas, scan_stream(strategy, deltas), strict=True):
        text += delta
        scan = step.scan
        opened = strategy.opened(text[scan.resume :], scan.resume, scan.state)
        assert opened == opened_by_whole(strategy, text), text


@every_built_in
@given(deltas=sliced_texts())
def test_the_next_chunk_starts_there_and_has_all_of_it(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """Whatever follows: the rest of the text, and the end after each delta."""
    whole = "".join(deltas)
    all_spans = spans_of(scan_whole(strategy, whole, final=True))
    text = ""
    for delta in deltas:
        text += delta
        opened = opened_by_whole(strategy, text)
        if opened is None:
            continue
        start, surely = opened
        known = len(scan_whole(strategy, text).spans)
        ended = spans_of(scan_whole(strategy, text, final=True))
        for spans in (all_spans, ended):
            assert spans[known].start == start
            assert start <= surely <= min(spans[known].end, len(text))


@every_built_in
@given(text=boundary_rich_texts())
def test_it_reaches_back_no_further_than_the_last_chunk(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    opened = opened_by_whole(strategy, text)
    spans = all_spans_of(scan_stream(strategy, [text]))
    if opened is not None and spans:
        assert spans[-1].start < opened[0]
