"""A page reads chunks with an EventSource, whose connection may break.

The server is real, and so is what the browser does: it asks again some seconds later,
with the id of the last event that it got.
"""

from __future__ import annotations

import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from chunkwise import aiter_chunks, iter_chunks
from chunkwise._chunk import json_facts
from chunkwise.interop.asgi import ChunkEvents
from tests.browser.relay import relayed
from tests.interop.serving import served
from tests.test_docs import IN_PAGES, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

WAIT = 20
"""Seconds after which a test that hangs fails; a browser asks again after three."""

SCRIPT = """
const came = [];
const said = [];
const source = new EventSource("/answer");
source.onmessage = (event) => {
  came.push({ ...JSON.parse(event.data), id: event.lastEventId });
};
source.onerror = () => {
  said.push(source.readyState === EventSource.CLOSED ? "given up" : "lost");
};
for (const name of ["end", "failed"]) {
  source.addEventListener(name, () => {
    said.push(name);
    if (!location.search) source.close();
  });
}
"""
"""Notes all chunks and whatever else happens; closes at the end, without ``?open``."""


def page_with(script: str) -> HTMLResponse:
    return HTMLResponse(
        f"<!doctype html><title>Answer</title><script>{script}</script>"
    )


class Deltas:
    """A stream of deltas that waits for another thread, and knows when it is closed.

    A delta that is an event waits for it.
    """

    def __init__(self, *deltas: str | threading.Event) -> None:
        self._deltas = iter(deltas)
        self.closes = 0
        self.closed = threading.Event()

    def __aiter__(self) -> Deltas:
        return self

    async def __anext__(self) -> str:
        for delta in self._deltas:
            if isinstance(delta, str):
                return delta
            await anyio.to_thread.run_sync(delta.wait, WAIT, abandon_on_cancel=True)
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Close it."""
        self.closes += 1
        self.closed.set()


class Answer:
    """An application with one answer, and a page that shows it.

    Attributes:
        app: The application.
        asked: What each request for the answer had as ``Last-Event-ID``.
    """

    def __init__(self, deltas: Deltas, **options: Any) -> None:
        self._events = ChunkEvents(aiter_chunks(deltas, "sentence"), **options)
        self.asked: list[str | None] = []
        self.app = Starlette(
            routes=[
                Route("/", self._page),
                Route("/answer", self._answer),
                Route("/answer", self._forget, methods=["DELETE"]),
            ]
        )

    async def _page(self, _: Request) -> Response:
        return page_with(SCRIPT)

    async def _answer(self, request: Request) -> Response:
        self.asked.append(request.headers.get("last-event-id"))
        return self._events.sse(request)

    async def _forget(self, _: Request) -> Response:
        await self._events.aclose()
        return Response(status_code=204)


@contextmanager
def opened(browser: Any, url: str) -> Iterator[Any]:
    """Open a page; it has to be closed before its server can stop."""
    page = browser.new_page()
    page.set_default_timeout(WAIT * 1_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    try:
        page.goto(url)
        yield page
    finally:
        page.close()
    assert errors == []


def texts(page: Any) -> list[str]:
    found: list[str] = page.evaluate("came.map((chunk) => chunk.text)")
    return found


def test_the_chunks_and_their_facts_reach_the_page(browser: Any) -> None:
    sliced = ['It is "on".\nThe \U0001f600 is sl', "ow\u2028. No\u0301w w", "ait. Bye"]
    deltas = Deltas(*sliced)
    answer = Answer(deltas)
    with served(answer.app) as url, opened(browser, url) as page:
        page.wait_for_function("said.includes('end')")
        expected = [
            {**json_facts(chunk), "id": str(chunk.index)}
            for chunk in iter_chunks(sliced, "sentence")
        ]
        assert page.evaluate("came") == expected
        assert len(expected) == 4
        assert page.evaluate("said") == ["end"]
        assert page.evaluate("source.readyState") == 2
    assert answer.asked == [None]
    assert deltas.closes == 1


def test_a_lost_connection_goes_on_where_it_stopped(browser: Any) -> None:
    """One chunk was sent and never came: it is the one that is kept."""
    lost, back = threading.Event(), threading.Event()
    deltas = Deltas("One. Two. Th", lost, "ree. Fo", back, "ur. Five. ")
    answer = Answer(deltas, replay=1, linger=WAIT)
    with (
        served(answer.app) as url,
        relayed(url) as relay,
        opened(browser, relay.url) as page,
    ):
        page.wait_for_function("came.length === 2")
        relay.swallow()
        lost.set()
        assert relay.has_swallowed(b"id: 2\n", WAIT)
        relay.cut()
        page.wait_for_function("said.length === 1")
        assert (texts(page), page.evaluate("said")) == (["One.", "Two."], ["lost"])
        page.wait_for_function("came.length === 3")
        assert (answer.asked, deltas.closes) == ([None, "1"], 0)
        back.set()
        page.wait_for_function("said.includes('end')")
        assert texts(page) == ["One.", "Two.", "Three.", "Four.", "Five."]
        assert page.evaluate("came.map((chunk) => chunk.id)") == list("01234")
        assert page.evaluate("said") == ["lost", "end"]
    assert deltas.closes == 1


def test_a_page_gives_up_where_a_chunk_is_not_kept_any_more(browser: Any) -> None:
    lost, back = threading.Event(), threading.Event()
    deltas = Deltas("One. Tw", lost, "o. Three. Fo", back)
    answer = Answer(deltas, replay=1, linger=WAIT)
    with (
        served(answer.app) as url,
        relayed(url) as relay,
        opened(browser, relay.url) as page,
    ):
        page.wait_for_function("came.length === 1")
        relay.swallow()
        lost.set()
        assert relay.has_swallowed(b"id: 2\n", WAIT)
        relay.cut()
        page.wait_for_function("said.length === 2")
        assert page.evaluate("said") == ["lost", "given up"]
        assert (texts(page), answer.asked) == (["One."], [None, "0"])
        assert deltas.closes == 0
        page.evaluate("fetch('/answer', { method: 'DELETE' })")
        assert deltas.closed.wait(WAIT)
        back.set()
    assert deltas.closes == 1


def test_a_page_that_forgets_to_close_is_told_to_stop(browser: Any) -> None:
    deltas = Deltas("One. Two. ")
    answer = Answer(deltas)
    with served(answer.app) as url, opened(browser, f"{url}/?open") as page:
        page.wait_for_function("said.includes('given up')")
        assert page.evaluate("said") == ["end", "lost", "given up"]
        assert texts(page) == ["One.", "Two."]
    assert answer.asked == [None, "2"]
    assert deltas.closes == 1


@pytest.mark.parametrize("way", ["close", "navigation", "page"])
def test_a_page_that_is_left_closes_the_stream(browser: Any, way: str) -> None:
    gate = threading.Event()
    deltas = Deltas("One. T", gate, "wo. ")
    answer = Answer(deltas)
    with served(answer.app) as url, opened(browser, url) as page:
        page.wait_for_function("came.length === 1")
        assert deltas.closes == 0
        if way == "close":
            page.evaluate("source.close()")
        elif way == "navigation":
            page.goto("about:blank")
        else:
            page.close()
        assert deltas.closed.wait(WAIT)
        gate.set()
    assert deltas.closes == 1
    assert answer.asked == [None]


def test_the_script_of_the_guide_runs_with_its_application(browser: Any) -> None:
    guide = ROOT / "docs/howto/send-chunks-to-a-browser.md"
    document = IN_PAGES.parse(guide)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        example.evaluate()
        if "open_answer" in document.namespace:
            break
    found = re.search(
        r"^```text\n(const source(?s:.*?))^```$", document.text, re.MULTILINE
    )
    assert found
    script = f"const shown = []; const show = (text) => shown.push(text);\n{found[1]}"

    async def page_of_guide(_: Request) -> Response:
        return page_with(script)

    app = document.namespace["app"]
    app.router.routes.append(Route("/", page_of_guide))
    with served(app) as url, opened(browser, url) as page:
        page.wait_for_function("source.readyState === EventSource.CLOSED")
        assert page.evaluate("shown") == ["It is late.", "Go home."]
