"""The command itself: its version, its help, and the commands below it."""

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from .._version import __version__
from ._check import EXIT_CODES as CHECK_EXIT_CODES
from ._check import check
from ._problems import EXIT_CODES
from ._replay import replay
from ._split import split
from ._stats import stats
from ._strategies import EXIT_CODES as STRATEGIES_EXIT_CODES
from ._strategies import strategies
from ._view import view

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class Command(TyperCommand):
    """A command whose help names arguments as its usage does.

    Typer would add to each argument its type in words of Python, ``<list[str]>``. What
    is passed in is Click's, or that of the copy of Click that a later Typer has.
    """

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write what the arguments and the options are for."""
        shown = [
            (parameter, row)
            for parameter in self.get_params(ctx)
            if (row := parameter.get_help_record(ctx)) is not None
        ]
        arguments = [
            (parameter.metavar or "", text)
            for parameter, (_, text) in shown
            if parameter.param_type_name == "argument"
        ]
        options = [
            row for parameter, row in shown if parameter.param_type_name == "option"
        ]
        for title, rows in (("Arguments", arguments), ("Options", options)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


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
for command in (split, view, stats, replay):
    app.command(cls=Command, epilog=EXIT_CODES)(command)
app.command(cls=Command, epilog=STRATEGIES_EXIT_CODES)(strategies)
app.command(cls=Command, epilog=CHECK_EXIT_CODES)(check)
