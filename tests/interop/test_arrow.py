"""Chunks of corpora: rows in order, none lost, and all that Arrow calls a string."""

from __future__ import annotations

import importlib
import pickle
import sys
import tracemalloc
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import Chunk, Chunker, ChunkingStrategy, Scan, Span, UnknownStrategyError
from tests.texts import OWN_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator

pa = pytest.importorskip("pyarrow", reason="needs the extra arrow")
arrow = pytest.importorskip("chunkwise.interop.arrow")

STRICT = {"type": "json", "strict": True}
COLUMNS = [
    ("text", "string"),
    ("start", "int64"),
    ("end", "int64"),
    ("index", "int64"),
    ("kind", "string"),
    ("complete", "bool"),
    ("error", "string"),
]


def documents(**columns: Any) -> Any:
    return pa.table({"body": ["One. Two.", "Three."], **columns})


def texts(table: Any) -> list[str | None]:
    found: list[str | None] = table["text"].to_pylist()
    return found


def chunked(table: Any, strategy: Any = "sentence", **options: Any) -> Any:
    return arrow.chunk_table(table, column="body", strategy=strategy, **options)


def cut(text: str) -> list[Chunk]:
    chunker = Chunker("markdown")
    return [*chunker.feed(text), *chunker.flush()]


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.arrow")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[arrow\]"'):
        importlib.import_module("chunkwise.interop.arrow")


def test_a_row_is_a_chunk_with_the_columns_of_its_document() -> None:
    bodies = ["# Größe\n\nOne. 𝄞 two.\n", *OWN_TEXTS.values()]
    table = pa.table({"id": range(len(bodies)), "body": bodies})
    rows = chunked(table, "markdown").to_pylist()
    expected = [
        {
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
            "id": number,
        }
        for number, body in enumerate(bodies)
        for chunk in cut(body)
    ]
    assert rows == expected
    assert any(row["context"] for row in rows)


def test_the_schema_is_known_before() -> None:
    table = documents(id=pa.array([1, 2], pa.int16()))
    chunker = arrow.ArrowChunker("body", "word")
    schema = chunker.schema(table.schema)
    assert chunker(table).schema == schema
    found = [(field.name, str(field.type)) for field in schema]
    assert found.pop(5)[0] == "context"
    assert found == [*COLUMNS, ("id", "int16")]


@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param("word", id="name"),
        pytest.param({"type": "word"}, id="dictionary"),
        pytest.param(Chunker("word").state.strategy, id="read-only"),
    ],
)
def test_a_strategy_is_given_in_any_form(strategy: Any) -> None:
    assert texts(chunked(documents(), strategy)) == ["One.", "Two.", "Three."]


@pytest.mark.parametrize(
    "column",
    [
        pytest.param(pa.string(), id="string"),
        pytest.param(pa.large_string(), id="large"),
        pytest.param(pa.string_view(), id="view"),
        pytest.param(pa.dictionary(pa.int8(), pa.string()), id="dictionary"),
    ],
)
def test_a_column_may_hold_strings_of_any_type_and_nulls(column: Any) -> None:
    bodies = pa.array(["One. Two.", None, "", " ", "One. Two."], column)
    table = pa.table({"id": [0, 1, 2, 3, 4], "body": bodies})
    rows = chunked(table)
    assert texts(rows) == ["One.", "Two."] * 2
    assert rows["id"].to_pylist() == [0, 0, 4, 4]


def test_a_part_without_any_text_has_the_schema_of_the_others() -> None:
    table = pa.table({"id": [1, 2], "body": [None, None]})
    assert table.schema.field("body").type == pa.null()
    rows = chunked(table)
    assert rows.num_rows == 0
    assert rows.schema == chunked(documents(id=[1, 2])).schema


def test_an_empty_table_gives_an_empty_table() -> None:
    table = documents(id=[1, 2]).slice(0, 0)
    for part in (table, pa.Table.from_batches([], table.schema)):
        rows = chunked(part)
        assert rows.num_rows == 0
        assert rows.column_names[-2:] == ["error", "id"]


