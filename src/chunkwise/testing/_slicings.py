"""Texts and slicings to test with, made in the same order every time."""

from __future__ import annotations

from itertools import combinations, cycle, islice, pairwise, zip_longest
from random import Random
from typing import TYPE_CHECKING, Literal, TypeAlias

from ._pieces import PIECES, pieces_named_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Slicings: TypeAlias = Literal["all", "random"]

_MOST_PIECES = 10
"""Pieces of a generated text that is sliced at random."""

_FEW_PIECES = 3
"""Pieces of one that is sliced in all ways, which double with each code point."""


def sliced(text: str, cuts: Iterable[int]) -> list[str]:
    """Return *text* cut at the offsets *cuts*; one given twice makes an empty delta."""
    places = [0, *sorted(cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def all_slicings(text: str) -> Iterator[list[str]]:
    """Yield every slicing without empty deltas: single code points first.

    Then those with one cut, with two, and so on. The whole text is left out: it is what
    all others are compared with. That leaves ``2 ** (len(text) - 1) - 1``.
    """
    inner = range(1, len(text))
    yield list(text)
    for count in range(1, max(len(inner), 1)):
        for cuts in combinations(inner, count):
            yield sliced(text, cuts)


def random_slicings(text: str, rng: Random) -> Iterator[list[str]]:
    """Yield slicings without end: single code points, then random ones."""
    yield list(text)
    while True:
        # One cut or two show most; empty deltas come when a place is drawn twice.
        count = rng.choice((1, 1, 2, rng.randint(1, len(text) + 1)))
        yield sliced(text, rng.choices(range(len(text) + 1), k=count))


def random_texts(named: Sequence[str], rng: Random, most: int) -> Iterator[str]:
    """Yield texts without end, the first ones short.

    Args:
        named: Pieces that the subject names; every other piece is one of them.
        rng: What they are drawn with.
        most: Pieces of a text at most.
    """
    numbers = cycle(range(1, most + 1))
    while True:
        sources = [rng.choice((named or PIECES, PIECES)) for _ in range(next(numbers))]
        yield "".join(map(rng.choice, sources))


def examples(
    subjects: Sequence[object],
    texts: Sequence[str] | None,
    slicings: Slicings,
    most: int,
) -> Iterator[list[str]]:
    """Yield texts, each in a slicing.

    Args:
        subjects: What is tested; generated texts have pieces that it names.
        texts: The texts, or ``None`` to generate some.
        slicings: Every slicing of a text, or random ones.
        most: How many are yielded at most; given texts share them.
    """
    rng = Random(0)  # noqa: S311 - the same examples every time
    if texts is not None:
        ways = [_ways(text, slicings, rng) for text in texts]
        yield from islice(_in_turns(ways), most)
        return
    named = [piece for subject in subjects for piece in pieces_named_by(subject)]
    if slicings == "all":
        short = random_texts(named, rng, _FEW_PIECES)
        every = (deltas for text in short for deltas in all_slicings(text))
        yield from islice(every, most)
        return
    for text in islice(random_texts(named, rng, _MOST_PIECES), most):
        some = islice(random_slicings(text, rng), rng.randint(0, 3), None)
        yield next(some)


def _ways(text: str, slicings: Slicings, rng: Random) -> Iterator[list[str]]:
    return all_slicings(text) if slicings == "all" else random_slicings(text, rng)


def _in_turns(ways: list[Iterator[list[str]]]) -> Iterator[list[str]]:
    """Yield one of each in turns, until none has any left."""
    for turn in zip_longest(*ways):
        yield from (deltas for deltas in turn if deltas is not None)
