"""Tests of streams of chunks as spans of OpenTelemetry, with its SDK."""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from chunkwise import (
    Chunk,
    JSONChunking,
    SourceError,
    WindowChunking,
    WordChunking,
    aiter_chunks,
    iter_chunks,
)
from tests.deltas.sources import AsyncEvents, Events
from tests.interop.pages import run_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Generator, Iterator

trace: Any = pytest.importorskip("opentelemetry.trace")
sdk: Any = pytest.importorskip("opentelemetry.sdk.trace")
export: Any = pytest.importorskip("opentelemetry.sdk.trace.export")
in_memory: Any = pytest.importorskip(
    "opentelemetry.sdk.trace.export.in_memory_span_exporter"
)
interop: Any = pytest.importorskip("chunkwise.interop.opentelemetry")


class Interrupt(BaseException):
    """What no reader catches."""


class Traces:
    """What was exported, and a tracer that exports there."""

    def __init__(self, provider: Any = None) -> None:
        self._exporter = in_memory.InMemorySpanExporter()
        self.provider = provider or sdk.TracerProvider()
        self.provider.add_span_processor(export.SimpleSpanProcessor(self._exporter))
        self.tracer = self.provider.get_tracer("tests")

    def only(self) -> Any:
        """Return the one span that was exported."""
        (span,) = self._exporter.get_finished_spans()
        return span

    def none(self) -> bool:
        """Return whether none was."""
        return not self._exporter.get_finished_spans()


@pytest.fixture
def traces() -> Traces:
    return Traces()


def events(span: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(event.name, dict(event.attributes)) for event in span.events]


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.opentelemetry")
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[opentelemetry\]"'):
        importlib.import_module("chunkwise.interop.opentelemetry")


def test_a_stream_is_a_span_with_an_event_for_each_chunk(traces: Traces) -> None:
    chunks = iter_chunks(["# On\n\nIt", " is. B", "ye"], "markdown")
    with interop.trace_chunks(chunks, tracer=traces.tracer) as traced:
        first = next(traced)
        assert traces.none()
        assert [first, *traced] == ["# On", "It is.", "Bye"]
    span = traces.only()
    assert (span.name, span.parent) == ("chunks", None)
    assert span.status.status_code is trace.StatusCode.UNSET
    assert dict(span.attributes) == {
        "chunks.status": "completed",
        "chunks.count": 3,
        "chunks.start": 0,
        "chunks.end": 16,
    }
    assert events(span) == [
        (
            "chunk",
            {
                "chunk.index": index,
                "chunk.start": start,
                "chunk.end": end,
                "chunk.kind": kind,
                "chunk.complete": complete,
            },
        )
        for index, start, end, kind, complete in [
            (0, 0, 4, "heading", True),
            (1, 6, 12, "sentence", True),
            (2, 13, 16, "sentence", False),
        ]
    ]
    times = [span.start_time, *(event.timestamp for event in span.events)]
    assert times == sorted(times)
    assert times[-1] <= span.end_time


def test_a_chunk_is_read_when_it_is_asked_for(traces: Traces) -> None:
    deltas = iter(["One ", "two ", "three "])
    traced = interop.trace_chunks(iter_chunks(deltas, "word"), tracer=traces.tracer)
    assert next(traced) == "One"
    assert next(deltas) == "two "
    traced.close()


def test_the_chunks_are_those_of_the_stream(traces: Traces) -> None:
    chunks = list(iter_chunks(["One two"], "word", metadata={"a": 1}))
    traced = list(interop.trace_chunks(chunks, tracer=traces.tracer))
    assert all(one is other for one, other in zip(chunks, traced, strict=True))


def test_offsets_of_the_rest_of_a_stream_and_of_overlaps(traces: Traces) -> None:
    chunks = list(iter_chunks(["One two three four"], WindowChunking(2, by="word")))
    assert list(interop.trace_chunks(chunks[1:], tracer=traces.tracer)) == chunks[1:]
    assert traces.only().attributes["chunks.start"] == 8
    inner = [Chunk("a long one", start=5), Chunk("long", start=7)]
    traces = Traces()
    list(interop.trace_chunks(inner, tracer=traces.tracer))
    assert traces.only().attributes["chunks.end"] == 15


