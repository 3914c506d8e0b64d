"""Files of rows: written in parts, and readable whatever ended the writing."""

from __future__ import annotations

import io
import tracemalloc
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import Chunk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pa = pytest.importorskip("pyarrow", reason="needs the extra arrow")
parquet = pytest.importorskip("pyarrow.parquet")
table_file = pytest.importorskip("chunkwise.interop._table_file")


def words(count: int) -> Iterator[Chunk]:
    """Yield so many chunks."""
    for index in range(count):
        yield Chunk("word", start=5 * index, index=index, kind="word")


def read(path: Path, form: str) -> Any:
    if form == "parquet":
        return parquet.read_table(path)
    with pa.ipc.open_file(path) as file:
        return file.read_all()


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_rows_are_written_in_parts_and_in_order(tmp_path: Path, form: str) -> None:
    path = tmp_path / "rows"
    with path.open("wb") as file, table_file.TableFile(file, form) as table:
        table.add("a", words(140_000))
        table.add("b", words(2))
        table.add("c", [])
    rows = read(path, form)
    assert rows.column_names[-1] == "file"
    assert rows["index"].to_pylist() == [*range(140_000), 0, 1]
    assert rows["file"].to_pylist() == ["a"] * 140_000 + ["b"] * 2
    if form == "parquet":
        assert parquet.ParquetFile(path).num_row_groups == 2


def test_large_chunks_are_written_before_there_are_many(tmp_path: Path) -> None:
    large = Chunk("x" * (1 << 24), start=0)
    path = tmp_path / "rows"
    with path.open("wb") as file, table_file.TableFile(file, "parquet") as table:
        table.add("a", [large, large])
    assert parquet.ParquetFile(path).num_row_groups == 2


def test_what_is_held_does_not_grow() -> None:
    class Nowhere(io.RawIOBase):
        """Takes everything, and keeps nothing."""

        @override
        def writable(self) -> bool:
            return True

        @override
        def write(self, data: Any, /) -> int:
            return len(data)

    def peak(count: int) -> int:
        tracemalloc.start()
        with table_file.TableFile(io.BufferedWriter(Nowhere()), "arrow") as table:
            table.add("a", (Chunk("x" * (1 << 20), start=0) for _ in range(count)))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    assert peak(100) <= 1.2 * peak(20)


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_a_block_that_fails_leaves_what_was_added(tmp_path: Path, form: str) -> None:
    path = tmp_path / "rows"
    with path.open("wb") as file:
        table = table_file.TableFile(file, form)
        with suppress(KeyError), table:
            table.add("a", words(3))
            raise KeyError
    assert read(path, form)["index"].to_pylist() == [0, 1, 2]


def test_an_error_says_which_text_cannot_be_stored(tmp_path: Path) -> None:
    bad = Chunk("b", start=7, context=((0, "\ud800", "heading"),))
    path = tmp_path / "rows"
    says = "'b': the chunk at 7 holds a lone surrogate, which a table cannot store"
    with path.open("wb") as file:
        table = table_file.TableFile(file, "parquet")
        table.add("a", words(2))
        table.add("b", [bad])
        with pytest.raises(ValueError, match=says):
            table.__exit__()
    # The end of the file was written all the same.
    assert read(path, "parquet").num_rows == 0
