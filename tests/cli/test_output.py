"""What goes to standard output, and what happens when it cannot."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from tests.commands import ANSWER, PLAIN, call, started, texts

if TYPE_CHECKING:
    from tests.commands import Run

LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"


def test_line_ends_and_backslashes_are_escaped_so_that_it_can_be_undone(
    run: Run,
) -> None:
    text = f"a\\n{LINE_ENDS}\\\tz"
    outcome = run("split", "--by", PLAIN, stdin=text.encode())
    line = (
        r"a\\n\n\r\u000b\u000c\u001c\u001d\u001e\u0085\u2028\u2029\\"
        "\tz\n"
    )  # fmt: skip
    assert outcome.out.decode() == line
    as_json = '"' + line[:-1].replace("\t", "\\t") + '"'
    assert json.loads(as_json) == text


def test_a_line_of_json_has_no_line_end_inside(run: Run) -> None:
    text = f"a{LINE_ENDS}z"
    outcome = run("split", "--by", PLAIN, "--json", stdin=text.encode())
    [line] = outcome.out.decode().splitlines()
    assert json.loads(line)["text"] == text


def test_text_is_printed_as_utf_8(run: Run) -> None:
    data = "Grüße, 你好 𝄞".encode()
    assert run("split", "--by", "sentence", stdin=data).out == data + b"\n"
    assert data in run("split", "--by", "sentence", "--json", stdin=data).out


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_a_lone_surrogate_is_printed_as_its_escape(run: Run, form: list[str]) -> None:
    call = ["split", "--by", "word", "--encoding", "unicode_escape", *form]
    outcome = run(*call, stdin=rb"a\udc80")
    assert outcome.code == 0
    assert rb"a\udc80" in outcome.out
    if form:
        assert texts(outcome) == ["a\udc80"]


def test_standard_output_may_not_be_there(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    arguments = ["split", "--by", "word", str(ANSWER)]
    outcome = call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (1, b"", "chunkwise: standard output is closed\n")


def test_output_that_cannot_be_written_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    class Full(io.BytesIO):
        """A disk without space."""

        @override
        def flush(self) -> None:
            raise OSError(errno.ENOSPC, "disk full")

    full = SimpleNamespace(buffer=Full(), fileno=io.BytesIO().fileno)
    monkeypatch.setattr(sys, "stdout", full)
    arguments = ["split", "--by", "word", str(ANSWER)]
    outcome = call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (1, b"", "chunkwise: standard output: disk full\n")


def test_a_closed_pipe_ends_it_and_keeps_nothing_for_later(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    # Closing it writes what is left: that would fail, had it not been given up.
    with os.fdopen(write_end, "w") as broken:
        monkeypatch.setattr(sys, "stdout", broken)
        arguments = ["split", "--by", "word", str(ANSWER)]
        outcome = call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (0, b"", "")


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    with started("split", "--by", "word") as process:
        process.write(b"one ")
        assert process.stdout.readline() == b"one\n"
        process.stdout.close()
        process.write(b"two three ")
        # Input goes on: it is the output that ends it.
        assert process.popen.wait() == 0
        assert process.stderr.read() == b""


def test_lines_are_printed_with_their_ends(run: Run) -> None:
    listed = run("strategies").out
    assert listed.startswith(b"sentence: ")
    assert listed.endswith(b"given\n")
