r"""Earliest release: never too early, never later than documented.

Never too early: no continuation could change a released chunk. Never later: word,
line, paragraph and plain sentence release by the first code point after which their
rule is decided; where that was a ``\r``, line and paragraph wait for one more.

All short texts over a small alphabet are compared with all their continuations by one
code point, so that the oracle knows nothing of the rules: certain is what every
continuation leaves alone.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    LineChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    WordChunking,
)
from tests.examples import SemicolonChunking
from tests.running import scan_whole, spans_of
from tests.texts import BUILT_IN, every_strategy, sliced_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chunkwise import Span


class Case(NamedTuple):
    """A strategy, and the code points that its rule is about."""

    strategy: ChunkingStrategy[Any]
    alphabet: str
    waits: str = ""
    """Code points behind which one more may be waited for."""


REGEX_ALPHABETS = {
    "regex": ("ab\n",),
    "regex-end": ("a.' \n",),
    "regex-start": ("aB; ",),
    "regex-strip": ("a. \n",),
    "regex-strip-end": ("a.; ",),
    "regex-strip-start": ("a\n ",),
    "regex-empty": ("ab. ",),
    "regex-flags": ("aSs\u00dfT\n",),
    "regex-version-0": ("a\n\r ", "\r"),
}
"""Code points, and those behind which the end of a separator is waited for."""

CASES = {
    "word": Case(WordChunking(), "ab \n\u3000"),
    "line": Case(LineChunking(), "a\n\r\u2028 ", "\r"),
    "line-without-ends": Case(LineChunking(keep_ends=False), "a\n\r\x0b ", "\r"),
    "paragraph": Case(ParagraphChunking(), "a\n\r \x85", "\r"),
    "paragraph-strict": Case(ParagraphChunking(strict=True), "a\n\r "),
    "sentence-plain": Case(SentenceChunking(rules="plain"), "a.) \n"),
    "quotes": Case(SentenceChunking(rules="plain"), 'a!"\u201d\t'),
    "level-1": Case(SemicolonChunking(), "ab;"),
    **{
        name: Case(strategy, *REGEX_ALPHABETS[name])
        for name, strategy in BUILT_IN
        if isinstance(strategy, RegexChunking)
    },
}
LONGEST = 5


def texts_over(alphabet: str, longest: int) -> Iterator[str]:
    for length in range(longest + 1):
        yield from map("".join, product(alphabet, repeat=length))


def common_prefix(sequences: Iterator[list[Span]]) -> list[Span]:
    common = next(sequences)
    for spans in sequences:
        while common != spans[: len(common)]:
            common = common[:-1]
    return common


def places(spans: list[Span]) -> list[Span]:
    """Leave out how a chunk ended: the end of a text ends every chunk."""
    return [span._replace(complete=None) for span in spans]


def ended_texts(strategy: ChunkingStrategy[Any]) -> Callable[[str], list[Span]]:
    """Return what gives the chunks of a stream that ended."""

    @cache
    def ended(text: str) -> list[Span]:
        return places(spans_of(scan_whole(strategy, text, final=True)))

    return ended


def test_every_built_in_strategy_is_a_case() -> None:
    cases = {case.strategy for case in CASES.values()}
    assert cases >= {strategy for _, strategy in BUILT_IN}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_released_is_what_no_continuation_could_change(case: Case) -> None:
    ended = ended_texts(case.strategy)
    continuations = ["", *case.alphabet]
    for text in texts_over(case.alphabet, LONGEST):
        released = places(spans_of(scan_whole(case.strategy, text)))
        certain = common_prefix(ended(text + more) for more in continuations)
        if text and text[-1] in case.waits:
            assert certain[: len(released)] == released, text
            for more in case.alphabet:
                by_then = places(spans_of(scan_whole(case.strategy, text + more)))
                assert by_then[: len(certain)] == certain, text + more
        else:
            assert released == certain, text


@every_strategy
@given(deltas=sliced_texts())
def test_the_driver_releases_what_the_text_so_far_decides(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """After every delta, however small, as much is out as ``split`` would give."""
    chunker = Chunker(strategy)
    text = ""
    released: list[str] = []
    for delta in deltas:
        text += delta
        released += chunker.feed(delta)
        assert released == strategy.split(text)


@pytest.mark.parametrize(
    ("strategy", "before", "decides", "chunk"),
    [
        pytest.param(WordChunking(), "one", " ", "one", id="word"),
        pytest.param(LineChunking(), "one", "\n", "one\n", id="line"),
        pytest.param(LineChunking(), "one\r", "\n", "one\r\n", id="crlf"),
        pytest.param(LineChunking(), "one\r", "t", "one\r", id="cr"),
        pytest.param(ParagraphChunking(), "one\n", "\n", "one", id="paragraph"),
        pytest.param(ParagraphChunking(), "one\n \t", "\n", "one", id="blank line"),
        pytest.param(ParagraphChunking(), "one\r\n\r", "\n", "one", id="two crlf"),
        pytest.param(ParagraphChunking(), "one\n\r", "t", "one", id="line feed and cr"),
        pytest.param(
            ParagraphChunking(strict=True), "one\n", "\n", "one", id="paragraph-strict"
        ),
        pytest.param(SentenceChunking(rules="plain"), "One.", " ", "One.", id="plain"),
        pytest.param(
            SentenceChunking(rules="plain"), "One.)", "\n", "One.)", id="closing mark"
        ),
    ],
)
@pytest.mark.parametrize("size", [1, 2, 100])
def test_the_deciding_code_point_releases(
    strategy: ChunkingStrategy[Any], before: str, decides: str, chunk: str, size: int
) -> None:
    chunker = Chunker(strategy)
    for at in range(0, len(before), size):
        assert chunker.feed(before[at : at + size]) == []
    assert chunker.feed(decides) == [chunk]
