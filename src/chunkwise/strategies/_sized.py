"""SizedChunking: as many pieces as fit a size, from the coarsest level down."""

from __future__ import annotations

import operator
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._numbers import check_count
from .._pending import View, nothing_held
from .._registry import register_built_in, resolve_strategy
from .._strategy import ChunkingStrategy, check_no_overlap
from ..sizing import code_points, resolve_sizer, sizer_name
from ._descent import Descent
from ._pack import EMPTY, Packer, PackRules, first_needed, place_of_open_pack
from ._token_pack import TokenPacker

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .._pending import Read
    from .._registry import StrategyLike
    from .._spans import ScanFields
    from ..sizing import Sizer
    from ._descent import LevelState
    from ._pack import PackState

    SizedState: TypeAlias = "tuple[tuple[LevelState, ...], PackState]"

_STEP = 8
"""Distance of the places where an open piece is counted, in code points a unit.

About what a token has, twice; at least 64 code points.
"""


@dataclass(frozen=True)
class SizedChunking(ChunkingStrategy["SizedState"]):
    r"""Packs as many whole pieces into each chunk as a size allows.

    Pieces are those of the first level of *by*. One that is too large alone closes the
    open pack and is packed alone, from its pieces of the next level, and so on; behind
    the last level come grapheme clusters. No chunk is over *max_size* by the sizer's
    own count, but for a single cluster that is: it is released whole, ``oversize``.

    A chunk runs from its first piece to its last one; what lies between is part of it
    and counts. It is as ``complete`` as its last piece; a cut between clusters is
    inside a piece, so that chunk is not.

    With code points a chunk is released as soon as the next piece cannot join it,
    finished or not. Other sizes are not additive, and a longer text can have fewer
    tokens: there the next piece has to end first, or to be too large by itself, which
    is looked at every few hundred code points. *min_size* holds one more chunk back.

    Args:
        max_size: The most that a chunk may have, in the sizer's unit; at least 1.
        overlap: The most that a chunk repeats of the one before it, in that unit;
            less than *max_size*. Repeated are whole trailing pieces, as many as fit
            beside the first new piece, as a real slice of the stream.
        min_size: A last chunk below it takes whole pieces from the chunk before while
            neither gets out of the limits; at most *max_size*.
        sizer: Counts a text: a function of ``chunkwise.sizing`` or its name, any
            function from ``str`` to ``int``, or a tokenizer.
        by: Levels from coarse to fine: strategies, names or dictionaries; grapheme
            clusters come behind them, or alone if there are none.
        overlap_by: The strategy whose pieces an overlap is made of. Chunks that were
            packed from finer pieces repeat these.

    Raises:
        ValueError: A size is out of its range, or a level may overlap.
        TypeError: A size is no ``int``, or something else is of the wrong type.
        UnknownStrategyError: No strategy has the given name.

    Examples:
        >>> sized = SizedChunking(20)
        >>> sized.split("One two. Three four. Five six seven eight nine. Ten.")
        ['One two. Three four.', 'Five six seven eight', 'nine.']
    """

    max_size: int
    _: KW_ONLY
    overlap: int = 0
    min_size: int = 0
    sizer: Sizer | str = "code_points"
    by: Sequence[StrategyLike] = ("paragraph", "sentence", "word")
    overlap_by: StrategyLike = "sentence"
    _rules: PackRules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the parameters and resolve what is given by name."""
        check_count("max_size", self.max_size, 1)
        check_count("overlap", self.overlap, 0)
        check_count("min_size", self.min_size, 0)
        if self.overlap >= self.max_size:
            msg = f"overlap must be in 0..{self.max_size - 1}, got {self.overlap}"
            raise ValueError(msg)
        if self.min_size > self.max_size:
            msg = f"min_size must be in 0..{self.max_size}, got {self.min_size}"
            raise ValueError(msg)
        by: Any = self.by
        if isinstance(by, (str, ChunkingStrategy)) or not isinstance(by, (tuple, list)):
            msg = f"by must be a sequence of strategies, got {by!r}"
            raise TypeError(msg)
        sizer = resolve_sizer(self.sizer)
        # A name can be written to a dictionary, and shown.
        object.__setattr__(self, "sizer", sizer_name(sizer) or sizer)
        object.__setattr__(self, "by", tuple(map(resolve_strategy, by)))
        object.__setattr__(self, "overlap_by", resolve_strategy(self.overlap_by))
        levels: Any = self.by
        overlap_by: Any = self.overlap_by
        for strategy in (*levels, overlap_by):
            check_no_overlap("a level", strategy)
        rules = PackRules(
            max_size=self.max_size,
            overlap=self.overlap,
            min_size=self.min_size,
            sizer=None if sizer is code_points else sizer,
            is_subadditive=sizer_name(sizer) is not None,
            step=max(_STEP * self.max_size, 64),
            overlap_by=overlap_by,
            overlap_level=(
                levels.index(overlap_by) if overlap_by in levels else len(levels)
            ),
        )
        object.__setattr__(self, "_rules", rules)

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[SizedState]:
        return SizedScanner(self, self._rules, read)

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self.bound_to(nothing_held).trigger

    @property
    @override
    def overlaps(self) -> bool:
        return self.overlap > 0

    @override
    def begin(self, offset: int) -> SizedState:
        return self.bound_to(nothing_held).begin(offset)

    @override
    def opened(self, text: str, base: int, state: SizedState) -> tuple[int, int] | None:
        # With other sizers a pack may give pieces back, and with a least size too.
        if self.sizer != "code_points" or self.overlap or self.min_size:
            return None
        return place_of_open_pack(state[1])

    @override
    def scan(
        self, text: str, base: int, state: SizedState, final: bool = False
    ) -> ScanFields[SizedState]:
        return self.bound_to(nothing_held).scan(text, base, state, final=final)


class SizedScanner(ChunkingStrategy["SizedState"]):
    """Scans one stream for a `SizedChunking`.

    Args:
        sized: The strategy.
        read: Returns the stream's text left of what is scanned.
    """

    __slots__ = (
        "_opened",
        "_packer",
        "_read",
        "_rules",
        "additive",
        "levels",
        "max_size",
        "step",
    )

    def __init__(self, sized: SizedChunking, rules: PackRules, read: Read) -> None:
        by: Any = sized.by
        bound = tuple(strategy.bound_to(read) for strategy in by)
        # One tuple serves all streams where no level reads back.
        is_shared = all(map(operator.is_, bound, by))
        self.levels: tuple[ChunkingStrategy[Any], ...] = by if is_shared else bound
        self.additive: bool = rules.sizer is None
        self.max_size: int = rules.max_size
        self.step: int = rules.step
        self._read = read
        self._rules = rules
        self._opened = sized.opened
        adds_up = getattr(rules.sizer, "adds_up_before_spaces", False) is True
        self._packer: type[Packer] = TokenPacker if adds_up else Packer

    @property
    @override
    def trigger(self) -> frozenset[str]:
        # Code points: nothing can close before the limit is reached but the end of a
        # piece that is packed alone, and that is never one of the last level; inside
        # of those every delta is looked at.
        levels = self.levels[:-1] if self.additive else self.levels
        return frozenset[str]().union(*(level.trigger for level in levels))

    @property
    @override
    def overlaps(self) -> bool:
        return self._rules.overlap > 0

    @override
    def opened(self, text: str, base: int, state: SizedState) -> tuple[int, int] | None:
        return self._opened(text, base, state)

    @override
    def needs(self, base: int, state: SizedState) -> int:
        levels, packed = state
        needed = [base]
        for number, (level_state, at, keep, _) in enumerate(levels):
            if number + 1 == len(levels):
                # Its open piece may turn out to be too large.
                needed += [at, keep]
            else:
                needed.append(self.levels[number].needs(at, level_state))
        first = first_needed(packed)
        return min(needed) if first is None else min(*needed, first)

    @override
    def begin(self, offset: int) -> SizedState:
        return ((self.level_at(0, offset),), EMPTY)

    def level_at(self, number: int, offset: int) -> LevelState:
        """Return the state of a level that begins at *offset*."""
        if number == len(self.levels):
            return ("", offset, offset, None)
        return (self.levels[number].begin(offset), offset, offset, None)

    @override
    def scan(
        self, text: str, base: int, state: SizedState, final: bool = False
    ) -> ScanFields[SizedState]:
        # Plan: the first level scans the text. Its pieces go to the packer, but for
        # one that is too large, closed or still open: the next level starts at its
        # start, sees as much of it as is sure, and ends where it ends; and so on down.
        # Each level that is at work has its strategy's state, the offset where that
        # resumes, what it keeps, and how far an open piece was counted. All levels
        # read the text for themselves, so this strategy resumes at its end.
        levels, packed = state
        end = base + len(text)
        view = View(text, base, self._read)
        packer = self._packer(self._rules, view, packed)
        work = Descent(self, list(levels), packer, view)
        work.advance(0, end, final=final, complete=None)
        if final:
            packer.finish()
            return (packer.spans, end, end, self.begin(end), 0)
        state = (tuple(work.levels), packer.state)
        return (packer.spans, self.needs(end, state), end, state, work.wake)


register_built_in("sized", SizedChunking)
