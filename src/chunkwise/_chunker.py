"""Chunker: drives a strategy over a stream that arrives in deltas."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeVar

from typing_extensions import override

from ._checks import (
    check_offset,
    check_scan,
    check_span,
    check_trigger,
    plain_delta,
)
from ._chunk import Chunk, read_only
from ._full_check import FullCheck
from ._pending import LONG_PART, HeldText
from ._quote import shown
from ._registry import resolve_strategy
from ._strategy import ChunkingStrategy
from .errors import (
    ChunkwiseError,
    ContractError,
    PendingLimitError,
    StreamStateError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from typing_extensions import Self

    from ._registry import StrategyLike
    from ._spans import SpanFields
    from ._state import ChunkerState

_QUIET_RUN = 256
"""Code points of quiet deltas that are stored before they are scanned all the same.

Appending to a short string is cheap, and so is looking at its code points one by one; a
scan for every sixty deltas costs next to nothing.
"""

_MANY_PARTS = 32
"""Parts of held text from which on they are compacted, not counting long ones."""

_SHORT_PART = 64
"""Code points up to which the last part of held text grows, rather than another begins.

A part takes some 60 bytes beyond its text, which would be most of what an idle Chunker
has where each delta of a few code points is scanned. Copying less than this costs no
more than beginning a part.
"""

_ENDED = "{}() after flush(): the stream has ended; a new one needs a new Chunker"

_new_chunk = str.__new__

_C = TypeVar("_C", bound="Chunker")


class Chunker:
    """Turns the deltas of one stream into chunks.

    Feed it what arrives; it returns what is complete and holds only the pending
    text. The chunks do not depend on how the stream was cut into deltas. One Chunker
    serves one stream and is not thread-safe; its strategy may serve many.

    Args:
        strategy: A strategy, its registered name, or its dictionary form.
        max_pending: Code points that may be held back, gap included, before
            ``PendingLimitError`` is raised; ``None`` sets no limit.
        check: ``"verbatim"`` checks each chunk that leaves. ``"full"`` also splits the
            whole text again after every delta and compares: for tests, it keeps the
            stream and takes quadratic time.
        metadata: What every chunk carries as its ``metadata``; a copy is taken.

    Raises:
        UnknownStrategyError: No strategy has the given name.
        TypeError: *strategy* is none, *max_pending* is not an ``int``, or *metadata* no
            mapping.
        ValueError: *max_pending* is negative, or *check* is neither of the two.
        ContractError: The strategy's ``trigger`` is no frozenset.

    Examples:
        >>> chunker = Chunker("sentence")
        >>> chunker.feed("It is on. Now wa")
        ['It is on.']
        >>> chunker.pending
        ' Now wa'
        >>> chunker.feed("it. Th"), chunker.flush()
        (['Now wait.'], ['Th'])
    """

    # Plan. Text lies in two places: `_held` are parts that were looked at, and are
    # kept because a chunk or a gap is open; `_unseen` is what follows, up to
    # `_end`. A delta without a trigger is appended to `_unseen` while the strategy has
    # nothing undecided (up to `_wake`). Any other delta causes one scan of `_unseen`;
    # what it leaves is moved to `_held`, whose parts are joined when a chunk comes out
    # of them, and before that while they are short. So each code point is copied a few
    # times, however many are pending.
    __slots__ = (
        "_check",
        "_end",
        "_ended",
        "_held",
        "_index",
        "_is_quiet",
        "_last_end",
        "_last_start",
        "_mark",
        "_max_pending",
        "_metadata",
        "_said",
        "_scanner",
        "_state",
        "_strategy",
        "_unseen",
        "_wake",
    )

    def __init__(
        self,
        strategy: StrategyLike,
        *,
        max_pending: int | None = None,
        check: Literal["verbatim", "full"] = "verbatim",
        metadata: Mapping[str, object] | None = None,
    ) -> None:
        self._strategy = resolve_strategy(strategy)
        self._max_pending = _checked_limit(max_pending)
        if check not in ("verbatim", "full"):
            msg = f"check must be 'verbatim' or 'full', got {check!r}"
            raise ValueError(msg)
        self._check: Literal["verbatim", "full"] = check
        self._metadata = read_only({} if metadata is None else metadata)
        # What each chunk gets of it: see `ChunkFacts`.
        self._said = self._metadata or None
        self._held = HeldText()
        scanner = FullCheck(self._strategy) if check == "full" else self._strategy
        self._scanner = scanner.bound_to(self._held.read)
        trigger = scanner.trigger
        check_trigger(trigger, self._strategy)
        self._mark, self._is_quiet = _quiet_tests(trigger)
        self._state: Any = scanner.begin(0)
        self._unseen = ""
        self._end = 0
        self._wake = 0
        self._index = 0
        self._last_start = -1
        self._last_end = 0
        self._ended = False

    @classmethod
    def resume(
        cls,
        strategy: StrategyLike,
        state: ChunkerState,
    ) -> Self:
        """Return a Chunker that goes on exactly where *state* was taken.

        Args:
            strategy: The strategy of the Chunker that the state was taken from.
            state: Its `state`; limit, check and metadata come with it. The strategy
                looks once at what it has pending.

        Raises:
            StreamStateError: The state belongs to another strategy, or the strategy
                cannot go on from what it would have carried on itself.
            UnknownStrategyError: No strategy has the given name.
            TypeError: *strategy* is none, or *state* is not a ``ChunkerState``.
        """
        from ._state import ChunkerState, check_fits  # noqa: PLC0415 - as for `state`

        if not isinstance(state, ChunkerState):
            msg = (
                f"expected a ChunkerState, got {type(state).__name__}; "
                "ChunkerState.from_json() makes one of JSON"
            )
            raise TypeError(msg)
        resolved = resolve_strategy(strategy)
        check_fits(state, resolved)
        if not state.ended:
            _check_goes_on(_rebuild(cls, resolved, state), state, resolved)
        return _rebuild(cls, resolved, state)

    def _restore(self, state: ChunkerState) -> None:
        seen = state.base - state.start
        self._held.hold(state.text[:seen], state.start)
        self._unseen = state.text[seen:]
        self._end = state.start + len(state.text)
        self._state = state.strategy_state
        self._index = state.index
        self._last_start = state.last_start
        self._last_end = state.last_end
        self._ended = state.ended
        if state.ended:
            self._scanner = _NO_MORE

    @property
    def state(self) -> ChunkerState:
        """Everything that the next delta depends on, as an immutable value.

        Taking it changes nothing; `resume` continues from it, in any process. It holds
        the pending text and a few numbers, for a level 1 strategy also the last chunk,
        and with ``check="full"`` the stream. Joins the pending text each time.
        """
        # Most streams are never saved, and do not wait for what saving them imports.
        from ._state import (  # noqa: PLC0415 - see above
            ChunkerState,
            fingerprint,
            strategy_form,
        )

        return ChunkerState(
            strategy=strategy_form(self._strategy),
            fingerprint=fingerprint(self._strategy),
            text=self._stored(),
            start=self._held.start,
            base=self._held.end,
            strategy_state=self._state,
            index=self._index,
            last_start=self._last_start,
            last_end=self._last_end,
            ended=self._ended,
            max_pending=self._max_pending,
            metadata=self._metadata,
            check=self._check,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by `state`; the strategy has to pickle, too."""
        return (_rebuild, (type(self), self._strategy, self.state))

    def __repr__(self) -> str:
        """Show the strategy and where the stream stands."""
        pending = self._end - self._last_end
        return (
            f"<Chunker {self._strategy!r}, {self._index} chunks, "
            f"{pending} of {self._end} code points pending>"
        )

    def feed(self, delta: str) -> list[Chunk]:  # noqa: C901, PLR0912, PLR0915 - hot path
        """Take the next delta and return the chunks that it completed.

        Args:
            delta: Text as it arrived; may be empty.

        Returns:
            The chunks in order; empty while no boundary is certain.

        Raises:
            TypeError: *delta* is not a ``str``.
            StreamStateError: The stream has been flushed.
            ContractError: The strategy broke its contract. Nothing was changed.
            PendingLimitError: More than *max_pending* code points are held back. The
                delta was taken; what it completed is in ``error.chunks``.
        """
        # The hot path: text and offsets in local names, one pass over the spans, no
        # call of our own but the scan. Everything that can fail comes before the first
        # change, except the limit, which is to come after it.
        if type(delta) is not str:
            delta = plain_delta(delta)
        end = self._end + len(delta)
        if (
            self._mark not in delta
            and end < self._wake
            and self._is_quiet(delta)
            and len(self._unseen) < _QUIET_RUN
        ):
            self._unseen += delta
            self._end = end
            return []
        text = self._unseen + delta
        held = self._held
        base = held.end
        found = self._scanner.scan(text, base, self._state)
        try:
            spans, keep, resume, state, wake = found
            if wake < 0:
                check_offset("wake", wake, 0, None, self._strategy)
            chunks: list[Chunk] = []
            if spans:
                # `text` from `base` on, with what is held in front of it, if anything.
                if held:
                    text = "".join((*held, text))
                    base = end - len(text)
                index = self._index
                last_end = self._last_end
                start = self._last_start
                for span in spans:
                    start = span[0]
                    stop = span[1]
                    if last_end <= start < stop <= end:
                        gap = text[last_end - base : start - base]
                        last_end = stop
                    else:
                        first = last_end
                        if self._strategy.overlaps:
                            before = chunks[-1].start if chunks else self._last_start
                            first = max(before + 1, base)
                        check_span(span, first, end, self._strategy)
                        gap = ""
                        last_end = max(last_end, stop)
                    chunk = _new_chunk(Chunk, text[start - base : stop - base])
                    chunk._facts = (span, index, gap, self._said)  # noqa: SLF001 - its maker
                    chunks.append(chunk)
                    index += 1
                if not held.end <= resume <= end:
                    check_offset("resume", resume, held.end, end, self._strategy)
                unseen = text[resume - base :]
                if keep < resume or last_end < resume:
                    kept = min(keep, last_end)
                    check_offset("keep", keep, base, None, self._strategy)
                    held.hold(text[kept - base : resume - base], kept)
                elif held:
                    held.clear()
                self._index = index
                self._last_start = start
                self._last_end = last_end
            elif base < resume <= end:
                unseen = text[resume - base :]
                seen = text[: resume - base]
                if not held:
                    held.append(seen)
                elif len(last := held[-1]) < _SHORT_PART:
                    held[-1] = last + seen
                else:
                    if len(held) > _MANY_PARTS and len(held[-_MANY_PARTS]) < LONG_PART:
                        held.compact()
                    held.append(seen)
            else:
                check_offset("resume", resume, base, end, self._strategy)
                unseen = text
                resume = base  # As an `int`, whatever was equal to it.
        except (TypeError, ValueError, LookupError):
            # Errors of contract are among them, and say what is wrong themselves.
            check_scan(found, held.end, self._strategy)
            raise
        self._unseen = unseen
        held.end = resume
        self._end = end
        self._state = state
        self._wake = wake
        if self._max_pending is not None:
            self._apply_limit(self._max_pending, chunks)
        return chunks

    def cut(self, *, truncated: bool = False) -> list[Chunk]:
        """Declare a boundary here and return what was pending as complete chunks.

        The strategy starts anew behind it, as at the start of a line; offsets and
        numbers go on, and so do the headings that chunks have as context. What the
        strategy drops at the end of a stream opens the gap of the next chunk.

        Args:
            truncated: Whether the text has no boundary here, and is cut for another
                reason, its size for example: the last of these chunks is then not
                ``complete``.

        Raises:
            StreamStateError: The stream has been flushed.
            ContractError: The strategy broke its contract. Nothing was changed.
        """
        if self._ended:
            raise StreamStateError(_ENDED.format("cut"))
        return self._end_text(complete=True, truncated=truncated, goes_on=True)

    def release(self) -> list[Chunk]:
        """Return what is pending up to the last white space, and go on behind it.

        For a stream that pauses in the middle of a chunk, where waiting is worse than a
        chunk that is not whole. The strategy starts anew behind the white space, as
        behind a cut; a chunk that ended only here is not ``complete``. Nothing is
        released, and nothing changed, where no chunk would come of that text.

        Raises:
            StreamStateError: The stream has been flushed.
            ContractError: The strategy broke its contract. Nothing was changed.
        """
        if self._ended:
            raise StreamStateError(_ENDED.format("release"))
        rest = self._rest()
        words = rest.split()
        if words and not rest[-1].isspace():
            rest = rest[: -len(words.pop())]
        if not words:
            return []
        place = self._last_end + len(rest)
        return self._end_text(complete=False, place=place, goes_on=True)

    def flush(self, *, truncated: bool = False) -> list[Chunk]:
        """End the stream and return the last chunks.

        Args:
            truncated: Whether the text broke off: the last of these chunks is then
                not ``complete``, whatever it looks like.

        Returns:
            The chunks in order, often one or none. A second flush returns nothing.

        Raises:
            ContractError: The strategy broke its contract. Nothing was changed.
        """
        if self._ended:
            return []
        chunks = self._end_text(complete=False, truncated=truncated)
        self._ended = True
        self._scanner = _NO_MORE
        return chunks

    @property
    def pending(self) -> str:
        """Everything fed behind the last chunk, verbatim; ``""`` after `flush`.

        Until then the gaps and texts of all chunks followed by this are the stream.
        Joined from parts each time.
        """
        return "" if self._ended else self._rest()

    @property
    def tail(self) -> str:
        """What `flush` left behind the last chunk, verbatim; ``""`` before it.

        The gaps and texts of all chunks followed by this are the whole stream.
        """
        return self._rest() if self._ended else ""

    def _rest(self) -> str:
        return self._stored()[self._last_end - self._held.start :]

    def _stored(self) -> str:
        return "".join((*self._held, self._unseen))

    def _end_text(
        self,
        *,
        complete: bool,
        truncated: bool = False,
        place: int | None = None,
        goes_on: bool = False,
    ) -> list[Chunk]:
        """Scan what is unseen as the end of the text, and return the last chunks.

        Args:
            complete: What a chunk is that only this end closed.
            truncated: Whether the last chunk broke off, whatever it looks like.
            place: Where the text is to end instead, behind white space. Where there is
                no chunk before it, nothing is changed.
            goes_on: Whether the stream goes on behind it.
        """
        end = self._end
        held = self._held
        found = self._scanner.scan(self._unseen, held.end, self._state, final=True)
        check_scan(found, held.end, self._strategy)
        spans, _, _, state, _ = found
        base = held.start
        # All of what is held can be long, so it is not joined for nothing.
        text = self._stored() if spans else ""
        stop_at = end
        if place is not None:
            stop_at = place
            spans = _clipped(spans, base + len(text[: place - base].rstrip()))
            if not spans:
                return []
        if goes_on:
            state = self._scanner.begin_again(stop_at, state)
        overlaps = self._strategy.overlaps
        last_start = self._last_start
        last_end = self._last_end
        first = max(base, last_start + 1) if overlaps else last_end
        index = self._index
        chunks: list[Chunk] = []
        for number, span in enumerate(spans, 1):
            start, stop, known = span[:3]
            check_span(span, first, end, self._strategy)
            gap = text[last_end - base : max(start, last_end) - base]
            if truncated and number == len(spans):
                known = False
            elif known is None:
                known = complete
            chunk = _new_chunk(Chunk, text[start - base : stop - base])
            fields: Any = (start, stop, known, *span[3:])
            facts = (fields, index, gap, self._said)
            chunk._facts = facts  # noqa: SLF001 - its maker
            chunks.append(chunk)
            index += 1
            last_start = start
            last_end = max(last_end, stop)
            first = start + 1 if overlaps else last_end
        self._index = index
        self._last_start = last_start
        self._last_end = last_end
        if spans:
            held.hold(text[last_end - base : stop_at - base], last_end)
            self._unseen = text[stop_at - base :]
        else:
            held.add(self._unseen)
            held.let_go(last_end)
            self._unseen = ""
        self._state = state
        self._wake = 0
        return chunks

    def _apply_limit(self, limit: int, chunks: list[Chunk]) -> None:
        """Raise when too much is held back, and let no delta be stored past that."""
        self._wake = min(self._wake, self._last_end + limit + 1)
        held_back = self._end - self._last_end
        if held_back > limit:
            raise PendingLimitError(
                pending=held_back,
                limit=limit,
                offset=self._last_end,
                chunks=chunks,
                strategy=type(self._strategy).__name__,
            )


