"""What do many streams cost that run at the same time?"""

from __future__ import annotations

import gc
import math
import tracemalloc
from functools import partial
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwise import StreamChunkers

from ._peers import peers
from ._report import Section, Table, digits, said
from ._strategies import STRATEGIES
from ._texts import answer_text, deltas_of, repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    Turns: TypeAlias = "Sequence[tuple[int, str]]"

_TEXT = """
10,000 streams of plain sentences take turns on one core, with 4 code points a turn and
1,000 in all, each from a place of its own in the answer text. Deltas a second hold the
way from the key, an `int`, to its stream; above 1, the ratio says that chunkwise is
faster. "with limits" has `max_streams` and `idle`, of which none is reached: each delta
is noted as the last one. mellea's Chunkers are in a dictionary, which has no limits.
Memory is counted as for idle Chunkers: with 100 code points pending, and beyond these.
"""
_STREAMS = 10_000
_TURNS = 250
_BLOCK = 10
_REPEATS = 3
_SIZE = 100
_RATE = 500_000
_BYTES = 2_000


class _Set(NamedTuple):
    """A way to keep many streams.

    Attributes:
        start: Opens all of them.
        feed: Feeds them the deltas of their keys.
    """

    start: Callable[[], Any]
    feed: Callable[[Any, Turns], None]


def run() -> Section:
    """Measure our sets of streams, and a dictionary of the Chunkers of mellea."""
    sets = {
        "chunkwise": _Set(_ours, _feed_set),
        "chunkwise, with limits": _Set(
            partial(_ours, max_streams=_STREAMS, idle=3_600, on_evict=print), _feed_set
        ),
    }
    mellea = peers()[0]
    if "sentence" in mellea.starts:
        start = partial(_dictionary, mellea.starts["sentence"])
        sets["mellea"] = _Set(start, _feed_each)
    rates = _race(sets)
    head = ["streams", "deltas/s", "ratio", "bar", "met", "memory", "bar", "met"]
    rows = [_row(name, rates, _bytes_each(sets[name])) for name in sets]
    if "mellea" not in sets:
        rows.append(["mellea", mellea.absence("sentence"), *["-"] * 6])
    return Section("Many streams", _TEXT, [Table(head, rows)])


def _row(name: str, rates: Mapping[str, float], memory: float) -> list[str]:
    rate = rates[name]
    cells = [name, digits(rate)]
    if name == "mellea":
        return [*cells, "-", "-", said(None), f"{digits(memory)} B", "-", said(None)]
    if "mellea" in rates:
        ratio = rate / rates["mellea"]
        is_fast = rate >= _RATE and ratio >= 1
        cells += [digits(ratio), f"≥ {_RATE:,}, ratio ≥ 1", said(is_fast)]
    else:
        cells += ["-", f"≥ {_RATE:,}", said(rate >= _RATE)]
    return [*cells, f"{digits(memory)} B", f"< {_BYTES:,} B", said(memory < _BYTES)]


def _ours(**limits: Any) -> StreamChunkers[int]:
    streams = StreamChunkers[int](STRATEGIES["sentence"], **limits)
    for key in range(_STREAMS):
        streams.feed(key, "")
    return streams


def _feed_set(streams: StreamChunkers[int], turns: Turns) -> None:
    feed = streams.feed
    for key, delta in turns:
        feed(key, delta)


def _dictionary(start: Callable[[], Any]) -> dict[int, Any]:
    return {key: start() for key in range(_STREAMS)}


def _feed_each(streams: Mapping[int, Any], turns: Turns) -> None:
    for key, delta in turns:
        streams[key].feed(delta)


def _race(sets: Mapping[str, _Set]) -> dict[str, float]:
    """Return how many deltas each of *sets* takes in a second of CPU time.

    They run block by block in one process, as in ``race``: of each block counts the
    best of its repeats.
    """
    deltas = deltas_of(answer_text().text, 4)
    # Far from each other, and in no step with what the text is made of.
    places = [key * 7_919 for key in range(_STREAMS)]
    best = {name: [math.inf] * (_TURNS // _BLOCK) for name in sets}
    names = list(sets)
    for repeat in range(_REPEATS):
        streams = {name: of.start() for name, of in sets.items()}
        for block in range(_TURNS // _BLOCK):
            turns = [
                (key, deltas[(place + turn) % len(deltas)])
                for turn in range(block * _BLOCK, (block + 1) * _BLOCK)
                for key, place in enumerate(places)
            ]
            for name in names if (repeat + block) % 2 else reversed(names):
                gc.collect()
                began = process_time()
                sets[name].feed(streams[name], turns)
                seconds = process_time() - began
                best[name][block] = min(seconds, best[name][block])
    return {name: _STREAMS * _TURNS / sum(blocks) for name, blocks in best.items()}


def _bytes_each(of: _Set) -> float:
    texts = [(key, repeated(f"{key:04} ", _SIZE)) for key in range(_STREAMS)]
    gc.collect()
    tracemalloc.start()
    try:
        streams = of.start()
        for at in range(0, _SIZE, 4):
            of.feed(streams, [(key, text[at : at + 4]) for key, text in texts])
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return held / _STREAMS - _SIZE
