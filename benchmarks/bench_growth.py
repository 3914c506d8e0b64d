"""Does a delta cost more, the more text is pending?"""

from __future__ import annotations

import gc
import math
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    ClauseChunking,
    FixedSizeChunking,
    LineChunking,
    NestedChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    WordChunking,
)
from chunkwise.sizing import words

from ._peers import peers
from ._report import Section, Table, digits, said
from ._strategies import STRATEGIES
from ._texts import answer_text, blocks_of, deltas_of, repeated
from ._timing import race

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._timing import Starts, Stream

    Filling = Literal["deltas", "one feed"]

_TEXT = """
Text without a boundary, until 10 KB and until 1 MB of it are pending; then the cost of
each of the next 2,000 deltas of 4 code points. The text came either in such deltas too,
which is the real case, or as one feed. Besides plain text there is text full of what
could end a chunk and never does. Growth is the cost at 1 MB as a multiple of that at
10 KB. Peers get the same text, but 10 deltas only.

Then 1 MB and 16 MB of the answer text, and of each text that is hard for a strategy, in
deltas of 65,536 code points whose chunks are let go of, and one `flush`. The exponent
is 1 where 16 times the text takes 16 times as long, and 2 where the time grows with the
square of the length. "One feed" is the same for a whole text as one delta: there all
chunks are in one list, so the text does not stay in the processor's cache, and Python's
garbage collector, which goes over all living chunks a few times for a long list and
never for a short one, counts as well; "without collector" leaves that out.
"""
_LEVELS = {"10 KB": 10_000, "1 MB": 1_000_000}
_SIZE = 4
_DELTAS = 2_000
_PEER_DELTAS = 10
_BAR = 1.5
_WHOLE = {"1 MB": 1_000_000, "16 MB": 16_000_000}
_DELTA = 65_536
_EXPONENT = 1.1


class _Case(NamedTuple):
    name: str
    strategy: ChunkingStrategy[Any]
    unit: str


_SENTENCE = SentenceChunking(rules="plain")
_SMART = SentenceChunking()
_REGEX = RegexChunking(r"\n\n")
_WINDOW = WindowChunking(5, stride=3)
_NESTED = NestedChunking("paragraph", "sentence")
_SIZED = SizedChunking(1_000)
_SIZED_WORDS = SizedChunking(200, sizer=words)
_WAITING = [
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
    _Case("regex", _REGEX, "abcd "),
    _Case("regex", _REGEX, "a \n b"),
    _Case("window", _WINDOW, "abcd "),
    _Case("window", _WINDOW, '."'),
    _Case("nested", _NESTED, "abcd "),
    _Case("nested", _NESTED, '."'),
    _Case("nested", _NESTED, "a \n b"),
    _Case("nested", _NESTED, " \n"),
]
_NOT_WHOLE = {"sentence, smart", "clause"}
"""Measured on 100 KB and 400 KB by ``bench_sentences``, which is what time allows."""
_LARGE = 2_000_000
"""A size up to which everything is pending."""
_PENDING_CASES = [
    *_WAITING,
    _Case("sentence, smart", _SMART, "abcd "),
    _Case("sentence, smart", _SMART, "a.b"),
    _Case("sentence, smart", _SMART, " "),
    _Case("clause", ClauseChunking(), "a,b"),
    _Case("fixed size", FixedSizeChunking(_LARGE), "abcd "),
    _Case("fixed size", FixedSizeChunking(_LARGE), "\u0301"),
    _Case("sized", SizedChunking(_LARGE), "abcd "),
    _Case("sized", SizedChunking(_LARGE), "a \n b"),
    _Case("sized, words", SizedChunking(_LARGE, sizer=words), "abcd "),
]
_WHOLE_CASES = [
    *_WAITING,
    _Case("fixed size", FixedSizeChunking(1_000), "abcd "),
    _Case("fixed size", FixedSizeChunking(1_000), "\u0301"),
    _Case("fixed size", FixedSizeChunking(1_000), "\U0001f469\u200d"),
    _Case("fixed size", FixedSizeChunking(1_000), "\U0001f1e9"),
    _Case("fixed size, overlap", FixedSizeChunking(1_000, overlap=500), "\u0301"),
    _Case("sized", _SIZED, "abcd "),
    _Case("sized", _SIZED, "abcd"),
    _Case("sized", _SIZED, " "),
    _Case("sized", _SIZED, '."'),
    _Case("sized", _SIZED, "a \n b"),
    _Case("sized", _SIZED, "\u0301"),
    _Case("sized, words", _SIZED_WORDS, "abcd "),
    _Case("sized, words", _SIZED_WORDS, "abcd"),
    _Case("sized, words", _SIZED_WORDS, " "),
    _Case("sized, overlap", SizedChunking(1_000, overlap=200), "abcd "),
]


def run() -> Section:
    """Time the same deltas at both levels, and whole texts of both lengths."""
    head = ["strategy", "text", "filled by", *_LEVELS, "growth", "bar", "met"]
    head += [peer.name for peer in peers()]
    fillings: list[Filling] = ["deltas", "one feed"]
    rows = [_row(case, filling) for case in _PENDING_CASES for filling in fillings]
    answers = Table(
        [
            *("strategy", *_WHOLE, "exponent", "bar", "met"),
            *("one feed", "without collector"),
        ],
        [_answers_row(name) for name in STRATEGIES if name not in _NOT_WHOLE],
    )
    hard = Table(
        ["strategy", "text", *_WHOLE, "exponent", "bar", "met"],
        [_hard_row(case) for case in _WHOLE_CASES],
    )
    tables = [Table(head, rows), answers, hard]
    return Section("Growth with the text", _TEXT, tables)


def _answers_row(name: str) -> list[str]:
    strategy = STRATEGIES[name]
    text = answer_text().text
    cells, verdict = _whole_cells(_whole_seconds(strategy, text, _DELTA))
    alone = _exponent(_whole_seconds(strategy, text))
    gc.disable()
    try:
        uncollected = _exponent(_whole_seconds(strategy, text))
    finally:
        gc.enable()
    return [name, *cells, *verdict, digits(alone), digits(uncollected)]


def _hard_row(case: _Case) -> list[str]:
    seconds = _whole_seconds(case.strategy, case.unit, _DELTA)
    cells, verdict = _whole_cells(seconds)
    return [case.name, f"`{case.unit!a}`", *cells, *verdict]


def _whole_seconds(
    strategy: ChunkingStrategy[Any], unit: str, delta: int | None = None
) -> dict[str, float]:
    """Return the time of texts of *unit* repeated, by their length.

    Args:
        strategy: The strategy.
        unit: What the texts are made of.
        delta: Code points of a delta; the whole text if ``None``.
    """
    seconds: dict[str, float] = {}
    for size, length in _WHOLE.items():
        starts: Starts = {size: partial(Chunker, strategy)}
        text = repeated(unit, length)
        step = delta or len(text)
        deltas = [text[at : at + step] for at in range(0, len(text), step)]
        seconds |= race(starts, [deltas], repeats=3)
    return seconds


def _exponent(seconds: Mapping[str, float]) -> float:
    short, long = _WHOLE
    ratio = _WHOLE[long] / _WHOLE[short]
    return math.log(seconds[long] / seconds[short], ratio)


def _whole_cells(seconds: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """Return the cells of the times, and those of the exponent and its bar."""
    exponent = _exponent(seconds)
    times = [f"{digits(seconds[size] * 1e3)} ms" for size in _WHOLE]
    met = said(exponent <= _EXPONENT)
    return times, [digits(exponent), f"≤ {_EXPONENT}", met]


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
