"""What a parameter takes: words, check and schema of every kind of annotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, Optional, TypeVar, Union

import pytest

from chunkwise import ChunkingStrategy, LineChunking, WordChunking
from chunkwise._takes import NAME, STRATEGY, constructor_takes, takes

if TYPE_CHECKING:
    import decimal
    from decimal import Decimal

    from chunkwise._registry import StrategyLike
    from chunkwise.sizing import Sizer

STRATEGY_LIKE = Union[ChunkingStrategy[Any], str, Mapping[str, object]]  # noqa: UP007 - also on Python 3.10

HINTS = [
    (Any, "anything", {}, [None, 1, len], []),
    (object, "anything", {}, [None, 1, len], []),
    (None, "None", {"type": "null"}, [None], [0, "", False]),
    (bool, "a bool", {"type": "boolean"}, [True, False], [0, 1, "no", None]),
    (int, "an int", {"type": "integer"}, [0, -3], [True, 1.0, "1", None]),
    (float, "a number", {"type": "number"}, [0, 0.5], [True, "1", None]),
    (str, "a str", {"type": "string"}, ["", "a"], [b"a", 1, None]),
    (Literal["a", 1], "'a' or 1", {"enum": ["a", 1]}, ["a", 1], ["b", True, 1.0]),
    (
        Optional[int],  # noqa: UP045 - one way to write it
        "an int or None",
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        [None, 3],
        ["3", True],
    ),
    (
        int | None,
        "an int or None",
        {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        [None, 3],
        ["3", True],
    ),
    (tuple, "a sequence, each item anything", {"type": "array"}, [(), ("a", 1)], ["a"]),
    (
        tuple[str, ...],
        "a sequence, each item a str",
        {"type": "array", "items": {"type": "string"}},
        [(), ("a",), ["a", "b"], {"a"}],
        ["a", b"a", ("a", 1), {"a": "b"}, None],
    ),
    (
        Sequence[int],
        "a sequence, each item an int",
        {"type": "array", "items": {"type": "integer"}},
        [(), (1,)],
        ["1", ("1",)],
    ),
    (
        tuple[int, str],
        "a sequence, each item anything",
        {"type": "array"},
        [(1, "a")],
        ["a", None],
    ),
    (
        Iterable[Callable[[], int]],
        "a sequence, each item anything",
        {"type": "array"},
        [(len,)],
        [len],
    ),
    (
        Mapping[str, int],
        "a mapping",
        {"type": "object", "additionalProperties": {"type": "integer"}},
        [{}, {"a": 1}],
        [{"a": "1"}, (), "a"],
    ),
    (dict, "a mapping", {"type": "object"}, [{}, {"a": len}], [(), None]),
    (
        LineChunking,
        "a strategy",
        STRATEGY,
        [LineChunking()],
        [WordChunking(), "line", {"type": "line"}],
    ),
    (
        ChunkingStrategy[Any] | None,
        "a strategy or None",
        {"anyOf": [STRATEGY, {"type": "null"}]},
        [LineChunking(), None],
        ["line"],
    ),
    (
        STRATEGY_LIKE,
        "a strategy or a name or a dictionary form",
        {"anyOf": [STRATEGY, NAME]},
        [LineChunking(), "line", {"type": "line"}],
        [7, None, LineChunking],
    ),
    (
        Sequence[STRATEGY_LIKE],
        "a sequence, each item a strategy or a name or a dictionary form",
        {"type": "array", "items": {"anyOf": [STRATEGY, NAME]}},
        [(), (LineChunking(), "line")],
        ["line", LineChunking(), (7,)],
    ),
    (
        str | Mapping[str, int],
        "a str or a mapping",
        {
            "anyOf": [
                {"type": "string"},
                {"type": "object", "additionalProperties": {"type": "integer"}},
            ]
        },
        ["a", {"a": 1}],
        [{"a": "b"}],
    ),
    # JSON has no functions, so what a dictionary can hold of these is the name.
    (Callable[[str], int], "anything", None, [len], []),
    (str | re.Pattern[str], "a str or anything", {"type": "string"}, ["a", len], []),
    (re.Pattern[str] | Enum, "anything or anything", None, ["a"], []),
    (bytes, "anything", None, [b"a"], []),
    (TypeVar("T"), "anything", None, [b"a"], []),
]


@pytest.mark.parametrize(
    ("hint", "words", "schema", "right", "wrong"),
    HINTS,
    ids=[str(hint) for hint, *_ in HINTS],
)
def test_a_hint_has_words_a_check_and_a_schema(
    hint: Any, words: str, schema: object, right: list[Any], wrong: list[Any]
) -> None:
    class Taking:
        def __init__(self, value: Any) -> None: ...

        __init__.__annotations__["value"] = hint

    for taken in (
        takes(hint if hint is not None else type(None), ChunkingStrategy),
        constructor_takes(Taking, ChunkingStrategy)["value"],
    ):
        assert (taken.words, taken.schema) == (words, schema)
        assert [each for each in right if not taken.fits(each)] == []
        assert [each for each in wrong if taken.fits(each)] == []


class Annotated:
    """Its annotations are names, some of them for the type checker alone."""

    def __init__(
        self,
        plain: int,
        by: StrategyLike,
        sizer: Sizer | str,
        quoted: "Sequence[int]",  # noqa: UP037 - what it tests
        unknown: Decimal,
        **more: int,
    ) -> None: ...


class PartlyKnown:
    """Its annotations have parts that no one knows at run time."""

    def __init__(
        self, part: StrategyLike | Decimal | None, member: decimal.Decimal | int
    ) -> None: ...


def test_names_for_the_type_checker_are_known_or_allow_everything() -> None:
    taken = constructor_takes(Annotated, ChunkingStrategy)
    assert list(taken) == ["plain", "by", "sizer", "quoted", "unknown", "more"]
    assert taken["plain"].words == "an int"
    assert taken["by"].words == "a strategy or a name or a dictionary form"
    assert taken["sizer"].schema == {"type": "string"}
    assert taken["quoted"].words == "a sequence, each item an int"
    assert taken["unknown"].schema is None
    assert taken["unknown"].fits(len)


def test_what_is_known_of_an_annotation_is_in_the_schema() -> None:
    taken = constructor_takes(PartlyKnown, ChunkingStrategy)
    assert taken["part"].schema == {"anyOf": [STRATEGY, NAME, {"type": "null"}]}
    assert taken["part"].fits(len)
    assert taken["member"].schema is None
    assert taken["member"].fits(len)


def test_an_annotation_that_is_missing_allows_everything() -> None:
    class Bare:
        def __init__(self, size) -> None: ...  # type: ignore[no-untyped-def]  # noqa: ANN001 - what it tests

    taken = constructor_takes(Bare, ChunkingStrategy)["size"]
    assert taken.schema is None
    assert taken.fits(len)


def test_a_class_whose_module_is_gone_keeps_its_annotations() -> None:
    class Orphan:
        __module__ = "chunkwise.gone"

        def __init__(self, size: int) -> None: ...

    assert constructor_takes(Orphan, ChunkingStrategy)["size"].words == "an int"
