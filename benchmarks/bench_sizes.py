"""How fast are chunks up to a size, and what are they worth?"""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ._first_call import FIRST_SIZE, TEXTS
from ._report import Section, Table, digits, said
from ._splitters import COUNTER, UNITS, absence
from ._timing import race

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ._splitters import Placed, Split, Splitter, Unit
    from ._timing import Starts

_TEXT = f"""
Whole texts in chunks of at most 1,000 code points, and of at most 512 tokens of
`cl100k`, which `{COUNTER}` counts for all. MB of UTF-8 a second: of the first call in
a process, on 1 MB, without imports; then of 1 MB and of 10 MB when everything is
loaded. Prose are paragraphs of 2,000 code points, so that no paragraph fits; Markdown
is the answer text. Texts repeat themselves but for numbers, which the repetitions have
in each sentence, because some libraries remember the sizes of texts. A ratio above 1
says that chunkwise is faster.

Of the chunks of 1 MB is shown how many are over the limit, how many are not the text
between their offsets, and what share of the code points that are no white space is in
chunks whose offsets are right.
"""
_SIZES = {"1 MB": 1_000_000, "10 MB": 10_000_000}
_BARS = {
    ("code points", "Markdown"): {"langchain-text-splitters": 1.0, "chonkie": 1.0},
    ("code points", "prose"): {"langchain-text-splitters": 0.7, "chonkie": 0.7},
    ("tokens", "Markdown"): {"chonkie": 1.0},
    ("tokens", "prose"): {"chonkie": 1.0},
}
_FIRST_CALLS = 3
_HEAD = ["splitter", "first call", *_SIZES]
_HEAD += ["ratio, first call", *(f"ratio, {size}" for size in _SIZES), "bar", "met"]
_QUALITY = ["splitter", "chunks", "over the limit", "wrong offsets", "covered"]


def run() -> Section:
    """Time every splitter on both texts in both units, and check its chunks."""
    tables: list[Table] = []
    for unit in UNITS:
        for text in TEXTS:
            tables += _tables(unit, text)
    return Section("Chunks up to a size", _TEXT, tables)


def _tables(unit: Unit, text: str) -> list[Table]:
    """Return the table of speeds and that of the chunks."""
    splitters, count = unit.load()
    title = f"{text}, {unit.limit:,} {unit.name}"
    speeds = {"first call": _first_speeds(unit, text, splitters)}
    for name, size in _SIZES.items():
        speeds[name] = _speeds(splitters, TEXTS[text](size))
    bars = _BARS[unit.name, text]
    rows = [_speed_row(name, speeds, bars.get(name)) for name in unit.contestants]
    small = TEXTS[text](FIRST_SIZE)
    checked = [
        _quality_row(name, splitters.get(name), small, count, unit.limit)
        for name in unit.contestants
    ]
    return [
        Table([title, *_HEAD[1:]], rows),
        Table([title, *_QUALITY[1:]], checked),
    ]


def _first_speeds(unit: Unit, text: str, splitters: Iterable[str]) -> dict[str, float]:
    """Return the best of several first calls, each in a process of its own."""
    size = len(TEXTS[text](FIRST_SIZE).encode()) / 1e6
    return {
        name: size
        / min(_first_seconds(unit.name, text, name) for _ in range(_FIRST_CALLS))
        for name in splitters
    }


def _first_seconds(*arguments: str) -> float:
    done = subprocess.run(  # noqa: S603 - names out of our own tables
        [sys.executable, "-m", "benchmarks._first_call", *arguments],
        cwd=Path(__file__).parents[1],
        stdout=subprocess.PIPE,
        check=True,
    )
    return float(done.stdout)


class _Whole:
    """A splitter under the names of a stream: one feed is one text."""

    def __init__(self, start: Callable[[], Split]) -> None:
        self.feed = start()

    def flush(self) -> None:
        pass


def _speeds(splitters: Mapping[str, Splitter], text: str) -> dict[str, float]:
    """Return MB of UTF-8 a second for each splitter on *text*."""
    size = len(text.encode()) / 1e6
    starts: Starts = {name: _opening(splitter) for name, splitter in splitters.items()}
    seconds = race(starts, [[text]], repeats=3, flush=False)
    return {name: size / seconds[name] for name in splitters}


def _opening(splitter: Splitter) -> Callable[[], _Whole]:
    return lambda: _Whole(splitter.start)


def _speed_row(
    name: str, speeds: Mapping[str, Mapping[str, float]], bar: float | None
) -> list[str]:
    if any(name not in speed for speed in speeds.values()):
        return [name, *[absence(name)] * 6, *["-"] * 2]
    cells = [f"{digits(speed[name])} MB/s" for speed in speeds.values()]
    if name == "chunkwise":
        return [name, *cells, *["-"] * 5]
    ratios = {size: speed["chunkwise"] / speed[name] for size, speed in speeds.items()}
    row = [name, *cells, *map(digits, ratios.values())]
    if bar is None:
        return [*row, "-", said(None)]
    return [*row, f"≥ {bar:g}", said(all(ratios[size] >= bar for size in _SIZES))]


def _quality_row(
    name: str,
    splitter: Splitter | None,
    text: str,
    count: Callable[[str], int],
    limit: int,
) -> list[str]:
    if splitter is None:
        return [name, *[absence(name)] * 4]
    quality = check(splitter.placed(splitter.start()(text)), text, count, limit)
    return [
        name,
        f"{quality.chunks:,}",
        f"{quality.over:,}",
        f"{quality.misplaced:,}",
        # Rounded down, so that 100 % means all.
        f"{math.floor(quality.covered * 10_000) / 100:.2f} %",
    ]


class Quality(NamedTuple):
    """What chunks of a text are worth.

    Attributes:
        chunks: How many there are.
        over: How many of them are larger than the limit.
        misplaced: How many are not the text between their offsets.
        covered: Share of the code points that are no white space, from 0 to 1, that
            is in chunks which are the text between their offsets.
    """

    chunks: int
    over: int
    misplaced: int
    covered: float


def check(
    placed: Iterable[Placed], text: str, count: Callable[[str], int], limit: int
) -> Quality:
    """Check the chunks of *text*.

    Args:
        placed: Start, end and text of each chunk, in any order.
        text: The text.
        count: Returns the size of a text.
        limit: The size that no chunk should exceed.
    """
    chunks = list(placed)
    right = sorted(
        (start, end)
        for start, end, chunk in chunks
        if start >= 0 and text[start:end] == chunk
    )
    covered = reached = 0
    for start, end in right:
        # What two chunks share counts once.
        covered += _visible(text[max(start, reached) : end])
        reached = max(reached, end)
    return Quality(
        chunks=len(chunks),
        over=sum(count(chunk) > limit for _, _, chunk in chunks),
        misplaced=len(chunks) - len(right),
        covered=covered / _visible(text),
    )


def _visible(text: str) -> int:
    """Return the number of code points that are no white space."""
    return sum(map(len, text.split()))
