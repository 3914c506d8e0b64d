"""Cut a running stream of text into verbatim chunks while it is still arriving."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _lazy
from ._version import __version__

if TYPE_CHECKING:
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

_MODULES = {
    "CUT": "_cut",
    "STRATEGIES": "_registry",
    "AsyncChunkIterator": "_adapters",
    "Chunk": "_chunk",
    "ChunkIterator": "_adapters",
    "Chunker": "_chunker",
    "ChunkerState": "_state",
    "ChunkingStrategy": "_strategy",
    "ChunkwiseError": "errors",
    "ClauseChunking": "strategies",
    "ContractError": "errors",
    "Cut": "_cut",
    "DeltaInvarianceError": "errors",
    "FixedSizeChunking": "strategies",
    "JSONChunking": "strategies",
    "LineChunking": "strategies",
    "MalformedJSONError": "errors",
    "MarkdownChunking": "strategies",
    "MarkdownTableChunking": "strategies",
    "NestedChunking": "strategies",
    "NotVerbatimError": "errors",
    "ParagraphChunking": "strategies",
    "PendingLimitError": "errors",
    "RegexChunking": "strategies",
    "Scan": "_spans",
    "SentenceChunking": "strategies",
    "SeparatorTimeoutError": "errors",
    "SizedChunking": "strategies",
    "SourceError": "errors",
    "Span": "_spans",
    "StreamChunkers": "_streams",
    "StreamStateError": "errors",
    "UnknownStrategyError": "errors",
    "WindowChunking": "strategies",
    "WordChunking": "strategies",
    "aiter_chunks": "_adapters",
    "atext_deltas": "deltas",
    "iter_chunks": "_adapters",
    "register_strategy": "_registry",
    "resolve_chunking_strategy": "_registry",
    "strategy_from_dict": "_registry",
    "text_deltas": "deltas",
}
_SUBMODULES = ("deltas", "errors", "sizing", "strategies")

if not TYPE_CHECKING:  # They read the imports above.
    __getattr__, __dir__ = _lazy.lazy_names(globals(), _MODULES, _SUBMODULES)
