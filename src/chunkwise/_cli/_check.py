"""``chunkwise check``: does a strategy keep the laws?"""

import os
import sys
from importlib import import_module
from typing import Annotated, Any

import typer

from .._quote import shown
from .._strategy import ChunkingStrategy
from ..errors import ContractError
from ..testing import BrokenLawError, check_strategy
from ._output import print_lines
from ._problems import tell_problems

EXIT_CODES = (
    "Exit code: 0 every law is kept; 1 one is broken, which is shown by the smallest "
    "case, or the contract is; 2 wrong usage; 130 interrupted."
)
"""The last words of the help of this command."""


def parse_strategy(place: str) -> ChunkingStrategy[Any]:
    """Return the strategy at ``module:name``; of a class, one without arguments.

    Raises:
        typer.BadParameter: There is none.
    """
    module_name, _, name = place.partition(":")
    if not module_name or not name:
        msg = (
            f"expected MODULE:STRATEGY, as in package.module:MyChunking, got {place!r}"
        )
        raise typer.BadParameter(msg)
    # As `python -m` does, so that a module of the present folder is found.
    if os.getcwd() not in sys.path:  # noqa: PTH109 - sys.path is made of strings
        sys.path.insert(0, os.getcwd())  # noqa: PTH109 - as above
    try:
        found = getattr(import_module(module_name), name)
        strategy = found() if isinstance(found, type) else found
    except Exception as error:
        msg = f"{place!r} cannot be loaded: {type(error).__name__}: {error}"
        if module_name.endswith(".py"):
            module = module_name.removesuffix(".py")
            msg += f"; expected a module and not a file: leave out .py, {module}:{name}"
        raise typer.BadParameter(msg) from error
    if not isinstance(strategy, ChunkingStrategy):
        msg = f"{place!r} is {shown(strategy)}, expected a ChunkingStrategy"
        raise typer.BadParameter(msg)
    return strategy


def check(
    strategy: Annotated[
        ChunkingStrategy[Any],
        typer.Argument(
            metavar="MODULE:STRATEGY",
            parser=parse_strategy,
            help="A strategy, or a class of one that needs no arguments, and the "
            "module that has it.",
        ),
    ],
) -> None:
    """Try whether a strategy of your own keeps the laws.

    Where it breaks one, the smallest case that was found is shown.
    """
    with tell_problems():
        name = type(strategy).__name__
        try:
            check_strategy(strategy)
        except (BrokenLawError, ContractError) as error:
            print_lines(str(error).splitlines())
            raise typer.Exit(1) from error
        print_lines([f"{name} keeps the laws"])
