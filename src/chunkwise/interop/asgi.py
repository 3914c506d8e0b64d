"""Chunks as server-sent events or as lines of JSON, for Starlette and FastAPI."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import deque
from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any

from anyio import CancelScope, Event, create_task_group, move_on_after
from typing_extensions import override

from .._chunk import Chunk, json_facts
from .._closing import SourceCloser
from .._numbers import check_count, check_seconds
from .._quote import quote, shown
from ._needs import needs

with needs("asgi"):
    from starlette.responses import PlainTextResponse, Response

if TYPE_CHECKING:
    from collections.abc import AsyncIterable

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

__all__ = ["ChunkEvents"]


class ChunkEvents:
    """Sends the chunks of one stream to a client, which may come back for the rest.

    Each chunk is a JSON object with its ``text``, ``start``, ``end``, ``index``,
    ``gap``, ``complete`` and ``kind``; and with ``path`` and ``context``, a list of
    texts, where it has them. As a server-sent event it has its index as ``id``, so an
    ``EventSource`` that lost its connection asks for what follows, with the header
    ``Last-Event-ID``; a client of lines of JSON can send that header, too. What was
    sent is kept for that: the last *replay* chunks.

    One client reads at a time, and the stream is read as fast as that client takes the
    chunks. A request while another one is being answered takes over from it, as the
    connection of a client that comes back may not have been missed yet.

    When the client leaves, the stream is closed: at once, or when nobody came back
    within *linger* seconds. The call that answers its first request waits that long,
    and a server that stops waits for the call. It also closes the stream at its end, or
    when it is cancelled itself. One that nobody asks for has to be closed by `aclose`.

    A client that comes back is told what cannot be: status 410 if a chunk that it
    misses is no longer kept, 400 if its ``Last-Event-ID`` is none of this stream.

    Args:
        chunks: The stream, as ``aiter_chunks`` returns it.
        replay: How many chunks are kept behind the last one that was sent; at least 1.
        linger: Seconds that the stream stays open for a client that left; ``None``
            closes it at once.

    Raises:
        TypeError: *chunks* is not async iterable, or another argument has the wrong
            type.
        ValueError: *replay* or *linger* is too small.
    """

    # Plan. The call that answers the first request runs a task that reads the stream,
    # one chunk whenever a client has been sent all that there is. It outlives that
    # client: cancelling a read would close the stream. Each request has a task that
    # sends, and one that waits for its client to leave. All of them wait for one event,
    # which is set and replaced whenever something changed.

    def __init__(
        self,
        chunks: AsyncIterable[Chunk],
        *,
        replay: int = 256,
        linger: float | None = None,
    ) -> None:
        if not hasattr(chunks, "__aiter__"):
            msg = (
                f"chunks must be async iterable, got {shown(chunks)}; aiter_chunks() "
                "returns such a stream"
            )
            raise TypeError(msg)
        check_count("replay", replay, 1)
        check_seconds("linger", linger, or_none=True)
        self._chunks = chunks
        self._replay = replay
        self._linger = linger or 0
        self._kept: deque[Chunk] = deque()
        self._dropped = -1
        self._last: int | None = None
        self._reader: _Answer | None = None
        self._is_read = False
        self._is_wanted = False
        self._is_over = False
        self._is_closed = False
        self._is_whole = False
        self._error: Exception | None = None
        self._changed: Event
        self._reading: CancelScope

    @property
    def over(self) -> bool:
        """Whether the stream has ended or was closed; the kept chunks remain."""
        return self._is_over

    def sse(self, request: Request) -> Response:
        """Return the response that sends server-sent events.

        Chunks are events without a name, which ``EventSource.onmessage`` gets. Behind
        the last one comes an event ``end``, or ``failed`` if the stream broke off; both
        have the data ``{}``. The client closes the ``EventSource`` then; one that comes
        back all the same gets status 204, which tells it to stop.

        Args:
            request: The request to be answered, with ``Last-Event-ID`` or without.
        """
        return _SSE(self, request)

    def ndjson(self, request: Request) -> Response:
        """Return the response that sends a line of JSON for each chunk.

        If the stream breaks off, so does the response, without its proper end.

        Args:
            request: The request to be answered, with ``Last-Event-ID`` or without.
        """
        return _NDJSON(self, request)

    async def aclose(self) -> None:
        """Close the stream now; a client that reads it gets the event ``failed``.

        For an answer that is not wanted any more, or was never asked for. Does nothing
        where the stream is over.
        """
        if not self._is_read:
            self._is_read = self._is_over = self._is_closed = True
            self._changed = Event()
            await SourceCloser(self._chunks).aclose()
        while not self._is_closed:
            self._reading.cancel()
            await self._changed.wait()

    async def _answer(self, answer: _Answer, receive: Receive, send: Send) -> None:
        """Send the chunks; the first call also reads the stream."""
        if self._is_read:
            await self._serve(answer, receive, send)
            return
        self._is_read = True
        self._changed = Event()
        self._reading = CancelScope()
        async with create_task_group() as group:
            group.start_soon(self._read)
            await self._serve(answer, receive, send)
            await self._wait_for_clients()
            group.cancel_scope.cancel()
        if self._error is not None:
            raise self._error

    async def _wait_for_clients(self) -> None:
        """Wait until the stream is over, or has no client for too long."""
        while not self._is_over:
            seconds = self._linger if self._reader is None else inf
            with move_on_after(seconds) as limit:
                await self._changed.wait()
            if limit.cancelled_caught:
                return

    async def _read(self) -> None:
        """Read the stream, a chunk whenever one is wanted, and close it."""
        iterator = None
        with self._reading:
            try:
                try:
                    iterator = aiter(self._chunks)
                    while True:
                        while not self._is_wanted:
                            await self._changed.wait()
                        self._is_wanted = False
                        self._keep(await anext(iterator))
                except StopAsyncIteration:
                    self._is_whole = True
                finally:
                    self._is_over = True
                    await SourceCloser(self._chunks).aclose(iterator)
            except Exception as error:  # noqa: BLE001 - raised behind the answer
                self._error = error
            finally:
                self._is_closed = True
                self._tell()

    def _keep(self, chunk: Chunk) -> None:
        if not isinstance(chunk, Chunk):
            msg = f"the stream gave {shown(chunk)}, expected a Chunk"
            raise TypeError(msg)
        self._kept.append(chunk)
        self._last = chunk.index
        self._drop()
        self._tell()

    def _drop(self) -> None:
        """Drop what is too much, but nothing that the client was not sent."""
        while (
            len(self._kept) > self._replay
            and self._reader is not None
            and self._kept[0].index <= self._reader.after
        ):
            self._dropped = self._kept.popleft().index

    def _tell(self) -> None:
        """Wake all who wait for a change."""
        changed, self._changed = self._changed, Event()
        changed.set()

    async def _serve(self, answer: _Answer, receive: Receive, send: Send) -> None:
        """Be the one who answers a client, until it leaves or another one comes."""

        async def listen() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            answer.scope.cancel()

        async with create_task_group() as group:
            if self._reader is not None:
                self._reader.scope.cancel()
            self._reader = answer
            answer.scope = group.cancel_scope
            self._tell()
            group.start_soon(listen)
            try:
                # Some servers say by an error that nobody listens any more.
                with suppress(OSError):
                    await self._send(answer, send)
            finally:
                if self._reader is answer:
                    self._reader = None
                    self._tell()
            answer.scope.cancel()

    async def _send(self, answer: _Answer, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": answer.status_code,
                "headers": answer.raw_headers,
            }
        )
        while True:
            changed = self._changed
            for chunk in [each for each in self._kept if each.index > answer.after]:
                await send(_body(answer.written(chunk), more=True))
                answer.after = chunk.index
            self._drop()
            if changed is not self._changed:
                continue
            if self._is_over:
                break
            self._is_wanted = True
            self._tell()
            await self._changed.wait()
        end = answer.ending(whole=self._is_whole)
        if end is not None:
            await send(_body(end, more=False))

    def _refusal(self, answer: _Answer) -> Response | None:
        """Return what is answered where the chunks asked for cannot be sent."""
        after = answer.after
        # Where nothing was read, the stream may be the rest of an earlier one.
        latest = inf if self._last is None else self._last
        if self._is_over and after == answer.end_id(self._last):
            return Response(status_code=204)
        if after > latest or after < -1:
            limit = "" if self._last is None else f" up to {self._last}"
            msg = f"Last-Event-ID is {quote(answer.asked)}, expected a number{limit}"
            return PlainTextResponse(msg, 400)
        if after < self._dropped:
            msg = (
                f"chunk {after + 1} is not kept any more, expected Last-Event-ID to be "
                f"at least {self._dropped}"
            )
            return PlainTextResponse(msg, 410)
        return None


class _Answer(Response, ABC):
    """Chunks from some place on, in a form.

    Attributes:
        asked: The ``Last-Event-ID`` of the client, or ``""``.
        after: The index of the last chunk that the client has; -1 if it has none.
        scope: Ends the sending.
    """

    scope: CancelScope

    def __init__(self, events: ChunkEvents, request: Request) -> None:
        super().__init__(headers={"cache-control": "no-store", **_UNBUFFERED})
        del self.headers["content-length"]
        self._events = events
        self.asked = request.headers.get("last-event-id", "")
        is_number = self.asked.isascii() and self.asked.isdecimal()
        # Nobody has as many chunks as a number of 19 digits says.
        self.after = int(self.asked[:19]) if is_number else -2 if self.asked else -1

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        events = self._events
        refusal = events._refusal(self)  # noqa: SLF001 - one idea in two classes
        if refusal is not None:
            await refusal(scope, receive, send)
        else:
            await events._answer(self, receive, send)  # noqa: SLF001 - as above
        if self.background is not None:
            await self.background()

    @abstractmethod
    def written(self, chunk: Chunk) -> bytes:
        """Return a chunk as it is sent."""

    @abstractmethod
    def ending(self, *, whole: bool) -> bytes | None:
        """Return what is sent behind the last chunk.

        Args:
            whole: Whether the stream came to its end.

        Returns:
            ``None`` where the response has to break off.
        """

    @abstractmethod
    def end_id(self, last: int | None) -> int | None:
        """Return the ``Last-Event-ID`` of who has it all, if there is one.

        Args:
            last: The index of the last chunk.
        """


class _SSE(_Answer):
    media_type = "text/event-stream"

    @override
    def written(self, chunk: Chunk) -> bytes:
        return f"id: {chunk.index}\ndata: {_json(chunk)}\n\n".encode()

    @override
    def ending(self, *, whole: bool) -> bytes:
        # Without data it would be no event. Its id tells who got it from who did not.
        name = "end" if whole else "failed"
        return f"id: {self.after + 1}\nevent: {name}\ndata: {{}}\n\n".encode()

    @override
    def end_id(self, last: int | None) -> int:
        return 0 if last is None else last + 1


class _NDJSON(_Answer):
    media_type = "application/x-ndjson"

    @override
    def written(self, chunk: Chunk) -> bytes:
        return f"{_json(chunk)}\n".encode()

    @override
    def ending(self, *, whole: bool) -> bytes | None:
        return b"" if whole else None

    @override
    def end_id(self, last: int | None) -> None:
        return None


_UNBUFFERED = {"x-accel-buffering": "no"}
"""Tells nginx to pass on each chunk as it comes."""


def _body(part: bytes, *, more: bool) -> dict[str, Any]:
    return {"type": "http.response.body", "body": part, "more_body": more}


def _json(chunk: Chunk) -> str:
    """Return a chunk as JSON, in ASCII: a surrogate has no form in UTF-8."""
    facts = json_facts(chunk)
    if chunk.path is not None:
        facts["path"] = chunk.path
    if chunk.context:
        facts["context"] = list(chunk.context)
    return json.dumps(facts, separators=(",", ":"))
