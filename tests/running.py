"""Run strategies over streams, and write down everything that a chunk says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwise import Chunk, Chunker, Scan, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chunkwise import ChunkingStrategy


class Facts(NamedTuple):
    """All that a chunk says; chunks themselves compare as their text only."""

    text: str
    start: int
    end: int
    gap: str
    index: int
    complete: bool
    kind: str


def facts(chunks: Iterable[Chunk]) -> list[Facts]:
    """Return all attributes of *chunks*."""
    return [
        Facts(str(c), c.start, c.end, c.gap, c.index, c.complete, c.kind)
        for c in chunks
    ]


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
    strategy: ChunkingStrategy[Any],
    deltas: Iterable[str],
    *,
    final: bool = False,
    use_wake: bool = False,
) -> Iterator[Step]:
    """Scan a stream as the protocol says, in the plainest way.

    Args:
        strategy: Whose ``scan`` is called.
        deltas: The stream.
        final: Whether to end with a final scan.
        use_wake: Whether to leave out the scans that need not be made.
    """
    text = ""
    base = end = wake = 0
    state = strategy.begin(0)
    for delta in deltas:
        text += delta
        end += len(delta)
        if use_wake and end < wake and strategy.trigger.isdisjoint(delta):
            continue
        scan = as_scan(strategy.scan(text, base, state, final=False))
        yield Step(text, base, scan)
        text = text[scan.resume - base :]
        _, _, base, state, wake = scan
    if final:
        yield Step(text, base, as_scan(strategy.scan(text, base, state, final=True)))


def spans_of(steps: Iterable[Step]) -> list[Span]:
    """Return the spans of all *steps* in order."""
    return [span for step in steps for span in step.scan.spans if isinstance(span, Span)]


def as_scan(fields: Any) -> Scan[Any]:
    """Return what ``scan()`` gave with names; hot scans give plain tuples."""
    spans, *others = fields
    return Scan([Span(*span) for span in spans], *others)
