"""The plain rules: terminators, closing marks, white space."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from typing_extensions import override

from .._spans import NEVER, Scan
from .._strategy import ChunkingStrategy

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._spans import SpanFields

    # Where the open sentence starts, and where its last code point ends that is not
    # white space.
    OpenSentence: TypeAlias = "tuple[int, int] | None"

_TERMINATORS = ".!?"
_TRIGGER = frozenset(_TERMINATORS)
_CLOSING_MARKS = "\"'\u201d\u2019)"
_BOUNDARY = re.compile(f"([{_TERMINATORS}][{_CLOSING_MARKS}]?)\\s+")
_UNDECIDED = re.compile(f"[{_TERMINATORS}][{_CLOSING_MARKS}]?\\Z")


class PlainRules(ChunkingStrategy["OpenSentence"]):
    """Finds the sentences of a stream by marks and white space alone.

    What the public strategy scans with; it has no name of its own in dictionaries.
    """

    __slots__ = ()

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return _TRIGGER

    @override
    def begin(self, offset: int) -> OpenSentence:
        return None

    @override
    def opened(
        self, text: str, base: int, state: OpenSentence
    ) -> tuple[int, int] | None:
        return state

    @override
    def scan(
        self, text: str, base: int, state: OpenSentence, final: bool = False
    ) -> Scan[OpenSentence]:
        # Plan: a match of the boundary takes all white space behind it, so the next
        # sentence starts where the match ends. Held back is only a terminator at the
        # end of the text, with its closing mark: the next scan resumes there. The
        # state of an open sentence is its start and the end of its last code point
        # that is not white space, where `flush` ends it. No code point but those two
        # is looked at again.
        spans: list[SpanFields] = []
        size = len(text)
        if state is None:
            first = size - len(text.lstrip())
            start = stop = base + first
        else:
            start, stop = state
            first = 0
        for match in _BOUNDARY.finditer(text):
            spans.append((start, base + match.end(1), True, "sentence"))
            first = match.end()
            start = stop = base + first
        resume = base + size
        if start == resume:
            return Scan(spans, resume, resume, None, NEVER)
        # `text` still has an unfinished sentence, or none of it: then it is all white
        # space behind what the state knows.
        content = len(text.rstrip())
        if content > first:
            stop = base + content
        undecided = _UNDECIDED.search(text, max(first, size - 2))
        if final:
            complete = True if undecided else None
            spans.append((start, stop, complete, "sentence"))
            return Scan(spans, resume, resume, None)
        if undecided:
            return Scan(spans, start, base + undecided.start(), (start, stop))
        return Scan(spans, start, resume, (start, stop), NEVER)
