"""Places that sentences must not be cut at."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.strategies._markdown_inline import (
    CLOSERS,
    REACH,
    lex,
    masked,
    stays_open,
)

PIECES = st.sampled_from(
    [
        "`",
        "``",
        "[",
        "]",
        "(",
        ")",
        "<b>",
        "<",
        ">",
        "$",
        "5",
        "a",
        ". ",
        ".**",
        "\n",
        "\\",
        "x y",
    ]
)


def shown(text: str, *, ended: bool = True, math: bool = True) -> str:
    """Return what of a text is decided, as sentences see it."""
    at, masks = lex(text, 0, ended=ended, math=math, base=0)
    return masked(text[:at], 0, masks)


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a `b. c` d", "a `b__c` d"),
        ("a ``b` c`` d", "a ``b__c`` d".replace("``b", "`_b").replace("c``", "c_`")),
        ("a [b. c](d) e", "a [b__c__d) e"),
        ("a [b\\] c](d) e", "a [b___c__d) e"),
        ("a ![b. c][d. e] f", "a ![b__c__d__e] f"),
        ("[a [b. c] d](<e f> 'g. h') i", "[a__b__c__d___e_f___g__h_) i"),
        ("a <https://b.c/d. e", "a <https://b.c/d. e"),
        ("a <https://b.c/?d!> e", "a <https___b_c__d_> e"),
        ("a <b c='d. e'> f", "a <b_c__d__e_> f"),
        ("a <!-- b. c --> d", "a <____b__c___> d"),
        ("a $b. c$ d", "a $b__c$ d"),
        ("a $$b. c$$ d", "a $_b__c_$ d"),
        ("**Done.** Next", "**Done**. Next"),
        ("_Done!_ Next", "_Done_! Next"),
        ('"So.)"** x', '"So**.)" x'),
        ("**Done.**", "**Done**."),
    ],
)
def test_what_sentences_see(text: str, seen: str) -> None:
    assert shown(text) == seen
    assert len(seen) == len(text)


@pytest.mark.parametrize(
    "text",
    [
        "a ` b. c",
        "a [b. c] d",
        "a [b. c](d e f",
        "a [b. c",
        "a [b. c]",
        "a [b [c] d. e",
        "a [b. c][d",
        "a < b. c",
        "a <b c. d",
        "it is $5. And $6. Then",
        "$ a. b$",
        "$a. b$5",
        "$$a. b",
        "a\\`b. c` d",
        "**Done.**x",
        "a` b\n. c` d",
        "[",
        "a\\",
        "x.",
    ],
)
def test_what_does_not_close_is_text(text: str) -> None:
    assert shown(text) == text


def test_dollars_are_text_without_formulas() -> None:
    assert shown("a $b. c$ d", math=False) == "a $b. c$ d"


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("a `b. c", "a "),
        ("a ``b` c``", "a "),
        ("a [b. c", "a "),
        ("a [b. c]", "a "),
        ("a [b](c", "a "),
        ("a <b c", "a "),
        ("a <", "a "),
        ("a $b$", "a "),
        ("a $b", "a "),
        ("a \\", "a "),
        ("a.", "a"),
        ("a.)", "a"),
        ("a.**", "a"),
        ("a [b] ", "a [b] "),
        ("a < ", "a < "),
        ("a $ ", "a $ "),
        ("a ` b\nc", "a ` b\nc"),
    ],
)
def test_what_may_still_close_is_held_back(text: str, decided: str) -> None:
    at, _ = lex(text, 0, ended=False, math=True, base=0)
    assert text[:at] == decided


@pytest.mark.parametrize("opener", ["`", "[", "<b ", "$x"])
def test_an_opener_holds_back_for_so_many_code_points(opener: str) -> None:
    held = opener + "x" * (REACH - len(opener))
    assert lex(held, 0, ended=False, math=True, base=0) == (0, [])
    assert lex(held + "x", 0, ended=False, math=True, base=0)[0] > REACH


def test_a_long_run_of_backticks_is_text() -> None:
    ticks = "`" * 3 * REACH
    assert lex(ticks + "a", 0, ended=True, math=True, base=0) == (3 * REACH + 1, [])


def test_masks_are_in_stream_offsets() -> None:
    at, masks = lex("a `b` c", 0, ended=True, math=True, base=100)
    assert (at, masks) == (7, [(102, 105, 0)])
    assert masked("a `. ` c", 100, [(102, 106, 0)]) == "a `__` c"


@given(pieces=st.lists(PIECES, max_size=12), math=st.booleans())
def test_what_is_decided_stays(pieces: list[str], math: bool) -> None:  # noqa: FBT001 - drawn
    text = "".join(pieces)
    whole, masks = lex(text, 0, ended=True, math=math, base=0)
    assert whole == len(text)
    at = 0
    found = []
    for end in range(len(text) + 1):
        decided, new = lex(text[at:end], 0, ended=False, math=math, base=at)
        at += decided
        found += new
    _, new = lex(text[at:], 0, ended=True, math=math, base=at)
    assert found + new == masks


@given(pieces=st.lists(PIECES, max_size=5), more=st.lists(PIECES, max_size=5))
def test_what_stays_open_is_decided_by_a_closer_or_the_end_of_the_line(
    pieces: list[str], more: list[str]
) -> None:
    text = "".join(pieces)
    at, _ = lex(text, 0, ended=False, math=True, base=0)
    if at < len(text) and stays_open(text, at):
        decisive = CLOSERS | {"\n"}
        text += "".join(each for each in more if decisive.isdisjoint(each))
        text = text[: at + REACH]
        assert lex(text, 0, ended=False, math=True, base=0)[0] == at


@pytest.mark.parametrize("text", ["a `b", "`b` `", "$b ", "[b [", "[b `"])
def test_what_stays_open_without_a_closer(text: str) -> None:
    at, _ = lex(text + "x", 0, ended=False, math=True, base=0)
    assert stays_open(text + "x", at)


@pytest.mark.parametrize("text", ["a `", "`b`", "$b$", "[b]", "<b ", "a.", "\\"])
def test_what_any_code_point_may_decide(text: str) -> None:
    at, _ = lex(text, 0, ended=False, math=True, base=0)
    assert at < len(text)
    assert not stays_open(text, at)
