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
from ._version import __version__
from .errors import (
    ChunkwiseError,
    ContractError,
    DeltaInvarianceError,
    NotVerbatimError,
    PendingLimitError,
    SeparatorTimeoutError,
    StreamStateError,
    UnknownStrategyError,
)
from .strategies import (
    FixedSizeChunking,
    LineChunking,
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
    "ContractError",
    "Cut",
    "DeltaInvarianceError",
    "FixedSizeChunking",
    "LineChunking",
    "NestedChunking",
    "NotVerbatimError",
    "ParagraphChunking",
    "PendingLimitError",
    "RegexChunking",
    "Scan",
    "SentenceChunking",
    "SeparatorTimeoutError",
    "SizedChunking",
    "Span",
    "StreamStateError",
    "UnknownStrategyError",
    "WindowChunking",
    "WordChunking",
    "__version__",
    "aiter_chunks",
    "iter_chunks",
    "register_strategy",
    "resolve_chunking_strategy",
    "strategy_from_dict",
]
