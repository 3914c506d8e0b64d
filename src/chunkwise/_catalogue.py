"""What strategies there are, in words."""

from __future__ import annotations

import inspect
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ._registry import STRATEGIES, resolve_strategy
from .schema import strategy_schema

if TYPE_CHECKING:
    from collections.abc import Mapping


class Parameter(NamedTuple):
    """A parameter of a strategy, as a dictionary form has it.

    Attributes:
        name: Its name.
        takes: What it takes, in the words of JSON.
        default: What it is unless given, as JSON; ``None`` where it has to be given,
            or where nothing is known about it.
    """

    name: str
    takes: str
    default: str | None


class Entry(NamedTuple):
    """A registered strategy.

    Attributes:
        name: Its name.
        summary: The first line of its docstring; may be empty.
        parameters: Its parameters, the first of which a short form gives.
    """

    name: str
    summary: str
    parameters: tuple[Parameter, ...]


def list_strategies() -> list[Entry]:
    """Return all registered strategies, in the order of their registration.

    Examples:
        >>> lines = {entry.name: entry for entry in list_strategies()}["line"]
        >>> lines.summary
        'Cuts behind line ends, as `str.splitlines` does.'
        >>> lines.parameters
        (Parameter(name='keep_ends', takes='true or false', default='true'),)
    """
    forms = strategy_schema()["$defs"]["strategy"]["oneOf"]
    return [
        Entry(name, _summary(cls), tuple(_parameters(form)))
        for (name, cls), form in zip(STRATEGIES.items(), forms, strict=True)
    ]


def _summary(cls: type) -> str:
    lines = inspect.cleandoc(cls.__doc__ or "").splitlines()
    return lines[0].replace("``", "`") if lines else ""


def _parameters(form: Mapping[str, Any]) -> list[Parameter]:
    return [
        Parameter(name, _words(schema), _default(schema))
        for name, schema in form["properties"].items()
        if name != "type"
    ]


_WORDS = {
    "null": "null",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "text",
    "object": "an object",
}


def _words(schema: Mapping[str, Any]) -> str:
    """Return what a schema allows, for any that ``strategy_schema`` makes."""
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(map(_words, schema["anyOf"])))
    if "enum" in schema:
        return " or ".join(map(_as_json, schema["enum"]))
    if "$ref" in schema:
        return "a strategy"
    if schema.get("type") == "array":
        items = _words(schema.get("items", {}))
        return f"a list, each item {items}"
    return _WORDS[schema["type"]] if "type" in schema else "anything"


def _default(schema: Mapping[str, Any]) -> str | None:
    if "default" not in schema:
        return None
    default = schema["default"]
    if isinstance(default, dict) and "type" in default:
        # Its name says as much, where nothing else was given.
        name = default["type"]
        if resolve_strategy(name) == resolve_strategy(default):
            return _as_json(name)
    return _as_json(default)


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
