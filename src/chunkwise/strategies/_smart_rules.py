"""The smart rules: where a sentence ends, decided with the next word at most."""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import east_asian_width

import regex
from typing_extensions import override

from .._spans import NEVER
from .._strategy import ChunkingStrategy
from .._white_space import LINE_ENDS
from ._line_starts import BULLETS, HEADING, ITEM, PLAIN, QUOTE, ROW, line_start
from ._word_rules import DASHES, DIALOGUE, OPENING, SHORT, TOKEN, WordRules

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from .._spans import ScanFields, SpanFields
    from ._languages import Language

    # Whether nothing else here matters for most deltas; where the last code point of
    # the open sentence ends that is not white space, if text was let go of; what the
    # line is that the text has come to, or the mark that closes the block around it;
    # the list marker that would begin the next item inside the sentence; whether the
    # stream has had a chunk; whether the sentence looks complete, once only white space
    # is kept of it; and up to where what is undecided stays so while neither markup nor
    # a line end comes.
    Mode: TypeAlias = "tuple[bool, int, str, str, bool, bool, int]"
    # Where the open sentence starts, `_NONE` before it begins; how it stands with it;
    # the text that may be looked at again; and how much of its end is undecided.
    OpenSentence: TypeAlias = "tuple[int, Mode, str, int]"
    # Where the sentence ends, or one of the marks below; and where to look next.
    Verdict: TypeAlias = "tuple[int, int]"

_NONE = -1
"""In place of an offset: no sentence has begun."""
_GO_ON = -1
"""In place of an end: the sentence goes on."""
_WAIT = -2
"""In place of an end: what comes next decides.

One less for each code point that may come and decide nothing, if it is printable and no
markup.
"""

LEFT = 200
"""Code points left of a mark that a decision may look at."""
_KEPT_LEFT = LEFT + TOKEN
"""Code points left of what is undecided that are kept before any are let go of."""
_KEPT_PLAIN = 2 * TOKEN
"""The same where there is neither markup nor a quotation mark among them."""
_KEPT_AT_FIRST = 3 * TOKEN
"""Code points that are kept before it is looked which of them are needed."""
_LONG = 2 * _KEPT_LEFT
"""Code points from which on a text is for the rules in full from the first."""
_SPACES = 24
"""White space longer than this ends a sentence whatever follows."""


def _class(chars: str) -> str:
    return "".join(f"\\{char}" if char in r"\]^-[" else char for char in sorted(chars))


_SPACED = ".!?\u2026\u203c\u203d\u2047\u2048\u2049\u061f\u06d4\u0589\u1362\u1367\u1368"
"""Terminators behind which a sentence ends only at white space."""
_CLOSING = (
    "\"'\u201d\u2019\u00bb\u203a)]}*_`~\u300d\u300f\uff09\u3011\u300b\u3009\u3015"
    "\uff3d\uff5d\u201c\u2018\u202c\u2069"
)
_OPENING_QUOTES = "\u201c\u2018"
_EITHER = "\"'*_`~"
"""Closing marks that may be opening ones."""
_EAST_ASIAN_CLOSING = frozenset("\u300d\u300f\uff09")
_CLAUSE_MARKS = ",;:\u2013\u2014"
_GLUED_CLAUSE_MARKS = "\u3001\uff0c\uff1b\uff1a\u060c\u061b"

_SPACE = re.compile(rf"\s{{0,{_SPACES}}}").match
_TEXT = re.compile(r"\S").search
_LETTER_OR_DIGIT = re.compile(r"[^\W_]").search
_LINE_END = re.compile(f"[{''.join(sorted(LINE_ENDS))}]").search
# A `\r` takes its `\n`, and is never one line end with another one behind it.
_ONE_END = rf"(?:\r\n|\r(?!\n)|[{''.join(sorted(LINE_ENDS - {chr(13)}))}])"
_BLANK_LINE = re.compile(rf"{_ONE_END}[ \t]*{_ONE_END}").search
_PLAIN_LINE = rf"[ \t]{{0,20}}(?:[^\W\d_](?=[^)])|[^\s\w#|>~`*+\-{BULLETS}])"
_MARKER = rf"(?:[-*+{BULLETS}][ \t]|\d{{1,9}}[.)][ \t]|[A-Za-z]\)[ \t]|#{{1,6}}\s|\|)"
# A line end, and what most lines begin with, as `line_start` knows it: nothing special,
# which has no group, a second line end, a marker, white space so far, a marker so far.
_NEXT_LINE = re.compile(
    rf"\n(?:{_PLAIN_LINE}|(\n)"
    rf"|[ \t]{{0,20}}(?:({_MARKER})|(\Z)"
    rf"|([-*+{BULLETS}]\Z|\d{{1,9}}[.)]?\Z|[A-Za-z]\)?\Z)))"
).match
_MARKED, _INDENTED, _, _ASKED = range(2, 6)
"""Groups of this: a marker, white space, what is begun; and behind them, no match."""
_CITATION_BEGUN = re.compile(r"\[\d{0,3}\Z").match
# Behind white space: emoji, an emoticon, a citation.
_TAIL = regex.compile(
    r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\ufe0f\u200d]"
    r"{1,16}|[:;=][-^o']?[)(DPp/|\]\[*]{1,4}(?=\s|\Z)|<3(?=\s|\Z)|(?:\[\d{1,3}\]){1,4}"
).match
_TAIL_BEGUN = re.compile(r"(?:[:;=][-^o']?|<|\[\d{0,3})\Z").match
_SPACED_DOTS = re.compile("(?:[ \xa0]\\.){2,8}").match
_SPACED_DOTS_BEGUN = re.compile("[ \xa0](?:\\.[ \xa0]){0,8}\\.?\\Z").match
_CLOSERS = re.compile(f"[{_class(_CLOSING)}]{{0,8}}").match
_OPENERS = re.compile(f"(?:[{_class(OPENING)}]|,,){{0,8}}").match
_ITEM = re.compile(
    rf"(?:([{BULLETS}])\s{{0,3}})?(?:(\d{{1,3}}|[a-z])(\.\)|[.)])(?=\s))?"
).match
_ITEM_BEGUN = re.compile(
    rf"(?:[{BULLETS}]\s{{0,3}})?(?:(?:\d{{1,3}}|[a-z])(?:\.\)?|\))?)?\Z"
).match
_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]").match
_HIRAGANA = regex.compile(r"\p{Hiragana}").match
_MARKUP = "*_`~"
# A run of markup that may open a span. First what is searched for, which is faster.
_OPENER = re.compile(r"[*_`](?<![a-zA-Z0-9].)[*_`]*(?=[^\s*_`])").search
_SAME = re.compile(r"(.)\1*", re.DOTALL).finditer
_RUNS = re.compile(r"`+|\*+|_+").finditer
_MARKUP_RUNS = re.compile(r"`+|\*+|_+|~+").finditer
_QUOTE_MARKERS = re.compile(r"(?:>[ \t]?){0,8}").match
_LINE_FIRST = frozenset(f"#|>~`*+-_{BULLETS}")
_ITEM_FIRST = frozenset(f"0123456789{ascii_lowercase}{BULLETS}")

