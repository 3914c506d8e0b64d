"""What validation raises; the tree is drawn in ``chunkwise.errors``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._quote import quote
from ..errors import ChunkwiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._chunk import Chunk
    from ._values import Verdict


class Rejected(ChunkwiseError):  # noqa: N818 - a verdict, not a mistake
    """A check rejected a chunk. The source is closed.

    Args:
        chunk: The first chunk that was rejected. For a check of the whole text it is
            the whole text.
        failures: Names and verdicts of the checks that rejected it, in the order of
            their declaration; at least one.
        released_to: Where the last piece that was handed out ends, in code points from
            the start of the stream.
    """

    def __init__(
        self,
        *,
        chunk: Chunk,
        failures: Sequence[tuple[str, Verdict]],
        released_to: int,
    ) -> None:
        super().__init__(chunk, released_to)
        self.chunk = chunk
        self.failures: tuple[tuple[str, Verdict], ...] = tuple(failures)
        self.released_to = released_to

    @property
    def reason(self) -> str:
        """Names and reasons of the checks, in one line."""
        return ", ".join(
            f"{name}: {verdict.reason}" if verdict.reason else name
            for name, verdict in self.failures
        )

    def __str__(self) -> str:
        """Say what was rejected where, and by whom."""
        return (
            f"chunk {self.chunk.index} at stream offset {self.chunk.start} was "
            f"rejected ({self.reason}): {quote(self.chunk)}"
        )


class Interrupted(ChunkwiseError):  # noqa: N818 - as above
    """A call was cancelled on its way, and the stream cannot be read on.

    The next call raises this, once, so that the end of a stream that was cut off by a
    time-out does not pass for its natural end. The source is closed.
    """


class Aborted(ChunkwiseError):  # noqa: N818 - as above
    """The task group that reads the stream was cancelled. The source is closed."""


class SourceStalled(ChunkwiseError, TimeoutError):  # noqa: N818 - as above
    """The source gave nothing for too long. It is closed.

    Args:
        seconds: The limit, ``idle_timeout``.
        offset: Code points read by then.
    """

    def __init__(self, *, seconds: float, offset: int) -> None:
        super().__init__(seconds, offset)
        self.seconds = seconds
        self.offset = offset

    def __str__(self) -> str:
        """Say how long nothing came, and where."""
        return (
            f"the source gave nothing for idle_timeout={self.seconds} seconds (stream "
            f"offset {self.offset})"
        )
