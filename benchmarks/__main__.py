"""Runs the benchmarks and writes what came out.

``python -m benchmarks`` answers all questions and writes ``RESULTS.md``;
``python -m benchmarks per_delta growth`` answers these two and only prints.
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import platform
import sys
import sysconfig
import time
from pathlib import Path

from chunkwise import __version__

from . import (
    bench_corpora,
    bench_growth,
    bench_hard,
    bench_imports,
    bench_memory,
    bench_per_delta,
    bench_sentences,
    bench_sizes,
    bench_streams,
    bench_throughput,
    bench_validation,
)
from ._peers import peers
from ._sentence_splitters import splitter_versions
from ._splitters import versions
from ._texts import answer_text

_QUESTIONS = {
    "per_delta": bench_per_delta.run,
    "growth": bench_growth.run,
    "hard": bench_hard.run,
    "throughput": bench_throughput.run,
    "memory": bench_memory.run,
    "imports": bench_imports.run,
    "streams": bench_streams.run,
    "corpora": bench_corpora.run,
    "sizes": bench_sizes.run,
    "sentences": bench_sentences.run,
    "validation": bench_validation.run,
}
_RESULTS = Path(__file__).with_name("RESULTS.md")


def main() -> None:
    """Answer the questions that the command line names, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("question", nargs="*", help=f"of {', '.join(_QUESTIONS)}")
    asked: list[str] = parser.parse_args().question
    for name in asked:
        if name not in _QUESTIONS:
            parser.error(f"no question {name!r}, choose from {', '.join(_QUESTIONS)}")
    parts = [_about(asked)]
    print(parts[0])
    for name in asked or _QUESTIONS:
        began = time.perf_counter()
        parts.append(_QUESTIONS[name]().markdown())
        print(f"\n{parts[-1]}", flush=True)
        took = time.perf_counter() - began
        print(f"{name}: {took:.0f} s", file=sys.stderr, flush=True)
    if not asked:
        _RESULTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def _about(asked: list[str]) -> str:
    """Return the head of the report: what was measured, where, with which command."""
    command = " ".join(["python -m benchmarks", *asked])
    build = platform.python_build()
    optimised = "--enable-optimizations" in (
        sysconfig.get_config_var("CONFIG_ARGS") or ""
    )
    text, source = answer_text()
    others = {peer.name: peer.version for peer in peers()}
    others |= versions() | splitter_versions()
    facts = {
        "command": f"`{command}` (all questions: `nox -s bench`)",
        "date": dt.datetime.now(dt.timezone.utc).date().isoformat(),
        "chunkwise": __version__,
        **{name: found or "not installed" for name, found in others.items()},
        "Python": f"{platform.python_implementation()} {platform.python_version()} "
        f"({build[1]}; {platform.python_compiler()}; "
        f"{'with' if optimised else 'without'} profile-guided optimisation)",
        "machine": f"{platform.system()} {platform.machine()}, {_cpu()}, "
        f"{os.cpu_count()} CPUs",
        "answer text": f"{source}, {len(text):,} code points",
    }
    lines = [f"- {name}: {value}" for name, value in facts.items()]
    head = "Written by the command below, not by hand; `README.md` explains the terms."
    return "\n\n".join(["# Results", head, "\n".join(lines)])


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown CPU"
    for line in lines:
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            return value.strip()
    return "unknown CPU"


if __name__ == "__main__":
    main()
