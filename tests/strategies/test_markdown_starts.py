"""What a line of Markdown begins."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.strategies._markdown_starts import (
    AGAIN,
    FORMULA,
    LABEL,
    TICKS,
    WAIT,
    Start,
)


def start(line: str, *, ended: bool = True, **known: Any) -> Start:
    """Return a line whose start was looked at, in all that a strategy allows for."""
    made = Start(line, 100, ended=ended)
    made.math = made.notes = True
    for name, value in known.items():
        setattr(made, name, value)
    return made


IN_PARAGRAPH = {"continues": True, "interrupts": True, "underlines": True}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a", ("text", None)),
        ("# a", ("heading", 1)),
        ("###### a", ("heading", 6)),
        ("#", ("heading", 1)),
        ("#a", ("text", None)),
        ("***", ("rule", None)),
        ("- - -", ("rule", None)),
        ("___", ("rule", None)),
        ("__a__", ("text", None)),
        ("**", ("text", None)),
        ("``` py", ("fence", ("`", 3))),
        ("~~~~ `", ("fence", ("~", 4))),
        ("``` a`", ("text", None)),
        ("``", ("text", None)),
        ("<div>", ("html", 6)),
        ("<b>", ("html", 7)),
        ("<b> c", ("text", None)),
        ("$$", ("math", ("$$", False))),
        ("$$ a $$", ("math", ("$$", True))),
        ("$$a$$ b", ("text", None)),
        ("$a$", ("text", None)),
        ("\\[", ("math", ("\\]", False))),
        ("\\[ a \\]", ("math", ("\\]", True))),
        ("\\a", ("text", None)),
        ("[a]: b", ("definition", None)),
        ("[a] b", ("text", None)),
        ("1a", ("text", None)),
        ("1234567890. a", ("text", None)),
        ("-a", ("text", None)),
        ("| a |", ("text", None)),
        ("===", ("text", None)),
    ],
)
def test_what_a_line_begins(line: str, found: object) -> None:
    assert start(line).find() == found


def test_extensions_can_be_missing() -> None:
    assert start("$$", math=False).find() == ("text", None)
    assert start("[^1]: a", notes=False).find() == ("definition", None)


@pytest.mark.parametrize(
    ("line", "opened", "found", "at"),
    [
        ("> a", [(0, 0, ">", 100)], ("text", None), 2),
        (">>a", [(0, 0, ">", 100), (0, 0, ">", 101)], ("text", None), 2),
        (">     a", [(0, 0, ">", 100)], ("code", None), 6),
        (">\ta", [(0, 0, ">", 100)], ("text", None), 2),
        ("- a", [(1, 2, "-", 100)], ("text", None), 2),
        ("10)  a", [(1, 5, ")", 100)], ("text", None), 5),
        ("-      a", [(1, 2, "-", 100)], ("code", None), 7),
        ("-", [(1, 2, "-", 100)], ("empty", None), 1),
        (
            "- + * a",
            [(1, 2, "-", 100), (1, 2, "+", 102), (1, 2, "*", 104)],
            ("text", None),
            6,
        ),
        ("- ***", [(1, 2, "-", 100)], ("rule", None), 2),
        ("[^1]: a", [(2, 4, "^", 100)], ("text", None), 6),
    ],
)
def test_containers_that_a_line_opens(
    line: str, opened: list[object], found: object, at: int
) -> None:
    made = start(line)
    assert made.find() == found
    assert made.opened == opened
    assert made.at == at


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("===", ("underline", 1)),
        ("--  ", ("underline", 2)),
        ("= a", ("text", None)),
        ("- a", ("text", None)),
        ("-", ("underline", 2)),
        ("*", ("text", None)),
        ("2. a", ("text", None)),
        ("1. a", ("text", None)),
        ("<b>", ("text", None)),
        ("[a]: b", ("text", None)),
        ("|-|", ("text", None)),
    ],
)
def test_what_a_line_behind_a_paragraph_is(line: str, found: object) -> None:
    made = start(line, **IN_PARAGRAPH)
    assert made.find() == found
    opens = line in {"- a", "1. a"}
    assert bool(made.opened) == opens


def test_no_definition_interrupts_a_table() -> None:
    assert start("[a]: b", in_table=True).find() == ("text", None)
    assert start("- [a]: b", in_table=True).find() == ("definition", None)


def test_an_indented_line_continues_a_paragraph() -> None:
    made = start("a", column=4, continues=True)
    assert made.find() == ("text", None)
    assert start("a", column=4).find() == ("code", None)


@pytest.mark.parametrize(
    ("line", "columns", "found"),
    [
        ("|-|-|", 2, ("table", None)),
        ("--", 1, ("table", None)),
        ("|-|", 2, ("text", None)),
        ("---", 2, ("underline", 2)),
        ("|-", 0, ("text", None)),
    ],
)
def test_a_delimiter_row_has_as_many_columns_as_the_line_before(
    line: str, columns: int, found: object
) -> None:
    assert start(line, columns=columns, **IN_PARAGRAPH).find() == found


def test_a_definition_is_no_heading() -> None:
    known = {**IN_PARAGRAPH, "underlines": False}
    assert start("===", **known).find() == ("text", None)


@pytest.mark.parametrize(
    ("line", "again"),
    [
        (">", AGAIN),
        ("> ", AGAIN),
        ("#", AGAIN),
        ("-", AGAIN),
        ("- ", AGAIN),
        ("--", AGAIN),
        ("_ _", AGAIN),
        ("+", AGAIN),
        ("+ ", AGAIN),
        ("1", AGAIN),
        ("1.", AGAIN),
        ("`", AGAIN),
        ("~~", AGAIN),
        ("~~~ a", AGAIN),
        ("```", AGAIN),
        ("``` a", TICKS),
        ("<", AGAIN),
        ("<di", AGAIN),
        ("<div ", AGAIN),
        ("<div>\x0b", WAIT),
        ("<!-- a", WAIT),
        ("[", AGAIN),
        ("[^1", AGAIN),
        ("[a", LABEL),
        ("[a]:", LABEL),
        ("[" + "a" * 990 + "]: bcdefghi", WAIT),
        ("$", AGAIN),
        ("$$ a", FORMULA),
        ("$$ a$", FORMULA),
        ("$$ a$$", AGAIN),
        ("\\", AGAIN),
        ("\\[ a", FORMULA),
        ("\\[ a\\] ", AGAIN),
        ("", AGAIN),
    ],
)
def test_an_unfinished_line_is_looked_at_again(line: str, again: int) -> None:
    assert start(line, ended=False).find() == again


@pytest.mark.parametrize("line", ["=", "-", "-:", "|"])
def test_a_line_behind_a_paragraph_may_become_an_underline(line: str) -> None:
    made = start(line, ended=False, columns=2, **IN_PARAGRAPH)
    assert made.find() == AGAIN


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("a", ("text", None)),
        ("# ", ("heading", 1)),
        ("**a", ("text", None)),
        ("``a", ("text", None)),
        ("``` a`", ("text", None)),
        ("<https:", ("text", None)),
        ("[a](", ("text", None)),
        ("$a", ("text", None)),
        ("$$a$$ b", ("text", None)),
        ("- a", ("text", None)),
        ("1a", ("text", None)),
        ("[^1]: a", ("text", None)),
    ],
)
def test_an_unfinished_line_can_be_certain(line: str, found: object) -> None:
    assert start(line, ended=False).find() == found


def test_the_search_for_what_makes_no_rule_is_made_once() -> None:
    made = start("- " * 1_000 + "a")
    assert made.find() == ("text", None)
    assert len(made.opened) == 1_000
    assert made.not_rule == {"-": 2_000}
