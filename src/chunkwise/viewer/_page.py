"""One HTML page with everything in it, in which no text can run."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._data import Data

# What would end the element that holds the JSON, or begin a comment in it, is the "<".
# The others are here because they are line ends to scripts, are not what they look
# like, or cannot be written as UTF-8. JSON reads them all in this form.
_UNSAFE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff]")

_PLACE = re.compile(r"\{\{(\w+)\}\}")


def page(data: Data) -> str:
    """Return the page that shows *data*.

    It needs nothing but itself: its Content-Security-Policy allows one style sheet and
    one script, by their hashes, and no connection to anywhere. The data is JSON in an
    element that no browser runs, and the script puts text into the page as text only.

    Args:
        data: What `page_data` returns.

    Returns:
        HTML without lone surrogates, to be written as UTF-8.
    """
    style, script = _part("page.css"), _part("page.js")
    parts = {
        "policy": (
            f"default-src 'none'; style-src '{_hash(style)}'; "
            f"script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
        ),
        "title": html.escape(data["title"]),
        "style": style,
        "script": script,
        "data": _embedded(data),
    }
    # One pass over the template: what is put in is never looked at.
    return _PLACE.sub(lambda place: parts[place[1]], _part("page.html"))


@cache
def _part(name: str) -> str:
    return files("chunkwise.viewer").joinpath(name).read_text(encoding="utf-8")


def _hash(source: str) -> str:
    """Return the hash by which a policy allows an inline element."""
    digest = hashlib.sha256(source.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _embedded(data: Data) -> str:
    """Return JSON that can stand inside a ``script`` element."""
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda unsafe: f"\\u{ord(unsafe[0]):04x}", written)
