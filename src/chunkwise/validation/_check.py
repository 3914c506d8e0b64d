"""Check: a function that judges chunks, and how it is to be called."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypedDict, cast

from .._numbers import check_count, check_seconds
from .._registry import resolve_strategy
from ._values import Verdict, View

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .._registry import StrategyLike
    from .._strategy import ChunkingStrategy

CheckFunction: TypeAlias = Callable[
    [View], "Verdict | Awaitable[Verdict | None] | None"
]
"""What judges: a function, or an async one."""

Policy: TypeAlias = Literal["raise", "reject", "release"]
"""What becomes of a chunk whose check failed itself."""

Run: TypeAlias = Literal["auto", "inline", "thread"]
"""Where a check runs."""

_POLICIES = ("raise", "reject", "release")


@dataclass(frozen=True, slots=True)
class Chunks:
    """A context of whole chunks: ``Check(..., context=Chunks(2))``.

    Args:
        count: How many chunks before the one that is judged; at least 1.

    Raises:
        TypeError: *count* is no ``int``.
        ValueError: *count* is below 1.
    """

    count: int

    def __post_init__(self) -> None:
        check_count("count", self.count, 1)


class CheckOptions(TypedDict, total=False):
    """The keywords of ``Check``."""

    name: str | None
    context: int | Chunks
    timeout: float | None
    parallel: int
    run: Run
    on_error: Policy
    on_timeout: Policy
    at: Literal["chunk", "end"]
    strategy: StrategyLike | None


class Check:
    """A function that judges chunks, and how it is to be called.

    The function is given a ``View`` and returns a ``Verdict``, or ``None`` for a pass.
    Anything else, also ``True`` and ``False``, is an error of the check. It may be
    ``async``.

    Args:
        fn: The function.
        name: What it is called in verdicts and statistics; by default its own name.
            Two checks may share a name.
        context: What it is shown of the text before the chunk: a number of code points,
            or ``Chunks(n)``.
        timeout: Seconds that one call may take; not for what runs inline. A thread
            cannot be interrupted: with a time-out it is left to itself, without one the
            end of the stream waits for it.
        parallel: How many chunks it may judge at a time, when the stream is read in a
            task group. With 1 the chunks come one by one and in order, so that it may
            keep a state.
        run: Where a function that is not ``async`` runs: ``"inline"``, which is what
            ``"auto"`` means, on the event loop, or in a ``"thread"``.
        on_error: What to do when it raises: ``"raise"`` the error, ``"reject"`` the
            chunk, or ``"release"`` it.
        on_timeout: The same for a call that takes too long.
        at: ``"chunk"``, or ``"end"`` for one call with the whole text behind the last
            chunk. The text is kept for that, and the last chunk is withheld until the
            verdict.
        strategy: Strategy of the chunks that it judges, where that is another one than
            the stream's. A piece of the stream is released when all these chunks that
            begin before its end have passed.

    Raises:
        TypeError: *fn* cannot be called with a view, or a number is none.
        ValueError: A value that is none of those above, or options that exclude each
            other.

    Examples:
        >>> def no_shouting(view):
        ...     if view.chunk.isupper():
        ...         return Verdict("reject", "shouting")
        >>> Check(no_shouting)
        <Check no_shouting>
    """

    # Whether `fn` makes the function is known to this module alone.
    _is_factory: ClassVar[bool] = False

    def __init__(  # noqa: PLR0913 - these are the options of a check
        self,
        fn: CheckFunction,
        *,
        name: str | None = None,
        context: int | Chunks = 0,
        timeout: float | None = None,
        parallel: int = 1,
        run: Run = "auto",
        on_error: Policy = "raise",
        on_timeout: Policy = "reject",
        at: Literal["chunk", "end"] = "chunk",
        strategy: StrategyLike | None = None,
    ) -> None:
        _check_call(fn, is_factory=self._is_factory)
        if not isinstance(context, Chunks):
            check_count("context", context, 0)
        check_count("parallel", parallel, 1)
        check_seconds("timeout", timeout, or_none=True)
        check_choice("run", run, ("auto", "inline", "thread"))
        check_choice("on_error", on_error, _POLICIES)
        check_choice("on_timeout", on_timeout, _POLICIES)
        check_choice("at", at, ("chunk", "end"))
        if at == "end" and (strategy is not None or context):
            msg = (
                "a check at='end' sees the whole text; it takes no strategy or context"
            )
            raise ValueError(msg)
        self._fn = fn
        self.name: str = name if name is not None else _name_of(fn)
        self.context = context
        self.timeout = timeout
        self.parallel = parallel
        self.run = run
        self.on_error: Policy = on_error
        self.on_timeout: Policy = on_timeout
        self.at = at
        self.strategy: ChunkingStrategy[Any] | None = (
            None if strategy is None else resolve_strategy(strategy)
        )

    @staticmethod
    def factory(
        make: Callable[[], CheckFunction], **options: Unpack[CheckOptions]
    ) -> Check:
        """Return a check whose function is made anew for each stream.

        For checks that keep a state: two streams then share none.

        Args:
            make: Called once a stream; returns the function.
            **options: As for ``Check``.

        Raises:
            TypeError: *make* cannot be called without arguments; else as for ``Check``.
            ValueError: As for ``Check``.
        """
        return _FactoryCheck(cast("CheckFunction", make), **options)

    def __repr__(self) -> str:
        """Show the name."""
        return f"<Check {self.name}>"


class _FactoryCheck(Check):
    """A check whose function is made anew for each stream."""

    _is_factory = True


def as_check(check: Check | CheckFunction) -> Check:
    """Return *check*, a plain function as one with the default options.

    Raises:
        TypeError: It cannot be called.
    """
    return check if isinstance(check, Check) else Check(check)


def _check_call(fn: object, *, is_factory: bool) -> None:
    """Check that *fn* can be called as it will be.

    Raises:
        TypeError: It cannot.
    """
    what = "a factory of checks" if is_factory else "a check"
    if not callable(fn):
        hint = "; it is one already" if isinstance(fn, Check) else ""
        msg = f"{what} must be callable, got {type(fn).__name__}{hint}"
        raise TypeError(msg)
    try:
        call = signature(fn)
    except (TypeError, ValueError):
        return  # Python does not know, as for some functions in C.
    try:
        call.bind(*(() if is_factory else (None,)))
    except TypeError as error:
        takes = "no argument" if is_factory else "one argument, the view"
        hint = "" if is_factory else "; what makes a check goes into Check.factory()"
        msg = f"{what} takes {takes}, got {_name_of(fn)}{call}{hint}"
        raise TypeError(msg) from error


def function_of(check: Check) -> Callable[[View], Any]:
    """Return the function of *check* for one stream; a factory makes it now.

    Raises:
        TypeError: A factory made something that cannot be called.
    """
    fn: Any = check._fn  # noqa: SLF001 - of this module
    if not check._is_factory:  # noqa: SLF001 - as above
        return cast("Callable[[View], Any]", fn)
    made = fn()
    if not callable(made):
        msg = (
            f"the factory of {check!r} must return a callable, got "
            f"{type(made).__name__}"
        )
        raise TypeError(msg)
    return cast("Callable[[View], Any]", made)


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Check that a parameter is one of these words.

    Raises:
        ValueError: It is not.
    """
    if value not in choices:
        msg = f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}"
        raise ValueError(msg)


def _name_of(fn: object) -> str:
    return getattr(fn, "__name__", None) or type(fn).__name__
