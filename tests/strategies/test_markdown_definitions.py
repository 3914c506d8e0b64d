"""Link reference definitions, line by line."""

from __future__ import annotations

import pytest

from chunkwise.strategies._markdown_definitions import (
    BEFORE,
    DONE,
    FAILED,
    LABEL,
    MORE,
    START,
    TARGET,
    TITLE,
    advance,
    may_be_definition,
)


def phases(*lines: str) -> list[str]:
    """Return what is awaited behind each line; each is ten code points long."""
    phase = START
    found = []
    for number, line in enumerate(lines, 1):
        phase = advance(phase, line, 10 * number)
        found.append(phase[0])
    return found


@pytest.mark.parametrize(
    ("lines", "awaited"),
    [
        (["[a]: b"], [MORE]),
        (["[a]: <b c>"], [MORE]),
        (["[a]:", "  b"], [TARGET, MORE]),
        (["[a]: b 'c'"], [DONE]),
        (["[a]: b (c) "], [DONE]),
        (["[a]: b 'c", "d'"], [TITLE, DONE]),
        (["[a]: b 'c", "d' e"], [TITLE, FAILED]),
        (["[a]: b", '"c"'], [MORE, DONE]),
        (["[a]: b", '"c', "d", 'e"'], [MORE, TITLE, TITLE, DONE]),
        (["[a]: b", '"c" d'], [MORE, BEFORE]),
        (["[a]: b", "c"], [MORE, BEFORE]),
        (["[a]: b", '"c', 'd" e'], [MORE, TITLE, BEFORE]),
        (["[a", "b]: c"], [LABEL, MORE]),
        (["[", "b]: c"], [LABEL, MORE]),
        (["[", "]: c"], [LABEL, FAILED]),
        (["[a\\"], [LABEL]),
        (["[a] b"], [FAILED]),
        (["[a[: b"], [FAILED]),
        (["[ ]: b"], [FAILED]),
        (["[a]: b c"], [FAILED]),
        (["[a]: b 'c' d"], [FAILED]),
        (["[a]: <b>'c'"], [FAILED]),
        (["[a]: b(c"], [FAILED]),
        (["[a]: b)"], [FAILED]),
        (["[a]: (b)\\("], [MORE]),
        (["[" + "a" * 1_000], [FAILED]),
        (["[a]: <b"], [FAILED]),
    ],
)
def test_what_is_awaited_behind_each_line(lines: list[str], awaited: list[str]) -> None:
    assert phases(*lines) == awaited


def test_a_definition_without_its_title_ends_with_the_line_before() -> None:
    assert advance((MORE, "", 10), "'a' b", 20) == (BEFORE, "", 10)
    assert advance((TITLE, "'", 10), "a' b", 30) == (BEFORE, "", 10)


@pytest.mark.parametrize(
    ("line", "may_be"),
    [
        ("[", True),
        ("[a", True),
        ("[a]", True),
        ("[a]:", True),
        ("[a\\", True),
        ("[a](", False),
        ("[a] ", False),
        ("[a[", False),
        ("[ ]", False),
        ("[" + "a" * 999, True),
        ("[" + "a" * 999 + "]:", True),
        ("[" + "a" * 1_000, False),
        ("[" + "a" * 1_000 + "]:", False),
    ],
)
def test_the_beginning_of_a_line_may_be_one(line: str, may_be: bool) -> None:  # noqa: FBT001 - a parameter
    assert may_be_definition(line) == may_be
