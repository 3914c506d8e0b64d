"""Anthropic's events: what they hold, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.deltas import Part, anthropic
from tests.deltas.events import as_event


def delta(**fields: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": 1, "delta": fields}


def start(**fields: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": 1, "content_block": fields}


EVENTS: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (delta(type="text_delta", text="Hi"), [Part("Hi")]),
    "thinking": (
        delta(type="thinking_delta", thinking="Hm"),
        [Part("Hm", "reasoning")],
    ),
    "arguments": (
        delta(type="input_json_delta", partial_json='{"a'),
        [Part('{"a', "tool_calls", block=1)],
    ),
    "citation": (delta(type="citations_delta", citation={"cited_text": "x"}), []),
    "signature": (delta(type="signature_delta", signature="x"), []),
    "text block": (start(type="text", text=""), [Part("")]),
    "text block with text": (start(type="text", text="Hi"), [Part("Hi")]),
    "thinking block": (start(type="thinking", thinking=""), [Part("", "reasoning")]),
    "tool block": (
        start(type="server_tool_use", name="f"),
        [Part(kind="tool_calls", block=1)],
    ),
    "result block": (start(type="web_search_tool_result"), [Part(kind="other")]),
    "block ends": ({"type": "content_block_stop", "index": 1}, []),
    "ping": ({"type": "ping"}, []),
    "end": (
        {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
        [Part(finish="max_tokens")],
    ),
    "usage alone": ({"type": "message_delta", "delta": {"stop_reason": None}}, []),
    "error": ({"type": "error", "error": {}}, [Part(finish="error")]),
    "helper's repetition": ({"type": "text", "text": "Hi", "snapshot": "Hi"}, []),
    "legacy completion": (
        {"type": "completion", "completion": "Hi", "stop_reason": "stop_sequence"},
        [Part("Hi", finish="stop_sequence")],
    ),
}


@as_event
@pytest.mark.parametrize(("event", "parts"), EVENTS.values(), ids=EVENTS)
def test_messages(event: Any, parts: list[Part], as_event: Any) -> None:
    assert list(anthropic(as_event(event))) == parts
