"""What other splitters gave for the same texts, next to what the strategies here give.

Where the answers differ, a rule has to say why; there is no list of exceptions.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import (
    Chunker,
    LineChunking,
    ParagraphChunking,
    SentenceChunking,
    SizedChunking,
)
from chunkwise.sizing import code_points, words
from tests.running import run
from tests.texts import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chunkwise import Chunk, ChunkingStrategy
    from chunkwise.sizing import Sizer

SENTENCES = SentenceChunking(rules="plain")
LINES = LineChunking(keep_ends=False)

LEVELS: dict[str, tuple[str | LineChunking | SentenceChunking, ...]] = {
    "paragraph": ("paragraph", SENTENCES, "word"),
    "line": (LINES, SENTENCES, "word"),
    "sentence": (SENTENCES, "word"),
    "word": ("word",),
    "character": (),
    "recursive": ("paragraph", LINES, SENTENCES, "word"),
}
"""What each splitter of langchain4j goes down through; regular expressions not."""

NO_BREAK_SPACE = "\u00a0"
LETTER = "\ue000"
"""Stands for a no-break space where that is to be no white space."""


def recorded(name: str) -> list[dict[str, Any]]:
    """Return the answers of one library, or skip the test that asks."""
    file = data_folder() / "peers" / f"{name}.jsonl"
    if not file.exists():
        pytest.skip("no recorded splitters; CHUNKWISE_DATA names their folder")
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def chunks_of(strategy: ChunkingStrategy[Any], text: str) -> list[Chunk]:
    chunker = Chunker(strategy)
    return [*chunker.feed(text), *chunker.flush()]


def squeezed(texts: Iterable[str]) -> list[str]:
    """Return *texts* with one space for each run of white space, without blank ones."""
    return [" ".join(text.split()) for text in texts if text.strip()]


def bare(text: str) -> str:
    """Return *text* without white space, some of which their segments lose."""
    return "".join(text.split())


def is_comparable(record: dict[str, Any]) -> bool:
    """Whether a splitter of langchain4j has an equal here.

    What it counted tokens with is not recorded.
    """
    return (
        record["splitter"] in LEVELS
        and record["unit"] != "tokens"
        and record["simple_sentences"]
    )


def strategy_for(record: dict[str, Any], sizer: Sizer | None = None) -> SizedChunking:
    """Return the equal of the splitter that gave *record*.

    Its characters are UTF-16 units; no text here has one that takes two of them.
    """
    by_unit = {"chars": code_points, "words": words}
    return SizedChunking(
        record["max"],
        overlap=record["overlap"],
        by=LEVELS[record["splitter"]],
        sizer=sizer or by_unit[record["unit"]],
        overlap_by=SENTENCES,
    )


def joined_as_they_do(record: dict[str, Any]) -> str:
    """Return the text with gaps as long as what the splitter joins pieces with."""
    text: str = record["text"]
    if record["splitter"] == "word":
        return " ".join(text.replace(NO_BREAK_SPACE, LETTER).split())
    if record["splitter"] == "line":
        return "\n".join(line.strip() for line in text.splitlines() if line.strip())
    return text


def counted_as_they_do(record: dict[str, Any], text: str) -> Sizer:
    """Return a sizer for which what joins two pieces is one more word."""
    if record["unit"] != "words":
        return code_points
    pieces: set[str] = set()
    parts = [text]
    for level in strategy_for(record).by:
        assert not isinstance(level, (str, dict))
        parts = [piece for part in parts for piece in chunks_of(level, part)]  # type: ignore[arg-type]  # resolved
        pieces.update(squeezed(parts))

    def size(text: str) -> int:
        return words(text) + (" ".join(text.split()) not in pieces)

    return size


def reason_for(record: dict[str, Any]) -> str:
    """Return why the answers differ, checked; ``"equal"`` where they do not.

    Raises:
        AssertionError: No reason is one.
    """
    theirs = squeezed(record["segments"])
    if squeezed(chunks_of(strategy_for(record), record["text"])) == theirs:
        return "equal"
    if record["splitter"] == "character" and record["unit"] == "words":
        # Each letter is measured alone, and a word goes on as one more of them: a
        # segment is full as soon as the first letter of its last word is there.
        for segment in theirs[:-1]:
            assert words(segment) == record["max"], record
            assert len(segment.split()[-1]) == 1, record
        return "a letter is a word"
    text = joined_as_they_do(record)
    size = counted_as_they_do(record, text)
    found = chunks_of(strategy_for(record, size), text)
    chunks = [chunk for chunk in found if chunk.strip()]
    ours = squeezed(chunk.replace(LETTER, " ") for chunk in chunks)
    if ours == theirs:
        return "what joins pieces counts as much as they say"
    assert record["overlap"], record
    pairs = zip(ours, theirs, strict=False)
    at = next(number for number, (a, b) in enumerate(pairs) if a != b)
    before, chunk = chunks[at - 1 : at + 1]
    sentences = [before.start + each.start for each in chunks_of(SENTENCES, before)]
    # Theirs goes on behind the chunk before, or repeats sentences at its end.
    start = min(
        (
            start
            for start in (*sentences, before.end)
            if bare(text[start:]).startswith(bare(theirs[at]))
        ),
        default=None,
    )
    assert start is not None, record
    if chunk.start < before.end and chunk.start not in sentences:
        return "they repeat whole sentences only"
    assert start < chunk.start, record
    if start == before.start:
        return "they repeat a whole segment"
    assert size(text[start : chunk.end]) > record["max"], record
    return "they repeat what leaves no room"


def test_langchain4j_packs_alike() -> None:
    """63 % of 270 answers are equal but for white space; rules explain all others.

    langchain4j joins pieces with separators of its own, counts these, a word for each,
    and counts a word once for each of its letters where it packs characters. Its
    overlap is made of whole sentences, can be all of a segment, and comes first: where
    it leaves no room for the next piece, it is packed without it. Here an overlap is
    made of pieces as fine as those of the chunk before, never of all of that chunk, and
    is what fits beside the next piece.
    """
    records = [record for record in recorded("langchain4j") if is_comparable(record)]
    reasons = Counter(reason_for(record) for record in records if "segments" in record)
    assert reasons.total() == 270
    assert reasons["equal"] >= 170
    assert reasons["what joins pieces counts as much as they say"] >= 36


def test_what_langchain4j_refuses_is_refused_here_or_has_no_chunk() -> None:
    """It refuses a document without text; here that is a stream without a chunk."""
    refused = 0
    for record in filter(is_comparable, recorded("langchain4j")):
        if "error" not in record:
            continue
        refused += 1
        if record["text"].strip():
            with pytest.raises(ValueError, match="must be"):
                strategy_for(record)
        else:
            assert chunks_of(strategy_for(record), record["text"]) == []
    assert refused == 5


def test_no_slicing_changes_what_is_compared_with_langchain4j() -> None:
    """The answers that are compared are those of streams, too."""
    for record in filter(is_comparable, recorded("langchain4j")):
        if "segments" in record:
            strategy = strategy_for(record)
            text = record["text"]
            assert run(strategy, text) == run(strategy, [text]), record


def test_delm_separates_paragraphs_alike_but_for_old_line_ends() -> None:
    r"""7 of 8 answers are equal; for delm a lone ``\r`` ends no line."""
    records = [r for r in recorded("delm") if r["kind"] == "ParagraphSplit"]
    equal = 0
    for record in records:
        text = record["text"]
        ours = [str(chunk) for chunk in chunks_of(ParagraphChunking(), text)]
        equal += ours == record["out"]
        if ours != record["out"]:
            without = re.sub("\r(?!\n)", LETTER, text)
            found = chunks_of(ParagraphChunking(), without)
            assert [c.replace(LETTER, "\r") for c in found] == record["out"], record
    assert (equal, len(records)) == (7, 8)


def test_wurzel_cuts_sentences_alike_but_for_what_it_loses_or_joins() -> None:
    """4 of 13 answers are equal.

    wurzel loses a closing mark behind a terminator. It does not cut before a lower case
    letter or one outside of ASCII, behind a typographic mark, or behind abbreviations;
    plain rules here cut at all of these, so each of its sentences is one or more of
    ours.
    """
    records = [r for r in recorded("wurzel") if r["kind"] == "RegexSentenceSplitter"]
    equal = 0
    for record in records:
        ours = squeezed(chunks_of(SENTENCES, record["text"]))
        theirs = squeezed(record["out"])
        if ours == theirs:
            equal += 1
        elif " ".join(theirs) != " ".join(ours):
            # It is the text without a closing mark behind a terminator.
            lossy = re.sub(r"([.!?])[\"')\]](?= )", r"\1", record["text"])
            assert " ".join(theirs) == lossy, record
        else:
            ends = {len(" ".join(ours[:number])) for number in range(len(ours) + 1)}
            assert all(
                len(" ".join(theirs[:number])) in ends for number in range(len(theirs))
            ), record
    assert (equal, len(records)) == (4, 13)


def test_no_word_is_lost_where_wurzel_loses_some() -> None:
    """Its sections are those of Markdown, so its answers themselves do not compare."""
    records = [r for r in recorded("wurzel") if r["kind"] == "SemanticSplitter"]
    lossy = 0
    for record in records:
        limit = record["token_limit"]
        chunks = chunks_of(SizedChunking(limit, sizer=words), record["text"])
        assert sum(map(words, chunks)) == words(record["text"]), record
        assert all(words(chunk) <= limit for chunk in chunks), record
        lossy += record["words_out"] < record["words_in"]
    assert (lossy, len(records)) == (4, 10)