def test_a_stream_without_chunks_has_no_place(traces: Traces) -> None:
    assert list(interop.trace_chunks([], tracer=traces.tracer)) == []
    assert dict(traces.only().attributes) == {
        "chunks.status": "completed",
        "chunks.count": 0,
    }


@pytest.mark.parametrize("strategy", [WordChunking(), JSONChunking(at="$.secret[*]")])
def test_no_text_is_in_the_trace(traces: Traces, strategy: Any) -> None:
    source = Events('{"secret": ["secret"]} ', ArithmeticError("secret"))
    chunks = iter_chunks(source, strategy)
    with pytest.raises(ArithmeticError):
        list(interop.trace_chunks(chunks, tracer=traces.tracer))
    span = traces.only()
    assert span.attributes["chunks.count"] >= 1
    assert events(span)[-1] == ("exception", {"exception.type": "ArithmeticError"})
    assert "secret" not in span.to_json()


def test_text_is_in_the_trace_where_that_is_asked_for(traces: Traces) -> None:
    source = Events("One ", "half\ud800 ", ArithmeticError("secret"))
    chunks = iter_chunks(source, "word")
    options = {"tracer": traces.tracer, "record_text": True}
    with pytest.raises(ArithmeticError):
        list(interop.trace_chunks(chunks, **options))
    *texts, (name, facts) = events(traces.only())
    assert [facts["chunk.text"] for _, facts in texts] == ["One", "half\ufffd"]
    assert type(texts[0][1]["chunk.text"]) is str
    assert (name, facts["exception.message"]) == ("exception", "secret")
    assert "Traceback" in facts["exception.stacktrace"]
    traces.only().to_json().encode()


def test_an_sdk_that_drops_events_has_right_counts(traces: Traces) -> None:
    list(interop.trace_chunks(iter_chunks("a " * 200, "word"), tracer=traces.tracer))
    span = traces.only()
    assert len(span.events) == 128
    assert events(span)[-1][1]["chunk.index"] == 199
    assert span.attributes["chunks.count"] == 200
    assert span.attributes["chunks.end"] == 399


def test_it_is_a_child_of_the_current_span_and_never_current(traces: Traces) -> None:
    with traces.tracer.start_as_current_span("request") as request:
        traced = interop.trace_chunks(iter_chunks("One."), tracer=traces.tracer)
    assert traces.only().name == "request"
    seen = [trace.get_current_span() for _ in traced]
    assert seen == [trace.INVALID_SPAN]
    assert traced.span.parent.span_id == request.get_span_context().span_id
    assert traced.span.get_span_context().trace_id == request.context.trace_id


def test_a_reader_may_say_more_in_the_span(traces: Traces) -> None:
    with interop.trace_chunks(iter_chunks("One."), tracer=traces.tracer) as traced:
        traced.span.update_name("answer")
        traced.span.set_attribute("conversation", 7)
        list(traced)
    assert traces.only().name == "answer"
    assert traces.only().attributes["conversation"] == 7


def test_where_nothing_is_recorded_the_chunks_come_all_the_same() -> None:
    tracer = trace.NoOpTracerProvider().get_tracer("tests")
    source = Events("One. Two. ")
    with interop.trace_chunks(iter_chunks(source), tracer=tracer) as traced:
        assert list(traced) == ["One.", "Two."]
        assert not traced.span.is_recording()
    assert source.closed == 1


def test_without_a_tracer_the_global_provider_is_asked() -> None:
    traces = Traces()
    trace.set_tracer_provider(traces.provider)
    list(interop.trace_chunks(iter_chunks("One.")))
    assert traces.only().instrumentation_scope.name == "chunkwise"


class Failing(WordChunking):
    """Fails where it finds a sign."""

    def scan(self, text: str, *arguments: Any, **options: Any) -> Any:
        """Scan as its base does."""
        if "!" in text:
            raise ArithmeticError(text)
        return super().scan(text, *arguments, **options)


def read_all(chunks: Any) -> Iterator[Chunk]:
    yield from chunks


def leave_block(chunks: Any) -> Iterator[Chunk]:
    with chunks:
        yield next(chunks)


