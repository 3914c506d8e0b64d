"""ClauseChunking: sentences and the clauses inside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import override

from .._numbers import check_count
from .._registry import register_built_in
from .._strategy import ChunkingStrategy, check_bool
from ._languages import language_with
from ._sentence_options import check_choice, check_language, checked_names
from ._smart_rules import SmartOptions, SmartRules, smart_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._pending import Read
    from .._spans import ScanFields
    from ._smart_rules import OpenSentence


_OPTIONS = ("language", "newlines", "glued", "protect_tags", "abbreviations")


@dataclass(frozen=True, init=False)
class ClauseChunking(ChunkingStrategy["OpenSentence"]):
    r"""Cuts behind clauses and sentences, for who wants to start earlier.

    A clause ends where a sentence does by the smart rules of `SentenceChunking`, and at
    a comma, semicolon, colon or dash (U+2013, U+2014) with white space behind it, or at
    one of their East Asian and Arabic counterparts with anything behind it: never
    inside numbers (``1,000``), times (``10:30``) or addresses. The mark belongs to the
    clause before it. It is released by the code point behind the mark, and by an East
    Asian or Arabic mark itself unless a digit stands before it.

    Args:
        min_size: The least that a clause has, unless it ends a sentence: a mark before
            that ends nothing. In code points, of which wide ones (Han, kana, Hangul,
            full-width forms) count two.
        language: As for `SentenceChunking`.
        newlines: As there.
        glued: As there.
        protect_tags: As there.
        abbreviations: As there.

    Raises:
        ValueError: *min_size* is negative; and as for `SentenceChunking`.
        TypeError: A parameter has the wrong type.

    Examples:
        >>> ClauseChunking().split("Well, at 10:30 we left; it was late. Then")
        ['Well,', 'at 10:30 we left;', 'it was late.']
        >>> ClauseChunking(10).split("Well, at 10:30 we left; it was late. Then")
        ['Well, at 10:30 we left;', 'it was late.']
    """

    min_size: int
    language: str
    newlines: Literal["auto", "space", "boundary"]
    glued: bool
    protect_tags: tuple[str, ...]
    abbreviations: tuple[str, ...]
    _rules: SmartRules = field(repr=False, compare=False)

    def __init__(
        self,
        min_size: int = 0,
        *,
        language: str = "en",
        newlines: Literal["auto", "space", "boundary"] = "auto",
        glued: bool = False,
        protect_tags: Iterable[str] = (),
        abbreviations: Iterable[str] = (),
    ) -> None:
        check_count("min_size", min_size, least=0)
        check_language(language)
        check_choice("newlines", newlines, "auto", "space", "boundary")
        check_bool("glued", glued)
        tags = checked_names("protect_tags", protect_tags)
        words = checked_names("abbreviations", abbreviations)
        options = SmartOptions(
            language=language_with(language, words),
            newlines=newlines,
            glued=glued,
            attaches=False,
            protected=tags,
            first_clause=False,
            clauses=True,
            min_size=min_size,
        )
        # What is checked above has no default in the class, so this fills a new object.
        fill = object.__setattr__
        fill(self, "min_size", min_size)
        fill(self, "language", language)
        fill(self, "newlines", newlines)
        fill(self, "glued", glued)
        fill(self, "protect_tags", tags)
        fill(self, "abbreviations", words)
        fill(self, "_rules", smart_rules(options))

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters, not by what was made of them."""
        options = tuple(getattr(self, name) for name in _OPTIONS)
        return (_rebuild, (type(self), self.min_size, options))

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[OpenSentence]:
        # The rules read nothing back; asked directly they save a call for each scan.
        return self._rules

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self._rules.trigger

    @override
    def begin(self, offset: int) -> OpenSentence:
        return self._rules.begin(offset)

    @override
    def opened(
        self, text: str, base: int, state: OpenSentence
    ) -> tuple[int, int] | None:
        return self._rules.opened(text, base, state)

    @override
    def scan(
        self, text: str, base: int, state: OpenSentence, final: bool = False
    ) -> ScanFields[OpenSentence]:
        return self._rules.scan(text, base, state, final)


def _rebuild(
    cls: type[ClauseChunking], min_size: int, options: Iterable[Any]
) -> ClauseChunking:
    return cls(min_size, **dict(zip(_OPTIONS, options, strict=True)))


register_built_in("clause", ClauseChunking)
