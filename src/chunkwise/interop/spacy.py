"""Chunks as spans of spaCy, and as a component of its pipelines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, Literal

from .._adapters import iter_chunks
from .._chunk import Chunk
from .._quote import quote, shown
from .._registry import resolve_strategy
from ._needs import needs

with needs("spacy"):
    from spacy.language import Language
    from spacy.tokens import Doc, Span

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    from .._registry import StrategyLike

    Alignment: TypeAlias = Literal["strict", "expand"]

__all__ = ["chunk_spans"]


def chunk_spans(
    doc: Doc, chunks: Iterable[Chunk], *, alignment: Alignment = "strict"
) -> list[Span]:
    """Return the spans of *doc* in which *chunks* of its text lie.

    There is one for each chunk, in their order, with its ``kind`` as ``label_``. No
    chunk is left out, and no part of one: a chunk that consists of whole tokens becomes
    the span of these, and for one that cuts a token, or begins or ends in the space
    between two, *alignment* says what becomes of it.

    Args:
        doc: What spaCy made of the text.
        chunks: Chunks of ``doc.text``, or of the stream that it was.
        alignment: What becomes of a chunk that is not the text of whole tokens.
            ``"strict"``: it is an error, so that the text of each span is its chunk.
            ``"expand"``: it becomes the span of all tokens that it has a part of; a
            token that two chunks have a part of is in the spans of both. The space
            behind a token, which spaCy counts for no token, is left out at the edges; a
            chunk that is nothing but such a space becomes the token before it.

    Raises:
        ValueError: A chunk does not stand where it says in the text of *doc*, or is not
            the text of whole tokens, or *alignment* is none of these.
        TypeError: *doc* is no ``Doc``, or what *chunks* gives is no chunk.

    Source:
        The two values are those of ``alignment_mode`` in ``Doc.char_span``, which
        returns ``None`` where this raises. Its third one, ``"contract"``, has none
        here: it would lose text.
    """
    if not isinstance(doc, Doc):
        msg = f"doc must be a Doc of spaCy, got {shown(doc)}"
        raise TypeError(msg)
    _check_alignment(alignment)
    text = doc.text
    starts = [token.idx for token in doc]
    ends = [token.idx + len(token) for token in doc]
    spans: list[Span] = []
    for chunk in chunks:
        _check_place(chunk, text)
        first = bisect_right(ends, chunk.start)
        behind = bisect_left(starts, chunk.end)
        if first == behind:
            # Only the space behind a token, as every other code point is of a token.
            first -= 1
        start, end = starts[first], ends[behind - 1]
        if alignment == "strict" and (start, end) != (chunk.start, chunk.end):
            msg = (
                f"chunk {chunk.index} at {chunk.start}:{chunk.end} is not the text of "
                f"whole tokens; those that it touches are {quote(text[start:end])} at "
                f'{start}:{end}, and alignment="expand" takes these'
            )
            raise ValueError(msg)
        spans.append(Span(doc, first, behind, label=chunk.kind))
    return spans


def _check_place(chunk: Chunk, text: str) -> None:
    if not isinstance(chunk, Chunk):
        msg = f"chunks must be chunks, got {shown(chunk)}"
        raise TypeError(msg)
    found = text[chunk.start : chunk.end]
    if found != chunk:
        msg = (
            f"chunk {chunk.index} is {quote(chunk)} at {chunk.start}:{chunk.end}, "
            f"where the Doc has {quote(found)}"
        )
        raise ValueError(msg)


def _check_alignment(alignment: object) -> None:
    if alignment not in ("strict", "expand"):
        msg = f"alignment must be 'strict' or 'expand', got {shown(alignment)}"
        raise ValueError(msg)


class _ChunkSpans:
    """The component ``chunkwise``, which keeps the spans of chunks in ``doc.spans``."""

    def __init__(self, strategy: StrategyLike, key: str, alignment: Alignment) -> None:
        _check_alignment(alignment)
        self._strategy = resolve_strategy(strategy)
        self._key = key
        self._alignment: Alignment = alignment

    def __call__(self, doc: Doc) -> Doc:
        chunks = iter_chunks(doc.text, self._strategy)
        doc.spans[self._key] = chunk_spans(doc, chunks, alignment=self._alignment)
        return doc


# spaCy reads the annotations, and so they are of what a configuration can hold.
def _make_component(
    nlp: Language,  # noqa: ARG001 - spaCy passes it by this name
    name: str,  # noqa: ARG001 - as above
    strategy: Any,
    key: str,
    alignment: Any,
) -> _ChunkSpans:
    return _ChunkSpans(strategy, key, alignment)


# Not as a decorator, which would have no type.
Language.factory(
    "chunkwise",
    default_config={"strategy": "sentence", "key": "chunks", "alignment": "strict"},
    func=_make_component,
)