def close_at_once(chunks: Any) -> Iterator[Chunk]:
    chunks.close()
    yield from chunks
    chunks.close()


def fail_in_block(chunks: Any) -> Iterator[Chunk]:
    with chunks:
        yield next(chunks)
        raise LookupError


def read_on(chunks: Any) -> Iterator[Chunk]:
    """Read, and try again what failed."""
    try:
        yield from chunks
    finally:
        assert list(chunks) == []
        chunks.close()


Way = tuple[Any, list[Any], dict[str, Any], str]

WAYS: dict[str, Way] = {
    "end": (read_all, ["One two ", "three"], {}, "completed"),
    "end in a block": (read_on, ["One two ", "three"], {}, "completed"),
    "block": (leave_block, ["One two ", "three"], {}, "abandoned"),
    "close": (close_at_once, ["One two ", "three"], {}, "abandoned"),
    "error of the reader": (fail_in_block, ["One two "], {}, "abandoned"),
    "error of the source": (read_on, ["One ", ArithmeticError()], {}, "source_error"),
    "error of the strategy": (read_all, ["One ", "two! "], {}, "source_error"),
    "limit": (read_all, ["One twoooo"], {"max_pending": 4}, "source_error"),
    "no delta": (read_on, ["One ", 7], {}, "source_error"),
    "stray end": (read_on, ["One ", RuntimeError(StopIteration())], {}, "source_error"),
    "interruption": (read_on, ["One ", Interrupt()], {}, "aborted"),
}

every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)

close_errors = pytest.mark.parametrize(
    "close_error",
    [None, OSError("closed badly"), StopIteration(), Interrupt()],
    ids=["clean", "error", "stray", "interruption"],
)


class Seen:
    """What a reader sees of a stream, the end included."""

    def __init__(self, source: Any) -> None:
        self._source = source
        self.chunks: list[Chunk] = []
        self.error: BaseException | None = None

    def facts(self) -> Any:
        """Return what must be the same with a trace and without."""
        places = [(chunk, chunk.start, chunk.index) for chunk in self.chunks]
        notes = getattr(self.error, "__notes__", [])
        error = (type(self.error), str(self.error), notes)
        return places, error, self._source.closed


def see(read: Any, source: Any, wrap: Callable[[Any], Any], **options: Any) -> Seen:
    seen = Seen(source)
    try:
        for chunk in read(wrap(iter_chunks(source, Failing(), **options))):
            seen.chunks.append(chunk)
    except BaseException as error:  # noqa: BLE001 - compared
        seen.error = error
    return seen


def plain(chunks: Any) -> Any:
    return chunks


def repeat_error(item: Any) -> Any:
    """Return a new error of the same kind: one that was raised has notes."""
    return type(item)(*item.args) if isinstance(item, BaseException) else item


@every_way
@close_errors
def test_tracing_changes_nothing_and_the_span_ends(
    traces: Traces,
    caplog: pytest.LogCaptureFixture,
    way: Way,
    close_error: BaseException | None,
) -> None:
    read, items, options, status = way

    def source() -> Events:
        error = repeat_error(close_error)
        return Events(*map(repeat_error, items), close_error=error)

    def traced(chunks: Any) -> Any:
        return interop.trace_chunks(chunks, tracer=traces.tracer)

    expected = see(read, source(), plain, **options)
    found = see(read, source(), traced, **options)
    assert found.facts() == expected.facts()
    assert found.facts()[-1] == 1
    span = traces.only()
    if isinstance(close_error, Interrupt):
        status = "aborted"
    assert span.attributes["chunks.status"] == status
    assert span.attributes["chunks.count"] == len(found.chunks)
    # Where an interruption was on its way, that of the close is in a note on it.
    failed = status == "source_error" or (
        status != "aborted" and isinstance(close_error, Exception)
    )
    assert (span.status.status_code is trace.StatusCode.ERROR) == failed
    # The SDK would log that more was said of a span behind its end.
    assert caplog.records == []


