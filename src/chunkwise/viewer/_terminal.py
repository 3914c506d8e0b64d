"""paint: chunks for a terminal, each as soon as it is complete."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .._adapters import iter_chunks
from ._recording import Recording

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .._cut import Cut
    from .._registry import StrategyLike

_TINTS = ("\x1b[48;5;24;38;5;255m", "\x1b[48;5;94;38;5;255m")
"""White letters on blue, or on brown: both colours are said, so they can be read.

What the terminal's own ones are is not known.
"""

_REPEATED = "\x1b[4m"
_FAINT = "\x1b[2m"
_PLAIN = "\x1b[0m"

_BEGIN, _END = "⟦", "⟧"
"""Where a chunk begins and ends, for a terminal without colours."""

_JOINERS = "\u200c\u200d"
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_HIDDEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufff9-\ufffb"
    # Default_Ignorable_Code_Point of Unicode 16.
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_SHOWN = rf"[^\s\x00-\u02ff{_HIDDEN}]"
_UNSEEN = re.compile(
    "\U0001f3f4[\U000e0061-\U000e007a]{5}\U000e007f|[0-9#*]\ufe0f\u20e3|[©®]\ufe0f|"
    f"{_SHOWN}(?:[{_SELECTORS}]?[{_JOINERS}](?={_SHOWN})|[{_SELECTORS}])|([{_HIDDEN}])"
)
"""In its group: what a terminal would obey or not show, but for line ends and tabs.

What it matches without the group is seen: flags, keycaps, and what a joiner or one
selector behind it gives another shape.
"""

_SPACES = str.maketrans({" ": "·", "\t": "→", "\n": "↵\n"})


def paint(
    source: str | Recording | Iterable[str | Cut],
    by: StrategyLike = "sentence",
    *,
    color: bool,
) -> Iterator[str]:
    r"""Yield what a terminal shows of a stream, for each chunk as soon as it is there.

    With colours the chunks have two of them in turn, text that a chunk repeats of the
    one before it is underlined, and gaps are faint. Without, a chunk stands in ``⟦⟧``.
    White space in gaps is shown as ``·``, ``→`` and ``↵``. A code point that a terminal
    would obey or hide is shown as its number, ``<U+001B>``, so no text can do anything
    to the terminal.

    Args:
        source: A text, a `Recording`, or a stream of deltas, which is closed.
        by: A strategy, its registered name, or its dictionary form.
        color: Whether to use colours, which are ANSI escape sequences.

    Yields:
        Text to be written as it is, without a line end behind it; the last one is what
        is left behind the last chunk.

    Raises:
        UnknownStrategyError: No strategy has the given name.
        TypeError: *source* is no iterable of text.

    Examples:
        >>> print(*paint("It is on.\nNow wait.", color=False), sep="")
        ⟦It is on.⟧↵
        ⟦Now wait.⟧
    """
    deltas = source.deltas if isinstance(source, Recording) else source
    last_end = 0
    with iter_chunks(deltas, by) as chunks:
        for chunk in chunks:
            repeated = max(min(last_end, chunk.end) - chunk.start, 0)
            shown = (chunk[:repeated], chunk[repeated:])
            if color:
                tint = _TINTS[chunk.index % 2]
                parts = (
                    *_tinted(_FAINT, _marked(chunk.gap)),
                    *_tinted(tint + _REPEATED, _safe(shown[0])),
                    *_tinted(tint, _safe(shown[1])),
                )
            else:
                text = "".join(map(_safe, shown))
                parts = (_marked(chunk.gap), _BEGIN, text, _END)
            last_end = max(last_end, chunk.end)
            yield "".join(parts)
        tail = _marked(chunks.chunker.tail)
    yield "".join(_tinted(_FAINT, tail)) if color else tail


def _tinted(tint: str, text: str) -> Iterator[str]:
    """Yield *text* in a tint, which no line end carries to the border of the screen."""
    for line in text.splitlines(keepends=True):
        content = line.rstrip("\n")
        if content:
            yield f"{tint}{content}{_PLAIN}"
        yield line[len(content) :]


def _safe(text: str) -> str:
    # A carriage return in front of a line feed is the other half of one line end.
    return _UNSEEN.sub(
        lambda found: f"<U+{ord(found[1]):04X}>" if found[1] else found[0],
        text.replace("\r\n", "\n"),
    )


def _marked(gap: str) -> str:
    return _safe(gap).translate(_SPACES)
