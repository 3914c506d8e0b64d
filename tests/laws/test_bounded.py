"""Bounded: memory is O(pending text), work per code point O(1) amortised.

Counted, not timed: the code points handed to ``scan``, and the text that is stored.
"""

from __future__ import annotations

import gc
import tracemalloc
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from typing_extensions import override

from chunkwise import (
    Chunk,
    Chunker,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    ParagraphChunking,
    RegexChunking,
    WindowChunking,
    WordChunking,
    iter_chunks,
    resolve_chunking_strategy,
)
from tests.examples import Counting
from tests.running import run
from tests.texts import every_built_in, sliced_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    "brackets": "[" * LENGTH,
    "braces": '{"a":' * (LENGTH // 5),
    "brackets that close others": "[" * (LENGTH // 2) + "}" * (LENGTH // 2),
    "a string without end": '["' + "x" * LENGTH,
    "escapes": '["' + "\\u00e9" * (LENGTH // 6),
    "a number without end": "[1" + "0" * LENGTH,
    "items": "[" + "1," * (LENGTH // 2),
    "members": "[{" + '"a":"b",' * (LENGTH // 8),
    "a key without end": '{"' + "x" * LENGTH,
    "backticks": "`" * LENGTH,
    "pipes": "|" * LENGTH,
    "stars": "*" * LENGTH,
    "dollars": "$a" * (LENGTH // 2),
    "nested quotes": ">" * LENGTH,
    "nested lists": "- " * (LENGTH // 2) + "a",
    "list items": "- a\n" * (LENGTH // 4),
    "a fence": "```\n" + "a.\n" * (LENGTH // 3),
    "table rows": "|a|\n|-|\n" + "|a|\n" * (LENGTH // 4),
    "one long word, then a terminator without end": "x" * 99 + "." * LENGTH,
}

adversaries = pytest.mark.parametrize(
    "text", ADVERSARIES.values(), ids=ADVERSARIES.keys()
)
sizes = pytest.mark.parametrize("size", [1, 4])


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


def memory_after(chunker: Chunker, text: str) -> int:
    """Return the bytes that are taken after *text*, fed one code point at a time."""
    tracemalloc.start()
    try:
        for char in text:
            chunker.feed(char)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
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
    assert memory_after(chunker, blank * size) <= 4 * size + 10_000
    # Some strategies give chunks of any text; all others hold it.
    assert chunker.state.last_end + len(chunker.pending) == size


@pytest.mark.parametrize(
    "name", ["sentence", "clause", "word", "line", "paragraph", "json", "markdown"]
)
def test_many_idle_chunkers_share_what_is_not_of_their_stream(name: str) -> None:
    text = "x" * 100
    strategy = resolve_chunking_strategy(name)

    def idle() -> Chunker:
        chunker = Chunker(strategy)
        for delta in pieces(text, 4):
            chunker.feed(delta)
        return chunker

    idle()
    gc.collect()
    tracemalloc.start()
    try:
        chunkers = [idle() for _ in range(200)]
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < len(chunkers) * (1_500 + len(text))


def short_chunks(strategy: ChunkingStrategy[Any]) -> str:
    """Return a long text of which each strategy makes short chunks."""
    if not isinstance(strategy, JSONChunking):
        return "A bit.\n\n" * 600
    if strategy.at == "items":
        return "[" + '{"a": 1},\n' * 480
    return ('[{"a": 1}]\n{"a": [2]}\n' + "A bit. " * 30 + "\n") * 20


@pytest.fixture
def only_new() -> Iterator[None]:
    """Let ``gc`` see nothing of what there is before the test."""
    gc.freeze()
    yield
    gc.unfreeze()


def living_chunks() -> int:
    """Return how many chunks ``gc`` sees, whoever holds them."""
    gc.collect()
    return sum(issubclass(type(each), Chunk) for each in gc.get_objects())


@pytest.mark.usefixtures("only_new")
def test_chunks_that_are_kept_are_counted() -> None:
    chunks = list(iter_chunks("A bit. And one more. "))
    assert living_chunks() == len(chunks) == 2


@pytest.mark.usefixtures("only_new")
@every_built_in
def test_a_long_stream_of_short_chunks_keeps_none_of_them(
    strategy: ChunkingStrategy[Any],
) -> None:
    """Neither themselves nor their texts, of which a third takes 10,000 bytes at least.

    What grows with the stream grows in each third of it. What the interpreter keeps for
    its next use, 25,000 bytes for ``re`` for example, it takes once and early.
    """
    text = short_chunks(strategy)
    run(strategy, text)
    third = len(text) // 3
    chunker = Chunker(strategy)
    taken = []
    tracemalloc.start()
    try:
        for start in range(0, 3 * third, third):
            for char in text[start : start + third]:
                chunker.feed(char)
            gc.collect()
            taken.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert living_chunks() <= 1
    assert min(taken[1] - taken[0], taken[2] - taken[1]) <= 5_000
    assert chunker.state.index > 1


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
        pytest.param(JSONChunking(), '"x', id="json"),
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
