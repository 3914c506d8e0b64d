r"""Turns a pattern into a probe, and refuses what no probe can decide.

A probe is a second pattern that finds out where certainty ends: the first place from
where the search for a separator would want to see what follows the present end of the
text. The ``regex`` module tells this of all that takes text (``partial=True``). The
assertions that look at the end without taking anything, ``\b`` or ``$`` for example,
are *guarded* in the probe: a look-ahead beside them asks for the code point that they
look at.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from math import inf
from string import hexdigits
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import regex

from .._quote import quote
from .._white_space import LINE_ENDS, WHITE_SPACE

if TYPE_CHECKING:
    from typing_extensions import Self

_FEW_STEPS = 100
"""Steps of one attempt up to which no search can get out of hand."""

_MANY = 100
"""Code points to wait for, from which on it is better to look at every delta."""

_NO_STRING = r"|(?=\x00)(?=\x01)"
"""Never matches, and keeps the module from looking for a string that every match has.

Without that string it says that no attempt can be open, also where one in a look-ahead
is; and says that it is once more text has brought the string.
"""

_GUARD = r"(?=[\s\S])"
_LINE_FEED_GUARD = r"(?=\n?[\s\S])"
"""``$`` also looks behind a line feed, which it may stand before."""

_UNDECIDABLE = {
    regex.REVERSE: "(?r) searches from the end of the text",
    regex.BESTMATCH: "(?b) compares all matches in the text",
    regex.ENHANCEMATCH: "(?e) improves on a match that was found",
    regex.POSIX: "(?p) compares all matches at a place",
    regex.WORD: "(?w) has word boundaries that look further than one code point",
    regex.LOCALE: "(?L) depends on where the program runs",
}

_ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_REFUSED_ESCAPES = {
    "X": r"\X needs to know all of a grapheme cluster",
    "K": r"\K moves the start of a match",
    "G": r"\G is where a search began",
}
_HEXADECIMAL = {"x": 2, "u": 4, "U": 8}

_QUANTIFIER = regex.compile(r"[?*+]|\{(?:(\d*),(\d*)|(\d+))\}", regex.V1)
_SPACED_QUANTIFIER = regex.compile(
    r"[?*+]|\{\s*(?:([\d\s]*),([\d\s]*)|(\d[\d\s]*))\}", regex.V1
)
_IGNORED = regex.compile(r"(?:[\s\x1c-\x1f]|\#[^\n]*)*+", regex.V1)
_FUZZY = regex.compile(r"\{\s*[dise\d]", regex.V1)
_BRACED = regex.compile(r"\{[^{}]*\}", regex.V1)
_PROPERTY = regex.compile(r"\{[^{}]*\}|[CLMNPSZ]", regex.V1)
_POSIX_CLASS = regex.compile(r"\[:\^?[\w &\-./]*(?:[:=][\w &\-./]*)?:\]", regex.V1)
_OCTAL = regex.compile(r"[0-7]{2}", regex.V1)
_DIGIT = regex.compile(r"\d", regex.V1)
_CALL = regex.compile(r"&|P[>&]|R|[+\-]?\d", regex.V1)
_NAME = regex.compile(r"[^)>\s#]+", regex.V1)
_COMMENT = regex.compile(r"(?:[^\\)]|\\.)*+\)", regex.V1 | regex.DOTALL)
_FLAGS = regex.compile(r"([a-zA-Z01]*)(?:-([a-zA-Z]+))?([:)])", regex.V1)
_SET_OPERATORS = ("||", "~~", "&&", "--")


class Probe(NamedTuple):
    """A pattern, and what has to be known to search for it while text arrives.

    Attributes:
        separator: Finds the separators of a text.
        uncertain: Where it matches partially, what follows the text could matter; it
            never matches as a whole.
        behind: Code points that a look-behind sees at most.
        reach: Code points from the start of an attempt that it looks at, at most;
            ``sys.maxsize`` when there is no limit.
        is_bounded: Whether an attempt takes few steps, whatever the text.
        first: The code points that a separator may begin with; ``None`` when these
            are many or unknown, and when a separator may be empty.
    """

    separator: regex.Pattern[str]
    uncertain: regex.Pattern[str]
    behind: int
    reach: int
    is_bounded: bool
    first: frozenset[str] | None


@lru_cache(maxsize=256)  # Patterns may come from anyone.
def probe_of(pattern: str, flags: int) -> Probe:
    """Return the probe of *pattern*.

    Args:
        pattern: A pattern of the ``regex`` module.
        flags: Flags of that module, with ``VERSION0`` or ``VERSION1``.

    Raises:
        ValueError: The pattern is not valid, or cannot be decided while text arrives.
    """
    if flags & regex.DEBUG:
        raise _undecidable(pattern, "DEBUG prints what is compiled")
    try:
        separator = regex.compile(pattern, flags)
    except (regex.error, ValueError, KeyError, OverflowError, RecursionError) as error:
        msg = f"pattern must be a regular expression, got {quote(pattern)}: {error}"
        raise ValueError(msg) from error
    for flag, reason in _UNDECIDABLE.items():
        if separator.flags & flag:
            raise _undecidable(pattern, reason)
    parser = _Parser(pattern, flags, bool(separator.flags & regex.VERSION1))
    try:
        part = parser.whole()
    except RecursionError:
        raise _undecidable(pattern, "its groups are nested too deeply") from None
    guarded = parser.guarded()
    # The group ends the inline flags of the pattern, but not a comment.
    guarded = f"{guarded}\n" if parser.verbose else guarded
    # An attempt that matched without a look at the end is over: what the pattern could
    # have matched instead does not matter. But behind an empty match a longer one from
    # the same place is tried, so where a match may be empty everything counts.
    nullable = part.least == 0
    whole = f"(?:{guarded})(?!)" if nullable else f"(?>{guarded}{_NO_STRING})(?!)"
    uncertain = regex.compile(whole, flags)
    is_many = part.first is not None and len(part.first) > _MANY
    return Probe(
        separator=separator,
        uncertain=uncertain,
        behind=int(part.behind),
        reach=sys.maxsize if part.reach == inf else int(part.reach),
        is_bounded=part.paths * part.reach <= _FEW_STEPS,
        first=None if nullable or is_many else part.first,
    )


def _undecidable(pattern: str, reason: str) -> ValueError:
    msg = (
        f"pattern must be one that can be decided while text arrives, "
        f"got {quote(pattern)}: {reason}"
    )
    return ValueError(msg)


class _Part(NamedTuple):
    """What part of a pattern can do at most; widths are in code points of text.

    Attributes:
        least: 0 when it may match nothing, else 1.
        most: The width of its longest match.
        reach: How far it looks, from where it begins.
        behind: How far it looks back from there.
        paths: In how many ways it may be tried.
        first: What it may begin with, if it takes anything; ``None`` for unknown.
    """

    least: int = 0
    most: float = 0
    reach: float = 0
    behind: float = 0
    paths: float = 1
    first: frozenset[str] | None = frozenset()

    def then(self, other: Self) -> _Part:
        """Return this part followed by another."""
        return _Part(
            least=max(self.least, other.least),
            most=self.most + other.most,
            reach=max(self.reach, self.most + other.reach),
            behind=max(self.behind, other.behind),
            paths=self.paths * other.paths,
            first=self.first if self.least else _union(self.first, other.first),
        )

    def or_else(self, other: Self) -> _Part:
        """Return this part with an alternative."""
        return _Part(
            least=min(self.least, other.least),
            most=max(self.most, other.most),
            reach=max(self.reach, other.reach),
            behind=max(self.behind, other.behind),
            paths=self.paths + other.paths,
            first=_union(self.first, other.first),
        )

    def repeated(self, fewest: int, most: float) -> _Part:
        """Return this part *fewest* to *most* times in a row."""
        if most == 0:
            return _Part(behind=self.behind)
        before = self.most * (most - 1) if self.most and most > 1 else 0
        many = self.paths > 1 and most > 1
        return _Part(
            least=self.least if fewest else 0,
            most=self.most and self.most * most,
            reach=before + self.reach,
            behind=self.behind,
            paths=inf if many else self.paths * (most - fewest + 1),
            first=self.first,
        )


def _union(
    one: frozenset[str] | None, other: frozenset[str] | None
) -> frozenset[str] | None:
    return None if one is None or other is None else one | other


_UNKNOWN = _Part(0, inf, inf, 0, inf, None)
"""The text of a group."""


class _Parser:
    """Reads a valid pattern, as the ``regex`` module does.

    Flags that matter for reading are ``x``, for where assertions are, ``m``, for how
    far ``$`` looks, and ``i``, for what a letter matches.
    """

    def __init__(self, pattern: str, flags: int, is_version_1: bool) -> None:  # noqa: FBT001 - private
        self._pattern = pattern
        self._at = 0
        self._is_version_1 = is_version_1
        self._flags = {
            letter
            for letter, flag in (("x", regex.X), ("m", regex.M), ("i", regex.I))
            if flags & flag
        }
        self._may_set_flags = True
        self._is_ahead = False
        self._guards: list[tuple[int, int, str, str]] = []

    @property
    def verbose(self) -> bool:
        """Whether white space at this place is ignored."""
        return "x" in self._flags

    def whole(self) -> _Part:
        """Read the whole pattern."""
        return self._alternatives()

    def guarded(self) -> str:
        """Return the pattern with guards beside its assertions."""
        inserted: list[tuple[int, int, int, str]] = []
        for start, end, before, behind in self._guards:
            # At one place what closes comes first, and then what is open for longest.
            inserted.append((start, 1, -end, f"(?:{before}"))
            inserted.append((end, 0, -start, f"{behind})"))
        pieces: list[str] = []
        at = 0
        for place, _, _, text in sorted(inserted):
            pieces += (self._pattern[at:place], text)
            at = place
        return "".join((*pieces, self._pattern[at:]))

    def _refuse(self, reason: str) -> NoReturn:
        raise _undecidable(self._pattern, f"{reason} (at {self._at} of the pattern)")

    def _peek(self) -> str:
        """Return the next code point that is not ignored, ``""`` at the end."""
        if self.verbose:
            self._at = _IGNORED.match(self._pattern, self._at).end()  # type: ignore[union-attr]  # it matches ""
        return self._pattern[self._at : self._at + 1]

    def _take(self, text: str) -> bool:
        found = self._pattern.startswith(text, self._at)
        if found:
            self._at += len(text)
        return found

    def _take_match(self, expected: regex.Pattern[str]) -> regex.Match[str] | None:
        match = expected.match(self._pattern, self._at)
        if match is not None:
            self._at = match.end()
        return match

    def _name(self, closing: str) -> None:
        self._take_match(_NAME)
        if not self._take(closing):
            self._refuse("a name cannot be read")

    def _alternatives(self) -> _Part:
        part = self._sequence()
        while self._peek() == "|":
            self._at += 1
            part = part.or_else(self._sequence())
        return part

    def _sequence(self) -> _Part:
        whole = _Part()
        while (char := self._peek()) not in {"", "|", ")"}:
            start = self._at
            part = self._item(char)
            if part is not None:
                # Inline flags of version 0 once meant the whole pattern.
                self._may_set_flags = self._may_set_flags and self._is_version_1
                whole = whole.then(self._quantified(part, start))
        return whole

    def _quantified(self, part: _Part, start: int) -> _Part:
        end = self._at
        self._peek()
        pattern = _SPACED_QUANTIFIER if self.verbose else _QUANTIFIER
        quantifier = self._take_match(pattern)
        if quantifier is None:
            if self._take_match(_FUZZY):
                reason = r"{ begins fuzzy matching; the code point is written \{"
                self._refuse(reason)
            return part
        if part.most == 0 and self._pattern[start] == "(":
            self._refuse("a quantifier behind a look-around")
        kind = self._peek()
        if kind in {"?", "+"}:
            self._at += 1
        if kind == "?" or part.most > 1 or self._pattern[start] == "(":
            # Two shortcuts of the module do not tell that they reached the end of the
            # text: the test whether another round of a group could begin, and one more
            # code point for a lazy repeat. With a guard inside neither is taken.
            self._guards.append((start, end, _GUARD, ""))
        if quantifier[0] in {"?", "*", "+"}:
            fewest, most = {"?": (0, 1), "*": (0, inf), "+": (1, inf)}[quantifier[0]]
            return part.repeated(fewest, most)
        least, upper, exact = (
            "".join((digits or "").split()) for digits in quantifier.groups()
        )
        if exact:
            return part.repeated(int(exact), int(exact))
        return part.repeated(int(least or 0), int(upper) if upper else inf)

    def _item(self, char: str) -> _Part | None:  # noqa: PLR0911 - a case for each kind
        """Read one item; ``None`` for inline flags and comments."""
        start = self._at
        self._at += 1
        if char == "\\":
            return self._escape(start)
        if char == "(":
            return self._group()
        if char == "[":
            return self._character(self._set())
        if char == "^":
            return _Part(behind=1)
        if char == "$":
            if "m" in self._flags:
                return self._assertion(start, _GUARD, 1)
            return self._assertion(start, _LINE_FEED_GUARD, 2)
        return self._character(None if char == "." else frozenset(char))

    def _assertion(self, start: int, guard: str, reach: int) -> _Part:
        # On both sides, because a look-behind goes from right to left.
        self._guards.append((start, self._at, guard, guard))
        return _Part(reach=reach, behind=1)

    def _character(self, first: frozenset[str] | None) -> _Part:
        if "i" in self._flags:
            # With full case-folding a letter can match three, and three can match one.
            return _Part(1, 3, 3, 0, 3, None)
        return _Part(1, 1, 1, 0, 1, first)

    def _escape(self, start: int) -> _Part:  # noqa: PLR0911 - as above
        char = self._pattern[self._at]
        self._at += 1
        if char in "bBmMZz":
            return self._assertion(start, _GUARD, 1)
        if char == "A":
            return _Part(behind=1)
        if char in _REFUSED_ESCAPES:
            self._refuse(_REFUSED_ESCAPES[char])
        if char == "R":
            return _Part(1, 2, 2, 0, 2, LINE_ENDS)
        if char == "g" and self._take("<"):
            self._name(">")
            return _UNKNOWN
        if char in "123456789":
            octal = self._take_match(_OCTAL)
            if octal is None:
                self._take_match(_DIGIT)
                return _UNKNOWN
            return self._character(None)
        return self._character(self._character_escape(char))

    def _character_escape(self, char: str) -> frozenset[str] | None:
        """Read the rest of an escape that matches a code point; return which."""
        if char == "s":
            return WHITE_SPACE
        if char in _ESCAPES:
            return frozenset(_ESCAPES[char])
        if char in _HEXADECIMAL:
            digits = self._pattern[self._at : self._at + _HEXADECIMAL[char]]
            self._at += len(digits)
            if not all(digit in hexdigits for digit in digits):
                self._refuse("an escape cannot be read")
            return frozenset(chr(int(digits, 16)))
        if char == "0":
            self._take_match(_OCTAL)
        elif char in "NpP":
            self._take_match(_BRACED if char == "N" else _PROPERTY)
        elif not char.isalnum():
            return frozenset(char)
        return None

    def _set(self) -> frozenset[str] | None:
        """Read a set behind its ``[``; return its members where they are few."""
        members: set[str] = set()
        is_plain = not self._take("^")
        is_first = True
        while is_first or not self._take("]"):
            if not is_first and self._is_version_1 and self._set_operator():
                # Behind an operator, as at the start, a `]` is a member.
                is_plain = False
                is_first = True
                continue
            member = self._set_member()
            if (
                self._pattern.startswith("-", self._at)
                and not self._pattern.startswith("-]", self._at)
                and not (
                    self._is_version_1 and self._pattern.startswith("--", self._at)
                )
            ):
                self._at += 1
                self._set_member()
                member = None
            is_plain = is_plain and member is not None
            members |= member or frozenset()
            is_first = False
        return frozenset(members) if is_plain else None

    def _set_operator(self) -> bool:
        return any(self._take(operator) for operator in _SET_OPERATORS)

    def _set_member(self) -> frozenset[str] | None:
        if self._take_match(_POSIX_CLASS):
            return None
        char = self._pattern[self._at]
        self._at += 1
        if char == "\\":
            char = self._pattern[self._at]
            self._at += 1
            return self._character_escape(char)
        if char == "[" and self._is_version_1:
            return self._set()
        return frozenset(char)

    def _group(self) -> _Part | None:  # noqa: C901, PLR0911 - as above
        """Read a group behind its ``(``; ``None`` for inline flags and comments."""
        if self._take("*"):
            self._refuse("(* begins a verb, which says where searches go on")
        if not self._take("?"):
            return self._inside()
        if self._take("#"):
            self._take_match(_COMMENT)
            return None
        if self._take("<=") or self._take("<!"):
            return self._look_behind()
        if self._take("=") or self._take("!"):
            return self._look_ahead()
        if self._take(">"):
            return self._inside()
        if self._take("|"):
            return self._inside(sets_flags=False)
        if self._take("("):
            return self._conditional()
        if self._take("P="):
            self._name(")")
            return _UNKNOWN
        if self._take_match(_CALL):
            self._refuse("a call of a group may call itself without end")
        if self._take("P<") or self._take("<"):
            self._name(">")
            return self._inside()
        return self._flag_group()

    def _flag_group(self) -> _Part | None:
        flags = self._take_match(_FLAGS)
        if flags is None:
            self._refuse("a group that begins so cannot be read")
        added, removed, closing = flags.groups(default="")
        if "w" in added:
            self._refuse(_UNDECIDABLE[regex.WORD])
        if "L" in added:
            self._refuse(_UNDECIDABLE[regex.LOCALE])
        changed = (self._flags | set(added)) - set(removed)
        if closing == ":":
            return self._inside(flags=changed)
        if not self._may_set_flags:
            self._refuse("inline flags cannot be here; (?flags:...) can")
        self._flags = changed
        return None

    def _inside(
        self, *, flags: set[str] | None = None, sets_flags: bool | None = None
    ) -> _Part:
        """Read the alternatives up to a closing parenthesis."""
        before = (self._flags, self._may_set_flags)
        if flags is not None:
            self._flags = flags
        self._may_set_flags = self._is_version_1 if sets_flags is None else sets_flags
        part = self._alternatives()
        self._close()
        self._flags, self._may_set_flags = before
        return part

    def _close(self) -> None:
        self._peek()
        is_closed = self._take(")")
        assert is_closed  # noqa: S101 - the pattern is valid

    def _look_ahead(self) -> _Part:
        was_ahead = self._is_ahead
        self._is_ahead = True
        part = self._inside()
        self._is_ahead = was_ahead
        return _Part(reach=part.reach, behind=part.behind, paths=part.paths)

    def _look_behind(self) -> _Part:
        if self._is_ahead:
            self._refuse("a look-behind inside of a look-ahead")
        part = self._inside()
        if part.most == inf:
            self._refuse("a look-behind without limit")
        behind = part.most + part.behind
        return _Part(reach=part.reach, behind=behind, paths=part.paths)

    def _conditional(self) -> _Part:
        if self._take("?"):
            self._refuse("a condition that is a look-around")
        self._name(")")
        return self._inside(sets_flags=False).or_else(_Part())
