"""What an import says where a library is missing."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Say how to install what an import in the block does not find.

    Args:
        extra: The extra of the package that brings it.

    Raises:
        ImportError: As Python raised it, which says what was not found, and with the
            command that installs it.
    """
    try:
        yield
    except ImportError as error:
        msg = f'{error}; install it with: python -m pip install "chunkwise[{extra}]"'
        raise ImportError(msg, name=error.name, path=error.path) from error
