"""ParagraphChunking: blank lines separate."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import override

from .._registry import register_built_in
from .._spans import NEVER, Scan
from .._strategy import ChunkingStrategy, check_bool
from .._white_space import LINE_ENDS

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._spans import SpanFields

    OpenPiece: TypeAlias = "tuple[int, int, bool]"

_IN_LINE = -1
"""The piece goes on inside a line."""
_BETWEEN = -2
"""A separator was found and only blanks since: the piece has not begun."""


class _Rules(NamedTuple):
    r"""What separates paragraphs.

    Attributes:
        line_ends: Code points that end a line.
        blanks: Code points that a blank line may hold.
        separator: Pattern of a line end and all blank lines behind it.
        newlines: The same where ``\n`` is the only line end of a text: it begins with
            one code point, which is searched for several times as fast.
        blank_lines: Pattern of any number of blank lines.
    """

    line_ends: frozenset[str]
    blanks: str
    separator: re.Pattern[str]
    newlines: re.Pattern[str]
    blank_lines: re.Pattern[str]


def _rules(line_ends: frozenset[str], blanks: str) -> _Rules:
    # A pattern that begins with a single set is searched for at several times the speed
    # of an alternation, and repeating sets alone takes no memory. A `\r` takes its `\n`
    # and never gives it back: backtracking would make two line ends of one `\r\n`
    # (Python 3.10 has no possessive quantifiers). Behind the first line end that does
    # not matter, because every further one belongs to the separator.
    ends = f"[{''.join(sorted(line_ends))}]"
    first = f"{ends}(?:(?<=\r)\n|(?!(?<=\r)\n))"
    further = f"(?:[{blanks}{ends[1:]}*{ends})?"
    second = f"[{blanks}]*{ends}" if blanks else ends
    return _Rules(
        line_ends=line_ends,
        blanks=blanks,
        separator=re.compile(first + second + further),
        newlines=re.compile(f"\n[{blanks}\n]*\n"),
        blank_lines=re.compile(further),
    )


_LENIENT = _rules(LINE_ENDS, " \t")
_STRICT = _rules(frozenset("\n"), "")

_NEWLINE = frozenset("\n")
_LONG = 1_000
"""Code points from which on it pays to look for other line ends first."""
_BLOCK = 65_536
"""Code points that are looked through at a time: what fits into a fast cache."""


@dataclass(frozen=True)
class ParagraphChunking(ChunkingStrategy["OpenPiece"]):
    r"""Cuts at blank lines.

    A separator is a line end and one or more blank lines behind it; a blank line may
    hold spaces and tabs, and every Unicode line end counts. The second line end
    releases the paragraph (a ``\r`` once one more code point is there). The separator
    belongs to no chunk; indentation of the line behind it stays in its chunk; a piece
    of white space alone is no chunk. ``flush`` releases the fragment as it is, with a
    single line end at its end; it is not ``complete``.

    Args:
        strict: Only two or more ``\n`` in a row separate.

    Raises:
        TypeError: *strict* is not a ``bool``.

    Examples:
        >>> ParagraphChunking().split("One.\n \t\n  Two.\n\nThr")
        ['One.', '  Two.']
        >>> ParagraphChunking().flush("a\n\nb\n")
        ['b\n']
    """

    _: KW_ONLY
    strict: bool = False

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_bool("strict", self.strict)

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self._rules.line_ends

    @property
    def _rules(self) -> _Rules:
        return _STRICT if self.strict else _LENIENT

    @override
    def begin(self, offset: int) -> OpenPiece:
        return (offset, _IN_LINE, False)

    @override
    def opened(self, text: str, base: int, state: OpenPiece) -> tuple[int, int] | None:
        start, line_end, has_text = state
        if not has_text:
            return None
        return (start, base if line_end < 0 else line_end)

    @override
    def scan(
        self, text: str, base: int, state: OpenPiece, final: bool = False
    ) -> Scan[OpenPiece]:
        # Plan: first settle the line end that the last scan left open, then let one
        # pattern find the separators, then see whether the text ends in an open line
        # end. Everything is looked at once but a `\r` at the end, which waits for its
        # `\n`. The state is where the piece starts, the offset of an open line end (or
        # one of the two marks above), and whether the piece has more than white space.
        rules = self._rules
        spans: list[SpanFields] = []
        start, line_end, has_text = state
        size = len(text)
        crlf = "\r" in rules.line_ends
        undecided = crlf and not final and text.endswith("\r")
        limit = size - 1 if undecided else size
        resume = base + limit
        at = 0
        if line_end != _IN_LINE:
            at = rules.blank_lines.match(text, 0, limit).end()  # type: ignore[union-attr]  # it matches ""
            if at:
                if has_text:
                    spans.append((start, line_end, True, "paragraph"))
                start, line_end, has_text = base + at, _BETWEEN, False
        pattern = rules.separator
        if size > _LONG and _has_newlines_alone(text, rules.line_ends):
            pattern = rules.newlines
        for separator in pattern.finditer(text, at, limit):
            end, behind = separator.span()
            # Most pieces begin with text: a look at that saves a copy of the piece.
            if has_text or not text[at].isspace() or text[at:end].strip():
                spans.append((start, base + end, True, "paragraph"))
                has_text = False
            at = behind
            start = base + at
            line_end = _BETWEEN
        rest = text[at:limit]
        line = rest.rstrip(rules.blanks)
        if line:
            # With blanks alone behind it the open line end, or the separator, stays.
            line_end = _IN_LINE
            if line[-1] in rules.line_ends:
                width = 2 if crlf and line.endswith("\r\n") else 1
                line_end = base + at + len(line) - width
            has_text = has_text or bool(line.strip())
        if final and has_text:
            spans.append((start, resume, None, "paragraph"))
        quiet = line_end < 0 and not undecided
        state = (start, line_end, has_text)
        return Scan(spans, start, resume, state, NEVER if quiet else 0)


def _has_newlines_alone(text: str, line_ends: frozenset[str]) -> bool:
    r"""Whether ``\n`` is the only one of these *line_ends* in *text*.

    In blocks, because each line end is searched for apart: over a text that is larger
    than the cache this takes half the time.
    """
    others = line_ends - _NEWLINE
    for at in range(0, len(text), _BLOCK):
        block = text[at : at + _BLOCK]
        for end in others:
            if end in block:
                return False
    return True


register_built_in("paragraph", ParagraphChunking)
