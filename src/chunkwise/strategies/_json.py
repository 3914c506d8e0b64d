"""JSONChunking: the values of a JSON text."""

from __future__ import annotations

import re
from dataclasses import KW_ONLY, dataclass, field
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._quote import quote
from .._registry import register_built_in
from .._spans import NEVER
from .._strategy import ChunkingStrategy, check_bool
from .._white_space import LINE_ENDS
from ..errors import MalformedJSONError
from ._json_path import decoded, path_of, segment_path, steps_of
from ._json_value import (
    AFTER,
    BLOCK,
    CLOSES,
    COLON,
    COLONS,
    COMMA,
    EXPECTED,
    FIRST,
    FITS,
    IN_STRING,
    IN_WORD,
    KEY,
    KEY_OR_END,
    LINE_END,
    LOST,
    NO_VALUE,
    OPEN,
    OPENS,
    QUOTE,
    STRING,
    TOKEN,
    VALUE,
    Fault,
    begun,
    go_on,
    is_inside_string,
    is_word,
    read_string,
    rules_of,
)

if TYPE_CHECKING:
    from typing import TypeAlias

    from .._spans import ScanFields, SpanFields
    from ._json_path import Segment, Step
    from ._json_value import Rules, Value

    Frames: TypeAlias = "tuple[Segment, ...]"
    # In the order of `_walk`, which says what they are.
    Place: TypeAlias = """tuple[
        tuple[Frames, ...], Frames, int, Segment, int, str, tuple[str, ...], bool,
        str, str
    ]"""
    Around: TypeAlias = "Place | bool | None"
    JSONState: TypeAlias = "tuple[Around, Value | None]"

_BLANKS = " \t\ufeff"
_BLANK_RUN = re.compile(f"[{_BLANKS}]*")
_ROOT = re.compile(f"[{''.join(sorted(LINE_ENDS))}][{_BLANKS}]*([\\[{{])")
_LINE_END = re.compile("[\n\r]")
_BETWEEN_STRICT = re.compile("[ \t\n\r]*")
_BETWEEN = re.compile("[ \t\n\r,\x1e\ufeff]*")
_BEGINNINGS = '[{"-0123456789tfn'
_NAN_BEGINNINGS = "NI"
_IN_ITEMS = frozenset("[]{}")
_AT_A_KEY = _IN_ITEMS | {'"'}
_IN_LINES = _IN_ITEMS | {"\n", "\r"}
_IN_STRICT = _AT_A_KEY | {"\\", *map(chr, range(32))}


