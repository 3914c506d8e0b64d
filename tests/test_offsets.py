"""Places of one text in code points, UTF-8 bytes and UTF-16 units."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunker, Span
from chunkwise.offsets import from_utf8, from_utf16, to_utf8, to_utf16
from tests.texts import boundary_rich_texts

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = "a\u00e9\u20ac\U0001f600\ud83d\ude00."
"""Code points of 1, 2, 3 and 4 bytes, and two surrogates that are a pair."""

WAYS = {"utf8": (to_utf8, from_utf8), "utf16": (to_utf16, from_utf16)}
every_unit = pytest.mark.parametrize(("to", "back"), WAYS.values(), ids=WAYS)
every_function = pytest.mark.parametrize(
    "convert", [to_utf8, to_utf16, from_utf8, from_utf16]
)


def size_in_utf8(text: str) -> int:
    """Return the number of bytes, each code point for itself."""
    limits = (0x7F, 0x7FF, 0xFFFF)
    return sum(1 + sum(ord(char) > limit for limit in limits) for char in text)


def size_in_utf16(text: str) -> int:
    """Return the number of units, each code point for itself."""
    return sum(1 + (ord(char) > 0xFFFF) for char in text)


def spans_of(text: str) -> st.SearchStrategy[list[tuple[int, int]]]:
    """Spans of *text* in any order, empty and overlapping ones among them."""
    place = st.integers(0, len(text))
    pair = st.tuples(place, place).map(lambda pair: (min(pair), max(pair)))
    return st.lists(pair, max_size=12)


def test_every_code_point_has_its_place_in_bytes() -> None:
    whole = [(at, at + 1) for at in range(len(TEXT))]
    places = [0, 1, 3, 6, 10, 13, 16, 17]
    assert to_utf8(TEXT, whole) == list(pairwise(places))


def test_every_code_point_has_its_place_in_units() -> None:
    whole = [(at, at + 1) for at in range(len(TEXT))]
    places = [0, 1, 2, 3, 5, 6, 7, 8]
    assert to_utf16(TEXT, whole) == list(pairwise(places))


@given(text=boundary_rich_texts(), data=st.data())
def test_a_span_is_as_large_as_its_text(text: str, data: st.DataObject) -> None:
    spans = data.draw(spans_of(text))
    sizes: tuple[tuple[Any, Callable[[str], int]], ...] = (
        (to_utf8, size_in_utf8),
        (to_utf16, size_in_utf16),
    )
    for to, size in sizes:
        assert to(text, spans) == [
            (size(text[:start]), size(text[:end])) for start, end in spans
        ]


@every_unit
@given(text=boundary_rich_texts(), data=st.data())
def test_every_span_comes_back(
    to: Any, back: Any, text: str, data: st.DataObject
) -> None:
    spans = data.draw(spans_of(text))
    assert back(text, to(text, spans)) == spans


@given(text=boundary_rich_texts(), data=st.data())
def test_a_slice_of_the_bytes_is_the_text_of_the_span(
    text: str, data: st.DataObject
) -> None:
    text = text.encode("utf-8", "replace").decode()
    spans = data.draw(spans_of(text))
    found = [text.encode()[start:end].decode() for start, end in to_utf8(text, spans)]
    assert found == [text[start:end] for start, end in spans]


@given(text=boundary_rich_texts(), data=st.data())
def test_a_place_inside_of_a_code_point_is_none(text: str, data: st.DataObject) -> None:
    """A place comes back, or is refused, but is never moved to another one."""
    ways: tuple[tuple[Any, Any, Callable[[str], int]], ...] = (
        (to_utf8, from_utf8, size_in_utf8),
        (to_utf16, from_utf16, size_in_utf16),
    )
    for to, back, size in ways:
        at = data.draw(st.integers(0, size(text)))
        if at in {size(text[:end]) for end in range(len(text) + 1)}:
            ((_, end),) = back(text, [(0, at)])
            assert to(text, [(0, end)]) == [(0, at)]
        else:
            with pytest.raises(ValueError, match="inside of"):
                back(text, [(0, at)])


@pytest.mark.parametrize(
    ("back", "at", "message"),
    [
        (from_utf8, 2, "byte 2 of span 1 is inside of '\u00e9'"),
        (from_utf8, 9, "byte 9 of span 1 is inside of '\U0001f600'"),
        (from_utf8, 14, r"byte 14 of span 1 is inside of '\\ude00'"),
        (from_utf16, 4, "unit 4 of span 1 is inside of '\U0001f600'"),
    ],
    ids=["byte of two", "byte of four", "byte of a surrogate", "unit"],
)
def test_the_error_shows_the_code_point(back: Any, at: int, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        back(TEXT, [(0, 1), (0, at)])
    assert str(caught.value).endswith(", expected the end of a code point")
    with pytest.raises(ValueError, match=message):
        back(TEXT, [(0, 1), (at, at)])


@every_function
def test_chunks_and_spans_are_taken_as_they_are(convert: Any) -> None:
    chunks = Chunker("word").feed("One two three ")
    assert convert("One two three ", chunks) == [(0, 3), (4, 7), (8, 13)]
    assert convert("One two", iter([Span(4, 7, kind="word")])) == [(4, 7)]


@every_function
def test_no_spans_give_none(convert: Any) -> None:
    assert convert("", []) == []
    assert convert("", [(0, 0)]) == [(0, 0)]


@every_function
@pytest.mark.parametrize(
    "span", [(0, 4), (-1, 2), (2, 1), (4, 4)], ids=["end", "start", "order", "empty"]
)
def test_a_span_outside_of_the_text_is_refused(
    convert: Any, span: tuple[int, int]
) -> None:
    start, end = span
    message = rf"span 1 is {start}:{end}, expected a range inside of 0:3, the \w+"
    with pytest.raises(ValueError, match=message):
        convert("abc", [(0, 1), span])


def test_the_error_counts_in_the_unit_of_the_spans() -> None:
    for convert, size in (
        (to_utf8, "7, the code points"),
        (from_utf8, "17, the bytes"),
    ):
        with pytest.raises(ValueError, match=f"inside of 0:{size} of the text"):
            convert(TEXT, [(0, 99)])
    with pytest.raises(ValueError, match="inside of 0:8, the units of the text"):
        from_utf16(TEXT, [(0, 99)])


@every_function
@pytest.mark.parametrize(
    "span", ["ab", 3, None, (1,), (1, 2, 3), (0, 1.0), (False, True), [0, 1]], ids=repr
)
def test_what_is_no_range_is_refused(convert: Any, span: Any) -> None:
    with pytest.raises(TypeError, match=r"span 0 must be a pair of int, got"):
        convert("abc", [span])