def test_rows_stay_in_order_over_the_parts_of_a_table() -> None:
    bodies = [f"One {number}. Two." for number in range(10)]
    whole = pa.table({"id": range(10), "body": bodies})
    parts = pa.concat_tables([whole.slice(0, 3), whole.slice(3, 0), whole.slice(3)])
    assert chunked(parts).equals(chunked(whole))
    assert chunked(whole)["id"].to_pylist() == [n for n in range(10) for _ in range(2)]
    assert arrow.ArrowChunker("body", "sentence")(
        whole.to_batches()[0].slice(2, 3)
    ).equals(chunked(whole).slice(4, 6))


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(pa.array(["a", None], pa.string_view()), id="view"),
        pytest.param(
            pa.array([["a"], []], pa.list_(pa.string_view())), id="list-of-views"
        ),
        pytest.param(pa.array([{"a": 1}, None]), id="struct"),
        pytest.param(pa.array(["a", "b"]).dictionary_encode(), id="dictionary"),
        pytest.param(pa.nulls(2), id="null"),
    ],
)
def test_a_kept_column_may_have_any_type(values: Any) -> None:
    rows = chunked(documents(kept=values))
    first, second = values.to_pylist()
    assert rows["kept"].to_pylist() == [first, first, second]
    assert rows["kept"].type == values.type


def test_keep_says_which_columns_are_repeated() -> None:
    table = documents(id=[1, 2], lang=["en", "de"])
    assert chunked(table, keep=["lang"]).column_names[8:] == ["lang"]
    assert chunked(table, keep=()).column_names[8:] == []
    assert chunked(table, keep=iter(["body", "id"])).column_names[8:] == ["body", "id"]
    assert chunked(table).column_names[8:] == ["id", "lang"]


def test_metadata_of_a_field_are_kept_and_those_of_the_schema_are_not() -> None:
    described = pa.field("id", pa.int64(), nullable=False, metadata={"unit": "none"})
    schema = pa.schema([("body", pa.string()), described], metadata={"pandas": "{}"})
    rows = chunked(documents(id=[1, 2]).cast(schema))
    assert rows.schema.metadata is None
    assert rows.schema.field("id").equals(described, check_metadata=True)


def test_a_document_that_fails_has_one_row() -> None:
    bodies = ["[1, 2]", "[3, x]", "[4]"]
    table = pa.table({"id": [1, 2, 3], "body": bodies})
    rows = chunked(table, STRICT).to_pylist()
    assert [(row["id"], row["text"]) for row in rows] == [
        (1, "1"),
        (1, "2"),
        (2, None),
        (3, "4"),
    ]
    failed = rows[2]
    assert failed["error"].startswith("MalformedJSONError: malformed JSON at ")
    known = {"error", "id"}
    assert {failed[name] for name in failed if name not in known} == {None}
    assert all(row["error"] is None for row in rows if row is not failed)


def test_a_failure_can_be_raised() -> None:
    table = pa.table({"body": ["[1]", "[2]", "[x]"]})
    parts = table.to_batches(max_chunksize=1)
    says = r"the document in row 2 failed: MalformedJSONError: malformed JSON at "
    with pytest.raises(ValueError, match=says):
        chunked(pa.Table.from_batches(parts), STRICT, on_error="raise")
    rows = arrow.chunk_batches(parts, column="body", strategy=STRICT, on_error="raise")
    assert [texts(next(rows)), texts(next(rows))] == [["1"], ["2"]]
    with pytest.raises(ValueError, match=says):
        next(rows)


def test_text_that_is_not_utf_8_fails_alone() -> None:
    offsets = pa.array([0, 1, 2, 3], pa.int32()).buffers()[1]
    buffers = [None, offsets, pa.py_buffer(b"a\xffb")]
    table = pa.table({"body": pa.Array.from_buffers(pa.string(), 3, buffers)})
    rows = chunked(table, "word")
    assert texts(rows) == ["a", None, "b"]
    assert rows["error"][1].as_py().startswith("UnicodeDecodeError: ")


