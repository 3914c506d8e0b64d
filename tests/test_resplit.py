"""Strategies of level 1: driven by re-splitting, and refused where they cannot be.

What is detected ends in an error that explains itself; nothing is doubled or lost.
"""

from __future__ import annotations

import re
from itertools import cycle
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
)
from tests.examples import (
    CommentSkipping,
    DecidingAtTheEnd,
    DiscardingChunking,
    FailingAtBang,
    Fixed,
    OverlappingWords,
    SemicolonChunking,
    ThinkSkipping,
    UpperCase,
)
from tests.running import facts, run
from tests.texts import sliced, sliced_texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwise import Chunk


def test_chunks_are_placed_by_position() -> None:
    """The same text again and again is found at its own place each time."""
    chunks = run(SemicolonChunking(), ["tick;tick;;ti", "ck;tick"]).chunks
    assert [(chunk.text, chunk.start, chunk.gap) for chunk in chunks] == [
        ("tick", 0, ""),
        ("tick", 5, ";"),
        ("tick", 11, ";;"),
        ("tick", 16, ";"),
    ]


def test_chunks_of_level_1_have_no_kind_and_are_complete_unless_flush_gave_them() -> (
    None
):
    chunks = run(SemicolonChunking(), ["a;b"]).chunks
    assert [(chunk.kind, chunk.complete) for chunk in chunks] == [
        ("", True),
        ("", False),
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_only_pending_text_and_the_last_chunk_are_split_again(size: int) -> None:
    """However long the stream becomes."""

    class Remembering(SemicolonChunking):
        longest = 0

        @override
        def split(self, text: str) -> list[str]:
            Remembering.longest = max(self.longest, len(text))
            return super().split(text)

    text = "ab;" * 100
    assert len(run(Remembering(), sliced(text, range(0, 300, size))).chunks) == 100
    assert Remembering.longest <= 7 + size


def test_a_tuple_of_chunks_is_as_good_as_a_list() -> None:
    class Giving(ChunkingStrategy):
        @override
        def split(self, text: str) -> Any:
            return tuple(SemicolonChunking().split(text))

    assert Chunker(Giving()).feed("a;b;") == ["a", "b"]


def feed_until_error(
    strategy: ChunkingStrategy[Any], deltas: Sequence[str]
) -> tuple[list[Chunk], str, ContractError]:
    """Feed and flush; return what left, the text that was taken, and the error."""
    chunker = Chunker(strategy)
    chunks: list[Chunk] = []
    taken = ""
    try:
        for delta in deltas:
            chunks += chunker.feed(delta)
            taken += delta
        chunks += chunker.flush()
    except ContractError as error:
        # Nothing was doubled, nothing was lost, and the Chunker is as it was.
        assert "".join(c.gap + c for c in chunks) + chunker.pending == taken
        return chunks, taken, error
    pytest.fail(f"no error; the chunks were {chunks}")


def feed_and_flush(chunker: Chunker, text: str) -> None:
    chunker.feed(text)
    chunker.flush()


each_slicing = pytest.mark.parametrize("size", [1, 2, 3, 1_000])


def parts(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


@each_slicing
@pytest.mark.parametrize(
    ("strategy", "text", "law"),
    [
        pytest.param(
            CommentSkipping(), "#a\na\n", "law of resumption", id="comment line"
        ),
        pytest.param(
            CommentSkipping(), "b\n# b\n# no\nb\n", "law", id="comment after a chunk"
        ),
        pytest.param(
            ThinkSkipping(),
            "<think>Yes. No.</think>Yes. No. ",
            "law of resumption",
            id="think block",
        ),
    ],
)
def test_a_strategy_that_cannot_be_restarted_is_found_out(
    strategy: ChunkingStrategy[Any], text: str, law: str, size: int
) -> None:
    _, _, error = feed_until_error(strategy, parts(text, size))
    assert_explains_itself(error, law, type(strategy).__name__)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_strategy_that_decides_at_the_end_of_the_text_is_found_out(size: int) -> None:
    """In a slicing that shows it: one delta ends behind a full stop."""
    _, _, error = feed_until_error(DecidingAtTheEnd(), parts("Dr. Lee. ", size))
    law = "laws of stability and finality"
    assert_explains_itself(error, law, "DecidingAtTheEnd")


def assert_explains_itself(error: ContractError, law: str, strategy: str) -> None:
    message = str(error)
    assert law in message
    assert "scan()" in message
    assert "conformance kit" in message
    assert message.startswith(f"{strategy}: ")
    assert error.strategy == strategy
    assert error.offset is not None


def test_a_comment_that_looks_like_the_line_behind_it_ends_in_an_error() -> None:
    """Never in a doubled line."""
    chunks, _, error = feed_until_error(CommentSkipping(), ["#a\na\n"])
    assert chunks == []
    assert "'a\\n'" in str(error)


def test_a_fragment_that_looks_like_dropped_text_ends_in_an_error() -> None:
    """What ``flush`` returns is checked like what ``split`` returns."""

    class Releasing(CommentSkipping):
        @override
        def flush(self, text: str) -> list[str]:
            line = text.rpartition("\n")[2]
            return [] if line.startswith("#") or not line else [line]

    assert run(Releasing(), ["#b\nc"]).chunks[0].start == 3
    chunks, taken, _ = feed_until_error(Releasing(), ["#b\nb"])
    assert (chunks, taken) == ([], "#b\nb")


def test_a_strategy_that_skips_lines_is_right_where_nothing_looks_alike() -> None:
    """The part of such a text that can be placed is placed."""
    chunks = run(CommentSkipping(), parts("# one\ntwo\nthree\n", 1)).chunks
    assert [chunk.text for chunk in chunks] == ["two\n", "three\n"]
    assert [chunk.gap for chunk in chunks] == ["# one\n", ""]


@each_slicing
@pytest.mark.parametrize("text", ["one two three ", "a a a a ", "a b a b a b c "])
def test_overlapping_windows_are_found_out(text: str, size: int) -> None:
    _, _, error = feed_until_error(OverlappingWords(), parts(text, size))
    assert "overlap" in str(error)
    assert_explains_itself(error, "law of", "OverlappingWords")


def test_a_chunk_that_changes_with_more_text_is_shown_before_and_after() -> None:
    chunks, taken, error = feed_until_error(DecidingAtTheEnd(), ["Dr.", " Lee."])
    assert chunks == ["Dr."]
    assert taken == "Dr."
    assert "released 'Dr.' at 0:3" in str(error)
    assert "'Dr. Lee.'" in str(error)
    assert error.offset == 0


def test_a_chunk_that_goes_with_more_text_is_found_out() -> None:
    chunks, _, error = feed_until_error(DecidingAtTheEnd(), ["Dr.", " "])
    assert chunks == ["Dr."]
    assert "gives nothing" in str(error)


def test_a_flush_that_changes_what_was_released_is_found_out() -> None:
    """Also when no text came in between, since ``split`` is asked once more."""

    class Changing(ChunkingStrategy):
        calls = 0

        @override
        def split(self, text: str) -> list[str]:
            Changing.calls += 1
            return [text] if Changing.calls == 1 and text else []

    chunks, _, error = feed_until_error(Changing(), ["ab"])
    assert chunks == ["ab"]
    assert "released 'ab' at 0:2" in str(error)


@pytest.mark.parametrize(
    ("chunks", "found"),
    [
        pytest.param([""], "chunk 0 .* is ''", id="empty"),
        pytest.param(["a", ""], "chunk 1 .* is ''", id="empty second"),
        pytest.param(["A"], "chunk 0 .* is 'A'", id="changed"),
        pytest.param(["b", "a"], "chunk 1 .* is 'a'", id="out of order"),
        pytest.param(["abc", "bcd"], "chunk 1 .* is 'bcd'", id="overlapping"),
        pytest.param(["abcdx"], "chunk 0 .* is 'abcdx'", id="too long"),
    ],
)
@pytest.mark.parametrize("method", ["split", "flush"])
def test_text_that_is_no_verbatim_substring_is_refused(
    chunks: list[str], found: str, method: str
) -> None:
    """What ``flush`` returns is checked like what ``split`` returns."""
    strategy = Fixed(chunks) if method == "split" else Fixed([], chunks)
    chunker = Chunker(strategy)
    with pytest.raises(NotVerbatimError, match=found) as caught:
        feed_and_flush(chunker, "abcd")
    message = str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert message.startswith("Fixed: ")
    assert f"Fixed.{method}()" in message
    assert "verbatim substring" in message
    assert re.search(r"\(stream offset \d\)$", message)
    assert chunker.pending == ("" if method == "split" else "abcd")


def test_the_offset_of_an_error_is_a_stream_offset() -> None:
    class Wrong(SemicolonChunking):
        @override
        def split(self, text: str) -> list[str]:
            return [*super().split(text), *(["?"] if "!" in text else [])]

    chunker = Chunker(Wrong())
    assert chunker.feed("ab;cd;ef;") == ["ab", "cd", "ef"]
    with pytest.raises(NotVerbatimError) as caught:
        chunker.feed("gh;!")
    assert caught.value.offset == 11
    assert "'?'" in str(caught.value)


@pytest.mark.parametrize("method", ["split", "flush"])
@pytest.mark.parametrize(
    ("returned", "message"),
    [
        pytest.param("ab", "returned str, expected a list of str", id="a string"),
        pytest.param(None, "returned NoneType, expected a list", id="nothing"),
        pytest.param(iter(["a"]), "returned list_iterator", id="an iterator"),
        pytest.param([b"a"], "returned bytes as chunk 0, expected str", id="bytes"),
        pytest.param(["a", None], "returned NoneType as chunk 1", id="None inside"),
    ],
)
def test_what_is_no_list_of_strings_is_refused(
    returned: Any, message: str, method: str
) -> None:
    strategy = Fixed(returned) if method == "split" else Fixed([], returned)
    chunker = Chunker(strategy)
    with pytest.raises(ContractError, match=message) as caught:
        feed_and_flush(chunker, "ab")
    assert f"Fixed.{method}()" in str(caught.value)
    assert caught.value.offset in {0, 1}


def test_changed_text_is_refused_before_it_leaves() -> None:
    chunks, taken, error = feed_until_error(UpperCase(), ["ab", "cd", " "])
    assert (chunks, taken) == ([], "abcd")
    assert "'ABCD '" in str(error)
    assert "must not change text" in str(error)


@given(deltas=sliced_texts())
def test_a_strategy_that_skips_comments_gives_right_chunks_or_an_error(
    deltas: list[str],
) -> None:
    """Never doubled, never lost, whatever the text and its slicing."""
    text = "#\n" + "".join(deltas)
    chunker = Chunker(CommentSkipping())
    chunks: list[Chunk] = []
    try:
        for delta in ["#\n", *deltas]:
            chunks += chunker.feed(delta)
    except ContractError:
        pass
    rebuilt = "".join(chunk.gap + chunk for chunk in chunks) + chunker.pending
    assert text.startswith(rebuilt)
    for chunk in facts(chunks):
        assert text[chunk.start : chunk.end] == chunk.text


class CountingParts(ChunkingStrategy):
    """Level 1: two parts, two parts, one part, and again.

    It can be restarted behind every chunk and changes none with more text, but how far
    it has counted is lost when the driver splits again from further on.
    """

    @override
    def split(self, text: str) -> list[str]:
        parts = text.strip(";").split(";")[
            : text.strip(";").count(";") + text.endswith(";")
        ]
        sizes = cycle((2, 2, 1))
        chunks = []
        while len(parts) >= (size := next(sizes)):
            chunks.append(";".join(parts[:size]))
            parts = parts[size:]
        return chunks


def test_the_full_check_finds_what_only_the_whole_text_shows() -> None:
    """Before a wrong chunk leaves; without that check one would."""
    deltas = ["a;b;", "c;d;", "e;", "f;"]
    assert CountingParts().split("".join(deltas)) == ["a;b", "c;d", "e"]
    wrong = run(CountingParts(), deltas).chunks
    assert [chunk.text for chunk in wrong] == ["a;b", "c;d", "e;f"]
    chunker = Chunker(CountingParts(), check="full")
    assert chunker.feed("a;b;") + chunker.feed("c;d;") == ["a;b", "c;d"]
    with pytest.raises(DeltaInvarianceError) as caught:
        chunker.feed("e;")
    assert caught.value.released == ()
    assert caught.value.expected == ("e",)
    assert caught.value.offset == 8
    assert chunker.pending == ";"


@given(deltas=sliced_texts())
def test_the_full_check_lets_pass_what_keeps_the_laws(deltas: list[str]) -> None:
    for strategy in (SemicolonChunking(), DiscardingChunking()):
        chunker = Chunker(strategy, check="full")
        chunks = [chunk for delta in deltas for chunk in chunker.feed(delta)]
        chunks += chunker.flush()
        assert facts(chunks) == run(strategy, deltas).chunks


def test_an_error_inside_split_or_flush_comes_through_and_changes_nothing() -> None:
    chunker = Chunker(FailingAtBang())
    assert chunker.feed("a;b") == ["a"]
    before = chunker.state
    with pytest.raises(ZeroDivisionError):
        chunker.feed("c!;")
    assert chunker.state == before
    assert chunker.pending == ";b"
    assert chunker.feed("c;d?") == ["bc"]
    with pytest.raises(ZeroDivisionError):
        chunker.flush()
    assert chunker.pending == ";d?"
    assert chunker.tail == ""
    assert chunker.feed(";") == ["d?"]
    assert chunker.flush() == []


def test_a_cut_starts_a_strategy_of_level_1_anew() -> None:
    chunker = Chunker(SemicolonChunking())
    assert chunker.feed("a;b") == ["a"]
    assert chunker.cut() == ["b"]
    assert chunker.feed("c;b;") == ["c", "b"]
    assert chunker.flush() == []
    assert chunker.tail == ";"
