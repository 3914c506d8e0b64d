"""Strategies for Hypothesis, which is an extra: texts, and ways to slice them.

The only module of the kit that needs it, with the extra ``testing``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

from ._pieces import PIECES
from ._slicings import sliced

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["boundary_rich_texts", "slicings"]

_FEWEST = 6
"""Pieces of a text before it shrinks; there are up to six times as many."""


def slicings(text: str) -> st.SearchStrategy[list[str]]:
    """Return ways to cut *text* into deltas, empty ones included.

    Examples:
        >>> from hypothesis import find
        >>> find(slicings("abc"), lambda deltas: len(deltas) > 1)
        ['', 'abc']
    """
    cuts = st.lists(st.integers(0, len(text)), max_size=2 * len(text) + 2)
    return cuts.map(lambda places: sliced(text, places))


def boundary_rich_texts(pieces: Sequence[str] = PIECES) -> st.SearchStrategy[str]:
    """Return texts that are made of *pieces*: of boundaries and of parts of them.

    Single random characters almost never spell two separators in one text.

    Args:
        pieces: What a text is made of; by default what ends words, lines,
            sentences, paragraphs, blocks of Markdown and JSON values.

    Examples:
        >>> from hypothesis import find
        >>> find(boundary_rich_texts(["END", " "]), lambda text: "END" in text)
        'END'
    """
    return _texts_of(pieces, _FEWEST)


def _texts_of(pieces: Sequence[str], fewest: int) -> st.SearchStrategy[str]:
    """Return texts of about twice *fewest* of *pieces*, drawn as bytes: that is fast.

    Two bytes stand for a piece, 0 for none, so that a failing text can shrink to few.
    """
    table = ["", *pieces]
    drawn = st.binary(min_size=2 * fewest, max_size=12 * fewest)

    def text_of(numbers: bytes) -> str:
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        return "".join([table[(256 * high + low) % len(table)] for high, low in pairs])

    return drawn.map(text_of)
