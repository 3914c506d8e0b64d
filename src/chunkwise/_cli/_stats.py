"""``chunkwise stats``: sizes, gaps, and what is held back."""

from collections.abc import Iterator
from typing import Annotated

import typer

from .._chunker import Chunker
from .._stats import ChunkStats, Distribution
from ._by import By, strategy_of
from ._files import Files, find_files, open_found
from ._output import print_lines
from ._problems import tell_problems
from ._sources import Encoding, ErrorPolicy, Errors, read_deltas

_WIDTH = 40
"""Code points of the longest bar of the plot."""


def stats(
    files: Files = None,
    *,
    by: By,
    delta_size: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Feed N code points at a time. More are quicker, and what is held "
            "back is counted from the end of each.",
        ),
    ] = 1,
    encoding: Encoding = "utf-8",
    errors: Errors = ErrorPolicy.STRICT,
) -> None:
    """Show how large chunks are, and how long they are held back.

    It shows how far apart they are, too. All numbers are code points. What is held back
    is the text that had come behind the end of a chunk when it was released; chunks
    that only the end of a file released do not count there. All files are counted
    together.
    """
    found = ChunkStats()
    with tell_problems():
        for name in find_files(files):
            with open_found(name, files) as source:
                chunker = Chunker(strategy_of(by[0]))
                arrived = 0
                for delta in read_deltas(source, encoding, errors, delta_size):
                    arrived += len(delta)
                    found.add(chunker.feed(delta), arrived)
                found.add(chunker.flush(), None)
        print_lines(_table(found))
        print_lines(_plot(found.sizes))


def _table(found: ChunkStats) -> Iterator[str]:
    heads = ("count", "least", "median", "mean", "90 %", "greatest")
    yield f"{'':10}" + "".join(f"{head:>11}" for head in heads)
    for name, numbers in (
        ("size", found.sizes),
        ("held back", found.held),
        ("gap", found.gaps),
    ):
        yield f"{name:10}" + "".join(f"{cell:>11}" for cell in _cells(numbers))
    yield f"not complete: {found.incomplete}"


def _cells(numbers: Distribution) -> list[str]:
    if not numbers.count:
        return ["0"]
    return [
        f"{numbers.count}",
        f"{numbers.quantile(0)}",
        f"{numbers.quantile(0.5)}",
        f"{numbers.mean:.1f}",
        f"{numbers.quantile(0.9)}",
        f"{numbers.quantile(1)}",
    ]


def _plot(sizes: Distribution) -> Iterator[str]:
    bars = sizes.histogram()
    longest = max((bar.frequency for bar in bars), default=0)
    digits = len(str(bars[-1].greatest)) if bars else 0
    for least, greatest, count in bars:
        # What is there is seen, however little.
        length = -(-count * _WIDTH // longest)
        yield f"{least:{digits}} to {greatest:{digits}} {'█' * length:{_WIDTH}} {count}"
