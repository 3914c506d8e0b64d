"""One line of Markdown."""

from __future__ import annotations

import pytest

from chunkwise.strategies._markdown_lines import (
    columns_of,
    delimiter_columns,
    ends_html,
    html_kind,
    is_rule,
    may_become_html,
    skip_blanks,
)


@pytest.mark.parametrize(
    ("line", "at", "column"),
    [
        ("a", 0, 0),
        ("  a", 2, 2),
        ("\ta", 1, 4),
        (" \ta", 2, 4),
        ("  ", 2, 2),
        ("", 0, 0),
    ],
)
def test_a_tab_goes_to_the_next_multiple_of_four(
    line: str, at: int, column: int
) -> None:
    assert skip_blanks(line, 0, 0) == (at, column)


def test_a_rule_has_three_markers_of_one_kind() -> None:
    assert all(map(is_rule, ["***", "- - -", "_____\t", "* * *  "]))
    assert not any(map(is_rule, ["**", "*-*", "---a", "- -"]))


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        ("|a|b|", 2),
        ("a|b", 2),
        ("|a", 1),
        ("a|", 1),
        (r"a\|b|c", 2),
        (r"a|b\|", 2),
        (" | a | ", 1),
        ("|", 0),
        ("a", 0),
        ("", 0),
    ],
)
def test_the_cells_of_a_row_are_counted(row: str, columns: int) -> None:
    assert columns_of(row) == columns


@pytest.mark.parametrize(
    ("row", "columns"),
    [
        ("|-|-|", 2),
        (":-|-:", 2),
        ("| :-: |", 1),
        ("--", 1),
        ("-|", 1),
        ("-", 0),
        ("- | -", 0),
        ("|", 0),
        ("| a |", 0),
        ("|-||", 0),
    ],
)
def test_the_columns_of_a_delimiter_row_are_counted(row: str, columns: int) -> None:
    assert delimiter_columns(row) == columns


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("<pre>", 1),
        ("<SCRIPT", 1),
        ("<!-- a", 2),
        ("<?php", 3),
        ("<!A", 4),
        ("<![CDATA[", 5),
        ("</div", 6),
        ("<hr/>", 6),
        ("<b>", 7),
        ("</b >  ", 7),
        ("<a href='b' c=d e>", 7),
        ("<b> c", 0),
        ("<1>", 0),
        ("<b", 0),
    ],
)
def test_the_kinds_of_html_blocks(line: str, kind: int) -> None:
    assert html_kind(line, interrupts=False) == kind
    assert html_kind(line, interrupts=True) == (0 if kind == 7 else kind)


@pytest.mark.parametrize(
    ("line", "always", "unless_it_interrupts"),
    [
        ("<", True, True),
        ("<d", True, True),
        ("</di", True, True),
        ("<!", True, True),
        ("<!-", True, True),
        ("<![CDA", True, True),
        ("</DIV/", True, True),
        ("<b/", False, True),
        ("<b ", False, True),
        ("<b>", False, True),
        ("<b> ", False, True),
        ("<b> c", False, False),
        ("<https:", False, False),
        ("<1", False, False),
    ],
)
def test_the_beginning_of_a_line_may_become_html(
    line: str,
    always: bool,  # noqa: FBT001 - a parameter
    unless_it_interrupts: bool,  # noqa: FBT001 - as above
) -> None:
    assert may_become_html(line, interrupts=True) == always
    assert may_become_html(line, interrupts=False) == unless_it_interrupts


def test_html_ends_by_its_kind() -> None:
    ends = ["a</pre>b", "-->", "?>", ">", "]]>"]
    for kind, line in enumerate(ends, 1):
        assert ends_html(kind, line)
        assert not ends_html(kind, "a")
    assert not ends_html(6, "</div>")
    assert not ends_html(7, "</b>")
