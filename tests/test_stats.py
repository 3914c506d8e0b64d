"""Sizes, gaps, and what is held back: counted, and summed up."""

from __future__ import annotations

import itertools
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunker
from chunkwise._stats import ChunkStats, Distribution

numbers = st.lists(st.integers(0, 5_000), min_size=1)


def distribution(values: list[int]) -> Distribution:
    counted = Distribution()
    for value in values:
        counted.add(value)
    return counted


@given(values=numbers)
def test_it_says_what_the_numbers_themselves_say(values: list[int]) -> None:
    counted = distribution(values)
    assert counted.count == len(values)
    assert counted.mean == pytest.approx(statistics.fmean(values))
    assert counted.quantile(0) == min(values)
    assert counted.quantile(0.5) == statistics.median_low(values)
    assert counted.quantile(1) == max(values)


@given(values=numbers, part=st.floats(0, 1))
def test_a_quantile_is_the_least_that_so_many_do_not_exceed(
    values: list[int], part: float
) -> None:
    found = distribution(values).quantile(part)
    assert found in values
    assert sum(value <= found for value in values) >= part * len(values)
    assert sum(value < found for value in values) < max(part * len(values), 1)


@given(values=numbers)
def test_every_number_is_in_one_bar_and_bars_touch(values: list[int]) -> None:
    bars = distribution(values).histogram()
    for least, greatest, count in bars:
        assert count == sum(least <= value <= greatest for value in values)
    for bar, following in itertools.pairwise(bars):
        assert following.least == bar.greatest + 1
    assert sum(bar.frequency for bar in bars) == len(values)
    assert bars[0].frequency
    assert bars[-1].frequency


def test_bars_double() -> None:
    bars = distribution([0, 1, 2, 3, 4, 9]).histogram()
    assert bars == [(0, 0, 1), (1, 1, 1), (2, 3, 2), (4, 7, 1), (8, 15, 1)]


def test_nothing_has_no_quantile_and_no_bars() -> None:
    assert Distribution().histogram() == []
    with pytest.raises(ValueError, match="expected numbers, got none"):
        Distribution().quantile(0.5)


def test_chunks_are_counted_with_what_came_behind_them() -> None:
    stats = ChunkStats()
    chunker = Chunker("sentence")
    text = "One. Two!  Thr"
    for arrived, delta in enumerate(text, 1):
        stats.add(chunker.feed(delta), arrived)
    stats.add(chunker.flush(), None)
    assert stats.sizes.count == stats.gaps.count == 3
    assert (stats.sizes.quantile(0), stats.sizes.quantile(1)) == (3, 4)
    assert [stats.gaps.quantile(part) for part in (0, 0.5, 1)] == [0, 1, 2]
    # Each waits for the first code point behind the white space that follows it.
    assert [stats.held.quantile(part) for part in (0, 1)] == [2, 3]
    assert stats.held.count == 2
    assert stats.incomplete == 1
