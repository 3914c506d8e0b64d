"""Which extractor reads which event, and events inside others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import deltas
from chunkwise.deltas import Part, bedrock_invoke, llama_index
from chunkwise.deltas._anthropic import anthropic_completion
from chunkwise.deltas._bedrock import command, llama, outputs, titan
from chunkwise.deltas._shapes import recognise
from tests.deltas.events import as_event, as_object, chat, chat_end

if TYPE_CHECKING:
    from collections.abc import Callable

EVENTS: list[tuple[dict[str, Any], Callable[..., Any]]] = [
    ({"type": "message_start", "message": {}}, deltas.anthropic),
    ({"type": "ping"}, deltas.anthropic),
    ({"type": "completion", "completion": "Hi"}, deltas.anthropic),
    ({"type": "response.created", "response": {}}, deltas.openai_responses),
    ({"type": "message-start", "delta": {}}, deltas.cohere),
    ({"event_type": "stream-start", "is_finished": False}, deltas.cohere),
    ({"event_type": "citation-generation", "citations": []}, deltas.cohere),
    ({"event_type": "interaction.created"}, deltas.gemini_interactions),
    ({"event_kind": "part_start", "part": {}}, deltas.pydantic_ai),
    ({"event": "thread.created", "data": {}}, deltas.openai_assistants),
    ({"object": "thread.run"}, deltas.openai_assistants),
    ({"event": "on_chain_start", "data": {}}, deltas.langchain),
    ({"data": {"choices": []}}, deltas.mistral),
    (chat("Hi"), deltas.openai_chat),
    ({"object": "chat.completion.chunk", "choices": []}, deltas.openai_chat),
    ({"type": "chunk", "chunk": {}}, deltas.openai_chat),
    ({"choices": [{"text": "Hi"}]}, deltas.openai_completions),
    ({"candidates": []}, deltas.gemini),
    ({"promptFeedback": {}}, deltas.gemini),
    ({"chunk": {"bytes": b"{}"}}, deltas.bedrock_invoke),
    ({"messageStart": {"role": "assistant"}}, deltas.bedrock_converse),
    ({"contentBlockDelta": {}}, deltas.bedrock_converse),
    ({"content": "", "response_metadata": {}}, deltas.langchain),
    ({"delta": "Hi", "raw": {}, "text": "Hi"}, deltas.llama_index),
    ({"message": {"content": "Hi"}, "done": False}, deltas.ollama),
    ({"response": "Hi", "done": False}, deltas.ollama),
    ({"response": "Hi", "p": "abc"}, deltas.cloudflare),
    ({"results": [{"generated_text": "Hi"}]}, deltas.watsonx),
    ({"outputText": "Hi", "index": 0}, titan),
    ({"generation": "Hi"}, llama),
    ({"outputs": [{"text": "Hi"}]}, outputs),
    ({"is_finished": True}, command),
    ({"completion": "Hi", "stop_reason": None}, anthropic_completion),
]


@as_event
@pytest.mark.parametrize(
    ("event", "extract"), EVENTS, ids=[" ".join(event) for event, _ in EVENTS]
)
def test_an_event_is_recognised(event: Any, extract: Any, as_event: Any) -> None:
    assert recognise(as_event(event)) is extract


@as_event
@pytest.mark.parametrize(
    "event",
    [
        {},
        {"choices": [], "prompt_filter_results": []},
        {"choices": [{"index": 0, "content_filter_offsets": {}}]},
        {"type": "some.new.event"},
        {"type": 7},
        {"event": "begin"},
        {"type": "error", "error": {}},
    ],
    ids=str,
)
def test_an_event_that_does_not_tell_is_not(event: Any, as_event: Any) -> None:
    assert recognise(as_event(event)) is None


def invoked(body: Any) -> dict[str, Any]:
    return {"chunk": {"bytes": json.dumps(body).encode()}}


def test_the_body_of_an_invocation_is_recognised_in_turn() -> None:
    delta = {
        "type": "content_block_delta",
        "delta": {"type": "text_delta", "text": "a"},
    }
    assert list(bedrock_invoke(invoked(delta))) == [Part("a")]
    assert list(bedrock_invoke(invoked({"generation": "b"}))) == [Part("b", finish="")]
    assert list(bedrock_invoke(invoked({"unknown": 1}))) == []
    assert list(bedrock_invoke({"chunk": {}})) == []


@as_event
def test_llama_index_gives_its_delta_and_the_end_of_the_raw_event(
    as_event: Any,
) -> None:
    event: Any = {"delta": "a", "text": "all of a", "raw": chat("a")}
    assert list(llama_index(as_event(event))) == [Part("a")]
    event = {"delta": None, "raw": chat_end("length")}
    assert list(llama_index(as_event(event))) == [Part(""), Part(finish="length")]
    event = {"delta": "a", "raw": {"unknown": 1}}
    assert list(llama_index(as_object(event))) == [Part("a")]
    assert list(llama_index(as_event({"delta": "a", "raw": None}))) == [Part("a")]
