"""WholeChunking: a function of whole texts as an inner strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from typing_extensions import override

from .._pending import View, nothing_held
from .._quote import quote
from .._spans import NEVER
from .._strategy import ChunkingStrategy
from ..errors import ContractError, NotVerbatimError

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._pending import Read
    from .._spans import ScanFields, SpanFields

    Piece: TypeAlias = "str | Sequence[int]"
    Splitter: TypeAlias = "Callable[[str], Iterable[Piece]]"


class WholeChunking(ChunkingStrategy[int]):
    """Waits for the end of its text and splits it then, with a function.

    Args:
        function: Returns the pieces of a text in order, each a ``str`` or a pair of
            offsets in that text.
        read: Returns the stream's text left of what is scanned.
    """

    __slots__ = ("_function", "_read")

    def __init__(self, function: Splitter, read: Read = nothing_held) -> None:
        self._function = function
        self._read = read

    @override
    def bound_to(self, read: Read) -> WholeChunking:
        return WholeChunking(self._function, read)

    @override
    def begin(self, offset: int) -> int:
        return offset

    @override
    def needs(self, base: int, state: int) -> int:
        return state

    @override
    def scan(
        self, text: str, base: int, state: int, final: bool = False
    ) -> ScanFields[int]:
        resume = base + len(text)
        if not final:
            return ((), state, resume, state, NEVER)
        whole = View(text, base, self._read)(state, resume)
        spans = self._spans(whole, state) if whole else []
        return (spans, resume, resume, resume, 0)

    def _spans(self, text: str, offset: int) -> list[SpanFields]:
        name = getattr(self._function, "__qualname__", repr(self._function))
        places: list[tuple[int, int]] = []
        at = 0
        pieces: object = self._function(text)
        if isinstance(pieces, str) or not isinstance(pieces, Iterable):
            problem = (
                f"{name}() returned {type(pieces).__name__}, expected pieces of text "
                "or pairs of offsets"
            )
            raise ContractError(problem, strategy=name, offset=offset)
        for number, piece in enumerate(pieces):
            start, end = _place(piece, text, at)
            if not at <= start < end <= len(text):
                shown = quote(piece) if isinstance(piece, str) else repr(piece)
                problem = (
                    f"piece {number} of {name}() is {shown}, expected a non-empty "
                    f"verbatim part of {quote(text[at:])}, the text behind the piece "
                    "before it"
                )
                raise NotVerbatimError(problem, strategy=name, offset=offset + at)
            places.append((offset + start, offset + end))
            at = end
        # The end of the text closes the last piece; the function, those before it.
        last = len(places) - 1
        return [
            (start, end, None if number == last else True, "")
            for number, (start, end) in enumerate(places)
        ]


def _place(piece: object, text: str, at: int) -> tuple[int, int]:
    """Return where *piece* lies in *text* from *at* on; ``(-1, -1)`` if nowhere."""
    if isinstance(piece, str):
        start = text.find(piece, at)
        return (start, start + len(piece)) if start >= 0 else (-1, -1)
    if isinstance(piece, Sequence) and len(piece) == 2 and {*map(type, piece)} == {int}:  # noqa: PLR2004 - a pair
        return (piece[0], piece[1])
    return (-1, -1)
