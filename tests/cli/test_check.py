"""``chunkwise check``: what it says of a strategy, and of what is none."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.commands import told

if TYPE_CHECKING:
    from tests.commands import Run

MODULE = """
from chunkwise import ChunkingStrategy, WordChunking


class Hasty(ChunkingStrategy):
    def split(self, text):
        return [text] if text.endswith(".") else []


class Yields(ChunkingStrategy):
    def split(self, text):
        yield text


class Needy(ChunkingStrategy):
    def __init__(self, mark):
        self.mark = mark

    def split(self, text):
        return []


words = WordChunking()
number = 3
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go to a folder that has a module ``of_mine``."""
    (tmp_path / "of_mine.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "of_mine", raising=False)


def test_a_strategy_that_keeps_the_laws(run: Run) -> None:
    outcome = run("check", "of_mine:words")
    assert outcome == (0, b"WordChunking keeps the laws\n", "")


def test_the_present_folder_is_looked_into_once(run: Run) -> None:
    for _ in range(2):
        run("check", "of_mine:number")
    assert sys.path.count(str(Path.cwd())) == 1


def test_a_class_is_called(run: Run) -> None:
    outcome = run("check", "chunkwise:WordChunking")
    assert outcome == (0, b"WordChunking keeps the laws\n", "")


def test_a_law_that_is_broken_is_shown(run: Run) -> None:
    code, out, err = run("check", "of_mine:Hasty")
    assert (code, err) == (1, "")
    first, *_, cause = out.decode().splitlines()
    assert first.startswith("Hasty breaks the law of finality: ")
    assert "'.' | 'a'" in out.decode()
    assert cause.startswith("  cause:  decides at the end of the text: ")


def test_a_contract_that_is_broken_is_shown(run: Run) -> None:
    code, out, err = run("check", "of_mine:Yields")
    assert (code, err) == (1, "")
    assert "returned generator, expected a list of str" in out.decode()


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("of_mine", "expected MODULE:STRATEGY, as in"),
        (":words", "expected MODULE:STRATEGY, as in"),
        ("of_mine:", "expected MODULE:STRATEGY, as in"),
        ("of_nobody:words", "No module named 'of_nobody'"),
        (
            "of_mine.py:words",
            "; expected a module and not a file: leave out .py, of_mine:words",
        ),
        ("of_mine:others", "has no attribute 'others'"),
        ("of_mine:Needy", "missing 1 required positional argument: 'mark'"),
        ("of_mine:number", "is 3, expected a ChunkingStrategy"),
    ],
)
def test_what_is_no_strategy_is_a_wrong_use(run: Run, place: str, says: str) -> None:
    outcome = run("check", place)
    assert (outcome.code, outcome.out) == (2, b"")
    assert says in told(outcome)


def test_the_help_names_the_argument(run: Run) -> None:
    outcome = run("check", "--help")
    assert outcome.code == 0
    assert b"MODULE:STRATEGY" in outcome.out
    assert b"chunkwise._" not in outcome.out