@dataclass(frozen=True)
class OddKind(ChunkingStrategy[None]):
    """Each document is a chunk; the kind of one with an ``x`` is no ``str``."""

    @override
    def begin(self, offset: int) -> None:
        """Carry nothing."""

    @override
    def scan(
        self, text: str, base: int, state: None, final: bool = False
    ) -> Scan[None]:
        end = base + len(text)
        if not final:
            return Scan((), keep=base, resume=base, state=state)
        if "!" in text:
            msg = "found \ud800"
            raise RuntimeError(msg)
        kind: Any = 7 if "x" in text else "whole"
        return Scan((Span(base, end, kind=kind),), keep=end, resume=end, state=state)


def test_a_chunk_that_no_row_can_hold_fails_alone() -> None:
    table = pa.table({"id": [1, 2, 3, 4], "body": ["a", "x", "b", "x"]})
    rows = chunked(table, OddKind())
    assert texts(rows) == ["a", None, "b", None]
    assert rows["id"].to_pylist() == [1, 2, 3, 4]
    assert "Error: " in rows["error"][1].as_py()
    with pytest.raises(ValueError, match="the document in row 1 failed: Arrow"):
        chunked(table, OddKind(), on_error="raise")


def test_a_message_that_no_row_can_hold_is_escaped() -> None:
    rows = chunked(pa.table({"body": ["!"]}), OddKind())
    assert rows["error"].to_pylist() == [r"RuntimeError: found \ud800"]


def test_batches_are_read_when_their_chunks_are_asked_for() -> None:
    read = []

    def source() -> Iterator[Any]:
        for number in range(3):
            read.append(number)
            yield pa.record_batch({"body": [f"{number}" if number else ""]})

    rows = arrow.chunk_batches(source(), column="body", strategy="word")
    assert read == []
    # The first one has no chunks, and no batch without rows comes out.
    assert texts(next(rows)) == ["1"]
    assert read == [0, 1]
    assert [texts(batch) for batch in rows] == [["2"]]


def test_many_or_long_chunks_are_handed_on_before_there_are_more() -> None:
    many = "a " * 70_000
    rows = list(arrow.ArrowChunker("body", "word").batches(body(many, "b", many, "c")))
    assert [batch.num_rows for batch in rows] == [70_001, 70_001]
    long = "a" * (1 << 24)
    rows = list(arrow.ArrowChunker("body", "word").batches(body("b", long, "c", "")))
    assert [batch.num_rows for batch in rows] == [1, 1, 1]


def body(*values: str) -> list[Any]:
    return [pa.record_batch({"body": list(values)})]


def test_memory_does_not_grow_with_the_corpus() -> None:
    def peak(count: int) -> int:
        source = (pa.record_batch({"body": ["One. " * 500]}) for _ in range(count))
        tracemalloc.start()
        for _ in arrow.chunk_batches(source, column="body", strategy="sentence"):
            pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    peak(1)
    assert peak(20) <= 1.3 * peak(4)


def test_a_chunker_pickles_and_shows_its_arguments() -> None:
    chunker = arrow.ArrowChunker("body", "word", keep=["id"], on_error="raise")
    copy = pickle.loads(pickle.dumps(chunker))  # noqa: S301 - our own
    assert repr(copy) == (
        "ArrowChunker('body', WordChunking(), keep=('id',), on_error='raise')"
    )
    table = documents(id=[1, 2], more=[3, 4])
    assert copy(table).equals(chunker(table))


