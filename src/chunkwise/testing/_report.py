"""What the kit reports: the law, the smallest case, both results, and a cause."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from .._quote import quote
from ..errors import ChunkwiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._runs import Facts, Run

_ROWS = 6
"""Rows of a result that a report shows at most."""

_ALWAYS_SHOWN = ("text", "start", "end", "number")


class Side(NamedTuple):
    """One of two results: what it is, and what it gave, a row for each chunk."""

    title: str
    rows: tuple[str, ...]


class Fault(NamedTuple):
    """What one case shows to be wrong.

    Attributes:
        problem: What was found, as a phrase.
        sides: Two results that should be the same; empty where there are none.
        cause: What probably does it, and what to do about it.
        error: What was raised, where that is all that is known.
    """

    problem: str
    sides: tuple[Side, ...]
    cause: str
    error: Exception | None = None


class BrokenLawError(ChunkwiseError, AssertionError):
    """Something breaks a law; the case is the smallest one found.

    Args:
        subject: The name of what breaks it.
        law: The name of the law.
        deltas: The text as it was sliced.
        problem: What was found.
        sides: Title and rows of two results that should be the same; may be empty.
        cause: What probably does it, and what to do.
    """

    def __init__(
        self,
        *,
        subject: str,
        law: str,
        deltas: Sequence[str],
        problem: str,
        sides: Sequence[tuple[str, Sequence[str]]],
        cause: str,
    ) -> None:
        super().__init__(subject, law)
        self.subject = subject
        self.law = law
        self.deltas: tuple[str, ...] = tuple(deltas)
        self.problem = problem
        self.sides: tuple[tuple[str, tuple[str, ...]], ...] = tuple(
            (title, tuple(rows)) for title, rows in sides
        )
        self.cause = cause

    @property
    def text(self) -> str:
        """The text that shows it, which is all deltas."""
        return "".join(self.deltas)

    def __str__(self) -> str:
        """Show the case, both results next to each other, and the cause."""
        lines = [f"{self.subject} breaks the law of {self.law}: {self.problem}"]
        if self.deltas:
            lines.append(f"  text:   {quote(self.text)}")
            lines.append(f"  deltas: {' | '.join(map(quote, self.deltas))}")
        lines += [*_side_by_side(self.sides), f"  cause:  {self.cause}"]
        return "\n".join(lines)


def _side_by_side(sides: Sequence[tuple[str, Sequence[str]]]) -> list[str]:
    """Return the lines of a table with a column for each side."""
    if not sides:
        return []
    columns = [[title, "-" * len(title), *rows] for title, rows in sides]
    widths = [max(map(len, column)) for column in columns]
    lines = [
        "    "
        + " | ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        for row in zip_longest(*columns, fillvalue="")
    ]
    return ["", *lines, ""]


def sides_of(left: str, found: Run, right: str, expected: Run) -> tuple[Side, Side]:
    """Return two results as sides, from where they part on."""
    ours, theirs = found.chunks, expected.chunks
    same = 0
    while same < len(ours) and ours[same : same + 1] == theirs[same : same + 1]:
        same += 1
    if same == len(ours) == len(theirs):
        same = max(same - 1, 0)
    return (
        Side(left, _rows(found, same, theirs)),
        Side(right, _rows(expected, same, ours)),
    )


def _rows(run: Run, first: int, others: Sequence[Facts]) -> tuple[str, ...]:
    rows = [
        _row(chunk, others[number] if number < len(others) else None)
        for number, chunk in enumerate(run.chunks[first:], first)
    ]
    if len(rows) > _ROWS:
        rows[_ROWS:] = [f"and {len(rows) - _ROWS} more"]
    if run.error is not None:
        rows.append(f"then {type(run.error).__name__}")
    return tuple(rows) or ("no chunk" if first == 0 else "no further chunk",)


def _row(chunk: Facts, other: Facts | None) -> str:
    """Return what a chunk says, and what else it says differently from *other*."""
    row = f"{chunk.start}:{chunk.end} {quote(chunk.text)}"
    if other is not None and chunk[:3] == other[:3]:
        differing = [
            f"{name}={value!r}"
            for name, value, another in zip(chunk._fields, chunk, other, strict=True)
            if value != another and name not in _ALWAYS_SHOWN
        ]
        row = " ".join([row, *differing])
    return row
