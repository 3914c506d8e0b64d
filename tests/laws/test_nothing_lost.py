"""Nothing lost: chunks plus gaps rebuild ``T``; gaps hold separator text only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    ClauseChunking,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    MarkdownChunking,
    MarkdownTableChunking,
    NestedChunking,
    ParagraphChunking,
    PendingLimitError,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    WordChunking,
)
from tests.examples import DiscardingChunking, FailingAtBang, SemicolonChunking
from tests.texts import BUILT_IN, OWN_TEXTS, every_strategy, sliced_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chunkwise import Chunk


def rebuilt(chunks: Iterable[Chunk], rest: str) -> str:
    text = ""
    for chunk in chunks:
        text += chunk.gap
        # Where chunks overlap, the end of the one before comes once more.
        text += chunk[len(text) - chunk.start :]
    return text + rest


@every_strategy
@given(deltas=sliced_texts())
def test_gaps_chunks_and_pending_are_the_stream_after_every_delta(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    chunker = Chunker(strategy)
    chunks: list[Chunk] = []
    text = ""
    for delta in deltas:
        text += delta
        chunks += chunker.feed(delta)
        assert rebuilt(chunks, chunker.pending) == text
        assert chunker.tail == ""
    chunks += chunker.flush()
    assert rebuilt(chunks, chunker.tail) == text
    assert chunker.pending == ""
    ends = [0, *(chunk.end for chunk in chunks)]
    for end, chunk in zip(ends, chunks, strict=False):
        assert chunk.gap == text[end : chunk.start]


@every_strategy
@given(deltas=sliced_texts(), cuts=st.sets(st.integers(0, 20)))
def test_nothing_is_lost_at_cuts(
    strategy: ChunkingStrategy[Any], deltas: list[str], cuts: set[int]
) -> None:
    chunker = Chunker(strategy)
    chunks: list[Chunk] = []
    text = ""
    for number, delta in enumerate(deltas):
        text += delta
        chunks += chunker.feed(delta)
        if number in cuts:
            chunks += chunker.cut()
        assert rebuilt(chunks, chunker.pending) == text
    chunks += chunker.flush()
    assert rebuilt(chunks, chunker.tail) == text


@every_strategy
@given(deltas=sliced_texts(), limit=st.integers(0, 12))
def test_nothing_is_lost_when_a_limit_is_reached(
    strategy: ChunkingStrategy[Any], deltas: list[str], limit: int
) -> None:
    chunker = Chunker(strategy, max_pending=limit)
    chunks: list[Chunk] = []
    text = ""
    for delta in deltas:
        text += delta
        try:
            chunks += chunker.feed(delta)
        except PendingLimitError as error:
            chunks += error.chunks
        assert rebuilt(chunks, chunker.pending) == text
    chunks += chunker.flush()
    assert rebuilt(chunks, chunker.tail) == text


@given(deltas=sliced_texts())
def test_nothing_is_lost_when_a_strategy_fails(deltas: list[str]) -> None:
    """A delta that failed was not taken; all before it is chunks, gaps and pending."""
    chunker = Chunker(FailingAtBang())
    chunks: list[Chunk] = []
    text = ""
    for delta in deltas:
        try:
            chunks += chunker.feed(delta)
        except ZeroDivisionError:
            pass
        else:
            text += delta
        assert rebuilt(chunks, chunker.pending) == text


@every_strategy
@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_our_own_texts_can_be_rebuilt(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    chunker = Chunker(strategy)
    chunks = [*chunker.feed(text), *chunker.flush()]
    assert rebuilt(chunks, chunker.tail) == text


def is_empty(gap: str) -> bool:
    return gap == ""


def is_white_space(gap: str) -> bool:
    return gap == "" or gap.isspace()


def is_white_space_or_quote_marks(gap: str) -> bool:
    return is_white_space(gap.replace(">", ""))


def is_line_ends(gap: str) -> bool:
    return all(line == "" for line in gap.splitlines())


def is_line_feeds_or_white_space_pieces(gap: str) -> bool:
    return all(piece == "" or piece.isspace() for piece in gap.split("\n"))


def is_semicolons(gap: str) -> bool:
    return not gap.strip(";")


def is_separator_of(strategy: ChunkingStrategy[Any]) -> Callable[[str], bool]:
    """Return what tells separators and white space that was trimmed from text."""
    assert isinstance(strategy, RegexChunking)
    kept = "" if strategy.separator != "drop" else f"|{strategy.pattern}"
    space = r"|[\s\x1c-\x1f]" if strategy.strip else ""
    version = 0 if strategy.flags & regex.V0 else regex.V1
    pattern = regex.compile(f"(?:{kept}{space})*", strategy.flags | version)
    return lambda gap: bool(pattern.fullmatch(gap))


def is_anything(gap: str) -> bool:
    """Prose and the rest of a JSON text: tests/strategies/test_json.py is stricter."""
    return gap is not None


def is_a_word_at_most(gap: str) -> bool:
    return len(gap.split()) <= 1


def is_a_paragraph_at_most(gap: str) -> bool:
    return len([*ParagraphChunking().split(gap), *ParagraphChunking().flush(gap)]) <= 1


SEPARATORS: dict[str, tuple[ChunkingStrategy[Any], Callable[[str], bool]]] = {
    **{
        name: (strategy, is_white_space)
        for name, strategy in BUILT_IN
        if isinstance(strategy, (SentenceChunking, ClauseChunking))
    },
    "word": (WordChunking(), is_white_space),
    "line": (LineChunking(), is_empty),
    "line-without-ends": (LineChunking(keep_ends=False), is_line_ends),
    "paragraph": (ParagraphChunking(), is_white_space),
    "paragraph-strict": (
        ParagraphChunking(strict=True),
        is_line_feeds_or_white_space_pieces,
    ),
    "fixed": (FixedSizeChunking(3), is_empty),
    "fixed-overlap": (FixedSizeChunking(5, overlap=3), is_empty),
    "fixed-exact": (FixedSizeChunking(4, keep_clusters=False), is_empty),
    "fixed-exact-overlap": (
        FixedSizeChunking(4, overlap=1, keep_clusters=False),
        is_empty,
    ),
    "fixed-long": (FixedSizeChunking(200, overlap=20), is_empty),
    "window-sentences": (WindowChunking(3, stride=2), is_white_space),
    "window-words": (WindowChunking(2, by="word"), is_white_space),
    "window-words-all": (
        WindowChunking(3, stride=1, by="word", tail="all"),
        is_white_space,
    ),
    "window-gaps": (
        WindowChunking(1, stride=2, by="word", allow_gaps=True),
        is_a_word_at_most,
    ),
    "window-paragraphs-drop": (
        WindowChunking(2, by="paragraph", tail="drop"),
        is_a_paragraph_at_most,
    ),
    "window-fixed": (WindowChunking(2, by=FixedSizeChunking(4, overlap=2)), is_empty),
    "sized": (SizedChunking(12), is_white_space),
    "sized-overlap": (
        SizedChunking(8, overlap=4, overlap_by="word"),
        is_white_space,
    ),
    "sized-clusters": (SizedChunking(4, overlap=2, by=()), is_empty),
    "sized-bytes": (
        SizedChunking(9, min_size=4, sizer="utf8_bytes"),
        is_white_space,
    ),
    **{
        name: (strategy, is_white_space_or_quote_marks)
        for name, strategy in BUILT_IN
        if isinstance(strategy, (MarkdownChunking, MarkdownTableChunking))
    },
    "nested": (NestedChunking("paragraph", "sentence"), is_white_space),
    "nested-deep": (
        NestedChunking(NestedChunking("paragraph", "line"), "word"),
        is_white_space,
    ),
    "level-1": (SemicolonChunking(), is_semicolons),
    **{
        name: (strategy, is_anything)
        for name, strategy in BUILT_IN
        if isinstance(strategy, JSONChunking)
    },
    **{
        name: (strategy, is_separator_of(strategy))
        for name, strategy in BUILT_IN
        if isinstance(strategy, RegexChunking)
    },
    "window-level-1": (
        WindowChunking(2, stride=1, by=SemicolonChunking()),
        is_semicolons,
    ),
}
"""Strategies, and what may stand between their chunks."""


def test_the_separators_of_every_built_in_strategy_are_known() -> None:
    known = {strategy for strategy, _ in SEPARATORS.values()}
    assert known >= {strategy for _, strategy in BUILT_IN}


@pytest.mark.parametrize(
    ("strategy", "is_separator"), SEPARATORS.values(), ids=SEPARATORS
)
@given(deltas=sliced_texts())
def test_gaps_and_tail_hold_separators_only(
    strategy: ChunkingStrategy[Any],
    is_separator: Callable[[str], bool],
    deltas: list[str],
) -> None:
    chunker = Chunker(strategy)
    chunks = [c for delta in deltas for c in chunker.feed(delta)] + chunker.flush()
    for gap in (*(chunk.gap for chunk in chunks), chunker.tail):
        assert is_separator(gap)


def test_a_fragment_that_is_not_released_is_the_tail() -> None:
    chunker = Chunker(DiscardingChunking())
    assert chunker.feed("one; two") == ["one"]
    assert chunker.pending == "; two"
    assert chunker.flush() == []
    assert chunker.tail == "; two"
    assert chunker.pending == ""
