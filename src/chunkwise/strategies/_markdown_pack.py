r"""Neighbouring pieces of Markdown joined up to a size, along the structure of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .._chunk import in_front
from .._clusters import cluster_ends
from ..errors import ContractError
from ._markdown_cells import Columns, cut_row, head_of, without_markers
from ._markdown_starts import CODE_INDENT
from ._word import WordChunking

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .._pending import View
    from .._spans import Context, SpanFields
    from ..sizing import Sizer
    from ._markdown_cells import Row

    # The start of the block at the top, of the outermost item and of the leaf.
    Units: TypeAlias = "tuple[int, int, int]"
    # The fields of a piece, if there is one.
    Fields: TypeAlias = "tuple[Any, ...] | None"
    # Whole units that were joined, the headings behind them, the pieces of the open
    # unit, the level of all, what the last piece was part of, and a closed pack that
    # waits for the next one.
    PackState: TypeAlias = (
        "tuple[Fields, tuple[Any, ...], tuple[Any, ...], int, Units | None, Fields]"
    )

BLOCK, ITEM, LEAF, PIECE = range(4)
"""Levels: what is joined whole, and cut into units of the next one if too large."""

EMPTY: PackState = (None, (), (), BLOCK, None, None)

_LONGEST = 64
"""Code points for each unit of a size that a context may have.

