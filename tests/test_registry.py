"""Names of strategies, and strategies from names and dictionaries."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

import chunkwise
from chunkwise import (
    STRATEGIES,
    Chunker,
    ChunkingStrategy,
    ContractError,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    MarkdownChunking,
    MarkdownTableChunking,
    NestedChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    UnknownStrategyError,
    WindowChunking,
    WordChunking,
    register_strategy,
    resolve_chunking_strategy,
    strategy_from_dict,
)
from chunkwise._spellings import SPELLINGS
from tests.examples import SemicolonChunking
from tests.texts import every_built_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Self

    from chunkwise._registry import StrategyLike

ALIASES: list[tuple[str, type[ChunkingStrategy[Any]]]] = [
    ("sentence", SentenceChunking),
    ("word", WordChunking),
    ("line", LineChunking),
    ("paragraph", ParagraphChunking),
    ("json", JSONChunking),
    ("markdown", MarkdownChunking),
]
WITH_A_PARAMETER: list[tuple[str, type[ChunkingStrategy[Any]]]] = [
    ("fixed_size", FixedSizeChunking),
    ("window", WindowChunking),
    ("regex", RegexChunking),
    ("sized", SizedChunking),
    ("nested", NestedChunking),
    ("markdown_table", MarkdownTableChunking),
]
"""Names that are no strategy by themselves: a parameter has no default."""


@dataclass(frozen=True)
class Wrapping(ChunkingStrategy):
    """Level 1 with a strategy inside, and any plain value."""

    inner: ChunkingStrategy[Any]
    _: KW_ONLY
    options: object = None

    @override
    def split(self, text: str) -> list[str]:
        return self.inner.split(text)


@dataclass(frozen=True)
class BarChunking(ChunkingStrategy):
    """Level 1: bars separate."""

    @override
    def split(self, text: str) -> list[str]:
        return [part for part in text.split("|")[:-1] if part]


@dataclass(frozen=True)
class EvenChunking(BarChunking):
    """Refuses what its annotations cannot say."""

    size: int = 0
    by: StrategyLike = "word"

    def __post_init__(self) -> None:
        if self.size % 2:
            msg = f"size must be even, got {self.size}"
            raise ValueError(msg)
        if self.size == 4:
            problem = "4 breaks it"
            raise ContractError(problem, strategy="EvenChunking")
        resolve_chunking_strategy(self.by)


@pytest.fixture(autouse=True)
def registered(register: Callable[[str, type[ChunkingStrategy[Any]]], None]) -> None:
    """Register the three for one test."""
    register("wrapping", Wrapping)
    register("bars", BarChunking)
    register("even", EvenChunking)


@pytest.mark.parametrize(("alias", "cls"), ALIASES)
def test_an_alias_gives_an_instance(
    alias: str, cls: type[ChunkingStrategy[Any]]
) -> None:
    assert type(resolve_chunking_strategy(alias)) is cls
    assert STRATEGIES[alias] is cls


@pytest.mark.parametrize(("name", "cls"), WITH_A_PARAMETER)
def test_a_name_whose_strategy_needs_a_parameter_says_so(
    name: str, cls: type[ChunkingStrategy[Any]]
) -> None:
    assert STRATEGIES[name] is cls
    with pytest.raises(
        ValueError, match=f"alone is no strategy, because {cls.__name__} needs '"
    ):
        resolve_chunking_strategy(name)


def test_an_instance_passes_through() -> None:
    for strategy in (WordChunking(), SemicolonChunking()):
        assert resolve_chunking_strategy(strategy) is strategy


def test_none_passes_through() -> None:
    assert resolve_chunking_strategy(None) is None


def test_a_dictionary_gives_an_instance() -> None:
    strategy = resolve_chunking_strategy({"type": "paragraph", "strict": True})
    assert strategy == ParagraphChunking(strict=True)


def test_an_unknown_alias_is_a_value_error_that_lists_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'sentences'") as caught:
        resolve_chunking_strategy("sentences")
    assert isinstance(caught.value, UnknownStrategyError)
    assert caught.value.name == "sentences"
    for alias, _ in (*ALIASES, *WITH_A_PARAMETER):
        assert repr(alias) in str(caught.value)
        assert alias in caught.value.known


@pytest.mark.parametrize("alias", ["", "Word", " word", "word "])
def test_an_alias_is_taken_literally(alias: str) -> None:
    with pytest.raises(UnknownStrategyError):
        resolve_chunking_strategy(alias)


@pytest.mark.parametrize("wrong", [7, b"word", ["word"], object(), str], ids=type)
def test_anything_else_is_a_type_error_that_shows_it(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected a strategy, its name") as caught:
        resolve_chunking_strategy(wrong)
    assert repr(wrong) in str(caught.value)


def test_a_class_in_place_of_an_instance_is_told_apart() -> None:
    with pytest.raises(TypeError, match=r"make an instance: WordChunking\("):
        resolve_chunking_strategy(WordChunking)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    "form",
    [
        {"type": "line"},
        {"type": "line", "keep_ends": False},
        {"type": "paragraph", "strict": True},
        {"type": "word"},
        {"type": "sentence", "rules": "plain"},
        {"type": "fixed_size", "size": 20, "overlap": 5, "keep_clusters": False},
        {"type": "window", "by": {"type": "word"}, "window": 5, "stride": 3},
    ],
)
def test_a_dictionary_makes_a_strategy_that_gives_it_back(
    form: dict[str, object],
) -> None:
    strategy = strategy_from_dict(form)
    again = strategy.to_dict()
    assert {name: again[name] for name in form} == form
    assert strategy_from_dict(strategy.to_dict()) == strategy


def test_dictionaries_nest() -> None:
    strategy = Wrapping(Wrapping(LineChunking(keep_ends=False)), options={"a": 1})
    form = strategy.to_dict()
    assert form == {
        "type": "wrapping",
        "inner": {
            "type": "wrapping",
            "inner": {"type": "line", "keep_ends": False},
            "options": None,
        },
        "options": {"a": 1},
    }
    assert strategy_from_dict(form) == strategy


def test_the_dictionary_given_is_not_changed() -> None:
    form = {"type": "line", "keep_ends": False}
    strategy_from_dict(form)
    assert form == {"type": "line", "keep_ends": False}


@pytest.mark.parametrize(
    "form", [{}, {"keep_ends": True}, {"type": None}, {"type": 7}, {"type": "lines"}]
)
def test_a_dictionary_without_a_known_type_is_an_unknown_strategy(
    form: dict[str, object],
) -> None:
    with pytest.raises(UnknownStrategyError, match="'line'"):
        strategy_from_dict(form)


@pytest.mark.parametrize("name", ["", None, 7, ("word",)])
def test_a_name_is_text(name: Any) -> None:
    with pytest.raises(TypeError, match="a name must be a str that is not empty"):
        register_strategy(name, SemicolonChunking)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("a", 1), id="tuple"),
        pytest.param(("a", ("b", LineChunking(keep_ends=False))), id="nested tuples"),
        pytest.param({"a": LineChunking()}, id="strategy in a mapping"),
        pytest.param({"a": ("b", "c")}, id="tuple in a mapping"),
    ],
)
def test_dictionaries_give_back_what_is_inside_a_strategy(options: Any) -> None:
    strategy = Wrapping(WordChunking(), options=options)
    again = strategy_from_dict(json.loads(json.dumps(strategy.to_dict())))
    assert again == strategy


@pytest.mark.parametrize("wrong", [None, 7, "line", ["line"], LineChunking])
def test_what_is_no_dictionary_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected a"):
        strategy_from_dict(wrong)


def test_a_type_that_cannot_be_hashed_is_an_unknown_strategy() -> None:
    with pytest.raises(UnknownStrategyError):
        strategy_from_dict({"type": ["line"]})


def test_an_unknown_strategy_inside_is_found() -> None:
    with pytest.raises(UnknownStrategyError, match="'lines'"):
        strategy_from_dict({"type": "wrapping", "inner": {"type": "lines"}})


@pytest.mark.parametrize(
    ("form", "message"),
    [
        pytest.param(
            {"type": "line", "keepends": True},
            "LineChunking: unknown key 'keepends' .* expected 'keep_ends'",
            id="unknown key",
        ),
        pytest.param(
            {"type": "word", "size": 3},
            "WordChunking: unknown key 'size' .* expected no parameters",
            id="no keys known",
        ),
        pytest.param({"type": "wrapping"}, "Wrapping: no 'inner'", id="missing key"),
        pytest.param(
            {"type": "sentence", "rules": "fancy"},
            "SentenceChunking: found 'fancy' for 'rules' .* 'smart' or 'plain'",
            id="wrong value",
        ),
        pytest.param(
            {"type": "line", "keep_ends": "no"},
            "LineChunking: found 'no' for 'keep_ends' .* expected a bool",
            id="wrong type",
        ),
        pytest.param(
            {"type": "line", 7: True}, "unknown key 7 .* expected 'keep_ends'", id="7"
        ),
    ],
)
def test_wrong_keys_and_values_are_value_errors(
    form: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        strategy_from_dict(form)


def test_the_registry_is_read_only() -> None:
    with pytest.raises(TypeError):
        STRATEGIES["mine"] = WordChunking  # type: ignore[index]  # that it is read-only


def test_a_registered_class_is_resolved_and_shown() -> None:
    assert STRATEGIES["bars"] is BarChunking
    assert resolve_chunking_strategy("bars") == BarChunking()
    assert BarChunking().to_dict() == {"type": "bars"}
    assert Chunker("bars").feed("a|b|") == ["a", "b"]


def test_a_class_that_does_not_say_how_it_splits_gets_no_name() -> None:
    with pytest.raises(TypeError, match="overrides neither split"):
        register_strategy("base", ChunkingStrategy)
    assert "base" not in STRATEGIES


NESTED = [
    pytest.param({"inner": "word"}, "'inner' .*a strategy", id="top"),
    pytest.param(
        {"inner": {"type": "line", "keep_ends": "no"}},
        "LineChunking: found 'no' for 'inner.keep_ends' .* expected a bool",
        id="wrong type",
    ),
    pytest.param(
        {"inner": {"type": "wrapping", "inner": {"type": "line", "ends": 1}}},
        "unknown key 'inner.inner.ends' in the dictionary, expected 'keep_ends'",
        id="unknown key",
    ),
    pytest.param(
        {"inner": {"type": "wrapping"}},
        "Wrapping: no 'inner.inner' in the dictionary",
        id="missing key",
    ),
    pytest.param(
        {"inner": {"type": "lines"}},
        "unknown strategy 'lines' at 'inner.type', expected one of 'sentence'",
        id="unknown type",
    ),
    pytest.param(
        {"inner": {"type": None}},
        "no 'inner.type' in the dictionary, expected one of 'sentence'",
        id="no type",
    ),
    pytest.param(
        {"inner": {"type": "word"}, "options": {"a": [1, {"type": "word", "b": 2}]}},
        r"unknown key 'options.a\[1\].b' in the dictionary, expected no parameters",
        id="in a list in a mapping",
    ),
    pytest.param(
        {"inner": {"type": "even", "size": 3}},
        r"EvenChunking: size must be even, got 3 \(at 'inner'\)",
        id="refused by the constructor",
    ),
    pytest.param(
        {"inner": {"type": "even", "size": 2, "by": "words"}},
        "unknown strategy 'words' at 'inner.by', expected one of 'sentence'",
        id="unknown name",
    ),
    pytest.param(
        {"inner": {"type": "even", "size": 4}},
        "EvenChunking: 4 breaks it",
        id="broken contract",
    ),
]


@pytest.mark.parametrize(("form", "message"), NESTED)
def test_an_error_inside_says_where(form: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        strategy_from_dict({"type": "wrapping", **form})


def test_an_error_at_the_top_needs_no_place() -> None:
    with pytest.raises(ValueError, match=r"^EvenChunking: size must .* got 3$"):
        strategy_from_dict({"type": "even", "size": 3})


def test_an_unknown_strategy_inside_keeps_its_path() -> None:
    with pytest.raises(UnknownStrategyError) as caught:
        strategy_from_dict({"type": "wrapping", "inner": {"type": "lines"}})
    assert caught.value.path == "inner.type"


class Recorder:
    """Does not expect to be called, compared or used in any other way."""

    def __call__(self, *args: object, **kwargs: object) -> None:  # noqa: D102 - see above
        raise AssertionError((args, kwargs))

    __getattr__ = __iter__ = __bool__ = __eq__ = __str__ = __call__  # type: ignore[assignment]

    __hash__ = None  # type: ignore[assignment]  # it compares


@pytest.mark.parametrize("name", ["antigravity", "antigravity:fly", "os.system"])
def test_nothing_in_a_dictionary_is_imported(name: str) -> None:
    loaded = set(sys.modules)
    with pytest.raises(UnknownStrategyError):
        strategy_from_dict({"type": name})
    form = {
        "type": "wrapping",
        "inner": {"type": "word"},
        "options": [name, {"a": name}],
    }
    strategy = strategy_from_dict(form)
    assert isinstance(strategy, Wrapping)
    assert strategy.options == (name, {"a": name})
    assert not {each for each in set(sys.modules) - loaded if "antigravity" in each}


def test_nothing_in_a_dictionary_is_called() -> None:
    value = Recorder()
    form = {"type": "wrapping", "inner": {"type": "word"}, "options": [value]}
    strategy = strategy_from_dict(form)
    assert isinstance(strategy, Wrapping)
    assert isinstance(strategy.options, tuple)
    assert strategy.options[0] is value
    for wrong in ({"type": value}, {"type": "line", "keep_ends": value}):
        with pytest.raises(ValueError, match="expected"):
            strategy_from_dict(wrong)


@every_built_in
def test_the_repr_of_a_strategy_makes_it_again(strategy: ChunkingStrategy[Any]) -> None:
    assert eval(repr(strategy), vars(chunkwise)) == strategy  # noqa: S307 - our own repr


@every_built_in
def test_the_dictionary_of_a_strategy_makes_it_again(
    strategy: ChunkingStrategy[Any],
) -> None:
    form = json.loads(json.dumps(strategy.to_dict()))
    assert strategy_from_dict(form) == strategy


@pytest.mark.parametrize("name", sorted(SPELLINGS))
def test_another_spelling_is_no_name_to_take(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name!r} is another spelling of "):
        register_strategy(name, SemicolonChunking)
    assert name not in STRATEGIES


def starred(self: object, *sizes: int) -> None: ...
def keywords(self: object, **sizes: int) -> None: ...
def positional(self: object, size: int, /) -> None: ...
def called_type(self: object, type: int) -> None: ...  # noqa: A002 - what is wrong


@pytest.mark.parametrize(
    ("constructor", "shown"),
    [
        (starred, "*sizes"),
        (keywords, "**sizes"),
        (positional, "size"),
        (called_type, "type"),
    ],
    ids=["starred", "keywords", "positional", "called type"],
)
def test_a_parameter_that_a_dictionary_cannot_hold_is_named(
    constructor: Callable[..., None], shown: str
) -> None:
    body = {"__init__": constructor}
    cls: Any = type("Wrong", (SemicolonChunking,), body)
    message = re.escape(f"cannot hold the parameter {shown!r} of Wrong")
    with pytest.raises(TypeError, match=message):
        register_strategy("wrong", cls)
    with pytest.raises(TypeError, match=message):
        cls.from_dict({})
    half = type("Wrong", (cls,), {"to_dict": lambda _: {"type": "wrong"}})
    with pytest.raises(TypeError, match=message):
        register_strategy("wrong", half)
    assert "wrong" not in STRATEGIES


def test_a_class_that_reads_and_writes_dictionaries_may_have_any_parameters(
    register: Callable[[str, type[ChunkingStrategy[Any]]], None],
) -> None:
    class Starred(SemicolonChunking):
        def __init__(self, *sizes: int) -> None:
            self.sizes = sizes

        @override
        def to_dict(self) -> dict[str, object]:
            return {"type": "starred", "sizes": list(self.sizes)}

        @override
        @classmethod
        def from_dict(cls, values: Mapping[str, Any]) -> Self:
            return cls(*values["sizes"])

    register("starred", Starred)
    again = strategy_from_dict(Starred(1, 2).to_dict())
    assert isinstance(again, Starred)
    assert again.sizes == (1, 2)


def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="'word' already names WordChunking"):
        register_strategy("word", SemicolonChunking)
    assert STRATEGIES["word"] is WordChunking
    register_strategy("semicolons", SemicolonChunking)


def in_a_new_process(code: str) -> list[str]:
    """Return the lines that *code* prints where nothing was imported yet."""
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_the_names_of_built_in_strategies_are_taken_before_they_are_imported() -> None:
    code = """
