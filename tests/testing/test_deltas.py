"""A source of deltas closes what it reads once, on every way out."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from typing_extensions import override

from chunkwise import CUT, atext_deltas, text_deltas
from chunkwise.deltas import asplit_tags, split_tags
from chunkwise.testing import BrokenLawError, check_deltas

EVENT = {"message": {"content": "It is on."}, "done": False}


@pytest.mark.parametrize(
    "source_factory",
    [
        text_deltas,
        atext_deltas,
        lambda stream: split_tags(stream, "t"),
        lambda stream: asplit_tags(stream, "t"),
        lambda stream: split_tags(text_deltas(stream), "t"),
        lambda stream: stream,
    ],
    ids=["text", "async text", "tags", "async tags", "tags of text", "as it is"],
)
def test_what_comes_with_the_library_closes_its_stream(source_factory: Any) -> None:
    check_deltas(source_factory)


def test_items_may_be_events_and_cuts() -> None:
    check_deltas(text_deltas, [EVENT, EVENT])
    check_deltas(atext_deltas, (EVENT,))
    check_deltas(lambda stream: stream, ["a", CUT, "b"])


class Deltas(Iterator[str]):
    """A source of deltas as one writes it; the tests below take something away."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    @override
    def __next__(self) -> str:
        return str(next(self.stream))

    def close(self) -> None:
        """Close the stream."""
        self.stream.close()


class AsyncDeltas(AsyncIterator[str]):
    """Its twin."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    @override
    async def __anext__(self) -> str:
        return str(await anext(self.stream))

    async def aclose(self) -> None:
        """Close the stream."""
        await self.stream.aclose()


def test_classes_that_hand_the_close_on_are_right() -> None:
    check_deltas(Deltas)
    check_deltas(AsyncDeltas)


def generator(stream: Any) -> Iterator[str]:
    yield from stream


def closing_generator(stream: Any) -> Iterator[str]:
    try:
        yield from stream
    finally:
        stream.close()


async def async_generator(stream: Any) -> AsyncIterator[str]:
    async for text in stream:
        yield text


class ClosesAtTheEndToo(Deltas):
    """And is closed again by its reader."""

    @override
    def __next__(self) -> str:
        try:
            return super().__next__()
        except StopIteration:
            self.stream.close()
            raise


class ClosesAtTheEndOnly(Deltas):
    """And so not where it is left."""

    @override
    def __next__(self) -> str:
        try:
            return super().__next__()
        except StopIteration:
            self.stream.close()
            raise

    @override
    def close(self) -> None:
        pass


class LosesErrors(Deltas):
    """Takes an error for the end."""

    @override
    def __next__(self) -> str:
        try:
            return super().__next__()
        except Exception:  # noqa: BLE001 - the mistake
            raise StopIteration from None


class ClosesWhenCancelled(AsyncDeltas):
    """The reader closes it as well."""

    @override
    async def __anext__(self) -> str:
        try:
            return await super().__anext__()
        except StopAsyncIteration:
            raise
        except BaseException:
            self.stream.close()
            raise


@pytest.mark.parametrize(
    ("source_factory", "problem"),
    [
        (generator, "never read, the stream was closed 0 times, expected once"),
        (closing_generator, "never read, the stream was closed 0 times"),
        (async_generator, "never read on asyncio, the stream was closed 0 times"),
        (ClosesAtTheEndToo, "read to its end, the stream was closed 2 times"),
        (ClosesAtTheEndOnly, "never read, the stream was closed 0 times"),
        (LosesErrors, "ended by an error of the stream, the error of the stream was l"),
        (ClosesWhenCancelled, "left after the first delta on asyncio, .* 2 times"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_way_out_that_does_not_close_once_is_shown(
    source_factory: Any, problem: str
) -> None:
    with pytest.raises(BrokenLawError, match=problem) as caught:
        check_deltas(source_factory)
    report = caught.value
    assert report.law == "closing"
    assert report.subject == source_factory.__qualname__
    assert "a generator that never began runs no finally" in report.cause


def test_a_factory_without_a_name_is_shown_by_its_class() -> None:
    class Factory:
        def __call__(self, stream: Any) -> Iterator[str]:
            return generator(stream)

    with pytest.raises(BrokenLawError, match="Factory breaks the law of closing"):
        check_deltas(Factory())


def test_a_stream_shows_what_it_gives() -> None:
    shown = []

    def keep(stream: Any) -> Any:
        shown.append(repr(stream))
        return stream

    check_deltas(keep)
    assert set(shown) == {"<a stream of ['a', 'b']>"}


def test_a_stream_without_items_is_refused() -> None:
    with pytest.raises(ValueError, match="items must have one item at least, got none"):
        check_deltas(text_deltas, [])


def test_a_source_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(TypeError, match="expected an iterable of str, got int"):
        check_deltas(lambda _: 1)  # type: ignore[arg-type,return-value]  # what is wrong


def test_deltas_that_are_no_text_are_refused() -> None:
    for source_factory in (iter, aiter):
        with pytest.raises(TypeError, match="a delta must be a str, got int"):
            check_deltas(source_factory, [1])


def test_without_trio_asyncio_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "trio", None)
    check_deltas(AsyncDeltas)
