"""A headless Chromium, and pages opened in it."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise.viewer import render

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A browser that all tests share."""
    playwright: Any = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium; `nox -s browser` installs it where apt-get can")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Return a function that shows what ``render`` makes, or a page as it is.

    A test fails if the page's script raises, writes to the console, which a breach of
    its policy does, too, or asks for anything but the page itself.
    """
    troubles: list[str] = []
    contexts = []

    def open_(
        source: Any, by: Any = "sentence", *, title: str = "Chunks", **options: Any
    ) -> Any:
        options.setdefault("viewport", {"width": 1200, "height": 700})
        options.setdefault("reduced_motion", "reduce")
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: troubles.append(message.text))
        page.on("dialog", lambda dialog: troubles.append(dialog.message))
        file = tmp_path / f"{len(contexts)}.html"
        file.write_bytes(render(source, by, title=title).encode())
        own = file.as_uri()

        def note(request: Any) -> None:
            if request.url != own:
                troubles.append(request.url)

        page.on("request", note)
        page.goto(own)
        page.locator("#facts:not(:empty)").wait_for()
        return page

    yield open_
    for context in contexts:
        context.close()
    assert troubles == []
