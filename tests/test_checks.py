"""What is checked before a chunk leaves, and what a caller is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from typing_extensions import override

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    ContractError,
    DeltaInvarianceError,
    NotVerbatimError,
    Scan,
    Span,
)
from tests.examples import EveryDelta, Scripted
from tests.running import facts, run
from tests.texts import every_strategy, sliced_texts

if TYPE_CHECKING:
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


def test_the_full_check_raises_before_the_wrong_chunk_leaves() -> None:
    chunker = Chunker(EveryDelta(), check="full")
    assert chunker.feed("Dr.") == ["Dr."]
    before = chunker.state
    with pytest.raises(DeltaInvarianceError) as caught:
        chunker.feed(" Lee came. ")
    error = caught.value
    assert chunker.state == before
    assert error.strategy == "EveryDelta"
    assert error.offset == 0
    assert error.released == ("Dr.", " Lee came. ")
    assert error.expected == ("Dr. Lee came. ",)
    assert "law of delta-invariance" in str(error)


def test_the_full_check_shows_results_from_where_they_part() -> None:
    class Doubting(ChunkingStrategy):
        """Two code points are a chunk; the second chunk has three after a restart."""

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state, final
            sizes = [2, 2] if base == 0 else [3]
            spans, at = [], base
            for size in sizes:
                if at + size <= base + len(text):
                    spans.append(Span(at, at + size))
                    at += size
            return Scan(spans, at, at, None)

    chunker = Chunker(Doubting(), check="full")
    assert chunker.feed("ab") == ["ab"]
    with pytest.raises(DeltaInvarianceError) as caught:
        chunker.feed("cd")
    assert caught.value.offset == 2
    assert caught.value.released == ()
    assert caught.value.expected == ("cd",)
    assert chunker.pending == ""


def test_the_full_check_also_looks_at_the_end() -> None:
    class Forgetting(ChunkingStrategy):
        """Finds its fragment at the end only if it is all there at once."""

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state
            end = base + len(text)
            spans = [Span(0, end)] if final and base == 0 and text else []
            return Scan(spans, 0, end, None)

    chunker = Chunker(Forgetting(), check="full")
    assert chunker.feed("ab") == []
    with pytest.raises(DeltaInvarianceError, match="gave no chunk"):
        chunker.flush()
    assert chunker.pending == "ab"


def test_the_full_check_starts_anew_at_a_cut() -> None:
    chunker = Chunker("sentence", check="full")
    chunks = [*chunker.feed("One. Two"), *chunker.cut(), *chunker.feed(" three. Four")]
    chunks += chunker.flush()
    assert chunks == ["One.", "Two", "three.", "Four"]


@every_strategy
@given(deltas=sliced_texts())
def test_the_full_check_lets_every_strategy_under_test_pass(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    chunker = Chunker(strategy, check="full")
    chunks = [chunk for delta in deltas for chunk in chunker.feed(delta)]
    chunks += chunker.flush()
    assert (facts(chunks), chunker.tail) == run(strategy, deltas)


def test_the_full_check_changes_nothing_when_a_span_is_refused() -> None:
    """Whatever is checked first: a call that fails leaves the Chunker as it was."""
    chunker = Chunker(Scripted(Scan([Span(1, 99)], 3, 3, None)), check="full")
    chunker.feed("ab")
    before = chunker.state
    with pytest.raises(NotVerbatimError):
        chunker.feed("!")
    assert chunker.state == before
