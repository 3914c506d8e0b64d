"""A Chunk is its text and knows its place."""

from __future__ import annotations

import copy
import json
import pickle
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import Chunk, Chunker
from chunkwise._chunk import json_facts

if TYPE_CHECKING:
    from collections.abc import Callable


def full_chunk() -> Chunk:
    return Chunk(
        "Hi there.",
        start=2,
        index=5,
        gap="  ",
        complete=False,
        kind="sentence",
        oversize=True,
        path="$.a[0]",
        metadata={"source": "model", "turn": 3},
    )


def attributes(chunk: Chunk) -> tuple[Any, ...]:
    return (
        type(chunk),
        str(chunk),
        chunk.start,
        chunk.end,
        chunk.index,
        chunk.gap,
        chunk.complete,
        chunk.kind,
        chunk.oversize,
        chunk.path,
        dict(chunk.metadata),
    )


def test_a_chunk_is_its_text() -> None:
    chunk = full_chunk()
    assert isinstance(chunk, str)
    assert chunk == "Hi there."
    assert hash(chunk) == hash("Hi there.")
    assert len({chunk, "Hi there."}) == 1
    assert str(chunk) == "Hi there."
    assert type(str(chunk)) is str
    assert repr(chunk) == "'Hi there.'"
    assert f"{chunk}" == "Hi there."
    assert json.dumps([chunk]) == '["Hi there."]'
    assert "-".join((chunk,) * 2) == "Hi there.-Hi there."
    assert len(chunk) == 9


def test_a_chunk_knows_its_place() -> None:
    assert attributes(full_chunk()) == (
        Chunk,
        "Hi there.",
        2,
        11,
        5,
        "  ",
        False,
        "sentence",
        True,
        "$.a[0]",
        {"source": "model", "turn": 3},
    )


def test_a_chunk_has_defaults_for_all_but_text_and_start() -> None:
    assert attributes(Chunk("a", start=0)) == (
        *(Chunk, "a", 0, 1, 0, "", True, "", False, None, {}),
    )


def test_offsets_count_code_points() -> None:
    chunk = Chunk("\U0001f600e\u0301\ud800", start=10)
    assert (chunk.start, chunk.end) == (10, 14)


def test_chunks_compare_as_their_text_whatever_their_place() -> None:
    assert Chunk("a", start=0) == Chunk("a", start=7, index=2)
    assert Chunk("a", start=7) < Chunk("b", start=0)


def test_operations_give_plain_strings() -> None:
    chunk = full_chunk()
    for text in (chunk + "", chunk[:], chunk.strip(), chunk.upper(), "" + chunk):
        assert type(text) is str


def by_pickle(chunk: Chunk) -> Any:
    return pickle.loads(pickle.dumps(chunk))  # noqa: S301 - our own pickle


def by_old_pickle(chunk: Chunk) -> Any:
    return pickle.loads(pickle.dumps(chunk, protocol=0))  # noqa: S301 - as above


def in_a_list(chunk: Chunk) -> Any:
    return copy.deepcopy([chunk])[0]


every_copy = pytest.mark.parametrize(
    "copied", [by_pickle, by_old_pickle, copy.copy, copy.deepcopy, in_a_list]
)


@every_copy
def test_a_copy_keeps_all_attributes(copied: Callable[[Chunk], Any]) -> None:
    assert attributes(copied(full_chunk())) == attributes(full_chunk())
    bare = Chunk("a", start=0)
    assert attributes(copied(bare)) == attributes(bare)


@every_copy
def test_a_copy_of_a_chunk_from_a_stream_keeps_all_attributes(
    copied: Callable[[Chunk], Any],
) -> None:
    chunker = Chunker("sentence", metadata={"id": 7})
    for chunk in [*chunker.feed(" One. Two"), *chunker.flush()]:
        assert attributes(copied(chunk)) == attributes(chunk)


