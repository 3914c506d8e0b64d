"""Texts and slicings: complete, the same every time, and rich in boundaries."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from chunkwise.testing._slicings import (
    all_slicings,
    examples,
    random_slicings,
    random_texts,
    sliced,
)
from tests.testing.faulty import GivesEmptyChunks


def rng() -> Random:
    """Return what draws the same every time."""
    return Random(1)  # noqa: S311 - no secret


def test_a_text_is_cut_at_places_in_any_order() -> None:
    assert sliced("abc", [2, 0, 2]) == ["", "ab", "", "c"]
    assert sliced("", []) == [""]


@pytest.mark.parametrize("text", ["", "a", "ab", "abcde"])
def test_all_slicings_are_different_and_all_there(text: str) -> None:
    found = [tuple(deltas) for deltas in all_slicings(text)]
    assert len(set(found)) == len(found) == max(2 ** max(len(text) - 1, 0) - 1, 1)
    assert all("".join(deltas) == text for deltas in found)
    assert found[0] == tuple(text)


def test_those_with_few_cuts_come_early() -> None:
    assert [len(deltas) for deltas in all_slicings("abcd")] == [4, 2, 2, 2, 3, 3, 3]


@pytest.mark.parametrize("text", ["", "a", "to be"])
def test_random_slicings_begin_with_single_code_points(text: str) -> None:
    found = list(islice(random_slicings(text, rng()), 50))
    assert found[0] == list(text)
    assert all("".join(deltas) == text for deltas in found)
    assert any("" in deltas for deltas in found)


def test_half_of_the_pieces_are_those_that_the_subject_names() -> None:
    texts = list(islice(random_texts(["@@"], rng(), 10), 100))
    named = sum(text.count("@@") for text in texts)
    assert 200 < named < 350


def test_without_such_pieces_the_common_ones_are_taken() -> None:
    assert any("\n" in text for text in islice(random_texts([], rng(), 3), 50))


@pytest.mark.parametrize("slicings", ["all", "random"])
def test_generated_examples_are_the_same_every_time(slicings: str) -> None:
    subjects = [GivesEmptyChunks()]
    first, second = (
        list(examples(subjects, None, slicings, 40))  # type: ignore[arg-type]  # one of both
        for _ in range(2)
    )
    assert first == second
    assert len(first) == 40
    assert any(";" in "".join(deltas) for deltas in first)


def test_given_texts_share_the_examples() -> None:
    found = list(examples([], ["ab", "abc", "abcd"], "all", 7))
    assert list(map("".join, found)) == [
        "ab",
        "abc",
        "abcd",
        "abc",
        "abcd",
        "abc",
        "abcd",
    ]


def test_given_texts_end_where_all_slicings_are_tried() -> None:
    assert list(examples([], ["ab", ""], "all", 100)) == [["a", "b"], []]
    assert list(examples([], [], "random", 100)) == []
    assert len(list(examples([], ["ab"], "random", 100))) == 100
