"""Rows of tables that are cut between their cells."""

from __future__ import annotations

import bisect
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import MarkdownChunking, MarkdownTableChunking
from chunkwise._clusters import cluster_ends
from chunkwise.strategies._markdown_cells import (
    Columns,
    borders_of,
    cut_row,
    farthest,
    head_of,
)
from tests.markdown_oracle import lines_of, parser, rows_of_tables, starts_of_lines
from tests.running import Facts, run_in_all_ways

if TYPE_CHECKING:
    from chunkwise._spans import Context

EMOJI = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
CELLS = (
    *("", "", "a", "b c", "- x", "> 5", "# 3", "1. a", "---", "```", "``` `b`", "-"),
    *("#", "1.", "~~~", "* * *", "<div>", "<br> x", "i j - k > l", "=== a", "[a]: b"),
    *("d\\|e", "`f\\|g`", "x\\", "\\\\|y", "h" * 9, "e\u0301" * 8, EMOJI),
    *("one two three four five six", "#5 -3 1.5", "     7"),
)
HEADS = (
    *("n", "- 0", "# h", "a long name", "> q", "```", "---", "", "1. x", "n\\|m"),
    "`a\\|b`",
)
MARKERS = re.compile(r"(?:10\.(?= )|-(?= )|>)? *")
DELIMITERS = ("-", "---", ":--", "--:", ":-:", "-" * 10)


def cells_of(row: str) -> list[tuple[int, int]]:
    """Return where the cells of a row are, between their borders."""
    first, last = len(row) - len(row.lstrip()), len(row.rstrip())
    pipes = [match.start() for match in re.finditer(r"(?<!\\)\|", row)]
    start = first
    if pipes[:1] == [first]:
        start = pipes.pop(0) + 1
    cells = []
    for pipe in pipes:
        cells.append((start, pipe))
        start = pipe + 1
    return [*cells, (start, last)] if start < last or not cells else cells


