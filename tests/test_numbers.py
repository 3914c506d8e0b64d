"""Checks of numbers given as parameters."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise._numbers import check_count, check_seconds


@pytest.mark.parametrize(("value", "least"), [(0, 0), (1, 1), (7, 1), (10**30, 0)])
def test_a_number_that_is_large_enough_passes(value: int, least: int) -> None:
    check_count("size", value, least)


@pytest.mark.parametrize("value", [0, -1, True, False])
def test_what_is_too_small_or_a_bool_is_a_value_error(value: int) -> None:
    with pytest.raises(ValueError, match=r"^size must be .* at least 1") as caught:
        check_count("size", value, 1)
    assert repr(value) in str(caught.value)


def test_a_bool_is_none_even_if_it_would_be_large_enough() -> None:
    with pytest.raises(ValueError, match="got False"):
        check_count("overlap", value=False, least=0)


@pytest.mark.parametrize("value", [None, "3", 3.0, [3]])
def test_anything_else_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^size must be an int") as caught:
        check_count("size", value, 1)
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("value", [1, 0.5, float("inf")])
def test_some_time_passes(value: float) -> None:
    check_seconds("timeout", value)
    check_seconds("timeout", value, or_none=True)
    check_seconds("timeout", None, or_none=True)


@pytest.mark.parametrize("value", [0, -0.5, float("nan")])
def test_no_time_is_a_value_error(value: float) -> None:
    with pytest.raises(ValueError, match=r"^timeout must be above 0 seconds, got"):
        check_seconds("timeout", value)


def test_time_may_have_a_limit() -> None:
    check_seconds("timeout", 5, most=5)
    for value in (5.5, float("inf"), 10**5_000):
        with pytest.raises(ValueError, match="above 0 and at most 5 seconds, got"):
            check_seconds("timeout", value, most=5)


@pytest.mark.parametrize("value", ["1", True, None])
def test_what_is_no_number_is_no_time(value: object) -> None:
    with pytest.raises(TypeError, match=r"^timeout must be a number of seconds, got"):
        check_seconds("timeout", value)


def test_a_message_says_where_none_is_allowed() -> None:
    with pytest.raises(TypeError, match=r"must be a number of seconds or None, got"):
        check_seconds("timeout", "1", or_none=True)
