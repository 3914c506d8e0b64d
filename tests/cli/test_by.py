"""How a strategy is said in an argument."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from chunkwise import ChunkingStrategy
from chunkwise._cli._by import complete_strategy, strategy_of
from tests.commands import told

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tests.commands import Run


def test_a_name_that_is_none_is_told_with_those_that_are(run: Run) -> None:
    outcome = run("split", "--by", "sentnce")
    assert (outcome.code, outcome.out) == (2, b"")
    assert "'sentnce' is no strategy, expected one of sentence, " in told(outcome)


def test_a_name_that_needs_parameters_says_which(run: Run) -> None:
    outcome = run("split", "--by", "sized")
    assert outcome.code == 2
    json_form = '{"type": "sized", "max_size": 200}'
    says = f"'sized' needs 'max_size', as in sized:200 or '{json_form}'"
    assert told(outcome).endswith(says)
    assert strategy_of("sized:200") == strategy_of(json_form)
    outcome = run("split", "--by", "nested")
    json_form = '{"type": "nested", "outer": "word", "inner": "word"}'
    says = f"'nested' needs 'outer' and 'inner', as in '{json_form}'"
    assert told(outcome).endswith(says)
    strategy_of(json_form)


def test_a_name_that_is_near_is_told(run: Run) -> None:
    says = told(run("split", "--by", "sentense"))
    assert "markdown, markdown_table:, with a value behind a colon" in says
    assert says.endswith("; did you mean 'sentence'?")
    assert "did you mean" not in told(run("split", "--by", "qqq"))


@pytest.mark.parametrize("command", ["split", "stats"])
def test_one_strategy_is_taken_and_not_the_last_of_several(
    run: Run, command: str
) -> None:
    outcome = run(command, "--by", "word", "--by", "line", stdin=b"a b")
    assert (outcome.code, outcome.out) == (2, b"")
    assert told(outcome).endswith("expected one strategy, got 'word', 'line'")


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("sized:8", '{"type": "sized", "max_size": 8}'),
        ("line:false", '{"type": "line", "keep_ends": false}'),
        # Text is taken as it is, also where it could be JSON.
        ("regex:5", '{"type": "regex", "pattern": "5"}'),
        ("regex::\\s", r'{"type": "regex", "pattern": ":\\s"}'),
        ("sentence:de", '{"type": "sentence", "language": "de"}'),
        ("markdown:block", '{"type": "markdown", "prose": "block"}'),
        ("window:3", '{"type": "window", "window": 3}'),
    ],
)
def test_a_name_with_its_first_parameter_is_a_strategy(short: str, long: str) -> None:
    assert strategy_of(short) == strategy_of(long)


@pytest.mark.parametrize(
    ("by", "says"),
    [
        ("sized:", "expected an integer for 'max_size' of 'sized', got ''"),
        ("sized:big", "expected an integer for 'max_size' of 'sized', got 'big'"),
        ("sized:1.5", "expected an integer for 'max_size' of 'sized', got '1.5'"),
        ("sized:[1]", "found (1,) for 'max_size' in the dictionary, expected an int"),
        ("line:False", "expected true or false for 'keep_ends' of 'line', got 'False'"),
        ("sized:0", "max_size"),
        ("sized:" + "[" * 100_000, "expected an integer"),
        ("word:5", "'word' has no parameters, got '5'"),
        ("nested:word", "'nested' needs 'outer' and 'inner', as in '{"),
        ("wrd:5", "'wrd:5' is no strategy, expected one of sentence, "),
    ],
)
def test_a_first_parameter_that_is_none_says_what_was_expected(
    run: Run, by: str, says: str
) -> None:
    outcome = run("split", "--by", by)
    assert (outcome.code, outcome.out) == (2, b"")
    assert says in told(outcome)


def test_a_name_with_a_colon_is_a_name_first(
    run: Run, register: Callable[[str, type[ChunkingStrategy[Any]]], None]
) -> None:
    class Whole(ChunkingStrategy):
        """Gives the text as it is, at its end."""

        @override
        def split(self, text: str) -> list[str]:
            return []

        @override
        def flush(self, text: str) -> list[str]:
            return [text]

    register("word:5", Whole)
    assert run("split", "--by", "word:5", stdin=b"a b").out == b"a b\n"


def test_shells_complete_names_and_the_colon_that_must_follow() -> None:
    assert complete_strategy("s") == ["sentence", "sized:"]
    assert complete_strategy("sentence:") == []


def test_what_a_value_behind_a_colon_does_not_make_is_not_offered_with_one(
    run: Run, register: Callable[[str, type[ChunkingStrategy[Any]]], None]
) -> None:
    class Second(ChunkingStrategy):
        """Needs a parameter that is not its first."""

        def __init__(self, first: int = 1, *, second: str) -> None:
            self.first, self.second = first, second

        @override
        def split(self, text: str) -> list[str]:
            return []

    register("second", Second)
    for name in ("nested", "second"):
        assert complete_strategy(name) == []
        outcome = run("split", "--by", f"{name}:5")
        assert outcome.code == 2
        assert f"{name}:" not in told(outcome)
        assert f"'{name}' needs " in told(outcome)
        assert f"{name}:" not in told(run("split", "--by", name))
    says = told(run("split", "--by", "qqq"))
    assert "sized:, json" in says
    assert "nested" not in says
    # Whatever is offered with a colon becomes a strategy with a word or a number.
    for name in complete_strategy(""):
        if name.endswith(":"):
            assert any(works(f"{name}{value}") for value in ("word", "200")), name


def works(by: str) -> bool:
    with contextlib.suppress(ValueError):
        strategy_of(by)
        return True
    return False


def test_a_strategy_with_parameters_is_a_json_object(run: Run) -> None:
    by = '{"type": "sized", "max_size": 8, "by": ["word"]}'
    outcome = run("split", "--by", by, stdin=b"one two three four")
    assert outcome.code == 0
    assert outcome.out == b"one two\nthree\nfour\n"


@pytest.mark.parametrize(
    ("by", "says"),
    [
        ('{"type": "sized"}', "max_size"),
        ('{"type": "wrd"}', "wrd"),
        ("{", "Expecting property name"),
        ('{"a":' * 10_000, "nested too deeply"),
    ],
)
def test_a_json_object_that_is_no_strategy_is_a_wrong_use(
    run: Run, by: str, says: str
) -> None:
    outcome = run("split", "--by", by)
    assert outcome.code == 2
    assert says in outcome.err


def test_the_help_says_what_sentence_means(run: Run) -> None:
    outcome = run("split", "--help")
    help_ = " ".join(outcome.out.decode().split())
    assert outcome.code == 0
    assert "sentence means SentenceChunking(), whose rules know abbreviations" in help_
    assert r"line ends as \n, \r or \u and four hex digits" in help_
    # Other names want parameters, so they alone are no strategies.
    assert "is: sentence, clause, word, line, paragraph, json, markdown. " in help_
