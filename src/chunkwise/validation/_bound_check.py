"""BoundCheck: a check at work on one stream, and what its calls come to."""

from __future__ import annotations

from inspect import isawaitable, iscoroutine, iscoroutinefunction
from typing import TYPE_CHECKING, Any, Literal

from .._quote import shown
from ._check import function_of
from ._values import CheckStats, Edit, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._check import Check, Policy
    from ._values import View


class BoundCheck:
    """A check at work on one stream: its function, and what it did so far.

    Args:
        check: The check.
        place: Its place in the declaration.

    Raises:
        TypeError: A factory made something that cannot be called.
        ValueError: Options that the function cannot have.

    Attributes:
        call: The function.
        place: Place in the declaration, which decides between edits that overlap.
        slot_place: Place among the checks of the same grain.
        is_async: Whether *call* is a coroutine function.
        in_thread: Whether it runs in a thread.
        is_inline: Whether it is neither.
        limiter: What limits its threads; whoever starts them makes it.
    """

    __slots__ = (
        "call",
        "calls",
        "errors",
        "in_thread",
        "is_async",
        "is_inline",
        "limiter",
        "name",
        "options",
        "place",
        "rejects",
        "seconds",
        "slot_place",
        "slowest",
        "timeouts",
    )

    def __init__(self, check: Check, place: int) -> None:
        fn = function_of(check)
        self.options: Check = check
        self.name: str = check.name
        self.call: Callable[[View], Any] = fn
        self.place: int = place
        self.slot_place: int = 0
        self.limiter: Any = None
        self.is_async: bool = iscoroutinefunction(fn) or iscoroutinefunction(
            type(fn).__call__
        )
        self.in_thread: bool = check.run == "thread"
        self.is_inline: bool = not (self.is_async or self.in_thread)
        if self.is_async and check.run != "auto":
            msg = f"{check!r} is async, which leaves only run='auto', got {check.run!r}"
            raise ValueError(msg)
        if self.is_inline and (check.timeout is not None or check.parallel > 1):
            msg = (
                f"{check!r} runs inline, one call after the other, where nothing can "
                "interrupt it; timeout and parallel need an async function or "
                "run='thread'"
            )
            raise ValueError(msg)
        self.calls: int = 0
        self.rejects: int = 0
        self.errors: int = 0
        self.timeouts: int = 0
        self.seconds: float = 0.0
        self.slowest: float = 0.0

    @property
    def stats(self) -> CheckStats:
        """What it did so far."""
        return CheckStats(
            self.name,
            self.calls,
            self.rejects,
            self.errors,
            self.timeouts,
            self.seconds,
            self.slowest,
        )

    def count(self, seconds: float) -> None:
        """Count a call that took so long."""
        self.calls += 1
        self.seconds += seconds
        self.slowest = max(self.slowest, seconds)

    def verdict_of(
        self, result: object, edit_from: float, end: int
    ) -> Verdict | Exception:
        """Return the verdict that a call returned, if it is one.

        Args:
            result: What was returned.
            edit_from: Where its edits may begin; infinity where nothing can be edited.
            end: Where they have to end.

        Returns:
            What else it is counts as an error of the check.
        """
        if not isinstance(result, Verdict):
            if iscoroutine(result):
                result.close()  # Or Python warns that it was never awaited.
            hint = ""
            if isawaitable(result):
                hint = "; write it as an async function"
            elif callable(result):
                hint = "; give what makes a check to Check.factory()"
            problem = TypeError(
                f"check {self.name!r} must return a Verdict or None, got "
                f"{type(result).__name__} {shown(result)}{hint}"
            )
            return self.verdict_on_error(problem)
        for edit in result.edits:
            if not isinstance(edit, Edit):
                wrong = TypeError(
                    f"check {self.name!r} must give edits as Edit, got {shown(edit)}"
                )
                return self.verdict_on_error(wrong)
            if not (edit_from <= edit.start < end and edit.end <= end):
                return self.verdict_on_error(self._misplaced(edit, edit_from, end))
        return result

    def _misplaced(self, edit: Edit, edit_from: float, end: int) -> ValueError:
        is_any = edit_from < end
        where = f"in {edit_from}..{end}" if is_any else "of text that is not out"
        return ValueError(
            f"check {self.name!r} may make edits {where}, got {edit.start}:{edit.end}; "
            "offsets count from the start of the stream, and other text may have been "
            "released"
        )

    def verdict_on_error(self, error: Exception) -> Verdict | Exception:
        """Return the verdict that stands in for an error, or that to be raised."""
        self.errors += 1
        reason = f"{type(error).__name__}: {error}"
        return _stand_in(self.options.on_error, error, reason, "error")

    def verdict_on_timeout(self) -> Verdict | Exception:
        """Return the same for a call that took too long."""
        self.timeouts += 1
        reason = f"took longer than timeout={self.options.timeout} seconds"
        error = TimeoutError(f"check {self.name!r} {reason}")
        return _stand_in(self.options.on_timeout, error, reason, "timeout")


def _stand_in(
    policy: Policy,
    error: Exception,
    reason: str,
    origin: Literal["error", "timeout"],
) -> Verdict | Exception:
    if policy == "raise":
        return error
    status: Literal["pass", "reject"] = "reject" if policy == "reject" else "pass"
    return Verdict(status, reason, data=error, origin=origin)