@every_copy
def test_a_copy_of_a_subclass_keeps_its_class(copied: Callable[[Chunk], Any]) -> None:
    assert attributes(copied(Marked("a", start=3))) == attributes(Marked("a", start=3))


class Marked(Chunk):
    """A Chunk of one's own."""

    __slots__ = ()


@every_copy
def test_the_metadata_of_a_copy_is_read_only(copied: Callable[[Chunk], Any]) -> None:
    with pytest.raises(TypeError):
        copied(full_chunk()).metadata["turn"] = 4


def test_metadata_is_a_read_only_copy() -> None:
    given = {"turn": 3}
    chunk = Chunk("a", start=0, metadata=given)
    given["turn"] = 4
    assert chunk.metadata == {"turn": 3}
    with pytest.raises(TypeError):
        chunk.metadata["turn"] = 4  # type: ignore[index]  # that it is read-only
    with pytest.raises(TypeError):
        Chunk("a", start=0).metadata["a"] = 1  # type: ignore[index]  # as above


def test_only_what_the_end_of_the_text_closed_can_be_incomplete() -> None:
    """``complete`` is settled by the driver before a chunk is handed out."""
    for text, truncated, complete in [
        ("One.", False, True),
        ("One", False, False),
        ("One.", True, False),
        ("One", True, False),
    ]:
        chunker = Chunker("sentence", metadata={"id": 7})
        chunker.feed(f" {text}")
        (chunk,) = chunker.flush(truncated=truncated)
        assert attributes(chunk) == (
            *(Chunk, text, 1, 1 + len(text), 0, " "),
            *(complete, "sentence", False, None, {"id": 7}),
        )


@pytest.mark.parametrize(
    "name",
    ["start", "end", "index", "gap", "complete", "kind", "path", "metadata", "other"],
)
def test_attributes_cannot_be_set(name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(full_chunk(), name, 1)


def test_a_chunk_has_no_dictionary() -> None:
    assert not hasattr(full_chunk(), "__dict__")


def test_a_chunk_has_neither_path_nor_context_unless_told() -> None:
    for chunk in (Chunk("a", start=3), *Chunker("word").feed("a ")):
        assert chunk.path is None
        assert chunk.context == ()
        assert chunk.with_context() == "a"


def test_context_is_chunks_from_earlier_in_the_stream() -> None:
    context = ((0, "# Title", "heading"), (9, "|a|", "table_header"))
    chunk = Chunk("|b|", start=20, path="$[0]", context=context)
    assert chunk.path == "$[0]"
    assert [(str(c), c.start, c.end, c.kind) for c in chunk.context] == [
        ("# Title", 0, 7, "heading"),
        ("|a|", 9, 12, "table_header"),
    ]
    assert all(type(each) is Chunk for each in chunk.context)
    assert pickle.loads(pickle.dumps(chunk)).context == chunk.context  # noqa: S301 - our own pickle


def test_a_heading_is_followed_by_a_blank_line_and_anything_else_by_a_line_end() -> (
    None
):
    context = ((0, "# Title", "heading"), (9, "|a|", "table_header"))
    chunk = Chunk("|b|", start=20, context=context)
    assert chunk.with_context() == "# Title\n\n|a|\n|b|"
    assert chunk == "|b|"


def test_what_json_says_of_a_chunk() -> None:
    facts = json_facts(full_chunk())
    assert json.loads(json.dumps(facts)) == {
        "text": "Hi there.",
        "start": 2,
        "end": 11,
        "index": 5,
        "gap": "  ",
        "complete": False,
        "kind": "sentence",
    }


@pytest.mark.parametrize("metadata", [3, "x", [("id", 7)], None])
def test_metadata_of_a_chunk_is_a_mapping(metadata: Any) -> None:
    with pytest.raises(TypeError, match=r"metadata must be a mapping, got "):
        Chunk("a", start=0, metadata=metadata)
