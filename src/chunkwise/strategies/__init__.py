"""The built-in strategies, one per file, registered under their names."""

from __future__ import annotations

from .._registry import register_strategy
from ._line import LineChunking
from ._paragraph import ParagraphChunking
from ._regex import RegexChunking
from ._sentence import SentenceChunking
from ._word import WordChunking

__all__ = [
    "LineChunking",
    "ParagraphChunking",
    "RegexChunking",
    "SentenceChunking",
    "WordChunking",
]

register_strategy("sentence", SentenceChunking)
register_strategy("word", WordChunking)
register_strategy("line", LineChunking)
register_strategy("paragraph", ParagraphChunking)
register_strategy("regex", RegexChunking)