def table_of(text: str) -> list[list[str]] | None:
    """Return the rows of a table, if that is all there is, in quotes or not."""
    tokens = parser().parse(text)
    kinds = [token.type for token in tokens if "blockquote" not in token.type]
    if kinds.count("table_open") != 1 or kinds[0] != "table_open":
        return None
    if kinds[-1] != "table_close":
        return None
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token.content)
    return rows


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Tables with whatever cells, with and without outer pipes, in quotes and lists."""
    containers = [("", ""), ("", ""), ("> ", "> "), ("- ", "  "), ("10. ", "    ")]
    first, further = draw(st.sampled_from(containers))
    is_in_list = first != further
    columns = draw(st.integers(1, 4))
    outer = st.sampled_from(["|"] if is_in_list or columns == 1 else ["|", ""])
    left, right = draw(outer), draw(st.sampled_from(["|", ""]))
    pads = st.sampled_from(["", " ", "  ", " " * 6])

    def line(cells: list[str], left: str, pad: str) -> str:
        indent = "" if is_in_list else draw(st.sampled_from(["", "", " ", "   "]))
        row = left + "|".join(pad + cell + draw(pads) for cell in cells) + right
        return indent + row.strip()

    names = [
        name + draw(st.sampled_from(["", str(number)]))
        for number, name in enumerate(
            draw(st.lists(st.sampled_from(HEADS), min_size=columns, max_size=columns))
        )
    ]
    if names == [""]:
        # A pipe alone is no head.
        names = ["n"]
    if not left and names[0][:2] in {"- ", "> ", "# ", "1."}:
        # A list, whose first line the parser takes for the head with its marker.
        names[0] = "n"
    delimiters = st.lists(
        st.sampled_from(DELIMITERS), min_size=columns, max_size=columns
    )
    lines = [
        line(names, left, draw(pads)),
        line(draw(delimiters), draw(outer), draw(st.sampled_from(["", " "]))),
    ]
    counts = st.one_of(st.just(columns), st.integers(1, columns + 3))
    for count in draw(st.lists(counts, min_size=1, max_size=4)):
        cells = st.lists(st.sampled_from(CELLS), min_size=count, max_size=count)
        lines.append(line(draw(cells), draw(outer), draw(pads)))
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    text = end.join(
        (further if number else first) + each for number, each in enumerate(lines)
    )
    return text + end


def check_row(
    text: str, chunk: Facts, *, counts: int | None, keeps_words: bool
) -> None:
    """Check a chunk of rows against what a parser says about the whole text.

    Args:
        text: The text, a table at its start.
        chunk: A chunk with rows of it.
        counts: How much text and context may be; ``None`` if context does not count.
        keeps_words: Whether context is left out rather than a word cut.
    """
    starts, lines = starts_of_lines(text), lines_of(text)
    rows = rows_of_tables(text)
    first = bisect.bisect_right(starts, chunk.start) - 1
    last = bisect.bisect_right(starts, chunk.end - 1) - 1
    markers = len(lines[first]) - len(lines[first].lstrip("> "))
    base = starts[first] + markers
    cells = [(base + a, base + b) for a, b in cells_of(lines[first][markers:])]
    head, whole = rows[first]
    before = len(lines[0]) - len(MARKERS.sub("", lines[0], 1))
    heads = [(before + a, before + b) for a, b in cells_of(lines[0][before:])]
    if not chunk.context:
        check_left_out(text, chunk, cells, counts, keeps_words=keeps_words)
        return
    table = table_of("\n".join([*(part for _, part, _ in chunk.context), chunk.text]))
    assert table is not None, chunk
    if first < last or chunk.text.count("\n"):
        assert table == [head, *(rows[line][1] for line in range(first, last + 1))]
        return
    start = chunk.context[0][0]
    end = start + len(lines_of(chunk.context[0][1])[0])
    is_open = text[start] != "|"
    columns = [
        column
        for column, (a, b) in enumerate(heads)
        if start + 1 - is_open <= a < end
        and a + len(text[a:b].rstrip() or text[a:b]) <= end
    ]
    parts = [
        text[max(a, chunk.start) : max(min(b, chunk.end), a, chunk.start)]
        for a, b in cells
    ]
    shown = [part.strip(" \t").replace("\\|", "|") for part in parts]
    assert table[0] == [head[column] for column in columns]
    expected = [*shown, *[""] * len(head)]
    assert table[1:] == [[expected[column] for column in columns]]
    for column, part in enumerate(shown):
        # What has no head may stay with the last column.
        is_behind = column >= len(whole) and columns[-1] == len(whole) - 1
        assert not part or column in columns or is_behind


def check_left_out(
    text: str,
    chunk: Facts,
    cells: list[tuple[int, int]],
    counts: int | None,
    *,
    keeps_words: bool,
) -> None:
    """Check that a part of a row has no context only where it can have none.

    Either its cell has no head, or the one that it has leaves no room, or is no head of
    a table alone, or something in the cell begins like another block.
    """
    first = max(n for n, (a, _) in enumerate(cells) if n == 0 or a - 1 <= chunk.start)
    head, delimiters = (MARKERS.sub("", line, 1) for line in lines_of(text)[:2])
    borders = (borders_of(head), borders_of(delimiters))
    if first >= len(borders[0]) - 1:
        return
    a, b = cells[first]
    if re.search(r"(?:^|[ |])(?:[>`~#*+<-]|[0-9]{1,9}[.)])", text[a:b]):
        return
    context = []
    for row, places in zip((head, delimiters), borders, strict=True):
        left, before = places[first]
        right, closed = places[first + 1]
        content = re.sub("(?<=---)-+$", "", row[before:right].rstrip())
        # Without a pipe before its content, or with nothing in it, it needs one.
        # But one with a colon, which is no underline either.
        is_short = content and (left < before or (row == delimiters and ":" in content))
        context.append(row[left:before] + content if is_short else row[left:closed])
    if context[0].startswith("```"):
        return
    assert counts is not None
    least = next(iter(cluster_ends(chunk.text, 0)))
    if keeps_words:
        word = re.match(r"\|? *[^ ]* *\|?", chunk.text)
        assert word
        least = word.end()
    elif chunk.text.startswith("\\|"):
        least = 2
    assert len("\n".join([*context, ""])) + least > counts


@pytest.mark.parametrize(
    ("make", "counts"),
    [
        (MarkdownTableChunking, True),
        (partial(MarkdownChunking, size_of="with_context", extensions=()), True),
        (partial(MarkdownChunking, extensions=()), False),
    ],
    ids=["table", "markdown with context", "markdown"],
)
@given(text=tables(), size=st.integers(10, 80))
def test_each_part_of_a_row_is_a_row_below_the_heads_of_its_columns(
    make: Any,
    counts: bool,  # noqa: FBT001 - a parameter
    text: str,
    size: int,
) -> None:
    """Text and heads as a parser sees them, in the whole text and in the chunk.

    What has no context has no head, begins like a block that is no table, or does not
    fit below the head of its column.
    """
    strategy = make(size) if make is MarkdownTableChunking else make(max_size=size)
    rows = rows_of_tables(text)
    chunks = run_in_all_ways(strategy, text)
    for chunk in chunks:
        line = bisect.bisect_right(starts_of_lines(text), chunk.start) - 1
        table = "\n".join([*(part for _, part, _ in chunk.context), chunk.text])
        is_row = chunk.kind == "table_row" and line in rows
        is_small = len(table if counts else chunk.text) <= size
        assert is_small or chunk.oversize or not is_row
        if is_row:
            may_be = size if counts else None
            keeps_words = make is not MarkdownTableChunking
            check_row(text, chunk, counts=may_be, keeps_words=keeps_words)


def parts_of(
    row: str,
    size: int,
    *,
    head: str = "|a|b|",
    front: Context = (),
    words: bool = False,
) -> list[tuple[str, str]]:
    """Return the parts of a row, each with its context before it on lines."""

    def fits(context: Context, text: str) -> bool:
        return len("\n".join([*(part for _, part, _ in context), text])) <= size

    below = "|".join("-" for _ in cells_of(head))
    columns = Columns(((0, head), (0, f"|{below}|")), fits)
    found = []
    for start, end, context, _, _ in cut_row(
        (0, row), columns, fits, front=front, keeps_words=words
    ):
        found.append(("/".join(part for _, part, _ in context), row[start:end]))
    return found


@given(st.integers(-1, 40), st.integers(0, 2_000), st.integers(0, 2_000))
def test_farthest_looks_about_twice_as_far_as_what_fits(
    first: int, fitting: int, more: int
) -> None:
    last = first + fitting
    looks: list[int] = []

    def fits(index: int) -> bool:
        looks.append(index)
        return index <= last

    assert farthest(fits, first, last + 1 + more) == last
    assert max(looks, default=first) - first <= 2 * fitting + 1
    assert len(looks) <= 2 * (fitting + 1).bit_length()


def test_borders() -> None:
    assert borders_of("|a|b|") == [(0, 1), (2, 3), (4, 5)]
    assert borders_of(" a | b") == [(1, 1), (3, 4), (6, 6)]
    assert borders_of("a") == [(0, 0), (1, 1)]
    assert borders_of("|") == [(0, 1), (1, 1)]


def test_a_part_begins_with_its_pipe_and_may_end_with_empty_cells() -> None:
    assert parts_of("| - x | # y |", 13) == [
        ("|a/|-", "| - x"),
        ("|b/|-", "| # y |"),
    ]
    assert parts_of("|xy||", 11) == [("|a/|-", "|xy||")]


def test_what_is_a_row_because_of_its_next_pipe_keeps_that() -> None:
    assert parts_of("---|bcd", 11) == [("|a/|-", "---|"), ("|b/|-", "bcd")]
    # Neither is a row without the pipe.
    assert parts_of("---|- x", 10) == [("", "---"), ("|b/|-", "|- x")]


def test_a_pipe_goes_with_its_neighbour() -> None:
    # The pipe of the second cell would be alone before its blanks.
    assert parts_of("|1|     2|", 9) == [
        ("|a/|-", "|1|"),
        ("|b/|-", "2|"),
    ]
    assert parts_of("|abc|defgh|", 10) == [
        ("|a/|-", "|abc"),
        ("|b/|-", "|def"),
        ("|b/|-", "gh|"),
    ]


def test_the_head_and_the_text_before_it() -> None:
    both = ((4, "> |a|\r\n> |-|", "table_header"),)
    assert head_of(both) == ((6, "|a|"), (13, "|-|"))
    each = ((4, "|a|", "table_header"), (13, "|-|", "table_header"))
    assert head_of(each) == ((4, "|a|"), (13, "|-|"))


def test_headings_are_left_out_before_a_word_is_cut() -> None:
    front = ((0, "# A", "heading"), (0, "# B", "heading"))
    assert parts_of("|abc def|g|", 17, front=front, words=True) == [
        ("# B/|a/|-", "|abc"),
        ("# A/# B/|a/|-", "def"),
        ("# A/# B/|b/|-", "|g|"),
    ]
    # Two words that are too large alone are cut beside all of the context.
    found = parts_of("|" + "abcdefghij" * 2 + " k|", 17, front=front, words=True)
    assert {context for context, _ in found} == {"# A/# B/|a/|-"}
    assert [part for _, part in found][:3] == ["|ab", "cde", "fgh"]


def test_a_head_that_leaves_no_room_is_left_out() -> None:
    head = "|a|a long name|another name|d|"
    assert parts_of("|1|2|3|4|5|", 10, head=head) == [
        ("|a/|-", "|1"),
        ("", "|2|3"),
        ("|d/|-", "|4"),
        ("", "|5|"),
    ]
    assert parts_of("|1|2|one two three|", 10)[1:] == [
        ("|b/|-", "|2"),
        ("", "|one two"),
        ("", "three|"),
    ]


def test_a_head_that_alone_would_be_a_fence_is_left_out() -> None:
    assert parts_of("1|2", 12, head="```|`b`") == [
        ("", "1"),
        ("|`b`/|-", "|2"),
    ]


@pytest.mark.parametrize(
    ("head", "delimiters", "contexts"),
    [
        pytest.param(
            "| n   | long    |",
            "|-----|---------|",
            ["| n/|---", "| long/|---"],
            id="padded",
        ),
        pytest.param(
            "| n |m|", "|----:|:---:|", ["| n/|----:", "|m/|:---:"], id="right"
        ),
        pytest.param("|n |m|", "| :------|-|", ["|n/| :---", "|m/|-"], id="left"),
        pytest.param("n |m", "----|----", ["n |/----|", "|m/|---"], id="no pipe"),
        pytest.param("n |m", ":---- |-", ["n |/:---", "|m/|-"], id="no pipe, left"),
        pytest.param("|n |m", "-: |-|", ["|n/-:", "|m/|-"], id="no pipe, right"),
        pytest.param("|  |m|", "|----|-|", ["|  |/|---", "|m/|-"], id="empty"),
    ],
)
def test_the_head_of_a_part_is_as_short_as_it_can_be(
    head: str, delimiters: str, contexts: list[str]
) -> None:
    columns = Columns(((0, head), (0, delimiters)), lambda *_: True)
    for column, expected in enumerate(contexts):
        context = columns.context(column, column)
        assert "/".join(part for _, part, _ in context) == expected
        assert all(
            row[start:].startswith(part)
            for (start, part, _), row in zip(context, (head, delimiters), strict=True)
        )
        start, end = cells_of(head)[column]
        table = table_of("\n".join([*(part for _, part, _ in context), "x"]))
        assert table == [[head[start:end].strip()], ["x"]]
    both = columns.context(0, 1)
    assert both[0][1] == head.rstrip("|").rstrip()


def test_of_a_part_that_is_no_row_as_much_is_left_out_as_has_no_room() -> None:
    front = ((0, "# A", "heading"), (0, "# B", "heading"))
    for size, context in ((11, "# A/# B"), (10, "# B"), (6, "")):
        assert parts_of("---|- x", size, front=front)[0] == (context, "---")


def test_without_heads_cells_are_packed() -> None:
    def fits(context: Context, text: str) -> bool:
        return not context and len(text) <= 10

    columns = Columns(((0, "|a|b|"), (6, "|-|-|")), fits, repeats=False)
    parts = cut_row((12, "|one|two|three|"), columns, fits)
    assert [(start, end) for start, end, *_ in parts] == [(12, 20), (20, 27)]


def test_a_cluster_that_is_too_large_is_a_part() -> None:
    cluster = "e" + "\u0301" * 20
    assert parts_of(f"|{cluster}||", 10) == [
        ("|a/|-", "|"),
        ("", cluster),
        ("|b/|-", "||"),
    ]
    # Here its pipe has no room either.
    words = parts_of(f"|{cluster}|x|", 10, words=True)
    assert words[1:] == [("", cluster), ("|b/|-", "|x|")]


def test_white_space_that_is_text_for_markdown_is_no_part() -> None:
    assert parts_of("\x0b", 20) == []
    assert parts_of("\x0b|x|", 20) == [("|a/|-", "|x|")]
