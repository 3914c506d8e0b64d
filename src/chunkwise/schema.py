"""A JSON schema of the dictionary form of strategies."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from ._registry import STRATEGIES
from ._strategy import check_parameters, parameters, plain, taken_by

if TYPE_CHECKING:
    from ._strategy import ChunkingStrategy

__all__ = ["strategy_schema"]


def strategy_schema() -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of what ``strategy_from_dict`` takes.

    It follows from the constructors of the classes that are registered by now. Where
    a parameter takes a strategy, there stands another such dictionary, or the name of
    a strategy that needs no more than its name. Other spellings of strategies, which
    ``strategy_from_dict`` takes as well, are not part of it, nor is the range of a
    number.

    Returns:
        A new dictionary, which can be written as JSON.

    Examples:
        >>> forms = strategy_schema()["$defs"]["strategy"]["oneOf"]
        >>> [form for form in forms if form["title"] == "LineChunking"]
        [{'title': 'LineChunking', 'type': 'object', 'properties': \
{'type': {'const': 'line'}, 'keep_ends': {'type': 'boolean', 'default': True}}, \
'required': ['type'], 'additionalProperties': False}]
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Dictionary form of a chunking strategy",
        "$ref": "#/$defs/strategy",
        "$defs": {
            "strategy": {"oneOf": [_form(*item) for item in STRATEGIES.items()]},
            "name": {
                "enum": [n for n, cls in STRATEGIES.items() if _needs_nothing(cls)]
            },
        },
    }


def _form(name: str, cls: type[ChunkingStrategy[Any]]) -> dict[str, Any]:
    """Return the schema of one class; open where it reads its own dictionary."""
    properties: dict[str, Any] = {"type": {"const": name}}
    form: dict[str, Any] = {
        "title": cls.__name__,
        "type": "object",
        "properties": properties,
        "required": ["type"],
    }
    try:
        check_parameters(cls)
    except TypeError:
        return form
    takes = taken_by(cls)
    needs_nothing = _needs_nothing(cls)
    for key, parameter in parameters(cls).items():
        properties[key] = {**(takes[key].schema or {}), **_default(parameter)}
        if parameter.default is inspect.Parameter.empty and not needs_nothing:
            form["required"].append(key)
    form["additionalProperties"] = False
    return form


def _default(parameter: inspect.Parameter) -> dict[str, object]:
    if parameter.default is inspect.Parameter.empty:
        return {}
    try:
        return {"default": plain(parameter.default)}
    except (TypeError, ValueError):
        # A function, or a strategy of a class that is not registered.
        return {}


def _needs_nothing(cls: type[ChunkingStrategy[Any]]) -> bool:
    """Whether a name alone is a strategy: ``from_dict`` may know more defaults."""
    try:
        cls.from_dict({})
    except Exception:  # noqa: BLE001 - a class that reads its dictionary may raise any
        return False
    return True
