"""What strategies there are, in words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from chunkwise import STRATEGIES, ChunkingStrategy, strategy_from_dict
from chunkwise._catalogue import Entry, Parameter, list_strategies
from chunkwise._strategy import parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def entry(name: str) -> Entry:
    [found] = [each for each in list_strategies() if each.name == name]
    return found


def test_every_strategy_is_listed_with_its_parameters_in_order() -> None:
    listed = list_strategies()
    assert [each.name for each in listed] == list(STRATEGIES)
    for name, summary, listed_parameters in listed:
        assert summary.endswith(".")
        names = [parameter.name for parameter in listed_parameters]
        assert names == list(parameters(STRATEGIES[name]))


def test_a_default_is_what_a_dictionary_would_have() -> None:
    for name, _, listed in list_strategies():
        if all(parameter.default is not None for parameter in listed):
            given = {each.name: json.loads(each.default or "") for each in listed}
            form = strategy_from_dict({"type": name, **given})
            assert form == strategy_from_dict({"type": name})


def test_words_are_those_of_json() -> None:
    found = {parameter.name: parameter for parameter in entry("window").parameters}
    assert found["window"] == ("window", "an integer", None)
    assert found["stride"] == ("stride", "an integer or null", "null")
    assert found["by"] == ("by", "a strategy", '"sentence"')
    assert found["tail"].takes == '"new" or "all" or "drop"'
    pieces = {parameter.name: parameter for parameter in entry("sized").parameters}
    assert pieces["by"].takes == "a list, each item a strategy"


def test_a_default_that_is_the_name_of_a_strategy_is_that_name() -> None:
    found = {parameter.name: parameter for parameter in entry("markdown").parameters}
    assert found["sentence"].default == '"sentence"'


class Odd(ChunkingStrategy):  # noqa: D101 - it is listed without a summary
    def __init__(
        self,
        anything: Any,
        table: Mapping[str, int],
        items: Sequence[Any] = (),
        inner: ChunkingStrategy[Any] = strategy_from_dict(  # noqa: B008 - immutable
            {"type": "line", "keep_ends": False}
        ),
        plain: ChunkingStrategy[Any] = strategy_from_dict({"type": "line"}),  # noqa: B008 - as above
    ) -> None:
        """Take parameters of all kinds."""

    @override
    def split(self, text: str) -> list[str]:
        return []


def test_a_strategy_of_anybody_is_listed_as_far_as_it_is_known(
    register: Callable[[str, type[ChunkingStrategy[Any]]], None],
) -> None:
    register("odd", Odd)
    assert entry("odd") == Entry(
        "odd",
        "",
        (
            Parameter("anything", "anything", None),
            Parameter("table", "an object", None),
            Parameter("items", "a list, each item anything", "[]"),
            Parameter("inner", "a strategy", '{"type": "line", "keep_ends": false}'),
            # Its name says as much.
            Parameter("plain", "a strategy", '"line"'),
        ),
    )
