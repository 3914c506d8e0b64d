"""Pieces to make texts of: boundaries, parts of them, and what looks like some."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from inspect import isroutine
from types import CodeType, FunctionType, MethodType
from typing import Any

from .._strategy import ChunkingStrategy

PIECES = (
    # Words and what looks like the end of one.
    *("a", "B", "to", "Word", "Dr.", "e.g.", "3.14", "x.y", "...", "\u2026", "-"),
    # Terminators and closing marks, alone and together.
    *(".", "!", "?", '."', ".'", "?)", "!\u201d", ".\u2019", '.")', "?!", '"', ")"),
    *("\u3002", "\uff01", "\u300d"),
    # White space.
    *(" ", "  ", "\t", "\u3000", "\u00a0", "\u2003", "\u1680", "\x1f"),
    # Line ends.
    *("\n", "\n\n", "\r", "\r\n", "\r\n\r\n", "\n\r", "\n \t\n", "\n  ", "\x0b"),
    *("\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\n\n\n"),
    # Whole boundaries.
    *(". ", "? ", '." ', "!\n", ".\r", ".\u3000", "a.\n\n"),
    # What looks like white space and is none; marks, astral and lone surrogates.
    *("\u200b", "\ufeff", "\x00", "e\u0301", "\u0301", "\U0001f600", "\U0001d54f"),
    *("\U0001f469\u200d\U0001f467", "\ud83d", "\ude00", "\ud83d\ude00"),
    # Clusters of several code points, and what makes or counts them.
    *("\u200d", "\U0001f3fb", "\U0001f1e9", "\U0001f1e9\U0001f1ea\U0001f1eb", "\u0600"),
    *("\u0915\u094d\u0937", "\u1100\u1161\u11a8", "\ufe0f\u200d\u2764", "\u0323\u0308"),
    # What begins lines of Markdown and items of lists, and what marks spans of text.
    *(
        "- ",
        "1. ",
        "2) ",
        "\u2022 ",
        "# ",
        "| ",
        "> ",
        "\n```\n",
        "~~~",
        "`",
        "**",
        "_",
    ),
    *("[1]", ". . .", "A. ", "p.m. ", "No. 5", "<t>", "</t>", ", ", ": ", "\u2014 "),
    *("\uff0c", ":)", "\xbb", "''", "The ", "then "),
    # Blocks of Markdown, parts of them, and what must not be cut in prose.
    *("# ", "- ", "1. ", "> ", "    ", "```", "~~~", "\n---\n", "\n===\n", "\n\n- "),
    *("|", "a | b\n", "|-|-|\n", "<div>", "<b>", "`", "**", "*", "[", "](b. c)", "$"),
    *("[a]: b", "[^1]: ", "$$", "\\", ".** ", "\n# A. b\n", "\n```\na. b\n```\n"),
    # The separator of the level 1 example.
    *(";", ";;"),
    # What one code point matches several of, and parts of it.
    *("\u00df", "s", "SS", "\u017f"),
    # JSON: what begins and ends values, parts of them, and what goes wrong in them.
    *("[", "]", "{", "}", ",", ":", "1", "-0", "e+", "tru", "null", "\\", "\\u00e9"),
    *("\n[", "\n{", '{"a":', '"a"', "[1,", "NaN", "}]", "```json\n"),
)
"""Pieces of text that are boundaries, parts of boundaries, or look like some."""

_LONGEST = 24
"""Code points of a string that is taken for a separator; others are messages."""


def pieces_named_by(subject: object) -> list[str]:
    """Return the short strings that an object's parameters and its code name.

    A separator that nobody else uses stands in the code that looks for it, as a
    constant or in a pattern, or it is a parameter. Of each string its single code
    points count, too: half a separator is where mistakes are.

    Args:
        subject: A strategy, or a class or function that belongs to a chunker.
    """
    found: dict[str, None] = {}
    for text in _strings_of(subject, set()):
        if 0 < len(text) <= _LONGEST:
            found.update(dict.fromkeys((text, *text)))
    return [*found]


def _strings_of(value: object, seen: set[int]) -> Iterator[str]:
    """Yield the strings in a value, its parameters and its code."""
    if isinstance(value, str):
        yield value
    elif id(value) not in seen:
        seen.add(id(value))
        for part in _parts_of(value):
            yield from _strings_of(part, seen)


def _parts_of(value: object) -> Iterable[object]:
    """Return what is inside of a value, in an order that is always the same."""
    for types, parts in _PARTS:
        if isinstance(value, types):
            return parts(value)
    if isinstance(pattern := getattr(value, "pattern", None), str):
        return (pattern,)
    if isroutine(value) or not hasattr(value, "__dict__"):
        return ()
    return (*vars(value).values(), type(value))


def _parts_of_function(function: FunctionType) -> Iterable[object]:
    code = function.__code__
    # What a module names in capitals: a pattern, or a set of marks.
    names = [name for name in code.co_names if re.fullmatch("_?[A-Z][A-Z0-9_]*", name)]
    used = [function.__globals__.get(name) for name in names]
    return (code, function.__defaults__, *used)


def _parts_of_class(cls: type) -> Iterable[object]:
    classes = [each for each in cls.__mro__ if each not in {object, ChunkingStrategy}]
    return [
        member
        for each in classes
        for name, member in vars(each).items()
        if not name.startswith("__")
    ]


_PARTS: tuple[tuple[Any, Callable[[Any], Iterable[object]]], ...] = (
    (CodeType, lambda code: code.co_consts),
    (FunctionType, _parts_of_function),
    (MethodType, lambda method: (method.__func__,)),
    ((classmethod, staticmethod), lambda method: (method.__func__,)),
    (property, lambda each: (each.fget,)),
    (cached_property, lambda each: (each.func,)),
    (partial, lambda each: (each.func, each.args, each.keywords)),
    (type, _parts_of_class),
    (Mapping, lambda mapping: (*mapping.keys(), *mapping.values())),
    ((set, frozenset), lambda values: sorted(values, key=repr)),
    ((tuple, list), iter),
)
"""Types, and what is inside of their values."""
