"""Pieces of texts: what a subject's parameters and its code name."""

from __future__ import annotations

import re
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from chunkwise import ChunkingStrategy, NestedChunking, RegexChunking, WordChunking
from chunkwise.testing._pieces import PIECES, pieces_named_by

if TYPE_CHECKING:
    from collections.abc import Callable

MARKS = frozenset({"<<", ">>"})
_END = re.compile("END$")
OPTIONS = {"key": ["value"], "function": len}


def test_pieces_are_not_empty() -> None:
    assert all(PIECES)


def test_a_constant_in_the_code_is_named_and_so_are_its_code_points() -> None:
    class AtSigns(ChunkingStrategy):
        """Cuts at two at signs."""

        @override
        def split(self, text: str) -> list[str]:
            return text.split("@~")[:-1]

    assert {"@~", "@", "~"} <= {*pieces_named_by(AtSigns())}


def test_a_docstring_is_no_piece() -> None:
    class Documented(ChunkingStrategy):
        @override
        def split(self, text: str) -> list[str]:
            """Say in one sentence what this gives, which is nothing."""
            return []

    assert pieces_named_by(Documented()) == []


def test_parameters_are_named_also_inside_of_strategies_inside() -> None:
    named = pieces_named_by(NestedChunking(RegexChunking("%%"), WordChunking()))
    assert {"%%", "%"} <= {*named}


def test_what_a_module_names_in_capitals_is_used_where_the_code_uses_it() -> None:
    def find(text: str) -> Any:
        return _END.search(text), OPTIONS, [mark for mark in MARKS if mark in text]

    assert {"END$", "<<", ">>", "key", "value"} <= {*pieces_named_by(find)}


def test_every_kind_of_method_is_looked_at() -> None:
    class Kinds:
        @classmethod
        def of_class(cls) -> str:
            return "(1)"

        @staticmethod
        def static() -> str:
            return "(2)"

        @property
        def value(self) -> str:
            return "(3)"

        @cached_property
        def kept(self) -> str:
            return "(4)"

        def call(self, mark: str = "(5)") -> str:
            return mark

    named = {*pieces_named_by(Kinds)}
    assert {"(1)", "(2)", "(3)", "(4)", "(5)"} <= named
    assert {*pieces_named_by(Kinds().call)} >= {"(5)"}


def test_the_arguments_of_a_partial_are_named() -> None:
    def cut(text: str, mark: str, *, other: str) -> list[str]:
        return [text, mark, other]

    function: Callable[..., Any] = partial(cut, mark="|1|", other="|2|")
    assert {"|1|", "|2|"} <= {*pieces_named_by(function)}


def test_a_value_that_holds_itself_is_looked_at_once() -> None:
    class Loop:
        def __init__(self) -> None:
            self.mark = "~~"
            self.me = self

    assert pieces_named_by(Loop()) == ["~~", "~"]


def test_the_order_is_always_the_same() -> None:
    assert pieces_named_by(frozenset({"b", "a", "c"})) == ["a", "b", "c"]


def test_what_has_no_parts_names_nothing() -> None:
    assert pieces_named_by(1) == pieces_named_by(len) == pieces_named_by(None) == []
