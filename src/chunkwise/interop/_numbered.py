"""One stream whose deltas come as numbered rows: in any order, twice, or never."""

from __future__ import annotations

import json
import zlib
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from .._chunker import Chunker
from .._quote import shown
from .._state import ChunkerState
from ..errors import StreamStateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from typing_extensions import Self

    from .._chunk import Chunk
    from .._strategy import ChunkingStrategy

_REMEMBERED = 64
"""Numbers behind the last one that was read whose deltas are told from others.

Each costs about 11 bytes of state. What sends again does so soon as a rule.
"""

_FORMAT = 1
"""Version of the form in which the order is stored."""


class Found(NamedTuple):
    """What came of the rows: a chunk, or a report of what could not be put right.

    Attributes:
        chunk: The chunk, if it is one.
        error: What could not be put right.
        number: The number of the row that the report is about, if it has a proper one;
            of the first one, if it is about several.
        left_out: Text that is in no chunk because of it.
    """

    chunk: Chunk | None = None
    error: str | None = None
    number: int | None = None
    left_out: str | None = None


class Stored(NamedTuple):
    """A stream between two calls, as text.

    Attributes:
        chunker: The JSON form of its ``ChunkerState``; ``None`` behind its end.
        order: Which number is next, and what waits for it, as JSON.
    """

    chunker: str | None
    order: str


class _Row(NamedTuple):
    number: int
    delta: str
    is_end: bool


