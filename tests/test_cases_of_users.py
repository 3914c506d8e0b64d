"""What users of splitters reported, as cases: a symptom each, and what is right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import regex
from typing_extensions import override

from chunkwise import (
    Chunker,
    FixedSizeChunking,
    NestedChunking,
    SentenceChunking,
    SizedChunking,
    WindowChunking,
    aiter_chunks,
    iter_chunks,
)
from chunkwise.errors import NotVerbatimError
from chunkwise.sizing import tokens, utf8_bytes, words
from tests.examples import Counting
from tests.running import facts
from tests.texts import OWN_TEXTS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from chunkwise import Chunk, ChunkingStrategy
    from chunkwise._pending import Read

SENTENCES = SentenceChunking(rules="plain")
ZWJ_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
CAT = "\u732b"
PARTY = "\U0001f389"

every_own_text = pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)


class ByteTokens:
    """A tokenizer with a token for each byte, as for scripts it has not learnt."""

    def encode_ordinary(self, text: str) -> list[int]:
        """Return the bytes."""
        return list(text.encode())


class WordTokens:
    """A tokenizer with a token for each word."""

    def encode_ordinary(self, text: str) -> list[str]:
        """Return the words."""
        return text.split()


def chunks_of(strategy: ChunkingStrategy[Any], text: str) -> list[Chunk]:
    """Return the chunks of *text*, which is the same in several slicings.

    Each is checked to be a slice, and nothing is lost between them.
    """
    chunker = Chunker(strategy)
    whole = [*chunker.feed(text), *chunker.flush()]
    for size in (1, 2, 3, 7):
        deltas = [text[at : at + size] for at in range(0, len(text), size)]
        assert facts(iter_chunks(deltas, strategy)) == facts(whole)
    rebuilt = ""
    for chunk in whole:
        assert chunk == text[chunk.start : chunk.end]
        rebuilt += chunk.gap
        rebuilt += chunk[len(rebuilt) - chunk.start :]
    assert rebuilt + chunker.tail == text
    return whole


def starts(chunks: Iterable[Chunk]) -> list[int]:
    return [chunk.start for chunk in chunks]


# Offsets


def test_words_that_repeat_are_each_at_their_own_place() -> None:
    """Every repeated chunk had the offset of the first one like it."""
    strategy = SizedChunking(9, overlap=4, by=("word",))
    chunks = chunks_of(strategy, "tick tick tick tick tick tick")
    assert chunks == ["tick tick"] * 5
    assert starts(chunks) == [0, 5, 10, 15, 20]


def test_sentences_that_repeat_are_each_at_their_own_place() -> None:
    """A search for the text of a sentence found the wrong one."""
    sentence = "It rains."
    chunks = chunks_of(SENTENCES, " ".join([sentence] * 6))
    assert chunks == [sentence] * 6
    assert starts(chunks) == [0, 10, 20, 30, 40, 50]


def test_an_inner_splitter_keeps_the_white_space_that_was_there() -> None:
    """A chunk was at offset -1, because sentences were joined with one space."""

    def sentences(text: str) -> list[str]:
        return re.findall(r"\w\.", text)

    strategy = SizedChunking(10, by=(NestedChunking("paragraph", sentences),))
    assert chunks_of(strategy, "A.  B.") == ["A.  B."]


def test_an_inner_splitter_that_joins_is_refused() -> None:
    """What is not in the text has no offset, and must not get one."""

    def joined(text: str) -> list[str]:
        return [" ".join(text.split())]

    chunker = Chunker(NestedChunking("paragraph", joined))
    chunker.feed("A.  B.")
    with pytest.raises(NotVerbatimError, match="verbatim"):
        chunker.flush()


def test_no_offset_shifts_behind_a_character_of_several_tokens() -> None:
    """A cut between the tokens of a character shifted all offsets behind it."""
    text = f"{CAT}\u304c\u3044\u308b{PARTY}"
    chunks = chunks_of(SizedChunking(1, sizer=tokens(ByteTokens())), text)
    assert chunks == list(text)
    assert starts(chunks) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    "strategy",
    [
        SizedChunking(2, overlap=1, sizer="words", by=("word",)),
        WindowChunking(2, stride=1, by="word"),
    ],
    ids=["sized", "window"],
)
def test_an_overlap_of_words_begins_with_a_word(
    strategy: ChunkingStrategy[Any],
) -> None:
    """With an overlap each offset was one separator too far."""
    chunks = chunks_of(strategy, "one two three four")
    assert chunks == ["one two", "two three", "three four"]
    assert starts(chunks) == [0, 4, 8]


# What is between pieces, and what gets lost


def test_what_separates_pieces_stays_as_it_is() -> None:
    """Packed pieces were joined with the pattern that had separated them."""

    def fields(text: str) -> list[tuple[int, int]]:
        return [field.span() for field in re.finditer("[^,;]+", text)]

    strategy = SizedChunking(9, by=(NestedChunking("line", fields),))
    assert chunks_of(strategy, "a,b;c,d") == ["a,b;c,d"]


def test_blank_lines_stay_in_a_pack() -> None:
    """The break between paragraphs became a single line end, or a space."""
    text = "# T\n\na.\n\nb."
    assert chunks_of(SizedChunking(20), text) == [text]


def test_white_space_between_sentences_stays_in_a_pack() -> None:
    """Sentences were glued together."""
    assert chunks_of(SizedChunking(9, by=("word",)), "A. B.") == ["A. B."]
    assert chunks_of(SizedChunking(9), "A. B.") == ["A. B."]


def test_a_closing_mark_stays_with_its_sentence() -> None:
    """The closing quote or bracket was dropped."""
    text = 'He said "Hi." Then left.'
    assert chunks_of(SENTENCES, text) == ['He said "Hi."', "Then left."]
    assert chunks_of(SENTENCES, "So (hi.) Then.") == ["So (hi.)", "Then."]
    assert chunks_of(SizedChunking(14), text) == ['He said "Hi."', "Then left."]


def test_a_full_stop_inside_a_number_ends_nothing() -> None:
    """A decimal was cut."""
    chunks = chunks_of(SENTENCES, "Pi is 3.14 now. Ok.")
    assert chunks == ["Pi is 3.14 now.", "Ok."]


@every_own_text
@pytest.mark.parametrize(
    "strategy",
    [FixedSizeChunking(7), SizedChunking(7, by=())],
    ids=["fixed", "sized"],
)
def test_all_parts_together_are_the_reply(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    """Characters between two parts of one reply were lost."""
    assert "".join(chunks_of(strategy, text)) == text


@every_own_text
def test_an_overlap_is_a_slice_at_every_level(text: str) -> None:
    """The overlap was applied once for each level: such text is not in the source."""
    chunks = chunks_of(SizedChunking(30, overlap=8), text)
    end = 0
    for chunk in chunks:
        assert len(chunk) <= 30
        assert end - chunk.start <= 8
        end = chunk.end


# Limits


def test_what_has_no_boundary_is_cut_at_the_limit() -> None:
    """A chunk was larger than asked, because one word was."""
    chunks = chunks_of(SizedChunking(10), f"aa bb cc {'x' * 30}")
    assert chunks == ["aa bb cc", *["x" * 10] * 3]


@pytest.mark.parametrize("sizer", [len, "code_points"], ids=["function", "name"])
def test_an_overlap_does_not_push_a_chunk_over_the_limit(sizer: Any) -> None:
    """The overlap was added to chunks that were full."""
    strategy = SizedChunking(4, overlap=2, sizer=sizer, by=("word",))
    assert chunks_of(strategy, "aa  bb  cc  dd") == ["aa", "bb", "cc", "dd"]
    assert chunks_of(strategy, "a b  c d") == ["a b", "b  c", "c d"]


def test_a_limit_holds_without_a_sizer() -> None:
    """The limit was ignored unless a tokenizer was given, too."""
    text = "word " * 50
    chunks = chunks_of(SizedChunking(20), text)
    assert chunks[0] == "word word word word"
    assert max(map(len, chunks)) <= 20


@pytest.mark.parametrize("text", [PARTY, f"{CAT}{CAT}", f"{CAT}{PARTY}"], ids=ascii)
def test_a_character_over_the_limit_is_whole_and_marked(text: str) -> None:
    """It raised, gave U+FFFD, or was decoded to other text."""
    chunks = chunks_of(SizedChunking(1, sizer=tokens(ByteTokens())), text)
    assert chunks == list(text)
    assert all(chunk.oversize for chunk in chunks)


def test_what_fits_by_bytes_is_not_marked() -> None:
    """Marking everything would tell nothing."""
    chunks = chunks_of(SizedChunking(4, sizer=utf8_bytes, by=()), f"a{CAT}{PARTY}b")
    assert [(str(c), c.oversize) for c in chunks] == [
        (f"a{CAT}", False),
        (PARTY, False),
        ("b", False),
    ]


@pytest.mark.parametrize("overlap", [5, 6])
@pytest.mark.parametrize(
    "strategy", [FixedSizeChunking, SizedChunking], ids=["fixed", "sized"]
)
def test_an_overlap_is_less_than_the_size(strategy: Any, overlap: int) -> None:
    """It never ended."""
    with pytest.raises(ValueError, match=rf"overlap must be in 0\.\.4, got {overlap}"):
        strategy(5, overlap=overlap)


# Overlaps


def test_an_overlap_is_made_of_what_it_is_asked_to_be_made_of() -> None:
    """An overlap was silently none: here it is where no whole sentence fits in."""
    text = "AAAA BBBB\n\nCCCC"
    of_words = SizedChunking(10, overlap=4, overlap_by="word")
    assert chunks_of(of_words, text) == ["AAAA BBBB", "BBBB\n\nCCCC"]
    of_sentences = SizedChunking(10, overlap=4)
    assert chunks_of(of_sentences, text) == ["AAAA BBBB", "CCCC"]


@pytest.mark.parametrize(
    "strategy",
    [FixedSizeChunking(4, overlap=2), SizedChunking(4, overlap=2, by=())],
    ids=["fixed", "sized"],
)
@pytest.mark.parametrize(
    "text",
    ["abcdefghij", "\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341"],
)
def test_characters_overlap_too(strategy: ChunkingStrategy[Any], text: str) -> None:
    """The overlap was ignored for Chinese, for words and for characters."""
    expected = [text[at : at + 4] for at in (0, 2, 4, 6)]
    assert chunks_of(strategy, text) == expected


def test_an_overlap_is_measured_as_the_size_is() -> None:
    """The size was in tokens, and the overlap in characters."""
    text = " ".join(f"w{number}" for number in range(300))
    strategy = SizedChunking(100, overlap=50, sizer=tokens(WordTokens()), by=("word",))
    chunks = chunks_of(strategy, text)
    assert [words(chunk) for chunk in chunks] == [100] * 5
    assert [chunk.split()[0] for chunk in chunks] == [
        "w0",
        "w50",
        "w100",
        "w150",
        "w200",
    ]


def test_an_overlap_near_the_size_does_not_multiply_chunks() -> None:
    """Four short paragraphs became thirteen chunks."""
    text = "aaa.\n\nbbb.\n\nccc.\n\nddd."
    expected = ["aaa.", "bbb.", "ccc.", "ddd."]
    assert chunks_of(SizedChunking(8, overlap=5), text) == expected
    assert chunks_of(SizedChunking(8, overlap=7), text) == expected


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        (FixedSizeChunking(4, overlap=1), [0, 3, 6]),
        (FixedSizeChunking(4, overlap=3), [0, 1, 2, 3, 4, 5, 6]),
        (SizedChunking(4, overlap=1, by=()), [0, 3, 6]),
        (SizedChunking(4, overlap=3, by=()), [0, 1, 2, 3, 4, 5, 6]),
    ],
    ids=repr,
)
def test_the_last_window_ends_at_the_end_once(
    strategy: ChunkingStrategy[Any], expected: list[int]
) -> None:
    """Windows at the end stood still, or showed nothing new."""
    chunks = chunks_of(strategy, "abcdefghij")
    assert starts(chunks) == expected
    assert [chunk.end for chunk in chunks].count(10) == 1
    assert chunks[-1] == "ghij"


# Characters of several code points


@pytest.mark.parametrize(
    "strategy", [FixedSizeChunking(3), SizedChunking(3)], ids=["fixed", "sized"]
)
def test_an_emoji_of_several_code_points_is_whole(
    strategy: ChunkingStrategy[Any],
) -> None:
    """A family was taken apart."""
    chunks = chunks_of(strategy, f"ab{ZWJ_FAMILY}cd")
    assert chunks == ["ab", ZWJ_FAMILY, "cd"]
    assert [chunk.oversize for chunk in chunks] == [False, True, False]


@pytest.mark.parametrize(
    "strategy",
    [FixedSizeChunking(5), FixedSizeChunking(5, overlap=3), SizedChunking(5)],
    ids=["fixed", "overlapping", "sized"],
)
def test_no_chunk_starts_with_a_combining_mark(
    strategy: ChunkingStrategy[Any],
) -> None:
    """A letter lost its accent to the next chunk."""
    chunks = chunks_of(strategy, "e\u0301" * 12)
    assert all(chunk.startswith("e") for chunk in chunks)
    assert all(regex.fullmatch(r"\X+", chunk) for chunk in chunks)
    assert {len(chunk) for chunk in chunks} == {4}


def test_no_break_spaces_are_text_for_sizes_and_white_space_for_sentences() -> None:
    """A run of them was no sentence, and crashed or was lost."""
    text = "\u00a0" * 200
    assert chunks_of(FixedSizeChunking(50), text) == [text[:50]] * 4
    chunker = Chunker(SENTENCES)
    assert [*chunker.feed(text), *chunker.flush()] == []
    assert chunker.tail == text


# Growth


class CountingAll(Counting):
    """Counts what is read back, too."""

    @override
    def bound_to(self, read: Read) -> ChunkingStrategy[Any]:
        def counted(start: int, end: int) -> str:
            self.scanned += end - start
            return read(start, end)

        return super().bound_to(counted)


def work_on(strategy: ChunkingStrategy[Any], text: str, size: int) -> int:
    """Return the code points that *strategy* looks at in deltas of a *size*."""
    counting = CountingAll(strategy)
    deltas = (text[at : at + size] for at in range(0, len(text), size))
    assert sum(1 for _ in iter_chunks(deltas, counting)) > 0
    return counting.scanned


@pytest.mark.parametrize("size", [1_000, 150_000])
@pytest.mark.parametrize(
    "strategy",
    [
        SizedChunking(100),
        SizedChunking(100, overlap=20),
        SizedChunking(100, by=()),
        FixedSizeChunking(100, overlap=20),
    ],
    ids=repr,
)
def test_a_text_without_any_boundary_is_cut_in_linear_work(
    strategy: ChunkingStrategy[Any], size: int
) -> None:
    """Going down the levels never ended, or took a recursion for each part."""
    text = "a" * 150_000
    assert work_on(strategy, text, size) <= 6 * len(text)


GROWING = {
    "sentences": "It rains again. ",
    "the same paragraph": "It rains. Again.\n\n",
    "words": "tick ",
    "white space": "a.      \n",
}


@pytest.mark.parametrize("size", [3, 1_000_000], ids=["small deltas", "one delta"])
@pytest.mark.parametrize("piece", GROWING.values(), ids=GROWING)
@pytest.mark.parametrize(
    "strategy",
    [
        SENTENCES,
        SizedChunking(40),
        SizedChunking(40, overlap=16),
        SizedChunking(40, sizer="words"),
        WindowChunking(5, stride=2),
        NestedChunking("paragraph", "sentence"),
    ],
    ids=repr,
)
def test_ten_times_the_text_is_ten_times_the_work(
    strategy: ChunkingStrategy[Any], piece: str, size: int
) -> None:
    """The list of sentences was copied, or the text searched, for each chunk."""
    short = work_on(strategy, piece * 200, size)
    assert work_on(strategy, piece * 2_000, size) <= 11 * short


@pytest.mark.parametrize("size", [3, 1_000_000], ids=["small deltas", "one delta"])
def test_ten_times_the_text_is_ten_times_the_counting(size: int) -> None:
    """Tokens of everything before were counted again for each chunk."""

    def counted(pieces: int) -> int:
        seen = 0

        def sizer(text: str) -> int:
            nonlocal seen
            seen += len(text)
            return len(text.split())

        text = "It rains again. Tick, tick!\n\n" * pieces
        deltas = (text[at : at + size] for at in range(0, len(text), size))
        list(iter_chunks(deltas, SizedChunking(20, overlap=5, sizer=sizer)))
        return seen

    assert counted(1_000) <= 11 * counted(100)


def test_ten_megabytes_have_sentences() -> None:
    """A long text was given up."""
    sentence = f"{'The rain went on and on. ' * 39}Done today, all of it! "
    text = sentence * (10_000_000 // len(sentence) + 1)
    deltas = (text[at : at + 65_536] for at in range(0, len(text), 65_536))
    count = sum(1 for _ in iter_chunks(deltas, SENTENCES))
    assert len(text) >= 10_000_000
    assert count == text.count(". ") + text.count("! ")


# Iteration


def test_chunks_come_while_the_text_is_still_arriving() -> None:
    """The whole result was built in memory before the first chunk was there."""
    fed = []

    def deltas() -> Iterator[str]:
        for delta in ("One two. ", "Three. ", "Four."):
            fed.append(delta)
            yield delta

    with iter_chunks(deltas(), SizedChunking(8)) as chunks:
        assert next(chunks) == "One two."
        assert fed == ["One two. ", "Three. "]
        assert list(chunks) == ["Three.", "Four."]


@pytest.mark.anyio
async def test_chunks_come_from_async_streams_too() -> None:
    """There was no way to iterate without blocking."""
    fed = []

    async def deltas() -> AsyncIterator[str]:
        for delta in ("One two. ", "Three. ", "Four."):
            fed.append(delta)
            yield delta

    async with aiter_chunks(deltas(), SizedChunking(8)) as chunks:
        found = [(str(chunk), len(fed)) async for chunk in chunks]
    assert found == [("One two.", 2), ("Three.", 3), ("Four.", 3)]
