"""``chunkwise view``: a page for a browser, or colours for a terminal."""

import os
import stat
import sys
import tempfile
import webbrowser
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from .._decoding import decode_reads
from ..viewer import Recording, paint, record, render
from ..viewer._recording import is_recording
from ..viewer._trace import label_of
from ._by import complete_strategy, list_names, parse_strategy, strategy_of
from ._files import check_not_written
from ._output import print_lines, print_text
from ._problems import CommandError, tell_problems
from ._sources import STDIN, Encoding, ErrorPolicy, Errors, open_source

Source: TypeAlias = str | Recording | Iterator[str]

_RECORDINGS = (".jsonl", ".ndjson")

_DEFAULT = "sentence"


def _parse_strategies(names: list[str] | None) -> list[str]:
    return [parse_strategy(name) for name in names or ()]


def view(  # noqa: PLR0913 - an argument for each option
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            show_default=False,
            help="A text; or a recorded stream, if its name ends in .jsonl or .ndjson "
            "and its first line is a delta. None or - is standard input, whose reads "
            "are recorded as they come.",
        ),
    ] = STDIN,
    *,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STRATEGY",
            callback=_parse_strategies,
            autocompletion=complete_strategy,
            show_default=False,
            help=f"What a chunk is: {', '.join(list_names())}; or a name with its "
            "first parameter: sized:200; or a strategy as a JSON object. The command "
            f"strategies lists them all. {_DEFAULT} unless given. Given several times "
            "it compares them.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="PAGE",
            show_default=False,
            help="Write the page to this file, and not to standard output.",
        ),
    ] = None,
    open_page: Annotated[
        bool,
        typer.Option("--open", help="Show the page in the browser."),
    ] = False,
    as_text: Annotated[
        bool,
        typer.Option(
            "--text",
            help="Print the chunks for a terminal, as they come. In colours, unless "
            "NO_COLOR is set or the output is no terminal.",
        ),
    ] = False,
    delta_size: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Code points of a delta, in the replay of a text.",
        ),
    ] = 4,
    encoding: Encoding = "utf-8",
    errors: Errors = ErrorPolicy.STRICT,
) -> None:
    """Show how strategies cut a text or a stream.

    It makes one page, which needs no network and shows the chunks of all strategies
    side by side, their sizes, and a replay of the deltas. With --text it prints the
    chunks for a terminal instead.
    """
    _check_usage(output, open_page=open_page, as_text=as_text)
    strategies = by or [_DEFAULT]
    with tell_problems():
        # What --open alone shows goes into a file of its own.
        if output is not None or not open_page:
            check_not_written([file], None if output is None else str(output))
        with open_source(file) as source:
            failures: list[Exception] = []
            reads = decode_reads(source, encoding, errors.value)
            found = _found(file, reads, failures)
            if as_text:
                _paint(found, strategies)
                _raise_first(failures)
                return
            title = "standard input" if file == STDIN else Path(file).name
            forms = [strategy_of(name) for name in strategies]
            page = render(found, forms, title=title, delta_size=delta_size)
            _raise_first(failures)
        if output is None and open_page:
            output = Path(tempfile.mkdtemp(prefix="chunkwise-"), "page.html")
        if output is None:
            print_lines([page.rstrip("\n")])
            return
        _write(output, page)
        if open_page and not webbrowser.open(output.resolve().as_uri()):
            msg = f"no browser could be started; the page is {output}"
            raise CommandError(msg)


def _check_usage(output: Path | None, *, open_page: bool, as_text: bool) -> None:
    if as_text and (open_page or output is not None):
        msg = "--text prints to standard output; --open and --output are for the page"
        raise typer.BadParameter(msg)
    if not as_text and not open_page and output is None and _is_terminal():
        msg = (
            "standard output is a terminal; give --output for the file of the page, "
            "--open to show it, or --text"
        )
        raise typer.BadParameter(msg)


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def _found(name: str, reads: Iterable[str], failures: list[Exception]) -> Source:
    """Return what is to be shown: a text, a recording, or a pipe that is still open.

    A pipe ends where reading it fails, so that what came before is shown; the error is
    added to *failures*.
    """
    if name == STDIN and not stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode):
        return _up_to_failure(reads, failures)
    text = "".join(reads)
    if name.endswith(_RECORDINGS):
        lines = [line for line in StringIO(text) if line.strip()]
        if lines and is_recording(lines[0]):
            try:
                return Recording.from_lines(StringIO(text))
            except ValueError as error:
                msg = f"{name}: {error}"
                raise CommandError(msg) from error
    return text


def _up_to_failure(reads: Iterable[str], failures: list[Exception]) -> Iterator[str]:
    try:
        yield from reads
    except (UnicodeError, OSError) as error:
        failures.append(error)


def _raise_first(failures: list[Exception]) -> None:
    for failure in failures:
        raise failure


def _paint(found: Source, by: list[str]) -> None:
    color = _is_terminal() and not os.environ.get("NO_COLOR")
    if len(by) == 1:
        _print(paint(found, strategy_of(by[0]), color=color))
        return
    # Each reads the stream from its start, so it has to be there.
    kept = found if isinstance(found, str | Recording) else record(found)
    for name in by:
        strategy = strategy_of(name)
        print_text(f"== {label_of(strategy)}\n")
        _print(paint(kept, strategy, color=color))


def _print(parts: Iterable[str]) -> None:
    """Print each part as it comes, and end the last line."""
    last = "\n"
    for part in parts:
        print_text(part)
        last = part or last
    if not last.endswith("\n"):
        print_text("\n")


def _write(output: Path, page: str) -> None:
    try:
        output.write_bytes(page.encode())
    except OSError as error:
        msg = f"{output}: {error.strerror or error}"
        raise CommandError(msg) from error
