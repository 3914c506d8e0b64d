"""Stream text in messages is cut to 40 code points."""

from __future__ import annotations

from chunkwise._quote import quote


def test_short_text_is_shown_whole() -> None:
    assert quote("a\n" * 20) == repr("a\n" * 20)


def test_longer_text_is_cut_and_says_so() -> None:
    assert quote("x" * 41) == repr("x" * 40) + "\u2026"
