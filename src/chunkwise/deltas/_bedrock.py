"""Amazon Bedrock's events; those of InvokeModel depend on the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._fields import field, items, text
from ._part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator


def bedrock_converse(event: Any) -> Iterator[Part]:
    """Yield what an event of ``converse_stream()["stream"]`` holds.

    Nova gives every delta a ``contentBlockIndex`` of its own, so that a change of it
    alone separates nothing.
    """
    delta = field(field(event, "contentBlockDelta"), "delta")
    if delta is not None:
        block = field(field(event, "contentBlockDelta"), "contentBlockIndex")
        content = field(delta, "text")
        if isinstance(content, str):
            yield Part(content)
        reasoning = text(field(delta, "reasoningContent"), "text")
        if reasoning:
            yield Part(reasoning, "reasoning")
        tool = field(delta, "toolUse")
        if tool is not None:
            yield Part(text(tool, "input"), "tool_calls", block=block)
    start = field(event, "contentBlockStart")
    if field(field(start, "start"), "toolUse") is not None:
        yield Part(kind="tool_calls", block=field(start, "contentBlockIndex"))
    finish = text(field(event, "messageStop"), "stopReason")
    if finish:
        yield Part(finish=finish)


def titan(event: Any) -> Iterator[Part]:
    """Yield what a body of Titan holds."""
    yield Part(text(event, "outputText"), finish=text(event, "completionReason"))


def llama(event: Any) -> Iterator[Part]:
    """Yield what a body of Llama holds."""
    yield Part(text(event, "generation"), finish=text(event, "stop_reason"))


def command(event: Any) -> Iterator[Part]:
    """Yield what a body of Cohere's Command holds."""
    yield Part(text(event, "text"), finish=text(event, "finish_reason"))


def outputs(event: Any) -> Iterator[Part]:
    """Yield what a body of Mistral's older models holds."""
    for output in items(event, "outputs"):
        yield Part(text(output, "text"), finish=text(output, "stop_reason"))
