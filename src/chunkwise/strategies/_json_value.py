"""One JSON value, looked at as it arrives."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias

    Blocks: TypeAlias = "tuple[str, ...]"
    Value: TypeAlias = "tuple[int, int, int, str, bool, Blocks, str, int]"

# What may come next: also names what is missing where something else comes.
VALUE, FIRST, KEY_OR_END, KEY, COLON, AFTER, LOST = range(7)
EXPECTED = (
    "a value",
    "a value or ']'",
    "a string or '}'",
    "a string",
    "':'",
    "',' or the end of the array or object",
    "a new line",
)

# Kinds of tokens, which are the groups of `TOKEN`.
OPENS, CLOSES, COMMA, COLONS, STRING, QUOTE, SCALAR = range(1, 8)

_BEGINS_A_VALUE = frozenset((OPENS, STRING, QUOTE, SCALAR))
FITS = (
    _BEGINS_A_VALUE,
    _BEGINS_A_VALUE | {CLOSES},
    frozenset((STRING, QUOTE, CLOSES)),
    frozenset((STRING, QUOTE)),
    frozenset((COLONS,)),
    frozenset((COMMA, CLOSES)),
)
"""The kinds of tokens that may come next."""

# What became of a value.
OPEN, CLOSED, BROKEN, NO_VALUE = range(4)

WHITE_SPACE = " \t\n\r"
LINE_ENDS = "\n\r"
OPENER = {"]": "[", "}": "{"}
LINE_END = "\n"
"""Stands for a line end at the end of the text, whichever it was."""

IN_STRING = "a code point that a JSON string may hold"
IN_WORD = "the rest of a number or name"
_ESCAPED = '"\\/bfnrt'
_HEX_DIGITS = "0123456789abcdefABCDEF"
_WHOLE_ESCAPE = 7
_TOO_DEEP = ("[[", "[{")
"""What no run begins with."""
_AT_KEY = (KEY_OR_END, KEY)
_GOES_ON = " \t\n\r]}"
"""Code points at the start of a line that goes on with what came before."""

BLOCK = 128
"""Items of a stack in one of its blocks; the last block has up to twice as many."""

# Patterns repeat what has alternatives in it 200 times at most, because each time
# takes memory until the match has ended. Where more follow, they are applied again.
_SPACE = "[ \t\n\r]*"
# What has matched is never given back where that is possible: behind it comes what it
# cannot hold, and to look for that in it again takes time where a pattern fails.
_KEEPS = "+" if sys.version_info >= (3, 11) else ""
_PLAIN = rf'[^"\\\x00-\x1f]*{_KEEPS}'
_ESCAPE = r'\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})'
_BODY = f"{_PLAIN}(?:{_ESCAPE}{_PLAIN}){{0,200}}{_KEEPS}"
_STRING = f'"{_BODY}"'
_INT = "-?(?:0|[1-9][0-9]*)"
_FRACTION = r"(?:\.[0-9]+)?"
_NUMBER = rf"{_INT}{_FRACTION}(?:[eE][+-]?[0-9]+)?"

TOKEN = re.compile(
    rf"{_SPACE}(?:([\[{{])|([\]}}])|(,)|(:)|({_STRING})|(\")"
    rf"|([^ \t\n\r\[\]{{}},:\"]+))"
)
_STRING_BODY = re.compile(_BODY)
_REST_OF_WORD = re.compile(r"[^ \t\n\r\[\]{},:\"]*")
_LINE_AHEAD = re.compile(r"[\n\r](?=[^ \t\n\r\]}])")
"""A line end in front of a line that does not go on with what came before."""

_BEGUN_NUMBER = re.compile(
    rf"(-)|(-?0)|(-?[1-9][0-9]*)|({_INT}\.)|({_INT}\.[0-9]+)"
    rf"|({_INT}{_FRACTION}[eE])|({_INT}{_FRACTION}[eE][+-])"
    rf"|({_INT}{_FRACTION}[eE][+-]?[0-9]+)"
)
_SAME_AS = ("", "-", "0", "1", "0.", "0.0", "0e", "0e+", "0e0")
"""The shortest number that goes on in the same ways, for each group above."""

_WRONG = "?"
"""Stands for the beginning of a number or name that is neither."""


class Rules(NamedTuple):
    """What counts as a value, and what happens where there is none.

    Attributes:
        names: The words that are values.
        scalar: Pattern of a number or name.
        members: Pattern of the members that come next in an object without going
            deeper than one level. Its groups are those with a comma behind them, and
            the last one.
        elements: The same for an array.
        member: Pattern of the next member, if it is whole and its value a string,
            number or name. Its groups are the key, the value, and the comma behind it,
            in whose place a closing bracket may follow.
        element: The same for an array, without a key; the value may go one level deep.
        line: The same for a value that ends its line; its group is the value.
        strict: Whether what is malformed raises.
        by_line: Whether what is malformed ends with its line.
    """

    names: tuple[str, ...]
    scalar: re.Pattern[str]
    members: re.Pattern[str]
    elements: re.Pattern[str]
    member: re.Pattern[str]
    element: re.Pattern[str]
    line: re.Pattern[str]
    strict: bool
    by_line: bool


def rules_of(*, allow_nan: bool, strict: bool, by_line: bool) -> Rules:
    """Return the rules; the patterns are compiled once."""
    names: tuple[str, ...] = ("true", "false", "null")
    if allow_nan:
        names += ("NaN", "Infinity", "-Infinity")
    scalar = f"(?:{_NUMBER}|{'|'.join(names)})"
    value = f"(?:{_STRING}|{scalar})"
    key = f"{_STRING}{_SPACE}:{_SPACE}"
    behind = rf"(?:{_SPACE}(,)|(?={_SPACE}[\]}}]))"
    # In objects what is looked for may be in the next value, if that has brackets.
    member = re.compile(f"{_SPACE}({_STRING}){_SPACE}:{_SPACE}({value}){behind}")

    def flat(item: str) -> str:
        more = f"(?:{item}{_SPACE},{_SPACE}){{0,50}}{_KEEPS}"
        return f"{_SPACE}(?:{more}{item}{_SPACE})?"

    # Arrays and objects without others in them count as one: most are such. What is
    # deeper is looked at once more, in a run of its own.
    value = rf"(?:{value}|\[{flat(value)}\]|\{{{flat(key + value)}\}})"
    element = re.compile(f"{_SPACE}({value}){behind}")
    line = re.compile(rf"{_SPACE}({value})(?=[ \t]*[\n\r])")

    def run_of(item: str, closer: str) -> re.Pattern[str]:
        more = f"(?:{item}{_SPACE},{_SPACE}){{0,200}}"
        return re.compile(f"{_SPACE}({more})({item}(?={_SPACE}[,{closer}]))?")

    return Rules(
        names=names,
        scalar=re.compile(scalar),
        members=run_of(key + value, "}"),
        elements=run_of(value, r"\]"),
        member=member,
        element=element,
        line=line,
        strict=strict,
        by_line=by_line,
    )


class Fault(Exception):  # noqa: N818 - it never leaves: the strategy adds the path
    """What was found is not JSON.

    Args:
        offset: Where, in the stream.
        found: The code point there; empty at the end of the text.
        expected: What JSON would have there.
        path: Of what it is in, where that is known.
    """

    def __init__(
        self, offset: int, found: str, expected: str, path: str | None = None
    ) -> None:
        super().__init__(offset, found, expected, path)
        self.offset = offset
        self.found = found
        self.expected = expected
        self.path = path


def begun(start: int, *, wanted: bool) -> Value:
    """Return the state of a value that begins at the stream offset *start*."""
    return (start if wanted else -1, start, VALUE, "", False, (), "", 0)


def go_on(  # noqa: C901, PLR0911, PLR0912, PLR0915 - one loop, because it is hot
    text: str, at: int, base: int, value: Value, rules: Rules, closers: str
) -> tuple[int, int, Value]:
    """Look at what has arrived of a value.

    Args:
        text: The stream from *base* on.
        at: Where in *text* the value begins or goes on.
        base: Stream offset of *text*.
        value: Its state: that of `begun`, or what the last call returned.
        rules: What counts as one.
        closers: The closing brackets that end what is around it.

    Returns:
        What became of it, where in *text* that was certain, and its state. ``OPEN``:
        the text ended. ``CLOSED``: it ended. ``BROKEN``: it is malformed, and what
        comes next does not belong to it. ``NO_VALUE``: it is a word that is none.

    Raises:
        Fault: The rules are strict, and it is malformed.
    """
    # Plan: take one token after the other; a run of what is no deeper than one
    # level is taken by one match. A token may go on in the next text: `half` holds
    # as much of it as matters, which is a quotation mark and an escape that has begun,
    # or the shortest word that can go on in the same ways. So what has been looked at
    # need not be read again, and within one text a token is looked at a few times at
    # most: as part of two runs, as a whole, and as one that goes on. What is malformed
    # is noted, and read on by its brackets; by line, it is `LOST` up to the next line.
    # Opening brackets are a stack: `block` has the innermost ones, `older` the others
    # in blocks, so that one more copies a few of them only. `stop` is the end of what
    # is no white space.
    start, stop, expect, half, malformed, older, block, braces = value
    began = at
    size = len(text)
    by_line = rules.by_line
    begins_line = half == LINE_END
    if begins_line:
        half = ""
    word = ""
    while expect != LOST:
        if half:
            kind = STRING
            if half[0] != '"':
                kind = SCALAR
                end = _REST_OF_WORD.match(text, at).end()  # type: ignore[union-attr]  # it matches ""
                word = half + text[at:end]
                at = end
        else:
            match = TOKEN.match(text, at)
            if match is None:
                at = size
                break
            kind = match.lastindex or 0
            where = match.start(kind)
            at = match.end()
            if kind not in FITS[expect]:
                if rules.strict:
                    raise Fault(base + where, text[where], EXPECTED[expect])
                malformed = True
                if by_line and kind != CLOSES:
                    if text[where - 1] in LINE_ENDS if where else begins_line:
                        stop = _end_before(text, where, began, base, stop)
                        how = BROKEN
                        return (how, where, (start, stop, LOST, "", True, (), "", 0))
                    expect = LOST
                    at = where
                    break
            if kind == SCALAR:
                word = match[SCALAR]
            elif kind == QUOTE:
                half = '"'
                kind = STRING
        if kind == STRING:
            if half:
                at, half, fault = read_string(text, at, half)
                if fault >= 0:
                    if rules.strict:
                        raise Fault(base + fault, text[fault], IN_STRING)
                    malformed = True
                    if by_line:
                        expect = LOST
                        at = fault
                        half = ""
                    continue
                if half:
                    break
        elif kind == SCALAR:
            if at == size:
                half = _as_begun(word, rules)
                if half == _WRONG and rules.strict:
                    raise fault_in(word, base + at, "", rules)
                break
            half = ""
            if not rules.scalar.fullmatch(word):
                if rules.strict:
                    raise fault_in(word, base + at, text[at], rules)
                if by_line:
                    if not block:
                        return (NO_VALUE, at, value)
                    expect = LOST
                malformed = True
        elif kind == CLOSES:
            closer = text[at - 1]
            opener = OPENER[closer]
            fits = block[-1] == opener
            if not fits:
                if rules.strict:
                    raise Fault(base + at - 1, closer, EXPECTED[expect])
                malformed = True
                brackets = BLOCK * len(older) + len(block) - braces
                if not (braces if opener == "{" else brackets):
                    if closer in closers:
                        at -= 1
                        stop = _end_before(text, at, began, base, stop)
                        how = BROKEN
                        return (how, at, (start, stop, LOST, "", True, (), "", 0))
                    if by_line:
                        expect = LOST
                    continue
            last = ""
            while last != opener:
                last = block[-1]
                block = block[:-1]
                if last == "{":
                    braces -= 1
                if not block and older:
                    block = older[-1]
                    older = older[:-1]
            if by_line and malformed and block:
                expect = LOST
        elif kind == COLONS:
            if block[-1] == "{":
                expect = VALUE
            continue
        else:
            if kind == OPENS:
                block += text[at - 1]
                if block[-1] == "{":
                    braces += 1
                if len(block) == 2 * BLOCK:
                    older = (*older, block[:BLOCK])
                    block = block[BLOCK:]
            if block[-1] == "{":
                expect = KEY_OR_END if kind == OPENS else KEY
                run = rules.members.match(text, at)
            else:
                expect = FIRST if kind == OPENS else VALUE
                if text[at : at + 2] in _TOO_DEEP:
                    continue
                run = rules.elements.match(text, at)
            at = run.end()  # type: ignore[union-attr]  # it matches ""
            if run[2] is not None:  # type: ignore[index]  # as above
                expect = AFTER
            elif run[1]:  # type: ignore[index]  # as above
                expect = KEY if block[-1] == "{" else VALUE
            continue
        if not block:
            stop = base + at
            return (CLOSED, at, (start, stop, AFTER, "", malformed, (), "", 0))
        if expect != LOST:
            is_key = expect in _AT_KEY or (expect == AFTER and block[-1] == "{")
            expect = COLON if is_key and kind != CLOSES else AFTER
    if expect == LOST:
        if begins_line and at == 0 and text and text[0] not in _GOES_ON:
            return (BROKEN, 0, (start, stop, LOST, "", True, (), "", 0))
        ahead = _LINE_AHEAD.search(text, at)
        if ahead:
            stop = _end_before(text, ahead.start(), began, base, stop)
            how = BROKEN
            return (how, ahead.end(), (start, stop, LOST, "", True, (), "", 0))
        at = size
    if half[:1] == '"' and not by_line:
        stop = base + size
    else:
        stop = _end_before(text, size, began, base, stop)
    if by_line and not half:
        ends_line = text[-1] in LINE_ENDS if size > began else begins_line
        half = LINE_END if ends_line else ""
    return (OPEN, size, (start, stop, expect, half, malformed, older, block, braces))


def is_inside_string(text: str) -> bool:
    """Whether all of *text* surely goes on with a string; soon said of most deltas."""
    return '"' not in text and "\\" not in text and text.isprintable()


def read_string(  # noqa: C901 - one branch for each part of a string
    text: str, at: int, half: str
) -> tuple[int, str, int]:
    """Read on in a string.

    Args:
        text: Where it goes on.
        at: Where in *text*.
        half: A quotation mark, and behind it what is there of an escape.

    Returns:
        Where reading came to an end; what is open there, empty when the string has
        ended; and the place of a code point that cannot be there, or -1. Behind such a
        one the string goes on.
    """
    size = len(text)
    while at < size:
        if half == '"':
            at = _STRING_BODY.match(text, at).end()  # type: ignore[union-attr]  # it matches ""
            if at == size:
                break
            if text[at] == '"':
                return (at + 1, "", -1)
            if text[at] != "\\":
                return (at + 1, '"', at)
            half = '"\\'
        elif half == '"\\':
            if text[at] == "u":
                half = '"\\u'
            elif text[at] in _ESCAPED:
                half = '"'
            else:
                return (at, '"', at)
        elif text[at] in _HEX_DIGITS:
            half += text[at]
            if len(half) == _WHOLE_ESCAPE:
                half = '"'
        else:
            return (at, '"', at)
        at += 1
    return (at, half, -1)


def is_word(half: str, rules: Rules) -> bool:
    """Whether what is open is a number or name that could end here."""
    return bool(rules.scalar.fullmatch(half))


def fault_in(word: str, end: int, found: str, rules: Rules) -> Fault:
    """Return what is wrong about a word that is no number or name.

    Args:
        word: The word, or the shortest one that goes on in the same ways.
        end: Where it ends, in the stream.
        found: What is behind it.
        rules: What counts as a value.
    """
    half = ""
    for number, char in enumerate(word):
        half = _as_begun(half + char, rules)
        if half == _WRONG:
            return Fault(end - len(word) + number, char, EXPECTED[VALUE])
    return Fault(end, found, IN_WORD)


def _as_begun(word: str, rules: Rules) -> str:
    """Return the shortest beginning of a number or name that can go on as *word*."""
    number = _BEGUN_NUMBER.fullmatch(word)
    if number:
        return _SAME_AS[number.lastindex or 0]
    if any(name.startswith(word) for name in rules.names):
        return word
    return _WRONG


def _end_before(text: str, at: int, began: int, base: int, stop: int) -> int:
    """Return where what is no white space ends before *at*, in the stream.

    Args:
        text: The stream from *base* on.
        at: A place in *text*.
        began: The place in *text* from where on it was looked at just now.
        base: Stream offset of *text*.
        stop: The answer where all of that is white space.
    """
    while at > began:
        if text[at - 1] not in WHITE_SPACE:
            return base + at
        at -= 1
    return stop
