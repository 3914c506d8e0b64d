"""How a strategy is said in an argument: ``--by``."""

import contextlib
import json
from difflib import get_close_matches
from typing import Annotated, Any

import typer

from .._catalogue import list_strategies
from .._quote import shown
from .._registry import STRATEGIES, resolve_chunking_strategy, strategy_from_dict
from .._strategy import ChunkingStrategy, parameters, taken_by


def list_names() -> list[str]:
    """Return the registered names that are a strategy without any parameter."""
    names: list[str] = []
    for name in STRATEGIES:
        with contextlib.suppress(ValueError):
            resolve_chunking_strategy(name)
            names.append(name)
    return names


def strategy_of(by: str) -> ChunkingStrategy[Any]:
    """Return the strategy that an argument describes.

    Args:
        by: A registered name; a name, a colon and the value of the strategy's first
            parameter; or a dictionary form as JSON. The value is text where the
            parameter takes it as such, and JSON otherwise.

    Raises:
        ValueError: It describes none.
    """
    if by.startswith("{"):
        try:
            form = json.loads(by)
        except RecursionError:
            msg = "the JSON object is nested too deeply"
            raise ValueError(msg) from None
        return strategy_from_dict(form)
    name, colon, value = by.partition(":")
    if colon and name in STRATEGIES and by not in STRATEGIES:
        return strategy_from_dict({"type": name, **_first_parameter(name, value)})
    return resolve_chunking_strategy(by)


def _first_parameter(name: str, value: str) -> dict[str, object]:
    cls = STRATEGIES[name]
    key = next(iter(parameters(cls)), None)
    if key is None:
        msg = f"{name!r} has no parameters, got {value!r}"
        raise ValueError(msg)
    fits = taken_by(cls)[key].fits
    if fits(value):
        return {key: value}
    with contextlib.suppress(ValueError, RecursionError):
        read = json.loads(value)
        # What is nested is checked by the strategy, which knows where it is wrong.
        if isinstance(read, (list, dict)) or fits(read):
            return {key: read}
    (takes,) = (
        entry.parameters[0].takes for entry in list_strategies() if entry.name == name
    )
    msg = f"expected {takes} for {key!r} of {name!r}, got {shown(value)}"
    raise ValueError(msg)


def _missing(name: str) -> list[str]:
    """Return the parameters that a name alone lacks."""
    named = parameters(STRATEGIES[name])
    return [key for key, each in named.items() if each.default is each.empty]


def _lacks_more(name: str) -> bool:
    """Whether a name lacks a parameter that no value behind a colon can give."""
    return not set(_missing(name)) <= {next(iter(parameters(STRATEGIES[name])), None)}


def _what_is_missing(name: str) -> str:
    """Return the parameters that a name alone lacks, and how to give them."""
    cls = STRATEGIES[name]
    missing = _missing(name)
    fits = {key: taken_by(cls)[key].fits for key in missing}
    given = {key: "word" if fits[key]("word") else 200 for key in missing}
    examples = [f"'{json.dumps({'type': name, **given})}'"]
    if not _lacks_more(name):
        examples.insert(0, f"{name}:{given[missing[0]]}")
    needed = " and ".join(map(repr, missing))
    return f"{name!r} needs {needed}, as in {' or '.join(examples)}"


def _what_there_is(by: str) -> str:
    """Return that a name is unknown, the names that are not, and one that is near."""
    names = ", ".join(complete_strategy(""))
    near = get_close_matches(by.partition(":")[0], STRATEGIES, 1)
    return (
        f"{by!r} is no strategy, expected one of {names}, with a value behind a colon, "
        "as in sized:200, or a JSON object"
        + "".join(f"; did you mean {name!r}?" for name in near)
    )


def parse_strategy(by: str) -> str:
    """Return the argument as it is, if it describes a strategy.

    Raises:
        typer.BadParameter: It describes none.
    """
    try:
        strategy_of(by)
    except ValueError as error:
        msg = str(error)
        name, colon, _ = by.partition(":")
        if by in STRATEGIES:
            msg = _what_is_missing(by)
        elif colon and name in STRATEGIES and _lacks_more(name):
            msg = _what_is_missing(name)
        elif name not in STRATEGIES and not by.startswith("{"):
            msg = _what_there_is(by)
        raise typer.BadParameter(msg) from error
    return by


# typer takes a bare `list[str]` for a class on Python 3.10, and fails.
def _parse_one(given: list[str] | None) -> list[str]:
    names = given or []
    if len(names) > 1:
        msg = f"expected one strategy, got {', '.join(map(repr, names))}"
        raise typer.BadParameter(msg)
    return [parse_strategy(name) for name in names]


def complete_strategy(incomplete: str) -> list[str]:
    """Return the names that begin so; a colon follows where a parameter is needed.

    A name that needs more than its first parameter is left out: only a JSON object
    gives it all.
    """
    alone = list_names()
    names = (
        name if name in alone else f"{name}:"
        for name in STRATEGIES
        if name in alone or not _lacks_more(name)
    )
    return [name for name in names if name.startswith(incomplete)]


By = Annotated[
    # Of an option that takes one value, the last of several would win unseen.
    list[str],
    typer.Option(
        metavar="STRATEGY",
        callback=_parse_one,
        autocompletion=complete_strategy,
        help=f"What a chunk is: {', '.join(list_names())}. "
        "The name sentence means SentenceChunking(), whose rules know "
        "abbreviations. Or a name with its first parameter: sized:200. Or a strategy "
        """as a JSON object: '{"type": "sized", "max_size": 200}'. """
        "The command strategies lists them all.",
    ),
]
"""The option ``--by``, which is given once; a list of one."""
