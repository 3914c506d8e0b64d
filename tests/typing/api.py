"""Calls that must type-check, and calls that must be errors. Read, never executed.

A line with ``type: ignore`` has to be an error: ``warn_unused_ignores`` says where it
is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import regex
from typing_extensions import assert_type, override

from chunkwise import (
    STRATEGIES,
    Chunk,
    Chunker,
    ChunkerState,
    ChunkingStrategy,
    ChunkwiseError,
    ContractError,
    DeltaInvarianceError,
    FixedSizeChunking,
    LineChunking,
    ParagraphChunking,
    PendingLimitError,
    RegexChunking,
    Scan,
    SentenceChunking,
    SeparatorTimeoutError,
    Span,
    StreamStateError,
    UnknownStrategyError,
    WindowChunking,
    WordChunking,
    register_strategy,
    resolve_chunking_strategy,
    strategy_from_dict,
)
from chunkwise.schema import strategy_schema
from chunkwise.sizing import (
    SIZERS,
    Sizer,
    TokenCounter,
    code_points,
    resolve_sizer,
    sizer_name,
    tokens,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


class Level1(ChunkingStrategy):
    """The least that a strategy has to be."""

    @override
    def split(self, text: str) -> list[str]:
        return text.split(";")[:-1]

    @override
    def flush(self, text: str) -> list[str]:
        return [text]


class Level2(ChunkingStrategy[int]):
    """A strategy with a state of its own."""

    @override
    def begin(self, offset: int) -> int:
        return offset

    @override
    def scan(self, text: str, base: int, state: int, final: bool = False) -> Scan[int]:
        end = base + len(text)
        return Scan([Span(state, end, kind="mine")], end, end, state, wake=end)


class WrongSplit(ChunkingStrategy):
    """``split`` gives a list of texts."""

    @override
    def split(self, text: str) -> str:  # type: ignore[override]
        return text


class WrongState(ChunkingStrategy[int]):
    """``begin`` gives the state that the class names."""

    @override
    def begin(self, offset: int) -> str:  # type: ignore[override]
        return str(offset)


class WrongScan(ChunkingStrategy[int]):
    """``final`` is a keyword of ``scan``."""

    @override
    def scan(self, text: str, base: int, state: int) -> Scan[int]:  # type: ignore[override]
        return Scan([], base, base, state)


def build_strategies() -> None:
    """Parameters are keyword-only and typed."""
    SentenceChunking(rules="plain")
    WordChunking()
    LineChunking(keep_ends=False)
    ParagraphChunking(strict=True)
    RegexChunking("a", separator="end", flags=2, timeout=None, strip=True)
    RegexChunking(re.compile("a"))
    RegexChunking(regex.compile("a"), timeout=2)
    assert_type(RegexChunking("a").pattern, str)
    RegexChunking()  # type: ignore[call-arg]
    RegexChunking(re.compile(b"a"))  # type: ignore[arg-type]
    RegexChunking("a", separator="keep")  # type: ignore[arg-type]
    RegexChunking("a", "end")  # type: ignore[call-arg]
    WordChunking(3)  # type: ignore[call-arg]
    SentenceChunking(rules="fancy")  # type: ignore[arg-type]
    SentenceChunking("plain")  # type: ignore[call-arg]
    LineChunking(False)  # type: ignore[call-arg]  # noqa: FBT003 - what is wrong about it
    LineChunking(keepends=False)  # type: ignore[call-arg]
    ParagraphChunking(strict="yes")  # type: ignore[arg-type]
    FixedSizeChunking(20)
    FixedSizeChunking(20, overlap=5, keep_clusters=False)
    FixedSizeChunking()  # type: ignore[call-arg]
    FixedSizeChunking(20, 5)  # type: ignore[call-arg]
    FixedSizeChunking("20")  # type: ignore[arg-type]
    WindowChunking(3)
    WindowChunking(3, stride=2, by="word", tail="all")
    WindowChunking(3, stride=4, by=WordChunking(), allow_gaps=True)
    WindowChunking(3, stride=None, by={"type": "word"}, tail="drop")
    assert_type(WindowChunking(3).by, ChunkingStrategy[Any])
    WindowChunking()  # type: ignore[call-arg]
    WindowChunking(3, 2)  # type: ignore[call-arg]
    WindowChunking(3, tail="some")  # type: ignore[arg-type]
    WindowChunking(3, by=WordChunking)  # type: ignore[arg-type]


def change_strategies(strategy: LineChunking) -> None:
    """Strategies are immutable."""
    strategy.keep_ends = False  # type: ignore[misc]


def build_chunkers(strategy: ChunkingStrategy[Any]) -> None:
    """A strategy, a name or a dictionary; options are keywords."""
    Chunker(strategy)
    Chunker(Level1())
    Chunker(Level2())
    Chunker("word")
    Chunker({"type": "word"})
    Chunker("word", max_pending=10, check="full", metadata={"id": 7})
    Chunker()  # type: ignore[call-arg]
    Chunker(None)  # type: ignore[arg-type]
    Chunker(WordChunking)  # type: ignore[arg-type]
    Chunker(b"word")  # type: ignore[arg-type]
    Chunker("word", 10)  # type: ignore[call-arg]
    Chunker("word", max_pending="10")  # type: ignore[arg-type]
    Chunker("word", check="some")  # type: ignore[arg-type]
    Chunker("word", metadata=7)  # type: ignore[arg-type]


def feed_chunkers(chunker: Chunker, text: str) -> None:
    """What goes in is text, and what comes out are lists of chunks."""
    assert_type(chunker.feed(text), list[Chunk])
    assert_type(chunker.cut(), list[Chunk])
    assert_type(chunker.flush(), list[Chunk])
    assert_type(chunker.flush(truncated=True), list[Chunk])
    assert_type(chunker.pending, str)
    assert_type(chunker.tail, str)
    chunker.feed(Chunk("a chunk is text", start=0))
    chunker.feed(None)  # type: ignore[arg-type]
    chunker.feed(b"bytes")  # type: ignore[arg-type]
    chunker.feed(["a"])  # type: ignore[arg-type]
    chunker.flush(True)  # type: ignore[call-arg]  # noqa: FBT003 - what is wrong about it
    chunker.pending = ""  # type: ignore[misc]
    chunker.tail = ""  # type: ignore[misc]


def read_chunks(chunk: Chunk) -> None:
    """A chunk is text with attributes that cannot be set."""
    text: str = chunk
    texts: list[str] = [chunk]
    assert_type(chunk.start, int)
    assert_type(chunk.end, int)
    assert_type(chunk.index, int)
    assert_type(chunk.gap, str)
    assert_type(chunk.complete, bool)
    assert_type(chunk.kind, str)
    assert_type(chunk.gap + chunk, str)
    assert_type(chunk.strip(), str)
    metadata: Mapping[str, object] = chunk.metadata
    del text, texts, metadata
    chunk.metadata["id"] = 7  # type: ignore[index]
    chunk.start = 3  # type: ignore[misc]
    Chunk("a")  # type: ignore[call-arg]
    Chunk("a", 0)  # type: ignore[call-arg]


def keep_states(chunker: Chunker) -> None:
    """States go to JSON and back, and cannot be changed."""
    state = chunker.state
    assert_type(state, ChunkerState)
    assert_type(state.to_json(), str)
    assert_type(ChunkerState.from_json("{}"), ChunkerState)
    assert_type(Chunker.resume("word", state), Chunker)
    Chunker.resume(WordChunking(), state)
    Chunker.resume({"type": "word"}, state)
    Chunker.resume(state)  # type: ignore[arg-type, call-arg]
    Chunker.resume("word", state.to_json())  # type: ignore[arg-type]
    state.index = 3  # type: ignore[misc]
    chunker.state = state  # type: ignore[misc]


def find_strategies(strategy: WordChunking) -> None:
    """``None`` stays ``None``; everything else gives a strategy."""
    assert_type(resolve_chunking_strategy("word"), ChunkingStrategy[Any])
    assert_type(resolve_chunking_strategy(strategy), ChunkingStrategy[Any])
    assert_type(resolve_chunking_strategy({"type": "word"}), ChunkingStrategy[Any])
    resolve_chunking_strategy(None)
    resolve_chunking_strategy(7)  # type: ignore[call-overload]
    resolve_chunking_strategy(WordChunking)  # type: ignore[call-overload]
    assert_type(strategy_from_dict(strategy.to_dict()), ChunkingStrategy[Any])
    strategy_from_dict("word")  # type: ignore[arg-type]
    assert_type(strategy.to_dict(), dict[str, object])
    assert_type(WordChunking.from_dict({}), WordChunking)
    assert_type(strategy.split("a b"), list[str])
    assert_type(strategy.flush("a b"), list[str])
    register_strategy("level 1", Level1)
    register_strategy("level 2", Level2)
    register_strategy("an instance", Level1())  # type: ignore[arg-type]
    register_strategy("no strategy", str)  # type: ignore[arg-type]
    STRATEGIES["mine"] = Level1  # type: ignore[index]


def describe_strategies() -> None:
    """The schema is a dictionary."""
    assert_type(strategy_schema(), dict[str, Any])
    strategy_schema("line")  # type: ignore[call-arg]


def measure_texts(text: str, tokenizer: object) -> None:
    """A sizer is a function from a text to an ``int``."""
    sizer: Sizer = code_points
    sizer = len
    sizer = tokens(tokenizer)
    sizer = lambda text: len(text) / 4  # type: ignore[assignment, return-value]  # noqa: E731 - what is wrong about it
    assert_type(sizer(text), int)
    assert_type(tokens(tokenizer), TokenCounter)
    assert_type(resolve_sizer("words"), Sizer)
    assert_type(sizer_name(words), "str | None")
    words(text.encode())  # type: ignore[arg-type]
    sizer_name("words")  # type: ignore[arg-type]
    SIZERS["mine"] = len  # type: ignore[index]


def make_scans() -> None:
    """Spans and scans have names, and cannot be changed."""
    assert_type(Span(0, 3).start, int)
    assert_type(Span(0, 3, complete=None).complete, "bool | None")
    assert_type(Scan([Span(0, 3)], 3, 3, "state").state, str)
    Span(0)  # type: ignore[call-arg]
    Span("0", 3)  # type: ignore[arg-type]
    Span(0, 3).end = 4  # type: ignore[misc]


def handle_errors(error: ChunkwiseError) -> None:
    """Errors carry their facts."""
    if isinstance(error, ContractError):
        value_error: ValueError = error
        assert_type(error.offset, "int | None")
        assert_type(error.strategy, str)
        del value_error
    if isinstance(error, DeltaInvarianceError):
        assert_type(error.released, tuple[str, ...])
        assert_type(error.expected, tuple[str, ...])
    if isinstance(error, PendingLimitError):
        assert_type(error.pending, int)
        assert_type(error.limit, int)
        assert_type(error.chunks, list[Chunk])
    if isinstance(error, UnknownStrategyError):
        another: ValueError = error
        assert_type(error.known, tuple[str, ...])
        del another
    if isinstance(error, SeparatorTimeoutError):
        assert_type(error.pattern, str)
        assert_type(error.timeout, float)
        assert_type(error.offset, int)
    if isinstance(error, StreamStateError):
        assert_type(str(error), str)
