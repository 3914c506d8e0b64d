"""Judge a stream while it runs: release what passed, stop at what did not."""

from __future__ import annotations

from ._check import Check, CheckFunction, CheckOptions, Chunks, Policy, Run
from ._errors import Aborted, Interrupted, Rejected, SourceStalled
from ._events import (
    CheckFinished,
    ChunkFormed,
    Ended,
    Event,
    Released,
    Retraction,
    SourceClosed,
)
from ._options import Release
from ._ready_made import forbid, max_length, require_json_schema
from ._stream import AsyncStream, Events, Texts
from ._sync import SyncStream
from ._validate import validate, validate_sync
from ._values import CheckStats, Edit, Outcome, Piece, Stats, Verdict, View

__all__ = [
    "Aborted",
    "AsyncStream",
    "Check",
    "CheckFinished",
    "CheckFunction",
    "CheckOptions",
    "CheckStats",
    "ChunkFormed",
    "Chunks",
    "Edit",
    "Ended",
    "Event",
    "Events",
    "Interrupted",
    "Outcome",
    "Piece",
    "Policy",
    "Rejected",
    "Release",
    "Released",
    "Retraction",
    "Run",
    "SourceClosed",
    "SourceStalled",
    "Stats",
    "SyncStream",
    "Texts",
    "Verdict",
    "View",
    "forbid",
    "max_length",
    "require_json_schema",
    "validate",
    "validate_sync",
]
