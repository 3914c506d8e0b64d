"""Tests of chunks in LlamaIndex, with LlamaIndex."""

from __future__ import annotations

import importlib
import pickle
import sys
from typing import Any

import pytest

from chunkwise import (
    MarkdownChunking,
    SizedChunking,
    UnknownStrategyError,
    WindowChunking,
)
from tests.interop.pages import run_section
from tests.running import run
from tests.texts import OWN_TEXTS

schema: Any = pytest.importorskip("llama_index.core.schema")
ingestion: Any = pytest.importorskip("llama_index.core.ingestion")
parsers: Any = pytest.importorskip("llama_index.core.node_parser")
llama_index: Any = pytest.importorskip("chunkwise.interop.llama_index")

TEXT = "# Colours\n\nIt is blue. It is \U0001f600. It is blue."


def places(nodes: list[Any]) -> list[tuple[str, int, int]]:
    return [(node.text, node.start_char_idx, node.end_char_idx) for node in nodes]


def parse(strategy: Any, text: str, **fields: Any) -> list[Any]:
    parser = llama_index.ChunkingNodeParser(strategy)
    nodes: list[Any] = parser([schema.Document(text=text, **fields)])
    return nodes


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.llama_index")
    monkeypatch.setitem(sys.modules, "llama_index.core.schema", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[llama-index\]"'):
        importlib.import_module("chunkwise.interop.llama_index")


def test_a_node_for_each_chunk_says_where_and_what_it_is() -> None:
    nodes = parse("markdown", TEXT, metadata={"source": "a.md"})
    assert places(nodes) == [
        ("# Colours", 0, 9),
        ("It is blue.", 11, 22),
        ("It is \U0001f600.", 23, 31),
        ("It is blue.", 32, 43),
    ]
    assert nodes[0].metadata == {"source": "a.md", "kind": "heading"}
    assert nodes[1].metadata == {
        "source": "a.md",
        "kind": "sentence",
        "context": "# Colours",
    }


def test_models_see_the_context_and_not_the_kind() -> None:
    node = parse("markdown", TEXT, excluded_llm_metadata_keys=["kind", "source"])[1]
    for mode in (schema.MetadataMode.EMBED, schema.MetadataMode.LLM):
        assert node.get_content(mode) == "context: # Colours\n\nIt is blue."
    assert node.excluded_llm_metadata_keys == ["kind", "source"]


def test_a_text_that_also_stands_inside_of_another_one_keeps_its_place() -> None:
    assert places(parse("word", "xab ab b")) == [
        ("xab", 0, 3),
        ("ab", 4, 6),
        ("b", 7, 8),
    ]


@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
@pytest.mark.parametrize(
    "strategy", [MarkdownChunking(), WindowChunking(3, stride=1)], ids=str
)
def test_every_text_stands_where_its_node_says(text: str, strategy: Any) -> None:
    nodes = parse(strategy, text)
    assert places(nodes) == [(c.text, c.start, c.end) for c in run(strategy, text)[0]]


def test_nodes_are_linked_to_each_other_and_to_their_document() -> None:
    first, second, *_ = parse("word", "One two three", id_="a")
    assert first.source_node.node_id == second.source_node.node_id == "a"
    assert first.next_node.node_id == second.node_id


def test_a_node_of_a_document_is_parsed_with_places_in_that_document() -> None:
    nodes = parse("paragraph", "One two.\n\nThree four.", id_="a")
    words = llama_index.ChunkingNodeParser("word")(nodes)
    assert places(words) == [
        ("One", 0, 3),
        ("two.", 4, 8),
        ("Three", 10, 15),
        ("four.", 16, 21),
    ]
    assert {word.source_node.node_id for word in words} == {"a"}


def test_a_node_without_a_document_is_parsed_with_places_in_itself() -> None:
    node = schema.TextNode(text="One two", start_char_idx=5, end_char_idx=12)
    words = llama_index.ChunkingNodeParser("word")([node])
    assert places(words) == [("One", 0, 3), ("two", 4, 7)]


def test_a_pipeline_runs_it() -> None:
    parser = llama_index.ChunkingNodeParser("word", include_prev_next_rel=False)
    pipeline = ingestion.IngestionPipeline(transformations=[parser])
    nodes = pipeline.run(documents=[schema.Document(text="One two")])
    assert [node.text for node in nodes] == ["One", "two"]
    assert nodes[0].next_node is None


def test_a_context_of_the_document_is_not_taken_for_one_of_the_chunk() -> None:
    assert parse("word", "One", metadata={"context": "old", "kind": "old"})[
        0
    ].metadata == {"kind": "word"}


def test_its_dictionary_form_has_that_of_its_strategy() -> None:
    strategy = SizedChunking(20, by=("sentence", "word"))
    form = llama_index.ChunkingNodeParser(strategy).to_dict()
    assert form["class_name"] == "ChunkingNodeParser"
    assert llama_index.ChunkingNodeParser(form["strategy"]).strategy == strategy


def test_it_pickles() -> None:
    parser = llama_index.ChunkingNodeParser("word", include_metadata=False)
    again = pickle.loads(pickle.dumps(parser))  # noqa: S301 - our own
    assert (again.strategy, again.include_metadata) == (parser.strategy, False)


def test_an_empty_document_gives_no_nodes() -> None:
    assert parse("sentence", "") == []


def test_a_strategy_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownStrategyError, match="sentense"):
        llama_index.ChunkingNodeParser("sentense")


def test_the_examples_of_the_guide_run() -> None:
    run_section("LlamaIndex")
