"""How large chunks are, how far they are apart, and how long they are held back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._chunk import Chunk


class Bar(NamedTuple):
    """A bar of a histogram: the frequency of numbers in ``least..greatest``."""

    least: int
    greatest: int
    frequency: int


class Distribution:
    """Numbers of code points, and how often each came.

    Takes as much memory as there are different numbers. Sizes of chunks without overlap
    add up to their text, so these are at most about 1.5 times its square root.

    Examples:
        >>> numbers = Distribution()
        >>> for number in [4, 4, 5, 9]:
        ...     numbers.add(number)
        >>> numbers.count, numbers.mean, numbers.quantile(0.5)
        (4, 5.5, 4)
    """

    def __init__(self) -> None:
        self._counts: Counter[int] = Counter()

    def add(self, number: int) -> None:
        """Count *number* once more."""
        self._counts[number] += 1

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return sum(self._counts.values())

    @property
    def mean(self) -> float:
        """Their mean.

        Raises:
            ZeroDivisionError: There are none.
        """
        return sum(each * often for each, often in self._counts.items()) / self.count

    def quantile(self, part: float) -> int:
        """Return the least number that is not exceeded by *part* of all.

        Args:
            part: From 0, for the least of all, to 1, for the greatest.

        Raises:
            ValueError: There are no numbers.
        """
        needed = part * self.count
        seen = 0
        for number in sorted(self._counts):
            seen += self._counts[number]
            if seen >= needed:
                return number
        msg = "expected numbers, got none"
        raise ValueError(msg)

    def histogram(self) -> list[Bar]:
        """Return bars that all numbers together are in, from the least on.

        Each is as wide as all before it, as sizes are spread that way: 0, 1, 2 to 3, 4
        to 7, and so on. None are returned without numbers.
        """
        bars = Counter[int]()
        for number, often in self._counts.items():
            bars[number.bit_length()] += often
        if not bars:
            return []
        return [
            Bar(1 << width >> 1, (1 << width) - 1, bars[width])
            for width in range(min(bars), max(bars) + 1)
        ]


class ChunkStats:
    """What there is to say about the chunks of streams, in code points.

    Attributes:
        sizes: Of the chunks.
        held: How much of the stream had come behind the end of each chunk when it was
            released. Chunks that only the end of a stream released are not among them.
        gaps: The separator text before each chunk.
        incomplete: How many chunks no boundary ended.
    """

    def __init__(self) -> None:
        self.sizes = Distribution()
        self.held = Distribution()
        self.gaps = Distribution()
        self.incomplete = 0

    def add(self, chunks: Sequence[Chunk], arrived: int | None) -> None:
        """Add chunks that were released together.

        Args:
            chunks: What ``feed`` or ``flush`` returned.
            arrived: Code points of their stream that had been fed by then; ``None``
                for what ``flush`` returned.
        """
        for chunk in chunks:
            self.sizes.add(len(chunk))
            self.gaps.add(len(chunk.gap))
            self.incomplete += not chunk.complete
            if arrived is not None:
                self.held.add(arrived - chunk.end)
