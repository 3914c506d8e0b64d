"""From a provider's stream to server-sent events, on both event loops.

The application is that of ``docs/howto/serve-a-guarded-stream.md``.
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route

from chunkwise.validation import Check, Rejected, forbid, max_length, validate

from .streams import WAIT, Source, passing

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request

pytestmark = pytest.mark.anyio

CHECKS = [forbid(r"\b\d{4}\b", name="pin"), max_length(200), Check(passing, timeout=20)]
GOOD = ["It is la", "te. Go ho", "me."]
BAD = ["You asked f", "or it. The pin is 12", "34, as ever. ", "Do not", " tell."]


async def guarded(answer: Source) -> AsyncIterator[str]:
    """Yield events: texts that passed, then the end or an error."""
    async with validate(answer, *CHECKS) as stream:
        try:
            async for text in stream.texts():
                yield f"data: {json.dumps(text)}\n\n"
        except Rejected as error:
            yield f"event: error\ndata: {json.dumps(error.reason)}\n\n"
        else:
            yield "event: done\n\n"


class Client:
    """Speaks to an application as a server does; may go away behind some events."""

    def __init__(self, leaves_after: int | None = None) -> None:
        self._leaves_after = leaves_after
        self._gone = anyio.Event()
        self.events: list[str] = []
        self.ended = False

    async def get(self, answer: Source) -> None:
        """Ask once, and keep the events."""

        async def endpoint(request: Request) -> StreamingResponse:
            del request
            return StreamingResponse(guarded(answer), media_type="text/event-stream")

        app = Starlette(routes=[Route("/", endpoint)])
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "GET",
            "path": "/",
            "raw_path": b"/",
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "headers": [],
        }
        with suppress(OSError):
            await app(scope, self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await anyio.lowlevel.checkpoint()
        if message["type"] == "http.response.body":
            if message["body"]:
                self.events.append(message["body"].decode().strip())
            self.ended = not message.get("more_body", False)
            if len(self.events) == self._leaves_after:
                self._gone.set()


async def test_sentences_that_passed_arrive_one_by_one() -> None:
    client, source = Client(), Source(*GOOD)
    await client.get(source)
    assert client.events == ['data: "It is late."', 'data: " Go home."', "event: done"]
    assert client.ended
    source.check()


async def test_a_violation_ends_the_stream_and_closes_the_provider() -> None:
    client, source = Client(), Source(*BAD, WAIT)
    await client.get(source)
    assert client.events == [
        'data: "You asked for it."',
        "event: error\ndata: \"pin: found '1234' at stream offset 29\"",
    ]
    assert client.ended
    assert source.given < len(BAD)
    source.check()


async def test_a_client_that_goes_away_closes_the_provider() -> None:
    client, source = Client(leaves_after=1), Source("One. Two", WAIT)
    with anyio.fail_after(20):
        await client.get(source)
    assert client.events == ['data: "One."']
    assert source.closed == 1
    assert source.finished_close
