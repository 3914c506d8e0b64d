"""A row of a table cut between its cells, each part with the head of its columns."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from .._clusters import cluster_ends
from ._markdown_lines import BULLET, FENCE, HEADING, PIPE, html_kind, is_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from .._spans import Context

    # Start and text of a row.
    Row: TypeAlias = "tuple[int, str]"
    # Whether a text is small enough with its context.
    Fits: TypeAlias = "Callable[[Context, str], bool]"

_BLANKS = re.compile(r"\s+")
_LEAD = re.compile(r"\|?\s*")
_LINE_END = re.compile("\r\n?|\n")

_HYPHENS = re.compile(r"[ \t]*:?-{3}(?=-*[ \t]*\Z)")
"""As much as a cell of a delimiter row needs, unless that ends in a colon."""

_OTHER = re.compile(
    r">|(?:#{1,6}|[-+*]|[0-9]{1,9}[.)])(?=\s|\Z)|([-*_])(?:[ \t]*\1){2}|`{3}|~{3}|"
    r"<[A-Za-z/!?]"
)
"""What ends a table at the start of a line, and some text that begins like it.

How a line goes on is not looked at, because a part can end anywhere in it.
"""


_ANYTHING, _ROW, _CONTENT = range(3)
"""What a part has to be: a row below its context, and one that is no pipe alone."""


class Part(NamedTuple):
    """A part of a row.

    Attributes:
        start: Where it starts.
        end: Where it ends.
        context: The head of its columns, and what is in front of that.
        oversize: Whether it is a single grapheme cluster that does not fit.
        whole: Whether it ends behind a cell; ``None`` if that ends the row.
    """

    start: int
    end: int
    context: Context
    oversize: bool
    whole: bool | None


class Columns:
    """The columns of a head, found once for all the rows below it.

    Measures the whole head, and if that is too large the one of each column.

    Args:
        head: The head and the delimiter row.
        fits: Whether a context is small enough for a text.
        repeats: Whether heads are context.

    Attributes:
        head: The head and the delimiter row.
        whole: Both as context.
        leaves_room: Whether that is small enough.
    """

    __slots__ = (
        "_borders",
        "_count",
        "_repeats",
        "_stops",
        "head",
        "leaves_room",
        "whole",
    )

    def __init__(
        self, head: tuple[Row, Row], fits: Fits, *, repeats: bool = True
    ) -> None:
        self.head = head
        self._repeats = repeats
        self._borders = [borders_of(text) for _, text in head]
        self._count = len(self._borders[0]) - 1
        rows = tuple((start, text, "table_header") for start, text in head)
        self.whole: Context = rows if repeats else ()
        self.leaves_room = not repeats or fits(self.whole, "")
        has_room = [
            self.leaves_room or fits(self.context(column, column), "")
            for column in range(self._count)
        ]
        if repeats and self._count > 1 and FENCE.match(self.context(0, 0)[0][1]):
            # What makes a row of it is in another column.
            has_room[0] = False
        # Before which column cells can no more share a context, and whether they have
        # one. Cells without a head may go with the last column.
        self._stops = [(sys.maxsize, has_room[-1])] * self._count
        for column in reversed(range(self._count - 1)):
            stop, room = self._stops[column + 1]
            if room != has_room[column]:
                stop = column + 1
            self._stops[column] = (stop, has_room[column])

    def group(self, first: int) -> tuple[int, bool]:
        """Return before which column cells from *first* on cannot share a context.

        Returns:
            That column, and whether the cells have a context: not where the head of
            each column is too large, nor behind the last column.
        """
        if first >= self._count:
            return sys.maxsize, False
        return self._stops[first]

    def context(self, first: int, last: int) -> Context:
        """Return the head of the columns from *first* to *last* as context.

        That of all columns but the last one is as it is; from the last one goes what
        its cell does without, so that more room is left.
        """
        if not self._repeats:
            return ()
        last = min(last, self._count - 1)
        shortened = (_content_end, _hyphens_end)
        context: list[tuple[int, str, str]] = []
        for number, (start, text) in enumerate(self.head):
            borders = self._borders[number]
            left = borders[first][0]
            before = borders[last][1]
            right, closed = borders[last + 1]
            end = shortened[number](text, before, right)
            # A pipe has to make a row of it, unless a colon makes a delimiter row of
            # it, and one behind nothing a cell.
            is_row = left < before or first < last or (number and ":" in text[left:end])
            if end == before or not is_row:
                end = closed
            context.append((start + left, text[left:end], "table_header"))
        return tuple(context)


def cut_row(
    row: Row,
    columns: Columns,
    fits: Fits,
    *,
    front: Context = (),
    keeps_words: bool = False,
) -> Iterator[Part]:
    """Cut a row between cells, as many of them in a part as fit.

    A part begins with the pipe before its first cell, so that it is a row below its
    context whatever is in that cell. It may end with empty cells without their heads,
    as the pipes of these only close it. A cell that is too large alone is cut in parts.

    Args:
        row: The row, from its first code point that is no blank.
        columns: The columns of its table.
        fits: Whether a text is small enough with its context.
        front: Context before the head of the columns.
        keeps_words: Whether context is left out rather than a word cut.

    Returns:
        The parts, in order. What is between them is white space.
    """
    return _RowCutter(row, columns, fits, front, keeps_words=keeps_words).parts()


class _RowCutter:
    """Cuts one row: see `cut_row`."""

    # Plan. How many cells fit is found in steps that double, so that a part costs about
    # twice its length. A row without a pipe at its start may begin with what is a row
    # only because of the next pipe; then that one ends the part. What follows a part of
    # a cell has no pipe either, so a cell is cut where this is no start of a list or
    # quote, if there is such a place among those that fit, and where no part is a pipe
    # alone. Places are indices of the row.
    __slots__ = (
        "_borders",
        "_columns",
        "_count",
        "_fits",
        "_front",
        "_keeps_words",
        "_start",
        "_text",
    )

    def __init__(
        self,
        row: Row,
        columns: Columns,
        fits: Fits,
        front: Context,
        *,
        keeps_words: bool,
    ) -> None:
        start, text = row
        # White space of a kind that is text for Markdown may begin it, or be all of it.
        self._text = text.lstrip()
        self._start = start + len(text) - len(self._text)
        self._columns = columns
        self._fits = fits
        self._front = front
        self._keeps_words = keeps_words
        self._borders = borders_of(self._text)
        self._count = len(self._borders) - 1 if self._text else 0

    def parts(self) -> Iterator[Part]:
        first = at = 0
        while first < self._count:
            stop, has_head = self._columns.group(first)
            fits = partial(self._fits_to, at, first, has_head)
            last = farthest(fits, first, min(self._count, stop))
            context = self._context(first, last, has_head)
            oversize = False
            if last == first and not fits(first):
                *inner, (at, _, context, oversize) = self._parts_of(at, first, context)
                for begin, end, its_context, is_over in inner:
                    yield Part(
                        self._start + begin,
                        self._start + end,
                        its_context,
                        is_over,
                        whole=False,
                    )
            is_empty = partial(self._is_empty_to, at, last, context)
            if not oversize:
                last = farthest(is_empty, last, self._count)
            first = last + 1
            end = after = self._end_of(last)
            is_other = not at and _is_other(self._text[:end].rstrip())
            if first < self._count and (is_other or self._would_be_pipe(first)):
                end, after = self._closed(at, first, context)
            if is_other and _is_other(self._text[:end].rstrip()):
                context = self._front_for(self._text[at:end].rstrip())
            whole = None if first == self._count else True
            end = at + len(self._text[at:end].rstrip())
            yield Part(self._start + at, self._start + end, context, oversize, whole)
            at = after

    def _front_for(self, part: str) -> Context:
        """Return as much of the context before the head as a part has room for."""
        front = self._front
        while front and not self._fits(front, part):
            front = front[1:]
        return front

    def _end_of(self, cell: int) -> int:
        """Return where a cell ends: before the next pipe, or behind the last one."""
        return self._borders[cell + 1][0 if cell + 1 < self._count else 1]

    def _context(self, first: int, last: int, has_head: bool) -> Context:  # noqa: FBT001 - what `Columns.group` says
        if not has_head:
            return self._front
        return (*self._front, *self._columns.context(first, last))

    def _fits_to(self, at: int, first: int, has_head: bool, last: int) -> bool:  # noqa: FBT001 - see above
        """Whether the cells from *first*, which begins at *at*, to *last* fit."""
        cells = self._text[at : self._end_of(last)].rstrip()
        return self._fits(self._context(first, last, has_head), cells)

    def _is_empty_to(self, at: int, last: int, context: Context, cell: int) -> bool:
        """Whether a part ending with *last* can have the cells up to *cell*, too."""
        end = self._end_of(cell)
        behind = self._text[self._end_of(last) : end]
        is_empty = not behind.strip("| \t")
        return is_empty and self._fits(context, self._text[at:end].rstrip())

    def _would_be_pipe(self, cell: int) -> bool:
        """Whether only the pipe before a cell would fit below its head."""
        left = self._borders[cell][0]
        _, has_head = self._columns.group(cell)
        context = self._context(cell, cell, has_head)
        content = _end_of_blanks(self._text, left + 1)
        return not self._fits(context, self._text[left : content + 1])

    def _closed(self, at: int, cell: int, context: Context) -> tuple[int, int]:
        """Return where a part ends and where the next one begins, if a pipe ends it.

        Args:
            at: Where the part begins.
            cell: The cell behind it.
            context: What the part has.
        """
        text = self._text
        left, closing = self._borders[cell]
        behind = _end_of_blanks(text, closing)
        content = text[behind : self._end_of(cell)].rstrip()
        is_row = bool(content) and not _OTHER.match(content)
        if is_row and self._fits(context, text[at:closing]):
            return closing, behind
        return left, left

    def _parts_of(
        self, at: int, cell: int, context: Context
    ) -> Iterator[tuple[int, int, Context, bool]]:
        """Cut a cell that is too large behind words, or between clusters.

        Returns:
            Start and end of each part, its context, and whether it is too large.
        """
        text = self._text[at : self._end_of(cell)].rstrip()
        contexts = [context[number:] for number in range(len(self._front) + 1)]
        if contexts[-1]:
            contexts.append(())
        # A rest begins behind a cluster or behind blanks, and blanks join only what
        # extends them, so that its clusters end where these do. An escaped pipe is not
        # cut.
        ends = list(cluster_ends(text, 0))
        ends = [end for end in ends if text[end - 1 : end + 1] != "\\|"]
        begin, end = 0, -1
        while begin < len(text):
            # A word that was too large is cut to its end.
            keeps_words = self._keeps_words and begin != end
            end, context = self._first_part(
                text, begin, ends, contexts, keeps_words=keeps_words
            )
            oversize = end == begin
            if oversize:
                end = ends[bisect_right(ends, begin)]
            part = text[begin:end].rstrip()
            yield at + begin, at + begin + len(part), context, oversize
            begin = _end_of_blanks(text, end)

    def _first_part(
        self,
        text: str,
        at: int,
        ends: list[int],
        contexts: Sequence[Context],
        *,
        keeps_words: bool,
    ) -> tuple[int, Context]:
        """Return where the first part of a cell ends, and its context.

        Where nothing fits, it ends at *at*.
        """
        keeps_words = keeps_words and self._word_fits(text, at, ends)
        none = contexts[-1:]
        ways = [
            (contexts[:-1], _CONTENT),
            (contexts[:-1], _ROW),
            (none, _CONTENT),
            (none, _ANYTHING),
        ]
        # What begins like another block makes a table of no context.
        for among, what in ways[-1:] if _OTHER.match(text, at) else ways:
            for context in among:
                end = self._end_that_fits(
                    context, text, at, ends, what=what, keeps_words=keeps_words
                )
                if end > at:
                    return end, context
        return at, ()

    def _word_fits(self, text: str, at: int, ends: list[int]) -> bool:
        """Whether the first word of a part fits without a context."""
        first = bisect_right(ends, at)
        last = farthest(
            lambda index: self._fits((), text[at : ends[index]]), first - 1, len(ends)
        )
        if last == len(ends) - 1:
            return True
        blank = _BLANKS.search(text, _lead_of(text, at), ends[last + 1])
        return blank is not None and self._fits((), text[at : blank.start()])

    def _end_that_fits(
        self,
        context: Context,
        text: str,
        at: int,
        ends: list[int],
        *,
        what: int,
        keeps_words: bool,
    ) -> int:
        """Return the end of the longest part of a cell, from *at*, that fits.

        Args:
            context: What the part has.
            text: The cell, with the pipe before it.
            at: Where the part begins.
            ends: Where clusters of the cell end.
            what: What the part and the next one have to be.
            keeps_words: Whether no word is cut.

        Returns:
            The end, *at* where nothing fits.
        """

        def fits(end: int) -> bool:
            return self._fits(context, text[at:end])

        # Clusters first: a word can be as long as the text.
        first = bisect_right(ends, at)
        last = farthest(lambda index: fits(ends[index]), first - 1, len(ends))
        if last == len(ends) - 1:
            return ends[last]
        # A word can end inside of a cluster, where a blank is part of one.
        blanks = _BLANKS.finditer(text, _lead_of(text, at), ends[last + 1])
        words = [each.start() for each in blanks]
        word = farthest(lambda index: fits(words[index]), -1, len(words))
        clusters = [] if keeps_words else ends[first : last + 1]
        for end in (*reversed(words[: word + 1]), *reversed(clusters)):
            if _are(what, text, at, end):
                return end
        return at


def _content_end(text: str, start: int, end: int) -> int:
    """Return where the content of a cell ends; *start* if it is empty."""
    return start + len(text[start:end].rstrip())


def _hyphens_end(text: str, start: int, end: int) -> int:
    """Return behind how much of a cell of a delimiter row that says all it says.

    That is three hyphens, as some parsers want so many.
    """
    found = _HYPHENS.match(text, start, end)
    return found.end() if found else _content_end(text, start, end)


def _are(what: int, text: str, at: int, end: int) -> bool:
    """Whether two parts of a cell are *what*: that up to *end*, and that behind it.

    Args:
        what: What they have to be.
        text: The cell, with the pipe before it.
        at: Where the first part begins.
        end: Where it ends.
    """
    after = _end_of_blanks(text, end)
    is_pipe = after == len(text) - 1 and text[after] == "|"
    if what == _CONTENT and (is_pipe or end <= _lead_of(text, at)):
        return False
    return what == _ANYTHING or not (
        _OTHER.match(text, at, end) or _OTHER.match(text, after)
    )


def _is_other(line: str) -> bool:
    """Whether a line, which is not empty, ends a table."""
    return bool(
        line[0] == ">"
        or HEADING.match(line)
        or BULLET.match(line)
        or FENCE.match(line)
        or (line[0] in "*-_" and is_rule(line))
        or (line[0] == "<" and html_kind(line, interrupts=False))
    )


def _lead_of(text: str, at: int) -> int:
    """Return where the content of a cell begins that begins at *at*."""
    lead: Any = _LEAD.match(text, at)
    return lead.end()  # type: ignore[no-any-return]  # see `Any`


def _end_of_blanks(text: str, at: int) -> int:
    blanks = _BLANKS.match(text, at)
    return blanks.end() if blanks else at


def head_of(context: Context) -> tuple[Row, Row]:
    """Return the head and the delimiter row that are the context of a row.

    Args:
        context: Each of them, or both with what is in front of them, markers of quotes.
    """
    if len(context) == 1:
        start, text, _ = context[0]
        line_end: Any = _LINE_END.search(text)
        row, delimiters = text[: line_end.start()], text[line_end.end() :]
        below = start + line_end.end()
    else:
        (start, row, _), (below, delimiters, _) = context
    return without_markers(start, row), without_markers(below, delimiters)


def without_markers(start: int, row: str) -> Row:
    """Return a row without markers of quotes before it."""
    text = row.lstrip("> \t")
    return start + len(row) - len(text), text


def farthest(fits: Callable[[int], bool], first: int, stop: int) -> int:
    """Return the last index before *stop* that fits; *first* is taken to fit.

    Goes on in steps that double, and then in halves: looks at most about twice as far
    as what fits, as often as the logarithm of that says.

    Args:
        fits: Whether an index fits. Where one does not, none behind it does.
        first: Where to begin; returned where nothing behind it fits.
        stop: Where to end.
    """
    step = 1
    while first + 1 < stop:
        middle = min(first + step, (first + stop) // 2)
        if fits(middle):
            first = middle
            step *= 2
        else:
            stop = middle
    return first


def borders_of(row: str) -> list[tuple[int, int]]:
    """Return where the borders of the cells of a row are, the outer ones included.

    A border is a pipe that is not escaped; an outer one that is missing has no length.
    """
    borders = [match.span() for match in PIPE.finditer(row)]
    first = len(row) - len(row.lstrip())
    last = len(row.rstrip())
    if not borders or borders[0][0] > first:
        borders.insert(0, (first, first))
    if borders[-1][1] < last or len(borders) == 1:
        borders.append((last, last))
    return borders
