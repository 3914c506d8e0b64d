r"""A paragraph of Markdown while its lines arrive: cut into sentences, or left whole.

A sentence strategy goes over the text that surely belongs to the paragraph. What is
not sure is held back: something that was opened and may close, and a line with a pipe,
which may be the head of a table.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .._spans import NEVER
from . import _markdown_definitions as definitions
from ._markdown_inline import (
    CLOSERS,
    OPENERS,
    REACH,
    TOKEN,
    lex,
    masked,
    stays_open,
)
from ._markdown_lines import columns_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._pending import Read
    from .._spans import SpanFields
    from .._strategy import ChunkingStrategy
    from ._markdown_definitions import Phase
    from ._markdown_inline import Mask

_PIPE = re.compile(r"(?<!\\)(?:\\\\)*\|")


_new = tuple.__new__


class Prose(NamedTuple):
    """The state of an open paragraph.

    Attributes:
        start: Where its chunk starts, with the markers before it.
        in_item: Whether the marker of a list item is among them.
        text: Where its text starts.
        line: Where the text of its last line starts.
        before: Where the line before that one ends.
        pipe: The first ``|`` of its last line; -1 if there is none, -2 if it does not
            matter, because the line is not in the same containers.
        columns: The columns of its last line if that may be the head of a table.
        phase: What is awaited while it may be a link reference definition.
        title: Where the line starts on which the title of that begins.
        cuts: Whether it is cut.
        sentence: The state of the sentence strategy.
        seen: Where that strategy resumes.
        lexed: Up to where is known what must not be cut.
        masks: What that is, as far as the sentence strategy may look at it again.
        tail: Where what is not released yet begins.
    """

    start: int
    in_item: bool
    text: int
    line: int
    before: int
    pipe: int
    columns: int
    phase: Phase | None
    title: int
    cuts: bool
    sentence: Any
    seen: int
    lexed: int
    masks: tuple[Mask, ...]
    tail: int

    # The ways in which most paragraphs change, several times as fast as `_replace`.

    def cut_up_to(
        self, sentence: Any, seen: int, lexed: int, masks: tuple[Mask, ...], tail: int
    ) -> Prose:
        """Return the state behind a scan of the sentence strategy."""
        return _new(Prose, (*self[:_SENTENCE], sentence, seen, lexed, masks, tail))

    def with_line(self, line: int, before: int, pipe: int) -> Prose:
        """Return the state at the start of a further line."""
        return _new(Prose, (*self[:_LINE], line, before, pipe, 0, *self[_PHASE:]))


def restored(fields: tuple[Any, ...]) -> Prose:
    """Return the state with these fields, in a fifth of the time that a call takes."""
    return _new(Prose, fields)


_LINE = Prose._fields.index("line")
_PHASE = Prose._fields.index("phase")
_SENTENCE = Prose._fields.index("sentence")

CUTS = Prose._fields.index("cuts")
"""Place of `Prose.cuts` in a state."""


class MaskedRead:
    """Reads text left of a scan as sentences see it.

    A sentence strategy that is bound to the stream looks again at what it was shown, so
    it has to be shown the same. The masks are those of the scan that is going on.

    Args:
        read: Returns the stream's text left of what is scanned.
    """

    __slots__ = ("_read", "masks")

    def __init__(self, read: Read) -> None:
        self._read = read
        self.masks: Sequence[Mask] = ()

    def __call__(self, start: int, end: int) -> str:
        """Return the text between two stream offsets."""
        return shown(self._read, start, end, self.masks)


def shown(read: Read, start: int, end: int, masks: Sequence[Mask]) -> str:
    """Return the text between two stream offsets as sentences see it."""
    if not masks:
        return read(start, end)
    over = [mask for mask in masks if start < mask[1] and mask[0] < end]
    if not over:
        return read(start, end)
    first = min(start, over[0][0])
    last = max(end, over[-1][1])
    return masked(read(first, last), first, over)[start - first : end - first]


class Cutter:
    """Cuts the paragraphs of a stream.

    Args:
        sentence: The sentence strategy, not bound to the stream yet.
        read: Returns the stream's text left of what is scanned.
        math: Whether there may be formulas.

    Attributes:
        sentence: The sentence strategy.
        math: Whether there may be formulas.
        trigger: What nothing comes out of a paragraph without, once that was looked at.
        waits: Whether that is true of one that only begins, too.
    """

    __slots__ = (
        "_masked",
        "_sentence_trigger",
        "math",
        "sentence",
        "trigger",
        "waits",
    )

    def __init__(
        self, sentence: ChunkingStrategy[Any], read: Read, *, math: bool
    ) -> None:
        self._masked = MaskedRead(read)
        self.sentence = sentence.bound_to(self._masked)
        self.math = math
        self._sentence_trigger = sentence.trigger
        self.trigger = _trigger_with(sentence.trigger)
        self.waits = sentence.scan("", 0, sentence.begin(0))[4] == NEVER

    def is_quiet(self, text: str) -> bool:
        """Whether nothing comes out of a paragraph that begins with *text*, so far."""
        return self.waits and self.trigger.isdisjoint(text)

    def may_release(self, line: str) -> bool:
        """Whether something may come out of a paragraph whose first line is *line*."""
        return not (self.waits and self._sentence_trigger.isdisjoint(line))

    def needed_from(self, prose: Prose) -> int:
        """Return from where on later scans of a paragraph read the text back."""
        first = self.sentence.needs(prose.seen, prose.sentence)
        return min(first, prose.masks[0][0]) if prose.masks else first

    def cut(
        self, prose: Prose, text: str, read: Read, *, ended: bool, final: bool = False
    ) -> tuple[Sequence[SpanFields], Prose, int]:
        """Cut a paragraph as far as it is sure.

        Args:
            prose: Its state.
            text: The stream from `Prose.lexed` on, as far as it surely belongs to it.
            read: Returns the stream's text up to there.
            ended: Whether its last line ends there.
            final: Whether the paragraph ends there.

        Returns:
            The spans, the new state, and when to look again.
        """
        lexed = prose.lexed
        masks = prose.masks
        held = NEVER
        if TOKEN.search(text) is None:
            # Nothing of what most paragraphs are made of is special.
            lexed += len(text)
        else:
            at, found = lex(text, 0, ended=ended, math=self.math, base=lexed)
            lexed += at
            if at < len(text):
                held = lexed + REACH + 1 if stays_open(text, at) else 0
                text = text[:at]
            if found:
                masks = (*masks, *found)
        if masks or prose.seen != prose.lexed:
            self._masked.masks = masks
            text = shown(read, prose.seen, lexed, masks)
        spans, _, seen, sentence, wake = self.sentence.scan(
            text, prose.seen, prose.sentence, final
        )
        if masks:
            needed = self.sentence.needs(seen, sentence)
            masks = tuple(mask for mask in masks if mask[1] > needed)
        tail = prose.tail
        if spans:
            spans, tail = _placed(spans, prose)
        prose = prose.cut_up_to(sentence, seen, lexed, masks, tail)
        return spans, prose, wake if held == NEVER else held


@lru_cache(maxsize=64)
def _trigger_with(trigger: frozenset[str]) -> frozenset[str]:
    """Return a trigger with what matters in every paragraph, as one set for all."""
    return trigger | OPENERS | CLOSERS | {"|", "\n", "\r"}


def _placed(
    spans: Sequence[SpanFields], prose: Prose
) -> tuple[Sequence[SpanFields], int]:
    """Let the first piece of a paragraph begin with the markers before it."""
    if prose.tail == prose.start < spans[0][0]:
        first: Any = (prose.start, *spans[0][1:])
        spans = [first, *spans[1:]]
    return spans, spans[-1][1]


def opened(start: int, text: int, sentence: Any, *, in_item: bool, cuts: bool) -> Prose:
    """Return the state of a paragraph whose first line begins.

    Args:
        start: Where its chunk starts.
        text: Where its text starts.
        sentence: The state of the sentence strategy at its start.
        in_item: Whether it begins with the marker of a list item.
        cuts: Whether it is cut.
    """
    return Prose(
        *(start, in_item, text, text, text, -1, 0, None, -1),
        *(cuts, sentence, text, text, (), start),
    )


def with_pipe(prose: Prose, read: Read, end: int) -> Prose:
    """Look for the first pipe of the last line in what was not looked at yet."""
    if prose.pipe != -1:
        return prose
    start = max(prose.line, prose.lexed)
    text = read(start, end) if start < end else ""
    pipe = _PIPE.search(text) if "|" in text else None
    return prose._replace(pipe=start + pipe.end() - 1) if pipe else prose


def with_columns(prose: Prose, read: Read, end: int) -> Prose:
    """Count the columns of the last line, which ended."""
    prose = with_pipe(prose, read, end)
    if prose.pipe < 0:
        return prose
    # All that is before the first pipe is one cell.
    before = "x" if prose.pipe > prose.line else ""
    return prose._replace(columns=columns_of(before + read(prose.pipe, end)))


def with_phase(prose: Prose, read: Read, end: int) -> Prose:
    """Look at a line of what may be a link reference definition, which ended."""
    phase = prose.phase
    assert phase is not None  # noqa: S101 - the caller looked
    start = prose.line
    title = prose.title
    phase = definitions.advance(phase, read(start, end), end)
    if phase[0] == definitions.TITLE and title < 0 <= phase[2]:
        title = start
    return prose._replace(
        phase=None if phase[0] == definitions.FAILED else phase, title=title
    )
