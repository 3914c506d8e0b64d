"""SentenceChunking: terminators, closing marks, white space."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import Self, override

from .._spans import NEVER, Scan
from .._strategy import ChunkingStrategy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from .._spans import SpanFields

    OpenSentence: TypeAlias = "tuple[int, int] | None"

_TERMINATORS = ".!?"
_CLOSING_MARKS = "\"'\u201d\u2019)"
_TRIGGER = frozenset(_TERMINATORS)
_BOUNDARY = re.compile(f"([{_TERMINATORS}][{_CLOSING_MARKS}]?)\\s+")
_UNDECIDED = re.compile(f"[{_TERMINATORS}][{_CLOSING_MARKS}]?\\Z")


@dataclass(frozen=True)
class SentenceChunking(ChunkingStrategy["OpenSentence"]):
    r"""Cuts behind sentences.

    ``rules="plain"``: a boundary is one of ``.`` ``!`` ``?``, then at most one closing
    mark out of ``"`` ``'`` U+201D U+2019 ``)``, then white space. The first white space
    releases the sentence. White space before, between and behind sentences belongs to
    no chunk. ``flush`` releases the rest without the white space around it; it is
    ``complete`` when it ends with a terminator and at most one closing mark.
    Abbreviations are not known: ``Dr.`` is a sentence.

    Args:
        rules: ``"plain"``, the rules above.

    Raises:
        ValueError: *rules* is something else.

    Examples:
        >>> SentenceChunking(rules="plain").split("Dr. Smith left. He was ti")
        ['Dr.', 'Smith left.']
    """

    _: KW_ONLY
    # No default: that is the place of rules that know abbreviations. The name
    # "sentence" means the plain ones.
    rules: Literal["plain"]

    def __post_init__(self) -> None:
        """Check the parameters."""
        if self.rules != "plain":
            msg = f"rules must be 'plain', got {self.rules!r}"
            raise ValueError(msg)

    @override
    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the strategy; without ``rules`` these are the plain ones."""
        return super().from_dict({"rules": "plain", **values})

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