_FLOWING = frozenset({PLAIN, ITEM, QUOTE})
"""What a line is behind whose end the sentence may go on."""
_NEW_LINE = "\n"
"""What the line is: one that has just begun."""
_FENCES = "`~"
_BLOCKS = "`~<"
"""What marks begin with that close a block."""
_USUAL: Final = 0
_STOP: Final = 1
_LINE: Final = 2
_ITEM_TO_COME: Final = 3
_LATER: Final = 4
_UNTIL: Final = 6
"""Places in a `Mode`."""
_ANEW = (_NONE, (True, _NONE, _NEW_LINE, "", True, False, 0), "", 0)
"""The state behind a chunk and white space with a line end."""
_MARK_OPEN, _CAPITAL, _PARAGRAPH, _LETTER, _LINE_OPEN, _LINE_ENDS = range(1, 7)
"""What a look found, as the groups of `_looker`.

A terminator at the end, before a capital, a blank line, or a line with a letter; a line
end at the end, or one that ends a sentence: before a blank line, a lot of white space,
or a marker.
"""
_UNDECIDED = frozenset({_MARK_OPEN, _LINE_OPEN})
_SENTENCE = "sentence"
_CLAUSE = "clause"
_TEX_QUOTE = 2
"""Backticks of an opening quotation mark."""
_FENCE = 80
"""Code points of the longest code fence."""
_ENDS_BEFORE = -1
"""In place of an offset: the sentence ends before an ellipsis."""
_ELLIPSIS = 3
"""Full stops of an ellipsis."""
_BLANKS_OF_DOTS = (" ", "\xa0")
_TAILS = 5
"""Things that may stand apart behind a terminator, and one."""
_LONE = 40
"""Code points in which a sentence must have a letter or digit to end."""
_LONE_QUOTES = "\"'\xbb"
_NOT_AFTER_GLUED = frozenset("\u3001\uff0c,)]\u300d\u300f\uff09\u3011\u300b")


class SmartOptions(NamedTuple):
    """What a strategy asks of the rules; its parameters say what they mean.

    Attributes:
        language: What is known about the language.
        newlines: What a single line end is.
        glued: Whether a sentence may end without white space behind it.
        attaches: Whether what has no letter or digit joins what follows.
        protected: Names of tags whose content is never cut.
        first_clause: Whether the first chunk of a stream may be a clause.
        clauses: Whether every chunk may be one.
        min_size: The least that a clause has, in code points.
    """

    language: Language
    newlines: str
    glued: bool
    attaches: bool
    protected: tuple[str, ...]
    first_clause: bool
    clauses: bool
    min_size: int


