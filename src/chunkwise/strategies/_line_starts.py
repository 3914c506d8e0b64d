"""What a line of Markdown-like text begins with, as far as sentences care."""

from __future__ import annotations

import re

PLAIN = ""
"""The line begins with nothing special."""
HEADING = "#"
ITEM = "-"
ROW = "|"
QUOTE = ">"
# A fence is the run of backticks or tildes itself, three at least.

BULLETS = "\u2022\u2043\u2023\u25e6\u25aa"
"""Bullets that are no letters of Markdown."""

# A rule between parts of a text, or what underlines a heading.
_RULE = r"(?:-{3,80}|\*{3,80}|_{3,80})[ \t]{0,20}"
_START = re.compile(
    rf"[ \t]*(?:(#{{1,6}}(?=\s)|{_RULE}(?=[\r\n]|\Z))|([-*+{BULLETS}])(?=[ \t])"
    r"|(\d{1,9}[.)]|[A-Za-z]\))(?=[ \t])|(\|)|(>)"
    r"|(~{3,80}|`{3,80}(?=[^`\n]{0,40}(?:\n|\Z))))"
).match
_KINDS = (PLAIN, HEADING, ITEM, ITEM, ROW, QUOTE)
_BEGUN = re.compile(
    rf"[ \t]*(?:#{{1,6}}|[+{BULLETS}]|\d{{1,9}}[.)]?|[A-Za-z]\)?"
    rf"|--?|\*\*?|__?|{_RULE}"
    r"|~{1,80}|`{1,2}|`{3,80}[^`\n]{0,40})?\Z"
).match


def line_start(text: str, at: int, *, final: bool) -> str | None:
    r"""Return what the line that begins at *at* starts with.

    One of `PLAIN`, `HEADING` (a hash and white space, or nothing but three to eighty of
    ``-``, ``*`` or ``_``, which separate as a heading does), `ITEM` (a bullet, a number
    or a letter of a list), `ROW` (a pipe), `QUOTE`, or the run of backticks or tildes
    of a code fence. With backticks, no further one may be in the line, and what follows
    them has at most 40 code points; the run itself has at most 80.

    Args:
        text: Text that has the line.
        at: Where the line begins, white space before its first word included.
        final: Whether nothing follows *text*.

    Returns:
        The kind, or ``None`` while that depends on what follows the text.

    Source:
        Block starts of CommonMark 0.31, without their rules of indentation, and the
        bullets and letters that people and models write besides.
    """
    if not final and _BEGUN(text, at):
        return None
    found = _START(text, at)
    if found is None:
        return PLAIN
    number = found.lastindex or 0
    return _KINDS[number] if number < len(_KINDS) else found[number]
