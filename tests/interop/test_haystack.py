"""Tests of chunks in Haystack, with Haystack."""

from __future__ import annotations

import importlib
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

haystack: Any = pytest.importorskip("haystack")
interop: Any = pytest.importorskip("chunkwise.interop.haystack")

TEXT = "# Colours\n\nIt is \U0001f600. It is blue."


def split(strategy: Any, *documents: Any) -> list[Any]:
    splitter = interop.ChunkingDocumentSplitter(strategy)
    parts: list[Any] = splitter.run(documents=list(documents))["documents"]
    return parts


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.haystack")
    monkeypatch.setitem(sys.modules, "haystack", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[haystack\]"'):
        importlib.import_module("chunkwise.interop.haystack")


def test_a_document_for_each_chunk_says_where_and_what_it_is() -> None:
    given = haystack.Document(content=TEXT, id="a", meta={"source": "a.md"})
    facts = {"source": "a.md", "source_id": "a"}
    assert [(part.content, part.meta) for part in split("markdown", given)] == [
        ("# Colours", facts | {"split_id": 0, "split_idx_start": 0, "kind": "heading"}),
        *(
            (
                text,
                facts
                | {
                    "split_id": number,
                    "split_idx_start": start,
                    "kind": "sentence",
                    "context": ["# Colours"],
                },
            )
            for number, start, text in [
                (1, 11, "It is \U0001f600."),
                (2, 20, "It is blue."),
            ]
        ),
    ]
    assert given.meta == {"source": "a.md"}


def test_meta_of_an_earlier_split_is_replaced_and_never_shared() -> None:
    old = {"split_id": 7, "kind": "old", "context": ["old"], "tags": ["a"]}
    given = haystack.Document(content="One two", id="a", meta=old)
    first, second = split("word", given)
    assert first.meta == {
        "source_id": "a",
        "split_id": 0,
        "split_idx_start": 0,
        "kind": "word",
        "tags": ["a"],
    }
    assert first.meta["tags"] is not second.meta["tags"]


@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
@pytest.mark.parametrize(
    "strategy", [MarkdownChunking(), WindowChunking(3, stride=1)], ids=str
)
def test_every_text_stands_where_its_document_says(text: str, strategy: Any) -> None:
    parts = split(strategy, haystack.Document(content=text))
    found = [(part.content, part.meta["split_idx_start"]) for part in parts]
    assert found == [(c.text, c.start) for c in run(strategy, text).chunks]


def test_documents_come_out_in_their_order_and_empty_ones_give_none() -> None:
    texts = ["One two", "", "three"]
    parts = split("word", *(haystack.Document(content=text) for text in texts))
    assert [part.content for part in parts] == ["One", "two", "three"]


def test_a_pipeline_runs_it_and_is_saved_with_it() -> None:
    pipeline = haystack.Pipeline()
    strategy = SizedChunking(20, by=("sentence", "word"))
    pipeline.add_component("one", interop.ChunkingDocumentSplitter(strategy))
    pipeline.add_component("two", interop.ChunkingDocumentSplitter("word"))
    pipeline.connect("one.documents", "two.documents")
    given = {"one": {"documents": [haystack.Document(content="One. Two three.")]}}
    found = pipeline.run(given)["two"]["documents"]
    assert [part.content for part in found] == ["One.", "Two", "three."]
    trusted = ["chunkwise.interop.haystack"]
    again = haystack.Pipeline.loads(pipeline.dumps(), allowed_modules=trusted)
    assert again == pipeline
    assert [part.content for part in again.run(given)["two"]["documents"]] == [
        part.content for part in found
    ]


@pytest.mark.parametrize(
    ("documents", "error", "message"),
    [
        ("One.", TypeError, "documents must be a list, got 'One.'"),
        (["One."], TypeError, "documents must hold documents, got 'One.'"),
    ],
)
def test_what_is_no_list_of_documents_is_refused(
    documents: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        interop.ChunkingDocumentSplitter().run(documents=documents)


def test_a_document_without_text_is_refused() -> None:
    with pytest.raises(ValueError, match="document 'a' has no text"):
        split("word", haystack.Document(id="a"))


def test_a_strategy_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownStrategyError, match="sentense"):
        interop.ChunkingDocumentSplitter("sentense")


def test_the_examples_of_the_guide_run() -> None:
    run_section("Haystack")
