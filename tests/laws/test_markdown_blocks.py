"""Blocks: those of ``markdown-it-py``, in every slicing.

With all blocks left whole the chunks, link reference definitions aside, are its blocks
at the top level: kind, first line, and last line that is not blank. Cut as far as they
can be, they are its leaf blocks: kind and first line.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    Chunker,
    ChunkerState,
    MarkdownChunking,
    MarkdownTableChunking,
)
from tests.markdown_oracle import (
    MARKERS,
    blocks_of_chunks,
    leaf_blocks,
    leaves_of_chunks,
    lines_of,
    rows_of_tables,
    starts_of_lines,
    top_blocks,
)
from tests.markdown_texts import (
    OWN_EXAMPLES,
    markdown_texts,
    require_specification,
    tables_in_containers,
    top_level_blocks,
)
from tests.running import facts, run
from tests.texts import require_recordings, slicings

if TYPE_CHECKING:
    from chunkwise import Chunk, ChunkingStrategy

WHOLE = MarkdownChunking(
    prose="block", code="block", table="block", lists="list", extensions=()
)
LEAVES = MarkdownChunking(table="block", extensions=(), sentence="paragraph")
"""Paragraphs have no blank lines, so this cuts into leaf blocks."""

MOST_THAT_DIFFER = 0
"""Examples of the specification with other blocks; 2 % of them would be 13."""


def odd(text: str) -> int:
    """Neither additive nor monotone."""
    return len(text.split()) + 3 * text.count(".") - 3 * text.count(". ")


def agrees(text: str) -> bool:
    """Whether the blocks are the same, whole and in single code points."""
    whole = run(WHOLE, [text])
    leaves = run(LEAVES, [text])
    assert run(WHOLE, text) == whole
    assert run(LEAVES, text) == leaves
    return blocks_of_chunks(text, whole.chunks) == top_blocks(
        text
    ) and leaves_of_chunks(text, leaves.chunks) == leaf_blocks(text)


@pytest.mark.parametrize("text", OWN_EXAMPLES.values(), ids=OWN_EXAMPLES)
def test_our_own_examples_have_the_same_blocks(text: str) -> None:
    chunks = run(WHOLE, [text]).chunks
    assert blocks_of_chunks(text, chunks) == top_blocks(text)
    chunks = run(LEAVES, [text]).chunks
    assert leaves_of_chunks(text, chunks) == leaf_blocks(text)
    assert agrees(text)


def test_the_examples_of_the_specification_have_the_same_blocks() -> None:
    examples = require_specification()
    differ = [example.number for example in examples if not agrees(example.markdown)]
    assert len(examples) > 640
    assert len(differ) <= MOST_THAT_DIFFER, differ


def test_answers_and_recorded_streams_have_the_same_blocks() -> None:
    for recording in require_recordings():
        text = "".join(recording.deltas)
        assert agrees(text), recording.id
        for strategy in (WHOLE, LEAVES):
            assert run(strategy, recording.deltas) == run(strategy, [text])


@given(text=markdown_texts())
def test_nested_blocks_are_those_of_the_parser(text: str) -> None:
    assert agrees(text)


every_markdown = pytest.mark.parametrize(
    "strategy",
    [
        MarkdownChunking(),
        WHOLE,
        MarkdownChunking(code="line", table="block", context=False),
        MarkdownChunking(max_size=40, min_size=10),
        MarkdownChunking(max_size=9, sizer="words"),
        MarkdownChunking(max_size=40, min_size=10, size_of="with_context"),
        MarkdownChunking(max_size=9, sizer="words", size_of="with_context"),
        MarkdownChunking(max_size=9, sizer=odd, size_of="with_context"),
        MarkdownTableChunking(24),
    ],
    ids=[
        *("sentences", "blocks", "lines", "sized", "words"),
        *("sized with context", "words with context", "odd with context", "table"),
    ],
)


@every_markdown
@given(data=st.data(), text=markdown_texts())
def test_nested_blocks_are_the_same_in_every_slicing(
    strategy: ChunkingStrategy[object], data: st.DataObject, text: str
) -> None:
    whole = run(strategy, [text])
    assert run(strategy, data.draw(slicings(text))) == whole
    assert run(strategy, text) == whole


@every_markdown
@given(data=st.data(), text=markdown_texts())
def test_a_stream_of_nested_blocks_can_move_anywhere(
    strategy: ChunkingStrategy[object], data: st.DataObject, text: str
) -> None:
    chunker = Chunker(strategy)
    chunks: list[Chunk] = []
    for delta in data.draw(slicings(text)):
        chunks += chunker.feed(delta)
        state = ChunkerState.from_json(chunker.state.to_json())
        chunker = Chunker.resume(strategy, state)
    chunks += chunker.flush()
    assert (facts(chunks), chunker.tail) == run(strategy, [text])


@every_markdown
@given(data=st.data(), text=markdown_texts())
def test_what_the_text_so_far_decides_of_nested_blocks_is_released(
    strategy: ChunkingStrategy[object], data: st.DataObject, text: str
) -> None:
    chunker = Chunker(strategy)
    seen = ""
    released: list[str] = []
    for delta in data.draw(slicings(text)):
        seen += delta
        released += chunker.feed(delta)
        assert released == strategy.split(seen)


@every_markdown
@given(text=markdown_texts())
def test_nothing_of_nested_blocks_is_lost(
    strategy: ChunkingStrategy[object], text: str
) -> None:
    chunks, tail = run(strategy, [text])
    assert "".join(c.gap + c.text for c in chunks) + tail == text
    for gap in (*(chunk.gap for chunk in chunks), tail):
        assert not gap.strip(" \t\r\n>")


@given(data=st.data(), blocks=st.lists(top_level_blocks(), min_size=1, max_size=6))
def test_headings_stay_in_force_behind_a_cut(
    data: st.DataObject, blocks: list[str]
) -> None:
    """Cut between blocks, a stream gives the chunks that it gives without cuts."""
    strategy = MarkdownChunking(code="line")
    chunker = Chunker(strategy)
    chunks: list[Chunk] = []
    for block in blocks:
        chunks += chunker.feed(block)
        if data.draw(st.booleans()):
            chunks += chunker.cut()
        chunks += chunker.feed("\n\n")
    chunks += chunker.flush()
    whole = run(strategy, ["".join(block + "\n\n" for block in blocks)])
    assert [each._replace(complete=True) for each in facts(chunks)] == [
        each._replace(complete=True) for each in whole.chunks
    ]
    assert chunker.tail == whole.tail


@pytest.mark.parametrize(
    "strategy",
    [
        MarkdownChunking(extensions=()),
        MarkdownChunking(extensions=(), max_size=30),
        MarkdownChunking(extensions=(), max_size=60, min_size=20),
    ],
    ids=["rows", "packs", "large packs"],
)
@given(text=st.one_of(markdown_texts(), tables_in_containers()))
def test_rows_with_their_context_are_a_table_with_the_right_head(
    strategy: ChunkingStrategy[object], text: str
) -> None:
    """Wherever the table stands, in a list of any width or in quotes."""
    rows = rows_of_tables(text)
    starts = starts_of_lines(text)
    chunker = Chunker(strategy)
    for chunk in [*chunker.feed(text), *chunker.flush()]:
        heads = [part for part in chunk.context if part.kind == "table_header"]
        first = bisect.bisect_right(starts, chunk.start) - 1
        last = bisect.bisect_right(starts, chunk.end - 1)
        # A row that is too large is cut, and then not a row any more.
        is_whole = not MARKERS.sub(
            "", text[starts[first] : chunk.start], 1
        ) and chunk.end == starts[last - 1] + len(lines_of(text)[last - 1])
        if heads and is_whole and chunk.kind in {"table_row", "table"}:
            shown = rows_of_tables(chunk.with_context())
            expected = [rows[each] for each in range(first, last)]
            assert [*shown.values()] == expected, chunk.with_context()


@given(text=markdown_texts())
def test_context_is_verbatim_and_comes_from_before_the_chunk(text: str) -> None:
    for strategy in (MarkdownChunking(code="line"), MarkdownTableChunking(24)):
        for chunk in run(strategy, [text]).chunks:
            for start, part, _ in chunk.context:
                assert text[start : start + len(part)] == part
                assert start + len(part) <= chunk.start
