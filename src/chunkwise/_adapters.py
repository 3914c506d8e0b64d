"""iter_chunks and aiter_chunks: a source of deltas becomes an iterator over chunks."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal, TypedDict

from typing_extensions import override

from ._chunk import Chunk
from ._chunker import Chunker
from ._cut import CUT
from ._ending import is_cut_short
from ._numbers import check_seconds
from ._pauses import PAUSE, Pause, Pauses
from ._reading import AsyncReading, Reading, SyncReading, checked_deltas
from .errors import PendingLimitError

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from ._cut import Cut
    from ._registry import StrategyLike


class ChunkerOptions(TypedDict, total=False):
    """What `iter_chunks` and `aiter_chunks` pass on to ``Chunker``."""

    max_pending: int | None
    check: Literal["verbatim", "full"]
    metadata: Mapping[str, object] | None


def iter_chunks(
    deltas: Iterable[str | Cut],
    strategy: StrategyLike = "sentence",
    *,
    closer: Callable[[], object] | None = None,
    **chunker_options: Unpack[ChunkerOptions],
) -> ChunkIterator:
    """Return an iterator over the chunks of a stream of *deltas*.

    Args:
        deltas: The stream object itself, as the client returned it; it is closed by
            the iterator. Its items are text, which may be empty, or `CUT`. A plain
            ``str`` is one delta.
        strategy: A strategy, its registered name, or its dictionary form.
        closer: Called once in place of ``deltas.close()``, for a stream whose owner
            is another object.
        **chunker_options: ``max_pending``, ``check`` and ``metadata`` of ``Chunker``.

    Raises:
        TypeError: *deltas* is no iterable of text.
        ValueError: A wrong strategy or option, as ``Chunker`` says. In both cases the
            stream is left as it was.

    Examples:
        >>> with iter_chunks(["It is on. No", "w wa", "it. Bye"]) as chunks:
        ...     for chunk in chunks:
        ...         print(chunk)
        It is on.
        Now wait.
        Bye
    """
    return ChunkIterator(deltas, strategy, closer=closer, **chunker_options)


def aiter_chunks(
    deltas: AsyncIterable[str | Cut] | Iterable[str | Cut],
    strategy: StrategyLike = "sentence",
    *,
    closer: Callable[[], object] | None = None,
    idle_release: float | None = None,
    **chunker_options: Unpack[ChunkerOptions],
) -> AsyncChunkIterator:
    """Return an async iterator over the chunks of a stream of *deltas*.

    Runs on asyncio and on Trio.

    Args:
        deltas: The stream object itself, as the client returned it; it is closed by
            the iterator. Its items are text, which may be empty, or `CUT`. A plain
            iterable works too, and a plain ``str`` is one delta.
        strategy: A strategy, its registered name, or its dictionary form.
        closer: Called once, and awaited where that is possible, in place of all that
            is done to close *deltas*: for a stream whose owner is another object, and
            for one that holds a cancel scope open between its items
            (``closer=deltas.aclose``).
        idle_release: Seconds. When nothing came for that long, what is pending up to
            the last white space is released, with ``complete=False``; see
            ``Chunker.release``. The one thing here that depends on time: the same
            stream may give other chunks. It needs the block of ``async with``, in which
            a task of its own reads the stream. A task group is open in that block, so
            an async generator that it stands in has to be closed, with ``aclosing``:
            one that is dropped is closed in another task by the event loop, where the
            group cannot be left.
        **chunker_options: ``max_pending``, ``check`` and ``metadata`` of ``Chunker``.

    Raises:
        TypeError: *deltas* is no iterable of text.
        ValueError: A wrong strategy or option, as ``Chunker`` says. In both cases the
            stream is left as it was.

    Examples:
        >>> import asyncio
        >>> async def main(deltas):
        ...     async with aiter_chunks(deltas, "word") as chunks:
        ...         async for chunk in chunks:
        ...             print(chunk)
        >>> asyncio.run(main(["It is ", "on"]))
        It
        is
        on
    """
    return AsyncChunkIterator(
        deltas, strategy, closer=closer, idle_release=idle_release, **chunker_options
    )


class _Chunking(Reading[Chunk]):
    """What both iterators do with the deltas."""

    _chunker: Chunker
    _refused = ""

    @property
    def chunker(self) -> Chunker:
        """The Chunker at work; ``chunker.pending`` is the text held back so far."""
        return self._chunker

    @property
    def unread(self) -> tuple[Chunk, ...]:
        """The chunks that were complete but not asked for before the iterator closed.

        With the chunks handed out, those of a ``PendingLimitError``, the Chunker's
        ``pending`` and ``tail``, and `refused` they are all that was read.
        """
        return self._unread

    @property
    def refused(self) -> str:
        """The delta that the strategy failed on, which the Chunker did not take.

        Empty as long as there was none.
        """
        return self._refused

    @override
    def _take(self, item: str | Cut | Pause) -> None:
        if item is CUT:
            self._ready.extend(self._chunker.cut())
        elif item is PAUSE:
            self._ready.extend(self._chunker.release())
        else:
            try:
                self._ready.extend(self._chunker.feed(item))
            except PendingLimitError:
                raise
            except BaseException:
                self._refused = item if isinstance(item, str) else ""  # type: ignore[redundant-expr]  # streams may be untyped
                raise

    @override
    def _take_end(self) -> None:
        truncated = is_cut_short(self._source)
        self._ready.extend(self._chunker.flush(truncated=truncated))


class ChunkIterator(_Chunking, SyncReading[Chunk]):
    """Iterates over the chunks of a stream and closes the stream, whatever happens.

    An iterator and a context manager in one; `iter_chunks` makes it. It takes one
    delta at a time, and only when no chunk is ready.

    * At the natural end of the stream the fragment is released. The stream is closed
      before these last chunks are handed out; if that fails, the error is raised behind
      them. The last chunk is not ``complete`` where the stream says in an attribute
      ``ending``, as ``text_deltas`` does, that the text broke off.
    * `close`, and leaving a ``with`` block, close the stream and release nothing: the
      fragment stays in ``chunker.pending``.
    * Any error, of the stream or of the strategy, comes through as it is, after the
      stream was closed; it ends the iteration. If closing fails as well, this is in
      `close_error` and in a note on the error.
    * ``next()`` also raises ``PendingLimitError`` where too much is held back;
      ``error.chunks`` are the chunks that were completed just then.

    The stream is closed exactly once. A ``break`` alone closes nothing: use ``with``,
    or call `close`. Not thread-safe.
    """

    def __init__(
        self,
        deltas: Iterable[str | Cut],
        strategy: StrategyLike = "sentence",
        *,
        closer: Callable[[], object] | None = None,
        **chunker_options: Unpack[ChunkerOptions],
    ) -> None:
        source = checked_deltas(deltas, "aiter_chunks", Iterable)
        self._chunker = Chunker(strategy, **chunker_options)
        super().__init__(source, closer)


class AsyncChunkIterator(_Chunking, AsyncReading[Chunk]):
    """Iterates over the chunks of an async stream and closes it, whatever happens.

    An async iterator and an async context manager in one, for asyncio and Trio;
    `aiter_chunks` makes it. It is the twin of `ChunkIterator` and keeps the same
    promises; and these:

    * A stream that was left early is first asked for one more item under a cancelled
      scope, which unwinds nested generators that a plain close leaves running. Then
      ``aclose()`` is called, or ``close()`` where there is none, and awaited if it can
      be. If that first step fails, because the stream holds a cancel scope of its own,
      the error is only recorded, in `close_error`. On asyncio such a stream leaves its
      scope open in the caller's task, unless ``closer`` spares it the first step.
    * A task that is being cancelled closes the stream all the same: the close is
      shielded. On asyncio a second ``task.cancel()`` interrupts it, and a ``closer``
      has to shield itself.
    * No cancel scope and no task group is open while the iterator waits for the stream
      or while the caller works on a chunk, unless ``idle_release`` asks for a task that
      reads: its group is open as long as the block of ``async with``.

    One task reads at a time.
    """

    def __init__(
        self,
        deltas: AsyncIterable[str | Cut] | Iterable[str | Cut],
        strategy: StrategyLike = "sentence",
        *,
        closer: Callable[[], object] | None = None,
        idle_release: float | None = None,
        **chunker_options: Unpack[ChunkerOptions],
    ) -> None:
        source = checked_deltas(deltas, "aiter_chunks", AsyncIterable, Iterable)
        check_seconds("idle_release", idle_release, or_none=True)
        self._chunker = Chunker(strategy, **chunker_options)
        super().__init__(source, closer)
        self._pauses = None
        if idle_release is not None:
            self._pauses = Pauses(self._source, idle_release)
            self._next = self._pauses.__anext__

    @override
    async def _close(self) -> Exception | None:
        if self._pauses is not None:
            await self._pauses.stop()
            # A read that was cancelled unwound the source as far as a poke would.
            self._live = self._pauses.live
            self._iterator = self._pauses.iterator
        return await super()._close()

    @override
    async def __aenter__(self) -> Self:
        if self._pauses is not None:
            await self._pauses.__aenter__()
        return await super().__aenter__()

    @override
    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            await super().__aexit__(exc_type, exc, traceback)
        finally:
            if self._pauses is not None:
                await self._pauses.__aexit__()
