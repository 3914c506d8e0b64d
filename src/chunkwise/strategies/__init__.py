"""The built-in strategies, one per file; each is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._lazy import lazy_names

if TYPE_CHECKING:
    from ._clause import ClauseChunking
    from ._fixed import FixedSizeChunking
    from ._json import JSONChunking
    from ._line import LineChunking
    from ._markdown import MarkdownChunking
    from ._markdown_table import MarkdownTableChunking
    from ._nested import NestedChunking
    from ._paragraph import ParagraphChunking
    from ._regex import RegexChunking
    from ._sentence import SentenceChunking
    from ._sized import SizedChunking
    from ._window import WindowChunking
    from ._word import WordChunking

__all__ = [
    "ClauseChunking",
    "FixedSizeChunking",
    "JSONChunking",
    "LineChunking",
    "MarkdownChunking",
    "MarkdownTableChunking",
    "NestedChunking",
    "ParagraphChunking",
    "RegexChunking",
    "SentenceChunking",
    "SizedChunking",
    "WindowChunking",
    "WordChunking",
]

_MODULES = {
    "ClauseChunking": "_clause",
    "FixedSizeChunking": "_fixed",
    "JSONChunking": "_json",
    "LineChunking": "_line",
    "MarkdownChunking": "_markdown",
    "MarkdownTableChunking": "_markdown_table",
    "NestedChunking": "_nested",
    "ParagraphChunking": "_paragraph",
    "RegexChunking": "_regex",
    "SentenceChunking": "_sentence",
    "SizedChunking": "_sized",
    "WindowChunking": "_window",
    "WordChunking": "_word",
}

if not TYPE_CHECKING:  # They read the imports above.
    __getattr__, __dir__ = lazy_names(globals(), _MODULES)
