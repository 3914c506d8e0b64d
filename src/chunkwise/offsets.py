"""Places in a text, in code points, in UTF-8 bytes, or in UTF-16 units.

Python counts code points, and so does everything else here. JavaScript, Java and C#
count UTF-16 units, and stores of bytes count those of UTF-8. Each function converts
the spans of one text in one pass over it.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from ._chunk import Chunk
from ._quote import quote, shown
from ._spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["SpanLike", "from_utf8", "from_utf16", "to_utf8", "to_utf16"]

SpanLike: TypeAlias = Chunk | Span | tuple[int, int]
"""What has a start and an end: a chunk, a ``Span``, or a pair of numbers."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def to_utf8(text: str, spans: Iterable[SpanLike]) -> list[tuple[int, int]]:
    r"""Return the bytes that *spans* of code points take up in the UTF-8 of *text*.

    A lone surrogate counts 3 bytes, those of U+FFFD, which encoders put in its place.
    Costs one pass over the text, and one over the spans where they are in order.

    Args:
        text: The whole text that the spans count in, from its start.
        spans: Half-open ranges of code points. They may be empty, overlap, and come in
            any order.

    Returns:
        Start and end of each span, in the order given.

    Raises:
        ValueError: A span is not inside of the text, or ends before it starts.
        TypeError: *spans* has an item that is no such range.

    Examples:
        >>> to_utf8("na\u00efve \U0001f600.", [(0, 5), (6, 7)])
        [(0, 6), (7, 11)]
    """
    return _from_code_points(text, spans, "utf-8", 1)


def to_utf16(text: str, spans: Iterable[SpanLike]) -> list[tuple[int, int]]:
    r"""Return the UTF-16 units that *spans* of code points take up in *text*.

    A code point beyond U+FFFF takes two units, and every other one, also a lone
    surrogate, takes one. In everything else it is the twin of `to_utf8`.

    Args:
        text: The whole text that the spans count in, from its start.
        spans: Half-open ranges of code points, as for `to_utf8`.

    Returns:
        Start and end of each span, in the order given.

    Raises:
        ValueError: A span is not inside of the text, or ends before it starts.
        TypeError: *spans* has an item that is no such range.

    Examples:
        >>> to_utf16("na\u00efve \U0001f600.", [(0, 5), (6, 7)])
        [(0, 5), (6, 8)]
    """
    return _from_code_points(text, spans, "utf-16-le", 2)


def from_utf8(text: str, spans: Iterable[SpanLike]) -> list[tuple[int, int]]:
    r"""Return the code points that *spans* of UTF-8 bytes stand for in *text*.

    Takes back what `to_utf8` did, at the same cost.

    Args:
        text: The whole text that the spans count in, from its start.
        spans: Half-open ranges of bytes, in any order.

    Returns:
        Start and end of each span, in the order given.

    Raises:
        ValueError: A span is not inside of the text, ends before it starts, or begins
            or ends inside of a code point.
        TypeError: *spans* has an item that is no such range.

    Examples:
        >>> from_utf8("na\u00efve \U0001f600.", [(0, 6), (7, 11)])
        [(0, 5), (6, 7)]
        >>> from_utf8("na\u00efve", [(0, 3)])
        Traceback (most recent call last):
            ...
        ValueError: byte 3 of span 0 is inside of 'ï', expected the end of a code point
    """
    return _to_code_points(text, spans, "utf-8", 1)


def from_utf16(text: str, spans: Iterable[SpanLike]) -> list[tuple[int, int]]:
    r"""Return the code points that *spans* of UTF-16 units stand for in *text*.

    Takes back what `to_utf16` did, at the same cost.

    Args:
        text: The whole text that the spans count in, from its start.
        spans: Half-open ranges of UTF-16 units, in any order.

    Returns:
        Start and end of each span, in the order given.

    Raises:
        ValueError: A span is not inside of the text, ends before it starts, or begins
            or ends between the two units of a code point.
        TypeError: *spans* has an item that is no such range.

    Examples:
        >>> from_utf16("na\u00efve \U0001f600.", [(0, 5), (6, 8)])
        [(0, 5), (6, 7)]
    """
    return _to_code_points(text, spans, "utf-16-le", 2)


# Plan. The places that the spans name are sorted, and the text between two neighbours
# is encoded, or decoded, alone: the sizes of these parts add up. Each code point is
# read once, by C; what sorting costs is linear where the spans are in order.


def _from_code_points(
    text: str, spans: Iterable[SpanLike], encoding: str, width: int
) -> list[tuple[int, int]]:
    pairs = _checked(spans, len(text), "code points")
    text = _without_surrogates(text)
    found = {0: 0}
    at = 0
    for start, end in pairwise(_places(pairs)):
        at += len(text[start:end].encode(encoding)) // width
        found[end] = at
    return [(found[start], found[end]) for start, end in pairs]


def _to_code_points(
    text: str, spans: Iterable[SpanLike], encoding: str, width: int
) -> list[tuple[int, int]]:
    units = _without_surrogates(text).encode(encoding)
    name = "byte" if width == 1 else "unit"
    pairs = _checked(spans, len(units) // width, f"{name}s")
    found = {0: 0}
    at = 0
    for start, end in pairwise(_places(pairs)):
        try:
            at += len(units[start * width : end * width].decode(encoding))
        except UnicodeDecodeError as error:
            whole = units[start * width : start * width + error.start].decode(encoding)
            number = next(n for n, pair in enumerate(pairs) if end in pair)
            msg = (
                f"{name} {end} of span {number} is inside of "
                f"{quote(text[at + len(whole)])}, expected the end of a code point"
            )
            raise ValueError(msg) from None
        found[end] = at
    return [(found[start], found[end]) for start, end in pairs]


def _without_surrogates(text: str) -> str:
    """Return *text* with U+FFFD for each surrogate, which is as large in both units.

    Two surrogates of a pair, which the encoders would join or refuse, stay two.
    """
    return _SURROGATE.sub("\ufffd", text)


def _places(pairs: list[tuple[int, int]]) -> list[int]:
    """Return all places that *pairs* name, and 0, in order and once each."""
    return sorted({0, *(place for pair in pairs for place in pair)})


def _checked(spans: Iterable[SpanLike], size: int, unit: str) -> list[tuple[int, int]]:
    """Return the spans as pairs.

    Raises:
        ValueError: One is not inside of the text, or ends before it starts.
        TypeError: One is no range.
    """
    pairs: list[tuple[int, int]] = []
    for number, span in enumerate(spans):
        if isinstance(span, (Chunk, Span)):
            start, end = span.start, span.end
        elif _is_pair(span):
            start, end = span
        else:
            msg = f"span {number} must be a pair of int, got {shown(span)}"
            raise TypeError(msg)
        if not 0 <= start <= end <= size:
            msg = (
                f"span {number} is {start}:{end}, expected a range inside of 0:{size}, "
                f"the {unit} of the text"
            )
            raise ValueError(msg)
        pairs.append((start, end))
    return pairs


def _is_pair(span: object) -> bool:
    return isinstance(span, tuple) and [type(place) for place in span] == [int, int]
