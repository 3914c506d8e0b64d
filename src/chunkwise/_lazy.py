"""Names of a package whose modules are imported when a name is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def lazy_names(
    names: dict[str, object], modules: Mapping[str, str], submodules: Iterable[str] = ()
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return the ``__getattr__`` and the ``__dir__`` of a package.

    Whoever needs one class of a large package does not wait for the others. A name that
    was asked for is found without this from then on.

    Args:
        names: The package's ``globals()``.
        modules: The module that defines a name, by that name; without the package.
        submodules: Modules that are attributes of the package by themselves.

    Source:
        PEP 562.
    """
    package = str(names["__name__"])
    known = {**modules, **dict.fromkeys(submodules, "")}

    def get(name: str) -> object:
        if name not in known:
            msg = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(msg)
        module = import_module(f"{package}.{known[name] or name}")
        value = getattr(module, name) if known[name] else module
        names[name] = value
        return value

    def listed() -> list[str]:
        return sorted({*names, *known})

    return get, listed
