"""The laws, each a function from a trial to what it shows to be wrong.

The order matters: a mistake often breaks several laws, and the first one broken names
the cause best. A strategy that holds state fails in every other way, too; chunks that
are no text of the stream cannot be compared; what changes its mind about a chunk also
makes the slicing matter.
"""

from __future__ import annotations

import copy
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from .._chunker import Chunker
from .._quote import quote, shown
from .._resplit import ADVICE
from .._spans import Span
from .._state import ChunkerState
from .._strategy import ChunkingStrategy
from ..errors import ContractError, NotVerbatimError
from ..strategies import RegexChunking
from ._counting import counting
from ._report import Fault, Side, sides_of
from ._runs import Facts, OfStrategy, OutOfOrderError, Run, facts, run
from ._trial import run_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ._runs import Subject
    from ._trial import Trial

HOLDS_STATE = (
    "holds state: what one stream left behind changes the next one; keep what has to "
    "be remembered in the state that scan() returns, and let equal texts give equal "
    "chunks"
)
_CHANGES_TEXT = (
    "changes text: a chunk is a slice of the stream, neither stripped inside, nor "
    "replaced, nor normalised; cut by position, and leave out only what is in front of "
    "a chunk or behind it"
)
_ORDER = (
    "gives text twice, or out of order: chunks overlap only where the strategy says so "
    "(overlaps); offsets count from the start of the stream, so those of a scan are "
    "base and more"
)
_DECIDES_AT_THE_END = (
    "decides at the end of the text: what stands there so far is taken for a boundary; "
    "decide from the text around a boundary only, and withhold what the next code "
    "point can still change"
)
_FINAL_SCAN = (
    "takes back at the end what was released before: a final scan gives all that the "
    "plain one gives, in the same way, and then the rest"
)
_OPENED = (
    "says too much in opened(): where an open chunk starts, and up to where text "
    "belongs to it, is said when no text that follows can change it; then it stays so"
)
_FLUSH = (
    "flush() differs: for the same text it returns what is released of the fragment "
    "that split() withholds, no less and no more"
)
_AMBIGUOUS = (
    "text is placed ambiguously: a chunk is searched for from left to right, and its "
    "text stands in what was left out, too; implement scan(), which returns places"
)
_LOOKS_LEFT = (
    "looks left of what was released: what split() gives depends on text before the "
    "last chunk, which a stream no longer has; implement scan(), whose state carries it"
)
_FORGETS = (
    "looks left of what was released: what a scan has to know about text left of "
    "resume is in its state, or resume points too far; offsets count from the start "
    "of the stream"
)
_LOOKS_AT_DELTAS = (
    "looks at a delta, not at the text: what decides a boundary arrives in two deltas, "
    "and one of them alone does not show it; keep the text that is undecided, and look "
    "at it together with the next delta"
)
_SLEEPS = (
    "sleeps through a boundary: trigger and wake say when the next scan is due; name "
    "every code point that can complete a chunk, or leave wake at 0"
)
_LATE = (
    "holds back in some slicings what the text has decided: release a chunk with the "
    "delta that decides it"
)
_DROPS = (
    "drops text: what stands between chunks and behind the last one is no separator; "
    "give it a chunk, or name it as a separator"
)
_TOLD_BY_TEXT = (
    "text is placed ambiguously: chunks are told apart by their text, so that one that "
    "comes again is taken for the first; count positions instead"
)
_STATE = (
    "the state is not a plain value: only None, bool, int, str and tuples of these "
    "cannot change and survive JSON and pickle"
)
_NOT_IN_STATE = (
    "the state does not say enough: a stream that goes on elsewhere has nothing but "
    "the state, of which JSON leaves plain values and tuples (no named ones)"
)
_BEGIN = (
    "begins at 0 only: a stream can begin in the middle, begin(offset) says where, and "
    "all offsets of a scan are base and more"
)


class Law(NamedTuple):
    """A law and its check.

    Attributes:
        name: As in the documentation.
        check: Returns what a trial shows to be wrong; ``None`` if nothing.
    """

    name: str
    check: Callable[[Trial], Fault | None]


