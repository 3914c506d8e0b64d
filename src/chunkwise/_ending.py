"""Whether a source of deltas says that its text broke off."""

from __future__ import annotations

from typing import Final

_CUT_SHORT: Final = frozenset(
    {"length", "content_filter", "refusal", "error", "truncated"}
)
"""Endings of ``chunkwise.deltas`` behind which a text is not whole.

Behind the others, ``"stop"`` and ``"tool_calls"``, it is.
"""


def is_cut_short(source: object) -> bool:
    """Return whether *source* says in its attribute ``ending`` that its text broke off.

    The streams of ``text_deltas`` have that attribute. A source without it, and one
    that does not know, says nothing.
    """
    ending = getattr(source, "ending", None)
    return isinstance(ending, str) and ending in _CUT_SHORT
