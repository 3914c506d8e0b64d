"""The options of a stream: what they may be, and which go together."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.validation._options import SessionOptions


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hold_back": 1, "release": "end"}, "hold_back=1 goes with release='hold'"),
        ({"on_limit": "cut"}, "on_limit='cut' needs max_pending"),
    ],
    ids=str,
)
def test_options_that_exclude_each_other_are_refused(
    options: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        SessionOptions(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"release": "later"}, "release must be one of 'hold', 'end', 'optimistic', "),
        ({"on_reject": "skip"}, "on_reject must be one of 'raise', 'stop', got 'skip'"),
        ({"on_limit": "drop"}, "on_limit must be one of 'raise', 'cut', got 'drop'"),
        ({"hold_back": -1}, "hold_back must be an int of at least 0, got -1"),
    ],
    ids=str,
)
def test_values_that_are_not_allowed_are_refused(options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SessionOptions(**options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hold_back": "1"}, "hold_back must be an int, got '1'"),
        ({"observer": "print"}, "observer must be callable, got 'print'"),
    ],
    ids=str,
)
def test_values_of_wrong_types_are_refused(options: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        SessionOptions(**options)


def test_options_that_go_together_are_taken() -> None:
    options = SessionOptions(release="hold", hold_back=1, observer=print)
    assert (options.hold_back, options.observer) == (1, print)
