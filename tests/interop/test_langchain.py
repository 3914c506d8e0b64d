"""Tests of chunks in LangChain, with LangChain."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import pytest
from anyio import wait_all_tasks_blocked
from anyio.lowlevel import checkpoint

from chunkwise import (
    Chunk,
    MarkdownChunking,
    UnknownStrategyError,
    WindowChunking,
    iter_chunks,
)
from tests.interop.pages import run_section
from tests.running import run
from tests.texts import OWN_TEXTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

documents: Any = pytest.importorskip("langchain_core.documents")
messages: Any = pytest.importorskip("langchain_core.messages")
models: Any = pytest.importorskip("langchain_core.language_models")
outputs: Any = pytest.importorskip("langchain_core.outputs")
runnables: Any = pytest.importorskip("langchain_core.runnables")
pytest.importorskip("langchain_text_splitters")
langchain: Any = pytest.importorskip("chunkwise.interop.langchain")

TEXT = "# Colours\n\nIt is blue. It is blue. It is \U0001f600. Blue."
DELTAS = [
    "# Col",
    "ours\n\nIt is bl",
    "ue. It is blue",
    ". It is \U0001f600",
    ". Blue.",
]

on_asyncio = pytest.mark.parametrize("anyio_backend", ["asyncio"])


class Model(models.BaseChatModel):  # type: ignore[misc]  # a model without types
    """Writes the deltas above, and counts what it wrote."""

    written: list[str] = []  # noqa: RUF012 - a field of pydantic, copied
    closed: list[bool] = []  # noqa: RUF012 - as above

    @property
    def _llm_type(self) -> str:
        return "deltas"

    def _generate(self, *_: object, **__: object) -> Any:
        message = messages.AIMessage("".join(DELTAS))
        return outputs.ChatResult(generations=[outputs.ChatGeneration(message=message)])

    def _stream(self, *_: object, **__: object) -> Iterator[Any]:
        try:
            for delta in DELTAS:
                self.written.append(delta)
                message = messages.AIMessageChunk(content=delta)
                yield outputs.ChatGenerationChunk(message=message)
        finally:
            self.closed.append(True)

    async def _astream(self, *_: object, **__: object) -> AsyncIterator[Any]:
        try:
            for delta in DELTAS:
                await checkpoint()
                self.written.append(delta)
                message = messages.AIMessageChunk(content=delta)
                yield outputs.ChatGenerationChunk(message=message)
        finally:
            self.closed.append(True)


def places(chunks: list[Chunk]) -> list[tuple[str, int, int]]:
    return [(str(chunk), chunk.start, chunk.index) for chunk in chunks]


EXPECTED = places(list(iter_chunks(TEXT, "markdown")))


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.langchain")
    monkeypatch.setitem(sys.modules, "langchain_text_splitters", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[langchain\]"'):
        importlib.import_module("chunkwise.interop.langchain")


def test_a_document_for_each_chunk_says_where_and_what_it_is() -> None:
    splitter = langchain.ChunkingTextSplitter("markdown")
    given = documents.Document(page_content=TEXT, metadata={"source": "a.md"})
    found = splitter.split_documents([given])
    assert [(part.page_content, part.metadata) for part in found] == [
        ("# Colours", {"source": "a.md", "start_index": 0, "kind": "heading"}),
        *(
            (
                text,
                {
                    "source": "a.md",
                    "start_index": start,
                    "kind": "sentence",
                    "context": ["# Colours"],
                },
            )
            for text, start in [
                ("It is blue.", 11),
                ("It is blue.", 23),
                ("It is \U0001f600.", 35),
                ("Blue.", 44),
            ]
        ),
    ]
    assert given.metadata == {"source": "a.md"}


def test_metadata_of_an_earlier_split_is_replaced_and_never_shared() -> None:
    old = {"start_index": 7, "kind": "old", "context": ["old"], "tags": ["a"]}
    splitter = langchain.ChunkingTextSplitter()
    first, second = splitter.create_documents(["One. Two."], [old])
    assert first.metadata == {"start_index": 0, "kind": "sentence", "tags": ["a"]}
    assert second.metadata == {"start_index": 5, "kind": "sentence", "tags": ["a"]}
    assert first.metadata["tags"] is not second.metadata["tags"] is not old["tags"]


@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
@pytest.mark.parametrize("strategy", ["markdown", WindowChunking(3, stride=1)])
def test_every_text_stands_where_its_document_says(text: str, strategy: Any) -> None:
    found = langchain.ChunkingTextSplitter(strategy).create_documents([text, text])
    assert len(found) > 1
    for part in found:
        start = part.metadata["start_index"]
        assert text[start : start + len(part.page_content)] == part.page_content


def test_texts_alone_and_other_ways_to_call_it_give_the_same() -> None:
    splitter = langchain.ChunkingTextSplitter({"type": "word"})
    assert splitter.split_text("One two") == ["One", "two"]
    assert type(splitter.split_text("One")[0]) is str
    given = [documents.Document(page_content="One two")]
    assert splitter.transform_documents(given) == splitter.split_documents(given)


def test_too_few_metadata_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        langchain.ChunkingTextSplitter().create_documents(["One.", "Two."], [{}])


@pytest.mark.parametrize("name", ["ChunkingTextSplitter", "MessageChunker"])
def test_a_strategy_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(UnknownStrategyError, match="sentense"):
        getattr(langchain, name)("sentense")


def test_a_model_is_streamed_in_chunks() -> None:
    model = Model()
    chain = model | langchain.MessageChunker("markdown")
    stream = chain.stream("Hello")
    first = next(stream)
    assert (first, model.written) == ([Chunk("# Colours", start=0)], DELTAS[:2])
    assert places([*first, *(chunk for [chunk] in stream)]) == EXPECTED
    assert model.closed == [True]


def test_the_chunks_of_a_whole_answer_are_those_of_its_stream() -> None:
    chain = Model() | langchain.MessageChunker("markdown")
    assert places(chain.invoke("Hello")) == EXPECTED
    assert places(chain.batch(["Hello", "Hello"])[1]) == EXPECTED
    assert langchain.MessageChunker().invoke("") == []


def test_a_whole_message_and_text_are_streamed_as_well() -> None:
    chunker = langchain.MessageChunker("markdown")
    for given in (TEXT, messages.AIMessage(TEXT)):
        assert places([chunk for [chunk] in chunker.stream(given)]) == EXPECTED


def test_what_follows_gets_the_same_from_the_stream_and_from_the_whole() -> None:
    count = runnables.RunnableLambda(len)
    chain = Model() | langchain.MessageChunker("markdown") | count
    assert chain.invoke("Hello") == 5
    assert list(chain.stream("Hello")) == [5]


def test_leaving_early_closes_the_stream_of_the_model() -> None:
    model = Model()
    stream = (model | langchain.MessageChunker("word")).stream("Hello")
    next(stream)
    stream.close()
    assert (model.written, model.closed) == (DELTAS[:1], [True])


@on_asyncio
@pytest.mark.anyio
async def test_a_model_is_streamed_in_chunks_asynchronously() -> None:
    model = Model()
    chain = model | langchain.MessageChunker("markdown")
    found = [chunk async for [chunk] in chain.astream("Hello")]
    assert places(found) == EXPECTED
    assert model.closed == [True]
    assert places(await chain.ainvoke("Hello")) == EXPECTED
    chunker = langchain.MessageChunker("markdown")
    assert places([chunk async for [chunk] in chunker.astream(TEXT)]) == EXPECTED


@on_asyncio
@pytest.mark.anyio
async def test_leaving_early_closes_the_async_stream_of_the_model() -> None:
    model = Model()
    stream = (model | langchain.MessageChunker("word")).astream("Hello")
    await anext(stream)
    await stream.aclose()
    # LangChain leaves closing what is inside of a chain to the event loop.
    await wait_all_tasks_blocked()
    assert (model.written, model.closed) == (DELTAS[:1], [True])


def test_every_slicing_into_messages_gives_the_same_chunks() -> None:
    chunker = langchain.MessageChunker("markdown")
    whole = [(c.text, c.start, c.number) for c in run(MarkdownChunking(), TEXT).chunks]
    for size in range(1, len(TEXT)):
        parts = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
        stream = chunker.transform(messages.AIMessageChunk(part) for part in parts)
        assert places([chunk for [chunk] in stream]) == whole


def test_the_examples_of_the_guide_run() -> None:
    run_section("LangChain")
