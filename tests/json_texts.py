"""JSON texts: valid and malformed ones, and what stands around them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Document", "documents", "json_values", "malformed", "written"]

_SPACES = st.text(" \t\n\r", max_size=3)
_KEYS = st.one_of(st.sampled_from(["a", "b", "a b", "", "é", "it's", '"']), st.text())
_WORDS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(),
    st.sampled_from(
        ["[", '"', "\\", "{]", ",", "\U0001f600", "\ud83d", "\n", "\\u00e9"]
    ),
)


def json_values() -> st.SearchStrategy[Any]:
    """Return values of any shape."""
    return st.recursive(
        _WORDS,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4),
            st.dictionaries(_KEYS, inner, max_size=4),
        ),
        max_leaves=12,
    )


class Document(NamedTuple):
    """A text, and the values in it that are looked for."""

    text: str
    values: list[Any]


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """Write *value* as JSON, with white space wherever it may be."""
    shape = draw(st.integers(0, 2))
    ascii_only = draw(st.booleans())
    if shape == 0:
        indent = draw(st.sampled_from([None, 0, 2, "\t"]))
        return json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    compact = json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)
    if shape == 1:
        return compact
    tokens = re.findall(
        r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\[\]{},:"]+', compact, re.DOTALL
    )
    return "".join(token + draw(_SPACES) for token in tokens)


_WRAPPERS: list[tuple[str, str]] = [
    ("", ""),
    ("", "\nThat is [all].\n"),
    ("Here it is, [as] {asked}:\n\n", "\n"),
    ("Sure!\n```json\n", "\n```\nAnything else?\n[1]"),
    ("\ufeff", ""),
    ("1. One\r\n  ", "\r\n2. Two"),
]


@st.composite
def documents(draw: st.DrawFn, make: Callable[[Any], Any]) -> Document:
    """Return arrays in prose, in fences, or alone, each made part of *make*'s value."""
    items = draw(st.lists(json_values(), max_size=5))
    before, behind = draw(st.sampled_from(_WRAPPERS))
    return Document(before + draw(written(make(items))) + behind, items)


@st.composite
def malformed(draw: st.DrawFn) -> str:
    """Return a text that was JSON until something was cut off, added or replaced."""
    text = draw(written(draw(st.lists(json_values(), max_size=4))))
    begin = draw(st.sampled_from(["", "", "Items:\n", '{"a": ']))
    places = st.integers(0, len(text))
    start, end = sorted((draw(places), draw(places)))
    if draw(st.booleans()):
        end = min(end, start + 1)
    added = draw(st.text("[]{},:\"'\\1tn \n", max_size=3))
    text = text[:start] + added + text[end:]
    return begin + text[: draw(places)] if draw(st.booleans()) else begin + text
