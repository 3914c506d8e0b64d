"""Texts to test with: generated ones, our own, and recorded streams."""

from __future__ import annotations

import json
import os
import re
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import regex
from hypothesis import strategies as st

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    FixedSizeChunking,
    LineChunking,
    NestedChunking,
    ParagraphChunking,
    RegexChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    WordChunking,
)
from tests.examples import SemicolonChunking
from tests.own_texts import OWN_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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

PIECES = (
    # Words and what looks like the end of one.
    *("a", "B", "to", "Word", "Dr.", "e.g.", "3.14", "x.y", "...", "\u2026", "-"),
    # Terminators and closing marks, alone and together.
    *(".", "!", "?", '."', ".'", "?)", "!\u201d", ".\u2019", '.")', "?!", '"', ")"),
    *("\u3002", "\uff01", "\u300d"),
    # White space.
    *(" ", "  ", "\t", "\u3000", "\u00a0", "\u2003", "\u1680", "\x1f"),
    # Line ends.
    *("\n", "\n\n", "\r", "\r\n", "\r\n\r\n", "\n\r", "\n \t\n", "\n  ", "\x0b"),
    *("\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\n\n\n"),
    # Whole boundaries.
    *(". ", "? ", '." ', "!\n", ".\r", ".\u3000", "a.\n\n"),
    # What looks like white space and is none; marks, astral and lone surrogates.
    *("\u200b", "\ufeff", "\x00", "e\u0301", "\u0301", "\U0001f600", "\U0001d54f"),
    *("\U0001f469\u200d\U0001f467", "\ud83d", "\ude00", "\ud83d\ude00"),
    # Clusters of several code points, and what makes or counts them.
    *("\u200d", "\U0001f3fb", "\U0001f1e9", "\U0001f1e9\U0001f1ea\U0001f1eb", "\u0600"),
    *("\u0915\u094d\u0937", "\u1100\u1161\u11a8", "\ufe0f\u200d\u2764", "\u0323\u0308"),
    # The separator of the level 1 example.
    *(";", ";;"),
    # What one code point matches several of, and parts of it.
    *("\u00df", "s", "SS", "\u017f"),
)
"""Pieces of text that are boundaries, parts of boundaries, or look like some."""


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


def _texts_of(pieces: Sequence[str], fewest: int) -> st.SearchStrategy[str]:
    """Texts of about twice *fewest* of *pieces*, drawn as bytes, which is fast.

    A byte stands for a piece, 0 for none, so that a failing text can shrink to few.
    """
    table = ["", *(pieces[at % len(pieces)] for at in range(255))]
    drawn = st.binary(min_size=fewest, max_size=6 * fewest)
    return drawn.map(lambda numbers: "".join([table[number] for number in numbers]))


def boundary_rich_texts() -> st.SearchStrategy[str]:
    """Texts that are made of `PIECES`."""
    return _texts_of(PIECES, 6)


def sliced_texts() -> st.SearchStrategy[list[str]]:
    """The deltas of boundary-rich texts; cuts are between and inside pieces."""
    return _texts_of(_SLICED_PIECES, 8).map(lambda text: text.split(_CUT))


def sliced(text: str, cuts: Iterable[int]) -> list[str]:
    """Return *text* cut at the offsets *cuts*; one given twice makes an empty delta."""
    places = [0, *sorted(cuts), len(text)]
    return [text[start:end] for start, end in pairwise(places)]


def slicings(text: str) -> st.SearchStrategy[list[str]]:
    """Ways to cut *text* into deltas, empty ones included."""
    cuts = st.lists(st.integers(0, len(text)), max_size=2 * len(text) + 2)
    return cuts.map(lambda places: sliced(text, places))


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
    files = [data / "streams/streams.jsonl", data / "streams/tokenised.jsonl"]
    files += sorted((data / "answers").glob("*.jsonl"))
    recordings: list[Recording] = []
    for file in files:
        if file.exists():
            with file.open(encoding="utf-8") as lines:
                for line in lines:
                    record = json.loads(line)
                    deltas = (
                        record["deltas"] if "deltas" in record else [record["text"]]
                    )
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
        if Chunker(strategy).feed("x" * 1_000) == [] and strategy.flush("x") == ["x"]
    ],
)
"""Those that hold back text without a boundary, whatever its length, to the end."""

every_strategy = pytest.mark.parametrize(
    "strategy",
    [pytest.param(strategy, id=name) for name, strategy in STRATEGIES_UNDER_TEST],
)
