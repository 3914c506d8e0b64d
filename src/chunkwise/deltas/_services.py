"""The events of Cohere, Ollama, Cloudflare Workers AI and watsonx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ._fields import arguments, field, items, text, token
from ._part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

_COHERE_TOOLS: Final = frozenset({"tool-call-start", "tool-call-delta"})

_COHERE_V1_TOOLS: Final = frozenset(
    {"tool-calls-chunk", "tool-calls-generation", "search-results"}
)


def cohere(event: Any) -> Iterator[Part]:
    """Yield what an event of ``chat_stream`` holds, of version 2 or 1 of the API.

    A plan for tool calls is reasoning. Cohere's client ends quietly where a stream
    breaks off: the ending is then ``"truncated"``.
    """
    kind = field(event, "type", "event_type")
    message = field(field(event, "delta"), "message")
    if kind == "content-delta":
        content = field(message, "content")
        yield Part(text(content, "text"))
        thinking = text(content, "thinking")
        if thinking:
            yield Part(thinking, "reasoning")
    elif kind == "tool-plan-delta":
        yield Part(text(message, "tool_plan"), "reasoning")
    elif kind in _COHERE_TOOLS:
        function = field(field(message, "tool_calls"), "function")
        written = arguments(function, "arguments")
        yield Part(written, "tool_calls", block=field(event, "index"))
    elif kind == "message-end":
        yield Part(finish=text(field(event, "delta"), "finish_reason"))
    elif kind == "text-generation":
        yield Part(text(event, "text"))
    elif kind in _COHERE_V1_TOOLS:
        yield Part(kind="tool_calls")
    elif kind == "stream-end":
        response = field(event, "response")
        finish = text(event, "finish_reason") or text(response, "finish_reason")
        yield Part(finish=finish)


def ollama(event: Any) -> Iterator[Part]:
    """Yield what a part of a chat or a generation of Ollama holds.

    The arguments of a tool call arrive as an object, not as text; they are written as
    JSON.
    """
    message = field(event, "message")
    thinking = text(message, "thinking") or text(event, "thinking")
    if thinking:
        yield Part(thinking, "reasoning")
    yield Part(text(message, "content") or text(event, "response"))
    for call in items(message, "tool_calls"):
        written = arguments(field(call, "function"), "arguments")
        yield Part(written, "tool_calls", block=object())
    if field(event, "done"):
        yield Part(finish=text(event, "done_reason") or "stop")
    elif field(event, "error") is not None:
        yield Part(finish="error")


def cloudflare(event: Any) -> Iterator[Part]:
    """Yield what an event of Workers AI holds.

    It never says why a text ended; the event with the usage is taken for a stop.
    """
    finish = None if field(event, "usage") is None else "stop"
    yield Part(token(event, "response"), finish=finish)


def watsonx(event: Any) -> Iterator[Part]:
    """Yield what an event of a watsonx text generation holds."""
    for result in items(event, "results"):
        yield Part(text(result, "generated_text"), finish=text(result, "stop_reason"))
