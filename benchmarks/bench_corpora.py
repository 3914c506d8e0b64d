"""How fast are corpora and live streams chunked by engines, and in which memory?"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ._corpus_run import COLUMN
from ._report import Section, Table, digits, said
from ._texts import answer_text, deltas_of, markdown

if TYPE_CHECKING:
    from collections.abc import Mapping

_TEXT = """
100 MB of answer text in Parquet files of documents of 10,000 code points, cut into
sentences by the default rules, and written to Parquet. Each run is a set of processes
of its own. "start" is the time until the engine takes work, and not in MB/s; all are
seconds on the clock, so they want a quiet machine with a processor for each worker.
Memory is the largest sum over all processes of a run, shared parts counted once (`Pss`
of Linux), looked at ten times a second; "growth" is that for 100 MB as a multiple of
that for 25 MB. The bar is for one process: engines take memory as it is there, up to
limits of their own.

Live streams are 1,000 at once on Spark, each with 20 deltas of 4 code points in a
batch, which Spark's `ChunkProcessor` takes out of its state, goes on with, and puts
back. The first of 6 batches counts as the start. Time for a stream in a batch is all
that a batch takes, its writing included, divided by the streams and multiplied by the
workers.
"""
_SIZES = (25_000_000, 100_000_000)
_FILE = 5_000_000
_STREAMS = 1_000
_DELTAS = 20
_BATCHES = 6
_DOCUMENT = 10_000
_INTERVAL = 0.1
_GROWTH = 1.1
_RUNS = [
    ("one process", 1),
    ("Ray Data", 1),
    ("Ray Data", 2),
    ("Spark", 1),
    ("Spark", 2),
]
_NEEDS = {
    "one process": ("pyarrow",),
    "Ray Data": ("pyarrow", "ray"),
    "Spark": ("pyarrow", "pandas", "pyspark"),
}
_LIVE = (1, 2)


class _Run(NamedTuple):
    """What one run took.

    Attributes:
        start: Seconds until the engine took work.
        work: Seconds from then on.
        memory: Bytes of all its processes, at most.
    """

    start: float
    work: float
    memory: int


def run() -> Section:
    """Chunk corpora and live streams with everything that is installed."""
    head = ["engine", "workers", "start", "speed", "memory", "growth", "bar", "met"]
    live_head = ["live streams", "workers", "start", "deltas/s", "a stream in a batch"]
    missing = {name: _missing(name) for name in _NEEDS}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources: Mapping[int, Path] = {}
        if not missing["one process"]:
            sources = {size: _corpus(folder / f"{size}", size) for size in _SIZES}
        rows = [
            [name, str(workers), missing[name], *["-"] * 5]
            if missing[name]
            else _row(name, workers, sources)
            for name, workers in _RUNS
        ]
        absence = missing["Spark"]
        source = folder / "live"
        if not absence:
            _write_streams(source)
        live_rows = [
            ["Spark", str(workers), absence, "-", "-"]
            if absence
            else _live_row(workers, source)
            for workers in _LIVE
        ]
    return Section("Corpora", _TEXT, [Table(head, rows), Table(live_head, live_rows)])


def _missing(engine: str) -> str:
    """Return what keeps an engine from being measured, or nothing."""
    if any(find_spec(module) is None for module in _NEEDS[engine]):
        return "not installed"
    if engine == "Spark" and shutil.which("java") is None:
        return "no Java"
    return "" if Path("/proc/self/smaps_rollup").exists() else "not on Linux"


def _row(engine: str, workers: int, sources: Mapping[int, Path]) -> list[str]:
    small, large = (_measured(engine, workers, sources[size]) for size in _SIZES)
    growth = large.memory / small.memory
    has_bar = engine == "one process"
    return [
        engine,
        str(workers),
        f"{digits(large.start)} s",
        f"{digits(_SIZES[-1] / 1e6 / large.work)} MB/s",
        f"{digits(large.memory / 1e6)} MB",
        digits(growth),
        f"≤ {_GROWTH}" if has_bar else "-",
        said(growth <= _GROWTH if has_bar else None),
    ]


def _live_row(workers: int, source: Path) -> list[str]:
    measured = _measured("live", workers, source)
    visits = _STREAMS * (_BATCHES - 1)
    return [
        "Spark",
        str(workers),
        f"{digits(measured.start)} s",
        digits(visits * _DELTAS / measured.work),
        f"{digits(measured.work / visits * workers * 1e3)} ms",
    ]


def _write_streams(folder: Path) -> None:
    """Write a file of rows for each batch, each with the next deltas of all streams."""
    import pyarrow as pa  # noqa: PLC0415 - not all who measure have it
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    folder.mkdir()
    deltas = deltas_of(answer_text().text, 4)
    for batch in range(_BATCHES):
        rows = [
            {
                "key": f"{key:04}",
                "number": number,
                "delta": deltas[(key * 7_919 + number) % len(deltas)],
                "end": False,
            }
            for number in range(batch * _DELTAS, (batch + 1) * _DELTAS)
            for key in range(_STREAMS)
        ]
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{batch:03}.parquet")


def _corpus(folder: Path, size: int) -> Path:
    """Write about *size* bytes of documents into files, and return their folder."""
    import pyarrow as pa  # noqa: PLC0415 - not all who measure have it
    import pyarrow.parquet as pq  # noqa: PLC0415 - as above

    folder.mkdir()
    text = markdown(size)
    documents: list[str] = []
    left = size
    for at in range(0, len(text), _DOCUMENT):
        documents.append(text[at : at + _DOCUMENT])
        left -= len(documents[-1].encode())
        if left <= 0:
            break
    each = _FILE // _DOCUMENT
    for number, first in enumerate(range(0, len(documents), each)):
        part = documents[first : first + each]
        ids = range(first, first + len(part))
        table = pa.table({"id": pa.array(ids, pa.int64()), COLUMN: part})
        pq.write_table(table, folder / f"{number:03}.parquet")
    return folder


def _measured(engine: str, workers: int, source: Path) -> _Run:
    with (
        tempfile.TemporaryDirectory() as sink,
        subprocess.Popen(  # noqa: S603 - names out of our own tables
            [
                *(sys.executable, "-m", "benchmarks._corpus_run"),
                *(engine, str(workers), str(source), sink),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process,
    ):
        memory = 0
        while process.poll() is None:
            memory = max(memory, sum(map(_pss, _family(process.pid))))
            try:
                process.wait(_INTERVAL)
            except subprocess.TimeoutExpired:
                continue
        assert process.stdout is not None  # noqa: S101 - a pipe
        lines = process.stdout.read().decode().splitlines()
    if process.returncode:
        msg = f"{engine} with {workers} workers ended with {process.returncode}"
        raise RuntimeError(msg)
    start, work = json.loads(lines[-1])
    return _Run(start, work, memory)


def _family(root: int) -> set[int]:
    """Return a process and all that it started, and these."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            stat = _read(entry / "stat")
            # The name of a process is in brackets, and may have any in it.
            fields = stat.rpartition(")")[2].split()
            if fields:
                parents[int(entry.name)] = int(fields[1])
    family = {root}
    grows = True
    while grows:
        found = {child for child, parent in parents.items() if parent in family}
        grows = not found <= family
        family |= found
    return family


def _pss(process: int) -> int:
    """Return the bytes of a process, and its share of what it has with others."""
    for line in _read(Path("/proc", str(process), "smaps_rollup")).splitlines():
        name, _, value = line.partition(":")
        if name == "Pss":
            return int(value.split()[0]) * 1_024
    return 0


def _read(path: Path) -> str:
    """Return what a file says of a process, or nothing if that has ended."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
