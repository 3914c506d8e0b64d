"""Chunk: a piece of the stream's text that knows its place."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ._quote import shown

if TYPE_CHECKING:
    from typing import TypeAlias

    from typing_extensions import Self

    from ._spans import Context, SpanFields

    # The span, the number, the gap, and the metadata if there is any. Python's garbage
    # collector goes over a tuple again and again unless all that is in it is plain, and
    # over a list of chunks with the tuple of each.
    ChunkFacts: TypeAlias = "tuple[SpanFields, int, str, Mapping[str, object] | None]"

_OVERSIZE = 4
_PATH = 5
_CONTEXT = 6
"""Places of the fields of a ``Span`` that the spans of a hot loop leave out."""

NO_METADATA: Mapping[str, object] = MappingProxyType({})
"""The metadata of a stream that was given none."""


class Chunk(str):
    """Verbatim text of a stream, with its place in it.

    A chunk *is* its text: it compares, hashes and serialises as a ``str`` and goes
    into anything that takes one. Operations on it give plain ``str``. It pickles and
    copies with its attributes.

    Args:
        text: The text, ``stream[start:end]``.
        start: Offset of the first code point, from the start of the stream.
        index: Its number in the stream, from 0.
        gap: The separator text in front of it.
        complete: Whether a boundary ended it.
        kind: What it is.
        oversize: Whether it is larger than was asked for.
        path: Where it is in a JSON text.
        context: Start, text and kind of earlier parts of the stream that a reader
            needs with it.
        metadata: What the caller said about the whole stream; kept as a read-only
            copy.

    Raises:
        TypeError: *metadata* is no mapping.

    Examples:
        >>> chunk = Chunk("Hello.", start=2, index=0, gap="  ")
        >>> chunk, chunk.start, chunk.end, chunk.gap
        ('Hello.', 2, 8, '  ')
    """

    # One slot that holds a tuple: a driver makes a chunk with two C calls, and the
    # span that the strategy returned is reused as it is. Text and attributes never
    # change after that.
    __slots__ = ("_facts",)
    _facts: ChunkFacts

    def __new__(  # noqa: PLR0913 - these are the attributes of the value
        cls,
        text: str,
        *,
        start: int,
        index: int = 0,
        gap: str = "",
        complete: bool = True,
        kind: str = "",
        oversize: bool = False,
        path: str | None = None,
        context: tuple[tuple[int, str, str], ...] = (),
        metadata: Mapping[str, object] = NO_METADATA,
    ) -> Self:
        """Make a chunk whose end follows from *start* and the length of *text*."""
        chunk = str.__new__(cls, text)
        end = start + len(text)
        span = (start, end, complete, kind, oversize, path, context)
        chunk._facts = (span, index, gap, read_only(metadata) or None)
        return chunk

    @property
    def start(self) -> int:
        """Offset of the first code point, from the start of the stream."""
        return self._facts[0][0]

    @property
    def end(self) -> int:
        """Offset behind the last code point, from the start of the stream."""
        return self._facts[0][1]

    @property
    def complete(self) -> bool:
        """Whether a boundary ended the chunk, or its text shows an end.

        ``False`` for what only the end of the stream closed.
        """
        return self._facts[0][2] is True

    @property
    def kind(self) -> str:
        """What the chunk is, ``"sentence"`` or ``"word"`` for example.

        A strategy of one's own that names no kind gives ``""``.
        """
        return self._facts[0][3]

    @property
    def oversize(self) -> bool:
        """Whether the chunk could not be kept under the limit that was asked for.

        So it is with a single grapheme cluster that is larger than the limit.
        """
        return self._facts[0][_OVERSIZE:_PATH] == (True,)

    @property
    def path(self) -> str | None:
        """Where the chunk is in a JSON text, ``"$.findings[3]"`` for example.

        ``None`` for what has no such place: only `JSONChunking` gives one.
        """
        paths: Any = self._facts[0][_PATH:_CONTEXT]
        return paths[0] if paths else None

    @property
    def context(self) -> tuple[Chunk, ...]:
        """Earlier parts of the stream that a reader needs with the chunk, in order.

        Headings that it stands under, the head of its table, the first line of its
        code. Each is a verbatim slice with its own offsets and kind.
        """
        contexts: Any = self._facts[0][_CONTEXT:]
        parts: Context = contexts[0] if contexts else ()
        return tuple(Chunk(text, start=at, kind=kind) for at, text, kind in parts)

    def with_context(self) -> str:
        """Return the text with its `context` in front.

        A heading is followed by a blank line, anything else by a line end.
        """
        contexts: Any = self._facts[0][_CONTEXT:]
        return in_front(contexts[0]) + self if contexts else str(self)

    # ``str`` has a method of this name; the number in the stream is worth more to
    # whoever holds a chunk, and ``str.find`` remains.
    @property
    def index(self) -> int:  # type: ignore[override]  # see above
        """Number of the chunk in its stream, from 0."""
        return self._facts[1]

    @property
    def gap(self) -> str:
        """The separator text before the chunk, verbatim.

        It reaches from the end of all earlier chunks (for the first chunk: from the
        start of the stream) to ``start``; empty where chunks touch or overlap.
        """
        return self._facts[2]

    @property
    def metadata(self) -> Mapping[str, object]:
        """What the caller said about the whole stream; read-only."""
        return self._facts[3] or NO_METADATA

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy with all attributes."""
        span, index, gap, metadata = self._facts
        said = dict(metadata or {})
        return (_restore, (type(self), str(self), span, index, gap, said))


def _restore(
    cls: type[Chunk],
    text: str,
    span: SpanFields,
    index: int,
    gap: str,
    metadata: dict[str, object],
) -> Chunk:
    chunk = str.__new__(cls, text)
    chunk._facts = (span, index, gap, read_only(metadata) or None)
    return chunk


def json_facts(chunk: Chunk) -> dict[str, object]:
    """Return what JSON says of a chunk everywhere, in the order in which it is said."""
    return {
        "text": chunk,
        "start": chunk.start,
        "end": chunk.end,
        "index": chunk.index,
        "gap": chunk.gap,
        "complete": chunk.complete,
        "kind": chunk.kind,
    }


def in_front(context: Context) -> str:
    """Return what `Chunk.with_context` puts in front of a text."""
    return "".join(
        [part + ("\n\n" if kind == "heading" else "\n") for _, part, kind in context]
    )


def read_only(metadata: Mapping[str, object]) -> Mapping[str, object]:
    """Return a read-only copy of *metadata*.

    Raises:
        TypeError: It is no mapping.
    """
    if not isinstance(metadata, Mapping):
        msg = f"metadata must be a mapping, got {shown(metadata)}"
        raise TypeError(msg)
    return MappingProxyType(dict(metadata)) if metadata else NO_METADATA
