"""Events made by hand: as dictionaries, and the same as objects of an SDK."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from chunkwise.deltas import Part


def as_object(value: Any) -> Any:
    """Return *value* with attributes in place of keys, as SDKs have it.

    The arguments of a tool call stay a dictionary.
    """
    if isinstance(value, dict):
        fields = {
            name: each if name in {"args", "arguments"} else as_object(each)
            for name, each in value.items()
        }
        return SimpleNamespace(**fields)
    return [as_object(each) for each in value] if isinstance(value, list) else value


as_event = pytest.mark.parametrize(
    "as_event", [dict, as_object], ids=["dictionary", "object"]
)


def plain(parts: Any) -> list[Part]:
    """Return *parts* as a list, without blocks that are there only to be different."""
    return [
        part._replace(block="new") if type(part.block) is object else part
        for part in parts
    ]


def chat(content: str | None = None, index: int = 0, **delta: Any) -> dict[str, Any]:
    """Return a chunk of OpenAI's chat."""
    return {"choices": [{"index": index, "delta": {"content": content, **delta}}]}


def chat_end(finish: str, index: int = 0) -> dict[str, Any]:
    """Return the chunk that ends a choice of OpenAI's chat."""
    return {"choices": [{"index": index, "delta": {}, "finish_reason": finish}]}
