"""Names of strategies, and strategies from names and dictionaries."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, overload

from typing_extensions import override

from ._quote import shown
from ._spellings import SPELLINGS, respelled
from ._strategy import (
    ChunkingStrategy,
    WrongKeyError,
    check_concrete,
    check_parameters,
    parameters,
    registered_names,
)
from .errors import ChunkwiseError, UnknownStrategyError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    StrategyLike: TypeAlias = "ChunkingStrategy[Any] | str | Mapping[str, object]"

_DEEPEST = 40
"""Strategies inside each other that a dictionary may have.

They call each other, so what is deep enough to build could be too deep to use.
"""

_BUILT_IN = {
    "sentence": "_sentence",
    "clause": "_clause",
    "word": "_word",
    "line": "_line",
    "paragraph": "_paragraph",
    "regex": "_regex",
    "fixed_size": "_fixed",
    "window": "_window",
    "sized": "_sized",
    "nested": "_nested",
    "json": "_json",
    "markdown": "_markdown",
    "markdown_table": "_markdown_table",
}
"""The modules of the built-in strategies, which register themselves, by name.

A strategy is imported when it is asked for: most programs use one or two of them.
"""

_classes: dict[str, type[ChunkingStrategy[Any]]] = {}
"""What is registered by now: of the built-in strategies, those that are imported."""


class _Strategies(Mapping[str, "type[ChunkingStrategy[Any]]"]):
    """The registered classes by name, the built-in ones first."""

    __slots__ = ()

    @override
    def __getitem__(self, name: str) -> type[ChunkingStrategy[Any]]:
        if name not in _classes and name in _BUILT_IN:
            import_module(f".strategies.{_BUILT_IN[name]}", __package__)
        return _classes[name]

    @override
    def __contains__(self, name: object) -> bool:
        return name in _BUILT_IN or name in _classes

    @override
    def __iter__(self) -> Iterator[str]:
        return iter({**_BUILT_IN, **_classes})

    @override
    def __len__(self) -> int:
        return len(_BUILT_IN.keys() | _classes.keys())

    @override
    def __repr__(self) -> str:
        return f"<strategies: {', '.join(self)}>"


STRATEGIES: Mapping[str, type[ChunkingStrategy[Any]]] = _Strategies()
"""Every registered strategy class by name; a read-only view.

