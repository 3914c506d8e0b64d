"""Stream text in messages is cut to 40 code points."""

from __future__ import annotations

from chunkwise._quote import quote, shown


def test_short_text_is_shown_whole() -> None:
    assert quote("a\n" * 20) == repr("a\n" * 20)


def test_longer_text_is_cut_and_says_so() -> None:
    assert quote("x" * 41) == repr("x" * 40) + "\u2026"


def test_a_value_is_shown_as_its_repr_and_text_as_text() -> None:
    assert shown(["a", 1]) == "['a', 1]"
    assert shown("x" * 41) == quote("x" * 41)


def test_a_long_value_is_cut_and_says_so() -> None:
    assert shown(["x" * 76]) == repr(["x" * 76])
    assert shown(["x" * 77]) == repr(["x" * 77])[:80] + "\u2026"


def test_what_cannot_be_shown_is_named() -> None:
    assert shown(10**5_000) == "a huge int"
