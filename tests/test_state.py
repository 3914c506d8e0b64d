"""ChunkerState: what a stream is between two deltas, as a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import (
    Chunker,
    ChunkerState,
    ChunkingStrategy,
    LineChunking,
    ParagraphChunking,
    StreamStateError,
    WordChunking,
)
from tests.examples import SemicolonChunking

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Sized(ChunkingStrategy):
    """Level 1, unregistered, with a parameter that no dictionary can carry."""

    count: Callable[[str], int]

    @override
    def split(self, text: str) -> list[str]:
        return []


def a_state() -> ChunkerState:
    chunker = Chunker("sentence", max_pending=50, metadata={"id": 7})
    chunker.feed(" One.  Two")
    return chunker.state


def test_a_state_says_where_the_stream_stands() -> None:
    state = a_state()
    assert state.strategy == {"type": "sentence", "rules": "plain"}
    assert state.text[-3:] == "Two"
    assert state.start <= state.base <= state.start + len(state.text) == 10
    assert (state.index, state.last_start, state.last_end) == (1, 1, 5)
    assert (state.ended, state.max_pending) == (False, 50)
    assert state.metadata == {"id": 7}


def test_the_state_of_a_new_chunker_is_that_of_an_empty_stream() -> None:
    state = Chunker("word").state
    assert (state.text, state.start, state.base, state.index) == ("", 0, 0, 0)
    assert (state.last_end, state.ended, state.max_pending) == (0, False, None)
    assert state == Chunker("word").state


def test_a_state_goes_on_after_its_chunker_is_gone() -> None:
    chunker = Chunker.resume("sentence", ChunkerState.from_json(a_state().to_json()))
    chunks = chunker.feed(". Three")
    assert chunks == ["Two."]
    (chunk,) = chunks
    assert (chunk.start, chunk.index, chunk.gap) == (7, 1, "  ")
    assert chunk.metadata == {"id": 7}


def test_the_state_of_a_stream_that_ended_has_ended() -> None:
    chunker = Chunker("word")
    chunker.feed("one two ")
    chunker.flush()
    again = Chunker.resume("word", ChunkerState.from_json(chunker.state.to_json()))
    assert again.tail == " "
    assert again.pending == ""
    assert again.flush() == []
    with pytest.raises(StreamStateError, match=r"after flush\(\)"):
        again.feed("three")


def test_a_state_fits_every_form_of_its_strategy() -> None:
    state = Chunker("line").state
    for form in ("line", LineChunking(), {"type": "line"}, LineChunking().to_dict()):
        assert Chunker.resume(form, state).feed("a\n") == ["a\n"]


@pytest.mark.parametrize(
    ("taken", "resumed"),
    [
        pytest.param(WordChunking(), LineChunking(), id="class"),
        pytest.param(LineChunking(), LineChunking(keep_ends=False), id="parameter"),
        pytest.param(ParagraphChunking(strict=True), ParagraphChunking(), id="default"),
        pytest.param(Sized(len), Sized(str.count), id="unregistered"),
        pytest.param(SemicolonChunking(), WordChunking(), id="other unregistered"),
    ],
)
def test_a_state_of_another_strategy_is_refused(
    taken: ChunkingStrategy[Any], resumed: ChunkingStrategy[Any]
) -> None:
    state = Chunker(taken).state
    with pytest.raises(StreamStateError, match="another strategy") as caught:
        Chunker.resume(resumed, state)
    assert repr(resumed) in str(caught.value)


def test_the_error_shows_the_strategy_that_the_state_belongs_to() -> None:
    with pytest.raises(StreamStateError, match=r"'keep_ends': False"):
        Chunker.resume("line", Chunker(LineChunking(keep_ends=False)).state)
    state = Chunker(SemicolonChunking()).state
    with pytest.raises(StreamStateError, match=f"fingerprint {state.fingerprint}"):
        Chunker.resume("line", state)


def test_a_strategy_without_a_dictionary_form_is_known_by_its_fingerprint() -> None:
    state = Chunker(Sized(len)).state
    assert state.strategy is None
    assert len(state.fingerprint) == 16
    again = ChunkerState.from_json(state.to_json())
    assert again == state
    assert Chunker.resume(Sized(len), again).feed("a") == []


def test_fingerprints_tell_parameters_apart() -> None:
    prints = {
        Chunker(strategy).state.fingerprint
        for strategy in (
            LineChunking(),
            LineChunking(keep_ends=False),
            ParagraphChunking(),
            ParagraphChunking(strict=True),
            WordChunking(),
            SemicolonChunking(),
        )
    }
    assert len(prints) == 6


def test_a_fingerprint_can_be_taken_of_any_text_parameter() -> None:
    @dataclass(frozen=True)
    class Named(ChunkingStrategy):
        name: str

        @override
        def split(self, text: str) -> list[str]:
            return []

    state = Chunker(Named("\ud800")).state
    assert state.fingerprint != Chunker(Named("\ud801")).state.fingerprint


@pytest.mark.parametrize(
    "value", [object(), {1, 2}, b"a", float("nan"), [float("inf")]], ids=repr
)
def test_a_metadata_value_that_json_cannot_carry_is_named(value: object) -> None:
    chunker = Chunker("word", metadata={"fine": 1, "source of it": value})
    with pytest.raises(ValueError, match="metadata key 'source of it'"):
        chunker.state.to_json()


def test_json_carries_metadata_of_every_kind_that_it_knows() -> None:
    metadata = {"a": None, "b": [1, 2.5, True], "c": {"d": "\u2028"}}
    state = Chunker("word", metadata=metadata).state
    assert ChunkerState.from_json(state.to_json()).metadata == metadata


def written() -> dict[str, Any]:
    form = json.loads(a_state().to_json())
    assert isinstance(form, dict)
    return form


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="half"),
        pytest.param("[]", id="array"),
        pytest.param("7", id="number"),
        pytest.param("null", id="null"),
        pytest.param("{}", id="empty object"),
        pytest.param('{"format": 1}', id="format alone"),
        pytest.param('{"format": null}', id="no format"),
        pytest.param('{"format": "1"}', id="format as text"),
        pytest.param(json.dumps({**written(), "more": 1}), id="one field more"),
        pytest.param(json.dumps({**written(), "metadata": 7}), id="metadata number"),
        pytest.param(json.dumps({**written(), "metadata": "abc"}), id="metadata text"),
    ],
)
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(StreamStateError, match="not the JSON form of a ChunkerState"):
        ChunkerState.from_json(text)


@pytest.mark.parametrize("name", sorted(written()))
def test_a_state_that_lacks_a_field_is_refused(name: str) -> None:
    form = written()
    del form[name]
    with pytest.raises(StreamStateError, match="not the JSON form of a ChunkerState"):
        ChunkerState.from_json(json.dumps(form))


def test_a_newer_format_is_refused_with_the_reason() -> None:
    with pytest.raises(StreamStateError, match=r"format 99.*newer chunkwise"):
        ChunkerState.from_json(json.dumps({**written(), "format": 99}))


def test_the_size_of_a_state_is_that_of_the_pending_text() -> None:
    chunker = Chunker("word")
    sizes = set()
    for _ in range(100):
        chunker.feed("word word ")
        sizes.add(len(chunker.state.text))
    assert max(sizes) < 20
