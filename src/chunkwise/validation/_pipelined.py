"""The pipelined driver: source and checks run in tasks of the caller's group."""

from __future__ import annotations

from collections import deque
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from anyio import (
    CancelScope,
    Event,
    current_effective_deadline,
    current_time,
    get_cancelled_exc_class,
    get_current_task,
    sleep,
)
from anyio.lowlevel import checkpoint
from typing_extensions import override

from ..errors import StreamStateError
from ._calling import judge
from ._stream import CHECKPOINT_EVERY, AsyncStream

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from anyio.abc import TaskGroup

    from ._bound_check import BoundCheck
    from ._events import Released
    from ._grain import Slot
    from ._session import Session
    from ._source import AsyncSource


class _Signal:
    """Wakes whoever waits for it now; nothing is kept for later waits."""

    __slots__ = ("_event",)

    def __init__(self) -> None:
        self._event: Event | None = None

    def set(self) -> None:
        """Wake all that wait."""
        if self._event is not None:
            self._event.set()
            self._event = None

    async def wait(self) -> None:
        """Wait until it is set."""
        if self._event is None:
            self._event = Event()
        await self._event.wait()


class _Lane:
    """The chunks that wait for one check, in order."""

    __slots__ = ("check", "filled", "slots")

    def __init__(self, check: BoundCheck) -> None:
        self.check = check
        self.slots: deque[Slot] = deque()
        self.filled = _Signal()


class _Worker:
    """One of the tasks that serve a lane.

    Attributes:
        scope: Ends the task.
        at: Where the chunk begins that it is judging; -1 while it waits for one.
    """

    __slots__ = ("at", "scope")

    def __init__(self) -> None:
        self.scope = CancelScope()
        self.at: float = -1


