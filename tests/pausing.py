"""A stream that falls silent, and how long that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from typing_extensions import Self

SHORT = 0.01
LONG = 60.0


class Stream:
    """Gives items; waits for its ``go`` before an item ``...``; can be closed.

    An item that is an exception is raised.
    """

    def __init__(self, *items: Any) -> None:
        self._items = iter(items)
        self.go = anyio.Event()
        self.asked = 0
        self.closed = 0
        self.cancelled = 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        self.asked += 1
        item = next(self._items, StopAsyncIteration())
        try:
            if item is ...:
                await self.go.wait()
                item = next(self._items)
            await anyio.lowlevel.checkpoint()
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        if isinstance(item, Exception):
            raise item
        return item

    async def aclose(self) -> None:
        """Count the call."""
        await anyio.lowlevel.checkpoint()
        self.closed += 1
