"""Streams of items that count what is asked of them, sync and async."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from typing_extensions import Self


class Events:
    """Gives these items; raises those that are exceptions; can be closed."""

    def __init__(self, *items: Any, close_error: BaseException | None = None) -> None:
        self._items = iter(items)
        self._close_error = close_error
        self.closed = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        item = next(self._items)
        if isinstance(item, BaseException):
            raise item
        return item

    def close(self) -> None:
        """Count the call, then raise the error if there is one."""
        self.closed += 1
        if self._close_error is not None:
            raise self._close_error


class AsyncEvents:
    """The same as an async stream, which waits before each item.

    It waits for ever before an item ``...``, and notes when such a wait is cancelled.
    """

    def __init__(self, *items: Any) -> None:
        self._items = iter(items)
        self.closed = 0
        self.cancelled = 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        item = next(self._items, StopAsyncIteration())
        try:
            await (anyio.sleep_forever if item is ... else anyio.lowlevel.checkpoint)()
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        if isinstance(item, BaseException):
            raise item
        return item

    async def close(self) -> None:
        """Wait, then count the call."""
        await anyio.lowlevel.checkpoint()
        self.closed += 1
