"""Checks of what sentence and clause strategies are given."""

from __future__ import annotations

from collections.abc import Iterable

from .._quote import shown


def check_choice(name: str, value: object, *choices: str) -> None:
    """Check that a parameter has one of its values.

    Raises:
        ValueError: It has none of them.
    """
    if value not in choices or not isinstance(value, str):
        known = ", ".join(map(repr, choices[:-1])) + f" or {choices[-1]!r}"
        msg = f"{name} must be {known}, got {shown(value)}"
        raise ValueError(msg)


def check_language(language: object) -> None:
    """Check that *language* could be a code.

    Raises:
        TypeError: It is no ``str``.
        ValueError: It has other things than letters, digits and hyphens, or nothing.
    """
    if not isinstance(language, str):
        msg = f"language must be a code like 'en', got {shown(language)}"
        raise TypeError(msg)
    if not language.replace("-", "").replace("_", "").isalnum():
        msg = f"language must be a code like 'en', got {shown(language)}"
        raise ValueError(msg)


def checked_names(name: str, values: Iterable[str]) -> tuple[str, ...]:
    """Return names that were given in any order, sorted and each once.

    Raises:
        TypeError: *values* is a ``str`` or no iterable, or one of them is no ``str``.
        ValueError: One of them is empty or has white space.
    """
    if isinstance(values, str):
        msg = f"{name} must be several names, got the str {shown(values)}"
        raise TypeError(msg)
    if not isinstance(values, Iterable):
        msg = f"{name} must be several names, got {shown(values)}"
        raise TypeError(msg)
    names = list(values)
    for each in names:
        if not isinstance(each, str):
            msg = f"{name} must be names, got {shown(each)} among them"
            raise TypeError(msg)
        if not each.strip("-.") or each.split() != [each]:
            msg = f"{name} must be names without white space, got {shown(each)}"
            raise ValueError(msg)
    return tuple(sorted(set(names)))
