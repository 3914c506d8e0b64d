"""A function of whole texts inside of outer chunks: called once for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import Chunker, ContractError, NestedChunking, NotVerbatimError
from tests.running import run

if TYPE_CHECKING:
    from collections.abc import Callable


def by_comma(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def by_comma_as_places(text: str) -> list[tuple[int, int]]:
    places = []
    at = 0
    for part in text.split(","):
        if part:
            places.append((at, at + len(part)))
        at += len(part) + 1
    return places


@pytest.mark.parametrize("function", [by_comma, by_comma_as_places])
@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_function_splits_each_outer_chunk_once_it_is_complete(
    function: Callable[[str], Any], size: int
) -> None:
    seen: list[str] = []

    def watched(text: str) -> Any:
        seen.append(text)
        return function(text)

    text = "a,b\n\nc,,c"
    deltas = [text[at : at + size] for at in range(0, len(text), size)]
    found = run(NestedChunking("paragraph", watched), deltas).chunks
    assert [(c.text, c.start, c.gap, c.complete, c.kind) for c in found] == [
        ("a", 0, "", True, ""),
        ("b", 2, ",", True, ""),
        ("c", 5, "\n\n", True, ""),
        ("c", 8, ",,", False, ""),
    ]
    assert seen == ["a,b", "c,,c"]


def test_a_function_may_return_any_iterable() -> None:
    nested = NestedChunking("line", lambda text: (word for word in text.split()))
    assert Chunker(nested).feed("a b\n") == ["a", "b"]


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["b", "a"], "piece 1 of .*splitter.* is 'a'"),
        (["ab c"], "is 'ab c'"),
        ([""], "is ''"),
        ([(0, 9)], r"is \(0, 9\)"),
        ([(1, 1)], r"is \(1, 1\)"),
        ([(1, 2), (0, 1)], r"piece 1 of .* is \(0, 1\)"),
        ([(0, 1, 2)], r"is \(0, 1, 2\)"),
        ([(0, 1.0)], r"is \(0, 1.0\)"),
        ([None], "is None"),
    ],
)
def test_a_piece_that_is_not_there_is_shown(pieces: Any, shown: str) -> None:
    def splitter(text: str) -> Any:
        del text
        return pieces

    chunker = Chunker(NestedChunking("line", splitter))
    chunker.feed("a b")
    with pytest.raises(NotVerbatimError, match=shown) as caught:
        chunker.feed("\n")
    assert "verbatim part of" in str(caught.value)
    assert chunker.pending == "a b"


@pytest.mark.parametrize("wrong", [None, 7, "a b"])
def test_a_function_has_to_return_pieces(wrong: Any) -> None:
    chunker = Chunker(NestedChunking("line", lambda _: wrong))
    with pytest.raises(ContractError, match=f"returned {type(wrong).__name__}"):
        chunker.feed("a b\n")


def test_a_function_cannot_be_written_to_a_dictionary() -> None:
    with pytest.raises(ContractError, match="'inner'"):
        NestedChunking("line", by_comma).to_dict()
    assert Chunker(NestedChunking("line", by_comma)).state.strategy is None


def test_a_function_sees_the_same_text_where_it_is_inside_of_another() -> None:
    strategy = NestedChunking("paragraph", NestedChunking("line", by_comma))
    for deltas in (["a,b\nc\n\nd"], list("a,b\nc\n\nd")):
        texts = [chunk.text for chunk in run(strategy, deltas).chunks]
        assert texts == ["a", "b\n", "c", "d"]
