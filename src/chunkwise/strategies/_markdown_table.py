r"""MarkdownTableChunking: the rows of a table under a size, each with its head."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from .._numbers import check_count
from .._pending import View, nothing_held
from .._registry import register_built_in
from .._strategy import ChunkingStrategy, check_bool
from ..errors import ContractError
from ..sizing import code_points, resolve_sizer, sizer_name
from ._markdown_blocks import TABLE, Blocks, Rules, begun, each_line
from ._markdown_cells import Columns, cut_row

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._pending import Read
    from .._spans import Context, ScanFields
    from ..sizing import Sizer
    from ._markdown_blocks import BlockState
    from ._markdown_cells import Row

    # The head and the delimiter row, which starts at -1 before it has ended.
    Head: TypeAlias = "tuple[Row, Row]"
    # Start, end and size of the rows that go into one chunk.
    Pack: TypeAlias = "tuple[int, int, int]"

_LEAST = 10
"""The least size: a head and a cell of one code point each have eight."""


@dataclass(frozen=True)
class MarkdownTableChunking(ChunkingStrategy["BlockState"]):
    r"""Cuts tables between their rows, each chunk with the head as context.

    As many rows as fit make a chunk. The first one begins with the head and the
    delimiter row; all others have these two as ``Chunk.context``, so that
    ``with_context()`` is a table, and it is that text whose size is kept. A row that is
    too large alone is cut between cells, and each part has the head of its own columns
    as context, but for blanks, hyphens and a pipe at its end that say nothing; a cell
    that is too large alone is cut behind words, or between grapheme clusters. Context
    is left out where a head leaves no room, where it would not make a table of the
    part, and for cells that have no head and do not fit beside the last one that has.

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
        context = columns.whole
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
        return self._columns_of(head).whole

    def _columns_of(self, head: Head) -> Columns:
        if self.columns is None or self.columns.head != head:
            fits, repeats = self._budget.fits, self._budget.repeats
            self.columns = Columns(head, fits, repeats=repeats)
        return self.columns

    def _cut_row(self, row: Row, columns: Columns) -> None:
        for part in cut_row(row, columns, self._budget.fits):
            # Only what ends the row can be all that there is of it.
            known = self._closed if part.whole is None else part.whole
            start, end, context, oversize, _ = part
            self.spans.append((start, end, known, "table_row", oversize, None, context))

    @override
    def _close_leaf(self) -> None:
        is_table = self._leaf and self._leaf[0] == TABLE
        super()._close_leaf()
        if is_table:
            self._close_pack()
            self._head = None


register_built_in("markdown_table", MarkdownTableChunking)
