"""split_tags: what is inside, what is outside, wherever the tags are cut."""

from __future__ import annotations

import copy
import pickle
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import CUT, iter_chunks
from chunkwise.deltas import TagDelta, asplit_tags, split_tags, text_deltas
from tests.deltas.events import chat, chat_end
from tests.deltas.sources import AsyncEvents, Events

if TYPE_CHECKING:
    from chunkwise import Cut

TEXT = "a<think>b</think>c<b<think>d</thinke</think>"
SIDES = [
    ("a", False, 0),
    ("b", True, 8),
    ("c<b", False, 17),
    ("d</thinke", True, 27),
]


def sides(deltas: list[TagDelta | Cut]) -> list[tuple[str, bool, int]]:
    """Return the text of each side, with neighbours joined."""
    found: list[tuple[str, bool, int]] = []
    for delta in deltas:
        assert isinstance(delta, TagDelta)
        text, inside, start = found[-1] if found else ("", False, -1)
        if inside == delta.inside and start + len(text) == delta.start:
            found[-1] = (text + delta, inside, start)
        else:
            found.append((str(delta), delta.inside, delta.start))
    return found


def test_each_delta_says_where_it_stood() -> None:
    assert sides(list(split_tags(TEXT, "think"))) == SIDES
    assert sides(list(split_tags(list(TEXT), "think"))) == SIDES


pieces = st.lists(
    st.sampled_from(["<think>", "</think>", "<", "</", "think", ">", "a", " b"])
)


@given(pieces=pieces, data=st.data())
def test_any_slicing_gives_what_the_whole_text_gives(
    pieces: list[str], data: st.DataObject
) -> None:
    text = "".join(pieces)
    places = data.draw(st.lists(st.integers(0, len(text))))
    edges = [0, *sorted(places), len(text)]
    sliced = [text[a:b] for a, b in pairwise(edges)]
    found = sides(list(split_tags(sliced, "think")))
    assert found == sides(list(split_tags(text, "think")))
    outside = re.sub(r"<think>(.*?)(</think>|$)", "", text)
    assert "".join(part for part, inside, _ in found if not inside) == outside
    for part, _, start in found:
        assert text.startswith(part, start)


def test_no_more_is_held_back_than_may_be_a_tag() -> None:
    split = split_tags(["a<th", "x", "b<think", ">", "c<"], "think")
    assert [next(split) for _ in range(4)] == ["a", "<thx", "b", "c"]
    assert list(split) == ["<"]


def test_one_side_alone_is_cut_where_the_other_stood() -> None:
    deltas = ["a", "<think>b</think>", "c", "d", "<think>e"]
    assert list(split_tags(deltas, "think", keep="outside")) == ["a", CUT, "c", "d"]
    assert list(split_tags(deltas, "think", keep="inside")) == ["b", CUT, "e"]
    # What is empty stood nowhere.
    empty = ["a<think></think>b"]
    assert list(split_tags(empty, "think", keep="outside")) == ["a", "b"]


def test_a_cut_goes_through_and_is_not_doubled() -> None:
    deltas: list[str | Cut] = ["a<", CUT, "think>b", "<think>c</think>", CUT, "d"]
    found = list(split_tags(deltas, "think", keep="outside"))
    assert found == ["a", "<", CUT, "think>b", CUT, "d"]


def test_the_answer_can_be_chunked_alone_and_knows_how_it_ended() -> None:
    events = Events(chat("<think>Hm.</thi"), chat("nk>It works."), chat_end("length"))
    split = split_tags(text_deltas(events), "think", keep="outside")
    assert split.ending is None
    (chunk,) = iter_chunks(split)
    assert [chunk, chunk.complete, split.ending] == ["It works.", False, "length"]
    assert events.closed == 1


def test_a_plain_source_does_not_say_how_it_ended() -> None:
    assert split_tags("a", "think").ending is None


@pytest.mark.anyio
async def test_the_async_twin_does_the_same() -> None:
    events = AsyncEvents(*TEXT)
    async with asplit_tags(events, "think") as split:
        assert sides([delta async for delta in split]) == SIDES
    assert events.closed == 1
    assert [delta async for delta in asplit_tags("a", "think")] == ["a"]


@pytest.mark.parametrize("made", [copy.copy, lambda d: pickle.loads(pickle.dumps(d))])  # noqa: S301 - our own
def test_a_delta_copies_and_pickles_with_its_place(made: Any) -> None:
    delta = made(TagDelta("a", inside=True, start=3))
    assert [type(delta), delta, delta.inside, delta.start] == [TagDelta, "a", True, 3]


@pytest.mark.parametrize("function", [split_tags, asplit_tags])
def test_wrong_arguments_are_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="iterable of str, got int"):
        function(7, "think")
    with pytest.raises(TypeError, match="got bytes; decode bytes incrementally"):
        function(b"a", "think")
    for tag in ("", "<think>", "a b", None):
        with pytest.raises(ValueError, match="tag must be the name of a tag"):
            function("a", tag)
    for keep in ("answer", ["both"]):
        with pytest.raises(ValueError, match="keep must be 'both', 'outside' or"):
            function("a", "think", keep=keep)
    with pytest.raises(TypeError, match="a delta must be a str, got int"):
        list(split_tags([7], "think"))  # type: ignore[list-item]  # on purpose
