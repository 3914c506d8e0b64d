"""Rows of a stream in any order: put right, or reported, and never lost."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from chunkwise import (
    Chunk,
    Chunker,
    ChunkingStrategy,
    JSONChunking,
    LineChunking,
    SentenceChunking,
    StreamStateError,
)
from chunkwise.interop._numbered import Found, NumberedStream, Stored
from tests.running import facts, run

if TYPE_CHECKING:
    from collections.abc import Iterable

SENTENCES = SentenceChunking(rules="plain")
DELTAS = ["It is", " on. No", "w wait. ", "Go. Th", "en"]
ROWS: list[tuple[object, object, object]] = [
    (number, delta, number == len(DELTAS) - 1) for number, delta in enumerate(DELTAS)
]
WHOLE = run(SENTENCES, DELTAS).chunks


def stream(
    strategy: ChunkingStrategy[Any] = SENTENCES, most: int = 8
) -> NumberedStream:
    return NumberedStream(strategy, max_waiting=most)


def again(
    before: NumberedStream, strategy: ChunkingStrategy[Any] = SENTENCES, most: int = 8
) -> NumberedStream:
    """Return the stream as another process would go on with it."""
    return NumberedStream.restored(strategy, before.stored, max_waiting=most)


def chunks(found: Iterable[Found]) -> list[Chunk]:
    return [each.chunk for each in found if each.chunk is not None]


def reports(found: Iterable[Found]) -> list[tuple[str | None, int | None, str | None]]:
    return [
        (each.error, each.number, each.left_out) for each in found if each.chunk is None
    ]


def said(found: Iterable[Found]) -> list[str | None]:
    """Return what came out, in its order: texts, and what reports say."""
    return [each.error if each.chunk is None else str(each.chunk) for each in found]


def test_rows_in_order_give_what_a_chunker_gives() -> None:
    live = stream()
    found = live.take(ROWS)
    assert facts(chunks(found)) == WHOLE
    assert not reports(found)
    assert live.is_over


def test_a_chunk_comes_out_with_the_row_that_completes_it() -> None:
    live = stream()
    assert [said(live.take([row])) for row in ROWS] == [
        [],
        ["It is on."],
        ["Now wait."],
        ["Go."],
        ["Then"],
    ]


@given(order=st.permutations(ROWS), repeated=st.lists(st.sampled_from(ROWS)))
def test_any_order_with_repetitions_gives_the_same(
    order: list[Any], repeated: list[Any]
) -> None:
    live, found = stream(), []
    for row in [*order, *repeated]:
        live = again(live)
        found += live.take([row])
        found += live.limit()
    assert facts(chunks(found)) == WHOLE
    assert not reports(found)


def test_a_row_waits_for_the_one_before_it() -> None:
    live = stream()
    assert live.take([ROWS[2], ROWS[1]]) == []
    assert said(live.take([ROWS[0]])) == ["It is on.", "Now wait."]


def test_a_delta_and_a_flag_may_be_null_and_a_number_a_float() -> None:
    nan = float("nan")
    live = stream()
    found = live.take([(0.0, "One", None), (1, None, nan), (2.0, nan, True)])
    assert said(found) == ["One"]
    assert live.is_over


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        pytest.param(None, "null", id="none"),
        pytest.param(float("nan"), "null", id="nan"),
        pytest.param(-1, "-1", id="negative"),
        pytest.param(0.5, "0.5", id="fraction"),
        pytest.param(float("inf"), "inf", id="infinite"),
        pytest.param("0", "'0'", id="text"),
    ],
)
def test_a_row_without_a_proper_number_is_reported(number: object, shown: str) -> None:
    live = stream()
    found = live.take([(number, "One. ", False), (0, "Two. Three", True)])
    problem = f"number is {shown}, expected a whole one of at least 0"
    assert reports(found) == [(problem, None, "One. ")]
    assert [str(chunk) for chunk in chunks(found)] == ["Two.", "Three"]


def test_a_delta_that_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="column 'delta' holds 7, expected text"):
        stream().take([(0, 7, False)])


def test_another_delta_under_a_number_that_waits_is_reported() -> None:
    live = stream()
    found = live.take([ROWS[1], (1, " off. No", False), ROWS[0]])
    problem = "number 1 came again and says something else"
    assert reports(found) == [(problem, 1, " off. No")]
    assert [str(chunk) for chunk in chunks(found)] == ["It is on."]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param((1, " off. No", False), id="text"),
        pytest.param((1, " on. No", True), id="end"),
    ],
)
def test_another_row_under_a_number_that_was_read_is_reported(other: Any) -> None:
    live = stream()
    live.take(ROWS[:3])
    found = again(live).take([ROWS[1], other])
    problem = "number 1 came again and says something else"
    assert found == [Found(None, problem, 1, other[1])]


def test_what_comes_again_too_late_to_be_compared_is_reported() -> None:
    live = stream(LineChunking())
    live.take([(number, f"{number} ", False) for number in range(70)])
    found = live.take([(6, "6 ", False), (5, "5 ", False)])
    problem = "number 5 came again, too late to be compared"
    assert found == [Found(None, problem, 5, "5 ")]


def test_where_too_many_wait_the_missing_is_given_up() -> None:
    live = stream(most=2)
    rows: list[Any] = [
        (0, "It is on. No", False),
        (3, "Go. ", False),
        (4, "Wait. ", False),
    ]
    assert said(live.take(rows)) == ["It is on."]
    assert live.limit() == []
    assert live.take([(6, "Then", False)]) == []
    found = live.limit()
    assert said(found) == ["No", "numbers 1 to 2 are missing", "Go.", "Wait."]
    cut, *others = chunks(found)
    assert (cut.complete, cut.start, cut.end) == (False, 10, 12)
    assert [(chunk.complete, chunk.start) for chunk in others] == [
        (True, 12),
        (True, 16),
    ]
    assert reports(found) == [("numbers 1 to 2 are missing", 1, None)]
    late = again(live).take([(2, "w. ", False), (5, "Now. ", True)])
    problem = "number 2 came too late: it was given up as missing"
    assert reports(late) == [
        (problem, 2, "w. "),
        ("number 6 came too late: the stream ended with number 5", 6, "Then"),
    ]
    assert [str(chunk) for chunk in chunks(late)] == ["Now."]


def test_a_huge_gap_costs_no_more_than_a_small_one() -> None:
    live = stream(most=0)
    live.take([(10**15, "Far. Away", False)])
    assert said(live.limit())[0] == f"numbers 0 to {10**15 - 1} are missing"
    assert len(live.stored.order) < 1_000
    early, late = live.take([(10**15 - 64, "a", False), (10**15 - 63, "b", False)])
    assert early.error == f"number {10**15 - 64} came again, too late to be compared"
    assert late.error == (
        f"number {10**15 - 63} came too late: it was given up as missing"
    )


def test_rows_behind_the_end_are_reported() -> None:
    live = stream()
    found = live.take([(2, "late", False), (1, " Two", True), (0, "One.", False)])
    problem = "number 2 came too late: the stream ended with number 1"
    assert said(found) == ["One.", "Two", problem]
    assert found[-1] == Found(None, problem, 2, "late")
    live = again(live)
    assert live.take([(2, "late", False)]) == [Found(None, problem, 2, "late")]
    assert live.take([(1, " Two", True), (0, "One.", False)]) == []
    assert live.limit() == []
    assert live.give_up() == []


def test_a_stream_that_is_given_up_releases_its_fragment() -> None:
    live = stream()
    live.take(ROWS[:4])
    found = again(live).give_up()
    (chunk,) = chunks(found)
    assert (str(chunk), chunk.complete) == ("Th", False)
    assert reports(found) == [("no end came in time, expected number 4", 4, None)]
    live = stream()
    live.take([(0, "It is on.", False)])
    (chunk,) = chunks(live.give_up())
    assert (str(chunk), chunk.complete) == ("It is on.", False)
    problem = "number 1 came too late: the stream was given up before number 1"
    assert live.take([(1, "a", True)]) == [Found(None, problem, 1, "a")]


def test_a_stream_that_is_given_up_reads_what_waits() -> None:
    live = stream()
    live.take([ROWS[1], ROWS[3]])
    assert said(live.give_up()) == [
        "number 0 is missing",
        "on.",
        "No",
        "number 2 is missing",
        "Go.",
        "Th",
        "no end came in time, expected number 4",
    ]


def test_an_end_that_waits_ends_a_stream_that_is_given_up() -> None:
    live = stream()
    live.take([*ROWS[:3], ROWS[4]])
    found = live.give_up()
    assert said(found) == ["number 3 is missing", "en"]
    assert live.is_over


class Brittle(ChunkingStrategy[Any]):
    """Lines; takes no text with an ``x``, and no end behind a ``y``."""

    @override
    def split(self, text: str) -> list[str]:
        self._check(text, "x")
        return text.splitlines(keepends=True)[: text.count("\n")]

    @override
    def flush(self, text: str) -> list[str]:
        self._check(text, "y")
        return [text]

    def _check(self, text: str, mark: str) -> None:
        if mark in text:
            msg = "found \ud800"
            raise RuntimeError(msg)


def test_a_row_that_a_strategy_does_not_take_ends_the_stream() -> None:
    live = stream(Brittle())
    found = live.take([(2, "c", False), (0, "a\nb", False), (1, "x", False)])
    assert said(found)[0] == "a\n"
    assert reports(found) == [
        ("RuntimeError: found \\ud800", 1, "bx"),
        ("number 2 came too late: the stream failed at number 1", 2, "c"),
    ]
    live = again(live, Brittle())
    assert live.take([(1, "x", False)]) == []
    (late,) = live.take([(3, "d", True)])
    assert late.left_out == "d"
    assert live.give_up() == []


def test_a_last_row_that_fails_ends_the_stream_behind_its_chunks() -> None:
    live = stream(Brittle())
    assert live.take([(0, "x", True)])[0].left_out == "x"
    live = stream(Brittle())
    found = live.take([(0, "a\ny", True)])
    assert said(found) == ["a\n", "RuntimeError: found \\ud800"]
    assert found[-1].left_out == "y"
    assert live.is_over


def test_an_end_that_fails_when_it_is_given_up_is_reported() -> None:
    live = stream(Brittle())
    live.take([(0, "y", False), (2, "z", False)])
    assert reports(live.give_up()) == [
        ("RuntimeError: found \\ud800", 1, "y"),
        ("number 2 came too late: the stream failed at number 1", 2, "z"),
    ]
    live = stream(JSONChunking(strict=True))
    live.take([(0, "[1, 2", False)])
    (failed,) = [each for each in live.give_up() if each.error]
    assert str(failed.error).startswith("MalformedJSONError: ")
    assert live.is_over


def test_what_is_stored_is_the_state_of_a_chunker_and_an_order() -> None:
    live = stream()
    live.take([ROWS[0], ROWS[1], ROWS[3]])
    stored = live.stored
    chunker = Chunker(SENTENCES)
    for delta in DELTAS[:2]:
        chunker.feed(delta)
    assert stored.chunker == chunker.state.to_json()
    order = json.loads(stored.order)
    assert (order["next"], order["waiting"]) == (2, [[3, "Go. Th", False]])


def test_what_is_stored_is_bounded_behind_the_end() -> None:
    live = stream()
    live.take([(number, "word " * 20, number == 999) for number in range(1_000)])
    stored = live.stored
    assert stored.chunker is None
    assert len(stored.order) < 1_000


def test_a_newer_form_is_refused() -> None:
    order = json.dumps({**json.loads(stream().stored.order), "format": 2})
    with pytest.raises(StreamStateError, match="has format 2, expected at most 1"):
        again_of(Stored(None, order))


def test_a_state_of_another_strategy_is_refused() -> None:
    with pytest.raises(StreamStateError, match="belongs to another strategy"):
        again(stream(), LineChunking())


def again_of(stored: Stored) -> NumberedStream:
    return NumberedStream.restored(SENTENCES, stored, max_waiting=8)
