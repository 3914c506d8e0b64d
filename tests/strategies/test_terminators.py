"""Tests of the list of terminators."""

from __future__ import annotations

import sys

import regex

from chunkwise.strategies._terminators import SENTENCE_TERMINAL


def test_all_terminators_of_unicode_are_listed_once() -> None:
    """An older Unicode knows some less; one that knows more brings a longer list."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    known = regex.findall(r"\p{Sentence_Terminal}", every)
    assert set(known) <= set(SENTENCE_TERMINAL)
    assert list(SENTENCE_TERMINAL) == sorted(set(SENTENCE_TERMINAL))
