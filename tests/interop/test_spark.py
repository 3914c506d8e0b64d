"""The processor for Spark, called as Spark calls it; ``tests/corpora`` runs Spark."""

from __future__ import annotations

import importlib
import pickle
import sys
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import MarkdownChunking, StreamStateError, UnknownStrategyError
from tests.running import run

if TYPE_CHECKING:
    from collections.abc import Iterator

pd: Any = pytest.importorskip("pandas")
types: Any = pytest.importorskip("pyspark.sql.types")
spark: Any = pytest.importorskip("chunkwise.interop.spark")

SECOND = 1_000
COLUMNS = [
    "key",
    "text",
    "start",
    "end",
    "index",
    "kind",
    "context",
    "complete",
    "error",
    "number",
    "left_out",
]
DELTAS = ["# Pum", "ps\n\nIt lea", "ks. Call", " us."]


class Value:
    """The value of one key, as Spark keeps it."""

    def __init__(self) -> None:
        self.row: tuple[Any, ...] | None = None

    def get(self) -> tuple[Any, ...] | None:
        """Return it."""
        return self.row

    def update(self, row: tuple[Any, ...]) -> None:
        """Replace it."""
        self.row = row

    def clear(self) -> None:
        """Remove it."""
        self.row = None


class Time:
    """The time of a batch, in milliseconds."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds

    def getCurrentProcessingTimeInMs(self) -> int:  # noqa: N802 - Spark's name
        """Return it."""
        return self._seconds * SECOND


class Query:
    """Calls a processor for one key; it is a new one for each batch."""

    def __init__(self, strategy: Any = "markdown", **options: Any) -> None:
        self.strategy = strategy
        self.options = options
        self.value = Value()
        self.timers: list[int] = []

    def getValueState(self, name: str, schema: str) -> Value:  # noqa: N802 - as above
        """Return the value of the key."""
        assert name == "stream"
        assert schema.split()[::2] == ["chunker", "order", "touched"]
        return self.value

    def registerTimer(self, at: int) -> None:  # noqa: N802 - as above
        """Add a timer."""
        self.timers.append(at)

    def batch(self, seconds: int, *frames: list[Any]) -> list[dict[str, Any]]:
        """Hand over frames of rows."""
        given = (
            pd.DataFrame(rows, columns=["number", "delta", "end"]) for rows in frames
        )
        processor = self._started()
        found = processor.handleInputRows(("a",), given, Time(seconds))
        return _rows(found)

    def expire(self, seconds: int) -> list[dict[str, Any]]:
        """Let the one timer go off."""
        (at,) = self.timers
        assert at <= seconds * SECOND
        self.timers.clear()
        processor = self._started()
        found = processor.handleExpiredTimer(("a",), Time(seconds), None)
        return _rows(found)

    def _started(self) -> Any:
        made = spark.ChunkProcessor(self.strategy, **self.options)
        processor = pickle.loads(pickle.dumps(made))  # noqa: S301 - our own
        processor.init(self)
        return processor


def _rows(found: Iterator[Any]) -> list[dict[str, Any]]:
    rows = [row for frame in found for row in frame.itertuples(index=False, name=None)]
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def texts(rows: list[dict[str, Any]]) -> list[str | None]:
    """Return the texts of chunks, and what reports say."""
    return [row["text"] or row["error"] for row in rows]


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.spark")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[spark\]"'):
        importlib.import_module("chunkwise.interop.spark")


def test_the_columns_are_those_that_it_says() -> None:
    fields = [part.split()[0].strip("`") for part in spark.CHUNK_COLUMNS.split(", ")]
    assert [name for name in fields if not name.endswith(":")] == [
        name for name in COLUMNS if name != "key"
    ]


def test_rows_over_batches_and_processes_give_what_one_chunker_gives() -> None:
    query = Query()
    rows = [(number, delta, number == 3) for number, delta in enumerate(DELTAS)]
    found = query.batch(1, [rows[1]], [rows[0]])
    found += query.batch(2, rows[2:], rows[:2])
    whole = run(MarkdownChunking(), DELTAS).chunks
    assert [row["text"] for row in found] == ["# Pumps", "It leaks.", "Call us."]
    assert [(row["text"], row["start"], row["end"], row["index"]) for row in found] == [
        (chunk.text, chunk.start, chunk.end, chunk.number) for chunk in whole
    ]
    heading = {"text": "# Pumps", "start": 0, "kind": "heading"}
    assert found[1] == {
        "key": "a",
        "text": "It leaks.",
        "start": 9,
        "end": 18,
        "index": 1,
        "kind": "sentence",
        "context": [heading],
        "complete": True,
        "error": None,
        "number": None,
        "left_out": None,
    }


def test_numbers_and_flags_beside_nulls_are_read() -> None:
    query = Query("word")
    found = query.batch(1, [(0, "one ", None), (None, "two", None), (1, None, True)])
    assert texts(found) == ["one", "number is null, expected a whole one of at least 0"]
    assert found[1] == {
        **dict.fromkeys(COLUMNS),
        "key": "a",
        "error": "number is null, expected a whole one of at least 0",
        "left_out": "two",
    }


def test_too_many_waiting_rows_give_up_what_is_missing_at_the_end_of_a_batch() -> None:
    query = Query("word", max_waiting=1)
    frames = [[(1, "two ", False), (2, "three ", False)], [(0, "one ", False)]]
    assert texts(query.batch(1, *frames)) == ["one", "two", "three"]
    found = query.batch(2, [(4, "five ", False), (5, "six ", False)])
    assert texts(found) == ["number 3 is missing", "five", "six"]


def test_a_stream_without_rows_is_given_up_and_then_forgotten() -> None:
    query = Query("sentence", timeout=60)
    query.batch(100, [(0, "It is on. Now wa", False)])
    query.batch(130, [(2, "late", False)])
    assert query.timers == [160 * SECOND]
    assert query.expire(160) == []
    assert query.timers == [190 * SECOND]
    found = query.expire(191)
    assert texts(found) == [
        "Now wa",
        "number 1 is missing",
        "late",
        "no end came in time, expected number 3",
    ]
    assert [row["complete"] for row in found] == [False, None, False, None]
    (late,) = query.batch(200, [(3, "it.", True)])
    problem = "number 3 came too late: the stream was given up before number 3"
    assert (late["error"], late["number"], late["left_out"]) == (problem, 3, "it.")
    assert query.expire(251) == []
    assert query.timers == [260 * SECOND]
    assert query.expire(260) == []
    assert (query.value.row, query.timers) == (None, [])


def test_a_key_is_free_again_behind_its_end() -> None:
    query = Query("word", timeout=60)
    assert texts(query.batch(0, [(0, "one", True)])) == ["one"]
    assert query.expire(60) == []
    assert texts(query.batch(70, [(0, "two", True)])) == ["two"]
    assert query.timers == [130 * SECOND]


def test_a_query_does_not_go_on_with_another_strategy() -> None:
    query = Query("word")
    query.batch(0, [(0, "on", False)])
    before = query.value.row
    query.strategy = "sentence"
    with pytest.raises(StreamStateError, match="belongs to another strategy"):
        query.batch(1, [(1, "e", True)])
    assert query.value.row == before


def test_closing_does_nothing() -> None:
    spark.ChunkProcessor("word").close()


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        pytest.param({"strategy": "wrod"}, UnknownStrategyError, "'wrod'", id="name"),
        pytest.param({"timeout": 0}, ValueError, "timeout must be", id="timeout"),
        pytest.param({"max_waiting": -1}, ValueError, "max_waiting must be", id="most"),
    ],
)
def test_a_wrong_argument_is_refused_at_once(
    given: Any, kind: type[Exception], says: str
) -> None:
    with pytest.raises(kind, match=says):
        spark.ChunkProcessor(**{"strategy": "word", **given})
