"""Cut a running stream of text into verbatim chunks while it is still arriving."""

from __future__ import annotations

from ._adapters import AsyncChunkIterator, ChunkIterator, aiter_chunks, iter_chunks
from ._chunk import Chunk
from ._chunker import Chunker
from ._cut import CUT, Cut
from ._registry import (
    STRATEGIES,
    register_strategy,
    resolve_chunking_strategy,
    strategy_from_dict,
)
from ._spans import Scan, Span
from ._state import ChunkerState
from ._strategy import ChunkingStrategy
from ._streams import StreamChunkers
from ._version import __version__
from .deltas import atext_deltas, text_deltas
from .errors import (
    ChunkwiseError,
    ContractError,
    DeltaInvarianceError,
    MalformedJSONError,
    NotVerbatimError,
    PendingLimitError,
    SeparatorTimeoutError,
    SourceError,
    StreamStateError,
    UnknownStrategyError,
)
from .strategies import (
    ClauseChunking,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    MarkdownChunking,
    MarkdownTableChunking,
    NestedChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    WordChunking,
)

__all__ = [
    "CUT",
    "STRATEGIES",
    "AsyncChunkIterator",
    "Chunk",
    "ChunkIterator",
    "Chunker",
    "ChunkerState",
    "ChunkingStrategy",
    "ChunkwiseError",
    "ClauseChunking",
    "ContractError",
    "Cut",
    "DeltaInvarianceError",
    "FixedSizeChunking",
    "JSONChunking",
    "LineChunking",
    "MalformedJSONError",
    "MarkdownChunking",
    "MarkdownTableChunking",
    "NestedChunking",
    "NotVerbatimError",
    "ParagraphChunking",
    "PendingLimitError",
    "RegexChunking",
    "Scan",
    "SentenceChunking",
    "SeparatorTimeoutError",
    "SizedChunking",
    "SourceError",
    "Span",
    "StreamChunkers",
    "StreamStateError",
    "UnknownStrategyError",
    "WindowChunking",
    "WordChunking",
    "__version__",
    "aiter_chunks",
    "atext_deltas",
    "iter_chunks",
    "register_strategy",
    "resolve_chunking_strategy",
    "strategy_from_dict",
    "text_deltas",
]
