"""The built-in strategies, one per file, registered under their names."""

from __future__ import annotations

from .._registry import register_strategy
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

register_strategy("sentence", SentenceChunking)
register_strategy("clause", ClauseChunking)
register_strategy("word", WordChunking)
register_strategy("line", LineChunking)
register_strategy("paragraph", ParagraphChunking)
register_strategy("regex", RegexChunking)
register_strategy("fixed_size", FixedSizeChunking)
register_strategy("window", WindowChunking)
register_strategy("sized", SizedChunking)
register_strategy("nested", NestedChunking)
register_strategy("json", JSONChunking)
register_strategy("markdown", MarkdownChunking)
register_strategy("markdown_table", MarkdownTableChunking)
