"""The exception tree of chunkwise.

::

    ChunkwiseError
    ├── ContractError (ValueError)          a strategy broke one of its promises
    │   ├── NotVerbatimError                a chunk is not a slice of the stream
    │   └── DeltaInvarianceError            the slicing changed the chunks
    ├── UnknownStrategyError (ValueError)   a name that no strategy has
    ├── StreamStateError                    a call that the stream's state forbids
    ├── PendingLimitError                   more text held back than was allowed
    ├── SourceError (ValueError)            a source whose items cannot be read
    ├── MalformedJSONError (ValueError)     what JSONChunking(strict=True) does not take
    └── SeparatorTimeoutError               the search for a separator took too long

``chunkwise.validation`` adds what only validation raises::

    ChunkwiseError
    ├── Rejected                            a check rejected a chunk
    ├── Interrupted                         the call before was cancelled on its way
    ├── Aborted                             the group that reads was cancelled
    └── SourceStalled (TimeoutError)        the source gave nothing for too long

``chunkwise.testing`` adds what its checks raise::

    ChunkwiseError
    └── BrokenLawError (AssertionError)     the smallest case that breaks a law

Wrong arguments raise ``ValueError`` or ``TypeError``. An exception here keeps the facts
as attributes; ``StreamStateError`` has none but its message. All of them pickle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._quote import quote, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._chunk import Chunk

__all__ = [
    "ChunkwiseError",
    "ContractError",
    "DeltaInvarianceError",
    "MalformedJSONError",
    "NotVerbatimError",
    "PendingLimitError",
    "SeparatorTimeoutError",
    "SourceError",
    "StreamStateError",
    "UnknownStrategyError",
]


class ChunkwiseError(Exception):
    """Base of every exception that chunkwise defines."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Rebuild from the stored facts: constructors here take keywords only."""
        return (_rebuild, (type(self), self.args, self.__dict__))


def _rebuild(
    cls: type[ChunkwiseError], args: tuple[Any, ...], facts: dict[str, Any]
) -> ChunkwiseError:
    error = cls.__new__(cls, *args)
    error.args = args
    error.__dict__.update(facts)
    return error


class ContractError(ChunkwiseError, ValueError):
    """A strategy broke a promise of ``ChunkingStrategy``.

    Args:
        problem: What was found and what was expected.
        strategy: Name of the strategy's class.
        offset: Where, in code points from the start of the stream; ``None`` where
            the promise is not about a place in the text.
    """

    def __init__(
        self, problem: str, *, strategy: str, offset: int | None = None
    ) -> None:
        super().__init__(problem)
        self.problem = problem
        self.strategy = strategy
        self.offset = offset

    def __str__(self) -> str:
        """Say who broke the contract, how, and where."""
        if self.offset is None:
            return f"{self.strategy}: {self.problem}"
        return f"{self.strategy}: {self.problem} (stream offset {self.offset})"


class NotVerbatimError(ContractError):
    """A strategy returned text that cannot be placed in the stream.

    A chunk has to be a non-empty verbatim substring of the pending text, behind the
    chunk before it.
    """


class DeltaInvarianceError(ContractError):
    """The chunks depend on how the stream was sliced.

    Args:
        strategy: Name of the strategy's class.
        offset: Where the results part, in code points.
        released: The texts that were, or would have been, released from there on.
        expected: The texts that the whole text gives from there on.
    """

    def __init__(
        self,
        *,
        strategy: str,
        offset: int,
        released: Sequence[str],
        expected: Sequence[str],
    ) -> None:
        problem = "broke the law of delta-invariance"
        super().__init__(problem, strategy=strategy, offset=offset)
        self.released: tuple[str, ...] = tuple(released)
        self.expected: tuple[str, ...] = tuple(expected)

    def __str__(self) -> str:
        """Show both results from the place where they part."""
        differ = ""
        if self.released[:1] == self.expected[:1]:
            differ = " with another place, `complete` or `kind`"
        return (
            f"{super().__str__()}: the deltas gave {_quote_first(self.released)}, "
            f"the whole text gives {_quote_first(self.expected)}{differ}; decide a "
            "boundary from the text around it only, never from where the text ends so "
            "far, or implement scan(), which sees what is final"
        )


