"""The events of LangChain and Pydantic AI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._fields import arguments, field, items, number, text
from ._part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

_FINISH_FIELDS = ("finish_reason", "stop_reason", "stopReason", "done_reason")


def langchain(event: Any) -> Iterator[Part]:
    """Yield what a message chunk of ``model.stream()`` or ``astream()`` holds.

    Also for the dictionaries of ``astream_events``, of which only those of a chat
    model's stream are read.
    """
    name = field(event, "event")
    if isinstance(name, str):
        if name != "on_chat_model_stream":
            return
        event = field(field(event, "data"), "chunk")
    reasoning = text(field(event, "additional_kwargs"), "reasoning_content")
    if reasoning:
        yield Part(reasoning, "reasoning")
    content = field(event, "content")
    if isinstance(content, str):
        yield Part(content)
    for piece in items(event, "content"):
        yield from _block_parts(piece)
    for position, call in enumerate(items(event, "tool_call_chunks")):
        block = number(call, "index", position)
        yield Part(text(call, "args"), "tool_calls", block=block)
    metadata = field(event, "response_metadata")
    finish = text(metadata, *_FINISH_FIELDS)
    if finish:
        yield Part(finish=finish)
    elif field(metadata, "status") in {"completed", "incomplete", "failed"}:
        reason = text(field(metadata, "incomplete_details"), "reason")
        yield Part(finish=reason or text(metadata, "status"))


def _block_parts(piece: object) -> Iterator[Part]:
    """Yield the part of one block of a content that is a list.

    Arguments of tool calls are in ``tool_call_chunks`` as well, and read there. Tools
    that the service itself calls are in the content alone.
    """
    if isinstance(piece, str):
        yield Part(piece)
        return
    kind = field(piece, "type")
    if kind in {"text", "text_delta"}:
        yield Part(text(piece, "text"))
    elif kind in {"thinking", "reasoning"}:
        thinking = text(piece, "thinking", "reasoning")
        if thinking:
            yield Part(thinking, "reasoning")
        for summary in items(piece, "summary"):
            place = field(summary, "index")
            yield Part(text(summary, "text"), "reasoning", block=place)
    elif kind == "refusal":
        yield Part(text(piece, "refusal"), "refusal")
    elif kind == "server_tool_use" or str(kind).endswith("_tool_result"):
        yield Part(kind="other")


def pydantic_ai(event: Any) -> Iterator[Part]:
    """Yield what an event of ``agent.run_stream_events()`` holds.

    They do not say how the text ended. ``stream_text(delta=True)`` needs no extractor:
    it gives text.
    """
    kind = field(event, "event_kind")
    if kind == "part_start":
        part = field(event, "part")
        name = field(part, "part_kind")
        content = text(part, "content")
        if name == "text":
            yield Part(content)
        elif name == "thinking":
            yield Part(content, "reasoning")
        else:
            written = arguments(part, "args")
            yield Part(written, "tool_calls", block=field(event, "index"))
    elif kind == "part_delta":
        delta = field(event, "delta")
        name = field(delta, "part_delta_kind")
        content = text(delta, "content_delta")
        if name == "text":
            yield Part(content)
        elif name == "thinking":
            yield Part(content, "reasoning")
        else:
            written = arguments(delta, "args_delta")
            yield Part(written, "tool_calls", block=field(event, "index"))
