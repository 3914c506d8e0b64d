"""The values that validation passes on: views, verdicts, edits, pieces, outcomes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from typing_extensions import override

from .._quote import shown

if TYPE_CHECKING:
    from .._chunk import Chunk
    from ._errors import Rejected

_STATUSES = ("pass", "reject")
_ORIGINS = ("check", "error", "timeout")


# Views and pieces are made for every chunk, and a named tuple is made in a third of the
# time that a frozen dataclass takes.


class View(NamedTuple):
    """What a check is shown.

    Attributes:
        chunk: The chunk to judge; ``chunk.metadata`` is what the stream was given.
        before: The text of the stream immediately before the chunk, verbatim, as much
            of it as the check asked for with ``context``. Never a part of the chunk.
        previous: The chunks before it, the nearest one last, as many as the check
            asked for with ``context=Chunks(n)``; otherwise empty.
    """

    chunk: Chunk
    before: str = ""
    previous: tuple[Chunk, ...] = ()

    @override
    def __contains__(self, key: object) -> bool:
        """Refuse ``text in view``, which would be false whatever the chunk says.

        Raises:
            TypeError: In any case.
        """
        msg = f"a view contains no text, got {shown(key)}; look in view.chunk"
        raise TypeError(msg)


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of the stream, and what the reader gets in its place.

    Args:
        start: Where the span begins, in code points from the start of the stream.
        end: Where it ends; equal to *start* for an insertion.
        replacement: The text in its place; may be empty.

    Raises:
        TypeError: An offset is no whole number, or *replacement* no ``str``.
        ValueError: *end* is below *start*, or *start* is negative.
    """

    start: int
    end: int
    replacement: str

    def __post_init__(self) -> None:
        for name, offset in (("start", self.start), ("end", self.end)):
            if not hasattr(offset, "__index__"):
                msg = f"{name} of an edit must be an int, got {offset!r}"
                raise TypeError(msg)
        new: object = self.replacement
        if not isinstance(new, str):
            msg = f"replacement of an edit must be a str, got {type(new).__name__}"
            raise TypeError(msg)
        if not 0 <= self.start <= self.end:
            msg = f"an edit needs 0 <= start <= end, got {self.start}:{self.end}"
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check says about a chunk.

    Args:
        status: ``"pass"`` or ``"reject"``.
        reason: Why, for whoever reads the outcome.
        score: A number that the check found, in its own unit.
        edits: What the reader is to get in place of parts of the chunk; any iterable,
            kept as a tuple. Only of use with ``"pass"``.
        data: Anything else.
        origin: ``"check"`` for what the check returned, ``"error"`` or ``"timeout"``
            where a policy stands in for it.

    Raises:
        TypeError: *edits* is no iterable.
        ValueError: Another status or origin.
    """

    status: Literal["pass", "reject"]
    reason: str | None = None
    score: float | None = None
    edits: tuple[Edit, ...] = ()
    data: object = None
    origin: Literal["check", "error", "timeout"] = "check"

    def __post_init__(self) -> None:
        if self.status not in _STATUSES:
            msg = f"status must be 'pass' or 'reject', got {self.status!r}"
            raise ValueError(msg)
        if self.origin not in _ORIGINS:
            msg = f"origin must be one of {_ORIGINS}, got {self.origin!r}"
            raise ValueError(msg)
        edits: Any = self.edits
        if type(edits) is not tuple:
            # A generator gives its edits once, and they are looked at twice.
            if not isinstance(edits, Iterable):
                msg = f"edits must be a tuple of Edit, got {type(edits).__name__}"
                raise TypeError(msg)
            object.__setattr__(self, "edits", tuple(edits))


PASSED = Verdict("pass")
"""What a check that returns ``None`` says."""


class Piece(NamedTuple):
    """A chunk as it is released.

    ``lead`` and ``text`` of all pieces, and the ``tail`` of the outcome, are the stream
    with all edits made; without edits they are the stream.

    Attributes:
        chunk: The chunk, verbatim: ``stream[start:end]``.
        lead: The separator text before it, with edits that reach into it.
        text: Its text with all edits made. Where chunks overlap, only what the chunks
            before did not hold.
        verdicts: What the checks of the stream's own strategy said, with their names,
            in the order of their declaration.
        edits: The edits that were made, merged, in order. One that is larger than the
            piece is here, and in the other pieces that it touches.
    """

    chunk: Chunk
    lead: str
    text: str
    verdicts: tuple[tuple[str, Verdict], ...] = ()
    edits: tuple[Edit, ...] = ()

    @property
    def start(self) -> int:
        """Where the chunk begins, in code points from the start of the stream."""
        return self.chunk.start

    @property
    def end(self) -> int:
        """Where the chunk ends, before any edit."""
        return self.chunk.end

    @property
    def verbatim(self) -> bool:
        """Whether no edit touches the piece."""
        return not self.edits


@dataclass(frozen=True, slots=True)
class CheckStats:
    """What one check did.

    Attributes:
        name: Its name.
        calls: How often it was called.
        rejects: How many calls ended in a rejection, whatever its origin.
        errors: How many raised.
        timeouts: How many took too long.
        seconds: How long all calls took together.
        slowest_seconds: How long the slowest one took.
    """

    name: str
    calls: int
    rejects: int
    errors: int
    timeouts: int
    seconds: float
    slowest_seconds: float


@dataclass(frozen=True, slots=True)
class Stats:
    """What a stream came to.

    Attributes:
        deltas: Items taken from the source.
        chunks: Chunks of the stream's own strategy that were formed.
        released: How many of them were handed out.
        most_in_flight: How many were formed and not handed out, at most.
        first_release_seconds: Time from the start of the block to the first piece;
            ``None`` if there was none.
        checks: What each check did, in the order of declaration.
    """

    deltas: int
    chunks: int
    released: int
    most_in_flight: int
    first_release_seconds: float | None
    checks: tuple[CheckStats, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a stream ended.

    Attributes:
        status: ``"completed"``; ``"rejected"`` by a check; ``"check_error"``,
            ``"source_error"`` when these raised (the strategy counts as the source);
            ``"stalled"`` when the source gave nothing for too long; ``"aborted"`` when
            a task was cancelled; ``"abandoned"`` when the caller left early.
        released_to: Where the last piece that was handed out ends, in code points from
            the start of the stream.
        rejected: The rejection, if there was one. With ``release="observe"``, which
            stops for none, the first one that holding would have raised.
        error: What was raised, or would have been, for the other bad endings.
        tail: The text behind the last chunk, with all edits made; only where the stream
            completed.
        pending: What was read and never handed out, verbatim.
        close_error: What went wrong while the source was closed.
        stats: Counts and times.
    """

    status: Literal[
        "completed",
        "rejected",
        "check_error",
        "source_error",
        "stalled",
        "aborted",
        "abandoned",
    ]
    released_to: int
    rejected: Rejected | None
    error: BaseException | None
    tail: str
    pending: str
    close_error: BaseException | None
    stats: Stats
