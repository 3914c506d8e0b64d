"""How stream text and other values are shown in messages."""

from __future__ import annotations

_LONGEST = 40
"""Code points of stream text that a message shows at most."""


def quote(text: str) -> str:
    """Return the ``repr`` of at most 40 code points of *text*."""
    if len(text) <= _LONGEST:
        return repr(text)
    return f"{text[:_LONGEST]!r}…"


def shown(value: object) -> str:
    """Return the ``repr`` of *value*, at most 80 code points of it."""
    if isinstance(value, str):
        return quote(value)
    try:
        text = repr(value)
    except ValueError:  # An int of thousands of digits.
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= 2 * _LONGEST else f"{text[: 2 * _LONGEST]}…"
