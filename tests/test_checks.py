"""What is checked before a chunk leaves, and what a caller is told."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import (
    CUT,
    Chunker,
    ChunkingStrategy,
    ContractError,
    NotVerbatimError,
    Scan,
    Span,
)
from tests.examples import Scripted

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise._spans import ScanFields


@pytest.mark.parametrize(
    ("delta", "help_"),
    [
        pytest.param(None, "got NoneType; skip events that carry no text", id="None"),
        pytest.param(b"a", "got bytes; decode bytes incrementally", id="bytes"),
        pytest.param(bytearray(b"a"), "got bytearray; decode bytes", id="bytearray"),
        pytest.param(memoryview(b"a"), "got memoryview; decode", id="memoryview"),
        pytest.param({"text": "a"}, "got dict; take the text out", id="event"),
        pytest.param(7, "got int; take the text out", id="number"),
        pytest.param(CUT, r"a cut is declared with cut\(\)", id="cut"),
        pytest.param(["a"], "got list; take the text out", id="list"),
    ],
)
def test_what_is_no_text_is_a_type_error_that_helps(delta: Any, help_: str) -> None:
    chunker = Chunker("word")
    chunker.feed("a b")
    before = chunker.state
    with pytest.raises(TypeError, match=help_) as caught:
        chunker.feed(delta)
    assert "a delta must be a str" in str(caught.value)
    assert chunker.state == before


def test_a_subclass_of_str_is_taken_as_its_text() -> None:
    class Event(str):
        __slots__ = ()

        def __str__(self) -> str:
            return "something else"

        def __getitem__(self, _key: object) -> str:
            return "something else"

    chunker = Chunker("word")
    assert chunker.feed(Event("one two")) == ["one"]
    assert chunker.pending == " two"
    assert type(chunker.pending) is str
    assert chunker.flush() == ["two"]


@pytest.mark.parametrize(
    "span",
    [
        pytest.param(Span(2, 2), id="empty"),
        pytest.param(Span(3, 2), id="turned"),
        pytest.param(Span(-1, 2), id="before the stream"),
        pytest.param(Span(2, 7), id="behind the text"),
        pytest.param(Span(9, 12), id="elsewhere"),
    ],
)
def test_a_span_outside_the_text_is_refused(span: Span) -> None:
    chunker = Chunker(Scripted(Scan([span], 6, 6, None)))
    chunker.feed("ab")
    with pytest.raises(NotVerbatimError, match="verbatim substring") as caught:
        chunker.feed("!def")
    assert f"{span.start}:{span.end}" in str(caught.value)
    assert caught.value.strategy == "Scripted"
    assert f"(stream offset {caught.value.offset})" in str(caught.value)
    assert chunker.pending == "ab"


def test_a_span_in_text_that_was_let_go_of_is_refused() -> None:
    class GoingBack(ChunkingStrategy):
        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state, final
            end = base + len(text)
            start = 0 if "!" in text else base
            return Scan([Span(start, end)], end, end, None)

    chunker = Chunker(GoingBack())
    assert chunker.feed("ab") == ["ab"]
    assert chunker.feed("cd") == ["cd"]
    with pytest.raises(NotVerbatimError):
        chunker.feed("e!")
    assert chunker.pending == ""


@pytest.mark.parametrize("resume", [-1, 7, 100])
def test_a_scan_that_resumes_outside_its_text_is_refused(resume: int) -> None:
    chunker = Chunker(Scripted(Scan([Span(0, 2)], 2, resume, None)))
    chunker.feed("ab")
    with pytest.raises(ContractError, match=f"resume={resume}") as caught:
        chunker.feed("!def")
    assert caught.value.strategy == "Scripted"
    assert chunker.pending == "ab"


def test_a_scan_that_resumes_before_its_base_is_refused() -> None:
    chunker = Chunker(Stepping())
    chunker.feed("ab")
    with pytest.raises(ContractError, match="resume=1"):
        chunker.feed("!")


class Stepping(ChunkingStrategy):
    """Level 2: goes on behind its text; at ``!`` it wants to go back to offset 1."""

    @override
    def scan(
        self, text: str, base: int, state: None, final: bool = False
    ) -> ScanFields[None]:
        del state, final
        end = 1 if "!" in text else base + len(text)
        return Scan([], end, end, None)


def test_spans_of_a_final_scan_are_checked_too() -> None:
    class LateWrong(ChunkingStrategy):
        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state
            spans = [Span(0, 99)] if final else []
            return Scan(spans, base + len(text), base + len(text), None)

    for name in ("cut", "flush"):
        chunker = Chunker(LateWrong())
        chunker.feed("abc")
        before = chunker.state
        with pytest.raises(NotVerbatimError):
            getattr(chunker, name)()
        assert chunker.state == before
        assert chunker.pending == "abc"


def test_spans_come_all_at_once() -> None:
    class Generating(ChunkingStrategy):
        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state, final
            end = base + len(text)
            spans: Any = (Span(0, 1) for _ in range(text.count("!")))
            return Scan(spans, end, end, None)

    says = "scan.. returned generator as its spans, expected a list or tuple"
    chunker = Chunker(Generating())
    assert chunker.feed("a") == []
    assert chunker.feed("!") == ["a"]
    with pytest.raises(ContractError, match=says):
        chunker.flush()
    assert chunker.pending == "!"


UNTYPED: Any = Scan
UNTYPED_SPAN: Any = Span
"""For what the types do not allow."""


@pytest.mark.parametrize("check", ["verbatim", "full"])
@pytest.mark.parametrize(
    ("scan", "says"),
    [
        pytest.param(None, "returned None, expected Scan(spans", id="nothing"),
        pytest.param(7, "returned 7, expected Scan(spans", id="number"),
        pytest.param(["ab"], "returned ['ab'], expected Scan(spans", id="chunks"),
        pytest.param(([], 6, 6, None), "expected Scan(spans", id="four fields"),
        pytest.param(([], 6, 6, None, 0, 0), "expected Scan(spans", id="six fields"),
        pytest.param("five!", "returned 'five!', expected Scan(spans", id="text"),
        pytest.param(UNTYPED([None], 6, 6, None), "None as span 0", id="no span"),
        pytest.param(UNTYPED(["ab"], 6, 6, None), "'ab' as span 0", id="text as span"),
        pytest.param(UNTYPED([(0,)], 6, 6, None), "(0,) as span 0", id="start alone"),
        pytest.param(
            UNTYPED([Span(0, 1), UNTYPED_SPAN(1, 2.5)], 6, 6, None),
            "Span(start=1, end=2.5, ",
            id="half an offset",
        ),
        pytest.param(
            UNTYPED([UNTYPED_SPAN(0, None)], 6, 6, None),
            "with whole numbers",
            id="no end",
        ),
        pytest.param(UNTYPED([Span(0, 1)], None, 6, None), "keep=None", id="no keep"),
        pytest.param(UNTYPED([Span(0, 1)], 0.5, 6, None), "keep=0.5", id="half a keep"),
        pytest.param(
            UNTYPED([Span(0, 1)], 6, None, None), "resume=None", id="no resume"
        ),
        pytest.param(UNTYPED([], 6, 5.5, None), "resume=5.5", id="half a resume"),
        pytest.param(UNTYPED([], 6, 2.0, None), "resume=2.0", id="resume as a float"),
        pytest.param(UNTYPED([], 6, 6, None, None), "wake=None", id="no wake"),
        pytest.param(UNTYPED([], 6, 6, None, "x"), "wake='x'", id="wake as text"),
    ],
)
def test_a_scan_that_is_none_is_refused(scan: Any, says: str, check: Any) -> None:
    chunker = Chunker(Scripted(scan), check=check)
    chunker.feed("ab")
    before = chunker.state
    with pytest.raises(ContractError, match=re.escape(says)) as caught:
        chunker.feed("!def")
    assert caught.value.strategy == "Scripted"
    assert caught.value.offset is not None
    assert chunker.state == before
    assert chunker.feed("c") == []


@pytest.mark.parametrize(
    ("scan", "says"),
    [
        (None, "returned None, expected Scan(spans"),
        (UNTYPED([(0, 2, True)], 3, 3, None), "(0, 2, True) as span 0"),
        (UNTYPED([(0, 2, True, "", False, None, (), 0)], 3, 3, None), "as span 0"),
        (UNTYPED([], None, 3, None), "keep=None"),
    ],
    ids=["nothing", "three fields", "eight fields", "no keep"],
)
def test_a_last_scan_that_is_none_is_refused(scan: Any, says: str) -> None:
    class Late(ChunkingStrategy):
        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            end = base + len(text)
            return scan if final else Scan([], end, end, None)

    chunker = Chunker(Late())
    chunker.feed("abc")
    for call in (chunker.flush, chunker.cut):
        with pytest.raises(ContractError, match=re.escape(says)) as caught:
            call()
        assert caught.value.strategy == "Late"
        assert chunker.pending == "abc"


def test_a_scan_that_resumes_where_it_began_says_so_in_any_number() -> None:
    chunker = Chunker(Scripted(UNTYPED([], 0, 0.0, None)))
    chunker.feed("ab!")
    assert repr(chunker.state.base) == "0"
    assert chunker.pending == "ab!"


def test_an_error_of_the_strategy_itself_comes_as_it_is() -> None:
    class Raising(ChunkingStrategy):
        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            raise TypeError(text)

    with pytest.raises(TypeError, match="ab"):
        Chunker(Raising()).feed("ab")


def test_a_trigger_is_a_frozenset() -> None:
    class Changeable(ChunkingStrategy):
        """Level 2, whose trigger is of the wrong type."""

        @property
        @override
        def trigger(self) -> Any:
            return {"!"}

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            raise AssertionError

    with pytest.raises(ContractError, match="expected a frozenset of code points"):
        Chunker(Changeable())


def test_starts_increase_from_scan_to_scan() -> None:
    class Twice(ChunkingStrategy):
        """Level 2: each scan gives the first two code points, which it keeps."""

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state, final
            end = base + len(text)
            return Scan([Span(0, 2)] if end > 1 else [], 0, end, None)

    chunker = Chunker(Twice())
    assert chunker.feed("abc") == ["ab"]
    feed = partial(chunker.feed, "d")
    calls: list[Callable[[], object]] = [chunker.flush, chunker.cut, feed]
    for call in calls:
        with pytest.raises(NotVerbatimError, match="inside 2:"):
            call()
    assert chunker.pending == "c"


def test_chunks_overlap_only_where_the_strategy_says_so() -> None:
    class Overlapping(ChunkingStrategy):
        """Level 2: every ``!`` ends a chunk that begins two code points before it."""

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state
            end = base + len(text)
            spans = [
                Span(base + at - 2, base + at + 1)
                for at, char in enumerate(text)
                if char == "!"
            ]
            return Scan(spans, 0, end if final else base, None)

    class SayingSo(Overlapping):
        overlaps = True

    assert SayingSo().split("ab!!") == ["ab!", "b!!"]
    assert Chunker(SayingSo()).feed("ab!!") == ["ab!", "b!!"]
    chunker = Chunker(Overlapping())
    with pytest.raises(NotVerbatimError, match="inside 3:4"):
        chunker.feed("ab!!")
    assert chunker.pending == ""
