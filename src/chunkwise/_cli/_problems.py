"""What goes wrong while a command runs: one line on standard error, and exit code 1."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

EXIT_CODES = (
    "Exit code: 0 done, also when the reader of the output went away; 1 a file "
    "cannot be read or decoded, or the output not be written; 2 wrong usage; "
    "130 interrupted."
)
"""The last words of a command's help."""


class CommandError(Exception):
    """A problem that is shown in one line; the command then exits with 1."""


@contextmanager
def tell_problems() -> Iterator[None]:
    """Print a `CommandError` of the block as one line, and exit with 1."""
    try:
        yield
    except CommandError as error:
        typer.echo(f"chunkwise: {error}", err=True)
        raise typer.Exit(1) from error
