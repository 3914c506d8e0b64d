"""Markdown to test with: generated, of our own, and the examples of CommonMark."""

from __future__ import annotations

import json
import os
import tarfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

OWN_EXAMPLES: dict[str, str] = {
    "tabs": "\tcode\n\n  - one\n\n\ttwo\n\n-\t\tcode\n>\t\tcode\n",
    "rules": "***\n---\n___\n - - -\n**  * ** * ** * **\n--\n+++\n    ***\na\n***\nb\n",
    "atx headings": (
        "# a\n### b ###\n####### c\n#5 d\n#\tx\n   ## e\n    # f\n#\nz\n# g\n"
    ),
    "setext headings": (
        "a\nb\n===\n\nc\n---\n\nd\n= =\n\n> e\n---\n- f\n---\n\n    g\n---\n"
    ),
    "indented code": "    a\n      b\n\n\n    c\nd\n    e\n\n# f\n    g\n",
    "fences": (
        "```\na\n~~~\n```\n~~~~ py\nb\n~~~\n~~~~\n``` a`b\n```\nc\n  ```\n   d\n  ```\n"
    ),
    "an unclosed fence": "a\n\n```\nb\n\n\nc\n",
    "a fence in a quote": "> ```\n> a\n\nb\n",
    "html": (
        "<div>\n*a*\n\n</div>\n<!-- a\n\nb -->\nc\n"
        "<?php\n\n?>\n<!A>\n<![CDATA[\n\n]]>\n"
    ),
    "more html": (
        "<b>\nx\n\n<b>y</b> z\n\na\n<div>\nb\n\n<pre>\n\nc</pre>\n<style>x\n</style>\n"
    ),
    "definitions": (
        "[a]: /b\n[c]:\n/d\n'e\nf'\ng\n\n[h]: <i> \"j\" k\n\n[l\nm]: n\n\n[o]\n"
        "[p]: q 'r\n\n[ ]: s\n\n[t]: u\n===\n"
    ),
    "paragraphs": "a\n\n  b\n   c\n          d\n\n\n\ne  \nf\n",
    "quotes": "> # a\n> b\nc\n> d\n\n>e\n>\n> f\n>>> g\n> h\n> - i\nj\n>     k\n",
    "items": (
        "- a\n\n  b\n\n      c\n\n   d\n1.  e\n\n    f\n-\n  g\n-\n\n  h\n10) i\n- j\n"
        "1. k\n\n2. l\n1234567890. m\n-1\n\na\n14. b\n1. c\n*\n"
    ),
    "lists": (
        "- a\n- b\n+ c\n1. d\n2) e\n\n- f\n  - g\n"
        "    - h\n      i\n\n\n- j\n - k\n  - l\n"
    ),
    "lazy lines": "> a\nb\n\n> > c\n> d\ne\n\n- f\ng\n\n> - h\ni\n> - j\n> ***\n",
    "tables": (
        "|a|b|\n|-|:-:|\n|1|2|\n3\n\na|b\n-|-\n\n|a|\n|-|\n# c\n|d|\n|--|-|\n\n"
        "e\nf|g\n-|-\nh\\|i|`j\\|k`\n> l\n"
    ),
    "definitions in tables": (
        "|a|\n|-|\n[b]: c\n[d]: e\n- [f]: g\n\n> |a|\n> |-|\n"
        "> [b]: c\n>     d\n[e]: f\n"
    ),
    "tables in containers": (
        "> |a|\n> |-|\n> |b|\nc\n\n- |d|\n  |-|\n  |e|\n\n  f\n|g|\n"
    ),
    "carriage returns": "# a\r\rb\r\n- c\rd\r\n\r\n> e\r===\r\n",
    "one line each": "a\n# b\n> c\n- d\n1. e\n***\n```\nf\n```\n<div>\n",
    "nothing": "",
    "blank lines": "\n \n\t\n\n",
}
"""Examples of each section of CommonMark and GFM, of our own wording."""


class Example(NamedTuple):
    """An example of the specification."""

    number: int
    markdown: str


@cache
def specification() -> tuple[Example, ...]:
    """Return the examples of CommonMark; none where they are not at hand.

    The source distribution of ``markdown-it-py`` carries them. ``CHUNKWISE_SPEC`` names
    that file, or the folder that it is in.
    """
    place = Path(os.environ.get("CHUNKWISE_SPEC", "spec"))
    found = (
        [place] if place.is_file() else sorted(place.glob("markdown_it_py-*.tar.gz"))
    )
    if not found:
        return ()
    with tarfile.open(found[-1]) as archive:
        for member in archive.getmembers():
            if member.name.endswith("test_cmark_spec/commonmark.json"):
                data = archive.extractfile(member)
                assert data is not None
                examples = json.load(data)
                return tuple(Example(e["example"], e["markdown"]) for e in examples)
    return ()


