"""What a report says: the case, both results next to each other, and the cause."""

from __future__ import annotations

import pickle

import pytest

from chunkwise import ChunkwiseError
from chunkwise.testing import BrokenLawError, check_strategy
from chunkwise.testing._report import sides_of
from chunkwise.testing._runs import Facts, Run
from tests.testing.faulty import DecidesAtTheEnd, TakesBack


def test_a_report_shows_the_case_both_results_and_the_cause() -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_strategy(DecidesAtTheEnd(), ["It costs 3.14."])
    first, *lines, cause = str(caught.value).splitlines()
    assert first == (
        "DecidesAtTheEnd breaks the law of finality: a released chunk changed when "
        "more text came"
    )
    assert lines == [
        "  text:   'a.a'",
        "  deltas: 'a.' | 'a'",
        "",
        "    after 'a.' | after 'a.a'",
        "    ---------- | -----------",
        "    0:2 'a.'   | no chunk",
        "",
    ]
    assert cause.startswith("  cause:  decides at the end of the text: ")


def test_a_report_is_an_assertion_error_with_facts_and_pickles() -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_strategy(TakesBack(), ["a\n"])
    report = caught.value
    assert isinstance(report, AssertionError)
    assert isinstance(report, ChunkwiseError)
    assert report.deltas == ("\n",)
    assert report.text == "\n"
    (left, rows), (right, other_rows) = report.sides
    assert (left, right) == ("the plain one", "the final one")
    assert (rows, other_rows) == (("0:1 complete=True",), ("0:1 complete=None",))
    again = pickle.loads(pickle.dumps(report))  # noqa: S301 - our own pickle
    assert str(again) == str(report)
    assert again.sides == report.sides


def test_a_report_without_a_text_has_no_lines_for_one() -> None:
    report = BrokenLawError(
        subject="X", law="closing", deltas=[], problem="p", sides=(), cause="c"
    )
    assert str(report) == "X breaks the law of closing: p\n  cause:  c"


def chunks(*texts: str, **facts: object) -> Run:
    found, at = [], 0
    for number, text in enumerate(texts):
        found.append(Facts(text, at, at + len(text), "", number, **facts))  # type: ignore[arg-type]  # by name
        at += len(text)
    return Run((tuple(found),))


def test_results_are_shown_from_where_they_part() -> None:
    left, right = sides_of("l", chunks("a", "bc"), "r", chunks("a", "b", "c"))
    assert left == ("l", ("1:3 'bc'",))
    assert right == ("r", ("1:2 'b'", "2:3 'c'"))


def test_a_result_that_ends_earlier_says_so() -> None:
    left, right = sides_of("l", chunks("a"), "r", chunks("a", "b"))
    assert left.rows == ("no further chunk",)
    assert right.rows == ("1:2 'b'",)
    assert sides_of("l", chunks(), "r", chunks("a"))[0].rows == ("no chunk",)


def test_what_else_a_chunk_says_is_shown_where_it_differs() -> None:
    left, right = sides_of("l", chunks("a", kind="x"), "r", chunks("a", kind="y"))
    assert left.rows == ("0:1 'a' kind='x'",)
    assert right.rows == ("0:1 'a' kind='y'",)


def test_equal_results_show_the_last_chunk_and_the_error() -> None:
    failed = chunks("a", "b")._replace(error=IndexError())
    left, right = sides_of("l", failed, "r", failed)
    assert left.rows == right.rows == ("1:2 'b'", "then IndexError")


def test_of_a_long_result_the_first_rows_are_shown() -> None:
    left, _ = sides_of("l", chunks(*"abcdefgh"), "r", chunks())
    assert left.rows == (
        *(f"{n}:{n + 1} {c!r}" for n, c in enumerate("abcdef")),
        "and 2 more",
    )
