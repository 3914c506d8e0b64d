"""Times several streams against each other, so that noise hits all of them alike."""

from __future__ import annotations

import gc
import math
from time import process_time
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    Starts: TypeAlias = "Mapping[str, Callable[[], Stream]]"


class Stream(Protocol):
    """What takes the deltas of one stream; ``Chunker`` is one."""

    def feed(self, delta: str, /) -> object:
        """Take the next delta."""

    def flush(self) -> object:
        """End the stream."""


def race(
    starts: Starts,
    blocks: Sequence[Sequence[str]],
    *,
    repeats: int,
    flush: bool = True,
) -> dict[str, float]:
    """Feed the same deltas to all contestants and return the time that each took.

    All contestants run in this process and at the same time: each has one stream open,
    and they take turns block by block, in an order that alternates. The whole race is
    repeated with new streams. What counts for a block is the best of its repeats, so a
    disturbance has to hit the same block every time to show; the result is the sum over
    the blocks. Time is CPU time of this process, because on a busy machine the clock on
    the wall counts what other processes take, and counts it most against whoever needs
    the longest blocks. It is taken around the loop over a block, so it holds the calls,
    the loop itself, and letting go of each result when the next one comes. The garbage
    collector stays on, as users have it, and runs once before each block.

    Args:
        starts: For each contestant by name what opens a new stream; not timed.
        blocks: The deltas, in order.
        repeats: How often the race is run.
        flush: Whether the stream is flushed, and timed, behind the last block.

    Returns:
        CPU seconds by contestant.
    """
    best = {name: [math.inf] * (len(blocks) + 1) for name in starts}
    names = list(starts)
    for repeat in range(repeats):
        streams = {name: start() for name, start in starts.items()}
        for number, block in enumerate(blocks):
            for name in names if (repeat + number) % 2 else reversed(names):
                seconds = _time_feeds(streams[name], block)
                best[name][number] = min(seconds, best[name][number])
        for name in names:
            seconds = _time_flush(streams[name]) if flush else 0.0
            best[name][-1] = min(seconds, best[name][-1])
    return {name: sum(seconds) for name, seconds in best.items()}


def _time_feeds(stream: Stream, deltas: Sequence[str]) -> float:
    feed = stream.feed
    result: object = None
    gc.collect()
    began = process_time()
    for delta in deltas:
        result = feed(delta)
    seconds = process_time() - began
    del result  # The caller's business; with one delta a block it is everything.
    return seconds


def _time_flush(stream: Stream) -> float:
    gc.collect()
    began = process_time()
    stream.flush()
    return process_time() - began
