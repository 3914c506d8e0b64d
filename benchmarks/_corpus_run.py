"""Chunks a corpus with one engine, in a process of its own, and prints the seconds.

``python -m benchmarks._corpus_run ENGINE WORKERS SOURCE SINK``; the last two are
folders of Parquet files.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

COLUMN = "text_of_document"
_BATCH = 200
_SPARK_COLUMNS = """
    text string, start bigint, `end` bigint, index bigint, kind string,
    context array<struct<text: string, start: bigint, kind: string>>,
    complete boolean, error string, id bigint
"""


def _chunker() -> Any:
    arrow: Any = import_module("chunkwise.interop.arrow")
    return arrow.ArrowChunker(COLUMN, "sentence")


def one_process(_: int, source: str, sink: str) -> tuple[float, float]:
    """Read, chunk and write batch by batch."""
    began = perf_counter()
    pq: Any = import_module("pyarrow.parquet")
    chunker = _chunker()
    ready = perf_counter()
    writer = None
    for path in sorted(Path(source).glob("*.parquet")):
        file = pq.ParquetFile(path)
        batches = file.iter_batches(batch_size=_BATCH)
        if writer is None:
            schema = chunker.schema(file.schema_arrow)
            writer = pq.ParquetWriter(Path(sink) / "chunks.parquet", schema)
        for batch in chunker.batches(batches):
            writer.write_batch(batch)
    assert writer is not None  # noqa: S101 - a corpus has a file
    writer.close()
    return ready - began, perf_counter() - ready


def ray(workers: int, source: str, sink: str) -> tuple[float, float]:
    """Let Ray Data do it."""
    began = perf_counter()
    engine: Any = import_module("ray")
    engine.init(num_cpus=workers, include_dashboard=False, logging_level="ERROR")
    ready = perf_counter()
    documents = engine.data.read_parquet(source)
    chunks = documents.map_batches(
        _chunker(), batch_format="pyarrow", batch_size=_BATCH
    )
    chunks.write_parquet(sink)
    took = perf_counter() - ready
    engine.shutdown()
    return ready - began, took


def spark(workers: int, source: str, sink: str) -> tuple[float, float]:
    """Let Spark do it."""
    began = perf_counter()
    session = _session(
        workers,
        {
            "spark.sql.execution.arrow.maxRecordsPerBatch": str(_BATCH),
            "spark.sql.files.maxPartitionBytes": "4m",
        },
    )
    ready = perf_counter()
    documents = session.read.parquet(source)
    chunks = documents.mapInArrow(_chunker().batches, _SPARK_COLUMNS)
    chunks.write.mode("overwrite").parquet(sink)
    took = perf_counter() - ready
    session.stop()
    return ready - began, took


def live(workers: int, source: str, sink: str) -> tuple[float, float]:
    """Let Spark chunk live streams, a file of rows in a batch.

    The first batch, in which all streams begin and much is loaded, counts as the start.
    """
    began = perf_counter()
    processor: Any = import_module("chunkwise.interop.spark")
    session = _session(
        workers,
        {
            "spark.sql.shuffle.partitions": str(workers),
            "spark.sql.streaming.noDataMicroBatches.enabled": "false",
            "spark.sql.streaming.stateStore.providerClass": (
                "org.apache.spark.sql.execution.streaming.state."
                "RocksDBStateStoreProvider"
            ),
        },
    )
    schema = "key string, number bigint, delta string, `end` boolean"
    rows = session.readStream.schema(schema).option("maxFilesPerTrigger", 1)
    chunks = rows.parquet(source).groupBy("key")
    query = (
        chunks.transformWithStateInPandas(
            statefulProcessor=processor.ChunkProcessor("sentence"),
            outputStructType=f"key string, {processor.CHUNK_COLUMNS}",
            outputMode="Append",
            timeMode="ProcessingTime",
        )
        .writeStream.format("parquet")
        .option("path", f"{sink}/chunks")
        .option("checkpointLocation", f"{sink}/checkpoint")
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    total = perf_counter() - began
    _, *others = (each.durationMs["triggerExecution"] for each in query.recentProgress)
    took: float = sum(others) / 1_000
    session.stop()
    return total - took, took


def _session(workers: int, settings: dict[str, str]) -> Any:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    sql: Any = import_module("pyspark.sql")
    builder = sql.SparkSession.builder.master(f"local[{workers}]")
    settings["spark.ui.enabled"] = "false"
    return builder.config(map=settings).getOrCreate()


ENGINES = {"one process": one_process, "Ray Data": ray, "Spark": spark, "live": live}


def main(engine: str, workers: str, source: str, sink: str) -> None:
    """Run one engine, and print the seconds of its start and of its work."""
    start, work = ENGINES[engine](int(workers), source, sink)
    print(json.dumps([start, work]))


if __name__ == "__main__":
    main(*sys.argv[1:])
