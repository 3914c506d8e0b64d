"""The command view: a page, or chunks for a terminal."""

from __future__ import annotations

import json
import re
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise.viewer import Recording, render
from tests.commands import call, started, told

if TYPE_CHECKING:
    from tests.commands import Run

TEXT = "It is on. Now wait.\n"


def data_in(page: bytes | str) -> Any:
    text = page.decode() if isinstance(page, bytes) else page
    (written,) = re.findall(r'id="data">(.*?)</script>', text)
    return json.loads(written)


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A text to be shown."""
    path = tmp_path / "answer.md"
    path.write_bytes(TEXT.encode())
    return str(path)


def pass_for_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let standard output, as it is while a test runs, say that it is a terminal."""
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)


def test_the_page_goes_to_standard_output_when_that_is_a_file(
    run: Run, file: str
) -> None:
    outcome = run("view", file)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.decode() == render(TEXT, title="answer.md")


def test_several_strategies_stand_side_by_side(run: Run, file: str) -> None:
    form = '{"type": "sized", "max_size": 9}'
    outcome = run("view", file, "--by", "word", "--by", form, "--delta-size", "7")
    data = data_in(outcome.out)
    assert [trace["label"] for trace in data["traces"]] == ["word", "sized(max_size=9)"]
    assert data["deltas"] == [[7, 2], [6, 1]]


