"""RegexChunking."""

from __future__ import annotations

import copy
import json
import pickle
import re
from dataclasses import FrozenInstanceError
from typing import Any, Literal

import pytest
import regex

from chunkwise import (
    Chunker,
    NestedChunking,
    PendingLimitError,
    RegexChunking,
    SeparatorTimeoutError,
    resolve_chunking_strategy,
    strategy_from_dict,
)
from tests.examples import Counting
from tests.running import Facts, run, scan_whole, spans_of

CATASTROPHE = r"(?:a|aa)+b"
"""Takes exponential time for a run of ``a``."""


def texts(strategy: RegexChunking, text: str) -> list[str]:
    """Return the chunks of *text*, which are the same in one delta and in many."""
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    return [chunk.text for chunk in whole.chunks]


def released(strategy: RegexChunking, text: str) -> list[list[str]]:
    """Return what each code point of *text* releases, and what ``flush`` does."""
    chunker = Chunker(strategy)
    return [[*map(str, chunker.feed(char))] for char in text] + [
        [*map(str, chunker.flush())]
    ]


@pytest.mark.parametrize(
    ("separator", "chunks"),
    [
        ("drop", ["one", "two", "three"]),
        ("end", ["one, ", "two; ", "three"]),
        ("start", ["one", ", two", "; three"]),
    ],
)
def test_where_the_separator_goes(
    separator: Literal["drop", "end", "start"], chunks: list[str]
) -> None:
    strategy = RegexChunking("[,;] ", separator=separator)
    assert texts(strategy, "one, two; three") == chunks


@pytest.mark.parametrize(
    ("separator", "chunks"),
    [
        ("drop", ["a", "b"]),
        ("end", [",", ",", "a,", ",", "b,"]),
        ("start", [",", ",a", ",", ",b", ","]),
    ],
)
def test_a_chunk_that_would_be_empty_is_none(
    separator: Literal["drop", "end", "start"], chunks: list[str]
) -> None:
    assert texts(RegexChunking(",", separator=separator), ",,a,,b,") == chunks


def test_a_chunk_is_complete_when_a_separator_ended_it() -> None:
    assert run(RegexChunking(","), ["a,b"]).chunks == [
        Facts("a", 0, 1, "", 0, complete=True, kind="regex"),
        Facts("b", 2, 3, ",", 1, complete=False, kind="regex"),
    ]
    (chunk,) = run(RegexChunking(",", separator="end"), ["a,"]).chunks
    assert chunk.complete is True
    (chunk, last) = run(RegexChunking(",", separator="start"), ["a,"]).chunks
    assert (chunk.complete, last.text, last.complete) == (True, ",", False)


@pytest.mark.parametrize(
    ("separator", "chunks", "gaps"),
    [
        ("drop", ["a b", "c"], [" ", " ; ;\n"]),
        ("end", ["a b ;", ";", "c"], [" ", " ", "\n"]),
        ("start", ["a b", ";", ";\nc"], [" ", " ", " "]),
    ],
)
def test_strip_moves_white_space_into_the_gaps(
    separator: Literal["drop", "end", "start"], chunks: list[str], gaps: list[str]
) -> None:
    strategy = RegexChunking(";", separator=separator, strip=True)
    text = " a b ; ;\nc \t"
    assert texts(strategy, text) == chunks
    whole = run(strategy, [text])
    assert [chunk.gap for chunk in whole.chunks] == gaps
    assert whole.tail == " \t"


def test_a_long_chunk_is_stripped_without_its_text() -> None:
    strategy = RegexChunking(";", strip=True)
    chunker = Chunker(strategy)
    for delta in (" ", " \n", " a", " ", "b ", " ", " "):
        assert chunker.feed(delta) == []
    (chunk,) = chunker.feed(";")
    assert (chunk, chunk.gap, chunk.start, chunk.end) == ("a b", "  \n ", 4, 7)
    assert chunker.feed("  ;") == chunker.flush() == []
    assert chunker.tail == "   ;  ;"


