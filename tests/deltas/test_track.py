"""The deltas of one choice: what is cut, joined, refused, and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import CUT
from chunkwise.deltas import Part
from chunkwise.deltas._track import CumulativeText, Track

if TYPE_CHECKING:
    from chunkwise import Cut
    from chunkwise.deltas import Kind


def deltas(*parts: Part, kind: Kind = "text") -> list[str | Cut]:
    track = Track(kind)
    return [delta for part in parts for delta in track.take(part)] + [
        delta for delta in [track.rest()] if delta
    ]


CALL = Part("{}", "tool_calls", block=0)


def test_empty_texts_are_no_deltas() -> None:
    assert deltas(Part(""), Part("a"), Part(""), Part("b")) == ["a", "b"]


def test_something_else_between_two_texts_is_a_cut() -> None:
    thought = Part("Hm", "reasoning")
    result = Part(kind="other")
    assert deltas(CALL, Part("a"), CALL, Part("b")) == ["a", CUT, "b"]
    assert deltas(Part("a"), thought, result, Part("b")) == ["a", CUT, "b"]
    assert deltas(Part("a"), CALL) == ["a"]


def test_an_empty_text_is_not_something_else() -> None:
    assert deltas(CALL, Part(""), CALL, kind="tool_calls") == ["{}", "{}"]
    assert deltas(CALL, Part("a"), CALL, kind="tool_calls") == ["{}", CUT, "{}"]


def test_another_block_is_a_cut() -> None:
    parts = [Part("a", block=1), Part("b", block=1), Part("c", block=2)]
    assert deltas(*parts) == ["a", "b", CUT, "c"]


@pytest.mark.parametrize("kind", ["reasoning", "tool_calls", "refusal"])
def test_any_kind_can_be_read(kind: Kind) -> None:
    assert deltas(Part("a"), Part("b", kind), kind=kind) == ["b"]


def test_two_halves_of_a_pair_are_joined() -> None:
    assert deltas(Part("a\ud83d"), Part("\ude00b")) == ["a", "\U0001f600b"]
    assert deltas(Part("\ud83d"), Part("\ude00")) == ["\U0001f600"]


def test_half_a_pair_alone_stays_what_it_is() -> None:
    assert deltas(Part("a\ud83d"), Part("b")) == ["a", "\ud83db"]
    assert deltas(Part("a\ud83d")) == ["a", "\ud83d"]
    assert deltas(Part("\ude00")) == ["\ude00"]
    assert deltas(Part("\ud83d"), Part("\ud83d"), Part("\ude00")) == [
        "\ud83d",
        "\U0001f600",
    ]


def test_half_a_pair_is_not_joined_over_a_cut() -> None:
    expected = ["a", "\ud83d", CUT, "\ude00"]
    assert deltas(Part("a\ud83d"), CALL, Part("\ude00")) == expected


def test_texts_of_a_subclass_become_plain() -> None:
    class Text(str):
        __slots__ = ()

    (delta,) = deltas(Part(Text("a")))
    assert type(delta) is str


SENTENCE = "This is what came before."


def test_text_that_repeats_all_before_it_is_refused() -> None:
    track = Track("text")
    for text in ("This", "This is", SENTENCE, SENTENCE + " More"):
        track.take(Part(text))
    with pytest.raises(CumulativeText) as caught:
        track.take(Part(SENTENCE + " More to"))
    assert str(caught.value) == SENTENCE + " More"


def test_a_text_that_comes_again_between_two_that_grow_changes_nothing() -> None:
    track = Track("text")
    for text in (SENTENCE, SENTENCE + " More", SENTENCE + " More"):
        track.take(Part(text))
    with pytest.raises(CumulativeText):
        track.take(Part(SENTENCE + " More to"))


ROW = "| --- | --- | --- | --- |\n"


@pytest.mark.parametrize(
    "texts",
    [
        ("a", "aa", "aaa"),
        (SENTENCE, SENTENCE, SENTENCE),
        ("Now: ", SENTENCE, SENTENCE + " More"),
        (ROW, ROW + "| a", " | b |"),
        ("\n", "\n" + ROW, "\n" + ROW + "| a", " | b |"),
        ("-" * 20, "-" * 30, "-" * 50, "-" * 90, "\n"),
        (ROW, ROW * 2, ROW * 3, ROW * 4, "Done."),
    ],
    ids=[
        "short",
        "no longer",
        "not from the start",
        "a line twice",
        "a line twice behind an empty one",
        "a rule that grows",
        "more and more lines",
    ],
)
def test_text_that_may_only_look_so_is_not(texts: tuple[str, ...]) -> None:
    assert deltas(*map(Part, texts)) == list(texts)


def test_the_last_word_for_the_end_counts() -> None:
    track = Track("text")
    assert track.ending is None
    for word in ("stop", "", "null", "MAX_TOKENS"):
        track.take(Part(finish=word))
    assert [track.ending, track.finish] == ["length", "MAX_TOKENS"]


@pytest.mark.parametrize(
    ("word", "ending"), [("stop", "refusal"), ("length", "length")]
)
def test_a_refusal_is_no_stop(word: str, ending: Any) -> None:
    track = Track("text")
    track.take(Part("No.", "refusal"))
    track.take(Part(finish=word))
    assert (track.ending, track.finish) == (ending, word)
