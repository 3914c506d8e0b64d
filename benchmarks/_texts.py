"""Answer text to measure on, and ways to cut it."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

_HERE = Path(__file__).parent
_OWN_SIZE = 400_000
"""Code points to which the own text is repeated, as many as the recorded ones have."""


class AnswerText(NamedTuple):
    """Answers of language models in Markdown, joined by blank lines.

    Attributes:
        text: All of them.
        source: Where they are from, for the report.
    """

    text: str
    source: str


def data_folder() -> Path:
    """Return the folder that ``CHUNKWISE_DATA`` names; it need not exist.

    By default it is ``../shared/data``, as seen from the root of the repository.
    """
    return _HERE.parent / os.environ.get("CHUNKWISE_DATA", "../shared/data")


@cache
def answer_text() -> AnswerText:
    """Return the recorded English answers, or the own text where they are missing."""
    recorded = data_folder() / "answers" / "en.jsonl"
    if recorded.is_file():
        lines = recorded.read_text(encoding="utf-8").splitlines()
        answers: list[str] = [json.loads(line)["text"] for line in lines]
        return AnswerText(
            "\n\n".join(answers), f"`answers/en.jsonl`, {len(answers)} answers"
        )
    own = (_HERE / "corpus" / "answers.md").read_text(encoding="utf-8")
    times = _OWN_SIZE // len(own)
    return AnswerText("\n".join([own] * times), f"`corpus/answers.md`, {times} times")


def deltas_of(text: str, size: int) -> list[str]:
    """Return *text* in deltas of *size* code points."""
    return [text[at : at + size] for at in range(0, len(text), size)]


def blocks_of(deltas: list[str], size: int) -> list[list[str]]:
    """Return *deltas* in blocks of *size* deltas."""
    return [deltas[at : at + size] for at in range(0, len(deltas), size)]


def repeated(unit: str, size: int) -> str:
    """Return *size* code points of *unit* repeated."""
    return (unit * (size // len(unit) + 1))[:size]


_SENTENCE = re.compile(r"[A-Z][^.!?\n|*`#]{20,400}[.!?](?=[ \n])")
_LAST_WORD = re.compile(r"(?<=[a-z])(?=[.!?:;]?\n|[.!?] )")


@cache
def prose(size: int) -> str:
    """Return *size* code points of paragraphs that have about 2,000 each.

    They are made of the sentences of the answer text.
    """
    sentences = _SENTENCE.findall(answer_text().text)
    paragraphs: list[str] = []
    paragraph: list[str] = []
    for sentence in sentences:
        paragraph.append(sentence)
        if sum(map(len, paragraph)) >= 2_000:
            paragraphs.append(" ".join(paragraph))
            paragraph = []
    return varied("\n\n".join(paragraphs) + "\n\n", size)


@cache
def markdown(size: int) -> str:
    """Return *size* code points of the answer text."""
    return varied(answer_text().text + "\n\n", size)


def varied(unit: str, size: int) -> str:
    """Return *size* code points of *unit* repeated, no two times alike.

    From the second time on, the last word of each sentence and line is followed by
    the number of the time. What remembers sizes of texts would otherwise be measured
    on texts that it knows, which real ones are not.
    """
    times = range(size // len(unit) + 1)
    parts = [_LAST_WORD.sub(f" {time}", unit) if time else unit for time in times]
    return "".join(parts)[:size]
