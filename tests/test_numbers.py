"""Checks of whole numbers given as parameters."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise._numbers import check_count


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
