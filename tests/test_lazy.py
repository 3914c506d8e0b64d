"""Tests of names that are imported when they are asked for."""

from __future__ import annotations

import json.decoder
import sys
from typing import TYPE_CHECKING

import pytest

from chunkwise._lazy import lazy_names

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def names() -> dict[str, object]:
    return {"__name__": "json", "mine": 1}


@pytest.fixture
def get(names: dict[str, object]) -> Callable[[str], object]:
    return lazy_names(names, {"JSONDecoder": "decoder"}, ["scanner"])[0]


def test_a_name_comes_from_its_module(get: Callable[[str], object]) -> None:
    assert get("JSONDecoder") is json.decoder.JSONDecoder


def test_a_module_comes_by_its_name(get: Callable[[str], object]) -> None:
    assert get("scanner") is sys.modules["json.scanner"]


def test_a_name_is_asked_for_once(
    names: dict[str, object], get: Callable[[str], object]
) -> None:
    assert "JSONDecoder" not in names
    found = get("JSONDecoder")
    assert names["JSONDecoder"] is found


def test_another_name_is_an_attribute_error(get: Callable[[str], object]) -> None:
    with pytest.raises(
        AttributeError, match=r"^module 'json' has no attribute 'decoder'$"
    ):
        get("decoder")


def test_all_names_are_listed(names: dict[str, object]) -> None:
    _, listed = lazy_names(names, {"JSONDecoder": "decoder"}, ["scanner"])
    assert listed() == ["JSONDecoder", "__name__", "mine", "scanner"]
