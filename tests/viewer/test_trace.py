"""What became of a recording: chunks, when they came out, sizes and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from typing_extensions import override

from chunkwise import (
    CUT,
    ChunkingStrategy,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    MarkdownChunking,
    NestedChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    sizing,
)
from chunkwise.viewer._recording import Recording
from chunkwise.viewer._trace import label_of, size_limit, trace


class Pairs:
    """A tokenizer with tokens of two code points."""

    def encode_ordinary(self, text: str) -> list[str]:
        """Return the tokens."""
        return [text[at : at + 2] for at in range(0, len(text), 2)]


@dataclass(frozen=True)
class Marked(ChunkingStrategy[Any]):
    """Cuts behind a mark, and does not take a new one."""

    def __init__(self, mark: str, *, hidden: int = 3) -> None:
        if not mark:
            raise ValueError(hidden)

    @override
    def split(self, text: str) -> list[str]:
        return text.split(";")[:-1]


def test_a_chunk_is_there_with_the_delta_that_completed_it() -> None:
    found = trace(Recording(["It is ", "on. Go", " on."]), "sentence")
    assert found.chunks == ["It is on.", "Go on."]
    assert found.released == [1, 3]
    assert found.sizes == [9, 6]
    assert (found.label, found.limit, found.unit) == ("sentence", None, "code_points")


def test_a_cut_completes_what_was_pending() -> None:
    found = trace(Recording(["It is", CUT, "on"]), "sentence")
    assert found.chunks == ["It is", "on"]
    assert found.released == [1, 3]


def test_sizes_are_in_the_unit_of_the_limit() -> None:
    found = trace(Recording(["one two three"]), SizedChunking(2, sizer="words"))
    assert (found.limit, found.unit, found.sizes) == (2, "words", [2, 1])


@pytest.mark.parametrize(
    ("strategy", "limit", "sizer"),
    [
        (SentenceChunking(), None, sizing.code_points),
        (SizedChunking(9), 9, sizing.code_points),
        (SizedChunking(9, sizer="words"), 9, sizing.words),
        (FixedSizeChunking(7), 7, sizing.code_points),
        (MarkdownChunking(), None, sizing.code_points),
        (MarkdownChunking(max_size=50, sizer="graphemes"), 50, sizing.graphemes),
        (NestedChunking("line", SizedChunking(9)), 9, sizing.code_points),
        (NestedChunking("line", str.split), None, sizing.code_points),
    ],
    ids=label_of,
)
def test_a_strategy_says_its_limit(
    strategy: ChunkingStrategy[Any], limit: int | None, sizer: sizing.Sizer
) -> None:
    assert size_limit(strategy) == (limit, sizer)


def test_a_limit_can_count_tokens() -> None:
    found = trace(
        Recording(["one two"]), SizedChunking(2, sizer=sizing.tokens(Pairs()))
    )
    assert (found.unit, max(found.sizes)) == ("tokens", 2)


@pytest.mark.parametrize(
    ("strategy", "label"),
    [
        (SentenceChunking(), "sentence"),
        (SentenceChunking("de"), "sentence(language='de')"),
        (LineChunking(keep_ends=False), "line(keep_ends=False)"),
        (SizedChunking(9), "sized(max_size=9)"),
        (
            SizedChunking(9, sizer=str.__len__, by=("line", "word")),
            "sized(max_size=9, sizer=__len__, by=(line, word))",
        ),
        (WindowChunking(3, by="line"), "window(window=3, by=line)"),
        (
            NestedChunking("paragraph", SentenceChunking("de")),
            "nested(outer=paragraph, inner=sentence(language='de'))",
        ),
        (RegexChunking(r"\n+"), r"regex(pattern='\\n+')"),
        (JSONChunking(), "json"),
        (Marked("x"), "Marked"),
    ],
)
def test_a_label_is_the_name_and_what_is_not_the_default(
    strategy: ChunkingStrategy[Any], label: str
) -> None:
    assert label_of(strategy) == label
