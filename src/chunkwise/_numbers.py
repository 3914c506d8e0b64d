"""Checks of numbers given as parameters."""

from __future__ import annotations

from math import inf

from ._quote import shown


def check_count(name: str, value: object, least: int) -> None:
    """Check that a parameter is a whole number, and large enough.

    ``True`` would count as 1, and is refused as a value rather than as a type: a
    ``bool`` is an ``int``.

    Args:
        name: The parameter, for the message.
        value: What was given.
        least: The smallest number allowed.

    Raises:
        ValueError: It is too small, or a ``bool``.
        TypeError: It is not an ``int``.
    """
    if not isinstance(value, int):
        msg = f"{name} must be an int, got {value!r}"
        raise TypeError(msg)
    if isinstance(value, bool) or value < least:
        msg = f"{name} must be an int of at least {least}, got {value!r}"
        raise ValueError(msg)


def check_seconds(
    name: str, value: object, *, or_none: bool = False, most: float = inf
) -> None:
    """Check that a parameter is a positive number of seconds.

    Args:
        name: The parameter, for the message.
        value: What was given.
        or_none: Whether ``None`` is allowed, too.
        most: The largest number allowed.

    Raises:
        TypeError: It is no number.
        ValueError: It is not positive, or too large.
    """
    if value is None and or_none:
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        expected = "a number of seconds or None" if or_none else "a number of seconds"
        msg = f"{name} must be {expected}, got {value!r}"
        raise TypeError(msg)
    if not 0 < value <= most:
        limit = "" if most == inf else f" and at most {most}"
        msg = f"{name} must be above 0{limit} seconds, got {shown(value)}"
        raise ValueError(msg)
