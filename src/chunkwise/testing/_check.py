"""check_strategy and check_chunker: examples, laws, and the smallest case."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from .._numbers import check_count
from .._quote import shown
from .._strategy import ChunkingStrategy
from ..errors import ContractError
from ._contract import CONTRACT, contract_error, raised
from ._laws import BOUNDED, CHUNKER_LAWS, HOLDS_STATE, STATELESS, STRATEGY_LAWS
from ._pieces import pieces_named_by
from ._report import BrokenLawError
from ._runs import OfChunker, OfStrategy, WrongReturnError
from ._shrinking import shrink
from ._slicings import examples
from ._trial import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ._laws import Law
    from ._report import Fault
    from ._runs import Subject
    from ._slicings import Slicings

MAX_EXAMPLES = 300
"""Examples where nobody asks for another number: a second or two of work."""

_AGAIN = 10
"""How often a case is tried again, to see whether it depends on it alone."""

_COMMON_UNITS = ("a", " ", "\n", ".", "a ", "a. ", "a\n\n")
_MOST_UNITS = 10
"""Texts that are repeated to see whether work and memory grow."""


def check_strategy(
    strategy: ChunkingStrategy[Any],
    texts: Iterable[str] | None = None,
    *,
    slicings: Slicings = "random",
    max_examples: int = MAX_EXAMPLES,
    separators: str | None = None,
) -> None:
    r"""Check that a strategy keeps every law, and show the smallest case if not.

    A strategy that raises, or that a Chunker cannot call, is told as that: no law can
    be checked with it.

    The same call tries the same examples. Texts that are generated are made of common
    boundaries, of parts of them, and of what the strategy names: its parameters, and
    the constants and patterns in its code.

    Args:
        strategy: The strategy, of either level.
        texts: The texts to try, and no other ones; ``None`` generates them.
        slicings: ``"random"`` tries random slicings of each text. ``"all"`` tries all
            of them, of generated texts that are short: single code points first, then
            those with few cuts.
        max_examples: How many slicings are tried at most, of all texts together.
        separators: Regular expression that text between chunks, and behind the last
            one, has to match: what the strategy may drop, ``r"\s*"`` for example.
            ``None`` lets it drop anything.

    Raises:
        BrokenLawError: It breaks a law. Where it raises, the law is ``"contract"``;
            the report says where, and has the exception as its ``__cause__``.
        ContractError: One of its methods returned something else than a Chunker takes.
        TypeError: *strategy* is none, or *texts* are not texts.
        ValueError: A wrong option, or there are no *texts*.

    Examples:
        >>> from chunkwise import LineChunking
        >>> check_strategy(LineChunking(), ["a\r\n\nb"], slicings="all", separators="")
    """
    checked = checked_strategy(strategy)
    check_laws(
        OfStrategy(checked),
        STRATEGY_LAWS,
        examples_of([checked], texts, slicings, max_examples),
        separators,
    )


def check_chunker(  # noqa: PLR0913 - three functions are the chunker, three say how
    make: Callable[[], Any],
    *,
    feed: Callable[[Any, str], Iterable[str]],
    flush: Callable[[Any], Iterable[str]],
    texts: Iterable[str] | None = None,
    slicings: Slicings = "random",
    max_examples: int = MAX_EXAMPLES,
    separators: str | None = r"\s*",
) -> None:
    r"""Check that a chunker of any make keeps the laws that can be seen from outside.

    These are all but resumable and bounded. Its chunks are placed by their text, each
    behind the one before it.

    Args:
        make: Returns a new chunker, for one stream; often its class.
        feed: Gives a chunker a delta and returns its chunks: often a method of the
            class, as in ``feed=Sentences.add``.
        flush: Ends a chunker's stream and returns its last chunks.
        texts: As for `check_strategy`; what generated texts are made of is taken from
            the code of *make*, *feed* and *flush*.
        slicings: As for `check_strategy`.
        max_examples: As for `check_strategy`.
        separators: As for `check_strategy`, but white space by default.

    Raises:
        BrokenLawError: It breaks a law, or raises, as for `check_strategy`.
        TypeError: One of the functions is none, or returns something else; or *texts*
            are not texts.
        ValueError: A wrong option, or there are no *texts*.

    Examples:
        >>> class Lines:
        ...     def __init__(self):
        ...         self.rest = ""
        ...     def add(self, delta):
        ...         *lines, self.rest = (self.rest + delta).split("\n")
        ...         return list(filter(None, lines))
        ...     def end(self):
        ...         return [self.rest] if self.rest else []
        >>> check_chunker(Lines, feed=Lines.add, flush=Lines.end)
    """
    named = {"make": make, "feed": feed, "flush": flush}
    for name, function in named.items():
        if not callable(function):
            msg = f"{name} must be callable, got {shown(function)}"
            raise TypeError(msg)
    check_laws(
        OfChunker(make, feed, flush),
        CHUNKER_LAWS,
        examples_of([*named.values()], texts, slicings, max_examples),
        separators,
    )


def checked_strategy(strategy: object) -> ChunkingStrategy[Any]:
    """Return *strategy*.

    Raises:
        TypeError: It is none.
    """
    if isinstance(strategy, ChunkingStrategy):
        return strategy
    msg = f"expected a ChunkingStrategy, got {shown(strategy)}"
    if isinstance(strategy, type) and issubclass(strategy, ChunkingStrategy):
        msg += "; make one of the class"
    raise TypeError(msg)


def examples_of(
    subjects: Sequence[object],
    texts: Iterable[str] | None,
    slicings: Slicings,
    max_examples: int,
) -> Iterator[list[str]]:
    """Return the examples that are asked for, once it is clear that they can be made.

    Raises:
        TypeError: *texts* are not texts, or *max_examples* is no number.
        ValueError: *slicings* or *max_examples* has a wrong value, or there are no
            *texts*.
    """
    check_count("max_examples", max_examples, 1)
    if slicings not in ("all", "random"):
        msg = f"slicings must be 'all' or 'random', got {shown(slicings)}"
        raise ValueError(msg)
    if texts is not None:
        texts = [texts] if isinstance(texts, str) else list(texts)
        if not texts:
            msg = "texts must have one text at least, got none; None generates some"
            raise ValueError(msg)
        for text in texts:
            if not isinstance(text, str):
                msg = f"texts must be str, got {shown(text)}"
                raise TypeError(msg)
    return examples(subjects, texts, slicings, max_examples)


def check_laws(
    subject: Subject,
    laws: Sequence[Law],
    cases: Iterator[list[str]],
    separators: str | None,
) -> None:
    """Check laws on cases; of those that one case breaks, the first is reported.

    The contract is checked with each of them, since no law can be where it is broken.

    Args:
        subject: What is tested.
        laws: The laws, the one that names a cause best first.
        cases: Texts in a slicing. Boundedness has texts of its own.
        separators: Regular expression of what may stand between chunks, if any.

    Raises:
        BrokenLawError: One is broken, or the contract.
        ContractError: What a method of a strategy returned.
        ValueError: *separators* is no regular expression.
    """
    if separators is not None:
        try:
            re.compile(separators)
        except re.error as error:
            msg = f"separators {shown(separators)} is no regular expression: {error}"
            raise ValueError(msg) from error

    # State comes first: asking what the text gives would already leave something.
    first = [STATELESS] if STATELESS in laws else []
    placed = [law for law in laws if law not in {STATELESS, BOUNDED}]
    for deltas in cases:
        trial = Trial(subject, deltas, separators)
        _check_case(first, trial)
        _check_contract(trial)
        _check_case(placed, trial)
    if BOUNDED in laws:
        for unit in _units(subject):
            trial = Trial(subject, [unit], separators)
            _check_contract(trial)
            fault = _fault(BOUNDED, trial)
            if fault is not None:
                raise _broken(_law_of(fault, BOUNDED), trial, fault)


def _check_contract(trial: Trial) -> None:
    error = contract_error(trial)
    if isinstance(error, ContractError):
        raise error
    _check_case([CONTRACT], trial)


def _check_case(laws: Sequence[Law], trial: Trial) -> None:
    for law in laws:
        fault = _fault(law, trial)
        if fault is not None:
            raise _smallest(law, trial, fault)


def _fault(law: Law, trial: Trial) -> Fault | None:
    """Return what a trial shows to be wrong, unless its text shows nothing of *law*."""
    if law is not STATELESS and trial.is_refused:
        return None
    if law not in {STATELESS, CONTRACT} and contract_error(trial) is not None:
        return None
    try:
        return law.check(trial)
    except (WrongReturnError, ContractError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        return raised(error, trial.subject)


def _smallest(law: Law, trial: Trial, fault: Fault) -> BrokenLawError:
    """Return the report of the smallest case in which the law is broken."""
    shown = [(trial, fault)]

    def shows(deltas: list[str]) -> bool:
        smaller = Trial(trial.subject, deltas, trial.separators)
        found = _fault(law, smaller)
        if found is None or (found.error is None) != (fault.error is None):
            return False
        # What a case showed is kept: what holds state need not show it again.
        shown[:] = [(smaller, found)]
        return True

    shrink(trial.deltas, shows)
    smallest, fault = shown[0]
    if all(shows(list(smallest.deltas)) for _ in range(_AGAIN)):
        return _broken(_law_of(fault, law), smallest, fault)
    return _broken(STATELESS, smallest, fault._replace(cause=HOLDS_STATE))


def _law_of(fault: Fault, law: Law) -> Law:
    """Return what to call a fault that *law* found: what raises breaks the contract."""
    return law if fault.error is None else CONTRACT


def _broken(law: Law, trial: Trial, fault: Fault) -> BrokenLawError:
    report = BrokenLawError(
        subject=trial.subject.name,
        law=law.name,
        deltas=trial.deltas,
        problem=fault.problem,
        sides=fault.sides,
        cause=fault.cause,
    )
    report.__cause__ = fault.error or trial.whole.error or trial.sliced.error
    return report


def _units(subject: Subject) -> list[str]:
    """Return short texts to repeat: common ones, and those that the strategy names."""
    strategy = cast("OfStrategy", subject).strategy  # Other chunkers count nothing.
    named = sorted(pieces_named_by(strategy), key=len)
    return [*dict.fromkeys([*_COMMON_UNITS, *named])][:_MOST_UNITS]
