"""The command ``chunkwise``: arguments and bytes in, chunks out as they end.

Nothing about text is decided here: a `Chunker` does that.
"""

import codecs
import contextlib
import errno
import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from typing import Annotated, Any

import typer

from ._chunk import Chunk
from ._chunker import Chunker
from ._decoding import decode_reads
from ._registry import STRATEGIES, resolve_chunking_strategy, strategy_from_dict
from ._strategy import ChunkingStrategy
from ._version import __version__
from ._white_space import LINE_ENDS
from .errors import ChunkwiseError

_STDIN = "-"

_JSON_ESCAPES = {
    **{ord(end): f"\\u{ord(end):04x}" for end in LINE_ENDS},
    ord("\n"): r"\n",
    ord("\r"): r"\r",
}
"""An escape for every line end that ``str.splitlines`` knows.

In a line of JSON only those from U+0085 on occur unescaped; JSON reads this form, too.
"""

_TEXT_ESCAPES = {ord("\\"): r"\\", **_JSON_ESCAPES}
"""What makes a chunk one line, and can be undone: backslashes are doubled."""

_to_json = json.JSONEncoder(ensure_ascii=False).encode


class ErrorPolicy(str, Enum):
    """What becomes of bytes that the encoding does not allow."""

    STRICT = "strict"
    REPLACE = "replace"
    IGNORE = "ignore"
    BACKSLASHREPLACE = "backslashreplace"


class _CommandError(Exception):
    """A problem to be shown in one line; the command then exits with 1."""


app = typer.Typer(
    add_completion=False,
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


def _list_names() -> list[str]:
    """Return the registered names that are a strategy without any parameter."""
    names: list[str] = []
    for name in STRATEGIES:
        with contextlib.suppress(ValueError):
            resolve_chunking_strategy(name)
            names.append(name)
    return names


def _parse_strategy(by: str) -> str:
    try:
        _strategy_of(by)
    except ValueError as error:
        names = _list_names()
        if by in STRATEGIES or by.startswith("{"):
            raise typer.BadParameter(str(error)) from error
        expected = f"expected one of {', '.join(names)}, or a JSON object"
        msg = f"{by!r} is no strategy, {expected}"
        raise typer.BadParameter(msg) from error
    return by


def _strategy_of(by: str) -> ChunkingStrategy[Any]:
    """Return the strategy that a name or a JSON object describes.

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
    return resolve_chunking_strategy(by)


def _parse_encoding(name: str) -> str:
    try:
        codecs.getincrementaldecoder(name)
        # This knows, and says, which codecs have to do with text.
        io.TextIOWrapper(io.BytesIO(), encoding=name)
    except (LookupError, ValueError) as error:
        msg = f"{name!r} is not a known text encoding"
        raise typer.BadParameter(msg) from error
    return name


@app.command(
    epilog="Exit code: 0 done, also when the reader of the output went away; 1 a file "
    "cannot be read or decoded, or the output not be written; 2 wrong usage; "
    "130 interrupted."
)
def split(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE",
            show_default=False,
            help="Files to read, each a stream of its own; none or - is standard "
            "input.",
        ),
    ] = None,
    *,
    by: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            callback=_parse_strategy,
            help=f"What a chunk is: {', '.join(_list_names())}. "
            'The name sentence means SentenceChunking(rules="plain"). Or a strategy '
            """as a JSON object: '{"type": "sized", "max_size": 200}'.""",
        ),
    ],
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print a JSON object a line: file, text, start, end, index, gap, "
            "complete, kind.",
        ),
    ] = False,
    delta_size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Feed at most N code points at a time instead of what a read gave; "
            "the chunks are the same.",
        ),
    ] = None,
    encoding: Annotated[
        str,
        typer.Option(
            metavar="E", callback=_parse_encoding, help="Encoding of the input."
        ),
    ] = "utf-8",
    errors: Annotated[
        ErrorPolicy, typer.Option(help="What to do with bytes that are not text.")
    ] = ErrorPolicy.STRICT,
) -> None:
    """Print each chunk of the input as soon as it is complete.

    One chunk a line, as UTF-8. A backslash is printed as two, line ends as \\n, \\r
    or \\u and four hex digits. Nothing else about the text changes.
    """  # noqa: D301 - the command shows this text, and \\n has to be two characters
    try:
        for name in files or [_STDIN]:
            form = partial(_json_line, name) if as_json else _text_line
            with _open_source(name) as source:
                deltas = decode_reads(source, encoding, errors.value)
                _print_chunks(_slice_texts(deltas, delta_size), by, form)
    except _CommandError as error:
        typer.echo(f"chunkwise: {error}", err=True)
        raise typer.Exit(1) from error


def _print_chunks(deltas: Iterator[str], by: str, form: Callable[[Chunk], str]) -> None:
    chunker = Chunker(_strategy_of(by))
    for delta in deltas:
        _print(map(form, chunker.feed(delta)))
    _print(map(form, chunker.flush()))


@contextlib.contextmanager
def _open_source(name: str) -> Iterator[io.RawIOBase]:
    """Open a file unbuffered; whatever goes wrong inside becomes one line with *name*.

    A buffer would wait until it is full, and would take a pipe that is not ready for
    one that has ended.
    """
    piped = name == _STDIN
    shown = "standard input" if piped else name if name.isprintable() else repr(name)
    if piped and sys.stdin is None:
        msg = f"{shown} is closed"
        raise _CommandError(msg)
    try:
        place = sys.stdin.fileno() if piped else name
        with open(place, "rb", buffering=0, closefd=not piped) as source:
            yield source
    except OSError as error:
        msg = f"{shown}: {error.strerror or error}"
        raise _CommandError(msg) from error
    except (UnicodeError, ChunkwiseError) as error:
        msg = f"{shown}: {error}"
        raise _CommandError(msg) from error


def _slice_texts(texts: Iterator[str], size: int | None) -> Iterator[str]:
    """Yield the texts in pieces of at most *size* code points.

    A piece never waits for the next text, or a live stream would be shown late.
    """
    for text in texts:
        step = size or len(text) or 1
        for start in range(0, len(text), step):
            yield text[start : start + step]


def _text_line(chunk: Chunk) -> str:
    return chunk.translate(_TEXT_ESCAPES)


def _json_line(file: str, chunk: Chunk) -> str:
    facts = {
        "file": file,
        "text": chunk,
        "start": chunk.start,
        "end": chunk.end,
        "index": chunk.index,
        "gap": chunk.gap,
        "complete": chunk.complete,
        "kind": chunk.kind,
    }
    return _to_json(facts).translate(_JSON_ESCAPES)


def _print(lines: Iterator[str]) -> None:
    r"""Write the lines to standard output at once.

    They go around the text layer, which has the encoding and the line end of the
    platform. A lone surrogate, which UTF-8 cannot express, comes out as ``\udc80``,
    which is its form in JSON as well.
    """
    written = "".join(line + "\n" for line in lines)
    if not written:
        return
    if sys.stdout is None:
        msg = "standard output is closed"
        raise _CommandError(msg)
    try:
        sys.stdout.buffer.write(written.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        _give_up_output()
        # Windows calls a closed pipe an invalid argument.
        if error.errno in {errno.EPIPE, errno.EINVAL}:
            raise typer.Exit from error
        msg = f"standard output: {error.strerror or error}"
        raise _CommandError(msg) from error


def _give_up_output() -> None:
    """Send what is still buffered nowhere, or the interpreter fails on it at exit."""
    with contextlib.suppress(OSError):
        number = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
