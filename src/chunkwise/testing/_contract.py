"""The contract: what has to hold before a law can be checked.

A strategy that returns no list, or raises, breaks every law somehow, and none of them
names what is wrong. So this is looked at first, and told as what it is.
"""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from .._resplit import ADVICE
from ..errors import ContractError, NotVerbatimError
from ._laws import Law
from ._report import Fault
from ._runs import OfStrategy, is_refusal

if TYPE_CHECKING:
    from ._runs import Subject
    from ._trial import Trial

_RAISES = "raises: every text has chunks, and so has every slicing of it"
_SPLIT = (
    "is not what a Chunker can call: split(text) and flush(text) return a list of str"
)
_SCAN = (
    "is not what a Chunker can call: begin(offset) returns a state, and scan(text, "
    "base, state, final=False) returns Scan(spans, keep, resume, state)"
)


def contract_error(trial: Trial) -> Exception | None:
    """Return what keeps the laws from being checked for a text, if anything does.

    That is an exception out of the strategy, or what a Chunker finds wrong with what a
    method returns. Chunks that are no text of the stream, or that change when it goes
    on, break a law, which shows them in the smallest case.
    """
    for error in (trial.whole.error, trial.sliced.error):
        if error is not None and not is_refusal(error) and not _names_a_law(error):
            return error
    return None


def _names_a_law(error: Exception) -> bool:
    # The advice stands in all errors of level 1 that name a law, and in no others.
    return isinstance(error, NotVerbatimError) or (
        isinstance(error, ContractError) and error.problem.endswith(ADVICE)
    )


def raised(error: Exception, subject: Subject) -> Fault:
    """Return the fault that *subject* cannot be checked because of *error*.

    It says where the error was raised: in the innermost frame of the code of *subject*.
    Where there is none, a call from outside went wrong, or took what came back apart.
    """
    problem, cause = f"it raised {error!r}", _RAISES
    own = subject.modules
    frames = [
        f"{frame.f_code.co_filename}:{line}, in {frame.f_code.co_name}()"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") in own
    ]
    if frames:
        problem += f" at {frames[-1]}"
    elif isinstance(subject, OfStrategy):
        name = "split" if subject.is_level_1 else "scan"
        code = getattr(getattr(subject.strategy, name), "__code__", None)
        place = f" at {code.co_filename}:{code.co_firstlineno}" if code else ""
        problem = f"calling {name}(){place} raised {error!r}"
        cause = _SPLIT if subject.is_level_1 else _SCAN
    return Fault(problem, (), cause, error)


def _contract(trial: Trial) -> Fault | None:
    error = contract_error(trial)
    if error is None or isinstance(error, ContractError):
        return None
    return raised(error, trial.subject)


CONTRACT = Law("contract", _contract)
"""Reported as a law is; a ContractError tells all by itself, and is no fault here."""