def _stateless(trial: Trial) -> Fault | None:
    subject = trial.subject
    if isinstance(subject, OfStrategy):
        try:
            hash(subject.strategy)
        except TypeError as error:
            problem = f"it has no hash: {error}"
            cause = "holds state: a strategy is an immutable value, which has a hash"
            return Fault(problem, (), f"{cause}; make the class a frozen dataclass")
        subject = OfStrategy(_copied(subject.strategy))
    first = run(subject, [trial.text])
    changed = None
    if isinstance(subject, OfStrategy):
        changed = _watch(subject.strategy)
    run(subject, [trial.text[::-1] + "\n", trial.text])
    again = run(subject, [trial.text])
    if not again.same_as(first):
        sides = sides_of("the first time", first, "once more", again)
        return Fault("the same text gives other chunks", sides, HOLDS_STATE)
    alone = run(subject, trial.deltas)
    turns = _run_in_turns(subject, trial.deltas, trial.text + "\n")
    if not turns.same_as(alone):
        problem = "two streams at a time disturb each other"
        sides = sides_of("alone", alone, "in turns with another", turns)
        return Fault(problem, sides, HOLDS_STATE)
    found = changed() if changed is not None else None
    return Fault(found, (), HOLDS_STATE) if found is not None else None


def _copied(strategy: ChunkingStrategy[Any]) -> ChunkingStrategy[Any]:
    """Return a copy, so that what an earlier text left behind does not hide a fault."""
    try:
        return copy.deepcopy(strategy)
    except Exception:  # noqa: BLE001 - it holds what cannot be copied; take it as it is
        return strategy


def _watch(strategy: ChunkingStrategy[Any]) -> Callable[[], str | None]:
    """Return what tells how the strategy has changed since, if it has.

    What the first text makes, as a cached property does, is no change.
    """

    def shown_attributes() -> dict[str, str]:
        return {name: repr(value) for name, value in _attributes(strategy).items()}

    before = shown_attributes()

    def changed() -> str | None:
        after = shown_attributes()
        for name in sorted({*before, *after}):
            was, now = before.get(name, "not there"), after.get(name, "not there")
            if was != now:
                return f"its attribute {name!r} was {_cut(was)} and is now {_cut(now)}"
        return None

    return changed


def _attributes(strategy: ChunkingStrategy[Any]) -> dict[str, Any]:
    slots = [
        name
        for cls in type(strategy).__mro__
        for name in vars(cls).get("__slots__", ())
        if hasattr(strategy, name)
    ]
    values = {**getattr(strategy, "__dict__", {})}
    return {**values, **{name: getattr(strategy, name) for name in slots}}


def _cut(representation: str) -> str:
    size = 40
    return (
        representation if len(representation) <= size else f"{representation[:size]}…"
    )


def _run_in_turns(subject: Subject, deltas: Sequence[str], other: str) -> Run:
    """Return what *deltas* give while another stream is fed in between."""
    theirs = subject.begin()

    def feed_the_other() -> None:
        with suppress(Exception):  # What it gives is not what is asked.
            theirs.feed(other)

    return run(subject, deltas, between=feed_the_other)


def _verbatim(trial: Trial) -> Fault | None:
    for given in (trial.whole, trial.sliced):
        error = given.error
        if isinstance(error, NotVerbatimError) and not isinstance(
            error, OutOfOrderError
        ):
            return Fault(_problem_of(error), _both(trial), _CHANGES_TEXT)
    return None


def _order(trial: Trial) -> Fault | None:
    for given in (trial.whole, trial.sliced):
        if isinstance(given.error, OutOfOrderError):
            return Fault(_problem_of(given.error), _both(trial), _ORDER)
    return None


def _finality(trial: Trial) -> Fault | None:
    text = trial.text
    known = trial.released(text)
    for prefix in trial.prefixes:
        early = trial.released(prefix)
        if _is_changed(early, known):
            problem = "a released chunk changed when more text came"
            sides = sides_of(
                f"after {quote(prefix)}", early, f"after {quote(text)}", known
            )
            return Fault(problem, sides, _DECIDES_AT_THE_END)
    has_scans = isinstance(trial.subject, OfStrategy) and not trial.is_level_1
    # Where the stream fails, that is told by the law that it breaks.
    if has_scans and trial.whole.error is None:
        return _final_scan_differs(trial) or _opened_is_wrong(trial)
    return None


