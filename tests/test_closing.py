"""SourceCloser: what is closed, how, how often, and what becomes of errors."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from chunkwise._closing import SourceCloser, note_close_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator


class Log(list[str]):
    """What happened, in order."""

    def calls(self, name: str, error: BaseException | None = None) -> Any:
        """Return a function that notes its *name*, then raises *error* if given."""

        def call() -> None:
            self.append(name)
            if error is not None:
                raise error

        return call

    def awaits(self, name: str, error: BaseException | None = None) -> Any:
        """Return a coroutine function that does so behind a real wait."""

        async def call() -> None:
            await anyio.lowlevel.checkpoint()
            self.calls(name, error)()

        return call


class Source:
    """An object with the attributes that it is given."""

    def __init__(self, **attributes: object) -> None:
        vars(self).update(attributes)


class Interrupt(BaseException):
    """Like ``KeyboardInterrupt``, which test runners take for themselves."""


@pytest.fixture
def log() -> Log:
    """Return an empty log."""
    return Log()


# --- sync ---------------------------------------------------------------------------


def test_the_object_is_closed_and_not_its_iterator(log: Log) -> None:
    """In many clients that is a generator around the one with the connection."""
    iterator: Any = Source(close=log.calls("iterator"))
    SourceCloser(Source(close=log.calls("source"))).close(iterator)
    assert log == ["source"]


def test_the_iterator_is_closed_where_the_object_has_no_close(log: Log) -> None:
    def deltas() -> Iterator[str]:
        try:
            yield "a"
        finally:
            log.append("closed")

    iterator = deltas()
    next(iterator)
    SourceCloser(Source()).close(iterator)
    assert log == ["closed"]


def test_there_may_be_nothing_to_close() -> None:
    closer = SourceCloser(["a"])
    closer.close(iter(["a"]))
    assert closer.error is None


def test_a_second_close_does_nothing(log: Log) -> None:
    closer = SourceCloser(Source(close=log.calls("close")))
    closer.close()
    closer.close()
    assert log == ["close"]


def test_a_closer_is_called_in_place_of_everything_else(log: Log) -> None:
    source = Source(close=log.calls("close"))
    SourceCloser(source, log.calls("closer")).close()
    assert log == ["closer"]


def test_a_closer_that_cannot_be_called_is_refused_at_once() -> None:
    closer: Any = "close"
    with pytest.raises(TypeError, match="closer must be callable, got 'close'"):
        SourceCloser([], closer)


def test_an_error_of_the_close_is_raised_once_and_recorded(log: Log) -> None:
    error = OSError("gone")
    closer = SourceCloser(Source(close=log.calls("close", error)))
    with pytest.raises(OSError, match="gone"):
        closer.close()
    closer.close()
    assert log == ["close"]
    assert closer.error is error


def test_a_sync_close_refuses_a_coroutine(log: Log) -> None:
    """It would never run, and the source would stay open without a word."""
    closer = SourceCloser(Source(close=log.awaits("close")))
    with pytest.raises(TypeError, match=r"\(coroutine\).*use aiter_chunks\(\)"):
        closer.close()
    assert log == []


def test_a_sync_close_refuses_any_awaitable() -> None:
    class Later:
        def __await__(self) -> Generator[None, None, None]:
            raise AssertionError

    with pytest.raises(TypeError, match=r"\(Later\)"):
        SourceCloser(Source(close=Later)).close()


# --- async --------------------------------------------------------------------------


@pytest.mark.anyio
async def test_aclose_comes_before_close(log: Log) -> None:
    """In one client ``close()`` of an async stream silently does nothing."""
    source = Source(close=log.calls("close"), aclose=log.awaits("aclose"))
    await SourceCloser(source).aclose()
    assert log == ["aclose"]


@pytest.mark.anyio
async def test_a_close_that_is_async_is_awaited(log: Log) -> None:
    await SourceCloser(Source(close=log.awaits("close"))).aclose()
    assert log == ["close"]


@pytest.mark.anyio
async def test_a_close_that_is_not_async_is_called(log: Log) -> None:
    await SourceCloser(Source(close=log.calls("close"), aclose=None)).aclose()
    assert log == ["close"]


@pytest.mark.anyio
async def test_any_close_of_the_object_comes_before_its_iterator(log: Log) -> None:
    iterator: Any = Source(aclose=log.awaits("iterator"))
    await SourceCloser(Source(close=log.calls("source"))).aclose(iterator)
    assert log == ["source"]


@pytest.mark.anyio
async def test_an_async_iterator_is_closed_where_the_object_has_nothing(
    log: Log,
) -> None:
    iterator: Any = Source(aclose=log.awaits("iterator"))
    await SourceCloser(Source()).aclose(iterator)
    assert log == ["iterator"]


@pytest.mark.anyio
async def test_a_second_aclose_does_nothing(log: Log) -> None:
    closer = SourceCloser(Source(aclose=log.awaits("aclose")))
    await closer.aclose()
    await closer.aclose()
    assert log == ["aclose"]


@pytest.mark.anyio
async def test_an_error_of_the_aclose_is_raised_once_and_recorded(log: Log) -> None:
    error = OSError("gone")
    closer = SourceCloser(Source(aclose=log.awaits("aclose", error)))
    with pytest.raises(OSError, match="gone"):
        await closer.aclose()
    await closer.aclose()
    assert closer.error is error


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["calls", "awaits"])
async def test_a_closer_may_be_sync_or_async_and_spares_the_poke(
    log: Log, kind: str
) -> None:
    closer = SourceCloser(
        Source(close=log.calls("close")), getattr(log, kind)("closer")
    )
    await closer.aclose(Poked(log, poked=AssertionError()), poke=True)
    assert log == ["closer"]


# --- the poke -----------------------------------------------------------------------


class Poked:
    """An async iterator that is asked once more and answers with *poked*."""

    def __init__(self, log: Log, *, poked: BaseException | str) -> None:
        self._log = log
        self._poked = poked

    def __aiter__(self) -> AsyncIterator[str]:
        return self

    async def __anext__(self) -> str:
        self._log.append("poke")
        if isinstance(self._poked, BaseException):
            raise self._poked
        return self._poked


async def nested_generators(log: Log, wait: Callable[[], Awaitable[Any]]) -> Any:
    """Return a generator that gave one item, and the one that it delegates to."""

    async def inner() -> AsyncIterator[str]:
        try:
            yield "a"
            await wait()
        finally:
            log.append("inner")

    async def outer(inner: AsyncIterator[str]) -> AsyncIterator[str]:
        try:
            async for item in inner:
                yield item
        finally:
            log.append("outer")

    held = inner()
    generator = outer(held)
    assert await anext(generator) == "a"
    return generator, held


@pytest.mark.anyio
async def test_a_plain_aclose_leaves_the_inner_generator_open(log: Log) -> None:
    """Why there is a poke."""
    outer, inner = await nested_generators(log, anyio.sleep_forever)
    await SourceCloser(outer).aclose()
    assert log == ["outer"]
    await inner.aclose()


@pytest.mark.anyio
async def test_a_poke_unwinds_nested_generators(log: Log) -> None:
    outer, _ = await nested_generators(log, anyio.sleep_forever)
    closer = SourceCloser(outer)
    await closer.aclose(outer, poke=True)
    assert log == ["inner", "outer"]
    assert closer.error is None


@pytest.mark.anyio
async def test_a_poke_unwinds_them_in_a_task_that_is_being_cancelled(log: Log) -> None:
    outer, _ = await nested_generators(log, anyio.sleep_forever)
    behind = []
    with anyio.CancelScope() as scope:
        scope.cancel()
        await SourceCloser(outer).aclose(outer, poke=True)
        behind.append("close")
        await anyio.lowlevel.checkpoint()
        behind.append("checkpoint")
    assert log == ["inner", "outer"]
    assert behind == ["close"]


def test_a_poke_unwinds_them_in_a_task_that_asyncio_cancels(log: Log) -> None:
    """The close works, and the task still ends as cancelled."""

    async def leave() -> None:
        outer, _ = await nested_generators(log, anyio.sleep_forever)
        try:
            await anyio.sleep_forever()
        finally:
            await SourceCloser(outer).aclose(outer, poke=True)
            log.append("closed")

    async def main() -> None:
        task = asyncio.create_task(leave())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert log == ["inner", "outer", "closed"]


@pytest.mark.anyio
async def test_a_poke_goes_on_past_items_that_were_read_ahead(log: Log) -> None:
    async def inner() -> AsyncIterator[str]:
        try:
            for item in "abc":
                yield item
            await anyio.sleep_forever()
        finally:
            log.append("inner")

    async def outer(inner: AsyncIterator[str]) -> AsyncIterator[str]:
        async for item in inner:
            yield item

    held = inner()
    generator = outer(held)
    assert await anext(generator) == "a"
    closer = SourceCloser(generator)
    await closer.aclose(generator, poke=True)
    assert log == ["inner"]
    assert closer.error is None


@pytest.mark.anyio
async def test_a_poke_gives_up_on_a_source_that_never_waits(log: Log) -> None:
    closer = SourceCloser(Source(aclose=log.awaits("aclose")))
    await closer.aclose(Poked(log, poked="buffered"), poke=True)
    assert log == [*["poke"] * 1_000, "aclose"]
    assert closer.error is None


@pytest.mark.anyio
async def test_a_poke_may_meet_the_end_of_the_source(log: Log) -> None:
    closer = SourceCloser(Source(aclose=log.awaits("aclose")))
    await closer.aclose(Poked(log, poked=StopAsyncIteration()), poke=True)
    assert log == ["poke", "aclose"]
    assert closer.error is None


@pytest.mark.anyio
async def test_an_error_of_the_poke_is_recorded_and_the_source_closed(
    log: Log,
) -> None:
    error = OSError("poke")
    closer = SourceCloser(Source(aclose=log.awaits("aclose")))
    await closer.aclose(Poked(log, poked=error), poke=True)
    assert log == ["poke", "aclose"]
    assert closer.error is error


@pytest.mark.anyio
async def test_an_error_of_the_close_counts_more_than_one_of_the_poke(
    log: Log,
) -> None:
    closer = SourceCloser(Source(aclose=log.awaits("aclose", OSError("close"))))
    with pytest.raises(OSError, match="close"):
        await closer.aclose(Poked(log, poked=OSError("poke")), poke=True)
    assert str(closer.error) == "close"


@pytest.mark.anyio
async def test_an_interrupt_during_the_poke_waits_for_the_close(log: Log) -> None:
    closer = SourceCloser(Source(aclose=log.awaits("aclose")))
    with pytest.raises(Interrupt):
        await closer.aclose(Poked(log, poked=Interrupt()), poke=True)
    assert log == ["poke", "aclose"]


@pytest.mark.anyio
async def test_an_interrupt_during_the_poke_is_not_lost_to_an_error(log: Log) -> None:
    closer = SourceCloser(Source(aclose=log.awaits("aclose", OSError("close"))))
    with pytest.raises(Interrupt):
        await closer.aclose(Poked(log, poked=Interrupt()), poke=True)
    assert str(closer.error) == "close"


# --- cancel scopes ------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("by_closer", [False, True], ids=["source", "closer"])
async def test_a_task_that_is_being_cancelled_can_close(
    log: Log, *, by_closer: bool
) -> None:
    aclose = log.awaits("aclose")
    with anyio.CancelScope() as scope:
        scope.cancel()
        if by_closer:
            await SourceCloser(Source(), aclose).aclose()
        else:
            await SourceCloser(Source(aclose=aclose)).aclose()
    assert log == ["aclose"]


@pytest.mark.anyio
async def test_a_cancellation_during_the_close_waits_for_its_end(log: Log) -> None:
    async def aclose() -> None:
        scope.cancel()
        await log.awaits("aclose")()

    with anyio.CancelScope() as scope:
        await SourceCloser(Source(aclose=aclose)).aclose()
        log.append("behind")
        await anyio.lowlevel.checkpoint()
        log.append("never")
    assert log == ["aclose", "behind"]


@pytest.mark.anyio
@pytest.mark.parametrize("way", ["method", "closer"])
async def test_a_close_may_have_a_time_limit(log: Log, way: str) -> None:
    async def hang() -> None:
        log.append("began")
        await anyio.sleep_forever()

    source = Source(aclose=hang)
    closing = SourceCloser(source, hang if way == "closer" else None)
    with pytest.raises(TimeoutError):
        await closing.aclose(timeout=0.01)
    assert isinstance(closing.error, TimeoutError)
    closing = SourceCloser(Source(aclose=log.awaits("closed")))
    with anyio.CancelScope() as scope:
        scope.cancel()
        await closing.aclose(timeout=20)
    assert (log, closing.error) == (["began", "closed"], None)


async def holds_a_scope(log: Log) -> AsyncIterator[str]:
    """Keep a cancel scope open across an item, which is wrong but happens."""
    try:
        with anyio.CancelScope():
            yield "a"
            await anyio.sleep_forever()
    finally:
        log.append("closed")


async def holds_a_task_group(log: Log) -> AsyncIterator[str]:
    """Do the same with a task that runs in the background."""
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(anyio.sleep_forever)
            yield "a"
            await anyio.sleep_forever()
    finally:
        log.append("closed")


scope_holders = pytest.mark.parametrize(
    "deltas", [holds_a_scope, holds_a_task_group], ids=["scope", "task group"]
)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize(
    "deltas", [holds_a_scope, holds_a_task_group], ids=["scope", "task group"]
)
def test_a_source_with_a_scope_of_its_own_is_closed_and_the_error_recorded(
    log: Log, deltas: Callable[[Log], AsyncIterator[str]], backend: str
) -> None:
    """In a run of its own: on asyncio the scope stays open in the task."""

    async def leave() -> BaseException | None:
        iterator = deltas(log)
        await anext(iterator)
        closer = SourceCloser(iterator)
        await closer.aclose(iterator, poke=True)
        return closer.error

    assert isinstance(anyio.run(leave, backend=backend), RuntimeError)
    assert log == ["closed"]


@pytest.mark.anyio
async def test_a_closer_can_close_it_without_an_error(log: Log) -> None:
    """Neither a poke nor a shield gets in the way of the source's own scope."""
    iterator: Any = holds_a_scope(log)
    await anext(iterator)
    closer = SourceCloser(iterator, iterator.aclose)
    await closer.aclose(iterator, poke=True)
    await anyio.lowlevel.checkpoint()
    assert log == ["closed"]
    assert closer.error is None


# --- notes, imports -----------------------------------------------------------------


def test_a_note_tells_of_the_second_error() -> None:
    class Noted(Exception):  # noqa: N818 - has notes on every Python version
        def __init__(self) -> None:
            self.notes: list[str] = []

        def add_note(self, note: str, /) -> None:
            self.notes.append(note)

    error = Noted()
    note_close_error(error, OSError("gone"))
    assert error.notes == ["closing the source failed, too: OSError: gone"]


def test_an_error_that_takes_no_notes_is_left_alone() -> None:
    class Plain(Exception):  # noqa: N818 - as before Python 3.11
        add_note: Any = None

    note_close_error(Plain(), OSError("gone"))


def test_importing_does_not_load_anyio() -> None:
    code = "import sys, chunkwise, chunkwise._adapters; print('anyio' in sys.modules)"
    told = subprocess.run(  # noqa: S603 - this very Python
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert told.stdout == "False\n"
