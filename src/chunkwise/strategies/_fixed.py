"""FixedSizeChunking: a number of code points, whole grapheme clusters."""

from __future__ import annotations

import copy
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING

from typing_extensions import Self, override

from .._clusters import cluster_end, cluster_start, ends_cluster, open_context
from .._numbers import check_count
from .._pending import View, nothing_held
from .._registry import register_built_in
from .._strategy import ChunkingStrategy, check_bool

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._pending import Read
    from .._spans import ScanFields, SpanFields

    OpenSize: TypeAlias = "tuple[int, int, int, str]"


@dataclass(frozen=True)
class FixedSizeChunking(ChunkingStrategy["OpenSize"]):
    r"""Cuts after a number of code points, and not inside a grapheme cluster.

    A cut inside a cluster, of which ``\r\n`` is one, moves back to its start; where
    nothing new would be left then it moves to the cluster's end, and the chunk is
    ``oversize``. A chunk is released by the code point that proves that a cluster ended
    at the cut, or that the cut moves; behind a control code point, and with
    ``keep_clusters=False``, by its own last code point. Nothing is dropped. A chunk is
    ``complete`` when it is full, or ended at a cut that was moved; what ``flush``
    releases is not, unless it is just as long.

    With an overlap a chunk begins with the end of the one before. The overlap is
    shorter where it would begin inside a cluster; there is none where it would leave no
    room for a whole cluster. Behind the chunk that reaches the end of the text there
    is no further one.

    Args:
        size: Code points of a chunk; at least 1.
        overlap: Code points that are repeated, less than *size*.
        keep_clusters: Whether cuts move out of grapheme clusters. Without it they are
            exact slices.

    Raises:
        ValueError: *size* is below 1, *overlap* is not in ``0..size - 1``, or one of
            them is a ``bool``.
        TypeError: *size* or *overlap* is not an ``int``, or *keep_clusters* not a
            ``bool``.

    Examples:
        >>> FixedSizeChunking(4).split("One two thr"), FixedSizeChunking(4).flush("One")
        (['One ', 'two '], ['One'])
        >>> FixedSizeChunking(4, overlap=1).split("One two thr")
        ['One ', ' two', 'o th']
    """

    size: int
    _: KW_ONLY
    overlap: int = 0
    keep_clusters: bool = True

    # How to read what lies left of the text of a scan: where an overlap begins.
    _read: Read = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_count("size", self.size, 1)
        check_count("overlap", self.overlap, 0)
        if self.overlap >= self.size:
            msg = f"overlap must be in 0..{self.size - 1}, got {self.overlap}"
            raise ValueError(msg)
        check_bool("keep_clusters", self.keep_clusters)
        object.__setattr__(self, "_read", nothing_held)

    @property
    @override
    def overlaps(self) -> bool:
        return self.overlap > 0

    @override
    def bound_to(self, read: Read) -> Self:
        if not (self.overlap and self.keep_clusters):
            return self
        bound = copy.copy(self)
        object.__setattr__(bound, "_read", read)
        return bound

    @override
    def begin(self, offset: int) -> OpenSize:
        return (offset, offset, offset, "")

    @override
    def opened(self, text: str, base: int, state: OpenSize) -> tuple[int, int] | None:
        # Where chunks overlap, the start of the open one may still move.
        start = state[0]
        end = base + len(text)
        if self.overlap or start == end:
            return None
        if self.keep_clusters:
            cluster, _ = _open_cluster(text, base, state)
            if cluster > start:
                return (start, cluster)
        return (start, end)

    @override
    def needs(self, base: int, state: OpenSize) -> int:
        return state[0] if self.overlap and self.keep_clusters else base

    @override
    def scan(
        self, text: str, base: int, state: OpenSize, final: bool = False
    ) -> ScanFields[OpenSize]:
        # Plan: every scan takes all of its text, and says that the next one is due at
        # the cut. Without clusters the cuts follow from numbers. With them, only the
        # text near a cut is looked at; of what earlier scans took, the state has
        # what that can reach: where the last cluster begins, and a short text that
        # stands for what was there of it. Only where an overlap begins has to be read
        # in the chunk before. The state is where the open chunk starts, where the text
        # begins that no chunk has shown (behind the start, with an overlap), and the
        # two about the last cluster.
        end = base + len(text)
        if self.keep_clusters:
            return self._scan_clusters(text, base, state, final=final)
        start, fresh, *_ = state
        size = self.size
        step = size - self.overlap
        spans: list[SpanFields] = [
            (at, at + size, True, "fixed") for at in range(start, end - size + 1, step)
        ]
        if spans:
            start, fresh, *_ = spans[-1]
            start += step
        if final and fresh < end:
            spans.append((start, end, None, "fixed"))
        return (spans, start, end, (start, fresh, fresh, ""), start + size)

    def _scan_clusters(
        self, text: str, base: int, state: OpenSize, *, final: bool
    ) -> ScanFields[OpenSize]:
        start, fresh, cluster, context = state
        size = self.size
        end = base + len(text)
        # What stands for the beginning of the last cluster is shorter than that, so
        # `near` has the offsets of the stream from `base` on only. Before it there is
        # one boundary, where that cluster begins.
        near = context + text
        behind = len(near)
        known = len(context)
        origin = base - known
        is_open = not (final or ends_cluster(near))
        spans: list[SpanFields] = []
        while (cut := start + size) <= end:
            # A cut left of `base` waits for the end of the cluster that it is in.
            at = max(cut, base) - origin
            if at == behind and is_open:
                break
            # Without a boundary to begin at, all of a text in which most code points
            # may join others would be looked at again for every cut.
            first = max(fresh - origin, 0)
            found = cluster_start(near, at, first)
            stop = cluster if found < known else origin + found
            if stop <= fresh:
                if start < fresh:
                    start = fresh
                    continue
                found = cluster_end(near, at, first)
                if found == behind and is_open:
                    break
                stop = origin + found
            spans.append((start, stop, True, "fixed", stop > cut))
            fresh = stop
            if self.overlap and stop <= cut:
                shown = View(text, base, self._read)(start, stop)
                back = max(stop - self.overlap - start, 1)
                start += cluster_end(shown, back)
            else:
                start = stop
        if final and fresh < end:
            spans.append((start, end, None, "fixed"))
        cluster, context = _open_cluster(text, base, (start, fresh, cluster, context))
        # Any code point more may decide a cut that was reached.
        wake = max(cut, end + 1)
        return (spans, start, end, (start, fresh, cluster, context), wake)


def _open_cluster(text: str, base: int, state: OpenSize) -> tuple[int, str]:
    """Return where the last cluster of the stream begins, and what stands for it.

    Args:
        text: The stream from *base* on.
        base: Up to where the last cluster of *state* is known.
        state: Where the text begins that no chunk has shown, as of now, and the last
            cluster as of *base*.
    """
    _, fresh, cluster, context = state
    near = context + text
    known = len(context)
    first = max(fresh - base + known, 0)
    found = cluster_start(near, max(len(near) - 1, 0), first)
    if found >= known:
        cluster = base + found - known
    return (cluster, open_context(near[found:]))


register_built_in("fixed_size", FixedSizeChunking)
