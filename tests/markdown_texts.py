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


def _leaves() -> st.SearchStrategy[list[str]]:
    return st.one_of(
        _lines(1, 3),
        _lines(1, 1).map(lambda lines: ["## " + lines[0]]),
        _lines(1, 2).map(lambda lines: [*lines, "==="]),
        _lines(0, 3).map(lambda lines: ["```py", *lines, "```"]),
        _lines(1, 2).map(lambda lines: ["    " + line for line in lines]),
        _lines(1, 2).map(lambda lines: ["<div>", *lines, "</div>"]),
        st.tuples(st.integers(1, 3), st.integers(0, 3)).map(_table),
        st.sampled_from([["***"], ["[a]: /b", "'c'"], ["<!-- a", "", "-->"], ["~~~"]]),
        st.sampled_from([["$$", "x. y", "$$"], ["\\[ a \\]"], ["[^1]: a. b", "    c"]]),
    )


def _contained(blocks: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    inside = st.lists(blocks, min_size=1, max_size=3)
    markers = st.sampled_from(["> ", "- ", "1. ", "10) "])
    is_apart = st.sampled_from([False, False, True])
    return st.tuples(inside, markers, st.booleans(), is_apart).map(
        lambda drawn: _in_container(*drawn)
    )


def _in_container(
    blocks: list[list[str]],
    marker: str,
    is_loose: bool,  # noqa: FBT001 - drawn
    is_apart: bool,  # noqa: FBT001 - drawn
) -> list[str]:
    lines = [line for block in blocks for line in ([*block, ""] if is_loose else block)]
    if is_apart:
        # The marker has a line of its own.
        lines = ["", *lines]
    further = marker if marker == "> " else " " * len(marker)
    return [
        (marker if number == 0 else further if line or marker == "> " else "") + line
        for number, line in enumerate(lines)
    ]


def markdown_texts() -> st.SearchStrategy[str]:
    """Texts of all kinds of blocks, nested into each other."""
    blocks = st.recursive(_leaves(), _contained, max_leaves=6)
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
    nested = st.recursive(leaf, _contained, max_leaves=4)
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
