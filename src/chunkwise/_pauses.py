"""Pauses: a source that says when nothing came for a while."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from ._reading import begin
from .errors import StreamStateError

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Awaitable, Callable, Iterable

    from anyio import CancelScope, Event
    from anyio.abc import TaskGroup
    from typing_extensions import Self


class Pause(Enum):
    """The type of `PAUSE`, its one member."""

    PAUSE = "PAUSE"


PAUSE: Final = Pause.PAUSE
"""Comes between two items of a source when nothing came for a while."""


class Pauses:
    """Gives the items of a source, and `PAUSE` once in each silence.

    Nothing can be told of a silence without waiting for two things at once, so the
    source is read in another task. That task lives while the block of ``async with`` is
    open, and reads one item at a time, when it is asked for.

    Args:
        source: What is read. It is not closed here.
        seconds: How long nothing has to come.

    Attributes:
        iterator: What was taken from the source; ``None`` before that.
        live: The source gave an item when last asked: it has neither ended nor raised,
            and nothing unwound it.
    """

    def __init__(
        self, source: AsyncIterable[Any] | Iterable[Any], seconds: float
    ) -> None:
        self._source = source
        self._seconds = seconds
        self._group: TaskGroup | None = None
        self.iterator: Any = None
        self.live = False
        self._next: Callable[[], Awaitable[Any]] | None = None
        self._scope: CancelScope
        # Set when the read under way is done; ``None`` while there is none.
        self._done: Event | None = None
        self._item: Any = None
        self._error: BaseException | None = None
        self._paused = False

    async def __aenter__(self) -> Self:
        """Open the task group of the task that reads."""
        from anyio import create_task_group  # noqa: PLC0415 - loaded late

        group = create_task_group()
        await group.__aenter__()
        self._group = group
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        """Stop reading, and leave the task group."""
        group, self._group = self._group, None
        await self.stop()
        if group is not None:
            await group.__aexit__(None, None, None)

    def __aiter__(self) -> Self:
        """Return itself."""
        return self

    async def __anext__(self) -> Any:
        """Return the next item, or `PAUSE`.

        Raises:
            StreamStateError: The block of ``async with`` is not open.
        """
        from anyio import (  # noqa: PLC0415 - loaded late
            CancelScope,
            Event,
            move_on_after,
        )

        if self._group is None:
            msg = "idle_release needs the block of `async with` to be open"
            raise StreamStateError(msg)
        if self._done is None:
            self._done = Event()
            # A cancellation from outside reaches the task that asks, and through `stop`
            # this one: a caller that shields itself from it goes on reading.
            self._scope = CancelScope(shield=True)
            self._group.start_soon(self._read, self._done)
        done = self._done
        if self._paused:
            await done.wait()
        else:
            with move_on_after(self._seconds):
                await done.wait()
            if not done.is_set():
                self._paused = True
                return PAUSE
        self._done = None
        self._paused = False
        error, self._error = self._error, None
        if error is not None:
            raise error
        return self._item

    async def _read(self, done: Event) -> None:
        from anyio import get_cancelled_exc_class  # noqa: PLC0415 - loaded late

        self.live = False
        try:
            with self._scope:
                if self._next is None:
                    self.iterator, self._next = begin(self._source)
                self._item = await self._next()
                self.live = True
        except (Exception, get_cancelled_exc_class()) as error:  # noqa: BLE001 - raised where the item is wanted
            # That of `stop` ends in the scope. Any other cancellation is the source's,
            # which waited for a task that was cancelled.
            self._error = error
        except BaseException as error:
            self._error = error
            raise
        finally:
            done.set()

    async def stop(self) -> None:
        """Cancel the read under way, if there is one, and wait for it to unwind.

        The cancellation arrives where the source waits, which unwinds all of it. A read
        that was done by then unwound nothing: see `live`.
        """
        from anyio import CancelScope  # noqa: PLC0415 - loaded late

        done, self._done = self._done, None
        if done is None:
            return
        self._scope.cancel()
        with CancelScope(shield=True):
            await done.wait()
