"""NestedChunking: an inner strategy starts anew in every outer chunk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import (
    Chunker,
    ContractError,
    LineChunking,
    NestedChunking,
    ParagraphChunking,
    SentenceChunking,
    SizedChunking,
    UnknownStrategyError,
    WordChunking,
    strategy_from_dict,
)
from tests.running import facts, run
from tests.texts import OWN_TEXTS

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy

SENTENCES = SentenceChunking(rules="plain")


@pytest.mark.parametrize(
    ("outer", "inner", "text", "chunks"),
    [
        ("paragraph", "sentence", "Aa\n\nBb. Cc\n\nDd. ", ["Aa", "Bb.", "Cc", "Dd."]),
        ("line", "word", "a b\n c", ["a", "b", "c"]),
        ("sentence", "word", " One two.  Three", ["One", "two.", "Three"]),
        ("word", "line", "a\nb c", ["a", "b", "c"]),
        ("paragraph", "paragraph", "a\n\nb", ["a", "b"]),
        ("paragraph", "line", "a\nb\n\n\nc\n", ["a\n", "b", "c\n"]),
    ],
)
def test_inner_chunks_end_where_outer_ones_do(
    outer: str, inner: str, text: str, chunks: list[str]
) -> None:
    strategy = NestedChunking(outer, inner)
    for deltas in ([text], list(text)):
        assert [chunk.text for chunk in run(strategy, deltas).chunks] == chunks


@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        (ParagraphChunking(), SENTENCES),
        (SENTENCES, WordChunking()),
        (WordChunking(), LineChunking()),
        (LineChunking(keep_ends=False), ParagraphChunking()),
        (ParagraphChunking(), NestedChunking(LineChunking(), WordChunking())),
        (NestedChunking(ParagraphChunking(), LineChunking()), WordChunking()),
        (SizedChunking(20), SENTENCES),
    ],
    ids=repr,
)
def test_each_outer_chunk_is_a_text_of_its_own_for_the_inner_strategy(
    outer: ChunkingStrategy[Any], inner: ChunkingStrategy[Any], text: str
) -> None:
    expected = []
    chunker = Chunker(outer)
    for part in [*chunker.feed(text), *chunker.flush()]:
        inside = Chunker(inner)
        chunks = [*inside.feed(part), *inside.flush()]
        expected += [(part.start + c.start, part.start + c.end, c.kind) for c in chunks]
    found = run(NestedChunking(outer, inner), [text]).chunks
    assert [(chunk.start, chunk.end, chunk.kind) for chunk in found] == expected


def test_chunks_are_released_as_early_as_both_allow() -> None:
    chunker = Chunker(NestedChunking("paragraph", "sentence"))
    assert chunker.feed("One. Tw") == ["One."]
    assert chunker.feed("o.\n") == []
    # The line end may be the first half of a boundary.
    assert chunker.feed("T") == ["Two."]
    assert chunker.feed("hree\n\n") == ["Three"]
    assert chunker.feed("Four") == []
    assert chunker.flush() == ["Four"]


def test_what_the_outer_end_closed_is_as_complete_as_the_outer_chunk() -> None:
    text = "One. Two\n\nThree. Four"
    found = run(NestedChunking("paragraph", "sentence"), [text]).chunks
    assert [(chunk.text, chunk.complete) for chunk in found] == [
        ("One.", True),
        ("Two", True),
        ("Three.", True),
        ("Four", False),
    ]


def test_a_cut_inside_a_piece_stays_one() -> None:
    nested = NestedChunking("line", SizedChunking(2, by=()))
    found = run(nested, ["abc\n"]).chunks
    assert [(c.text, c.complete, c.kind) for c in found] == [
        ("ab", False, "sized"),
        ("c\n", True, "sized"),
    ]


def test_an_inner_strategy_that_finds_nothing_leaves_a_gap() -> None:
    nested = NestedChunking("line", "word")
    (chunk,) = Chunker(nested).feed(" \n\n a\n")
    assert (chunk, chunk.gap) == ("a", " \n\n ")


def test_an_open_outer_chunk_is_not_held_as_a_whole() -> None:
    """Also where the outer strategy is itself nested."""
    for outer in (
        ParagraphChunking(),
        NestedChunking(ParagraphChunking(strict=True), ParagraphChunking()),
    ):
        chunker = Chunker(NestedChunking(outer, "sentence"))
        chunker.feed("One two. " * 1_000)
        chunker.feed("Three")
        assert len(chunker.state.text) < 40


def test_an_outer_strategy_that_reads_back_gets_what_it_needs() -> None:
    def halves(text: str) -> list[tuple[int, int]]:
        middle = len(text) // 2
        return [(0, middle), (middle, len(text))]

    strategy = NestedChunking(NestedChunking("line", halves), "word")
    text = "ab cd ef\ngh ij\n"
    expected = ["ab", "c", "d", "ef", "gh", "ij"]
    for deltas in ([text], list(text)):
        assert [chunk.text for chunk in run(strategy, deltas).chunks] == expected


def test_names_and_dictionaries_are_strategies() -> None:
    nested = NestedChunking({"type": "line", "keep_ends": False}, "word")
    assert nested == NestedChunking(LineChunking(keep_ends=False), WordChunking())
    assert hash(nested) == hash(NestedChunking(*(nested.outer, nested.inner)))
    assert strategy_from_dict(nested.to_dict()) == nested


def test_what_overlaps_cannot_be_outside() -> None:
    overlapping = SizedChunking(9, overlap=3)
    with pytest.raises(ValueError, match="outer must not overlap"):
        NestedChunking(overlapping, "word")
    inside = NestedChunking("paragraph", overlapping)
    assert inside.overlaps
    with pytest.raises(ValueError, match="outer must not overlap"):
        NestedChunking(inside, "word")
    assert not NestedChunking("paragraph", "word").overlaps


@pytest.mark.parametrize("wrong", [None, 7, b"word", WordChunking])
def test_both_have_to_be_strategies(wrong: Any) -> None:
    with pytest.raises(TypeError, match="expected a strategy"):
        NestedChunking(wrong, "word")
    with pytest.raises(TypeError, match="expected a strategy"):
        NestedChunking("word", wrong)


class Wavering(LineChunking):
    """Sometimes takes back what it said of the open line."""

    @override
    def opened(self, text: str, base: int, state: int) -> tuple[int, int] | None:
        return (state, base) if base % 7 else None


def test_an_outer_strategy_cannot_take_back_what_is_open() -> None:
    chunker = Chunker(NestedChunking(Wavering(), "word"))
    assert chunker.feed("a bc ") == ["a", "bc"]
    # Up to offset 7 now.
    with pytest.raises(ContractError, match=r"Wavering: opened\(\) returned None"):
        chunker.feed("d ")
    assert chunker.pending == " "


def test_names_have_to_be_known() -> None:
    with pytest.raises(UnknownStrategyError):
        NestedChunking("word", "wrd")


def test_scanning_and_opening_work_on_a_whole_text() -> None:
    strategy = NestedChunking("paragraph", "sentence")
    spans, _, resume, state, _ = strategy.scan("One. Two", 0, strategy.begin(0))
    assert [span[:2] for span in spans] == [(0, 4)]
    assert strategy.opened("", resume, state) == (5, 8)
    assert strategy.trigger >= frozenset("\n.!?")


def test_chunks_with_all_their_facts_are_those_of_the_full_check() -> None:
    strategy = NestedChunking(NestedChunking("paragraph", "sentence"), "word")
    chunker = Chunker(strategy, check="full")
    chunks = [c for char in "One two. Three\n\nFour" for c in chunker.feed(char)]
    chunks += chunker.flush()
    assert facts(chunks) == run(strategy, ["One two. Three\n\nFour"]).chunks
