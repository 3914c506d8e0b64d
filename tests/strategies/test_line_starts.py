"""What a line begins with."""

from __future__ import annotations

import pytest

from chunkwise.strategies._line_starts import line_start


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Word", ""),
        ("# Heading", "#"),
        ("###### Six", "#"),
        ("####### Seven", ""),
        ("#tag", ""),
        ("---\n", "#"),
        ("*** \t\r\n", "#"),
        ("_" * 80 + "\n", "#"),
        ("-" * 81 + "\n", ""),
        ("--\n", ""),
        ("--- so", ""),
        ("-*-\n", ""),
        ("**so** it", ""),
        ("_so_ it", ""),
        ("- item", "-"),
        ("-5 degrees", ""),
        ("\u2022 item", "-"),
        ("1. item", "-"),
        ("123456789) item", "-"),
        ("1234567890. item", ""),
        ("1.5 litres", ""),
        ("a) item", "-"),
        ("a. item", ""),
        ("ab) item", ""),
        ("| cell |", "|"),
        ("> quote", ">"),
        ("```\ncode", "```"),
        ("````py\ncode", "````"),
        ("``` not ` code\n", ""),
        ("```" + "x" * 41 + "\n", ""),
        ("~~~\ncode", "~~~"),
        ("``x", ""),
        ("  \t- item", "-"),
        ("\u00e9t\u00e9", ""),
    ],
)
def test_a_line_begins_with(line: str, kind: str) -> None:
    text = f"one\n{line}"
    assert line_start(text, 4, final=False) == kind
    assert line_start(text, 4, final=True) == kind


@pytest.mark.parametrize(
    ("begun", "kind"),
    [
        ("", ""),
        ("#", ""),
        ("##", ""),
        ("-", ""),
        ("--", ""),
        ("---", "#"),
        ("*** ", "#"),
        ("_", ""),
        ("12", ""),
        ("12.", ""),
        ("a", ""),
        ("a)", ""),
        ("``", ""),
        ("```", "```"),
        ("```py", "```"),
        ("~", ""),
        ("~~~~", "~~~~"),
        ("  ", ""),
    ],
)
def test_what_is_only_begun_is_not_known_before_the_end(begun: str, kind: str) -> None:
    assert line_start(begun, 0, final=False) is None
    assert line_start(begun, 0, final=True) == kind


@pytest.mark.parametrize("line", ["#" * 7, "a ", "+x", "```x`", "Th"])
def test_nothing_is_waited_for_that_changes_nothing(line: str) -> None:
    assert line_start(line, 0, final=False) == ""