def test_groups_do_not_leak_into_the_chunks() -> None:
    assert texts(RegexChunking("(,)(x)?"), "a,b,xc") == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("pattern", "text", "chunks"),
    [
        ("", "abc", ["a", "b", "c"]),
        ("x*", "axxbc", ["a", "b", "c"]),
        (r"\b", "one, two", ["one", ", ", "two"]),
        ("(?=[A-Z])", "oneTwoThree", ["one", "Two", "Three"]),
        ("(?<=[.!?])", "One.Two!?", ["One.", "Two!", "?"]),
        ("(?m)^", "one\n\ntwo\n", ["one\n", "\n", "two\n"]),
        ("a??", "baa", ["b"]),
    ],
)
def test_an_empty_separator_cuts_as_split_does(
    pattern: str, text: str, chunks: list[str]
) -> None:
    assert texts(RegexChunking(pattern), text) == chunks
    pieces = regex.split(pattern, text, flags=regex.V1)
    assert [piece for piece in pieces if piece] == chunks


@pytest.mark.parametrize(
    ("strategy", "text", "expected"),
    [
        pytest.param(
            RegexChunking(r"\n\n"), "a\n\nb", [[], [], ["a"], [], ["b"]], id="whole"
        ),
        pytest.param(
            RegexChunking(r"\n+"), "a\n\nb", [[], [], [], ["a"], ["b"]], id="run"
        ),
        pytest.param(
            RegexChunking("ab|abc"), "xabc", [[], [], ["x"], [], ["c"]], id="decided"
        ),
        pytest.param(
            RegexChunking("abc|ab"), "xabx", [[], [], [], ["x"], ["x"]], id="open"
        ),
        pytest.param(
            RegexChunking("a(?!b)"), "xac", [[], [], ["x"], ["c"]], id="look-ahead"
        ),
        pytest.param(
            RegexChunking("(?<=a)"), "ab", [["a"], [], ["b"]], id="look-behind"
        ),
        pytest.param(
            RegexChunking(r";\b"), "a;b", [[], [], ["a"], ["b"]], id="boundary"
        ),
        pytest.param(RegexChunking(";$"), "a;\n", [[], [], [], ["a", "\n"]], id="end"),
        pytest.param(
            RegexChunking(r";\Z"), "a;", [[], [], ["a"]], id="end of the text"
        ),
        pytest.param(
            RegexChunking("ss", flags=regex.I),
            "a\u00dfb",
            [[], ["a"], [], ["b"]],
            id="fold",
        ),
    ],
)
def test_what_releases(
    strategy: RegexChunking, text: str, expected: list[list[str]]
) -> None:
    assert released(strategy, text) == expected


@pytest.mark.parametrize(
    ("pattern", "text", "chunks"),
    [
        (r"(?<=ab)c", "xabcabxc", ["xab", "abxc"]),
        (r"\Aa", "aab", ["ab"]),
        (r"^a", "aab\na", ["ab\na"]),
        (r"(?<=\A.)b", "abab", ["a", "ab"]),
        (r"(?<!^)a", "aaba", ["a", "b"]),
        (r"\Bb", "abb b", ["a", " b"]),
    ],
)
def test_a_look_behind_sees_the_text_of_the_stream(
    pattern: str, text: str, chunks: list[str]
) -> None:
    assert texts(RegexChunking(pattern), text) == chunks


def test_after_a_cut_the_text_begins_anew() -> None:
    chunker = Chunker(RegexChunking(r"\A-|(?<=a)b"))
    assert chunker.feed("-a") == []
    assert chunker.cut() == ["a"]
    assert chunker.feed("-bc") == []
    assert chunker.flush() == ["bc"]


def test_an_open_match_is_searched_for_again_and_bounded_by_the_limit() -> None:
    chunker = Chunker(RegexChunking("<!--.*?-->"), max_pending=16)
    assert chunker.feed("a<!-- x -") == []
    assert chunker.feed("->") == ["a"]
    assert chunker.feed("<!-- x") == []
    with pytest.raises(PendingLimitError):
        chunker.feed("more")


def test_a_match_inside_of_an_open_one_does_not_count() -> None:
    """The second separator could be part of a longer first one."""
    strategy = RegexChunking("b.*X|a")
    assert released(strategy, "cbacX") == [[], [], [], [], [], ["c"]]
    assert texts(strategy, "cbac") == ["cb", "c"]


