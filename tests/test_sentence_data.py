"""How good sentences are on gold data, and how early they come.

Needs the folder of sentence data and the tool beside it that scores splitters; skipped
where they are not at hand.
"""

from __future__ import annotations

import importlib.util
import json
import random
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from chunkwise import Chunker, SentenceChunking
from tests.texts import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

STEPS = (1, 2, 3, 4, 7, 0)
"""Code points of a delta; 0 stands for random ones."""


class Bank(NamedTuple):
    """A treebank: the documents of one language."""

    name: str
    content: dict[str, Any]


@cache
def tool() -> ModuleType:
    """Return the module that scores splitters."""
    path = data_folder().parent / "tools" / "eval_sentences.py"
    spec = importlib.util.spec_from_file_location("eval_sentences", path)
    if not path.is_file() or spec is None or spec.loader is None:
        pytest.skip("the sentence data is not at hand; CHUNKWISE_DATA names its folder")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def banks() -> tuple[Bank, ...]:
    """Return the dev parts of all treebanks."""
    paths = sorted((data_folder() / "sentences" / "ud").glob("*-dev.json"))
    if not paths:
        pytest.skip("the sentence data is not at hand; CHUNKWISE_DATA names its folder")
    return tuple(
        Bank(path.stem, json.loads(path.read_text(encoding="utf-8"))) for path in paths
    )


def split(text: str, language: str) -> list[tuple[int, int]]:
    """Return the places of the sentences of a whole text."""
    strategy = SentenceChunking(language)
    spans = strategy.scan(text, 0, strategy.begin(0), final=True)[0]
    return [(span[0], span[1]) for span in spans]


def split_in_single_code_points(text: str, language: str) -> list[tuple[int, int]]:
    chunker = Chunker(SentenceChunking(language))
    chunks = [chunk for char in text for chunk in chunker.feed(char)]
    return [(chunk.start, chunk.end) for chunk in [*chunks, *chunker.flush()]]


@pytest.mark.parametrize(
    ("file", "least", "total"),
    [
        ("golden/en_golden_48", 48, 48),
        ("golden/golden_other", 33, 39),
        ("fixtures/llm_chat", 56, 60),
        ("fixtures/pragmatic", 100, 131),
        ("fixtures/sentencex", 95, 123),
    ],
)
@pytest.mark.parametrize("splitter", [split, split_in_single_code_points])
def test_lists_of_cases(file: str, least: int, total: int, splitter: Any) -> None:
    path = data_folder() / "sentences" / f"{file}.jsonl"
    scored = tool()
    lines = path.read_text(encoding="utf-8").splitlines()
    good, number, failed = scored.score_cases(splitter, map(json.loads, lines))
    assert number == total
    assert good >= least, failed


@pytest.mark.parametrize(
    ("fixed", "least"), [(None, 98.5), ("en", 98.3)], ids=["each language", "defaults"]
)
def test_treebanks(fixed: str | None, least: float) -> None:
    scores = {
        bank.name: 100
        * tool().score_bank(
            lambda text, language: split(text, fixed or language), bank.content, "par"
        )["F1t"]
        for bank in banks()
    }
    assert len(scores) == 25
    assert sum(scores.values()) / len(scores) >= least, scores


def documents() -> Iterator[tuple[str, str]]:
    """Yield the text and the language of every document."""
    for bank in banks():
        for document in bank.content["docs"]:
            yield document["text"], bank.content["lang"]


def test_every_document_gives_the_same_sentences_in_a_slicing() -> None:
    """Each in one of the slicings, so that all of them have a turn."""
    chance = random.Random(4)  # noqa: S311 - nothing is secret here
    for number, (text, language) in enumerate(documents()):
        step = STEPS[number % len(STEPS)]
        chunker = Chunker(SentenceChunking(language))
        places: list[tuple[int, int]] = []
        at = 0
        while at < len(text):
            size = step or chance.randint(1, 40)
            places += [(c.start, c.end) for c in chunker.feed(text[at : at + size])]
            at += size
        places += [(chunk.start, chunk.end) for chunk in chunker.flush()]
        assert places == split(text, language), (language, step, text[:60])


def test_sentences_come_early() -> None:
    """Held back behind their ends, at one code point a delta: 2 at the median."""
    delays: list[int] = []
    for bank in banks():
        for document in bank.content["docs"][:5]:
            chunker = Chunker(SentenceChunking(bank.content["lang"]))
            for at, char in enumerate(document["text"][:3_000], 1):
                delays += [at - chunk.end for chunk in chunker.feed(char)]
    delays.sort()
    assert delays[len(delays) // 2] <= 2
    assert delays[len(delays) * 99 // 100] <= 6
