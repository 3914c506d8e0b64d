"""The blocks of Markdown, as ``markdown-it-py`` and as our chunks show them."""

from __future__ import annotations

import bisect
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.running import Facts

KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "blockquote_open": "quote",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "hr": "rule",
    "html_block": "html",
    "table_open": "table",
}
CONTAINERS = {"quote", "list"}
_PROSE = {"list_item": "paragraph", "sentence": "paragraph"}
"""Kinds that a paragraph has, or what is left of it in front of a table."""

MARKERS = re.compile(r"[ \t]*(?:(?:>|[*+-](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))[ \t]*)*")
"""The markers of containers at the start of a line, with blanks."""


class Block(NamedTuple):
    """A block: what it is, its first line and its last one that is not blank."""

    kind: str
    first: int
    last: int


@cache
def parser() -> MarkdownIt:
    return MarkdownIt("commonmark").enable("table")


def lines_of(text: str) -> list[str]:
    return re.split("\r\n?|\n", text)


def top_blocks(text: str) -> list[Block]:
    """Return the blocks at the top level."""
    lines = lines_of(text)
    found: list[Block] = []
    for token in parser().parse(text):
        if token.level == 0 and token.map and token.type in KINDS:
            first, last = token.map
            found.append(_trimmed(KINDS[token.type], first, last - 1, lines))
    return found


def leaf_blocks(text: str) -> list[tuple[str, int]]:
    """Return kind and first line of every block that is no container."""
    found: list[tuple[str, int]] = []
    for token in parser().parse(text):
        kind = KINDS.get(token.type)
        if kind and kind not in CONTAINERS and token.map:
            found.append((kind, token.map[0]))
    return found


def rows_of_tables(text: str) -> dict[int, tuple[list[str], list[str]]]:
    """Return the cells of the head and of the row, for each line that is a row."""
    rows: dict[int, tuple[list[str], list[str]]] = {}
    head: list[str] = []
    cells: list[str] = []
    before = ""
    for token in parser().parse(text):
        if token.type == "thead_open":
            cells = head = []
        elif token.type == "tr_open" and token.map and before != "thead_open":
            cells = []
            rows[token.map[0]] = (head, cells)
        elif before in {"th_open", "td_open"}:
            cells.append(token.content)
        before = token.type
    return rows


def starts_of_lines(text: str) -> list[int]:
    """Return where each line begins."""
    return [0, *(match.end() for match in re.finditer("\r\n?|\n", text))]


def blocks_of_chunks(text: str, chunks: Iterable[Facts]) -> list[Block]:
    """Return what chunks say about blocks; link reference definitions are none."""
    starts = starts_of_lines(text)
    lines = lines_of(text)
    found: list[Block] = []
    for chunk in chunks:
        if chunk.kind != "definition":
            first = bisect.bisect_right(starts, chunk.start) - 1
            last = bisect.bisect_right(starts, chunk.end - 1) - 1
            found.append(_trimmed(chunk.kind, first, last, lines))
    return found


def leaves_of_chunks(text: str, chunks: Iterable[Facts]) -> list[tuple[str, int]]:
    """Return kind and first line of what chunks say about leaf blocks.

    A chunk begins with the markers of its containers, which may have a line of their
    own.
    """
    found: list[tuple[str, int]] = []
    lines = lines_of(text)
    chunks = [chunk for chunk in chunks if chunk.kind != "definition"]
    blocks = blocks_of_chunks(text, chunks)
    for (kind, first, last), chunk in zip(blocks, chunks, strict=True):
        at = first
        # Indented code without a marker before it may look like one.
        while chunk.text[0] not in " \t" and at < last and MARKERS.fullmatch(lines[at]):
            at += 1
        if kind == "list_item" and MARKERS.fullmatch(lines[at]):
            continue
        found.append((_PROSE.get(kind, kind), at))
    return found


def _trimmed(kind: str, first: int, last: int, lines: list[str]) -> Block:
    while last > first and not lines[last].strip(" \t>"):
        last -= 1
    return Block(kind, first, last)