def test_the_page_goes_to_a_file(run: Run, file: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run("view", file, "-o", str(page)) == (0, b"", "")
    assert page.read_bytes().decode() == render(TEXT, title="answer.md")


def test_a_file_that_cannot_be_written_is_named(
    run: Run, file: str, tmp_path: Path
) -> None:
    outcome = run("view", file, "-o", str(tmp_path / "none" / "page.html"))
    assert outcome.code == 1
    assert told(outcome).endswith("page.html: No such file or directory")


def test_the_text_is_not_replaced_by_its_page(
    run: Run, file: str, tmp_path: Path
) -> None:
    link = tmp_path / "page.html"
    link.symlink_to(file)
    for output in (file, str(link)):
        outcome = run("view", file, "-o", output)
        says = f"chunkwise: {file}: is read, so the output cannot go there\n"
        assert outcome == (1, b"", says)
        assert Path(file).read_bytes() == TEXT.encode()


def test_a_page_is_not_appended_to_its_text(
    file: str,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    with Path(file).open("a") as out:
        monkeypatch.setattr(sys, "stdout", out)
        outcome = call("view", file, patch=monkeypatch, captured=capsysbinary)
    says = f"chunkwise: {file}: is read, so the output cannot go there\n"
    assert outcome == (1, b"", says)
    assert Path(file).read_bytes() == TEXT.encode()


@pytest.mark.parametrize("given", [True, False], ids=["output", "no output"])
def test_the_browser_is_shown_the_file(
    run: Run,
    file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    given: bool,
) -> None:
    opened: list[str] = []

    def note(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(webbrowser, "open", note)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    output = ["-o", str(tmp_path / "chunkwise-own.html")] if given else []
    assert run("view", file, "--open", *output) == (0, b"", "")
    (page,) = tmp_path.rglob("*.html")
    assert opened == [page.resolve().as_uri()]
    assert page.read_bytes().decode() == render(TEXT, title="answer.md")


def test_without_a_browser_the_page_is_named(
    run: Run, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    page = tmp_path / "page.html"
    outcome = run("view", file, "--open", "-o", str(page))
    assert outcome.code == 1
    assert told(outcome).startswith("chunkwise: no browser could be started; the page")
    assert page.exists()


def test_a_page_is_not_written_to_a_terminal(
    run: Run, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pass_for_a_terminal(monkeypatch)
    outcome = run("view", file)
    assert outcome.code == 2
    assert "standard output is a terminal; give --output" in told(outcome)


@pytest.mark.parametrize("option", ["--open", "--output=page.html"])
def test_a_terminal_needs_no_page(run: Run, file: str, option: str) -> None:
    outcome = run("view", file, "--text", option)
    assert outcome.code == 2
    assert "--text prints to standard output" in told(outcome)


def test_a_strategy_that_is_none_is_named(run: Run, file: str) -> None:
    outcome = run("view", file, "--by", "word", "--by", "sentences")
    assert outcome.code == 2
    assert "'sentences' is no strategy, expected one of sentence, clause" in told(
        outcome
    )


def test_text_is_printed_with_marks_where_there_is_no_terminal(
    run: Run, file: str
) -> None:
    outcome = run("view", file, "--text")
    assert outcome == (0, "⟦It is on.⟧·⟦Now wait.⟧↵\n".encode(), "")
    outcome = run("view", "--text", "--by", "word", stdin=b"It is")
    assert outcome == (0, "⟦It⟧·⟦is⟧\n".encode(), "")
    assert run("view", "--text", stdin=b"") == (0, b"", "")


def test_the_reads_of_a_pipe_are_the_deltas_and_its_end_is_none() -> None:
    with started("view", "--by", "word") as process:
        out, _ = process.popen.communicate(b"It is")
        assert data_in(out)["deltas"] == [[5, 1]]
    with started("view", "--by", "word") as process:
        out, _ = process.popen.communicate(b"")
        assert data_in(out)["deltas"] == []


def test_a_terminal_gets_colours_unless_they_are_not_wanted(
    run: Run, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pass_for_a_terminal(monkeypatch)
    assert run("view", file, "--text").out.startswith(b"\x1b[48;5;24")
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("view", file, "--text").out.startswith("⟦It".encode())


def test_several_strategies_are_printed_one_after_another(run: Run, file: str) -> None:
    outcome = run("view", file, "--text", "--by", "word", "--by", "sentence")
    assert outcome.out.decode() == (
        "== word\n⟦It⟧·⟦is⟧·⟦on.⟧·⟦Now⟧·⟦wait.⟧↵\n"
        "== sentence\n⟦It is on.⟧·⟦Now wait.⟧↵\n"
    )


@pytest.mark.parametrize("ending", [".jsonl", ".ndjson"])
def test_a_recorded_stream_is_replayed(run: Run, tmp_path: Path, ending: str) -> None:
    recording = Recording(["It is ", "on.\u2028", "Now"], [0, 1, 2])
    path = tmp_path / f"stream{ending}"
    path.write_text("\n" + "\n".join(recording.to_lines()), encoding="utf-8")
    data = data_in(run("view", str(path)).out)
    assert data["text"] == recording.text
    assert (data["deltas"], data["simulated"]) == ([[6, 1], [4, 1], [3, 1]], 0)
    assert data["times"] == [0, 1000, 1000]
    outcome = run("view", str(path), "--text", "--by=word", "--by=line")
    assert outcome.out.decode().startswith(
        "== word\n⟦It⟧·⟦is⟧·⟦on.⟧<U+2028>⟦Now⟧\n== line"
    )


@pytest.mark.parametrize("text", ["", '{"id": 1}\n{"id": 2}\n', "[1]"])
def test_other_json_lines_are_text(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "data.jsonl"
    path.write_text(text, encoding="utf-8")
    assert data_in(run("view", str(path)).out)["text"] == text


def test_a_wrong_line_of_a_recorded_stream_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "stream.jsonl"
    path.write_text('"a"\n{"text": "b"}\n', encoding="utf-8")
    outcome = run("view", str(path))
    assert outcome.code == 1
    assert told(outcome).startswith(
        f"chunkwise: {path}: line 2: expected a JSON string"
    )


def test_a_file_that_is_not_there_is_named(run: Run) -> None:
    outcome = run("view", "none.md")
    assert outcome == (1, b"", "chunkwise: none.md: No such file or directory\n")


def test_a_pipe_is_recorded_as_it_comes() -> None:
    with started("view", "--by", "word") as process:
        process.write(b"It is ")
        # The end of the pipe comes later than a first read, which is a delta.
        process.stdin.close()
        data = data_in(process.stdout.read())
    assert (data["title"], data["text"]) == ("standard input", "It is ")
    assert data["times"] == [0] * len(data["times"])


def test_a_pipe_is_painted_as_it_comes() -> None:
    with started("view", "--text") as process:
        process.write(b"It is on. Now ")
        painted = "⟦It is on.⟧".encode()
        assert process.stdout.read(len(painted)) == painted
        process.write(b"wait. ")
        process.stdin.close()
        assert process.stdout.read() == "·⟦Now wait.⟧·\n".encode()


def test_what_came_before_bad_bytes_is_painted() -> None:
    with started("view", "--text") as process:
        process.write(b"It is on. Now \xff")
        process.stdin.close()
        assert process.stdout.read() == "⟦It is on.⟧·⟦Now⟧·\n".encode()
        assert process.popen.wait() == 1
        assert b"0xff at byte offset 14 is not utf-8" in process.stderr.read()


def test_no_page_is_made_of_a_pipe_with_bad_bytes() -> None:
    with started("view") as process:
        process.write(b"It is on. Now \xff")
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.popen.wait() == 1
        assert b"0xff at byte offset 14 is not utf-8" in process.stderr.read()


def test_a_pipe_can_be_painted_by_several_strategies() -> None:
    with started("view", "--text", "--by", "word", "--by", "line") as process:
        process.write(b"It is")
        process.stdin.close()
        assert (
            process.stdout.read().decode() == "== word\n⟦It⟧·⟦is⟧\n== line\n⟦It is⟧\n"
        )
