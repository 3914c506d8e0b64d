"""Where chunks go: lines on standard output or in a file, or rows of a table."""

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal, TypeAlias

import typer

from .._chunk import Chunk, json_facts
from ._output import as_utf_8, json_line, print_text, text_line
from ._problems import CommandError
from ._sources import shown_name

if TYPE_CHECKING:
    from ..interop._table_file import TableFile


def _text_lines(file: str, chunks: Iterable[Chunk]) -> str:
    del file
    return "".join(text_line(chunk) + "\n" for chunk in chunks)


def _json_lines(file: str, chunks: Iterable[Chunk]) -> str:
    return "".join(_json_line(file, chunk) + "\n" for chunk in chunks)


def _json_line(file: str, chunk: Chunk) -> str:
    return json_line({"file": file, **json_facts(chunk)})


LINES = {".txt": _text_lines, ".jsonl": _json_lines}
"""Endings of files that hold a line for each chunk, and what makes the lines."""

TABLES: dict[str, Literal["parquet", "arrow"]] = {
    ".parquet": "parquet",
    ".arrow": "arrow",
}
"""Endings of files that hold a table, and its form."""


Sink: TypeAlias = Callable[[str, Sequence[Chunk]], object]
"""Takes the name of a file, and the next chunks of it."""


def parse_output(output: str | None) -> str | None:
    """Return the argument as it is, if its ending says what to write.

    Raises:
        typer.BadParameter: It does not.
    """
    endings = (*LINES, *TABLES)
    if output is not None and _ending(output) not in endings:
        msg = f"expected a file that ends in {', '.join(endings)}, got {output!r}"
        raise typer.BadParameter(msg)
    return output


Output = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=parse_output,
        allow_dash=False,
        help="Write to a file instead of standard output. Its ending says what it "
        f"holds: {', '.join((*LINES, *TABLES))}. A table needs the extra arrow.",
    ),
]
"""The option ``--output``."""


@contextmanager
def open_sink(output: str | None, *, as_json: bool) -> Iterator[Sink]:
    """Open what the chunks are written to.

    A file of lines can be read up to what was written by then, whatever ends the
    block. A table is there when the block is done, and not if anything else ends it:
    an earlier one is left as it was.

    Args:
        output: The file; ``None`` is standard output.
        as_json: Whether lines on standard output are JSON.

    Raises:
        CommandError: The file cannot be written.
        typer.Exit: A library that a table needs is missing.
    """
    if output is None:
        form = _json_lines if as_json else _text_lines
        yield lambda name, chunks: print_text(form(name, chunks))
        return
    ending = _ending(output)
    try:
        if ending in LINES:
            form = LINES[ending]
            with Path(output).open("wb") as lines:
                yield lambda name, chunks: lines.write(as_utf_8(form(name, chunks)))
            return
        table_file = _table_file()
        with (
            _replaced_when_done(output) as file,
            table_file(file, TABLES[ending]) as table,
        ):
            yield table.add
    except OSError as error:
        msg = f"{shown_name(output)}: {error.strerror or error}"
        raise CommandError(msg) from error
    except ValueError as error:
        raise CommandError(str(error)) from error


@contextmanager
def _replaced_when_done(output: str) -> Iterator[BinaryIO]:
    """Open a file beside *output*, which takes its place if nothing goes wrong."""
    # A link stays one: what it leads to is replaced.
    place = Path(output).resolve()
    if place.exists() and not place.is_file():
        # A device is written to; a folder cannot be, and this tells it.
        with place.open("wb") as file:
            yield file
        return
    if place.exists():
        # Tells what may not be written, which a new file in its place would pass over.
        place.open("r+b").close()
    part = place.with_name(f".{place.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            yield file
        if place.exists():
            shutil.copymode(place, part)
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)


def _table_file() -> "type[TableFile]":
    try:
        from ..interop._table_file import TableFile  # noqa: PLC0415 - needs an extra
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        needs = 'a table needs pyarrow: python -m pip install "chunkwise[arrow]"'
        typer.echo(f"chunkwise: {needs}", err=True)
        raise typer.Exit(2) from error
    return TableFile


def _ending(output: str) -> str:
    return Path(output).suffix.lower()