def _clipped(spans: Sequence[SpanFields], end: int) -> list[SpanFields]:
    """Return the spans that begin before *end*; one that goes beyond ends there."""
    clipped: list[SpanFields] = []
    for span in spans:
        start, stop, *_ = span
        if start < end:
            broken_off: Any = (start, end, False, *span[3:])
            clipped.append(span if stop <= end else broken_off)
    return clipped


@lru_cache(maxsize=64)  # The same few sets, which thousands of streams can share.
def _quiet_tests(trigger: frozenset[str]) -> tuple[str, Callable[[str], bool]]:
    """Return two quick tests that together find every *trigger* in a delta.

    Returns:
        A code point to look for, and what is true for text without any other one. Where
        all others are not printable, as white space and line ends are but for the
        space, ``str.isprintable`` is the fastest; it calls for a scan too many now and
        then, which does no harm.
    """
    common = [char for char in " \n." if char in trigger]
    mark = common[0] if common else min(trigger, default="\n")
    others = trigger - {mark}
    if trigger and not any(map(str.isprintable, others)):
        return (mark, str.isprintable)
    return (mark, others.isdisjoint)


def _rebuild(cls: type[_C], strategy: ChunkingStrategy[Any], state: ChunkerState) -> _C:
    chunker = cls(
        strategy,
        max_pending=state.max_pending,
        check=state.check,
        metadata=state.metadata,
    )
    chunker._restore(state)
    return chunker