def _final_scan_differs(trial: Trial) -> Fault | None:
    text = trial.text
    plain = _scan_whole(trial.strategy, text, final=False)
    final = _scan_whole(trial.strategy, text, final=True)
    if final.spans[: len(plain.spans)] != plain.spans:
        problem = "a final scan does not extend the plain one"
        sides = _sides_of_spans(
            "the plain one", plain.spans, "the final one", final.spans
        )
        return Fault(problem, sides, _FINAL_SCAN)
    if final.resume != len(text):
        problem = (
            f"a final scan resumes at {final.resume}, expected {len(text)}, the end"
        )
        cause = (
            "leaves text for a scan that never comes: what is final looks at all of it"
        )
        return Fault(problem, (), cause)
    return None


def _opened_is_wrong(trial: Trial) -> Fault | None:
    """Whether a chunk becomes another than what was said of it while it was open.

    Only a strategy that looks inside open chunks asks that, so no chunk shows it.
    """
    strategy = trial.strategy
    if type(strategy).opened is ChunkingStrategy.opened:
        return None
    ends = {
        span.start: span.end
        for span in _scan_whole(strategy, trial.text, final=True).spans
    }
    # What was said of a chunk holds until it is complete.
    said: tuple[int, int] | None = None
    for prefix in trial.prefixes:
        spans, _, resume, state, *_ = strategy.scan(prefix, 0, strategy.begin(0))
        opened = strategy.opened(prefix[resume:], resume, state)
        if opened is not None:
            start, surely = opened
            if not start <= surely <= min(len(prefix), ends.get(start, -1)):
                found = f"{start}:{ends[start]}" if start in ends else "no chunk"
                problem = (
                    f"after {quote(prefix)} opened() says that a chunk starts at "
                    f"{start} and has the text up to {surely}, expected {found}"
                )
                return Fault(problem, (), _OPENED)
        if said is not None and all(span[0] != said[0] for span in spans):
            start, surely = said
            if opened is None or opened[0] != start or opened[1] < surely:
                problem = (
                    f"after {quote(prefix)} opened() says {opened}, but had said "
                    f"{said} before, expected that start and as much text at least"
                )
                return Fault(problem, (), _OPENED)
        said = opened
    return None


class _Whole(NamedTuple):
    spans: list[Span]
    resume: int


def _scan_whole(
    strategy: ChunkingStrategy[Any], text: str, *, base: int = 0, final: bool
) -> _Whole:
    spans, _, resume, *_ = strategy.scan(text, base, strategy.begin(base), final=final)
    named = [
        Span(*span)  # pyright: ignore[reportArgumentType]  # fields in order
        for span in spans
    ]
    return _Whole(named, resume)


def _sides_of_spans(
    left: str, found: Sequence[Span], right: str, expected: Sequence[Span]
) -> tuple[Side, Side]:
    return (Side(left, _rows(found, expected)), Side(right, _rows(expected, found)))


def _rows(spans: Sequence[Span], others: Sequence[Span]) -> tuple[str, ...]:
    rows: list[str] = []
    for number, span in enumerate(spans):
        row = f"{span.start}:{span.end}"
        for other in others[number : number + 1]:
            pairs = zip(span._fields[2:], span[2:], other[2:], strict=True)
            row += "".join(f" {name}={a!r}" for name, a, b in pairs if a != b)
        rows.append(row)
    return tuple(rows) or ("no span",)


def _is_changed(early: Run, late: Run) -> bool:
    if early.error or late.error:
        return False
    chunks = early.chunks
    return late.chunks[: len(chunks)] != chunks


def _delta_invariance(trial: Trial) -> Fault | None:
    whole, sliced = trial.whole, trial.sliced
    for given in (whole, sliced):
        if isinstance(given.error, ContractError):
            problem = _problem_of(given.error)
            return Fault(problem, _both(trial), _cause_of_variance(trial))
    if not sliced.same_as(whole):
        problem = "the deltas give other chunks than the whole text"
        return Fault(problem, _both(trial), _cause_of_variance(trial))
    if isinstance(trial.subject, OfStrategy):
        texts = [*trial.split, *trial.flush]
        if texts != [chunk.text for chunk in whole.chunks]:
            sides = (
                Side("split() and flush()", tuple(map(quote, texts))),
                Side("the stream", tuple(quote(each.text) for each in whole.chunks)),
            )
            problem = "the stream gives other chunks than split() and flush()"
            is_derived = type(trial.strategy).flush is ChunkingStrategy.flush
            cause = _FLUSH if trial.is_level_1 or not is_derived else _FORGETS
            return Fault(problem, sides, cause)
    return None