It is counted again with each piece below it, and a heading can be one word of a
megabyte.
"""

_WHOLE = {"sentence": "paragraph", "table_row": "table", "table_header": "table"}
_WORDS = WordChunking()


def first_of(state: PackState) -> int | None:
    """Return where the next pack to be released starts, if that is known."""
    pack, headings, pieces, _, _, waiting = state
    for piece in (waiting, pack, *headings, *pieces):
        if piece:
            return piece[0]  # type: ignore[no-any-return]  # see Piece
    return None


class Piece(NamedTuple):
    """A piece of Markdown, or several that were joined.

    Attributes:
        start: Where it starts.
        end: Where it ends.
        complete: Whether a boundary ended it.
        kind: What it is.
        context: What a reader needs with it.
        units: What it is part of.
        is_heading: Whether there is nothing in it but headings.
        is_part: Whether it is a word, or a part of one, or a part of a row.
        is_cut: Whether it is a row that is to be cut, as its context is too large.
    """

    start: int
    end: int
    complete: bool | None
    kind: str
    context: Context
    units: Units
    is_heading: bool
    is_part: bool = False
    is_cut: bool = False

    def joined(self, other: Piece) -> Piece:
        """Return this piece and the one behind it as one."""
        are_parts = self.is_part and other.is_part
        if self.units[2] == other.units[2]:
            kind = other.kind if are_parts else _WHOLE.get(other.kind, other.kind)
        elif self.units[0] == other.units[0] and self.units[1] >= 0:
            kind = "list"
        else:
            kind = "sized"
        return self._replace(
            end=other.end,
            complete=other.complete,
            kind=kind,
            is_heading=self.is_heading and other.is_heading,
            is_part=are_parts,
        )


class Limits:
    """What the packs of one stream have to keep to, in the unit of the sizer.

    Args:
        max_size: The most that a pack may have.
        min_size: Below this it joins a neighbour if there is room.
        sizer: Counts a text; ``None`` counts code points, without reading them.
        with_context: Whether its context counts.
    """

    __slots__ = (
        "_columns",
        "_known",
        "max_size",
        "min_size",
        "sizer",
        "with_context",
    )

    def __init__(
        self, *, max_size: int, min_size: int, sizer: Sizer | None, with_context: bool
    ) -> None:
        self.max_size = max_size
        self.min_size = min_size
        self.sizer = sizer
        self.with_context = with_context
        # A context of the stream, and as much of it as is no larger than a pack. Most
        # pieces have the one of the piece before, and a heading can be a megabyte.
        self._known: tuple[Context, Context] = ((), ())
        # A context of rows, what of it is before the head, and the columns.
        self._columns: tuple[Context, Context, Columns] | None = None

    def size(self, context: Context, view: View, start: int, end: int) -> int:
        """Return the size of a part of the stream, where it counts with its context.

        Raises:
            ContractError: The sizer did not return a size.
        """
        front = in_front(context) if self.with_context else ""
        if self.sizer is None:
            return len(front) + end - start
        return self._counted(front + view(start, end), start)

    def fits(self, context: Context, text: str) -> bool:
        """Whether a text is small enough, with its context where that counts."""
        front = in_front(context) if self.with_context else ""
        if self.sizer is None:
            return len(front) + len(text) <= self.max_size
        return self._counted(front + text, 0) <= self.max_size

    def _counted(self, text: str, offset: int) -> int:
        assert self.sizer is not None  # noqa: S101 - who calls this has counted otherwise
        size = self.sizer(text)
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:  # type: ignore[redundant-expr]  # sizers may be untyped
            problem = f"the sizer returned {size!r}, expected an int of at least 0"
            raise ContractError(problem, strategy="MarkdownChunking", offset=offset)
        return size

    def columns(
        self, context: Context, row: Row, view: View
    ) -> tuple[Context, Columns]:
        """Return what is in front of the head of a row's table, and the columns of it.

        Args:
            context: What a reader needs with the row; without a head the columns of the
                row have none.
            row: The row.
            view: The stream, as far back as the row.
        """
        if not context or context[-1][2] != "table_header":
            return context, Columns((row, row), self.fits, repeats=False)
        if self._columns is None or self._columns[0] != context:
            number = [kind for _, _, kind in context].index("table_header")
            front = context[:number]
            if front and self.with_context:
                front = self.usable(front, view, row[0])
            columns = Columns(head_of(context[number:]), self.fits)
            self._columns = (context, front, columns)
        return self._columns[1:]

    def usable(self, context: Context, view: View, at: int) -> Context:
        """Return as much of the context of a piece as fits by itself.

        Only for where it counts.

        Args:
            context: What a reader needs with the piece.
            view: The stream, as far back as the piece.
            at: Where the piece starts.
        """
        given, usable = self._known
        if context != given:
            usable = context
            while len(in_front(usable)) > _LONGEST * self.max_size:
                usable = _without_first(usable)
            usable = self.beside(usable, view, at, at)
            self._known = (context, usable)
        return usable

    def beside(self, context: Context, view: View, start: int, end: int) -> Context:
        """Return as much of a context as fits beside a part of the stream.

        Where context does not count, that is all of it.
        """
        if self.with_context:
            while context and self.size(context, view, start, end) > self.max_size:
                context = _without_first(context)
        return context


class SectionPacker:
    """Packs pieces during one scan.

    Args:
        limits: What packs have to keep to.
        view: The stream, as far back as the state reaches.
        state: What the last scan left; `EMPTY` at first.

    Attributes:
        spans: The packs that were closed and wait for nothing.
    """

    # Plan. At each level units are joined while they fit: blocks under one heading,
    # items of a list, blocks of an item, pieces of a leaf. A unit that does not fit
    # closes the pack; one that is too large alone is packed from its units of the next
    # level, and a piece from its words, or clusters; but a row of a table is cut
    # between its cells, each with the head of its columns. Headings alone are not
    # closed: what follows goes down until something of it fits beside them, but for
    # another heading, which is cut only where it is too large alone. Where not even a
    # word fits beside all of them, it has the last ones that it fits beside. Of the
    # open unit the pieces are kept, which are no more than fit.
    __slots__ = (
        "_headings",
        "_last",
        "_level",
        "_limits",
        "_pack",
        "_pieces",
        "_view",
        "_waiting",
        "spans",
    )

    def __init__(self, limits: Limits, view: View, state: PackState) -> None:
        pack, headings, pieces, self._level, last, waiting = state
        # Of a piece that was cut nothing else is left.
        self._last: Units | None = last
        self._limits = limits
        self._view = view
        self._pack = Piece(*pack) if pack else None
        self._headings = [Piece(*heading) for heading in headings]
        self._pieces = [Piece(*piece) for piece in pieces]
        self._waiting = Piece(*waiting) if waiting else None
        self.spans: list[SpanFields] = []

    @property
    def state(self) -> PackState:
        """What the next scan goes on with."""
        return (
            self._pack and tuple(self._pack),
            tuple(map(tuple, self._headings)),
            tuple(map(tuple, self._pieces)),
            self._level,
            self._last,
            self._waiting and tuple(self._waiting),
        )

    def add_all(self, spans: Sequence[SpanFields], units: Sequence[Units]) -> None:
        """Add pieces that were released, with what they are part of."""
        for span, unit in zip(spans, units, strict=True):
            start, end, complete, kind, *more = span
            context: Any = more[2] if more else ()
            is_cut = False
            if context and self._limits.with_context:
                usable = self._limits.usable(context, self._view, start)
                is_cut = kind == "table_row" and not usable
                if not is_cut:
                    context = usable
            # A heading inside of a list or quote is content.
            is_heading = kind == "heading" and unit[0] == unit[2]
            piece = Piece(start, end, complete, kind, context, unit, is_heading)
            self._add(piece._replace(is_cut=True) if is_cut else piece)

    def finish(self) -> None:
        """Close everything: the text has ended."""
        self._end_unit()
        self._close()
        if self._waiting:
            self._emit(self._waiting)
            self._waiting = None

    def _add(self, piece: Piece) -> None:
        last = self._last
        self._last = piece.units
        if last and not self._is_in_unit(piece.units, last):
            self._end_unit()
            shared = _shared(piece.units, last)
            if shared < self._level:
                self._close_pack()
                self._level = shared
            if piece.is_heading and not self._headings:
                self._close_section()
        self._pieces.append(piece)
        self._fit()

    def _is_in_unit(self, units: Units, last: Units) -> bool:
        level = self._level
        return level < PIECE and units[: level + 1] == last[: level + 1]

    def _end_unit(self) -> None:
        """Join the open unit to the pack, headings once something follows them."""
        for piece in self._pieces:
            if piece.is_heading:
                self._add_heading(piece)
                continue
            self._join_headings()
            self._pack = self._pack.joined(piece) if self._pack else piece
        self._pieces = []

    def _add_heading(self, heading: Piece) -> None:
        """Add a heading; parts of one stay together."""
        headings = self._headings
        if heading.is_part and headings and headings[-1].is_part:
            headings[-1] = headings[-1].joined(heading)
        else:
            headings.append(heading)

    def _join_headings(self) -> None:
        for heading in self._headings:
            self._pack = self._pack.joined(heading) if self._pack else heading
        self._headings = []

    def _fit(self) -> None:
        """Close the pack, or go a level down, until the open unit fits."""
        while self._pieces:
            first, end = self._pieces[0], self._pieces[-1].end
            headings = self._headings
            begin = self._pack or (headings[0] if headings else first)
            is_apart = self._pack and self._are_apart(self._pack, first)
            is_one = not (is_apart or self._pieces[-1].is_cut)
            if is_one and self._size(begin, end) <= self._limits.max_size:
                return
            if self._pack:
                self._close_pack()
            elif headings and (first.is_part or first.is_heading):
                number = len(headings)
                if not first.is_heading:
                    number = self._number_without_room(end)
                self._headings = headings[:number]
                self._close()
                self._headings = headings[number:]
            elif self._level < PIECE:
                pieces = self._pieces
                self._pieces = []
                self._last = None
                self._level += 1
                for piece in pieces:
                    self._add(piece)
                return
            elif first.is_part:
                self._pieces = []
                self._waiting_or_out(first)
            else:
                self._pieces = []
                if first.kind == "table_row":
                    self._cut_row(first)
                else:
                    self._cut(first)
                return

    def _are_apart(self, pack: Piece, row: Piece) -> bool:
        """Whether two rows behind the head of a table make none as they stand.

        That is so below an item, where only the first one has nothing in front of it,
        and of parts that have the heads of other columns.
        """
        table = row.units[2]
        is_row = row.kind == "table_row" and pack.units[2] == table
        if is_row and (pack.is_part or row.is_part):
            return pack.context != row.context
        if pack.units[2] != table or pack.start == table:
            return False
        if pack.kind not in {"table", "table_row"}:
            return False
        between = self._view(pack.end, row.start).lstrip("\r\n")
        return ">" in between or len(between.expandtabs(4)) >= CODE_INDENT

    def _cut(self, piece: Piece) -> None:
        """Pack a piece from its words, or clusters where a word is too large."""
        text = self._view(piece.start, piece.end)
        words = _WORDS.scan(text, piece.start, _WORDS.begin(piece.start), final=True)[0]
        limits, view = self._limits, self._view
        ends: list[tuple[int, int]] = []
        for start, end, *_ in words:
            if limits.size((), view, start, end) <= limits.max_size:
                ends.append((start, end))
                continue
            word = text[start - piece.start : end - piece.start]
            at = start
            for stop in cluster_ends(word, 0):
                ends.append((at, start + stop))
                at = start + stop
        for start, end in ends:
            known = piece.complete if end == piece.end else False
            context = limits.beside(piece.context, view, start, end)
            part = piece._replace(
                start=start, end=end, complete=known, context=context, is_part=True
            )
            self._end_unit()
            self._pieces.append(part)
            self._fit()
        self._end_unit()
        if piece.is_heading:
            self._level = BLOCK
        else:
            self._close_pack()

    def _cut_row(self, piece: Piece) -> None:
        """Cut a row between its cells; what is too large of them as text is."""
        view = self._view
        row = without_markers(piece.start, view(piece.start, piece.end))
        front, columns = self._limits.columns(piece.context, row, view)
        parts = cut_row(row, columns, self._limits.fits, front=front, keeps_words=True)
        for start, end, context, _, whole in parts:
            part = piece._replace(
                start=start,
                end=end,
                complete=piece.complete if whole is None else whole,
                context=context,
                is_part=True,
                is_cut=False,
            )
            self._waiting_or_out(part)

    def _close_section(self) -> None:
        pack = self._pack
        if pack and self._size(pack, pack.end) >= self._limits.min_size:
            self._close_pack()

    def _number_without_room(self, end: int) -> int:
        """Return how many headings to leave out, so that what ends there fits."""
        for number, heading in enumerate(self._headings):
            if self._size(heading, end) <= self._limits.max_size:
                return number
        return len(self._headings)

    def _close_pack(self) -> None:
        """Close the pack without the headings behind it: these go with what follows."""
        pack = self._pack
        self._pack = None
        if pack:
            self._waiting_or_out(pack)

    def _close(self) -> None:
        """Close the pack, with the headings behind it."""
        self._join_headings()
        self._close_pack()

    def _waiting_or_out(self, pack: Piece) -> None:
        """Release a pack, or join it with the one before where one is too small."""
        limits = self._limits
        if not limits.min_size:
            self._emit(pack)
            return
        waiting = self._waiting
        self._waiting = pack
        if waiting is None:
            return
        smaller = min(self._size(waiting, waiting.end), self._size(pack, pack.end))
        whole = self._size(waiting, pack.end)
        joins = smaller < limits.min_size and whole <= limits.max_size
        if joins and not self._are_apart(waiting, pack):
            self._waiting = waiting.joined(pack)
        else:
            self._emit(waiting)

    def _emit(self, pack: Piece) -> None:
        start, end, complete, kind, context, *_ = pack
        oversize = self._size(pack, end) > self._limits.max_size
        self.spans.append((start, end, complete, kind, oversize, None, context))

    def _size(self, piece: Piece, end: int) -> int:
        """Return the size of what begins with a piece."""
        limits = self._limits
        if limits.sizer is None and not limits.with_context:
            # The quick way for what is the default.
            return end - piece.start
        return limits.size(piece.context, self._view, piece.start, end)


def _without_first(context: Context) -> Context:
    """Leave out the first part of a context; of the head of a table all rows."""
    return () if context[0][2] == "table_header" else context[1:]


def _shared(units: Units, last: Units) -> int:
    """Return how many levels two pieces have in common."""
    return sum(units[: level + 1] == last[: level + 1] for level in range(PIECE))
