"""Verbatim: a chunk is ``T[chunk.start:chunk.end]``, and never empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from chunkwise import Chunk, Chunker, NotVerbatimError, Scan, Span
from tests.examples import Fixed, Scripted, SemicolonChunking, UpperCase
from tests.running import run, scan_whole
from tests.texts import OWN_TEXTS, boundary_rich_texts, every_strategy, sliced_texts

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy


@every_strategy
@given(deltas=sliced_texts())
def test_a_chunk_is_the_stream_between_its_start_and_end(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    text = "".join(deltas)
    for chunk in run(strategy, deltas).chunks:
        assert chunk.text
        assert chunk.text == text[chunk.start : chunk.end]
        assert len(chunk.text) == chunk.end - chunk.start


@every_strategy
@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_chunks_of_our_own_texts_are_verbatim(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    for chunk in run(strategy, [text]).chunks:
        assert chunk.text
        assert chunk.text == text[chunk.start : chunk.end]


@given(text=boundary_rich_texts())
def test_the_spans_of_level_1_cover_what_split_and_flush_give(text: str) -> None:
    """Level 2 has it the other way round: split and flush are made of the spans."""
    strategy = SemicolonChunking()
    withheld = len(scan_whole(strategy, text).spans)
    spans = scan_whole(strategy, text, final=True).spans
    texts = [text[span[0] : span[1]] for span in spans]
    assert strategy.split(text) == texts[:withheld]
    assert strategy.flush(text) == texts[withheld:]


@every_strategy
def test_a_delta_of_a_subclass_of_str_gives_plain_text(
    strategy: ChunkingStrategy[Any],
) -> None:
    class Event(str):
        __slots__ = ()

    text = ' One. ;\n\nTwo. ;\n\n[{"a": [1, 2]}]\n{"a": [3]}\n'
    chunker = Chunker(strategy)
    chunks = [*chunker.feed(Event(text)), *chunker.flush()]
    assert chunks
    for chunk in chunks:
        assert type(chunk) is Chunk
        assert type(str(chunk)) is str
        assert type(chunk.gap) is str


@pytest.mark.parametrize(
    ("strategy", "offset"),
    [
        pytest.param(UpperCase(), 0, id="changed text"),
        pytest.param(Fixed([""]), 0, id="empty text"),
        pytest.param(Fixed(["ab", "ab"]), 2, id="text from before"),
        pytest.param(Scripted(Scan([Span(3, 3)], 4, 4, None)), 3, id="empty span"),
        pytest.param(Scripted(Scan([Span(4, 3)], 4, 4, None)), 4, id="turned span"),
        pytest.param(Scripted(Scan([Span(1, 99)], 4, 4, None)), 1, id="span too long"),
    ],
)
def test_what_is_not_verbatim_never_leaves(
    strategy: ChunkingStrategy[Any], offset: int
) -> None:
    chunker = Chunker(strategy)
    with pytest.raises(NotVerbatimError, match="verbatim substring") as caught:
        chunker.feed("ab!cd ")
    assert isinstance(caught.value, ValueError)
    assert type(strategy).__name__ in str(caught.value)
    assert caught.value.offset == offset
    assert f"(stream offset {offset})" in str(caught.value)
    assert chunker.pending == ""
