"""Which files the arguments name: files, folders, and patterns."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands import call

if TYPE_CHECKING:
    from tests.commands import Outcome, Run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with files below it, from which the command runs."""
    folder = tmp_path / "folder"
    for name in ("b.md", "a.txt", "deep/er/c.md", ".hidden/d.md", "deep/.e.md", "[f]"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    monkeypatch.chdir(folder)
    return folder


def read(outcome: Outcome) -> list[str]:
    """Return the files whose chunks were printed."""
    assert outcome.code == 0, outcome.err
    return [json.loads(line)["file"] for line in outcome.out.splitlines()]


def in_order(*names: str) -> list[str]:
    return [name.replace("/", os.sep) for name in names]


SPLIT = ["split", "--by", "line", "--json"]


@pytest.mark.usefixtures("folder")
def test_a_folder_stands_for_all_files_below_it_but_hidden_ones(run: Run) -> None:
    assert read(run(*SPLIT, ".")) == in_order("[f]", "a.txt", "b.md", "deep/er/c.md")
    assert read(run(*SPLIT, "deep")) == in_order("deep/er/c.md")


@pytest.mark.usefixtures("folder")
def test_a_pattern_stands_for_the_files_that_match(run: Run) -> None:
    assert read(run(*SPLIT, "**/*.md")) == in_order("b.md", "deep/er/c.md")
    # A folder that matches is none of them.
    assert read(run(*SPLIT, "*")) == in_order("[f]", "a.txt", "b.md")
    assert read(run(*SPLIT, "?.*")) == in_order("a.txt", "b.md")


@pytest.mark.usefixtures("folder")
def test_a_file_whose_name_is_a_pattern_is_that_file(run: Run) -> None:
    assert read(run(*SPLIT, "[f]")) == ["[f]"]


@pytest.mark.usefixtures("folder")
def test_arguments_keep_their_order_and_may_repeat(run: Run) -> None:
    found = read(run(*SPLIT, "b.md", "-", "*.md", stdin=b"one"))
    assert found == ["b.md", "-", "b.md"]


@pytest.mark.usefixtures("folder")
def test_a_pattern_or_a_folder_without_files_is_one_line(
    run: Run, tmp_path: Path
) -> None:
    outcome = run(*SPLIT, "a.txt", "*.rst")
    assert outcome == (1, b"", "chunkwise: *.rst: no file matches\n")
    (tmp_path / "empty").mkdir()
    outcome = run(*SPLIT, str(tmp_path / "empty"))
    says = f"chunkwise: {tmp_path / 'empty'}: there are no files in this folder\n"
    assert outcome == (1, b"", says)


@pytest.mark.parametrize("command", ["split", "stats"])
def test_what_is_no_text_in_a_folder_is_told_with_a_pattern(
    run: Run, folder: Path, command: str
) -> None:
    (folder / "deep" / "a.png").write_bytes(b"\x89PNG")
    picture = Path("deep", "a.png")
    problem = f"{picture}: 0x89 at byte offset 0 is not utf-8: invalid start byte"
    pattern = Path("deep", "**", "*.md")
    outcome = run(command, "--by", "line", "deep")
    says = f"{problem}; a pattern leaves out what is no text, such as '{pattern}'"
    assert outcome == (1, b"", f"chunkwise: {says}\n")
    outcome = run(command, "--by", "line", str(picture))
    assert outcome == (1, b"", f"chunkwise: {problem}\n")


def test_a_folder_that_cannot_be_read_is_one_line(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: object) -> None:
        del path
        raise PermissionError(13, "Permission denied", str(folder))

    # A superuser may read any folder.
    monkeypatch.setattr(os, "scandir", refuse)
    outcome = run(*SPLIT, str(folder))
    assert outcome == (1, b"", f"chunkwise: {folder}: Permission denied\n")


def test_a_pipe_in_a_folder_is_not_waited_for(run: Run, folder: Path) -> None:
    if sys.platform == "win32":  # pragma: no cover - has no such pipes
        return
    os.mkfifo(folder / "pipe")
    assert "pipe" not in read(run(*SPLIT, "."))


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", [["."], ["-", "a.txt"]])
def test_a_file_that_is_read_is_not_written(run: Run, arguments: list[str]) -> None:
    outcome = run("split", "--by", "line", "-o", "a.txt", *arguments)
    says = "chunkwise: a.txt: is read, so the output cannot go there\n"
    assert outcome == (1, b"", says)
    assert Path("a.txt").read_text() == "a.txt"


@pytest.mark.usefixtures("folder")
def test_a_file_that_standard_output_goes_to_is_not_read(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with Path("out.txt").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        outcome = call(*SPLIT, "*.txt", patch=monkeypatch, captured=capsysbinary)
    says = "chunkwise: out.txt: is read, so the output cannot go there\n"
    assert outcome == (1, b"", says)


def test_what_standard_input_comes_from_is_not_written(
    run: Run, tmp_path: Path
) -> None:
    output = tmp_path / "out.txt"
    output.symlink_to(tmp_path / "stdin")
    outcome = run("split", "--by", "line", "-o", str(output), stdin=b"kept")
    says = "chunkwise: standard input: is read, so the output cannot go there\n"
    assert outcome == (1, b"", says)
    assert output.read_bytes() == b"kept"


@pytest.mark.usefixtures("folder")
def test_another_file_is_written_anew(run: Run) -> None:
    outcome = run("split", "--by", "line", "-o", "a.txt", "nowhere", "b.md")
    assert outcome.code == 1
    assert run("split", "--by", "line", "-o", "a.txt", "b.md") == (0, b"", "")
    assert Path("a.txt").read_text() == "b.md\n"


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_missing_is_none_that_is_written(run: Run) -> None:
    outcome = run("split", "--by", "line", "-o", "b.txt", "nowhere")
    problem = os.strerror(2)
    assert outcome == (1, b"", f"chunkwise: nowhere: {problem}\n")


def test_standard_output_may_not_be_there(
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    folder: Path,
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    arguments = [*SPLIT, str(folder)]
    outcome = call(*arguments, patch=monkeypatch, captured=capsysbinary)
    assert outcome == (1, b"", "chunkwise: standard output is closed\n")
