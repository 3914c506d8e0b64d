"""Does a delta cost more, the more text is pending?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    LineChunking,
    ParagraphChunking,
    SentenceChunking,
    WordChunking,
)

from ._peers import peers
from ._report import Section, Table, digits, said
from ._texts import blocks_of, deltas_of, repeated
from ._timing import race

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._timing import Starts, Stream

    Filling = Literal["deltas", "one feed"]

_TEXT = """
Text without a boundary, until 10 KB and until 1 MB of it are pending; then the cost of
each of the next 2,000 deltas of 4 code points. The text came either in such deltas too,
which is the real case, or as one feed. Besides plain text there is text full of what
could end a chunk and never does. Growth is the cost at 1 MB as a multiple of that at
10 KB. Peers get the same text, but 10 deltas only.
"""
_LEVELS = {"10 KB": 10_000, "1 MB": 1_000_000}
_SIZE = 4
_DELTAS = 2_000
_PEER_DELTAS = 10
_BAR = 1.5


class _Case(NamedTuple):
    name: str
    strategy: ChunkingStrategy[Any]
    unit: str


_SENTENCE = SentenceChunking(rules="plain")
_CASES = [
    _Case("sentence", _SENTENCE, "abcd "),
    _Case("sentence", _SENTENCE, "a.b"),
    _Case("sentence", _SENTENCE, '."'),
    _Case("sentence", _SENTENCE, " "),
    _Case("word", WordChunking(), "abcd"),
    _Case("word", WordChunking(), " "),
    _Case("paragraph", ParagraphChunking(), "abcd "),
    _Case("paragraph", ParagraphChunking(), "a \n b"),
    _Case("paragraph", ParagraphChunking(), "a\r"),
    _Case("paragraph", ParagraphChunking(), " \n"),
    _Case("paragraph, strict", ParagraphChunking(strict=True), "a \n \n"),
    _Case("line", LineChunking(), "abcd "),
    _Case("line, bare", LineChunking(keep_ends=False), "\n"),
]


def run() -> Section:
    """Time the same deltas at both levels, for each text and way to get there."""
    head = ["strategy", "text", "filled by", *_LEVELS, "growth", "bar", "met"]
    head += [peer.name for peer in peers()]
    fillings: list[Filling] = ["deltas", "one feed"]
    rows = [_row(case, filling) for case in _CASES for filling in fillings]
    return Section("Growth with the pending text", _TEXT, [Table(head, rows)])


def _row(case: _Case, filling: Filling) -> list[str]:
    starts: Starts = {
        name: partial(_filled, case, size, filling) for name, size in _LEVELS.items()
    }
    deltas = _next_deltas(case.unit, _DELTAS)
    seconds = race(starts, blocks_of(deltas, 500), repeats=3, flush=False)
    growth = seconds["1 MB"] / seconds["10 KB"]
    return [
        case.name,
        f"`{case.unit!r}`",
        filling,
        *(f"{digits(seconds[name] / _DELTAS * 1e6)} µs" for name in _LEVELS),
        digits(growth),
        f"≤ {_BAR}",
        said(growth <= _BAR),
        *_peer_cells(case, filling),
    ]


def _filled(case: _Case, size: int, filling: Filling) -> Chunker:
    """Return a Chunker that has *size* code points pending."""
    text = repeated(case.unit, size)
    chunker = Chunker(case.strategy)
    for delta in deltas_of(text, _SIZE if filling == "deltas" else size):
        chunker.feed(delta)
    if chunker.pending != text:
        msg = f"{case.unit!r} repeated holds a boundary for {case.strategy!r}"
        raise AssertionError(msg)
    return chunker


def _next_deltas(unit: str, count: int) -> list[str]:
    """Return the deltas that follow, at either level.

    Both are multiples of the length of each unit, or leave the same rest.
    """
    start = _LEVELS["10 KB"]
    return deltas_of(repeated(unit, start + count * _SIZE)[start:], _SIZE)


def _peer_cells(case: _Case, filling: Filling) -> list[str]:
    if filling == "one feed":
        # What a peer has pending is one string, however it came.
        return ["-"] * len(peers())
    cells: list[str] = []
    for peer in peers():
        if case.name in peer.starts:
            starts: Starts = {
                name: partial(_filled_peer, peer.starts[case.name], case.unit, size)
                for name, size in _LEVELS.items()
            }
            deltas = _next_deltas(case.unit, _PEER_DELTAS)
            seconds = race(starts, [deltas], repeats=2, flush=False)
            cells.append(digits(seconds["1 MB"] / seconds["10 KB"]))
        else:
            cells.append(peer.absence(case.name))
    return cells


def _filled_peer(start: Callable[[], Stream], unit: str, size: int) -> Stream:
    stream = start()
    stream.feed(repeated(unit, size))
    return stream
