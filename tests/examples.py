"""Strategies that users might write: one that keeps the laws, and many that do not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from chunkwise import ChunkingStrategy, Scan, Span
from chunkwise._pending import View, nothing_held

if TYPE_CHECKING:
    from chunkwise._pending import Read
    from chunkwise._spans import ScanFields


@dataclass(frozen=True)
class SemicolonChunking(ChunkingStrategy):
    """Level 1, keeps the laws: semicolons separate; the last part is released."""

    @override
    def split(self, text: str) -> list[str]:
        return [part for part in text.split(";")[:-1] if part]

    @override
    def flush(self, text: str) -> list[str]:
        rest = text.rpartition(";")[2]
        return [rest] if rest else []


@dataclass(frozen=True)
class DiscardingChunking(ChunkingStrategy):
    """Level 1, keeps the laws: as above, but does not override ``flush``."""

    @override
    def split(self, text: str) -> list[str]:
        return SemicolonChunking().split(text)


class CommentSkipping(ChunkingStrategy):
    """Level 1: lines; those that begin with ``#`` are left out."""

    @override
    def split(self, text: str) -> list[str]:
        lines = text.splitlines(keepends=True)
        whole = [line for line in lines if line.endswith("\n")]
        return [line for line in whole if not line.startswith("#")]


class ThinkSkipping(ChunkingStrategy):
    """Level 1: plain sentences; what is inside ``<think>`` is left out."""

    @override
    def split(self, text: str) -> list[str]:
        shown = re.sub(r"<think>.*?(</think>|\Z)", "", text, flags=re.DOTALL)
        return re.findall(r"\S[^.]*\.(?=\s)", shown)


class OverlappingWords(ChunkingStrategy):
    """Level 1: two words, and one on."""

    @override
    def split(self, text: str) -> list[str]:
        words = text.split(" ")[:-1]
        return [f"{a} {b}" for a, b in pairwise(words)]


class DecidingAtTheEnd(ChunkingStrategy):
    """Level 1: takes a full stop at the present end of the text for a boundary."""

    @override
    def split(self, text: str) -> list[str]:
        return [text] if text.endswith(".") else []


@dataclass(frozen=True)
class Fixed(ChunkingStrategy):
    """Level 1: gives always the same, whatever the text."""

    chunks: Any
    rest: Any = field(default_factory=list)

    @override
    def split(self, text: str) -> list[str]:
        return self.chunks  # type: ignore[no-any-return]  # what is wrong about it

    @override
    def flush(self, text: str) -> list[str]:
        return self.rest  # type: ignore[no-any-return]  # as above


class UpperCase(ChunkingStrategy):
    """Level 1: changes what it was given."""

    @override
    def split(self, text: str) -> list[str]:
        return [text.upper()] if text.endswith(" ") else []


class FailingAtBang(ChunkingStrategy):
    """Level 1: semicolons, but ``!`` raises."""

    @override
    def split(self, text: str) -> list[str]:
        if "!" in text:
            raise ZeroDivisionError
        return SemicolonChunking().split(text)

    @override
    def flush(self, text: str) -> list[str]:
        if "?" in text:
            raise ZeroDivisionError
        return SemicolonChunking().flush(text)


class EveryDelta(ChunkingStrategy):
    """Level 2: each delta is a chunk, so that nothing but the slicing decides."""

    @override
    def scan(
        self, text: str, base: int, state: None, final: bool = False
    ) -> ScanFields[None]:
        end = base + len(text)
        return Scan([Span(base, end)] if text else [], end, end, None)


@dataclass(frozen=True)
class Scripted(ChunkingStrategy):
    """Level 2: gives one scan for any text that holds ``!``, else finds nothing."""

    found: Scan[None]

    @property
    @override
    def overlaps(self) -> bool:
        return True

    @override
    def scan(
        self, text: str, base: int, state: None, final: bool = False
    ) -> ScanFields[None]:
        return self.found if "!" in text else Scan([], base, base, None)


class Counting(ChunkingStrategy[Any]):
    """Level 2: scans as *inner* does, and counts the code points it is handed."""

    def __init__(self, inner: ChunkingStrategy[Any]) -> None:
        self.inner = inner
        self.scanned = 0

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self.inner.trigger

    @property
    @override
    def overlaps(self) -> bool:
        return self.inner.overlaps

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[Any]:
        self.inner = self.inner.bound_to(read)
        return self

    @override
    def begin(self, offset: int) -> Any:
        return self.inner.begin(offset)

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        self.scanned += len(text)
        return self.inner.scan(text, base, state, final=final)


@dataclass(frozen=True)
class BackReading(ChunkingStrategy[int]):
    """Level 2, reads back: cuts behind ``!``; a chunk's kind is its length."""

    read: Read = nothing_held

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[int]:
        return BackReading(read)

    @override
    def begin(self, offset: int) -> int:
        return offset

    @override
    def scan(
        self, text: str, base: int, state: int, final: bool = False
    ) -> ScanFields[int]:
        view = View(text, base, self.read)
        spans = []
        for match in re.finditer("!", text):
            end = base + match.end()
            spans.append(Span(state, end, kind=str(len(view(state, end)))))
            state = end
        return Scan(spans, state, base + len(text), state)
