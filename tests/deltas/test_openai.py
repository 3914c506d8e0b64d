"""Events in OpenAI's forms: what they hold, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.deltas import (
    Part,
    mistral,
    openai_assistants,
    openai_chat,
    openai_completions,
    openai_responses,
)
from tests.deltas.events import as_event, chat, chat_end


def tool(*, index: int | None = None, arguments: str | None = None) -> dict[str, Any]:
    return {"index": index, "function": {"name": "f", "arguments": arguments}}


CHAT: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (chat("Hi"), [Part("Hi")]),
    "empty text": (chat(""), [Part("")]),
    "no text": (chat(None), []),
    "another choice": (chat("Hi", 2), [Part("Hi", choice=2)]),
    "no index": ({"choices": [{"delta": {"content": "Hi"}}]}, [Part("Hi")]),
    "no choices": ({"choices": [], "usage": {"total_tokens": 3}}, []),
    "a token that is a number": ({"choices": [{"delta": {"content": 6}}]}, [Part("6")]),
    "a token that is true": (
        {"choices": [{"delta": {"content": True}}]},
        [Part("true")],
    ),
    "a type of its own": ({**chat("Hi"), "type": "message"}, [Part("Hi")]),
    "an error with a type": (
        {"type": "error", "error": {}},
        [Part(choice=None, finish="error")],
    ),
    "choices that are null": ({"choices": None}, []),
    "reasoning": (
        chat("", reasoning_content="Hm"),
        [Part("Hm", "reasoning"), Part("")],
    ),
    "reasoning, other name": (chat(reasoning="Hm"), [Part("Hm", "reasoning")]),
    "refusal": (chat(refusal="No."), [Part("No.", "refusal")]),
    "tool calls": (
        chat(tool_calls=[tool(index=1, arguments='{"a'), tool()]),
        [Part('{"a', "tool_calls", block=1), Part("", "tool_calls", block=1)],
    ),
    "legacy function call": (
        chat(function_call={"arguments": "{}"}),
        [Part("{}", "tool_calls")],
    ),
    "end": (chat_end("length", 1), [Part(choice=1, finish="length")]),
    "error": (
        {"choices": [], "error": {"code": 400}},
        [Part(choice=None, finish="error")],
    ),
    "helper's chunk": ({"type": "chunk", "chunk": chat("Hi")}, [Part("Hi")]),
    "helper's repetition": ({"type": "content.delta", "delta": "Hi"}, []),
}


@as_event
@pytest.mark.parametrize(("event", "parts"), CHAT.values(), ids=CHAT)
def test_chat(event: Any, parts: list[Part], as_event: Any) -> None:
    assert list(openai_chat(as_event(event))) == parts


@as_event
def test_mistral_has_a_chunk_in_its_data(as_event: Any) -> None:
    content = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]},
        {"type": "thinking", "thinking": "so"},
        {"type": "text", "text": "Hi"},
        {"type": "reference", "reference_ids": [1]},
    ]
    event = as_event({"data": {"choices": [{"delta": {"content": content}}]}})
    assert list(mistral(event)) == [
        Part("Hm", "reasoning"),
        Part("so", "reasoning"),
        Part("Hi"),
    ]


@as_event
def test_completions(as_event: Any) -> None:
    choices = [{"text": "Hi"}, {"text": "", "index": 1, "finish_reason": "stop"}]
    event = as_event({"choices": choices, "error": {}})
    assert list(openai_completions(event)) == [
        Part("Hi"),
        Part("", choice=1),
        Part(choice=1, finish="stop"),
        Part(choice=None, finish="error"),
    ]
    assert list(openai_completions(as_event({"choices": choices[:1]}))) == [Part("Hi")]


RESPONSES: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (
        {"type": "response.output_text.delta", "output_index": 1, "delta": "Hi"},
        [Part("Hi", block=1)],
    ),
    "its repetition at the end": (
        {"type": "response.output_text.done", "output_index": 1, "text": "Hi"},
        [],
    ),
    "reasoning": (
        {"type": "response.reasoning_text.delta", "content_index": 2, "delta": "Hm"},
        [Part("Hm", "reasoning", block=(None, 2))],
    ),
    "summary of reasoning": (
        {
            "type": "response.reasoning_summary_text.delta",
            "output_index": 0,
            "summary_index": 1,
            "delta": "Hm",
        },
        [Part("Hm", "reasoning", block=(0, 1))],
    ),
    "refusal": (
        {"type": "response.refusal.delta", "output_index": 0, "delta": "No."},
        [Part("No.", "refusal", block=0)],
    ),
    "arguments": (
        {
            "type": "response.function_call_arguments.delta",
            "output_index": 3,
            "delta": "{}",
        },
        [Part("{}", "tool_calls", block=3)],
    ),
    "a message begins": (
        {"type": "response.output_item.added", "item": {"type": "message"}},
        [],
    ),
    "a search begins": (
        {
            "type": "response.output_item.added",
            "output_index": 2,
            "item": {"type": "web_search_call"},
        },
        [Part(kind="tool_calls", block=2)],
    ),
    "completed": (
        {"type": "response.completed", "response": {}},
        [Part(finish="completed")],
    ),
    "failed": ({"type": "response.failed"}, [Part(finish="failed")]),
    "incomplete": (
        {
            "type": "response.incomplete",
            "response": {"incomplete_details": {"reason": "max_output_tokens"}},
        },
        [Part(finish="max_output_tokens")],
    ),
    "incomplete without a reason": (
        {"type": "response.incomplete", "response": {"incomplete_details": None}},
        [Part(finish="incomplete")],
    ),
    "error": ({"type": "error", "message": "?"}, [Part(finish="error")]),
}


@as_event
@pytest.mark.parametrize(("event", "parts"), RESPONSES.values(), ids=RESPONSES)
def test_responses(event: Any, parts: list[Part], as_event: Any) -> None:
    assert list(openai_responses(as_event(event))) == parts


def step(*calls: dict[str, Any]) -> dict[str, Any]:
    delta = {"step_details": {"tool_calls": list(calls)}}
    return {"object": "thread.run.step.delta", "delta": delta}


def message(*content: dict[str, Any]) -> dict[str, Any]:
    delta = {"content": list(content)}
    return {"object": "thread.message.delta", "id": "m1", "delta": delta}


def run(status: str, **details: str) -> dict[str, Any]:
    return {"object": "thread.run", "status": status, "incomplete_details": details}


ASSISTANTS: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (message({"text": {"value": "Hi"}}), [Part("Hi", block="m1")]),
    "refusal": (
        message({"refusal": "No."}),
        [Part("", block="m1"), Part("No.", "refusal", block="m1")],
    ),
    "code": (
        step({"code_interpreter": {"input": "1"}}),
        [Part("1", "tool_calls", block=0)],
    ),
    "arguments": (
        step({"index": 2, "function": {"arguments": "{}"}}),
        [Part("{}", "tool_calls", block=2)],
    ),
    "run goes on": (run("in_progress"), []),
    "run ends": (run("completed"), [Part(finish="completed")]),
    "run breaks off": (
        run("incomplete", reason="max_completion_tokens"),
        [Part(finish="max_completion_tokens")],
    ),
    "run breaks off without a reason": (run("incomplete"), [Part(finish="incomplete")]),
    "something else": ({"object": "thread"}, []),
}


@as_event
@pytest.mark.parametrize("wrapped", [False, True], ids=["plain", "with its name"])
@pytest.mark.parametrize(("event", "parts"), ASSISTANTS.values(), ids=ASSISTANTS)
def test_assistants(
    event: Any, parts: list[Part], as_event: Any, *, wrapped: bool
) -> None:
    given = {"event": "thread.…", "data": event} if wrapped else event
    assert list(openai_assistants(as_event(given))) == parts


@as_event
def test_an_error_ends_a_run(as_event: Any) -> None:
    event = as_event({"event": "error", "data": {"message": "?"}})
    assert list(openai_assistants(event)) == [Part(finish="error")]
