"""Reading a source: an iterator over what is made of its items, which closes it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterable, Awaitable, Iterable
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ._checks import plain_delta
from ._closing import SourceCloser, note_close_error
from .errors import StreamStateError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from types import TracebackType

    from typing_extensions import Self

T = TypeVar("T")
Out = TypeVar("Out")

_CHECKPOINT_EVERY = 64
"""Items after which an async iterator lets other tasks run, whatever the source does.

A source that never waits would otherwise keep other tasks, and a cancellation, waiting
for as long as its items complete nothing.
"""


class Reading(ABC, Generic[Out]):
    """What reading has in common, sync and async: all but the waiting.

    A subclass says what becomes of an item (`_take`), of the natural end (`_take_end`)
    and of an error (`_take_error`). What is to be handed out it appends to ``_ready``.

    Args:
        source: The stream object itself, which is closed at the end.
        closer: Called once in place of everything that is done to close *source*.
    """

    def __init__(self, source: Any, closer: Callable[[], object] | None) -> None:
        self._source = source
        self._closing = SourceCloser(source, closer)
        # Completed and not yet handed out.
        self._ready: deque[Out] = deque()
        self._unread: tuple[Out, ...] = ()
        # A call is waiting for the source, or closing it.
        self._busy = False
        # Nothing more will be taken from the source.
        self._over = False
        # An error to be raised behind what is ready: of the close at the natural end,
        # or one that a subclass left here with ``_over`` set.
        self._due: Exception | None = None
        # Such an error of the close, where another reader of this one closes it, too.
        self._late: Exception | None = None
        self._is_nested = False
        nest(source, closer)

    @property
    def unread(self) -> tuple[Out, ...]:
        """What was complete but not asked for before the iterator closed."""
        return self._unread

    @property
    def close_error(self) -> BaseException | None:
        """What went wrong while the source was closed; ``None`` if nothing did.

        Also where it was not raised, because another error was on its way or because
        the source was closed all the same.
        """
        return self._closing.error

    @abstractmethod
    def _take(self, item: Any) -> None:
        """Make of an item of the source what is to be handed out, if anything."""

    @abstractmethod
    def _take_end(self) -> None:
        """The source has ended by itself: the same for what is left."""

    def _take_error(self, error: BaseException) -> None:
        """The source, or what was made of its items, raised *error*."""

    def _end(self) -> None:
        if not self._over:
            self._take_end()
            self._over = True

    def _stop(self) -> None:
        self._over = True
        self._unread += tuple(self._ready)
        self._ready.clear()
        self._due, self._late = self._due or self._late, None

    def _set_due(self, close_error: Exception | None) -> None:
        if self._due is None and self._is_nested:
            self._late = close_error
        elif self._due is None:
            self._due = close_error
        elif close_error is not None:
            note_close_error(self._due, close_error)

    def _take_due(self) -> Exception | None:
        due, self._due = self._due, None
        if isinstance(due, (StopIteration, StopAsyncIteration)):
            # Raised as it is, it would pass for the end of the iteration.
            stray = as_runtime_error(due)
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


class SyncReading(Reading[Out]):
    """Iterates over what is made of a source's items; closes the source in any case.

    An iterator and a context manager in one. One item at a time is taken from the
    source, and only when nothing is ready.
    """

    def __init__(
        self, source: Iterable[Any], closer: Callable[[], object] | None
    ) -> None:
        super().__init__(source, closer)
        self._iterator: Iterator[Any] | None = None

    def __iter__(self) -> Self:
        """Return the iterator itself: a stream can be read once."""
        return self

    def __next__(self) -> Out:
        """Return what comes next, reading no more of the source than it takes.

        Raises:
            StopIteration: The stream has ended, or was closed.
            StreamStateError: Another call is still waiting for the stream.
        """
        self._check_idle("__next__()")
        if not self._ready and not self._over:
            self._fill()
        if self._ready:
            return self._ready.popleft()
        raise self._take_due() or StopIteration

    def _fill(self) -> None:
        """Read until something is ready or the stream is over."""
        self._busy = True
        try:
            if self._iterator is None:
                self._iterator = iter(self._source)
            while not self._ready and not self._over:
                try:
                    item = next(self._iterator)
                except StopIteration:  # noqa: PERF203 - free, from Python 3.11 on
                    self._end()
                else:
                    # Closed by another call during the wait: it is no longer wanted.
                    if not self._over:
                        self._take(item)
            if self._over:
                self._set_due(self._close())
        except BaseException as error:
            self._close_after(error)
            raise
        finally:
            self._busy = False

    def _close_after(self, error: BaseException) -> None:
        self._take_error(error)
        self._stop()
        close_error = self._close()
        if close_error is not None:
            note_close_error(error, close_error)
        if isinstance(error, StopIteration):
            raise as_runtime_error(error) from error

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
        close at the natural end left to be raised behind the last item.

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


class AsyncReading(Reading[Out]):
    """The twin of `SyncReading` for async sources, on asyncio and Trio.

    A source that is an `AsyncReading` itself closes what it reads from in the right
    way, and so is only asked to close.
    """

    def __init__(
        self,
        source: AsyncIterable[Any] | Iterable[Any],
        closer: Callable[[], object] | None,
    ) -> None:
        super().__init__(source, closer)
        self._can_poke = isinstance(source, AsyncIterable) and not isinstance(
            source, AsyncReading
        )
        self._iterator: AsyncIterator[Any] | Iterator[Any] | None = None
        self._next: Callable[[], Awaitable[Any]] | None = None
        self._items = 0
        # The source gave an item when last asked: it has neither ended nor raised.
        self._live = False

    def __aiter__(self) -> Self:
        """Return the iterator itself: a stream can be read once."""
        return self

    async def __anext__(self) -> Out:
        """Return what comes next, reading no more of the source than it takes.

        Raises:
            StopAsyncIteration: The stream has ended, or was closed.
            StreamStateError: Another task is still waiting for the stream.
        """
        self._check_idle("__anext__()")
        if not self._ready and not self._over:
            await self._fill()
        if self._ready:
            return self._ready.popleft()
        raise self._take_due() or StopAsyncIteration

    async def _fill(self) -> None:
        """Read until something is ready or the stream is over."""
        self._busy = True
        try:
            if self._next is None:
                self._iterator, self._next = begin(self._source)
            while not self._ready and not self._over:
                self._items += 1
                if self._items % _CHECKPOINT_EVERY == 0:
                    await _checkpoint()
                self._live = False
                try:
                    item = await self._next()
                except StopAsyncIteration:
                    self._end()
                else:
                    self._live = True
                    # Closed by another call during the wait: it is no longer wanted.
                    if not self._over:
                        self._take(item)
            if self._over:
                self._set_due(await self._close())
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
        self._take_error(error)
        self._stop()
        close_error = await self._close()
        if close_error is not None:
            note_close_error(error, close_error)
        if isinstance(error, StopAsyncIteration):
            raise as_runtime_error(error) from error

    async def _close(self) -> Exception | None:
        """Close the source, if that is still to be done, and return the error."""
        try:
            await self._closing.aclose(
                self._iterator, poke=self._live and self._can_poke
            )
        except Exception as error:  # noqa: BLE001 - the caller decides on it
            return error
        return None

    async def aclose(self) -> None:
        """Close the stream and end the iteration; release nothing.

        A second call does nothing. An error of the close is raised, also one that the
        close at the natural end left to be raised behind the last item.

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


