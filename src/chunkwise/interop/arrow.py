"""Chunks of whole corpora: tables and batches of Arrow in, and out."""

# pyright: reportUnknownParameterType=false
# pyarrow has no types, so what is given and returned is unknown to the checker.

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from .._chunker import Chunker
from .._quote import shown
from .._registry import resolve_strategy
from ._needs import needs

with needs("arrow"):
    import pyarrow as pa

    from ._rows import CHUNK_SCHEMA, MOST_ROWS, MOST_TEXT, chunk_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from .._chunk import Chunk
    from .._registry import StrategyLike

    OnError: TypeAlias = Literal["row", "raise"]

__all__ = ["ArrowChunker", "chunk_batches", "chunk_table"]

# A document that failed has a row, too, in which all that a chunk would say is null.
_FIELDS = [
    *(field.with_nullable(True) for field in CHUNK_SCHEMA),  # noqa: FBT003 - it takes no keyword
    pa.field("error", pa.string()),
]
_NAMES = [field.name for field in _FIELDS]


class _Document(NamedTuple):
    """What became of a document.

    Attributes:
        place: Its row in its batch.
        chunks: Its chunks; ``[None]`` if it failed.
        error: Why it failed.
    """

    place: int
    chunks: Sequence[Chunk | None]
    error: str | None = None


