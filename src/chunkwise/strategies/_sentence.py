"""SentenceChunking: sentences, by rules that know abbreviations or by plain ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import override

from .._registry import register_built_in
from .._strategy import ChunkingStrategy, check_bool
from ._languages import language_with
from ._plain_rules import PlainRules
from ._sentence_options import check_choice, check_language, checked_names
from ._smart_rules import SmartOptions, smart_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._pending import Read
    from .._spans import ScanFields

_DEFAULTS = {
    "newlines": "auto",
    "glued": False,
    "first": "sentence",
    "protect_tags": (),
    "lone_marks": "keep",
    "abbreviations": (),
}


@dataclass(frozen=True, init=False)
class SentenceChunking(ChunkingStrategy[Any]):
    r"""Cuts behind sentences.

    White space before, between and behind sentences belongs to no chunk. ``flush``
    releases the rest without the white space around it; it is ``complete`` when it
    ends with a terminator and closing marks.

    ``rules="smart"``: a terminator of any script, closing marks, and white space (none
    is needed behind the terminators of East Asian scripts) end a sentence, unless the
    word before it or the next one says otherwise: abbreviations, initials, numbers,
    ellipses, list markers, a next word in lower case behind any of these. Emoji and
    citations such as ``[17]`` behind the terminator stay with the sentence. A blank
    line always ends one; a single line end does before a list marker, a heading, a
    rule (``---``), a fence or a table row, and behind a heading or a rule. A fenced
    code block is one chunk, a table row too; markup that is open, inline code for
    example, is not cut for up to 200 code points of its line. A sentence is released by
    the first code point of the next word, by the end of that word where only the word
    decides, and at once by a blank line.

    ``rules="plain"``: a boundary is one of ``.`` ``!`` ``?``, then at most one closing
    mark out of ``"`` ``'`` U+201D U+2019 ``)``, then white space. The first white space
    releases the sentence. Abbreviations are not known: ``Dr.`` is a sentence. The other
    options are for the smart rules.

    Args:
        language: Code of the language of the text, ``"de"`` or ``"pt-BR"`` for example:
            which abbreviations there are, and whether ``3.`` is an ordinal number. A
            language without a list of its own gets the English one. The terminators of
            all scripts are known whatever it is.
        rules: ``"smart"`` or ``"plain"``.
        newlines: What a single line end is. ``"auto"``: as described above;
            ``"space"``: white space; ``"boundary"``: an end of a sentence.
        glued: Whether a sentence may end without white space behind its full stop,
            between a lower-case and a capital letter: ``one.Two``.
        first: ``"clause"``: the first chunk of a stream may be a clause, as
            `ClauseChunking` finds it, so that speech can start sooner.
        protect_tags: Names of tags whose content is never cut, ``("think", "spell")``
            for example: from ``<think>`` to ``</think>``, both as they are written
            here. Held back until the closing tag.
        lone_marks: What becomes of a sentence without any letter or digit, ``"..."``
            for example. ``"keep"``: it is a chunk. ``"attach"``: it begins the next.
        abbreviations: Abbreviations to be known besides those of the language, without
            the final full stop; one with ``-`` in front is forgotten.

    Raises:
        ValueError: *rules*, *newlines*, *first* or *lone_marks* is none of its values,
            *language* is empty, a name is none, or an option is given that the plain
            rules do not have.
        TypeError: *glued* is not a ``bool``, or something else has the wrong type.

    Examples:
        >>> SentenceChunking().split("Dr. Smith left at 5 p.m. Then it rained. He")
        ['Dr. Smith left at 5 p.m.', 'Then it rained.']
        >>> SentenceChunking(rules="plain").split("Dr. Smith left. He was ti")
        ['Dr.', 'Smith left.']
    """

    language: str
    rules: Literal["smart", "plain"]
    newlines: Literal["auto", "space", "boundary"]
    glued: bool
    first: Literal["sentence", "clause"]
    protect_tags: tuple[str, ...]
    lone_marks: Literal["keep", "attach"]
    abbreviations: tuple[str, ...]
    _rules: ChunkingStrategy[Any] = field(repr=False, compare=False)

    def __init__(  # noqa: PLR0913 - all but the first by keyword
        self,
        language: str = "en",
        *,
        rules: Literal["smart", "plain"] = "smart",
        newlines: Literal["auto", "space", "boundary"] = "auto",
        glued: bool = False,
        first: Literal["sentence", "clause"] = "sentence",
        protect_tags: Iterable[str] = (),
        lone_marks: Literal["keep", "attach"] = "keep",
        abbreviations: Iterable[str] = (),
    ) -> None:
        check_language(language)
        check_choice("rules", rules, "smart", "plain")
        check_choice("newlines", newlines, "auto", "space", "boundary")
        check_bool("glued", glued)
        check_choice("first", first, "sentence", "clause")
        check_choice("lone_marks", lone_marks, "keep", "attach")
        # What is checked above has no default in the class, so this fills a new object.
        fill = object.__setattr__
        fill(self, "language", language)
        fill(self, "rules", rules)
        fill(self, "newlines", newlines)
        fill(self, "glued", glued)
        fill(self, "first", first)
        fill(self, "protect_tags", checked_names("protect_tags", protect_tags))
        fill(self, "lone_marks", lone_marks)
        fill(self, "abbreviations", checked_names("abbreviations", abbreviations))
        fill(self, "_rules", self._rules_of_parameters())

    def _rules_of_parameters(self) -> ChunkingStrategy[Any]:
        if self.rules == "plain":
            for name, default in _DEFAULTS.items():
                value = getattr(self, name)
                if value != default:
                    msg = f"the plain rules have no {name}, got {value!r}"
                    raise ValueError(msg)
            return PlainRules()
        return smart_rules(
            SmartOptions(
                language=language_with(self.language, self.abbreviations),
                newlines=self.newlines,
                glued=self.glued,
                attaches=self.lone_marks == "attach",
                protected=self.protect_tags,
                first_clause=self.first == "clause",
                clauses=False,
                min_size=0,
            )
        )

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters, not by what was made of them."""
        options = tuple(getattr(self, name) for name in _DEFAULTS)
        return (_rebuild, (type(self), self.language, self.rules, options))

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[Any]:
        # The rules read nothing back; asked directly they save a call for each scan.
        return self._rules

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self._rules.trigger

    @override
    def begin(self, offset: int) -> Any:
        return self._rules.begin(offset)

    @override
    def opened(self, text: str, base: int, state: Any) -> tuple[int, int] | None:
        return self._rules.opened(text, base, state)

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        return self._rules.scan(text, base, state, final)


def _rebuild(
    cls: type[SentenceChunking], language: str, rules: Any, options: Iterable[Any]
) -> SentenceChunking:
    return cls(language, rules=rules, **dict(zip(_DEFAULTS, options, strict=True)))


register_built_in("sentence", SentenceChunking)
