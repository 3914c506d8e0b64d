"""Events of LangChain and Pydantic AI: what they hold, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.deltas import Part, langchain, pydantic_ai
from tests.deltas.events import as_event


def message(content: Any = "", **fields: Any) -> dict[str, Any]:
    return {"content": content, "response_metadata": {}, **fields}


LANGCHAIN: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (message("Hi"), [Part("Hi")]),
    "blocks": (
        message(["a", {"type": "text", "text": "b"}, {"type": "tool_use"}]),
        [Part("a"), Part("b")],
    ),
    "tools of the service": (
        message([{"type": "server_tool_use"}, {"type": "web_search_tool_result"}]),
        [Part(kind="other"), Part(kind="other")],
    ),
    "thinking blocks": (
        message(
            [
                {"type": "thinking", "thinking": "a"},
                {"type": "reasoning", "summary": [{"index": 1, "text": "b"}]},
                {"type": "refusal", "refusal": "c"},
            ]
        ),
        [
            Part("a", "reasoning"),
            Part("b", "reasoning", block=1),
            Part("c", "refusal"),
        ],
    ),
    "reasoning": (
        message("", additional_kwargs={"reasoning_content": "Hm"}),
        [Part("Hm", "reasoning"), Part("")],
    ),
    "tool call": (
        message(tool_call_chunks=[{"index": 2, "args": "{}"}]),
        [Part(""), Part("{}", "tool_calls", block=2)],
    ),
    "end": (
        message(response_metadata={"stop_reason": "max_tokens"}),
        [Part(""), Part(finish="max_tokens")],
    ),
    "end of a response": (
        message(response_metadata={"status": "completed"}),
        [Part(""), Part(finish="completed")],
    ),
    "end of a cut response": (
        message(
            response_metadata={
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
            }
        ),
        [Part(""), Part(finish="max_output_tokens")],
    ),
    "event of a model": (
        {"event": "on_chat_model_stream", "data": {"chunk": message("Hi")}},
        [Part("Hi")],
    ),
    "event of a chain": (
        {"event": "on_chain_stream", "data": {"chunk": message("Hi")}},
        [],
    ),
}


@as_event
@pytest.mark.parametrize(("event", "parts"), LANGCHAIN.values(), ids=LANGCHAIN)
def test_langchain(event: Any, parts: list[Part], as_event: Any) -> None:
    assert list(langchain(as_event(event))) == parts


def started(kind: str, **fields: Any) -> dict[str, Any]:
    part = {"part_kind": kind, **fields}
    return {"event_kind": "part_start", "index": 1, "part": part}


def went_on(kind: str, **fields: Any) -> dict[str, Any]:
    delta = {"part_delta_kind": kind, **fields}
    return {"event_kind": "part_delta", "index": 1, "delta": delta}


PYDANTIC_AI: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text begins": (started("text", content="H"), [Part("H")]),
    "text": (went_on("text", content_delta="i"), [Part("i")]),
    "thinking begins": (started("thinking", content="H"), [Part("H", "reasoning")]),
    "thinking": (went_on("thinking", content_delta="m"), [Part("m", "reasoning")]),
    "tool call begins": (
        started("tool-call", args=""),
        [Part("", "tool_calls", block=1)],
    ),
    "arguments that are an object": (
        started("tool-call", args={"a": 1}),
        [Part('{"a": 1}', "tool_calls", block=1)],
    ),
    "tool call": (
        went_on("tool_call", args_delta="{}"),
        [Part("{}", "tool_calls", block=1)],
    ),
    "part ends": ({"event_kind": "part_end"}, []),
}


@as_event
@pytest.mark.parametrize(("event", "parts"), PYDANTIC_AI.values(), ids=PYDANTIC_AI)
def test_pydantic_ai(event: Any, parts: list[Part], as_event: Any) -> None:
    assert list(pydantic_ai(as_event(event))) == parts
