"""Google's events: Gemini's content, and its interactions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._fields import arguments, field, items, number, text
from ._part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator


def gemini(event: Any) -> Iterator[Part]:
    """Yield what a response of ``generate_content_stream`` holds.

    The arguments of a function call arrive as an object, not as text; they are written
    as JSON.
    """
    for position, candidate in enumerate(items(event, "candidates")):
        index = number(candidate, "index", position)
        for piece in items(field(candidate, "content"), "parts"):
            yield _piece_part(piece, index)
        finish = text(candidate, "finishReason", "finish_reason")
        if finish:
            yield Part(choice=index, finish=finish)
    feedback = field(event, "promptFeedback", "prompt_feedback")
    blocked = text(feedback, "blockReason", "block_reason")
    if blocked:
        yield Part(choice=None, finish=blocked)


def _piece_part(piece: object, index: int) -> Part:
    content = field(piece, "text")
    if isinstance(content, str):
        kind = "reasoning" if field(piece, "thought") else "text"
        return Part(content, kind, index)  # type: ignore[arg-type]  # one of two kinds
    call = field(piece, "functionCall", "function_call")
    if call is not None:
        return Part(arguments(call, "args"), "tool_calls", index, object())
    code = field(piece, "executableCode", "executable_code")
    if code is not None:
        return Part(text(code, "code"), "tool_calls", index, object())
    return Part(kind="other", choice=index)


def gemini_interactions(event: Any) -> Iterator[Part]:
    """Yield what an event of ``interactions.create(stream=True)`` holds."""
    kind = field(event, "event_type")
    if kind == "step.delta":
        delta = field(event, "delta")
        name = text(delta, "type")
        if name == "text":
            yield Part(text(delta, "text"))
        elif name == "thought_summary":
            yield Part(text(field(delta, "content"), "text"), "reasoning")
        elif name == "arguments_delta":
            written = arguments(delta, "arguments")
            yield Part(written, "tool_calls", block=field(event, "index"))
    elif kind == "step.start":
        if field(field(event, "step"), "type") not in {"model_output", "thought"}:
            yield Part(kind="tool_calls", block=field(event, "index"))
    elif kind == "interaction.completed":
        status = text(field(event, "interaction"), "status")
        yield Part(finish=status or "completed")
    elif kind == "error":
        yield Part(finish="error")
