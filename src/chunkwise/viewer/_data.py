"""What the page is about, as a value that JSON can hold."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from ..sizing import code_points

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from .._chunk import Chunk
    from ._recording import Recording
    from ._trace import Trace

Data = dict[str, Any]

_LONE = re.compile("[\ud800-\udfff]")


def page_data(
    recording: Recording, traces: Sequence[Trace], *, title: str, simulated: int
) -> Data:
    """Return all that the page shows.

    Args:
        recording: The stream.
        traces: What each strategy made of it.
        title: What the page is about.
        simulated: Code points of a delta, where a text was cut into deltas for the
            page; 0 for deltas that really came so.

    Returns:
        A dictionary of plain values. Offsets count code points, as everywhere. There
        can be a million deltas and nearly as many chunks, so what counts up is written
        as differences, which are short numbers, and what repeats as runs.
    """
    sizes = [len(delta) if isinstance(delta, str) else -1 for delta in recording.deltas]
    return {
        "title": _writable(title),
        "text": _writable(recording.text),
        "deltas": _runs(sizes),
        "times": _milliseconds(recording),
        "simulated": simulated,
        "traces": [_trace_data(trace) for trace in traces],
    }


def _writable(text: str) -> str:
    """Return *text* with U+FFFD in place of each lone surrogate.

    UTF-8 cannot express one; and two of them that happen to stand side by side would
    be one code point to the page, and all offsets behind them wrong.
    """
    return _LONE.sub("\ufffd", text)


def _trace_data(trace: Trace) -> Data:
    chunks = trace.chunks
    kinds = _table(chunk.kind for chunk in chunks)
    contexts = _table(tuple(map(_place, chunk.context)) for chunk in chunks)
    return {
        "label": trace.label,
        "limit": trace.limit,
        "unit": trace.unit,
        "starts": _differences([chunk.start for chunk in chunks]),
        "lengths": [len(chunk) for chunk in chunks],
        "released": _differences(trace.released),
        "sizes": None if trace.unit == code_points.__name__ else trace.sizes,
        "kinds": list(kinds),
        "kind": _runs([kinds[chunk.kind] for chunk in chunks]),
        "contexts": list(contexts),
        "context": _runs(
            [contexts[tuple(map(_place, chunk.context))] for chunk in chunks]
        ),
        "incomplete": [chunk.index for chunk in chunks if not chunk.complete],
        "oversize": [chunk.index for chunk in chunks if chunk.oversize],
        "paths": {
            str(chunk.index): chunk.path for chunk in chunks if chunk.path is not None
        },
    }


def _place(context: Chunk) -> tuple[int, int, str]:
    return (context.start, context.end, context.kind)


def _table(values: Iterable[Hashable]) -> dict[Any, int]:
    """Return each value once, with its number."""
    return {value: number for number, value in enumerate(dict.fromkeys(values))}


def _differences(numbers: Sequence[int]) -> list[int]:
    """Return how far each number is from the one before it; the first from 0."""
    return [after - before for before, after in pairwise((0, *numbers))]


def _runs(values: Sequence[int]) -> list[tuple[int, int]]:
    """Return each value with how often it comes in a row."""
    return [(value, len(list(run))) for value, run in groupby(values)]


def _milliseconds(recording: Recording) -> list[float] | None:
    """Return the time from each delta to the next, rounded to tenths; 0 for the first.

    The moments are rounded and not what lies between them, or the errors would add up.
    """
    if recording.times is None:
        return None
    tenths = [round((time - recording.times[0]) * 10_000) for time in recording.times]
    return [tenth / 10 for tenth in _differences(tenths)]
