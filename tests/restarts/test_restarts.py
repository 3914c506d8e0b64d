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
BATCHES = 40
"""More than are done before the last kill, so that each comes while rows do."""

chance = random.Random(20)  # noqa: S311 - the same every time


def deltas_of(number: int) -> list[str]:
    """Return a text in as many deltas as there are batches, no two texts alike."""
    sentences = [f"Sentence {at} of stream {number} is here." for at in range(16)]
    text = " ".join(sentences)
    places = sorted(chance.sample(range(1, len(text)), BATCHES - 1))
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


def test_no_kill_loses_or_doubles_a_chunk(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    streams = {f"{number:04}": deltas_of(number) for number in range(STREAMS)}
    portions: list[list[Row]] = [[] for _ in range(BATCHES)]
    for key, deltas in streams.items():
        for number, delta in enumerate(deltas):
            row = Row(key, number, delta, number == BATCHES - 1)
            # Some come late, and some twice.
            at = min(number + chance.choice([0] * 8 + [1, 2]), BATCHES - 1)
            portions[at].append(row)
            if chance.random() < 0.02:
                portions[chance.randrange(at, BATCHES)].append(row)
    live = Live(tmp_path)
    for portion in portions:
        chance.shuffle(portion)
        live.add(portion)
    # Seconds from the start of the query to its first commit, and from there to the
    # second one, at first a guess and then as last seen: however slow a machine is, a
    # query is killed while it is at its first, second or third batch, or little later.
    lengths = [10.0, 3.0]
    hit: set[int] = set()
    for _ in range(KILLS):
        commits = chance.randrange(3)
        seconds = chance.uniform(0, lengths[min(commits, 1)])
        began, committed, took = live.run_and_kill(commits, seconds)
        lengths[:commits] = took
        if committed < began <= BATCHES:
            hit.add(began)
        with capsys.disabled():
            print(  # noqa: T201 - figures
                f"killed {seconds:.1f} s behind {commits} commits: "
                f"{committed} of {began} committed"
            )
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
            f"{KILLS} kills, inside of {len(hit)} batches; {STREAMS:,} streams, "
            f"{sum(map(len, portions)):,} rows, {expected.total():,} chunks; "
            f"{lost.total()} lost, {doubled.total()} doubled; {len(written)} files"
        )
    assert not lost
    assert not doubled
    assert len(hit) >= KILLS // 4
