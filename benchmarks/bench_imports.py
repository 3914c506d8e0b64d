"""How long does a program wait before its first chunk?"""

from __future__ import annotations

import os
import subprocess
import sys
from statistics import median
from tempfile import TemporaryDirectory

from ._report import Section, Table, digits, said

_DEPENDENCIES = "import anyio, regex, typing_extensions"
_TEXT = """
CPU time of new processes: medians of {runs} each, which take turns. What chunkwise
depends on is imported before the time begins, and is the first row. Bytecode is cached,
as it is behind an installation. A first word, sentence or block is timed with the
import of all that it takes to get there; `import *` imports everything that the package
names.
"""
_RUNS = 21
_BAR = 30
"""Milliseconds."""
_CHUNKS = "from chunkwise import iter_chunks; list(iter_chunks([{text!r}], {name!r}))"
_LINES = {
    "import chunkwise": "import chunkwise",
    "first word": _CHUNKS.format(text="It is on. ", name="word"),
    "first sentence": _CHUNKS.format(text="It is on. Now wait. ", name="sentence"),
    "first block of Markdown": _CHUNKS.format(text="# On\n\nIt is.", name="markdown"),
    "import *": "from chunkwise import *",
}
_WITH_BAR = ("import chunkwise", "first word", "first sentence")


def run() -> Section:
    """Time what programs begin with."""
    taken: dict[str, list[float]] = {name: [] for name in ("before", *_LINES)}
    with TemporaryDirectory() as folder:
        for line in _LINES.values():
            _milliseconds(line, folder)  # Writes the bytecode.
        for _ in range(_RUNS):
            for name, line in _LINES.items():
                before, own = _milliseconds(line, folder)
                taken["before"].append(before)
                taken[name].append(own)
    medians = {name: median(times) for name, times in taken.items()}
    rows = [[f"`{_DEPENDENCIES}`", _cell(medians["before"]), "-", "-"]]
    rows += [_row(name, medians[name]) for name in _LINES]
    text = _TEXT.format(runs=_RUNS)
    return Section(
        "Time to the first chunk",
        text,
        [Table(["beginning", "time", "bar", "met"], rows)],
    )


def _milliseconds(line: str, folder: str) -> tuple[float, float]:
    """Return what a new process takes for the dependencies, and for *line*."""
    code = (
        "from time import process_time as now; began = now()\n"
        f"{_DEPENDENCIES}\nmiddle = now()\n{line}\nended = now()\n"
        "print(1e3 * (middle - began), 1e3 * (ended - middle))"
    )
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(  # noqa: S603 - lines out of our own table
        [sys.executable, "-c", code],
        env=environment,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    before, own = map(float, done.stdout.split())
    return before, own


def _row(name: str, taken: float) -> list[str]:
    title = f"`{name}`" if name.startswith("import") else name
    if name not in _WITH_BAR:
        return [title, _cell(taken), "-", said(None)]
    return [title, _cell(taken), f"< {_BAR} ms", said(taken < _BAR)]


def _cell(milliseconds: float) -> str:
    return f"{digits(milliseconds)} ms"
