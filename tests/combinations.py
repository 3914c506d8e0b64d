"""Strategies of any shape: parameters, and nesting to a depth, chosen by Hypothesis."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from chunkwise import (
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    NestedChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    WordChunking,
)

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy

    Strategies = st.SearchStrategy[ChunkingStrategy[Any]]

__all__ = ["OddEncoding", "combinations"]


def tokens(text: str) -> int:
    """Not additive: three code points or a part of them make a token."""
    return -(-len(text) // 3)


def odd(text: str) -> int:
    """Neither additive nor monotone."""
    return len(text.split()) + 2 * text.count("a") - 2 * text.count("ab")


class OddEncoding:
    """Named as an encoding of OpenAI: the parts that a pattern gives have odd sizes.

    Sizes add up before spaces, and are neither additive nor monotone elsewhere.
    """

    name = "cl100k_base"

    def encode_ordinary(self, text: str) -> list[str]:
        """Return as many tokens for each part as its bytes say, at most one a byte."""
        found: list[str] = []
        for part in _PARTS.findall(text):
            size = len(part.encode())
            found += [part] * (1 + (7 * size + ord(part[-1])) % size)
        return found


_PARTS = re.compile(r" ?\w+| ?[^\w\s]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def words_in_pairs(text: str) -> list[str]:
    """Split a whole text: what a batch library would do."""
    return text.split()[::2]


def _simple() -> Strategies:
    return st.one_of(
        st.sampled_from([SentenceChunking(rules="plain"), WordChunking()]),
        st.builds(LineChunking, keep_ends=st.booleans()),
        st.builds(ParagraphChunking, strict=st.booleans()),
        _fixed(),
        st.builds(
            JSONChunking,
            at=st.sampled_from(["items", "lines", "$", "$.a", "$.a[*]", "$[*].a"]),
            allow_nan=st.booleans(),
        ),
        st.builds(
            RegexChunking,
            st.sampled_from([r"\n\n", r"(?<=[.!?])\s", r"\b", r"\s+(?=[A-Z])", "[;.]"]),
            separator=st.sampled_from(["drop", "end", "start"]),
            strip=st.booleans(),
        ),
    )


@st.composite
def _fixed(draw: st.DrawFn) -> ChunkingStrategy[Any]:
    size = draw(st.integers(1, 9))
    overlap = draw(st.one_of(st.just(0), st.integers(0, size - 1)))
    keep_clusters = draw(st.booleans())
    return FixedSizeChunking(size, overlap=overlap, keep_clusters=keep_clusters)


@st.composite
def _window(draw: st.DrawFn, pieces: Strategies) -> ChunkingStrategy[Any]:
    window = draw(st.integers(1, 4))
    return WindowChunking(
        window,
        stride=draw(st.one_of(st.none(), st.integers(1, window + 1))),
        by=draw(pieces),
        tail=draw(st.sampled_from(["new", "all", "drop"])),
        allow_gaps=True,
    )


@st.composite
def _sized(draw: st.DrawFn, levels: Strategies) -> ChunkingStrategy[Any]:
    max_size = draw(st.integers(1, 30))
    sizers: list[Any] = ["code_points", "graphemes", "words", "utf8_bytes", tokens, odd]
    sizers.append(OddEncoding())
    return SizedChunking(
        max_size,
        overlap=draw(st.integers(0, max_size - 1)),
        min_size=draw(st.integers(0, max_size)),
        sizer=draw(st.sampled_from(sizers)),
        by=draw(st.lists(levels.filter(_is_apart), max_size=3)),
        overlap_by=draw(st.sampled_from(["sentence", "word", "line"])),
    )


@st.composite
def _nested(draw: st.DrawFn, inside: Strategies) -> ChunkingStrategy[Any]:
    inner: Any = draw(st.one_of(inside, st.just(words_in_pairs)))
    return NestedChunking(draw(inside.filter(_is_apart)), inner)


def _is_apart(strategy: ChunkingStrategy[Any]) -> bool:
    return not strategy.overlaps


def combinations(depth: int = 3) -> Strategies:
    """Return strategies that are nested up to *depth* deep."""
    if depth == 0:
        return _simple()
    inside = combinations(depth - 1)
    return st.one_of(_simple(), _window(inside), _sized(inside), _nested(inside))