@pytest.mark.parametrize(
    ("given", "kind", "says"),
    [
        pytest.param(
            {"strategy": "sentense"},
            UnknownStrategyError,
            "unknown strategy 'sentense', expected one of",
            id="name",
        ),
        pytest.param(
            {"strategy": None},
            TypeError,
            "expected a strategy, its name, or its dictionary form, got None",
            id="no-strategy",
        ),
        pytest.param(
            {"column": 3},
            TypeError,
            "column must be the name of a column, got 3",
            id="column",
        ),
        pytest.param(
            {"keep": "id"},
            TypeError,
            "keep must be names of columns or None, got 'id'",
            id="one-name",
        ),
        pytest.param(
            {"keep": 3},
            TypeError,
            "keep must be names of columns or None, got 3",
            id="no-names",
        ),
        pytest.param(
            {"keep": ["id", 3]},
            TypeError,
            "keep must be names of columns, got 3 among them",
            id="no-name",
        ),
        pytest.param(
            {"keep": ["id", "id"]},
            ValueError,
            "column 'id' is to be kept twice, expected once",
            id="twice",
        ),
        pytest.param(
            {"keep": ["start"]},
            ValueError,
            "column 'start' cannot be kept, because chunks have a column of that name; "
            "rename it, or leave it out of keep",
            id="taken",
        ),
        pytest.param(
            {"on_error": "skip"},
            ValueError,
            "on_error must be 'row' or 'raise', got 'skip'",
            id="on_error",
        ),
        pytest.param(
            {"on_error": ["row"]},
            ValueError,
            "on_error must be 'row' or 'raise', got ['row']",
            id="on_error in a list",
        ),
    ],
)
def test_a_wrong_argument_is_refused_at_once(
    given: Any, kind: type[Exception], says: str
) -> None:
    arguments = {"column": "body", "strategy": "word", **given}
    with pytest.raises(kind) as caught:
        arrow.chunk_batches([], **arguments)
    assert str(caught.value).startswith(says)


@pytest.mark.parametrize(
    ("table", "kind", "says"),
    [
        pytest.param(
            pa.table({"text": ["a"]}),
            ValueError,
            "expected one column 'body' in the documents, found 0; their columns are "
            "['text']",
            id="missing",
        ),
        pytest.param(
            pa.table([["a"], ["b"]], names=["body", "body"]),
            ValueError,
            "expected one column 'body' in the documents, found 2; their columns are "
            "['body', 'body']",
            id="twice",
        ),
        pytest.param(
            pa.table({"body": ["a"], "error": ["b"]}),
            ValueError,
            "column 'error' cannot be kept, because chunks have a column of that name; "
            "rename it, or leave it out of keep",
            id="taken",
        ),
        pytest.param(
            {"body": ["a"]},
            TypeError,
            "expected a pyarrow.Table, got dict; pyarrow.table() makes one of many "
            "kinds of data",
            id="no-table",
        ),
    ],
)
def test_a_wrong_table_is_refused(table: Any, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind) as caught:
        chunked(table)
    assert str(caught.value) == says


NO_STRINGS = {
    "numbers": (pa.array([7, None, 0]), "int64"),
    "nan": (pa.array([float("nan"), None, 0.5]), "double"),
    "dictionary": (
        pa.array([7, None, 0]).dictionary_encode(),
        "dictionary<values=int64, indices=int32, ordered=0>",
    ),
    "lists": (pa.array([["a"], None, []]), "list<item: string>"),
    "structs": (pa.array([{"a": 1}, None, {}]), "struct<a: int64>"),
    "bytes": (pa.array([b"One.", None, b""]), "binary"),
}
"""Columns of a document, a null, and another document; and their types."""


@pytest.mark.parametrize(("column", "kind"), NO_STRINGS.values(), ids=NO_STRINGS)
def test_a_document_that_is_no_text_fails(column: Any, kind: str) -> None:
    """As a part of a corpus can have nothing else; the other parts are not lost."""
    table = pa.table({"id": [1, 2, 3], "body": column})
    rows = chunked(table).to_pylist()
    assert [(row["id"], row["text"], row["index"]) for row in rows] == [
        (1, None, None),
        (3, None, None),
    ]
    for row, value in zip(rows, column.drop_null().to_pylist(), strict=True):
        assert row["error"] == f"TypeError: expected a str, got {value!r}"
    with pytest.raises(TypeError) as caught:
        chunked(table, on_error="raise")
    assert str(caught.value) == f"column 'body' holds {kind}, expected strings"
    with pytest.raises(TypeError):
        list(
            arrow.chunk_batches(
                table.to_batches(), column="body", strategy="word", on_error="raise"
            )
        )


def test_what_is_kept_has_to_be_there() -> None:
    with pytest.raises(ValueError, match="expected one column 'id' in the documents"):
        chunked(documents(), keep=["id"])


def test_a_table_among_batches_is_refused() -> None:
    rows = arrow.chunk_batches(["body"], column="body", strategy="word")
    with pytest.raises(TypeError, match=r"expected batches, .*RecordBatch, got 'body'"):
        next(rows)
