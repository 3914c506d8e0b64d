"""Chunks as rows of an Arrow table: the one form that all of interop has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._chunk import Chunk

CHUNK_SCHEMA = pa.schema(
    [
        pa.field("text", pa.string(), nullable=False),
        pa.field("start", pa.int64(), nullable=False),
        pa.field("end", pa.int64(), nullable=False),
        pa.field("index", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
        pa.field(
            "context",
            pa.list_(
                pa.struct(
                    [
                        pa.field("text", pa.string(), nullable=False),
                        pa.field("start", pa.int64(), nullable=False),
                        pa.field("kind", pa.string(), nullable=False),
                    ]
                )
            ),
            nullable=False,
        ),
        pa.field("complete", pa.bool_(), nullable=False),
    ]
)
"""The columns that a chunk fills; where it comes from stands in columns behind them."""

MOST_ROWS = 1 << 17
MOST_TEXT = 1 << 24
"""Rows, and code points in them, from which on no more are held together.

They bound what is held before it is written or handed on. A reader of Parquet takes one
such part at a time, and many small ones would slow it down.
"""

_NOTHING = (None,) * len(CHUNK_SCHEMA)


def chunk_row(chunk: Chunk | None) -> tuple[Any, ...]:
    """Return the values of `CHUNK_SCHEMA` for a chunk; for ``None``, nulls."""
    if chunk is None:
        return _NOTHING
    return (
        str(chunk),
        chunk.start,
        chunk.end,
        chunk.index,
        chunk.kind,
        [
            {"text": str(part), "start": part.start, "kind": part.kind}
            for part in chunk.context
        ],
        chunk.complete,
    )


def chunk_columns(chunks: Iterable[Chunk | None]) -> list[Any]:
    """Return the columns of `CHUNK_SCHEMA` as arrays, with a row for each chunk.

    Args:
        chunks: Chunks of any streams, in the order of the rows; ``None`` gives a row of
            nulls.

    Raises:
        UnicodeEncodeError: A text has a lone surrogate, which Arrow cannot store.
    """
    rows = [chunk_row(chunk) for chunk in chunks]
    columns = zip(*rows, strict=True) if rows else [()] * len(CHUNK_SCHEMA)
    return [
        pa.array(column, field.type)
        for column, field in zip(columns, CHUNK_SCHEMA, strict=True)
    ]
