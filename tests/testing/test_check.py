"""The kit finds every seeded fault, shows a small case, and raises no false alarm."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import (
    ChunkingStrategy,
    ContractError,
    JSONChunking,
    RegexChunking,
    SentenceChunking,
    WordChunking,
)
from chunkwise.testing import BrokenLawError, check_chunker, check_strategy
from tests.testing.faulty import (
    CHUNKER_FAULTS,
    FAULTS,
    DecidesAtTheEnd,
    Drops,
    GivesEmptyChunks,
    HoardsText,
    HoldsALock,
    LooksAgain,
    LosesTheEnd,
    OnePerDelta,
    RightSentences,
)
from tests.texts import every_strategy

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.testing.faulty import Seeded

MOST = 12
"""Code points of the case that a report shows."""


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_seeded_fault_is_found_with_its_law_its_cause_and_a_small_case(
    fault: Seeded,
) -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_strategy(fault.strategy, separators=fault.separators)
    report = caught.value
    assert report.subject == type(fault.strategy).__name__
    assert report.law == fault.law
    assert report.cause.startswith(fault.cause)
    assert len(report.text) <= MOST


@pytest.mark.parametrize(
    ("make", "law", "cause"), CHUNKER_FAULTS.values(), ids=CHUNKER_FAULTS
)
def test_a_fault_of_a_chunker_of_somebody_else_is_found(
    make: Callable[[], RightSentences], law: str, cause: str
) -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_chunker(
            make,
            feed=lambda chunker, delta: chunker.add(delta),
            flush=lambda chunker: chunker.end(),
        )
    report = caught.value
    assert report.subject == make.__name__
    assert report.law == law
    assert report.cause.startswith(cause)
    assert len(report.text) <= MOST


@every_strategy
def test_no_strategy_that_keeps_the_laws_raises_an_alarm(
    strategy: ChunkingStrategy[Any],
) -> None:
    check_strategy(strategy, max_examples=12)


def test_a_strategy_that_cannot_be_copied_is_tested_as_it_is() -> None:
    check_strategy(HoldsALock(), max_examples=20)


def test_a_chunker_that_keeps_the_laws_raises_no_alarm() -> None:
    for slicings in ("all", "random"):
        check_chunker(
            RightSentences,
            feed=RightSentences.add,
            flush=RightSentences.end,
            slicings=slicings,
            max_examples=100,
        )


def test_a_text_that_shows_nothing_hides_a_fault_and_one_that_does_shows_it() -> None:
    check_strategy(DecidesAtTheEnd(), ["ab", "abc"])
    with pytest.raises(BrokenLawError, match="law of finality"):
        check_strategy(DecidesAtTheEnd(), ["ab", "Costs 3.14 now"])


def test_one_text_alone_may_be_given() -> None:
    with pytest.raises(BrokenLawError, match="law of verbatim"):
        check_strategy(GivesEmptyChunks(), "a;;b")


def test_all_slicings_find_what_a_random_one_may_miss() -> None:
    with pytest.raises(BrokenLawError) as caught:
        check_strategy(
            DecidesAtTheEnd(), ["aaaa.aaaaa"], slicings="all", max_examples=50
        )
    assert caught.value.deltas in {("a.", "a"), (".", "a")}


def test_dropped_text_is_a_fault_only_where_separators_are_named() -> None:
    check_strategy(Drops(), ["to b or"])
    check_strategy(Drops(), ["to b or"], separators=r"[\s\w]*")
    with pytest.raises(BrokenLawError, match="law of nothing lost"):
        check_strategy(Drops(), ["to b or"], separators=r"\s*")


def test_a_chunker_may_drop_white_space_unless_told_otherwise() -> None:
    def check(**options: Any) -> None:
        check_chunker(
            LosesTheEnd, feed=LosesTheEnd.add, flush=LosesTheEnd.end, **options
        )

    check(texts=["a. b. "])
    check(texts=["a. b. c"], separators=None)
    with pytest.raises(BrokenLawError, match="law of nothing lost"):
        check(texts=["a. b. c"])


def test_the_work_of_an_open_match_and_of_level_1_is_no_fault() -> None:
    """The law names the first as its exception, and level 1 is made of it."""
    check_strategy(RegexChunking(r"\s+(?=[A-Z])"), max_examples=5)
    check_strategy(DecidesNothing(), max_examples=5)


class DecidesNothing(ChunkingStrategy):
    """Level 1: waits for ever."""

    @override
    def split(self, text: str) -> list[str]:
        return []


@pytest.mark.parametrize("strategy", [LooksAgain(), HoardsText()])
def test_what_grows_is_shown_by_the_text_that_makes_it_grow(
    strategy: ChunkingStrategy[Any],
) -> None:
    with pytest.raises(BrokenLawError, match="law of bounded") as caught:
        check_strategy(strategy, max_examples=1)
    assert caught.value.deltas in {("a",), ("\n",)}


def test_a_wrong_return_is_told_as_a_chunker_tells_it() -> None:
    class Yields(ChunkingStrategy):
        @override
        def split(self, text: str) -> Any:
            yield text

    with pytest.raises(ContractError, match="returned generator, expected a list of"):
        check_strategy(Yields())


def test_text_that_a_strategy_refuses_is_no_fault() -> None:
    """The error comes as soon as the text shows it, and so depends on the slicing."""
    check_strategy(JSONChunking(strict=True), ["[1,,2]", "{"], max_examples=20)


def test_the_same_call_tries_the_same_examples() -> None:
    reports = set()
    for _ in range(2):
        with pytest.raises(BrokenLawError) as caught:
            check_strategy(DecidesAtTheEnd())
        reports.add(str(caught.value))
    assert len(reports) == 1


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"slicings": "some"}, ValueError, "slicings must be 'all' or 'random', got"),
        ({"slicings": ["all"]}, ValueError, r"or 'random', got \['all'\]"),
        ({"max_examples": 0}, ValueError, "max_examples must be an int of at least 1"),
        ({"texts": []}, ValueError, "texts must have one text at least, got none"),
        ({"texts": [1]}, TypeError, "texts must be str, got 1"),
        ({"separators": "("}, ValueError, "separators '\\(' is no regular expression"),
    ],
    ids=[
        "slicings",
        "slicings in a list",
        "max_examples",
        "no texts",
        "texts",
        "separators",
    ],
)
def test_a_wrong_option_is_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        check_strategy(SentenceChunking(), **options)
    with pytest.raises(error, match=message):
        check_chunker(
            OnePerDelta, feed=OnePerDelta.add, flush=OnePerDelta.end, **options
        )


def test_what_is_no_strategy_is_refused() -> None:
    with pytest.raises(TypeError, match=r"expected a ChunkingStrategy, got 'word'$"):
        check_strategy("word")  # type: ignore[arg-type]  # what is wrong
    with pytest.raises(TypeError, match="; make one of the class"):
        check_strategy(WordChunking)  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize("name", ["make", "feed", "flush"])
def test_what_is_no_function_of_a_chunker_is_refused(name: str) -> None:
    functions: dict[str, Any] = {
        "make": OnePerDelta,
        "feed": OnePerDelta.add,
        "flush": OnePerDelta.end,
        name: None,
    }
    with pytest.raises(TypeError, match=f"{name} must be callable, got None"):
        check_chunker(functions.pop("make"), **functions)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        (None, "feed returned None, expected an iterable of str"),
        ("ab", "feed returned 'ab', expected an iterable of str"),
        ([1], "feed gave 1 as a chunk, expected str"),
    ],
    ids=["nothing", "a str", "numbers"],
)
def test_what_no_chunker_returns_is_refused(returned: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        check_chunker(object, feed=lambda *_: returned, flush=lambda _: [])


def test_a_chunker_may_be_made_by_anything_that_can_be_called() -> None:
    class Maker:
        def __call__(self) -> LosesTheEnd:
            return LosesTheEnd()

    with pytest.raises(BrokenLawError, match="Maker breaks the law of nothing lost"):
        check_chunker(Maker(), feed=LosesTheEnd.add, flush=LosesTheEnd.end)
