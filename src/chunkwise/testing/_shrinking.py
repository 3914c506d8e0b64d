"""Making a case smaller while it still shows what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PLAIN = "a"
BLANK = " "
"""The code points that stand where any would do, or any white space."""


def shrink(deltas: Sequence[str], shows: Callable[[list[str]], bool]) -> list[str]:
    """Return the smallest slicing of the smallest text found that still shows it.

    Takes away runs of code points, long ones first, then cuts, then replaces code
    points by plain ones, until nothing of that can be done. Each step makes the case
    smaller, so this ends.

    Args:
        deltas: A case that shows it.
        shows: Tells whether another one does.
    """
    case = list(deltas)
    smaller: list[str] | None = case
    while smaller is not None:
        case = smaller
        smaller = next(filter(shows, _smaller(case)), None)
    return case


def _smaller(deltas: list[str]) -> Iterator[list[str]]:
    text = "".join(deltas)
    size = len(text)
    while size:
        for start in range(0, len(text) - size + 1, max(size // 2, 1)):
            yield _without(deltas, start, start + size)
        size //= 2
    for number in range(len(deltas)):
        if not deltas[number]:
            yield [*deltas[:number], *deltas[number + 1 :]]
        elif number:
            joined = deltas[number - 1] + deltas[number]
            yield [*deltas[: number - 1], joined, *deltas[number + 1 :]]
    for number, delta in enumerate(deltas):
        for at, char in enumerate(delta):
            for plain in _plainer(char):
                replaced = delta[:at] + plain + delta[at + 1 :]
                yield [*deltas[:number], replaced, *deltas[number + 1 :]]


def _plainer(char: str) -> str:
    """Return the code points that are plainer than *char*."""
    if char == PLAIN:
        return ""
    return PLAIN + BLANK if char.isspace() and char != BLANK else PLAIN


def _without(deltas: list[str], start: int, end: int) -> list[str]:
    """Return the deltas without the code points from *start* to *end* of the text."""
    left: list[str] = []
    at = 0
    for delta in deltas:
        first, last = max(start - at, 0), max(end - at, 0)
        left.append(delta[:first] + delta[last:])
        at += len(delta)
    return left
