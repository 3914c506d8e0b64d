"""Spans of OpenTelemetry: one for a stream of chunks, with an event for each."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, Literal

from typing_extensions import override

from .._chunk import Chunk
from .._quote import shown
from .._reading import AsyncReading, Reading, SyncReading, check_source
from .._version import __version__
from ._needs import needs

with needs("opentelemetry"):
    from opentelemetry.trace import Status, StatusCode, get_tracer

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

__all__ = ["AsyncTracedChunks", "TracedChunks", "atrace_chunks", "trace_chunks"]

_LONE = re.compile("[\ud800-\udfff]")


def trace_chunks(
    chunks: Iterable[Chunk], *, tracer: Tracer | None = None, record_text: bool = False
) -> TracedChunks:
    """Return the same chunks, and trace them as one span.

    The span is called ``chunks``. It begins with this call, as a child of the current
    one, and ends when the stream of chunks has been closed, whatever led there; it is
    never the current span itself. Each chunk that is handed out is an event ``chunk``
    of it, with these attributes:

    * ``chunk.index``, ``chunk.start``, ``chunk.end``: as those of `chunkwise.Chunk`;
    * ``chunk.kind``, ``chunk.complete``: likewise;
    * ``chunk.text``: its text, only with *record_text*.

    At the end the span itself gets

    * ``chunks.count``: how many were handed out;
    * ``chunks.start``, ``chunks.end``: from where to where they reach; not if there
      were none;
    * ``chunks.status``: ``"completed"`` if the reader was told of the end,
      ``"abandoned"`` if it closed the stream earlier, ``"source_error"`` if the stream
      or its strategy raised, ``"aborted"`` if a task was cancelled, or the program
      interrupted, while it waited for the stream.

    Where the stream raises an error, or its close does, there is an event ``exception``
    with the ``exception.type``, and the span has the status of an error. With
    *record_text* the event also has message and traceback, which may quote text.

    An SDK keeps 128 events of a span, the last ones, if nobody tells it otherwise:
    ``OTEL_SPAN_EVENT_COUNT_LIMIT`` does.

    Args:
        chunks: The stream, as ``iter_chunks`` returns it. It is read and closed by what
            is returned; its ``chunker`` remains at hand.
        tracer: What starts the span; the one of the global provider, if there is none.
        record_text: Whether texts of the stream go into the trace; U+FFFD stands there
            for a lone surrogate, which no exporter can write.

    Raises:
        TypeError: *chunks* is no iterable.
    """
    return TracedChunks(chunks, tracer=tracer, record_text=record_text)


def atrace_chunks(
    chunks: AsyncIterable[Chunk] | Iterable[Chunk],
    *,
    tracer: Tracer | None = None,
    record_text: bool = False,
) -> AsyncTracedChunks:
    """Return the same chunks of an async stream, and trace them as one span.

    Runs on asyncio and on Trio. The span is that of `trace_chunks`.

    Args:
        chunks: The stream, as ``aiter_chunks`` returns it. It is read and closed by
            what is returned. One with ``idle_release`` needs its own block of ``async
            with`` around that of the other.
        tracer: As for `trace_chunks`.
        record_text: As for `trace_chunks`.

    Raises:
        TypeError: *chunks* is no iterable.
    """
    return AsyncTracedChunks(chunks, tracer=tracer, record_text=record_text)


class _Record:
    """The span of one stream, and what its attributes will be."""

    def __init__(self, tracer: Tracer | None, *, record_text: bool) -> None:
        self.span = (tracer or get_tracer("chunkwise", __version__)).start_span(
            "chunks"
        )
        self.status: Literal["completed", "abandoned", "source_error", "aborted"] = (
            "abandoned"
        )
        self._record_text = record_text
        self._count = 0
        self._start = self._end = 0
        self._is_over = False

    def add(self, chunk: Chunk) -> None:
        if not self._count:
            self._start = chunk.start
        self._count += 1
        self._end = max(self._end, chunk.end)
        if not self.span.is_recording():
            return
        facts: dict[str, str | int | bool] = {
            "chunk.index": chunk.index,
            "chunk.start": chunk.start,
            "chunk.end": chunk.end,
            "chunk.kind": chunk.kind,
            "chunk.complete": chunk.complete,
        }
        if self._record_text:
            facts["chunk.text"] = _LONE.sub("\ufffd", chunk)
        self.span.add_event("chunk", facts)

    def add_error(self, error: BaseException) -> None:
        if not isinstance(error, Exception):
            self.status = "aborted"
            return
        self.status = "source_error"
        self._note(error)

    def _note(self, error: Exception) -> None:
        kind = type(error).__qualname__
        if type(error).__module__ != "builtins":
            kind = f"{type(error).__module__}.{kind}"
        self.span.set_status(Status(StatusCode.ERROR, kind))
        if self._record_text:
            self.span.record_exception(error)
        else:
            self.span.add_event("exception", {"exception.type": kind})

    def end(self, close_error: Exception | None = None) -> None:
        """End the span, if that is still to be done."""
        if self._is_over:
            return
        self._is_over = True
        if close_error is not None:
            self._note(close_error)
        self.span.set_attribute("chunks.status", self.status)
        self.span.set_attribute("chunks.count", self._count)
        if self._count:
            self.span.set_attribute("chunks.start", self._start)
            self.span.set_attribute("chunks.end", self._end)
        self.span.end()


class _Tracing(Reading[Chunk]):
    """What both iterators do with the chunks: each is handed out as it comes."""

    _record: _Record

    @property
    def span(self) -> Span:
        """The span, for attributes and a name of one's own."""
        return self._record.span

    @override
    def _take(self, item: Chunk) -> None:
        if not isinstance(item, Chunk):
            msg = f"the stream gave {shown(item)}, expected a Chunk"
            raise TypeError(msg)
        self._record.add(item)
        self._ready.append(item)

    @override
    def _take_end(self) -> None:
        self._record.status = "completed"

    @override
    def _take_error(self, error: BaseException) -> None:
        self._record.add_error(error)


