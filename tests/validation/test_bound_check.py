"""A check at work: how it runs, and what becomes of what it returns or raises."""

from __future__ import annotations

from functools import partial
from math import inf
from typing import Any

import pytest

from chunkwise.validation import Check, Edit, Verdict, View
from chunkwise.validation._bound_check import BoundCheck


def judge(view: View) -> None:
    del view


async def ajudge(view: View) -> None:
    del view


class Callable:
    """Is no function, and async all the same."""

    async def __call__(self, view: View) -> None:
        """Pass."""
        del view


@pytest.mark.parametrize("fn", [ajudge, partial(ajudge), Callable()], ids=type)
def test_what_is_async_is_known_from_the_function(fn: Any) -> None:
    bound = BoundCheck(Check(fn, timeout=1, parallel=2), 0)
    assert (bound.is_async, bound.in_thread, bound.is_inline) == (True, False, False)


def test_a_plain_function_runs_inline_or_in_a_thread() -> None:
    bound = BoundCheck(Check(judge), 3)
    assert (bound.is_async, bound.in_thread, bound.is_inline) == (False, False, True)
    assert bound.place == 3
    bound = BoundCheck(Check(judge, run="thread", timeout=1, parallel=2), 0)
    assert (bound.is_async, bound.in_thread, bound.is_inline) == (False, True, False)


@pytest.mark.parametrize("options", [{"timeout": 1}, {"parallel": 2}], ids=str)
def test_what_runs_inline_cannot_be_interrupted_or_run_twice(
    options: dict[str, Any],
) -> None:
    with pytest.raises(ValueError, match="need an async function or run='thread'"):
        BoundCheck(Check(judge, **options), 0)


@pytest.mark.parametrize("run", ["inline", "thread"])
def test_what_is_async_runs_nowhere_else(run: Any) -> None:
    with pytest.raises(ValueError, match=f"leaves only run='auto', got '{run}'"):
        BoundCheck(Check(ajudge, run=run), 0)


def test_statistics_begin_at_nothing() -> None:
    stats = BoundCheck(Check(judge), 0).stats
    assert (stats.name, stats.calls, stats.seconds) == ("judge", 0, 0.0)


def test_calls_are_counted() -> None:
    bound = BoundCheck(Check(judge), 0)
    bound.count(0.5)
    bound.count(0.25)
    stats = bound.stats
    assert (stats.calls, stats.seconds, stats.slowest_seconds) == (2, 0.75, 0.5)


def test_a_verdict_is_what_was_returned() -> None:
    verdict = Verdict("pass", edits=(Edit(5, 9, ""), Edit(7, 7, "a")))
    assert BoundCheck(Check(judge), 0).verdict_of(verdict, 5, 9) is verdict


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (True, "check 'judge' must return a Verdict or None, got bool True$"),
        (judge, "got function .*; give what makes a check to Check.factory()"),
        (ajudge, "got function .*; give what makes a check to Check.factory()"),
        (Verdict("pass", edits=("a",)), "'judge' must give edits as Edit, got 'a'"),  # type: ignore[arg-type]  # what is tested
    ],
    ids=["bool", "a function", "an async function", "no edit"],
)
def test_what_is_no_verdict_is_an_error_of_the_check(
    result: object, message: str
) -> None:
    bound = BoundCheck(Check(judge), 0)
    with pytest.raises(TypeError, match=message):
        raise raised(bound.verdict_of(result, 5, 9))
    assert bound.stats.errors == 1


def raised(found: Verdict | Exception) -> Exception:
    assert isinstance(found, Exception)
    return found


def test_an_async_call_that_nobody_awaited_is_an_error_and_no_warning() -> None:
    found = BoundCheck(Check(judge), 0).verdict_of(ajudge(View(None)), 0, 9)  # type: ignore[arg-type]  # never read
    with pytest.raises(TypeError, match=r"got coroutine .*; write it as an async"):
        raise raised(found)


@pytest.mark.parametrize(
    ("edit", "edit_from", "message"),
    [
        (Edit(4, 6, ""), 5, "may make edits in 5..9, got 4:6; offsets count from"),
        (Edit(6, 10, ""), 5, "got 6:10; .* other text may have been released"),
        (Edit(9, 9, ""), 5, "may make edits in 5..9, got 9:9; "),
        (Edit(6, 7, ""), inf, "may make edits of text that is not out, got 6:7"),
    ],
    ids=["before", "behind", "at the end", "of what is out"],
)
def test_an_edit_elsewhere_is_an_error_of_the_check(
    edit: Edit, edit_from: float, message: str
) -> None:
    bound = BoundCheck(Check(judge), 0)
    with pytest.raises(ValueError, match=message):
        raise raised(bound.verdict_of(Verdict("pass", edits=(edit,)), edit_from, 9))


@pytest.mark.parametrize(
    ("policy", "status"), [("reject", "reject"), ("release", "pass")]
)
def test_a_policy_stands_in_for_what_failed(policy: Any, status: str) -> None:
    options: Any = {"on_error": policy, "on_timeout": policy}
    bound = BoundCheck(Check(ajudge, timeout=3, **options), 0)
    error = KeyError("a")
    verdict = Verdict(status, "KeyError: 'a'", data=error, origin="error")  # type: ignore[arg-type]  # as above
    assert bound.verdict_on_error(error) == verdict
    late = bound.verdict_on_timeout()
    assert isinstance(late, Verdict)
    assert (late.status, late.origin) == (status, "timeout")
    assert late.reason == "took longer than timeout=3 seconds"
    assert (bound.stats.errors, bound.stats.timeouts) == (1, 1)


def test_what_is_to_be_raised_is_no_verdict() -> None:
    bound = BoundCheck(Check(ajudge, timeout=3, on_timeout="raise"), 0)
    error = KeyError("a")
    assert bound.verdict_on_error(error) is error
    assert isinstance(bound.verdict_on_timeout(), TimeoutError)
