"""Token packer: fills packs by a size that adds up before spaces."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import regex
from typing_extensions import override

from ..sizing import utf8_bytes
from ._pack import RATE, Packer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._pending import View
    from .._spans import SpanFields
    from ._pack import Counted, PackRules, PackState, Piece

_LOWEST_RATE = 8
"""The least that is taken for it: 128 code points a unit."""

_LIKELY = 700
"""Code points that join uncounted where `RATE` of them would have room."""

_FAR = 256
"""Code points behind a joint in which a piece has to start to be counted from there.

Also about as many are looked at first to find the last joint of a text.
"""

_JOINT = regex.compile(r"[^\s\x1c-\x1f] ")
_LAST_JOINT = regex.compile(r"(?r)[^\s\x1c-\x1f] ")
"""A match ends behind a joint. White space is what `str.isspace` says."""

_start_of = itemgetter(0)
_end_of = itemgetter(1)


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
    # the pack is probably not full, which follows from what it has by now, or the pack
    # before had, and from offsets alone; the next one is counted together with them. If
    # that is too much, or the pack is closed, those that joined uncounted are given
    # back until the pack fits.
    #
    # `_size` is the size of the pack up to `_due`: a joint in the last piece that was
    # counted, or the end of that. What starts behind it joined uncounted.
    __slots__ = ("_joint", "_laid", "_to_joint")

    def __init__(self, rules: PackRules, view: View, state: PackState) -> None:
        super().__init__(rules, view, state)
        # The last joint of the pack up to `_due`, or else its start, and the size up to
        # there; `None` before they were looked for.
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
            if not self._fits_alone(piece):
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
        # Counted as a whole each time that it has grown by a quarter: each code point a
        # few times. Not up to the last joint, behind which may be an endless word.
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
        # Nearly all that is counted lies in the text handed to the scan.
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
                if joint > 0 and text[joint - 1].isspace():
                    found = _LAST_JOINT.search(text, start, joint)
                    joint = found.end() - 1 if found else -1
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
        if self._start == start:
            self._size = self._to_joint = size
            self._due = self._joint = joint
        return True

    @property
    def _likely_end(self) -> int:
        """Where the open pack will probably not be full yet, or hardly more."""
        due = self._due
        room = self._rules.max_size - self._size
        # Before anything is counted, as if a code point were a unit.
        rate = self._rate_by_now or RATE
        return due + room * _LIKELY // rate

    @property
    def _rate_by_now(self) -> int:
        """What `RATE` code points of the open pack have, or had in the pack before."""
        length = self._due - self._start
        if not length:
            return self._rate
        return max(self._size * RATE // length, _LOWEST_RATE)

    def _size_from(self, start: int, joint: int, before: int, added: int) -> int:
        """Return the size of the beginning of a piece, up to its last joint.

        Args:
            start: Where the piece starts.
            joint: Its last joint.
            before: A joint before the piece, or the start of a pack, if one is known.
            added: The size from there to *joint*.
        """
        first = self._first_joint(start, joint)
        if added < 0 or first < 0 or start - before >= _FAR:
            return self.measure(start, joint)
        return added - self.measure(before, first) + self.measure(start, first)

    def _known_joint(self) -> int:
        """Return the last joint of the open pack up to `_due`, or else its start."""
        joint = self._joint
        if joint is None:
            due = self._due
            joint = self._last_joint(self._start, due + 1)
            self._to_joint = self._size
            if joint < 0:
                joint = self._start
                self._to_joint = 0
            elif joint < due:
                self._to_joint -= self.measure(joint, due)
            self._joint = joint
        return joint

    def _first_joint(self, start: int, end: int) -> int:
        """Return the first joint between two offsets, or -1."""
        found = _JOINT.search(self._view(start, end))
        return start + found.end() - 1 if found else -1

    def _last_joint(self, start: int, end: int) -> int:
        """Return the last joint between two offsets, or -1."""
        # Mostly it is near the end, and what lies before need not be read.
        first = end
        while first > start:
            first = max(end - 4 * (end - first) - _FAR, start)
            found = _LAST_JOINT.search(self._view(first, end))
            if found:
                return first + found.end() - 1
        return -1

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
        likely = self._likely_end
        if end <= likely and self._fits_alone(piece):
            return True
        pieces = self._pieces
        if pieces[-1][1] > likely and self._count_that_fits(pieces) < len(pieces):
            # What was given back by the pack before is too much alone.
            return False
        return self._is_within(end)

    def _is_within(self, end: int) -> bool:
        """Whether the open pack is within the limit up to *end*, which then is due."""
        joint = self._known_joint()
        size = self._to_joint + self.measure(joint, end)
        if size > self._rules.max_size:
            return False
        self._size = size
        self._due = end
        self._joint = None
        return True

    def _fits_alone(self, piece: Piece) -> bool:
        """Whether a piece is within the limit alone; counted only if it may not be."""
        start, end, _ = piece
        is_small = self._is_small(piece)
        return is_small or self.measure(start, end) <= self._rules.max_size

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
        self._rate = self._rate_by_now
        self._pieces = []
        self.emit((self._start, end, complete, "sized"), taken, self._level)
        if rest:
            self._begin(rest[0], self._level)
            self._pieces = rest

    @override
    def _count_that_fits(self, pieces: Sequence[Piece]) -> int:
        # The first one fits alone.
        fits = max(bisect_left(pieces, self._due, key=_start_of), 1)
        over = len(pieces) + 1
        while over - fits > 1:
            # First as many as probably fit, because there can be far more, then by
            # halves. What fits need not be counted again.
            count = (fits + over) // 2
            if over > len(pieces):
                likely = bisect_right(pieces, self._likely_end, key=_end_of)
                count = max(likely, fits + 1)
            if self._is_within(pieces[count - 1][1]):
                fits = count
            else:
                over = count
        return fits
