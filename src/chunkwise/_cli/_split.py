"""``chunkwise split``: bytes in, chunks out as they end."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Annotated

import typer

from .._chunk import Chunk
from .._chunker import Chunker
from ..errors import ChunkwiseError
from ._by import By, strategy_of
from ._files import Files, check_not_written, find_files, open_found
from ._problems import tell_problems
from ._progress import show_progress
from ._sinks import Output, open_sink
from ._sources import Encoding, ErrorPolicy, Errors, read_deltas


def split(  # noqa: PLR0913 - each is an option of the command
    files: Files = None,
    *,
    by: By,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print a JSON object a line: file, text, start, end, index, gap, "
            "complete, kind.",
        ),
    ] = False,
    output: Output = None,
    delta_size: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Feed at most N code points at a time instead of what a read gave; "
            "the chunks are the same.",
        ),
    ] = None,
    encoding: Encoding = "utf-8",
    errors: Errors = ErrorPolicy.STRICT,
) -> None:
    """Print each chunk of the input as soon as it is complete.

    One chunk a line, as UTF-8. A backslash is printed as two, line ends as \\n, \\r
    or \\u and four hex digits. Nothing else about the text changes.
    """  # noqa: D301 - the command shows this text, and \\n has to be two characters
    if as_json and output is not None:
        msg = "--json is for standard output; a file that ends in .jsonl holds the same"
        raise typer.BadParameter(msg)
    with tell_problems():
        names = find_files(files)
        check_not_written(names, output)
        with (
            open_sink(output, as_json=as_json) as write,
            show_progress(names, output) as meter,
        ):
            for name in names:
                with open_found(name, files) as source:
                    deltas = read_deltas(source, encoding, errors, delta_size)
                    for chunks in _released(deltas, Chunker(strategy_of(by[0]))):
                        write(name, chunks)
                        meter.count(read=source.count, chunks=len(chunks))
                meter.end_file()


def _released(deltas: Iterable[str], chunker: Chunker) -> Iterator[list[Chunk]]:
    """Yield the chunks of *deltas*, and what is pending where reading them fails.

    Raises:
        UnicodeError: A byte is not text. All text before it has been yielded.
        OSError: A read failed. The same holds.
    """
    try:
        for delta in deltas:
            yield chunker.feed(delta)
    except (UnicodeError, OSError):
        # A strategy that refuses text which broke off has nothing more to release.
        with suppress(ChunkwiseError):
            yield chunker.flush(truncated=True)
        raise
    yield chunker.flush()
