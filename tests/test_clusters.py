r"""Grapheme clusters near a place are those that ``\X`` finds in the whole text."""

from __future__ import annotations

from itertools import accumulate

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise._clusters import (
    cluster_end,
    cluster_ends,
    cluster_start,
    ends_cluster,
    open_context,
)

CODE_POINTS = {
    "other": "ab ",
    "line ends": "\r\n",
    "control": "\x00\u2028\xad\ud83d",
    "mark": "\u0301\u0323",
    "zero width joiner and non-joiner": "\u200d\u200c",
    "spacing mark": "\u0903\u0e33",
    "prepend": "\u0600\u0d4e",
    "linker": "\u094d\u0ccd\u17d2",
    "consonant": "\u0915\u0937\u1780",
    "jamo": "\u1100\u1161\u11a8",
    "syllable": "\uac00\uac01",
    "regional indicator": "\U0001f1e9\U0001f1ea",
    "emoji": "\U0001f469\u2764",
    "modifier and selector": "\U0001f3fb\ufe0f",
}
SEQUENCES = (
    *("\r\n", "e\u0301", "\U0001f1e9\U0001f1ea", "\u2764\ufe0f\u200d", "\u1100\u1161"),
    *("\U0001f469\u200d\U0001f469", "\U0001f469\U0001f3fb", "\u0915\u094d\u0937"),
    *("\u0915\u094d\u200d\u0937", "\u0600\u0915", "\u094d\u0903\u094d\u0937"),
)
PIECES = (*"".join(CODE_POINTS.values()), *SEQUENCES)

texts = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    # Few kinds make long clusters.
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=3, unique=True).flatmap(
        lambda some: st.lists(st.sampled_from(some), max_size=16).map("".join)
    ),
    st.text(max_size=20),
)


def boundaries(text: str) -> list[int]:
    r"""Return what ``\X`` alone says of the whole text."""
    return [0, *accumulate(map(len, regex.findall(r"\X", text)))]


@given(text=texts)
def test_the_ends_are_those_of_all_clusters(text: str) -> None:
    assert [0, *cluster_ends(text)] == boundaries(text)
    for first in boundaries(text):
        expected = [end for end in boundaries(text) if end > first]
        assert list(cluster_ends(text, first)) == expected


@given(text=texts)
def test_a_start_is_the_greatest_boundary_that_is_not_behind(text: str) -> None:
    known = boundaries(text)
    for first in known:
        for at in range(first, len(text) + 1):
            expected = max(each for each in known if each <= at)
            assert cluster_start(text, at, first) == expected


@given(text=texts)
def test_an_end_is_the_least_boundary_that_is_not_before(text: str) -> None:
    known = boundaries(text)
    for first in known:
        for at in range(first, len(text) + 1):
            expected = min(each for each in known if each >= at)
            assert cluster_end(text, at, first) == expected


@given(before=texts, text=texts)
def test_clusters_are_those_of_the_text_that_begins_at_first(
    before: str, text: str
) -> None:
    """Also where ``first`` is inside a cluster of what is before."""
    first = len(before)
    known = [first + each for each in boundaries(text)]
    whole = before + text
    assert [first, *cluster_ends(whole, first)] == known
    for at in range(first, len(whole) + 1):
        assert cluster_start(whole, at, first) == max(b for b in known if b <= at)
        assert cluster_end(whole, at, first) == min(b for b in known if b >= at)


FLAG = "\U0001f1e9"
LONG = {
    "marks": "e" + "\u0301" * 1_000_000 + "ab",
    "flags": FLAG * 1_000_000 + "ab",
    "flags, odd": "ab" + FLAG * 999_999 + "ab",
    "flags behind prepend": "\u0600" + FLAG * 1_000_000,
    "joined emoji": "\U0001f469\u200d" * 500_000,
    "conjuncts": "\u0915\u094d" * 500_000 + "\u0915",
    "leading jamo": "\u1100" * 1_000_000,
    "prepend": "\u0600" * 1_000_000 + "a",
}
HUGE = [
    ("marks", [1_000_001, 1_000_002, 1_000_003]),
    ("flags", [*range(2, 1_000_001, 2), 1_000_001, 1_000_002]),
    ("flags, odd", [1, 2, *range(4, 1_000_001, 2), 1_000_001, 1_000_002, 1_000_003]),
    ("flags behind prepend", [*range(3, 1_000_002, 2)]),
    ("joined emoji", [1_000_000]),
    ("leading jamo", [1_000_000]),
    ("prepend", [1_000_001]),
]


@pytest.mark.parametrize(("name", "ends"), HUGE, ids=[name for name, _ in HUGE])
def test_a_megabyte_that_joins_is_cut_right(name: str, ends: list[int]) -> None:
    r"""``\X`` over a run of regional indicators takes minutes by itself."""
    text = LONG[name]
    known = [0, *ends]
    assert list(cluster_ends(text)) == ends
    for at in (1, 2, 500_000, 500_001, len(text) - 3, len(text) - 1):
        assert cluster_start(text, at) == max(each for each in known if each <= at)
        assert cluster_end(text, at) == min(each for each in known if each >= at)


@pytest.mark.parametrize("name", LONG)
def test_a_long_cluster_of_which_a_part_is_looked_at_first_is_found_whole(
    name: str,
) -> None:
    for size in (31, 32, 33, 63, 64, 65, 97, 300):
        text = LONG[name][:size] + LONG[name][-3:]
        known = boundaries(text)
        for at in range(len(text) + 1):
            assert cluster_start(text, at) == max(each for each in known if each <= at)
            assert cluster_end(text, at) == min(each for each in known if each >= at)


@example(text="\u094d\u200c\u094d\u0301", more="\u0937")
@example(text="a\u094d\u0903\u094d\u0301", more="\u0937")
@example(text="\u2764\u200d\u200d", more="\u2764")
@given(text=texts, more=texts)
def test_an_open_context_stands_for_its_cluster(text: str, more: str) -> None:
    r"""Also one that grew with the cluster, code point by code point."""
    for cluster in regex.findall(r"\X", text):
        grown = ""
        for code_point in cluster:
            grown = open_context(grown + code_point)
        expected = [end - len(cluster) for end in boundaries(cluster + more)[1:]]
        for context in (open_context(cluster), grown):
            assert boundaries(context) == [0, len(context)]
            found = [end - len(context) for end in boundaries(context + more)[1:]]
            assert found == expected


@pytest.mark.parametrize("name", sorted({*LONG} - {"flags, odd"}))
def test_an_open_context_is_short(name: str) -> None:
    context = open_context(LONG[name].rstrip("ab"))
    assert 1 <= len(context) <= 4


def test_nothing_is_open_in_no_text() -> None:
    assert open_context("") == ""


@given(text=texts)
def test_a_cluster_surely_ends_where_no_code_point_goes_on(text: str) -> None:
    goes_on = [
        more
        for more in "".join(CODE_POINTS.values())
        if boundaries(text + more)[-2] != len(text)
    ]
    assert ends_cluster(text) == (text != "" and not goes_on)
