"""What observers are told, and what ``events()`` gives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from .._chunk import Chunk
    from ._values import Outcome, Piece, Verdict


@dataclass(frozen=True, slots=True)
class ChunkFormed:
    """A chunk is complete, and its checks begin."""

    chunk: Chunk


@dataclass(frozen=True, slots=True)
class CheckFinished:
    """A check has judged a chunk.

    Attributes:
        check: The name of the check.
        chunk: The chunk.
        verdict: The verdict; ``None`` where an error is going to be raised.
        seconds: How long the call took.
    """

    check: str
    chunk: Chunk
    verdict: Verdict | None
    seconds: float


class Released(NamedTuple):
    """A piece may be handed out.

    Attributes:
        piece: The piece.
        held_seconds: Time since its chunk was complete.
    """

    piece: Piece
    held_seconds: float


@dataclass(frozen=True, slots=True)
class Retraction:
    """What was handed out from *start* on has been rejected after all.

    Attributes:
        start: In code points from the start of the stream, before any edit.
        reason: Names and reasons of the checks.
    """

    start: int
    reason: str


@dataclass(frozen=True, slots=True)
class SourceClosed:
    """The source was closed.

    Attributes:
        seconds: How long that took.
        error: What went wrong.
    """

    seconds: float
    error: BaseException | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The stream has ended; nothing comes behind this."""

    outcome: Outcome


Event: TypeAlias = (
    ChunkFormed | CheckFinished | Released | Retraction | SourceClosed | Ended
)
"""What an observer is told."""
