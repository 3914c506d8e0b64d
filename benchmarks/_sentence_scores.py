"""Scores of sentence splitters on texts whose sentences are known."""

from __future__ import annotations

import importlib.util
import json
import multiprocessing
import os
import re
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ._sentence_splitters import loaded
from ._texts import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import TypeAlias

    Scored: TypeAlias = "Mapping[str, Score | str]"

CASES = {
    "en_golden_48": "golden",
    "llm_chat": "fixtures",
    "golden_other": "golden",
    "pragmatic": "fixtures",
    "sentencex": "fixtures",
}
"""Lists of short texts, and the folders that they are in."""


class Score(NamedTuple):
    """How well a splitter did.

    Attributes:
        value: Cases that came out as expected; of a treebank F1t in percent.
        cases: How many there are; of a treebank 0.
    """

    value: float
    cases: int = 0


def at_hand() -> bool:
    """Return whether there are texts, and the tool that scores."""
    return bool(treebanks()) and _tool_file().is_file()


def _folder() -> Path:
    return data_folder() / "sentences"


def _tool_file() -> Path:
    return data_folder().parent / "tools" / "eval_sentences.py"


@cache
def _tool() -> Any:
    spec = importlib.util.spec_from_file_location("eval_sentences", _tool_file())
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - a file
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def treebanks() -> list[str]:
    """Return the names of the treebanks."""
    return sorted(
        path.stem.removesuffix("-dev") for path in (_folder() / "ud").glob("*-dev.json")
    )


def documents(treebank: str) -> list[str]:
    """Return the texts of *treebank*."""
    return [document["text"] for document in _treebank(treebank)["docs"]]


def _treebank(name: str) -> Any:
    file = _folder() / "ud" / f"{name}-dev.json"
    return json.loads(file.read_text(encoding="utf-8"))


def score_all(tasks: Iterable[tuple[str, str]]) -> dict[str, dict[str, Score | str]]:
    """Score splitters, in as many processes as there are processors.

    Args:
        tasks: Name of the splitter, and of a treebank or of a list of cases.

    Returns:
        By splitter, and then by text: the score, or why there is none.
    """
    tasks = list(tasks)
    context = multiprocessing.get_context("spawn")
    scores: dict[str, dict[str, Score | str]] = {}
    with ProcessPoolExecutor(os.cpu_count(), context) as pool:
        found = pool.map(_score, tasks)
        for (splitter, text), score in zip(tasks, found, strict=True):
            scores.setdefault(splitter, {})[text] = score
    return scores


def _score(task: tuple[str, str]) -> Score | str:
    splitter, text = task
    split = loaded(splitter)
    if isinstance(split, str):
        return split
    try:
        if text not in CASES:
            result = _tool().score_bank(split, _treebank(text), "par")
            return Score(100 * result["F1t"])
        file = _folder() / CASES[text] / f"{text}.jsonl"
        lines = file.read_text(encoding="utf-8").splitlines()
        good, cases, _ = _tool().score_cases(
            split, [json.loads(line) for line in lines]
        )
    except Exception as error:  # noqa: BLE001 - whatever a library raises
        return f"failed: {type(error).__name__}"
    return Score(good, cases)


def mean(scored: Scored, texts: Iterable[str]) -> Score | str:
    """Return the mean of the scores of *texts*, or why there is none."""
    values: list[float] = []
    for text in texts:
        score = scored[text]
        if isinstance(score, str):
            return score
        values.append(score.value)
    return Score(sum(values) / len(values))


def recorded_best() -> dict[str, tuple[float, str]]:
    """Return by treebank the best F1t on record, and the library that reached it.

    They are in the tables of ``PEERS.md``, whose first row is no library.
    """
    file = _folder() / "PEERS.md"
    best: dict[str, tuple[float, str]] = {}
    head: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.is_file() else ():
        if not line.startswith("|"):
            head = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        head = head or cells
        if head[0] != "splitter" or cells[0].startswith("**"):
            continue
        for treebank, cell in zip(head[1:], cells[1:], strict=True):
            if treebank in treebanks() and re.fullmatch(r"\d+\.\d+", cell):
                found = float(cell), cells[0]
                best[treebank] = max(best.get(treebank, found), found)
    return best
