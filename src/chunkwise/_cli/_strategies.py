"""``chunkwise strategies``: what there is to cut by."""

from collections.abc import Iterator

from .._catalogue import Entry, list_strategies
from ._output import print_lines
from ._problems import tell_problems

EXIT_CODES = (
    "Exit code: 0 done, also when the reader of the output went away; 1 the output "
    "cannot be written; 2 wrong usage; 130 interrupted."
)
"""The last words of the help of this command."""


def strategies() -> None:
    """List all strategies with their parameters.

    --by takes a name, if no parameter is required; a name, a colon and the first
    parameter; or a JSON object with any of them.
    """
    with tell_problems():
        for entry in list_strategies():
            print_lines(_lines(entry))


def _lines(entry: Entry) -> Iterator[str]:
    yield f"{entry.name}: {entry.summary}"
    width = max((len(each.name) for each in entry.parameters), default=0)
    for name, takes, default in entry.parameters:
        given = "" if default is None else f"; {default} unless given"
        yield f"  {name:{width}}  {takes}{given}"
