"""Files of rows, Parquet or Arrow, written while the chunks come."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from ._rows import CHUNK_SCHEMA, MOST_ROWS, MOST_TEXT, chunk_columns

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO

    from typing_extensions import Self

    from .._chunk import Chunk

_SURROGATE = re.compile("[\ud800-\udfff]")

_SCHEMA = CHUNK_SCHEMA.append(pa.field("file", pa.string(), nullable=False))


class TableFile:
    """Writes chunks as rows, and beside each the file that it is from.

    A context manager: what was written by then can be read, whatever ends the block.

    Args:
        file: Where the bytes go, in one pass; it stays open.
        form: ``"parquet"``, or ``"arrow"`` for the file format of Arrow's IPC.
    """

    def __init__(self, file: BinaryIO, form: Literal["parquet", "arrow"]) -> None:
        if form == "parquet":
            self._writer = pq.ParquetWriter(file, _SCHEMA)
        else:
            self._writer = pa.ipc.new_file(file, _SCHEMA)
        self._chunks: list[Chunk] = []
        self._files: list[str] = []
        self._size = 0

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Write what is held, and the end of the file."""
        try:
            self._write()
        finally:
            self._writer.close()

    def add(self, file: str, chunks: Iterable[Chunk]) -> None:
        """Add a row for each chunk.

        Args:
            file: The name of the file that they are from.
            chunks: In the order of the rows.

        Raises:
            ValueError: A text cannot be stored; the message says where it is.
            OSError: The file cannot be written.
        """
        for chunk in chunks:
            self._chunks.append(chunk)
            self._files.append(file)
            self._size += len(chunk)
            if self._size >= MOST_TEXT or len(self._chunks) >= MOST_ROWS:
                self._write()

    def _write(self) -> None:
        if not self._chunks:
            return
        chunks, files = self._chunks, self._files
        self._chunks, self._files, self._size = [], [], 0
        try:
            columns = [*chunk_columns(chunks), pa.array(files, pa.string())]
        except UnicodeEncodeError as error:
            raise _unstorable(chunks, files) from error
        self._writer.write_batch(pa.record_batch(columns, schema=_SCHEMA))


def _unstorable(chunks: list[Chunk], files: list[str]) -> ValueError:
    """Return an error that says which text it is that UTF-8 cannot express."""
    chunk, file = next(
        (chunk, file)
        for chunk, file in zip(chunks, files, strict=True)
        if _SURROGATE.search("".join([file, chunk, *chunk.context]))
    )
    msg = (
        f"{file!r}: the chunk at {chunk.start} holds a lone surrogate, "
        "which a table cannot store"
    )
    return ValueError(msg)
