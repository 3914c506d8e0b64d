"""Texts to test with: generated ones, our own, and recorded streams."""

from __future__ import annotations

import json
import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import regex

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    ClauseChunking,
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
from chunkwise.testing._pieces import PIECES
from chunkwise.testing._slicings import sliced
from chunkwise.testing.hypothesis import _texts_of, boundary_rich_texts, slicings
from tests.examples import SemicolonChunking
from tests.own_texts import OWN_TEXTS

if TYPE_CHECKING:
    from hypothesis import strategies as st

__all__ = [
    "BUILT_IN",
    "LINE_ENDS",
    "OWN_TEXTS",
    "PIECES",
    "STRATEGIES_UNDER_TEST",
    "WHITE_SPACE",
    "Recording",
    "boundary_rich_texts",
    "data_folder",
    "every_built_in",
    "every_strategy",
    "every_unlimited",
    "recorded_streams",
    "require_recordings",
    "sliced",
    "sliced_texts",
    "slicings",
]

_EVERY_CODE_POINT = [chr(code) for code in range(sys.maxunicode + 1)]
WHITE_SPACE = [each for each in _EVERY_CODE_POINT if each.isspace()]
LINE_ENDS = [each for each in _EVERY_CODE_POINT if f"{each}.".splitlines()[0] == ""]

_CUT = "\ue000"
"""Stands for the end of a delta while a sliced text is generated; no piece has it."""

_SLICED_PIECES = (
    *PIECES,
    *(_CUT.join(piece) for piece in PIECES if len(piece) > 1),
    *(_CUT, _CUT * 2) * 20,
)


def sliced_texts() -> st.SearchStrategy[list[str]]:
    """The deltas of boundary-rich texts; cuts are between and inside pieces."""
    return _texts_of(_SLICED_PIECES, 8).map(lambda text: text.split(_CUT))


class Recording(NamedTuple):
    """A model's answer as it was streamed."""

    id: str
    deltas: list[str]


def data_folder() -> Path:
    """Return the folder of recorded data, which need not be there.

    ``CHUNKWISE_DATA`` names it; by default it is ``../shared/data`` as seen from the
    root of the repository.
    """
    root = Path(__file__).parent.parent
    return root / os.environ.get("CHUNKWISE_DATA", "../shared/data")


@cache
def recorded_streams() -> tuple[Recording, ...]:
    """Return the recorded streams and answers; none where the data is not at hand."""
    data = data_folder()
    files = [
        *sorted((data / "streams").glob("*.jsonl")),
        *sorted((data / "answers").glob("*.jsonl")),
    ]
    recordings: list[Recording] = []
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                record = json.loads(line)
                deltas = record["deltas"] if "deltas" in record else [record["text"]]
                recordings.append(Recording(record["id"], deltas))
    return tuple(recordings)


def require_recordings() -> tuple[Recording, ...]:
    """Return the recorded streams, or skip the test that asks."""
    recordings = recorded_streams()
    if not recordings:
        pytest.skip("no recorded streams; CHUNKWISE_DATA names their folder")
    return recordings


