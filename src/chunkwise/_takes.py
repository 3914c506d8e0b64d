"""What a parameter takes, read from its annotation.

One walk over the annotation gives the words for a message, the check of a value, and
the JSON schema, so that the three cannot disagree.
"""

from __future__ import annotations

import collections.abc
import inspect
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias, Union

Schema: TypeAlias = "dict[str, Any]"

STRATEGY: Schema = {"$ref": "#/$defs/strategy"}
"""Stands in a schema for a nested strategy."""
NAME: Schema = {"$ref": "#/$defs/name"}
"""Stands in a schema for the name of a strategy."""


class Takes(NamedTuple):
    """What a parameter takes.

    Attributes:
        words: The values in words, for messages.
        fits: Whether a value is one of them. Lists have become tuples, and nested
            dictionaries strategies.
        schema: JSON schema of their dictionary form; ``None`` where JSON has none, for
            a function for example.
    """

    words: str
    fits: Callable[[object], bool]
    schema: Schema | None


def _any_value(value: object) -> bool:
    del value
    return True


ANYTHING = Takes("anything", _any_value, {})
_NOT_IN_JSON = Takes("anything", _any_value, None)
"""What an annotation says that is not understood here; constructors check it."""


def _instances(*types_: type, but: tuple[type, ...] = ()) -> Callable[[object], bool]:
    def fits(value: object) -> bool:
        return isinstance(value, types_) and not isinstance(value, but)

    return fits


_is_text = _instances(str)
_is_mapping = _instances(Mapping)
_is_sequence = _instances(Collection, but=(str, bytes, Mapping))

_NAME = Takes("a name", _is_text, NAME)
# A bool is an int for Python, and none for JSON or for whoever wrote the dictionary.
_PLAIN: dict[Any, Takes] = {
    Any: ANYTHING,
    object: ANYTHING,
    types.NoneType: Takes("None", _instances(types.NoneType), {"type": "null"}),
    bool: Takes("a bool", _instances(bool), {"type": "boolean"}),
    int: Takes("an int", _instances(int, but=(bool,)), {"type": "integer"}),
    float: Takes("a number", _instances(int, float, but=(bool,)), {"type": "number"}),
    str: Takes("a str", _is_text, {"type": "string"}),
}


class _Names(dict[str, Any]):
    """Names of a module, in which one that is missing stands for a function.

    A module imports some names for its type checker alone. Where such a one is part of
    a union, the other parts are still understood.
    """

    def __missing__(self, name: str) -> Any:
        del name
        return Callable


def constructor_takes(cls: type, strategy: type) -> dict[str, Takes]:
    """Return what each parameter of a constructor takes, by its name.

    An annotation that cannot be evaluated here, or has no values in JSON, allows
    everything.

    Args:
        cls: A class that overrides ``__init__``.
        strategy: The base class of strategies.
    """
    names = _Names(vars(typing))
    names.update(vars(collections.abc))
    names["StrategyLike"] = Union[strategy, str, Mapping[str, object]]  # noqa: UP007 - a class known at run time only
    # Inherited fields of a dataclass are annotated in the module of their class. The
    # module of `object`, the last base, has the built-in names.
    for base in reversed(cls.__mro__):
        names.update(getattr(sys.modules.get(base.__module__), "__dict__", {}))
    signature = inspect.signature(cls.__init__)  # type: ignore[misc]  # of this class
    named = list(signature.parameters.values())[1:]
    return {each.name: _takes_of(each.annotation, names, strategy) for each in named}


def _takes_of(annotation: Any, names: _Names, strategy: type) -> Takes:
    if annotation is inspect.Parameter.empty:
        return _NOT_IN_JSON
    holder = types.SimpleNamespace(__annotations__={"it": annotation})
    try:
        return takes(typing.get_type_hints(holder, {}, names)["it"], strategy)
    except Exception:  # noqa: BLE001 - an annotation may be any expression
        return _NOT_IN_JSON


def takes(hint: Any, strategy: type) -> Takes:
    """Return what a parameter with this type hint takes.

    Args:
        hint: An evaluated hint.
        strategy: The base class of strategies.
    """
    origin = typing.get_origin(hint) or hint
    arguments = typing.get_args(hint)
    if origin in _PLAIN:
        return _PLAIN[origin]
    if origin is Union or origin is types.UnionType:
        return _one_of([takes(argument, strategy) for argument in arguments])
    if origin is Literal:
        return _literal(arguments)
    if inspect.isclass(origin):
        return _class(origin, arguments, strategy)
    return _NOT_IN_JSON


def _class(origin: type, arguments: tuple[Any, ...], strategy: type) -> Takes:
    if issubclass(origin, strategy):
        return Takes("a strategy", _instances(origin), STRATEGY)
    if issubclass(origin, Mapping):
        known = len(arguments) > 1
        return _mapping(takes(arguments[1], strategy) if known else ANYTHING)
    if issubclass(origin, Iterable) and not issubclass(origin, (str, bytes)):
        # A tuple of several types, each in its place, is a sequence of anything.
        alike = len(arguments) == 1 or arguments[1:] == (Ellipsis,)
        return _sequence(takes(arguments[0], strategy) if alike else ANYTHING)
    return _NOT_IN_JSON


def _literal(values: tuple[Any, ...]) -> Takes:
    def fits(value: object) -> bool:
        # `True == 1`, so the types are compared, too.
        return any(type(value) is type(each) and value == each for each in values)

    return Takes(" or ".join(map(repr, values)), fits, {"enum": list(values)})


def _mapping(values: Takes) -> Takes:
    def fits(value: Any) -> bool:
        return _is_mapping(value) and all(map(values.fits, value.values()))

    schema: Schema = {"type": "object"}
    if values.schema:
        schema["additionalProperties"] = values.schema
    return Takes("a mapping", fits, schema)


def _sequence(items: Takes) -> Takes:
    def fits(value: Any) -> bool:
        return _is_sequence(value) and all(map(items.fits, value))

    schema: Schema = {"type": "array"}
    if items.schema:
        schema["items"] = items.schema
    return Takes(f"a sequence, each item {items.words}", fits, schema)


def _one_of(members: list[Takes]) -> Takes:
    """Return what a union takes; next to a strategy a ``str`` is a name."""
    if any(member.schema == STRATEGY for member in members):
        members = [_beside_a_strategy(member) for member in members]

    def fits(value: object) -> bool:
        return any(member.fits(value) for member in members)

    words = " or ".join(member.words for member in members)
    schemas = [member.schema for member in members if member.schema is not None]
    if not schemas:
        return Takes(words, fits, None)
    return Takes(words, fits, {"anyOf": schemas} if len(schemas) > 1 else schemas[0])


def _beside_a_strategy(member: Takes) -> Takes:
    if member is _PLAIN[str]:
        return _NAME
    if member.schema is not None and member.schema.get("type") == "object":
        # Strategies stand for their dictionary forms in the schema.
        return member._replace(words="a dictionary form", schema=None)
    return member
