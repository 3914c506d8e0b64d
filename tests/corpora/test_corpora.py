"""The recipes of the guide, and that every engine gives what one process gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.corpora.live import needs_java
from tests.test_docs import ALL_IN_PAGES, ROOT, check_all_is_shown
from tests.texts import OWN_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator

pa: Any = pytest.importorskip("pyarrow")
pd: Any = pytest.importorskip("pandas")
pl: Any = pytest.importorskip("polars")
datasets: Any = pytest.importorskip("datasets")
ray: Any = pytest.importorskip("ray")
arrow: Any = pytest.importorskip("chunkwise.interop.arrow")

PAGE = ROOT / "docs/howto/chunk-a-corpus.md"

SPARK_COLUMNS = """
    text string, start bigint, `end` bigint, index bigint, kind string,
    context array<struct<text: string, start: bigint, kind: string>>,
    complete boolean, error string, id bigint
"""

BODIES = [*OWN_TEXTS.values(), None, "", "[1, 2]", "[3, oops]"]


@pytest.fixture(
    params=["markdown", {"type": "json", "strict": True}], ids=["markdown", "strict"]
)
def chunker(request: pytest.FixtureRequest) -> Any:
    """Return a function that takes any document, and one that does not."""
    return arrow.ArrowChunker("body", request.param)


@pytest.fixture(scope="module")
def documents() -> Any:
    """Return a corpus of several parts, with nulls."""
    count = 10 * len(BODIES)
    table = pa.table({"id": range(count), "body": BODIES * 10})
    return pa.concat_tables([table.slice(0, 17), table.slice(17)])


@pytest.fixture(scope="module")
def local_ray() -> Iterator[Any]:
    """Run Ray with two workers."""
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    yield ray
    ray.shutdown()


def in_order(table: Any) -> list[dict[str, Any]]:
    """Return the rows in the order of documents and chunks, whatever theirs is."""
    rows = table.to_pylist()
    return sorted(rows, key=lambda row: (row["id"], row["index"] or 0))


def test_one_process_gives_rows_and_errors(chunker: Any, documents: Any) -> None:
    rows = chunker(documents).to_pylist()
    assert rows == in_order(chunker(documents))
    failed = {row["id"] % len(BODIES) for row in rows if row["error"] is not None}
    strict = "strict=True" in repr(chunker)
    assert failed == ({len(BODIES) - 1} if strict else set())


def test_pandas(chunker: Any, documents: Any) -> None:
    frame = chunker(pa.table(documents.to_pandas())).to_pandas()
    table = pa.Table.from_pandas(frame, schema=chunker.schema(documents.schema))
    assert table.to_pylist() == chunker(documents).to_pylist()


def test_polars(chunker: Any, documents: Any) -> None:
    frame = pl.DataFrame(chunker(pa.table(pl.DataFrame(documents))))
    assert pa.table(frame).to_pylist() == chunker(documents).to_pylist()


@pytest.mark.parametrize("processes", [None, 2], ids=["inline", "processes"])
def test_datasets(chunker: Any, documents: Any, processes: int | None) -> None:
    dataset = datasets.Dataset(documents).with_format("arrow")
    chunks = dataset.map(
        chunker,
        batched=True,
        batch_size=7,
        num_proc=processes,
        remove_columns=dataset.column_names,
    )
    assert chunks[:].to_pylist() == chunker(documents).to_pylist()


@pytest.mark.usefixtures("local_ray")
def test_ray(chunker: Any, documents: Any) -> None:
    parts = [documents.slice(at, 20) for at in range(0, documents.num_rows, 20)]
    dataset = ray.data.from_arrow(parts)
    chunks = dataset.map_batches(chunker, batch_format="pyarrow")
    found = pa.concat_tables(ray.get(chunks.to_arrow_refs()))
    assert in_order(found) == chunker(documents).to_pylist()


@needs_java
def test_spark(chunker: Any, documents: Any, spark: Any) -> None:
    frame = spark.createDataFrame(documents).repartition(3)
    chunks = frame.mapInArrow(chunker.batches, SPARK_COLUMNS)
    assert in_order(chunks.toArrow()) == chunker(documents).to_pylist()


@needs_java
@pytest.mark.usefixtures("local_ray", "spark")
def test_the_recipes_of_the_guide_run() -> None:
    document = ALL_IN_PAGES.parse(PAGE)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        example.evaluate()
    check_all_is_shown(document.namespace)
