r"""The block structure of Markdown, line by line, while the text arrives.

A stack of containers (block quotes, list items, footnotes) and the leaf that is open in
the last one (a paragraph, code, a table) say where a line begins and what it continues.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from .._spans import NEVER
from . import _markdown_definitions as definitions
from ._markdown_lines import (
    BLANK_ENDS_HTML,
    FRONT_END,
    FRONT_KEY,
    ends_html,
    skip_blanks,
)
from ._markdown_prose import (
    Prose,
    opened,
    restored,
    with_columns,
    with_phase,
    with_pipe,
)
from ._markdown_starts import (
    AGAIN,
    CODE_INDENT,
    FORMULA,
    ITEM,
    LABEL,
    LONG_LABEL,
    NOTE,
    QUOTE,
    STARTS,
    STRUCTURE,
    TEXT,
    TICKS,
    WAIT,
    Start,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .._pending import Read, View
    from .._spans import Context, SpanFields
    from ._markdown_prose import Cutter
    from ._markdown_starts import Container

    # What it is, where it starts, and what belongs to it. The last field says whether
    # its last line was met.
    Leaf: TypeAlias = "tuple[Any, ...] | None"
    # Level, start and text of a heading.
    Path: TypeAlias = "tuple[tuple[int, int, str], ...]"
    # The start of the block at the top, of the outermost item and of the leaf that a
    # chunk is part of.
    Units: TypeAlias = "tuple[int, int, int]"
    # The attributes of `Blocks` that are carried on, in the order of `Blocks.state`.
    BlockState: TypeAlias = "tuple[Any, ...]"

PARAGRAPH, FENCED, INDENTED, HTML, TABLE, MATH, FRONT, RULE, HEADING = range(9)
"""Leaves: the first field of each."""

_WHOLE_LINES = frozenset({FENCED, HTML, TABLE, MATH, FRONT})

_KINDS = ("paragraph", "code", "code", "html", "table", "math", "front_matter", "rule")

LOOK, PROSE, SKIP = 0, 1, 2
"""What is known of the unfinished line: nothing, that it is prose, that it is not."""

DECIDED, BLANKS = 6, 7
"""Like `AGAIN` and its kind: it is certain what the line is; a long line that is looked
at again with a code point that is no blank."""

_MARKS = frozenset("-=*_")
"""What a rule is made of, or what underlines a heading."""

_HEAD = 64
"""Code points of a line that are looked at again and again."""

_LINE_END = re.compile("\r\n?|\n")

_LINE_START = r"(?<![^\n\r])"
_FENCE_STARTS = {char: re.compile(rf"{_LINE_START}[ \t]*{char}") for char in ("`", "~")}
_NOT_INDENTED = re.compile(rf"{_LINE_START}(?! {{4}}| {{0,3}}\t|[ \t]*[\n\r])")

_STRUCTURE = " \t>*-+_=#|:~`.)0123456789"
_RUNS = (
    (" \t", re.compile(r"[^ \t]"), BLANKS),
    (_STRUCTURE, re.compile(rf"[^{re.escape(_STRUCTURE)}]"), STRUCTURE),
)
"""What the head of a long line may be made of, what ends that, and what awaits it."""

SHORT = 6
"""Code points that are rather looked at again than read back.

A line end and as many blanks, one by one, are scanned five times each at most.
"""

NO_TEXT = STARTS | {"", " ", "\t", "\n", "\r"}
"""What a line begins with, or behind blanks, that may be no paragraph."""

NO_SOFT_LINE_END = re.compile(
    rf"\r|\n(?= {{0,3}}[{re.escape(''.join(sorted(STARTS)))}]|[ \t]*(?:[\r\n]|\Z))"
)
"""A line end behind which a paragraph at the top level may end, or any ``\\r``.

