r"""Inline Markdown as far as sentences are concerned: where no cut may be.

Code spans, links, images, autolinks, HTML tags and formulas are never cut, and the end
of an emphasis behind a full stop belongs to the sentence before it. A sentence strategy
knows nothing of all that. It is shown the text with such places masked: as long as
before, so that offsets stay what they are.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ._markdown_lines import TAG

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    # Start, end, and the length of the emphasis marks at its end, which change places
    # with what is before them; 0 where everything inside becomes one word.
    Mask: TypeAlias = "tuple[int, int, int]"

REACH = 200
"""Code points that something opened may be long; then its opener counts as text."""

OPENERS = frozenset("`[<$")
"""Code points that may open what is never cut."""

CLOSERS = frozenset("`]$")
"""Code points without which most of that stays open; see `stays_open`."""

_TERMINATORS = ".!?\u2026"
_CLOSING = "\"'\u201d\u2019)\\]"
# The leading set is what makes the search fast.
TOKEN = re.compile(
    rf"[`\[<$\\{_TERMINATORS}]"
    rf"(?:(?<=[`\[<$\\])|(?<=[{_TERMINATORS}])[{_CLOSING}]{{0,8}}(?:([*_~]{{1,6}})|\Z))"
)
_TICKS = re.compile("`+")
_LINE_END = re.compile("[\r\n]")
_BRACKET = re.compile(r"\\.|[\[\]]")
_TARGET = re.compile(
    r"\([ \t]*(?:<[^<>]*>|(?:[^\s()\\<]|\\.)?(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*)"
    r"(?:[ \t]+(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?"
    r"[ \t]*\)"
)
_LABEL = re.compile(r"\[(?:[^\[\]\\]|\\.)*\]")
_ANGLE = re.compile(
    rf"{TAG}|<[A-Za-z][A-Za-z0-9+.-]{{1,31}}:[^\s<>]*>|<[^\s<>@]+@[^\s<>@]+>"
    r"|<!--.*?-->|<\?.*?\?>|<![A-Za-z][^>]*>"
)
_ANGLE_START = re.compile(r"<[A-Za-z0-9/!?]")
_FORMULA_END = re.compile(r"(?<=[^\s\\])\$(?![0-9])")
_INSIDE = re.compile(r"[\W_]")

UNDECIDED = -1
"""More text could close what was opened."""
TEXT = -2
"""What looked like an opener is text."""


def lex(  # noqa: C901 - hot path
    text: str, at: int, *, ended: bool, math: bool, base: int
) -> tuple[int, list[Mask]]:
    """Find what must not be cut in a text of one or more lines.

    Each line is for itself: nothing reaches over its end. A code point is looked at
    again for each opener before it that is not further away than `REACH`.

    Args:
        text: The text; only its last line may be unfinished.
        at: The index to begin at, outside of everything that must not be cut.
        ended: Whether the last line has its end behind *text*.
        math: Whether ``$`` may open a formula.
        base: Stream offset of the start of *text*.

    Returns:
        The index up to which everything is decided, and the masks before it, in
        stream offsets.
    """
    masks: list[Mask] = []
    size = len(text)
    while token := TOKEN.search(text, at):
        start, at = token.span()
        opener = text[start]
        if opener in _TERMINATORS:
            marks = token.group(1)
            if at == size and not ended:
                return start, masks
            if marks and (at == size or text[at].isspace()):
                masks.append((base + start, base + at, len(marks)))
            continue
        if at == size:
            if ended:
                break
            return start, masks
        if opener == "\\":
            at += 1
            continue
        end = _close(text, start, ended=ended, math=math)
        if end == UNDECIDED:
            return start, masks
        if end >= 0:
            masks.append((base + start, base + end, 0))
            at = end
        elif opener == "`":
            at = _ticks_end(text, start)
    return size, masks


def stays_open(text: str, at: int) -> bool:
    """Whether what is opened at *at* stays open until a closer comes.

    That is one of `CLOSERS`; otherwise the end of the line or `REACH` decides.
    """
    opener = text[at]
    if opener == "[":
        return text.find("]", at) < 0
    return opener in CLOSERS and text[-1] != opener


def masked(text: str, base: int, masks: Sequence[Mask]) -> str:
    """Return *text*, which begins at stream offset *base*, as sentences see it.

    The text begins and ends outside of all *masks*, and has all of them.
    """
    parts: list[str] = []
    done = 0
    for start, end, marks in masks:
        parts.append(text[done : start - base])
        done = end - base
        hidden = text[start - base : done]
        if marks:
            parts.append(hidden[-marks:] + hidden[:-marks])
        else:
            parts.append(hidden[0] + _INSIDE.sub("_", hidden[1:-1]) + hidden[-1])
    return "".join((*parts, text[done:])) if parts else text


def _close(text: str, start: int, *, ended: bool, math: bool) -> int:
    """Return where what is opened at *start* ends, or one of the two marks."""
    stop = min(len(text), start + REACH)
    line_end = _LINE_END.search(text, start, stop)
    if line_end:
        stop = line_end.start()
    # With one code point more, so that what follows an end is known.
    is_decided = ended or line_end is not None or len(text) > stop
    opener = text[start]
    if opener == "`":
        end = _close_code(text, start, stop)
    elif opener == "[":
        end = _close_link(text, start, stop, is_decided=is_decided)
    elif opener == "<":
        end = _close_angle(text, start, stop)
    else:
        end = _close_formula(text, start, stop) if math else TEXT
    if end >= 0:
        # The end of the text may lie inside of a run of backticks, or before the
        # digit that makes a dollar sign text.
        is_open = end == len(text) and opener in "`$" and not is_decided
        return UNDECIDED if is_open else end
    return TEXT if is_decided else end


def _ticks_end(text: str, start: int) -> int:
    """Return where a run of backticks ends; only the first `REACH` of it count."""
    return _TICKS.match(text, start, start + REACH).end()  # type: ignore[union-attr]  # it begins so


def _close_code(text: str, start: int, stop: int) -> int:
    at = _ticks_end(text, start)
    ticks = at - start
    while (at := text.find("`", at, stop)) >= 0:
        end = _TICKS.match(text, at, stop).end()  # type: ignore[union-attr]  # it begins so
        if end - at == ticks:
            return end
        at = end
    return UNDECIDED


def _close_link(text: str, start: int, stop: int, *, is_decided: bool) -> int:
    if text.find("]", start, stop) < 0:
        return UNDECIDED
    depth = 0
    at = start
    while token := _BRACKET.search(text, at, stop):
        at = token.end()
        found = token.group()
        if found == "[":
            depth += 1
        elif found == "]":
            depth -= 1
            if not depth:
                break
    else:
        return UNDECIDED
    if at >= stop:
        return TEXT if is_decided else UNDECIDED
    if text[at] == "(":
        target = _TARGET.match(text, at, stop)
        return target.end() if target else UNDECIDED
    if text[at] == "[":
        label = _LABEL.match(text, at, stop)
        return label.end() if label else UNDECIDED
    return TEXT


def _close_angle(text: str, start: int, stop: int) -> int:
    if not _ANGLE_START.match(text, start):
        return TEXT
    tag = _ANGLE.match(text, start, stop)
    return tag.end() if tag else UNDECIDED


def _close_formula(text: str, start: int, stop: int) -> int:
    """Return the end of a formula, by Pandoc's rule for dollar signs."""
    if text.startswith("$$", start):
        end = text.find("$$", start + 2, stop)
        return end + 2 if end > 0 else UNDECIDED
    if text[start + 1].isspace():
        return TEXT
    found = _FORMULA_END.search(text, start + 2, stop)
    return found.end() if found else UNDECIDED
