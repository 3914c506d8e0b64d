"""iter_chunks and aiter_chunks: a source of deltas becomes an iterator over chunks."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterable, Awaitable, Iterable, Mapping
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Literal, TypedDict, TypeVar

from ._checks import plain_delta
from ._chunker import Chunker
from ._closing import SourceCloser, note_close_error
from ._cut import CUT
from .errors import PendingLimitError, StreamStateError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from types import TracebackType

    from typing_extensions import Self, Unpack

    from ._chunk import Chunk
    from ._cut import Cut
    from ._registry import StrategyLike

T = TypeVar("T")

_CHECKPOINT_EVERY = 64
"""Items after which an async iterator lets other tasks run, whatever the source does.

A source that never waits would otherwise keep other tasks, and a cancellation, waiting
for as long as its items complete no chunk.
"""


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
    return AsyncChunkIterator(deltas, strategy, closer=closer, **chunker_options)


class _Reading:
    """What both iterators share: all but the waiting."""

    def __init__(
        self,
        source: object,
        strategy: StrategyLike,
        closer: Callable[[], object] | None,
        options: ChunkerOptions,
    ) -> None:
        self._chunker = Chunker(strategy, **options)
        self._closing = SourceCloser(source, closer)
        # Completed and not yet handed out.
        self._ready: deque[Chunk] = deque()
        self._unread: tuple[Chunk, ...] = ()
        self._refused = ""
        # A call is waiting for the source, or closing it.
        self._busy = False
        # Nothing more will be taken from the source.
        self._over = False
        # What the close at the natural end raised, to be raised behind the last chunk.
        self._due: Exception | None = None

    @property
    def chunker(self) -> Chunker:
        """The Chunker at work; ``chunker.pending`` is the text held back so far."""
        return self._chunker

    @property
    def close_error(self) -> BaseException | None:
        """What went wrong while the source was closed; ``None`` if nothing did.

        Also where it was not raised, because another error was on its way or because
        the source was closed all the same.
        """
        return self._closing.error

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

    def _take(self, item: str | Cut) -> None:
        # Closed by another call during the wait: the item is no longer wanted.
        if self._over:
            return
        if item is CUT:
            self._ready.extend(self._chunker.cut())
        else:
            try:
                self._ready.extend(self._chunker.feed(item))
            except PendingLimitError:
                raise
            except BaseException:
                self._refused = item if isinstance(item, str) else ""  # type: ignore[redundant-expr]  # streams may be untyped
                raise

    def _take_end(self) -> None:
        if not self._over:
            self._ready.extend(self._chunker.flush())
            self._over = True

    def _stop(self) -> None:
        self._over = True
        self._unread += tuple(self._ready)
        self._ready.clear()

    def _take_due(self) -> Exception | None:
        due, self._due = self._due, None
        if isinstance(due, (StopIteration, StopAsyncIteration)):
            # Raised as it is, it would pass for the end of the iteration.
            stray = _as_runtime_error(due)
            stray.__cause__ = due
            return stray
        return due

    def _check_idle(self, call: str) -> None:
        if self._busy:
            msg = f"{call} while another such call waits; one task reads a stream"
            raise StreamStateError(msg)

    def _request_stop(self, call: str, waiting: str) -> None:
        """Stop, or let the call that waits do so as soon as its wait ends.

        Raises:
            StreamStateError: Another call waits, and is the one to close the source.
        """
        if self._busy:
            self._over = True
            msg = (
                f"{call} while another call waits in {waiting}; that call closes the "
                "source once its wait ends, so end it (cancel its task)"
            )
            raise StreamStateError(msg)
        self._stop()


class ChunkIterator(_Reading):
    """Iterates over the chunks of a stream and closes the stream, whatever happens.

    An iterator and a context manager in one; `iter_chunks` makes it. It takes one
    delta at a time, and only when no chunk is ready.

    * At the natural end of the stream the fragment is released. The stream is closed
      before these last chunks are handed out; if that fails, the error is raised behind
      them.
    * `close`, and leaving a ``with`` block, close the stream and release nothing: the
      fragment stays in ``chunker.pending``.
    * Any error, of the stream or of the strategy, comes through as it is, after the
      stream was closed; it ends the iteration. If closing fails as well, this is in
      `close_error` and in a note on the error.

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
        _check_source(deltas, "an iterable", Iterable)
        super().__init__(deltas, strategy, closer, chunker_options)
        self._source = (deltas,) if isinstance(deltas, str) else deltas
        self._iterator: Iterator[str | Cut] | None = None

    def __iter__(self) -> Self:
        """Return the iterator itself: a stream can be read once."""
        return self

    def __next__(self) -> Chunk:
        """Return the next chunk, reading no more deltas than it takes.

        Raises:
            StopIteration: The stream has ended, or was closed.
            StreamStateError: Another call is still waiting for the stream.
            PendingLimitError: Too much is held back; ``error.chunks`` are the chunks
                that were completed just then.
        """
        self._check_idle("__next__()")
        if not self._ready and not self._over:
            self._fill()
        if self._ready:
            return self._ready.popleft()
        raise self._take_due() or StopIteration

    def _fill(self) -> None:
        """Read until a chunk is ready or the stream is over."""
        self._busy = True
        try:
            if self._iterator is None:
                self._iterator = iter(self._source)
            while not self._ready and not self._over:
                try:
                    item = next(self._iterator)
                except StopIteration:  # noqa: PERF203 - free, from Python 3.11 on
                    self._take_end()
                else:
                    self._take(item)
            if self._over:
                self._due = self._close()
        except BaseException as error:
            self._close_after(error)
            raise
        finally:
            self._busy = False

    def _close_after(self, error: BaseException) -> None:
        self._stop()
        close_error = self._close()
        if close_error is not None:
            note_close_error(error, close_error)
        if isinstance(error, StopIteration):
            raise _as_runtime_error(error) from error

    def _close(self) -> Exception | None:
        """Close the source, if that is still to be done, and return the error."""
        try:
            self._closing.close(self._iterator)
        except Exception as error:  # noqa: BLE001 - the caller decides on it
            return error
        return None

    def close(self) -> None:
        """Close the stream and end the iteration; release nothing.

        A second call does nothing. An error of the close is raised, also one that the
        close at the natural end left to be raised behind the last chunk.

        Raises:
            StreamStateError: Another call is waiting for the stream (from another
                thread, or this call comes from within the stream). That call closes
                the stream as soon as its wait ends, and ends the iteration.
        """
        self._request_stop("close()", "__next__()")
        error = self._close() or self._take_due()
        if error is not None:
            raise error

    def __enter__(self) -> Self:
        """Return the iterator itself."""
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Do what `close` does; its error never replaces one of the block."""
        try:
            self.close()
        except Exception as close_error:
            if exc is None:
                raise
            note_close_error(exc, close_error)


class AsyncChunkIterator(_Reading):
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
      or while the caller works on a chunk.

    One task reads at a time.
    """

    def __init__(
        self,
        deltas: AsyncIterable[str | Cut] | Iterable[str | Cut],
        strategy: StrategyLike = "sentence",
        *,
        closer: Callable[[], object] | None = None,
        **chunker_options: Unpack[ChunkerOptions],
    ) -> None:
        _check_source(deltas, "an async or plain iterable", AsyncIterable, Iterable)
        super().__init__(deltas, strategy, closer, chunker_options)
        self._source = (deltas,) if isinstance(deltas, str) else deltas
        self._is_async = isinstance(self._source, AsyncIterable)
        self._iterator: AsyncIterator[str | Cut] | Iterator[str | Cut] | None = None
        self._next: Callable[[], Awaitable[str | Cut]]
        self._items = 0
        # The source gave an item when last asked: it has neither ended nor raised.
        self._live = False

    def __aiter__(self) -> Self:
        """Return the iterator itself: a stream can be read once."""
        return self

    async def __anext__(self) -> Chunk:
        """Return the next chunk, reading no more deltas than it takes.

        Raises:
            StopAsyncIteration: The stream has ended, or was closed.
            StreamStateError: Another task is still waiting for the stream.
            PendingLimitError: Too much is held back; ``error.chunks`` are the chunks
                that were completed just then.
        """
        self._check_idle("__anext__()")
        if not self._ready and not self._over:
            await self._fill()
        if self._ready:
            return self._ready.popleft()
        raise self._take_due() or StopAsyncIteration

    async def _fill(self) -> None:
        """Read until a chunk is ready or the stream is over."""
        self._busy = True
        try:
            if self._iterator is None:
                self._iterator, self._next = _begin(self._source)
            while not self._ready and not self._over:
                self._items += 1
                if self._items % _CHECKPOINT_EVERY == 0:
                    await _checkpoint()
                self._live = False
                try:
                    item = await self._next()
                except StopAsyncIteration:
                    self._take_end()
                else:
                    self._live = True
                    self._take(item)
            if self._over:
                self._due = await self._close()
        except GeneratorExit:
            # This coroutine itself is being thrown away: nothing can be awaited, but
            # `aclose` still closes.
            self._stop()
            raise
        except BaseException as error:
            await self._close_after(error)
            raise
        finally:
            self._busy = False

    async def _close_after(self, error: BaseException) -> None:
        self._stop()
        close_error = await self._close()
        if close_error is not None:
            note_close_error(error, close_error)
        if isinstance(error, StopAsyncIteration):
            raise _as_runtime_error(error) from error

    async def _close(self) -> Exception | None:
        """Close the source, if that is still to be done, and return the error."""
        try:
            await self._closing.aclose(
                self._iterator, poke=self._live and self._is_async
            )
        except Exception as error:  # noqa: BLE001 - the caller decides on it
            return error
        return None

    async def aclose(self) -> None:
        """Close the stream and end the iteration; release nothing.

        A second call does nothing. An error of the close is raised, also one that the
        close at the natural end left to be raised behind the last chunk.

        Raises:
            StreamStateError: Another task is waiting for the stream. It closes the
                stream as soon as its wait ends, and ends the iteration; cancel it to
                have that now. Closing under its feet would make it fail, or, for a
                generator, fail itself.
        """
        self._request_stop("aclose()", "__anext__()")
        error = await self._close() or self._take_due()
        if error is not None:
            raise error

    async def __aenter__(self) -> Self:
        """Return the iterator itself."""
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Do what `aclose` does; its error never replaces one of the block."""
        try:
            await self.aclose()
        except Exception as close_error:
            if exc is None:
                raise
            note_close_error(exc, close_error)


def _begin(
    source: AsyncIterable[T] | Iterable[T],
) -> tuple[AsyncIterator[T] | Iterator[T], Callable[[], Awaitable[T]]]:
    """Return the iterator of *source*, and what gives its next item."""
    if isinstance(source, AsyncIterable):
        aiterator = aiter(source)
        return aiterator, partial(anext, aiterator)
    iterator = iter(source)
    return iterator, partial(_anext, iterator)


async def _anext(iterator: Iterator[T]) -> T:
    """Return the next item of a plain iterator, the async way."""
    try:
        return next(iterator)
    except StopIteration:
        raise StopAsyncIteration from None


async def _checkpoint() -> None:
    from anyio.lowlevel import checkpoint  # noqa: PLC0415 - loaded late

    await checkpoint()


def _check_source(source: object, expected: str, *kinds: type) -> None:
    """Check that *source* can be iterated over, and say what to do where it cannot.

    Raises:
        TypeError: It is of none of these *kinds*, or it is bytes.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        plain_delta(source)  # It raises, and says what to do.
    elif not isinstance(source, kinds):
        msg = f"expected {expected} of str, got {type(source).__name__}"
        if isinstance(source, AsyncIterable):
            msg += "; use aiter_chunks() for an async iterable"
        elif isawaitable(source):
            msg += "; await it first"
        elif hasattr(source, "__enter__") or hasattr(source, "__aenter__"):
            msg += "; enter it first, using (async) with"
        raise TypeError(msg)


def _as_runtime_error(error: BaseException) -> RuntimeError:
    """Return what tells an error apart from an end, as generators do (PEP 479)."""
    return RuntimeError(f"the strategy or the stream raised {type(error).__name__}")
