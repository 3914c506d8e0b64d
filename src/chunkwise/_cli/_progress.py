"""How far a command has come: a bar on standard error, where somebody can see it."""

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

from typing_extensions import override

from ._sources import STDIN


class Meter:
    """Takes what was done, and shows nothing."""

    def count(self, *, read: int, chunks: int) -> None:
        """Say what is new.

        Args:
            read: Bytes of the file that were read by now.
            chunks: How many more chunks there are.
        """

    def end_file(self) -> None:
        """Say that a file is done."""


class _Bar(Meter):
    """Shows files, bytes, and chunks a second."""

    def __init__(self, show: Callable[[int, int, float], None]) -> None:
        self._show = show
        self._began = monotonic()
        self._files = self._before = self._read = self._chunks = 0

    @override
    def count(self, *, read: int, chunks: int) -> None:
        self._read = read
        self._chunks += chunks
        self._update()

    @override
    def end_file(self) -> None:
        self._before += self._read
        self._read = 0
        self._files += 1
        self._update()

    def _update(self) -> None:
        seconds = max(monotonic() - self._began, 1e-3)
        self._show(self._files, self._before + self._read, self._chunks / seconds)


@contextmanager
def show_progress(files: Sequence[str], output: str | None) -> Iterator[Meter]:
    """Show a bar while the block runs, where that disturbs nobody.

    That is where standard error is a terminal and the output goes into a file. On a
    terminal the output itself shows how far it has come, and what reads a pipe may
    write to the same terminal.

    Args:
        files: All files that will be read.
        output: The file that is written; ``None`` is standard output.
    """
    if not (_is_seen() and (output is not None or _is_stored())):
        yield Meter()
        return
    # Takes time to import, so only where it is shown.
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
    )

    columns = (
        TextColumn("{task.fields[file]}/{task.fields[files]} files"),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[rate]:,.0f} chunks/s"),
    )
    with Progress(
        *columns,
        console=Console(stderr=True),
        # It would stand in the place of the streams, and they are written as bytes.
        redirect_stdout=False,
        redirect_stderr=False,
    ) as progress:
        task = progress.add_task(
            "", total=_size(files), files=len(files), file=0, rate=0.0
        )

        def show(done: int, read: int, rate: float) -> None:
            progress.update(task, completed=read, file=done, rate=rate)

        yield _Bar(show)


def _is_seen() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


def _is_stored() -> bool:
    """Whether standard output is neither a terminal nor a pipe."""
    with suppress(OSError):
        if sys.stdout is not None and not sys.stdout.isatty():
            mode = os.fstat(sys.stdout.fileno()).st_mode
            return stat.S_ISREG(mode) or stat.S_ISCHR(mode)
    return False


def _size(files: Sequence[str]) -> int | None:
    """Return the bytes in all files; ``None`` where that cannot be known."""
    size = 0
    for name in files:
        try:
            facts = Path(name).stat()
        except OSError:
            return None
        if name == STDIN or not stat.S_ISREG(facts.st_mode):
            return None
        size += facts.st_size
    return size
