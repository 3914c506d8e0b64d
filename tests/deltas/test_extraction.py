"""Items of any kind become parts, or are refused with what was found and where."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise import CUT, SourceError
from chunkwise.deltas import Part, openai_chat, pydantic_ai
from chunkwise.deltas._extraction import Extraction
from tests.deltas.events import as_event, as_object, chat


def parts(extraction: Extraction, *items: Any) -> list[Any]:
    found = [part for item in items for part in extraction.parts(item)]
    return [*found, *extraction.rest()]


def test_text_and_cuts_are_taken_as_they_are() -> None:
    extraction = Extraction(None)
    assert parts(extraction, "a", "", CUT) == [Part("a"), Part(""), CUT]
    assert not extraction.says_end


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
def test_bytes_are_decoded_as_they_arrive(form: Any) -> None:
    items = [form(b"a\xc3"), form(b"\xa4")]
    assert parts(Extraction(None), *items) == [Part("a"), Part("ä"), Part("")]


def test_bytes_that_are_no_text_end_the_source_behind_their_text() -> None:
    extraction = Extraction(None)
    assert list(extraction.parts(b"ab\xff")) == [Part("ab")]
    assert "0xff at byte offset 2" in str(extraction.error)
    extraction = Extraction(None)
    assert parts(extraction, b"a\xc3") == [Part("a"), Part("")]
    assert "0xc3 at byte offset 1" in str(extraction.error)


@as_event
def test_the_first_event_that_tells_decides(as_event: Any) -> None:
    extraction = Extraction(None)
    filters = as_event({"choices": [], "type": "some.new.event"})
    event = as_event({"choices": [{"delta": {"content": "Hi"}, "text": "no"}]})
    later = as_event({"choices": [{"text": "no"}]})
    assert parts(extraction, {}, filters, event, later, filters) == [Part("Hi")]
    assert extraction.says_end


def test_some_events_never_say_how_the_text_ended() -> None:
    event = {"event_kind": "part_end"}
    extraction = Extraction(None)
    assert parts(extraction, event) == []
    assert not extraction.says_end
    assert not Extraction(pydantic_ai).says_end
    assert Extraction(openai_chat).says_end


def test_what_is_no_event_is_refused_at_once() -> None:
    extraction = Extraction(None)
    with pytest.raises(SourceError) as caught:
        parts(extraction, "a", as_object({"words": [], "id": 1}))
    assert caught.value.item == 2
    assert str(caught.value) == (
        "found SimpleNamespace with the fields words, id, expected text or an event of "
        "a known shape; extract= takes a function that returns its text (item 2 of the "
        "source)"
    )
    with pytest.raises(SourceError, match=r"found int, expected"):
        parts(Extraction(None), 7)


@pytest.mark.parametrize(
    "items",
    [["a", "b"], [b"a", b"b"], [chat("a"), chat("b")]],
    ids=["text", "bytes", "events"],
)
def test_none_is_passed_over_wherever_it_stands(items: list[Any]) -> None:
    found = parts(Extraction(None), None, items[0], None, items[1], None)
    assert [part for part in found if part != Part("")] == [Part("a"), Part("b")]


def test_an_extractor_of_the_caller_is_given_none_as_well() -> None:
    extraction = Extraction(lambda item: CUT if item is None else item)
    assert parts(extraction, "a", None, "b") == [Part("a"), CUT, Part("b")]


def test_unknown_events_alone_are_refused_at_the_end() -> None:
    extraction = Extraction(None)
    events = [{"type": "begin"}, {"type": "delta"}]
    assert [list(extraction.parts(event)) for event in events] == [[], []]
    with pytest.raises(SourceError, match=r"dict with the fields type.*\(item 1 of"):
        list(extraction.rest())


@pytest.mark.parametrize(
    "event", [{"choices": []}, {"choices": None, "usage": {}}, {"usageMetadata": {}}]
)
def test_figures_may_come_before_all_text(event: Any) -> None:
    extraction = Extraction(None)
    assert list(extraction.parts(event)) == []
    assert list(extraction.parts(chat("Hi"))) == [Part("Hi")]
    assert list(extraction.rest()) == []


def test_an_extractor_need_not_hash() -> None:
    class Picked:
        __hash__ = None  # type: ignore[assignment]  # as in a dataclass

        def __call__(self, event: Any) -> str:
            return str(event)

    assert not Extraction(Picked()).says_end


def test_text_among_events_is_refused() -> None:
    with pytest.raises(SourceError, match=r"found the text '\[DONE\]' among events"):
        parts(Extraction(None), chat("Hi"), "[DONE]")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (None, []),
        ("a", [Part("a")]),
        (CUT, [CUT]),
        (Part("a", "reasoning"), [Part("a", "reasoning")]),
        (["a", CUT, None, Part("b")], [Part("a"), CUT, Part("b")]),
    ],
    ids=["nothing", "text", "cut", "part", "several"],
)
def test_an_extractor_of_the_user_returns_what_suits(
    found: Any, expected: list[Any]
) -> None:
    extraction = Extraction(lambda _: found)
    assert parts(extraction, 1) == expected
    assert not extraction.says_end


@pytest.mark.parametrize(
    ("found", "name"), [(7, "int"), (b"a", "bytes"), ({"text": "a"}, "dict")]
)
def test_an_extractor_that_returns_something_else_is_refused(
    found: Any, name: str
) -> None:
    with pytest.raises(SourceError, match=f"extract returned {name}, expected str"):
        parts(Extraction(lambda _: found), 1)


def test_an_extractor_needs_no_hash() -> None:
    class Extractor:
        __hash__ = None  # type: ignore[assignment]  # as dataclasses have it

        def __call__(self, item: Any) -> str:
            return str(item)

    extraction = Extraction(Extractor())
    assert parts(extraction, 1) == [Part("1")]
    assert not extraction.says_end


def test_an_extractor_is_a_function() -> None:
    with pytest.raises(TypeError, match="extract must be callable, got 'chat'"):
        Extraction("chat")  # type: ignore[arg-type]  # on purpose
