"""Contract checks: values in, nothing or an exception out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._cut import Cut
from ._quote import shown
from .errors import ContractError, NotVerbatimError

if TYPE_CHECKING:
    from ._spans import SpanFields
    from ._strategy import ChunkingStrategy

_SCAN_FIELDS = 5
_LEAST_FIELDS, _MOST_FIELDS = 4, 7
"""Fields of a ``Scan``, and of a ``Span`` in its shortest and longest form."""


def plain_delta(delta: object) -> str:
    """Return *delta* as a plain ``str``, or say what to do with it instead.

    Raises:
        TypeError: *delta* is not a ``str``.
    """
    if isinstance(delta, str):
        return str.__str__(delta)
    msg = f"a delta must be a str, got {type(delta).__name__}"
    if delta is None:
        msg += "; skip events that carry no text"
    elif isinstance(delta, Cut):
        msg += "; a cut is declared with cut()"
    elif isinstance(delta, (bytes, bytearray, memoryview)):
        msg += (
            "; decode bytes incrementally, with "
            "codecs.getincrementaldecoder('utf-8')(), because a character can be "
            "split between two of them"
        )
    else:
        msg += "; take the text out of the event first"
    raise TypeError(msg)


def check_trigger(trigger: object, strategy: ChunkingStrategy[Any]) -> None:
    """Check that the code points that call for a scan come as what they have to be.

    Raises:
        ContractError: They do not.
    """
    if not isinstance(trigger, frozenset):
        problem = f"trigger is {shown(trigger)}, expected a frozenset of code points"
        raise ContractError(problem, strategy=type(strategy).__name__)


def check_scan(found: object, offset: int, strategy: ChunkingStrategy[Any]) -> None:
    """Check that what a scan returned has the parts of a ``Scan``, of the right types.

    Where they lie is not looked at. Its spans have to come all at once: a generator
    would be true without having any, and empty once it was looked at.

    Args:
        found: What the scan returned.
        offset: Where the text begins that was scanned.
        strategy: Whose scan it was.

    Raises:
        ContractError: It has not.
    """
    name = type(strategy).__name__
    if not isinstance(found, (tuple, list)) or len(found) != _SCAN_FIELDS:
        problem = (
            f"scan() returned {shown(found)}, expected "
            "Scan(spans, keep, resume, state, wake)"
        )
        raise ContractError(problem, strategy=name, offset=offset)
    spans, keep, resume, _, wake = found
    if not isinstance(spans, Sequence):
        problem = (
            f"scan() returned {type(spans).__name__} as its spans, expected a list "
            "or tuple"
        )
        raise ContractError(problem, strategy=name, offset=offset)
    for number, span in enumerate(spans):
        if not _is_span(span):
            problem = (
                f"scan() returned {shown(span)} as span {number}, expected "
                "Span(start, end, complete, kind, …) with whole numbers as offsets"
            )
            raise ContractError(problem, strategy=name, offset=offset)
    for field, value in (("keep", keep), ("resume", resume), ("wake", wake)):
        if not _is_offset(value):
            problem = f"scan() returned {field}={shown(value)}, expected a whole number"
            raise ContractError(problem, strategy=name, offset=offset)


def _is_span(span: object) -> bool:
    return (
        isinstance(span, (tuple, list))
        and _LEAST_FIELDS <= len(span) <= _MOST_FIELDS
        and _is_offset(span[0])
        and _is_offset(span[1])
    )


def _is_offset(value: object) -> bool:
    """Whether text can be cut at *value*, as it can at an ``int`` of NumPy."""
    return hasattr(type(value), "__index__")


def check_span(
    span: SpanFields, first: int, end: int, strategy: ChunkingStrategy[Any]
) -> None:
    """Check that *span* is a slice of the stored text, behind the chunk before it.

    Args:
        span: What the scan returned.
        first: Where it may start at the earliest: where the chunk before it ended or,
            if the strategy overlaps, behind its start, in text that is stored.
        end: Where the stored text ends.
        strategy: Whose scan it was.

    Raises:
        NotVerbatimError: It is empty, or not inside ``first:end``.
    """
    start, stop, *_ = span
    if not first <= start < stop <= end:
        problem = (
            f"scan() returned the span {start}:{stop}, expected a non-empty verbatim "
            f"substring of the stream inside {first}:{end}; starts strictly increase, "
            "and chunks overlap only where the strategy says so (overlaps)"
        )
        raise NotVerbatimError(
            problem, strategy=type(strategy).__name__, offset=max(start, first)
        )


def check_offset(
    name: str,
    offset: int,
    first: int,
    last: int | None,
    strategy: ChunkingStrategy[Any],
) -> None:
    """Check that an offset of a scan lies where the next scan can go on.

    Args:
        name: The field of ``Scan`` that holds *offset*.
        offset: What the scan returned.
        first: The least offset possible.
        last: The greatest one; ``None`` where there is none.
        strategy: Whose scan it was.

    Raises:
        ContractError: It does not.
    """
    if offset < first or (last is not None and last < offset):
        expected = f"at least {first}" if last is None else f"{first}..{last}"
        problem = f"scan() returned {name}={offset}, expected {expected}"
        raise ContractError(problem, strategy=type(strategy).__name__, offset=first)
