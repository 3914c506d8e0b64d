"""Streams of rows on a real Spark, and that every one gives what one Chunker gives."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import Chunker
from tests.corpora.live import Live, Row, needs_java, texts
from tests.test_docs import ALL_IN_PAGES, ROOT, check_all_is_shown
from tests.texts import OWN_TEXTS

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("py4j", reason="needs Spark itself, not its client alone")
pytestmark = needs_java

PAGE = ROOT / "docs/howto/chunk-live-streams.md"


def rows_of(key: str, text: str, size: int = 17) -> list[Row]:
    """Return a stream as rows, with deltas of *size* code points."""
    deltas = [text[at : at + size] for at in range(0, len(text), size)] or [""]
    last = len(deltas) - 1
    return [Row(key, at, delta, at == last) for at, delta in enumerate(deltas)]


def chunks_of(key: str, text: str, strategy: Any) -> list[dict[str, Any]]:
    """Return the rows that one Chunker gives for a text."""
    chunker = Chunker(strategy)
    chunks = [*chunker.feed(text), *chunker.flush()]
    return [
        {
            "key": key,
            "text": str(chunk),
            "start": chunk.start,
            "end": chunk.end,
            "index": chunk.index,
            "kind": chunk.kind,
            "context": [
                {"text": str(part), "start": part.start, "kind": part.kind}
                for part in chunk.context
            ],
            "complete": chunk.complete,
            "error": None,
            "number": None,
            "left_out": None,
        }
        for chunk in chunks
    ]


def report(key: str | None, error: str, number: int, left_out: str | None) -> Any:
    """Return the row of a report."""
    nulls = dict.fromkeys(
        ["text", "start", "end", "index", "kind", "context", "complete"]
    )
    facts = {"error": error, "number": number, "left_out": left_out}
    return {"key": key, **nulls, **facts}


def test_streams_in_disorder_give_what_one_process_gives(
    spark: Any, tmp_path: Path
) -> None:
    streams = {name: f"# {name}\n\n{text * 3}" for name, text in OWN_TEXTS.items()}
    order = random.Random(8)  # noqa: S311 - the same every time
    rows = [row for name, text in streams.items() for row in rows_of(name, text)]
    rows += order.sample(rows, len(rows) // 10)
    order.shuffle(rows)
    live = Live(tmp_path, "markdown")
    for at in range(3):
        live.add(rows[at::3])
    live.finish(spark)
    expected = [
        row
        for name in sorted(streams)
        for row in chunks_of(name, streams[name], "markdown")
    ]
    assert live.found(spark) == expected
    assert any(row["context"] for row in expected)


def test_what_cannot_be_put_right_is_reported(spark: Any, tmp_path: Path) -> None:
    live = Live(tmp_path, {"type": "sentence", "rules": "plain"}, max_waiting=1)
    live.add(
        [
            Row("late", 0, "One. Two", end=True),
            Row("lost", 0, "One. Tw"),
            Row("lost", 2, " Three. "),
            Row("odd", 0, "On"),
            Row("odd", None, "x", None),
            Row(None, 0, "Nobody.", end=True),
        ]
    )
    live.add(
        [
            Row("late", 1, " three."),
            Row("late", 0, "One. Two", end=True),
            Row("lost", 4, "Four.", end=True),
            Row("lost", 3, "Or "),
            Row("odd", 0, "No"),
        ]
    )
    live.finish(spark)
    live.finish(spark)
    found = live.found(spark)
    assert [
        (row["key"], text) for row, text in zip(found, texts(found), strict=True)
    ] == [
        (None, "Nobody."),
        ("late", "One."),
        ("late", "Two"),
        ("late", "number 1 came too late: the stream ended with number 0"),
        ("lost", "One."),
        ("lost", "Tw"),
        ("lost", "Three."),
        ("lost", "Or Four."),
        ("lost", "number 1 is missing"),
        ("odd", "number is null, expected a whole one of at least 0"),
        ("odd", "number 0 came again and says something else"),
    ]
    late = "number 1 came too late: the stream ended with number 0"
    again = "number 0 came again and says something else"
    assert found[3] == report("late", late, 1, " three.")
    assert found[-1] == report("odd", again, 0, "No")


def test_a_stream_without_rows_is_given_up(spark: Any, tmp_path: Path) -> None:
    live = Live(tmp_path, timeout=1)
    live.add([Row("a", 0, "It is on. Now wa"), Row("b", 0, "Done.", end=True)])
    live.finish(spark)
    assert texts(live.found(spark)) == ["It is on.", "Done."]
    # A query that was restarted looks at its timers with the first row that comes.
    live.add([Row("c", 0, "")])
    query = live.start(spark, processingTime="0 seconds")
    while len(live.found(spark)) < 5:
        assert not query.awaitTermination(1)
    query.stop()
    chunk, fragment, given_up, other, empty = live.found(spark)
    assert (chunk["text"], chunk["complete"]) == ("It is on.", True)
    assert (fragment["text"], fragment["complete"]) == ("Now wa", False)
    problem = "no end came in time, expected number 1"
    assert given_up == report("a", problem, 1, None)
    assert other["text"] == "Done."
    assert empty == report("c", problem, 1, None)


def test_a_query_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    streams = {
        f"{name}{at}": text for name, text in OWN_TEXTS.items() for at in range(9)
    }
    order = random.Random(9)  # noqa: S311 - the same every time
    rows = [row for name, text in streams.items() for row in rows_of(name, text)]
    order.shuffle(rows)
    live = Live(tmp_path)
    for at in range(8):
        live.add(rows[at::8])
    life = live.run_and_kill(3, 0.5)
    assert 3 <= life.committed <= life.began
    expected = [
        row
        for name in sorted(streams)
        for row in chunks_of(name, streams[name], "sentence")
    ]
    assert live.run_to_the_end() == expected


def test_the_examples_of_the_guide_run(spark: Any) -> None:
    document = ALL_IN_PAGES.parse(PAGE)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        example.evaluate()
    check_all_is_shown(document.namespace)
    assert spark.version
