"""Chunks as nodes of LlamaIndex."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._adapters import iter_chunks
from .._registry import resolve_strategy
from .._strategy import ChunkingStrategy  # noqa: TC001 - pydantic reads it
from ._needs import needs

with needs("llama-index"):
    from llama_index.core.bridge.pydantic import Field, field_serializer
    from llama_index.core.node_parser import NodeParser
    from llama_index.core.node_parser.node_utils import build_nodes_from_splits
    from llama_index.core.schema import BaseNode, Document, MetadataMode, TextNode
    from llama_index.core.utils import get_tqdm_iterable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._registry import StrategyLike

__all__ = ["ChunkingNodeParser"]


class ChunkingNodeParser(NodeParser):
    """Parses documents into a node for each chunk of a strategy.

    ``start_char_idx`` and ``end_char_idx`` of a node are where its chunk lies, in code
    points: in the document that it is from, or in the document of the node that it is
    from, where that knows its own place. In ``metadata`` are

    * ``kind``: what the chunk is, ``"sentence"`` for example; models do not see it;
    * ``context``: the earlier lines that a reader needs with it, such as the headings
      that it stands under, as one text; only where it has some.

    Args:
        strategy: A strategy, its registered name, or its dictionary form.
        **options: The fields of ``NodeParser``, ``include_metadata`` for example.

    Raises:
        ValueError: No strategy has that name, or the dictionary is wrong.
        TypeError: *strategy* is none.
    """

    strategy: ChunkingStrategy[Any] = Field(description="What ends a chunk.")

    def __init__(self, strategy: StrategyLike = "sentence", **options: Any) -> None:
        # Type checkers do not see that pydantic's constructor takes all fields.
        options["strategy"] = resolve_strategy(strategy)
        super().__init__(**options)

    @classmethod
    @override
    def class_name(cls) -> str:
        return "ChunkingNodeParser"

    @field_serializer("strategy")
    def _strategy_as_dict(self, strategy: ChunkingStrategy[Any]) -> dict[str, object]:
        return strategy.to_dict()

    @override
    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        parsed: list[BaseNode] = []
        for node in get_tqdm_iterable(nodes, show_progress, "Parsing nodes"):
            parsed += self._nodes_of(node)
        return parsed

    def _nodes_of(self, node: BaseNode) -> list[TextNode]:
        text = node.get_content(metadata_mode=MetadataMode.NONE)
        chunks = list(iter_chunks(text, self.strategy))
        # A node whose source is another one hands that on; so offsets count in there.
        before = 0
        if isinstance(node, TextNode) and node.source_node is not None:
            before = node.start_char_idx or 0
        found = build_nodes_from_splits(
            [str(chunk) for chunk in chunks], node, id_func=self.id_func
        )
        for part, chunk in zip(found, chunks, strict=True):
            part.start_char_idx = before + chunk.start
            part.end_char_idx = before + chunk.end
            part.metadata["kind"] = chunk.kind
            # A text, because stores of vectors take no lists in metadata. An empty one
            # keeps out what the document may have under this name, and goes then.
            part.metadata["context"] = "\n".join(chunk.context)
            for hidden in (
                part.excluded_embed_metadata_keys,
                part.excluded_llm_metadata_keys,
            ):
                if "kind" not in hidden:
                    hidden.append("kind")
        return found

    @override
    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        # That of the base class searches for the text of each node, and takes the wrong
        # place where it also stands inside of what comes before.
        texts = [node for node in nodes if isinstance(node, TextNode)]
        places = [(node.start_char_idx, node.end_char_idx) for node in texts]
        nodes = super()._postprocess_parsed_nodes(nodes, parent_doc_map)
        for node, (start, end) in zip(texts, places, strict=True):
            node.start_char_idx, node.end_char_idx = start, end
            if not node.metadata["context"]:
                del node.metadata["context"]
        return nodes
