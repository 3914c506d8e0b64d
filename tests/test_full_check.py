"""The check that splits the whole stream again after every delta."""

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
from tests.examples import DecidingAtTheEnd, EveryDelta, Scripted
from tests.running import facts, run
from tests.testing.faulty import CountsFromTheStart
from tests.texts import every_strategy, sliced_texts

if TYPE_CHECKING:
    from chunkwise._spans import ScanFields


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


def test_the_full_check_also_compares_what_a_chunk_is() -> None:
    """The same text at the same place, but of another kind."""

    class Naming(ChunkingStrategy):
        """Each code point is a chunk, whose kind is the text of its scan."""

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            end = base + len(text)
            spans = [Span(at, at + 1, kind=text) for at in range(base, end)]
            return Scan(spans, end, end, None)

    chunker = Chunker(Naming(), check="full")
    assert chunker.feed("a") == ["a"]
    with pytest.raises(DeltaInvarianceError, match="`complete` or `kind`") as caught:
        chunker.feed("b")
    assert caught.value.released == caught.value.expected == ("a", "b")
    assert caught.value.offset == 0


def test_a_strategy_of_level_1_that_changes_its_mind_is_compared_too() -> None:
    """A plain Chunker refuses it as well, but cannot say what the text gives."""
    chunker = Chunker(DecidingAtTheEnd(), check="full")
    assert chunker.feed("3.") == ["3."]
    with pytest.raises(DeltaInvarianceError, match="gives no chunk") as caught:
        chunker.feed("14")
    assert caught.value.offset == 0
    assert caught.value.released == ("3.",)
    assert caught.value.expected == ()
    assert chunker.pending == ""


def test_what_a_strategy_of_level_1_does_wrong_otherwise_is_told_as_it_is() -> None:
    """What was released stands in the whole text, too, but nothing can follow it."""
    chunker = Chunker(CountsFromTheStart(), check="full")
    assert chunker.feed("a\nb\nc\n") == ["a\n", "b\nc\n"]
    before = chunker.state
    with pytest.raises(ContractError, match="a released chunk never changes") as caught:
        chunker.feed("d\ne\n")
    assert not isinstance(caught.value, DeltaInvarianceError)
    assert chunker.state == before


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


def test_the_full_check_knows_what_stays_in_force_behind_a_cut() -> None:
    chunker = Chunker("markdown", check="full")
    chunks = [*chunker.feed("# A\n\nOne. Two"), *chunker.cut(), *chunker.feed("Three.")]
    *_, chunk = [*chunks, *chunker.flush()]
    assert chunk.with_context() == "# A\n\nThree."


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
