"""Sources that misbehave on demand, and one way to run them under every driver."""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from anyio.lowlevel import checkpoint
from trio.lowlevel import current_clock
from trio.testing import MockClock

from chunkwise.validation import AsyncStream, Verdict, validate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from typing_extensions import Self

    from chunkwise.validation import Piece, View

TEXT = "One is on. Two is up. Three is in. Four is by. Five is it."
CHUNKS = ["One is on.", "Two is up.", "Three is in.", "Four is by.", "Five is it."]
DELTAS = [TEXT[at : at + 4] for at in range(0, len(TEXT), 4)]

WAIT = object()
"""An item of a source that never comes."""

DRIVERS = ["inline", "pipelined"]
every_driver = pytest.mark.parametrize("driver", DRIVERS)


HOUR = 3600.0
"""Seconds that pass in no test, however busy the machine is, unless it jumps."""


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be moved on."""

    _ahead = 0.0

    def time(self) -> float:
        """Return what the clock shows."""
        return super().time() + self._ahead

    def jump(self, seconds: float) -> None:
        """Let so much time pass at once."""
        self._ahead += seconds


on_jumping_clocks = pytest.mark.parametrize(
    "anyio_backend",
    [("asyncio", {"loop_factory": JumpingLoop}), ("trio", {"clock": MockClock()})],
    ids=["asyncio", "trio"],
)
"""Runs a test where no limit of time is reached before the test calls `jump`."""


def jump(seconds: float) -> None:
    """Let so much time pass at once; of the thread of the event loop only."""
    clock: Any = (
        asyncio.get_running_loop() if _asyncio_is_running() else current_clock()
    )
    clock.jump(seconds)


class Source:
    """An async source that counts what is done to it.

    Items that are exceptions are raised. Before each item it waits once.

    Args:
        *items: What it gives.
        close_error: What its close raises.
        close_hangs: Whether its close never ends.
    """

    def __init__(
        self,
        *items: Any,
        close_error: BaseException | None = None,
        close_hangs: bool = False,
    ) -> None:
        self._items = iter(items)
        self._close_error = close_error
        self._close_hangs = close_hangs
        self.given = 0
        self.closed = 0
        self.cancelled = 0
        self.finished_close = False
        self.tasks: set[int] = set()
        self._pulling = False

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        assert not self._pulling
        assert not self.closed
        self._pulling = True
        self.tasks.add(anyio.get_current_task().id)
        try:
            await checkpoint()
            item = next(self._items, StopAsyncIteration())
            if item is WAIT:
                await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        finally:
            self._pulling = False
        if isinstance(item, BaseException):
            raise item
        self.given += 1
        return item

    async def aclose(self) -> None:
        """Count the call, wait, and fail or hang if told to."""
        assert not self._pulling
        self.closed += 1
        self.tasks.add(anyio.get_current_task().id)
        await checkpoint()
        if self._close_hangs:
            await anyio.sleep_forever()
        await checkpoint()
        self.finished_close = True
        if self._close_error is not None:
            raise self._close_error

    def check(self) -> None:
        """Check that it was closed once and fully, by the task that read it."""
        assert self.closed == 1
        assert self.finished_close
        assert len(self.tasks) == 1


@asynccontextmanager
async def opened(
    driver: str, source: Any, *checks: Any, **options: Any
) -> AsyncIterator[AsyncStream]:
    """Open a stream with one of the drivers, in a task group where it needs one."""
    if driver == "inline":
        async with validate(source, *checks, **options) as stream:
            yield stream
    else:
        async with (
            anyio.create_task_group() as group,
            validate(source, *checks, task_group=group, **options) as stream,
        ):
            yield stream


async def read(stream: AsyncStream) -> tuple[list[Piece], BaseException | None]:
    """Return all pieces that a stream gives, and what it raises behind them."""
    pieces: list[Piece] = []
    try:
        async for piece in stream:
            pieces.append(piece)  # noqa: PERF401 - kept when it raises
    except Exception as error:  # noqa: BLE001 - returned
        return pieces, error
    return pieces, None


async def run(
    driver: str, source: Any, *checks: Any, **options: Any
) -> tuple[list[str], BaseException | None, AsyncStream]:
    """Run a stream to its end; return its texts, what it raised, and the stream."""
    async with opened(driver, source, *checks, **options) as stream:
        pieces, error = await read(stream)
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
    return [piece.text for piece in pieces], error, stream


def rejecting(*words: str) -> Callable[[View], Verdict | None]:
    """Return a check that rejects what begins with one of these words."""

    def reject(view: View) -> Verdict | None:
        return Verdict("reject", "bad") if view.chunk.startswith(words) else None

    return reject


def later(
    check: Callable[[View], Verdict | None], turns: int = 1
) -> Callable[[View], Any]:
    """Return *check* as an async one that waits some turns of the loop first."""

    async def judge(view: View) -> Verdict | None:
        for _ in range(turns):
            await checkpoint()
        return check(view)

    return judge


async def passing(view: View) -> None:
    """Let everything pass, after one turn of the loop."""
    del view
    await checkpoint()


def rest(stream: AsyncStream, pieces: list[Piece]) -> str:
    """Return all text of a stream again: released, pending, and the tail."""
    outcome = stream.outcome
    assert outcome is not None
    released = "".join(piece.lead + piece.text for piece in pieces)
    return released + outcome.pending + outcome.tail


@asynccontextmanager
async def nothing_left() -> AsyncIterator[None]:
    """Check that no task is left behind, and that the loop has nothing to say."""
    on_asyncio = "asyncio" in sys.modules and _asyncio_is_running()
    told: list[dict[str, Any]] = []
    if on_asyncio:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: told.append(context))
    before = len(anyio.get_running_tasks())
    yield
    await anyio.wait_all_tasks_blocked()
    # By number: each part of a fixture runs in a task of its own.
    assert len(anyio.get_running_tasks()) <= before
    assert told == []


def _asyncio_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
