r"""What a line of Markdown begins: containers, and a block inside of the last one.

Asked of whole lines and of the beginnings of unfinished ones. For these the answer is
either certain whatever follows, or says when to look again.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ._markdown_definitions import LONGEST_LABEL, may_be_definition
from ._markdown_lines import (
    BULLET,
    FENCE,
    FOOTNOTE,
    HEADING,
    UNDERLINE,
    delimiter_columns,
    html_kind,
    is_rule,
    may_become_html,
    skip_blanks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    # What it is, the columns that continue it, its marker, and where it starts.
    Container: TypeAlias = "tuple[int, int, str, int]"
    # What was found and what belongs to it; or when to look again.
    Found: TypeAlias = "tuple[str, Any] | int"

QUOTE, ITEM, NOTE = 0, 1, 2
"""Containers."""

AGAIN, STRUCTURE, WAIT, TICKS, LABEL, FORMULA = 0, 1, 2, 3, 4, 5
"""When to look at an unfinished line again: with every delta while it is short, with a
code point that is not part of a marker, when it ends, with a backtick, with every
delta, and with what may close a formula while the line is short."""

TEXT: tuple[str, Any] = ("text", None)
_CODE: tuple[str, Any] = ("code", None)
_EMPTY: tuple[str, Any] = ("empty", None)
_RULE: tuple[str, Any] = ("rule", None)
_DEFINITION: tuple[str, Any] = ("definition", None)
_OPENED = -1
"""A container was opened; what follows it is looked at next."""

CODE_INDENT = 4
_NOTE_INDENT = 4
_MOST_SPACES = 4
"""Blanks behind the marker of an item that belong to it; more of them are code."""

_NOT_OF_RULE = {char: re.compile(rf"[^{re.escape(char)} \t]") for char in "*-_"}
_MAYBE_FOOTNOTE = re.compile(r"\[(?:\^[^\]\s]*\]?)?\Z")
_MAYBE_BULLET = re.compile(r"(?:[*+-]|[0-9]{1,9}[.)]?)\Z")
_MAYBE_FENCE = re.compile(r"(?:`{1,2}|~{1,2}|`{3,}[^`]*|~{3,}.*)\Z")
LONG_LABEL = LONGEST_LABEL + 2
"""Code points from an opening bracket on that are no label if no other closes them."""


class Start:
    """A line whose start is looked at.

    Args:
        line: The line, or as much of it as there is.
        offset: Where it starts in the stream.
        ended: Whether that is all of it.

    Attributes:
        at: The place that is looked at; in the end, where the text of the block is.
        column: Its column.
        base: The column from which indentation counts.
        opened: The containers that the line opens.
        continues: Whether a paragraph is open that a line of text would continue.
        in_table: Whether it is a row of a table unless it begins something else.
        interrupts: Whether it is in all the containers that this line continues.
        columns: The number of columns if its last line may be the head of a table.
        underlines: Whether it may be a heading.
        math: Whether there may be formulas.
        notes: Whether there may be footnotes.
    """

    __slots__ = (
        "at",
        "base",
        "column",
        "columns",
        "continues",
        "ended",
        "in_table",
        "interrupts",
        "line",
        "math",
        "not_rule",
        "notes",
        "offset",
        "opened",
        "underlines",
    )

    def __init__(self, line: str, offset: int, *, ended: bool) -> None:
        self.line = line
        self.offset = offset
        self.ended = ended
        self.at = self.column = self.base = 0
        self.opened: list[Container] = []
        self.continues = self.interrupts = self.underlines = False
        self.in_table = False
        self.columns = 0
        self.math = self.notes = False
        self.not_rule: dict[str, int] = {}

    def find(self) -> Found:
        """Find what the line begins behind the containers that it continues."""
        size = len(self.line)
        while self.at < size:
            if self.column - self.base >= CODE_INDENT:
                return TEXT if self.continues else _CODE
            found: Found | None
            char = self.line[self.at]
            if self.interrupts and char in "=-|:":
                found = self._underline(char)
                if found is not None:
                    return found
            look = _LOOKS.get(char)
            found = look(self, char) if look else None
            if found is None:
                return TEXT
            if found != _OPENED:
                return found
        return _EMPTY if self.ended else AGAIN

    def _underline(self, char: str) -> Found | None:
        """Find what makes a table or a heading of the paragraph."""
        rest = self.line[self.at :].rstrip(" \t")
        if self.columns:
            if not self.ended and not rest.strip("|-: \t"):
                return AGAIN
            if delimiter_columns(rest) == self.columns:
                return ("table", None)
        if char in "=-" and self.underlines:
            if not self.ended and not rest.strip(char):
                return AGAIN
            if UNDERLINE.match(rest):
                return ("underline", 1 if char == "=" else 2)
        return None

    def _open(self, kind: int, width: int, marker: str) -> int:
        self.opened.append((kind, width, marker, self.offset + self.at))
        self.continues = self.interrupts = self.in_table = False
        return _OPENED

    def quote(self, _: str) -> Found | None:
        """Find a block quote."""
        self._open(QUOTE, 0, ">")
        self.go_behind_quote()
        return _OPENED

    def go_behind_quote(self) -> None:
        """Go on behind the marker of a block quote."""
        self.base = self.column + 1
        self.at += 1
        # A single blank belongs to the marker, or one column of a tab.
        if self.line[self.at : self.at + 1] in {" ", "\t"}:
            self.base += 1
        self.at, self.column = skip_blanks(self.line, self.at, self.column + 1)

    def rule_or_bullet(self, char: str) -> Found | None:
        """Find a thematic break or the marker of a list item."""
        found = self.rule(char)
        return self.bullet(char) if found is None else found

    def rule(self, char: str) -> Found | None:
        """Find a thematic break."""
        if self.not_rule.get(char, 0) > self.at:
            # Looking for that code point again for each marker would be quadratic.
            return None
        other = _NOT_OF_RULE[char].search(self.line, self.at)
        if other:
            self.not_rule[char] = other.start()
            return None
        if not self.ended:
            return AGAIN
        return _RULE if is_rule(self.line[self.at :]) else None

    def bullet(self, _: str) -> Found | None:
        """Find the marker of a list item."""
        line, at = self.line, self.at
        bullet = BULLET.match(line, at)
        if not self.ended and _MAYBE_BULLET.match(line, at):
            return AGAIN
        if not bullet:
            return None
        end = bullet.end()
        text, column = skip_blanks(line, end, self.column + end - at)
        is_empty = text == len(line)
        if is_empty and not self.ended:
            return AGAIN
        number = bullet.group(1)
        if self.interrupts and (is_empty or (number and int(number) != 1)):
            return None
        spaces = column - self.column - end + at
        if is_empty or spaces > _MOST_SPACES:
            spaces = 1
        width = self.column - self.base + end - at + spaces
        self._open(ITEM, width, line[end - 1])
        self.base += width
        self.at, self.column = text, column
        return _OPENED

    def bracket(self, _: str) -> Found | None:
        """Find a footnote or a link reference definition."""
        line, at = self.line, self.at
        if self.notes:
            note = FOOTNOTE.match(line, at)
            if note:
                self._open(NOTE, _NOTE_INDENT, "^")
                end = note.end()
                self.at, self.column = skip_blanks(line, end, self.column + end - at)
                self.base = self.column
                return _OPENED
            if not self.ended and _MAYBE_FOOTNOTE.match(line, at):
                return AGAIN
        if self.continues or self.in_table or not may_be_definition(line[at:]):
            return None
        if self.ended:
            return _DEFINITION
        # Behind so many code points it has its colon; and what is in front of it is
        # looked at again, too.
        return LABEL if max(at, len(line) - at - 1) < LONG_LABEL else WAIT

    def heading(self, _: str) -> Found | None:
        """Find an ATX heading."""
        heading = HEADING.match(self.line, self.at)
        if not heading:
            return None
        if not self.ended and heading.end() == heading.end(1):
            return AGAIN
        return ("heading", len(heading.group(1)))

    def fence(self, char: str) -> Found | None:
        """Find the line that opens fenced code."""
        if not self.ended and _MAYBE_FENCE.match(self.line, self.at):
            has_info = char == "`" and self.line.strip(" \t")[-1] != "`"
            return TICKS if has_info else AGAIN
        fence = FENCE.match(self.line, self.at)
        if not fence:
            return None
        return ("fence", (char, len(fence.group(1) or fence.group(2))))

    def html(self, _: str) -> Found | None:
        """Find an HTML block."""
        rest = self.line[self.at :]
        if not self.ended and may_become_html(rest, interrupts=self.continues):
            return AGAIN
        kind = html_kind(rest, interrupts=self.continues)
        if not kind:
            return None
        return ("html", kind) if self.ended else WAIT

    def formula(self, char: str) -> Found | None:
        """Find a block of mathematics: to its closer, or to the end of the line."""
        if not self.math:
            return None
        opener, closer = ("$$", "$$") if char == "$" else ("\\[", "\\]")
        rest = self.line[self.at :].rstrip(" \t")
        if not self.ended and len(rest) == 1:
            return AGAIN
        if not rest.startswith(opener):
            return None
        end = rest.find(closer, 2)
        if 0 <= end < len(rest) - 2:
            return None
        if self.ended:
            return ("math", (closer, end > 0))
        return FORMULA if end < 0 else AGAIN


_LOOKS: Mapping[str, Callable[[Start, str], Found | None]] = {
    ">": Start.quote,
    "#": Start.heading,
    "`": Start.fence,
    "~": Start.fence,
    "<": Start.html,
    "*": Start.rule_or_bullet,
    "-": Start.rule_or_bullet,
    "_": Start.rule,
    "+": Start.bullet,
    "[": Start.bracket,
    "$": Start.formula,
    "\\": Start.formula,
    **dict.fromkeys("0123456789", Start.bullet),
}

STARTS = frozenset(_LOOKS) | frozenset("=|:")
"""What a line begins with that is not plainly text."""
