"""Token packer: fills packs by a size that adds up before spaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from ..sizing import utf8_bytes
from ._pack import Packer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._pending import View
    from .._spans import SpanFields
    from ._pack import Counted, PackRules, PackState, Piece

_RATE = 1_024
"""Code points for which the size of the last pack is remembered."""

_LOWEST_RATE = 8
"""The least that is remembered: 128 code points a unit."""

_LIKELY = 700
"""Code points that join uncounted where the pack before would have had `_RATE`."""

_FAR = 256
"""Code points behind a joint in which a piece has to start to be counted from there."""


class _Laid(NamedTuple):
    """Pieces of one scan, counted from joint to joint.

    Attributes:
        spans: The pieces.
        joints: The last joint of each; -1 where there is none, or the piece is long.
        befores: The joint before that, or -1.
        sizes: The size between the two, or -1.
    """

    spans: Sequence[SpanFields]
    joints: list[int]
    befores: list[int]
    sizes: list[int]


class TokenPacker(Packer):
    """Fills one pack after the other, where sizes add up before spaces.

    A `Packer` would do, but it counts each code point about twice, and this one once.
    """

    # Plan. A joint is a place before a space that does not follow on white space: sizes
    # add up there. From the last joint of a piece to that of the next one is counted
    # once, for all pieces of a scan in one loop, and tells both how large a pack is
    # with that piece, and how large the next pack begins; only the words at the ends of
    # a pack are counted besides.
    #
    # Pieces without a joint, as in scripts without spaces, join uncounted as long as
    # the pack is probably not full, which follows from the pack before and from offsets
    # alone; the next one is counted together with them. If that is too much, or the
    # pack is closed, those that joined uncounted are given back until the pack fits.
    #
    # `_size` is the size of the pack up to `_due`: a joint in the last piece that was
    # counted, or the end of that. What starts behind it joined uncounted.
    __slots__ = ("_joint", "_laid", "_to_joint")

    def __init__(self, rules: PackRules, view: View, state: PackState) -> None:
        super().__init__(rules, view, state)
        # The last joint of the pack up to `_due`, -1 if there is none, and the size up
        # to there; `None` before they were looked for.
        self._joint: int | None = None
        self._to_joint = 0
        # By level.
        self._laid: dict[int, _Laid] = {}

    @override
    def add_run(
        self,
        spans: Sequence[SpanFields],
        at: int,
        level: int,
        *,
        complete: bool | None,
    ) -> tuple[int, bool]:
        laid = self._laid.get(level)
        if laid is None or laid.spans is not spans:
            laid = self._laid[level] = self._lay(spans, at)
        while at < len(spans):
            is_laid = laid.joints[at] >= 0
            if self._pieces:
                add = self._add_laid if is_laid else self._add_uncounted
                done = add(laid, at, complete=complete)
                if done == at and is_laid:
                    self._close_one()
                elif done == at:
                    break
                at = done
            elif not is_laid:
                break
            elif self._open_laid(laid, at, level, complete=complete):
                at += 1
            else:
                return at, True
        return at, False

    @override
    def pack(self, piece: Piece, level: int, counted: Counted | None) -> bool:
        start, end, _ = piece
        if self.count_open(start, end, counted) is None:
            return False
        if not self._joins(piece):
            if not self._is_small(piece) and (
                self.measure(start, end) > self._rules.max_size
            ):
                return False
            self._begin(piece, level)
        return True

    @override
    def add(self, piece: Piece, level: int, size: int) -> None:
        if not self._joins(piece):
            self._begin(piece, level)

    @override
    def count_open(
        self, start: int, surely: int, counted: Counted | None
    ) -> Counted | None:
        # Counted as a whole each time that it has grown by a quarter, so each code point
        # a few times. Not up to the last joint: behind that may be an endless word.
        if counted is None or counted[0] != start:
            counted = (start, start, 0, 0)
        step = self._rules.step
        place = counted[1]
        while (place := place + max(step, (place - start) // 4)) <= surely:
            if self.measure(start, place) > self._rules.max_size:
                return None
            counted = (start, place, 0, 0)
        return counted

    @override
    def measure(self, start: int, end: int) -> int:
        view = self._view
        base = view.base
        if start >= base:
            sizer: Any = self._rules.sizer
            size = sizer(view.text[start - base : end - base])
            if type(size) is int and size >= 0:
                return size
        return super().measure(start, end)

    def _lay(self, spans: Sequence[SpanFields], at: int) -> _Laid:
        """Count the pieces from index *at* on from joint to joint.

        The text of those before need not be held any more.
        """
        step = self._rules.step
        if at + 1 == len(spans):
            # The usual case of a stream: there is nothing to count in one loop.
            start, end = spans[at][:2]
            joint = self._last_joint(start, end) if end - start < step else -1
            unknown = [-1] * len(spans)
            return _Laid(spans, [*unknown[:at], joint], unknown, unknown.copy())
        text = self._view.text
        base = self._view.base
        if spans[at][0] < base:
            base = spans[at][0]
            text = self._view(base, spans[-1][1])
        joints = [-1] * at
        befores = [-1] * at
        find = text.rfind
        before = -1
        for span in spans[at:]:
            start = span[0] - base
            end = span[1] - base
            joint = -1
            if end - start < step:
                joint = find(" ", start + 1, end)
                while joint > 0 and text[joint - 1].isspace():
                    joint = find(" ", start + 1, joint)
            joints.append(joint)
            befores.append(before if start - before < _FAR else -1)
            if joint > 0:
                before = joint
        count: Any = self._rules.sizer
        # All in one loop: what counts stays in the processor's cache.
        sizes = [
            count(text[before:joint]) if joint > 0 <= before else -1
            for before, joint in zip(befores, joints, strict=True)
        ]
        if not {int}.issuperset(map(type, sizes)):
            # The error is raised where such a size is needed.
            sizes = [-1] * len(sizes)
        if base:
            joints = [joint + base if joint > 0 else -1 for joint in joints]
            befores = [before + base if before > 0 else -1 for before in befores]
        return _Laid(spans, joints, befores, sizes)

    def _add_laid(self, laid: _Laid, at: int, *, complete: bool | None) -> int:
        """Add pieces to the open pack while it has room for them.

        Returns:
            The index of the first piece that was not added.
        """
        spans, joints, befores, sizes = laid
        first = at
        limit = self._rules.max_size
        known = self._known_joint()
        size = self._to_joint
        while at < len(spans) and (joint := joints[at]) >= 0:
            if known < 0:
                with_it = self.measure(self._start, joint)
            else:
                if known != befores[at] or sizes[at] < 0:
                    befores[at] = known
                    sizes[at] = self.measure(known, joint)
                with_it = size + sizes[at]
            end = spans[at][1]
            # No text has a greater size than bytes: mostly the end need not be counted.
            if with_it + 4 * (end - joint) > limit and (
                with_it > limit or with_it + self.measure(joint, end) > limit
            ):
                break
            known = joint
            size = with_it
            at += 1
        if at > first:
            self._size = self._to_joint = size
            self._due = self._joint = known
            if self._uses_once:
                self._pieces.clear()
                first = at - 1
            self._pieces += [
                (start, end, complete if closed is None else closed)
                for start, end, closed, *_ in spans[first:at]
            ]
        return at

    def _add_uncounted(self, laid: _Laid, at: int, *, complete: bool | None) -> int:
        """Add pieces without a joint to the open pack while they need not be counted.

        Returns:
            The index of the first piece that was not added.
        """
        spans, joints, _, _ = laid
        add = self._pieces.append
        likely = self._likely_end
        small = self._rules.max_size // 4
        while at < len(spans) and joints[at] < 0:
            start, end, known = spans[at][:3]
            piece = (start, end, complete if known is None else known)
            if end > likely or (end - start > small and not self._is_small(piece)):
                break
            add(piece)
            at += 1
        return at

    def _open_laid(
        self, laid: _Laid, at: int, level: int, *, complete: bool | None
    ) -> bool:
        """Open a pack with a piece, when none is open; return whether it fits alone."""
        spans, joints, befores, sizes = laid
        start, end, known = spans[at][:3]
        joint = joints[at]
        size = self._size_from(start, joint, befores[at], sizes[at])
        limit = self._rules.max_size
        if size + 4 * (end - joint) > limit and (
            size > limit or size + self.measure(joint, end) > limit
        ):
            return False
        self._begin((start, end, complete if known is None else known), level)
        if self._start < start:
            size = self.measure(self._start, joint)
        self._size = self._to_joint = size
        self._due = self._joint = joint
        return True

    @property
    def _likely_end(self) -> int:
        """Where the open pack will probably not be full yet."""
        room = self._rules.max_size - self._size
        # Before the first pack is closed, as if a code point were a unit.
        return self._due + room * _LIKELY // (self._rate or _RATE)

    def _size_from(self, start: int, joint: int, before: int, added: int) -> int:
        """Return the size of the beginning of a piece, up to its last joint.

        Args:
            start: Where the piece starts.
            joint: Its last joint.
            before: The joint of the piece before, if it is one of the run.
            added: The size from there to *joint*.
        """
        first = self._first_joint(start, joint)
        if added < 0 or first < 0:
            return self.measure(start, joint)
        return added - self.measure(before, first) + self.measure(start, first)

    def _known_joint(self) -> int:
        """Return the last joint of the open pack up to `_due`, or -1."""
        joint = self._joint
        if joint is None:
            due = self._due
            joint = self._joint = self._last_joint(self._start, due + 1)
            self._to_joint = self._size
            if 0 <= joint < due:
                self._to_joint -= self.measure(joint, due)
        return joint

    def _first_joint(self, start: int, end: int) -> int:
        """Return the first joint between two offsets, or -1."""
        text = self._view(start, end)
        joint = text.find(" ", 1)
        while joint > 0 and text[joint - 1].isspace():
            joint = text.find(" ", joint + 1)
        return start + joint if joint > 0 else -1

    def _last_joint(self, start: int, end: int) -> int:
        """Return the last joint between two offsets, or -1."""
        text = self._view(start, end)
        joint = text.rfind(" ", 1)
        while joint > 0 and text[joint - 1].isspace():
            joint = text.rfind(" ", 1, joint)
        return start + joint if joint > 0 else -1

    def _begin(self, piece: Piece, level: int) -> None:
        """Open a pack with a piece that fits, when none is open."""
        start, end, _ = piece
        self._start = self.start_for(start, end)
        self._due = start
        self._size = 0
        self._joint = None
        if self._start < start:
            self._size = self.measure(self._start, end)
            self._due = end
        self._level = level
        self._pieces = [piece]

    @override
    def _takes(self, piece: Piece) -> bool:
        _, end, _ = piece
        is_likely = end <= self._likely_end and self._is_small(piece)
        return is_likely or self._is_within(end)

    def _is_within(self, end: int) -> bool:
        """Whether the open pack is within the limit up to *end*, which then is due."""
        joint = self._known_joint()
        if joint < 0:
            size = self.measure(self._start, end)
        else:
            size = self._to_joint + self.measure(joint, end)
        if size > self._rules.max_size:
            return False
        self._size = size
        self._due = end
        self._joint = None
        return True

    def _is_small(self, piece: Piece) -> bool:
        """Whether a piece surely fits alone: it has no more units than bytes."""
        start, end, _ = piece
        max_size = self._rules.max_size
        return 4 * (end - start) <= max_size or (
            end - start <= max_size and utf8_bytes(self._view(start, end)) <= max_size
        )

    @override
    def _close_one(self) -> None:
        pieces = self._pieces
        count = self._count_that_fits(pieces)
        taken, rest = pieces[:count], pieces[count:]
        _, end, complete = taken[-1]
        length = self._due - self._start
        if length:
            self._rate = max(self._size * _RATE // length, _LOWEST_RATE)
        self._pieces = []
        self.emit((self._start, end, complete, "sized"), taken, self._level)
        if rest:
            self._begin(rest[0], self._level)
            self._pieces = rest

    @override
    def _count_that_fits(self, pieces: Sequence[Piece]) -> int:
        over = len(pieces)
        if pieces[-1][0] < self._due or self._is_within(pieces[-1][1]):
            return over
        # The first one fits alone. By halves: what fits need not be counted again.
        fits = max(sum(1 for start, *_ in pieces if start < self._due), 1)
        while over - fits > 1:
            count = (fits + over) // 2
            if self._is_within(pieces[count - 1][1]):
                fits = count
            else:
                over = count
        return fits
