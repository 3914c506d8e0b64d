"""A source that says when nothing came for a while, and can be left while it waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import anyio
import pytest

from chunkwise import StreamStateError
from chunkwise._pauses import PAUSE, Pauses
from tests.pausing import LONG, SHORT, Stream

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.anyio


async def test_a_silence_is_told_once() -> None:
    stream = Stream("a", ..., "b")
    async with Pauses(stream, SHORT) as pauses:
        assert await anext(pauses) == "a"
        assert await anext(pauses) is PAUSE
        stream.go.set()
        found = [item async for item in pauses]
    assert found == ["b"]


async def test_a_plain_iterable_has_no_silence() -> None:
    async with Pauses(["a", "b"], LONG) as pauses:
        assert [item async for item in pauses] == ["a", "b"]


async def test_one_item_is_read_when_it_is_asked_for() -> None:
    stream = Stream("a", "b")
    async with Pauses(stream, LONG) as pauses:
        assert stream.asked == 0
        assert await anext(pauses) == "a"
        await anyio.lowlevel.checkpoint()
        assert stream.asked == 1
        await pauses.stop()
        assert pauses.live


async def test_an_error_of_the_source_comes_through_as_it_is() -> None:
    async with Pauses(Stream(ValueError("no")), LONG) as pauses:
        with pytest.raises(ValueError, match="no"):
            await anext(pauses)


async def test_a_read_under_way_can_be_stopped() -> None:
    stream = Stream(...)
    async with Pauses(stream, SHORT) as pauses:
        assert await anext(pauses) is PAUSE
        await pauses.stop()
        assert not pauses.live
    assert stream.cancelled == 1


async def test_a_read_that_was_done_unwound_nothing() -> None:
    stream = Stream(..., "a")
    async with Pauses(stream, SHORT) as pauses:
        assert await anext(pauses) is PAUSE
        stream.go.set()
        await anyio.wait_all_tasks_blocked()
        await pauses.stop()
        assert pauses.live
    assert stream.cancelled == 0


async def test_one_that_is_shielded_from_a_cancellation_reads_on() -> None:
    with anyio.CancelScope() as scope:
        async with Pauses(Stream("a", "b", "c"), LONG) as pauses:
            found = [await anext(pauses)]
            scope.cancel()
            with anyio.CancelScope(shield=True):
                found += [item async for item in pauses]
    assert found == ["a", "b", "c"]


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_cancellation_that_the_source_raises_comes_through() -> None:
    async def source() -> AsyncIterator[str]:
        yield "a"
        future = asyncio.get_running_loop().create_future()
        future.cancel()
        await future

    async with Pauses(source(), LONG) as pauses:
        assert await anext(pauses) == "a"
        with pytest.raises(asyncio.CancelledError):
            await anext(pauses)
        assert not pauses.live


async def test_it_needs_its_block() -> None:
    pauses = Pauses(["a"], LONG)
    with pytest.raises(StreamStateError, match="needs the block"):
        await anext(pauses)
    async with pauses:
        pass
    await pauses.__aexit__()


class Interrupt(BaseException):
    """Like ``KeyboardInterrupt``, which test runners take for themselves."""


async def test_an_interrupt_of_the_source_gives_no_item_twice() -> None:
    async def source() -> AsyncIterator[str]:
        yield "a"
        raise Interrupt

    found = []
    with pytest.raises(BaseException, match=r"(?i)group|nursery") as caught:  # noqa: PT012 - the block raises
        async with Pauses(source(), LONG) as pauses:
            async for item in pauses:
                found.append(item)  # noqa: PERF401 - kept when it raises
    assert found == ["a"]
    assert isinstance(getattr(caught.value, "exceptions", [0])[0], Interrupt)
