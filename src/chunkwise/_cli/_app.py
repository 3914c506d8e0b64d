"""The command itself: its version, its help, and the commands below it."""

from typing import Annotated

import typer

from .._version import __version__
from ._check import EXIT_CODES as CHECK_EXIT_CODES
from ._check import check
from ._problems import EXIT_CODES
from ._replay import replay
from ._split import split
from ._stats import stats
from ._strategies import strategies
from ._view import view

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"chunkwise {__version__}")
        raise typer.Exit


@app.callback()
def chunkwise(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Cut a running stream of text into chunks while it is still arriving."""


# A command is a function in a module of its own; the order here is that of the help.
for command in (split, view, stats, replay, strategies):
    app.command(epilog=EXIT_CODES)(command)
app.command(epilog=CHECK_EXIT_CODES)(check)