@dataclass(frozen=True)
class JSONChunking(ChunkingStrategy["JSONState"]):
    r"""Cuts JSON into complete values, each a chunk with its path.

    ``at="items"``: the items of the outermost array. That is the first ``[`` that
    begins a line, or the first one inside an object that begins a line; blanks may
    stand before it. So the array may be wrapped in an object, in a Markdown fence and
    in prose. ``at="lines"``: the values of a text that is nothing else: lines of JSONL,
    and values one behind the other, on one line or over several. ``at="$.findings[*]"``
    or another path: every value at that place, in each array or object that begins a
    line. A path is made of keys (``.name``, ``['any text']``), indices (``[0]``) and
    wildcards (``[*]``, ``.*``); ``$`` is the array or object itself.

    A string, array or object is released by its last code point, a number, ``true``,
    ``false`` or ``null`` by the next one. All else is gap or tail: prose, white space,
    commas, the values around.

    A chunk is ``complete`` when it is valid JSON, as RFC 8259 has it, that something
    ended. What is malformed is read by its brackets, and released where these say that
    it ends, not ``complete``; with ``at="lines"`` it ends before the next line that
    does not begin with white space or a closing bracket, and a line that begins no
    value is gap. ``flush`` releases a value that is open, not ``complete``. With
    ``strict=True`` both are errors.

    Args:
        at: ``"items"``, ``"lines"`` or a path.
        strict: Whether malformed JSON raises ``MalformedJSONError``. Text around the
            array or object is none; text between values is, with ``at="lines"``.
        allow_nan: Whether ``NaN``, ``Infinity`` and ``-Infinity`` are values, as they
            are for the ``json`` module.

    Raises:
        ValueError: *at* is something else.
        TypeError: *at* is not a ``str``, or another parameter not a ``bool``.

    Examples:
        >>> JSONChunking().split('Here:\n[{"id": 1}, 23, "fo')
        ['{"id": 1}', '23']
        >>> JSONChunking(at="$.names[*]").split('{"id": 7, "names": ["a", "b"]}')
        ['"a"', '"b"']
        >>> JSONChunking(at="lines").split('{"id": 1}\n{"id": 2}\n{"i')
        ['{"id": 1}', '{"id": 2}']
    """

    _: KW_ONLY
    at: str = "items"
    strict: bool = False
    allow_nan: bool = False
    _steps: tuple[Step, ...] | None = field(init=False, repr=False, compare=False)
    _rules: Rules = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the parameters."""
        at: object = self.at
        if not isinstance(at, str):
            msg = f"at must be a str, got {at!r}"
            raise TypeError(msg)
        check_bool("strict", self.strict)
        check_bool("allow_nan", self.allow_nan)
        steps = None if at in {"items", "lines"} else steps_of(at)
        object.__setattr__(self, "_steps", steps)
        object.__setattr__(self, "_rules", _rules(at, self.strict, self.allow_nan))

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters, not by what was made of them."""
        return (_rebuild, (type(self), self.at, self.strict, self.allow_nan))

    @property
    @override
    def trigger(self) -> frozenset[str]:
        # Brackets close what is open and begin what is looked for. Quotation marks are
        # everywhere in JSON: they count where a string is likely to be what is open.
        # Elsewhere each delta of a string that is a chunk is scanned. With strict rules
        # every delta is, but for those inside of a string that cannot be wrong.
        if self.strict:
            return _IN_STRICT
        if self.at == "lines":
            return _IN_LINES
        return _AT_A_KEY if isinstance((self._steps or (None,))[-1], str) else _IN_ITEMS

    @override
    def begin(self, offset: int) -> JSONState:
        return (True, None)

    @override
    def opened(self, text: str, base: int, state: JSONState) -> tuple[int, int] | None:
        _, value = state
        if value is None or value[0] < 0:
            return None
        start, stop, _, half, malformed, _, block, _ = value
        is_string = half[:1] == '"'
        if self.at == "lines" and not (block or is_string or malformed):
            # A word that could still turn out to be none.
            return None
        return (start, stop)

    @override
    def scan(
        self, text: str, base: int, state: JSONState, final: bool = False
    ) -> ScanFields[JSONState]:
        # Plan: three parts take turns. Between values, look for where one begins; in an
        # array or object on the way to what is looked for, walk from member to member;
        # and go on in a value, which is to be a chunk or to be passed over, to its end.
        # Each says how far it came, and the next scan resumes at the end of the text:
        # nothing is looked at again. The state is what is around: whether a value may
        # begin here (in prose: only blanks so far on this line), a place in an array or
        # object, or `None` behind the items; and the value that is open, if any.
        around, value = state
        if value is not None and value[3] == '"' and not final:
            quick = self._go_on_in_string(text, base, state, value)
            if quick:
                return quick
        spans: list[SpanFields] = []
        size = len(text)
        at = 0
        try:
            while value is not None or at < size:
                if value is None:
                    at, around, value = self._look_for_a_value(
                        text, at, base, around, spans
                    )
                    continue
                closers = around[-1] if isinstance(around, tuple) else ""
                how, at, value = go_on(text, at, base, value, self._rules, closers)
                if how == OPEN:
                    break
                if how == NO_VALUE:
                    around = False
                elif value[0] >= 0:
                    start, stop, _, _, malformed, *_ = value
                    path = _path_of_chunk(around)
                    spans.append((start, stop, not malformed, "json", False, path))
                value = None
            if final:
                self._end(base + size, around, value, spans)
        except Fault as fault:
            found = quote(fault.found) if fault.found else "the end of the text"
            raise MalformedJSONError(
                found=found,
                expected=fault.expected,
                offset=fault.offset,
                path=fault.path or _path_at(around),
            ) from None
        end = base + size
        keep = value[0] if value is not None and value[0] >= 0 else end
        return (spans, keep, end, (around, value), self._wake(around, value))

    def _go_on_in_string(
        self, text: str, base: int, state: JSONState, value: Value
    ) -> ScanFields[JSONState] | None:
        """Pass over text inside of a string, which is what many deltas are.

        The same as `go_on`, in less time; ``None`` where it takes more than that.
        """
        # On a line, blanks at the end of the text are its end if no more comes.
        if self._rules.by_line and text[-1:] in ("", " "):
            return None
        if not is_inside_string(text):
            return None
        around, _ = state
        end = base + len(text)
        value = (value[0], end, *value[2:])
        keep = value[0] if value[0] >= 0 else end
        return ((), keep, end, (around, value), self._wake(around, value))

    def _look_for_a_value(
        self, text: str, at: int, base: int, around: Around, spans: list[SpanFields]
    ) -> tuple[int, Around, Value | None]:
        """Return where in the text the search ended, what is around, and what began.

        Values that are met whole on the way are added to *spans*.
        """
        if around is None:
            return (len(text), None, None)
        if isinstance(around, tuple):
            return self._walk(text, at, base, around, spans)
        if self.at == "lines":
            if around:
                at = self._take_lines(text, at, base, spans)
            return self._next_in_lines(text, at, base, may_begin=around)
        return self._root(text, at, base, blank=around)

    def _take_lines(
        self, text: str, at: int, base: int, spans: list[SpanFields]
    ) -> int:
        """Take the values that come next as long as each is whole, and ends its line.

        The same as one token after the other, in less time; so are `take_elements` and
        `take_members`.
        """
        whole = self._rules.line.match
        while line := whole(text, at):
            start, at = line.span(1)
            spans.append((base + start, base + at, True, "json", False, "$"))
        return at

    def _next_in_lines(
        self, text: str, at: int, base: int, *, may_begin: bool
    ) -> tuple[int, Around, Value | None]:
        if not may_begin:
            line_end = _LINE_END.search(text, at)
            return (
                (line_end.end(), True, None) if line_end else (len(text), False, None)
            )
        between = _BETWEEN_STRICT if self.strict else _BETWEEN
        at = between.match(text, at).end()  # type: ignore[union-attr]  # it matches ""
        if at == len(text):
            return (at, True, None)
        if text[at] in _BEGINNINGS or (self.allow_nan and text[at] in _NAN_BEGINNINGS):
            return (at, True, begun(base + at, wanted=True))
        if self.strict:
            raise Fault(base + at, text[at], EXPECTED[VALUE])
        return (at, False, None)

    def _root(
        self, text: str, at: int, base: int, *, blank: bool
    ) -> tuple[int, Around, Value | None]:
        """Look for an array or object that begins a line."""
        begin = -1
        if blank:
            begin = _BLANK_RUN.match(text, at).end()  # type: ignore[union-attr]  # it matches ""
            if begin == len(text):
                return (begin, True, None)
            if text[begin] not in "[{":
                begin = -1
        if begin < 0:
            root = _ROOT.search(text, at)
            if root is None:
                last = text[-1]
                blank = last in LINE_ENDS or (
                    last in _BLANKS and _ends_blank_line(text, at)
                )
                return (len(text), blank, None)
            begin = root.start(1)
        walk = _Walk(self._rules, self._steps, _OUTSIDE)
        if walk.goes_into(text[begin]):
            walk.enter(text[begin])
            return (begin + 1, walk.place, None)
        return (begin, False, begun(base + begin, wanted=not self._steps))

    def _walk(
        self, text: str, at: int, base: int, place: Place, spans: list[SpanFields]
    ) -> tuple[int, Around, Value | None]:
        walk = _Walk(self._rules, self._steps, place)
        at, wanted = walk.go(text, at, base, spans)
        if walk.depth == 0:
            # The items of one array only; but places in every array or object.
            ended = self._steps is None and walk.found
            return (at, None if ended else False, None)
        if wanted is None:
            return (at, walk.place, None)
        return (at, walk.place, begun(base + at, wanted=wanted))

    def _end(
        self, end: int, around: Around, value: Value | None, spans: list[SpanFields]
    ) -> None:
        """Add the chunk that the end of the text closes.

        Raises:
            Fault: The rules are strict, and something is open.
        """
        if value is not None:
            start, stop, expect, half, malformed, _, block, _ = value
            is_whole = not block and not malformed and is_word(half, self._rules)
            if self.strict and not is_whole:
                expected = EXPECTED[expect]
                if half:
                    expected = "the end of a string" if half[0] == '"' else IN_WORD
                raise Fault(end, "", expected)
            if start >= 0:
                complete = None if is_whole else False
                path = _path_of_chunk(around)
                spans.append((start, stop, complete, "json", False, path))
        if self.strict and isinstance(around, tuple):
            raise Fault(end, "", EXPECTED[around[4]])

    def _wake(self, around: Around, value: Value | None) -> int:
        if self.strict:
            # What is malformed is to be known at once.
            return NEVER if value is not None and value[3] == '"' else 0
        if value is not None:
            start, _, expect, half, _, _, block, _ = value
            if half != LINE_END and (block or expect == LOST):
                return NEVER
            if half[:1] == '"' and '"' in self.trigger:
                return NEVER
            if start >= 0:
                return 0
        if isinstance(around, tuple):
            return 0 if self._is_near(around) else NEVER
        return 0 if around and self.at == "lines" else NEVER

    def _is_near(self, place: Place) -> bool:
        """Whether more than brackets and keys may come before what is looked for."""
        _, _, depth, segment, *_ = place
        steps = self._steps
        if steps is None:
            return isinstance(segment, int)
        last = steps[-1]
        return depth == len(steps) and (segment == last or not isinstance(last, str))