def _quote_first(texts: tuple[str, ...]) -> str:
    return quote(texts[0]) if texts else "no chunk"


class UnknownStrategyError(ChunkwiseError, ValueError):
    """No strategy has this name.

    Args:
        name: What was asked for; usually a ``str``, ``None`` where a dictionary has no
            ``type``.
        known: The names that exist.
        path: Where in a dictionary it was found, ``"outer.type"`` for example; empty
            where it was not nested.
    """

    def __init__(self, name: object, *, known: Sequence[str], path: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.known: tuple[str, ...] = tuple(known)
        self.path = path

    def __str__(self) -> str:
        """Show the name next to the known ones."""
        known = ", ".join(repr(name) for name in self.known)
        if self.name is None:
            key = repr(self.path or "type")
            return f"no {key} in the dictionary, expected one of {known}"
        where = f" at {self.path!r}" if self.path else ""
        return f"unknown strategy {shown(self.name)}{where}, expected one of {known}"


class StreamStateError(ChunkwiseError):
    """The stream has already ended, or a saved state cannot be continued."""


class PendingLimitError(ChunkwiseError):
    """More text is held back than ``max_pending`` allows.

    The delta was taken before this was raised: it is part of ``Chunker.pending``, and
    ``feed``, ``cut`` and ``flush`` still work.

    Args:
        pending: Code points held back, the gap before the open chunk included.
        limit: The limit, in code points.
        offset: Where the text held back begins.
        chunks: What the delta completed; these chunks are released with the error.
        strategy: Name of the strategy's class.
    """

    def __init__(
        self,
        *,
        pending: int,
        limit: int,
        offset: int,
        chunks: Sequence[Chunk],
        strategy: str,
    ) -> None:
        super().__init__(pending, limit, offset)
        self.pending = pending
        self.limit = limit
        self.offset = offset
        self.chunks: list[Chunk] = list(chunks)
        self.strategy = strategy

    def __str__(self) -> str:
        """Say how much is held back since where, and what can be done."""
        return (
            f"{self.strategy} holds back {self.pending} code points since stream "
            f"offset {self.offset}, expected at most max_pending={self.limit}; "
            "cut() or flush() releases them"
        )


class SourceError(ChunkwiseError, ValueError):
    """The items of a source are not what ``text_deltas`` can read.

    Args:
        problem: What was found and what was expected.
        item: Number of the item where it was found; the first is 1.
    """

    def __init__(self, problem: str, *, item: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.item = item

    def __str__(self) -> str:
        """Say what was found, and where."""
        return f"{self.problem} (item {self.item} of the source)"


class MalformedJSONError(ChunkwiseError, ValueError):
    """The stream is not the JSON that ``JSONChunking(strict=True)`` expects.

    The delta was not taken: the Chunker is as it was before the call.

    Args:
        found: What was found, as a phrase.
        expected: What JSON would have there.
        offset: Where, in code points from the start of the stream.
        path: Of the value that it is in, which would be the chunk or is around it.
    """

    def __init__(self, *, found: str, expected: str, offset: int, path: str) -> None:
        super().__init__(found, expected, offset, path)
        self.found = found
        self.expected = expected
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        """Say what was found where, and what was expected."""
        return (
            f"malformed JSON at {self.path}: found {self.found}, expected "
            f"{self.expected} (stream offset {self.offset})"
        )


class SeparatorTimeoutError(ChunkwiseError):
    """The search for a separator of a ``RegexChunking`` took too long.

    The delta was not taken: the Chunker is as it was before the call.

    Args:
        pattern: The pattern that was searched for.
        timeout: The limit for one search, in seconds.
        offset: Where the search began, in code points from the start of the stream.
    """

    def __init__(self, *, pattern: str, timeout: float, offset: int) -> None:
        super().__init__(pattern, timeout, offset)
        self.pattern = pattern
        self.timeout = timeout
        self.offset = offset

    def __str__(self) -> str:
        """Say what was searched for, from where, and how long at most."""
        return (
            f"the search for {quote(self.pattern)} from stream offset {self.offset} on "
            f"took longer than expected, at most timeout={self.timeout} seconds"
        )
