"""Files and standard input: how bytes become text, and what can be wrong."""

from __future__ import annotations

import errno
import json
import os
import sys
from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from chunkwise import ChunkingStrategy
from tests.commands import PLAIN, call, started, texts, told

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Any

    from tests.commands import Run


def test_line_ends_are_not_translated(run: Run) -> None:
    outcome = run("split", "--by", "line", "--json", stdin=b"a\r\nb\rc\n")
    assert texts(outcome) == ["a\r\n", "b\r", "c\n"]


def test_a_bom_at_the_start_is_not_text(run: Run) -> None:
    call = ["split", "--by", "sentence", "--json", "--encoding", "utf-16-le"]
    outcome = run(*call, stdin="\ufeffa\ufeff".encode("utf-16-le"))
    assert json.loads(outcome.out)["start"] == 0
    assert texts(outcome) == ["a\ufeff"]


def test_bad_bytes_are_an_error_with_their_offset(run: Run, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.write_bytes(b"One. Tw\xffo. Three. ")
    good.write_bytes(b"Good. ")
    outcome = run("split", "--by", "sentence", str(good), str(bad), str(good))
    where = f"{bad}: 0xff at byte offset 7 is not utf-8: invalid start byte"
    assert outcome == (1, b"Good.\nOne.\nTw\n", f"chunkwise: {where}\n")


def test_a_bad_start_says_so_in_one_line(run: Run) -> None:
    outcome = run("split", "--by", "word", "--encoding", "utf-16", stdin=b"abcd")
    assert (outcome.code, outcome.out) == (1, b"")
    assert "does not start with BOM" in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("policy", "text"),
    [("replace", "a\ufffdb"), ("ignore", "ab"), ("backslashreplace", r"a\xffb")],
)
def test_a_policy_may_let_bad_bytes_pass(run: Run, policy: str, text: str) -> None:
    call = ["split", "--by", "word", "--json", "--errors", policy]
    assert texts(run(*call, stdin=b"a\xffb")) == [text]


@pytest.mark.parametrize("name", ["utf-9", "hex"])
def test_an_encoding_that_is_none_of_text_is_a_wrong_use(run: Run, name: str) -> None:
    outcome = run("split", "--by", "word", "--encoding", name)
    assert (outcome.code, outcome.out) == (2, b"")
    assert f"'{name}' is not a known text encoding" in told(outcome)


def test_a_missing_file_is_one_line(run: Run, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    outcome = run("split", "--by", "word", missing)
    problem = os.strerror(errno.ENOENT)
    assert outcome == (1, b"", f"chunkwise: {missing}: {problem}\n")


def test_a_name_that_is_not_printable_stays_on_its_line(run: Run) -> None:
    outcome = run("split", "--by", "word", "no\nsuch\udc80file")
    assert outcome.err.startswith(r"chunkwise: 'no\nsuch\udc80file': ")


def test_a_strategy_that_breaks_its_contract_is_one_line(
    run: Run, register: Callable[[str, type[ChunkingStrategy[Any]]], None]
) -> None:
    class Inventing(ChunkingStrategy):
        """Returns what is not in the text."""

        @override
        def split(self, text: str) -> list[str]:
            return ["nowhere"]

    register("inventing", Inventing)
    outcome = run("split", "--by", "inventing", stdin=b"text")
    assert (outcome.code, outcome.out) == (1, b"")
    assert outcome.err.startswith("chunkwise: standard input: Inventing: ")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes always wait")
def test_a_source_that_does_not_wait_has_not_ended(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(read_end, False)
    os.write(write_end, b"One. Tw")
    with os.fdopen(read_end) as source, os.fdopen(write_end, "wb"):
        monkeypatch.setattr(sys, "stdin", source)
        arguments = ["split", "--by", "sentence"]
        outcome = call(*arguments, patch=monkeypatch, captured=capsysbinary)
    problem = os.strerror(errno.EAGAIN)
    expected = (1, b"One.\nTw\n", f"chunkwise: standard input: {problem}\n")
    assert outcome == expected


def test_standard_input_may_not_be_there(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    arguments = ["split", "--by", "word", "-"]
    outcome = call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (1, b"", "chunkwise: standard input is closed\n")


def test_a_process_that_meets_bad_bytes_prints_no_traceback() -> None:
    with started("split", "--by", PLAIN) as process:
        out, err = process.popen.communicate(b"\xef\xbb\xbfOne.\r\n\xff")
    assert (process.popen.returncode, out.rstrip()) == (1, b"One.")
    says = "standard input: 0xff at byte offset 9 is not utf-8: invalid start byte"
    assert err.decode().rstrip() == f"chunkwise: {says}"


def test_a_folder_and_an_empty_name_are_no_file(run: Run, tmp_path: Path) -> None:
    outcome = run("view", str(tmp_path))
    says = f"chunkwise: {tmp_path}: expected a file, got a folder\n"
    assert outcome == (1, b"", says)
    for command in (["view"], ["replay"], ["split", "--by", "word"]):
        says = "chunkwise: '': expected a file, got no name\n"
        assert run(*command, "") == (1, b"", says)
