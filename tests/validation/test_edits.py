"""Edits are merged where they overlap, and made while text is written."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunk
from chunkwise.validation import Edit
from chunkwise.validation._edits import Edits, merge_edits, render


@pytest.mark.parametrize(
    ("edits", "merged"),
    [
        ([], []),
        ([(0, Edit(1, 3, "a"))], [Edit(1, 3, "a")]),
        (
            [(0, Edit(4, 6, "b")), (1, Edit(1, 3, "a"))],
            [Edit(1, 3, "a"), Edit(4, 6, "b")],
        ),
        ([(1, Edit(1, 4, "b")), (0, Edit(3, 6, "a"))], [Edit(1, 6, "a")]),
        ([(0, Edit(1, 4, "b")), (1, Edit(3, 6, "a"))], [Edit(1, 6, "b")]),
        ([(1, Edit(1, 9, "b")), (0, Edit(3, 6, "a"))], [Edit(1, 9, "a")]),
        (
            [(0, Edit(1, 3, "a")), (1, Edit(3, 5, "b"))],
            [Edit(1, 3, "a"), Edit(3, 5, "b")],
        ),
        (
            [(1, Edit(2, 2, "b")), (0, Edit(2, 2, "a"))],
            [Edit(2, 2, "a"), Edit(2, 2, "b")],
        ),
        (
            [(0, Edit(2, 4, "a")), (1, Edit(2, 2, "b")), (2, Edit(4, 4, "c"))],
            [Edit(2, 2, "b"), Edit(2, 4, "a"), Edit(4, 4, "c")],
        ),
        (
            [(0, Edit(1, 3, "a")), (1, Edit(2, 4, "d")), (2, Edit(2, 2, "b"))],
            [Edit(1, 4, "a")],
        ),
    ],
    ids=[
        "none",
        "one",
        "apart",
        "a later check is declared first",
        "the first in the text is declared first",
        "inside",
        "touching",
        "insertions",
        "insertions at both ends",
        "an insertion inside",
    ],
)
def test_what_overlaps_becomes_a_union_with_the_text_of_the_first_check(
    edits: list[tuple[int, Edit]], merged: list[Edit]
) -> None:
    assert merge_edits(edits) == merged
    assert merge_edits(edits[::-1]) == merged


def test_a_replacement_stands_where_its_edit_begins() -> None:
    edits = [Edit(1, 3, "x"), Edit(4, 4, "+"), Edit(5, 9, "yy")]
    assert render("abcdefghij", 0, edits) == "axd+eyyj"
    assert render("cdefg", 2, edits) == "d+eyy"
    assert render("ghij", 6, edits) == "j"
    assert render("a", 0, edits) == "a"


spans = st.tuples(st.integers(0, 20), st.integers(0, 20), st.text("xy", max_size=3))


@given(st.lists(spans, max_size=6), st.integers(0, 20))
def test_neighbouring_texts_are_written_as_the_whole_is(
    spans: list[tuple[int, int, str]], cut: int
) -> None:
    text = "abcdefghijklmnopqrst"
    edits = merge_edits(
        (rank, Edit(min(one, other), max(one, other), new))
        for rank, (one, other, new) in enumerate(spans)
    )
    whole = render(text, 0, edits)
    assert render(text[:cut], 0, edits) + render(text[cut:], cut, edits) == whole


ONE = Chunk("one", start=0, index=0)
TWO = Chunk("two", start=4, index=1, gap=" ")


def edits_of_two(window: float, *, are_allowed: bool = True) -> tuple[Edits, list[Any]]:
    """Return edits of a stream of two chunks, and where its checks may make some."""
    edits = Edits(window, are_allowed=are_allowed)
    begins = [edits.begin_of_chunk(chunk.start) for chunk in (ONE, TWO)]
    return edits, [*begins, edits.begin_of_other(2), edits.begin_of_whole]


@pytest.mark.parametrize(
    ("window", "begins"),
    [(0, [0, 4, 2, 4]), (1, [0, 0, 2, 4]), (inf, [0, 0, 2, 0])],
    ids=["no window", "a chunk", "all"],
)
def test_an_edit_may_begin_where_nothing_is_released(
    window: float, begins: list[int]
) -> None:
    assert edits_of_two(window)[1] == begins
    assert edits_of_two(window, are_allowed=False)[1] == [inf] * 4


def test_without_a_chunk_the_whole_text_is_not_edited() -> None:
    assert Edits(0, are_allowed=True).begin_of_whole == inf


def test_only_edits_that_are_known_in_time_are_made() -> None:
    edits, _ = edits_of_two(0)
    edits.propose([Edit(0, 1, "O")], known_at=0, is_own=True, rank=0)
    edits.propose([Edit(1, 2, "N")], known_at=1, is_own=True, rank=0)
    edits.propose([Edit(2, 3, "E")], known_at=2, is_own=False, rank=1)
    edits.propose([Edit(3, 3, "!")], known_at=3, is_own=False, rank=1)
    written = ("", "OnE", (Edit(0, 1, "O"), Edit(2, 3, "E")))
    assert edits.write(ONE, "one") == written
    assert not edits.is_idle


def test_an_edit_of_two_pieces_is_written_with_the_first_one() -> None:
    edits, _ = edits_of_two(1)
    assert edits.is_idle
    reaching = Edit(2, 5, "...")
    edits.propose([reaching], known_at=1, is_own=True, rank=0)
    assert edits.write(ONE, "one") == ("", "on...", (reaching,))
    assert not edits.is_idle
    assert edits.write(TWO, "two") == ("", "wo", (reaching,))
    assert edits.is_idle


def test_the_tail_is_written_with_what_is_open_or_proposed() -> None:
    edits, _ = edits_of_two(0)
    edits.propose([Edit(2, 4, "-"), Edit(4, 5, "+")], known_at=-1, is_own=True, rank=0)
    assert edits.write(ONE, "one")[1] == "on-"
    assert edits.write_tail("  ", 3) == "+"
