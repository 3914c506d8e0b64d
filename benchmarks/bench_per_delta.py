"""What does one delta cost, compared with the peers?"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chunkwise import Chunker

from ._peers import peer_cells, peer_head, peer_starts
from ._report import Section, Table, digits, said
from ._strategies import STRATEGIES
from ._texts import answer_text, blocks_of, deltas_of
from ._timing import race

if TYPE_CHECKING:
    from ._timing import Starts

_TEXT = """
Microseconds for one `feed`, over the whole answer text as one stream, and their ratio
to those of each peer: below 1, chunkwise is faster. An open paragraph of this text can
have thousands of code points, so costs that grow with it show. The bars are ratios to
mellea at 4 code points a delta.
"""
_BARS = {"sentence": 0.75, "word": 1.1, "paragraph": 0.1}


def run() -> Section:
    """Time each strategy at 4 and at 16 code points a delta."""
    head = ["strategy", "code points", "chunkwise", *peer_head(), "bar", "met"]
    rows = [_row(name, size) for size in (4, 16) for name in STRATEGIES]
    return Section("Time per delta", _TEXT, [Table(head, rows)])


def _row(name: str, size: int) -> list[str]:
    deltas = deltas_of(answer_text().text, size)
    starts: Starts = {
        "chunkwise": partial(Chunker, STRATEGIES[name]),
        **peer_starts(name),
    }
    has_bar = size == 4 and name in _BARS
    repeats = 15 if has_bar else 5
    seconds = race(starts, blocks_of(deltas, 40_000 // size), repeats=repeats)
    each = {of: total / len(deltas) * 1e6 for of, total in seconds.items()}
    ours = each.pop("chunkwise")
    row = [name, str(size), f"{digits(ours)} µs"]
    row += peer_cells(name, ours, each, "µs")
    if not has_bar or "mellea" not in each:
        return [*row, "-", said(None)]
    bar = _BARS[name]
    return [*row, f"≤ {bar}", said(ours / each["mellea"] <= bar)]
