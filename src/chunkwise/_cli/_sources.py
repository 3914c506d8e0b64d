"""Files and standard input, as bytes and as the text in them."""

import codecs
import contextlib
import io
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer
from typing_extensions import override

from .._decoding import decode_reads
from ..errors import ChunkwiseError
from ._problems import CommandError

STDIN = "-"
"""The file name that stands for standard input."""


def shown_name(name: str) -> str:
    """Return a file name as messages show it, on one line."""
    if name == STDIN:
        return "standard input"
    return name if name and name.isprintable() else repr(name)


class ErrorPolicy(str, Enum):
    """What becomes of bytes that the encoding does not allow."""

    STRICT = "strict"
    REPLACE = "replace"
    IGNORE = "ignore"
    BACKSLASHREPLACE = "backslashreplace"


def _parse_encoding(name: str) -> str:
    try:
        codecs.getincrementaldecoder(name)
        # This knows, and says, which codecs have to do with text.
        io.TextIOWrapper(io.BytesIO(), encoding=name)
    except (LookupError, ValueError) as error:
        msg = f"{name!r} is not a known text encoding"
        raise typer.BadParameter(msg) from error
    return name


Encoding = Annotated[
    str,
    typer.Option(metavar="E", callback=_parse_encoding, help="Encoding of the input."),
]
"""The option ``--encoding``."""

Errors = Annotated[
    ErrorPolicy, typer.Option(help="What to do with bytes that are not text.")
]
"""The option ``--errors``."""


class Source(io.FileIO):
    """A file that is read unbuffered, and counts the bytes.

    A buffer would wait until it is full, and would take a pipe that is not ready for
    one that has ended.
    """

    count = 0
    """Bytes that were read by now."""

    @override
    def read(self, size: int | None = -1, /) -> bytes | None:  # type: ignore[override]  # the stubs know no source that is not ready
        data = super().read(size)
        self.count += len(data or b"")
        return data


@contextlib.contextmanager
def open_source(name: str) -> Iterator[Source]:
    """Open a file; whatever goes wrong inside becomes one line with its name.

    Raises:
        CommandError: The file cannot be read or decoded, or a strategy failed.
    """
    piped = name == STDIN
    shown = shown_name(name)
    if piped and sys.stdin is None:
        msg = f"{shown} is closed"
        raise CommandError(msg)
    if not piped and (not name or Path(name).is_dir()):
        found = "a folder" if name else "no name"
        msg = f"{shown}: expected a file, got {found}"
        raise CommandError(msg)
    try:
        place = sys.stdin.fileno() if piped else name
        with Source(place, "rb", closefd=not piped) as source:
            yield source
    except OSError as error:
        msg = f"{shown}: {error.strerror or error}"
        raise CommandError(msg) from error
    except (UnicodeError, ChunkwiseError) as error:
        msg = f"{shown}: {error}"
        raise CommandError(msg) from error


def read_deltas(
    source: Source, encoding: str, errors: ErrorPolicy, size: int | None
) -> Iterator[str]:
    """Yield the text of *source* as it arrives, at most *size* code points at a time.

    A delta never waits for the next read, or a live stream would be shown late.
    """
    for text in decode_reads(source, encoding, errors.value):
        step = size or len(text) or 1
        for start in range(0, len(text), step):
            yield text[start : start + step]