def require_specification() -> tuple[Example, ...]:
    """Return the examples of CommonMark, or skip the test that asks."""
    examples = specification()
    if not examples:
        pytest.skip("no specification; CHUNKWISE_SPEC names its archive")
    return examples


_WORDS = st.sampled_from(
    [
        "a",
        "Word",
        "x. y",
        "One. Two.",
        "**b.** c",
        "`d. e`",
        "[f. g](h)",
        "3 * 4",
        "$5. $6",
    ]
)


def _lines(least: int, most: int) -> st.SearchStrategy[list[str]]:
    words = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join)
    return st.lists(words, min_size=least, max_size=most)


def _table(size: tuple[int, int]) -> list[str]:
    columns, rows = size
    row = "| a. b " * columns + "|"
    return [row, "|---" * columns + "|", *[row] * rows]


_CELLS = st.sampled_from(["a. b", "", "c\\|d", "`e`", "**f**", "-"])
_DELIMITERS = st.sampled_from(["-", "---", ":-", "-:", ":---:"])


@st.composite
def _tables(draw: st.DrawFn, *, has_pipes: bool = True) -> list[str]:
    """Tables with or without outer pipes, and rows of any length."""
    least = 1 if has_pipes else 2
    columns = draw(st.integers(least, 3))

    def row(cells: list[str]) -> str:
        inside = " | ".join(cells)
        return f"| {inside} |" if has_pipes else inside

    def rows(cell: st.SearchStrategy[str], fewest: int, most: int) -> list[str]:
        return draw(st.lists(cell, min_size=fewest, max_size=most))

    head = ["x", *rows(_CELLS, columns - 1, columns - 1)]
    lines = [row(head), row(rows(_DELIMITERS, columns, columns))]
    bodies = [rows(_CELLS, least - 1, 3) for _ in range(draw(st.integers(0, 3)))]
    return [*lines, *(row(["y", *cells]) for cells in bodies)]


@st.composite
def _fences(draw: st.DrawFn) -> list[str]:
    """Fenced code whose closing fence is longer than the opening one, or missing."""
    char = draw(st.sampled_from("`~"))
    size = draw(st.integers(3, 5))
    info = draw(st.sampled_from(["", "py", " py a=b"]))
    shorter = char * (size - 1)
    line = st.sampled_from(["", "x = 1", "# y. Z", "- z", "    w", shorter, "~~~a"])
    lines = draw(st.lists(line, max_size=3))
    closing = draw(st.sampled_from([[char * size], [char * (size + 1)], []]))
    return [char * size + info, *lines, *closing]


_HTML = (
    ["<script>", "a. b", "", "c</script>"],
    ["<!-- a. b", "", "-->"],
    ["<?php", "", "a ?>"],
    ["<!A", "b>"],
    ["<![CDATA[", "", "a]]>"],
    ["<div>", "*a. b*", "</div>"],
    ["", "<a href='b'>", "c. d"],
    ["", "</em >"],
)
"""A block of each kind, some with a blank line inside.

In front of a lone tag is one, as ``markdown-it-py`` takes it for a row of a table.
"""

_DEFINITIONS = (
    ["[a]: /b"],
    ['[a]: <b> "c d"'],
    ["[a]:", "/b", "'c. d'"],
    ["[a", "b]: c", "(d", "e)"],
    ["[a]: b", "'c"],
    ["[a]: b 'c' d"],
)
"""Link reference definitions, and what begins like one and is none."""

_OF_EXTENSIONS = (
    ["$$", "x. y", "$$"],
    ["$$ a. b $$"],
    ["\\[ a \\]"],
    ["\\[", "a. b", "\\]"],
    ["$$", "a"],
    ["[^1]: a. b", "    c"],
    ["[^a]: b", "", "    - c. d", "    e"],
    ["---", "a: b", "---"],
    ["---", "a: b", "", "c: d. e", "..."],
)
"""Formulas and footnotes; front matter, where it comes first."""


def _headings() -> st.SearchStrategy[list[str]]:
    level = st.integers(1, 6).map(lambda size: "#" * size + " ")
    blanks = st.sampled_from(["", "", " ", "   "])
    end = st.sampled_from(["", "", " #", " ###"])
    return st.tuples(blanks, level, _WORDS, end).map(lambda drawn: ["".join(drawn)])


def _leaves() -> st.SearchStrategy[list[str]]:
    underline = st.sampled_from(["===", "=", "---", "-- "])
    indented = st.sampled_from(["    a. b", "      c", ""])
    return st.one_of(
        _lines(1, 3),
        _headings(),
        st.tuples(_lines(1, 2), underline).map(lambda drawn: [*drawn[0], drawn[1]]),
        _fences(),
        st.lists(indented, max_size=3).map(lambda lines: ["    a", *lines, "    b"]),
        st.sampled_from(_HTML),
        _tables(),
        st.sampled_from([["***"], ["---"], [" _ _ _"], ["* * *"]]),
        st.sampled_from(_DEFINITIONS),
        st.sampled_from(_OF_EXTENSIONS),
    )