def test_a_separator_that_is_decided_may_hide_places_that_are_not() -> None:
    """What could begin inside of it does not count, but what is behind it does."""
    strategy = RegexChunking("abc|b.*X|a{150,}")
    assert released(strategy, "xabc-b") == [[], [], [], ["x"], [], [], ["-b"]]
    assert strategy.split("x" + "a" * 200 + "-abc-d") == ["x", "-"]


def test_long_separators_do_not_take_quadratic_time() -> None:
    """Each would run out of time if every place inside of it was tried."""
    strategy = RegexChunking(r"\s+", timeout=5)
    text = "one" + " " * 50_000 + "two" + "\n" * 50_000 + "three "
    assert strategy.split(text) == ["one", "two"]
    assert strategy.flush(text) == ["three"]


def test_what_is_open_before_a_long_separator_holds_it_back() -> None:
    strategy = RegexChunking("<[^>]*>|a+|<b")
    run_of_a = "a" * 200
    assert strategy.split(f"x{run_of_a}y<{run_of_a}y{run_of_a}z") == ["x"]
    assert strategy.split(f"x{run_of_a}y<{run_of_a}>z{run_of_a}y") == ["x", "y", "z"]
    # An attempt that only looks as far as the long one is not open.
    assert RegexChunking("ya+z|a+").split(f"xy{run_of_a}b") == ["xy"]
    assert RegexChunking("a+(?!.*z)").split(f"x{run_of_a}b") == []


def test_without_a_separator_every_code_point_is_scanned_once() -> None:
    counting = Counting(RegexChunking(r"\n\n"))
    run(counting, ["abcd"] * 1_000)
    assert counting.scanned == 4_000


def test_a_pattern_that_begins_with_known_code_points_waits_for_them() -> None:
    assert RegexChunking("[,;]x").trigger == {",", ";"}
    assert RegexChunking(r"\w").trigger == frozenset()
    assert RegexChunking(",?").trigger == frozenset()


def test_opened_says_what_surely_belongs_to_the_chunk() -> None:
    def opened(strategy: RegexChunking, text: str) -> tuple[int, int] | None:
        scan = scan_whole(strategy, text)
        return strategy.opened(text[scan.resume :], scan.resume, scan.state)

    assert opened(RegexChunking("--"), "ab-") == (0, 2)
    assert opened(RegexChunking("--"), "ab") == (0, 2)
    assert opened(RegexChunking("--"), "-") is None
    assert opened(RegexChunking("--", strip=True), " ab -") == (1, 3)
    assert opened(RegexChunking("--", strip=True), " -") is None


@pytest.mark.parametrize("before", ["", "-"], ids=["open", "not begun"])
def test_searches_that_take_too_long_raise_and_change_nothing(before: str) -> None:
    strategy = RegexChunking(CATASTROPHE, timeout=0.01)
    chunker = Chunker(strategy)
    assert chunker.feed("xab") == ["x"]
    with pytest.raises(SeparatorTimeoutError) as caught:
        chunker.feed(before + "a" * 100 + "c")
    assert caught.value.pattern == CATASTROPHE
    assert caught.value.timeout == 0.01
    assert caught.value.offset == 3
    assert chunker.pending == "ab"
    assert chunker.feed("ab") == []
    assert chunker.flush() == []


@pytest.mark.parametrize("pattern", [r"\w{1,30},", r"\w{0,30}"])
def test_the_limit_is_for_each_search_not_for_all_of_a_text(pattern: str) -> None:
    text = "ab,c," * 100_000
    impatient = RegexChunking(pattern, separator="end", timeout=0.03)
    patient = RegexChunking(pattern, separator="end", timeout=None)
    assert spans_of(scan_whole(impatient, text)) == spans_of(scan_whole(patient, text))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (RegexChunking("a"), RegexChunking(regex.compile("a", regex.V1))),
        (RegexChunking("a"), RegexChunking("a", flags=regex.V1)),
        (RegexChunking("a"), RegexChunking("a", flags=regex.UNICODE)),
        (
            RegexChunking("a", flags=regex.I),
            RegexChunking(regex.compile("a", regex.I | regex.V1)),
        ),
        (RegexChunking("(?i)a"), RegexChunking("(?i)a", flags=regex.I)),
        (RegexChunking("b(?i)a"), RegexChunking(regex.compile("b(?i)a", regex.V1))),
        (RegexChunking("a", flags=regex.V0), RegexChunking(re.compile("a"))),
        (
            RegexChunking("a", flags=regex.V0 | regex.I | regex.A | regex.S),
            RegexChunking(re.compile("a", re.IGNORECASE | re.ASCII | re.DOTALL)),
        ),
        (
            RegexChunking(" a", flags=regex.V0 | regex.X | regex.M),
            RegexChunking(re.compile(" a", re.VERBOSE | re.MULTILINE)),
        ),
        (RegexChunking("a", timeout=1), RegexChunking("a", timeout=1.0)),
    ],
    ids=repr,
)
def test_strategies_of_the_same_meaning_are_equal(
    one: RegexChunking, other: RegexChunking
) -> None:
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)
    again = strategy_from_dict(json.loads(json.dumps(other.to_dict())))
    assert again == one


