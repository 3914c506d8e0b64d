"""Spans and scans: what a strategy tells its driver, as plain values."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Generic

from typing_extensions import NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

NEVER = sys.maxsize
"""A ``Scan.wake`` that no stream reaches: only a trigger calls for the next scan."""

S = TypeVar("S", default=None)
"""The state that a strategy carries from one scan to the next.

Built from ``None``, ``bool``, ``int``, ``str`` and tuples of these, so that it is
immutable, hashable, and survives pickle and JSON.
"""

Context: TypeAlias = "tuple[tuple[int, str, str], ...]"
"""Start, text and kind of each earlier part of the stream that a chunk needs."""

_WithPath: TypeAlias = "tuple[int, int, bool | None, str, bool, str | None]"
_AllFields: TypeAlias = "tuple[int, int, bool | None, str, bool, str | None, Context]"
_FewFields: TypeAlias = (
    "tuple[int, int, bool | None, str] | tuple[int, int, bool | None, str, bool]"
)

SpanFields: TypeAlias = "_FewFields | _WithPath | _AllFields"
"""The first fields of a `Span`. A plain tuple is made in half the time."""


class Span(NamedTuple):
    """A half-open range of code points of the stream that becomes a chunk.

    Attributes:
        start: Offset of the first code point, from the start of the stream.
        end: Offset behind the last one; greater than *start*.
        complete: ``True`` when a boundary ended the chunk or the text itself shows an
            end, ``False`` for a cut inside a piece, ``None`` when only the end of
            the text closed it: the driver then says what that end was (``flush``
            makes it ``False``, ``cut`` makes it ``True``).
        kind: What the chunk is, ``"sentence"`` for example.
        oversize: Whether it could not be kept under the limit that was asked for.
        path: Where it is in a JSON text, ``"$.findings[3]"`` for example; ``None`` for
            what has no such place.
        context: What a reader needs with it: start, text and kind of earlier parts
            of the stream, in order.

    Examples:
        >>> Span(4, 9, kind="word")[:5]
        (4, 9, True, 'word', False)
    """

    start: int
    end: int
    complete: bool | None = True
    kind: str = ""
    oversize: bool = False
    path: str | None = None
    context: tuple[tuple[int, str, str], ...] = ()


ScanFields: TypeAlias = "tuple[Sequence[SpanFields], int, int, S, int]"
"""What a `Scan` is made of; as with `SpanFields`, hot scans return the plain tuple."""


class Scan(NamedTuple, Generic[S]):
    """What one look of a strategy at the pending text found.

    All offsets are stream offsets: code points from the start of the stream.

    Attributes:
        spans: Chunks that no continuation of the text can change, in order; their
            starts strictly increase. The first may begin left of the text that was
            looked at, when an earlier scan said with *keep* that it would.
        keep: The text from here on may be needed again: for a chunk that starts here,
            or to be read back. What lies behind the end of the last chunk is stored
            anyway, for the gap: this matters where chunks overlap.
        resume: Where the next scan begins to look: not left of the *base* of this
            scan, and not behind the end of the text.
        state: What the next scan has to know about the text before *resume*.
        wake: The next scan is due once the stream reaches this offset, or as soon as
            a delta holds one of the strategy's ``trigger`` code points. The default
            asks for a scan on every delta, ``sys.maxsize`` waits for a trigger. Sound
            only when the deltas in between cannot complete a chunk. A scan can always
            come earlier.
    """

    spans: Sequence[SpanFields]
    keep: int
    resume: int
    state: S
    wake: int = 0
