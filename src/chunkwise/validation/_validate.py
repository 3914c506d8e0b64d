"""validate and validate_sync: a source becomes a stream of pieces that passed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .._adapters import AsyncChunkIterator, ChunkIterator
from .._numbers import check_count, check_seconds
from .._quote import shown
from ._inline import InlineStream
from ._options import SessionOptions
from ._pipelined import PipelinedStream
from ._session import Session
from ._source import AsyncSource
from ._sync import SyncStream

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Iterable, Mapping

    from anyio.abc import TaskGroup

    from .._cut import Cut
    from .._registry import StrategyLike
    from ._check import Check, CheckFunction
    from ._events import Event
    from ._options import Release
    from ._stream import AsyncStream


def validate(  # noqa: PLR0913 - the options of a stream
    source: AsyncIterable[str | Cut] | Iterable[str | Cut],
    *checks: Check | CheckFunction,
    strategy: StrategyLike = "sentence",
    release: Release = "hold",
    hold_back: int = 0,
    on_reject: Literal["raise", "stop"] = "raise",
    max_pending: int | None = None,
    on_limit: Literal["raise", "cut"] = "raise",
    metadata: Mapping[str, object] | None = None,
    observer: Callable[[Event], object] | None = None,
    closer: Callable[[], object] | None = None,
    close_timeout: float = 5.0,
    task_group: TaskGroup | None = None,
    max_in_flight: int = 4,
    idle_timeout: float | None = None,
) -> AsyncStream:
    """Return a stream of the chunks of *source* that pass all checks.

    To be used with ``async with``, on asyncio and on Trio. Text is released in order,
    and only after its verdict; the source is closed exactly once, whatever happens, and
    before anything bad is raised.

    Args:
        source: The stream object itself, as the client returned it. Its items are text,
            which may be empty, or ``CUT``. A plain iterable works too, and a plain
            ``str`` is one delta. An attribute ``ending``, if it has one, says at the
            end whether the text broke off.
        *checks: Checks, or functions that are checks with default options.
        strategy: What the chunks are: a strategy, its name, or its dictionary form.
        release: ``"hold"`` releases a chunk that has passed all its checks. ``"end"``
            releases nothing before all have passed. ``"optimistic"`` releases at once,
            judges behind that, and retracts; it has to be read through ``events()``.
            ``"observe"`` releases at once, stops for nothing, and notes in the outcome
            what holding would have done.
        hold_back: How many chunks behind a chunk have to pass as well before it is
            released; for ``release="hold"`` only. Edits may reach back as far.
        on_reject: ``"raise"`` raises ``Rejected``; with ``"stop"`` the iteration just
            ends, and the outcome tells.
        max_pending: Code points that may be held back until a chunk is complete.
        on_limit: What to do when they are more: ``"raise"`` ``PendingLimitError``, or
            ``"cut"`` the text there; the chunk that is cut off is not ``complete``.
        metadata: What every chunk carries as its ``metadata``.
        observer: Called with each event, in the thread of the event loop. What it
            raises is logged, once, and changes nothing.
        closer: Called once, and awaited where that is possible, in place of all that is
            done to close *source*.
        close_timeout: Seconds that the close may take.
        task_group: Where to read and judge ahead of the reader. Without it, everything
            happens in the reader's own calls, and nothing between them.
        max_in_flight: How many chunks may wait for verdicts or for the reader before
            reading pauses; in a task group only.
        idle_timeout: Seconds after which a source that gives nothing is given up; in a
            task group only.

    Raises:
        TypeError: *source* is no iterable of text, a check cannot be called with a
            view, or another value is of a wrong type.
        ValueError: A value that is none of those above, or options that exclude each
            other. In both cases the source is left as it was.

    Examples:
        >>> import asyncio
        >>> def no_pins(view):
        ...     if any(char.isdigit() for char in view.chunk):
        ...         return Verdict("reject", "a digit")
        >>> async def main(deltas):
        ...     async with validate(deltas, no_pins) as stream:
        ...         async for piece in stream:
        ...             print(piece.text)
        >>> from chunkwise.validation import Verdict
        >>> asyncio.run(main(["It is on. Wa", "it. Bye"]))
        It is on.
        Wait.
        Bye
    """
    check_seconds("close_timeout", close_timeout)
    check_seconds("idle_timeout", idle_timeout, or_none=True)
    check_count("max_in_flight", max_in_flight, 1)
    _check_group(task_group)
    options = SessionOptions(
        strategy=strategy,
        release=release,
        hold_back=hold_back,
        on_reject=on_reject,
        max_pending=max_pending,
        on_limit=on_limit,
        metadata=metadata,
        observer=observer,
    )
    _check_source(source)
    session = Session(checks, options)
    reading = AsyncSource(source, closer)
    if task_group is not None:
        return PipelinedStream(
            session, reading, close_timeout, task_group, max_in_flight, idle_timeout
        )
    if idle_timeout is not None:
        msg = "idle_timeout needs a task that watches the source; pass a task_group"
        raise ValueError(msg)
    return InlineStream(session, reading, close_timeout)


def validate_sync(  # noqa: PLR0913 - the options of a stream
    source: Iterable[str | Cut],
    *checks: Check | CheckFunction,
    strategy: StrategyLike = "sentence",
    release: Release = "hold",
    hold_back: int = 0,
    on_reject: Literal["raise", "stop"] = "raise",
    max_pending: int | None = None,
    on_limit: Literal["raise", "cut"] = "raise",
    metadata: Mapping[str, object] | None = None,
    observer: Callable[[Event], object] | None = None,
    closer: Callable[[], object] | None = None,
) -> SyncStream:
    """Return what `validate` does, for a plain iterable and plain functions.

    To be used with ``with``. Everything happens in the reader's own calls.

    Args:
        source: The stream object itself; as for `validate`.
        *checks: Checks that run inline.
        strategy: As for `validate`, and so are all further options.
        release: As above.
        hold_back: As above.
        on_reject: As above.
        max_pending: As above.
        on_limit: As above.
        metadata: As above.
        observer: As above.
        closer: Called once in place of ``source.close()``.

    Raises:
        TypeError: *source* is no iterable of text, a check cannot be called with a
            view, or another value is of a wrong type.
        ValueError: A check that has to be awaited, or a value that is not allowed. In
            both cases the source is left as it was.
    """
    options = SessionOptions(
        strategy=strategy,
        release=release,
        hold_back=hold_back,
        on_reject=on_reject,
        max_pending=max_pending,
        on_limit=on_limit,
        metadata=metadata,
        observer=observer,
    )
    _check_source(source)
    return SyncStream(Session(checks, options), source, closer)


def _check_source(source: object) -> None:
    """Refuse chunks, which would be joined without what stood between them."""
    if isinstance(source, (ChunkIterator, AsyncChunkIterator)):
        msg = (
            f"expected a stream of text, got {type(source).__name__}; give the deltas "
            "themselves, and say with strategy= what the chunks are"
        )
        raise TypeError(msg)


def _check_group(task_group: object) -> None:
    """Refuse what tasks cannot be started in.

    Raises:
        TypeError: It has no ``start_soon()``.
    """
    if task_group is None or callable(getattr(task_group, "start_soon", None)):
        return
    msg = f"task_group must be a task group of anyio, got {shown(task_group)}"
    if hasattr(task_group, "create_task"):
        msg += "; anyio.create_task_group() opens one, on asyncio too"
    raise TypeError(msg)