class _Walk:
    """Walks in the arrays and objects around the values that are looked for.

    Reads like a value, token by token, but knows the keys. Used for one stretch of
    text; what has to be known behind it is `place`.

    Args:
        rules: What counts as a value.
        steps: The path that is looked for; ``None`` for the items of the first array.
        place: The place to go on from.
    """

    # The arrays and objects around are a stack as the brackets of a value are, but of
    # indices and keys, whose types tell which is which: *depth* of them with the
    # innermost one, whose `segment` is apart. `half` is the key that is open, `key`
    # the parts that have come of it; `found` whether the items have ended; `prefix` the
    # path up to the innermost one, known where values in it may be chunks; `closers`
    # the closing brackets that end something here.
    __slots__ = (
        "_rules",
        "_steps",
        "closers",
        "depth",
        "expect",
        "found",
        "frames",
        "half",
        "key",
        "older",
        "prefix",
        "segment",
    )

    def __init__(
        self, rules: Rules, steps: tuple[Step, ...] | None, place: Place
    ) -> None:
        self._rules = rules
        self._steps = steps
        (
            self.older,
            self.frames,
            self.depth,
            self.segment,
            self.expect,
            self.half,
            self.key,
            self.found,
            self.prefix,
            self.closers,
        ) = place

    @property
    def place(self) -> Place:
        """The place where the walk is, as a part of a state."""
        return (
            self.older,
            self.frames,
            self.depth,
            self.segment,
            self.expect,
            self.half,
            self.key,
            self.found,
            self.prefix,
            self.closers,
        )

    def go(  # noqa: C901, PLR0912 - one branch for each kind of token
        self, text: str, at: int, base: int, spans: list[SpanFields]
    ) -> tuple[int, bool | None]:
        """Go on in *text* from *at*.

        Args:
            text: The stream from *base* on.
            at: Where in *text* to begin.
            base: Stream offset of *text*.
            spans: To which values are added that are wanted and whole.

        Returns:
            How far it came, and what is there: a value, and whether it is wanted; or
            ``None``, at the end of the text and behind the end of all that was around.

        Raises:
            Fault: The rules are strict, and something is malformed.
        """
        while self.depth:
            if self.half:
                at = self._read_key(text, at, base)
                if self.half:
                    break
                continue
            segment = self.segment
            if isinstance(segment, int):
                if self.expect in _AT_ELEMENT:
                    at = self._take_elements(text, at, base, segment, spans)
                    segment = self.segment
            elif self.expect in _AT_MEMBER:
                at = self._take_members(text, at, base, spans)
                segment = self.segment
            match = TOKEN.match(text, at)
            if match is None:
                return (len(text), None)
            kind = match.lastindex or 0
            where = match.start(kind)
            if kind not in FITS[self.expect]:
                self._check(base + where, text[where])
            is_key = isinstance(segment, str) and self.expect not in _AT_VALUE
            at = match.end()
            if kind == COMMA:
                if isinstance(segment, int):
                    self.segment = segment + 1
                    self.expect = VALUE
                else:
                    self.expect = KEY
            elif kind == COLONS:
                if isinstance(segment, str):
                    self.expect = VALUE
            elif kind == CLOSES:
                self._close(text[where], base + where)
            elif kind == STRING and is_key:
                self.segment = decoded(match[STRING][1:-1])
                self.expect = COLON
            elif kind == QUOTE and is_key:
                self.half = '"'
            else:
                wanted = self._meet(
                    text[where], is_opening=kind == OPENS, is_key=is_key
                )
                if wanted is not None:
                    return (where, wanted)
        return (at, None)

    def _take_elements(
        self, text: str, at: int, base: int, index: int, spans: list[SpanFields]
    ) -> int:
        """Take the elements that come next as long as each is whole and rather flat."""
        steps = self._steps
        if self.found if steps is None else self.depth != len(steps):
            return at
        step = steps[-1] if steps else None
        whole = self._rules.element.match
        while match := whole(text, at):
            if step is None or step == index:
                start, end = match.span(1)
                path = f"{self.prefix}[{index}]"
                spans.append((base + start, base + end, True, "json", False, path))
            at = match.end()
            if match.lastindex == 1:
                self.expect = AFTER
                break
            index += 1
            self.expect = VALUE
        self.segment = index
        return at

    def _take_members(
        self, text: str, at: int, base: int, spans: list[SpanFields]
    ) -> int:
        """Take the members that come next as long as each is whole and rather flat."""
        steps = self._steps
        step = steps[self.depth - 1] if steps else None
        is_last = steps is not None and self.depth == len(steps)
        whole = self._rules.member.match
        while match := whole(text, at):
            key = decoded(match[1][1:-1])
            if is_last and (step is None or step == key):
                start, end = match.span(2)
                path = self.prefix + segment_path(key)
                spans.append((base + start, base + end, True, "json", False, path))
            self.segment = key
            at = match.end()
            if match.lastindex == 2:  # noqa: PLR2004 - no comma
                self.expect = AFTER
                break
            self.expect = KEY
        return at

    def goes_into(self, opener: str) -> bool:
        """Whether what is looked for may be inside of an array or object here."""
        steps = self._steps
        if steps is None:
            return not self.found
        if self.depth >= len(steps):
            return False
        step = steps[self.depth]
        return step is None or isinstance(step, str) == (opener == "{")

    def enter(self, opener: str) -> None:
        """Enter an array or object, behind its opening bracket."""
        if self.depth:
            self.frames += (self.segment,)
            if len(self.frames) == 2 * BLOCK:
                self.older += (self.frames[:BLOCK],)
                self.frames = self.frames[BLOCK:]
        self.depth += 1
        if opener == "[":
            self.segment, self.expect, closer = 0, FIRST, "]"
        else:
            self.segment, self.expect, closer = "", KEY_OR_END, "}"
        if closer not in self.closers:
            self.closers += closer
        if opener == "[" or self._steps is not None:
            self.prefix = path_of(self._outer())

    def _read_key(self, text: str, at: int, base: int) -> int:
        began = at
        at, self.half, fault = read_string(text, at, self.half)
        if fault >= 0:
            self._check(base + fault, text[fault], IN_STRING)
        part = text[began : at if self.half else at - 1]
        # Each part is longer than the one behind it, so they are few, and joining them
        # copies a code point a few times.
        while self.key and len(self.key[-1]) <= len(part):
            part = self.key[-1] + part
            self.key = self.key[:-1]
        self.key += (part,)
        if not self.half:
            self.segment = decoded("".join(self.key))
            self.key = ()
            self.expect = COLON
        return at

    def _meet(self, char: str, *, is_opening: bool, is_key: bool) -> bool | None:
        """Return whether a value is wanted, or ``None`` where it is entered."""
        segment = self.segment
        if isinstance(segment, int) and self.expect == AFTER:
            # A comma is missing.
            segment = self.segment = segment + 1
        at_key = is_key and self.expect != AFTER
        steps = self._steps
        if steps is None:
            is_near = True
            is_last = isinstance(segment, int) and not self.found
        else:
            step = steps[self.depth - 1]
            is_near = not is_key and (step is None or step == segment)
            is_last = is_near and self.depth == len(steps)
        # What stands in the place of a key is read as one.
        self.expect = COLON if at_key else AFTER
        if is_last:
            return True
        if is_near and is_opening and self.goes_into(char):
            self.enter(char)
            return None
        return False

    def _close(self, closer: str, offset: int) -> None:
        """Leave what a closing bracket ends."""
        if closer != _CLOSER[type(self.segment)]:
            self._check(offset, closer)
            if closer not in self.closers:
                return
        is_closed = False
        while self.depth and not is_closed:
            is_closed = closer == _CLOSER[type(self.segment)]
            self._leave()

    def _leave(self) -> None:
        if self._steps is None and isinstance(self.segment, int):
            self.found = True
            if not self._rules.strict:
                # What comes behind the items is of no interest.
                self.depth = 1
        self.depth -= 1
        if not self.depth:
            return
        self.segment = self.frames[-1]
        self.frames = self.frames[:-1]
        if not self.frames and self.older:
            self.frames = self.older[-1]
            self.older = self.older[:-1]
        self.expect = AFTER
        if self._steps is None:
            self.closers = "}"
        else:
            around = {_CLOSER[type(each)] for each in (*self._outer(), self.segment)}
            self.closers = "".join(sorted(around))
            self.prefix = path_of(self._outer())

    def _outer(self) -> Frames:
        return (*chain.from_iterable(self.older), *self.frames)

    def _check(self, offset: int, found: str, expected: str = "") -> None:
        """Raise where the rules are strict."""
        if self._rules.strict:
            raise Fault(
                offset, found, expected or EXPECTED[self.expect], _path_at(self.place)
            )


