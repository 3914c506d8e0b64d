"""The page: one document, in which no text can run. Browsers are in tests/browser."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.viewer._page import page

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "</title><img src=x onerror=alert(1)>",
    "]]>&amp;{{data}}{{script}}",
    "\u2028\u2029\x00\x7f\x85\ufeff\ufffe\r\n",
    "\u202eesrever\u2066",
    "\ud800 \udc80",
]


def page_of(text: str, title: str = "A title") -> str:
    return page({"title": title, "text": text})


def element(document: str, name: str) -> str:
    """Return what stands in the one element of this name, as it is written."""
    end = name.split(maxsplit=1)[0]
    (content,) = re.findall(rf"<{name}>((?s:.*?))</{end}>", document)
    assert isinstance(content, str)
    return content


def data_in(document: str) -> Any:
    written = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', document
    )
    return json.loads(written[0])


@pytest.mark.parametrize("text", HOSTILE)
def test_text_comes_back_from_the_page_and_nothing_else_changes(text: str) -> None:
    document = page_of(text)
    assert data_in(document)["text"] == text
    assert document.count("<") == page_of("").count("<")
    document.encode()


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    document = page_of(text)
    assert data_in(document)["text"] == text
    assert document.count("<") == page_of("").count("<")


@pytest.mark.parametrize("title", HOSTILE[:-1])
def test_a_title_is_text(title: str) -> None:
    document = page_of("", title)
    assert html.unescape(element(document, "title")) == html.unescape(
        html.escape(title)
    )
    assert document.count("<") == page_of("").count("<")


def test_the_policy_allows_this_style_and_this_script_and_nothing_else() -> None:
    document = page_of("It is on.")
    policy = html.unescape(re.findall(r'content="(default-src [^"]*)"', document)[0])
    hashes = []
    for name in ["style", 'script type="module"']:
        digest = hashlib.sha256(element(document, name).encode()).digest()
        hashes.append(f"'sha256-{base64.b64encode(digest).decode()}'")
    assert policy == (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; "
        "base-uri 'none'; form-action 'none'"
    )
    # It comes before anything that it is about.
    assert document.index("Content-Security-Policy") < document.index("<style>")


def test_the_page_needs_nothing_else() -> None:
    document = page_of("It is on.").replace("http://www.w3.org/2000/svg", "")
    for sign in ["http:", "https:", " src=", "url(", "@import", "import(", "fetch("]:
        assert sign not in document, sign


def test_the_script_makes_no_markup() -> None:
    script = element(page_of(""), 'script type="module"')
    for way in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("]:
        assert way not in script, way
