"""ClauseChunking: clauses end where a listener may breathe."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from chunkwise import Chunker, ClauseChunking, strategy_from_dict
from tests.running import run


def clauses(text: str, **options: Any) -> list[str]:
    strategy = ClauseChunking(**options)
    whole = [chunk.text for chunk in run(strategy, [text]).chunks]
    assert [chunk.text for chunk in run(strategy, list(text)).chunks] == whole
    return whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Well, it is; so: go on. Ok", ["Well,", "it is;", "so:", "go on.", "Ok"]),
        ("One \u2013 two \u2014 three", ["One \u2013", "two \u2014", "three"]),
        ("Es sind 22,1 Grad. Gut.", ["Es sind 22,1 Grad.", "Gut."]),
        ("From 1,000 to 2,000, at 10:30", ["From 1,000 to 2,000,", "at 10:30"]),
        ("See http://a.b/c,d;e now, ok", ["See http://a.b/c,d;e now,", "ok"]),
        ("well-known a-b", ["well-known a-b"]),
        (
            "\u55ef\uff0c\u597d\u7684\u3002\u8bb0",
            ["\u55ef\uff0c", "\u597d\u7684\u3002", "\u8bb0"],
        ),
        (
            "\uff11\uff0c\uff10\uff10\uff10 \u5143",
            ["\uff11\uff0c\uff10\uff10\uff10 \u5143"],
        ),
        (", , a", [", , a"]),
        ("a,", ["a,"]),
    ],
)
def test_clauses(text: str, expected: list[str]) -> None:
    assert clauses(text) == expected


def test_a_clause_is_released_by_the_code_point_that_decides() -> None:
    chunker = Chunker(ClauseChunking())
    assert chunker.feed("Well,") == []
    assert chunker.feed(" ") == ["Well,"]
    assert chunker.feed("\u55ef\uff0c") == ["\u55ef\uff0c"]
    assert chunker.feed("1\uff0c") == []
    assert chunker.feed("\u597d") == ["1\uff0c"]


def test_whole_texts_are_cut_alike() -> None:
    strategy = ClauseChunking()
    assert strategy.split("Well, yes. No") == ["Well,", "yes."]
    assert strategy.flush("Well, yes. No") == ["No"]
    assert strategy.opened("", 2, strategy.scan("No", 0, strategy.begin(0))[3]) == (
        0,
        2,
    )


def test_every_chunk_is_a_clause() -> None:
    chunks = run(ClauseChunking(), ["Well, yes. No"]).chunks
    assert {chunk.kind for chunk in chunks} == {"clause"}
    assert [chunk.complete for chunk in chunks] == [True, True, False]


def test_a_clause_has_a_least_size_unless_it_ends_a_sentence() -> None:
    text = "Ah, so it is, then. No, well, no way, it is not."
    assert clauses(text, min_size=10) == [
        *("Ah, so it is,", "then.", "No, well, no way,", "it is not.")
    ]


def test_wide_code_points_count_two() -> None:
    text = "\u55ef\uff0c\u597d\u7684\uff0c\u8bb0"
    assert clauses(text, min_size=4) == ["\u55ef\uff0c", "\u597d\u7684\uff0c", "\u8bb0"]
    assert clauses(text, min_size=5) == ["\u55ef\uff0c\u597d\u7684\uff0c", "\u8bb0"]


def test_a_least_size_may_be_larger_than_what_is_looked_at_otherwise() -> None:
    clause = "abcd efg, " * 60
    (first, *_) = clauses(clause + "so", min_size=300)
    assert len(first) == 309


def test_the_other_options_are_those_of_sentences() -> None:
    assert clauses("One\ntwo", newlines="boundary") == ["One", "two"]
    assert clauses("it ends.So it", glued=True) == ["it ends.", "So it"]
    assert clauses("<t>a, b</t> c", protect_tags=["t"]) == ["<t>a, b</t> c"]
    assert clauses("am 3. Mai", language="de") == ["am 3. Mai"]
    assert clauses("an xyz. Abc", abbreviations=["xyz"]) == ["an xyz. Abc"]


def test_a_strategy_survives_its_other_forms() -> None:
    strategy = ClauseChunking(3, language="fr", protect_tags={"b", "a"})
    assert pickle.loads(pickle.dumps(strategy)) == strategy  # noqa: S301 - our own
    assert strategy_from_dict(strategy.to_dict()) == strategy
    assert eval(repr(strategy)) == strategy  # noqa: S307 - a round trip


@pytest.mark.parametrize("value", [-1, True])
def test_a_wrong_least_size_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="min_size must be an int of at least 0"):
        ClauseChunking(value)
