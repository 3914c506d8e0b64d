"""WindowChunking: pieces of another strategy, a number at a time."""

from __future__ import annotations

import copy
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from typing_extensions import override

from .._numbers import check_count
from .._registry import register_built_in, resolve_strategy
from .._strategy import ChunkingStrategy, check_bool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._pending import Read
    from .._registry import StrategyLike
    from .._spans import ScanFields, SpanFields

    Waiting: TypeAlias = "tuple[Any, tuple[int, ...], int, int, bool]"

Tail: TypeAlias = Literal["new", "all", "drop"]

_TAILS = ("new", "all", "drop")


@dataclass(frozen=True, init=False)
class WindowChunking(ChunkingStrategy["Waiting"]):
    """Joins pieces of another strategy, a number at a time, and moves on by a stride.

    A window runs from the start of its first piece to the end of its last one, so what
    stands between them belongs to it. It is released when its last piece is, and is as
    ``complete`` as that. What the inner strategy drops is dropped between windows, too.
    Windows that ``flush`` releases because no more pieces come are not ``complete``.

    Args:
        window: Pieces of a window; at least 1.
        stride: Pieces from the start of one window to the start of the next; *window*
            if ``None``. Windows overlap where it is less.
        by: The strategy that finds the pieces, its name, or its dictionary form.
        tail: What becomes of pieces at the end that fill no window. ``"new"``: the
            window that would come next, if it shows a piece that no window has shown.
            ``"all"``: that one and all behind it, as long as they have a piece.
            ``"drop"``: nothing.
        allow_gaps: Whether *stride* may be greater than *window*: pieces between two
            windows are then left out.

    Raises:
        ValueError: *window* or *stride* is below 1 or a ``bool``, *stride* is greater
            than *window* without *allow_gaps*, or *tail* is none of the three.
        TypeError: A parameter has a wrong type.
        UnknownStrategyError: No strategy has the name *by*.

    Examples:
        >>> WindowChunking(2, stride=1, by="word").split("one two three four ")
        ['one two', 'two three', 'three four']
        >>> WindowChunking(3, by="word").flush("one two three four ")
        ['four']
    """

    window: int
    _: KW_ONLY
    stride: int | None
    by: ChunkingStrategy[Any]
    tail: Tail
    allow_gaps: bool

    # Written out, because `by` takes more than what it is afterwards.
    def __init__(
        self,
        window: int,
        *,
        stride: int | None = None,
        by: StrategyLike = "sentence",
        tail: Tail = "new",
        allow_gaps: bool = False,
    ) -> None:
        check_count("window", window, 1)
        check_bool("allow_gaps", allow_gaps)
        if stride is not None:
            check_count("stride", stride, 1)
            if stride > window and not allow_gaps:
                msg = (
                    f"stride must be in 1..{window} (the window) unless allow_gaps is "
                    f"True, got {stride}"
                )
                raise ValueError(msg)
        if tail not in _TAILS:
            expected = ", ".join(map(repr, _TAILS))
            msg = f"tail must be one of {expected}, got {tail!r}"
            raise ValueError(msg)
        parameters = {
            "window": window,
            "stride": stride,
            "by": resolve_strategy(by),
            "tail": tail,
            "allow_gaps": allow_gaps,
        }
        for name, value in parameters.items():
            object.__setattr__(self, name, value)

    @property
    def _step(self) -> int:
        return self.stride or self.window

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self.by.trigger

    @property
    @override
    def overlaps(self) -> bool:
        return self._step < self.window or self.by.overlaps

    @override
    def bound_to(self, read: Read) -> WindowChunking:
        by = self.by.bound_to(read)
        if by is self.by:
            return self
        bound = copy.copy(self)
        object.__setattr__(bound, "by", by)
        return bound

    @override
    def begin(self, offset: int) -> Waiting:
        return (self.by.begin(offset), (), offset, 0, False)

    @override
    def opened(self, text: str, base: int, state: Waiting) -> tuple[int, int] | None:
        # A window that may be dropped, or that begins with a piece to be left out, is
        # not sure to come; the start of one that overlaps is known too late to help.
        if self.overlaps or self._step != self.window or self.tail == "drop":
            return None
        inner, starts, end, *_ = state
        piece = self.by.opened(text, base, inner)
        if not starts:
            return piece
        # One more piece at least belongs to a window that is not full.
        return (starts[0], piece[1] if piece else end)

    @override
    def needs(self, base: int, state: Waiting) -> int:
        return self.by.needs(base, state[0])

    @override
    def scan(
        self, text: str, base: int, state: Waiting, final: bool = False
    ) -> ScanFields[Waiting]:
        # Plan: let the inner strategy scan, and count its pieces. No text is needed,
        # so everything about looking and waking is what the inner strategy says. The
        # state is that strategy's; where the windows start that are not full; where
        # the last piece ends; how many pieces the first of these windows has, or, less
        # than 0, how many are left out before it; and whether the last piece has not
        # been in a window yet. It grows with the windows that overlap, not with their
        # pieces.
        inner, waiting, last_end, count, has_new = state
        spans, keep, resume, inner, wake = self.by.scan(text, base, inner, final=final)
        windows: list[SpanFields] = []
        if spans:
            starts = list(waiting)
            first = 0
            step = self._step
            window = self.window
            for span in spans:
                if count >= 0:
                    if count % step == 0:
                        starts.append(span[0])
                    has_new = True
                count += 1
                if count == window:
                    windows.append((starts[first], span[1], span[2], "window"))
                    has_new = False
                    first += 1
                    count -= step
            waiting = tuple(starts[first:])
            last_end = spans[-1][1]
        if final:
            windows += [
                (start, last_end, None, "window")
                for start in self._tail_starts(waiting, has_new=has_new)
            ]
        elif waiting:
            keep = min(waiting[0], self.by.needs(resume, inner))
        return (windows, keep, resume, (inner, waiting, last_end, count, has_new), wake)

    def _tail_starts(self, starts: Sequence[int], *, has_new: bool) -> Sequence[int]:
        """Return where the windows start that the end of the stream releases.

        Args:
            starts: Where the windows start that are not full.
            has_new: Whether there is a piece among theirs that no window has shown.
        """
        if self.tail == "all":
            return starts
        return starts[:1] if self.tail == "new" and has_new else []


register_built_in("window", WindowChunking)
