"""Paragraphs of Markdown while they arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from chunkwise import (
    Chunker,
    FixedSizeChunking,
    MarkdownChunking,
    NestedChunking,
    RegexChunking,
    SentenceChunking,
    WindowChunking,
)
from chunkwise.strategies._markdown_prose import shown
from tests.running import run_in_all_ways

if TYPE_CHECKING:
    from chunkwise._registry import StrategyLike

SENTENCES = MarkdownChunking(sentence=SentenceChunking(rules="plain"))


def texts(text: str, strategy: MarkdownChunking = SENTENCES) -> list[str]:
    return [chunk.text for chunk in run_in_all_ways(strategy, text)]


def test_sentences_come_out_while_the_paragraph_grows() -> None:
    chunker = Chunker(SENTENCES)
    assert chunker.feed("One. Tw") == ["One."]
    assert chunker.feed("o.") == []
    assert chunker.feed(" ") == ["Two."]
    assert chunker.feed("Three.\nFo") == ["Three."]
    assert chunker.feed("ur. five\n\n") == ["Four.", "five"]


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("See `a. b`. Then.", ["See `a. b`.", "Then."]),
        ("**Done.** Next", ["**Done.**", "Next"]),
        ("**Done.**\nNext", ["**Done.**", "Next"]),
        ("[a. b](c.d) e. f", ["[a. b](c.d) e.", "f"]),
        ("a ` b. c\nd` e", ["a ` b.", "c\nd` e"]),
        ("It is $5. And $6. So", ["It is $5.", "And $6.", "So"]),
        ("One.\nTwo.\n", ["One.", "Two."]),
        ("One. Two | three. Four", ["One.", "Two | three.", "Four"]),
        ("a|b\nc. d\n", ["a|b\nc.", "d"]),
        ("a \\| b. c\n", ["a \\| b.", "c"]),
        ("> a. b\n> c", ["> a.", "b\n> c"]),
        ("> a.\n> c", ["> a.", "> c"]),
        ("- a|b. c\n  d", ["- a|b.", "c\n  d"]),
    ],
)
def test_where_prose_is_cut(text: str, chunks: list[str]) -> None:
    assert texts(text) == chunks


def test_a_line_with_a_pipe_waits_for_the_next_one() -> None:
    chunker = Chunker(SENTENCES)
    assert chunker.feed("One. Two. | Three. ") == ["One.", "Two."]
    assert chunker.feed("four\n") == []
    assert chunker.feed("|-|") == []
    assert chunker.feed("a") == ["| Three."]


@pytest.mark.parametrize(
    "sentence",
    [
        FixedSizeChunking(3),
        WindowChunking(2, by="word"),
        NestedChunking("line", "word"),
        WindowChunking(2),
        RegexChunking(" [a-p]"),
    ],
    ids=["fixed", "window", "nested", "sentences", "regex"],
)
def test_any_strategy_can_cut_prose(
    sentence: StrategyLike,
) -> None:
    """Also one that reads back what it was shown."""
    strategy = MarkdownChunking(sentence=sentence)
    text = "`a. b` c **done.** Ee <e f> gone. Hh [i j](k l)\n> m `n. o` p.\n\nq. r"
    assert len(texts(text, strategy)) > 3
    chunker = Chunker(strategy, check="full")
    chunks = [chunk for each in text for chunk in chunker.feed(each)]
    chunks += chunker.flush()
    assert "".join(chunk.gap + chunk for chunk in chunks) + chunker.tail == text


def test_masks_are_read_from_any_place() -> None:
    text = "ab `c.d` e"

    def read(start: int, end: int) -> str:
        return text[start:end]

    masks = [(3, 8, 0)]
    assert shown(read, 0, 10, masks) == "ab `c_d` e"
    assert shown(read, 5, 7, masks) == "_d"
    assert shown(read, 0, 3, masks) == "ab "


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("[a]: b\nc", ["definition", "sentence"]),
        ("[a]: b 'c\nd'\n", ["definition"]),
        ("[a]:\nb\nc d", ["definition", "sentence"]),
        ("[a\nb", ["sentence"]),
        ("[a]: b\n'c\nd. e", ["definition", "sentence", "sentence"]),
        ("[a]: b\n'c\nd' e", ["definition", "sentence"]),
        ("[a]: b\n'c' d", ["definition", "sentence"]),
        ("[a]: b\n(", ["definition", "sentence"]),
        ("[a]: b\n===", ["definition", "sentence"]),
        ("[a]: b\n# c", ["definition", "heading"]),
        ("[a]: b", ["definition"]),
        ("[a]: b 'c", ["sentence"]),
        ("> [a]: b\n'c'", ["definition"]),
        ("[a]: b\n    c", ["definition", "code"]),
    ],
)
def test_link_reference_definitions(text: str, kinds: list[str]) -> None:
    assert [chunk.kind for chunk in run_in_all_ways(SENTENCES, text)] == kinds


def test_a_long_line_without_an_end_is_cut() -> None:
    text = "Wörter ohne Ende, `a. b` und so weiter. " * 50
    assert texts(text) == ["Wörter ohne Ende, `a. b` und so weiter."] * 50