class ArrowChunker:
    """Turns tables of documents into tables of chunks, a row for each chunk.

    A function of a table, to be handed to an engine that runs it on parts of a corpus,
    in other processes or on other machines; it pickles if its strategy does. Each
    document is a stream of its own, so the rows do not depend on how a corpus is cut
    into parts.

    The columns are ``text``, ``start``, ``end``, ``index``, ``kind``, ``context``,
    ``complete`` and ``error``, and behind them the kept ones of the document. Rows are
    in the order of the documents, and then of the chunks. A document that is null or
    has no chunks has no row. One that fails has one row, which has the error and else
    nulls, and the kept columns. The metadata of a schema are not taken over: they are
    about its columns. Those of a kept field are.

    Args:
        column: The name of the column with the texts. It holds strings of any Arrow
            type, also as a dictionary; a document that is something else fails.
        strategy: A strategy, its registered name, or its dictionary form.
        keep: Names of columns of the documents that are repeated for each chunk;
            ``None`` keeps all but *column*.
        on_error: ``"row"`` gives a document that fails a row, ``"raise"`` raises.

    Raises:
        UnknownStrategyError: No strategy has the given name.
        TypeError: *strategy* is none, or another argument has the wrong type.
        ValueError: *keep* names a column twice, or one that is named as a column of
            chunks; or *on_error* is neither of the two.

    Examples:
        >>> import pyarrow as pa
        >>> chunker = ArrowChunker("body", "sentence")
        >>> documents = pa.table({"id": [7, 8], "body": ["One. Two.", "Three."]})
        >>> chunker(documents).select(["id", "index", "text"]).to_pylist()[1:]
        [{'id': 7, 'index': 1, 'text': 'Two.'}, {'id': 8, 'index': 0, 'text': 'Three.'}]
    """

    __slots__ = ("_column", "_keep", "_on_error", "_strategy")

    def __init__(
        self,
        column: str,
        strategy: StrategyLike,
        *,
        keep: Iterable[str] | None = None,
        on_error: OnError = "row",
    ) -> None:
        if not isinstance(column, str):
            msg = f"column must be the name of a column, got {shown(column)}"
            raise TypeError(msg)
        if on_error not in ("row", "raise"):
            msg = f"on_error must be 'row' or 'raise', got {on_error!r}"
            raise ValueError(msg)
        self._column = column
        self._strategy = resolve_strategy(strategy)
        self._keep = None if keep is None else _checked_names(keep)
        self._on_error = on_error

    def __repr__(self) -> str:
        """Show the arguments."""
        return (
            f"ArrowChunker({self._column!r}, {self._strategy!r}, keep={self._keep!r}, "
            f"on_error={self._on_error!r})"
        )

    def schema(self, documents: pa.Schema) -> pa.Schema:
        """Return the schema of the chunks of documents that have a schema.

        Args:
            documents: The schema of a table or batch of documents.

        Raises:
            ValueError: A column is missing, is there twice, or is kept and named as a
                column of chunks.
            TypeError: The column with the texts holds something else, and *on_error* is
                ``"raise"``; otherwise each of its rows fails.
        """
        text = documents.field(_place(documents, self._column))
        kind = text.type.value_type if pa.types.is_dictionary(text.type) else text.type
        # A part of a corpus without any text may come as a column of type null.
        if self._on_error == "raise" and not any(
            holds(kind)
            for holds in (
                pa.types.is_string,
                pa.types.is_large_string,
                pa.types.is_string_view,
                pa.types.is_null,
            )
        ):
            msg = f"column {self._column!r} holds {text.type}, expected strings"
            raise TypeError(msg)
        kept = [
            documents.field(_place(documents, name)) for name in self._kept(documents)
        ]
        return pa.schema([*_FIELDS, *kept])

    def __call__(self, table: pa.Table | pa.RecordBatch) -> pa.Table:
        """Return the chunks of a table of documents.

        Args:
            table: The documents, a row for each.

        Raises:
            TypeError: It is neither a table nor a batch; or as `schema` says.
            ValueError: As `schema` says; or a document failed and *on_error* is
                ``"raise"``.
        """
        if not isinstance(table, pa.Table | pa.RecordBatch):
            msg = (
                f"expected a pyarrow.Table, got {type(table).__name__}; "
                "pyarrow.table() makes one of many kinds of data"
            )
            raise TypeError(msg)
        parts = [table] if isinstance(table, pa.RecordBatch) else table.to_batches()
        return pa.Table.from_batches(self.batches(parts), self.schema(table.schema))

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the chunks of documents that come in batches.

        Holds no more than one batch of documents and its chunks, or 16 million code
        points of these, or the chunks of one document, if that is more. All chunks of
        a document are in one batch.

        Args:
            batches: The documents, a row for each; a ``RecordBatchReader`` for example.

        Yields:
            The chunks in order, in batches that are not empty.

        Raises:
            TypeError: An item is no batch; or as `schema` says.
            ValueError: As `schema` says; or a document failed and *on_error* is
                ``"raise"``.
        """
        number = 0
        for batch in batches:
            if not isinstance(batch, pa.RecordBatch):
                msg = f"expected batches, pyarrow.RecordBatch, got {shown(batch)}"
                raise TypeError(msg)
            schema = self.schema(batch.schema)
            kept = [batch.column(name) for name in self._kept(batch.schema)]
            for documents in self._portions(batch.column(self._column), number):
                stored, columns = self._stored(documents, number)
                places = [each.place for each in stored for _ in each.chunks]
                columns += [_repeated(column, places) for column in kept]
                yield pa.record_batch(columns, schema=schema)
            number += batch.num_rows

    def _kept(self, documents: pa.Schema) -> Sequence[str]:
        if self._keep is not None:
            return self._keep
        return _checked_names(name for name in documents.names if name != self._column)

    def _portions(self, texts: pa.Array, number: int) -> Iterator[list[_Document]]:
        """Yield documents that have rows, as many together as go into a batch."""
        portion: list[_Document] = []
        rows = size = 0
        for place, text in enumerate(texts):
            document = self._cut(place, text, number)
            length = sum(map(_size, document.chunks))
            if portion and (
                rows + len(document.chunks) > MOST_ROWS or size + length > MOST_TEXT
            ):
                yield portion
                portion, rows, size = [], 0, 0
            if document.chunks:
                portion.append(document)
                rows += len(document.chunks)
                size += length
        if portion:
            yield portion

    def _cut(self, place: int, text: pa.Scalar, number: int) -> _Document:
        # Here, as text in a table may not be UTF-8, and decoding it is what fails.
        try:
            whole = text.as_py()
            if whole is None:
                return _Document(place, ())
            if not isinstance(whole, str):
                msg = f"expected a str, got {shown(whole)}"
                raise TypeError(msg)  # noqa: TRY301 - it is one of them
            chunker = Chunker(self._strategy)
            return _Document(place, [*chunker.feed(whole), *chunker.flush()])
        except Exception as error:  # noqa: BLE001 - whatever a strategy raises
            return self._failed(place, error, number)

    def _stored(
        self, documents: list[_Document], number: int
    ) -> tuple[list[_Document], list[Any]]:
        """Return documents and their columns; one that no column can hold has failed.

        That is so with a strategy that says something else than a ``str`` as a kind.
        """
        try:
            return documents, _columns(documents)
        except Exception as error:  # noqa: BLE001 - whatever Arrow raises
            if len(documents) > 1:
                alone = [self._stored([each], number)[0][0] for each in documents]
            else:
                alone = [self._failed(documents[0].place, error, number)]
            return alone, _columns(alone)

    def _failed(self, place: int, error: Exception, number: int) -> _Document:
        said = f"{type(error).__name__}: {error}"
        if self._on_error == "raise":
            msg = f"the document in row {number + place} failed: {said}"
            raise ValueError(msg) from error
        # A message may quote text that UTF-8 cannot express.
        said = said.encode(errors="backslashreplace").decode()
        return _Document(place, [None], said)


def chunk_table(
    table: pa.Table,
    *,
    column: str,
    strategy: StrategyLike,
    keep: Iterable[str] | None = None,
    on_error: OnError = "row",
) -> pa.Table:
    """Return the chunks of a table of documents, a row for each chunk.

    Args:
        table: The documents, a row for each.
        column: As for `ArrowChunker`, which says what the rows are.
        strategy: As there.
        keep: As there.
        on_error: As there.

    Raises:
        UnknownStrategyError: No strategy has the given name.
        TypeError: *table* is none, or an argument has the wrong type; or *column* holds
            no strings, and *on_error* is ``"raise"``.
        ValueError: The table lacks a column, or an argument has a wrong value; or a
            document failed and *on_error* is ``"raise"``.

    Examples:
        >>> import pyarrow as pa
        >>> documents = pa.table({"body": ["One. Two.", None, "Three"]})
        >>> chunks = chunk_table(documents, column="body", strategy="sentence")
        >>> chunks["text"].to_pylist(), chunks["complete"].to_pylist()
        (['One.', 'Two.', 'Three'], [True, True, False])
    """
    return ArrowChunker(column, strategy, keep=keep, on_error=on_error)(table)


def chunk_batches(
    batches: Iterable[pa.RecordBatch],
    *,
    column: str,
    strategy: StrategyLike,
    keep: Iterable[str] | None = None,
    on_error: OnError = "row",
) -> Iterator[pa.RecordBatch]:
    """Return an iterator over the chunks of documents that come in batches.

    A batch is read when its chunks are asked for, so memory does not grow with the
    corpus; `ArrowChunker.batches` says what is held.

    Args:
        batches: The documents; a ``RecordBatchReader`` for example.
        column: As for `ArrowChunker`, which says what the rows are.
        strategy: As there.
        keep: As there.
        on_error: As there.

    Raises:
        UnknownStrategyError: No strategy has the given name.
        TypeError: An argument has the wrong type.
        ValueError: An argument has a wrong value. What is wrong with a batch or a
            document is raised where the iterator comes to it.

    Examples:
        >>> import pyarrow as pa
        >>> documents = pa.table({"body": ["One. Two.", "Three."]})
        >>> batches = documents.to_batches(max_chunksize=1)
        >>> chunks = chunk_batches(batches, column="body", strategy="sentence")
        >>> [batch["text"].to_pylist() for batch in chunks]
        [['One.', 'Two.'], ['Three.']]
    """
    chunker = ArrowChunker(column, strategy, keep=keep, on_error=on_error)
    return chunker.batches(batches)


def _checked_names(keep: Iterable[str]) -> tuple[str, ...]:
    if isinstance(keep, str) or not isinstance(keep, Iterable):
        msg = f"keep must be names of columns or None, got {shown(keep)}"
        raise TypeError(msg)
    names = tuple(keep)
    for at, name in enumerate(names):
        if not isinstance(name, str):
            msg = f"keep must be names of columns, got {shown(name)} among them"
            raise TypeError(msg)
        if name in names[:at]:
            msg = f"column {name!r} is to be kept twice, expected once"
            raise ValueError(msg)
        if name in _NAMES:
            msg = (
                f"column {name!r} cannot be kept, because chunks have a column of that "
                "name; rename it, or leave it out of keep"
            )
            raise ValueError(msg)
    return names


def _place(documents: pa.Schema, name: str) -> int:
    """Return which field has a name."""
    places: list[int] = documents.get_all_field_indices(name)
    if len(places) != 1:
        msg = (
            f"expected one column {name!r} in the documents, found {len(places)}; "
            f"their columns are {shown(documents.names)}"
        )
        raise ValueError(msg)
    return places[0]


def _size(chunk: Chunk | None) -> int:
    return 0 if chunk is None else len(chunk) + sum(map(len, chunk.context))


def _columns(documents: Iterable[_Document]) -> list[Any]:
    """Return the columns of `_FIELDS`."""
    rows = [(chunk, each.error) for each in documents for chunk in each.chunks]
    errors = pa.array([error for _, error in rows], pa.string())
    return [*chunk_columns(chunk for chunk, _ in rows), errors]


def _repeated(column: pa.Array, places: list[int]) -> pa.Array:
    """Return the items of a column at some places, in any number."""
    try:
        return column.take(pa.array(places, pa.int64()))
    except pa.ArrowNotImplementedError:
        # There is no such function for views of strings, alone or inside of others.
        return pa.concat_arrays([column.slice(place, 1) for place in places])
