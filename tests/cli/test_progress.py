"""How far a command has come: a bar, where somebody can see it."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.commands import ANSWER, call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.commands import Outcome

pty = pytest.importorskip("pty", reason="needs a terminal of its own")

SPLIT = ["split", "--by", "word"]


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Give both ends of a terminal: of who looks at it, and of who writes."""
    looks, writes = pty.openpty()
    try:
        yield looks, writes
    finally:
        os.close(looks)
        os.close(writes)


@pytest.fixture
def run_seen(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., tuple[Outcome, str]]:
    """Return a function that runs the command with a terminal as standard error."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")

    def run_seen(*arguments: str) -> tuple[Outcome, str]:
        with terminal() as (looks, writes), monkeypatch.context() as patch:
            with os.fdopen(os.dup(writes), "w") as error:
                patch.setattr(sys, "stderr", error)
                outcome = call(*arguments, patch=patch, captured=capsysbinary)
            # So that there is something to read in any case.
            os.write(writes, b"\nend\n")
            seen = b""
            while b"end" not in seen:
                seen += os.read(looks, 1 << 16)
        return outcome, seen.decode()

    return run_seen


def test_a_file_that_is_written_shows_files_bytes_and_chunks_a_second(
    run_seen: Callable[..., tuple[Outcome, str]], tmp_path: Path
) -> None:
    output = str(tmp_path / "out.txt")
    outcome, seen = run_seen(*SPLIT, "-o", output, str(ANSWER), str(ANSWER))
    assert (outcome.code, outcome.out) == (0, b"")
    size = 2 * ANSWER.stat().st_size / 1000
    assert "2/2 files" in seen
    assert f"{size:.1f}/{size:.1f} kB" in seen
    assert "chunks/s" in seen


def test_standard_output_that_is_a_file_shows_it_too(
    run_seen: Callable[..., tuple[Outcome, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        _, seen = run_seen(*SPLIT, str(ANSWER))
    assert "1/1 files" in seen


def test_bytes_are_shown_without_a_total_where_none_is_known(
    run_seen: Callable[..., tuple[Outcome, str]], tmp_path: Path
) -> None:
    outcome, seen = run_seen(*SPLIT, "-o", str(tmp_path / "o.txt"), os.devnull)
    assert outcome.code == 0
    assert "0/? bytes" in seen


def test_a_file_that_is_missing_is_told_below_the_bar(
    run_seen: Callable[..., tuple[Outcome, str]], tmp_path: Path
) -> None:
    outcome, seen = run_seen(*SPLIT, "-o", str(tmp_path / "o.txt"), "nowhere")
    assert outcome.code == 1
    assert seen.index("0/1 files") < seen.index("chunkwise: nowhere: ")


def test_a_pipe_that_somebody_reads_shows_no_bar(
    run_seen: Callable[..., tuple[Outcome, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    reads, writes = os.pipe()
    with os.fdopen(writes, "w") as out, os.fdopen(reads):
        monkeypatch.setattr(sys, "stdout", out)
        _, seen = run_seen(*SPLIT, str(ANSWER))
    assert seen.split() == ["end"]


def test_a_terminal_that_shows_the_chunks_shows_no_bar(
    run_seen: Callable[..., tuple[Outcome, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with terminal() as (_, writes), os.fdopen(os.dup(writes), "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        _, seen = run_seen(*SPLIT, os.devnull)
    assert seen.split() == ["end"]


def test_without_a_standard_output_there_is_no_bar(
    run_seen: Callable[..., tuple[Outcome, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    _, seen = run_seen(*SPLIT, os.devnull)
    assert seen.split() == ["end"]


def test_where_standard_error_is_no_terminal_there_is_no_bar(
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> None:
    arguments = [*SPLIT, "-o", str(tmp_path / "out.txt"), str(ANSWER)]
    outcome = call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (0, b"", "")
