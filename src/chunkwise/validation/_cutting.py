"""Cutting: what is read becomes chunks, of several strategies in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._chunker import Chunker
from .._cut import CUT
from ..errors import PendingLimitError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from .._chunk import Chunk
    from .._cut import Cut
    from .._strategy import ChunkingStrategy
    from ._options import SessionOptions


class Cutting:
    """Cuts what is read by the stream's own strategy, and by those of some checks.

    Args:
        options: The options of the stream.
        others: The strategies beside its own.

    Raises:
        TypeError: As for ``Chunker``.
        ValueError: As for ``Chunker``.

    Attributes:
        error: What a strategy raised first, or ``PendingLimitError``. What was complete
            by then has been returned.
    """

    def __init__(
        self, options: SessionOptions, others: Iterable[ChunkingStrategy[Any]]
    ) -> None:
        self._chunkers = [
            Chunker(
                strategy, max_pending=options.max_pending, metadata=options.metadata
            )
            for strategy in (options.strategy, *others)
        ]
        self._own = self._chunkers[0]
        self._cuts_at_limit = options.on_limit == "cut"
        self._refused = ""
        self.error: Exception | None = None

    def cut(self, place: int, item: str | Cut) -> Sequence[Chunk]:
        """Return the chunks that *item* completes, also where it ends in an error.

        Args:
            place: Of the strategy; 0 is the stream's own.
            item: An item of the source, for each strategy in turn.
        """
        chunker = self._chunkers[place]
        try:
            return chunker.cut() if item is CUT else chunker.feed(item)
        except PendingLimitError as error:
            if self._cuts_at_limit:
                return [*error.chunks, *self._last(chunker.cut, truncated=True)]
            self._keep(error)
            return error.chunks
        except Exception as error:  # noqa: BLE001 - raised behind what is complete
            if chunker is self._own and isinstance(item, str):
                self._refused = item
            self._keep(error)
            return ()

    def end(self, place: int, *, truncated: bool) -> Sequence[Chunk]:
        """Return the chunks that the end of the source releases.

        Args:
            place: As for `cut`.
            truncated: Whether its text broke off.
        """
        return self._last(self._chunkers[place].flush, truncated=truncated)

    def _last(
        self, release: Callable[..., Sequence[Chunk]], *, truncated: bool
    ) -> Sequence[Chunk]:
        """Return what ``cut`` or ``flush`` releases; nothing where that fails."""
        try:
            return release(truncated=truncated)
        except Exception as error:  # noqa: BLE001 - raised behind what is complete
            self._keep(error)
            return ()

    def _keep(self, error: Exception) -> None:
        self.error = self.error or error

    @property
    def tail(self) -> str:
        """The text behind the last chunk of the stream's own, after the end."""
        return self._own.tail

    @property
    def rest(self) -> str:
        """All text behind that chunk, with what the strategy refused."""
        return self._own.pending + self._own.tail + self._refused

    @property
    def held(self) -> int:
        """How many code points are held back until a chunk is complete."""
        return len(self._own.pending)
