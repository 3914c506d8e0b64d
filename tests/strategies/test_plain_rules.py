"""SentenceChunking with the plain rules."""

from __future__ import annotations

import pytest

from chunkwise import Chunker, SentenceChunking
from tests.running import Facts, run
from tests.texts import WHITE_SPACE

PLAIN = SentenceChunking(rules="plain")
CLOSING_MARKS = ["", '"', "'", "\u201d", "\u2019", ")"]


def test_a_boundary_is_a_terminator_and_white_space() -> None:
    text = "Dr. Smith went home. He was tired. "
    assert PLAIN.split(text) == ["Dr.", "Smith went home.", "He was tired."]
    assert PLAIN.flush(text) == []


@pytest.mark.parametrize("terminator", [".", "!", "?"])
@pytest.mark.parametrize("closing_mark", CLOSING_MARKS, ids=ascii)
def test_one_closing_mark_may_follow_the_terminator(
    terminator: str, closing_mark: str
) -> None:
    sentence = f"One{terminator}{closing_mark}"
    chunker = Chunker(PLAIN)
    assert chunker.feed(sentence) == []
    assert chunker.feed(" ") == [sentence]
    assert chunker.feed("Two") == []
    assert PLAIN.split(f"{sentence} {sentence}\n") == [sentence, sentence]


@pytest.mark.parametrize("space", WHITE_SPACE, ids=ascii)
def test_any_white_space_releases_and_belongs_to_no_chunk(space: str) -> None:
    """White space is what ``str.isspace`` says."""
    text = f"{space}One.{space}{space}Two?{space}thr{space}ee{space}"
    for deltas in ([text], list(text)):
        chunks, tail = run(PLAIN, deltas)
        assert [(chunk.text, chunk.gap) for chunk in chunks] == [
            ("One.", space),
            ("Two?", space * 2),
            (f"thr{space}ee", space),
        ]
        assert tail == space
    chunker = Chunker(PLAIN)
    chunker.feed("One.")
    assert chunker.feed(space) == ["One."]


@pytest.mark.parametrize("character", ["\u200b", "\ufeff", "\u2060", "\x00", "\u180e"])
def test_what_only_looks_like_white_space_releases_nothing(character: str) -> None:
    assert not character.isspace()
    assert PLAIN.split(f"One.{character}Two") == []


@pytest.mark.parametrize(
    "mark", ["]", "}", "*", "\u00bb", "\u300d", "`", "\u201c", "_"]
)
def test_other_marks_behind_the_terminator_end_nothing(mark: str) -> None:
    assert PLAIN.split(f"One.{mark} Two. ") == [f"One.{mark} Two."]


@pytest.mark.parametrize("marks", ["\"'", "))", '")', "\u2019\u201d"])
def test_two_closing_marks_end_nothing(marks: str) -> None:
    assert PLAIN.split(f"One.{marks} Two. ") == [f"One.{marks} Two."]
    (chunk,) = run(PLAIN, [f"One.{marks}"]).chunks
    assert chunk.complete is False


@pytest.mark.parametrize(
    "terminator", ["\u3002", "\uff01", "\uff1f", "\u2026", ":", ";", "\u061f"]
)
def test_other_terminators_end_nothing(terminator: str) -> None:
    assert PLAIN.split(f"One{terminator} Two. ") == [f"One{terminator} Two."]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        pytest.param("Pi is 3.14 now. Ok.", ["Pi is 3.14 now."], id="decimal"),
        pytest.param(
            "See https://a.b/c.d?e=f.g now. Ok.",
            ["See https://a.b/c.d?e=f.g now."],
            id="address",
        ),
        pytest.param(
            "Born Jan 1, 1980. Ok. ", ["Born Jan 1, 1980.", "Ok."], id="number at end"
        ),
        pytest.param(
            'He said "Go." She left. ', ['He said "Go."', "She left."], id="quote"
        ),
        pytest.param(
            "The sky is... blue. ", ["The sky is...", "blue."], id="ellipsis ends one"
        ),
        pytest.param("What?! Yes. ", ["What?!", "Yes."], id="two terminators"),
        pytest.param("A one.\nB two.\n\nC", ["A one.", "B two."], id="line ends"),
        pytest.param("Overview\n\nIt works. ", ["Overview\n\nIt works."], id="heading"),
        pytest.param(". ! ? ", [".", "!", "?"], id="terminators alone"),
        pytest.param("  . a ", ["."], id="terminator behind white space"),
        pytest.param(").\n", [")."], id="closing mark before"),
        pytest.param("a.b.c d.e ", [], id="full stops inside"),
        pytest.param("", [], id="nothing"),
        pytest.param(" \n ", [], id="white space alone"),
    ],
)
def test_sentences(text: str, sentences: list[str]) -> None:
    assert PLAIN.split(text) == sentences
    released: list[str] = []
    chunker = Chunker(PLAIN)
    for code_point in text:
        released += chunker.feed(code_point)
    assert released == sentences


def test_offsets_are_those_of_the_stream() -> None:
    chunks = run(PLAIN, [" A.  B. "]).chunks
    assert [(chunk.start, chunk.end) for chunk in chunks] == [(1, 3), (5, 7)]


def test_an_address_that_a_delta_cuts_at_its_full_stop_stays_whole() -> None:
    chunker = Chunker(PLAIN)
    assert chunker.feed("Contact jane.") == []
    assert chunker.feed("doe@x.com ok. ") == ["Contact jane.doe@x.com ok."]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        pytest.param("One. two", ["two"], id="rest"),
        pytest.param("One. \n two \n ", ["two"], id="white space around it"),
        pytest.param("One. two. ", [], id="no rest"),
        pytest.param("two.", ["two."], id="no white space behind the terminator"),
        pytest.param("  two words  ", ["two words"], id="nothing else"),
        pytest.param(" \n", [], id="white space alone"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_flush_gives_the_stripped_rest(text: str, rest: list[str]) -> None:
    assert PLAIN.flush(text) == rest
    for deltas in ([text], list(text)):
        chunker = Chunker(PLAIN)
        for delta in deltas:
            chunker.feed(delta)
        assert chunker.flush() == rest


def test_a_tail_without_punctuation_is_delivered_and_not_complete() -> None:
    assert run(PLAIN, ["Yes. no end"]).chunks == [
        Facts("Yes.", 0, 4, "", 0, complete=True, kind="sentence"),
        Facts("no end", 5, 11, " ", 1, complete=False, kind="sentence"),
    ]


@pytest.mark.parametrize("text", ["One.", "One!", "One?", "One.)", 'One."'])
@pytest.mark.parametrize("size", [1, 100])
def test_a_rest_that_ends_like_a_sentence_is_complete(text: str, size: int) -> None:
    deltas = [text[at : at + size] for at in range(0, len(text), size)]
    (chunk,) = run(PLAIN, deltas).chunks
    assert chunk.complete is True


def test_two_hundred_no_break_spaces_are_no_sentence() -> None:
    assert run(PLAIN, ["\u00a0" * 200]) == ([], "\u00a0" * 200)


def test_what_is_open_goes_to_the_last_code_point_that_is_no_white_space() -> None:
    _, _, resume, state, _ = PLAIN.scan("One. Two  ", 0, PLAIN.begin(0))
    assert PLAIN.opened("", resume, state) == (5, 8)
