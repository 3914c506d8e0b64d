r"""Link reference definitions, line by line.

``[label]: target "title"`` may go over several lines, and whether it is one at all may
be open until its last line: until then it looks like the start of a paragraph.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

    # What is awaited next; the text of an open label or the delimiter of an open title;
    # where the definition ends if no title comes, -1 where it cannot end without one.
    Phase: TypeAlias = "tuple[str, str, int]"

LABEL = "label"
TARGET = "target"
MORE = "more"
TITLE = "title"
DONE = "done"
"""The line ended the definition."""
FAILED = "failed"
"""All of it is a paragraph."""
BEFORE = "before"
"""The definition ended before the line."""

START: Phase = (LABEL, "", -1)

_FAILURE: Phase = (FAILED, "", -1)

LONGEST_LABEL = 999

TITLE_STARTS = "\"'("

_LABEL_PART = re.compile(r"(?:[^\[\]\\]|\\.|\\\Z)*")
_TARGET_PART = re.compile(r"<(?:[^<>\\]|\\.)*>|(?!<)[^\s\x00-\x1f\x7f]+")
_TITLES = {
    '"': re.compile(r'(?:[^"\\]|\\.|\\\Z)*'),
    "'": re.compile(r"(?:[^'\\]|\\.|\\\Z)*"),
    "(": re.compile(r"(?:[^()\\]|\\.|\\\Z)*"),
}
_PARENTHESES = re.compile(r"(?<!\\)[()]")


def may_be_definition(rest: str) -> bool:
    """Whether the beginning of a line, from its ``[`` on, may begin a definition."""
    label = _LABEL_PART.match(rest, 1).end()  # type: ignore[union-attr]  # it matches ""
    if label > LONGEST_LABEL + 1:
        return False
    if label == len(rest):
        return True
    if rest[label] == "[" or not rest[1:label].strip():
        return False
    return rest[label + 1 : label + 2] in {"", ":"}


def advance(phase: Phase, line: str, end: int) -> Phase:
    """Return what is awaited behind a further line.

    Args:
        phase: What was awaited before it; `START` before the first.
        line: The line without what is in front of its text.
        end: Stream offset of its end.
    """
    awaited, before, ended = phase
    if awaited == LABEL:
        return _label(before, line, end)
    if awaited == TARGET:
        return _target(line, 0, end)
    if awaited == MORE:
        line = line.strip(" \t")
        if line[0] not in TITLE_STARTS:
            return (BEFORE, "", ended)
        return _title(line[0], line, 1, ended)
    return _title(before, line, 0, ended)


def _label(before: str, line: str, end: int) -> Phase:
    # The first line begins with the bracket; later on there is something before it.
    at = 0 if before else 1
    stop = _LABEL_PART.match(line, at).end()  # type: ignore[union-attr]  # it matches ""
    label = before + line[at:stop].strip()
    if len(label) > LONGEST_LABEL:
        return _FAILURE
    if stop == len(line):
        return (LABEL, label or " ", -1)
    if not label.strip() or line[stop : stop + 2] != "]:":
        return _FAILURE
    return _target(line, stop + 2, end)


def _target(line: str, at: int, end: int) -> Phase:
    at = len(line) - len(line[at:].lstrip(" \t"))
    if at == len(line):
        return (TARGET, "", -1)
    target = _TARGET_PART.match(line, at)
    if not target or not _is_balanced(target.group()):
        return _FAILURE
    at = target.end()
    title = line[at:].strip(" \t")
    if not title:
        return (MORE, "", end)
    if line[at] not in " \t" or title[0] not in TITLE_STARTS:
        return _FAILURE
    return _title(title[0], title, 1, -1)


def _title(delimiter: str, line: str, at: int, ended: int) -> Phase:
    close = _TITLES[delimiter].match(line, at).end()  # type: ignore[union-attr]  # it matches ""
    if close == len(line):
        return (TITLE, delimiter, ended)
    closing = ")" if delimiter == "(" else delimiter
    if line[close] != closing or line[close + 1 :].strip(" \t"):
        return _FAILURE if ended < 0 else (BEFORE, "", ended)
    return (DONE, "", -1)


def _is_balanced(target: str) -> bool:
    depth = 0
    for parenthesis in _PARENTHESES.findall(target):
        depth += 1 if parenthesis == "(" else -1
        if depth < 0:
            return False
    return depth == 0
