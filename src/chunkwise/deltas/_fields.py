"""Reading events: a field is a key of a dictionary or an attribute of an object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

_SHOWN_FIELDS: Final = 8
"""Names of fields that a message shows at most."""


def field(value: object, *names: str) -> object:
    """Return the first of these fields of *value* that is there and not ``None``.

    Args:
        value: An event or a part of one: a mapping as JSON gives it, an object of an
            SDK, or ``None``.
        *names: Spellings of the field, the most usual one first.
    """
    if isinstance(value, (dict, Mapping)):
        for name in names:
            found = value.get(name)
            if found is not None:
                return found
    else:
        for name in names:
            found = getattr(value, name, None)
            if found is not None:
                return found
    return None


def has(value: object, name: str) -> bool:
    """Return whether *value* has this field, be it ``None``."""
    if isinstance(value, (dict, Mapping)):
        return name in value
    return hasattr(value, name)


def text(value: object, *names: str) -> str:
    """Return the first of these fields that is a non-empty ``str``, or ``""``."""
    for name in names:
        found = field(value, name)
        if isinstance(found, str) and found:
            return found
    return ""


def token(value: object, *names: str) -> str:
    """Return the first of these fields that is a non-empty ``str``, or a JSON scalar.

    Workers AI writes a token that looks like a number, or like true or false, as that.
    """
    for name in names:
        found = field(value, name)
        if isinstance(found, (bool, int, float)):
            return json.dumps(found)
        if isinstance(found, str) and found:
            return found
    return ""


def items(value: object, *names: str) -> Sequence[object]:
    """Return the first of these fields that is a list, or an empty one."""
    found = field(value, *names)
    return found if isinstance(found, (list, tuple)) else ()


def number(value: object, name: str, default: int = 0) -> int:
    """Return a field that is an ``int``, or *default*."""
    found = field(value, name)
    return found if isinstance(found, int) else default


def arguments(value: object, name: str) -> str:
    """Return the arguments of a tool call; an object is written as JSON."""
    found = field(value, name)
    if isinstance(found, Mapping):
        return json.dumps(dict(found), ensure_ascii=False)
    return found if isinstance(found, str) else ""


def fields_of(value: object) -> str:
    """Return a phrase with the type of *value* and the names of its first fields."""
    if isinstance(value, Mapping):
        names = [str(name) for name in value]
    else:
        names = [name for name in getattr(value, "__dict__", ()) if name[0] != "_"]
    shown = ", ".join(names[:_SHOWN_FIELDS])
    if len(names) > _SHOWN_FIELDS:
        shown += ", …"
    kind = type(value).__name__
    return f"{kind} with the fields {shown}" if names else kind
