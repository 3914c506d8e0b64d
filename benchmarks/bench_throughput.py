"""How fast is one feed of a whole text?"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from chunkwise import Chunker

from ._peers import peer_cells, peer_head, peer_starts
from ._report import Section, Table, digits, said
from ._strategies import STRATEGIES
from ._texts import answer_text, repeated
from ._timing import race

if TYPE_CHECKING:
    from ._timing import Starts

_TEXT = """
MB of UTF-8 a second. First 10 MB in one `feed`, next to `re.finditer` with the same
boundary pattern and slices into a plain list, which is the least that a splitter in
Python has to do. The bar is met by the speed, or by the share of what `re.finditer`
reaches. Then 0.1 MB next to the peers: a ratio above 1 says that chunkwise is faster.
That text is shorter because two of them need quadratic time for one feed.
"""
_PATTERNS = {
    "sentence": re.compile("[.!?][\"'\u201d\u2019)]?\\s+"),
    "paragraph": re.compile(r"\n(?:[ \t]*\n)+"),
}
_BARS = {"sentence": 35, "paragraph": 60}
_SHARE = 0.35


def run() -> Section:
    """Time one feed of 10 MB, and one of 0.1 MB next to the peers."""
    large = Table(
        ["strategy", "10 MB", "re.finditer", "share", "bar", "met"],
        [_row(name) for name in STRATEGIES],
    )
    small = Table(
        ["strategy", "0.1 MB", *peer_head()],
        [_peer_row(name) for name in STRATEGIES],
    )
    return Section("One feed", _TEXT, [large, small])


class _Finditer:
    """Slices a text at the matches of a pattern, under the names of a stream."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def feed(self, delta: str, /) -> list[str]:
        pieces: list[str] = []
        at = 0
        for match in self._pattern.finditer(delta):
            start, end = match.span()
            pieces.append(delta[at:start])
            at = end
        return pieces

    def flush(self) -> None:
        pass


def _row(name: str) -> list[str]:
    starts: Starts = {"chunkwise": partial(Chunker, STRATEGIES[name])}
    if name in _PATTERNS:
        starts = {**starts, "finditer": partial(_Finditer, _PATTERNS[name])}
    speeds = _speeds(starts, repeated(answer_text().text, 10_000_000))
    ours = speeds["chunkwise"]
    row = [name, f"{digits(ours)} MB/s"]
    if name not in _PATTERNS:
        return [*row, *["-"] * 3, said(None)]
    share = ours / speeds["finditer"]
    row += [f"{digits(speeds['finditer'])} MB/s", digits(share)]
    bar = _BARS[name]
    return [
        *row,
        f"≥ {bar} MB/s or ≥ {_SHARE}",
        said(ours >= bar or share >= _SHARE),
    ]


def _peer_row(name: str) -> list[str]:
    starts: Starts = {
        "chunkwise": partial(Chunker, STRATEGIES[name]),
        **peer_starts(name),
    }
    speeds = _speeds(starts, repeated(answer_text().text, 100_000))
    ours = speeds.pop("chunkwise")
    return [name, f"{digits(ours)} MB/s", *peer_cells(name, ours, speeds, "MB/s")]


def _speeds(starts: Starts, text: str) -> dict[str, float]:
    """Return MB of UTF-8 a second for one feed of *text*."""
    size = len(text.encode()) / 1e6
    seconds = race(
        starts, [[text]], repeats=9 if "finditer" in starts else 3, flush=False
    )
    return {name: size / seconds[name] for name in starts}
