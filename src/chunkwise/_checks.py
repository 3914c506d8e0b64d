"""Contract checks: values in, nothing or an exception out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._cut import Cut
from .errors import ContractError, NotVerbatimError

if TYPE_CHECKING:
    from ._spans import SpanFields
    from ._strategy import ChunkingStrategy


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


def check_spans(
    spans: Sequence[SpanFields], offset: int, strategy: ChunkingStrategy[Any]
) -> None:
    """Check that a scan returned its spans all at once.

    A generator would be true without having any, and empty once it was looked at.

    Args:
        spans: What the scan returned.
        offset: Where the stored text begins.
        strategy: Whose scan it was.

    Raises:
        ContractError: It is no sequence.
    """
    if not isinstance(spans, Sequence):
        problem = (
            f"scan() returned {type(spans).__name__} as its spans, expected a list "
            "or tuple"
        )
        raise ContractError(problem, strategy=type(strategy).__name__, offset=offset)


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
