"""NestedChunking: an inner strategy inside each chunk of an outer one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._pending import View, nothing_held
from .._registry import register_built_in, resolve_strategy
from .._strategy import ChunkingStrategy, check_no_overlap
from ..errors import ContractError
from ._whole import WholeChunking

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._pending import Read
    from .._registry import StrategyLike
    from .._spans import ScanFields, SpanFields
    from ._whole import Splitter

    Inside: TypeAlias = "tuple[Any, int] | None"
    Opened: TypeAlias = "tuple[int, int] | None"
    NestedState: TypeAlias = "tuple[Any, int, Inside, Opened]"


@dataclass(frozen=True)
class NestedChunking(ChunkingStrategy["NestedState"]):
    r"""Cuts each chunk of an outer strategy with an inner one.

    The inner strategy starts anew in every outer chunk, so none of its chunks reaches
    over an outer boundary. Its chunks are released as early as both allow: it sees the
    text that surely belongs to the open outer chunk. What only the end of the outer
    chunk closed is as ``complete`` as that chunk. What either drops is a gap.

    An inner *function* of whole texts, such as a sentence splitter of a language
    library, is called once for each outer chunk when that is complete: this makes it
    the same in every slicing. It returns the pieces of its text in order, as ``str``
    or as pairs of offsets ``(start, end)`` in that text; what lies between them is a
    gap. Its last piece is closed by the end of the outer chunk.

    Args:
        outer: A strategy, its name, or its dictionary form; its chunks do not overlap.
        inner: The same, or a function from ``str`` to pieces.

    Raises:
        UnknownStrategyError: No strategy has the given name.
        ValueError: The chunks of *outer* may overlap.
        TypeError: One of the two is no strategy.

    Examples:
        >>> nested = NestedChunking("paragraph", "sentence")
        >>> nested.split("A title\n\nOne. Two. Thr")
        ['A title', 'One.', 'Two.']
    """

    outer: StrategyLike
    inner: StrategyLike | Splitter

    def __post_init__(self) -> None:
        """Resolve the two and check that they can be nested."""
        object.__setattr__(self, "outer", resolve_strategy(self.outer))
        given: Any = self.inner
        # A class can be called, too, but is a mistake for an instance.
        is_function = callable(given) and not isinstance(given, type)
        if isinstance(given, ChunkingStrategy) or not is_function:
            inner: Any = given
            object.__setattr__(self, "inner", resolve_strategy(inner))
        outer: Any = self.outer
        check_no_overlap("outer", outer)

    @property
    def _unbound(self) -> ChunkingStrategy[NestedState]:
        return self.bound_to(nothing_held)

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[NestedState]:
        outer: Any = self.outer
        inner: Any = self.inner
        if not isinstance(inner, ChunkingStrategy):
            inner = WholeChunking(inner)
        return _NestedScanner(outer.bound_to(read), inner.bound_to(read), read)

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self._unbound.trigger

    @property
    @override
    def overlaps(self) -> bool:
        return self._unbound.overlaps

    @override
    def begin(self, offset: int) -> NestedState:
        return self._unbound.begin(offset)

    @override
    def opened(
        self, text: str, base: int, state: NestedState
    ) -> tuple[int, int] | None:
        return self._unbound.opened(text, base, state)

    @override
    def scan(
        self, text: str, base: int, state: NestedState, final: bool = False
    ) -> ScanFields[NestedState]:
        return self._unbound.scan(text, base, state, final=final)


class _NestedScanner(ChunkingStrategy["NestedState"]):
    """Scans one stream for a `NestedChunking`.

    Args:
        outer: The outer strategy, bound to the stream.
        inner: The inner one, bound to the stream.
        read: Returns the stream's text left of what is scanned.
    """

    __slots__ = ("_read", "inner", "outer")

    def __init__(
        self, outer: ChunkingStrategy[Any], inner: ChunkingStrategy[Any], read: Read
    ) -> None:
        self.outer: ChunkingStrategy[Any] = outer
        self.inner: ChunkingStrategy[Any] = inner
        self._read = read

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self.outer.trigger | self.inner.trigger

    @property
    @override
    def overlaps(self) -> bool:
        return self.inner.overlaps

    @override
    def begin(self, offset: int) -> NestedState:
        return (self.outer.begin(offset), offset, None, None)

    @override
    def opened(
        self, text: str, base: int, state: NestedState
    ) -> tuple[int, int] | None:
        return state[3]

    @override
    def needs(self, base: int, state: NestedState) -> int:
        outer_state, outer_at, inside, _ = state
        needed = self.outer.needs(outer_at, outer_state)
        if inside is None:
            return needed
        inner_state, at = inside
        return min(needed, self.inner.needs(at, inner_state))

    @override
    def scan(
        self, text: str, base: int, state: NestedState, final: bool = False
    ) -> ScanFields[NestedState]:
        # Plan: both strategies go over the text at their own paces, and this one
        # resumes at its end: what a part has to see again is read back from where it
        # resumes itself. For each chunk that the outer one closes the inner one makes
        # a final scan up to its end; in the chunk that is open it scans as far as the
        # outer one is sure. The state is the outer one's with the offset where it
        # resumes, the same of the inner one where a chunk is open, and what is open
        # in this strategy.
        outer_state, outer_at, inside, _ = state
        end = base + len(text)
        view = View(text, base, self._read)
        closed, keep, outer_at, outer_state, wake = self.outer.scan(
            view(outer_at, end), outer_at, outer_state, final=final
        )
        spans: list[SpanFields] = []
        for span in closed:
            start, stop, complete = span[:3]
            inner_state, at = inside or (self.inner.begin(start), start)
            pieces = self.inner.scan(view(at, stop), at, inner_state, final=True)[0]
            if complete is not None:
                pieces = [_closed(piece, complete=complete) for piece in pieces]
            spans.extend(pieces)
            inside = None
        if final:
            return (spans, end, end, (outer_state, end, None, None), 0)
        opened = self.outer.opened(view(outer_at, end), outer_at, outer_state)
        if inside is not None and (opened is None or opened[1] < inside[1]):
            problem = (
                f"opened() returned {opened}, but had said that the text up to "
                f"{inside[1]} belongs to the open chunk, expected as much at least"
            )
            name = type(self.outer).__name__
            raise ContractError(problem, strategy=name, offset=inside[1])
        if opened is None:
            state = (outer_state, outer_at, None, None)
            return (spans, min(keep, self.needs(end, state)), end, state, 0)
        start, surely = opened
        inner_state, at = inside or (self.inner.begin(start), start)
        pieces, inner_keep, at, inner_state, inner_wake = self.inner.scan(
            view(at, surely), at, inner_state
        )
        spans.extend(pieces)
        state = (
            outer_state,
            outer_at,
            (inner_state, at),
            self.inner.opened(view(at, surely), at, inner_state),
        )
        # What the inner one has not seen may hold its triggers: look at every delta
        # until it has.
        wake = min(wake, inner_wake) if surely == end else 0
        # The open outer chunk is not kept as a whole: its text goes to the inner one.
        return (spans, min(inner_keep, self.needs(end, state)), end, state, wake)


def _closed(piece: SpanFields, *, complete: bool) -> SpanFields:
    """Return *piece*, as complete as the outer chunk whose end closed it."""
    if piece[2] is not None:
        return piece
    closed: Any = (*piece[:2], complete, *piece[3:])
    return closed  # type: ignore[no-any-return]  # as many fields as before


register_built_in("nested", NestedChunking)
