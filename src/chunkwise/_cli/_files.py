"""Which files the arguments name: files, folders, and patterns."""

import glob
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, NoReturn, TextIO

import typer

from ._problems import CommandError
from ._sources import STDIN, Source, open_source, shown_name

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE",
        # Makes a path of it, which shells can complete.
        allow_dash=True,
        show_default=False,
        help="Files to read, each a stream of its own; none or - is standard input. "
        "A folder stands for all files below it, a pattern such as 'docs/**/*.md' "
        "for those that match.",
    ),
]
"""The argument ``FILE...``."""


def find_files(arguments: Iterable[str] | None) -> list[str]:
    """Return the files that the arguments name, in their order.

    Args:
        arguments: Names of files; folders, for all files below them without hidden
            ones; patterns with ``*``, ``?``, ``[…]`` and ``**``, unless a file has
            that very name. None stand for standard input.

    Returns:
        Names of files, those of a folder or a pattern sorted. A name without a file
        comes back as it is: opening it tells what is wrong.

    Raises:
        CommandError: A folder cannot be read, or holds no files, or no file matches a
            pattern.
    """
    return [name for each in arguments or [STDIN] for name in _named_by(each)]


@contextmanager
def open_found(name: str, arguments: Iterable[str] | None) -> Iterator[Source]:
    """Open a file that `find_files` found in *arguments*.

    Raises:
        CommandError: As `open_source`. Where the file is no text and a folder led to
            it, the message has a pattern that leaves such files out.
    """
    try:
        with open_source(name) as source:
            yield source
    except CommandError as error:
        above = Path(name).parents
        folder = next((each for each in arguments or () if Path(each) in above), None)
        if folder is None or not isinstance(error.__cause__, UnicodeError):
            raise
        pattern = Path(folder, "**", "*.md")
        msg = f"{error}; a pattern leaves out what is no text, such as '{pattern}'"
        raise CommandError(msg) from error


def check_not_written(files: Iterable[str], output: str | None) -> None:
    """Check that no file is read and written at once.

    Args:
        files: What is read.
        output: The file that is written; ``None`` is standard output.

    Raises:
        CommandError: The output is one of the files: what is written to it would be
            read again.
    """
    written = _facts(output, sys.stdout)
    if written is None or not stat.S_ISREG(written.st_mode):
        return
    for name in files:
        facts = _facts(None if name == STDIN else name, sys.stdin)
        if facts is not None and os.path.samestat(facts, written):
            msg = f"{shown_name(name)}: is read, so the output cannot go there"
            raise CommandError(msg)


def _named_by(argument: str) -> list[str]:
    # An empty path would be the present folder.
    if argument and Path(argument).is_dir():
        found = sorted(_below(argument))
        problem = "there are no files in this folder"
    elif glob.has_magic(argument) and not os.path.lexists(argument):
        # Path.glob has no way for patterns that begin at the root.
        matching = glob.glob(argument, recursive=True)  # noqa: PTH207
        found = sorted(name for name in matching if not Path(name).is_dir())
        problem = "no file matches"
    else:
        return [argument]
    if not found:
        msg = f"{shown_name(argument)}: {problem}"
        raise CommandError(msg)
    return found


def _below(folder: str) -> Iterable[str]:
    for place, folders, names in os.walk(folder, onerror=_tell):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(place, name)
            # Not a pipe or a socket, which might never end.
            if not name.startswith(".") and path.is_file():
                yield str(path)


def _tell(error: OSError) -> NoReturn:
    msg = f"{shown_name(error.filename)}: {error.strerror}"
    raise CommandError(msg) from error


def _facts(name: str | None, stream: TextIO | None) -> os.stat_result | None:
    """Return what the system says about a file, or about a stream without a name."""
    with suppress(OSError):
        if name is not None:
            return Path(name).stat()
        if stream is not None:
            return os.fstat(stream.fileno())
    return None
