"""What the words on both sides of a terminator say about the sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import regex

from ._line_starts import BULLETS

if TYPE_CHECKING:
    from ._languages import Language

TOKEN = 40
"""Code points left of a terminator in which its word is looked for."""
SHORT = 16
"""Code points of the longest list marker at the start of a sentence."""
DIALOGUE = 150
"""Code points behind a dash that is looked for at the start of a sentence."""

OPENING = (
    "\"'\u201c\u201e\u201a\u2018\u00ab\u2039([{\u00bf\u00a1*_`~\u300c\u300e\uff08\u3010"
    "\u300a\u3008\u2019\u201d\u00bb\u203a\u2066\u2067\u2068\u202a\u202b"
)
"""Marks that may stand before the first word of a sentence."""
DASHES = "-\u2013\u2014"

_CONTROLS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_WEAK_CLOSING = frozenset(")]*_`~\u202c\u2069")
"""Closing marks behind which an abbreviation is still one."""
_NAMES = frozenset({"yahoo!", "jeopardy!", "yum!", "guess!", "joomla!", "mamma!"})
"""Names that end with a mark."""
_AM_PM = frozenset({"a.m", "p.m"})
_ORDINAL_DIGITS = 2

_WORD = re.compile(r"[^\W\d_]{1,24}").match
_ACRONYM = regex.compile(
    r"[\p{L}\p{M}]{1,3}(?:\.[-\u2010]?[\p{L}\p{M}]{1,3})+"
).fullmatch
_NUMBER = regex.compile(
    r"[\p{Sc}#+\u2212-]*\p{Nd}[\p{Nd}.,:/\u2019'-]*[%\u00b0\u00ba\u00aa]?"
).fullmatch
_ROMAN = re.compile("[IVXLC]{1,6}").fullmatch
_LIST_MARK = re.compile(
    rf"[#>*_+\-{BULLETS}(\[\s]*(?:\d{{1,3}}|[A-Za-z]|[ivxIVX]{{1,4}})"
).fullmatch

_LISTED, _NEVER, _TITLE, _NUMBERED, _UNIT, _TRAILING, _HOUR = (1 << n for n in range(7))


class WordRules:
    """Decides by the words around a terminator, for one language.

    Args:
        language: What is known about it.
    """

    __slots__ = ("_kinds", "_language")

    def __init__(self, language: Language) -> None:
        self._language = language
        self._kinds: dict[str, int] = dict.fromkeys(_AM_PM, _HOUR)
        for kind, words in (
            (_LISTED, language.abbreviations),
            (_NEVER, language.never),
            (_TITLE, language.titles),
            (_NUMBERED, language.numbered),
            (_UNIT, language.units),
            (_TRAILING, language.trailing),
        ):
            for word in words:
                self._kinds[word] = self._kinds.get(word, 0) | kind

    def is_ordinary(self, word: str, mark: str) -> bool:
        """Whether *mark* behind *word* and before a capital surely ends a sentence.

        The quick answer for nearly all; what is no ordinary word is for `ends`.

        Args:
            word: What stands before the mark, back to a space; letters and numbers.
            mark: A terminator.
        """
        return mark != "." or (
            (len(word) > 1 or word.isdigit())
            and word.lower() not in self._kinds
            and not (self._language.ordinals and _is_ordinal(word))
        )

    def ends(  # noqa: C901, PLR0911, PLR0912, PLR0913, PLR0917 - one rule after the other
        self,
        text: str,
        first: int,
        at: int,
        opened: int,
        mark: str,
        closers: str,
        final: bool,  # noqa: FBT001 - one of the things a scan knows
    ) -> bool | None:
        """Whether a terminator with white space behind it ends the sentence.

        Args:
            text: The text.
            first: Where the sentence starts; negative where that is not in *text*.
            at: Where the terminator is.
            opened: Where the next word is, behind its opening marks.
            mark: The last of the terminators.
            closers: The closing marks behind them.
            final: Whether the text ends the stream.

        Returns:
            ``None`` while the next word is not complete and decides.
        """
        char = text[opened]
        low = at - TOKEN
        if low < first or low < 0:
            low = max(first, 0)
        before = text[low:at]
        word = before.rpartition(" ")[2]
        if not word.isalnum():
            tokens = before.split()
            word = tokens[-1].strip(_CONTROLS).lstrip(OPENING) if tokens else ""
        small = word.lower()
        kind = self._kinds.get(small, 0)
        if char.islower():
            return not (
                closers
                or (kind and mark == ".")
                or self._continues(text, first, at, word, small, mark)
            )
        if mark != "." or (closers and closers[0] not in _WEAK_CLOSING):
            return True
        if first >= 0 and at - first <= SHORT and _LIST_MARK(text[first:at]):
            return False
        if (
            not kind
            and len(word) > 1
            and small.isalpha()
            and not self._language.ordinals
        ):
            # An ordinary word.
            return True
        if kind & _NEVER or (kind & _TITLE and word[0].isupper()):
            return False
        is_letter = len(word) == 1 and word.isalpha()
        is_unit = bool(kind & _UNIT) and _is_number_before(before)
        if char.isdigit():
            return not (is_letter or is_unit or kind & (_LISTED | _NUMBERED))
        if kind & _HOUR:
            if not self._is_fronted(text, first, at):
                return True
        elif is_unit or kind & _TRAILING:
            return True
        elif not kind & _LISTED:
            if is_letter:
                if word.islower():
                    # "z. B." goes on, "8 m. Then" does not.
                    following = text[opened + 1 : opened + 2]
                    if char.isalpha() and not following and not final:
                        return None
                    return not (char.isalpha() and following == ".")
            elif not (
                _ACRONYM(word)
                or self._ends_with_listed(small)
                or (self._language.ordinals and _is_ordinal(word))
            ):
                return True
        found = _WORD(text, opened)
        if found is None:
            return False
        if found.end() == len(text) and not final:
            return None
        return found[0] in self._language.starters

    def begins_anew(
        self,
        text: str,
        opened: int,
        final: bool,  # noqa: FBT001 - as above
    ) -> bool | None:
        """Whether a capitalised word behind an ellipsis begins a sentence.

        Returns:
            ``None`` while the word is not complete.
        """
        found = _WORD(text, opened)
        if found is None or found[0] not in self._language.first_person:
            return True
        return None if found.end() == len(text) and not final else False

    def _continues(
        self, text: str, first: int, at: int, word: str, small: str, mark: str
    ) -> bool:
        """Whether a sentence goes on before lower case, the word being unknown."""
        if mark == ".":
            return (
                len(word) == 1
                or "." in word
                or _NUMBER(word) is not None
                or _ROMAN(word) is not None
            )
        return (
            self._language.asks_inside
            or small + mark in _NAMES
            or (first >= 0 and at - first <= DIALOGUE and text[first] in DASHES)
        )

    def _ends_with_listed(self, small: str) -> bool:
        """Whether the last part of a word with full stops is an abbreviation."""
        head, _, tail = small.rpartition(".")
        return head != "" and bool(self._kinds.get(tail, 0) & _LISTED)

    def _is_fronted(self, text: str, first: int, at: int) -> bool:
        """Whether the sentence has nothing but an adverbial so far."""
        if first < 0 or at - first > TOKEN:
            return False
        tokens = text[first:at].lower().split()[:-1]
        return bool(tokens) and all(
            token.strip(",") in self._language.fronting or token[0].isdigit()
            for token in tokens
        )


def _is_ordinal(word: str) -> bool:
    """Whether a word is an ordinal number where a full stop makes it one."""
    if word.isdigit():
        return len(word) <= _ORDINAL_DIGITS
    return _ROMAN(word) is not None


def _is_number_before(before: str) -> bool:
    """Whether the word before the last one is a number."""
    tokens = before.split()
    return len(tokens) > 1 and _NUMBER(tokens[-2]) is not None
