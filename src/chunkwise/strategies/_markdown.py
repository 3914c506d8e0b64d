r"""MarkdownChunking: the blocks of CommonMark and GFM, and sentences inside."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import override

from .._numbers import check_count
from .._pending import View, nothing_held
from .._registry import register_built_in, resolve_strategy
from .._spans import NEVER
from .._strategy import ChunkingStrategy, check_bool, check_no_overlap
from ..sizing import code_points, resolve_sizer, sizer_name
from ._markdown_blocks import (
    AGAIN_AT,
    END,
    KEEP,
    LINE_MODE,
    LOOK,
    NO_SOFT_LINE_END,
    NO_TEXT,
    PATH,
    PROSE,
    PROSE_STATE,
    SHORT,
    STACK,
    UNITS,
    Blocks,
    Rules,
    begins_paragraph,
    begun,
    behind_paragraph,
    each_line,
    headings_of,
    in_code,
    pieces_of,
    still_undecided,
    with_code,
    with_paragraph,
)
from ._markdown_lines import skip_blanks
from ._markdown_pack import EMPTY, Limits, SectionPacker, first_of
from ._markdown_prose import CUTS, Cutter, restored
from ._markdown_starts import WAIT

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from .._pending import Read
    from .._registry import StrategyLike
    from .._spans import ScanFields, SpanFields
    from ..sizing import Sizer
    from ._markdown_blocks import BlockState, Units
    from ._markdown_pack import PackState

    # What is open, and what waits to be packed.
    MarkdownState: TypeAlias = "tuple[BlockState, PackState]"

_EXTENSIONS = ("front_matter", "math", "footnotes")
_CHOICES = {
    "prose": ("sentence", "block"),
    "code": ("block", "line"),
    "table": ("row", "block"),
    "lists": ("item", "list"),
    "size_of": ("text", "with_context"),
}
_AT_HAND = 32
"""Code points of sentences that are rather handed over again than read back."""

_TRIGGER = frozenset("\r\n|`]$")


@dataclass(frozen=True)
class MarkdownChunking(ChunkingStrategy["MarkdownState"]):
    r"""Cuts Markdown into its blocks, and prose into sentences.

    Blocks are those of CommonMark 0.31 with the tables of GFM, at the top level and
    inside lists and block quotes. A chunk has the markers of its block, and its
    ``kind`` says which that is; the last line end and blank lines belong to none. A
    block is released by the line that proves its end, and is ``complete`` unless only
    the end of the stream closed it.

    Prose is cut by the inner strategy while its paragraph still grows, and never inside
    of code, a link, an image, an HTML tag or a formula. Such a thing holds back from
    its opener until it closes, at most to the end of its line and for 200 code points.
    Sentences that were released stay sentences: of a paragraph that turns out to be a
    heading, or of its last line that turns out to be the head of a table, only the
    rest is that.

    Args:
        prose: ``"block"`` leaves paragraphs and block quotes whole.
        code: ``"line"`` cuts code into lines; the line of the fence is context.
        table: ``"block"`` leaves tables whole; otherwise the head is a chunk, and
            context of each row.
        lists: ``"list"`` leaves lists whole; otherwise the blocks of their items are
            chunks, the first one with the marker.
        extensions: Which of ``"front_matter"``, ``"math"`` and ``"footnotes"`` there
            are beyond CommonMark and GFM.
        max_size: The most that a chunk may have, in the sizer's unit. Whole blocks
            under one heading are packed up to it; of a block that is too large items,
            of these blocks, of these sentences, rows or lines, of these words, and of
            these grapheme clusters. Rows are cut between cells before that, and each
            part has the heads of its columns as context. What the four parameters above
            say does not matter then. A heading ends no chunk if something behind it
            fits beside it.
            ``None``: no packing.
        min_size: A chunk below it joins its neighbour if both fit; at most *max_size*.
        sizer: Counts a text: a function of ``chunkwise.sizing`` or its name, any
            function from ``str`` to ``int``, or a tokenizer.
        size_of: What has these sizes: a chunk's ``"text"``, or ``"with_context"`` what
            ``Chunk.with_context()`` returns. What does not fit beside its context is
            cut as what is too large alone is, but no word is. Where not even a word
            fits, or the context alone is over *max_size*, parts of the context are
            left out, the outermost heading first. Only with *max_size*.
        sentence: The strategy that cuts prose; its chunks do not overlap.
        context: Whether chunks carry the headings that they are under as
            ``Chunk.context``, and what else they need.

    Raises:
        ValueError: A parameter has none of these values, a size is out of its range,
            or the chunks of *sentence* may overlap.
        TypeError: *extensions* is no sequence, a size is no ``int``, *context* is no
            ``bool``, or *sentence* is no strategy.
        UnknownStrategyError: No strategy has the given name.

    Examples:
        >>> MarkdownChunking().split("# A title\n\nOne **two.** Thr")
        ['# A title', 'One **two.**']
    """

    _: KW_ONLY
    prose: Literal["sentence", "block"] = "sentence"
    code: Literal["block", "line"] = "block"
    table: Literal["row", "block"] = "row"
    lists: Literal["item", "list"] = "item"
    extensions: Sequence[str] = _EXTENSIONS
    max_size: int | None = None
    min_size: int = 0
    sizer: Sizer | str = "code_points"
    size_of: Literal["text", "with_context"] = "text"
    sentence: StrategyLike = "sentence"
    context: bool = True

    def __post_init__(self) -> None:
        """Check the parameters."""
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                expected = " or ".join(map(repr, choices))
                msg = f"{name} must be {expected}, got {value!r}"
                raise ValueError(msg)
        extensions: Any = self.extensions
        if isinstance(extensions, str) or not isinstance(extensions, (tuple, list)):
            msg = f"extensions must be a sequence of str, got {extensions!r}"
            raise TypeError(msg)
        for extension in extensions:
            if extension not in _EXTENSIONS:
                known = ", ".join(map(repr, _EXTENSIONS))
                msg = f"extensions must be of {known}, got {extension!r}"
                raise ValueError(msg)
        check_bool("context", self.context)
        check_count("min_size", self.min_size, 0)
        if self.max_size is not None:
            check_count("max_size", self.max_size, 1)
        if self.min_size > (self.max_size or 0):
            msg = f"min_size must be in 0..{self.max_size or 0}, got {self.min_size}"
            raise ValueError(msg)
        if self.max_size is None and self.size_of != "text":
            msg = f"size_of must be 'text' without max_size, got {self.size_of!r}"
            raise ValueError(msg)
        sizer = resolve_sizer(self.sizer)
        object.__setattr__(self, "sizer", sizer_name(sizer) or sizer)
        object.__setattr__(self, "extensions", tuple(extensions))
        object.__setattr__(self, "sentence", resolve_strategy(self.sentence))
        sentence: Any = self.sentence
        check_no_overlap("sentence", sentence)

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[MarkdownState]:
        sentence: Any = self.sentence
        math = "math" in self.extensions
        packs = self.max_size is not None
        cuts = packs or self.prose == "sentence"
        rules = Rules(
            cutter=Cutter(sentence, read, math=math) if cuts else None,
            code_lines=packs or self.code == "line",
            table_rows=packs or self.table == "row",
            items=packs or self.lists == "item",
            front="front_matter" in self.extensions,
            math=math,
            notes="footnotes" in self.extensions,
            context=self.context,
        )
        limits = None
        if self.max_size is not None:
            sizer = resolve_sizer(self.sizer)
            limits = Limits(
                max_size=self.max_size,
                min_size=self.min_size,
                sizer=None if sizer is code_points else sizer,
                with_context=self.size_of == "with_context",
            )
        return MarkdownScanner(rules, limits, read)

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self.bound_to(nothing_held).trigger

    @override
    def begin(self, offset: int) -> MarkdownState:
        return (begun(offset), EMPTY)

    @override
    def begin_again(self, offset: int, state: MarkdownState) -> MarkdownState:
        return _begun_again(offset, state)

    @override
    def scan(
        self, text: str, base: int, state: MarkdownState, final: bool = False
    ) -> ScanFields[MarkdownState]:
        return self.bound_to(nothing_held).scan(text, base, state, final=final)


class MarkdownScanner(ChunkingStrategy["MarkdownState"]):
    """Scans one stream for a `MarkdownChunking`.

    Args:
        rules: What the strategy does; its sentence strategy is bound to the stream.
        limits: What packs have to keep to; ``None`` where there are none.
        read: Returns the stream's text left of what is scanned.
    """

    __slots__ = ("_limits", "_read", "_rules")

    def __init__(self, rules: Rules, limits: Limits | None, read: Read) -> None:
        self._rules = rules
        self._limits = limits
        self._read = read

    @property
    @override
    def trigger(self) -> frozenset[str]:
        cutter = self._rules.cutter
        return cutter.trigger | _TRIGGER if cutter else _TRIGGER

    @override
    def begin(self, offset: int) -> MarkdownState:
        return (begun(offset), EMPTY)

    @override
    def begin_again(self, offset: int, state: MarkdownState) -> MarkdownState:
        return _begun_again(offset, state)

    @override
    def needs(self, base: int, state: MarkdownState) -> int:
        return min(base, _kept(*state))

    @override
    def scan(
        self, text: str, base: int, state: MarkdownState, final: bool = False
    ) -> ScanFields[MarkdownState]:
        # Plan: quick ways for a delta inside of a line of which is known what it is,
        # for one that begins a paragraph at the top level or goes on with it or with
        # code, for one that ends a paragraph by a blank line, and for one that tells
        # nothing. All else goes line by line through `Blocks`, which reads the text of
        # a line back once it is needed; so this resumes at the end, but for a `\r` that
        # may be the first half of a line end, and for a few code points that are
        # undecided, so that the next delta is quick again.
        of_blocks, packed = state
        mode = of_blocks[LINE_MODE]
        if not final and "\r" not in text:
            cutter = self._rules.cutter
            if mode == LOOK and cutter and begins_paragraph(of_blocks, text, base):
                sentence = cutter.sentence.begin(base)
                of_blocks = with_paragraph(of_blocks, sentence)
                mode = PROSE
            if mode == PROSE and of_blocks[PROSE_STATE][CUTS]:
                go_on = self._go_behind if "\n\n" in text else self._go_on
                quick = go_on(text, base, of_blocks, packed)
                if quick:
                    return quick
            elif "\n" not in text and (mode != LOOK or of_blocks[AGAIN_AT] == WAIT):
                keep = _kept(of_blocks, packed)
                return ((), keep, base + len(text), state, NEVER)
            elif in_code(of_blocks) and not self._rules.code_lines:
                found = with_code(of_blocks, text, base, self._read)
                if found:
                    of_blocks, resume, wake = found
                    keep = _kept(of_blocks, packed)
                    return ((), keep, resume, (of_blocks, packed), wake)
            else:
                at = still_undecided(of_blocks, text, base, self._read)
                if at is not None:
                    return ((), _kept(of_blocks, packed), at, state, 0)
        view = View(text, base, self._read)
        blocks = Blocks(self._rules, view, of_blocks)
        end, new = each_line(blocks, text, base, view, final=final)
        if final:
            blocks.finish(end)
            spans, _ = self._pack(blocks.spans, blocks.units, view, packed, final=True)
            return (spans, end, end, (begun(end, blocks.path), EMPTY), 0)
        blocks.look(end, new)
        spans, packed = self._pack(blocks.spans, blocks.units, view, packed)
        of_blocks = blocks.state
        keep = _kept(of_blocks, packed)
        wake = blocks.wake if end == base + len(text) else 0
        return (spans, keep, blocks.resume(base, end), (of_blocks, packed), wake)

    def _pack(
        self,
        spans: Sequence[SpanFields],
        units: Sequence[Units],
        view: View,
        packed: PackState,
        *,
        final: bool = False,
    ) -> tuple[Sequence[SpanFields], PackState]:
        """Return the chunks that are made of what the blocks released."""
        if self._limits is None:
            return spans, packed
        if not spans and not final:
            return (), packed
        packer = SectionPacker(self._limits, view, packed)
        packer.add_all(spans, units)
        if final:
            packer.finish()
        return packer.spans, packer.state

    def _go_on(
        self, text: str, base: int, of_blocks: BlockState, packed: PackState
    ) -> ScanFields[MarkdownState] | None:
        """Cut plain text of a paragraph.

        A line end waits for what follows it, unless that is plain text behind blanks.
        """
        prose = restored(of_blocks[PROSE_STATE])
        if prose.pipe >= 0 or prose.phase or "|" in text:
            return None
        plain = text
        line_end = text.rfind("\n")
        if line_end >= 0:
            stop = -1 if of_blocks[STACK] else _end_of_plain(text)
            if stop < 0:
                return None
            plain = text[:stop]
            line_end = plain.rfind("\n")
        view = View(text, base, self._read)
        end = base + len(plain)
        ended = len(plain) < len(text)
        if ended and prose.lexed == end:
            # Only blanks were added behind a line end that waits.
            return ((), _kept(of_blocks, packed), base, (of_blocks, packed), 0)
        of_paragraph = plain if prose.lexed == base else view(prose.lexed, end)
        cutter: Any = self._rules.cutter
        spans, prose, wake = cutter.cut(prose, of_paragraph, view, ended=ended)
        if ended:
            wake = 0
        if spans:
            spans, packed = self._pack_pieces(spans, of_blocks, view, packed)
        around = of_blocks[:KEEP]
        if line_end >= 0:
            before = base + line_end
            first, _ = skip_blanks(plain, line_end + 1, 0)
            prose = prose.with_line(base + first, before, -1)
            around = (before + 1, *around[1:END], before, *around[END + 1 :])
        keep = min(prose.tail, cutter.needed_from(prose))
        of_blocks = (*around, keep, tuple(prose))
        is_held = prose.lexed < end
        resume = prose.lexed if is_held else max(prose.seen, around[0])
        if not base <= resume >= end - (SHORT if is_held else _AT_HAND):
            resume = end
        return (spans, _kept(of_blocks, packed), resume, (of_blocks, packed), wake)

    def _go_behind(
        self, text: str, base: int, of_blocks: BlockState, packed: PackState
    ) -> ScanFields[MarkdownState] | None:
        """End a paragraph at the top level by a blank line.

        Behind that is nothing yet, plain text of a paragraph out of which nothing comes
        so far, or the start of a line that is looked at with what follows it.
        """
        cutter: Any = self._rules.cutter
        prose = restored(of_blocks[PROSE_STATE])
        stop = text.index("\n\n")
        rest = text[stop + 2 :]
        if (
            prose.pipe >= 0
            or prose.phase
            or of_blocks[STACK]
            or "|" in text
            or NO_SOFT_LINE_END.search(text, 0, stop)
        ):
            return None
        is_text = rest[:1] not in NO_TEXT
        if is_text:
            if not cutter.is_quiet(rest):
                return None
        elif len(rest) > SHORT or "\n" in rest or cutter.may_release(rest):
            return None
        view = View(text, base, self._read)
        end = base + stop
        spans, _, _ = cutter.cut(
            prose, view(prose.lexed, end), view, ended=True, final=True
        )
        spans, packed = self._pack_pieces(spans, of_blocks, view, packed)
        of_blocks = behind_paragraph(of_blocks, end, end + 2)
        if is_text:
            sentence = cutter.sentence.begin(end + 2)
            of_blocks = with_paragraph(of_blocks, sentence)
        resume = end + 2
        if len(rest) > SHORT:
            resume += len(rest)
        return (spans, _kept(of_blocks, packed), resume, (of_blocks, packed), NEVER)

    def _pack_pieces(
        self,
        spans: Sequence[SpanFields],
        of_blocks: BlockState,
        view: View,
        packed: PackState,
    ) -> tuple[Sequence[SpanFields], PackState]:
        """Return the chunks that are made of pieces of a paragraph."""
        context = headings_of(of_blocks[PATH]) if self._rules.context else ()
        spans = pieces_of(spans, context, known=True)
        return self._pack(spans, [of_blocks[UNITS]] * len(spans), view, packed)


def _end_of_plain(text: str) -> int:
    """Return up to where *text* surely goes on with a paragraph at the top level.

    Behind that is a line end and a few blanks, if anything; -1 if it is more.
    """
    hard = NO_SOFT_LINE_END.search(text)
    if not hard:
        return len(text)
    rest = text[hard.end() :]
    return -1 if len(rest) > SHORT or rest.strip(" \t") else hard.start()


def _begun_again(offset: int, state: MarkdownState) -> MarkdownState:
    """Return the state behind a cut: the headings before it stay in force."""
    path = tuple(each for each in state[0][PATH] if each[1] + len(each[2]) <= offset)
    return (begun(offset, path), EMPTY)


def _kept(of_blocks: BlockState, packed: PackState) -> int:
    """Return from where on the text is needed: by the blocks, or to be packed."""
    keep: int = of_blocks[KEEP]
    first = first_of(packed) if packed is not EMPTY else None
    return keep if first is None else min(keep, first)


register_built_in("markdown", MarkdownChunking)
