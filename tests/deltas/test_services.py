"""Events of Cohere, Ollama, Workers AI and watsonx."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.deltas import Part, cloudflare, cohere, ollama, watsonx
from tests.deltas.events import as_event, plain


def message(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "index": 1, "delta": {"message": fields}}


CALL = {"function": {"arguments": "{}"}}

COHERE: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (message("content-delta", content={"text": "Hi"}), [Part("Hi")]),
    "thinking": (
        message("content-delta", content={"thinking": "Hm"}),
        [Part(""), Part("Hm", "reasoning")],
    ),
    "plan": (message("tool-plan-delta", tool_plan="Hm"), [Part("Hm", "reasoning")]),
    "arguments": (
        message("tool-call-delta", tool_calls=CALL),
        [Part("{}", "tool_calls", block=1)],
    ),
    "citation": (message("citation-start", citations={}), []),
    "end": (
        {"type": "message-end", "delta": {"finish_reason": "MAX_TOKENS"}},
        [Part(finish="MAX_TOKENS")],
    ),
    "v1: text": ({"event_type": "text-generation", "text": "Hi"}, [Part("Hi")]),
    "v1: tools": ({"event_type": "tool-calls-chunk"}, [Part(kind="tool_calls")]),
    "v1: begins": ({"event_type": "stream-start"}, []),
    "v1: end": (
        {"event_type": "stream-end", "finish_reason": "COMPLETE"},
        [Part(finish="COMPLETE")],
    ),
    "v1: end, in the response": (
        {"event_type": "stream-end", "response": {"finish_reason": "ERROR"}},
        [Part(finish="ERROR")],
    ),
}


@as_event
@pytest.mark.parametrize(("event", "parts"), COHERE.values(), ids=COHERE)
def test_cohere(event: Any, parts: list[Part], as_event: Any) -> None:
    assert list(cohere(as_event(event))) == parts


def call(arguments: Any) -> dict[str, Any]:
    return {"message": {"tool_calls": [{"function": {"arguments": arguments}}]}}


OLLAMA: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "chat": ({"message": {"content": "Hi"}, "done": False}, [Part("Hi")]),
    "generation": ({"response": "Hi", "done": False}, [Part("Hi")]),
    "thinking beside nothing": (
        {"message": {"content": "", "thinking": "Hm"}, "done": False},
        [Part("Hm", "reasoning"), Part("")],
    ),
    "thinking of a generation": (
        {"response": "", "thinking": "Hm"},
        [Part("Hm", "reasoning"), Part("")],
    ),
    "tool call": (
        call({"a": "ä"}),
        [Part(""), Part('{"a": "ä"}', "tool_calls", block="new")],
    ),
    "tool call in text": (
        call("{}"),
        [Part(""), Part("{}", "tool_calls", block="new")],
    ),
    "tool call without arguments": (
        call(None),
        [Part(""), Part("", "tool_calls", block="new")],
    ),
    "end": (
        {"response": "", "done": True, "done_reason": "length"},
        [Part(""), Part(finish="length")],
    ),
    "end of older servers": (
        {"response": "", "done": True},
        [Part(""), Part(finish="stop")],
    ),
    "error": ({"error": "?"}, [Part(""), Part(finish="error")]),
}


@pytest.mark.parametrize(("event", "parts"), OLLAMA.values(), ids=OLLAMA)
def test_ollama(event: Any, parts: list[Part]) -> None:
    assert plain(ollama(event)) == parts


@as_event
def test_cloudflare_ends_with_the_usage(as_event: Any) -> None:
    event = as_event({"response": "Hi", "p": "abc"})
    assert list(cloudflare(event)) == [Part("Hi")]
    assert list(cloudflare(as_event({"response": 6}))) == [Part("6")]
    event = as_event({"response": "", "usage": {"total_tokens": 3}})
    assert list(cloudflare(event)) == [Part("", finish="stop")]


@as_event
def test_watsonx(as_event: Any) -> None:
    result = {"generated_text": "Hi", "stop_reason": "not_finished"}
    event = as_event({"results": [result]})
    assert list(watsonx(event)) == [Part("Hi", finish="not_finished")]
