"""A query over 1,000 streams is killed 20 times: no chunk is lost, and none doubled."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import Chunker
from tests.corpora.live import Live, Row, needs_java

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("py4j", reason="needs Spark itself, not its client alone")
pytestmark = needs_java

STREAMS = 1_000
KILLS = 20
LONGEST = 12.0
"""Seconds behind its start after which a query is killed at the latest."""

chance = random.Random(20)  # noqa: S311 - the same every time


def deltas_of(number: int) -> list[str]:
    """Return a text in as many deltas as there are kills, no two texts alike."""
    sentences = [f"Sentence {at} of stream {number} is here." for at in range(16)]
    text = " ".join(sentences)
    places = sorted(chance.sample(range(1, len(text)), KILLS - 1))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def test_no_kill_loses_or_doubles_a_chunk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    streams = {f"{number:04}": deltas_of(number) for number in range(STREAMS)}
    portions: list[list[Row]] = [[] for _ in range(KILLS)]
    for key, deltas in streams.items():
        for number, delta in enumerate(deltas):
            row = Row(key, number, delta, number == KILLS - 1)
            # Some come late, and some twice.
            at = min(number + chance.choice([0] * 8 + [1, 2]), KILLS - 1)
            portions[at].append(row)
            if chance.random() < 0.02:
                portions[chance.randrange(at, KILLS)].append(row)
    live = Live(tmp_path)
    inside = 0
    for portion in portions:
        chance.shuffle(portion)
        live.add(portion)
        seconds = chance.uniform(0, LONGEST)
        began, committed = live.run_and_kill(seconds)
        inside += began > committed
        with capsys.disabled():
            print(f"killed behind {seconds:.1f} s: {committed} of {began} committed")  # noqa: T201
    found = live.run_to_the_end()
    expected: Counter[Any] = Counter()
    for key, deltas in streams.items():
        chunker = Chunker("sentence")
        chunks = [*chunker.feed("".join(deltas)), *chunker.flush()]
        facts = [(key, chunk.index, chunk.start, str(chunk)) for chunk in chunks]
        expected.update(facts)
    assert not [row for row in found if row["error"] is not None]
    given = Counter(
        (row["key"], row["index"], row["start"], row["text"]) for row in found
    )
    lost, doubled = expected - given, given - expected
    written = list((tmp_path / "chunks").glob("*.parquet"))
    with capsys.disabled():
        print(  # noqa: T201 - figures
            f"{KILLS} kills, {inside} of them inside of a batch; {STREAMS:,} streams, "
            f"{sum(map(len, portions)):,} rows, {expected.total():,} chunks; "
            f"{lost.total()} lost, {doubled.total()} doubled; {len(written)} files"
        )
    assert not lost
    assert not doubled
    assert inside