def test_an_error_of_the_close_is_in_the_trace_of_a_whole_stream(
    traces: Traces,
) -> None:
    source = Events("One. ", close_error=SourceError("secret", item=1))

    def traced(chunks: Any) -> Any:
        return interop.trace_chunks(chunks, tracer=traces.tracer)

    seen = see(read_all, source, traced)
    assert isinstance(seen.error, SourceError)
    kind = "chunkwise.errors.SourceError"
    assert events(traces.only())[-1] == ("exception", {"exception.type": kind})
    assert traces.only().status.description == kind
    assert traces.only().attributes["chunks.status"] == "completed"


def test_what_is_no_chunk_is_refused_and_the_stream_closed(traces: Traces) -> None:
    source = Events("One. ")
    with pytest.raises(TypeError, match=r"gave 'One\. ', expected a Chunk"):
        next(interop.trace_chunks(source, tracer=traces.tracer))
    assert source.closed == 1
    assert traces.only().attributes["chunks.status"] == "source_error"


def test_what_cannot_be_read_is_refused_before_a_span_begins() -> None:
    with pytest.raises(TypeError, match=r"iterable of chunks, .*use atrace_chunks\(\)"):
        interop.trace_chunks(aiter_chunks("One."), tracer="none")
    with pytest.raises(TypeError, match="async or plain iterable of chunks, got int"):
        interop.atrace_chunks(7, tracer="none")


async def aread_all(chunks: Any) -> AsyncIterator[Chunk]:
    async for chunk in chunks:
        yield chunk


async def aread_on(chunks: Any) -> AsyncIterator[Chunk]:
    """Read, and try again what failed."""
    try:
        async for chunk in chunks:
            yield chunk
    finally:
        assert [chunk async for chunk in chunks] == []
        await chunks.aclose()


async def aleave_block(chunks: Any) -> AsyncIterator[Chunk]:
    async with chunks:
        yield await anext(chunks)


async def aclose_at_once(chunks: Any) -> AsyncIterator[Chunk]:
    await chunks.aclose()
    async for chunk in chunks:
        yield chunk


async def afail_in_block(chunks: Any) -> AsyncIterator[Chunk]:
    async with chunks:
        yield await anext(chunks)
        raise LookupError


async def time_out(chunks: Any) -> AsyncIterator[Chunk]:
    """Give up while the stream is silent."""
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group, chunks:
            yield await anext(chunks)

            async def give_up() -> None:
                await anyio.wait_all_tasks_blocked()
                scope.cancel()

            group.start_soon(give_up)
            yield await anext(chunks)


async def time_out_at_work(chunks: Any) -> AsyncIterator[Chunk]:
    """Give up while a chunk is worked on."""
    with anyio.CancelScope() as scope:
        async with chunks:
            yield await anext(chunks)
            scope.cancel()
            await anyio.sleep_forever()


async def fail_after_all(chunks: Any) -> AsyncIterator[Chunk]:
    """Let a sibling fail, which cancels the reader while the stream is silent."""

    async def fail() -> None:
        await anyio.wait_all_tasks_blocked()
        raise LookupError

    try:
        async with anyio.create_task_group() as group, chunks:
            yield await anext(chunks)
            group.start_soon(fail)
            yield await anext(chunks)
    except BaseException as group_error:
        raise LookupError from group_error


ASYNC_WAYS: dict[str, Way] = {
    "end": (aread_all, ["One two ", "three"], {}, "completed"),
    "end in a block": (aread_on, ["One two ", "three"], {}, "completed"),
    "block": (aleave_block, ["One two ", "three"], {}, "abandoned"),
    "close": (aclose_at_once, ["One two ", "three"], {}, "abandoned"),
    "error of the reader": (afail_in_block, ["One two "], {}, "abandoned"),
    "error of the source": (aread_on, ["One ", ArithmeticError()], {}, "source_error"),
    "error of the strategy": (aread_all, ["One ", "two! "], {}, "source_error"),
    "interruption": (aread_on, ["One ", Interrupt()], {}, "aborted"),
    "cancelled in the wait": (time_out, ["One ", ...], {}, "aborted"),
    "cancelled by a sibling": (fail_after_all, ["One ", ...], {}, "aborted"),
    "cancelled at work": (time_out_at_work, ["One ", ...], {}, "abandoned"),
}