@pytest.mark.parametrize(
    "other",
    [
        RegexChunking("b"),
        RegexChunking("a", separator="end"),
        RegexChunking("a", flags=regex.I),
        RegexChunking("a", timeout=2),
        RegexChunking("a", timeout=None),
        RegexChunking("a", strip=True),
        RegexChunking(regex.compile("a", regex.V0)),
    ],
)
def test_strategies_of_another_meaning_differ(other: RegexChunking) -> None:
    assert other != RegexChunking("a")


def test_a_flag_from_the_middle_of_a_pattern_on_is_not_one_of_all_of_it() -> None:
    strategy = RegexChunking(regex.compile("b(?i)a", regex.V1))
    assert strategy.flags == 0
    assert texts(strategy, "1bA2BA") == ["1", "2BA"]
    strategy = RegexChunking("b(?i)a", flags=regex.I)
    assert strategy.flags == regex.I
    assert texts(strategy, "1bA2BA") == ["1", "2"]


@pytest.mark.filterwarnings("ignore:Possible set union:FutureWarning")
def test_a_pattern_of_re_means_what_it_meant() -> None:
    assert texts(RegexChunking(re.compile("[a||b]")), "x|y") == ["x", "y"]
    assert texts(RegexChunking("[a||b]"), "x|y") == ["x|y"]
    assert texts(RegexChunking(re.compile("ss", re.IGNORECASE)), "a\u00dfb") == [
        "a\u00dfb"
    ]
    assert texts(RegexChunking("ss", flags=regex.I), "a\u00dfb") == ["a", "b"]


def test_the_attributes_are_plain() -> None:
    strategy = RegexChunking(re.compile("a", re.IGNORECASE), timeout=1, strip=True)
    assert type(strategy.pattern) is str
    assert type(strategy.flags) is int
    assert type(strategy.timeout) is float
    assert repr(strategy) == (
        "RegexChunking(pattern='a', separator='drop', "
        f"flags={int(regex.I | regex.V0)}, timeout=1.0, strip=True)"
    )
    with pytest.raises(FrozenInstanceError):
        strategy.pattern = "b"  # type: ignore[misc]


def test_copies_and_pickles_are_equal() -> None:
    strategy = RegexChunking("(?i)a", separator="end", timeout=None, strip=True)
    for again in (copy.deepcopy(strategy), pickle.loads(pickle.dumps(strategy))):  # noqa: S301 - our own pickle
        assert again == strategy
        assert texts(again, "1A2") == ["1A", "2"]


def test_the_name_needs_a_pattern() -> None:
    strategy = resolve_chunking_strategy({"type": "regex", "pattern": ","})
    assert strategy == RegexChunking(",")
    with pytest.raises(ValueError, match="RegexChunking needs 'pattern'"):
        resolve_chunking_strategy("regex")


@pytest.mark.parametrize("wrong", [b"a", None, 7, ["a"]])
def test_a_pattern_is_text(wrong: Any) -> None:
    with pytest.raises(TypeError, match="pattern must be a str") as caught:
        RegexChunking(wrong)
    assert repr(wrong) in str(caught.value)


@pytest.mark.parametrize("wrong", [re.compile(b"a"), regex.compile(b"a")])
def test_a_compiled_pattern_is_one_of_text(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"pattern must be a str .*, got one of bytes"):
        RegexChunking(wrong)


