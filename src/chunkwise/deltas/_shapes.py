"""Which extractor reads an event, recognised by its shape; no SDK is imported.

The extractors of events that have others inside are here, too: they ask for the shape
of these in turn.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from ._anthropic import anthropic, anthropic_completion
from ._bedrock import bedrock_converse, command, llama, outputs, titan
from ._fields import field, has, items
from ._frameworks import langchain, pydantic_ai
from ._google import gemini, gemini_interactions
from ._openai import (
    mistral,
    openai_assistants,
    openai_chat,
    openai_completions,
    openai_responses,
)
from ._part import Part
from ._services import cloudflare, cohere, ollama, watsonx

if TYPE_CHECKING:
    from collections.abc import Iterator

NamedExtractor = Callable[[Any], Iterable[Part]]
"""A function that yields what one event holds."""


def bedrock_invoke(event: Any) -> Iterator[Part]:
    """Yield what an event of ``invoke_model_with_response_stream()["body"]`` holds.

    The JSON inside is the model's own; its shape is recognised.
    """
    data = field(field(event, "chunk"), "bytes")
    if isinstance(data, bytes):
        body = json.loads(data)
        extract = recognise(body)
        if extract is not None:
            yield from extract(body)


def llama_index(event: Any) -> Iterator[Part]:
    """Yield what a response of ``stream_chat`` or ``stream_complete`` holds.

    The text is its ``delta``; its ``text`` is all the text so far. How the text ended
    is in ``raw``, the event of the service, where that is of a known shape.
    """
    delta = field(event, "delta")
    yield Part(delta if isinstance(delta, str) else "")
    raw = field(event, "raw")
    extract = None if raw is None else recognise(raw)
    if extract is not None:
        for part in extract(raw):
            if part.finish:
                yield Part(finish=part.finish)


_ANTHROPIC_TYPES: Final = frozenset(
    {
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "completion",
        "ping",
    }
)

_COHERE_TYPES: Final = frozenset(
    {
        "message-start",
        "message-end",
        "content-start",
        "content-delta",
        "content-end",
        "tool-plan-delta",
        "tool-call-start",
        "citation-start",
    }
)

_CHAT_HELPER_TYPES: Final = frozenset({"chunk", "content.delta", "refusal.delta"})

_COHERE_V1_TYPES: Final = frozenset(
    {
        "stream-start",
        "search-queries-generation",
        "search-results",
        "text-generation",
        "citation-generation",
        "tool-calls-chunk",
        "tool-calls-generation",
        "stream-end",
    }
)

_BY_TYPE: Final[tuple[tuple[frozenset[str], NamedExtractor], ...]] = (
    (_ANTHROPIC_TYPES, anthropic),
    (_COHERE_TYPES, cohere),
    (_CHAT_HELPER_TYPES, openai_chat),
)

_CONVERSE_FIELDS: Final = (
    "messageStart",
    "contentBlockStart",
    "contentBlockDelta",
    "contentBlockStop",
    "messageStop",
    "metadata",
)

_BY_FIELD: Final[tuple[tuple[tuple[str, ...], NamedExtractor], ...]] = (
    (("candidates",), gemini),
    (("promptFeedback",), gemini),
    (("prompt_feedback",), gemini),
    (("chunk",), bedrock_invoke),
    *(((name,), bedrock_converse) for name in _CONVERSE_FIELDS),
    (("content", "response_metadata"), langchain),
    (("delta", "raw"), llama_index),
    (("message", "delta", "additional_kwargs"), llama_index),
    (("text", "delta", "additional_kwargs"), llama_index),
    (("message", "done"), ollama),
    (("response", "done"), ollama),
    (("outputText",), titan),
    (("generation",), llama),
    (("outputs",), outputs),
    (("completion", "stop_reason"), anthropic_completion),
    (("is_finished",), command),
    (("results",), watsonx),
    (("response",), cloudflare),
)
"""Fields that tell whose an event without a type is; the first that fits counts."""


def recognise(event: object) -> NamedExtractor | None:
    """Return the extractor for the stream that *event* comes from.

    ``None`` where the event does not tell.
    """
    found = _by_type(event) or _by_name(event) or _by_choices(event)
    if found is not None:
        return found
    for names, extract in _BY_FIELD:
        if all(has(event, name) for name in names):
            return extract
    return None


def _by_type(event: object) -> NamedExtractor | None:
    kind = field(event, "type")
    if not isinstance(kind, str):
        return None
    if kind.startswith("response."):
        return openai_responses
    for kinds, extract in _BY_TYPE:
        if kind in kinds:
            return extract
    return None


def _by_name(event: object) -> NamedExtractor | None:
    """Return the extractor for events that call their type something else."""
    name = field(event, "event_type")
    if isinstance(name, str):
        return cohere if name in _COHERE_V1_TYPES else gemini_interactions
    if field(event, "event_kind") is not None:
        return pydantic_ai
    name = field(event, "event")
    if not isinstance(name, str):
        return None
    if name.startswith("thread."):
        return openai_assistants
    return langchain if name.startswith("on_") else None


def _by_choices(event: object) -> NamedExtractor | None:
    """Return the extractor for chunks of OpenAI's form.

    A chunk without choices tells only by its object's name: completions have such
    chunks, too.
    """
    name = field(event, "object")
    if isinstance(name, str) and name.startswith("thread."):
        return openai_assistants
    if has(field(event, "data"), "choices"):
        return mistral
    if isinstance(name, str) and name.startswith("chat.completion"):
        return openai_chat
    for choice in items(event, "choices")[:1]:
        if has(choice, "delta"):
            return openai_chat
        if has(choice, "text"):
            return openai_completions
    return None


SAYING_END: Final[tuple[object, ...]] = (
    anthropic,
    cohere,
    gemini_interactions,
    mistral,
    openai_assistants,
    openai_chat,
    openai_completions,
    openai_responses,
    *(extract for _, extract in _BY_FIELD),
)
"""Extractors of streams that say how the text ended, unless they broke off: all of them
but that of Pydantic AI. No set, because an extractor of a user may have no hash."""
