"""Chunks of many live streams on Spark, which keeps their states and restarts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._numbers import check_count, check_seconds
from .._registry import resolve_strategy
from ._needs import needs
from ._numbered import NumberedStream, Stored

with needs("spark"):
    import pandas as pd
    from pyspark.sql.streaming.stateful_processor import StatefulProcessor

    from ._rows import chunk_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql.streaming.stateful_processor import (
        ExpiredTimerInfo,
        StatefulProcessorHandle,
        TimerValues,
    )

    from .._registry import StrategyLike
    from ._numbered import Found

__all__ = ["CHUNK_COLUMNS", "ChunkProcessor"]

CHUNK_COLUMNS = (
    "text string, start bigint, `end` bigint, index bigint, kind string, "
    "context array<struct<text: string, start: bigint, kind: string>>, "
    "complete boolean, error string, number bigint, left_out string"
)
"""The columns that `ChunkProcessor` fills, in Spark's words; those of the key go first.
"""

_STATE = "chunker string, order string, touched bigint"


class ChunkProcessor(StatefulProcessor):
    """Turns rows of many streams into rows of their chunks, while they are written.

    For ``transformWithStateInPandas`` of rows that are grouped by the key of their
    stream, in the time mode ``"ProcessingTime"``. A row that comes in has the columns

    * ``number``: which delta of its stream it is; 0 for the first one, without a gap;
    * ``delta``: its text, which may be empty;
    * ``end``: whether the stream ends behind it.

    Rows may come in any order, and again. One that comes again is dropped, and one that
    comes early waits; up to *max_waiting* of them wait for what is missing, and then
    the stream goes on without it. Spark keeps what the next row depends on: the
    ``ChunkerState`` of the stream, what waits, and checksums of the last 64 rows.

    A row that comes out has the columns of the key and `CHUNK_COLUMNS`. It is a chunk,
    with the columns that it has in an Arrow table; the last three are null. Or it is a
    report of what could not be put right, and else has nulls: ``error`` says what,
    ``number`` which row it is about, and ``left_out`` which text is in no chunk because
    of it. Reported are

    * a row whose number is none, or was given to another delta, or is from too long ago
      to tell;
    * numbers that are missing: what stands before them is released, and not
      ``complete``;
    * a row that comes when its number was given up, or its stream is over;
    * a stream that gets no row for *timeout* seconds and has not ended: what waits is
      read, and what is pending released, not ``complete``;
    * a stream that its strategy does not take any further.

    A key is free again *timeout* seconds after the last row of its stream, or the end
    that this has set.

    Args:
        strategy: A strategy, its registered name, or its dictionary form.
        timeout: Seconds, of Spark's processing time.
        max_waiting: How many rows of one stream may wait for a missing one from one
            batch to the next.

    Raises:
        UnknownStrategyError: No strategy has the given name.
        TypeError: *strategy* is none, or another argument has the wrong type.
        ValueError: *timeout* or *max_waiting* is too small.
    """

    # Plan. A stream has a state as long as it has one timer. A row leaves the timer
    # alone and notes the time; a timer that goes off too early for that is set anew. So
    # a row costs no call about timers.

    def __init__(
        self,
        strategy: StrategyLike,
        *,
        timeout: float = 600.0,
        max_waiting: int = 1_000,
    ) -> None:
        check_seconds("timeout", timeout)
        check_count("max_waiting", max_waiting, 0)
        self._strategy = resolve_strategy(strategy)
        self._timeout = int(timeout * 1_000)
        self._max_waiting = max_waiting

    @override
    def init(self, handle: StatefulProcessorHandle) -> None:
        """Take what Spark keeps states and timers with."""
        self._handle = handle
        self._state = handle.getValueState("stream", _STATE)

    @override
    def handleInputRows(
        self, key: Any, rows: Iterator[Any], timerValues: TimerValues
    ) -> Iterator[pd.DataFrame]:
        """Yield the chunks that new rows of a stream complete, and reports.

        Raises:
            KeyError: A column is missing.
            TypeError: A delta is no text.
            StreamStateError: The query was restarted with another strategy, or an older
                chunkwise. Nothing was changed.
        """
        now = timerValues.getCurrentProcessingTimeInMs()
        stored = self._state.get()
        if stored is None:
            stream = NumberedStream(self._strategy, max_waiting=self._max_waiting)
            self._handle.registerTimer(now + self._timeout)
        else:
            stream = self._restored(stored)
        for frame in rows:
            columns = [frame[name].tolist() for name in ("number", "delta", "end")]
            yield from _frames(key, stream.take(zip(*columns, strict=True)))
        yield from _frames(key, stream.limit())
        self._state.update((*stream.stored, now))

    @override
    def handleExpiredTimer(
        self, key: Any, timerValues: TimerValues, expiredTimerInfo: ExpiredTimerInfo
    ) -> Iterator[pd.DataFrame]:
        """Yield what is left of a stream that gets no rows, or forget one that is over.

        Raises:
            StreamStateError: As `handleInputRows` says.
        """
        now = timerValues.getCurrentProcessingTimeInMs()
        stored = self._state.get()
        assert stored is not None  # noqa: S101 - a timer has a state
        due = stored[2] + self._timeout
        if now < due:
            self._handle.registerTimer(due)
            return
        stream = self._restored(stored)
        if stream.is_over:
            self._state.clear()
            return
        yield from _frames(key, stream.give_up())
        self._state.update((*stream.stored, now))
        self._handle.registerTimer(now + self._timeout)

    @override
    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _restored(self, stored: Any) -> NumberedStream:
        chunker, order, _ = stored
        return NumberedStream.restored(
            self._strategy, Stored(chunker, order), max_waiting=self._max_waiting
        )


def _frames(key: tuple[Any, ...], found: Iterable[Found]) -> Iterator[pd.DataFrame]:
    """Yield a frame of rows, if there are any."""
    rows = [
        (*key, *chunk_row(each.chunk), each.error, each.number, each.left_out)
        for each in found
    ]
    if rows:
        # As objects: numbers beside nulls would become floats.
        yield pd.DataFrame(rows, dtype=object)