def _check_goes_on(
    trial: Chunker, state: ChunkerState, strategy: ChunkingStrategy[Any]
) -> None:
    """Check that a strategy takes the state that it is to go on from.

    A scan is pure and can always come earlier, so an empty delta for a Chunker that is
    given up behind it shows this before the stream depends on it.

    Args:
        trial: A Chunker with this *state*.
        state: The state.
        strategy: The strategy.

    Raises:
        StreamStateError: It does not.
    """
    try:
        trial.feed("")
    except Exception as error:
        if isinstance(error, ChunkwiseError) and not isinstance(error, ContractError):
            # Limits and the like, which the next delta meets as it should.
            return
        problem = (
            f"strategy_state is {shown(state.strategy_state)}, expected one from which "
            f"{strategy!r} can go on: {error!r}"
        )
        raise StreamStateError(problem) from error


class _AfterFlush(ChunkingStrategy[Any]):
    """What a Chunker scans with once its stream has ended: it raises."""

    @override
    def scan(self, text: str, base: int, state: Any, final: bool = False) -> NoReturn:
        raise StreamStateError(_ENDED.format("feed"))


_NO_MORE = _AfterFlush()


def _checked_limit(max_pending: int | None) -> int | None:
    if max_pending is None:
        return None
    if isinstance(max_pending, bool) or not isinstance(max_pending, int):
        msg = f"max_pending must be an int or None, got {max_pending!r}"
        raise TypeError(msg)
    if max_pending < 0:
        msg = f"max_pending must be at least 0, got {max_pending}"
        raise ValueError(msg)
    return max_pending
