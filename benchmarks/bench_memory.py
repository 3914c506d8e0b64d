"""How much memory does an idle Chunker hold beyond its text?"""

from __future__ import annotations

import gc
import tracemalloc
from functools import partial
from typing import TYPE_CHECKING

from chunkwise import Chunker

from ._peers import peer_cells, peer_head, peer_starts
from ._report import Section, Table, digits, said
from ._strategies import STRATEGIES
from ._texts import deltas_of, repeated

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._timing import Stream

_TEXT = """
10,000 Chunkers are alive at once, each with 100 code points of its own text pending
that were fed 4 at a time. Bytes for one of them beyond the 100 of its text, as
`tracemalloc` counts them, its place in the list of all included. A ratio below 1 says
that chunkwise is smaller.
"""
_COUNT = 10_000
_SIZE = 100
_BAR = 1_500


def run() -> Section:
    """Measure each strategy, and the peers that have it."""
    head = ["strategy", "chunkwise", *peer_head(), "bar", "met"]
    rows = [_row(name) for name in STRATEGIES]
    return Section("Memory of an idle Chunker", _TEXT, [Table(head, rows)])


def _row(name: str) -> list[str]:
    # White space ends a word and nothing else.
    between = "" if name == "word" else " "
    ours = _bytes_each(partial(Chunker, STRATEGIES[name]), between)
    theirs = {
        peer: _bytes_each(start, between) for peer, start in peer_starts(name).items()
    }
    row = [name, f"{digits(ours)} B", *peer_cells(name, ours, theirs, "B")]
    return [*row, f"< {_BAR:,} B", said(ours < _BAR)]


def _bytes_each(start: Callable[[], Stream], between: str) -> float:
    _idle(start, "warm")  # What the first one loads is not counted.
    gc.collect()
    tracemalloc.start()
    try:
        streams = [_idle(start, f"{number:04}{between}") for number in range(_COUNT)]
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return held / len(streams) - _SIZE


def _idle(start: Callable[[], Stream], unit: str) -> Stream:
    """Return a stream that has *unit* pending, repeated."""
    stream = start()
    for delta in deltas_of(repeated(unit, _SIZE), 4):
        stream.feed(delta)
    return stream