class TracedChunks(_Tracing, SyncReading[Chunk]):
    """Iterates over the chunks of a stream, traces them and closes the stream.

    An iterator and a context manager in one; `trace_chunks` makes it. It reads and
    closes the stream as its reader would: a chunk whenever one is asked for, and the
    close exactly once, at the end, at `close`, behind the ``with`` block, or after an
    error. The span ends behind that. A ``break`` alone closes nothing, and so leaves
    the span open: use ``with``, or call `close`.
    """

    def __init__(
        self, chunks: Iterable[Chunk], *, tracer: Tracer | None, record_text: bool
    ) -> None:
        check_source(chunks, "chunks", "atrace_chunks", Iterable)
        self._record = _Record(tracer, record_text=record_text)
        super().__init__(chunks, None)

    @override
    def _close(self) -> Exception | None:
        try:
            error = super()._close()
        except BaseException as interruption:
            self._record.add_error(interruption)
            self._record.end()
            raise
        self._record.end(error)
        return error


class AsyncTracedChunks(_Tracing, AsyncReading[Chunk]):
    """Iterates over the chunks of an async stream, traces them and closes the stream.

    An async iterator and an async context manager in one, for asyncio and Trio;
    `atrace_chunks` makes it. It is the twin of `TracedChunks`. A task that is being
    cancelled closes the stream, and ends the span, all the same.
    """

    def __init__(
        self,
        chunks: AsyncIterable[Chunk] | Iterable[Chunk],
        *,
        tracer: Tracer | None,
        record_text: bool,
    ) -> None:
        check_source(chunks, "chunks", "atrace_chunks", AsyncIterable, Iterable)
        self._record = _Record(tracer, record_text=record_text)
        super().__init__(chunks, None)

    @override
    async def _fill(self) -> None:
        try:
            await super()._fill()
        except GeneratorExit:
            # This coroutine is thrown away; `aclose` may come too late, or never.
            self._record.end()
            raise

    @override
    async def _close(self) -> Exception | None:
        try:
            error = await super()._close()
        except BaseException as interruption:
            self._record.add_error(interruption)
            self._record.end()
            raise
        self._record.end(error)
        return error
