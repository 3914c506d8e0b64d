r"""What one line of Markdown can be: pure functions over its text.

A line is given without its line end, which is ``\n``, ``\r`` or ``\r\n``. Blanks are
spaces and tabs. Places are indices of the line, columns count a tab up to the next
multiple of four.
"""

from __future__ import annotations

import re

_TAB = 4

FENCE = re.compile(r"(`{3,})[^`]*\Z|(~{3,})")
"""The line that opens fenced code."""

HEADING = re.compile(r"(#{1,6})(?:[ \t]|\Z)")
"""The start of an ATX heading."""

UNDERLINE = re.compile(r"(=+|-+)[ \t]*\Z")
"""The line that makes a heading of the paragraph before it."""

BULLET = re.compile(r"(?:[*+-]|([0-9]{1,9})([.)]))(?=[ \t]|\Z)")
"""The marker of a list item, and the number and delimiter of an ordered one."""

FRONT_KEY = re.compile(r"[\w\"'][^:]*:(?:[ \t]|\Z)")
"""The first line of front matter."""

FRONT_END = re.compile(r"(?:---|\.\.\.)[ \t]*\Z")
"""The last line of front matter."""

FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
"""The start of a footnote definition."""

_DELIMITERS = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\Z")
_DASHES = re.compile("-+")
PIPE = re.compile(r"(?<!\\)\|")
"""The border of a cell."""

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|"
    "dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|"
    "frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|"
    "noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|"
    "th|thead|title|tr|track|ul"
)
_ATTRIBUTE = (
    r"[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*"
    r"(?:[ \t]*=[ \t]*(?:[^ \t\"'=<>`]+|'[^']*'|\"[^\"]*\"))?"
)
TAG = (
    f"<[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*[ \\t]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \\t]*>"
)
"""Pattern of a whole HTML tag on one line."""

_HTML_STARTS = (
    re.compile(r"<(?:script|pre|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE),
    re.compile("<!--"),
    re.compile(r"<\?"),
    re.compile("<![A-Za-z]"),
    re.compile(r"<!\[CDATA\["),
    re.compile(rf"</?(?:{_BLOCK_TAGS})(?=\s|/?>|\Z)", re.IGNORECASE),
    re.compile(rf"(?:{TAG})[ \t]*\Z"),
)
_HTML_ENDS = (
    re.compile("</(?:script|pre|style|textarea)>", re.IGNORECASE),
    re.compile("-->"),
    re.compile(r"\?>"),
    re.compile(">"),
    re.compile("]]>"),
)
BLANK_ENDS_HTML = 6
"""HTML blocks of this kind and the one above it end before a blank line."""

LONE_TAG = 7
"""HTML blocks of this kind are a tag alone on its line, and interrupt no paragraph."""

_MAYBE_HTML = re.compile(
    r"<(?:/?[A-Za-z][A-Za-z0-9-]*|!(?:-|\[[A-Z]*)?|/?|"
    rf"/?(?i:{_BLOCK_TAGS})/)\Z"
)
_MAYBE_LONE_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]*(?:[ \t/>].*)?\Z")
_TAG_AND_MORE = re.compile(rf"(?:{TAG})[ \t]*[^ \t]")


def skip_blanks(line: str, at: int, column: int) -> tuple[int, int]:
    """Return the place and the column of the first code point that is no blank."""
    size = len(line)
    while at < size:
        char = line[at]
        if char == " ":
            column += 1
        elif char == "\t":
            column += _TAB - column % _TAB
        else:
            break
        at += 1
    return at, column


def is_rule(rest: str) -> bool:
    """Whether a line is a thematic break; *rest* begins with ``*``, ``-`` or ``_``."""
    marker = rest[0]
    return not rest.strip(marker + " \t") and rest.count(marker) >= 3  # noqa: PLR2004 - as CommonMark says


def columns_of(row: str) -> int:
    """Return the number of cells of a table row; 0 if it has no pipe."""
    row = row.strip()
    pipes = len(PIPE.findall(row))
    if "|" not in row or row == "|":
        return 0
    return pipes + 1 - row.startswith("|") - (row[-1] == "|" and row[-2] != "\\")


def delimiter_columns(rest: str) -> int:
    """Return the number of columns of a table's delimiter row; 0 if it is none."""
    # One code point alone is none, and a dash with a blank behind it is a list item.
    if not rest[1:] or (rest[0] == "-" and rest[1] in " \t"):
        return 0
    return len(_DASHES.findall(rest)) if _DELIMITERS.match(rest) else 0


def html_kind(rest: str, *, interrupts: bool) -> int:
    """Return the kind of the HTML block that a line begins, 1 to 7; 0 if none.

    Args:
        rest: The line from its ``<`` on.
        interrupts: Whether a paragraph is open.

    Source:
        CommonMark 0.31, section 4.6.
    """
    for kind, pattern in enumerate(_HTML_STARTS, 1):
        if pattern.match(rest) and not (interrupts and kind == LONE_TAG):
            return kind
    return 0


def may_become_html(rest: str, *, interrupts: bool) -> bool:
    """Whether more text could make the beginning of a line that of an HTML block."""
    if _MAYBE_HTML.match(rest):
        return True
    if interrupts or not _MAYBE_LONE_TAG.match(rest):
        return False
    return not _TAG_AND_MORE.match(rest)


def ends_html(kind: int, line: str) -> bool:
    """Whether a line is the last one of an HTML block of this kind."""
    return kind < BLANK_ENDS_HTML and bool(_HTML_ENDS[kind - 1].search(line))