class NumberedStream:
    """Puts the rows of one stream in order, and turns them into chunks.

    Numbers count from 0, without a gap. A row whose turn has not come waits. One that
    comes again is dropped if it says the same. Everything else that does not fit is
    reported, with its text: nothing gets lost without a word.

    Args:
        strategy: The strategy of its chunks.
        max_waiting: How many rows may wait when `limit` was called.
    """

    # Plan. A row is put among those that wait, and then all are read whose turn it is;
    # so a row costs the same whether it waited or not. What was read is forgotten but
    # for the checksums of the last few rows. Once the stream is over, it has no Chunker
    # any more, and says of each row why it is left out.
    __slots__ = (
        "_chunker",
        "_max_waiting",
        "_next",
        "_over",
        "_recent",
        "_waiting",
    )

    def __init__(self, strategy: ChunkingStrategy[Any], *, max_waiting: int) -> None:
        self._max_waiting = max_waiting
        self._chunker: Chunker | None = Chunker(strategy)
        self._next = 0
        self._waiting: dict[int, _Row] = {}
        self._recent = deque[int | None](maxlen=_REMEMBERED)
        self._over = ""

    @classmethod
    def restored(
        cls, strategy: ChunkingStrategy[Any], stored: Stored, *, max_waiting: int
    ) -> Self:
        """Return the stream that `stored` was taken of.

        Raises:
            StreamStateError: It belongs to another strategy, or has a newer format.
        """
        stream = cls(strategy, max_waiting=max_waiting)
        form = json.loads(stored.order)
        if form["format"] > _FORMAT:
            msg = (
                f"the order of a stream has format {form['format']}, expected at most "
                f"{_FORMAT}; it was written by a newer chunkwise"
            )
            raise StreamStateError(msg)
        stream._chunker = None
        if stored.chunker is not None:
            state = ChunkerState.from_json(stored.chunker)
            stream._chunker = Chunker.resume(strategy, state)
        stream._next = form["next"]
        rows = (_Row(*row) for row in form["waiting"])
        stream._waiting = {row.number: row for row in rows}
        stream._recent.extend(form["recent"])
        stream._over = form["over"]
        return stream

    @property
    def stored(self) -> Stored:
        """The stream as it is now, to go on with in any process."""
        order = {
            "format": _FORMAT,
            "next": self._next,
            "waiting": list(self._waiting.values()),
            "recent": list(self._recent),
            "over": self._over,
        }
        return Stored(
            None if self._chunker is None else self._chunker.state.to_json(),
            json.dumps(order, separators=(",", ":")),
        )

    @property
    def is_over(self) -> bool:
        """Whether no more text is taken: it ended, failed, or was given up."""
        return self._chunker is None

    def take(self, rows: Iterable[tuple[object, object, object]]) -> list[Found]:
        """Take rows in the order in which they came.

        Args:
            rows: For each its number, its delta, and whether the stream ends behind
                it. A delta that is null is empty, and a flag that is null is false.

        Returns:
            The chunks in the order of the stream, and reports.

        Raises:
            TypeError: A delta is something else than text.
        """
        found: list[Found] = []
        for number, value, flag in rows:
            delta = _text(value)
            if not _is_number(number):
                what = "null" if _is_null(number) else shown(number)
                said = f"number is {what}, expected a whole one of at least 0"
                found.append(Found(error=said, left_out=delta))
                continue
            is_end = not _is_null(flag) and bool(flag)
            found += self._sort_in(_Row(int(number), delta, is_end))
            found += self._read_on()
        return found

    def limit(self) -> list[Found]:
        """Give up what is missing where too many rows wait for it.

        To be called when all is taken that came together: what is missing in its first
        half may be in the second one.
        """
        found: list[Found] = []
        while len(self._waiting) > self._max_waiting:
            found += self._skip()
        return found

    def give_up(self) -> list[Found]:
        """End a stream for which nothing comes any more, without its end.

        What waits is read without what is missing, and the last chunk is not complete,
        unless the end was among what waited.
        """
        found: list[Found] = []
        while self._waiting:
            found += self._skip()
        if self._chunker is not None:
            act = partial(self._chunker.flush, truncated=True)
            found += self._call(act, self._next)
        if not self.is_over:
            said = f"no end came in time, expected number {self._next}"
            found.append(Found(error=said, number=self._next))
            found += self._stop(f"was given up before number {self._next}")
        return found

    def _sort_in(self, row: _Row) -> list[Found]:
        """Put a row among those that wait, or drop it, or report it."""
        number = row.number
        if number >= self._next:
            if self._over:
                return [self._late(row)]
            same = self._waiting.setdefault(number, row) == row
        else:
            ago = self._next - number
            if ago > len(self._recent):
                said = f"number {number} came again, too late to be compared"
                return [Found(None, said, number, row.delta)]
            known = self._recent[-ago]
            if known is None:
                said = f"number {number} came too late: it was given up as missing"
                return [Found(None, said, number, row.delta)]
            same = known == _checksum(row)
        if same:
            return []
        said = f"number {number} came again and says something else"
        return [Found(None, said, number, row.delta)]

    def _read_on(self) -> Iterator[Found]:
        """Read the rows whose turn it is."""
        while self._chunker is not None and self._next in self._waiting:
            row = self._waiting.pop(self._next)
            self._next += 1
            self._recent.append(_checksum(row))
            chunker = self._chunker
            act = partial(chunker.feed, row.delta)
            yield from self._call(act, row.number, row.delta)
            if row.is_end and not self.is_over:
                yield from self._call(chunker.flush, row.number)
                if not self.is_over:
                    yield from self._stop(f"ended with number {row.number}")

    def _skip(self) -> list[Found]:
        """Go on behind what is missing; what stands before it is cut off there."""
        assert self._chunker is not None  # noqa: S101 - rows wait for a Chunker only
        first, until = self._next, min(self._waiting)
        found = self._call(partial(self._chunker.cut, truncated=True), first)
        if not self.is_over:
            several = f"numbers {first} to {until - 1} are missing"
            said = f"number {first} is missing" if first == until - 1 else several
            found.append(Found(error=said, number=first))
            self._recent.extend([None] * min(until - first, _REMEMBERED))
            self._next = until
            found += self._read_on()
        return found

    def _call(
        self, act: Callable[[], list[Chunk]], number: int, delta: str = ""
    ) -> list[Found]:
        """Return what the Chunker gives; where it fails, the stream is over."""
        assert self._chunker is not None  # noqa: S101 - whoever calls has looked
        try:
            return [Found(chunk) for chunk in act()]
        except Exception as error:  # noqa: BLE001 - whatever a strategy raises
            # An error leaves the Chunker as it was: it holds all but this delta. A
            # message may quote text that UTF-8 cannot express.
            said = f"{type(error).__name__}: {error}"
            said = said.encode(errors="backslashreplace").decode()
            left_out = self._chunker.pending + delta
            failed = Found(None, said, number, left_out)
            return [failed, *self._stop(f"failed at number {number}")]

    def _stop(self, how: str) -> list[Found]:
        """End the stream; what still waits is behind its end."""
        self._chunker = None
        self._over = how
        late = [self._late(self._waiting[number]) for number in sorted(self._waiting)]
        self._waiting.clear()
        return late

    def _late(self, row: _Row) -> Found:
        said = f"number {row.number} came too late: the stream {self._over}"
        return Found(None, said, row.number, row.delta)


def _is_null(value: object) -> bool:
    """Return whether a value stands for nothing: ``None``, or not a number."""
    return value is None or value != value  # noqa: PLR0124 - NaN is not itself


def _is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value is a number of a row.

    A column of numbers with a null among them comes as floats.
    """
    if isinstance(value, float):
        return value.is_integer() and value >= 0
    return isinstance(value, int) and value >= 0


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if not _is_null(value):
        msg = f"column 'delta' holds {shown(value)}, expected text"
        raise TypeError(msg)
    return ""


def _checksum(row: _Row) -> int:
    """Return what tells a row from another one that has its number."""
    said = f"{row.is_end:d}{row.delta}"
    return zlib.crc32(said.encode("utf-8", "surrogatepass"))
