"""Spans and scans are plain values with names."""

from __future__ import annotations

import copy
import pickle
import sys

import pytest

from chunkwise import Scan, Span
from chunkwise._spans import NEVER


def test_a_span_is_complete_and_of_no_kind_unless_told() -> None:
    assert Span(4, 9) == Span(start=4, end=9, complete=True, kind="")
    assert Span(4, 9) == (4, 9, True, "", False, None, ())


def test_a_span_has_names() -> None:
    span = Span(4, 9, complete=None, kind="word")
    assert (span.start, span.end, span.complete, span.kind) == (4, 9, None, "word")
    assert repr(span).startswith("Span(start=4, end=9, complete=None, kind='word'")


def test_a_scan_asks_for_the_next_delta_unless_told() -> None:
    scan: Scan[None] = Scan([Span(0, 2)], 2, 3, None)
    assert (scan.spans, scan.keep, scan.resume, scan.state) == (
        [(0, 2, True, "", False, None, ())],
        2,
        3,
        None,
    )
    assert scan.wake == 0


def test_never_is_further_than_any_stream_reaches() -> None:
    assert sys.maxsize == NEVER
    assert Scan([], 0, 0, None, NEVER).wake > 10**15


@pytest.mark.parametrize(
    "value",
    [Span(1, 2, complete=False, kind="line"), Scan([Span(1, 2)], 2, 2, (1, "a"), 9)],
    ids=["span", "scan"],
)
def test_spans_and_scans_pickle_and_copy(value: Span | Scan[tuple[int, str]]) -> None:
    pickled = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own pickle
    for again in (pickled, copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert type(again) is type(value)


def test_spans_and_scans_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Span(1, 2).start = 0  # type: ignore[misc]  # that it cannot be set
    with pytest.raises(AttributeError):
        Scan([], 0, 0, None).keep = 1  # type: ignore[misc]  # as above


def test_the_type_of_a_state_can_be_named() -> None:
    assert Scan[int]([], 0, 0, 5).state == 5
