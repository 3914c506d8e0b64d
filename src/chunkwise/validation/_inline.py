"""The inline driver: source and checks run in the calls of the reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import create_task_group, get_cancelled_exc_class
from anyio.lowlevel import checkpoint
from typing_extensions import override

from ..errors import StreamStateError
from ._calling import judge
from ._stream import CHECKPOINT_EVERY, AsyncStream

if TYPE_CHECKING:
    from anyio.abc import TaskGroup

    from ._bound_check import BoundCheck
    from ._events import Released
    from ._grain import Slot


class InlineStream(AsyncStream):
    """A stream without tasks of its own.

    One call reads until a chunk is complete, has it judged, and returns. Between calls
    nothing runs, and no scope is open, so the block is safe inside of async generators.
    A scope or a task group is opened inside of a call alone: for time-outs, and for
    two or more async checks of one chunk.

    A call that is cancelled on its way has read or judged what cannot be handed out any
    more: the source is closed at once, and the next call raises ``Interrupted``.
    """

    @override
    async def _start(self) -> None:
        """Nothing is read before the first call."""

    @override
    async def _next(self) -> Released | None:
        session = self._session
        if not session.ready or session.is_due:
            try:
                await self._step()
            except GeneratorExit:
                # This coroutine itself is being thrown away: nothing can be awaited.
                # The end of the block still closes.
                session.interrupt()
                raise
            except BaseException:
                session.interrupt()
                await self._end()
                raise
        return session.hand_out() if session.ready else None

    async def _step(self) -> None:
        """Read and judge until a piece is ready or the stream has been concluded."""
        session = self._session
        while not session.over:
            slot = session.next_slot() if session.is_due else None
            if slot is not None:
                await self._judge(slot)
            elif session.ready:
                return
            else:
                await self._read()
        await self._close_source()
        if not session.ready:
            await self._end()

    async def _read(self) -> None:
        """Read until there is something to judge or to hand out, or nothing to read."""
        session, source = self._session, self._source
        while True:
            source.pulls += 1
            if source.pulls % CHECKPOINT_EVERY == 0:
                await checkpoint()
            source.live = False
            try:
                item = await source.next()
            except StopAsyncIteration:
                self._take_end()
                break
            except Exception as error:  # noqa: BLE001 - raised behind what is complete
                session.fail_source(error)
                break
            source.live = True
            # Stopped by another call during the wait: the item is unwanted now.
            if session.over or session.take(item):
                break
        if not session.reading:
            await self._close_source()

    async def _judge(self, slot: Slot) -> None:
        session = self._session
        others = slot.grain.others
        if session.judge_inline(slot):
            if len(others) == 1:
                await judge(session, slot, others[0])
            elif others:
                await self._judge_together(slot, others)
        if not session.reading:
            await self._close_source()

    async def _judge_together(self, slot: Slot, checks: tuple[BoundCheck, ...]) -> None:
        """Call several checks at a time; the first failure cancels the others."""
        raised: list[BaseException] = []
        cancelled: list[BaseException] = []

        async def one(check: BoundCheck, group: TaskGroup) -> None:
            try:
                await judge(self._session, slot, check)
            except get_cancelled_exc_class() as error:
                cancelled.append(error)
                raise
            except BaseException as error:  # noqa: BLE001 - raised below, not in a group
                raised.append(error)
            if slot.failed or raised:
                group.cancel_scope.cancel()

        async with create_task_group() as group:
            for check in checks:
                group.start_soon(one, check, group)
        if raised:
            raise raised[0]
        if cancelled and not slot.failed:
            # On asyncio a check may raise that by itself, where it waits for a task
            # that was cancelled. The group takes it for its own doing.
            raise cancelled[0]

    async def _end(self) -> None:
        await self._close_and_conclude()

    @override
    async def _finish(self) -> None:
        if self._busy:
            msg = (
                "aclose() while another call waits in __anext__(); that call closes "
                "the source once its wait ends, so end it (cancel its task)"
            )
            raise StreamStateError(msg)
        await self._end()
