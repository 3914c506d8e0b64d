"""Where chunks go: lines on standard output or in a file, or rows of a table."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands import ANSWER, told

if TYPE_CHECKING:
    from tests.commands import Run

SPLIT = ["split", "--by", "sentence"]


@pytest.mark.parametrize(("ending", "form"), [("txt", []), ("JSONL", ["--json"])])
def test_a_file_of_lines_holds_what_would_have_been_printed(
    run: Run, tmp_path: Path, ending: str, form: list[str]
) -> None:
    output = tmp_path / f"out.{ending}"
    assert run(*SPLIT, "-o", str(output), str(ANSWER)) == (0, b"", "")
    assert output.read_bytes() == run(*SPLIT, *form, str(ANSWER)).out


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_a_table_holds_a_row_for_each_chunk(
    run: Run, tmp_path: Path, form: str
) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the extra arrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / f"out.{form}"
    arguments = [*SPLIT, str(ANSWER), "-"]
    assert run(*arguments, "-o", str(output), stdin=b"One. Tw") == (0, b"", "")
    if form == "parquet":
        rows = parquet.read_table(output).to_pylist()
    else:
        with pa.ipc.open_file(output) as file:
            rows = file.read_all().to_pylist()
    lines = run(*arguments, "--json", stdin=b"One. Tw").out.splitlines()
    expected = [json.loads(line) for line in lines]
    for row in expected:
        del row["gap"]
        row["context"] = []
    assert rows == expected


def test_what_a_table_cannot_store_is_one_line(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra arrow")
    output = str(tmp_path / "out.parquet")
    arguments = ["split", "--by", "word", "--encoding", "unicode_escape"]
    outcome = run(*arguments, "-o", output, stdin=rb"one t\udc80o")
    says = "'-': the chunk at 4 holds a lone surrogate, which a table cannot store"
    assert outcome == (1, b"", f"chunkwise: {says}\n")


def test_lines_that_were_written_before_a_problem_can_be_read(
    run: Run, tmp_path: Path
) -> None:
    output = tmp_path / "out.txt"
    outcome = run(*SPLIT, "-o", str(output), "-", "nowhere", stdin=b"One. Tw")
    problem = os.strerror(2)
    assert outcome == (1, b"", f"chunkwise: nowhere: {problem}\n")
    assert output.read_bytes() == b"One.\nTw\n"


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
@pytest.mark.parametrize("earlier", [None, b"earlier"])
def test_a_table_is_whole_or_not_written(
    run: Run, tmp_path: Path, ending: str, earlier: bytes | None
) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra arrow")
    folder = tmp_path / "tables"
    folder.mkdir()
    output = folder / f"out.{ending}"
    if earlier is not None:
        output.write_bytes(earlier)
    outcome = run(*SPLIT, "-o", str(output), "-", "nowhere", stdin=b"One. Tw")
    assert outcome == (1, b"", f"chunkwise: nowhere: {os.strerror(2)}\n")
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert found == ({} if earlier is None else {output.name: earlier})


def test_a_table_takes_the_place_of_an_earlier_file(run: Run, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra arrow")
    table, link = tmp_path / "out.parquet", tmp_path / "link.parquet"
    table.write_bytes(b"earlier")
    table.chmod(0o640)
    link.symlink_to(table)
    mode = table.stat().st_mode
    assert run(*SPLIT, "-o", str(link), stdin=b"One. Tw") == (0, b"", "")
    assert parquet.read_table(table)["text"].to_pylist() == ["One.", "Tw"]
    assert link.is_symlink()
    assert table.stat().st_mode == mode


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_table_does_not_replace_a_device(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra arrow")
    output = tmp_path / "out.arrow"
    output.symlink_to("/dev/full")
    outcome = run(*SPLIT, "-o", str(output), stdin=b"One. Tw")
    assert outcome == (1, b"", f"chunkwise: {output}: {os.strerror(28)}\n")
    output.unlink()
    output.symlink_to("/dev/null")
    assert run(*SPLIT, "-o", str(output), stdin=b"One. Tw") == (0, b"", "")
    assert output.is_char_device()


def test_a_table_does_not_replace_a_folder(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra arrow")
    output = tmp_path / "out.parquet"
    output.mkdir()
    outcome = run(*SPLIT, "-o", str(output))
    assert (outcome.code, outcome.out) == (1, b"")
    assert outcome.err.startswith(f"chunkwise: {output}: ")
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize("name", ["out.csv", "out", ".txt"])
def test_another_ending_is_a_wrong_use(run: Run, name: str) -> None:
    outcome = run(*SPLIT, "-o", name)
    assert (outcome.code, outcome.out) == (2, b"")
    says = "expected a file that ends in .txt, .jsonl, .parquet, .arrow, got"
    assert f"{says} '{name}'" in told(outcome)


def test_a_file_that_cannot_be_written_is_one_line(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "nowhere" / "out.txt"
    outcome = run(*SPLIT, "-o", str(output))
    problem = os.strerror(2)
    assert outcome == (1, b"", f"chunkwise: {output}: {problem}\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_is_one_line(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "full.txt"
    output.symlink_to("/dev/full")
    outcome = run(*SPLIT, "-o", str(output), str(ANSWER))
    problem = os.strerror(28)
    assert outcome == (1, b"", f"chunkwise: {output}: {problem}\n")


def test_without_its_library_a_table_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    forget_tables(monkeypatch)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    output = tmp_path / "out.parquet"
    outcome = run(*SPLIT, "-o", str(output))
    needs = 'a table needs pyarrow: python -m pip install "chunkwise[arrow]"'
    assert outcome == (2, b"", f"chunkwise: {needs}\n")
    assert not output.exists()


def test_any_other_missing_module_is_a_bug_and_looks_like_one(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    forget_tables(monkeypatch)
    monkeypatch.setitem(sys.modules, "chunkwise.interop", None)
    with pytest.raises(ModuleNotFoundError, match=r"chunkwise\.interop"):
        run(*SPLIT, "-o", str(tmp_path / "out.arrow"))


def forget_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules of tables be imported anew."""
    for name in list(sys.modules):
        if name.startswith("chunkwise.interop"):
            monkeypatch.delitem(sys.modules, name)
