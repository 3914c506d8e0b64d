"""Does Markdown or JSON that is hard to read take time in proportion to its length?"""

from __future__ import annotations

import gc
import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwise import (
    Chunker,
    JSONChunking,
    MarkdownChunking,
    MarkdownTableChunking,
)

from ._report import Section, Table, digits, said
from ._texts import blocks_of, deltas_of, repeated
from ._timing import race

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise import ChunkingStrategy

    from ._timing import Starts

_TEXT = """
Each text at a quarter of its size and in full, in deltas of 4 code points and as one
feed, with `flush`. The exponent is 1 where the time grows as the length does, and 2
where it grows with its square. What is nested is nested four times as deep in full, and
its length counts as that of all others does. One feed returns all chunks in one list:
with tens of thousands of short ones, what grows is the time of Python's garbage
collector, which goes over them, and of memory that no cache holds. So it is with words
as well; "without collector" leaves out the former.
"""
_FULL = 1_000_000
_ITEMS = 50_000
_DEPTH = 1_000
_PART = 4
_DELTA = 4
_EXPONENT = 1.15


class _Case(NamedTuple):
    """A text that can be made at a share of its size.

    Attributes:
        name: What it is.
        strategy: What cuts it.
        text: Returns the text, divided by a number.
    """

    name: str
    strategy: ChunkingStrategy[Any]
    text: Callable[[int], str]


def _long(unit: str, before: str = "") -> Callable[[int], str]:
    return lambda part: before + repeated(unit, _FULL // part)


def _many(unit: str, before: str = "") -> Callable[[int], str]:
    return lambda part: before + unit * (_ITEMS // part)


def _wide_row(part: int) -> str:
    return "".join("|" + cell * (_ITEMS // part) + "\n" for cell in ("a|", "-|", "b |"))


def _nested_list(part: int) -> str:
    return "".join(f"{'  ' * depth}- a\n" for depth in range(_DEPTH // part))


def _nested_quotes(part: int) -> str:
    return "".join(f"{'>' * depth} a\n" for depth in range(1, _DEPTH // part))


def _nested_values(part: int) -> str:
    depth = _DEPTH // part
    return "[" + ('{"a": [' * depth + "]}" * depth + ", ") * (_ITEMS // _DEPTH)


_MARKDOWN = MarkdownChunking()
_TABLE = MarkdownTableChunking(40)
_JSON = JSONChunking()
_CASES = [
    _Case("one line", _MARKDOWN, _long("abcd ")),
    _Case("sentences on one line", _MARKDOWN, _long("One of many. ")),
    _Case("one paragraph", _MARKDOWN, _long("one line, and so on\n")),
    _Case("one fence", _MARKDOWN, _long("one line of code\n", "```\n")),
    _Case("indented code", _MARKDOWN, _long("    one line\n")),
    _Case("50,000 items", _MARKDOWN, _many("- an item\n")),
    _Case("50,000 rows", _MARKDOWN, _many("| a row |\n", "| a |\n| - |\n")),
    _Case("lists 1,000 deep", _MARKDOWN, _nested_list),
    _Case("quotes 1,000 deep", _MARKDOWN, _nested_quotes),
    *(_Case(f"`{char}` only", _MARKDOWN, _long(char)) for char in "[*#>-_$<"),
    _Case("pipes only", _MARKDOWN, _long("|")),
    _Case("backticks only", _MARKDOWN, _long("`")),
    _Case("one cell, words", _TABLE, _long("abcd ", "| a |\n| - |\n| ")),
    _Case("one cell, one word", _TABLE, _long("abcd", "| a |\n| - |\n| ")),
    _Case("50,000 columns", _TABLE, _wide_row),
    _Case("JSON, one string", _JSON, _long("abcd ", '["')),
    _Case("JSON, escapes", _JSON, _long("\\n", '["')),
    _Case("JSON, 50,000 objects", _JSON, _many('{"id": 1, "text": "a"},', "[")),
    _Case("JSON, 50,000 numbers", _JSON, _many("12345,", "[")),
    _Case("JSON, 50,000 members", JSONChunking(at="$.b"), _many('"a": 1,', "{")),
    _Case("JSON, 50,000 lines", JSONChunking(at="lines"), _many('{"id": 1}\n')),
    _Case("JSON, 1,000 deep", _JSON, _nested_values),
    *(_Case(f"JSON, `{char}` only", _JSON, _long(char, "[")) for char in '[{"1'),
]


def run() -> Section:
    """Time each text at both sizes."""
    head = ["text", "length", "deltas", "exponent", "one feed", "exponent", "met"]
    head += ["without collector"]
    return Section(
        "Hard Markdown and JSON", _TEXT, [Table(head, [_row(case) for case in _CASES])]
    )


def _row(case: _Case) -> list[str]:
    texts = {name: case.text(part) for name, part in (("part", _PART), ("full", 1))}
    ratio = len(texts["full"]) / len(texts["part"])
    row = [case.name, f"{len(texts['full']):,}"]
    exponents: list[float] = []
    for size in (_DELTA, len(texts["full"])):
        seconds = {
            name: _seconds(case.strategy, text, size) for name, text in texts.items()
        }
        exponents.append(math.log(seconds["full"] / seconds["part"], ratio))
        row += [f"{digits(seconds['full'] * 1e3)} ms", digits(exponents[-1])]
    gc.disable()
    try:
        part, full = (
            _seconds(case.strategy, text, len(text)) for text in texts.values()
        )
    finally:
        gc.enable()
    alone = math.log(full / part, ratio)
    return [*row, said(max(exponents) <= _EXPONENT), digits(alone)]


def _seconds(strategy: ChunkingStrategy[Any], text: str, size: int) -> float:
    starts: Starts = {"chunkwise": partial(Chunker, strategy)}
    blocks = blocks_of(deltas_of(text, size), 10_000)
    return race(starts, blocks, repeats=2)["chunkwise"]
