"""Edits: spans of the stream, merged there, and made while text is written out."""

from __future__ import annotations

from collections import deque
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from ._values import Edit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .._chunk import Chunk


class _Proposed(NamedTuple):
    """An edit, with what says for which pieces it is known in time.

    Attributes:
        known_at: Index of the chunk of the stream that was judged, or -1; where a chunk
            of another grain begins.
        is_own: Which of these it is.
        rank: Place of the check.
        edit: The edit.
    """

    known_at: int
    is_own: bool
    rank: int
    edit: Edit


class Edits:
    """The edits of one stream, from the verdict to the text that is written.

    Args:
        window: How many chunks behind a chunk have to pass before it is released;
            infinity where all have to.
        are_allowed: Whether there can be any: text that is out cannot be edited.
    """

    def __init__(self, window: float, *, are_allowed: bool) -> None:
        self._window = window
        self._are_allowed = are_allowed
        # Edits that are not written yet, and one that is in part.
        self._proposed: list[_Proposed] = []
        self._open: Edit | None = None
        # Where edits may begin for the chunks of the window, the oldest one first.
        windows = None if window == inf else int(window) + 1
        self._from: deque[int] = deque(maxlen=windows)

    def begin_of_chunk(self, start: int) -> float:
        """Return where edits of the checks of the next chunk may begin.

        Args:
            start: Where its text begins that no chunk before it holds.
        """
        self._from.append(start)
        return self._from[0] if self._are_allowed else inf

    def begin_of_other(self, start: int) -> float:
        """Return the same for a chunk of another grain, which begins at *start*."""
        return start if self._are_allowed else inf

    @property
    def begin_of_whole(self) -> float:
        """The same for the whole text, whose last chunk waits for it."""
        if not self._from or not self._are_allowed:
            return inf
        return self._from[0 if self._window == inf else -1]

    def propose(
        self, edits: Sequence[Edit], *, known_at: int, is_own: bool, rank: int
    ) -> None:
        """Take the edits of a check.

        Args:
            edits: The edits, each where the check may make one.
            known_at: Index of the chunk that was judged; -1 for the whole text, which
                all pieces wait for that it can edit; where a chunk of another grain
                begins.
            is_own: Whether *known_at* is an index.
            rank: Place of the check in the declaration.
        """
        self._proposed += [_Proposed(known_at, is_own, rank, edit) for edit in edits]

    @property
    def is_idle(self) -> bool:
        """Whether the next piece is written as it is."""
        return not self._proposed and self._open is None

    def write(self, chunk: Chunk, text: str) -> tuple[str, str, tuple[Edit, ...]]:
        """Return lead and text of a piece with edits, and the edits that touch it.

        Only edits that are known whenever this piece is released are made, not those of
        chunks that happen to have been judged by now: what comes out must not depend on
        time. An edit that reaches behind the piece stays open: what it covers of the
        next piece is left out there, and its replacement has been written.

        Args:
            chunk: The chunk of the piece.
            text: What the chunks before it did not hold of it.
        """
        last = chunk.index + self._window
        end = chunk.end
        merged = self._merged(
            each
            for each in self._proposed
            if each.known_at <= (last if each.is_own else end - 1)
        )
        begin = end - len(text)
        lead = render(chunk.gap, begin - len(chunk.gap), merged)
        text = render(text, begin, merged)
        begin -= len(chunk.gap)
        touching = tuple(e for e in merged if e.start < end and e.end >= begin)
        self._open = touching[-1] if touching and touching[-1].end > end else None
        self._proposed = [each for each in self._proposed if each.edit.start >= end]
        return lead, text, touching

    def write_tail(self, tail: str, start: int) -> str:
        """Return the text behind the last chunk with edits; it begins at *start*."""
        return render(tail, start, self._merged(self._proposed))

    def _merged(self, proposed: Iterable[_Proposed]) -> list[Edit]:
        known = [(each.rank, each.edit) for each in proposed]
        if self._open is not None:
            known.append((-1, self._open))
        return merge_edits(known)


def merge_edits(edits: Iterable[tuple[int, Edit]]) -> list[Edit]:
    """Return *edits* in order, those that overlap merged into their union.

    A union gets the replacement of the edit with the lowest rank in it. Edits that only
    touch stay apart, and so do insertions at one place, in the order of their ranks; an
    insertion where another edit begins stands before that.

    Args:
        edits: Ranks and edits; the rank is the place of the check that made it.
    """
    merged: list[Edit] = []
    start = end = best = -1
    replacement = ""
    ordered = sorted(edits, key=_place)
    for rank, edit in ordered:
        if edit.start < end:
            end = max(end, edit.end)
            if rank < best:
                best, replacement = rank, edit.replacement
            continue
        if start >= 0:
            merged.append(Edit(start, end, replacement))
        start, end, best, replacement = edit.start, edit.end, rank, edit.replacement
    if start >= 0:
        merged.append(Edit(start, end, replacement))
    return merged


def _place(each: tuple[int, Edit]) -> tuple[int, bool, int, int]:
    rank, edit = each
    return edit.start, edit.end > edit.start, -edit.end, rank


def render(text: str, start: int, edits: Sequence[Edit]) -> str:
    """Return *text* with all edits made that touch it.

    A replacement stands where its edit begins. What is written of neighbouring texts is
    therefore the same as what is written of them together, also where an edit reaches
    from one into the other.

    Args:
        text: A slice of the stream.
        start: Where it begins.
        edits: Merged edits, in order.
    """
    parts: list[str] = []
    at, end = start, start + len(text)
    for edit in edits:
        if edit.start >= end:
            break
        if edit.start >= at:
            parts += (text[at - start : edit.start - start], edit.replacement)
        at = max(at, edit.end)
    return "".join([*parts, text[at - start :]])
