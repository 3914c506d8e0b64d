"""Extraction: the items of a source, whatever they are, become parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from .._cut import CUT, Cut
from .._decoding import ByteDecoder
from .._quote import shown
from ..errors import SourceError
from ._fields import field, fields_of, has
from ._part import Part
from ._shapes import SAYING_END, recognise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._shapes import NamedExtractor

Found = str | Cut | Part
Extractor = Callable[[Any], Found | Iterable[Found] | None]
"""Of an item: its text, ``CUT``, a `Part`, several of these, or ``None``."""

_TYPE_FIELDS: Final = ("type", "event_type", "event", "object")
"""Fields that an event, known or not, may have its type in."""
_FIELDS_BESIDE_TEXT: Final = ("choices", "usage", "usageMetadata", "usage_metadata")
"""What events have that hold no text yet: choices, but none of them, or figures."""


class Extraction:
    """Turns the items of one source into parts.

    The first event that tells decides how all events of the source are read.

    Args:
        extract: Reads the items; ``None`` to recognise them by their shape.

    Raises:
        TypeError: *extract* cannot be called.

    Attributes:
        item: Number of the last item.
        error: What ends the source behind the parts of the last item.
    """

    def __init__(self, extract: Extractor | None) -> None:
        if extract is not None and not callable(extract):
            msg = f"extract must be callable, got {extract!r}"
            raise TypeError(msg)
        self._given = extract
        self._recognised: NamedExtractor | None = None
        self._decoder: ByteDecoder | None = None
        self._unknown: SourceError | None = None
        self.item = 0
        self.error: UnicodeError | None = None

    @property
    def says_end(self) -> bool:
        """Whether events of this shape say how a text ended."""
        extract = self._recognised if self._given is None else self._given
        return extract in SAYING_END

    def parts(self, item: object) -> Iterator[Part | Cut]:
        """Yield what *item* holds; ``None``, where no extractor was given, nothing.

        Raises:
            SourceError: It is neither text nor an event of a known shape, or the
                extractor returned something else than it should.
        """
        self.item += 1
        if self._given is not None:
            yield from self._parts_found(self._given(item))
        elif isinstance(item, (bytes, bytearray, memoryview)):
            yield self._decoded(bytes(item))
        elif item is CUT:
            yield CUT
        elif isinstance(item, str):
            if self._recognised is not None:
                msg = f"found the text {shown(item)} among events, expected an event"
                raise SourceError(msg, item=self.item)
            yield Part(item)
        elif item is not None:
            if self._recognised is None:
                self._recognise(item)
            if self._recognised is not None:
                yield from self._recognised(item)

    def rest(self) -> Iterator[Part | Cut]:
        """Yield what the end of the source completes.

        Raises:
            SourceError: There were events, and none of a known shape.
        """
        if self._decoder is not None:
            yield self._decoded(b"", final=True)
        if self._unknown is not None and self._recognised is None:
            raise self._unknown

    def _decoded(self, data: bytes, *, final: bool = False) -> Part:
        if self._decoder is None:
            self._decoder = ByteDecoder("utf-8", "strict")
        text, self.error = self._decoder.decode(data, final=final)
        return Part(text)

    def _recognise(self, event: object) -> None:
        """Choose the extractor of this stream, if *event* tells.

        An unknown event that has a type may be one that a newer version of a service
        begins with, and one with figures alone may come before all text: these are an
        error only if nothing else follows.

        Raises:
            SourceError: It is no event.
        """
        self._recognised = recognise(event)
        if self._recognised is not None or event == {}:
            return
        problem = (
            f"found {fields_of(event)}, expected text or an event of a known shape; "
            "extract= takes a function that returns its text"
        )
        error = SourceError(problem, item=self.item)
        typed = any(isinstance(field(event, name), str) for name in _TYPE_FIELDS)
        if not typed and not any(has(event, name) for name in _FIELDS_BESIDE_TEXT):
            raise error
        self._unknown = self._unknown or error

    def _parts_found(
        self, found: Found | Iterable[Found] | None
    ) -> Iterator[Part | Cut]:
        if found is None:
            return
        if isinstance(found, (Part, Cut)):
            yield found
        elif isinstance(found, str):
            yield Part(found)
        elif isinstance(found, Iterable) and not isinstance(found, (bytes, Mapping)):  # type: ignore[redundant-expr]  # extractors may be untyped
            for each in found:
                yield from self._parts_found(each)
        else:
            problem = (
                f"extract returned {type(found).__name__}, expected str, CUT, Part, an "
                "iterable of these, or None"
            )
            raise SourceError(problem, item=self.item)
