"""Text is data: none of it becomes markup, runs, or reaches beyond its place."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise.viewer import Recording, view

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

HOSTILE = (
    "</script><script>alert(1)</script> <!--<script> "
    "<img src=x onerror=alert(1)> <svg/onload=alert(1)> <style>*{display:none}</style>"
    "\n</title></textarea><base href='https://example.invalid/'>"
    "<iframe src=//example.invalid></iframe>"
    '"\'><a href="javascript:alert(1)">a</a> &lt;b&gt; {{script}} ${alert(1)}\n\n'
    "\u202egnorw si redro eht\u2066 \u2067 \u200f\n"
    "NUL \x00 ESC \x1b DEL \x7f CSI \x9b BOM \ufeff LS \u2028 PS \u2029 \ufffe\r"
    "half \ud83d and \ude00 and \ud83d\ude00 and 😀."
)
HEADING = f"# {HOSTILE.splitlines()[0]}\n\nUnder it.\n"


@pytest.mark.parametrize("by", ["sentence", "word", "line", "markdown"])
def test_hostile_text_is_shown_as_it_is(open_page: Callable[..., Any], by: str) -> None:
    deltas = [HOSTILE[at : at + 7] for at in range(0, len(HOSTILE), 7)]
    page = open_page(Recording(deltas), by, title=HOSTILE)
    written = "".join(
        "\ufffd" if 0xD800 <= ord(sign) < 0xE000 else sign for sign in HOSTILE
    )
    assert page.locator("#rows .text").text_content() == written
    assert page.locator("#title").text_content() == written
    assert (
        page.evaluate("document.querySelectorAll('#rows *:not(div, span)').length") == 0
    )
    assert page.locator("script").count() == 2
    chunks = page.locator(".chunk")
    for at in range(chunks.count()):
        chunks.nth(at).dispatch_event("mouseover")
    place = page.get_by_label("Place in the replay")
    for step in range(0, len(deltas), 5):
        place.fill(str(step))


def test_hostile_context_is_text_as_well(open_page: Callable[..., Any]) -> None:
    page = open_page(HEADING, "markdown")
    page.get_by_text("Under it.").hover()
    assert page.locator("#chunk blockquote").text_content() == HEADING.split("\n", 1)[0]
    assert page.locator("#chunk img, #chunk script").count() == 0


def test_what_nobody_could_see_has_a_sign(open_page: Callable[..., Any]) -> None:
    page = open_page("a\u202eb\x00c\ud800d\re\r\nf", "line")
    signs = page.locator(".sign").evaluate_all("all => all.map(el => el.dataset.sign)")
    assert signs == ["U+202E", "U+0000", "U+FFFD", "U+000D"]


HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2064"
    "\u2065\u206a\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\U0001d173\U000e0001\U000e0069"
    "\U000e007f\U000e0100\U000e01ef\U000e0fff\u200b\u200b"
)
"""Code points that take no room: hyphens, joiners, fillers, marks, tags, selectors."""


@pytest.mark.parametrize("by", ["word", "fixed_size", "line"])
def test_what_takes_no_room_has_a_sign(open_page: Callable[..., Any], by: str) -> None:
    strategy = {"type": by, "size": 3} if by == "fixed_size" else by
    text = "".join(f"a{sign}b " for sign in HIDDEN) + "\n"
    page = open_page(text, strategy)
    signs = page.locator(".sign").evaluate_all("all => all.map(el => el.dataset.sign)")
    assert signs == [f"U+{ord(sign):04X}" for sign in HIDDEN]
    assert page.locator("#rows .text").text_content() == text


def test_what_takes_no_room_has_a_sign_in_gaps_and_in_facts(
    open_page: Callable[..., Any],
) -> None:
    text = "# One\u200b\n\nTwo\u2028\ufeff\x0b3.\n\n4."
    words = {"type": "regex", "pattern": r"\w+"}
    page = open_page(Recording([text]), [words, "markdown"])
    for column in (2, 3):
        signs = page.locator(f"#rows .text:nth-child({column}) .sign").evaluate_all(
            "all => all.map(el => el.dataset.sign)"
        )
        assert signs == ["U+200B", "U+2028", "U+FEFF", "U+000B"]
    page.locator("#rows .chunk").last.hover()
    context = page.locator("#chunk blockquote")
    assert context.text_content() == "# One\u200b"
    assert context.locator(".sign").get_attribute("data-sign") == "U+200B"
    page.get_by_label("One delta back").click()
    said = page.locator("#delta").inner_text()
    assert said == "#·One⟨U+200B⟩↵↵Two⟨U+2028⟩⟨U+FEFF⟩⟨U+000B⟩3.↵↵4."


SHAPED = [
    "👩\u200d👩\u200d👧 👁\ufe0f\u200d🗨\ufe0f ❤\ufe0f",
    "👩🏽\u200d🚀 1\ufe0f\u20e3 ☺\ufe0e",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "می\u200cخواهم क्\u200dष",  # noqa: RUF001 - it is Persian
    "葛\U000e0100 ≨\ufe00 ᠭ\u180b",
]


@pytest.mark.parametrize("text", SHAPED)
def test_what_shapes_its_neighbours_is_seen_in_them(
    open_page: Callable[..., Any], text: str
) -> None:
    page = open_page(Recording([text]), "line")
    assert page.locator(".sign").count() == 0
    page.get_by_label("One delta back").click()
    page.get_by_label("Place in the replay").fill("1")
    assert "⟨" not in page.locator("#delta").inner_text()


def test_a_policy_keeps_other_scripts_and_requests_away(
    browser: Any, tmp_path: Path
) -> None:
    """As if text had become markup: it could still not run, nor ask for anything."""
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    markup = (
        "<script>alert(1)</script><img src='x.png' onerror='alert(1)'>"
        "<style>body{display:none}</style><iframe src='x.html'></iframe>"
    )
    document = view("It is on.").page.replace("<noscript>", f"{markup}<noscript>")
    (tmp_path / "page.html").write_text(document, encoding="utf-8")
    page.goto((tmp_path / "page.html").as_uri())
    page.locator(".chunk").first.wait_for()
    assert page.locator("body").is_visible()
    refused = "violates the following Content Security Policy directive"
    assert said
    assert all(refused in text for text in said), said
    for directive in ["script-src", "style-src", "default-src"]:
        assert any(directive in text for text in said)
    page.close()


def test_a_notebook_shows_it_in_a_frame(browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    shown = view(HOSTILE, title=HOSTILE)
    frame = shown._repr_html_()
    frame = frame.encode("utf-8", "replace").decode()
    (tmp_path / "notebook.html").write_text(
        f'<!doctype html><meta charset="utf-8"><p>{html.escape("before")}</p>{frame}',
        encoding="utf-8",
    )
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    page.goto((tmp_path / "notebook.html").as_uri())
    inner = page.frame_locator("iframe")
    inner.locator(".chunk").first.wait_for()
    inner.get_by_role("button", name="Play").click()
    inner.get_by_role("button", name="Pause").wait_for()
    assert dialogs == []
    page.close()
