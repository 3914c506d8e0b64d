"""Calls that must type-check, and calls that must be errors. Read, never executed.

A line with ``type: ignore`` has to be an error: ``warn_unused_ignores`` says where it
is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import regex
from starlette.responses import Response
from typing_extensions import assert_type, override

from chunkwise import (
    CUT,
    STRATEGIES,
    Chunk,
    Chunker,
    ChunkerState,
    ChunkingStrategy,
    ChunkwiseError,
    ContractError,
    Cut,
    DeltaInvarianceError,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    MalformedJSONError,
    MarkdownChunking,
    MarkdownTableChunking,
    ParagraphChunking,
    PendingLimitError,
    RegexChunking,
    Scan,
    SentenceChunking,
    SeparatorTimeoutError,
    SourceError,
    Span,
    StreamChunkers,
    StreamStateError,
    UnknownStrategyError,
    WindowChunking,
    WordChunking,
    aiter_chunks,
    atext_deltas,
    iter_chunks,
    register_strategy,
    resolve_chunking_strategy,
    strategy_from_dict,
    text_deltas,
)
from chunkwise.deltas import Ending, Part, TagDelta, by_choice, openai_chat, split_tags
from chunkwise.interop.asgi import ChunkEvents
from chunkwise.offsets import SpanLike, from_utf8, from_utf16, to_utf8, to_utf16
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
from chunkwise.testing import (
    BrokenLawError,
    StrategyLaws,
    check_chunker,
    check_deltas,
    check_strategy,
    counting,
)
from chunkwise.viewer import Recording, View, arecord, paint, record, render, view

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Iterable, Mapping

    from starlette.requests import Request


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
    SentenceChunking("plain")
    LineChunking(False)  # type: ignore[call-arg]  # noqa: FBT003 - what is wrong about it
    LineChunking(keepends=False)  # type: ignore[call-arg]
    ParagraphChunking(strict="yes")  # type: ignore[arg-type]
    FixedSizeChunking(20)
    FixedSizeChunking(20, overlap=5, keep_clusters=False)
    FixedSizeChunking()  # type: ignore[call-arg]
    FixedSizeChunking(20, 5)  # type: ignore[call-arg]
    FixedSizeChunking("20")  # type: ignore[arg-type]
    MarkdownChunking()
    MarkdownChunking(prose="block", code="line", table="block", lists="list")
    MarkdownChunking(extensions=["math"], sentence="line", context=False)
    MarkdownChunking(max_size=20, min_size=5, sizer=words)
    MarkdownChunking(max_size=20, size_of="with_context")
    MarkdownChunking(max_size=20, size_of="context")  # type: ignore[arg-type]
    MarkdownChunking("block")  # type: ignore[call-arg]
    MarkdownChunking(prose="word")  # type: ignore[arg-type]
    MarkdownChunking(extensions=3)  # type: ignore[arg-type]
    MarkdownTableChunking(90)
    MarkdownTableChunking(90, sizer="words", repeat_header=False)
    MarkdownTableChunking()  # type: ignore[call-arg]
    MarkdownTableChunking(90, words)  # type: ignore[call-arg]
    WindowChunking(3)
    WindowChunking(3, stride=2, by="word", tail="all")
    WindowChunking(3, stride=4, by=WordChunking(), allow_gaps=True)
    WindowChunking(3, stride=None, by={"type": "word"}, tail="drop")
    assert_type(WindowChunking(3).by, ChunkingStrategy[Any])
    WindowChunking()  # type: ignore[call-arg]
    WindowChunking(3, 2)  # type: ignore[call-arg]
    WindowChunking(3, tail="some")  # type: ignore[arg-type]
    WindowChunking(3, by=WordChunking)  # type: ignore[arg-type]
    JSONChunking()
    JSONChunking(at="$.findings[*]", strict=True, allow_nan=True)
    JSONChunking("lines")  # type: ignore[call-arg]
    JSONChunking(at=None)  # type: ignore[arg-type]


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


def read_sources(events: Iterable[object], stream: AsyncIterable[object]) -> None:
    """Whatever goes in, text and cuts come out, and fit where chunks are cut."""
    deltas = text_deltas(events, extract=openai_chat, on_end=print, kind="reasoning")
    assert_type(next(deltas), str | Cut)
    assert_type(deltas.ending, Ending | None)
    assert_type(next(iter_chunks(deltas)), Chunk)
    aiter_chunks(atext_deltas(stream), "word", idle_release=2.5)
    text_deltas(events, extract=lambda event: [str(event), CUT, Part("a")])
    assert_type(next(by_choice(events)), tuple[int, str | Cut])
    assert_type(next(split_tags(deltas, "think")), TagDelta | Cut)
    iter_chunks(split_tags(deltas, "think", keep="outside"))
    text_deltas(7)  # type: ignore[arg-type]
    text_deltas(stream)  # type: ignore[arg-type]
    text_deltas(events, kind="thinking")  # type: ignore[arg-type]
    text_deltas(events, extract=len)  # type: ignore[arg-type]


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
    assert_type(chunk.path, "str | None")
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


def feed_many(parked: dict[int, ChunkerState]) -> None:
    """Keys are what the annotation or the functions say."""
    streams = StreamChunkers(
        "word",
        max_streams=10,
        idle=60,
        on_evict=parked.__setitem__,
        restore=parked.get,
        max_pending=1_000,
    )
    assert_type(streams.feed(7, "delta"), list[Chunk])
    assert_type(streams.flush(7, truncated=True), list[Chunk])
    assert_type(streams[7], Chunker)
    assert_type(list(streams), list[int])
    assert_type(streams.evict(7), ChunkerState)
    streams.feed("7", "delta")  # type: ignore[arg-type]
    StreamChunkers("word", 10)  # type: ignore[call-arg]
    any_keys = StreamChunkers("word")
    any_keys.feed(("a", 7), "delta")
    any_keys.feed([], "delta")  # type: ignore[arg-type]


def send_events(chunks: AsyncIterable[Chunk], request: Request) -> None:
    """A stream of chunks becomes responses."""
    events = ChunkEvents(chunks, replay=10, linger=3)
    assert_type(events.sse(request), Response)
    assert_type(events.ndjson(request), Response)
    assert_type(events.over, bool)
    ChunkEvents(iter([]))  # type: ignore[arg-type]
    ChunkEvents(chunks, 10)  # type: ignore[call-arg]


def convert_offsets(text: str, chunks: list[Chunk]) -> None:
    """Chunks, spans and pairs go in, pairs come out."""
    spans: list[SpanLike] = [*chunks, Span(0, 3), (0, 3)]
    assert_type(to_utf8(text, chunks), list[tuple[int, int]])
    assert_type(to_utf16(text, spans), list[tuple[int, int]])
    assert_type(from_utf8(text, to_utf8(text, iter(spans))), list[tuple[int, int]])
    from_utf16(text, [3])  # type: ignore[list-item]


async def show_chunks(
    deltas: Iterable[str], stream: AsyncIterable[str | Cut], lines: Iterable[str]
) -> None:
    recording = Recording(["a", CUT], times=[0, 0.5])
    assert_type(Recording.from_lines(lines), Recording)
    assert_type(list(recording.to_lines()), list[str])
    assert_type(record(deltas), Recording)
    assert_type(await arecord(stream), Recording)
    assert_type(render("a"), str)
    assert_type(render(recording, ["word", {"type": "line"}, WordChunking()]), str)
    assert_type(view(deltas, "word", title="a", delta_size=2), View)
    assert_type(list(paint(deltas, "word", color=True)), list[str])
    render(stream)  # type: ignore[arg-type]
    paint("a", "word")  # type: ignore[call-arg]
    Recording(["a"], times=["0"])  # type: ignore[list-item]


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
    if isinstance(error, MalformedJSONError):
        one_more: ValueError = error
        assert_type(error.offset, int)
        assert_type(error.path, str)
        del one_more
    if isinstance(error, SeparatorTimeoutError):
        assert_type(error.pattern, str)
        assert_type(error.timeout, float)
        assert_type(error.offset, int)
    if isinstance(error, SourceError):
        source_error: ValueError = error
        assert_type(error.item, int)
        del source_error
    if isinstance(error, StreamStateError):
        assert_type(str(error), str)


class TestLevel2(StrategyLaws):
    """What names a strategy is a test."""

    strategy = Level2()
    texts = ("a", "b")
    slicings = "all"


def test_strategies(error: BrokenLawError) -> None:
    """Checks return nothing, and take functions as they are."""
    check_strategy(Level1(), ["a"], slicings="random", max_examples=5, separators=";*")
    check_strategy(WordChunking(), slicings="some")  # type: ignore[arg-type]
    check_strategy("word")  # type: ignore[arg-type]
    check_chunker(list, feed=lambda _, delta: [delta], flush=lambda _: ())
    check_chunker(list, feed=lambda delta: [delta], flush=list)  # type: ignore[arg-type, misc]
    check_deltas(text_deltas, [{"text": "a"}])
    check_deltas(atext_deltas)
    check_deltas("text")  # type: ignore[arg-type]
    assert_type(counting(Level2()).scanned, int)
    counting(Level2()).assert_linear("a ")
    assert_type(error.deltas, tuple[str, ...])
    assertion: AssertionError = error
    del assertion
