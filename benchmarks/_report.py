"""Sections and tables of the report, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Table(NamedTuple):
    """A table of finished cells.

    Attributes:
        head: The names of the columns.
        rows: As many cells each.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        """Return the table with columns of even width, the first one on the left."""
        widths = [
            max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)
        ]
        rule = ["-" * (width - 1) + ":" for width in widths]
        rule[0] = "-" * widths[0]
        lines = [_line(self.head, widths), _line(rule, widths)]
        lines += [_line(row, widths) for row in self.rows]
        return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
    return f"| {' | '.join(padded)} |"


class Section(NamedTuple):
    """The answer to one question.

    Attributes:
        title: Its heading.
        text: What was measured, and how.
        tables: What came out.
    """

    title: str
    text: str
    tables: Sequence[Table]

    def markdown(self) -> str:
        """Return the section under a heading of the second level."""
        parts = [f"## {self.title}", self.text.strip()]
        parts += [table.markdown() for table in self.tables]
        return "\n\n".join(parts)


def digits(value: float) -> str:
    """Return *value* with three significant digits, or without a fraction."""
    return f"{value:#.3g}" if value < 100 else f"{value:,.0f}"


def said(met: bool | None) -> str:  # noqa: FBT001 - the only argument
    """Return what stands in the column "met"; ``None`` where there is no bar."""
    if met is None:
        return "-"
    return "yes" if met else "**no**"
