"""Streams under test: a strategy in a Chunker, or a chunker of somebody else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .._chunker import Chunker
from .._quote import quote, shown
from .._strategy import ChunkingStrategy
from ..errors import ChunkwiseError, ContractError, NotVerbatimError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._chunk import Chunk


class Facts(NamedTuple):
    """All that a chunk says; chunks themselves compare as their text only."""

    text: str
    start: int
    end: int
    gap: str
    number: int
    complete: bool = True
    kind: str = ""
    oversize: bool = False
    path: str | None = None
    context: tuple[tuple[int, str, str], ...] = ()


def facts(chunks: Iterable[Chunk]) -> list[Facts]:
    """Return all attributes of *chunks*."""
    return [
        Facts(
            *(str(c), c.start, c.end, c.gap, c.index, c.complete, c.kind, c.oversize),
            path=c.path,
            context=tuple((part.start, str(part), part.kind) for part in c.context),
        )
        for c in chunks
    ]


class Run(NamedTuple):
    """What a stream gave.

    Attributes:
        steps: What each delta gave and, last, what the flush did.
        tail: What was left behind the last chunk.
        error: What ended the stream before that, if anything.
    """

    steps: tuple[tuple[Facts, ...], ...]
    tail: str = ""
    error: Exception | None = None

    @property
    def chunks(self) -> list[Facts]:
        """All chunks in order."""
        return [chunk for step in self.steps for chunk in step]

    def same_as(self, other: Run) -> bool:
        """Return whether chunks, tail and kind of error are the same."""
        mine = (self.chunks, self.tail, type(self.error))
        return mine == (other.chunks, other.tail, type(other.error))


def is_refusal(error: Exception | None) -> bool:
    """Whether an error says that a text is refused, as malformed JSON is.

    Such an error comes as soon as the text shows it, and so depends on the slicing.
    """
    return isinstance(error, ChunkwiseError) and not isinstance(error, ContractError)


class OutOfOrderError(NotVerbatimError):
    """A chunk is text of the stream, but not behind the chunk before it."""


class WrongReturnError(TypeError):
    """The functions of a chunker are not what was asked for: no law is broken."""


class Stream(Protocol):
    """A stream that is fed."""

    def feed(self, delta: str) -> list[Facts]:
        """Take a delta and return the chunks that came of it."""
        ...

    def flush(self) -> list[Facts]:
        """End the stream and return the last chunks."""
        ...

    @property
    def tail(self) -> str:
        """What is behind the last chunk, once the stream has ended."""
        ...


class Subject(Protocol):
    """What is tested: it begins any number of streams."""

    @property
    def name(self) -> str:
        """Its name, for reports."""
        ...

    @property
    def modules(self) -> frozenset[str]:
        """The names of the modules that have its code."""
        ...

    def begin(self) -> Stream:
        """Return a new stream."""
        ...


class OfStrategy:
    """Streams of a strategy, driven by a `Chunker`."""

    def __init__(self, strategy: ChunkingStrategy[Any]) -> None:
        self.strategy = strategy
        self.name = type(strategy).__name__
        self.is_level_1 = type(strategy).scan is ChunkingStrategy.scan
        self.modules = _modules(type(strategy)) - _modules(ChunkingStrategy)

    def begin(self) -> Stream:
        """Return a new stream."""
        return _ChunkerStream(self)

    def gives_text_only(self, text: str) -> bool:
        """Return whether all chunks of *text* as a whole are text of it."""
        strategy = self.strategy
        if self.is_level_1:
            chunks = [*strategy.split(text), *strategy.flush(text)]
            return all(chunk and chunk in text for chunk in chunks)
        spans = strategy.scan(text, 0, strategy.begin(0), final=True)[0]
        return all(0 <= span[0] < span[1] <= len(text) for span in spans)


def _modules(cls: type) -> frozenset[str]:
    return frozenset(base.__module__ for base in cls.__mro__)


class _ChunkerStream:
    def __init__(self, subject: OfStrategy) -> None:
        self._subject = subject
        self._chunker = Chunker(subject.strategy)
        self._text = ""

    def feed(self, delta: str) -> list[Facts]:
        self._text += delta
        return self._checked(lambda: self._chunker.feed(delta))

    def flush(self) -> list[Facts]:
        return self._checked(self._chunker.flush)

    @property
    def tail(self) -> str:
        return self._chunker.tail

    def _checked(self, call: Callable[[], list[Chunk]]) -> list[Facts]:
        try:
            return facts(call())
        except NotVerbatimError as error:
            if self._subject.gives_text_only(self._text):
                raise OutOfOrderError(
                    error.problem, strategy=error.strategy, offset=error.offset
                ) from error
            raise


class OfChunker:
    """Streams of a chunker of somebody else, whose chunks are placed by their text.

    Args:
        make: Returns a new chunker.
        feed: Gives a chunker a delta and returns its chunks.
        flush: Ends a chunker's stream and returns its last chunks.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        feed: Callable[[Any, str], Iterable[str]],
        flush: Callable[[Any], Iterable[str]],
    ) -> None:
        self.make = make
        self.feed = feed
        self.flush = flush
        self.name = getattr(make, "__name__", type(make).__name__)
        self.modules = frozenset(
            getattr(function, "__module__", None) or ""
            for function in (make, feed, flush)
        )

    def begin(self) -> Stream:
        """Return a new stream."""
        return _PlacedStream(self)


