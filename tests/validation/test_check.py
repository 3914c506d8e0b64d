"""Check: what it takes, and what it refuses."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from chunkwise import UnknownStrategyError
from chunkwise.validation import Check, Chunks, Verdict, View
from chunkwise.validation._check import as_check, check_choice, function_of


def judge(view: View) -> None:
    del view


class Callable:
    """Is no function, and async all the same."""

    async def __call__(self, view: View) -> None:
        """Pass."""
        del view


def test_a_check_is_named_after_its_function() -> None:
    assert Check(judge).name == "judge"
    assert repr(Check(judge, name="other")) == "<Check other>"
    assert Check(Callable()).name == "Callable"
    assert Check(partial(judge)).name == "partial"
    assert Check.factory(lambda: judge, name="made").name == "made"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"context": -1}, "context must be an int of at least 0"),
        ({"parallel": 0}, "parallel must be an int of at least 1"),
        ({"timeout": 0}, "timeout must be above 0 seconds, got 0"),
        ({"run": "process"}, "run must be one of 'auto', 'inline', 'thread', got"),
        (
            {"on_error": "ignore"},
            "on_error must be one of 'raise', 'reject', 'release'",
        ),
        ({"on_timeout": None}, "on_timeout must be one of"),
        ({"at": "start"}, "at must be one of 'chunk', 'end'"),
        ({"at": "end", "context": 5}, "sees the whole text"),
        ({"at": "end", "strategy": "word"}, "sees the whole text"),
    ],
    ids=str,
)
def test_wrong_values_are_refused_when_the_check_is_made(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Check(judge, **options)
    with pytest.raises(ValueError, match=message):
        Check.factory(lambda: judge, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fn": "judge"}, "a check must be callable, got str"),
        ({"context": "all"}, "context must be an int"),
        ({"timeout": "1"}, "timeout must be a number of seconds or None, got '1'"),
        ({"timeout": True}, "timeout must be a number of seconds or None, got True"),
    ],
    ids=str,
)
def test_wrong_types_are_refused_when_the_check_is_made(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        Check(**{"fn": judge, **options})


def make() -> Any:
    return judge


class Guard:
    """Keeps a state."""

    def __call__(self, view: View) -> None:
        """Pass."""
        del view


@pytest.mark.parametrize(
    ("fn", "message"),
    [
        (
            make,
            r"takes one argument, the view, got make\(\).*; what makes a check goes",
        ),
        (
            Guard,
            r"takes one argument, the view, got Guard\(\); what makes a check goes",
        ),
        (Check(judge), "a check must be callable, got Check; it is one already"),
    ],
    ids=["a function", "a class", "a check"],
)
def test_what_makes_a_check_is_none(fn: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Check(fn)


def test_a_check_is_no_factory() -> None:
    wrong: Any = judge
    with pytest.raises(TypeError, match=r"takes no argument, got judge\(view: .*\)"):
        Check.factory(wrong)
    with pytest.raises(TypeError, match="a factory of checks must be callable, got"):
        Check.factory(Check(wrong))  # type: ignore[arg-type]  # what is tested


@pytest.mark.parametrize("fn", [Guard(), max, vars], ids=["object", "C", "any"])
def test_what_may_take_a_view_is_a_check(fn: Any) -> None:
    assert function_of(Check(fn)) is fn


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(UnknownStrategyError):
        Check(judge, strategy="wrd")


def test_chunks_are_counted_from_one() -> None:
    assert Check(judge, context=Chunks(2)).context == Chunks(2)
    with pytest.raises(ValueError, match="count must be an int of at least 1"):
        Chunks(0)


def test_a_factory_makes_a_function_for_each_stream() -> None:
    made: list[Any] = []

    def make() -> Any:
        def fn(view: View) -> None:
            del view

        made.append(fn)
        return fn

    check = Check.factory(make, context=3)
    assert made == []
    assert [function_of(check), function_of(check)] == made
    assert check.context == 3
    wrong: Any = Check.factory(lambda: Verdict("pass"))  # type: ignore[arg-type,return-value]  # what is tested
    with pytest.raises(TypeError, match="must return a callable, got Verdict"):
        function_of(wrong)


def test_a_function_is_a_check_with_default_options() -> None:
    check = Check(judge)
    assert as_check(check) is check
    assert as_check(judge).on_error == "raise"


def test_one_of_the_words_passes() -> None:
    check_choice("name", "a", ("a", "b"))