def test_a_pattern_is_valid_and_can_be_decided() -> None:
    with pytest.raises(ValueError, match=r"got '\(': missing \) at position 1"):
        RegexChunking("(")
    with pytest.raises(ValueError, match="a look-behind without limit"):
        RegexChunking("(?<=a*)b")
    with pytest.raises(ValueError, match="got one with named lists"):
        RegexChunking(regex.compile(r"\L<names>", names=["a"]))


@pytest.mark.parametrize("wrong", ["I", 1.0, None, True])
def test_flags_are_an_int(wrong: Any) -> None:
    with pytest.raises(TypeError, match="flags must be an int, got"):
        RegexChunking("a", flags=wrong)


def test_flags_are_those_of_the_regex_module() -> None:
    with pytest.raises(ValueError, match="flags must be flags of the regex module"):
        RegexChunking("a", flags=1 << 20)
    with pytest.raises(ValueError, match="DEBUG prints"):
        RegexChunking("a", flags=regex.DEBUG)
    with pytest.raises(ValueError, match="from the end of the text"):
        RegexChunking("a", flags=regex.REVERSE)
    with pytest.raises(ValueError, match="flags must name one version at most"):
        RegexChunking("a", flags=regex.V0 | regex.V1)
    with pytest.raises(ValueError, match="must be a regular expression"):
        RegexChunking("(?V0)a")


@pytest.mark.parametrize("compiled", [re.compile("a"), regex.compile("a")])
def test_a_compiled_pattern_has_its_flags(compiled: Any) -> None:
    with pytest.raises(ValueError, match="flags must be 0 with a compiled pattern"):
        RegexChunking(compiled, flags=regex.I)


@pytest.mark.parametrize("wrong", ["keep", "", None, True, ["drop"]])
def test_separator_is_one_of_three(wrong: Any) -> None:
    with pytest.raises(ValueError, match="separator must be 'drop', 'end' or 'start'"):
        RegexChunking("a", separator=wrong)


@pytest.mark.parametrize("wrong", [0, -1, float("nan"), float("inf")])
def test_a_timeout_is_some_time(wrong: Any) -> None:
    with pytest.raises(ValueError, match="timeout must be above 0 and at most"):
        RegexChunking("a", timeout=wrong)


@pytest.mark.parametrize("wrong", ["1", True])
def test_a_timeout_is_a_number(wrong: Any) -> None:
    with pytest.raises(TypeError, match="timeout must be a number of seconds or None"):
        RegexChunking("a", timeout=wrong)


@pytest.mark.parametrize("wrong", ["no", 0, None])
def test_strip_is_a_bool(wrong: Any) -> None:
    with pytest.raises(TypeError, match="strip must be a bool"):
        RegexChunking("a", strip=wrong)


@pytest.mark.parametrize("timeout", [86_401, 1e13, 10**400, float("inf"), float("nan")])
def test_a_limit_is_a_day_at_most(timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout must be above 0 and at most 864"):
        RegexChunking(",", timeout=timeout)


def test_what_is_open_is_known_without_a_search() -> None:
    """Every search from inside of an open run of white space would be one too many."""
    strategy = NestedChunking(RegexChunking(r"\s+"), "word")
    text = "ab" + " " * 60_000
    assert Chunker(strategy).feed(text + "c") == ["ab"]
    chunker = Chunker(strategy)
    assert chunker.feed(text) == []
    assert chunker.flush() == ["ab"]


def test_groups_that_are_nested_too_deeply_are_refused() -> None:
    for depth in (200, 230, 260, 10_000):
        with pytest.raises(ValueError, match="pattern must be"):
            RegexChunking("(" * depth + "a" + ")" * depth)


def test_a_subclass_with_a_constructor_of_its_own_is_copied() -> None:
    class Commas(RegexChunking):
        def __init__(self) -> None:
            super().__init__(",", strip=True)

    again = copy.copy(Commas())
    assert type(again) is Commas
    assert again == Commas()


def test_the_probe_has_the_same_limit() -> None:
    chunker = Chunker(RegexChunking("(?:a|a?){1,30}b", timeout=0.01))
    with pytest.raises(SeparatorTimeoutError):
        chunker.feed("x" + "a" * 60)
    assert chunker.pending == ""
