"""Pending text: what was looked at and is still needed, in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Read: TypeAlias = "Callable[[int, int], str]"

LONG_PART = 16_384
"""Code points from which on a part of held text is not copied to join it with others.

Joining saves a part's own 60 bytes, which are nothing here, and costs a copy, which is
most of the time that a stream of long deltas takes: new memory is slow to come by.
"""


class HeldText(list[str]):
    """Consecutive parts of the stream, up to *end*.

    Its driver appends to it and empties it as a list, and moves *end*. A strategy that
    combines others reads in it.

    Attributes:
        end: Stream offset where the last part ends.
    """

    __slots__ = ("end",)

    def __init__(self) -> None:
        super().__init__()
        self.end = 0

    @property
    def start(self) -> int:
        """Stream offset of the first part."""
        return self.end - sum(map(len, self))

    def hold(self, text: str, start: int) -> None:
        """Hold *text*, which begins at stream offset *start*, and nothing else."""
        self[:] = (text,)
        self.end = start + len(text)

    def add(self, text: str) -> None:
        """Hold *text*, too, which begins where what is held ends."""
        self.append(text)
        self.end += len(text)
        self.compact()

    def let_go(self, start: int) -> None:
        """Hold nothing before stream offset *start*, which is not behind the end."""
        left_over = start - self.start
        count = 0
        for part in self:
            if len(part) > left_over:
                self[count] = part[left_over:]
                break
            left_over -= len(part)
            count += 1
        del self[:count]

    def read(self, start: int, end: int) -> str:
        """Return the stream's text from *start* to *end*, in stream offsets.

        Costs its length, and a little for each part from there on: least near the end
        of what is held, where most of what is read back lies.

        Raises:
            ContractError: That text is no longer held.
        """
        at = self.end
        found: list[str] = []
        for part in reversed(self):
            at -= len(part)
            if start >= at and not found:
                # All of it is in one part.
                return part[start - at : end - at]
            if at < end:
                found.append(part[max(start - at, 0) : end - at])
            if at <= start:
                break
        if start < at:
            raise _let_go(start, at)
        return "".join(reversed(found))

    def compact(self) -> None:
        """Join the last parts, so that each part is longer than all behind it.

        Parts of `LONG_PART` are left as they are. Called every few dozen parts, this
        leaves about one for each so many code points, and a few behind them; it copies
        each code point a few times, however many are held.
        """
        first = len(self) - 1
        size = len(self[first])
        while first and len(self[first - 1]) <= size < LONG_PART:
            first -= 1
            size += len(self[first])
        self[first:] = ["".join(self[first:])]


class View:
    """Part of the stream: the text handed to a scan, and what is held before it.

    Args:
        text: The stream from *base* on; an attribute, too.
        base: Where *text* begins; an attribute, too.
        read: Returns held text between two stream offsets left of *base*.
    """

    __slots__ = ("_read", "base", "text")

    def __init__(self, text: str, base: int, read: Read) -> None:
        self.text = text
        self.base = base
        self._read = read

    def __call__(self, start: int, end: int) -> str:
        """Return the stream's text from *start* to *end*."""
        base = self.base
        if start >= base:
            return self.text[start - base : end - base]
        if end <= base:
            return self._read(start, end)
        return self._read(start, base) + self.text[: end - base]


def nothing_held(start: int, end: int) -> str:
    """Read where no text is held: the scan of a whole text needs none.

    Raises:
        ContractError: It was not the whole text.
    """
    raise _let_go(start, end)


def _let_go(start: int, first: int) -> ContractError:
    problem = (
        f"scan() reads the text from offset {start} on, of which what lies before "
        f"{first} is not held; Scan.keep says what has to be, and bound_to() lets a "
        "strategy read it"
    )
    return ContractError(problem, strategy="a strategy that reads back", offset=start)
