r"""MarkdownTableChunking: the rows of a table under a size, each with its head."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from .._clusters import cluster_ends
from .._numbers import check_count
from .._pending import View, nothing_held
from .._registry import register_built_in
from .._strategy import ChunkingStrategy, check_bool
from ..errors import ContractError
from ..sizing import code_points, resolve_sizer, sizer_name
from ._markdown_blocks import TABLE, Blocks, Rules, begun, each_line
from ._markdown_lines import PIPE

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from .._pending import Read
    from .._spans import Context, ScanFields
    from ..sizing import Sizer
    from ._markdown_blocks import BlockState

    # Start and text of a row.
    Row: TypeAlias = "tuple[int, str]"
    # The head and the delimiter row, which starts at -1 before it has ended.
    Head: TypeAlias = "tuple[Row, Row]"
    # Start, end and size of the rows that go into one chunk.
    Pack: TypeAlias = "tuple[int, int, int]"

_LEAST = 10
"""The least size: a head and a cell of one code point each have eight."""

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class MarkdownTableChunking(ChunkingStrategy["BlockState"]):
    r"""Cuts tables between their rows, each chunk with the head as context.

    As many rows as fit make a chunk. The first one begins with the head and the
    delimiter row; all others have these two as ``Chunk.context``, so that
    ``with_context()`` is a table, and it is that text whose size is kept. A row that is
    too large alone is cut between cells, and each part has the head of its own columns
    as context; a cell that is too large alone is cut behind words, or between grapheme
    clusters. Where a head leaves no room, the context is left out.

    Tables are those of GFM, at the top level and inside lists and block quotes, where
    each row is a chunk. All other lines with text are chunks of kind ``"line"``,
    without their line ends. A line with a pipe waits for the next one, which may be
    the delimiter row; a row waits for the next one, which may fit beside it.

    Each row is measured once, together with the head. Where it is cut, the sizer is
    called for each part as often as the logarithm of its length says, with texts of at
    most about twice the cells, words or clusters that fit, so that a row costs its
    length. The sizer is taken to count no less for a longer text.

    Args:
        max_size: The most that ``with_context()`` may have; at least 10.
        sizer: Counts a text: a function of ``chunkwise.sizing`` or its name, any
            function from ``str`` to ``int``, or a tokenizer.
        repeat_header: Whether chunks get the head as context. Without, the size is
            that of the rows.

    Raises:
        ValueError: *max_size* is below 10.
        TypeError: *max_size* is no ``int``, *sizer* cannot count, or *repeat_header* is
            no ``bool``.

    Examples:
        >>> rows = MarkdownTableChunking(20)
        >>> rows.split("|a|b|\n|-|-|\n|1|2|\n|3|4|\n|5|6|\n\n")
        ['|a|b|\n|-|-|\n|1|2|', '|3|4|', '|5|6|']
    """

    max_size: int
    _: KW_ONLY
    sizer: Sizer | str = "code_points"
    repeat_header: bool = True

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_count("max_size", self.max_size, _LEAST)
        check_bool("repeat_header", self.repeat_header)
        sizer = resolve_sizer(self.sizer)
        object.__setattr__(self, "sizer", sizer_name(sizer) or sizer)

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[BlockState]:
        sizer = resolve_sizer(self.sizer)
        budget = Budget(
            max_size=self.max_size,
            sizer=None if sizer is code_points else sizer,
            repeats=self.repeat_header,
        )
        return TableScanner(budget, read)

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self.bound_to(nothing_held).trigger

    @override
    def begin(self, offset: int) -> BlockState:
        return self.bound_to(nothing_held).begin(offset)

    @override
    def scan(
        self, text: str, base: int, state: BlockState, final: bool = False
    ) -> ScanFields[BlockState]:
        return self.bound_to(nothing_held).scan(text, base, state, final=final)


class Budget(NamedTuple):
    """What a chunk has to keep to.

    Attributes:
        max_size: The most that it may have with its context.
        sizer: Counts a text; ``None`` counts code points, without reading them.
        repeats: Whether heads are context.
    """

    max_size: int
    sizer: Sizer | None
    repeats: bool

    def measure(self, text: str) -> int:
        """Return the size of a text.

        Raises:
            ContractError: The sizer did not return a size.
        """
        if self.sizer is None:
            return len(text)
        size = self.sizer(text)
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:  # type: ignore[redundant-expr]  # sizers may be untyped
            problem = f"the sizer returned {size!r}, expected an int of at least 0"
            raise ContractError(problem, strategy="MarkdownTableChunking", offset=0)
        return size

    def fits(self, context: Context, text: str) -> bool:
        """Whether a text with its context is small enough."""
        parts = [part for _, part, _ in context]
        return self.measure("\n".join([*parts, text])) <= self.max_size


_RULES = Rules(
    cutter=None,
    code_lines=False,
    table_rows=True,
    items=True,
    front=False,
    math=False,
    notes=False,
    context=False,
)


class TableScanner(ChunkingStrategy["BlockState"]):
    """Scans one stream for a `MarkdownTableChunking`.

    Args:
        budget: What a chunk has to keep to.
        read: Returns the stream's text left of what is scanned.
    """

    __slots__ = ("_budget", "_columns", "_read")

    def __init__(self, budget: Budget, read: Read) -> None:
        self._budget = budget
        self._read = read
        # No more than the state says, and kept so that not each row looks for it.
        self._columns: Columns | None = None

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return frozenset("\r\n`")

    @override
    def begin(self, offset: int) -> BlockState:
        return (*begun(offset), None, None, None, offset)

    @override
    def needs(self, base: int, state: BlockState) -> int:
        return min(base, state[-1])  # type: ignore[no-any-return]  # see BlockState

    @override
    def scan(
        self, text: str, base: int, state: BlockState, final: bool = False
    ) -> ScanFields[BlockState]:
        # Plan: the blocks say which lines belong to tables. A line is looked at when
        # its end has come, and before that as far as `Blocks.look` goes.
        view = View(text, base, self._read)
        tables = Tables(self._budget, view, state, self._columns)
        end, new = each_line(tables, text, base, view, final=final)
        self._columns = tables.columns
        if final:
            tables.finish(end)
            return (tables.spans, end, end, self.begin(end), 0)
        tables.look(end, new)
        state = tables.state
        wake = tables.wake if end == base + len(text) else 0
        return (tables.spans, state[-1], end, state, wake)


class Columns:
    """The columns of a head, found once for all the rows below it.

    Measures the head of each column once, and the whole head.

    Args:
        head: The head and the delimiter row.
        budget: What a chunk has to keep to.

    Attributes:
        head: The head and the delimiter row.
        count: How many columns there are.
        leaves_room: Whether the whole head is small enough to be context.
    """

    __slots__ = ("_borders", "_repeats", "_wide", "count", "head", "leaves_room")

    def __init__(self, head: Head, budget: Budget) -> None:
        self.head = head
        self._repeats = budget.repeats
        self._borders = [borders_of(text) for _, text in head]
        self.count = len(self._borders[0]) - 1
        self.leaves_room = not budget.repeats or budget.fits(self.context(), "")
        # A column whose head is too large alone is no context of any cell. Without
        # this list, each cell below it would be measured with that head.
        self._wide = [
            column
            for column in range(0 if self.leaves_room else self.count)
            if not budget.fits(self.context(column, column), "")
        ]

    def reach(self, first: int) -> int:
        """Return the column before which cells from *first* on can share a context.

        Returns *first* where its head leaves no room, and what is larger than any
        column where all heads leave some.
        """
        column = min(first, self.count - 1)
        at = bisect_left(self._wide, column)
        if at == len(self._wide):
            return sys.maxsize
        return first if self._wide[at] == column else self._wide[at]

    def context(self, first: int = 0, last: int | None = None) -> Context:
        """Return the head of the columns from *first* to *last* as context.

        Cells without a head have that of the last column.
        """
        if not self._repeats:
            return ()
        if last is None:
            return tuple((start, text, "table_header") for start, text in self.head)
        first, last = min(first, self.count - 1), min(last, self.count - 1)
        context: list[tuple[int, str, str]] = []
        for (start, text), borders in zip(self.head, self._borders, strict=True):
            left = borders[min(first, len(borders) - 2)][0]
            right = borders[min(last + 1, len(borders) - 1)][1]
            context.append((start + left, text[left:right], "table_header"))
        return tuple(context)


class Tables(Blocks):
    """One scan: lines, and rows packed up to a size.

    Args:
        budget: What a chunk has to keep to.
        view: The stream, as far back as the state reaches.
        state: What the last scan left.
        columns: The columns that the last scan found, of whatever table.
    """

    __slots__ = ("_budget", "_head", "_held", "_pack", "columns")

    def __init__(
        self, budget: Budget, view: View, state: BlockState, columns: Columns | None
    ) -> None:
        *blocks, held, head, pack, _ = state
        super().__init__(_RULES, view, tuple(blocks))
        self._budget = budget
        # A line that may be the head of a table.
        self._held: tuple[int, int] | None = held
        self._head: Head | None = head
        self._pack: Pack | None = pack
        self.columns = columns

    @property
    @override
    def state(self) -> BlockState:
        return (*super().state, self._held, self._head, self._pack, self.keep)

    @property
    @override
    def keep(self) -> int:
        # Chunks are lines and rows, whatever block they are part of.
        first = self._held[0] if self._held else self.line
        return min(first, self._pack[0]) if self._pack else first

    @override
    def pass_lines(self, text: str, at: int, end: int, base: int) -> int:
        # Each line is a chunk.
        return at

    @override
    def look(self, end: int, new: str) -> None:
        super().look(end, new)
        if not self._prose or not self._prose.columns:
            self._let_go()

    @override
    def finish(self, end: int) -> None:
        super().finish(end)
        self._let_go()

    def _let_go(self) -> None:
        """Release a line that was held back and is no head."""
        if self._held:
            self.spans.append((*self._held, True, "line"))
            self._held = None

    @override
    def _finish(self, end: int) -> None:
        leaf = self._leaf
        if self._is_blank:
            self._let_go()
            return
        super()._finish(end)
        if leaf and leaf[0] == TABLE:
            return
        self._let_go()
        if self._prose and self._prose.columns:
            self._held = (self.line, end)
        else:
            self.spans.append((self.line, end, self._closed, "line"))

    @override
    def _release(
        self,
        start: int,
        end: int,
        kind: str,
        *,
        complete: bool | None = None,
        more: Context = (),
    ) -> None:
        """Release nothing: blocks only say where tables are."""

    @override
    def _leave_prose(self, *, keep_line: bool = False) -> int:
        prose, held = self._prose, self._held
        self._leaf = self._prose = None
        if not keep_line or not prose or not held:
            return self.line
        self._held = None
        line = self._view(*held)
        self._head = ((prose.line, line[prose.line - held[0] :]), (-1, ""))
        return held[1] - len(line.lstrip(" \t"))

    @override
    def _release_row(self, leaf: tuple[Any, ...], end: int) -> None:
        head = self._head
        assert head is not None  # noqa: S101 - set where the table was opened
        row = (self._text, self._view(self._text, end))
        self._leaf = (TABLE, end, leaf[2], False)
        if head[1][0] < 0:
            self._take_head(head[0], row, leaf[1], end)
            return
        if self._pack and self._fits_in_pack(self._pack, end):
            return
        self._close_pack()
        columns = self._columns_of(head)
        context = columns.context()
        if columns.leaves_room and self._budget.fits(context, row[1]):
            self._open_pack(row[0], end, context)
        else:
            self._cut_row(row, columns)

    def _take_head(self, first: Row, second: Row, start: int, end: int) -> None:
        self._head = (first, second)
        self._open_pack(start, end, ())
        if self._stack:
            # Prefixes of containers between rows would make another table of them.
            self._close_pack()

    def _open_pack(self, start: int, end: int, context: Context) -> None:
        text = "\n".join([*(part for _, part, _ in context), self._view(start, end)])
        self._pack = (start, end, self._budget.measure(text))
        if self._stack:
            self._close_pack()

    def _fits_in_pack(self, pack: Pack, end: int) -> bool:
        """Add a row to the open pack, if that has room for it."""
        start, stop, size = pack
        added = self._view(stop, end)
        size += self._budget.measure(added)
        if self._budget.sizer is not None and (
            size > self._budget.max_size or not sizer_name(self._budget.sizer)
        ):
            context = self._whole_head() if start > self._head_end else ()
            text = self._view(start, end)
            parts = [part for _, part, _ in context]
            size = self._budget.measure("\n".join([*parts, text]))
        if size > self._budget.max_size:
            return False
        self._pack = (start, end, size)
        return True

    @property
    def _head_end(self) -> int:
        head: Any = self._head
        (_, (start, text)) = head
        return start + len(text)  # type: ignore[no-any-return]  # see Head

    def _close_pack(self) -> None:
        if not self._pack:
            return
        start, end, size = self._pack
        self._pack = None
        is_first = start <= self._head_end
        context = () if is_first else self._whole_head()
        kind = "table_row"
        if is_first:
            kind = "table_header" if end <= self._head_end else "table"
        oversize = size > self._budget.max_size
        self.spans.append((start, end, self._closed, kind, oversize, None, context))

    def _whole_head(self) -> Context:
        head: Any = self._head
        return self._columns_of(head).context()

    def _columns_of(self, head: Head) -> Columns:
        if self.columns is None or self.columns.head != head:
            self.columns = Columns(head, self._budget)
        return self.columns

    def _cut_row(self, row: Row, columns: Columns) -> None:
        """Cut a row between cells, as many of them in a chunk as fit."""
        start, text = row
        borders = borders_of(text)
        count = len(borders) - 1
        first = left = 0
        while first < count:
            fits = partial(self._cells_fit, text, borders, columns, first)
            reach = columns.reach(first)
            # One cell goes into a chunk whether it fits or not.
            last = farthest(fits, first, min(count, reach))
            context = columns.context(first, last) if reach > first else ()
            right = borders[last + 1][1]
            # Only what ends the row can be all that there is of it.
            known = self._closed if right == borders[-1][1] else True
            cells = text[left:right].lstrip()
            start_of_cells = start + right - len(cells)
            self._release_cells(start_of_cells, cells.rstrip(), context, known=known)
            first, left = last + 1, right

    def _cells_fit(
        self,
        text: str,
        borders: list[tuple[int, int]],
        columns: Columns,
        first: int,
        last: int,
    ) -> bool:
        left = borders[first][1] if first else 0
        cells = text[left : borders[last + 1][1]].strip()
        return self._budget.fits(columns.context(first, last), cells)

    def _release_cells(
        self, start: int, text: str, context: Context, *, known: bool | None
    ) -> None:
        """Release cells of a row, a single one that is too large in parts."""
        if self._budget.fits(context, text):
            self._add(start, text, context, oversize=False, known=known)
            return
        # Found once: a rest begins behind a cluster or behind blanks, and blanks join
        # only what extends them, so that its clusters end where these do.
        ends = list(cluster_ends(text, 0))
        at = 0
        while at < len(text):
            end = self._end_that_fits(context, text, at, ends)
            if end == at and context:
                # The head leaves no room.
                context = ()
                continue
            oversize = end == at
            if oversize:
                end = ends[bisect_right(ends, at)]
            is_last = end == len(text)
            part = text[at:end].rstrip()
            self._add(
                start + at,
                part,
                context,
                oversize=oversize,
                known=known if is_last else False,
            )
            blanks = _BLANKS.match(text, end)
            at = blanks.end() if blanks else end

    def _add(
        self,
        start: int,
        text: str,
        context: Context,
        *,
        oversize: bool,
        known: bool | None,
    ) -> None:
        end = start + len(text)
        self.spans.append((start, end, known, "table_row", oversize, None, context))

    def _end_that_fits(
        self, context: Context, text: str, at: int, ends: list[int]
    ) -> int:
        """Return the end of the longest part of a cell, from *at*, that fits.

        Returns *at* where not even a cluster fits.
        """

        def fits(end: int) -> bool:
            return self._budget.fits(context, text[at:end])

        # Clusters first: a word can be as long as the text.
        first = bisect_right(ends, at)
        last = farthest(lambda index: fits(ends[index]), first - 1, len(ends))
        if last == len(ends) - 1:
            return ends[last]
        # A word can end inside of a cluster, where a blank is part of one.
        blanks = _BLANKS.finditer(text, at, ends[last + 1])
        words = [at, *(each.start() for each in blanks)]
        word = farthest(lambda index: fits(words[index]), 0, len(words))
        if word:
            return words[word]
        return ends[last] if last >= first else at

    @override
    def _close_leaf(self) -> None:
        is_table = self._leaf and self._leaf[0] == TABLE
        super()._close_leaf()
        if is_table:
            self._close_pack()
            self._head = None


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


register_built_in("markdown_table", MarkdownTableChunking)