Names are known at once, and a built-in class is imported when it is asked for.
"""


def register_built_in(name: str, cls: type[ChunkingStrategy[Any]]) -> None:
    """Give a class of this package its name: called by its module, once."""
    _classes[name] = cls
    registered_names[cls] = name


def register_strategy(name: str, cls: type[ChunkingStrategy[Any]]) -> None:
    """Give a strategy class a *name*, for dictionaries and as an alias.

    Args:
        name: The name; taken once.
        cls: A class whose constructor parameters are attributes of the same name.

    Raises:
        ValueError: The name is taken, or the class has a name already.
        TypeError: *cls* is not a strategy class that has instances, or its constructor
            has a parameter that a dictionary cannot hold and nothing overrides
            ``to_dict`` and ``from_dict``; or *name* is not a name.
    """
    if not (inspect.isclass(cls) and issubclass(cls, ChunkingStrategy)):  # type: ignore[redundant-expr]  # callers may be untyped
        msg = f"expected a subclass of ChunkingStrategy, got {cls!r}"
        raise TypeError(msg)
    check_concrete(cls)
    if not isinstance(name, str) or not name:  # type: ignore[redundant-expr]  # as below
        msg = f"a name must be a str that is not empty, got {name!r}"
        raise TypeError(msg)
    if name in STRATEGIES:
        msg = f"{name!r} already names {STRATEGIES[name].__qualname__}"
        raise ValueError(msg)
    if name in SPELLINGS:
        msg = f"{name!r} is another spelling of {SPELLINGS[name].name!r}"
        raise ValueError(msg)
    if cls in registered_names:
        msg = f"{cls.__qualname__} is already named {registered_names[cls]!r}"
        raise ValueError(msg)
    if not (_overrides(cls, "to_dict") and _overrides(cls, "from_dict")):
        check_parameters(cls)
    register_built_in(name, cls)


def _overrides(cls: type[ChunkingStrategy[Any]], name: str) -> bool:
    own = inspect.getattr_static(cls, name)
    return own is not inspect.getattr_static(ChunkingStrategy, name)


def strategy_from_dict(form: Mapping[str, object]) -> ChunkingStrategy[Any]:
    """Return the strategy that a dictionary describes.

    Args:
        form: ``{"type": name, parameter: value, …}``. Parameters that are left out
            get their defaults; a dictionary with a ``type`` inside is a nested
            strategy, and a list comes as a tuple. Nothing in it is imported or called.

    Raises:
        UnknownStrategyError: There is no ``type``, or no strategy of that name.
        ValueError: A parameter is unknown, missing, or has a wrong value.
        TypeError: *form* is not a mapping.

    Examples:
        >>> strategy_from_dict({"type": "line", "keep_ends": False})
        LineChunking(keep_ends=False)
    """
    if not isinstance(form, Mapping):
        msg = f"expected a strategy's dictionary form, got {shown(form)}"
        raise TypeError(msg)
    try:
        return _strategy_at("", form)
    except RecursionError:
        msg = "the dictionary is nested too deeply, or in itself"
        raise ValueError(msg) from None


def _strategy_at(path: str, form: Mapping[str, object]) -> ChunkingStrategy[Any]:
    """Return the strategy of a dictionary that is nested at *path*."""
    if path.count(".") >= _DEEPEST:
        msg = f"strategies are nested more than {_DEEPEST} deep in the dictionary"
        raise ValueError(msg)
    given = form.get("type")
    form = respelled(form)
    name = form.get("type")
    if not isinstance(name, str) or name not in STRATEGIES:
        key = _below(path, "type") if path else ""
        raise UnknownStrategyError(given, known=tuple(STRATEGIES), path=key)
    cls = STRATEGIES[name]
    known = parameters(cls)
    values: dict[str, object] = {}
    for key, value in form.items():
        if key == "type":
            continue
        where = _below(path, key)
        values[key] = _from_plain(where, value)
        if key in known and "StrategyLike" in str(known[key].annotation):
            values[key] = _with_names(where, values[key])
    try:
        return cls.from_dict(values)
    except WrongKeyError as error:
        raise ValueError(error.said_with(_below(path, error.key))) from None
    except ChunkwiseError:
        raise
    except ValueError as error:
        if not path:
            raise
        msg = f"{error} (at {path!r})"
        raise ValueError(msg) from error


def _with_names(path: str, value: object) -> object:
    """Return a strategy for a name, where a parameter takes one or several."""
    if isinstance(value, tuple):
        return tuple(
            _with_names(f"{path}[{at}]", item) for at, item in enumerate(value)
        )
    if not isinstance(value, str):
        return value
    try:
        return _strategy_named(value)
    except UnknownStrategyError as error:
        raise UnknownStrategyError(value, known=error.known, path=path) from None
    except ValueError as error:
        msg = f"{error} (at {path!r})"
        raise ValueError(msg) from error


def _below(path: str, key: object) -> Any:
    """Return the path of a key; a key at the top, of any type, is one by itself."""
    return f"{path}.{key}" if path else key


def _from_plain(path: str, value: object) -> object:
    """Return what ``to_dict`` wrote: nested strategies, and tuples for its lists."""
    if isinstance(value, Mapping) and "type" in value:
        return _strategy_at(path, value)
    if isinstance(value, Mapping):
        return {
            key: _from_plain(_below(path, key), item) for key, item in value.items()
        }
    if isinstance(value, list):
        return tuple(
            _from_plain(f"{path}[{at}]", item) for at, item in enumerate(value)
        )
    return value


@overload
def resolve_chunking_strategy(chunking: None) -> None: ...
@overload
def resolve_chunking_strategy(chunking: StrategyLike) -> ChunkingStrategy[Any]: ...
def resolve_chunking_strategy(
    chunking: StrategyLike | None,
) -> ChunkingStrategy[Any] | None:
    """Return the strategy that *chunking* names.

    Args:
        chunking: A registered name, a dictionary form, a strategy (comes back as it
            is), or ``None`` (comes back too: no chunking).

    Raises:
        UnknownStrategyError: No strategy has that name; the message lists those that
            exist. It is a ``ValueError``.
        ValueError: The dictionary has wrong keys or values.
        TypeError: *chunking* is something else.

    Examples:
        >>> resolve_chunking_strategy("word")
        WordChunking()
    """
    if chunking is None or isinstance(chunking, ChunkingStrategy):
        return chunking
    if isinstance(chunking, str):
        return _strategy_named(chunking)
    if isinstance(chunking, Mapping):
        return strategy_from_dict(chunking)
    raise _not_a_strategy(chunking)


def _strategy_named(name: str) -> ChunkingStrategy[Any]:
    cls = STRATEGIES.get(name)
    if cls is None:
        return strategy_from_dict({"type": name})
    try:
        return cls.from_dict({})
    except WrongKeyError as error:
        # The only fault that a name alone can have: a parameter is missing.
        msg = (
            f"{name!r} alone is no strategy, because {cls.__name__} needs "
            f"{error.key!r}; expected a strategy, or a dictionary such as "
            f"{{'type': {name!r}, {error.key!r}: …}}"
        )
        raise ValueError(msg) from error


def resolve_strategy(chunking: StrategyLike) -> ChunkingStrategy[Any]:
    """Return the strategy that *chunking* names, where there has to be one.

    Raises:
        TypeError: *chunking* is ``None`` or something that names no strategy.
    """
    strategy = resolve_chunking_strategy(chunking)
    if strategy is None:
        raise _not_a_strategy(chunking)
    return strategy


def _not_a_strategy(found: object) -> TypeError:
    msg = f"expected a strategy, its name, or its dictionary form, got {found!r}"
    if inspect.isclass(found) and issubclass(found, ChunkingStrategy):
        msg += f"; make an instance: {found.__qualname__}(…)"
    return TypeError(msg)
