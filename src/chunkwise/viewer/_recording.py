"""Recording: the deltas of one stream, with the times at which they came."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._checks import plain_delta
from .._cut import CUT
from .._quote import shown
from .._reading import AsyncReading, Reading, SyncReading, checked_deltas

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

    from .._cut import Cut


@dataclass(frozen=True)
class Recording:
    r"""The deltas of one stream, as they arrived.

    Args:
        deltas: Text as it arrived, which may be empty, and ``CUT``.
        times: When each delta came, in seconds from any fixed moment: one time for
            each delta, never less than the time before. ``None`` where nobody measured.

    Raises:
        TypeError: A delta is neither a ``str`` nor ``CUT``, or a time is no number.
        ValueError: There are more or fewer times than deltas, or one goes back.

    Examples:
        >>> recording = Recording(["It is ", "on."], times=[0, 0.25])
        >>> recording.text
        'It is on.'
        >>> print(*recording.to_lines(), sep="\n")
        {"delta": "It is ", "time": 0}
        {"delta": "on.", "time": 0.25}
    """

    deltas: Sequence[str | Cut]
    times: Sequence[float] | None = None

    def __post_init__(self) -> None:
        """Check what was given, and keep it as tuples, which nothing changes."""
        deltas: Any = self.deltas
        if isinstance(deltas, str) or not isinstance(deltas, Sequence):
            msg = f"deltas must be a sequence of texts, got {shown(deltas)}"
            raise TypeError(msg)
        texts = tuple(item if item is CUT else plain_delta(item) for item in deltas)
        object.__setattr__(self, "deltas", texts)
        if self.times is not None:
            object.__setattr__(self, "times", _checked_times(self.times, len(texts)))

    @property
    def text(self) -> str:
        """The whole stream, all deltas joined."""
        return "".join(delta for delta in self.deltas if isinstance(delta, str))

    @classmethod
    def from_lines(cls, lines: Iterable[str]) -> Self:
        """Return the recording that lines of JSON hold.

        Args:
            lines: Either a line for each delta: a string, or an object with ``delta``
                and perhaps ``time``; ``{"cut": true}`` is ``CUT``. Or one line for the
                whole stream: an object with ``deltas`` and perhaps ``times``. Other
                keys mean nothing here, and blank lines are skipped.

        Raises:
            ValueError: A line is something else, or its time is missing or goes back;
                the message says which line.

        Examples:
            >>> Recording.from_lines(['{"delta": "It ", "time": 0}', '{"delta": "is"}'])
            Traceback (most recent call last):
                ...
            ValueError: line 2: expected a time, because the deltas before it have one
            >>> Recording.from_lines(['{"model": "m", "deltas": ["It is ", "on."]}'])
            Recording(deltas=('It is ', 'on.'), times=None)
        """
        deltas: list[str | Cut] = []
        times: list[float] = []
        whole: Recording | None = None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                item = _parsed(line)
                if whole is not None:
                    msg = "found another line behind a recording in one line"
                    raise ValueError(msg)  # noqa: TRY301 - the handler adds the line
                if not deltas and _is_whole(item):
                    whole = cls(item["deltas"], item.get("times"))
                else:
                    deltas.append(_delta_of(item))
                    _add_time(item, times, len(deltas))
            except (TypeError, ValueError) as error:
                msg = f"line {number}: {error}"
                raise ValueError(msg) from error
        if whole is not None:
            return cls(whole.deltas, whole.times)
        return cls(deltas, times or None)

    def to_lines(self) -> Iterator[str]:
        """Yield a line of JSON for each delta, which `from_lines` reads."""
        for number, delta in enumerate(self.deltas):
            item: dict[str, object] = (
                {"delta": delta} if isinstance(delta, str) else {"cut": True}
            )
            if self.times is not None:
                item["time"] = self.times[number]
            yield json.dumps(item)


def is_recording(line: str) -> bool:
    """Whether *line* could be the first line of a recording."""
    try:
        item = _parsed(line)
    except ValueError:
        return False
    if isinstance(item, Mapping):
        return bool({"delta", "deltas", "cut"} & set(item))
    return isinstance(item, str)


def record(deltas: Iterable[str | Cut]) -> Recording:
    """Read a stream to its end, and return what came, and when.

    Args:
        deltas: The stream object itself, as the client returned it; it is closed,
            whatever happens. Its items are text, or ``CUT``. A plain ``str`` is one
            delta.

    Raises:
        TypeError: *deltas* is no iterable of text.

    Examples:
        >>> record(iter(["It is ", "on."])).deltas
        ('It is ', 'on.')
    """
    with _SyncTimer(checked_deltas(deltas, "arecord", Iterable), None) as items:
        return _recorded(list(items))


async def arecord(deltas: AsyncIterable[str | Cut] | Iterable[str | Cut]) -> Recording:
    """Read an async stream to its end, and return what came, and when.

    The twin of `record`, on asyncio and Trio.

    Args:
        deltas: The stream object itself; a plain iterable works too.

    Raises:
        TypeError: *deltas* is no iterable of text.
    """
    source = checked_deltas(deltas, "arecord", AsyncIterable, Iterable)
    async with _AsyncTimer(source, None) as items:
        return _recorded([item async for item in items])


class _Timer(Reading["tuple[float, str | Cut]"]):
    """Notes when each item came."""

    @override
    def _take(self, item: str | Cut) -> None:
        self._ready.append((monotonic(), item))

    @override
    def _take_end(self) -> None:
        """There is nothing left: each item was handed out as it came."""


class _SyncTimer(_Timer, SyncReading["tuple[float, str | Cut]"]):
    pass


class _AsyncTimer(_Timer, AsyncReading["tuple[float, str | Cut]"]):
    pass


def _recorded(items: list[tuple[float, str | Cut]]) -> Recording:
    return Recording(
        [item for _, item in items], [time - items[0][0] for time, _ in items]
    )


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except RecursionError:
        msg = "the JSON is nested too deeply"
        raise ValueError(msg) from None


def _is_whole(item: Any) -> bool:
    return isinstance(item, Mapping) and "deltas" in item


def _delta_of(item: Any) -> str | Cut:
    """Return what a line says that arrived."""
    if isinstance(item, str):
        return item
    if isinstance(item, Mapping):
        if isinstance(item.get("delta"), str):
            delta: str = item["delta"]
            return delta
        if item.get("cut") is True and "delta" not in item:
            return CUT
    msg = (
        'expected a JSON string, or an object with a "delta", with "deltas" alone in '
        f'its file, or with "cut": true, got {shown(item)}'
    )
    raise ValueError(msg)


def _add_time(item: Any, times: list[float], number: int) -> None:
    """Append the time of a line, where it has one and those before it, too."""
    time = item.get("time") if isinstance(item, Mapping) else None
    if time is None:
        if times:
            msg = "expected a time, because the deltas before it have one"
            raise ValueError(msg)
        return
    if len(times) < number - 1:
        msg = f"expected no time, because the deltas before it have none, got {time!r}"
        raise ValueError(msg)
    _check_time(time, times[-1] if times else None)
    times.append(time)


def _checked_times(times: Any, count: int) -> tuple[float, ...]:
    if isinstance(times, str) or not isinstance(times, Sequence):
        msg = f"times must be a sequence of numbers or None, got {shown(times)}"
        raise TypeError(msg)
    if len(times) != count:
        msg = f"expected a time for each of {count} deltas, got {len(times)} times"
        raise ValueError(msg)
    before = None
    for time in times:
        _check_time(time, before)
        before = time
    return tuple(times)


def _check_time(time: object, before: float | None) -> None:
    if isinstance(time, bool) or not isinstance(time, (int, float)):
        msg = f"a time must be a number of seconds, got {shown(time)}"
        raise TypeError(msg)
    if not isfinite(time) or (before is not None and time < before):
        least = "any" if before is None else f"at least {before}"
        msg = f"a time must be a finite number of seconds, {least}, got {time}"
        raise ValueError(msg)