What is indented by four columns is no start of a block there.
"""

_DEAD = 1 << 30
"""Columns that no line has: the item began with a blank line, and one followed."""


class Rules(NamedTuple):
    """The parameters of a strategy, as far as blocks need them.

    Attributes:
        cutter: Cuts paragraphs; ``None`` leaves them whole.
        code_lines: Whether code is cut into lines.
        table_rows: Whether tables are cut into rows.
        items: Whether lists are looked into.
        front: Whether there may be front matter.
        math: Whether there may be formulas.
        notes: Whether there may be footnotes.
        context: Whether chunks get context.
    """

    cutter: Cutter | None
    code_lines: bool
    table_rows: bool
    items: bool
    front: bool
    math: bool
    notes: bool
    context: bool


def begun(offset: int, path: Path = ()) -> BlockState:
    """Return the state at the start of a stream or behind a cut."""
    return (
        *(offset, LOOK, AGAIN, (), False, None, path, None, None),
        *(offset, False, (-1, -1, -1), offset, None),
    )


LINE, LINE_MODE, AGAIN_AT, STACK, LEAF, PATH, END, UNITS = 0, 1, 2, 3, 5, 6, 9, 11
KEEP, PROSE_STATE = -2, -1
"""Places in the state that the quick ways through a scan look at."""


class Blocks:
    """One scan.

    Args:
        rules: What the strategy does.
        view: The stream, as far back as the state reaches.
        state: What the last scan left; that of `begun` at first.

    Attributes:
        spans: The chunks that were found.
        units: What each of them is part of.
        line: Where the line starts that is looked at.
        mode: What is known of it.
        path: The headings in force.
        wake: When the next scan is due.
    """

    # Plan. `end_line` is called for each line that has its end, `look` once a scan for
    # the one that has not. Both ask `_decide` what the line is, which changes nothing
    # until that is certain: the containers that it continues, those that it opens, and
    # the leaf. A line that is not certain yet is looked at again with every delta while
    # it is short; later on that depends on what came: markers only, or something that
    # its end alone can decide. Nothing of that depends on where a delta ended: of a
    # long line the same beginnings are looked at if it came at once. Where a line is
    # prose, all that is left is to cut it. What a line closes ends where the last line
    # with text ended.
    __slots__ = (
        "_again",
        "_atom",
        "_closed",
        "_context",
        "_empty",
        "_end",
        "_first_row",
        "_leaf",
        "_marker",
        "_prose",
        "_rules",
        "_stack",
        "_text",
        "_units",
        "_view",
        "_was_blank",
        "line",
        "mode",
        "path",
        "spans",
        "units",
        "wake",
    )

    def __init__(self, rules: Rules, view: View, state: BlockState) -> None:
        self._rules = rules
        self._view = view
        self.line: int
        self.mode: int
        self._again: int
        self._stack: tuple[Container, ...]
        self._empty: bool
        self._leaf: Leaf
        self._prose: Prose | None
        self.path: Path
        # Start, depth and kind of a container that is released as a whole.
        self._atom: tuple[int, int, str] | None
        # Start and end of the marker of an item that has nothing else yet.
        self._marker: tuple[int, int] | None
        # Where the last line with text ended.
        self._end: int
        self._was_blank: bool
        self._units: Units
        (
            self.line,
            self.mode,
            self._again,
            self._stack,
            self._empty,
            self._leaf,
            self.path,
            self._atom,
            self._marker,
            self._end,
            self._was_blank,
            self._units,
            _,
            prose,
        ) = state
        self._prose = restored(prose) if prose else None
        self._context: Context | None = None
        # What a chunk is that is closed by what is looked at.
        self._closed: bool | None = True
        # Where the text of the last line begins that was no plain text.
        self._text = 0
        # Where the first row of a table is, while its delimiter row is looked at.
        self._first_row = (0, 0)
        self.spans: list[SpanFields] = []
        self.units: list[Units] = []
        self.wake = 0

    @property
    def state(self) -> BlockState:
        """What the next scan goes on with."""
        prose = self._prose
        return (
            self.line,
            self.mode,
            self._again,
            self._stack,
            self._empty,
            self._leaf,
            self.path,
            self._atom,
            self._marker,
            self._end,
            self._was_blank,
            self._units,
            self.keep,
            prose and tuple(prose),
        )

    # Lines

    def end_line(self, line: str | None, end: int, after: int) -> None:
        """Take a whole line.

        Args:
            line: Its text, if it was not certain what it is.
            end: Where it ends.
            after: Where the next one starts.
        """
        if line is not None:
            self._decide(line, ended=True)
        self._finish(end)
        self.line = after
        self.mode = LOOK
        # Inside of these nothing comes out before a line ends.
        leaf = self._leaf
        waits = leaf and not self._stack and leaf[0] in _WHOLE_LINES
        self._again = WAIT if waits else AGAIN

    def pass_lines(self, text: str, at: int, end: int, base: int) -> int:
        """Take whole lines that surely go on with what is open, in little time.

        That is code, or a paragraph, at the top level.

        Args:
            text: The stream from *base* on.
            at: Where in *text* the next line begins.
            end: Up to where to look.
            base: Stream offset of *text*.

        Returns:
            Where in *text* the line begins that is to be looked at.
        """
        leaf = self._leaf
        if not leaf or self._stack:
            return at
        if self._prose and not self._prose.phase:
            return self._pass_prose(text, at, end, base)
        if leaf[0] in _NOT_OF_CODE and not self._rules.code_lines:
            return self._pass_code(leaf, text, at, end, base)
        return at

    def _pass_prose(self, text: str, at: int, end: int, base: int) -> int:
        if text[at : at + 1] in NO_TEXT:
            return at
        hard = NO_SOFT_LINE_END.search(text, at, end)
        # Of the last line may be more to know: whether it is the head of a table.
        last = text.rfind("\n", at, hard.start() if hard else end)
        if last < 0:
            return at
        self._end = base + last
        self.line = base + last + 1
        return last + 1

    def _pass_code(
        self, leaf: tuple[Any, ...], text: str, at: int, end: int, base: int
    ) -> int:
        other = _NOT_OF_CODE[leaf[0]](leaf[2], text, at, end)
        if other < 0:
            other = max(text.rfind("\n", at, end), text.rfind("\r", at, end)) + 1
        if other <= at:
            return at
        end, self._was_blank = _end_of_text(text, at, other)
        if end >= 0:
            self._end = base + end
        self.line = base + other
        self._again = WAIT if leaf[0] == FENCED else AGAIN
        return other

    def look(self, end: int, new: str) -> None:
        """Look at the line that has no end yet, and cut what is prose.

        Args:
            end: Where the text ends.
            new: The part of the line that no scan has seen.
        """
        if self.mode == LOOK and self.line < end and self._is_due(new):
            self._again = self._look_at(self._view(self.line, end))
        self.wake = NEVER
        if self._prose:
            self._feed(self._prose, end)
        if self.mode == LOOK and self._again not in {WAIT, TICKS, FORMULA}:
            # Where nothing is open, a line without a trigger releases nothing, whatever
            # it is.
            is_open = self._leaf or self._atom or self._marker
            if is_open or self._may_release(end):
                self.wake = 0
            elif self._again == LABEL:
                # From there on it may be too long for a label, and is prose.
                self.wake = self.line + LONG_LABEL

    def _may_release(self, end: int) -> bool:
        """Whether prose comes out of the unfinished line as soon as it is prose."""
        cutter = self._rules.cutter
        if not cutter:
            return False
        if self._again in {STRUCTURE, BLANKS}:
            # Only what is new of such a line is looked at: that it had no trigger
            # before is not known.
            return True
        line = self._view(self.line, end)
        if self._again == LABEL and "]" not in line:
            return False
        return cutter.may_release(line)

    def finish(self, end: int) -> None:
        """End the stream."""
        if self.line < end:
            if self.mode == LOOK:
                self._decide(self._view(self.line, end), ended=True)
            self._closed = None
            self._finish(end)
        self._closed = None
        self._close(0, [])

    @property
    def keep(self) -> int:
        """From where on the text is needed: for the next chunk, or to be read back."""
        needed = self.line
        prose = self._prose
        if prose:
            if self.mode == PROSE:
                needed = prose.lexed if prose.cuts else prose.line
            if prose.cuts and self._rules.cutter:
                needed = min(needed, self._rules.cutter.needed_from(prose))
            needed = min(needed, prose.tail)
        elif self._leaf:
            needed = min(needed, self._leaf[1])
        if self._marker:
            needed = min(needed, self._marker[0])
        return min(needed, self._atom[0]) if self._atom else needed

    def resume(self, base: int, end: int) -> int:
        """Return where the next scan resumes: at the end, or a little before it."""
        if self.mode == LOOK and base <= self.line and end - self.line <= SHORT:
            return self.line
        prose = self._prose
        if self.mode == PROSE and prose and prose.cuts and prose.pipe < 0:
            held = end - prose.lexed
            if held <= SHORT and prose.lexed >= base and not prose.phase:
                return prose.lexed
        return end

    def _is_due(self, new: str) -> bool:
        again = self._again
        if again == BLANKS:
            return bool(new.strip(" \t"))
        if again == STRUCTURE:
            return bool(new.strip(_STRUCTURE))
        if again == TICKS:
            return "`" in new
        if again == FORMULA:
            return "]" in new or "$" in new
        return again != WAIT

    def _look_at(self, line: str) -> int:
        """Look at the beginning of a line; return when to do so again."""
        if len(line) <= _HEAD:
            return self._decide(line, ended=False)
        head = line[:_HEAD]
        again = self._decide(head, ended=False)
        for among, pattern, awaits in _RUNS:
            if again == AGAIN and not head.strip(among):
                other = pattern.search(line, _HEAD)
                if not other:
                    return awaits
                again = self._decide(line[: other.end()], ended=False)
        if again in {TICKS, LABEL}:
            return self._decide(line, ended=False)
        return WAIT if again in {AGAIN, FORMULA} else again

    def _decide(self, line: str, *, ended: bool) -> int:  # noqa: C901, PLR0911 - hot path
        """Find out what a line is, and let it be that once it is certain."""
        leaf = self._leaf
        prose = self._prose
        # The quick way for what most lines are.
        is_plain_place = not self._stack and (not prose or not prose.phase)
        if is_plain_place and (prose or not leaf) and line[:1] not in NO_TEXT:
            self._take_text(self.line, prose, -1)
            return DECIDED
        first, column = skip_blanks(line, 0, 0)
        if first == len(line):
            if not ended and leaf and leaf[0] == INDENTED and self._is_code(column):
                return WAIT
            return self._decide_blank(ended=ended)
        if is_plain_place and prose and line[first] not in NO_TEXT:
            self._take_text(self.line + first, prose, -1)
            return DECIDED
        start = Start(line, self.line, ended=ended)
        start.at, start.column = first, column
        matched = self._go_into_containers(start)
        self._text = self.line + start.at
        if start.at == len(line):
            if not ended:
                return AGAIN
            self._take_blank_line(matched)
            self._end = self.line + start.at
            self._was_blank = False
            self.mode = SKIP
            return DECIDED
        is_whole = matched == len(self._stack)
        if is_whole and leaf:
            taken = self._take_content(leaf, start)
            if taken is not None:
                return taken
        if self._may_be_title(start):
            return WAIT
        self._describe(start, is_whole=is_whole)
        found = start.find()
        if isinstance(found, int):
            return found
        if found is TEXT and not start.opened and is_whole:
            leaf = self._leaf
            if leaf and leaf[0] == TABLE:
                self.mode = SKIP
                return DECIDED
        self._apply(found, line, (first, start.at), matched, start.opened)
        return DECIDED

    def _is_code(self, column: int) -> bool:
        """Whether a line that begins with so many columns of blanks is in open code."""
        inside = 0
        for kind, width, *_ in self._stack:
            if kind == QUOTE:
                return False
            inside += width
        return column >= inside + CODE_INDENT

    def _go_into_containers(self, start: Start) -> int:
        """Go behind what continues open containers; return how many it continues."""
        line = start.line
        size = len(line)
        matched = 0
        for kind, width, *_ in self._stack:
            at = start.at
            indent = start.column - start.base
            if kind == QUOTE:
                if indent >= CODE_INDENT or at == size or line[at] != ">":
                    break
                start.go_behind_quote()
            elif at == size:
                pass
            elif indent >= width:
                start.base += width
            else:
                break
            matched += 1
        return matched

    def _describe(self, start: Start, *, is_whole: bool) -> None:
        """Tell a line what it could continue."""
        start.math = self._rules.math
        start.notes = self._rules.notes
        prose = self._prose
        if prose:
            start.continues = True
            start.interrupts = is_whole
            start.columns = prose.columns
            start.underlines = not (prose.phase and prose.phase[0] == definitions.MORE)
        elif is_whole and self._leaf:
            start.in_table = self._leaf[0] == TABLE

    def _decide_blank(self, *, ended: bool) -> int:
        if not ended:
            return AGAIN
        if self._leaf or not self._was_blank:
            matched = len(self._stack)
            for number, container in enumerate(self._stack):
                if container[0] == QUOTE:
                    matched = number
                    break
            self._take_blank_line(matched)
            self._was_blank = True
        self.mode = SKIP
        return DECIDED

    def _take_blank_line(self, matched: int) -> None:
        leaf = self._leaf
        if matched < len(self._stack):
            self._close(matched, [])
        elif self._empty:
            *others, (kind, _, marker, start) = self._stack
            self._stack = (*others, (kind, _DEAD, marker, start))
            self._empty = False
            self._release_marker()
        elif leaf:
            kind = leaf[0]
            if kind in {PARAGRAPH, TABLE, MATH, RULE} or (
                kind == HTML and leaf[2] >= BLANK_ENDS_HTML
            ):
                self._close_leaf()

    def _take_content(  # noqa: C901, PLR0911 - a branch for each leaf
        self, leaf: tuple[Any, ...], start: Start
    ) -> int | None:
        """Take a line of what has no blocks inside; ``None`` if it is none of that."""
        kind = leaf[0]
        if kind == PARAGRAPH or (kind == TABLE and start.ended):
            return None
        if kind == INDENTED:
            if start.column - start.base < CODE_INDENT:
                return None
        elif kind == RULE and not FRONT_KEY.match(start.line):
            if not start.ended:
                return WAIT
            self._close_leaf()
            return None
        elif kind == FENCED:
            is_last = _is_fence(leaf, start)
            if not start.ended and is_last is not None:
                return AGAIN
            if is_last:
                self._leaf = (*leaf[:-1], True)
        elif not start.ended:
            return WAIT
        elif _is_last_line(leaf, start):
            self._leaf = (*leaf[:-1], True)
        if kind == RULE:
            self._leaf = (FRONT, leaf[1], False)
        self.mode = SKIP
        self._was_blank = False
        return DECIDED

    def _may_be_title(self, start: Start) -> bool:
        """Release a definition that is whole, unless the line is its title.

        Returns:
            Whether the end of the line has to decide about that.
        """
        prose = self._prose
        if not prose or not prose.phase or prose.phase[0] != definitions.MORE:
            return False
        rest = start.line[start.at :]
        if rest[0] in definitions.TITLE_STARTS:
            if not start.ended:
                return True
            if definitions.advance(prose.phase, rest, 0)[0] != definitions.BEFORE:
                return False
        self._close_leaf()
        return False

    def _apply(
        self,
        found: tuple[str, Any],
        line: str,
        place: tuple[int, int],
        matched: int,
        opening: list[Container],
    ) -> None:
        """Let a line be what was found.

        Args:
            found: What that is.
            line: Its text, as much of it as there is.
            place: Where it begins behind blanks, and where its text does.
            matched: How many containers it continues.
            opening: The containers that it opens.
        """
        what, detail = found
        first, at = place
        if what == "text" and self._prose and not opening:
            pipe = -1 if matched == len(self._stack) else -2
            self._take_text(self.line + at, self._prose, pipe)
            return
        self.mode = PROSE if what == "text" else SKIP
        self._was_blank = False
        if what == "underline":
            self._leaf = (HEADING, self._leave_prose(), detail, True)
            return
        if what == "table":
            head: Any = self._prose
            row, end = head.line, self._end
            start = self._leave_prose(keep_line=True)
            # Sentences of that line may have been released.
            self._first_row = (max(row, start), end)
            self._units = (*self._units[:2], start)
            self._leaf = (TABLE, start, None, False)
            return
        self._close(matched, opening)
        self._open_containers(opening, what)
        start = self.line + first
        if opening:
            start = opening[0][3]
        elif what == "code" and first == at:
            start = self.line
        in_item = any(container[0] == ITEM for container in opening)
        if self._marker:
            in_item = True
            start = self._marker[0]
        self._set_units(start)
        if what == "empty":
            if in_item:
                self._marker = (start, self.line + len(line.rstrip(" \t")))
            return
        self._marker = None
        self._open_leaf(what, detail, start, self.line + at, line, in_item=in_item)

    def _take_text(self, start: int, prose: Prose | None, pipe: int) -> None:
        """Let a line go on with a paragraph, or begin one at the top level."""
        self.mode = PROSE
        self._was_blank = False
        if prose:
            self._prose = prose.with_line(start, self._end, pipe)
            return
        self._empty = False
        self._units = (start, -1, start)
        self._open_prose(start, start, in_item=False)

    def _open_leaf(
        self, what: str, detail: Any, start: int, text: int, line: str, *, in_item: bool
    ) -> None:
        if what in {"text", "definition"}:
            prose = self._open_prose(start, text, in_item=in_item)
            if what == "definition":
                self._prose = prose._replace(phase=definitions.START)
        elif what == "heading":
            self._leaf = (HEADING, start, detail, True)
        elif what == "fence":
            self._leaf = (FENCED, start, *detail, None, False)
        elif what == "code":
            self._leaf = (INDENTED, start, False, False)
        elif what == "html":
            is_last = ends_html(detail, line[text - self.line :])
            self._leaf = (HTML, start, detail, is_last)
        elif what == "math":
            self._leaf = (MATH, start, *detail)
        else:
            # No line with text came before the first one.
            is_first = start == self.line == self._end
            is_front = self._rules.front and is_first and line.rstrip(" \t") == "---"
            self._leaf = (RULE, start, not is_front)

    @property
    def _is_blank(self) -> bool:
        return self.mode == SKIP and self._was_blank

    def _finish(self, end: int) -> None:
        """End a line of which is known what it is."""
        leaf = self._leaf
        if self._is_blank:
            return
        self._end = end
        if self._prose:
            self._finish_prose(self._prose, end)
            return
        if not leaf:
            return
        kind = leaf[0]
        if kind == HEADING:
            self._leaf = None
            self._release_heading(leaf[1], end, leaf[2])
        elif kind in {FENCED, INDENTED} and self._rules.code_lines:
            self._release_code_line(leaf, end)
        elif kind == TABLE and self._rules.table_rows:
            self._release_row(leaf, end)
        elif leaf[-1]:
            # The text shows the end of these, but for a line that may go on.
            known = True if kind in {FENCED, HTML, MATH, FRONT} else None
            self._leaf = None
            self._release(leaf[1], end, _KINDS[kind], complete=known)

    # Containers and leaves

    def _set_units(self, start: int) -> None:
        top, item, _ = self._units
        if not self._stack:
            top = start
        if not self._stack or self._stack[0][0] != ITEM:
            item = -1
        self._units = (top, item, start)

    def _open_containers(self, opening: list[Container], what: str) -> None:
        self._empty = False
        if not opening:
            return
        # What is released as a whole has the markers before it.
        first = self._marker[0] if self._marker else opening[0][3]
        # A line can open as many as it has code points; to add them one by one to a
        # tuple would copy all of them for each.
        outer = len(self._stack)
        for depth, (kind, _, _, start) in enumerate(opening, outer):
            if not depth:
                top, _, _ = self._units
                goes_on = kind == ITEM and top >= 0
                self._units = (top if goes_on else start, start, start)
            if not self._atom:
                if kind == QUOTE and not self._rules.cutter:
                    self._atom = (first, depth, "quote")
                elif kind == ITEM and not self._rules.items:
                    self._atom = (first, depth, "list")
                elif kind == NOTE:
                    self._atom = (first, depth, "footnote")
        self._stack = (*self._stack, *opening)
        self._empty = what == "empty" and opening[-1][0] != QUOTE

    def _close(self, matched: int, opening: list[Container]) -> None:
        """Close the leaf, and the containers that a line does not continue."""
        self._close_leaf()
        stack = self._stack
        if matched == len(stack):
            if not matched:
                self._units = (-1, -1, -1)
            return
        self._release_marker()
        is_same_list = (
            stack[matched][0] == ITEM
            and bool(opening)
            and opening[0][0] == ITEM
            and opening[0][2] == stack[matched][2]
        )
        if self._atom and self._atom[1] >= matched:
            start, depth, kind = self._atom
            if not (is_same_list and depth == matched):
                self._atom = None
                self._release(start, self._end, kind)
        if not matched and not is_same_list:
            self._units = (-1, -1, -1)
        self._stack = stack[:matched]

    def _release_marker(self) -> None:
        """Release the marker of an item that has nothing else."""
        if self._marker:
            self._release(*self._marker, "list_item")
            self._marker = None

    def _close_leaf(self) -> None:
        leaf = self._leaf
        if not leaf:
            return
        if self._prose:
            self._close_prose(self._prose)
            return
        kind = leaf[0]
        self._leaf = None
        if kind in {FENCED, INDENTED}:
            if self._rules.code_lines:
                return
        elif kind == TABLE and self._rules.table_rows:
            return
        self._release(leaf[1], self._end, _KINDS[kind])

    def _release(
        self,
        start: int,
        end: int,
        kind: str,
        *,
        complete: bool | None = None,
        more: Context = (),
    ) -> None:
        """Release a chunk, unless it is part of one that is released as a whole."""
        if self._atom:
            return
        known = complete or self._closed
        context = (*self._headings(), *more) if self._rules.context else ()
        self.units.append(self._units)
        if context:
            self.spans.append((start, end, known, kind, False, None, context))
        else:
            self.spans.append((start, end, known, kind))

    def _headings(self) -> Context:
        if self._context is None:
            self._context = headings_of(self.path)
        return self._context

    def _release_heading(self, start: int, end: int, level: int) -> None:
        is_top = not self._stack
        if is_top:
            self.path = tuple(each for each in self.path if each[0] < level)
            self._context = None
        self._release(start, end, "heading")
        if is_top and self._rules.context:
            self.path = (*self.path, (level, start, self._view(start, end)))
            self._context = None

    def _release_code_line(self, leaf: tuple[Any, ...], end: int) -> None:
        if leaf[0] == INDENTED:
            _, start, is_begun, _ = leaf
            # Of the first line the marker of its item may be on a line before it.
            self._release(self.line if is_begun else start, end, "code")
            self._leaf = (INDENTED, end, True, False)
            return
        _, start, char, run, fence, is_last = leaf
        if fence:
            start = self.line
            more: Context = (fence,)
        else:
            fence = (start, self._view(start, end), "code")
            more = ()
        self._leaf = None if is_last else (FENCED, end, char, run, fence, False)
        self._release(start, end, "code", complete=is_last or None, more=more)

    def _release_row(self, leaf: tuple[Any, ...], end: int) -> None:
        _, start, head, _ = leaf
        if head is None:
            self._release(start, end, "table_header")
            head = self._head_rows(start, end)
        elif len(head) > 1:
            self._release(self._text, end, "table_row", more=head)
        else:
            line = self._view(self.line, end)
            start = end - len(line.lstrip(" \t"))
            self._release(start, end, "table_row", more=head)
        self._leaf = (TABLE, end, head, False)

    def _head_rows(self, start: int, end: int) -> Context:
        """Return the head of a table as context of its rows.

        Below an item what is in front of a row cannot be in front of a chunk: blanks
        would make it code, and the marker an item that ends before the next row. So
        there each row of the head is a part without it, and so is each row below. In
        quotes that is only done where the markers of the outer ones are not in the
        chunk of the head.
        """
        at, to = self._first_row
        in_quotes = all(kind == QUOTE for kind, *_ in self._stack)
        if in_quotes and self._view(start, at).count(">") == len(self._stack):
            return ((start, self._view(start, end), "table_header"),)
        rows = ((at, to), (self._text, end))
        return tuple((at, self._view(at, to), "table_header") for at, to in rows)

    # Prose

    def _open_prose(self, start: int, text: int, *, in_item: bool) -> Prose:
        self._leaf = (PARAGRAPH, start, False)
        cutter = None if self._atom else self._rules.cutter
        sentence = cutter.sentence.begin(text) if cutter else None
        self._prose = prose = opened(
            start, text, sentence, in_item=in_item, cuts=cutter is not None
        )
        return prose

    def _finish_prose(self, prose: Prose, end: int) -> None:
        """End a line of a paragraph."""
        if prose.phase:
            prose = with_phase(prose, self._view, end)
            self._prose = prose
            phase = prose.phase
            if phase and phase[0] == definitions.DONE:
                self._end_definition(prose, end)
                return
            if phase and phase[0] == definitions.BEFORE:
                self._end_definition(prose, phase[2], prose.title)
                prose = self._prose
        self._prose = with_columns(prose, self._view, end)

    def _end_definition(self, prose: Prose, end: int, then: int = -1) -> None:
        """Release a definition; a paragraph may go on behind it, at *then*."""
        self._leaf = self._prose = None
        self._release(prose.start, end, "definition")
        if then >= 0:
            rest = self._open_prose(then, then, in_item=False)
            self._prose = rest._replace(line=prose.line)

    def _close_prose(self, prose: Prose) -> None:
        phase = prose.phase
        if phase and phase[0] == definitions.MORE:
            self._end_definition(prose, self._end)
            return
        if phase and phase[0] == definitions.TITLE and phase[2] >= 0:
            self._end_definition(prose, phase[2])
            self._close_prose(self._open_prose(prose.title, prose.title, in_item=False))
            return
        self._leaf = self._prose = None
        if prose.cuts and self._rules.cutter:
            text = self._view(prose.lexed, self._end)
            spans, _, _ = self._rules.cutter.cut(
                prose, text, self._view, ended=True, final=True
            )
            self._add_pieces(spans)
            if prose.in_item and prose.tail == prose.start and not spans:
                # White space of a kind that is text for Markdown, not for sentences.
                marker = self._view(prose.start, prose.text).rstrip()
                self._release(prose.start, prose.start + len(marker), "list_item")
        else:
            kind = "list_item" if prose.in_item else "paragraph"
            self._release(prose.start, self._end, kind)

    def _leave_prose(self, *, keep_line: bool = False) -> int:
        """Stop cutting a paragraph that turned out to be something else.

        Args:
            keep_line: Whether only its last line is that, and all before a paragraph.

        Returns:
            Where what was not released begins.
        """
        prose = self._prose
        assert prose is not None  # noqa: S101 - only a paragraph is followed by these
        if prose.cuts and not prose.phase:
            # What had been released if the text had arrived bit by bit.
            prose = self._cut_lines(prose)
        elif prose.phase and prose.phase[0] == definitions.TITLE:
            prose = self._leave_definition(prose)
        end = self._end
        tail = prose.tail
        self._leaf = self._prose = None
        if keep_line and prose.line > prose.text:
            tail = self._behind_blanks(tail, max(tail, prose.before))
            if tail < prose.before:
                kind = "sentence" if prose.cuts else "paragraph"
                if prose.in_item and not prose.cuts:
                    kind = "list_item"
                self._release(tail, prose.before, kind)
                tail = prose.before
            return self._behind_blanks(tail, end)
        # Of a heading the underline may be all that is left.
        return self._behind_blanks(tail, end if keep_line else self.line)

    def _leave_definition(self, prose: Prose) -> Prose:
        """Release a definition whose title did not end, if it ends before that.

        Returns:
            What is left of the paragraph.
        """
        phase: Any = prose.phase
        if phase[2] < 0:
            return prose
        before = prose.before
        self._end_definition(prose, phase[2], prose.title)
        rest: Any = self._prose
        return rest._replace(before=before)  # type: ignore[no-any-return]  # see `Any`

    def _behind_blanks(self, start: int, end: int) -> int:
        text = self._view(start, end)
        return start + len(text) - len(text.lstrip())

    def _feed(self, prose: Prose, end: int) -> None:
        """Cut an open paragraph as far as the text is surely part of it."""
        if not prose.cuts or prose.phase or not self._rules.cutter:
            return
        if self.mode == LOOK:
            self._prose = self._cut_lines(prose)
            return
        # What is behind a pipe is not looked at again and again.
        sure = prose.pipe if prose.pipe >= 0 else end
        text = self._view(prose.lexed, sure)
        cutter = self._rules.cutter
        if prose.lexed == prose.text and cutter.is_quiet(text):
            # The next scan takes it along.
            return
        if "|" in text:
            prose = with_pipe(prose, self._view, end)
        if prose.pipe >= 0:
            text = text[: prose.pipe - prose.lexed]
        spans, self._prose, self.wake = cutter.cut(prose, text, self._view, ended=False)
        if prose.pipe >= 0:
            self.wake = NEVER
        self._add_pieces(spans)

    def _cut_lines(self, prose: Prose) -> Prose:
        """Cut the whole lines of a paragraph, but for the head of a table."""
        cutter: Any = self._rules.cutter
        is_head = prose.columns > 0
        end = prose.pipe if is_head else self._end
        if prose.lexed == end:
            # The sentence strategy has seen all of it.
            return prose
        text = self._view(prose.lexed, end)
        spans, prose, _ = cutter.cut(prose, text, self._view, ended=not is_head)
        self._add_pieces(spans)
        return prose

    def _add_pieces(self, spans: Sequence[SpanFields]) -> None:
        """Release pieces of a paragraph, with what they need."""
        if spans:
            context = self._headings() if self._rules.context else ()
            self.spans += pieces_of(spans, context, known=self._closed)
            self.units += [self._units] * len(spans)


def behind_paragraph(state: BlockState, end: int, line: int) -> BlockState:
    """Return the state behind the blank line that ended a paragraph at the top level.

    Args:
        state: The last one.
        end: Where the paragraph ended.
        line: Where the next line begins.
    """
    new = begun(line, state[PATH])
    return (*new[:END], end, True, *new[UNITS:])


def with_paragraph(state: BlockState, sentence: Any) -> BlockState:
    """Return the state in a line that begins a paragraph at the top level.

    Args:
        state: The one at its start.
        sentence: That of the sentence strategy there.
    """
    start = state[LINE]
    prose = opened(start, start, sentence, in_item=False, cuts=True)
    return (
        *(start, PROSE, AGAIN, (), False, (PARAGRAPH, start, False)),
        *(state[PATH], None, None, state[END], False, (start, -1, start)),
        *(start, tuple(prose)),
    )


def begins_paragraph(state: BlockState, text: str, base: int) -> bool:
    """Whether a line begins at *base*, and a paragraph at the top level with it."""
    return (
        not state[LEAF]
        and state[LINE] == base
        and text[:1] not in NO_TEXT
        and not state[STACK]
    )


def still_undecided(state: BlockState, text: str, base: int, read: Read) -> int | None:
    """Return where to resume if *text* tells nothing about the unfinished line.

    That is so where the line has only a few blanks, unless they may go on with indented
    code; and where it goes on with the mark that is all it has so far, because a rule
    or what underlines a heading may grow.

    Args:
        state: The last one.
        text: What is new.
        base: Where that begins.
        read: Returns the stream's text left of that.
    """
    if state[LINE_MODE] != LOOK:
        return None
    line = state[LINE]
    if line == base:
        leaf = state[LEAF]
        is_short = len(text) <= SHORT and not text.strip(" ")
        return base if is_short and not (leaf and leaf[0] == INDENTED) else None
    mark = text[:1]
    grows = (
        mark in _MARKS
        and base <= line + _HEAD
        and state[AGAIN_AT] == AGAIN
        and not text.strip(mark)
        and set(read(line, base).strip(" ")) == {mark}
    )
    return base + len(text) if grows else None


def in_code(state: BlockState) -> bool:
    """Whether code is open at the top level whose end was not seen."""
    leaf = state[LEAF]
    return bool(leaf) and leaf[0] in _NOT_OF_CODE and not (state[STACK] or leaf[-1])


def with_code(
    state: BlockState, text: str, base: int, read: Read
) -> tuple[BlockState, int, int] | None:
    r"""Take lines of open code at the top level, without `Blocks`.

    Args:
        state: The last one.
        text: What is new; no ``\r`` is in it.
        base: Where that begins.
        read: Returns the stream's text left of that.

    Returns:
        The state, where the next scan resumes, and when it is due; ``None`` if a line
        may be something else.
    """
    leaf = state[LEAF]
    line, mode, again = state[:STACK]
    end, was_blank = state[END:UNITS]
    if mode == SKIP:
        # Of this line is known that it is code.
        end = base + text.index("\n")
        line = end + 1
        was_blank = False
    lines = text[line - base :] if line >= base else read(line, base) + text
    last = lines.rfind("\n") + 1
    if last:
        other = _NOT_OF_CODE[leaf[0]](leaf[2], lines, 0, last)
        if 0 <= other < last:
            return None
        text_end, was_blank = _end_of_text(lines, 0, last)
        if text_end >= 0:
            end = line + text_end
        line += last
    mode = LOOK
    wake = NEVER
    if leaf[0] == FENCED:
        again = WAIT
    else:
        rest = lines[last:]
        content = rest.lstrip(" \t")
        indent = rest[: len(rest) - len(content)]
        if len(indent.expandtabs(CODE_INDENT)) >= CODE_INDENT:
            again = WAIT
            if content:
                mode = SKIP
                was_blank = False
        elif content:
            return None
        else:
            again = AGAIN
            wake = 0
    stop = base + len(text)
    resume = line if mode == LOOK and line >= base and stop - line <= SHORT else stop
    around = state[STACK:END]
    changed = (line, mode, again, *around, end, was_blank, *state[UNITS:])
    return changed, resume, wake


def _end_of_text(text: str, at: int, end: int) -> tuple[int, bool]:
    """Return where the last line with text ends, and whether blank ones follow.

    Args:
        text: Text with whole lines from *at* to *end*.
        at: Where the first of them begins.
        end: Where the last of them ends.

    Returns:
        The place in *text*; -1 if all of them are blank.
    """
    content = at + len(text[at:end].rstrip(" \t\r\n"))
    if content == at:
        return -1, True
    line_end: Any = _LINE_END.search(text, content)
    return line_end.start(), line_end.end() < end


def headings_of(path: Path) -> Context:
    """Return the headings in force as context."""
    return tuple((at, text, "heading") for _, at, text in path)


def pieces_of(
    spans: Sequence[Any], context: Context, *, known: bool | None
) -> list[SpanFields]:
    """Return what a sentence strategy found as chunks that have *context*.

    Args:
        spans: What it found.
        context: The context of each of them.
        known: What a piece is that only the end of the paragraph closed.
    """
    pieces: list[SpanFields] = []
    for start, end, whole, kind, *more in spans:
        complete = known if whole is None else whole
        if context or any(more):
            oversize = bool(more) and more[0]
            pieces.append((start, end, complete, kind, oversize, None, context))
        else:
            pieces.append((start, end, complete, kind))
    return pieces


def each_line(
    blocks: Blocks, text: str, base: int, view: View, *, final: bool
) -> tuple[int, str]:
    r"""Let *blocks* take each line of a text that has its end.

    A ``\r`` at the end may be the first half of a line end, and is left.

    Returns:
        Where the text ends that was looked at, and its unfinished line, as much of it
        as no scan has seen.
    """
    end = len(text)
    if not final and text.endswith("\r"):
        end -= 1
    if "\n" not in text and "\r" not in text[:end]:
        return base + end, text[:end]
    if blocks.mode == LOOK and blocks.line < base:
        text = view(blocks.line, base) + text
        end += base - blocks.line
        base = blocks.line
    is_plain = "\r" not in text
    done = 0
    while True:
        if blocks.mode == LOOK:
            done = blocks.pass_lines(text, done, end, base)
        if is_plain:
            stop = text.find("\n", done)
            after = stop + 1
        else:
            line_end = _LINE_END.search(text, done, end)
            stop, after = line_end.span() if line_end else (-1, -1)
        if stop < 0:
            return base + end, text[done:end]
        line = text[done:stop] if blocks.mode == LOOK else None
        blocks.end_line(line, base + stop, base + after)
        done = after


def _other_than_fenced(char: str, text: str, at: int, end: int) -> int:
    """Return where a line begins that could close fenced code; -1 if none does."""
    found = _FENCE_STARTS[char].search(text, at, end)
    return found.start() if found else -1


def _other_than_indented(_: object, text: str, at: int, end: int) -> int:
    """Return where a line begins that may be no indented code; -1 if none does."""
    found = _NOT_INDENTED.search(text, at, end)
    return found.start() if found else -1


_NOT_OF_CODE = {FENCED: _other_than_fenced, INDENTED: _other_than_indented}


def _is_fence(leaf: tuple[Any, ...], start: Start) -> bool | None:
    """Whether a line closes fenced code; ``None`` if it cannot whatever follows."""
    _, _, char, run, *_ = leaf
    fence = start.line[start.at :].rstrip(" \t")
    if start.column - start.base >= CODE_INDENT or fence.strip(char):
        return None
    return len(fence) >= run  # type: ignore[no-any-return]  # see Leaf


def _is_last_line(leaf: tuple[Any, ...], start: Start) -> bool:
    """Whether a line is the last one of HTML, a formula or front matter."""
    rest = start.line[start.at :]
    if leaf[0] == HTML:
        return ends_html(leaf[2], rest)
    if leaf[0] == MATH:
        return rest.rstrip(" \t").endswith(leaf[2])
    return leaf[0] == FRONT and bool(FRONT_END.match(start.line))
