"""Held text is read in stream offsets, in parts that get fewer as they grow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunker, ChunkingStrategy, ContractError
from chunkwise._pending import LONG_PART, HeldText, View, nothing_held
from tests.examples import BackReading


@given(
    parts=st.lists(st.text(max_size=5)),
    start=st.integers(0, 9),
    data=st.data(),
)
def test_held_text_is_read_across_its_parts(
    parts: list[str], start: int, data: st.DataObject
) -> None:
    text = "".join(parts)
    held = HeldText()
    held.extend(parts)
    held.end = start + len(text)
    assert held.start == start
    first = data.draw(st.integers(start, start + len(text)))
    last = data.draw(st.integers(first, start + len(text)))
    assert held.read(first, last) == text[first - start : last - start]


def test_what_is_read_may_begin_and_end_inside_any_part() -> None:
    held = HeldText()
    held.extend(["ab", "cd", "ef"])
    held.end = 16
    assert held.read(12, 14) == "cd"
    assert held.read(11, 15) == "bcde"
    assert held.read(13, 13) == ""


def test_the_last_parts_are_joined_to_one_longer_than_those_behind_it() -> None:
    held = HeldText()
    held.extend(["abcdef", "gh", "i", "j"])
    held.compact()
    assert held == ["abcdef", "ghij"]


def test_a_long_part_is_not_joined_with_others() -> None:
    held = HeldText()
    parts = ["a", "b" * (LONG_PART - 1), "c" * LONG_PART, "d", "e"]
    held.extend(parts)
    held.compact()
    assert held == [*parts[:3], "de"]
    del held[3:]
    held.compact()
    assert held == parts[:3]
    assert held[2] is parts[2]


@given(parts=st.lists(st.text("ab", max_size=4), min_size=1), data=st.data())
def test_what_is_let_go_of_is_what_is_before_an_offset(
    parts: list[str], data: st.DataObject
) -> None:
    text = "".join(parts)
    held = HeldText()
    held.extend(parts)
    held.end = 10 + len(text)
    start = data.draw(st.integers(10, held.end))
    held.let_go(start)
    assert "".join(held) == text[start - 10 :]
    assert held.start == start


def test_text_that_was_let_go_of_cannot_be_read() -> None:
    held = HeldText()
    held.hold("defg", 3)
    assert held.read(4, 6) == "ef"
    with pytest.raises(ContractError, match="from offset 2 on") as caught:
        held.read(2, 4)
    assert caught.value.offset == 2


def test_where_nothing_is_held_nothing_is_read() -> None:
    with pytest.raises(ContractError, match="bound_to"):
        nothing_held(2, 4)


def test_a_view_reads_what_is_held_and_what_is_new_as_one_text() -> None:
    held = HeldText()
    held.hold("abc", 10)
    view = View("defg", 13, held.read)
    for start in range(10, 18):
        for end in range(start, 18):
            assert view(start, end) == "abcdefg"[start - 10 : end - 10]


@given(parts=st.lists(st.text("ab", min_size=1, max_size=9), min_size=1))
def test_joining_the_last_parts_leaves_a_few_that_get_shorter(parts: list[str]) -> None:
    held = HeldText()
    for part in parts:
        held.append(part)
        held.compact()
    assert "".join(held) == "".join(parts)
    sizes = [len(part) for part in held]
    assert sizes == sorted(set(sizes), reverse=True)


def test_a_strategy_reads_what_its_driver_holds() -> None:
    """However it came in, and after it moved to another Chunker."""
    strategy = BackReading()
    for size in (1, 2, 40):
        chunker = Chunker(strategy, check="full")
        chunks = []
        text = "abc! de! " * 4
        for at in range(0, len(text), size):
            chunks += chunker.feed(text[at : at + size])
            chunker = Chunker.resume(strategy, chunker.state)
        assert chunks == ["abc!", " de!", *[" abc!", " de!"] * 3]
        assert [int(chunk.kind) for chunk in chunks] == [*map(len, chunks)]
        assert chunker.flush() == []
        assert chunker.tail == " "


def test_a_scanner_may_not_read_what_it_did_not_keep() -> None:
    class Forgetful(BackReading):
        def bound_to(self, read: object) -> ChunkingStrategy[int]:
            del read
            return self

    chunker = Chunker(Forgetful())
    chunker.feed("a")
    with pytest.raises(ContractError, match="bound_to"):
        chunker.feed("!")
    assert chunker.pending == "a"
