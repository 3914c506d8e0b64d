"""Chunker: feed, cut, flush, and what is pending in between."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import tracemalloc
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typing_extensions import override

from chunkwise import (
    CUT,
    Chunk,
    Chunker,
    ChunkingStrategy,
    ChunkwiseError,
    ContractError,
    JSONChunking,
    LineChunking,
    NestedChunking,
    ParagraphChunking,
    PendingLimitError,
    Scan,
    SentenceChunking,
    Span,
    StreamStateError,
    WordChunking,
)
from tests.examples import FailingAtBang, Scripted, SemicolonChunking
from tests.running import Facts, facts, run
from tests.texts import (
    OWN_TEXTS,
    boundary_rich_texts,
    every_strategy,
    every_unlimited,
    sliced_texts,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkwise._spans import ScanFields

PLAIN = SentenceChunking(rules="plain")


# Feeding and flushing


def test_chunks_come_out_as_their_boundaries_come_in() -> None:
    chunker = Chunker(PLAIN)
    assert chunker.feed("It is on. Now wa") == ["It is on."]
    assert chunker.feed("it") == []
    assert chunker.feed(". ") == ["Now wait."]
    assert chunker.flush() == []


def test_feed_returns_chunks() -> None:
    (chunk,) = Chunker("word").feed(" one ")
    assert type(chunk) is Chunk
    assert facts([chunk]) == [Facts("one", 1, 4, " ", 0, complete=True, kind="word")]


@every_strategy
def test_an_empty_delta_is_fine(strategy: ChunkingStrategy[Any]) -> None:
    chunker = Chunker(strategy)
    assert chunker.feed("") == []
    assert chunker.pending == ""
    chunker.feed("a")
    for _ in range(100):
        assert chunker.feed("") == []
    assert chunker.pending == "a"


def test_an_empty_delta_does_not_end_the_stream() -> None:
    chunker = Chunker(PLAIN)
    chunks = [*chunker.feed("a"), *chunker.feed(""), *chunker.feed(". ")]
    assert chunks == ["a."]


@every_strategy
def test_a_stream_without_text_gives_nothing(strategy: ChunkingStrategy[Any]) -> None:
    chunker = Chunker(strategy)
    assert chunker.flush() == []
    assert (chunker.pending, chunker.tail) == ("", "")


@every_strategy
def test_flush_ends_the_stream(strategy: ChunkingStrategy[Any]) -> None:
    chunker = Chunker(strategy)
    chunker.feed("one. two")
    chunker.flush()
    assert chunker.flush() == []
    assert chunker.flush(truncated=True) == []
    with pytest.raises(StreamStateError, match=r"feed.* after flush\(\)"):
        chunker.feed("three. ")
    with pytest.raises(StreamStateError, match=r"feed.* after flush\(\)"):
        chunker.feed("")
    with pytest.raises(StreamStateError, match=r"cut.* after flush\(\)"):
        chunker.cut()
    assert chunker.pending == ""


def test_what_flush_leaves_is_the_tail_and_no_longer_pending() -> None:
    chunker = Chunker(PLAIN)
    assert chunker.feed("One. Two  ") == ["One."]
    assert (chunker.pending, chunker.tail) == (" Two  ", "")
    assert chunker.flush() == ["Two"]
    assert (chunker.pending, chunker.tail) == ("", "  ")


def test_pending_is_everything_behind_the_last_chunk_verbatim() -> None:
    chunker = Chunker("paragraph")
    for delta, pending in [
        ("  a", "  a"),
        ("\n", "  a\n"),
        ("\n", "\n\n"),
        (" \t\n", "\n\n \t\n"),
        (" b", "\n\n \t\n b"),
        ("\n\nc", "\n\nc"),
    ]:
        chunker.feed(delta)
        assert chunker.pending == pending


def test_white_space_alone_stays_pending_and_ends_in_the_tail() -> None:
    chunker = Chunker(PLAIN)
    text = "\u00a0" * 200
    assert chunker.feed(text) == []
    assert chunker.pending == text
    assert chunker.flush() == []
    assert chunker.tail == text


@every_unlimited
@pytest.mark.parametrize("size", [1, 4, 1_000])
def test_a_long_fragment_comes_out_whole(
    strategy: ChunkingStrategy[Any], size: int
) -> None:
    """Long enough for the stored parts to be joined several times."""
    text = "\u0436" * 7_000
    chunker = Chunker(strategy)
    for at in range(0, len(text), size):
        assert chunker.feed(text[at : at + size]) == []
    assert chunker.pending == text
    assert chunker.flush() == [text]


@every_unlimited
def test_a_long_chunk_comes_out_whole_behind_a_long_gap(
    strategy: ChunkingStrategy[Any],
) -> None:
    text = "a. a.\n\n" + " \n" * 2_500 + "\u0436" * 5_000 + ".\n\nb"
    assert run(strategy, text) == run(strategy, [text])
    assert any("\u0436" * 5_000 in chunk.text for chunk in run(strategy, text).chunks)


def test_numbers_and_offsets_go_on_over_the_whole_stream() -> None:
    chunker = Chunker("word")
    chunks = [*chunker.feed("a b "), *chunker.feed(" c "), *chunker.cut()]
    chunks += [*chunker.feed("d e"), *chunker.flush()]
    assert [(c, c.index, c.start) for c in chunks] == [
        ("a", 0, 0),
        ("b", 1, 2),
        ("c", 2, 5),
        ("d", 3, 7),
        ("e", 4, 9),
    ]


def test_the_repr_shows_strategy_and_place() -> None:
    chunker = Chunker(WordChunking())
    chunker.feed("one two")
    assert repr(chunker) == (
        "<Chunker WordChunking(), 1 chunks, 4 of 7 code points pending>"
    )


def test_a_strategy_is_named_given_or_described() -> None:
    for strategy in ("line", LineChunking(), {"type": "line"}):
        assert Chunker(strategy).feed("a\nb") == ["a\n"]


def test_an_event_like_object_says_how_to_get_at_its_text() -> None:
    chunker = Chunker("word")
    with pytest.raises(TypeError, match="skip events that carry no text"):
        chunker.feed(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="decode bytes incrementally"):
        chunker.feed(b"one ")  # type: ignore[arg-type]
    assert chunker.feed("one ") == ["one"]


def test_a_subclass_of_str_becomes_plain_text() -> None:
    class Event(str):
        __slots__ = ()

    chunker = Chunker("word")
    for delta in ("quiet", "one two", " ", ""):
        chunker.feed(Event(delta))
        assert type(chunker.pending) is str
        assert type(chunker.state.text) is str
    assert type(str(chunker.flush())) is str


# Metadata


def test_every_chunk_carries_the_metadata_of_the_stream() -> None:
    given_ = {"source": "model"}
    chunker = Chunker("word", metadata=given_)
    given_["source"] = "changed"
    chunks = [*chunker.feed("a b "), *chunker.feed("c"), *chunker.cut()]
    chunks += [*chunker.feed(" d"), *chunker.flush()]
    assert len(chunks) == 4
    for chunk in chunks:
        assert chunk.metadata == {"source": "model"}
        with pytest.raises(TypeError):
            chunk.metadata["source"] = "mine"  # type: ignore[index]  # read-only


def test_the_garbage_collector_does_not_go_over_what_chunks_say() -> None:
    """There may be a million of them in one list."""
    chunker = Chunker("word")
    chunks = [*chunker.feed("one two th"), *chunker.flush()]
    # A tuple is let go of once the tuples in it have been.
    gc.collect()
    gc.collect()
    tracked = [gc.is_tracked(chunk._facts) for chunk in chunks]  # noqa: SLF001 - it is about that
    assert tracked == [False] * 3


def test_there_is_no_metadata_unless_told() -> None:
    (chunk,) = Chunker("word").feed("a ")
    assert chunk.metadata == {}


# Complete and truncated


@pytest.mark.parametrize(
    ("strategy", "text", "complete"),
    [
        pytest.param(PLAIN, "One.", True, id="sentence with terminator"),
        pytest.param(PLAIN, "One!", True, id="sentence with exclamation mark"),
        pytest.param(PLAIN, "One?", True, id="sentence with question mark"),
        pytest.param(PLAIN, "One.)", True, id="sentence with closing mark"),
        pytest.param(PLAIN, "One.\u201d", True, id="sentence with closing quote"),
        pytest.param(PLAIN, "One", False, id="unfinished sentence"),
        pytest.param(PLAIN, "One. Two", False, id="unfinished second sentence"),
        pytest.param(PLAIN, "3.5", False, id="full stop inside"),
        pytest.param(WordChunking(), "one", False, id="word"),
        pytest.param(WordChunking(), "one.", False, id="word with full stop"),
        pytest.param(LineChunking(), "one", False, id="unfinished line"),
        pytest.param(LineChunking(), "one\r", True, id="line with carriage return"),
        pytest.param(
            LineChunking(keep_ends=False), "one\r", True, id="line, return dropped"
        ),
        pytest.param(LineChunking(keep_ends=False), "one", False, id="line, no end"),
        pytest.param(ParagraphChunking(), "one.", False, id="paragraph"),
        pytest.param(ParagraphChunking(), "one\n", False, id="paragraph, line end"),
        pytest.param(ParagraphChunking(), "one\n  ", False, id="paragraph, blanks"),
        pytest.param(ParagraphChunking(), "one\n\r", True, id="paragraph, open return"),
        pytest.param(
            ParagraphChunking(strict=True), "one\n", False, id="strict paragraph"
        ),
        pytest.param(SemicolonChunking(), "one", False, id="level 1"),
    ],
)
def test_flush_says_whether_a_boundary_ended_the_last_chunk(
    strategy: ChunkingStrategy[Any], text: str, *, complete: bool
) -> None:
    for deltas in ([text], list(text)):
        assert run(strategy, deltas).chunks[-1].complete is complete
        chunker = Chunker(strategy)
        chunks = [chunk for delta in deltas for chunk in chunker.feed(delta)]
        assert all(chunk.complete for chunk in chunks)
        chunks = chunker.flush(truncated=True)
        assert chunks[-1].complete is False


@every_strategy
@given(deltas=sliced_texts())
def test_a_truncated_stream_differs_only_in_its_last_chunk(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    ended, broken = Chunker(strategy), Chunker(strategy)
    for delta in deltas:
        assert facts(ended.feed(delta)) == facts(broken.feed(delta))
    whole = facts(ended.flush())
    cut_off = facts(broken.flush(truncated=True))
    assert cut_off[:-1] == whole[:-1]
    assert [chunk._replace(complete=False) for chunk in whole[-1:]] == cut_off[-1:]
    assert ended.tail == broken.tail


# Cuts


def test_a_cut_releases_what_is_pending_as_complete() -> None:
    chunker = Chunker(PLAIN)
    chunker.feed("Let me look that up")
    chunks = chunker.cut()
    assert facts(chunks) == [
        Facts("Let me look that up", 0, 19, "", 0, complete=True, kind="sentence")
    ]
    assert chunker.pending == ""
    assert chunker.feed("Done. ") == ["Done."]


def test_a_cut_that_is_no_boundary_leaves_the_last_chunk_incomplete() -> None:
    chunker = Chunker("word")
    chunker.feed("one two thr")
    (chunk,) = chunker.cut(truncated=True)
    assert (chunk, chunk.complete) == ("thr", False)
    assert [each.start for each in chunker.feed("ee four ")] == [11, 14]


def test_separators_at_a_cut_open_the_next_gap() -> None:
    chunker = Chunker(PLAIN)
    assert chunker.feed("One. \n") == ["One."]
    assert chunker.cut() == []
    assert chunker.pending == " \n"
    (chunk,) = chunker.feed(" Two. ")
    assert (chunk, chunk.gap, chunk.start) == ("Two.", " \n ", 7)


def test_a_cut_between_a_carriage_return_and_a_line_feed_separates_them() -> None:
    chunker = Chunker("line")
    assert chunker.feed("a\r") == []
    assert chunker.cut() == ["a\r"]
    assert chunker.feed("\nb\n") == ["\n", "b\n"]


@every_strategy
def test_a_cut_of_nothing_gives_nothing(strategy: ChunkingStrategy[Any]) -> None:
    chunker = Chunker(strategy)
    assert chunker.cut() == chunker.cut() == []
    chunker.feed("a")
    assert chunker.cut() == strategy.flush("a")
    assert chunker.cut() == []
    assert chunker.flush() == []


def has_heading(segments: list[str]) -> bool:
    """Whether a heading of Markdown is in force behind *segments*, each with a cut."""
    chunker = Chunker("markdown")
    for segment in segments:
        chunker.feed(segment)
        chunker.cut()
    chunker.feed("text")
    return bool(chunker.flush()[-1].context)


@every_strategy
@given(deltas=sliced_texts(), cuts=st.sets(st.integers(0, 12)))
def test_a_stream_with_cuts_gives_what_its_segments_give_apart_shifted(
    strategy: ChunkingStrategy[Any], deltas: list[str], cuts: set[int]
) -> None:
    chunker = Chunker(strategy)
    together: list[Facts] = []
    apart: list[Facts] = []
    segment: list[str] = []
    before: list[str] = []
    offset = 0
    gap = ""
    for number, delta in enumerate(deltas):
        segment.append(delta)
        together += facts(chunker.feed(delta))
        is_last = number == len(deltas) - 1
        if is_last or number in cuts:
            together += facts(chunker.flush() if is_last else chunker.cut())
            # Headings stay in force behind a cut; all else is forgotten.
            new = together[len(apart) :]
            together[len(apart) :] = [
                chunk._replace(
                    context=tuple(part for part in chunk.context if part[0] >= offset)
                )
                for chunk in new
            ]
            if getattr(strategy, "size_of", None) == "with_context":
                # They take room there, also where none is left for them in the end.
                assume(not has_heading(before))
            alone = Chunker(strategy)
            chunks = [chunk for part in segment for chunk in alone.feed(part)]
            chunks += alone.flush() if is_last else alone.cut()
            for chunk in facts(chunks):
                moved = chunk._replace(
                    start=chunk.start + offset,
                    end=chunk.end + offset,
                    gap=gap + chunk.gap,
                    number=len(apart),
                    context=tuple(
                        (at + offset, part, kind) for at, part, kind in chunk.context
                    ),
                )
                apart.append(moved)
                gap = ""
            gap += alone.pending + alone.tail
            offset += sum(map(len, segment))
            before.append("".join(segment))
            segment = []
            assert together == apart
            assert chunker.pending + chunker.tail == gap


# Releasing


def test_a_release_gives_what_is_pending_up_to_the_last_white_space() -> None:
    chunker = Chunker(PLAIN)
    chunker.feed("It is on. Now  wa")
    (now,) = chunker.release()
    assert [now, now.start, now.gap, now.complete] == ["Now", 10, " ", False]
    assert chunker.pending == "  wa"
    (wait,) = [*chunker.feed("it."), *chunker.flush()]
    assert [wait, wait.start, wait.gap, wait.complete] == ["wait.", 15, "  ", True]


def test_a_sentence_that_ended_before_the_white_space_is_complete() -> None:
    chunker = Chunker(SentenceChunking())
    chunker.feed("It is on. ")
    (chunk,) = chunker.release()
    assert [chunk, chunk.complete, chunker.pending] == ["It is on.", True, " "]


def test_what_begins_behind_the_white_space_stays() -> None:
    chunker = Chunker(SentenceChunking(rules="smart"))
    assert chunker.feed("We saw Dr. Th") == []
    assert chunker.release() == ["We saw Dr."]
    assert chunker.feed("en") == []
    assert chunker.flush() == ["Then"]


@pytest.mark.parametrize("text", ["", "word", " word", " \n"])
def test_a_release_of_less_than_a_word_changes_nothing(text: str) -> None:
    chunker = Chunker("paragraph")
    chunker.feed(text)
    before = chunker.state
    assert chunker.release() == []
    assert chunker.state == before


def test_a_release_of_what_is_no_chunk_changes_nothing() -> None:
    chunker = Chunker("json")
    chunker.feed("[1, 2, ")
    before = chunker.state
    assert chunker.release() == []
    assert chunker.state == before
    assert chunker.feed("3]") == ["3"]


def test_a_release_behind_the_flush_is_refused() -> None:
    chunker = Chunker("word")
    chunker.flush()
    with pytest.raises(StreamStateError, match=r"release\(\) after flush\(\)"):
        chunker.release()


@every_strategy
@given(sliced=sliced_texts())
def test_with_releases_everything_is_still_verbatim_and_nothing_lost(
    strategy: ChunkingStrategy[Any], sliced: list[str]
) -> None:
    text = "".join(sliced)
    chunker = Chunker(strategy)
    chunks: list[Chunk] = []
    for delta in sliced:
        chunks += chunker.feed(delta)
        chunks += chunker.release()
    chunks += chunker.flush()
    end = 0
    for index, chunk in enumerate(chunks):
        assert chunk.index == index
        assert chunk == text[chunk.start : chunk.end]
        assert chunk.gap == text[end : max(end, chunk.start)]
        end = max(end, chunk.end)
    assert chunker.tail == text[end:]


def test_a_cut_says_complete_where_the_text_alone_would_not() -> None:
    chunker = Chunker("word")
    chunker.feed("one")
    (chunk,) = chunker.cut()
    assert chunk.complete


def test_a_strategy_is_told_where_it_starts_anew() -> None:
    @dataclass(frozen=True)
    class Saying(ChunkingStrategy[int]):
        """Level 2: every ``!`` ends a chunk that begins where the stream or cut was."""

        @override
        def begin(self, offset: int) -> int:
            return offset

        @override
        def scan(
            self, text: str, base: int, state: int, final: bool = False
        ) -> ScanFields[int]:
            end = base + len(text)
            if "!" in text:
                return Scan([Span(state, end)], end, end, end)
            return Scan([], state, end, state)

    chunker = Chunker(Saying())
    chunker.feed("abc")
    assert chunker.cut() == []
    assert chunker.feed("de!") == ["de!"]


# Going on elsewhere


@every_strategy
@given(deltas=sliced_texts(), at=st.integers(0, 8))
def test_a_chunker_goes_on_where_its_state_was_taken(
    strategy: ChunkingStrategy[Any], deltas: list[str], at: int
) -> None:
    chunker = Chunker(strategy)
    chunks = [chunk for delta in deltas[:at] for chunk in chunker.feed(delta)]
    chunker = Chunker.resume(strategy, chunker.state)
    chunks += [chunk for delta in deltas[at:] for chunk in chunker.feed(delta)]
    chunks += chunker.flush()
    assert (facts(chunks), chunker.tail) == run(strategy, deltas)


def test_a_chunker_takes_its_options_along() -> None:
    chunker = Chunker("word", max_pending=5, check="full", metadata={"id": 7})
    chunker.feed("one two")
    again = Chunker.resume("word", chunker.state)
    assert again.state == chunker.state
    with pytest.raises(PendingLimitError) as caught:
        again.feed("wo thr" + "e" * 9)
    (chunk,) = caught.value.chunks
    assert (chunk, chunk.index, chunk.metadata) == ("twowo", 1, {"id": 7})


def test_a_stream_that_ended_stays_ended_elsewhere() -> None:
    chunker = Chunker("word")
    chunker.feed("one ")
    chunker.flush()
    again = Chunker.resume("word", chunker.state)
    assert (again.pending, again.tail) == ("", " ")
    assert again.flush() == []
    with pytest.raises(StreamStateError):
        again.feed("two ")
    with pytest.raises(StreamStateError):
        again.cut()


def test_a_state_goes_on_with_its_own_strategy_only() -> None:
    with pytest.raises(StreamStateError, match="another strategy"):
        Chunker.resume("line", Chunker("word").state)


@pytest.mark.parametrize("check", ["some", "", None, True, [], {}])
def test_a_check_is_one_of_two(check: Any) -> None:
    with pytest.raises(ValueError, match="check must be 'verbatim' or 'full'"):
        Chunker("word", check=check)


@pytest.mark.parametrize("metadata", [3, 0, "x", "", [], [("id", 7)], True])
def test_metadata_is_a_mapping(metadata: Any) -> None:
    says = f"metadata must be a mapping, got {metadata!r}"
    with pytest.raises(TypeError, match=re.escape(says)):
        Chunker("word", metadata=metadata)


@pytest.mark.parametrize("found", ["None", "three numbers", "text"])
@every_strategy()
def test_what_a_strategy_cannot_go_on_from_is_no_state(
    strategy: ChunkingStrategy[Any], found: str
) -> None:
    """Said when the state is taken up, or nothing is wrong: no bare error later.

    ``None`` is a state for some.
    """
    chunker = Chunker(strategy)
    chunker.feed("One. Two thr")
    wrong: Any = {"None": None, "three numbers": (1, 2, 3), "text": "x"}[found]
    state = replace(chunker.state, strategy_state=wrong)
    with suppress(StreamStateError):
        again = Chunker.resume(strategy, state)
        with suppress(ChunkwiseError):
            again.feed("ee. Four")


def test_a_state_that_a_strategy_cannot_go_on_from_is_named() -> None:
    chunker = Chunker("sentence")
    chunker.feed("One. Two thr")
    state = replace(chunker.state, strategy_state=(1, 2, 3))
    says = r"strategy_state is \(1, 2, 3\), expected .* SentenceChunking"
    with pytest.raises(StreamStateError, match=says):
        Chunker.resume("sentence", state)


def test_a_state_whose_offsets_a_strategy_cannot_read_back_from_is_named() -> None:
    nested = NestedChunking("paragraph", "sentence")
    chunker = Chunker(nested)
    chunker.feed("One. Two.\n\nThree fo")
    outer, at, *others = chunker.state.strategy_state
    state = replace(chunker.state, strategy_state=(outer, at - 15, *others))
    with pytest.raises(StreamStateError, match="strategy_state is"):
        Chunker.resume(nested, state)


def test_a_stream_over_its_limit_is_resumed_and_told_by_the_next_delta() -> None:
    chunker = Chunker("word", max_pending=3)
    with pytest.raises(PendingLimitError):
        chunker.feed("incomprehen")
    again = Chunker.resume("word", chunker.state)
    assert again.pending == "incomprehen"
    with pytest.raises(PendingLimitError):
        again.feed("sible")


@pytest.mark.parametrize("text", ["1234\n", "ab\n", "a\r"])
def test_many_scans_without_a_chunk_take_little_room(text: str) -> None:
    """Each delta is scanned here and kept, and would be a string of its own."""
    held = (text * 100)[:100]
    tracemalloc.start()
    chunkers = [Chunker("paragraph") for _ in range(100)]
    for chunker in chunkers:
        for at in range(0, 100, 2):
            assert chunker.feed(held[at : at + 2]) == []
    taken, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert {chunker.pending for chunker in chunkers} == {held}
    assert taken / len(chunkers) < 1000


def test_long_deltas_that_are_scanned_are_not_copied_while_no_chunk_comes() -> None:
    """Neither for each other, nor at an end that releases nothing."""
    deltas = [f"{number}{{ " * 5_000 for number in range(100)]
    chunker = Chunker(JSONChunking())
    tracemalloc.start()
    for delta in deltas:
        assert chunker.feed(delta) == []
    assert chunker.cut() == []
    assert chunker.flush() == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50_000
    assert chunker.tail == "".join(deltas)


def test_an_end_without_a_chunk_keeps_only_what_is_behind_the_last_one() -> None:
    """A strategy may keep text before that; what comes anew does not need it."""
    chunker = Chunker(Scripted(Scan([Span(0, 2)], 1, 4, None)))
    assert chunker.feed("ab!cd") == ["ab"]
    assert chunker.cut() == []
    assert chunker.pending == chunker.state.text == "!cd"
    assert chunker.state.start == 2


def test_chunks_that_overlap_leave_with_empty_gaps() -> None:
    """Where the strategy says so."""
    spans = [Span(1, 4), Span(2, 6), Span(3, 5), Span(7, 8)]
    chunker = Chunker(Scripted(Scan(spans, 8, 8, None)))
    assert chunker.feed("abc") == []
    chunks = chunker.feed("d!fghi")
    assert [(chunk, chunk.gap) for chunk in chunks] == [
        ("bcd", "a"),
        ("cd!f", ""),
        ("d!", ""),
        ("h", "g"),
    ]
    assert chunker.pending == "i"


def test_an_overlap_reaches_into_the_next_delta() -> None:
    """``keep`` holds on to text of a chunk that has left."""

    @dataclass(frozen=True)
    class Sliding(ChunkingStrategy):
        """Level 2: three code points, and one on."""

        @property
        @override
        def overlaps(self) -> bool:
            return True

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            end = base + len(text)
            first = max(base - 2, 0)
            spans = [Span(at, at + 3) for at in range(first, end - 2)]
            return Scan(spans, max(end - 2, 0), end, None)

    for size in (1, 2, 3, 6):
        chunker = Chunker(Sliding())
        chunks = [
            chunk
            for at in range(0, 6, size)
            for chunk in chunker.feed("abcdef"[at : at + size])
        ]
        assert chunks == ["abc", "bcd", "cde", "def"]
        assert [chunk.gap for chunk in chunks] == [""] * 4
        assert chunker.pending == ""


# Limits


def test_a_limit_is_reached_after_the_delta_was_taken() -> None:
    chunker = Chunker(PLAIN, max_pending=10)
    assert chunker.feed("0123456789") == []
    with pytest.raises(PendingLimitError) as caught:
        chunker.feed("a")
    error = caught.value
    assert (error.pending, error.limit, error.offset) == (11, 10, 0)
    assert error.chunks == []
    assert error.strategy == "SentenceChunking"
    assert chunker.pending == "0123456789a"


def test_chunks_that_the_delta_completed_are_in_the_error() -> None:
    chunker = Chunker(PLAIN, max_pending=5, metadata={"id": 7})
    chunker.feed("One. ")
    with pytest.raises(PendingLimitError) as caught:
        chunker.feed("Two. Three. And four")
    chunks = caught.value.chunks
    assert [(c, c.index, c.start, c.gap) for c in chunks] == [
        ("Two.", 1, 5, " "),
        ("Three.", 2, 10, " "),
    ]
    assert caught.value.offset == 16
    assert chunker.pending == " And four"
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301 - our own pickle
    assert again.chunks[1].start == 10
    assert again.chunks[1].metadata == {"id": 7}


def test_the_gap_counts_as_held_back() -> None:
    chunker = Chunker("word", max_pending=3)
    assert chunker.feed("a   ") == ["a"]
    with pytest.raises(PendingLimitError):
        chunker.feed(" ")
    with pytest.raises(PendingLimitError):
        chunker.feed("b")
    assert chunker.feed(" ") == ["b"]


def test_cut_flush_and_feed_still_work_behind_a_limit() -> None:
    for name in ("cut", "flush"):
        chunker = Chunker(PLAIN, max_pending=3)
        with pytest.raises(PendingLimitError):
            chunker.feed("0123456789")
        assert getattr(chunker, name)() == ["0123456789"]
    chunker = Chunker(PLAIN, max_pending=3)
    with pytest.raises(PendingLimitError):
        chunker.feed("0123456789")
    assert chunker.feed(". ") == ["0123456789."]
    assert chunker.feed("abc"[:2]) == []


def test_neither_cut_nor_flush_asks_for_the_limit() -> None:
    """White space alone cannot be released, and nothing is gained by saying so."""
    chunker = Chunker(PLAIN, max_pending=2)
    with pytest.raises(PendingLimitError):
        chunker.feed("      ")
    assert chunker.cut() == []
    assert chunker.flush() == []
    assert chunker.tail == "      "


def feed_up_to_limit(
    chunker: Chunker, delta: str
) -> tuple[list[Facts], PendingLimitError | None]:
    """Feed *delta*; return its chunks, and the error that they came with, if any."""
    try:
        return facts(chunker.feed(delta)), None
    except PendingLimitError as error:
        return facts(error.chunks), error


@every_strategy
@given(deltas=sliced_texts(), limit=st.integers(0, 12))
def test_a_limit_is_reached_by_every_delta_that_leaves_more_pending(
    strategy: ChunkingStrategy[Any], deltas: list[str], limit: int
) -> None:
    """And by no other; the chunks are the same as without a limit."""
    chunker = Chunker(strategy, max_pending=limit)
    chunks: list[Facts] = []
    for delta in deltas:
        released, error = feed_up_to_limit(chunker, delta)
        chunks += released
        assert (error is not None) == (len(chunker.pending) > limit)
        assert error is None or error.pending == len(chunker.pending)
    chunks += facts(chunker.flush())
    assert (chunks, chunker.tail) == run(strategy, deltas)


@every_unlimited
@pytest.mark.parametrize("size", [1, 3, 60])
def test_a_limit_is_found_at_the_delta_that_passes_it(
    strategy: ChunkingStrategy[Any], size: int
) -> None:
    """Also where nothing has to be looked at; and again by every delta behind it."""
    chunker = Chunker(strategy, max_pending=100)
    for taken in range(size, 400, size):
        if taken <= 100:
            assert chunker.feed("x" * size) == []
        else:
            with pytest.raises(PendingLimitError):
                chunker.feed("x" * size)
        assert len(chunker.pending) == taken


@pytest.mark.parametrize("limit", [True, False, 1.5, "10", [10]])
def test_a_limit_is_a_whole_number(limit: Any) -> None:
    with pytest.raises(TypeError, match="max_pending must be an int or None"):
        Chunker("word", max_pending=limit)


def test_a_limit_is_not_negative() -> None:
    with pytest.raises(ValueError, match="max_pending must be at least 0, got -1"):
        Chunker("word", max_pending=-1)
    chunker = Chunker("line", max_pending=0)
    assert chunker.feed("a\n") == ["a\n"]
    with pytest.raises(PendingLimitError):
        chunker.feed("a")


# Errors leave the Chunker as it was


@pytest.mark.parametrize("check", ["verbatim", "full"])
@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(FailingAtBang(), id="raises"),
        pytest.param(Scripted(Scan([Span(1, 99)], 3, 3, None)), id="wrong span"),
        pytest.param(
            Scripted(Scan([Span(0, 1), Span(0, 2)], 3, 3, None)), id="second span wrong"
        ),
        pytest.param(Scripted(Scan([], 3, 99, None)), id="wrong resume"),
        pytest.param(Scripted(Scan([], 3, 3, None, wake=-1)), id="wrong wake"),
        pytest.param(
            Scripted(Scan([Span(0, 1)], 3, 99, None)), id="wrong resume behind a span"
        ),
        pytest.param(
            Scripted(Scan([Span(0, 1)], 0, -1, None)), id="resume before the stream"
        ),
        pytest.param(
            Scripted(Scan([Span(0, 1)], -1, 3, None)), id="keep before the stream"
        ),
    ],
)
def test_a_call_that_fails_changes_nothing(
    strategy: ChunkingStrategy[Any], check: Any
) -> None:
    chunker = Chunker(strategy, check=check)
    chunker.feed("ab")
    before = chunker.state
    for delta in ("!", "c!", "!"):
        with pytest.raises((ContractError, ZeroDivisionError)):
            chunker.feed(delta)
        assert chunker.state == before
        assert chunker.pending == "ab"
    chunker.feed("c")
    assert chunker.pending == "abc"


def test_pending_still_gives_the_unreleased_text_after_an_error() -> None:
    chunker = Chunker(FailingAtBang())
    assert chunker.feed("a;bc") == ["a"]
    with pytest.raises(ZeroDivisionError):
        chunker.feed("d!")
    assert chunker.pending == ";bc"
    assert chunker.feed("?") == []
    with pytest.raises(ZeroDivisionError):
        chunker.flush()
    with pytest.raises(ZeroDivisionError):
        chunker.cut()
    assert (chunker.pending, chunker.tail) == (";bc?", "")
    assert chunker.feed(";") == ["bc?"]


def test_pending_still_gives_the_unreleased_text_after_the_source_failed() -> None:
    def source() -> Iterator[str]:
        yield "One. Tw"
        yield "o"
        raise ConnectionError

    chunker = Chunker(PLAIN)
    chunks: list[Chunk] = []
    with pytest.raises(ConnectionError):
        chunks.extend(chunk for delta in source() for chunk in chunker.feed(delta))
    assert chunks == ["One."]
    assert chunker.pending == " Two"
    (chunk,) = chunker.flush(truncated=True)
    assert (chunk, chunk.complete) == ("Two", False)


@pytest.mark.parametrize(
    ("keep", "released"),
    [
        (-5, []),
        *((keep, ["ab", "cd"]) for keep in (0, 1, 2, 3, 4, 5, 6, 99)),
    ],
)
def test_a_careless_keep_is_refused_or_harmless(keep: int, released: list[str]) -> None:
    """Refused where the text is no longer there.

    Harmless elsewhere: it says what a later chunk may need, not what may be lost.
    """

    @dataclass(frozen=True)
    class Careless(ChunkingStrategy):
        """Level 2: each ``!`` ends a chunk of the two code points before it."""

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            end = base + len(text)
            spans = [
                Span(base + at - 2, base + at)
                for at, code_point in enumerate(text)
                if code_point == "!" and at >= 2
            ]
            return Scan(spans, keep, end, None)

    text = "ab!cd!ef"
    chunker = Chunker(Careless())
    chunks: list[Chunk] = []
    taken = ""
    with suppress(ContractError):
        for delta in ("ab!", "cd!", "ef"):
            chunks += chunker.feed(delta)
            taken += delta
            assert "".join(c.gap + c for c in chunks) + chunker.pending == taken
    assert chunks == released
    for chunk in chunks:
        assert text[chunk.start : chunk.end] == chunk


# Chunkers behind Chunkers


@pytest.mark.parametrize("size", [1, 3, 100])
def test_chunks_with_their_gaps_feed_another_chunker_without_gluing_words(
    size: int,
) -> None:
    text = "One. Two.\n\nThree. Four."
    outer, inner = Chunker("paragraph"), Chunker(PLAIN)
    sentences: list[Chunk] = []
    paragraphs: list[Chunk] = []
    for at in range(0, len(text), size):
        paragraphs += outer.feed(text[at : at + size])
    paragraphs += outer.flush()
    for paragraph in paragraphs:
        sentences += inner.feed(paragraph.gap + paragraph)
    sentences += inner.feed(outer.tail) + inner.flush()
    assert paragraphs == ["One. Two.", "Three. Four."]
    assert sentences == ["One.", "Two.", "Three.", "Four."]
    for sentence in sentences:
        assert text[sentence.start : sentence.end] == sentence


@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
@pytest.mark.parametrize(
    ("first", "then"),
    [("paragraph", "sentence"), ("sentence", "word"), ("line", "paragraph")],
)
def test_a_chunker_behind_another_sees_the_same_stream(
    first: str, then: str, text: str
) -> None:
    outer, inner, alone = Chunker(first), Chunker(then), Chunker(then)
    chunks: list[Chunk] = []
    for chunk in [*outer.feed(text), *outer.flush()]:
        chunks += inner.feed(chunk.gap + chunk)
    chunks += inner.feed(outer.tail) + inner.flush()
    assert facts(chunks) == facts([*alone.feed(text), *alone.flush()])
    assert inner.tail == alone.tail


@given(text=boundary_rich_texts())
def test_two_chunkers_over_one_source_do_not_disturb_each_other(text: str) -> None:
    words, sentences = Chunker("word"), Chunker(PLAIN)
    both: tuple[list[Facts], list[Facts]] = ([], [])
    for delta in text:
        both[0].extend(facts(words.feed(delta)))
        both[1].extend(facts(sentences.feed(delta)))
    both[0].extend(facts(words.flush()))
    both[1].extend(facts(sentences.flush()))
    assert both[0] == run(WordChunking(), [text]).chunks
    assert both[1] == run(PLAIN, [text]).chunks


@every_strategy
def test_a_chunker_pickles_and_copies_by_its_state(
    strategy: ChunkingStrategy[Any],
) -> None:
    chunker = Chunker(strategy, metadata={"id": 7})
    chunker.feed("One. Two;\n\nThr")
    again = pickle.loads(pickle.dumps(chunker))  # noqa: S301 - our own pickle
    assert again.state == chunker.state
    copied = copy.copy(chunker)
    assert facts(copied.flush()) == facts(chunker.flush())


@pytest.mark.parametrize("wrong", ['{"format": 1}', None, {"text": ""}])
def test_resume_takes_a_state_only(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"ChunkerState\.from_json"):
        Chunker.resume("word", wrong)


def test_a_cut_is_no_delta() -> None:
    with pytest.raises(TypeError, match=r"cut\(\)"):
        Chunker("word").feed(CUT)  # type: ignore[arg-type]  # that it is refused


def test_a_refused_flush_leaves_the_state_as_it_was() -> None:
    """Also where the first of its chunks was right."""

    class LateWrong(ChunkingStrategy):
        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state
            spans = [Span(0, 2), Span(2, 99)] if final else []
            return Scan(spans, 0, base + len(text), None)

    chunker = Chunker(LateWrong())
    chunker.feed("abcdef")
    before = chunker.state
    for call in (chunker.flush, chunker.cut):
        with pytest.raises(ContractError, match="2:99"):
            call()
        assert chunker.state == before


def test_a_strategy_that_does_not_say_that_it_overlaps_may_not() -> None:
    class Repeating(ChunkingStrategy):
        """Level 2: ``!`` releases the first two code points again."""

        @override
        def scan(
            self, text: str, base: int, state: None, final: bool = False
        ) -> ScanFields[None]:
            del state, final
            spans = [Span(0, 2), Span(1, 3)] if "!" in text else []
            return Scan(spans, 0, base + len(text), None)

    chunker = Chunker(Repeating())
    chunker.feed("abc")
    with pytest.raises(ContractError, match="inside 2:4"):
        chunker.feed("!")
    assert chunker.pending == "abc"
