r"""Earliest release: never too early, never later than documented.

Never too early: no continuation could change a released chunk. Never later: word,
line, paragraph, plain sentence, fixed size and window release by the first code point
after which their rule is decided; where that was a ``\r``, line and paragraph wait for
one more. Sizes and nested strategies hold back what their documentation says.

All short texts over a small alphabet are compared with all their continuations by one
code point, so that the oracle knows nothing of the rules: certain is what every
continuation leaves alone. Where it takes more code points to show what a line can
become, longer continuations are tried as well.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, product
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    FixedSizeChunking,
    JSONChunking,
    LineChunking,
    MarkdownChunking,
    MarkdownTableChunking,
    NestedChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
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
    longest: int = 5
    """Code points of the longest text."""
    before: str = ""
    """What all texts begin with; not counted."""
    follows: tuple[str, ...] = ()
    """What may follow besides one code point, where that does not show enough."""
    holds_back: bool = False
    """Whether a chunk may come later than it is certain; its documentation says why."""


def longer(alphabet: str, longest: int, *others: str) -> tuple[str, ...]:
    """Return the texts of two code points to *longest*, and *others*."""
    lengths = range(2, longest + 1)
    texts = (product(alphabet, repeat=length) for length in lengths)
    return (*map("".join, chain.from_iterable(texts)), *others)


REGEX_ALPHABETS = {
    "regex": ("ab\n", ""),
    "regex-end": ("a.' \n", ""),
    "regex-start": ("aB; ", ""),
    "regex-strip": ("a. \n", ""),
    "regex-strip-end": ("a.; ", ""),
    "regex-strip-start": ("a\n ", ""),
    "regex-empty": ("ab. ", ""),
    "regex-flags": ("aSs\u00dfT\n", ""),
    "regex-version-0": ("a\n\r ", "\r"),
}
"""Code points, and those behind which the end of a separator is waited for."""

# With all blocks whole, and none that begins with a marker.
WHOLE_BLOCKS = MarkdownChunking(
    prose="block", table="block", lists="list", extensions=()
)
CODE_LINES = MarkdownChunking(code="line", table="block", context=False)
WITH_EXTENSIONS = MarkdownChunking(prose="block")
UNDERLINES = ("\n===", "\n---", "\n```", "\n# a")

SENTENCE_ALPHABETS = {"sentence-options": "aA.\n", "clause": "a1,. \uff0c"}

CASES = {
    "word": Case(WordChunking(), "ab \n\u3000"),
    "line": Case(LineChunking(), "a\n\r\u2028 ", "\r"),
    "line-without-ends": Case(LineChunking(keep_ends=False), "a\n\r\x0b ", "\r"),
    "paragraph": Case(ParagraphChunking(), "a\n\r \x85", "\r"),
    "paragraph-strict": Case(ParagraphChunking(strict=True), "a\n\r "),
    "sentence-plain": Case(SentenceChunking(rules="plain"), "a.) \n"),
    "sentence": Case(SentenceChunking(), "aA. \n", before="Bb"),
    "sentence, closing marks": Case(SentenceChunking(), 'a."\u201d) ', before="Bb"),
    "sentence, ellipsis": Case(SentenceChunking(), "aA.\u2026 ", before="Bb"),
    "sentence, abbreviation": Case(SentenceChunking(), "aA. \n", before="Mr"),
    "sentence, list": Case(SentenceChunking(), "1.) a", before="1. A "),
    "sentence, lines": Case(SentenceChunking(), "a-#\n ", before="A\n"),
    "sentence, rule": Case(SentenceChunking(), "-a \n", before="A\n--"),
    "sentence, citation": Case(
        SentenceChunking(), "[1]. A", before="Bb.", holds_back=True
    ),
    "sentence, emoji": Case(SentenceChunking(), "\U0001f389\u200d :A", before="Bb."),
    "sentence, other scripts": Case(SentenceChunking(), "\u597d\u3002\u300d\u3068 "),
    "sentence, markup": Case(
        SentenceChunking(), "*`a. \n", before="B *b. ", holds_back=True
    ),
    "sentence, closing markup": Case(
        SentenceChunking(), "`*a\u3002\n", before="\u597d`a", holds_back=True
    ),
    "sentence, code": Case(SentenceChunking(), "`a.\n ", before="```\nb\n"),
    "sentence, tag": Case(
        SentenceChunking(protect_tags=["t"]), "<t>/. A", before="<t>. A</", longest=4
    ),
    "sentence-de": Case(
        SentenceChunking("de", newlines="space", first="clause"), "1A., \n"
    ),
    **{
        name: Case(strategy, SENTENCE_ALPHABETS[name])
        for name, strategy in BUILT_IN
        if name in SENTENCE_ALPHABETS
    },
    "quotes": Case(SentenceChunking(rules="plain"), 'a!"\u201d\t'),
    "fixed": Case(FixedSizeChunking(3), "a\r\n\u0301"),
    "emoji": Case(FixedSizeChunking(2), "a\u200d\u2764\U0001f1e9"),
    "syllables": Case(FixedSizeChunking(2), "\u1100\u1161\u0600\uac00"),
    "fixed-overlap": Case(FixedSizeChunking(5, overlap=3), "a\n\u0301", longest=8),
    "fixed-exact": Case(FixedSizeChunking(4, keep_clusters=False), "a\r\n\u0301"),
    "fixed-exact-overlap": Case(
        FixedSizeChunking(4, overlap=1, keep_clusters=False), "ab", longest=9
    ),
    "fixed-long": Case(
        FixedSizeChunking(200, overlap=20), "a\n\u0301", before="x" * 197
    ),
    "window-sentences": Case(WindowChunking(3, stride=2), "a. ", longest=7),
    "window-words": Case(WindowChunking(2, by="word"), "a ", longest=9),
    "window-words-all": Case(
        WindowChunking(3, stride=1, by="word", tail="all"), "a ", longest=9
    ),
    "window-gaps": Case(
        WindowChunking(1, stride=2, by="word", allow_gaps=True), "a ", longest=9
    ),
    "window-paragraphs-drop": Case(
        WindowChunking(2, by="paragraph", tail="drop"), "a\n", longest=9
    ),
    "window-fixed": Case(
        WindowChunking(2, by=FixedSizeChunking(4, overlap=2)), "a\n\u0301", longest=8
    ),
    "sized": Case(SizedChunking(12), "a. \n", before="aa a. aaa", holds_back=True),
    "sized-overlap": Case(
        SizedChunking(8, overlap=4, overlap_by="word"),
        "a. \n",
        before="aa a. ",
        holds_back=True,
    ),
    "sized-clusters": Case(
        SizedChunking(4, overlap=2, by=()), "a\n\r\u0301", longest=7, holds_back=True
    ),
    "sized-bytes": Case(
        SizedChunking(9, min_size=4, sizer="utf8_bytes"),
        "a\u0301 \n",
        before="aa aa",
        holds_back=True,
    ),
    "json": Case(JSONChunking(), '1[]{",', longest=4, before="\n["),
    "json, no array yet": Case(JSONChunking(), '[]{"\n'),
    "json, words": Case(JSONChunking(), "-0.e+n ", longest=4, before="["),
    "json-lines": Case(JSONChunking(at="lines"), '1}{"\n'),
    "json-lines, words": Case(JSONChunking(at="lines"), "[nul ", before="nu"),
    "json-path": Case(
        JSONChunking(at="$.a[*]", allow_nan=True), '[]}1,"', before='{"a":'
    ),
    "json-key": Case(JSONChunking(at="$[*].a"), '1}{"a:', before="[{"),
    "json-whole": Case(JSONChunking(at="$"), '[]{"\n'),
    "markdown": Case(MarkdownChunking(), "a.-| \n", before="a.", holds_back=True),
    "markdown, headings and code": Case(MarkdownChunking(), "a#`=\n ", holds_back=True),
    "markdown, headings": Case(
        MarkdownChunking(),
        "a#\n ",
        follows=longer("a#\n =-", 2, *UNDERLINES),
        longest=4,
    ),
    "markdown, quotes and lists": Case(MarkdownChunking(), "a>1.\n ", holds_back=True),
    "markdown, inline": Case(
        MarkdownChunking(), "a*[](. ", before="a", holds_back=True
    ),
    "markdown, definitions": Case(
        MarkdownChunking(), 'a:"\n', before='[a]: a\n"', holds_back=True
    ),
    "markdown, a long run": Case(
        MarkdownChunking(), "A. -\n", before="# a\n" + "-" * 64, holds_back=True
    ),
    "markdown, a long indentation": Case(
        MarkdownChunking(sentence=WordChunking()),
        "a)- \n",
        before="a b\n" + " " * 62,
        holds_back=True,
    ),
    "markdown, a long label": Case(
        MarkdownChunking(sentence=SentenceChunking(rules="plain")),
        "a ]:\n",
        before="[a. " + "b" * 994,
        longest=4,
        holds_back=True,
    ),
    "markdown-lines": Case(
        CODE_LINES,
        "a`\n ",
        before="```\n",
        follows=longer("a`\n ", 3),
        longest=4,
    ),
    "markdown-lines, indented": Case(
        CODE_LINES, "a \n", before="    a\n", follows=longer("a \n", 4, "    a")
    ),
    "markdown-lines, prose": Case(
        CODE_LINES, "a`| -\n", before="```\n", holds_back=True
    ),
    "markdown-blocks": Case(
        WHOLE_BLOCKS,
        "a#\n ",
        follows=longer("a#\n =-", 2, *UNDERLINES),
        longest=4,
    ),
    "markdown-blocks, underlines": Case(
        WHOLE_BLOCKS, "a=\n ", follows=longer("a=\n ", 2, "\n==="), longest=4
    ),
    "markdown-blocks, fences": Case(
        WHOLE_BLOCKS, "a`\n ", follows=longer("a`\n ", 3), longest=4
    ),
    "markdown-blocks, indented code": Case(
        WHOLE_BLOCKS, "a \n", before="    a\n", follows=longer("a \n", 4, "    a")
    ),
    "markdown-blocks, rows": Case(
        WHOLE_BLOCKS,
        "a|\n",
        before="|a|\n|-|\n",
        follows=longer("a|-\n", 3, "\n|-|\n", "\n-|-\n", "\n|-|-|\n", "|-|-|\n"),
        longest=4,
    ),
    "markdown-blocks, comment": Case(
        WHOLE_BLOCKS, "a->\n ", before="<!-- ", follows=longer("a->\n", 3), longest=4
    ),
    "markdown, formula": Case(
        WITH_EXTENSIONS, "a$\n", before="$$", follows=longer("a$\n", 3)
    ),
    "markdown, footnote": Case(
        WITH_EXTENSIONS,
        "a \n",
        before="[^1]: a\n",
        follows=longer("a \n", 4, "    a", "\n    a", "\n\n    a"),
    ),
    "markdown-blocks, quotes and lists": Case(WHOLE_BLOCKS, "a->\n ", holds_back=True),
    "markdown-sized": Case(
        MarkdownChunking(max_size=12, min_size=4),
        "a. #\n",
        before="- a a.",
        holds_back=True,
    ),
    "markdown-context": Case(
        MarkdownChunking(max_size=12, size_of="with_context"),
        "a. #\n",
        before="# a\n",
        holds_back=True,
    ),
    "markdown-table": Case(
        MarkdownTableChunking(12),
        "a| \n",
        before="|a|\n|-|\n",
        holds_back=True,
    ),
    "markdown-words": Case(
        MarkdownChunking(sentence=WindowChunking(2, by="word")),
        "a`> \n",
        holds_back=True,
    ),
    "nested": Case(NestedChunking("paragraph", "sentence"), "a. \n", holds_back=True),
    "nested-deep": Case(
        NestedChunking(NestedChunking("paragraph", "line"), "word"),
        "a \n",
        longest=8,
        holds_back=True,
    ),
    "level-1": Case(SemicolonChunking(), "ab;"),
    **{
        name: Case(strategy, REGEX_ALPHABETS[name][0], REGEX_ALPHABETS[name][1])
        for name, strategy in BUILT_IN
        if isinstance(strategy, RegexChunking)
    },
    "window-level-1": Case(WindowChunking(2, stride=1, by=SemicolonChunking()), "a;"),
}


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
    continuations = ["", *case.alphabet, *case.follows]
    for tried in texts_over(case.alphabet, case.longest):
        text = case.before + tried
        released = places(spans_of(scan_whole(case.strategy, text)))
        certain = common_prefix(ended(text + more) for more in continuations)
        if case.holds_back:
            assert certain[: len(released)] == released, text
        elif text and text[-1] in case.waits:
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
        pytest.param(FixedSizeChunking(3), "one", "t", "one", id="fixed"),
        pytest.param(FixedSizeChunking(3), "one", "\u0301", "on", id="fixed, moved"),
        pytest.param(FixedSizeChunking(1), "e\u0301", "t", "e\u0301", id="oversize"),
        pytest.param(FixedSizeChunking(3), "on", "\n", "on\n", id="control"),
        pytest.param(
            FixedSizeChunking(3, keep_clusters=False), "on", "e", "one", id="exact"
        ),
        pytest.param(
            WindowChunking(2, by="word"), "one  two", " ", "one  two", id="window"
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
