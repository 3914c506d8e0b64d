"""Descent: from pieces that are too large to those of the next level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._clusters import cluster_end, cluster_start, open_context
from ._pack import CLUSTERS

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._pending import View
    from ._pack import Counted, Packer, Piece
    from ._sized import SizedScanner

    # Its strategy's state, where that resumes, what it keeps, and how far its open
    # piece was counted. Behind the last level, for grapheme clusters: what `Clusters`
    # says.
    LevelState: TypeAlias = "tuple[Any, int, int, Counted | None]"


class Descent:
    """One scan of all levels that are at work.

    Args:
        scanner: Whose scan it is.
        levels: The state of each level at work, the coarsest first; changed in place.
        packer: Takes the pieces.
        view: The stream.
    """

    def __init__(
        self,
        scanner: SizedScanner,
        levels: list[LevelState],
        packer: Packer,
        view: View,
    ) -> None:
        self._scanner = scanner
        self.levels = levels
        self._packer = packer
        self._view = view
        self._wakes: list[int] = []

    def advance(
        self, depth: int, upto: int, *, final: bool, complete: bool | None
    ) -> None:
        """Let a level see the text up to an offset.

        Args:
            depth: The level; 0 is the coarsest.
            upto: How far the text surely belongs to the piece that the level is in.
            final: Whether that piece ends there.
            complete: What a piece is that only this end closes.
        """
        scanner = self._scanner
        if depth == len(scanner.levels):
            self._advance_clusters(upto, final=final, complete=complete)
            return
        level = scanner.levels[depth]
        state, at, _, probe = self.levels[depth]
        view = self._view
        spans, keep, resume, state, wake = level.scan(
            view(at, upto), at, state, final=final
        )
        self.levels[depth] = (state, resume, keep, probe)
        number_of_pieces = len(spans)
        done = 0
        while done < number_of_pieces:
            is_too_large = False
            if len(self.levels) == depth + 1:
                done, is_too_large = self._packer.add_run(
                    spans, done, depth, complete=complete
                )
                if done == number_of_pieces:
                    break
            start, end, known = spans[done][:3]
            known = complete if known is None else known
            self._close_piece(depth, (start, end, known), is_too_large=is_too_large)
            done += 1
        if final:
            return
        del self._wakes[depth:]
        opened = level.opened(view(resume, upto), resume, state)
        if opened is None:
            self._wakes.append(0)
            return
        start, surely = opened
        self._wakes.append(wake if surely == upto else 0)
        self._look_at_open(depth, start, surely)

    def _close_piece(self, depth: int, piece: Piece, *, is_too_large: bool) -> None:
        start, end, complete = piece
        if len(self.levels) == depth + 1:
            if not is_too_large and self._packer.pack(
                piece, depth, self.levels[depth][3]
            ):
                return
            self._go_down(depth, start)
        self.advance(depth + 1, end, final=True, complete=complete)
        self._packer.close()
        del self.levels[depth + 1 :]

    def _look_at_open(self, depth: int, start: int, surely: int) -> None:
        if len(self.levels) == depth + 1:
            if not self._is_too_large(depth, start, surely):
                if self._scanner.additive:
                    self._packer.close_before(surely)
                return
            self._go_down(depth, start)
        self.advance(depth + 1, surely, final=False, complete=None)

    def _go_down(self, depth: int, start: int) -> None:
        self._packer.close()
        self.levels.append(self._scanner.level_at(depth + 1, start))

    def _is_too_large(self, depth: int, start: int, surely: int) -> bool:
        """Return whether an open piece is over the limit, as far as it goes by now."""
        scanner = self._scanner
        if scanner.additive:
            return surely - start > scanner.max_size
        state, at, keep, counted = self.levels[depth]
        counted = self._packer.count_open(start, surely, counted)
        if counted is None:
            return True
        self.levels[depth] = (state, at, keep, counted)
        return False

    def _advance_clusters(
        self, upto: int, *, final: bool, complete: bool | None
    ) -> None:
        """Pack the grapheme clusters of a piece of the last level."""
        depth = len(self._scanner.levels)
        packer = self._packer
        limit = self._scanner.max_size
        clusters = Clusters(self._view, self.levels[depth], upto, final=final)
        while not self._has_too_little(clusters.at, upto, final=final):
            at = clusters.at
            end = clusters.find_end()
            if end is None:
                break
            known = complete if end == upto else False
            size = packer.measure(at, end)
            if size > limit:
                packer.close()
                oversize = (at, end, known, "sized", True)
                packer.emit(oversize, ((at, end, known),), CLUSTERS)
            elif not self._scanner.additive:
                packer.add((at, end, known), depth, size)
            else:
                start = packer.start_for(at, end)
                if start + limit >= upto and not final:
                    break
                end = clusters.last_boundary(start + limit)
                known = complete if end == upto else False
                packer.emit((start, end, known, "sized"), ((at, end, known),), CLUSTERS)
            clusters.at = end
        self.levels[depth] = clusters.state
        if not final:
            del self._wakes[depth:]
            self._wakes.append(0)

    def _has_too_little(self, at: int, upto: int, *, final: bool) -> bool:
        """Whether the clusters from *at* on make no chunk yet, whatever they are."""
        if final or not self._scanner.additive:
            return at == upto
        first = self._packer.first
        return upto - (at if first is None else first) <= self._scanner.max_size

    @property
    def wake(self) -> int:
        """When the next scan is due, unless a trigger comes before."""
        scanner = self._scanner
        depth = len(self.levels) - 1
        if depth == len(scanner.levels):
            return 0
        if not scanner.additive:
            # Where the open piece is counted next.
            counted = self.levels[-1][3]
            place = counted[1] if counted else 0
            return min(*self._wakes, place + scanner.step)
        first = self._packer.first
        if first is None:
            first = self.levels[-1][2]
        # What the open level finds is packed, and no pack is full before this.
        return min([*self._wakes[:depth], first + scanner.max_size + 1])


class Clusters:
    """The grapheme clusters of a piece whose text is still arriving.

    The state of this level is a text that stands for the open cluster as far as it was
    looked at, where that cluster starts, and how far it was looked at.

    Args:
        view: The stream.
        state: What `state` was after the last scan.
        upto: How far the text surely belongs to the piece.
        final: Whether the piece ends there.

    Attributes:
        at: Where a cluster starts; its user moves it on, to an end that was found.
    """

    def __init__(
        self, view: View, state: LevelState, upto: int, *, final: bool
    ) -> None:
        self._context: str
        self._context, self.at, self._seen, _ = state
        self._open = self.at
        self._view = view
        self._upto = upto
        self._final = final
        self._text = ""
        self._base = upto

    @property
    def state(self) -> LevelState:
        """What the next scan goes on with."""
        if self.at == self._open:
            return (self._context, self.at, self._seen, None)
        return ("", self.at, self.at, None)

    def find_end(self) -> int | None:
        """Return where the cluster at `at` ends; ``None`` while it may still grow."""
        if self._context and self.at == self._open:
            # The beginning of a long cluster is not looked at again.
            text = self._context + self._view(self._seen, self._upto)
            end = self._seen - len(self._context)
            end += cluster_end(text, len(self._context))
        else:
            self._read()
            at = self.at - self._base
            end = self._base + cluster_end(self._text, at + 1, at)
            text = ""
        if end < self._upto or self._final:
            return end
        self._context = open_context(text or self._text[self.at - self._base :])
        self._open = self.at
        self._seen = self._upto
        return None

    def last_boundary(self, limit: int) -> int:
        """Return the last end of a cluster up to *limit*."""
        if limit >= self._upto:
            return self._upto
        self._read()
        base = self._base
        return base + cluster_start(self._text, limit - base, self.at - base)

    def _read(self) -> None:
        if self.at < self._base:
            self._base = self.at
            self._text = self._view(self.at, self._upto)