_OUTSIDE: Place = ((), (), 0, 0, VALUE, "", (), False, "$", "")
_AT_VALUE = (VALUE, COLON)
_AT_ELEMENT = (FIRST, VALUE)
_AT_MEMBER = (KEY_OR_END, KEY)
_CLOSER: dict[type, str] = {int: "]", str: "}"}


def _ends_blank_line(text: str, at: int) -> bool:
    """Whether *text* has a line end behind *at*, and nothing but blanks behind that."""
    # Looked for in more and more of it, because all of it may be long to copy.
    length = 64
    while True:
        first = max(at, len(text) - length)
        end = text[first:].rstrip(_BLANKS)[-1:]
        if end or first == at:
            return end in LINE_ENDS
        length *= 4


def _path_at(around: Around) -> str:
    """Return the path of what was read last, for an error."""
    if not isinstance(around, tuple):
        return "$"
    older, frames, _, segment, expect, *_ = around
    path = path_of((*chain.from_iterable(older), *frames))
    is_between = isinstance(segment, str) and expect in {KEY_OR_END, KEY}
    return path if is_between else path + segment_path(segment)


def _path_of_chunk(around: Around) -> str:
    return around[8] + segment_path(around[3]) if isinstance(around, tuple) else "$"


@lru_cache(maxsize=64)
def _rules(at: str, strict: bool, allow_nan: bool) -> Rules:  # noqa: FBT001 - what a cache takes
    by_line = at == "lines" and not strict
    return rules_of(allow_nan=allow_nan, strict=strict, by_line=by_line)


def _rebuild(
    cls: type[JSONChunking],
    at: str,
    strict: bool,  # noqa: FBT001 - as pickle calls it
    allow_nan: bool,  # noqa: FBT001 - as above
) -> JSONChunking:
    return cls(at=at, strict=strict, allow_nan=allow_nan)


register_built_in("json", JSONChunking)
