"""Chunks as server-sent events and lines of JSON; clients that leave and return."""

from __future__ import annotations

import importlib
import json
import sys
import threading
from typing import TYPE_CHECKING, Any

import anyio
import httpx
import pytest
from anyio.lowlevel import checkpoint
from starlette.applications import Starlette
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.routing import Route

from chunkwise import Chunk, Chunker, aiter_chunks
from chunkwise.interop.asgi import ChunkEvents
from tests.interop.serving import served

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.responses import Response

pytestmark = pytest.mark.anyio

TEXT = "One. Two. Three. Four. Five. "
WAIT = 20
"""Seconds after which a test that hangs fails."""


class Deltas:
    """A stream of deltas that waits where it is told to, and knows when it is closed.

    A delta that is an event waits for it, one that is an error is raised.
    """

    def __init__(self, *deltas: str | anyio.Event | Exception) -> None:
        self._deltas = iter(deltas)
        self.closed = 0
        self.given = 0

    def __aiter__(self) -> Deltas:
        return self

    async def __anext__(self) -> str:
        await checkpoint()
        for delta in self._deltas:
            if isinstance(delta, Exception):
                raise delta
            if isinstance(delta, str):
                self.given += 1
                return delta
            await delta.wait()
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Close it, which takes a moment."""
        await checkpoint()
        self.closed += 1


def events_of(*deltas: str | anyio.Event | Exception, **options: Any) -> Any:
    """Return the events of sentences, and the stream of deltas behind them."""
    source = Deltas(*deltas)
    return ChunkEvents(aiter_chunks(source, "sentence"), **options), source


class Client:
    """Asks once, as a server does for a client, which may leave behind some parts.

    Attributes:
        status: What was answered.
        headers: The headers of the answer.
        parts: What came, part by part.
        whole: Whether the answer came to its end.
    """

    def __init__(
        self,
        answer: Callable[[Request], Response],
        *,
        last: str | None = None,
        leaves_after: int = -1,
        by_error: bool = False,
    ) -> None:
        headers = [] if last is None else [(b"last-event-id", last.encode())]
        self._scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}
        self._answer = answer
        self._leaves_after = leaves_after
        self._by_error = by_error
        self._has_asked = False
        self._gone = anyio.Event()
        self._came = anyio.Event()
        self.status = 0
        self.headers: dict[str, str] = {}
        self.parts: list[str] = []
        self.whole = False
        self.error: Exception | None = None

    async def run(self) -> Client:
        """Ask, and take what comes."""
        try:
            response = self._answer(Request(self._scope))
            await response(self._scope, self._receive, self._send)
        except Exception as error:  # noqa: BLE001 - a server would log it
            self.error = error
        return self

    async def has(self, count: int) -> None:
        """Wait for so many parts."""
        while len(self.parts) < count:
            self._came = anyio.Event()
            await self._came.wait()

    def leave(self) -> None:
        """Go away."""
        self._gone.set()

    def indexes(self) -> list[int]:
        """Return which chunks came, by their JSON."""
        found = [part.partition("data: ")[2] or part for part in self.parts]
        return [json.loads(each)["index"] for each in found if each.strip() != "{}"]

    async def _receive(self) -> dict[str, Any]:
        if not self._has_asked:
            self._has_asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await checkpoint()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            pairs = [
                (name.decode(), value.decode()) for name, value in message["headers"]
            ]
            self.headers = dict(pairs)
            return
        if message["body"]:
            self.parts.append(message["body"].decode())
            self._came.set()
        self.whole = not message.get("more_body", False)
        if len(self.parts) == self._leaves_after:
            self.leave()
            if self._by_error:
                raise OSError(self._leaves_after)


async def ask(answer: Callable[[Request], Response], **options: Any) -> Client:
    with anyio.fail_after(WAIT):
        return await Client(answer, **options).run()


async def test_chunks_become_server_sent_events() -> None:
    events, source = events_of("One. T", 'wo "\n', "2\u2028. ")
    client = await ask(events.sse)
    first, second, end = client.parts
    assert first == (
        'id: 0\ndata: {"text":"One.","start":0,"end":4,"index":0,"gap":"",'
        '"complete":true,"kind":"sentence"}\n\n'
    )
    assert second == (
        'id: 1\ndata: {"text":"Two \\"\\n2\\u2028.","start":5,"end":14,"index":1,'
        '"gap":" ","complete":true,"kind":"sentence"}\n\n'
    )
    assert end == "id: 2\nevent: end\ndata: {}\n\n"
    assert client.whole
    assert client.status == 200
    assert client.headers == {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
    }
    assert events.over
    assert source.closed == 1


async def test_chunks_become_lines_of_json() -> None:
    events, source = events_of("One. Two")
    client = await ask(events.ndjson)
    assert [json.loads(part)["text"] for part in client.parts] == ["One.", "Two"]
    assert all(part.endswith("}\n") for part in client.parts)
    assert client.whole
    assert client.headers["content-type"] == "application/x-ndjson"
    assert source.closed == 1


async def test_a_chunk_is_written_with_its_path_and_context() -> None:
    items = ChunkEvents(aiter_chunks(['["a", "\ud83d"]'], "json"))
    client = await ask(items.ndjson)
    assert [json.loads(part)["path"] for part in client.parts] == ["$[0]", "$[1]"]
    assert json.loads(client.parts[1])["text"] == '"\ud83d"'
    blocks = ChunkEvents(aiter_chunks(["# A\n\nB.\n"], "markdown"))
    client = await ask(blocks.ndjson)
    assert json.loads(client.parts[1])["context"] == ["# A"]


async def test_a_chunk_is_sent_before_the_next_one_is_read() -> None:
    gate = anyio.Event()
    events, source = events_of("One. T", gate, "wo. Th", "ree")
    client = Client(events.sse)
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(client.run)
            await client.has(1)
            assert (client.indexes(), source.given) == ([0], 1)
            gate.set()
    assert client.indexes() == [0, 1, 2]


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.asgi")
    monkeypatch.setitem(sys.modules, "starlette.responses", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[asgi\]"'):
        importlib.import_module("chunkwise.interop.asgi")


@pytest.mark.parametrize("by_error", [False, True])
@pytest.mark.parametrize("form", ["sse", "ndjson"])
async def test_a_client_that_leaves_closes_the_stream(
    form: str,
    by_error: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    events, source = events_of("One. T", anyio.Event())
    client = await ask(getattr(events, form), leaves_after=1, by_error=by_error)
    assert client.indexes() == [0]
    assert not client.whole
    assert client.error is None
    assert source.closed == 1
    assert events.over


async def test_who_comes_back_too_late_gets_what_was_read_and_hears_of_the_break() -> (
    None
):
    events, _ = events_of("One. Two. Th", anyio.Event())
    await ask(events.sse, leaves_after=2)
    client = await ask(events.sse, last="0")
    assert client.indexes() == [1]
    assert client.parts[-1] == "id: 2\nevent: failed\ndata: {}\n\n"
    client = await ask(events.ndjson, last="0")
    assert (client.indexes(), client.whole) == ([1], False)


async def test_who_has_it_all_is_told_to_stop() -> None:
    events, _ = events_of(TEXT)
    await ask(events.sse)
    client = await ask(events.sse, last="4")
    assert client.parts == ["id: 5\nevent: end\ndata: {}\n\n"]
    assert (await ask(events.sse, last="5")).status == 204
    client = await ask(events.ndjson, last="4")
    assert (client.status, client.parts, client.whole) == (200, [], True)


async def test_a_stream_without_a_chunk_ends_as_well() -> None:
    events, source = events_of("")
    client = await ask(events.sse)
    assert client.parts == ["id: 0\nevent: end\ndata: {}\n\n"]
    assert (await ask(events.sse, last="0")).status == 204
    assert source.closed == 1


async def test_who_comes_back_in_time_gets_the_rest() -> None:
    gate = anyio.Event()
    events, source = events_of("One. Two. Th", gate, "ree. Four. ", linger=WAIT)
    first, second = Client(events.sse, leaves_after=2), Client(events.sse, last="0")
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(first.run)
            await first.has(2)
            group.start_soon(second.run)
            await second.has(1)
            assert not events.over
            gate.set()
    assert first.indexes() == [0, 1]
    assert second.indexes() == [1, 2, 3]
    assert second.parts[-1] == "id: 4\nevent: end\ndata: {}\n\n"
    assert source.closed == 1


async def test_nobody_is_waited_for_longer_than_that() -> None:
    events, source = events_of("One. T", anyio.Event(), linger=0.01)
    await ask(events.sse, leaves_after=1)
    assert events.over
    assert source.closed == 1


async def test_a_second_client_takes_over() -> None:
    """A connection that broke may look alive, and its client is back already."""
    gate = anyio.Event()
    events, source = events_of("One. Two. Th", gate, "ree. ")
    first, second = Client(events.sse), Client(events.sse, last="0")
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(first.run)
            await first.has(2)
            group.start_soon(second.run)
            await second.has(1)
            gate.set()
    assert (first.indexes(), first.whole) == ([0, 1], False)
    assert (second.indexes(), second.whole) == ([1, 2], True)
    assert source.closed == 1


async def test_who_took_over_and_leaves_closes_the_stream() -> None:
    events, source = events_of("One. Two. Th", anyio.Event())
    first, second = Client(events.sse), Client(events.sse, leaves_after=2)
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(first.run)
            await first.has(2)
            group.start_soon(second.run)
    assert second.indexes() == [0, 1]
    assert source.closed == 1


async def test_a_connection_that_is_stuck_holds_nobody_up() -> None:
    """Its server finds out that it broke when the new one has got everything."""
    broken = anyio.Event()

    class Stuck(Client):
        async def _send(self, message: Any) -> None:
            await super()._send(message)
            if len(self.parts) == 2:
                with anyio.CancelScope(shield=True):
                    await broken.wait()
                raise OSError

    events, source = events_of("One. Two. Three. ")
    first, second = Stuck(events.sse), Client(events.sse, last="0")
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(first.run)
            await first.has(2)
            await second.run()
            broken.set()
    assert (first.indexes(), first.error) == ([0, 1], None)
    assert (second.indexes(), second.whole) == ([1, 2], True)
    assert source.closed == 1


async def test_no_more_is_kept_than_was_asked_for() -> None:
    events, _ = events_of(TEXT, replay=2)
    assert (await ask(events.sse)).indexes() == [0, 1, 2, 3, 4]
    client = await ask(events.sse, last="2")
    assert client.indexes() == [3, 4]
    for last in (None, "1"):
        client = await ask(events.sse, last=last)
        assert client.status == 410
        assert (
            "not kept any more, expected Last-Event-ID to be at least 2"
            in (client.parts[0])
        )


async def test_what_was_not_sent_yet_is_kept_whatever_the_limit() -> None:
    """Who takes over may be behind, and another chunk is read while it catches up."""
    gate = anyio.Event()
    events, _ = events_of("One. Two. Th", gate, "ree. Four. Five. ", replay=2)
    first, second = Client(events.sse), Client(events.sse)
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(first.run)
            await first.has(2)
            gate.set()
            await second.run()
    assert second.indexes() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("last", ["x", "-1", "1.5", "\u00b2", "9" * 400, "6"])
async def test_an_id_that_is_none_of_the_stream_is_refused(last: str) -> None:
    events, _ = events_of(TEXT)
    await ask(events.sse)
    for answer in (events.sse, events.ndjson):
        client = await ask(answer, last=last)
        assert client.status == 400
        assert client.parts[0].endswith("expected a number up to 4")


async def test_before_anything_was_read_any_number_may_be_the_last() -> None:
    events, source = events_of(TEXT)
    client = await ask(events.sse, last="x")
    assert (client.status, source.given) == (400, 0)
    assert client.parts[0] == "Last-Event-ID is 'x', expected a number"
    assert (await ask(events.sse, last="2")).indexes() == [3, 4]


async def test_the_rest_of_a_stream_has_the_numbers_of_the_whole() -> None:
    """A stream that another process began, and whose client comes here."""

    async def rest() -> AsyncIterator[Chunk]:
        chunker = Chunker("sentence")
        begun = chunker.feed("One. Two. Th")
        assert len(begun) == 2
        for chunk in chunker.feed("ree. Four. ") + chunker.flush():
            yield chunk

    events = ChunkEvents(rest())
    assert (await ask(events.sse, last="1")).indexes() == [2, 3]


async def test_an_error_of_the_stream_is_raised_and_the_client_hears_of_it() -> None:
    events, source = events_of("One. Tw", ArithmeticError("secret"))
    client = await ask(events.sse)
    assert client.indexes() == [0]
    assert client.parts[-1] == "id: 1\nevent: failed\ndata: {}\n\n"
    assert "secret" not in "".join(client.parts)
    assert isinstance(client.error, ArithmeticError)
    assert source.closed == 1
    again = await ask(events.sse, last="0")
    assert (again.parts, again.error) == (client.parts[-1:], None)


async def test_lines_break_off_where_the_stream_does() -> None:
    events, _ = events_of("One. Tw", ArithmeticError())
    client = await ask(events.ndjson)
    assert (client.indexes(), client.whole) == ([0], False)
    assert isinstance(client.error, ArithmeticError)


async def test_an_error_of_the_close_comes_behind_a_whole_answer() -> None:
    class Failing(Deltas):
        async def aclose(self) -> None:
            raise ArithmeticError

    events = ChunkEvents(aiter_chunks(Failing("One. "), "sentence"))
    client = await ask(events.sse)
    assert client.indexes() == [0]
    assert isinstance(client.error, ArithmeticError)


async def test_what_is_no_chunk_is_refused() -> None:
    events = ChunkEvents(Deltas("One. "))  # type: ignore[arg-type]  # what it must not be
    client = await ask(events.sse)
    assert isinstance(client.error, TypeError)
    assert str(client.error) == "the stream gave 'One. ', expected a Chunk"


async def test_a_server_that_stops_closes_the_stream() -> None:
    events, source = events_of("One. T", anyio.Event(), linger=60)
    client = Client(events.sse)
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(client.run)
            await client.has(1)
            group.cancel_scope.cancel()
    assert source.closed == 1
    assert events.over


async def test_a_stream_that_is_not_wanted_any_more_can_be_closed() -> None:
    events, source = events_of("One. T", anyio.Event(), linger=60)
    client = Client(events.sse)
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:
            group.start_soon(client.run)
            await client.has(1)
            await events.aclose()
            assert source.closed == 1
    assert client.parts[-1] == "id: 1\nevent: failed\ndata: {}\n\n"
    assert client.error is None
    await events.aclose()
    assert source.closed == 1


async def test_a_stream_that_was_never_asked_for_can_be_closed() -> None:
    events, source = events_of("One. ")
    assert (await ask(events.sse, last="x")).status == 400
    assert source.closed == 0
    await events.aclose()
    assert (source.closed, source.given, events.over) == (1, 0, True)
    client = await ask(events.sse)
    assert client.parts == ["id: 0\nevent: failed\ndata: {}\n\n"]


async def test_a_stream_can_be_closed_before_its_first_read() -> None:
    events, source = events_of("One. ")
    client = Client(events.sse)
    with anyio.fail_after(WAIT):
        async with anyio.create_task_group() as group:

            async def close() -> None:
                await events.aclose()

            group.start_soon(client.run)
            group.start_soon(close)
    assert source.closed == 1
    assert client.parts[-1].startswith("id: ")


async def test_tasks_in_the_background_run_behind_the_answer() -> None:
    done: list[int] = []
    events, _ = events_of("One. ")

    def answer(request: Request) -> Response:
        response: Response = events.sse(request)
        response.background = BackgroundTask(done.append, 1)
        return response

    client = await ask(answer)
    assert (client.whole, done) == (True, [1])


def test_wrong_arguments_are_refused() -> None:
    chunks = aiter_chunks([], "word")
    with pytest.raises(TypeError, match=r"async iterable, got \[\]; aiter_chunks\(\)"):
        ChunkEvents([])  # type: ignore[arg-type]  # what it must not be
    with pytest.raises(ValueError, match="replay must be an int of at least 1"):
        ChunkEvents(chunks, replay=0)
    with pytest.raises(ValueError, match="linger must be above 0 seconds"):
        ChunkEvents(chunks, linger=0)


def application(*deltas: str | anyio.Event | Exception) -> tuple[Starlette, Deltas]:
    """Return an application whose answer goes on for a client that comes back."""
    source = Deltas(*deltas)
    answers: dict[str, ChunkEvents] = {}

    async def answer(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in answers:
            chunks = aiter_chunks(source, "sentence")
            answers[name] = ChunkEvents(chunks, linger=WAIT)
        return answers[name].sse(request)

    return Starlette(routes=[Route("/{name}", answer)]), source


async def test_an_application_answers() -> None:
    app, source = application(*TEXT)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://a") as client:
        response = await client.get("/a")
        assert response.status_code == 200
        assert response.text.count("data: {") == 6
        response = await client.get("/a", headers={"Last-Event-ID": "3"})
    assert response.text.startswith("id: 4\n")
    assert source.closed == 1


def test_a_real_server_goes_on_for_a_client_that_comes_back() -> None:
    app, source = application(*TEXT)
    with served(app) as url, httpx.Client(base_url=url, timeout=WAIT) as client:
        with client.stream("GET", "/a") as response:
            lines = response.iter_lines()
            assert next(lines) == "id: 0"
        headers = {"Last-Event-ID": "0"}
        text = client.get("/a", headers=headers).text
        assert [text.count(f"id: {number}\n") for number in range(6)] == [0, *[1] * 5]
        assert text.endswith("id: 5\nevent: end\ndata: {}\n\n")
        assert client.get("/a", headers={"Last-Event-ID": "5"}).status_code == 204
    assert source.closed == 1


def test_a_real_server_closes_the_stream_of_a_client_that_left() -> None:
    closed = threading.Event()

    class Endless(Deltas):
        async def __anext__(self) -> str:
            await checkpoint()
            return "One. "

        async def aclose(self) -> None:
            closed.set()

    async def answer(request: Request) -> Response:
        return ChunkEvents(aiter_chunks(Endless(), "sentence")).ndjson(request)

    app = Starlette(routes=[Route("/", answer)])
    with served(app) as url, httpx.stream("GET", url, timeout=WAIT) as response:
        assert json.loads(next(response.iter_lines()))["text"] == "One."
        response.close()
        assert closed.wait(WAIT)
