"""What no law can be checked with is told as what it is, and where it is."""

from __future__ import annotations

from operator import getitem
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import Chunker, ChunkingStrategy, ContractError, Scan
from chunkwise.testing import (
    BrokenLawError,
    StrategyLaws,
    check_chunker,
    check_strategy,
)
from tests.testing.faulty import HoldsALock, OnePerDelta, Raises

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS = ["a\nb"]


def line_of(function: Callable[..., object]) -> str:
    """Return the place of *function*: file and first line."""
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


class Yields(ChunkingStrategy):
    """Its ``split`` is a generator."""

    @override
    def split(self, text: str) -> Any:
        yield text


class GivesNothing(ChunkingStrategy):
    """Forgets to return."""

    @override
    def split(self, text: str) -> Any:
        return None


class GivesNumbers(ChunkingStrategy):
    """Returns lengths, and so only where there is text."""

    @override
    def split(self, text: str) -> Any:
        return [len(part) for part in text.split("\n")[:-1]]


class TakesNothing(ChunkingStrategy):
    """Its ``split`` takes no text."""

    @override
    def split(self) -> Any:  # type: ignore[override]  # what is wrong
        return []


class _Scans(ChunkingStrategy[Any]):
    @override
    def begin(self, offset: int) -> Any:
        return offset


class YieldsSpans(_Scans):
    """Its spans are an iterator."""

    @override
    def scan(self, text: str, base: int, state: Any, final: bool = False) -> Any:
        return Scan(iter(()), base, base, state)  # type: ignore[arg-type]  # what is wrong


class ResumesBehindTheText(_Scans):
    """Resumes where no text is yet."""

    @override
    def scan(self, text: str, base: int, state: Any, final: bool = False) -> Any:
        return Scan([], base, base + len(text) + 1, state)


class IsNeverFinal(_Scans):
    """Its ``scan`` lacks a parameter."""

    @override
    def scan(self, text: str, base: int, state: Any) -> Any:  # type: ignore[override]  # what is wrong
        return Scan([], base, base, state)


class GivesTwo(_Scans):
    """Returns two fields of five."""

    @override
    def scan(self, text: str, base: int, state: Any, final: bool = False) -> Any:
        return [], base


class CannotBeFound(_Scans):
    """Its ``scan`` is no function, and stands nowhere."""

    scan: Any = None


class RaisesFarInside(ChunkingStrategy):
    """Calls what calls its own code again, which raises."""

    @override
    def split(self, text: str) -> list[str]:
        return sorted(text, key=self.order)

    def order(self, char: str) -> int:
        """Raise: there is no such name."""
        return int(char, base=10)


@pytest.mark.parametrize(
    "strategy",
    [
        Yields(),
        GivesNothing(),
        GivesNumbers(),
        YieldsSpans(),
        ResumesBehindTheText(),
        GivesTwo(),
    ],
    ids=lambda strategy: type(strategy).__name__,
)
def test_what_a_chunker_says_of_a_return_is_the_report(
    strategy: ChunkingStrategy[Any],
) -> None:
    chunker = Chunker(strategy)
    with pytest.raises(ContractError) as expected:
        chunker.flush(*chunker.feed(TEXTS[0]))
    with pytest.raises(ContractError) as caught:
        check_strategy(strategy, TEXTS)
    assert str(caught.value) == str(expected.value)


@pytest.mark.parametrize(
    ("strategy", "place", "message", "returned"),
    [
        (IsNeverFinal(), f"scan() at {line_of(IsNeverFinal.scan)}", "'final'", "Scan("),
        (TakesNothing(), f"split() at {line_of(TakesNothing.split)}", "2 were", "list"),
        (CannotBeFound(), "scan()", "not callable", "Scan("),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_a_method_that_cannot_be_called_is_named_with_its_place(
    strategy: ChunkingStrategy[Any], place: str, message: str, returned: str
) -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_strategy(strategy, TEXTS)
    report = caught.value
    assert report.law == "contract"
    assert report.problem.startswith(f"calling {place} raised ")
    assert message in report.problem
    assert returned in report.cause
    assert isinstance(report.__cause__, (TypeError, ValueError))


def test_an_exception_of_a_strategy_is_shown_with_its_innermost_place() -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_strategy(RaisesFarInside(), ["1 2"])
    report = caught.value
    code = RaisesFarInside.order.__code__
    place = f"{code.co_filename}:{code.co_firstlineno + 2}, in order()"
    assert report.law == "contract"
    assert report.problem.startswith("it raised ValueError(")
    assert report.problem.endswith(f" at {place}")
    assert report.text == "a"
    assert isinstance(report.__cause__, ValueError)


def test_an_exception_that_only_a_slicing_shows_is_found() -> None:
    class RaisesBetween(_Scans):
        @override
        def scan(self, text: str, base: int, state: Any, final: bool = False) -> Any:
            if text and base:
                raise LookupError
            end = base + len(text)
            return Scan([], end, end, state)

    with pytest.raises(BrokenLawError, match="law of contract") as caught:
        check_strategy(RaisesBetween(), ["ab"], slicings="all")
    assert caught.value.deltas == ("a", "a")
    assert isinstance(caught.value.__cause__, LookupError)


def test_the_contract_is_checked_where_a_single_law_is() -> None:
    class LawsOfYields(StrategyLaws):
        strategy = Yields()

    for name in vars(StrategyLaws):
        if name.startswith("test_"):
            with pytest.raises(ContractError, match="returned generator, expected a"):
                getattr(LawsOfYields(), name)()


def test_texts_that_show_nothing_hide_nothing_from_what_is_repeated() -> None:
    class RaisesAtLineEnds(HoldsALock):
        @override
        def scan(self, text: str, base: int, state: Any, final: bool = False) -> Any:
            if "\n" in text:
                raise LookupError
            return super().scan(text, base, state, final)

    class Laws(StrategyLaws):
        strategy = RaisesAtLineEnds()
        texts = ("",)

    with pytest.raises(BrokenLawError, match="law of contract: it raised LookupError"):
        Laws().test_bounded()


def test_an_exception_of_a_chunker_of_another_make_is_shown_with_its_place() -> None:
    def feed(_: object, delta: str) -> list[str]:
        return [{"": delta}[delta]]

    with pytest.raises(BrokenLawError) as caught:
        check_chunker(OnePerDelta, feed=feed, flush=OnePerDelta.end)
    report = caught.value
    assert report.law == "contract"
    assert f" at {feed.__code__.co_filename}:" in report.problem
    assert isinstance(report.__cause__, KeyError)


def test_an_exception_without_a_place_is_shown_without_one() -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_chunker(int, feed=getitem, flush=lambda _: [])
    assert caught.value.law == "contract"
    assert " at " not in caught.value.problem


def test_a_mistake_that_a_law_names_is_reported_as_that() -> None:
    """A Chunker refuses it, too, but would not show the smallest text."""

    class Repeats(ChunkingStrategy):
        @override
        def split(self, text: str) -> list[str]:
            return ["b"] if "a" in text else []

    with pytest.raises(BrokenLawError, match="law of verbatim"):
        check_strategy(Repeats(), ["ca"])


def test_the_place_is_in_the_first_line_and_the_case_behind_it() -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_strategy(Raises(), ["b c\n\nd"])
    first, *others = str(caught.value).splitlines()
    assert "IndexError('list index out of range') at " in first
    assert others[0] == r"  text:   '\n'"