class SmartRules(ChunkingStrategy["OpenSentence"]):
    """Finds the sentences of a stream, with the rules of one set of options.

    What the public strategies scan with; it has no name of its own in dictionaries.

    Args:
        options: The options.
    """

    # Plan. One search finds the next code point that could end something: a terminator,
    # a line end, the marker of a list inside a line. What is around it decides: the
    # word before it and what follows, up to the end of the next word. All that is
    # looked at has a limit, and so has what is looked at again while that is still on
    # its way: the sentence, up to 200 code points left of the mark, for markup that is
    # open there, and less than 100 right of it. A scan without anything undecided
    # resumes at the end of the text.
    __slots__ = (
        "_clause_marks",
        "_closing_tags",
        "_find",
        "_find_ascii",
        "_find_item",
        "_glued",
        "_goes_on",
        "_is_mark",
        "_is_ordinary",
        "_is_usual",
        "_kind",
        "_left",
        "_look",
        "_look_ascii",
        "_options",
        "_run",
        "_trigger",
        "_words",
    )

    def __init__(self, options: SmartOptions) -> None:
        self._options = options
        self._kind = _CLAUSE if options.clauses else _SENTENCE
        self._left = max(TOKEN, options.min_size)
        self._goes_on = options.newlines == "auto"
        marks = _terminators() + options.language.further_marks
        self._glued = frozenset(marks) - frozenset(
            _SPACED + options.language.further_marks
        )
        self._is_mark = frozenset(marks)
        clauses = options.clauses or options.first_clause
        self._clause_marks = frozenset(
            _CLAUSE_MARKS + _GLUED_CLAUSE_MARKS if clauses else ""
        ) - frozenset(marks)
        self._closing_tags = {f"<{name}>": f"</{name}>" for name in options.protected}
        ends = "".join((*LINE_ENDS, *self._clause_marks))
        ends += "<" if options.protected else ""
        self._find = _finder(marks + ends)
        self._find_item = _finder(marks + ends + ")" + BULLETS)
        self._find_ascii = _finder(_ascii(marks + ends))
        self._is_usual = self._goes_on and not (
            options.glued or options.attaches or self._clause_marks
        )
        further = options.language.further_marks
        self._look = _looker(marks + ends + BULLETS, further)
        self._look_ascii = _looker(_ascii(marks + ends), further)
        self._run = re.compile(
            rf"([{_class(marks)}]{{1,8}})"
            rf"((?:[{_class(_CLOSING)}]|\[\d{{1,3}}\]|[\xb9\xb2\xb3\u2070-\u2079]){{0,8}})"
        ).match
        self._words = WordRules(options.language)
        self._is_ordinary = self._words.is_ordinary
        # A ")" is frequent, and marks of lists that end in one are not: while one of
        # these may come, every delta is looked at.
        self._trigger = frozenset(marks + ends + BULLETS)

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self._trigger

    @override
    def begin(self, offset: int) -> OpenSentence:
        return (_NONE, (self._is_usual, _NONE, _NEW_LINE, "", False, False, 0), "", 0)

    @override
    def opened(
        self, text: str, base: int, state: OpenSentence
    ) -> tuple[int, int] | None:
        start, mode, behind, undecided = state
        if start == _NONE:
            return None
        stop = max(mode[_STOP], start)
        end = base - undecided
        kept = behind[: len(behind) - undecided]
        content = kept.rstrip()
        if content:
            stop = end - len(kept) + len(content)
        return start, min(stop, end)

    @override
    def scan(  # noqa: C901, PLR0911, PLR0912, PLR0915 - in one place because it is hot
        self, text: str, base: int, state: OpenSentence, final: bool = False
    ) -> ScanFields[OpenSentence]:
        # Most deltas decide nothing, or end a sentence as most do, which one search
        # tells. Everything else is for the rules in full, with the same result.
        start, mode, behind, left = state
        seen = behind + text
        begin = base - len(behind)
        at = len(behind) - left
        resume = base + len(text)
        if final or not mode[_USUAL] or len(seen) > _LONG:
            line = mode[_LINE]
            if final or start == _NONE:
                pass
            elif line != "" and line[0] in _FENCES and line[0] not in seen:
                return self._inside_fence(seen[at:], resume, start, mode)
            elif left and self._tells_nothing(text, base, state):
                state = (start, mode, seen, left + len(text))
                return ((), start, resume, state, 0)
            return self._scan_fully(seen, begin, at, start, mode, final)
        if start == _NONE:
            rest = seen.lstrip()
            if not rest:
                return ((), resume, resume, (_NONE, mode, "", 0), NEVER)
            if not _begins_plainly(rest):
                return self._scan_fully(seen, begin, at, start, mode, final)
            seen = rest
            start = begin = resume - len(seen)
            mode = (True, _NONE, PLAIN, "", mode[_LATER], False, 0)
            at = 0
        look = self._look_ascii if seen.isascii() else self._look
        item = mode[_ITEM_TO_COME]
        spans: list[SpanFields] = []
        while True:
            found = look(seen, at)
            if found is None:
                at = len(seen)
                if item:
                    # The next word may be the marker that ends this sentence.
                    at = _marker_start(seen, max(at - SHORT, 0), at, item)
                if len(seen) <= _KEPT_AT_FIRST:
                    state = (start, mode, seen, len(seen) - at)
                    return (spans, start, resume, state, NEVER)
                return self._held(spans, seen, begin, at, start, mode, NEVER)
            at = found.start()
            known = found.lastindex
            if known is None or (
                item and known < _LINE_OPEN and _may_be_marker(seen, at, item)
            ):
                break
            end = _WAIT
            if known not in _UNDECIDED:
                end = self._usual_end(seen, start - begin, found)
            if end == _GO_ON:
                at += 1
                continue
            if end == _WAIT:
                if item:
                    at = _marker_start(seen, max(at - SHORT, 0), at, item)
                if len(seen) <= _KEPT_AT_FIRST:
                    state = (start, mode, seen, len(seen) - at)
                    return (spans, start, resume, state, 0)
                return self._held(spans, seen, begin, at, start, mode, 0)
            if end <= 0:
                break
            spans.append((start, begin + end, True, self._kind))
            seen = seen[max(end, at + 1) :].lstrip()
            if not seen:
                return (spans, resume, resume, _ANEW, NEVER)
            start = begin = resume - len(seen)
            at = 0
            item = ""
            if known == _CAPITAL:
                line = mode[_LINE]
            elif _begins_plainly(seen):
                line = PLAIN
            else:
                begun = self._begun(seen, 0, _NEW_LINE, final)
                if begun is None or begun[0] not in _FLOWING or begun[1][-1:] == ")":
                    start, mode, _, _ = _ANEW
                    break
                line, item, at = begun
            mode = (True, _NONE, line, item, True, False, 0)
        result = self._scan_fully(seen, begin, at, start, mode, final)
        return ([*spans, *result[0]], *result[1:]) if spans else result

    def _usual_end(self, text: str, first: int, found: re.Match[str]) -> int:
        """Decide about what a look found: where a sentence ends, or a mark for that.

        0 if this is not known here.
        """
        at = found.start()
        known = found.lastindex
        if known == _LINE_ENDS:
            return len(text[:at].rstrip())
        if at <= max(first, 0):
            return 0
        if known == _CAPITAL:
            before = max(at - TOKEN, 0)
            word = text[text.rfind(" ", before, at) + 1 or before : at]
            if (
                at - first > SHORT
                and word.isalnum()
                and text[at + 2].isupper()
                and self._is_ordinary(word, text[at])
                and not _has_markup(text[max(at - LEFT, 0) : at])
            ):
                return at + 1
        elif known == _PARAGRAPH:
            return at + 1
        elif not text[at - 1].isalnum():
            return 0
        letter = found.end() - 1
        return self._before_letter(text, first, at, letter, final=False)[0]

    def _inside_fence(
        self, text: str, end: int, start: int, mode: Mode
    ) -> ScanFields[OpenSentence]:
        """Scan text of a code block that has none of the marks that close it.

        Args:
            text: The text, from what was undecided on.
            end: Where it ends in the stream.
            start: Where the block starts.
            mode: How it stands with the block.
        """
        # The last line may still turn out to be the closing fence.
        at = max(text.rfind("\n"), text.rfind("\r"))
        if at < 0 or len(text) - at > 2 * _FENCE + 1 or text[at:].strip(" \t>\r\n"):
            at = len(text)
        _, stop, line, item, later, whole, until = mode
        content = len(text[:at].rstrip())
        if content:
            stop = end - len(text) + content
        mode = (False, stop, line, item, later, whole, until)
        return ((), start, end, (start, mode, text[at:], len(text) - at), NEVER)

    def _tells_nothing(self, text: str, base: int, state: OpenSentence) -> bool:
        """Whether what is undecided stays so: white space that grows, or words.

        The latter while markup is open: what stands behind them decides.
        """
        _, mode, behind, left = state
        size = len(text)
        if base + size <= mode[_UNTIL]:
            return text.isprintable() and not _has_markup(text)
        if left + size >= _SPACES or text.strip(" \t") != "":
            return False
        waits = behind[-left:]
        return waits.isspace() or waits[1:].isspace()

    def _scan_fully(  # noqa: C901, PLR0912, PLR0915 - one loop
        self,
        text: str,
        base: int,
        at: int,
        start: int,
        mode: Mode,
        final: bool,  # noqa: FBT001
    ) -> ScanFields[OpenSentence]:
        """Scan text that begins at *base*; nothing before *at* ends a sentence."""
        _, stop, line, item, later, whole, until = mode
        size = len(text)
        resume = base + size
        spans: list[SpanFields] = []
        first = start - base
        is_open = start != _NONE
        wake = NEVER
        until = 0
        plain_find = self._find_ascii if text.isascii() else self._find
        find = self._find_item if item else plain_find
        is_mark = self._is_mark
        # A long text without markup is not looked through for each of its sentences.
        has_markup = size <= LEFT or _has_markup(text)
        clause = self._kind
        while True:
            if not is_open:
                first = at + 1 if text[at : at + 1] == " " else at
                char = text[first : first + 1]
                if not char or char.isspace():
                    found = _TEXT(text, first)
                    first = size if found is None else found.start()
                    char = text[first : first + 1]
                    if (
                        at < first
                        and line != _NEW_LINE
                        and (text[at] == "\n" or _LINE_END(text, at, first))
                    ):
                        line = _NEW_LINE
                if "A" <= char <= "Z" and (
                    line != _NEW_LINE or text[first + 1 : first + 2] not in ("", ")")
                ):
                    # Nearly every sentence begins like this.
                    at = first
                    if line == _NEW_LINE:
                        line = PLAIN
                else:
                    begun = self._begun(text, first, line, final) if char else None
                    if begun is None:
                        # Only a trigger can complete anything, so this can wait, but
                        # for a list whose marks end in what is no trigger, and a fence
                        # that is none because too much is behind it.
                        behind = text[first:]
                        left = len(behind)
                        is_usual = (
                            self._is_usual
                            and line == _NEW_LINE
                            and char not in _LINE_FIRST
                        )
                        mode = (is_usual, _NONE, line, "", later, False, 0)
                        state = (_NONE, mode, behind, left)
                        if char in _ITEM_FIRST or char == "`":
                            wake = 0
                        return (spans, base + first, resume, state, wake)
                    line, item, at = begun
                    find = self._find_item if item else plain_find
                start = base + first
                stop = _NONE
                whole = False
                is_open = True
            if line and line[0] in _BLOCKS:
                end, at, wake = self._block_end(text, at, line, final)
                if end == _GO_ON:
                    break
                if line[0] == "<":
                    line = PLAIN
                    continue
                kind = clause
                line = PLAIN
            else:
                found = _LINE_END(text, at) if line == ROW else find(text, at)
                if found is None:
                    at = size
                    if item and not final:
                        # The next word may be the marker that ends this sentence.
                        at = _marker_start(text, max(first, at - SHORT, 0), at, item)
                    break
                at = found.start()
                char = text[at]
                following = text[at + 1 : at + 2]
                kind = clause
                if char in is_mark:
                    marker = item
                    if item and not _may_be_marker(text, at, item):
                        marker = ""
                    if marker:
                        end, at = self._mark(text, first, at, line, marker, final)
                    elif (
                        following == " "
                        and at - first > SHORT
                        and text[at + 2 : at + 3].isupper()
                        and char != "\u2026"
                    ):
                        # Nearly every sentence ends like this: an ordinary word, and
                        # no markup before it. The same as below, in less time.
                        low = max(first, 0)
                        before = max(at - TOKEN, low)
                        word = text[text.rfind(" ", before, at) + 1 or before : at]
                        if not (word.isalnum() and self._is_ordinary(word, char)):
                            end, at = self._mark(text, first, at, line, "", final)
                        elif has_markup and _has_markup(text[max(at - LEFT, low) : at]):
                            end, at = self._unless_open(text, first, at, at + 1, final)
                        else:
                            at += 1
                            spans.append((start, base + at, True, clause))
                            at += 1
                            first = at
                            start = base + at
                            stop = _NONE
                            whole = False
                            later = True
                            item = ""
                            find = plain_find
                            continue
                    elif not following or (following == " " and at + 2 == size):
                        if final:
                            at += 1
                            continue
                        end = _WAIT
                    elif (
                        char in ".!?"
                        and following.isalnum()
                        and following.isascii()
                        and not self._options.glued
                    ):
                        # Inside a number, an address, the name of a file.
                        at += 1
                        continue
                    else:
                        end, at = self._mark(text, first, at, line, "", final)
                elif char in LINE_ENDS:
                    ahead = None
                    if self._goes_on and line not in (HEADING, ROW):
                        ahead = _NEXT_LINE(text, at)
                    known = _ASKED if ahead is None else ahead.lastindex
                    if known is None:
                        at += 1
                        continue
                    if known <= _MARKED:
                        end = at
                    elif final or known == _ASKED:
                        end, at = self._line_end(text, at, line, final)
                    else:
                        end = _WAIT
                elif char in self._clause_marks:
                    end, at = self._clause(text, first, at, later, final)
                    kind = _CLAUSE
                elif char == "<":
                    end, at, line = self._tag(text, at, line, final)
                elif item:
                    end, at = self._item(text, first, at, item, final)
                else:
                    at += 1
                    continue
                if end == _GO_ON:
                    continue
                if end <= _WAIT:
                    wake = 0
                    if end < _WAIT:
                        until = resume + _WAIT - end
                    if item:
                        at = _marker_start(text, max(first, at - SHORT, 0), at, item)
                    break
                if self._options.attaches and self._is_lone(text, first, end):
                    at = max(at, found.end())
                    continue
            if text[end - 1].isspace():
                content = len(text[max(first, 0) : end].rstrip())
                stop = base + max(first, 0) + content if content else stop
            else:
                stop = base + end
            spans.append((start, stop, True, kind))
            is_open = False
            later = True
            item = ""
            find = plain_find
            at = end
        if final:
            content = len(text.rstrip())
            if content > max(first, 0):
                stop = base + content
                whole = self._looks_complete(text, first, content)
            is_block = line != "" and line[0] in _BLOCKS
            complete = True if whole and not is_block else None
            spans.append((start, stop, complete, clause))
            return (spans, resume, resume, self.begin(resume), 0)
        if item and item[-1] == ")":
            wake = 0
        is_usual = (
            self._is_usual and line in _FLOWING and not until and item[-1:] != ")"
        )
        mode = (is_usual, stop, line, item, later, whole, until)
        return self._held(spans, text, base, at, start, mode, wake)

    def _held(  # noqa: PLR0913, PLR0917 - what a scan has come to
        self,
        spans: list[SpanFields],
        text: str,
        base: int,
        at: int,
        start: int,
        mode: Mode,
        wake: int,
    ) -> ScanFields[OpenSentence]:
        """Return what a scan found, and what it keeps of an open sentence.

        Args:
            spans: What it found.
            text: The text that was looked at.
            base: Where that begins.
            at: How much of it is decided.
            start: Where the open sentence starts.
            mode: How it stands with that.
            wake: When to look again.
        """
        size = len(text)
        resume = base + size
        first = start - base
        need = max(first, 0)
        kept = at - need
        usual, stop, line, item, later, whole, until = mode
        is_code = line != "" and line[0] in _FENCES
        if (
            is_code
            or kept > _KEPT_LEFT
            or (kept > _KEPT_PLAIN and not _may_be_open(text[need:at]))
        ):
            # Text is let go of, so what it tells is kept.
            content = len(text[:at].rstrip())
            if content > need:
                stop = base + content
            need = at if is_code else self._needed_from(text, first, at)
            if max(first, 0) < content <= need:
                # Only white space is kept, so the end of the stream cannot tell.
                whole = self._looks_complete(text, first, content)
            mode = (usual, stop, line, item, later, whole, until)
        if need:
            text = text[need:]
        return (spans, start, resume, (start, mode, text, size - at), wake)

    def _needed_from(self, text: str, first: int, at: int) -> int:
        """Return from where on the text left of *at* may be looked at again.

        The last word, and more only where there is markup, a quotation mark, or a dash
        at the start of the sentence.
        """
        # One code point more, because markup opens nothing behind a letter.
        need = at - self._left - 1
        if need <= first or need <= 0:
            return max(first, 0)
        if first >= 0 and text[first] in DASHES:
            need = max(first, min(need, at - DIALOGUE))
        low = max(first, at - LEFT - 1, 0)
        return low if _may_be_open(text[low : need + 1]) else need

    def _is_lone(self, text: str, first: int, end: int) -> bool:
        """Whether a sentence has no letter and no digit, as far back as is looked."""
        return not _LETTER_OR_DIGIT(text, max(first, end - _LONE, 0), end)

    def _begun(
        self,
        text: str,
        at: int,
        line: str,
        final: bool,  # noqa: FBT001
    ) -> tuple[str, str, int] | None:
        """Return what line a sentence begins in, and the marker of the next item.

        And where its text begins, behind a marker of its own. ``None`` while this
        depends on what follows the text.
        """
        char = text[at]
        if line == _NEW_LINE:
            if (
                char not in _LINE_FIRST and _begins_plain(text, at)
            ) or self._options.newlines == "space":
                line = PLAIN
            else:
                begun = line_start(text, at, final=final)
                if begun is None:
                    return None
                line = begun
        if char not in _ITEM_FIRST or (
            char in ascii_lowercase and text[at + 1 : at + 2] not in ".)"
        ):
            return line, "", at
        if not final and _ITEM_BEGUN(text, at):
            return None
        found = _ITEM(text, at)
        bullet, value, mark = found.groups()  # type: ignore[union-attr]  # it matches ""
        if bullet:
            return line, bullet, found.end()  # type: ignore[union-attr]  # as above
        if value is None:
            return line, "", at
        following = str(int(value) + 1) if value.isdigit() else chr(ord(value) + 1)
        return line, following + mark, found.end()  # type: ignore[union-attr]  # as above

    def _block_end(
        self,
        text: str,
        at: int,
        line: str,
        final: bool,  # noqa: FBT001
    ) -> tuple[int, int, int]:
        """Return where a block ends, where to look next, and when.

        Args:
            text: The text.
            at: Where to look from: at the line end before a line, for a fence.
            line: The fence, or the closing tag.
            final: Whether the text ends the stream.
        """
        size = len(text)
        if line[0] == "<":
            found = text.find(line, at)
            if found >= 0:
                end = found + len(line)
                return end, end, NEVER
            tail = text.rfind("<", max(at, size - len(line) + 1))
            return (_GO_ON, size, NEVER) if tail < 0 else (_GO_ON, tail, 0)
        if text.find(line[0], at) >= 0:
            closing = _fence_end(line[0], len(line), final)(text, at)
            if closing:
                return closing.end(1), closing.end(1), NEVER
        last = max(text.rfind("\n", at), text.rfind("\r", at))
        is_short = last >= 0 and size - last <= 2 * _FENCE + 1
        if is_short and not text[last:].strip(f" \t>\r\n{line[0]}"):
            # This line may still turn out to be the closing fence.
            return _GO_ON, last, NEVER
        return _GO_ON, size, NEVER

    def _line_end(
        self,
        text: str,
        at: int,
        line: str,
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Decide about a line end with no terminator before it."""
        after = _space_end(text, at)
        verdict = self._ends_at_lines(text, at, at, after, line, final)
        if verdict is None:
            return _WAIT, at
        return (at if verdict else _GO_ON), after

    def _ends_at_lines(  # noqa: PLR0911 - one rule after the other
        self,
        text: str,
        end: int,
        at: int,
        after: int,
        line: str,
        final: bool,  # noqa: FBT001
    ) -> bool | None:
        """Whether the line ends in *text* from *at* to *after* end a sentence.

        ``None`` while that depends on what follows the text.
        """
        newlines = self._options.newlines
        if newlines == "boundary" or _BLANK_LINE(text, at, after):
            return True
        if newlines == "auto" and line in (HEADING, ROW):
            return True
        if after - end >= _SPACES:
            return True
        if after == len(text):
            return False if final else None
        if newlines == "space":
            return False
        start = after
        while text[start - 1] not in LINE_ENDS:
            start -= 1
        begun = line_start(text, start, final=final)
        if begun is None:
            return None
        return begun != PLAIN and not (begun == line == QUOTE)

    def _tag(
        self,
        text: str,
        at: int,
        line: str,
        final: bool,  # noqa: FBT001
    ) -> tuple[int, int, str]:
        """Look for a protected tag; return its closing tag as the new line."""
        for opening, closing in self._closing_tags.items():
            if text.startswith(opening, at):
                return _GO_ON, at + len(opening), closing
            if not final and opening.startswith(text[at:]):
                return _WAIT, at, line
        return _GO_ON, at + 1, line

    def _clause(
        self,
        text: str,
        first: int,
        at: int,
        is_later: bool,  # noqa: FBT001
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Decide about a mark between clauses."""
        options = self._options
        if not options.clauses and is_later:
            return _GO_ON, at + 1
        end = at + 1
        size = len(text)
        is_glued = text[at] in _GLUED_CLAUSE_MARKS
        if is_glued and not text[at - 1 : at].isdigit():
            ends = True
        elif end == size:
            return (_GO_ON, end) if final else (_WAIT, at)
        else:
            following = text[end]
            ends = not following.isdigit() if is_glued else following.isspace()
        if not ends or _width(text, first, end) < options.min_size:
            return _GO_ON, end
        if not _LETTER_OR_DIGIT(text, max(first, at - _LONE, 0), at):
            return _GO_ON, end
        return self._unless_open(text, first, at, end, final)

    def _item(  # noqa: PLR0911 - one rule after the other
        self,
        text: str,
        first: int,
        at: int,
        item: str,
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Decide about what may end a list marker inside a line.

        The sentence ends before the marker.
        """
        if len(item) == 1:
            if text[at] == item and text[at - 1].isspace() and at > first:
                return at, at
            return _GO_ON, at + 1
        value = item.rstrip(".)")
        mark = item[len(value) :]
        begin = at - len(value)
        if begin <= max(first, 0) or not text.startswith(value, begin):
            return _GO_ON, at + 1
        if not text[begin - 1].isspace():
            return _GO_ON, at + 1
        after = at + len(mark)
        if not final and after >= len(text) and mark.startswith(text[at:]):
            return _WAIT, begin
        if not text.startswith(mark, at) or not text[after : after + 1].isspace():
            return _GO_ON, at + 1
        return begin, begin

    def _mark(
        self,
        text: str,
        first: int,
        at: int,
        line: str,
        item: str,
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Decide about a terminator."""
        following = text[at + 1 : at + 2]
        if not following:
            return (_GO_ON, at + 1) if final else (_WAIT, at)
        if not item and text[at] in ".!?" and at > first and at > 0:
            # Nearly all have one of these forms: there is nothing to look for around.
            if following == " " and text[at + 2].isalnum():
                return self._before_letter(text, first, at, at + 2, final)
            if following == "\n":
                known = self._before_line(text, first, at, line, final)
                if known is not None:
                    return known
        verdict = self._decide(text, first, at, line, item, final)
        if verdict[0] < 0:
            return verdict
        return self._unless_open(text, first, at, verdict[0], final)

    def _before_line(
        self,
        text: str,
        first: int,
        at: int,
        line: str,
        final: bool,  # noqa: FBT001
    ) -> Verdict | None:
        """Decide about a terminator at a line end, if the next line says enough."""
        end = at + 1
        if text.startswith("\n\n", end):
            return end, end
        if not self._goes_on or line in (HEADING, ROW):
            return None
        ahead = _NEXT_LINE(text, end)
        known = _ASKED if ahead is None else ahead.lastindex
        if known == _MARKED:
            return end, end
        if known == _INDENTED and not final:
            return _WAIT, at
        if ahead is not None and known is None:
            opened = ahead.end() - 1
            if text[opened].isalpha() and text[at - 1].isalnum():
                return self._before_letter(text, first, at, opened, final)
        return None

    def _before_letter(
        self,
        text: str,
        first: int,
        at: int,
        opened: int,
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Decide about a terminator with only white space between it and a word."""
        ends = self._words.ends(text, first, at, opened, text[at], "", final)
        if ends:
            return self._unless_open(text, first, at, at + 1, final)
        if ends is None and not final:
            return _WAIT, at
        return _GO_ON, at + 1

    def _unless_open(  # noqa: C901, PLR0911 - one rule after the other
        self,
        text: str,
        first: int,
        at: int,
        end: int,
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Let a sentence end unless it would do so inside a span of markup.

        An opening run counts until its line ends, and for 200 code points at most.
        """
        verdict = (end, end)
        low = max(at - LEFT, first, 0)
        if not _has_markup(text[low:at]):
            return verdict
        if not _OPENER(text, low, at):
            return verdict
        if low != first:
            low = _left_edge(text, first, at)
        begin = max(low, text.rfind("\n", low, at) + 1)
        opened = ""
        for run in _RUNS(text, begin, end + LEFT):
            start, stop = run.span()
            if start >= end:
                if not opened or start - begin > LEFT or _LINE_END(text, end, start):
                    return verdict
                if stop == len(text) and not final:
                    return _WAIT, at
            if not opened:
                if _opens(text, start, stop):
                    opened = run[0]
                    begin = start
            elif run[0] == opened and not text[start - 1].isspace():
                if start >= end:
                    return _GO_ON, end
                opened = ""
        limit = begin + LEFT
        if not opened or final or limit < len(text) or _LINE_END(text, end):
            return verdict
        return _WAIT - (limit - len(text)), at

    def _decide(  # noqa: C901, PLR0911, PLR0912 - one step after the other
        self,
        text: str,
        first: int,
        at: int,
        line: str,
        item: str,
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Decide about a terminator, without a look at markup that is open."""
        size = len(text)
        if item and text[at] == "." and len(item) > 1:
            verdict = self._item(text, first, at, item, final)
            if verdict[0] != _GO_ON:
                return verdict
        run = None if text[at + 1].isspace() else self._run(text, at)
        marks, closers = run.groups() if run else (text[at], "")
        end = run.end() if run else at + 1
        if run and closers and marks[-1] in self._glued:
            closed = self._closed_end(text, first, at, run.end(1), closers, final)
            if closed is None:
                return _WAIT, at
            end = closed
            closers = text[run.end(1) : end]
        if marks == "." and text[end : end + 1] in _BLANKS_OF_DOTS:
            dots = self._spaced_ellipsis(text, first, at, end, final)
            if dots is None:
                return _WAIT, at
            if dots[1] == _ENDS_BEFORE:
                return end, end
            marks += "." * ((dots[0] - end) // 2)
            closers += text[dots[0] : dots[1]]
            end = dots[1]
        # Nothing behind the terminator but its end, which every pass defines anew.
        after = end
        new_line = False
        ends: bool | None = False
        for _ in range(_TAILS):
            if end == size:
                return (_GO_ON, end) if final else (_WAIT, at)
            if not text[end].isspace():
                if text[end] == "[" and not final and _CITATION_BEGUN(text, end):
                    return _WAIT, at
                return self._without_space(text, first, at, end, closers)
            after = _space_end(text, end)
            ends = after - end >= _SPACES
            new_line = _LINE_END(text, end, after) is not None
            if new_line:
                ends = self._ends_at_lines(text, end, end, after, line, final)
            if ends:
                return end, end
            if after == size:
                return (_GO_ON, end) if final else (_WAIT, at)
            if new_line or text[after].isalnum():
                break
            extended = self._extended(text, first, at, end, after, final)
            if extended is None:
                return _WAIT, at
            if extended == end:
                break
            if text[after] in _LONE_QUOTES:
                closers += text[after:extended]
            end = extended
        verdict = self._before_word(
            text,
            first,
            at,
            end,
            after,
            marks,
            closers,
            new_line and line == QUOTE,
            final,
        )
        if ends is None and verdict[0] == _GO_ON:
            return _WAIT, at
        return verdict

    def _closed_end(
        self,
        text: str,
        first: int,
        at: int,
        end: int,
        closers: str,
        final: bool,  # noqa: FBT001
    ) -> int | None:
        """Return where a sentence ends whose script needs no white space.

        What can open as well as close belongs to it only if such a thing is open, or
        what follows shows that nothing is opened. ``None`` while that is not known.
        """
        low = _left_edge(text, first, at)
        for run in _SAME(closers):
            stop = end + len(run[0])
            if run[1] in _OPENING_QUOTES:
                break
            if run[1] in _EITHER:
                closes = _closes(text, low, end, stop, final=final)
                if closes is None:
                    return None
                if not closes:
                    break
            end = stop
        return end

    def _spaced_ellipsis(
        self,
        text: str,
        first: int,
        at: int,
        end: int,
        final: bool,  # noqa: FBT001
    ) -> tuple[int, int] | None:
        """Look for full stops with spaces between them behind the one at *at*.

        Returns:
            Where they end, and where closing marks behind them do, or `_ENDS_BEFORE`
            where the first full stop ended the sentence; *end* twice where there are
            none. ``None`` while that depends on what follows the text.
        """
        size = len(text)
        dots = _SPACED_DOTS(text, end)
        if dots is None:
            is_begun = not final and _SPACED_DOTS_BEGUN(text, end)
            return None if is_begun else (end, end)
        if dots.end() == size:
            return (size, size) if final else None
        stop = _CLOSERS(text, dots.end()).end()  # type: ignore[union-attr]  # it matches ""
        after = _space_end(text, stop)
        if after == size and not final:
            return None
        # "word. . . . The": the sentence ended before the ellipsis.
        if (
            (dots.end() - end) // 2 == _ELLIPSIS
            and at > first
            and not text[at - 1].isspace()
            and stop < after < size
            and text[after].isupper()
        ):
            return dots.end(), _ENDS_BEFORE
        return dots.end(), stop

    def _extended(  # noqa: PLR0911 - one rule after the other
        self,
        text: str,
        first: int,
        at: int,
        end: int,
        after: int,
        final: bool,  # noqa: FBT001
    ) -> int | None:
        """Return where a sentence ends with what stands apart behind its terminator.

        That is a closing mark with white space on both sides, emoji, an emoticon, or a
        citation. *end* where there is none, ``None`` while that is not known.
        """
        size = len(text)
        char = text[after]
        if char in _LONE_QUOTES:
            stop = after + (2 if text.startswith("''", after) else 1)
            if stop == size and not final:
                return None
            following = text[stop : stop + 1]
            is_apart = not following or following.isspace()
            if char == "\xbb":
                return stop if is_apart or following in ".,;:!?" else end
            if is_apart:
                if stop - after > 1:
                    return stop
                # A double one is seldom an apostrophe, and looked for further away.
                width = LEFT if char == '"' else TOKEN
                low = max(first, at - width, 0)
                return stop if text.count(char, low, at) % 2 else end
            return end
        tail = _TAIL(text, after)
        if tail is None:
            return None if not final and _TAIL_BEGUN(text, after) else end
        stop = tail.end()
        if stop == size:
            return stop if final else None
        if not final and _CITATION_BEGUN(text, stop):
            return None
        return stop if text[stop].isspace() else end

    def _without_space(
        self,
        text: str,
        first: int,
        at: int,
        end: int,
        closers: str,
    ) -> Verdict:
        """Decide about a terminator with text right behind it."""
        following = text[end]
        mark = text[end - len(closers) - 1]
        if mark in self._glued:
            if following in _NOT_AFTER_GLUED or following in self._is_mark:
                return _GO_ON, end
            if closers and closers[-1] in _EAST_ASIAN_CLOSING and _HIRAGANA(following):
                return _GO_ON, end
            return end, end
        if mark in "!?" and _EAST_ASIAN(following):
            return end, end
        if (
            self._options.glued
            and mark in ".!?"
            and following.isupper()
            and text[at - 1].islower()
            and at - max(first, 0) > 1
            and text[at - 2].isalpha()
        ):
            return end, end
        return _GO_ON, end

    def _before_word(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0917 - one rule after the other
        self,
        text: str,
        first: int,
        at: int,
        end: int,
        after: int,
        marks: str,
        closers: str,
        is_quoted: bool,  # noqa: FBT001
        final: bool,  # noqa: FBT001
    ) -> Verdict:
        """Decide about a terminator, white space, and something else.

        Args:
            text: The text.
            first: Where the sentence starts; negative where that is not in *text*.
            at: Where the terminator is.
            end: Where its run of terminators and closing marks ends.
            after: Where the white space behind that ends.
            marks: The terminators.
            closers: The closing marks.
            is_quoted: Whether the markers of a quoted line come next.
            final: Whether the text ends the stream.
        """
        size = len(text)
        ends = (end, end)
        go_on = (_GO_ON, end)
        wait = go_on if final else (_WAIT, at)
        if not _LETTER_OR_DIGIT(text, max(first, at - _LONE, 0), at):
            return go_on
        if closers[:1] == "]" and text[at - 1] == "[":
            # What was left out of a quotation: "[...]".
            return go_on
        if is_quoted:
            after = _QUOTE_MARKERS(text, after).end()  # type: ignore[union-attr]  # it matches ""
            if after == size:
                return wait
        char = text[after]
        if char in ".\u2026":
            # An ellipsis begins a sentence, a full stop alone ends this one.
            if after + 1 == size:
                return wait
            return (_GO_ON, after) if text[after + 1].isspace() else ends
        if char in self._is_mark or char in ")]};:":
            return _GO_ON, after
        if char == ",":
            if after + 1 == size:
                return wait
            if text[after + 1] != ",":
                return _GO_ON, after
        opened = _OPENERS(text, after).end()  # type: ignore[union-attr]  # it matches ""
        if opened == size or (text[opened] == "," and opened + 1 == size):
            return wait
        char = text[opened]
        mark = marks[-1]
        if char in DASHES:
            word = _space_end(text, opened + 1)
            if word == size:
                return wait
            if word > opened + 1 and (closers or mark in "!?") and text[word].islower():
                return go_on
        if "\u2026" in marks or "..." in marks:
            if char.islower():
                return go_on
            if len(marks) > _ELLIPSIS or opened > after:
                return ends
            is_end = self._words.begins_anew(text, opened, final)
        else:
            is_end = self._words.ends(text, first, at, opened, mark, closers, final)
        if is_end is None:
            return wait
        return ends if is_end else go_on

    def _looks_complete(self, text: str, first: int, content: int) -> bool:
        """Whether a sentence that only the end of the text closed looks complete."""
        rest = text[max(first, content - _SPACES, 0) : content].rstrip(_CLOSING)
        return rest[-1:] in self._is_mark and rest != ""


@lru_cache(maxsize=1)
def _terminators() -> str:
    """Return the terminators of all scripts, in the Unicode of the regex module."""
    # What lies behind the first two planes is ideographs. The string comes out of an
    # array because that takes a third of the time: the first sentence waits for it.
    every = array("I", range(0x20000)).tobytes().decode("utf-32", "surrogatepass")
    found = regex.findall(r"\p{Sentence_Terminal}", every)
    return "".join(found) + _SPACED + "\uff0e\uff61"


@lru_cache(maxsize=64)
def smart_rules(options: SmartOptions) -> SmartRules:
    """Return the rules with these options; equal ones share their patterns."""
    return SmartRules(options)


def _width(text: str, first: int, end: int) -> int:
    """Return the length of a clause, in which a wide code point counts two."""
    size = end - first
    if first < 0 or text.isascii():
        return size
    return size + sum(1 for char in text[first:end] if east_asian_width(char) in "WF")


def _ascii(chars: str) -> str:
    return "".join(filter(str.isascii, chars))


def _finder(chars: str) -> Callable[[str, int], re.Match[str] | None]:
    """Return a search for these code points, and for a few others."""
    return re.compile(f"[{_ranged(chars)}]").search


def _ranged(chars: str) -> str:
    """Return these code points, and a few others, for a set in a pattern.

    Those above U+FFFF are one range, because the module compares them one by one with
    every code point of a text.
    """
    low = [char for char in chars if char <= "\uffff"]
    high = sorted(char for char in chars if char > "\uffff")
    span = f"{high[0]}-{high[-1]}" if high else ""
    return _class("".join(low)) + span


def _looker(chars: str, further: str) -> Callable[[str, int], re.Match[str] | None]:
    """Return a search for these code points, where they may decide something.

    Not for a terminator with anything behind it that lets the sentence go on, and not
    for a line end before a plain line. What else a match is, if it is one of the most
    frequent things, is told by the group that it has.

    Args:
        chars: The code points, terminators and others.
        further: Those of them that are terminators of this language only.
    """
    goes_on = "".join(
        char
        for char in map(chr, range(ord("!"), ord("~") + 1))
        if char not in f".!?[{_CLOSING}{further}"
    )
    return re.compile(
        rf"[.!?\n{_ranged(chars)}](?:(?<=[.!?])(?![{_class(goes_on)}])(?:"
        r"((?: {0,20}|\n[ \t]{0,20})\Z)"
        r"|( [^\W\d_a-z])"
        r"|(\n\n)"
        r"|(\n[ \t]{0,20}[^\W\d_](?=[^)]))"
        rf")?|(?<=\n)(?!{_PLAIN_LINE})(?:"
        rf"([ \t]{{0,20}}(?:[-*+{BULLETS}]|\d{{1,9}}[.)]?|[A-Za-z]\)?)?\Z)"
        rf"|([ \t]{{0,20}}(?:\n|{_MARKER})|[ \t]{{{_SPACES - 1}}})"
        r")?|(?<![.!?\n]))"
    ).search


def _begins_plainly(text: str) -> bool:
    """Whether a sentence surely begins with neither a marker nor another block."""
    is_marker = text[1:2] == "." and text[0] in ascii_lowercase
    return _begins_plain(text, 0) and not is_marker


def _begins_plain(text: str, at: int) -> bool:
    """Whether a line surely begins with nothing special, which most do."""
    char = text[at]
    if char.isalpha():
        return text[at + 1 : at + 2] not in ("", ")")
    return not (char in _LINE_FIRST or char.isdecimal())


def _may_be_marker(text: str, at: int, item: str) -> bool:
    """Whether what stands before *at* may be the marker *item*, which ends there."""
    before = text[at - 1 : at]
    return before in item or not before.isalnum()


def _has_markup(text: str) -> bool:
    # A look for each code point is several times as fast as a pattern.
    return "*" in text or "`" in text or "_" in text


def _may_be_open(text: str) -> bool:
    """Whether something in *text* may still be closed behind it."""
    return _has_markup(text) or '"' in text or "~" in text


def _marker_start(text: str, low: int, at: int, item: str) -> int:
    """Return where the marker that ends at *at* begins, or *at* if none does."""
    start = at
    while start > low and not text[start - 1].isspace():
        start -= 1
    return start if item.startswith(text[start:at]) else at


def _space_end(text: str, at: int) -> int:
    return _SPACE(text, at).end()  # type: ignore[union-attr]  # it matches ""


def _opens(text: str, start: int, end: int) -> bool:
    """Whether a run of markup could open a span; two backticks are a quotation mark."""
    if text.startswith("``", start) and end - start == _TEX_QUOTE:
        return False
    following = text[end : end + 1]
    if not following or following.isspace():
        return False
    before = text[start - 1 : start]
    # Where no spaces stand between words, markup does not need any either.
    return not before.isalnum() or (text[start] != "_" and bool(_EAST_ASIAN(before)))


def _left_edge(text: str, first: int, at: int) -> int:
    """Return from where on marks before *at* count; no run of them begins before."""
    if first >= max(at - LEFT, 0):
        return first
    # Where text was let go of, the first code point only shows what is behind it.
    low = max(at - LEFT, 1)
    while low < at and text[low] == text[low - 1] and text[low] in _MARKUP:
        low += 1
    return low


def _closes(text: str, low: int, start: int, end: int, *, final: bool) -> bool | None:
    """Whether a run of what may open or close closes something.

    Code is closed by as many backticks as opened it, and emphasis inside it is none;
    quotation marks have no form that opens, so they are counted.

    Args:
        text: The text.
        low: From where on it counts what was opened.
        start: Where the run starts.
        end: Where it ends.
        final: Whether the text ends the stream.

    Returns:
        ``None`` while that depends on what follows the text.
    """
    mark = text[start:end]
    char = mark[0]
    is_last = end == len(text) and not final
    if char not in _MARKUP:
        low = max(low, start - (LEFT if char == '"' else TOKEN))
        return None if is_last else text.count(mark, low, start) % 2 == 1
    if char == "`":
        if text.find(mark, low, start) < 0:
            return False
    elif is_last:
        return None
    elif text[end : end + 1].isspace():
        return True
    code, count = _open_markup(text, low, start, char)
    if char == "`":
        return None if is_last and len(mark) <= len(code) else mark == code
    return count >= len(mark)


def _open_markup(text: str, low: int, end: int, char: str) -> tuple[str, int]:
    """Return the backticks of the code that is open at *end*, if any.

    And how many marks *char* of emphasis are open. What is inside code counts as long
    as nothing closes that.
    """
    code = ""
    count = outside = 0
    for run in _MARKUP_RUNS(text, low, end):
        begin, stop = run.span()
        size = stop - begin
        if run[0] == code:
            code = ""
            count = outside
        elif text[begin] == "`":
            if not code and _opens(text, begin, stop):
                code = run[0]
                outside = count
        elif text[begin] == char:
            if count >= size and not text[begin - 1].isspace():
                count -= size
            elif _opens(text, begin, stop):
                count += size
    return code, count


@lru_cache(maxsize=64)
def _fence_end(
    char: str,
    length: int,
    final: bool,  # noqa: FBT001
) -> Callable[[str, int], re.Match[str] | None]:
    behind = r"(?=[\r\n]|\Z)" if final else r"(?=[\r\n])"
    blanks = rf"[ \t>]{{0,{_FENCE // 2}}}"
    pattern = rf"[\r\n]{blanks}({char}{{{length},{_FENCE}}}){blanks}{behind}"
    return re.compile(pattern).search
