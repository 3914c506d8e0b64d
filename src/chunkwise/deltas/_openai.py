"""OpenAI's events, which most services and gateways use as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ._fields import field, items, number, text, token
from ._part import Part

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOOL_DELTAS: Final = frozenset(
    {
        "response.function_call_arguments.delta",
        "response.custom_tool_call_input.delta",
        "response.mcp_call_arguments.delta",
        "response.code_interpreter_call_code.delta",
    }
)

_REASONING_DELTAS: Final = frozenset(
    {"response.reasoning_text.delta", "response.reasoning_summary_text.delta"}
)

_ITEMS_OF_TEXT: Final = frozenset({"message", "reasoning"})


def openai_chat(event: Any) -> Iterator[Part]:
    """Yield what a chunk of a chat completion holds.

    Also for every service with that form of chunks, for litellm, and for the events of
    ``client.chat.completions.stream()``, which give each delta twice: only the chunks
    among them are read. Reasoning is in ``reasoning_content`` or ``reasoning``.
    """
    # The other events of that helper have neither choices nor an error. Perplexity's
    # chunks have a type as well, which says nothing of where the text is.
    if field(event, "type") == "chunk":
        event = field(event, "chunk") or event
    for position, choice in enumerate(items(event, "choices")):
        index = number(choice, "index", position)
        yield from _delta_parts(field(choice, "delta"), index)
        finish = text(choice, "finish_reason")
        if finish:
            yield Part(choice=index, finish=finish)
    if field(event, "error") is not None:
        yield Part(choice=None, finish="error")


def _delta_parts(delta: object, index: int) -> Iterator[Part]:
    reasoning = token(delta, "reasoning_content", "reasoning")
    if reasoning:
        yield Part(reasoning, "reasoning", index)
    content = field(delta, "content")
    if isinstance(content, (list, tuple)):
        for piece in content:
            yield from _piece_parts(piece, index)
    elif content is not None:
        yield Part(token(delta, "content"), "text", index)
    refusal = text(delta, "refusal")
    if refusal:
        yield Part(refusal, "refusal", index)
    for position, call in enumerate(items(delta, "tool_calls")):
        number_of_call = number(call, "index", position)
        arguments = text(field(call, "function"), "arguments")
        yield Part(arguments, "tool_calls", index, number_of_call)
    function = field(delta, "function_call")
    if function is not None:
        yield Part(text(function, "arguments"), "tool_calls", index)


def _piece_parts(piece: object, index: int) -> Iterator[Part]:
    """Yield the parts of one piece of a content that is a list, as Mistral has it.

    A reference stands inside a sentence and separates nothing.
    """
    kind = field(piece, "type")
    if kind == "text":
        yield Part(text(piece, "text"), "text", index)
    elif kind == "thinking":
        thinking = field(piece, "thinking")
        pieces = thinking if isinstance(thinking, list) else [{"text": thinking}]
        for inner in pieces:
            yield Part(text(inner, "text"), "reasoning", index)


def mistral(event: Any) -> Iterator[Part]:
    """Yield what an event of ``mistralai`` holds: a chat chunk in its ``data``."""
    yield from openai_chat(field(event, "data"))


def openai_completions(event: Any) -> Iterator[Part]:
    """Yield what a chunk of a (legacy) completion holds."""
    for position, choice in enumerate(items(event, "choices")):
        index = number(choice, "index", position)
        yield Part(token(choice, "text"), "text", index)
        finish = text(choice, "finish_reason")
        if finish:
            yield Part(choice=index, finish=finish)
    if field(event, "error") is not None:
        yield Part(choice=None, finish="error")


def openai_responses(event: Any) -> Iterator[Part]:
    """Yield what an event of the Responses API holds, also of ``responses.stream()``.

    Two messages in one response are two blocks. They are told apart by
    ``output_index``, since some proxies give every event an ``item_id`` of its own.
    """
    kind = text(event, "type")
    block = field(event, "output_index")
    if kind == "response.output_text.delta":
        yield Part(text(event, "delta"), block=block)
    elif kind in _REASONING_DELTAS:
        place = (block, field(event, "summary_index", "content_index"))
        yield Part(text(event, "delta"), "reasoning", block=place)
    elif kind == "response.refusal.delta":
        yield Part(text(event, "delta"), "refusal", block=block)
    elif kind in _TOOL_DELTAS:
        yield Part(text(event, "delta"), "tool_calls", block=block)
    elif kind == "response.output_item.added":
        if field(field(event, "item"), "type") not in _ITEMS_OF_TEXT:
            yield Part(kind="tool_calls", block=block)
    elif kind in {"response.completed", "response.failed", "response.cancelled"}:
        yield Part(finish=kind.removeprefix("response."))
    elif kind == "response.incomplete":
        details = field(field(event, "response"), "incomplete_details")
        yield Part(finish=text(details, "reason") or "incomplete")
    elif kind == "error":
        yield Part(finish="error")


def openai_assistants(event: Any) -> Iterator[Part]:
    """Yield what an event of an Assistants run holds; a message is a block."""
    data = field(event, "data") or event
    kind = text(data, "object")
    if kind == "thread.message.delta":
        for piece in items(field(data, "delta"), "content"):
            value = text(field(piece, "text"), "value")
            refusal = text(piece, "refusal")
            yield Part(value, block=field(data, "id"))
            if refusal:
                yield Part(refusal, "refusal", block=field(data, "id"))
    elif kind == "thread.run.step.delta":
        details = field(field(data, "delta"), "step_details")
        for position, call in enumerate(items(details, "tool_calls")):
            code = text(field(call, "code_interpreter"), "input")
            arguments = text(field(call, "function"), "arguments")
            block = number(call, "index", position)
            yield Part(code or arguments, "tool_calls", block=block)
    elif kind == "thread.run":
        status = text(data, "status")
        if status == "incomplete":
            details = field(data, "incomplete_details")
            yield Part(finish=text(details, "reason") or status)
        elif status not in {"queued", "in_progress", "cancelling"}:
            yield Part(finish=status)
    elif field(event, "event") == "error":
        yield Part(finish="error")
