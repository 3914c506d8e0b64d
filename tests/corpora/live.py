"""A query over live streams, in this process or in one that can be killed.

``python -m tests.corpora.live FOLDER`` runs it until it is killed; with ``finish``
behind the folder, until all rows were read, and writes down what came out.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ROOT = Path(__file__).parents[2]

needs_java = pytest.mark.skipif(
    shutil.which("java") is None, reason="Spark needs Java 17"
)

_COLUMNS = "key string, number bigint, delta string, `end` boolean"
_NO_EMPTY_BATCHES = "spark.sql.streaming.noDataMicroBatches.enabled"


class Row(NamedTuple):
    """A row that goes in."""

    key: str | None
    number: int | None
    delta: str | None
    end: bool | None = False


class Life(NamedTuple):
    """What a query did before it was killed.

    Attributes:
        began: The batches that were begun by then, since the first start of all.
        committed: Those that were committed; one less, if it was killed inside of one.
        took: Seconds from one commit that was waited for to the next, the first one
            from when the query was started.
    """

    began: int
    committed: int
    took: list[float]


def start_spark() -> Any:
    """Return a session with two workers, which run this Python."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    sql: Any = pytest.importorskip("pyspark.sql")
    builder = sql.SparkSession.builder.master("local[2]")
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.streaming.stateStore.providerClass": (
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
        ),
    }
    return builder.config(map=settings).getOrCreate()


class Live:
    """Rows in files, a query over them, and what it wrote, all in one folder.

    Args:
        folder: The folder; what is there already is gone on with.
        strategy: The strategy, or its name.
        options: Options of the processor.
    """

    def __init__(
        self, folder: Path, strategy: Any = "sentence", **options: Any
    ) -> None:
        self.folder = folder
        self.rows = folder / "rows"
        self.rows.mkdir(parents=True, exist_ok=True)
        self._strategy = strategy
        self._options = options

    def add(self, rows: Iterable[Row]) -> None:
        """Add a file of rows, which is one batch."""
        number = len(list(self.rows.iterdir()))
        file = self.folder / "next.json"
        file.write_text("".join(f"{json.dumps(row._asdict())}\n" for row in rows))
        # The reader takes files in the order of their times, which may be equal.
        os.utime(file, (1e9 + number, 1e9 + number))
        file.rename(self.rows / f"{number:06}.json")

    def start(self, spark: Any, **trigger: Any) -> Any:
        """Start the query, with a trigger."""
        processor: Any = importlib.import_module("chunkwise.interop.spark")
        rows = (
            spark.readStream.schema(
                "key string, number long, delta string, end boolean"
            )
            .option("maxFilesPerTrigger", 1)
            .json(str(self.rows))
        )
        chunks = rows.groupBy("key").transformWithStateInPandas(
            statefulProcessor=processor.ChunkProcessor(self._strategy, **self._options),
            outputStructType=f"key string, {processor.CHUNK_COLUMNS}",
            outputMode="Append",
            timeMode="ProcessingTime",
        )
        return (
            chunks.writeStream.format("parquet")
            .option("path", str(self.folder / "chunks"))
            .option("checkpointLocation", str(self.folder / "checkpoint"))
            .trigger(**trigger)
            .start()
        )

    def finish(self, spark: Any) -> None:
        """Run the query until all rows are read; timers do not keep it from ending."""
        spark.conf.set(_NO_EMPTY_BATCHES, "false")
        self.start(spark, availableNow=True).awaitTermination()
        spark.conf.unset(_NO_EMPTY_BATCHES)

    def found(self, spark: Any) -> list[dict[str, Any]]:
        """Return what came out by now, reports behind the chunks of their stream."""
        if not (self.folder / "chunks" / "_spark_metadata").exists():
            return []
        frame = spark.read.parquet(str(self.folder / "chunks"))
        rows = [row.asDict(recursive=True) for row in frame.collect()]
        return sorted(rows, key=_place)

    def run_and_kill(self, commits: int, seconds: float) -> Life:
        """Run the query in a process of its own, and kill it.

        Args:
            commits: The batches that it commits first; with none, *seconds* count from
                when the query was started.
            seconds: How long it runs on behind the last of these commits.
        """
        took: list[float] = []
        with self._process() as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"started\n"
            before = self._count("commits")
            since = time.monotonic()
            while len(took) < commits:
                assert process.poll() is None
                time.sleep(0.01)
                if self._count("commits") > before + len(took):
                    now = time.monotonic()
                    took.append(now - since)
                    since = now
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)
        assert process.returncode == -signal.SIGKILL
        return Life(self._count("offsets"), self._count("commits"), took)

    def run_to_the_end(self) -> list[dict[str, Any]]:
        """Run the query in a process of its own, and return all that came out."""
        with self._process("finish") as process:
            process.wait()
        assert process.returncode == 0
        rows = (self.folder / "found.json").read_text(encoding="utf-8")
        found: list[dict[str, Any]] = json.loads(rows)
        return found

    @contextlib.contextmanager
    def _process(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run the query in a process, and kill it with all that it started."""
        module = [sys.executable, "-m", "tests.corpora.live", str(self.folder)]
        with subprocess.Popen(  # noqa: S603 - ourselves
            [*module, *arguments],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                yield process
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def _count(self, log: str) -> int:
        """Return how many batches a log has had; Spark keeps the last ones only."""
        files = (self.folder / "checkpoint" / log).glob("[0-9]*")
        return max((int(file.name) for file in files), default=-1) + 1


def _place(row: dict[str, Any]) -> tuple[Any, ...]:
    """Return what sorts rows: by stream, chunks before reports, each in order."""
    is_report = row["error"] is not None
    number = row["number"] if is_report else row["index"]
    return (row["key"] or "", is_report, -1 if number is None else number, row["error"])


def texts(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the texts of chunks, and what reports say."""
    return [row["error"] if row["text"] is None else row["text"] for row in rows]


def main(folder: str, finish: str = "") -> None:
    """Run the query."""
    spark = start_spark()
    # However long a busy machine needs, no stream is to be given up.
    live = Live(Path(folder), timeout=86_400)
    if finish:
        live.finish(spark)
        rows = json.dumps(live.found(spark))
        (live.folder / "found.json").write_text(rows, encoding="utf-8")
        return
    query = live.start(spark, processingTime="0 seconds")
    sys.stdout.write("started\n")
    sys.stdout.flush()
    query.awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