def _cause_of_variance(trial: Trial) -> str:
    if not isinstance(trial.subject, OfStrategy):
        return _TOLD_BY_TEXT if _lacks_one_that_came_before(trial) else _LOOKS_AT_DELTAS
    if not trial.is_level_1:
        return _FORGETS
    return _AMBIGUOUS if _is_ambiguous(trial) else _LOOKS_LEFT


def _lacks_one_that_came_before(trial: Trial) -> bool:
    """Whether the first chunk that the deltas do not give is one that came before."""
    sliced, whole = trial.sliced.chunks, trial.whole.chunks
    same = 0
    while sliced[same : same + 1] == whole[same : same + 1] != []:
        same += 1
    lacking = whole[same : same + 1]
    return any(
        chunk.text == before.text for chunk in lacking for before in sliced[:same]
    )


def _is_ambiguous(trial: Trial) -> bool:
    """Whether a chunk was meant to be further right than where it is found.

    It was if its text stands there, too, and nothing was found before that came.
    """
    place = len(trial.text)
    places: list[int] = []
    for chunk in reversed(trial.split):
        place = trial.text.rfind(chunk, 0, place)
        places.append(place)
    at = 0
    for number, (chunk, place) in enumerate(
        zip(trial.split, reversed(places), strict=True)
    ):
        at = trial.text.find(chunk, at)
        if at < place and len(trial.strategy.split(trial.text[:place])) <= number:
            return True
        at += len(chunk)
    return False


def _earliest_release(trial: Trial) -> Fault | None:
    """Whether every delta releases what the text so far gives at once.

    That nothing comes too early is finality.
    """
    released: list[Facts] = []
    for prefix, step in zip(trial.prefixes, trial.sliced.steps, strict=False):
        released += step
        due = trial.released(prefix)
        if due.error is None and released != due.chunks:
            given = run_of(released)
            problem = f"not all is released that {quote(prefix)} decides"
            sides = sides_of("the deltas so far", given, "the same text whole", due)
            return Fault(problem, sides, _cause_of_delay(trial))
    return None


def _cause_of_delay(trial: Trial) -> str:
    if not isinstance(trial.subject, OfStrategy) or trial.is_level_1:
        return _LATE
    strategy = trial.strategy
    text, *_ = [*trial.prefixes, ""]
    wakes = strategy.scan(text, 0, strategy.begin(0))[4]
    return _SLEEPS if wakes or strategy.trigger else _LATE


def _nothing_lost(trial: Trial) -> Fault | None:
    if trial.separators is None or trial.whole.error is not None:
        return None
    gaps = [*(chunk.gap for chunk in trial.whole.chunks), trial.whole.tail]
    for gap in gaps:
        if re.fullmatch(trial.separators, gap) is None:
            problem = (
                f"{quote(gap)} belongs to no chunk, expected text that matches "
                f"{shown(trial.separators)}"
            )
            side = sides_of("", trial.whole, "chunks", run_of([]))[0]
            again = any(chunk.text in gap for chunk in trial.whole.chunks)
            cause = _TOLD_BY_TEXT if again else _DROPS
            return Fault(problem, (Side("chunks", side.rows),), cause)
    return None


def _resumable(trial: Trial) -> Fault | None:
    strategy = trial.strategy
    moved = _run_moving(strategy, trial.deltas)
    if isinstance(moved.error, _NotPlainError):
        return Fault(f"the state holds {moved.error}", (), _STATE)
    if trial.whole.error is None and not moved.same_as(trial.whole):
        problem = "a stream that is resumed after every delta gives other chunks"
        sides = sides_of("resumed", moved, "in one go", trial.whole)
        return Fault(problem, sides, _NOT_IN_STATE)
    return _begins_anywhere(trial) if trial.whole.error is None else None


class _NotPlainError(Exception):
    """A state holds something that JSON would change, or that can change itself."""


