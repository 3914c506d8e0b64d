"""Checks of whole numbers given as parameters."""

from __future__ import annotations


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
