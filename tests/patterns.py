"""Random regular expressions over a small alphabet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

ALPHABETS = ("ab \n", "a_\r\n", "s\u00dft\ufb06K\u212a")
"""Small, so that matches are likely; the last is for what case-folding joins."""

_CLASSES = (
    *(".", r"\s", r"\S", r"\w", r"\W", r"\n", r"\R", r"\p{L}", r"\N{SPACE}", r"\x61"),
    *(r"[[:alpha:]]", r"[[a-b]--[b]]", r"[\s--\n]", r"[ab||\n]", r"[]a]", r"[^\n-]"),
)
_ASSERTIONS = ("^", "$", r"\A", r"\Z", r"\b", r"\B", r"\m", r"\M")
_COUNTS = ("*", "+", "?", "{2}", "{1,2}", "{,2}", "{2,}")
_FLAGS = ("(?i:", "(?s:", "(?m:", "(?-m:", "(?x: ", "(?i-s:")


class PatternMaker:
    """Makes patterns, most of which are valid and can be decided.

    Args:
        random: Decides what they are made of.
        alphabet: Code points that they are about.
    """

    def __init__(self, random: Random, alphabet: str) -> None:
        self._random = random
        self._alphabet = alphabet
        self._groups = 0

    def pattern(self) -> str:
        """Return a pattern."""
        self._groups = 0
        return self._alternatives(3)

    def text(self, longest: int) -> str:
        """Return a text of up to *longest* code points."""
        length = self._random.randint(0, longest)
        return "".join(self._random.choices(self._alphabet, k=length))

    def _alternatives(self, depth: int, *, around: str = "") -> str:
        count = self._random.choice([1, 1, 1, 2, 2, 3])
        return "|".join(self._sequence(depth, around=around) for _ in range(count))

    def _sequence(self, depth: int, *, around: str = "") -> str:
        count = self._random.choice([0, 1, 1, 1, 2, 2, 3])
        return "".join(self._item(depth, around=around) for _ in range(count))

    def _item(self, depth: int, *, around: str) -> str:
        chance = self._random.random()
        if chance < 0.15:
            return self._random.choice(_ASSERTIONS)
        if depth and chance < 0.22:
            inside = self._alternatives(depth - 1, around=around or "ahead")
            return f"{self._random.choice(['(?=', '(?!'])}{inside})"
        if depth and chance < 0.29 and around != "ahead":
            inside = self._alternatives(depth - 1, around="behind")
            return f"{self._random.choice(['(?<=', '(?<!'])}{inside})"
        if depth and chance < 0.5:
            item = self._group(depth - 1, around)
        elif self._groups and chance < 0.56:
            item = self._with_reference(depth, around)
        elif chance < 0.85:
            item = self._characters()
        else:
            item = self._random.choice(_CLASSES)
        if self._random.random() < (0.1 if around == "behind" else 0.35):
            item += self._random.choice(_COUNTS) + self._random.choice(
                ["", "", "?", "+"]
            )
        return item

    def _group(self, depth: int, around: str) -> str:
        opening = self._random.choice(
            ["(", "(", "(?:", "(?:", "(?>", "(?|", self._random.choice(_FLAGS)]
        )
        self._groups += opening == "("
        return f"{opening}{self._alternatives(depth, around=around)})"

    def _with_reference(self, depth: int, around: str) -> str:
        number = self._random.randint(1, self._groups)
        if depth and self._random.random() < 0.5:
            branches = [self._sequence(depth - 1, around=around) for _ in "ab"]
            return f"(?({number})" + "|".join(branches) + ")"
        return f"\\{number}"

    def _characters(self) -> str:
        if self._random.random() < 0.6:
            return self._literal()
        negation = self._random.choice(["", "^"])
        members = "".join(self._literal() for _ in range(2))
        return f"[{negation}{members}]"

    def _literal(self) -> str:
        written = {"\n": r"\n", "\r": r"\r", " ": r"\ "}
        char = self._random.choice(self._alphabet)
        return written.get(char, char)
