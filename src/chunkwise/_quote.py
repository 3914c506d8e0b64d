"""How stream text is shown in messages."""

from __future__ import annotations

_LONGEST = 40
"""Code points of stream text that a message shows at most."""


def quote(text: str) -> str:
    """Return the ``repr`` of at most 40 code points of *text*."""
    if len(text) <= _LONGEST:
        return repr(text)
    return f"{text[:_LONGEST]!r}…"
