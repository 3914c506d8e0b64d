"""A grain: the chunks of one strategy, with the checks that judge them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from ._check import Chunks
from ._values import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._chunk import Chunk
    from ._bound_check import BoundCheck
    from ._values import Verdict


class Slot:
    """A chunk on its way through its checks.

    Attributes:
        grain: The grain that it is of.
        chunk: The chunk.
        at: What orders slots of all grains: where the chunk begins; for the whole text,
            which is judged last, behind all of it.
        edit_from: Where an edit may begin; what is before that may be out already.
        views: What each check of the grain is shown, in their order.
        verdicts: What each has said so far.
        waiting: How many have said nothing yet.
        rejected: Whether one has rejected it.
        error: What one has raised that is to be raised on.
        formed: When the chunk was complete, on the clock for durations.
    """

    __slots__ = (
        "at",
        "chunk",
        "edit_from",
        "error",
        "formed",
        "grain",
        "rejected",
        "verdicts",
        "views",
        "waiting",
    )

    def __init__(
        self, grain: Grain, chunk: Chunk, views: Sequence[View], formed: float
    ) -> None:
        self.grain: Grain = grain
        self.chunk: Chunk = chunk
        self.at: float = chunk.start
        self.edit_from: float = self.at
        self.views: Sequence[View] = views
        self.verdicts: list[Verdict | None] = [None] * len(views)
        self.waiting: int = len(views)
        self.rejected: bool = False
        self.error: Exception | None = None
        self.formed: float = formed

    @property
    def failed(self) -> bool:
        """Whether the chunk cannot be released any more."""
        return self.rejected or self.error is not None


class Grain:
    """The chunks of one strategy that are not done with, and their checks.

    Args:
        checks: The checks, in the order of declaration.
        overlaps: Whether a chunk may begin before the one before it ends.

    Attributes:
        slots: What is not done with, in order. In the stream's own grain these are the
            chunks that are not released, in others those that have not passed.
        passed: How many at the front of *slots* have passed.
        covered: Where the last chunk ends that passed with all before it.
    """

    # Context. `_text` is the stream from `_from` on as far as chunks were formed. It is
    # cut to what the largest window can still reach from the next chunk, which begins
    # behind the beginning of this one.

    def __init__(self, checks: Sequence[BoundCheck], *, overlaps: bool = False) -> None:
        self.checks: tuple[BoundCheck, ...] = tuple(checks)
        self.inline: tuple[BoundCheck, ...] = tuple(
            check for check in checks if check.is_inline
        )
        self.others: tuple[BoundCheck, ...] = tuple(
            check for check in checks if not check.is_inline
        )
        for place, check in enumerate(checks):
            check.slot_place = place
        self.slots: deque[Slot] = deque()
        self.passed: int = 0
        self.covered: int = 0
        self._overlaps = overlaps
        # Before which no chunk begins that is not formed, once all have passed.
        self._settled = 0
        contexts = [check.options.context for check in checks]
        self._has_context = any(contexts)
        self._size = max(
            (each for each in contexts if isinstance(each, int)), default=0
        )
        self._count = max(
            (each.count for each in contexts if isinstance(each, Chunks)), default=0
        )
        self._text = ""
        self._from = 0
        self._previous: deque[Chunk] = deque(maxlen=self._count)

    def add(self, chunk: Chunk, formed: float) -> Slot:
        """Return a new slot for *chunk*, which is the next one in order."""
        if self._has_context:
            views: Sequence[View] = self._with_context(chunk)
        else:
            views = (View(chunk),) * len(self.checks)
        slot = Slot(self, chunk, views, formed)
        self.slots.append(slot)
        return slot

    def _with_context(self, chunk: Chunk) -> list[View]:
        text = self._text + chunk.gap
        end = self._from + len(text)
        before = text[: chunk.start - self._from]
        views = [self._view(check, chunk, before) for check in self.checks]
        self._previous.append(chunk)
        text += chunk[max(0, end - chunk.start) :]
        needed = chunk.start + 1 - self._size
        if self._previous:
            needed = min(needed, self._previous[0].start)
        drop = max(0, needed - self._from)
        self._text = text[drop:]
        self._from += drop
        return views

    def _view(self, check: BoundCheck, chunk: Chunk, before: str) -> View:
        context = check.options.context
        if isinstance(context, Chunks):
            previous = tuple(self._previous)[-context.count :]
            if not previous:
                return View(chunk)
            return View(chunk, before[previous[0].start - chunk.start :], previous)
        return View(chunk, before[-context:] if context else "")

    @property
    def front(self) -> Slot | None:
        """The first slot that has not passed."""
        return self.slots[self.passed] if self.passed < len(self.slots) else None

    @property
    def unsettled(self) -> int:
        """How many slots there are from the first one on that has not passed."""
        return len(self.slots) - self.passed

    def count_passed(self) -> None:
        """Count the slots at the front that have passed since the last call, too."""
        slots = self.slots
        passed = self.passed
        while passed < len(slots):
            slot = slots[passed]
            if slot.waiting or slot.failed:
                break
            passed += 1
        self.passed = passed

    def drop_passed(self) -> None:
        """Let go of the slots that have passed, and note how far they reach."""
        for _ in range(self.passed):
            chunk = self.slots.popleft().chunk
            self.covered = max(self.covered, chunk.end)
            self._settled = chunk.start + 1 if self._overlaps else chunk.end
        self.passed = 0

    def covers(self, end: int) -> bool:
        """Return whether all formed chunks that begin before *end* have passed.

        And whether no further one can: one that ends there or behind has been formed,
        or, where chunks overlap, one that begins there or just before.
        """
        front = self.front
        return (self._settled if front is None else front.at) >= end