def _run_moving(strategy: ChunkingStrategy[Any], deltas: Sequence[str]) -> Run:
    """Return what *deltas* give when each is taken somewhere else."""
    steps: list[tuple[Facts, ...]] = []
    try:
        chunker = Chunker(strategy)
        for delta in deltas:
            steps.append(tuple(facts(chunker.feed(delta))))
            state = chunker.state
            _check_plain(state.strategy_state)
            again = ChunkerState.from_json(state.to_json())
            chunker = Chunker.resume(strategy, again)
        steps.append(tuple(facts(chunker.flush())))
        return Run(tuple(steps), chunker.tail)
    except Exception as error:  # noqa: BLE001 - as in `run`
        return Run(tuple(steps), error=error)


def _check_plain(value: object) -> None:
    """Check that a state is made of plain values.

    Raises:
        _NotPlainError: It is not; the message says what it holds.
    """
    if isinstance(value, tuple):
        for item in value:
            _check_plain(item)
    elif value is not None and not isinstance(value, (bool, int, str)):
        msg = f"{shown(value)}, a {type(value).__name__}"
        raise _NotPlainError(msg)


_ELSEWHERE = 9
"""Where a stream begins that begins in the middle."""


def _begins_anywhere(trial: Trial) -> Fault | None:
    for final in (False, True):
        here = _scan_whole(trial.strategy, trial.text, final=final)
        there = _scan_whole(trial.strategy, trial.text, base=_ELSEWHERE, final=final)
        moved = [_moved(span, _ELSEWHERE) for span in here.spans]
        if there.spans != moved:
            problem = (
                f"a stream that begins at offset {_ELSEWHERE}, as behind a cut(), "
                "gives other chunks than one that begins at 0"
            )
            begun = f"from {_ELSEWHERE} on"
            sides = _sides_of_spans(begun, there.spans, "from 0 on, moved", moved)
            return Fault(problem, sides, _BEGIN)
    return None


def _moved(span: Span, by: int) -> Span:
    context = tuple((at + by, part, kind) for at, part, kind in span.context)
    return span._replace(start=span.start + by, end=span.end + by, context=context)


def _bounded(trial: Trial) -> Fault | None:
    """Whether work and memory stay flat; the text of the trial is repeated."""
    if _looks_again(trial.strategy):
        return None
    return counting(trial.strategy).growth(trial.text)


def _looks_again(strategy: object) -> bool:
    """Whether each scan may cost the fragment, as the law allows, here or inside.

    So it is on level 1, and while a match of a regular expression stays open.
    """
    if isinstance(strategy, tuple):
        return any(map(_looks_again, strategy))
    if not isinstance(strategy, ChunkingStrategy):
        return False
    is_level_1 = type(strategy).scan is ChunkingStrategy.scan
    if is_level_1 or isinstance(strategy, RegexChunking):
        return True
    return any(map(_looks_again, _attributes(strategy).values()))


def _problem_of(error: ContractError) -> str:
    return error.problem.removesuffix(f"; {ADVICE}")


def _both(trial: Trial) -> tuple[Side, Side]:
    if trial.is_level_1 and isinstance(trial.whole.error, ContractError):
        return _split_and_text(trial)
    return sides_of("these deltas", trial.sliced, "the whole text", trial.whole)


def _split_and_text(trial: Trial) -> tuple[Side, Side]:
    """Return what a strategy of level 1 gives for a text, next to the text."""
    given = trial.split
    return (
        Side("split()", tuple(map(quote, given)) or ("no chunk",)),
        Side("the text", (quote(trial.text),)),
    )


STATELESS = Law("stateless strategies", _stateless)
_PLACED = (
    Law("verbatim", _verbatim),
    Law("order", _order),
    Law("finality", _finality),
    Law("delta-invariance", _delta_invariance),
    Law("earliest release", _earliest_release),
    Law("nothing lost", _nothing_lost),
)
BOUNDED = Law("bounded", _bounded)
STRATEGY_LAWS = (STATELESS, *_PLACED, Law("resumable", _resumable), BOUNDED)
"""The laws of strategies, in the order in which a broken one is reported."""
CHUNKER_LAWS = (STATELESS, *_PLACED)
"""Those that can be seen of any chunker, from outside."""
