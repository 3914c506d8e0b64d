"""The command itself: its version and its help."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import chunkwise

if TYPE_CHECKING:
    from tests.commands import Run


def test_it_says_its_version(run: Run) -> None:
    version = f"chunkwise {chunkwise.__version__}\n"
    assert run("--version") == (0, version.encode(), "")


def test_without_arguments_it_shows_its_help(run: Run) -> None:
    outcome = run()
    assert "split" in outcome.out.decode() + outcome.err


def test_a_command_is_asked_for_by_its_name(run: Run) -> None:
    assert run("split", "--by", "word", stdin=b"one") == (0, b"one\n", "")
    assert run("splat").code == 2


COMMANDS = ["split", "view", "stats", "replay", "strategies", "check"]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_the_help_is_whole_and_in_words_of_the_shell(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*command, "--help").out.decode().splitlines()
    assert "Options:" in lines
    assert not [line for line in lines if line.endswith("...") and "Usage" not in line]
    assert not [line for line in lines if "<str" in line.replace("<strict|", "")]
    assert not [line for line in lines if "list[" in line or "<Chunking" in line]


def test_the_help_names_each_argument(run: Run) -> None:
    def arguments(command: str) -> list[str]:
        lines = iter(run(command, "--help").out.decode().splitlines())
        return [next(lines).split()[0] for line in lines if line == "Arguments:"]

    found = {command: arguments(command) for command in COMMANDS}
    files = {name: ["FILE"] for name in ("split", "view", "stats", "replay")}
    assert found == {**files, "strategies": [], "check": ["MODULE:STRATEGY"]}


# Shell completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_gets_a_script_that_completes(
    run: Run, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    # Otherwise the shell that runs the tests is asked for.
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    outcome = run("--show-completion", shell)
    assert outcome.code == 0
    assert b"_CHUNKWISE_COMPLETE" in outcome.out


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("chunkwise s", ["split", "stats", "strategies"]),
        ("chunkwise split --by s", ["sentence", "sized:"]),
        ("chunkwise stats --by mark", ["markdown", "markdown_table:"]),
        ("chunkwise view --by mark", ["markdown", "markdown_table:"]),
        ("chunkwise split --js", ["--json"]),
    ],
)
def test_commands_options_and_strategies_are_completed(
    line: str, completed: list[str]
) -> None:
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    asked = {**os.environ, "_CHUNKWISE_COMPLETE": "complete_bash", **words}
    done = subprocess.run(
        [sys.executable, "-m", "chunkwise"],
        env=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == completed