class Sources(AsyncEvents):
    """Fails to close where it is told to."""

    def __init__(self, *items: Any, close_error: BaseException | None) -> None:
        super().__init__(*items)
        self._close_error = close_error

    async def close(self) -> None:
        """Close as its base does."""
        await super().close()
        if self._close_error is not None:
            raise self._close_error


async def asee(
    read: Any, source: Any, wrap: Callable[[Any], Any], **options: Any
) -> Seen:
    seen = Seen(source)
    try:
        async for chunk in read(wrap(aiter_chunks(source, Failing(), **options))):
            seen.chunks.append(chunk)
    except BaseException as error:  # noqa: BLE001 - compared
        seen.error = error
    return seen


@pytest.mark.parametrize("way", ASYNC_WAYS.values(), ids=ASYNC_WAYS)
@close_errors
@pytest.mark.anyio
async def test_tracing_an_async_stream_changes_nothing_and_the_span_ends(
    traces: Traces, way: Way, close_error: BaseException | None
) -> None:
    read, items, options, status = way

    def source() -> Sources:
        error = repeat_error(close_error)
        return Sources(*map(repeat_error, items), close_error=error)

    def traced(chunks: Any) -> Any:
        return interop.atrace_chunks(chunks, tracer=traces.tracer)

    with anyio.fail_after(20):
        expected = await asee(read, source(), plain, **options)
        given = source()
        found = await asee(read, given, traced, **options)
    assert found.facts() == expected.facts()
    assert found.facts()[-1] == 1
    span = traces.only()
    if isinstance(close_error, Interrupt):
        status = "aborted"
    assert span.attributes["chunks.status"] == status
    assert span.attributes["chunks.count"] == len(found.chunks)


@pytest.mark.anyio
async def test_a_plain_iterable_is_traced_the_async_way(traces: Traces) -> None:
    chunks = list(iter_chunks(["One two"], "word"))
    traced = interop.atrace_chunks(chunks, tracer=traces.tracer)
    assert [chunk async for chunk in traced] == chunks
    assert traces.only().attributes["chunks.count"] == 2


@pytest.mark.anyio
async def test_a_stream_that_releases_in_pauses_is_traced(traces: Traces) -> None:
    source = AsyncEvents("One two ", "th", ...)
    with anyio.fail_after(20):
        async with (
            aiter_chunks(source, "sentence", idle_release=0.01) as chunks,
            interop.atrace_chunks(chunks, tracer=traces.tracer) as traced,
        ):
            assert await anext(traced) == "One two"
    assert (source.closed, source.cancelled) == (1, 1)
    assert traces.only().attributes["chunks.end"] == 7


def test_a_coroutine_that_is_thrown_away_ends_the_span(traces: Traces) -> None:
    """As when an event loop is dropped; nothing can be awaited then."""

    class Suspended(AsyncEvents):
        async def __anext__(self) -> str:
            await Future()
            return ""

    class Future:
        def __await__(self) -> Generator[None, None, None]:
            yield

    source = Suspended()
    chunks = aiter_chunks(source)
    reading = interop.atrace_chunks(chunks, tracer=traces.tracer).__anext__()
    reading.send(None)
    assert traces.none()
    reading.close()
    assert traces.only().attributes["chunks.status"] == "abandoned"


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.anyio
async def test_a_close_that_is_interrupted_ends_the_span(traces: Traces) -> None:
    class Stuck(AsyncEvents):
        async def close(self) -> None:
            self.closed += 1
            await asyncio.Event().wait()

    source = Stuck("One ", ...)
    traced = interop.atrace_chunks(aiter_chunks(source, "word"), tracer=traces.tracer)

    async def read() -> None:
        async with traced:
            async for _ in traced:
                pass

    task = asyncio.create_task(read())
    for _ in range(2):
        await anyio.wait_all_tasks_blocked()
        assert traces.none()
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert source.closed == 1
    assert traces.only().attributes["chunks.status"] == "aborted"


@pytest.mark.parametrize("page", ["trace-a-stream", "test-a-guard"])
def test_the_examples_of_a_guide_run(page: str) -> None:
    run_page(page)
