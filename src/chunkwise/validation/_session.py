"""Session: everything about one stream but the waiting.

It has what is read cut, keeps account of verdicts, and says what may be released. The
drivers read, call checks, and hand out.
"""

from __future__ import annotations

import logging
import sys
from collections import deque
from itertools import islice
from math import inf
from operator import itemgetter
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal

from .._chunk import Chunk
from ._bound_check import BoundCheck
from ._check import as_check
from ._cutting import Cutting
from ._edits import Edits
from ._errors import Aborted, Interrupted, Rejected, SourceStalled
from ._events import CheckFinished, ChunkFormed, Ended, Released, Retraction
from ._grain import Grain, Slot
from ._values import PASSED, Outcome, Piece, Stats, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._cut import Cut
    from ._check import Check, CheckFunction
    from ._events import Event
    from ._options import SessionOptions

_LOGGER = logging.getLogger("chunkwise.validation")


class Session:
    """One stream between its source, its checks and its reader.

    Attributes:
        to_judge: Slots that wait for a driver, in the order to judge them in.
        ready: Pieces to hand out.
        limit: Where the first failure begins that is known so far; infinity without.
        reading: Whether more is wanted of the source.
        over: Whether nothing more will become ready.
        releases_first: Whether pieces are handed out before their verdict.
        observes: Whether no verdict changes anything.
        checks: All checks, in the order of declaration.
        outcome: Set at the very end.
    """

    # Plan. What is read becomes slots: chunks of the stream's own grain, chunks of
    # other grains, and at the end the whole text. A driver takes slots from `to_judge`,
    # has them judged, and reports to `record`. The own slots wait in order. The first
    # one becomes a piece in `ready` when enough slots behind it have passed for the
    # policy, and all slots of other grains that begin before its end. A slot that fails
    # sets `limit`: nothing that begins there or behind is of interest any more, so
    # reading stops at once. What begins before is still judged; the failure that is
    # reported is therefore the one that begins first, whichever was known first.

    def __init__(
        self, checks: Sequence[Check | CheckFunction], options: SessionOptions
    ) -> None:
        self._options = options
        self._observer = options.observer
        self._observer_failed = False
        self.checks: list[BoundCheck] = [
            BoundCheck(as_check(check), at) for at, check in enumerate(checks)
        ]
        at_end = [check for check in self.checks if check.options.at == "end"]
        by_strategy: dict[Any, list[BoundCheck]] = {None: []}
        for check in self.checks:
            if check.options.at == "chunk":
                by_strategy.setdefault(check.options.strategy, []).append(check)
        self._own = Grain(by_strategy[None])
        self._names = [check.name for check in self._own.checks]
        # What nearly all chunks get, made once.
        self._passes = [PASSED] * len(self._names)
        self._passed = tuple(zip(self._names, self._passes, strict=True))
        strategies = [strategy for strategy in by_strategy if strategy is not None]
        self._others = [
            Grain(by_strategy[strategy], overlaps=strategy.overlaps)
            for strategy in strategies
        ]
        self._cutting = Cutting(options, strategies)
        # Whether there is but one strategy, and whether nothing but chunks is judged.
        self._is_plain = not self._others
        self._is_simple = self._is_plain and not at_end
        self._whole = Grain(at_end) if at_end else None
        self._grains = [self._own, *self._others]
        # Places of the strategies in `_cutting`, and of their grains.
        self._places = range(len(self._grains))
        if self._whole is not None:
            self._grains.append(self._whole)
        # How many slots behind the first one have to pass before it is released.
        self._window: float = inf if options.release == "end" else options.hold_back
        self.releases_first: bool = options.release in {"optimistic", "observe"}
        self.observes: bool = options.release == "observe"
        self.to_judge: deque[Slot] = deque()
        self.ready: deque[Released] = deque()
        self._unread: list[Chunk] = []
        self.limit: float = inf
        self.reading: bool = True
        self.over: bool = False
        self.outcome: Outcome | None = None
        # The source came to its natural end, and all that it gave has become slots.
        self._complete = False
        self._kept: list[str] = []
        self._failure: Slot | None = None
        self._source_error: BaseException | None = None
        self._left: BaseException | Literal["abandoned"] | None = None
        self._observed: Slot | None = None
        # How far holding would have released, and ends of chunks behind that.
        self._held_to = 0
        self._held_back: deque[int] = deque()
        self._edits = Edits(self._window, are_allowed=options.release != "optimistic")
        self._formed_to = 0
        self._written_to = 0
        self._released_to = 0
        self._began = perf_counter()
        self._deltas = self._chunks = self._released = self._most = 0
        self._first_release: float | None = None

    def begin(self) -> None:
        """Note that the block begins now."""
        self._began = perf_counter()

    # --- what comes in --------------------------------------------------------------

    def take(self, item: str | Cut) -> bool:
        """Take the next item of the source; an error ends the reading.

        Returns:
            Whether there is something to do now, or nothing more to read.
        """
        self._deltas += 1
        if self._whole is not None and isinstance(item, str):
            self._kept.append(item)
        cut = self._cutting.cut
        if self._is_plain:
            chunks = cut(0, item)
            if chunks:
                self._add([chunks])
        else:
            self._add([cut(place, item) for place in self._places])
        if self._cutting.error is not None:
            self._keep_error(self._cutting.error)
        if self.reading:
            return bool(self.to_judge or self.ready)
        self._advance()
        return True

    def take_end(self, *, truncated: bool) -> None:
        """Take note that the source has ended by itself.

        Args:
            truncated: Whether its text broke off.
        """
        end = self._cutting.end
        self._add([end(place, truncated=truncated) for place in self._places])
        if self._cutting.error is not None:
            self._keep_error(self._cutting.error)
        if self._whole is not None:
            text = Chunk("".join(self._kept), start=0, complete=not truncated)
            slot = self._whole.add(text, perf_counter())
            slot.at = sys.maxsize
            slot.edit_from = self._edits.begin_of_whole
            self.to_judge.append(slot)
        if self._source_error is None:
            self._complete = True
        self.reading = False
        self._advance()

    def _keep_error(self, error: BaseException) -> None:
        if self._source_error is None:
            self._source_error = error
        self.reading = False

    def fail_source(self, error: BaseException) -> None:
        """Take note that the source, or what was made of its items, raised *error*.

        Only the first one counts.
        """
        self._keep_error(error)
        self._advance()

    def stall(self, seconds: float) -> None:
        """Take note that the source gave nothing for that many *seconds*."""
        offset = self._formed_to + self._cutting.held
        self.fail_source(SourceStalled(seconds=seconds, offset=offset))

    def leave(self, error: BaseException | None = None) -> None:
        """Take note that nothing more is wanted, if there is anything more.

        Args:
            error: What the next call is to raise; ``None`` where the reader left.
        """
        self.reading = False
        known = self._left is not None or self._failure is not None
        if not known and (self.ready or not self.over):
            self._left = error or "abandoned"
        self._withdraw(-1)
        self.to_judge.clear()
        self.over = True

    def interrupt(self) -> None:
        """Take note that a call was cancelled on its way."""
        self.leave(
            Interrupted(
                "the last call was cancelled on its way, so that what it had read or "
                "judged is lost to the reader; outcome.pending has the text"
            )
        )

    def abort(self) -> None:
        """Take note that the tasks of the stream were cancelled."""
        self.leave(Aborted("the task group that reads the stream was cancelled"))

    # --- from chunks to slots -------------------------------------------------------

    def _add(self, found: Sequence[Sequence[Chunk]]) -> None:
        """Make slots of chunks, in the order in which they are to be judged.

        A chunk of another grain comes before the first own one that ends behind its
        beginning, because that has to wait for it.

        Args:
            found: The chunks of each grain: first the stream's own, then the others.
        """
        formed = perf_counter()
        own = [self._add_own(chunk, formed) for chunk in found[0]]
        slots = own if self._is_plain else self._in_order(own, found[1:], formed)
        if self._observer is not None:
            for slot in slots:
                self.tell(ChunkFormed(slot.chunk))
        if self._own.checks:
            self.to_judge.extend(slots)
        else:
            # They pass at once. All other grains exist for their checks.
            self.to_judge.extend(slot for slot in slots if slot.waiting)
        if self.releases_first:
            for slot in own:
                self._release(slot)
            waiting = max(len(self.ready), len(self._own.slots))
        else:
            waiting = len(self.ready) + len(self._own.slots)
        self._most = max(self._most, waiting)
        if not self._own.checks:
            self._advance()

    def _in_order(
        self,
        own: Sequence[Slot],
        others: Sequence[Sequence[Chunk]],
        formed: float,
    ) -> list[Slot]:
        ordered: list[tuple[int, bool, Slot]] = []
        end = 0
        for slot in own:
            end = max(end, slot.chunk.end)
            ordered.append((end, False, slot))
        for grain, chunks in zip(self._others, others, strict=True):
            for chunk in chunks:
                slot = grain.add(chunk, formed)
                slot.edit_from = self._edits.begin_of_other(chunk.start)
                ordered.append((chunk.start, True, slot))
        return [slot for _, _, slot in sorted(ordered, key=itemgetter(0, 1))]

    def _add_own(self, chunk: Chunk, formed: float) -> Slot:
        slot = self._own.add(chunk, formed)
        formed_to = self._formed_to
        slot.edit_from = self._edits.begin_of_chunk(max(chunk.start, formed_to))
        self._formed_to = max(chunk.end, formed_to)
        self._chunks += 1
        return slot

    # --- verdicts -------------------------------------------------------------------

    def next_slot(self) -> Slot | None:
        """Return the next slot to judge, if there is one that still matters."""
        while self.to_judge:
            slot = self.to_judge.popleft()
            if slot.at < self.limit:
                return slot
        return None

    def judge_inline(self, slot: Slot) -> bool:
        """Call the checks of a slot that run inline; return whether all passed.

        The first one that fails it is the last one called.
        """
        for check in slot.grain.inline:
            began = perf_counter()
            try:
                result = check.call(slot.views[check.slot_place])
            except Exception as error:  # noqa: BLE001 - for the policy of the check
                self.record_error(slot, check, error, perf_counter() - began)
            else:
                self.record(slot, check, result, perf_counter() - began)
            if slot.failed:
                return False
        return True

    def record(
        self, slot: Slot, check: BoundCheck, result: object, seconds: float
    ) -> None:
        """Take what a check returned."""
        if result is None:
            self._note(slot, check, PASSED, seconds)
            return
        found = check.verdict_of(result, slot.edit_from, slot.chunk.end)
        if isinstance(found, Verdict) and found.edits and not self.observes:
            is_whole = slot.grain is self._whole
            is_own = is_whole or slot.grain is self._own
            known_at = slot.chunk.index if is_own else slot.chunk.start
            self._edits.propose(
                found.edits,
                known_at=-1 if is_whole else known_at,
                is_own=is_own,
                rank=check.place,
            )
        self._note(slot, check, found, seconds)

    def record_error(
        self, slot: Slot, check: BoundCheck, error: Exception, seconds: float
    ) -> None:
        """Take what a check raised."""
        self._note(slot, check, check.verdict_on_error(error), seconds)

    def record_timeout(self, slot: Slot, check: BoundCheck, seconds: float) -> None:
        """Take note that a check took too long."""
        self._note(slot, check, check.verdict_on_timeout(), seconds)

    def _note(
        self,
        slot: Slot,
        check: BoundCheck,
        found: Verdict | Exception,
        seconds: float,
    ) -> None:
        """Take a verdict, or an error that is to be raised on."""
        check.count(seconds)
        verdict = found if isinstance(found, Verdict) else None
        if isinstance(found, Exception):
            slot.error = slot.error or found
        slot.verdicts[check.slot_place] = verdict
        slot.waiting -= 1
        if verdict is not None and verdict.status == "reject":
            check.rejects += 1
            slot.rejected = True
        if self._observer is not None:
            self.tell(CheckFinished(check.name, slot.chunk, verdict, seconds))
        if slot.failed:
            if not self.observes:
                self.limit = min(self.limit, slot.at)
                self.reading = False
                if self.releases_first:
                    self._withdraw(self.limit)
            self._advance()
        elif not slot.waiting:
            self._advance()

    # --- what comes out -------------------------------------------------------------

    def _advance(self) -> None:
        """Release what may be, and see whether the stream is over."""
        while (failed := self._settle()) is not None:
            self._fail(failed)

    def _settle(self) -> Slot | None:
        """Do that as far as the first slot that failed; return it if it is due."""
        own = self._own
        own.count_passed()
        if not self._is_simple:
            for grain in self._grains[1:]:
                grain.count_passed()
                grain.drop_passed()
        if self.releases_first:
            if self.observes and self._observed is None:
                self._hold()
            own.drop_passed()
        else:
            while own.passed and self._may_release(own.slots[0]):
                self._release(own.slots.popleft())
                own.passed -= 1
        first = own.front
        if not self._is_simple:
            fronts = [grain.front for grain in self._grains]
            waiting = [slot for slot in fronts if slot is not None]
            # Of two that begin at one place, the one that failed decides.
            first = min(
                waiting, key=lambda slot: (slot.at, not slot.failed), default=None
            )
        if first is None:
            # What only the policy holds back comes out at the natural end alone.
            self.over = self.over or not self.reading
            return None
        return first if first.failed and first is not self._failure else None

    def _may_release(self, slot: Slot) -> bool:
        own = self._own
        if own.passed <= self._window and not (self._complete and not own.unsettled):
            return False
        return self._is_simple or self._others_let(slot.chunk.end, len(own.slots))

    def _others_let(self, end: int, waiting: int) -> bool:
        """Return whether the other grains let what ends there out.

        Args:
            end: The end of the first own chunk that is held.
            waiting: How many own chunks are held from that one on.
        """
        if self._window == inf:
            return all(grain.front is None for grain in self._grains)
        if (
            self._whole is not None
            and waiting == 1
            and (not self._complete or self._whole.slots)
        ):
            return False
        return all(
            grain.covers(end) or (self._complete and grain.front is None)
            for grain in self._others
        )

    def _hold(self) -> None:
        """Note what holding would release of the chunks that have passed by now."""
        own, held = self._own, self._held_back
        held.extend(slot.chunk.end for slot in islice(own.slots, own.passed))
        while held:
            waiting = len(held) + own.unsettled
            if not (self._is_simple or self._others_let(held[0], waiting)):
                break
            self._held_to = max(self._held_to, held.popleft())

    def _fail(self, slot: Slot) -> None:
        if not self.observes:
            self._failure = slot
            self.over = True
            return
        if self._observed is None:
            self._observed = slot
        slot.grain.slots.popleft()

    def _release(self, slot: Slot) -> None:
        """Make a piece of the next own slot; or keep it back where the reader left.

        A verdict may still arrive then: that of a thread, which nothing interrupts, or
        of the check or the observer that called ``stop()``.
        """
        if self._left is not None:
            self._unread.append(slot.chunk)
            return
        chunk = slot.chunk
        at, start, end = self._written_to, chunk.start, chunk.end
        text = str(chunk) if start >= at else chunk[at - start :]
        self._written_to = max(end, at)
        verdicts: tuple[tuple[str, Any], ...] = ()
        if slot.verdicts == self._passes:
            verdicts = self._passed
        elif not self.releases_first:
            verdicts = tuple(zip(self._names, slot.verdicts, strict=True))
        if self._edits.is_idle:
            piece = Piece(chunk, chunk.gap, text, verdicts)
        else:
            lead, text, edits = self._edits.write(chunk, text)
            piece = Piece(chunk, lead, text, verdicts, edits)
        released = Released(piece, perf_counter() - slot.formed)
        self.ready.append(released)
        if self._observer is not None:
            self.tell(released)

    def has_room(self, most: int) -> bool:
        """Return whether fewer than *most* chunks wait for verdicts or the reader.

        What the policy alone holds back does not count: it waits for chunks to come.
        """
        if self.observes:
            return len(self.ready) < most
        own = self._own.unsettled
        waiting = len(self.ready)
        waiting = max(own, waiting) if self.releases_first else own + waiting
        return waiting < most and all(each.unsettled < most for each in self._others)

    def hand_out(self) -> Released:
        """Return the next piece, which is ready."""
        released = self.ready.popleft()
        if self._first_release is None:
            self._first_release = perf_counter() - self._began
        self._released += 1
        self._released_to = max(self._released_to, released.piece.chunk.end)
        return released

    def _withdraw(self, start: float) -> None:
        """Hand out no piece any more that begins at *start* or behind."""
        while self.ready and self.ready[-1].piece.chunk.start >= start:
            self._unread.insert(0, self.ready.pop().piece.chunk)

    @property
    def is_due(self) -> bool:
        """Whether a slot is to be judged before the next piece is handed out.

        Where pieces are released first, that is one whose piece has been handed out.
        """
        if not self.to_judge:
            return False
        if not self.ready:
            return True
        return self.releases_first and self.to_judge[0].chunk.end <= self._released_to

    # --- the end --------------------------------------------------------------------

    def conclude(self, close_error: BaseException | None) -> BaseException | None:
        """Set the outcome, and return what is to be raised.

        Args:
            close_error: What went wrong while the source was closed.
        """
        status, error = self._ending()
        # One that a source or a check raised, which reads a stream itself, is an error.
        rejected = None
        if status == "rejected" and isinstance(error, Rejected):
            rejected = error
        if self._observed is not None:
            if self._observed.error is None:
                rejected = self._rejection(self._observed, self._held_to)
            else:
                error = error or self._observed.error
        self.outcome = Outcome(
            status=status,
            released_to=self._released_to,
            rejected=rejected,
            error=None if error is rejected else error,
            tail=self._tail() if status == "completed" else "",
            pending="" if status == "completed" else self._pending(),
            close_error=close_error,
            stats=Stats(
                deltas=self._deltas,
                chunks=self._chunks,
                released=self._released,
                most_in_flight=self._most,
                first_release_seconds=self._first_release,
                checks=tuple(check.stats for check in self.checks),
            ),
        )
        self.tell(Ended(self.outcome))
        if status == "rejected" and self._options.on_reject == "stop":
            return None
        return None if status == "completed" else error

    def _ending(self) -> tuple[Any, BaseException | None]:
        if self._failure is not None:
            if self._failure.error is not None:
                return "check_error", self._failure.error
            return "rejected", self._rejection(self._failure, self._released_to)
        if self._left is not None:
            if self._left == "abandoned":
                return "abandoned", None
            return "aborted", self._left
        if self._source_error is not None:
            stalled = isinstance(self._source_error, SourceStalled)
            return "stalled" if stalled else "source_error", self._source_error
        return "completed", None

    def _rejection(self, slot: Slot, released_to: int) -> Rejected:
        failures = [
            (check.name, verdict)
            for check, verdict in zip(slot.grain.checks, slot.verdicts, strict=True)
            if verdict is not None and verdict.status == "reject"
        ]
        return Rejected(chunk=slot.chunk, failures=failures, released_to=released_to)

    @property
    def tail(self) -> str:
        """The text behind the last chunk; empty unless the stream has completed."""
        return "" if self.outcome is None else self.outcome.tail

    @property
    def last_events(self) -> list[Retraction | Ended]:
        """The events behind the last piece; none before the end of the stream."""
        if self.outcome is None:
            return []
        rejected = None if self.observes else self.outcome.rejected
        if rejected is None or rejected.chunk.start >= self._released_to:
            return [Ended(self.outcome)]
        # It takes back text that was handed out.
        retraction = Retraction(rejected.chunk.start, rejected.reason)
        return [retraction, Ended(self.outcome)]

    def tells_of(self, ending: Exception) -> bool:
        """Return whether the last events tell of what the reader's call raised.

        A source or a check that reads a stream itself may raise a rejection of that,
        which they do not tell of.
        """
        if not isinstance(ending, Rejected):
            return True
        return self.outcome is not None and self.outcome.rejected is ending

    def _tail(self) -> str:
        """Return the text behind the last chunk, with the edits of other checks."""
        return self._edits.write_tail(self._cutting.tail, self._formed_to)

    def _pending(self) -> str:
        """Return what was read and not handed out."""
        chunks = [*self._unread]
        if not self.releases_first:
            chunks += [slot.chunk for slot in self._own.slots]
        parts: list[str] = []
        at = self._released_to
        for chunk in chunks:
            parts += (chunk.gap, chunk[max(0, at - chunk.start) :])
            at = max(at, chunk.end)
        return "".join((*parts, self._cutting.rest))

    def tell(self, event: Event) -> None:
        """Call the observer, whose errors are logged once and change nothing."""
        if self._observer is None:
            return
        try:
            self._observer(event)
        except Exception:
            if not self._observer_failed:
                self._observer_failed = True
                _LOGGER.exception("an observer failed; its later errors are not logged")
