"""The work of a strategy is counted, and must not grow with the stream."""

from __future__ import annotations

import pytest

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    MarkdownChunking,
    NestedChunking,
    WordChunking,
)
from chunkwise.testing import BrokenLawError, counting
from tests.examples import BackReading
from tests.running import run
from tests.testing.faulty import DecidesAtTheEnd, HoardsText, LooksAgain
from tests.texts import every_built_in


@every_built_in
def test_a_counted_strategy_finds_the_same(strategy: ChunkingStrategy) -> None:
    text = 'It is on. Now wait.\n\n[{"a": [1, 2]}]\n| a |\n|-|\n| b |\n'
    assert run(counting(strategy), text) == run(strategy, text)


def test_code_points_and_scans_are_counted() -> None:
    counted = counting(WordChunking())
    assert (counted.scans, counted.scanned) == (0, 0)
    assert Chunker(counted).feed("to be ") == ["to", "be"]
    assert (counted.scans, counted.scanned) == (1, 6)


def test_what_is_read_back_is_counted_too() -> None:
    counted = counting(BackReading())
    chunker = Chunker(counted)
    chunker.feed("abc")
    assert chunker.feed("d!") == ["abcd!"]
    assert counted.scanned == 3 + 2 + 3


def test_it_works_inside_of_other_strategies() -> None:
    counted = counting(NestedChunking("paragraph", "word"))
    nested = NestedChunking(counted, "word")
    text = "to be\n\nor not\n\n"
    assert run(nested, text) == run(
        NestedChunking(counting(WordChunking()), "word"), text
    )
    assert counted.scanned > len(text)
    state = counted.begin(0)
    assert counted.needs(0, state) == 0


def test_what_stays_in_force_behind_a_cut_does_so_here() -> None:
    chunker = Chunker(counting(MarkdownChunking()))
    chunks = [*chunker.feed("# A\n\nOne."), *chunker.cut(), *chunker.feed("Two.\n\n")]
    assert [chunk.context for chunk in chunks] == [(), ("# A",), ("# A",)]


@pytest.mark.parametrize("unit", ["a", " ", "a ", "to be. \n\n"])
def test_a_strategy_that_looks_once_is_linear(unit: str) -> None:
    counting(WordChunking()).assert_linear(unit)


def test_a_strategy_that_never_moves_on_is_not() -> None:
    with pytest.raises(
        BrokenLawError, match=r"256\.5 times in 512 and 1024\.5"
    ) as caught:
        counting(LooksAgain()).assert_linear("ab")
    assert caught.value.law == "bounded"
    assert caught.value.subject == "LooksAgain"
    assert caught.value.deltas == ("ab",)


def test_one_that_keeps_what_is_done_is_not() -> None:
    with pytest.raises(BrokenLawError, match="2049 are stored, and 0 are pending"):
        counting(HoardsText()).assert_linear("\n")


def test_nor_is_one_of_level_1_while_its_fragment_grows() -> None:
    with pytest.raises(BrokenLawError, match="looks at text again"):
        counting(DecidesAtTheEnd()).assert_linear("a")


def test_a_unit_without_a_code_point_is_refused() -> None:
    with pytest.raises(ValueError, match="unit must have a code point at least"):
        counting(WordChunking()).assert_linear("")
