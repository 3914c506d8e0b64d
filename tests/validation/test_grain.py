"""Grains: slots in order, and the context that checks are shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunk, WindowChunking, iter_chunks
from chunkwise.validation import Check, Chunks, View
from chunkwise.validation._bound_check import BoundCheck
from chunkwise.validation._grain import Grain

from ..texts import boundary_rich_texts


def judge(view: View) -> None:
    del view


def grain_of(*contexts: Any) -> Grain:
    checks = [Check(judge, context=context) for context in contexts]
    return Grain([BoundCheck(check, at) for at, check in enumerate(checks)])


def chunks_of(text: str, strategy: Any = "word") -> list[Chunk]:
    return list(iter_chunks(text, strategy))


def test_without_context_all_checks_share_a_view() -> None:
    grain = grain_of(0, 0)
    (chunk,) = chunks_of("a")
    assert grain.add(chunk, 0.0).views == (View(chunk), View(chunk))


def test_each_check_is_shown_the_context_it_asked_for() -> None:
    grain = grain_of(0, 5, Chunks(1), Chunks(2))
    slots = [grain.add(chunk, 0.0) for chunk in chunks_of("one two  three four")]
    none, text, one, two = slots[3].views
    assert none == View(slots[3].chunk)
    assert text == View(slots[3].chunk, "hree ")
    assert one == View(slots[3].chunk, "three ", (slots[2].chunk,))
    assert two.before == "two  three "
    assert two.previous == ("two", "three")
    assert [view.before for view in slots[0].views] == [""] * 4
    assert slots[0].views[2].previous == ()


strategies = st.sampled_from(
    ["word", "sentence", "line", WindowChunking(3, stride=1, by="word")]
)


@given(boundary_rich_texts(), strategies, st.integers(1, 30), st.integers(1, 3))
def test_context_is_the_text_before_the_chunk(
    text: str, strategy: Any, size: int, count: int
) -> None:
    grain = grain_of(size, Chunks(count))
    chunks = chunks_of(text, strategy)
    for at, chunk in enumerate(chunks):
        by_size, by_count = grain.add(chunk, 0.0).views
        assert by_size.before == text[max(0, chunk.start - size) : chunk.start]
        previous = tuple(chunks[max(0, at - count) : at])
        assert by_count.previous == previous
        start = previous[0].start if previous else chunk.start
        assert by_count.before == text[start : chunk.start]


def test_context_takes_no_more_memory_than_the_window() -> None:
    grain = grain_of(10)
    for chunk in chunks_of("word " * 1_000):
        grain.add(chunk, 0.0)
        assert len(grain._text) <= 15  # noqa: SLF001 - what is tested


def test_slots_pass_in_order() -> None:
    grain = grain_of(0)
    one, two, three = (grain.add(chunk, 0.0) for chunk in chunks_of("a bb c"))
    assert not grain.covers(1)
    two.waiting = three.waiting = 0
    grain.count_passed()
    assert (grain.front, grain.unsettled) == (one, 3)
    one.waiting = 0
    three.rejected = True
    grain.count_passed()
    assert (grain.front, grain.unsettled) == (three, 1)
    grain.drop_passed()
    assert (grain.front, grain.covered, list(grain.slots)) == (three, 4, [three])
    assert grain.covers(4)
    assert grain.covers(5)
    assert not grain.covers(6)


def test_all_may_have_passed() -> None:
    grain = grain_of()
    for chunk in chunks_of("a bb c"):
        grain.add(chunk, 0.0)
    grain.count_passed()
    assert (grain.front, grain.unsettled) == (None, 0)
    grain.drop_passed()
    assert (grain.covers(6), grain.covers(7)) == (True, False)


@pytest.mark.parametrize("how", ["rejected", "error"])
def test_a_failed_slot_never_passes(how: str) -> None:
    grain = grain_of(0)
    slot = grain.add(chunks_of("a")[0], 0.0)
    slot.waiting = 0
    assert not slot.failed
    if how == "rejected":
        slot.rejected = True
    else:
        slot.error = OSError()
    grain.count_passed()
    assert slot.failed
    assert grain.front is slot


def test_one_that_overlaps_covers_what_no_further_chunk_can_touch() -> None:
    grain = Grain([], overlaps=True)
    grain.add(Chunk("abcd", start=2), 0.0)
    grain.count_passed()
    grain.drop_passed()
    assert (grain.covered, grain.covers(3), grain.covers(4)) == (6, True, False)
