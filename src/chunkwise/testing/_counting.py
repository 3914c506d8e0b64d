"""Counting the work of a strategy: code points, not seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._chunker import Chunker
from .._quote import quote
from .._strategy import ChunkingStrategy
from ._report import BrokenLawError, Fault

if TYPE_CHECKING:
    from .._pending import Read
    from .._spans import ScanFields

_SHORT = 512
_LONG = 2048
"""Code points of the two texts whose work is compared.

Long enough that the Chunker has joined its parts, and that the work of one scan for
each of them, 256 for a code point on average and then 1024, stands out.
"""

_GROWTH = 1.5
"""How much more a code point of the long text may cost; quadratic work makes it 4."""

_SLACK = 256
"""Code points by which what is stored may grow: the Chunker stores 128 unseen ones."""


def counting(strategy: ChunkingStrategy[Any]) -> CountingStrategy:
    """Return a strategy that finds what *strategy* does, and counts its work.

    Args:
        strategy: What is counted; it stays as it is.

    Examples:
        >>> from chunkwise import Chunker, WordChunking
        >>> counted = counting(WordChunking())
        >>> Chunker(counted).feed("to be ")
        ['to', 'be']
        >>> counted.scanned
        6
        >>> counted.assert_linear("to be ")
    """
    return CountingStrategy(strategy)


class _Count:
    scans = 0
    scanned = 0


class CountingStrategy(ChunkingStrategy[Any]):
    """Scans as another strategy does, and counts; `counting` makes it.

    Unlike any other strategy it changes: it is for a test alone.
    """

    def __init__(
        self, counted: ChunkingStrategy[Any], count: _Count | None = None
    ) -> None:
        self._counted = counted
        self._count = count or _Count()

    @property
    def scans(self) -> int:
        """How often ``scan`` was called."""
        return self._count.scans

    @property
    def scanned(self) -> int:
        """How many code points were given to ``scan``, or read back by it."""
        return self._count.scanned

    def assert_linear(self, unit: str) -> None:
        """Check that work for a code point, and memory, do not grow with the stream.

        Feeds *unit*, repeated, one code point at a time.

        Args:
            unit: Text that is hard for the strategy, as a separator or half of one.

        Raises:
            BrokenLawError: They do grow.
            ValueError: *unit* is empty.
        """
        if not unit:
            msg = "unit must have a code point at least, got ''"
            raise ValueError(msg)
        fault = self.growth(unit)
        if fault is not None:
            raise BrokenLawError(
                subject=type(self._counted).__name__,
                law="bounded",
                deltas=[unit],
                problem=fault.problem,
                sides=fault.sides,
                cause=fault.cause,
            )

    def growth(self, unit: str) -> Fault | None:
        """Return what grows while *unit* is repeated; ``None`` if nothing does."""
        chunker = Chunker(self)
        begun = self.scanned
        looks: list[float] = []
        spare: list[int] = []
        longest = 0
        weighed = 0
        for at in range(_LONG):
            for chunk in chunker.feed(unit[at % len(unit)]):
                longest = max(longest, len(chunk))
            if at + 1 in {_SHORT, _LONG}:
                looks.append((self.scanned - begun) / (at + 1))
                state = chunker.state
                weighed = len(state.text) + _weight(state.strategy_state)
                spare.append(weighed - 2 * len(chunker.pending))
        shown = f"{quote(unit)}, again and again"
        if looks[1] > _GROWTH * looks[0] + 1:
            problem = (
                f"of {shown}, in single code points, each one is looked at "
                f"{looks[0]:.1f} times in {_SHORT} and {looks[1]:.1f} in {_LONG}, "
                "expected about the same"
            )
            cause = (
                "looks at text again: let resume point behind what was looked at, and "
                "carry what is open in the state"
            )
            return Fault(problem, (), cause)
        if spare[1] - spare[0] > longest + _SLACK:
            problem = (
                f"after {_LONG} code points of {shown}, {weighed} are stored, and "
                f"{len(chunker.pending)} are pending"
            )
            cause = (
                "keeps text: keep is where the next chunk can start, and the state "
                "holds what is open, not what is done"
            )
            return Fault(problem, (), cause)
        return None

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self._counted.trigger

    @property
    @override
    def overlaps(self) -> bool:
        return self._counted.overlaps

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[Any]:
        def counted_read(start: int, end: int) -> str:
            self._count.scanned += end - start
            return read(start, end)

        return CountingStrategy(self._counted.bound_to(counted_read), self._count)

    @override
    def begin(self, offset: int) -> Any:
        return self._counted.begin(offset)

    @override
    def begin_again(self, offset: int, state: Any) -> Any:
        return self._counted.begin_again(offset, state)

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        self._count.scans += 1
        self._count.scanned += len(text)
        return self._counted.scan(text, base, state, final=final)

    @override
    def opened(self, text: str, base: int, state: Any) -> tuple[int, int] | None:
        return self._counted.opened(text, base, state)

    @override
    def needs(self, base: int, state: Any) -> int:
        return self._counted.needs(base, state)


def _weight(state: object) -> int:
    """Return how much a state holds, in code points and numbers."""
    if isinstance(state, tuple):
        return sum(map(_weight, state))
    return len(state) if isinstance(state, str) else 1
