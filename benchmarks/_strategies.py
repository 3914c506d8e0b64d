"""The strategies to measure, by the names that the peers use for theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chunkwise import (
    ClauseChunking,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    MarkdownChunking,
    NestedChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    WordChunking,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwise import ChunkingStrategy

STRATEGIES: Mapping[str, ChunkingStrategy[Any]] = {
    "sentence": SentenceChunking(rules="plain"),
    "sentence, smart": SentenceChunking(),
    "clause": ClauseChunking(),
    "word": WordChunking(),
    "paragraph": ParagraphChunking(),
    "line": LineChunking(),
    "regex": RegexChunking(r"\n\n"),
    "fixed_size": FixedSizeChunking(1_000),
    "window": WindowChunking(5, stride=3),
    "sized": SizedChunking(1_000),
    "json": JSONChunking(),
    "markdown": MarkdownChunking(),
    "nested": NestedChunking("paragraph", "sentence"),
}
