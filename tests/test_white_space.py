"""The written-out sets are what ``str`` says about all of Unicode."""

from __future__ import annotations

import sys

from chunkwise._white_space import LINE_ENDS, WHITE_SPACE

EVERY_CODE_POINT = [chr(code) for code in range(sys.maxunicode + 1)]


def test_white_space_is_what_isspace_says() -> None:
    assert {char for char in EVERY_CODE_POINT if char.isspace()} == WHITE_SPACE


def test_line_ends_are_those_of_splitlines() -> None:
    assert {
        char for char in EVERY_CODE_POINT if len(f"a{char}b".splitlines()) == 2
    } == LINE_ENDS