class _PlacedStream:
    def __init__(self, subject: OfChunker) -> None:
        self._subject = subject
        self._chunker = subject.make()
        self._text = ""
        self._end = 0
        self._number = 0

    def feed(self, delta: str) -> list[Facts]:
        self._text += delta
        return self._placed(self._subject.feed(self._chunker, delta), "feed")

    def flush(self) -> list[Facts]:
        return self._placed(self._subject.flush(self._chunker), "flush")

    @property
    def tail(self) -> str:
        return self._text[self._end :]

    def _placed(self, chunks: object, call: str) -> list[Facts]:
        """Return *chunks* with their places, each behind the one before it."""
        if isinstance(chunks, str) or not isinstance(chunks, Iterable):
            msg = f"{call} returned {shown(chunks)}, expected an iterable of str"
            raise WrongReturnError(msg)
        placed: list[Facts] = []
        for chunk in chunks:
            if not isinstance(chunk, str):
                msg = f"{call} gave {shown(chunk)} as a chunk, expected str"
                raise WrongReturnError(msg)
            start = self._text.find(chunk, self._end) if chunk else -1
            if start < 0:
                raise self._misplaced(chunk)
            gap = self._text[self._end : start]
            self._end = start + len(chunk)
            placed.append(Facts(chunk, start, self._end, gap, self._number))
            self._number += 1
        return placed

    def _misplaced(self, chunk: str) -> NotVerbatimError:
        kind = OutOfOrderError if chunk and chunk in self._text else NotVerbatimError
        problem = (
            f"chunk {self._number} is {quote(chunk)}, expected a non-empty verbatim "
            f"substring of {quote(self._text[self._end :])}, the text behind the chunk "
            "before"
        )
        return kind(problem, strategy=self._subject.name, offset=self._end)


def run(
    subject: Subject,
    deltas: Iterable[str],
    *,
    final: bool = True,
    between: Callable[[], object] | None = None,
) -> Run:
    """Return what the stream of *deltas* gives.

    Args:
        subject: What is tested.
        deltas: The stream.
        final: Whether it is flushed.
        between: Called before each delta and before the flush.

    Raises:
        WrongReturnError: A function of a chunker returned what no chunker returns.
    """
    steps: list[tuple[Facts, ...]] = []
    try:
        stream = subject.begin()
        for delta in deltas:
            if between is not None:
                between()
            steps.append(tuple(stream.feed(delta)))
        if between is not None:
            between()
        if final:
            steps.append(tuple(stream.flush()))
        return Run(tuple(steps), stream.tail)
    except WrongReturnError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        return Run(tuple(steps), error=error)
