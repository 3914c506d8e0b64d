"""Bedrock's events: what they hold, and what they do not."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.deltas import Part, bedrock_converse
from chunkwise.deltas._bedrock import command, llama, outputs, titan
from tests.deltas.events import as_event


def delta(**fields: Any) -> dict[str, Any]:
    return {"contentBlockDelta": {"contentBlockIndex": 1, "delta": fields}}


CONVERSE: dict[str, tuple[dict[str, Any], list[Part]]] = {
    "text": (delta(text="Hi"), [Part("Hi")]),
    "reasoning": (
        delta(reasoningContent={"text": "Hm"}),
        [Part("Hm", "reasoning")],
    ),
    "arguments": (
        delta(toolUse={"input": "{}"}),
        [Part("{}", "tool_calls", block=1)],
    ),
    "tool begins": (
        {"contentBlockStart": {"contentBlockIndex": 2, "start": {"toolUse": {}}}},
        [Part(kind="tool_calls", block=2)],
    ),
    "text begins": ({"contentBlockStart": {"start": {}}}, []),
    "metadata": ({"metadata": {"usage": {}}}, []),
    "end": (
        {"messageStop": {"stopReason": "guardrail_intervened"}},
        [Part(finish="guardrail_intervened")],
    ),
}


@as_event
@pytest.mark.parametrize(("event", "parts"), CONVERSE.values(), ids=CONVERSE)
def test_converse(event: Any, parts: list[Part], as_event: Any) -> None:
    assert list(bedrock_converse(as_event(event))) == parts


@as_event
@pytest.mark.parametrize(
    ("extract", "event"),
    [
        (titan, {"outputText": "Hi", "completionReason": "stop"}),
        (llama, {"generation": "Hi", "stop_reason": "stop"}),
        (command, {"text": "Hi", "finish_reason": "stop"}),
        (outputs, {"outputs": [{"text": "Hi", "stop_reason": "stop"}]}),
    ],
    ids=["titan", "llama", "command", "outputs"],
)
def test_bodies_of_models(extract: Any, event: Any, as_event: Any) -> None:
    assert list(extract(as_event(event))) == [Part("Hi", finish="stop")]
