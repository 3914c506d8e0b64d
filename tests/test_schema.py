"""The schema takes what ``to_dict`` writes, and refuses what no strategy is made of."""

from __future__ import annotations

import json
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from typing_extensions import override

from chunkwise import (
    STRATEGIES,
    ChunkingStrategy,
    LineChunking,
    SentenceChunking,
    WordChunking,
    strategy_from_dict,
)
from chunkwise.schema import strategy_schema
from tests.examples import SemicolonChunking
from tests.texts import every_built_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Self

    from chunkwise._registry import StrategyLike


@dataclass(frozen=True)
class Nesting(ChunkingStrategy):
    """Takes strategies in every way."""

    inner: ChunkingStrategy[Any]
    _: KW_ONLY
    by: StrategyLike = "word"
    levels: tuple[StrategyLike, ...] = ("paragraph", LineChunking())
    sizer: Callable[[str], int] = len
    hidden: object = SemicolonChunking()

    @override
    def split(self, text: str) -> list[str]:
        return []


class Starred(SemicolonChunking):
    """Reads its own dictionary."""

    def __init__(self, *sizes: int) -> None:
        self.sizes = sizes

    @override
    def to_dict(self) -> dict[str, object]:
        return {"type": "starred", "sizes": list(self.sizes)}

    @override
    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        return cls(*values["sizes"])


def errors_of(form: object) -> list[Any]:
    return list(Draft202012Validator(strategy_schema()).iter_errors(form))


def schema_of(name: str) -> dict[str, Any]:
    forms = strategy_schema()["$defs"]["strategy"]["oneOf"]
    (form,) = (each for each in forms if each["properties"]["type"]["const"] == name)
    assert isinstance(form, dict)
    return form


def test_the_schema_is_one_and_can_be_written() -> None:
    schema = strategy_schema()
    Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema, allow_nan=False)) == schema


def test_a_schema_can_be_changed_without_changing_the_next() -> None:
    strategy_schema()["$defs"].clear()
    schema_of("line")["properties"]["keep_ends"].clear()
    assert schema_of("line")["properties"]["keep_ends"] == {
        "type": "boolean",
        "default": True,
    }


@every_built_in
def test_what_a_strategy_writes_is_valid(strategy: ChunkingStrategy[Any]) -> None:
    assert errors_of(json.loads(json.dumps(strategy.to_dict()))) == []


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_registered_class_has_a_schema(name: str) -> None:
    assert schema_of(name)["title"] == STRATEGIES[name].__name__


WRONG: list[Any] = [
    {},
    {"keep_ends": True},
    {"type": "lines"},
    {"type": None},
    {"type": "line", "keepends": True},
    {"type": "line", "keep_ends": "no"},
    {"type": "line", "keep_ends": 1},
    {"type": "word", "size": 3},
    {"type": "sentence", "rules": "fancy"},
]


@pytest.mark.parametrize("form", WRONG, ids=str)
def test_what_cannot_be_loaded_is_not_valid(form: dict[str, object]) -> None:
    assert errors_of(form)
    with pytest.raises(ValueError, match="expected"):
        strategy_from_dict(form)


@pytest.mark.parametrize("form", [None, "line", 7, ["line"], True], ids=repr)
def test_what_is_no_dictionary_is_not_valid(form: object) -> None:
    assert errors_of(form)


def test_what_from_dict_fills_in_can_be_left_out() -> None:
    assert errors_of({"type": "sentence"}) == []
    assert isinstance(strategy_from_dict({"type": "sentence"}), SentenceChunking)


@pytest.fixture
def nesting(register: Callable[[str, type[ChunkingStrategy[Any]]], None]) -> None:
    """Register a class with strategies inside, for one test."""
    register("nesting", Nesting)


@pytest.mark.usefixtures("nesting")
def test_strategies_nest() -> None:
    inner = {"type": "nesting", "inner": {"type": "line"}, "by": "line"}
    form = {
        "type": "nesting",
        "inner": inner,
        "by": inner,
        "levels": ["paragraph", inner, "word"],
    }
    assert errors_of(form) == []
    assert isinstance(strategy_from_dict(form), Nesting)


@pytest.mark.usefixtures("nesting")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"inner": "line"}, id="a name for what takes a strategy"),
        pytest.param({"inner": {"type": "lines"}}, id="unknown type"),
        pytest.param({"inner": {"type": "nesting"}}, id="missing key"),
        pytest.param({"by": {"type": "line", "keepends": 1}}, id="unknown key"),
        pytest.param({"by": 7}, id="wrong type"),
        pytest.param({"levels": "line"}, id="no list"),
        pytest.param({"levels": ["line", 7]}, id="wrong item"),
    ],
)
def test_a_wrong_dictionary_inside_is_not_valid(change: dict[str, object]) -> None:
    form = {"type": "nesting", "inner": {"type": "word"}}
    assert errors_of(form) == []
    assert errors_of({**form, **change})
    with pytest.raises(ValueError, match="expected"):
        strategy_from_dict({**form, **change})


@pytest.mark.usefixtures("nesting")
def test_a_name_alone_is_valid_where_it_is_a_strategy() -> None:
    form = {"type": "nesting", "inner": {"type": "word"}}
    assert errors_of({**form, "by": "sentence"}) == []
    assert errors_of({**form, "by": "sentences"})
    assert errors_of({**form, "by": "nesting"}), "it needs more than its name"


@pytest.mark.usefixtures("nesting")
def test_defaults_that_can_be_written_are_shown() -> None:
    schema = schema_of("nesting")
    assert schema["required"] == ["type", "inner"]
    properties = schema["properties"]
    assert "default" not in properties["inner"]
    assert properties["by"]["default"] == "word"
    assert properties["levels"]["default"] == [
        "paragraph",
        {"type": "line", "keep_ends": True},
    ]
    assert properties["sizer"] == {}, "JSON has no functions"
    assert properties["hidden"] == {}, "its class is not registered"


def test_a_class_without_parameters_has_a_type_alone() -> None:
    assert schema_of("word")["properties"] == {"type": {"const": "word"}}
    assert WordChunking.from_dict({}) == WordChunking()


def test_a_class_that_reads_its_own_dictionary_has_an_open_schema(
    register: Callable[[str, type[ChunkingStrategy[Any]]], None],
) -> None:
    register("starred", Starred)
    assert errors_of(Starred(1, 2).to_dict()) == []
    assert errors_of({"type": "starred", "more": 1}) == []
    assert isinstance(strategy_from_dict({"type": "starred", "sizes": [1]}), Starred)
