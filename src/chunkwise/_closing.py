"""Closing a source object: sync or async, once and for sure."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext, suppress
from inspect import isawaitable, iscoroutine
from math import inf
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


MOST_BUFFERED = 1_000
"""Items that a poke takes at most from a source that does not wait.

A client gives what it has read ahead without waiting, and so without being cancelled;
one read of 64 KB holds some hundred events.
"""


class SourceCloser:
    """Closes one source object, exactly once.

    What is closed is the object that was given. An iterator taken from it is closed
    only where the object has nothing to close itself: many clients make the iterator a
    generator around another generator, and closing the outer one leaves the inner one,
    which owns the connection, open.

    The first call closes, later ones do nothing. An error of the close is recorded in
    `error` and raised; what it must not replace is the caller's business.

    Args:
        source: The object.
        closer: Called in place of everything else that would be done, for a source
            whose owner is another object.

    Raises:
        TypeError: *closer* cannot be called.

    Attributes:
        error: What went wrong while closing. An error of the close itself takes
            precedence over one of the poke (see `aclose`), which is never raised.
    """

    __slots__ = ("_called", "_closer", "_source", "error")

    def __init__(
        self, source: object, closer: Callable[[], object] | None = None
    ) -> None:
        if closer is not None and not callable(closer):
            msg = f"closer must be callable, got {closer!r}"
            raise TypeError(msg)
        self._source = source
        self._closer = closer
        self._called = False
        self.error: BaseException | None = None

    def close(self, iterator: Iterator[object] | None = None) -> None:
        """Call the closer, or ``close()`` of the source, or that of its iterator.

        Args:
            iterator: What was taken from the source, if anything.

        Raises:
            TypeError: What was called is asynchronous. It has closed nothing.
        """
        if self._called:
            return
        self._called = True
        try:
            _check_closed(self._call(("close",), iterator))
        except BaseException as error:
            self.error = error
            raise

    async def aclose(
        self,
        iterator: AsyncIterator[object] | Iterator[object] | None = None,
        *,
        poke: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Call the closer, or ``aclose()``, else ``close()``, and await the result.

        The source is looked at first, then its iterator. Cancellation by an anyio scope
        does not reach the close; it is delivered behind it.

        A poke before that asks the iterator for one more item under a cancelled scope.
        The cancellation arrives where the source waits, so that it unwinds every nested
        generator, which a plain ``aclose()`` leaves running. Items that come all the
        same, because they were read ahead, are discarded until it waits.

        A source that holds a cancel scope open between its items, which both anyio and
        Trio forbid, cannot leave it inside another one, be that a poke or a shield: it
        raises, and on asyncio its scope stays open in the task, where scopes of the
        caller's own then fail too. A closer is therefore called with no scope around
        it, except in a task that is being cancelled already, in which it could not
        await anything, or with a *timeout*.

        Args:
            iterator: What was taken from the source, if anything.
            poke: Whether to poke: *iterator* is an ``AsyncIterator`` that gave its last
                item and has neither ended nor raised.
            timeout: Seconds that the close may take; then it is cancelled. ``None``
                sets no limit.

        Raises:
            TimeoutError: The close took too long.
            Exception: What the close itself raised; one of the poke is only recorded.
            BaseException: What interrupted the poke, ``KeyboardInterrupt`` for example.
                The close was tried before it is raised.
        """
        if self._called:
            return
        self._called = True
        if poke and self._closer is None:
            try:
                await _poke(cast("AsyncIterator[object]", iterator))
            except Exception as error:  # noqa: BLE001 - recorded, and the close goes on
                self.error = error
            except BaseException:
                # Python itself, or asyncio, wants this task to end. Close, then let it.
                with suppress(Exception):
                    await self._aclose(iterator, timeout)
                raise
        await self._aclose(iterator, timeout)

    async def _aclose(self, iterator: object, timeout: float | None) -> None:
        from anyio import (  # noqa: PLC0415 - loaded late
            CancelScope,
            current_effective_deadline,
            fail_after,
        )

        scope: AbstractContextManager[object] = nullcontext()
        if timeout is not None:
            scope = fail_after(timeout, shield=True)
        elif self._closer is None or current_effective_deadline() == -inf:
            scope = CancelScope(shield=True)
        try:
            with scope:
                result = self._call(("aclose", "close"), iterator)
                if isawaitable(result):
                    await result
        except BaseException as error:
            self.error = error
            raise

    def _call(self, names: tuple[str, ...], iterator: object) -> object:
        """Call the closer or the first method of these *names*, and return its result.

        What has none of them, a list for example, has nothing to close.
        """
        if self._closer is not None:
            return self._closer()
        for owner in (self._source, iterator):
            for name in names:
                method = getattr(owner, name, None)
                if callable(method):
                    return method()
        return None


def note_close_error(error: BaseException, close_error: BaseException) -> None:
    """Say in a note on *error* that closing the source failed as well.

    Does nothing before Python 3.11, which has no notes.
    """
    add_note = getattr(error, "add_note", None)
    if add_note is not None:
        kind = type(close_error).__name__
        add_note(f"closing the source failed, too: {kind}: {close_error}")


def _check_closed(result: object) -> None:
    """Check that a synchronous close did not just give something to await.

    Raises:
        TypeError: It did.
    """
    if not isawaitable(result):
        return
    if iscoroutine(result):
        result.close()  # Or Python warns that it was never awaited.
    msg = (
        f"closing the source gave an awaitable ({type(result).__name__}) that cannot "
        "be awaited here; use aiter_chunks(), which takes a plain iterable as well"
    )
    raise TypeError(msg)


async def _poke(iterator: AsyncIterator[object]) -> None:
    from anyio import CancelScope  # noqa: PLC0415 - loaded late

    # The shield keeps a cancellation from outside apart from this one, which the scope
    # would otherwise pass on. Nothing else is entered before it is left.
    with CancelScope(shield=True) as scope, suppress(StopAsyncIteration):
        scope.cancel()
        for _ in range(MOST_BUFFERED):
            await anext(iterator)
