"""CUT: an item of a delta stream that stands for a boundary."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Cut(Enum):
    """The type of `CUT`, its one member, so that ``item is CUT`` narrows a type."""

    CUT = "CUT"

    def __repr__(self) -> str:
        """Show the public name."""
        return self.name


CUT: Final = Cut.CUT
"""Declares a boundary between two deltas, where a tool call stood for example.

A stream of deltas may hold it among its text; ``iter_chunks`` and ``aiter_chunks`` then
call ``Chunker.cut()``.
"""
