"""Bounded: memory is O(pending text), work per code point O(1) amortised.

Counted, not timed: the code points handed to ``scan``, and the text that is stored.
"""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from typing_extensions import override

from chunkwise import (
    Chunker,
    FixedSizeChunking,
    LineChunking,
    ParagraphChunking,
    RegexChunking,
    WindowChunking,
    WordChunking,
)
from tests.examples import Counting
from tests.running import run
from tests.texts import every_built_in, sliced_texts

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkwise import ChunkingStrategy

LENGTH = 1_200

ADVERSARIES = {
    "no boundary": "x" * LENGTH,
    "white space": " " * LENGTH,
    "tabs and line ends": "\t\n" * (LENGTH // 2),
    "line ends": "\n" * LENGTH,
    "carriage returns": "\r" * LENGTH,
    "crlf": "\r\n" * (LENGTH // 2),
    "terminators": "." * LENGTH,
    "terminators and closing marks": '."' * (LENGTH // 2),
    "closing marks": ")" * LENGTH,
    "words": "a " * (LENGTH // 2),
    "sentences": "a. " * (LENGTH // 3),
    "paragraphs": "a\n\n" * (LENGTH // 3),
    "lines of blanks": ("a\n" + " " * 98) * (LENGTH // 100),
    "one line end, then blanks": "a\n" + " " * LENGTH,
    "a gap, then no boundary": "a. b\n\n" + " " * 1_500 + "x" * 1_500,
    "no boundary, then many": "x" * 1_500 + ". \n\n" * 400,
    "white space that is none": "\u200b" * LENGTH,
    "words as long as what is looked at twice": ("x" * 31 + " ") * (LENGTH // 32),
    "longer words": ("x" * 63 + " ") * (LENGTH // 64),
    "semicolons": ";" * LENGTH,
    "what begins a separator of two": "s\u017ft" * (LENGTH // 3),
    "marks": "e" + "\u0301" * LENGTH,
    "joined emoji": "\U0001f469\u200d" * (LENGTH // 2),
    "flags": "\U0001f1e9" * LENGTH,
    "syllables": "\uac00" * LENGTH,
    "one long word, then a terminator without end": "x" * 99 + "." * LENGTH,
}

adversaries = pytest.mark.parametrize(
    "text", ADVERSARIES.values(), ids=ADVERSARIES.keys()
)
sizes = pytest.mark.parametrize("size", [1, 4, LENGTH])


def pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@every_built_in
@adversaries
@sizes
def test_a_code_point_is_scanned_a_few_times_at_most(
    strategy: ChunkingStrategy[Any], text: str, size: int
) -> None:
    counting = Counting(strategy)
    run(counting, pieces(text, size))
    assert counting.scanned <= 3 * len(text)


@every_built_in
@adversaries
def test_empty_deltas_cost_a_few_code_points_at_most(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    """Also while a boundary is undecided."""
    counting = Counting(strategy)
    chunker = Chunker(counting)
    chunker.feed(text)
    counting.scanned = 0
    for _ in range(100):
        chunker.feed("")
    assert counting.scanned <= 100 * 128


@every_built_in
@given(deltas=sliced_texts())
def test_any_text_is_scanned_a_few_times_at_most(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """The two code points that may be held back are scanned once more per delta."""
    counting = Counting(strategy)
    run(counting, deltas)
    assert counting.scanned <= 3 * sum(map(len, deltas)) + 2 * len(deltas)


@every_built_in
@adversaries
def test_no_more_text_is_stored_than_is_pending(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    """A few code points more where a gap may have to be told from its chunk.

    Where chunks overlap, what the next one repeats of the last one is stored, too.
    """
    chunker = Chunker(strategy)
    repeated = 0
    for number, delta in enumerate(pieces(text, 4)):
        chunks = chunker.feed(delta)
        if chunks and strategy.overlaps:
            repeated = len(chunks[-1])
        if number % 50 == 0:
            stored = len(chunker.state.text)
            assert stored <= len(chunker.pending) + 128 + repeated


def peak_of(chunker: Chunker, deltas: Iterable[str]) -> int:
    """Return the bytes that feeding *deltas* took at most."""
    tracemalloc.start()
    try:
        for delta in deltas:
            chunker.feed(delta)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@every_built_in
@pytest.mark.parametrize("blank", ["x", " "], ids=["no boundary", "white space"])
def test_a_long_fragment_in_single_code_points_takes_little_more_than_its_text(
    strategy: ChunkingStrategy[Any], blank: str
) -> None:
    """A list of all deltas would take 8 bytes for each at least."""
    chunker = Chunker(strategy)
    size = 6_000
    assert peak_of(chunker, iter(blank * size)) <= 4 * size + 10_000
    # Some strategies give chunks of any text; all others hold it.
    assert chunker.state.last_end + len(chunker.pending) == size


@every_built_in
def test_a_long_stream_of_short_chunks_takes_no_memory(
    strategy: ChunkingStrategy[Any],
) -> None:
    chunker = Chunker(strategy)
    assert peak_of(chunker, iter("A bit.\n\n" * 600)) <= 10_000


@pytest.mark.parametrize(
    ("strategy", "quiet"),
    [
        pytest.param(WordChunking(), "x", id="word"),
        pytest.param(LineChunking(), "x ", id="line"),
        pytest.param(ParagraphChunking(), "x ", id="paragraph"),
        pytest.param(RegexChunking(r"[,;]\s"), "x ", id="regex"),
        pytest.param(FixedSizeChunking(500), "x ", id="fixed"),
        pytest.param(FixedSizeChunking(500, overlap=50), "x", id="fixed-overlap"),
        pytest.param(FixedSizeChunking(500, keep_clusters=False), "x", id="exact"),
        pytest.param(WindowChunking(3, by="word"), "x", id="window"),
    ],
)
def test_quiet_deltas_are_scanned_seldom(
    strategy: ChunkingStrategy[Any], quiet: str
) -> None:
    class CountingScans(Counting):
        scans = 0

        @override
        def scan(self, text: str, base: int, state: Any, final: bool = False) -> Any:
            self.scans += 1
            return super().scan(text, base, state, final=final)

    counting = CountingScans(strategy)
    run(counting, [quiet] * 1_000)
    assert counting.scans <= 1_000 / 10
