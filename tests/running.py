"""Run strategies over streams, and write down everything that a chunk says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwise import Chunker, Scan, Span
from chunkwise.testing._runs import Facts, facts

__all__ = [
    "Facts",
    "Run",
    "Step",
    "all_spans_of",
    "as_scan",
    "facts",
    "run",
    "run_in_all_ways",
    "scan_stream",
    "scan_whole",
    "spans_of",
]

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chunkwise import ChunkingStrategy
    from chunkwise._spans import ScanFields


class Run(NamedTuple):
    """What a stream gave, from its first delta to its flush."""

    chunks: list[Facts]
    tail: str


def run(strategy: ChunkingStrategy[Any], deltas: Iterable[str]) -> Run:
    """Feed *deltas* to a new Chunker and flush it."""
    chunker = Chunker(strategy)
    chunks = [chunk for delta in deltas for chunk in chunker.feed(delta)]
    chunks += chunker.flush()
    return Run(facts(chunks), chunker.tail)


class Step(NamedTuple):
    """One scan of a stream, and what was handed to it."""

    text: str
    base: int
    scan: Scan[Any]


def scan_whole(
    strategy: ChunkingStrategy[Any], text: str, *, base: int = 0, final: bool = False
) -> Scan[Any]:
    """Scan a stream that is all there, from its start at *base*."""
    return as_scan(strategy.scan(text, base, strategy.begin(base), final=final))


def scan_stream(
    strategy: ChunkingStrategy[Any], deltas: Iterable[str], *, final: bool = False
) -> Iterator[Step]:
    """Scan a stream as the protocol says, in the plainest way.

    Args:
        strategy: Whose ``scan`` is called.
        deltas: The stream.
        final: Whether to end with a final scan.
    """
    stream = text = ""
    base = 0
    scanner = strategy.bound_to(lambda start, end: stream[start:end])
    state = strategy.begin(0)
    for delta in deltas:
        text += delta
        stream += delta
        scan = as_scan(scanner.scan(text, base, state, final=False))
        yield Step(text, base, scan)
        text = text[scan.resume - base :]
        base, state = scan.resume, scan.state
    if final:
        yield Step(text, base, as_scan(scanner.scan(text, base, state, final=True)))


def spans_of(scan: Scan[Any]) -> list[Span]:
    """Return the spans of *scan* with names; hot scans give plain tuples."""
    return [Span(*span) for span in scan.spans]


def all_spans_of(steps: Iterable[Step]) -> list[Span]:
    """Return the spans of all *steps* in order."""
    return [span for step in steps for span in spans_of(step.scan)]


def as_scan(fields: ScanFields[Any]) -> Scan[Any]:
    """Return what ``scan()`` gave with names."""
    return Scan(*fields)


def run_in_all_ways(strategy: ChunkingStrategy[Any], text: str) -> list[Facts]:
    """Return the chunks of *text*, which are the same in one delta and in many."""
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    assert run(strategy, [text[at : at + 3] for at in range(0, len(text), 3)]) == whole
    return whole.chunks
