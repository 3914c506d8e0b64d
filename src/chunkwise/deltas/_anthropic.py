"""Anthropic's events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._fields import field, text
from ._part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator


def anthropic(event: Any) -> Iterator[Part]:
    """Yield what an event of the Messages API holds, also of ``messages.stream()``.

    That helper gives each delta twice, as ``content_block_delta`` and as ``text``, of
    which only the first is read. Citations cut one sentence into several text blocks,
    so that a new block alone separates nothing; any other content between two does. The
    legacy completions are read, too.
    """
    kind = field(event, "type")
    if kind == "content_block_delta":
        yield from _delta_parts(field(event, "delta"), field(event, "index"))
    elif kind == "content_block_start":
        block = field(event, "content_block")
        name = text(block, "type")
        if name == "text":
            yield Part(text(block, "text"))
        elif name.endswith("tool_use"):
            yield Part(kind="tool_calls", block=field(event, "index"))
        elif name == "thinking":
            # Of thinking that is not shown no delta follows, only its signature.
            yield Part(text(block, "thinking"), "reasoning")
        else:
            yield Part(kind="other")
    elif kind == "message_delta":
        finish = text(field(event, "delta"), "stop_reason")
        if finish:
            yield Part(finish=finish)
    elif kind == "completion":
        yield from anthropic_completion(event)
    elif kind == "error":
        yield Part(finish="error")


def _delta_parts(delta: object, block: object) -> Iterator[Part]:
    kind = field(delta, "type")
    if kind == "text_delta":
        yield Part(text(delta, "text"))
    elif kind == "thinking_delta":
        yield Part(text(delta, "thinking"), "reasoning")
    elif kind == "input_json_delta":
        yield Part(text(delta, "partial_json"), "tool_calls", block=block)


def anthropic_completion(event: Any) -> Iterator[Part]:
    """Yield what an event of a legacy text completion holds."""
    yield Part(text(event, "completion"), finish=text(event, "stop_reason"))