_MARKERS = ("> ", ">", "- ", "+ ", "*   ", "1. ", "10) ")


def _contained(blocks: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    inside = st.lists(blocks, min_size=1, max_size=3)
    return st.builds(
        _in_container,
        inside,
        st.sampled_from(_MARKERS),
        is_loose=st.booleans(),
        is_apart=st.sampled_from([False, False, True]),
        lazy=st.sampled_from([0, 0, 0, 1, 2, 3]),
    )


def _in_container(
    blocks: list[list[str]], marker: str, *, is_loose: bool, is_apart: bool, lazy: int
) -> list[str]:
    """Put blocks into a quote or an item.

    Args:
        blocks: The lines of each.
        marker: That of the container.
        is_loose: Whether there are blank lines between them.
        is_apart: Whether the marker has a line of its own.
        lazy: Each line of that number goes without what continues the container, as a
            line may that goes on with a paragraph. Not those of quotes and tables, and
            none beside a link reference definition: see the known differences in the
            documentation.
    """
    lines = [line for block in blocks for line in ([*block, ""] if is_loose else block)]
    if is_apart:
        lines = ["", *lines]
    is_quote = marker.startswith(">")
    further = marker if is_quote else " " * len(marker)
    if any("]:" in line for line in lines):
        lazy = 0
    found = [marker + lines[0]]
    for number, line in enumerate(lines[1:], 1):
        is_lazy = line and lazy and not number % lazy and not {">", "|"} & {*line}
        found.append(line if is_lazy or not (line or is_quote) else further + line)
    return found


def _lists(blocks: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    """Lists of several items, some of them empty, tight or loose."""
    item = st.one_of(blocks, blocks, st.just([""]))
    # Behind an empty item and two blank lines ``markdown-it-py`` begins a new list.
    numbers = ["1. ", "2. ", "3. "]
    markers = st.sampled_from([["- "] * 3, ["* "] * 3, ["+   "] * 3, numbers])

    def joined(drawn: tuple[tuple[list[str], ...], list[str], bool]) -> list[str]:
        items, marks, is_loose = drawn
        lines: list[str] = []
        for inside, mark in zip(items, marks[-len(items) :], strict=True):
            lines += _in_container(
                [inside], mark, is_loose=is_loose, is_apart=False, lazy=0
            )
        return lines

    inside = st.tuples(item, item, blocks) | st.tuples(item, blocks)
    return st.tuples(inside, markers, st.booleans()).map(joined)


def _nested(blocks: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    return st.one_of(_contained(blocks), _contained(blocks), _lists(blocks))


def markdown_texts() -> st.SearchStrategy[str]:
    """Texts of all kinds of blocks, nested into each other, with lazy lines."""
    blocks = st.recursive(_leaves(), _nested, max_leaves=6)
    # In an item ``markdown-it-py`` takes the marker for a part of the head.
    bare = _tables(has_pipes=False)
    quoted = bare.map(lambda lines: ["> " + line for line in lines])
    blocks = st.one_of(*[blocks] * 6, bare, quoted)
    line_end = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
    between = st.sampled_from([[], [""], ["", ""]])
    parts = st.lists(st.tuples(blocks, between), min_size=1, max_size=5)
    return st.tuples(parts, line_end).map(
        lambda drawn: drawn[1].join(
            line for block, blank in drawn[0] for line in [*block, *blank]
        )
    )


def tables_in_containers() -> st.SearchStrategy[str]:
    """Tables of several rows, below headings, in lists and quotes of any depth."""
    sizes = st.tuples(st.integers(1, 3), st.integers(1, 6))
    leaf = st.one_of(sizes.map(_table), _lines(1, 1))
    nested = st.recursive(leaf, _nested, max_leaves=4)
    head = st.sampled_from(["", "# a\n\n"])
    return st.tuples(head, st.lists(nested, min_size=1, max_size=3)).map(
        lambda drawn: (
            drawn[0] + "\n".join(line for lines in drawn[1] for line in [*lines, ""])
        )
    )


def top_level_blocks() -> st.SearchStrategy[str]:
    """Blocks at the top level, many of them headings; none ends with a line end."""
    heading = st.tuples(st.sampled_from(["# ", "## ", "### "]), _WORDS).map("".join)
    others = st.sampled_from(
        ["A. B", "a\n===", "```py\nc\n\nd\n```", "|a|\n|-|\n|b|", "> # q", "***"]
    )
    return st.one_of(heading, heading, others)
