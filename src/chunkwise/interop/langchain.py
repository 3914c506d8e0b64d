"""Chunks as documents of LangChain, and as what comes behind one of its models."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Union

from typing_extensions import override

from .._adapters import aiter_chunks, iter_chunks
from .._chunk import Chunk
from .._registry import resolve_strategy
from ..deltas import atext_deltas, text_deltas
from ._needs import needs

with needs("langchain"):
    from langchain_core.documents import Document
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import Runnable, RunnableConfig
    from langchain_text_splitters import TextSplitter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from .._registry import StrategyLike

__all__ = ["ChunkingTextSplitter", "MessageChunker"]


class ChunkingTextSplitter(TextSplitter):
    """Splits documents into the chunks of a strategy.

    A document that comes out has the text of one chunk, the metadata of the document
    that it is from, and in it

    * ``start_index``: where the chunk starts in that document, in code points;
    * ``kind``: what the chunk is, ``"sentence"`` for example;
    * ``context``: a list of earlier texts that a reader needs with it, such as the
      headings that it stands under; only where it has some.

    They take the place of what the document had under these names. Sizes and overlap
    are those of the strategy; no other option of ``TextSplitter`` applies.

    Args:
        strategy: A strategy, its registered name, or its dictionary form.

    Raises:
        ValueError: No strategy has that name, or the dictionary is wrong.
        TypeError: *strategy* is none.
    """

    def __init__(self, strategy: StrategyLike = "sentence") -> None:
        super().__init__(add_start_index=True)
        self._strategy = resolve_strategy(strategy)

    @override
    def split_text(self, text: str) -> list[str]:
        return [str(chunk) for chunk in iter_chunks(text, self._strategy)]

    @override
    def create_documents(
        self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None
    ) -> list[Document]:
        # That of the base class searches for each text, and takes the wrong one where
        # the same text stands twice, or the overlap is none of its own.
        documents: list[Document] = []
        for text, metadata in zip(texts, metadatas or [{}] * len(texts), strict=True):
            for chunk in iter_chunks(text, self._strategy):
                facts: dict[Any, Any] = copy.deepcopy(metadata)
                facts.pop("context", None)
                facts |= {"start_index": chunk.start, "kind": chunk.kind}
                if chunk.context:
                    facts["context"] = [str(part) for part in chunk.context]
                documents.append(Document(page_content=str(chunk), metadata=facts))
        return documents


# With ``Union``, because the documentation is built without LangChain.
class MessageChunker(Runnable[Union[BaseMessage, str], list[Chunk]]):  # noqa: UP007 - see above
    """Chunks of what a chat model writes, as they are complete: ``model | chunker``.

    ``stream`` and ``astream`` yield lists of one chunk each, and ``invoke`` and
    ``ainvoke`` return the list of all: what a Runnable streams adds up to what it
    returns. Messages and plain text come in, and of messages the text is read.

    Who stops reading early closes the stream of the model. What the chunks are does not
    depend on how the text was divided into messages.

    Args:
        strategy: A strategy, its registered name, or its dictionary form.

    Raises:
        ValueError: No strategy has that name, or the dictionary is wrong.
        TypeError: *strategy* is none.
    """

    # What Runnables stream through otherwise keeps a copy of the input for tracing, and
    # reads the rest of it when the reader has left: the model would go on to its end.

    def __init__(self, strategy: StrategyLike = "sentence") -> None:
        self._strategy = resolve_strategy(strategy)

    @override
    def invoke(
        self,
        input: BaseMessage | str,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Chunk]:
        return self._call_with_config(self._whole, input, config)

    def _whole(self, message: BaseMessage | str) -> list[Chunk]:
        with iter_chunks(text_deltas([message]), self._strategy) as chunks:
            return list(chunks)

    @override
    def stream(
        self,
        input: BaseMessage | str,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Iterator[list[Chunk]]:
        return self.transform(iter([input]), config)

    @override
    def transform(
        self,
        input: Iterator[BaseMessage | str],
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> Iterator[list[Chunk]]:
        with iter_chunks(text_deltas(input), self._strategy) as chunks:
            for chunk in chunks:
                yield [chunk]

    @override
    async def ainvoke(
        self,
        input: BaseMessage | str,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> list[Chunk]:
        return self.invoke(input, config)

    @override
    async def astream(
        self,
        input: BaseMessage | str,
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[list[Chunk]]:
        for found in self.stream(input, config):
            yield found

    @override
    async def atransform(
        self,
        input: AsyncIterator[BaseMessage | str],
        config: RunnableConfig | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[list[Chunk]]:
        async with aiter_chunks(atext_deltas(input), self._strategy) as chunks:
            async for chunk in chunks:
                yield [chunk]
