"""MarkdownTableChunking."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    Chunker,
    ChunkerState,
    ContractError,
    MarkdownTableChunking,
    WindowChunking,
    sizing,
    strategy_from_dict,
)
from chunkwise.strategies import _markdown_cells
from chunkwise.strategies._markdown_cells import borders_of
from tests.markdown_oracle import parser
from tests.running import Facts, facts, run, run_in_all_ways

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise.sizing import Sizer


def with_context(chunk: Facts) -> str:
    return "\n".join([*(part for _, part, _ in chunk.context), chunk.text])


def cells_of(table: str) -> tuple[list[str], list[list[str]]]:
    """Return the head and the rows of a table, as a parser sees them."""
    tokens = parser().parse(table)
    assert tokens[0].type == "table_open", table
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token.content)
    return rows[0], rows[1:]


def cut(text: str, size: int, **parameters: Any) -> list[tuple[str, str]]:
    strategy = MarkdownTableChunking(size, **parameters)
    return [(with_context(c), c.kind) for c in run_in_all_ways(strategy, text)]


TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n"
HEAD = "| a | b |\n|---|---|\n"


def test_rows_are_packed_with_the_head_before_them() -> None:
    assert cut(TABLE, 40) == [
        (HEAD + "| 1 | 2 |\n| 3 | 4 |", "table"),
        (HEAD + "| 5 | 6 |", "table_row"),
    ]
    assert cut(TABLE, 30) == [
        (HEAD + "| 1 | 2 |", "table"),
        (HEAD + "| 3 | 4 |", "table_row"),
        (HEAD + "| 5 | 6 |", "table_row"),
    ]
    assert cut(TABLE, 20) == [
        (HEAD[:-1], "table_header"),
        ("| a\n|---\n| 1", "table_row"),
        ("| b\n|---\n| 2 |", "table_row"),
        ("| a\n|---\n| 3", "table_row"),
        ("| b\n|---\n| 4 |", "table_row"),
        ("| a\n|---\n| 5", "table_row"),
        ("| b\n|---\n| 6 |", "table_row"),
    ]


def test_without_the_head_the_size_is_that_of_the_rows() -> None:
    assert cut(TABLE, 20, repeat_header=False) == [
        (HEAD[:-1], "table_header"),
        ("| 1 | 2 |\n| 3 | 4 |", "table_row"),
        ("| 5 | 6 |", "table_row"),
    ]


def test_a_cell_that_is_too_wide_is_cut_behind_words_or_between_clusters() -> None:
    text = "|name|b|\n|-|-|\n|one two three|e\u0301e\u0301e\u0301e\u0301e\u0301|\n|c|d|"
    strategy = MarkdownTableChunking(16)
    chunks = run_in_all_ways(strategy, text)
    assert [(with_context(c), c.complete) for c in chunks] == [
        ("|name|b|\n|-|-|", True),
        ("|name\n|-\n|one", False),
        ("|name\n|-\ntwo", False),
        ("|name\n|-\nthree", True),
        ("|b\n|-\n|e\u0301e\u0301e\u0301e\u0301", False),
        ("|b\n|-\ne\u0301|", True),
        ("|name\n|-\n|c", True),
        ("|b\n|-\n|d|", False),
    ]


def test_a_head_that_leaves_no_room_is_left_out() -> None:
    text = "|a long name|b|\n|---|-|\n|1234|2|\n"
    assert cut(text, 10) == [
        ("|a long name|b|\n|---|-|", "table_header"),
        ("|1234", "table_row"),
        ("|b\n|-\n|2|", "table_row"),
    ]


def test_a_cluster_over_the_limit_is_oversize() -> None:
    cluster = "e" + "\u0301" * 20
    chunks = run_in_all_ways(MarkdownTableChunking(10), f"|a|\n|-|\n|{cluster}|\n")
    assert [c.text for c in chunks if c.oversize] == [cluster]
    text = f"a|b\n-|-\n1|{cluster}"
    chunks = run_in_all_ways(MarkdownTableChunking(10), text)
    assert [c.text for c in chunks if c.oversize] == [cluster]
    assert MarkdownTableChunking(10).flush(text)[-1] == cluster


def test_the_head_of_a_table_can_be_over_the_limit() -> None:
    chunks = run_in_all_ways(MarkdownTableChunking(10), "|abc|def|\n|-|-|\n")
    assert [(c.text, c.oversize) for c in chunks] == [("|abc|def|\n|-|-|", True)]


def test_text_around_tables_is_lines() -> None:
    text = "# A | b\n\nc\n  d|e\n" + TABLE + "\n> f\n```\n|a|\n|-|\n```\n|g|\n---\n|h|"
    assert cut(text, 40) == [
        ("# A | b", "line"),
        ("c", "line"),
        ("  d|e", "line"),
        (HEAD + "| 1 | 2 |\n| 3 | 4 |", "table"),
        (HEAD + "| 5 | 6 |", "table_row"),
        ("> f", "line"),
        ("```", "line"),
        ("|a|", "line"),
        ("|-|", "line"),
        ("```", "line"),
        ("|g|\n---\n|h|", "table"),
    ]


def test_a_heading_below_a_line_with_a_pipe() -> None:
    assert cut("a|b\n===\n", 40) == [("a|b", "line"), ("===", "line")]


def test_a_line_with_a_pipe_waits_for_the_next_one() -> None:
    chunker = Chunker(MarkdownTableChunking(40))
    assert chunker.feed("a|b\n") == []
    assert chunker.feed("c") == ["a|b"]
    assert chunker.feed("\nd|e\n") == ["c"]
    assert chunker.feed("\n") == ["d|e"]


@pytest.mark.parametrize("marker", ["> ", "- ", "1. > "])
def test_tables_in_containers_are_cut_into_rows(marker: str) -> None:
    further = re.sub("[^> ]", " ", marker)
    lines = ["|a|b|", "|-|-|", "|1|2|", "|3|4|"]
    text = "\n".join((further if n else marker) + line for n, line in enumerate(lines))
    chunks = cut(text, 40)
    assert [kind for _, kind in chunks] == ["table_header", "table_row", "table_row"]
    for table, _ in chunks[1:]:
        assert cells_of(table)[0] == ["a", "b"]


def test_escaped_pipes_missing_outer_ones_and_carriage_returns() -> None:
    text = "name | b\r\n-|-\r\nx\\|y | `c\\|d`\r\nz\r\n"
    assert cut(text, 25) == [
        ("name | b\r\n-|-", "table_header"),
        ("name |\n-|\nx\\|y", "table_row"),
        ("| b\n|-\n| `c\\|d`", "table_row"),
        ("name | b\n-|-\nz", "table_row"),
    ]


def test_cells_without_a_head_stay_with_the_last_column_or_have_no_context() -> None:
    text = "|a|b|\n|-|-|\n|1|2|3|" + "x" * 9 + "|" + "y" * 9 + "|\n||\n"
    chunks = cut(text, 20)
    assert [chunk for chunk, kind in chunks if kind == "table_row"] == [
        "|a|b\n|-|-\n|1|2|3",
        "|xxxxxxxxx",
        "|yyyyyyyyy|",
        "|a|b|\n|-|-|\n||",
    ]


CELLS = st.sampled_from(
    ["a", "b c", "d\\|e", "`f\\|g`", "h" * 9, "i j k l m n", "\u00fc"]
)


@given(
    columns=st.integers(1, 4),
    cells=st.lists(CELLS, min_size=4, max_size=40),
    outer=st.booleans(),
    size=st.integers(30, 80),
    sizer=st.sampled_from(["code_points", "utf8_bytes", len]),
)
def test_every_cell_stands_under_its_own_head(
    columns: int,
    cells: list[str],
    outer: bool,  # noqa: FBT001 - drawn
    size: int,
    sizer: Any,
) -> None:
    outer = outer or columns == 1
    left, right = ("| ", " |") if outer else ("", "")
    names = [f"n{number}" for number in range(columns)]
    rows = [cells[at : at + columns] for at in range(0, len(cells), columns)][:-1]
    lines = [names, ["---"] * columns, *rows]
    text = "\n".join(left + " | ".join(line) + right for line in lines)
    found: list[list[str]] = [[] for _ in names]
    for chunk in run_in_all_ways(MarkdownTableChunking(size, sizer=sizer), text):
        table = with_context(chunk)
        measured = sizing.utf8_bytes(table) if sizer == "utf8_bytes" else len(table)
        assert measured <= size or chunk.oversize
        assert not chunk.oversize or chunk.kind == "table_header"
        head, parsed = cells_of(table)
        for row in parsed:
            for name, cell in zip(head, row, strict=True):
                found[names.index(name)].append(cell)
    for number, column in enumerate(found):
        shown = [row[number].replace("\\|", "|") for row in rows]
        assert [
            part for cell in column for part in cell.replace("\\|", "|").split()
        ] == [part for cell in shown for part in cell.split()]


def test_a_stream_can_move_at_every_delta() -> None:
    strategy = MarkdownTableChunking(20)
    text = "a|b\n" + TABLE + "\nc\n> |d|\n> |-|\n> |e|\n"
    chunker = Chunker(strategy)
    chunks = []
    for each in text:
        chunks += chunker.feed(each)
        state = ChunkerState.from_json(chunker.state.to_json())
        chunker = Chunker.resume(strategy, state)
    chunks += chunker.flush()
    assert facts(chunks) == run(strategy, [text]).chunks


def test_a_long_table_costs_its_length() -> None:
    read_back = 0

    def counted(text: str) -> int:
        nonlocal read_back
        read_back += len(text)
        return len(text)

    text = HEAD + "| 1 | 2 |\n" * 2_000
    run(MarkdownTableChunking(100, sizer=counted), [text])
    assert read_back <= 20 * len(text)


HARD: dict[str, Callable[[int], str]] = {
    "a cell of words": lambda size: "|a|b|\n|-|-|\n|" + "word " * (size // 5) + "|c|\n",
    "a cell of one word": lambda size: "|a|b|\n|-|-|\n|" + "x" * size + "|c|\n",
    "columns": lambda size: "".join(
        "|" + cell * (size // 13) + "\n" for cell in ("abc |", "-|", "defg |")
    ),
    "a cell of markers": lambda size: "|a|b|\n|-|-|\n|" + "- " * (size // 2) + "|c|\n",
    "wide cells": lambda size: "".join(
        "|" + cell * (size // 42) + "\n" for cell in ("abc |", "-|", "word " * 7 + "|")
    ),
    "empty cells": lambda size: "|a|b|\n|-|-|\n" + "|" * size + "\n",
    "cells without a head": lambda size: (
        "|a|" + "h " * (size // 4) + "|\n|-|-|\n|" + "x |" * (size // 6) + "\n"
    ),
    "short rows below a wide head": lambda size: (
        "".join("|" + cell * (size // 14) + "\n" for cell in ("abc |", "-|"))
        + "|1|\n" * (size // 8)
    ),
    "short rows below one wide column": lambda size: (
        "|a|" + "h " * (size // 4) + "|\n|-|-|\n" + "|1|2|\n" * (size // 12)
    ),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("delta", [4, 100_000])
@pytest.mark.parametrize("unit", [sizing.code_points, sizing.words])
def test_what_is_too_wide_costs_its_length(
    name: str, delta: int, unit: Sizer, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = measured = searched = 0

    def counted(text: str) -> int:
        nonlocal calls, measured
        calls += 1
        measured += len(text)
        return unit(text)

    def counted_borders(row: str) -> list[tuple[int, int]]:
        nonlocal searched
        searched += len(row)
        return borders_of(row)

    monkeypatch.setattr(_markdown_cells, "borders_of", counted_borders)
    text = HARD[name](8_000)
    deltas = [text[at : at + delta] for at in range(0, len(text), delta)]
    run(MarkdownTableChunking(40, sizer=counted), deltas)
    assert calls <= 2 * len(text)
    assert measured <= 40 * len(text)
    assert searched <= 2 * len(text)


def test_a_blank_inside_of_a_cluster_ends_a_word() -> None:
    # An Arabic number sign joins what is behind it, and here that is a blank.
    text = "|a|\n|-|\n|1234\u0600 56789|\n"
    assert cut(text, 11)[1:] == [
        ("|a\n|-\n|1234", "table_row"),
        ("|a\n|-\n\u0600", "table_row"),
        ("|a\n|-\n5678", "table_row"),
        ("|a\n|-\n9|", "table_row"),
    ]


def test_it_works_inside_other_strategies() -> None:
    strategy = WindowChunking(2, by=MarkdownTableChunking(30))
    texts = [chunk.text for chunk in run_in_all_ways(strategy, "a\n" + TABLE)]
    assert texts[0] == "a\n" + HEAD + "| 1 | 2 |"


def test_it_has_a_dictionary_form() -> None:
    strategy = MarkdownTableChunking(90, sizer="words", repeat_header=False)
    assert strategy.to_dict() == {
        "type": "markdown_table",
        "max_size": 90,
        "sizer": "words",
        "repeat_header": False,
    }
    assert strategy_from_dict(strategy.to_dict()) == strategy
    assert strategy.trigger == frozenset("\r\n`")


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"max_size": 9}, ValueError, "max_size must be an int of at least 10"),
        ({"max_size": "9"}, TypeError, "max_size must be an int"),
        ({"max_size": 20, "repeat_header": 1}, TypeError, "repeat_header must be"),
        ({"max_size": 20, "sizer": "miles"}, ValueError, "miles"),
    ],
)
def test_wrong_parameters(
    parameters: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        MarkdownTableChunking(**parameters)


def test_a_sizer_returns_a_size() -> None:
    def wrong(text: str) -> Any:
        return text

    chunker = Chunker(MarkdownTableChunking(20, sizer=wrong))
    with pytest.raises(ContractError, match="the sizer returned"):
        chunker.feed(TABLE)
