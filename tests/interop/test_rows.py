"""Chunks as rows: each column is an attribute, and nothing is lost on the way."""

from __future__ import annotations

import pytest

from chunkwise import Chunk, Chunker

pa = pytest.importorskip("pyarrow", reason="needs the extra arrow")
rows = pytest.importorskip("chunkwise.interop._rows")


def test_each_chunk_is_a_row_with_its_context() -> None:
    chunker = Chunker("markdown")
    chunks = [*chunker.feed("# Größe\n\nOne. 𝄞 two.\n"), *chunker.flush()]
    table = pa.table(rows.chunk_columns(chunks), schema=rows.CHUNK_SCHEMA)
    heading = {"text": "# Größe", "start": 0, "kind": "heading"}
    assert table.to_pylist() == [
        {
            "text": str(chunk),
            "start": chunk.start,
            "end": chunk.end,
            "index": chunk.index,
            "kind": chunk.kind,
            "context": [heading] if chunk.context else [],
            "complete": chunk.complete,
        }
        for chunk in chunks
    ]
    assert [row["context"] for row in table.to_pylist()] == [[], [heading], [heading]]


def test_no_chunks_are_no_rows_of_the_same_types() -> None:
    table = pa.table(rows.chunk_columns([]), schema=rows.CHUNK_SCHEMA)
    assert table.num_rows == 0
    assert table.schema == rows.CHUNK_SCHEMA


def test_none_is_a_row_of_nulls() -> None:
    columns = rows.chunk_columns([Chunk("a", start=0), None])
    assert columns[0].to_pylist() == ["a", None]
    assert {column[1].as_py() for column in columns} == {None}


def test_a_lone_surrogate_cannot_be_stored() -> None:
    with pytest.raises(UnicodeEncodeError):
        rows.chunk_columns([Chunk("\udc80", start=0)])
