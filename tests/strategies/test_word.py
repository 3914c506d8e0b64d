"""WordChunking."""

from __future__ import annotations

import pytest

from chunkwise import Chunker, WordChunking
from tests.running import Facts, run
from tests.texts import WHITE_SPACE

WORDS = WordChunking()


def test_runs_of_white_space_separate() -> None:
    text = "one  two\n\t three "
    assert WORDS.split(text) == ["one", "two", "three"]
    assert WORDS.flush(text) == []


@pytest.mark.parametrize("space", WHITE_SPACE, ids=ascii)
def test_any_white_space_separates(space: str) -> None:
    """White space is what ``str.isspace`` says."""
    text = f"{space}one{space}two{space}{space}three"
    for deltas in ([text], list(text)):
        chunks, tail = run(WORDS, deltas)
        assert [(chunk.text, chunk.gap) for chunk in chunks] == [
            ("one", space),
            ("two", space),
            ("three", space * 2),
        ]
        assert tail == ""
    chunker = Chunker(WORDS)
    chunker.feed("one")
    assert chunker.feed(space) == ["one"]


@pytest.mark.parametrize("character", ["\u200b", "\ufeff", "\u2060", "\x00", "\u180e"])
def test_what_only_looks_like_white_space_separates_nothing(character: str) -> None:
    assert WORDS.split(f"one{character}two ") == [f"one{character}two"]


@pytest.mark.parametrize("text", [" one two ", "\n\none two ", "\u3000 \tone two\r"])
def test_leading_white_space_gives_no_empty_chunk(text: str) -> None:
    assert WORDS.split(text) == ["one", "two"]
    assert [chunk.text for chunk in run(WORDS, text).chunks] == ["one", "two"]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("one two", ["two"]),
        ("one two ", []),
        ("one two\n", []),
        ("one", ["one"]),
        ("one ", []),
        (" one", ["one"]),
        ("  ", []),
        ("", []),
    ],
)
def test_flush_gives_the_last_word_only_if_no_white_space_followed(
    text: str, last: list[str]
) -> None:
    assert WORDS.flush(text) == last
    for deltas in ([text], list(text), ["", *text, ""]):
        chunker = Chunker(WORDS)
        for delta in deltas:
            chunker.feed(delta)
        assert chunker.flush() == last


def test_punctuation_stays_with_its_word() -> None:
    assert WORDS.split("“Yes,” she said... (1.5) ") == [
        "“Yes,”",
        "she",
        "said...",
        "(1.5)",
    ]


def test_the_same_word_again_and_again_is_found_at_its_own_place() -> None:
    chunks = run(WORDS, ["tick tick  ti", "ck tick"]).chunks
    assert [chunk.start for chunk in chunks] == [0, 5, 11, 16]


def test_a_word_that_is_part_of_the_next_one_is_found_at_its_own_place() -> None:
    chunks = run(WORDS, ["a aa a aaa ", "aa a"]).chunks
    assert [(chunk.text, chunk.start) for chunk in chunks] == [
        ("a", 0),
        ("aa", 2),
        ("a", 5),
        ("aaa", 7),
        ("aa", 11),
        ("a", 14),
    ]


@pytest.mark.parametrize("length", [1, 31, 32, 33, 63, 64, 65, 66, 1_000])
@pytest.mark.parametrize("behind", [" ", " x", "   yy zz ", " " * 70, " " + "y" * 70])
@pytest.mark.parametrize("size", [1, 7, 47, 10_000])
def test_words_of_any_length_in_deltas_of_any_length(
    length: int, behind: str, size: int
) -> None:
    """Whatever length it is from which on text is not looked at twice."""
    for text in ("w" * length + behind, f"a {'w' * length}{behind}b c"):
        deltas = [text[at : at + size] for at in range(0, len(text), size)]
        chunks, tail = run(WORDS, deltas)
        assert [chunk.text for chunk in chunks] == text.split()
        rebuilt = "".join(chunk.gap + chunk.text for chunk in chunks) + tail
        assert rebuilt == text


def test_the_last_word_is_not_complete() -> None:
    assert run(WORDS, ["one two"]).chunks == [
        Facts("one", 0, 3, "", 0, complete=True, kind="word"),
        Facts("two", 4, 7, " ", 1, complete=False, kind="word"),
    ]


@pytest.mark.parametrize(
    ("text", "state", "opened"),
    [("", None, None), ("  ", None, None), (" one", None, (11, 14)), ("e", 8, (8, 11))],
)
def test_a_word_is_open_from_its_first_code_point_on(
    text: str, state: int | None, opened: tuple[int, int] | None
) -> None:
    assert WORDS.opened(text, 10, state) == opened
