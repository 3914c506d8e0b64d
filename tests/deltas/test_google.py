"""Google's events: what they hold, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.deltas import Part, gemini, gemini_interactions
from tests.deltas.events import as_event, plain


def parts(*pieces: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"candidates": [{"content": {"parts": list(pieces)}, **more}]}


GEMINI: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (parts({"text": "Hi"}), [Part("Hi")]),
    "thought": (parts({"text": "Hm", "thought": True}), [Part("Hm", "reasoning")]),
    "no parts": ({"candidates": [{"content": {"role": "model"}}]}, []),
    "function call": (
        parts({"functionCall": {"name": "f", "args": {"a": "ä"}}}, index=1),
        [Part('{"a": "ä"}', "tool_calls", 1, "new")],
    ),
    "code": (
        parts({"executable_code": {"code": "1"}}),
        [Part("1", "tool_calls", block="new")],
    ),
    "result": (parts({"codeExecutionResult": {}}), [Part(kind="other")]),
    "end": (
        parts({"text": ""}, finishReason="SAFETY"),
        [Part(""), Part(finish="SAFETY")],
    ),
    "end, as the client calls it": (
        {"candidates": [{"finish_reason": "STOP"}]},
        [Part(finish="STOP")],
    ),
    "blocked": (
        {"promptFeedback": {"blockReason": "SAFETY"}},
        [Part(choice=None, finish="SAFETY")],
    ),
}


@as_event
@pytest.mark.parametrize(("event", "expected"), GEMINI.values(), ids=GEMINI)
def test_gemini(event: Any, expected: list[Part], as_event: Any) -> None:
    assert plain(gemini(as_event(event))) == expected


def step(**delta: Any) -> dict[str, Any]:
    return {"event_type": "step.delta", "index": 1, "delta": delta}


INTERACTIONS: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (step(type="text", text="Hi"), [Part("Hi")]),
    "thought": (
        step(type="thought_summary", content={"text": "Hm"}),
        [Part("Hm", "reasoning")],
    ),
    "signature": (step(type="thought_signature", signature="x"), []),
    "arguments": (
        step(type="arguments_delta", arguments="{}"),
        [Part("{}", "tool_calls", block=1)],
    ),
    "output begins": (
        {"event_type": "step.start", "index": 1, "step": {"type": "model_output"}},
        [],
    ),
    "search begins": (
        {"event_type": "step.start", "index": 1, "step": {"type": "google_search"}},
        [Part(kind="tool_calls", block=1)],
    ),
    "step ends": ({"event_type": "step.stop", "index": 1}, []),
    "end": (
        {"event_type": "interaction.completed", "interaction": {"status": "failed"}},
        [Part(finish="failed")],
    ),
    "end without a status": (
        {"event_type": "interaction.completed"},
        [Part(finish="completed")],
    ),
    "error": ({"event_type": "error"}, [Part(finish="error")]),
}


@as_event
@pytest.mark.parametrize(("event", "expected"), INTERACTIONS.values(), ids=INTERACTIONS)
def test_interactions(event: Any, expected: list[Part], as_event: Any) -> None:
    assert list(gemini_interactions(as_event(event))) == expected
