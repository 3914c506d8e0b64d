"""Chunks as documents of Haystack."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from .._adapters import iter_chunks
from .._quote import shown
from .._registry import resolve_strategy
from ._needs import needs

with needs("haystack"):
    from haystack import Document, component, default_to_dict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .._registry import StrategyLike

__all__ = ["ChunkingDocumentSplitter"]


@component
class ChunkingDocumentSplitter:
    """A component that splits documents into the chunks of a strategy.

    A document that comes out has the text of one chunk, the ``meta`` of the document
    that it is from, and in it

    * ``source_id``: the id of that document;
    * ``split_id``: the number of the chunk in it, from 0;
    * ``split_idx_start``: where the chunk starts in it, in code points;
    * ``kind``: what the chunk is, ``"sentence"`` for example;
    * ``context``: a list of earlier texts that a reader needs with it, such as the
      headings that it stands under; only where it has some.

    They take the place of what the document had under these names.

    Args:
        strategy: A strategy, its registered name, or its dictionary form.

    Raises:
        ValueError: No strategy has that name, or the dictionary is wrong.
        TypeError: *strategy* is none.
    """

    def __init__(self, strategy: StrategyLike = "sentence") -> None:
        self._strategy = resolve_strategy(strategy)

    def to_dict(self) -> dict[str, Any]:
        """Return what a pipeline is saved with.

        Raises:
            ContractError: The strategy has no dictionary form.
        """
        form: dict[str, Any] = default_to_dict(self, strategy=self._strategy.to_dict())
        return form

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """Return the documents of all chunks, as ``documents``.

        Args:
            documents: What is split, in this order.

        Raises:
            TypeError: *documents* is no list of documents.
            ValueError: A document has no text.
        """
        if not isinstance(documents, list):
            msg = f"documents must be a list, got {shown(documents)}"
            raise TypeError(msg)
        return {"documents": [part for given in documents for part in self._of(given)]}

    def _of(self, given: Document) -> Iterator[Document]:
        if not isinstance(given, Document):
            msg = f"documents must hold documents, got {shown(given)}"
            raise TypeError(msg)
        if given.content is None:
            msg = f"document {given.id!r} has no text, expected a content to split"
            raise ValueError(msg)
        for chunk in iter_chunks(given.content, self._strategy):
            meta = copy.deepcopy(given.meta)
            meta.pop("context", None)
            meta |= {
                "source_id": given.id,
                "split_id": chunk.index,
                "split_idx_start": chunk.start,
                "kind": chunk.kind,
            }
            if chunk.context:
                meta["context"] = [str(part) for part in chunk.context]
            yield Document(content=str(chunk), meta=meta)
