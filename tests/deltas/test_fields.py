"""Fields of events, whatever these are made of."""

from __future__ import annotations

from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from chunkwise.deltas._fields import (
    arguments,
    field,
    fields_of,
    has,
    items,
    number,
    text,
    token,
)

forms = pytest.mark.parametrize("form", [dict, MappingProxyType, SimpleNamespace])


def made(form: Any, **fields: Any) -> Any:
    return form(**fields) if form is SimpleNamespace else form(fields)


@forms
def test_a_field_is_there_also_without_a_value(form: Any) -> None:
    event = made(form, text=None)
    assert has(event, "text") is True
    assert has(event, "type") is False


@forms
def test_the_first_field_that_is_there_counts(form: Any) -> None:
    value = made(form, a=None, b=0, c=1)
    assert field(value, "a", "b", "c") == 0
    assert field(value, "a", "d") is None
    assert field(None, "a") is None


@forms
def test_only_text_that_is_not_empty_is_text(form: Any) -> None:
    value = made(form, a="", b=7, c="x", d="y")
    assert text(value, "a", "b", "c", "d") == "x"
    assert text(value, "a", "b") == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [("a", "a"), (0, "0"), (0.005, "0.005"), (True, "true"), (None, ""), ([], "")],
)
def test_a_token_may_look_like_a_number(value: Any, expected: str) -> None:
    assert token({"a": value}, "b", "a") == expected


def test_only_lists_have_items() -> None:
    assert items({"a": [1]}, "a") == [1]
    assert items({"a": (1,)}, "a") == (1,)
    assert items({"a": "text"}, "a") == ()
    assert items({}, "a") == ()


def test_a_number_has_a_default() -> None:
    assert number({"a": 2}, "a") == 2
    assert number({"a": "2"}, "a", 1) == 1
    assert number({}, "a") == 0


def test_arguments_are_text_or_are_written_as_json() -> None:
    assert arguments({"a": {"b": "ä"}}, "a") == '{"b": "ä"}'
    assert arguments({"a": '{"b'}, "a") == '{"b'
    assert arguments({"a": None}, "a") == ""


def test_a_message_shows_type_and_first_fields() -> None:
    assert fields_of({"a": 1}) == "dict with the fields a"
    assert fields_of(SimpleNamespace(_x=0, b=1)) == "SimpleNamespace with the fields b"
    assert fields_of(7) == "int"
    many = dict.fromkeys("abcdefghi")
    assert fields_of(many) == "dict with the fields a, b, c, d, e, f, g, h, …"
