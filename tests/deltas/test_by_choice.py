"""by_choice and aby_choice: mixed choices, each with its own deltas and ending."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise import CUT, SourceError
from chunkwise.deltas import Part, aby_choice, by_choice
from tests.deltas.events import chat, chat_end
from tests.deltas.sources import AsyncEvents, Events

CALL = chat(tool_calls=[{"index": 0, "function": {"arguments": "{}"}}])

EVENTS = [
    chat("a"),
    chat("b", 1),
    CALL,
    chat("c"),
    chat("d", 1),
    chat_end("stop", 1),
]
DELTAS = [(0, "a"), (1, "b"), (0, CUT), (0, "c"), (1, "d")]


def test_each_choice_has_its_own_deltas() -> None:
    events = Events(*EVENTS)
    deltas = by_choice(events)
    assert deltas.endings == {}
    assert list(deltas) == DELTAS
    assert deltas.endings == {0: "truncated", 1: "stop"}
    assert events.closed == 1


@pytest.mark.anyio
async def test_the_async_twin_does_the_same() -> None:
    events = AsyncEvents(*EVENTS)
    async with aby_choice(events) as deltas:
        assert [delta async for delta in deltas] == DELTAS
    assert deltas.endings == {0: "truncated", 1: "stop"}
    assert events.closed == 1


def test_what_is_said_of_all_is_said_of_each() -> None:
    deltas = by_choice([chat("a"), chat("b", 1), {"choices": [], "error": {}}])
    assert len(list(deltas)) == 2
    assert deltas.endings == {0: "error", 1: "error"}
    parts = [Part("a"), Part("b", choice=1), Part("c", choice=None)]
    extracted = by_choice([parts], extract=lambda found: found)
    assert list(extracted) == [(0, "a"), (1, "b"), (0, "c"), (1, "c")]


def test_text_of_all_is_text_of_each() -> None:
    events = [Part("a"), Part("b", choice=1), Part("c", choice=None)]
    deltas = by_choice(events, extract=lambda event: event)
    assert list(deltas) == [(0, "a"), (1, "b"), (0, "c"), (1, "c")]


def test_a_cut_is_one_for_each_choice() -> None:
    items = [chat("a"), chat("b\ud83d", 1), CUT, chat("c")]
    deltas = list(by_choice(items))
    assert deltas[:2] == [(0, "a"), (1, "b")]
    assert deltas[2:5] == [(0, CUT), (1, "\ud83d"), (1, CUT)]
    assert deltas[5:] == [(0, "c")]


def test_half_a_character_at_the_end_is_handed_out() -> None:
    assert list(by_choice([chat("b\ud83d", 1)])) == [(1, "b"), (1, "\ud83d")]


def test_another_kind_can_be_read_and_an_extractor_given() -> None:
    events = [chat("a", reasoning="Hm")]
    assert list(by_choice(events, kind="reasoning")) == [(0, "Hm")]
    assert list(by_choice([1, 2], extract=str)) == [(0, "1"), (0, "2")]


def test_an_error_ends_all() -> None:
    deltas = by_choice(Events(chat("a"), OSError("cut")))
    assert next(deltas) == (0, "a")
    with pytest.raises(OSError, match="cut"):
        next(deltas)
    assert deltas.endings == {0: "error"}


def test_an_interrupt_is_no_ending() -> None:
    deltas = by_choice(Events(chat("a"), KeyboardInterrupt()))
    next(deltas)
    with pytest.raises(KeyboardInterrupt):
        next(deltas)
    assert deltas.endings == {0: None}


def test_bytes_that_are_no_text_raise_behind_their_text() -> None:
    deltas = by_choice([b"a\xff", b"b"])
    assert next(deltas) == (0, "a")
    with pytest.raises(UnicodeError):
        next(deltas)
    assert deltas.endings == {0: "error"}
    deltas = by_choice(Events(b"a\xff", close_error=KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        next(deltas)
    assert deltas.endings == {0: "error"}
    deltas = by_choice([b"a\xc3"])
    assert next(deltas) == (0, "a")
    with pytest.raises(UnicodeError):
        next(deltas)


def test_text_that_repeats_all_before_it_is_an_error() -> None:
    text = "This is all the text so far."
    with pytest.raises(SourceError, match="item 3"):
        list(by_choice([text, text + " More", text + " More to"]))


@pytest.mark.parametrize("function", [by_choice, aby_choice])
def test_wrong_arguments_are_refused(function: Any) -> None:
    with pytest.raises(TypeError, match="iterable of text or events, got int"):
        function(7)
    with pytest.raises(ValueError, match="kind must be one of"):
        function([], kind="all")
