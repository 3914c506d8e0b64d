"""Packer: joins neighbouring pieces up to a size."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from .._clusters import cluster_end, cluster_ends
from ..errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .._pending import View
    from .._spans import SpanFields
    from .._strategy import ChunkingStrategy
    from ..sizing import Sizer

    # Start, end, and whether a boundary ended it, as in a span.
    Piece: TypeAlias = "tuple[int, int, bool | None]"
    Pieces: TypeAlias = "tuple[Piece, ...]"
    # Offsets where an overlap may start, in order.
    Starts: TypeAlias = "tuple[int, ...]"
    # A closed pack: its span, its pieces and their level, and where what it repeats
    # might have started.
    Pack: TypeAlias = "tuple[SpanFields, Pieces, int, Starts]"
    # How far an open piece was counted: its start, that place, the size up to there,
    # and from where on it may be counted as a whole again.
    Counted: TypeAlias = "tuple[int, int, int, int]"
    # The open pack: its start, its size as far as it is known, whether that was counted
    # as a whole, and from which offset on that may be done again, or, where sizes add
    # up before spaces, up to which offset it was counted; the size that 1,024
    # code points of the pack before had; the level of the pieces, and these, of which
    # plain packs know the last only; where an overlap may start, and where it ends; and
    # the closed packs that wait.
    PackState: TypeAlias = (
        "tuple[int, int, bool, int, int, int, Pieces, Starts, int, tuple[Pack, ...]]"
    )

CLUSTERS = -1
"""The level of a pack of grapheme clusters: its one piece stands for all of them."""

EMPTY: PackState = (0, 0, False, 0, 0, 0, (), (), 0, ())

_GROWTH = 8
"""A pack is counted again when it has grown by one part of as many."""

_SAVED = 4
"""Units by which a piece may be less behind other text than alone, to look at that."""

_NEAR = 32
"""Code points of the text before a piece that are looked at for it."""

RATE = 1_024
"""Code points for which the size of a pack is told."""


def first_needed(state: PackState) -> int | None:
    """Return from where on a packer with this state needs the text, if it does."""
    start, _, _, _, _, _, pieces, repeatable, _, queue = state
    if queue:
        return min(pack[0][0] for pack in queue)
    if pieces:
        return start
    return repeatable[0] if repeatable else None


def place_of_open_pack(state: PackState) -> tuple[int, int] | None:
    """Return where the open pack of a packer begins and ends, if one is open."""
    start, *_, pieces, _, _, _ = state
    return (start, pieces[-1][1]) if pieces else None


class PackRules(NamedTuple):
    """What a packer has to keep to; sizes are in the sizer's unit.

    Attributes:
        max_size: The most that a pack may have.
        overlap: The most that it repeats of the pack before.
        min_size: The least that the last pack should have.
        sizer: Counts a text; ``None`` counts code points, without reading them.
        is_subadditive: Whether a text never has more than its parts together.
        step: Distance of the places where an open piece is counted, in code points.
        overlap_by: Finds what may be repeated of a piece that is coarser than that.
        overlap_level: The level from which on pieces are repeated as they are.
    """

    max_size: int
    overlap: int
    min_size: int
    sizer: Sizer | None
    is_subadditive: bool
    step: int
    overlap_by: ChunkingStrategy[Any]
    overlap_level: int


class Packer:
    """Fills one pack after the other with the pieces it is given, during one scan.

    A pack runs from the start of its first piece, or from the start of what it repeats
    of the pack before, to the end of its last piece. All its pieces are of one level.

    Args:
        rules: What it keeps to.
        view: The stream, as far back as the state reaches.
        state: What the last scan left; `EMPTY` at first.
    """

    # Plan. Where sizes are code points, a pack takes a piece if it ends less than the
    # limit behind the pack's start. Other sizes are not additive: here the counts of
    # the pieces, each with the gap before it, are summed up while they fit. When they
    # do not, the whole is counted for real, and goes on from that count; a full pack
    # has been counted for real, and gives pieces back until it fits. So a limit holds
    # by the real count, and a code point is counted a bounded number of times, mostly
    # twice. With a least size, a closed pack waits until the next one has that size.
    __slots__ = (
        "_due",
        "_is_counted",
        "_level",
        "_pieces",
        "_queue",
        "_rate",
        "_repeatable",
        "_repeats_to",
        "_rules",
        "_size",
        "_start",
        "_uses_once",
        "_view",
        "spans",
    )

    def __init__(self, rules: PackRules, view: View, state: PackState) -> None:
        self._rules = rules
        self._view = view
        # Then only the end of the last piece matters.
        self._uses_once = not rules.overlap and not rules.min_size
        start, size, is_counted, due, rate, level, pieces, *_ = state
        *_, repeatable, repeats_to, queue = state
        self._start = start
        self._size = size
        self._is_counted = is_counted
        self._due = due
        self._rate = rate
        self._level = level
        self._repeatable = repeatable
        # Where that ends: the end of the last pack.
        self._repeats_to = repeats_to
        self._pieces = list(pieces)
        self._queue = list(queue)
        self.spans: list[SpanFields] = []

    @property
    def state(self) -> PackState:
        """What the next scan goes on with."""
        return (
            self._start,
            self._size,
            self._is_counted,
            self._due,
            self._rate,
            self._level,
            tuple(self._pieces),
            self._repeatable,
            self._repeats_to,
            tuple(self._queue),
        )

    @property
    def first(self) -> int | None:
        """Where the next pack to be closed starts at the earliest, if that is known."""
        if self._pieces:
            return self._start
        return self._repeatable[0] if self._repeatable else None

    def measure(self, start: int, end: int) -> int:
        """Return the size of the text between two offsets.

        Raises:
            ContractError: The sizer did not return a size.
        """
        sizer = self._rules.sizer
        if sizer is None:
            return end - start
        size = sizer(self._view(start, end))
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:  # type: ignore[redundant-expr]  # sizers may be untyped
            problem = f"the sizer returned {size!r}, expected an int of at least 0"
            raise ContractError(problem, strategy="SizedChunking", offset=start)
        return size

    def pack(self, piece: Piece, level: int, counted: Counted | None) -> bool:
        """Pack a closed piece, unless it is too large alone; return whether it is not.

        Args:
            piece: The piece.
            level: Its level.
            counted: How far it was counted while it was open.
        """
        start, end, _ = piece
        size = None
        if self._is_likely_full(start, end):
            # Counted alone first, it need not be counted again to open a pack.
            size = self._size_alone(start, end, counted)
            while self._pieces and self._size + size > self._rules.max_size:
                self._close_one()
        if self._joins(piece):
            return True
        if size is None:
            size = self._size_alone(start, end, counted)
        if size > self._rules.max_size:
            return False
        self._open(piece, level, size)
        return True

    def add(self, piece: Piece, level: int, size: int) -> None:
        """Pack a piece of a size that is within the limit."""
        if not self._joins(piece):
            self._open(piece, level, size)

    def count_open(
        self, start: int, surely: int, counted: Counted | None
    ) -> Counted | None:
        """Count a piece as far as it goes by now; ``None`` says that it is too large.

        The answer depends on the places where it is counted: these lie at fixed
        distances from its start.

        Args:
            start: Where it starts.
            surely: How far the text surely belongs to it.
            counted: What this returned before, for this piece or another one.
        """
        limit = self._rules.max_size
        step = self._rules.step
        if counted is None or counted[0] != start:
            counted = (start, start, 0, start)
        _, place, size, due = counted
        while place + step <= surely:
            size += self.measure(place, place + step)
            place += step
            if size > limit and place >= due:
                # The sum of the parts is over the limit, the whole need not be. It is
                # counted again when it has grown by a quarter: each code point a few
                # times, whatever the sizer says.
                size = self.measure(start, place)
                if size > limit:
                    return None
                due = place + (place - start) // 4
        return (start, place, size, due)

    def add_run(
        self,
        spans: Sequence[SpanFields],
        at: int,
        level: int,
        *,
        complete: bool | None,
    ) -> tuple[int, bool]:
        """Add pieces of one level, up to one that has to be looked at by itself.

        The same as `pack` for each, in one loop: nearly all pieces of a long text go
        through here. If only ends matter, such a piece is too large alone.

        Args:
            spans: The pieces.
            at: The index of the first one to add.
            level: Their level.
            complete: What a piece is that only the end of the text closed.

        Returns:
            The index of the first piece that was not added, the number of pieces if all
            were; and whether that piece is known to be too large alone.
        """
        if self._rules.sizer is not None or not self._uses_once:
            return at, False
        limit = self._rules.max_size
        is_open = bool(self._pieces)
        pack = self._start
        piece = self._pieces[-1] if is_open else (0, 0, None)
        _, end, known = piece
        # By index: an iterator would go over all pieces before *at* again, for each
        # piece that is too large.
        while at < len(spans):
            span = spans[at]
            start = span[0]
            stop = span[1]
            if stop - start > limit:
                break
            if not is_open or stop - pack > limit:
                if is_open:
                    self.spans.append((pack, end, known, "sized"))
                pack = start
                is_open = True
            end = stop
            known = span[2]
            at += 1
        if is_open:
            self._start = pack
            self._level = level
            # Only where the last piece ends matters, and whether it is complete.
            self._pieces = [(end, end, complete if known is None else known)]
        return at, at < len(spans)

    def close_before(self, end: int) -> None:
        """Close the open pack if a piece that reaches at least to *end* cannot join.

        Only for code points: elsewhere a longer piece may be smaller.
        """
        if self._pieces and end - self._start > self._rules.max_size:
            self._close_one()

    def close(self) -> None:
        """Close the open pack; what it gives back closes as packs, too."""
        while self._pieces:
            self._close_one()

    def finish(self) -> None:
        """Close everything: the text has ended."""
        self.close()
        if len(self._queue) > 1:
            self._queue[:] = self._balanced(*self._queue)
        self.spans.extend(span for span, *_ in self._queue)
        self._queue.clear()

    def start_for(self, start: int, end: int) -> int:
        """Return where a pack starts whose first piece lies at *start* to *end*.

        That is left of *start* by as much of what may be repeated as leaves room for
        the piece.
        """
        if not self._repeatable:
            return start
        rules = self._rules
        for at in self._fitting(self._repeatable, end, rules.max_size):
            if at == self._repeatable[0]:
                return at
            # Less text can have a greater size.
            if (
                self.measure(at, self._repeats_to) <= rules.overlap
                and self.measure(at, end) <= rules.max_size
            ):
                return at
        return start

    def emit(self, span: SpanFields, pieces: Sequence[Piece], level: int) -> None:
        """Release a pack, or let it wait where a least size is asked for."""
        if self._uses_once:
            self.spans.append(span)
            return
        pack = (span, tuple(pieces), level, self._repeatable)
        if self._rules.overlap:
            self._set_repeatable(pack)
        if not self._rules.min_size:
            self.spans.append(span)
            return
        # A pack that is too small may turn out to be the last, and then takes pieces
        # from the one before it.
        waits = 1 if self.measure(span[0], span[1]) < self._rules.min_size else 0
        done = len(self._queue) - waits
        self.spans.extend(pack[0] for pack in self._queue[: max(done, 0)])
        del self._queue[: max(done, 0)]
        self._queue.append(pack)

    def _is_likely_full(self, start: int, end: int) -> bool:
        """Whether a piece will probably not join the open pack, if one is open.

        Judged by what the pack before had for its length. It decides in which order
        sizes are counted, not what they are.
        """
        if not self._pieces or self._rules.sizer is None:
            return False
        guess = (end - start) * self._rate // RATE
        return self._size + guess > self._rules.max_size

    def _size_alone(self, start: int, end: int, counted: Counted | None) -> int:
        """Return the size of a closed piece, or one that is over the limit.

        A piece is also too large if an open one would have been found to be.
        """
        if self._rules.sizer is None:
            return end - start
        if self.count_open(start, end, counted) is None:
            return self._rules.max_size + 1
        return self.measure(start, end)

    def _joins(self, piece: Piece) -> bool:
        """Add a piece to the open pack, or close that; return whether it joined."""
        while self._pieces:
            if self._takes(piece):
                self._pieces.append(piece)
                return True
            self._close_one()
        return False

    def _open(self, piece: Piece, level: int, size: int) -> None:
        """Open a pack with a piece of a size that fits, when none is open."""
        start, end, _ = piece
        self._start = self.start_for(start, end)
        self._size = size if self._start == start else self.measure(self._start, end)
        self._is_counted = True
        self._due = end
        self._level = level
        self._pieces = [piece]

    def _takes(self, piece: Piece) -> bool:
        """Whether the open pack has room for a piece."""
        _, end, _ = piece
        max_size = self._rules.max_size
        if self._rules.sizer is None:
            return end - self._start <= max_size
        last = self._pieces[-1][1]
        added = self.measure(last, end)
        if self._size + added > max_size and not self._is_counted and last >= self._due:
            # The sum of the parts may be more than the whole.
            self._size = self.measure(self._start, last)
            self._is_counted = True
            self._due = last + (last - self._start) // _GROWTH
        if 0 < self._size + added - max_size <= _SAVED:
            # The piece may add less behind the text before it than it has alone.
            near = max(self._start, last - _NEAR)
            added = self.measure(near, end) - self.measure(near, last)
        if self._size + added > max_size:
            return False
        self._size += added
        self._is_counted = False
        return True

    def _close_one(self) -> None:
        """Close the open pack; pieces that were too much for it open the next one."""
        rules = self._rules
        pieces = self._pieces
        count = len(pieces)
        is_counted = self._is_counted and self._size <= rules.max_size
        if not (rules.sizer is None or rules.is_subadditive or is_counted):
            count = self._count_that_fits(pieces)
        taken, rest = pieces[:count], pieces[count:]
        _, end, complete = taken[-1]
        self._pieces = []
        self._rate = self._size * RATE // (end - self._start)
        self.emit((self._start, end, complete, "sized"), taken, self._level)
        if rest:
            self._open(rest[0], self._level, self.measure(*rest[0][:2]))
            self._pieces = rest
            self._size = self.measure(self._start, rest[-1][1])

    def _count_that_fits(self, pieces: Sequence[Piece]) -> int:
        """Return how many of the open pack's pieces are within the limit, by count."""
        # The first one alone is: that was counted when the pack was opened.
        fewest, most = 1, len(pieces)
        count = most
        while fewest < most:
            size = self.measure(self._start, pieces[count - 1][1])
            if size <= self._rules.max_size:
                fewest = count
                self._size = size
            else:
                most = count - 1
            count = (fewest + most + 1) // 2
        return fewest

    def _fitting(self, starts: Sequence[int], end: int, limit: int) -> Sequence[int]:
        """Return those *starts* from which the text up to *end* is within *limit*.

        Looks for the first of them by halves: what it returns is counted, the order
        of sizes is taken for granted.
        """
        low, high = 0, len(starts)
        while low < high:
            middle = (low + high) // 2
            if self.measure(starts[middle], end) <= limit:
                high = middle
            else:
                low = middle + 1
        return starts[high:]

    def _set_repeatable(self, pack: Pack) -> None:
        """Find where the overlap behind a *pack* may start.

        That can be inside of what the pack repeats itself.
        """
        (start, end, *_), pieces, level, earlier = pack
        overlap = self._rules.overlap
        found: list[Sequence[int]] = []
        first = end
        size = due = 0
        for piece in reversed(pieces):
            is_clusters = level == CLUSTERS
            found.append(
                self._cluster_starts(piece)
                if is_clusters
                else self._starts_in(piece, level)
            )
            size += self.measure(piece[0], first)
            first = piece[0]
            if size > overlap and end - first >= due:
                # The sum of the parts is too much, the whole need not be. It is
                # counted again when it is twice as long.
                size = self.measure(first, end)
                if size > overlap:
                    break
                due = 2 * (end - first)
        else:
            found.append(earlier)
        behind = [at for starts in reversed(found) for at in starts if at > start]
        self._repeatable = tuple(self._fitting(behind, end, overlap))
        self._repeats_to = end

    def _starts_in(self, piece: Piece, level: int) -> list[int]:
        """Return the starts of what an overlap may repeat of a piece."""
        start, end, _ = piece
        if level >= self._rules.overlap_level:
            return [start]
        overlap_by = self._rules.overlap_by
        text = self._view(start, end)
        begun = overlap_by.begin(start)
        spans = overlap_by.scan(text, start, begun, final=True)[0]
        return [span[0] for span in spans]

    def _cluster_starts(self, piece: Piece) -> list[int]:
        """Return the starts of the clusters of *piece* that an overlap may reach."""
        start, end, _ = piece
        text = self._view(start, end)
        at = cluster_end(text, max(len(text) - self._rules.overlap, 0))
        return [start + at, *(start + end for end in cluster_ends(text, at))][:-1]

    def _balanced(self, before: Pack, last: Pack) -> tuple[Pack, Pack]:
        """Return the last two packs; the last one takes what it lacks, if it can."""
        rules = self._rules
        (start, *_), pieces, level, earlier = before
        (first, end, *marks), *rest = last
        if level == CLUSTERS:
            pieces = self._clusters_of(pieces[0])
        while len(pieces) > 1 and self.measure(first, end) < rules.min_size:
            taken = pieces[-1][0]
            pieces = pieces[:-1]
            _, stop, complete = pieces[-1]
            # What is left can have more than the whole had.
            left_size = self.measure(start, stop)
            if (
                not rules.min_size <= left_size <= rules.max_size
                or self.measure(taken, end) > rules.max_size
            ):
                break
            span = (start, stop, complete, "sized")
            left = pieces
            if level == CLUSTERS:
                left = ((pieces[0][0], stop, complete),)
            before = (span, left, level, earlier)
            if rules.overlap:
                self._set_repeatable(before)
            first = self.start_for(taken, end)
        return before, ((first, end, *marks), *rest)  # type: ignore[return-value]  # the same fields

    def _clusters_of(self, piece: Piece) -> tuple[Piece, ...]:
        start, end, complete = piece
        ends = [0, *cluster_ends(self._view(start, end))]
        clusters: list[Piece] = [
            (start + a, start + b, False) for a, b in pairwise(ends)
        ]
        clusters[-1] = (*clusters[-1][:2], complete)
        return tuple(clusters)
