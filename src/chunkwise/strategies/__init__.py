"""The built-in strategies, one per file, registered under their names."""

from __future__ import annotations

from .._registry import register_strategy
from ._fixed import FixedSizeChunking
from ._line import LineChunking
from ._nested import NestedChunking
from ._paragraph import ParagraphChunking
from ._regex import RegexChunking
from ._sentence import SentenceChunking
from ._sized import SizedChunking
from ._window import WindowChunking
from ._word import WordChunking

__all__ = [
    "FixedSizeChunking",
    "LineChunking",
    "NestedChunking",
    "ParagraphChunking",
    "RegexChunking",
    "SentenceChunking",
    "SizedChunking",
    "WindowChunking",
    "WordChunking",
]

register_strategy("sentence", SentenceChunking)
register_strategy("word", WordChunking)
register_strategy("line", LineChunking)
register_strategy("paragraph", ParagraphChunking)
register_strategy("regex", RegexChunking)
register_strategy("fixed_size", FixedSizeChunking)
register_strategy("window", WindowChunking)
register_strategy("sized", SizedChunking)
register_strategy("nested", NestedChunking)
