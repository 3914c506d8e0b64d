"""The command, called in this process or started as one of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypeAlias

import pytest

from chunkwise.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANSWER = Path(__file__).parents[1] / "docs" / "examples" / "answer.md"

PLAIN = '{"type": "sentence", "rules": "plain"}'


class Outcome(NamedTuple):
    """What one call of the command came to."""

    code: object
    out: bytes
    err: str


Run: TypeAlias = "Callable[..., Outcome]"
"""Calls the command with arguments, and with ``stdin=`` as its input."""


def call(
    *arguments: str,
    patch: pytest.MonkeyPatch,
    captured: pytest.CaptureFixture[bytes],
) -> Outcome:
    """Call the command in this process, with the standard streams as they are."""
    patch.setattr(sys, "argv", ["chunkwise", *arguments])
    with pytest.raises(SystemExit) as exit_:
        main()
    out, err = captured.readouterr()
    return Outcome(exit_.value.code, out, err.decode())


def texts(outcome: Outcome) -> list[str]:
    """Return the texts in JSON lines."""
    return [json.loads(line)["text"] for line in outcome.out.split(b"\n")[:-1]]


def told(outcome: Outcome) -> str:
    """Return what was said on standard error, without frames and line breaks."""
    return " ".join(outcome.err.replace("│", " ").split())


@contextmanager
def started(*arguments: str, code: str = "") -> Iterator[Process]:
    """Start the command as a process of its own, with all three streams piped."""
    how = ["-c", code] if code else ["-m", "chunkwise"]
    with subprocess.Popen(  # noqa: S603 - our own interpreter and command
        [sys.executable, *how, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as popen:
        # Never waited for: it only keeps a test that fails from hanging.
        guard = threading.Timer(60, popen.kill)
        guard.start()
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        try:
            yield Process(popen, popen.stdin, popen.stdout, popen.stderr)
        finally:
            guard.cancel()
            popen.kill()


class Process(NamedTuple):
    """A running command."""

    popen: subprocess.Popen[bytes]
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def write(self, data: bytes) -> None:
        """Give it *data* to read now."""
        self.stdin.write(data)
        self.stdin.flush()
