"""SizedChunking: as many pieces as fit a size, from the coarsest level down."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._clusters import cluster_end, cluster_start, open_context
from .._pending import View, nothing_held
from .._registry import resolve_strategy
from .._strategy import ChunkingStrategy, check_int, check_no_overlap
from ..sizing import code_points, resolve_sizer, sizer_name
from ._pack import CLUSTERS, EMPTY, Packer, PackRules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .._pending import Read
    from .._registry import StrategyLike
    from .._spans import ScanFields
    from ..sizing import Sizer
    from ._pack import PackState, Piece

    Probe: TypeAlias = "tuple[int, int, int] | None"
    LevelState: TypeAlias = "tuple[Any, int, int, Probe]"
    SizedState: TypeAlias = "tuple[tuple[LevelState, ...], PackState]"

_PROBE = 4
"""Distance of the places where an open piece is counted, in code points a unit.

About what a token has; at least 64 code points.
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
        by: Levels from coarse to fine: strategies, names or dictionaries.
        overlap_by: The strategy whose pieces an overlap is made of. Chunks that were
            packed from finer pieces repeat these.

    Raises:
        ValueError: A size is out of its range, or a level may overlap.
        TypeError: A size is no ``int``, or something else is of the wrong type.
        UnknownStrategyError: No strategy has the given name.

    Examples:
        >>> sized = SizedChunking(20)
        >>> sized.split("One two. Three four. Five six seven eight nine. Ten.")
        ['One two.', 'Three four.', 'Five six seven eight']
    """

    max_size: int
    _: KW_ONLY
    overlap: int = 0
    min_size: int = 0
    sizer: Sizer | str = "code_points"
    by: Sequence[StrategyLike] = ("paragraph", "sentence", "word")
    overlap_by: StrategyLike = "sentence"

    def __post_init__(self) -> None:
        """Check the parameters and resolve what is given by name."""
        check_int("max_size", self.max_size, least=1, most=None)
        check_int("overlap", self.overlap, most=self.max_size - 1)
        check_int("min_size", self.min_size, most=self.max_size)
        by: Any = self.by
        if isinstance(by, (str, ChunkingStrategy)) or not isinstance(by, (tuple, list)):
            msg = f"by must be a sequence of strategies, got {by!r}"
            raise TypeError(msg)
        sizer = resolve_sizer(self.sizer)
        # A name can be written to a dictionary, and shown.
        object.__setattr__(self, "sizer", sizer_name(sizer) or sizer)
        object.__setattr__(self, "by", tuple(map(resolve_strategy, by)))
        object.__setattr__(self, "overlap_by", resolve_strategy(self.overlap_by))
        for strategy in (*self.by, self.overlap_by):
            check_no_overlap("a level", strategy)  # type: ignore[arg-type]  # resolved

    @override
    def bound_to(self, read: Read) -> _SizedScanner:
        return _SizedScanner(self, read)

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
        _, (start, _, _, _, pieces, *_) = state
        if self.sizer != "code_points" or self.overlap or self.min_size or not pieces:
            return None
        return (start, pieces[-1][1])

    @override
    def scan(
        self, text: str, base: int, state: SizedState, final: bool = False
    ) -> ScanFields[SizedState]:
        return self.bound_to(nothing_held).scan(text, base, state, final=final)


class _SizedScanner(ChunkingStrategy["SizedState"]):
    """Scans one stream for a `SizedChunking`.

    Args:
        sized: The strategy.
        read: Returns the stream's text left of what is scanned.
    """

    def __init__(self, sized: Any, read: Read) -> None:
        self.levels: list[ChunkingStrategy[Any]] = [
            strategy.bound_to(read) for strategy in sized.by
        ]
        self.reads_back = [
            scanner is not strategy
            for scanner, strategy in zip(self.levels, sized.by, strict=True)
        ]
        self._units = sized.overlap_by.bound_to(read)
        self._unit_level = len(self.levels)
        if sized.overlap_by in sized.by:
            self._unit_level = sized.by.index(sized.overlap_by)
        self.additive = resolve_sizer(sized.sizer) is code_points
        self.max_size: int = sized.max_size
        self.probe = max(_PROBE * sized.max_size, 64)
        self._read = read
        self._rules = PackRules(
            max_size=sized.max_size,
            overlap=sized.overlap,
            min_size=sized.min_size,
            sizer=None if self.additive else resolve_sizer(sized.sizer),
            units=self._units_of,
        )
        self._sized = sized

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
        return bool(self._sized.overlaps)

    @override
    def opened(self, text: str, base: int, state: SizedState) -> tuple[int, int] | None:
        return self._sized.opened(text, base, state)

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
        packer = Packer(self._rules, view, packed)
        work = _Descent(self, list(levels), packer, view)
        work.advance(0, end, final=final, complete=None)
        if final:
            packer.finish()
            return (packer.spans, end, end, self.begin(end), 0)
        state = (tuple(work.levels), packer.state)
        return (packer.spans, work.keep, end, state, work.wake())

    def _units_of(self, level: int, piece: Piece, view: View) -> Sequence[int]:
        """Return the starts of what an overlap may repeat of a piece of some level."""
        start, end, _ = piece
        if level >= self._unit_level:
            return (start,)
        text = view(start, end)
        begun = self._units.begin(start)
        return [unit[0] for unit in self._units.scan(text, start, begun, final=True)[0]]


class _Descent:
    """One scan of all levels that are at work.

    Args:
        scanner: Whose scan it is.
        levels: The state of each level at work, the coarsest first; changed in place.
        packer: Takes the pieces.
        view: The stream.
    """

    def __init__(
        self,
        scanner: _SizedScanner,
        levels: list[LevelState],
        packer: Packer,
        view: View,
    ) -> None:
        self._scanner = scanner
        self.levels = levels
        self._packer = packer
        self._view = view
        self._wakes: list[int] = []
        self._place = 0

    def advance(
        self, number: int, upto: int, *, final: bool, complete: bool | None
    ) -> None:
        """Let a level see the text up to an offset.

        Args:
            number: The level; 0 is the coarsest.
            upto: How far the text surely belongs to the piece that the level is in.
            final: Whether that piece ends there.
            complete: What a piece is that only this end closes.
        """
        scanner = self._scanner
        if number == len(scanner.levels):
            self._advance_clusters(upto, final=final, complete=complete)
            return
        level = scanner.levels[number]
        state, at, _, probe = self.levels[number]
        view = self._view
        spans, keep, resume, state, wake = level.scan(
            view(at, upto), at, state, final=final
        )
        self.levels[number] = (state, resume, keep, probe)
        number_of_pieces = len(spans)
        done = 0
        while done < number_of_pieces:
            if self._packer.is_plain and len(self.levels) == number + 1:
                done = self._packer.add_run(spans, done, complete)
                if done == number_of_pieces:
                    break
            start, end, known = spans[done][:3]
            known = complete if known is None else known
            self._close_piece(number, (start, end, known))
            done += 1
        if final:
            return
        del self._wakes[number:]
        opened = level.opened(view(resume, upto), resume, state)
        if opened is None:
            self._wakes.append(0)
            return
        start, surely = opened
        self._wakes.append(wake if surely == upto else 0)
        self._look_at_open(number, start, surely)

    def _close_piece(self, number: int, piece: Piece) -> None:
        start, end, complete = piece
        is_open = len(self.levels) > number + 1
        if not is_open and not self._is_too_large(number, start, end, closed=True):
            self._packer.add(piece, number)
            return
        if not is_open:
            self._go_down(number, start)
        self.advance(number + 1, end, final=True, complete=complete)
        self._packer.close()
        del self.levels[number + 1 :]

    def _look_at_open(self, number: int, start: int, surely: int) -> None:
        if len(self.levels) == number + 1:
            if not self._is_too_large(number, start, surely, closed=False):
                if self._scanner.additive:
                    self._packer.close_before(surely)
                return
            self._go_down(number, start)
        self.advance(number + 1, surely, final=False, complete=None)

    def _go_down(self, number: int, start: int) -> None:
        self._packer.close()
        self.levels.append(self._scanner.level_at(number + 1, start))

    def _is_too_large(self, number: int, start: int, end: int, *, closed: bool) -> bool:
        """Return whether a piece is over the limit alone, as far as it goes.

        Where sizes are not additive, the answer for an open piece depends on the
        places where it was counted: these lie at fixed distances from its start.
        """
        scanner = self._scanner
        packer = self._packer
        limit = scanner.max_size
        if scanner.additive:
            return end - start > limit
        state, at, keep, probe = self.levels[number]
        _, place, size = probe if probe and probe[0] == start else (0, start, 0)
        while place + scanner.probe <= end:
            size += packer.measure(place, place + scanner.probe)
            place += scanner.probe
            if size > limit:
                size = packer.measure(start, place)
                if size > limit:
                    return True
        if closed:
            return packer.measure(start, end) > limit
        self.levels[number] = (state, at, keep, (start, place, size))
        self._place = place
        return False

    def _advance_clusters(
        self, upto: int, *, final: bool, complete: bool | None
    ) -> None:
        """Pack the grapheme clusters of a piece of the last level.

        The state of this level is a text that stands for the open cluster as far as
        it was looked at, its start, and how far that is.
        """
        number = len(self._scanner.levels)
        packer = self._packer
        view = self._view
        limit = self._scanner.max_size
        additive = self._scanner.additive
        context, at, seen, _ = self.levels[number]
        if not final:
            del self._wakes[number:]
            self._wakes.append(0)
        text = view(at, at)
        base = at
        while at < upto:
            first = at if packer.first is None else packer.first
            if additive and not final and upto - first <= limit:
                # Too little for a chunk, whatever its clusters are.
                break
            if context or at == base:
                behind = context + view(seen, upto)
                end = seen - len(context)
                end += cluster_end(behind, max(len(context), 1))
            else:
                end = base + cluster_end(text, at + 1 - base, at - base)
            if end == upto and not final:
                context = open_context(context + view(seen, upto))
                seen = upto
                break
            context, seen = "", at
            if len(text) < upto - base:
                base, text = at, view(at, upto)
            known = complete if end == upto else False
            if packer.measure(at, end) > limit:
                packer.close()
                span = (at, end, known, "sized", True)
                packer.emit(span, ((at, end, known),), CLUSTERS)
            elif additive:
                start = packer.start_for(at, end)
                if start + limit >= upto and not final:
                    break
                end = upto
                if start + limit < upto:
                    end = base + cluster_start(text, start + limit - base, at - base)
                known = complete if end == upto else False
                packer.emit((start, end, known, "sized"), ((at, end, known),), CLUSTERS)
            else:
                packer.add((at, end, known), number)
            at = seen = end
        self.levels[number] = (context, at, seen, None)

    @property
    def keep(self) -> int:
        """From where on the text is needed."""
        needed = [] if self._packer.needed is None else [self._packer.needed]
        for number, (_, at, keep, _) in enumerate(self.levels):
            needed.append(at)
            last = number + 1 == len(self.levels)
            # A piece that is packed alone is not needed as a whole.
            if last or self._scanner.reads_back[number]:
                needed.append(keep)
        return min(needed)

    def wake(self) -> int:
        """When the next scan is due, unless a trigger comes before."""
        scanner = self._scanner
        depth = len(self.levels) - 1
        if depth == len(scanner.levels):
            return 0
        if not scanner.additive:
            return min(*self._wakes, self._place + scanner.probe)
        first = self._packer.first
        if first is None:
            first = self.levels[-1][2]
        # What the open level finds is packed, and no pack is full before this.
        return min([*self._wakes[:depth], first + scanner.max_size + 1])
