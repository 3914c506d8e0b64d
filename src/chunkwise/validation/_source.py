"""A source as the async drivers read it."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .._closing import MOST_BUFFERED, SourceCloser
from .._ending import is_cut_short
from .._reading import AsyncReading, begin, checked_deltas, nest
from ._events import SourceClosed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable


class AsyncSource:
    """A source, async or plain, that is read item by item and closed once.

    Args:
        source: The stream object itself.
        closer: Called in place of all that is done to close it.

    Raises:
        TypeError: *source* is no iterable of text.

    Attributes:
        next: Returns an awaitable for the next item. Another one from the second item
            on.
        has_closer: Whether a closer was given.
        live: Whether the source gave an item when last asked, so that it has neither
            ended nor raised, nor been cancelled. Kept by whoever reads.
        pulls: How often it was asked. Kept likewise.
    """

    def __init__(self, source: object, closer: Callable[[], object] | None) -> None:
        self._source: Any = checked_deltas(source, "validate", AsyncIterable, Iterable)
        self._closing = SourceCloser(source, closer)
        nest(source, closer)
        self._iterator: Any = None
        self._closed = False
        self.next: Callable[[], Awaitable[Any]] = self._first
        self.has_closer: bool = closer is not None
        self.live: bool = False
        self.pulls: int = 0

    async def _first(self) -> Any:
        """Take the iterator, which may raise, and return its first item."""
        self._iterator, self.next = begin(self._source)
        return await self.next()

    @property
    def is_cut_short(self) -> bool:
        """Whether the source says that its text broke off."""
        return is_cut_short(self._source)

    @property
    def can_be_poked(self) -> bool:
        """Whether to ask for one more item under a cancelled scope.

        `SourceCloser.aclose` says what that is good for.
        """
        return (
            self.live
            and not self.has_closer
            and isinstance(self._source, AsyncIterable)
        )

    async def poke(self) -> None:
        """Ask for one more item, in a scope that the caller has cancelled.

        Items that had arrived already are passed over, as when a source is closed.
        """
        self.live = False
        with suppress(Exception):  # Even its end is of no interest any more.
            for _ in range(MOST_BUFFERED):
                await self.next()

    async def close(
        self,
        tell: Callable[[SourceClosed], object],
        timeout: float | None,
    ) -> None:
        """Close the source unless that was done; errors are only recorded.

        Args:
            tell: Told about it.
            timeout: Seconds that it may take; ``None`` where the caller sees to that.
        """
        if self._closed:
            return
        self._closed = True
        began = perf_counter()
        with suppress(Exception):
            await self._closing.aclose(
                self._iterator, poke=self.can_be_poked, timeout=timeout
            )
        tell(SourceClosed(perf_counter() - began, self.close_error))

    @property
    def close_error(self) -> BaseException | None:
        """What went wrong while the source was closed."""
        error = self._closing.error
        if error is None and isinstance(self._source, AsyncReading):
            # It may have closed what it reads itself, when it was asked for an item.
            error = self._source.close_error
        return error