BUILT_IN: list[tuple[str, ChunkingStrategy[Any]]] = [
    ("sentence-plain", SentenceChunking(rules="plain")),
    ("sentence", SentenceChunking()),
    ("sentence-de", SentenceChunking("de", newlines="space", first="clause")),
    (
        "sentence-options",
        SentenceChunking(
            newlines="boundary",
            glued=True,
            protect_tags=("t",),
            lone_marks="attach",
            abbreviations=("word", "-dr"),
        ),
    ),
    ("clause", ClauseChunking(4)),
    ("word", WordChunking()),
    ("line", LineChunking()),
    ("line-without-ends", LineChunking(keep_ends=False)),
    ("paragraph", ParagraphChunking()),
    ("paragraph-strict", ParagraphChunking(strict=True)),
    ("regex", RegexChunking(r"\n\n")),
    ("regex-end", RegexChunking(r"[.!?][\"')]?\s", separator="end")),
    ("regex-start", RegexChunking(r";|(?=[A-Z])", separator="start")),
    ("regex-strip", RegexChunking(r"(?<=[.!?;])\s", strip=True)),
    ("regex-strip-end", RegexChunking("[.;]", separator="end", strip=True)),
    ("regex-strip-start", RegexChunking(r"\n", separator="start", strip=True)),
    ("regex-empty", RegexChunking(r"\b", timeout=None)),
    ("regex-flags", RegexChunking("^a|ss", flags=regex.I | regex.M)),
    ("regex-version-0", RegexChunking(re.compile(r"\r\n?|\n"))),
    ("fixed", FixedSizeChunking(3)),
    ("fixed-overlap", FixedSizeChunking(5, overlap=3)),
    ("fixed-exact", FixedSizeChunking(4, keep_clusters=False)),
    ("fixed-exact-overlap", FixedSizeChunking(4, overlap=1, keep_clusters=False)),
    ("fixed-long", FixedSizeChunking(200, overlap=20)),
    ("window-sentences", WindowChunking(3, stride=2)),
    ("window-words", WindowChunking(2, by="word")),
    ("window-words-all", WindowChunking(3, stride=1, by="word", tail="all")),
    ("window-gaps", WindowChunking(1, stride=2, by="word", allow_gaps=True)),
    ("window-paragraphs-drop", WindowChunking(2, by="paragraph", tail="drop")),
    ("window-fixed", WindowChunking(2, by=FixedSizeChunking(4, overlap=2))),
    ("sized", SizedChunking(12)),
    ("sized-overlap", SizedChunking(8, overlap=4, overlap_by="word")),
    ("sized-clusters", SizedChunking(4, overlap=2, by=())),
    ("sized-bytes", SizedChunking(9, min_size=4, sizer="utf8_bytes")),
    ("json", JSONChunking()),
    ("json-lines", JSONChunking(at="lines")),
    ("json-path", JSONChunking(at="$.a[*]", allow_nan=True)),
    ("json-key", JSONChunking(at="$[*].a")),
    ("markdown", MarkdownChunking()),
    ("markdown-lines", MarkdownChunking(code="line", table="block", context=False)),
    (
        "markdown-blocks",
        MarkdownChunking(prose="block", table="block", lists="list", extensions=()),
    ),
    ("markdown-sized", MarkdownChunking(max_size=12, min_size=4)),
    ("markdown-context", MarkdownChunking(max_size=12, size_of="with_context")),
    ("markdown-table", MarkdownTableChunking(12)),
    ("markdown-words", MarkdownChunking(sentence=WindowChunking(2, by="word"))),
    ("nested", NestedChunking("paragraph", "sentence")),
    ("nested-deep", NestedChunking(NestedChunking("paragraph", "line"), "word")),
]
"""Every built-in strategy in each setting of its parameters, with an id."""

STRATEGIES_UNDER_TEST: list[tuple[str, ChunkingStrategy[Any]]] = [
    *BUILT_IN,
    ("level-1", SemicolonChunking()),
    ("window-level-1", WindowChunking(2, stride=1, by=SemicolonChunking())),
]
"""The built-in ones and one of level 1 that keeps the laws, alone and in windows."""

every_built_in = pytest.mark.parametrize(
    "strategy", [pytest.param(strategy, id=name) for name, strategy in BUILT_IN]
)
every_unlimited = pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(strategy, id=name)
        for name, strategy in BUILT_IN
        if Chunker(strategy).feed("x" * 1_000) == []
        and strategy.flush("x" * 1_000) == ["x" * 1_000]
    ],
)
"""Those that hold back text without a boundary, whatever its length, to the end."""

every_strategy = pytest.mark.parametrize(
    "strategy",
    [pytest.param(strategy, id=name) for name, strategy in STRATEGIES_UNDER_TEST],
)