class PipelinedStream(AsyncStream):
    """A stream that is read and judged ahead of its reader.

    All tasks run in the caller's group, and none of them raises an error of source or
    check: errors are kept for the reader, so that a failing check cannot cancel what
    else the group does. One task, the pump, does all that concerns the source: asks
    for items, cuts them, and closes. For each check that has to be awaited as many
    workers as it may judge chunks at a time serve one queue.
    """

    def __init__(
        self,
        session: Session,
        source: AsyncSource,
        close_timeout: float,
        task_group: TaskGroup,
        max_in_flight: int,
        idle_timeout: float | None,
    ) -> None:
        super().__init__(session, source, close_timeout)
        self._group = task_group
        self._max_in_flight = max_in_flight
        self._idle_timeout = idle_timeout
        self._lanes = {
            check.place: _Lane(check) for check in session.checks if not check.is_inline
        }
        self._workers: list[_Worker] = []
        self._pump_scope = CancelScope()
        self._watch_scope = CancelScope()
        self._pulling = False
        self._tasks = 0
        self._ids: set[int] = set()
        self._news = _Signal()
        self._room = _Signal()
        self._done = _Signal()

    # --- tasks ----------------------------------------------------------------------

    @override
    async def _start(self) -> None:
        try:
            self._spawn(self._pump)
        except BaseException:
            # The group takes no tasks, and nothing has begun.
            self._session.leave()
            await self._finish()
            raise
        for lane in self._lanes.values():
            for _ in range(lane.check.options.parallel):
                self._spawn(partial(self._serve, lane))
        if self._idle_timeout is not None:
            self._spawn(partial(self._watch, self._idle_timeout))

    def _spawn(self, work: Callable[[], Awaitable[None]]) -> None:
        self._group.start_soon(self._run, work)
        self._tasks += 1

    async def _run(self, work: Callable[[], Awaitable[None]]) -> None:
        task = get_current_task().id
        self._ids.add(task)
        try:
            await work()
        except get_cancelled_exc_class():
            # On asyncio a source or a check that waits for a task that was cancelled
            # raises the same, where nobody has cancelled the group. Raised on, it would
            # cancel all of it, and nobody would be told.
            is_outside = current_effective_deadline() == -inf
            if is_outside or not self._session.over:
                self._session.abort()
            if is_outside:
                raise
        except BaseException:
            # The end of the program.
            self._session.abort()
            raise
        finally:
            self._ids.discard(task)
            self._tasks -= 1
            self._react()
            if not self._tasks:
                self._done.set()

    def _react(self) -> None:
        """Wake whoever may have something to do now, and cancel what is in vain.

        Synchronous, so that callbacks and finalizers can cause it.
        """
        session = self._session
        self._news.set()
        self._room.set()
        if session.reading:
            return
        # Only a wait for the source is cancelled. Between two waits the pump sees by
        # itself that nothing more is wanted, and closes.
        if self._pulling:
            self._pump_scope.cancel()
        self._watch_scope.cancel()
        if session.over or session.limit < inf:
            for worker in self._workers:
                if session.over or worker.at >= session.limit:
                    worker.scope.cancel()

    # --- the pump -------------------------------------------------------------------

    async def _pump(self) -> None:
        """Read the source to its end, or as far as it is wanted, and close it.

        A source may hold a cancel scope open between its items: it is not allowed to,
        but clients do it. Scopes have to be left in the reverse order, so none of ours
        may be entered before an item and left behind it, except the one around all of
        this. A source that is left early is therefore asked for one more item while
        that scope is cancelled, which unwinds it; and a closer, which unwinds it in a
        way of its own, is called inside of that scope, shielded and with a deadline.
        """
        source = self._source
        try:
            with self._pump_scope as scope:
                try:
                    await self._read()
                except BaseException:
                    if not scope.cancel_called:
                        self._session.abort()
                    raise
                finally:
                    if source.can_be_poked:
                        scope.cancel()
                        await source.poke()
                    elif source.live:
                        scope.shield = True
                        scope.deadline = current_time() + self._close_timeout
                        await source.close(self._session.tell, None)
        finally:
            await self._close_source()

    async def _read(self) -> None:
        session, source = self._session, self._source
        while session.reading:
            if not session.has_room(self._max_in_flight):
                await self._room.wait()
                continue
            source.pulls += 1
            if source.pulls % CHECKPOINT_EVERY == 0:
                await checkpoint()
            self._pulling = True
            source.live = False
            try:
                item = await source.next()
            except StopAsyncIteration:
                self._pulling = False
                self._take_end()
            except Exception as error:  # noqa: BLE001 - kept for the reader
                self._pulling = False
                session.fail_source(error)
            else:
                self._pulling = False
                source.live = True
                # Stopped during the wait: the item is not wanted any more.
                if not self._session.reading or not session.take(item):
                    continue
            await self._admit()

    async def _admit(self) -> None:
        """Have new slots judged, or queue them for the workers."""
        session = self._session
        while (slot := session.next_slot()) is not None:
            await self._breathe()
            if session.judge_inline(slot):
                for check in slot.grain.others:
                    lane = self._lanes[check.place]
                    lane.slots.append(slot)
                    lane.filled.set()
        self._react()

    # --- workers --------------------------------------------------------------------

    async def _serve(self, lane: _Lane) -> None:
        session = self._session
        worker = _Worker()
        self._workers.append(worker)
        with worker.scope:
            while not session.over:
                worker.at = -1
                if not lane.slots:
                    await lane.filled.wait()
                    continue
                slot = lane.slots.popleft()
                if slot.at < session.limit:
                    worker.at = slot.at
                    await self._breathe()
                    await judge(session, slot, lane.check)
                    self._react()

    async def _watch(self, idle_timeout: float) -> None:
        """End the stream when one wait for the source takes too long.

        It looks four times as often as that, and four looks in a row have to find the
        same wait. Moving a deadline for every item would cost several times as much as
        all else that is done for an item.
        """
        seen = looks = 0
        with self._watch_scope:
            while self._session.reading:
                await sleep(idle_timeout / 4)
                pulls = self._source.pulls
                looks = looks + 1 if self._pulling and pulls == seen else 0
                seen = pulls
                if looks == 4:  # noqa: PLR2004 - as the docstring says
                    self._session.stall(idle_timeout)
                    self._react()

    # --- the reader -----------------------------------------------------------------

    @override
    async def _next(self) -> Released | None:
        session = self._session
        while not session.ready:
            if not self._tasks:
                await self._end()
                return None
            await self._news.wait()
        self._room.set()
        return session.hand_out()

    async def _end(self) -> None:
        await self._close_and_conclude()
        outcome = self.outcome
        if outcome is not None and outcome.status == "aborted":
            # If this task is being cancelled as well, that comes first.
            await checkpoint()

    @override
    def stop(self) -> None:
        super().stop()
        self._react()

    @override
    async def _finish(self) -> None:
        if get_current_task().id in self._ids:
            msg = (
                "aclose() in a check or in the source of the stream, which would wait "
                "for itself; call stop()"
            )
            raise StreamStateError(msg)
        with CancelScope(shield=True):
            while self._tasks:
                await self._done.wait()
            await self._close_and_conclude()