from chunkwise import ChunkingStrategy, register_strategy, STRATEGIES
class Mine(ChunkingStrategy):
    def split(self, text): return []
for name in STRATEGIES:
    try:
        register_strategy(name, Mine)
    except ValueError as error:
        print(error)
"""
    assert in_a_new_process(code) == [
        f"{name!r} already names {cls.__name__}"
        for name, cls in STRATEGIES.items()
        if name not in {"wrapping", "bars", "even"}
    ]


def test_a_built_in_strategy_has_its_name_however_it_was_imported() -> None:
    """From the package, from that of the strategies, as a pickle, and by its name."""
    pickled = pickle.dumps(LineChunking()).hex()
    code = f"""
import pickle
from chunkwise import WordChunking
from chunkwise.strategies import ParagraphChunking
from chunkwise import STRATEGIES
line = pickle.loads(bytes.fromhex({pickled!r}))
for one in (WordChunking(), ParagraphChunking(), line, STRATEGIES["json"]()):
    print(one.to_dict()["type"], STRATEGIES[one.to_dict()["type"]] is type(one))
"""
    assert in_a_new_process(code) == [
        f"{name} True" for name in ("word", "paragraph", "line", "json")
    ]


def test_the_registry_is_a_mapping() -> None:
    """With a name that is none, and with what cannot be one."""
    assert list(STRATEGIES) == [*dict.fromkeys(STRATEGIES)]
    assert len(STRATEGIES) == len(list(STRATEGIES)) == len(dict(STRATEGIES))
    assert list(STRATEGIES)[-3:] == ["wrapping", "bars", "even"]
    assert STRATEGIES.get("no such name") is None
    assert "no such name" not in STRATEGIES
    with pytest.raises(KeyError):
        STRATEGIES["no such name"]
    assert repr(STRATEGIES) == f"<strategies: {', '.join(STRATEGIES)}>"


def test_a_class_has_one_name() -> None:
    with pytest.raises(ValueError, match="WordChunking is already named 'word'"):
        register_strategy("words", WordChunking)
    assert "words" not in STRATEGIES


@pytest.mark.parametrize("wrong", [WordChunking(), str, "word", None])
def test_only_a_strategy_class_can_be_registered(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected a subclass of ChunkingStrategy"):
        register_strategy("wrong", wrong)
    assert "wrong" not in STRATEGIES


@pytest.mark.parametrize(
    "strategy", ["word", WordChunking(), {"type": "word"}], ids=type
)
def test_a_chunker_takes_a_name_a_strategy_or_a_dictionary(
    strategy: str | ChunkingStrategy[Any] | dict[str, object],
) -> None:
    assert Chunker(strategy).feed("one two") == ["one"]


def test_a_chunker_has_to_have_a_strategy() -> None:
    with pytest.raises(TypeError, match="got None"):
        Chunker(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"type": "nested", "outer": "paragraph", "inner": "wrd"}, "'wrd' at 'inner'"),
        (
            {
                "type": "nested",
                "outer": "paragraph",
                "inner": {"type": "nested", "outer": "sentence", "inner": "wrd"},
            },
            "'wrd' at 'inner.inner'",
        ),
        ({"type": "window", "window": 3, "by": "wrd"}, "'wrd' at 'by'"),
        (
            {"type": "sized", "max_size": 9, "by": ["word", "wrd"]},
            r"'wrd' at 'by\[1\]'",
        ),
        (
            {"type": "sized", "max_size": 9, "by": ["regex"]},
            r"'regex' alone .* needs 'pattern'.* \(at 'by\[0\]'\)",
        ),
    ],
)
def test_a_wrong_name_inside_comes_with_its_path(form: Any, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        strategy_from_dict(form)


def test_names_inside_are_strategies() -> None:
    form = {"type": "sized", "max_size": 9, "by": ["paragraph", "word"]}
    assert strategy_from_dict(form) == SizedChunking(9, by=("paragraph", "word"))


@pytest.mark.parametrize("depth", [41, 500, 10_000])
def test_a_dictionary_that_is_too_deep_is_a_value_error(depth: int) -> None:
    form: dict[str, object] = {"type": "word"}
    for _ in range(depth):
        form = {"type": "window", "window": 1, "by": form}
    with pytest.raises(ValueError, match="nested"):
        strategy_from_dict(form)


def test_a_dictionary_inside_itself_is_a_value_error() -> None:
    form: dict[str, object] = {"type": "window", "window": 1}
    form["by"] = [form]
    with pytest.raises(ValueError, match="nested"):
        strategy_from_dict(form)
    inside: list[object] = []
    inside.append(inside)
    with pytest.raises(ValueError, match="nested too deeply, or in itself"):
        strategy_from_dict({"type": "sized", "max_size": 9, "by": inside})


def test_forty_strategies_inside_each_other_can_be_used() -> None:
    form: dict[str, object] = {"type": "word"}
    for _ in range(40):
        form = {"type": "nested", "outer": "paragraph", "inner": form}
    assert Chunker(form).feed("one two") == ["one"]