def nest(source: object, closer: Callable[[], object] | None) -> None:
    """Let *source* raise an error of its close where it is closed, not at its end.

    Its end is then an end for whoever reads it, and the error one of closing it.

    Args:
        source: What is read, by something that closes it in any case.
        closer: What is called in place of its close, if anything.
    """
    if closer is None and isinstance(source, Reading):
        source._is_nested = True  # noqa: SLF001 - of this module


def checked_deltas(deltas: Any, twin: str, *kinds: type) -> Any:
    """Return *deltas*, or what gives them as one item where they are one ``str``.

    Args:
        deltas: What was given.
        twin: As for `check_source`.
        *kinds: As for `check_source`.

    Raises:
        TypeError: They are of none of these *kinds*, or bytes.
    """
    if isinstance(deltas, (bytes, bytearray, memoryview)):
        plain_delta(deltas)  # It raises, and says what to do.
    check_source(deltas, "str", twin, *kinds)
    return (deltas,) if isinstance(deltas, str) else deltas


def check_source(source: object, content: str, twin: str, *kinds: type) -> None:
    """Check that *source* can be iterated over, and say what to do where it cannot.

    Args:
        source: What was given.
        content: What it should give, as a phrase.
        twin: The function that takes async sources.
        *kinds: What *source* may be: ``Iterable``, and ``AsyncIterable`` before that.

    Raises:
        TypeError: It is of none of these *kinds*.
    """
    if isinstance(source, kinds):
        return
    iterable = "an async or plain iterable" if AsyncIterable in kinds else "an iterable"
    msg = f"expected {iterable} of {content}, got {type(source).__name__}"
    if isinstance(source, AsyncIterable):
        msg += f"; use {twin}() for an async iterable"
    elif isawaitable(source):
        msg += "; await it first"
    elif hasattr(source, "__enter__") or hasattr(source, "__aenter__"):
        msg += "; enter it first, using (async) with"
    raise TypeError(msg)


def begin(
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


def as_runtime_error(error: BaseException) -> RuntimeError:
    """Return what tells an error apart from an end, as generators do (PEP 479)."""
    return RuntimeError(f"the strategy or the stream raised {type(error).__name__}")
