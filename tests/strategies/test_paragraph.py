"""ParagraphChunking."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given

from chunkwise import Chunker, ParagraphChunking
from tests.running import Facts, run
from tests.texts import LINE_ENDS, boundary_rich_texts, sliced

PARAGRAPHS = ParagraphChunking()
STRICT = ParagraphChunking(strict=True)
both = pytest.mark.parametrize("strategy", [PARAGRAPHS, STRICT], ids=repr)


def texts(strategy: ParagraphChunking, text: str) -> list[str]:
    """Return the chunks of *text*, which are the same in one delta and in many."""
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    return [chunk.text for chunk in whole.chunks]


@both
def test_two_or_more_newlines_separate(strategy: ParagraphChunking) -> None:
    assert texts(strategy, "one\n\ntwo\n\n\n\nthree") == ["one", "two", "three"]
    assert strategy.split("one\n\ntwo\n\n") == ["one", "two"]
    assert strategy.split("one\ntwo\n") == []


@both
def test_a_fragment_is_released_byte_for_byte_by_flush(
    strategy: ParagraphChunking,
) -> None:
    """A single trailing newline included."""
    chunker = Chunker(strategy)
    assert chunker.feed("a\n\nb\n") == ["a"]
    assert chunker.flush() == ["b\n"]
    assert strategy.split("a\n\nb\n") == ["a"]
    assert strategy.flush("a\n\nb\n") == ["b\n"]


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("a\n\nb", ["b"]),
        ("a\n\n b \n", [" b \n"]),
        ("a\n\nb\n ", ["b\n "]),
        ("b\n", ["b\n"]),
        ("\nb", ["\nb"]),
        ("  b\n", ["  b\n"]),
        ("a\n\n", []),
        ("a\n\n\n", []),
        ("a\n\n  ", []),
        ("\n", []),
        ("\n\n", []),
        (" ", []),
        ("", []),
    ],
)
@both
def test_what_flush_gives(
    strategy: ParagraphChunking, text: str, fragment: list[str]
) -> None:
    assert strategy.flush(text) == fragment
    for deltas in ([text], list(text)):
        chunker = Chunker(strategy)
        for delta in deltas:
            chunker.feed(delta)
        assert chunker.flush() == fragment


@pytest.mark.parametrize("end", [*LINE_ENDS, "\r\n"], ids=ascii)
def test_any_line_end_twice_separates(end: str) -> None:
    """Line ends are those of ``str.splitlines``."""
    text = f"one{end}more{end}{end}two{end} \t{end}{end}three"
    assert texts(PARAGRAPHS, text) == [f"one{end}more", "two", "three"]


@pytest.mark.parametrize("first", [*LINE_ENDS, "\r\n"], ids=ascii)
@pytest.mark.parametrize("then", [*LINE_ENDS, "\r\n"], ids=ascii)
def test_any_two_line_ends_separate(first: str, then: str) -> None:
    """Unless the two are one: a carriage return and its line feed."""
    text = f"one{first}{then}two"
    paragraphs = [text] if (first, then) == ("\r", "\n") else ["one", "two"]
    assert texts(PARAGRAPHS, text) == paragraphs
    assert texts(PARAGRAPHS, f"one{first} {then}two") == ["one", "two"]


@pytest.mark.parametrize("blank", ["", " ", "\t", "   \t ", " " * 100])
def test_a_blank_line_may_hold_spaces_and_tabs(blank: str) -> None:
    assert texts(PARAGRAPHS, f"one\n{blank}\ntwo") == ["one", "two"]
    assert texts(PARAGRAPHS, f"one\n{blank}\n{blank}\n{blank}\ntwo") == ["one", "two"]


@pytest.mark.parametrize("held", ["x", "\u3000", "\u00a0", "\u200b", "\x1f", "."])
def test_a_line_that_holds_something_else_is_not_blank(held: str) -> None:
    assert texts(PARAGRAPHS, f"one\n{held}\ntwo") == [f"one\n{held}\ntwo"]


@pytest.mark.parametrize("blank", ["", "\n", " \n", "\t\n\n"])
@pytest.mark.parametrize("indent", ["", " ", "    ", "\t", " \t "])
def test_indentation_of_the_next_line_stays_in_its_chunk(
    indent: str, blank: str
) -> None:
    text = f"one\n\n{blank}{indent}two\n{indent}more"
    assert texts(PARAGRAPHS, text) == ["one", f"{indent}two\n{indent}more"]


@pytest.mark.parametrize("indent", ["", " ", "    ", "\t"])
def test_indentation_of_the_first_line_stays_in_its_chunk(indent: str) -> None:
    assert texts(PARAGRAPHS, f"{indent}one\n\ntwo") == [f"{indent}one", "two"]
    assert texts(PARAGRAPHS, f"\n\n{indent}one\n\ntwo") == [f"{indent}one", "two"]


def test_spaces_at_the_end_of_a_line_stay_in_its_chunk() -> None:
    """A separator begins at the line end."""
    assert texts(PARAGRAPHS, "one  \n\ntwo") == ["one  ", "two"]


@both
@pytest.mark.parametrize("piece", ["\u3000", " ", "\u00a0\u2003", "\x1f"])
def test_a_piece_of_white_space_alone_is_no_chunk(
    strategy: ParagraphChunking, piece: str
) -> None:
    text = f"one\n\n{piece}\n\ntwo\n\n{piece}"
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    assert [(chunk.text, chunk.gap) for chunk in whole.chunks] == [
        ("one", ""),
        ("two", f"\n\n{piece}\n\n"),
    ]
    assert whole.tail == f"\n\n{piece}"


@both
@pytest.mark.parametrize("text", ["\n\none", "\n\n\none", "\n\n\n\n\none"])
def test_blank_lines_at_the_start_belong_to_no_chunk(
    strategy: ParagraphChunking, text: str
) -> None:
    assert texts(strategy, text) == ["one"]


def test_strict_takes_nothing_but_newlines() -> None:
    for text in ("a\r\n\r\nb", "a\r\rb", "a\u2029\u2029b", "a\n \nb", "a\n\t\nb"):
        assert texts(STRICT, text) == [text]
        assert len(texts(PARAGRAPHS, text)) == 2
    assert texts(STRICT, "a\n\n \n\nb\r\n\n\nc") == ["a", "b\r", "c"]


@given(text=boundary_rich_texts())
def test_strict_is_what_the_pattern_says(text: str) -> None:
    pieces = re.split("\n{2,}", text)
    assert texts(STRICT, text) == [piece for piece in pieces if piece.strip()]


@given(text=boundary_rich_texts())
def test_lenient_is_what_the_lines_say(text: str) -> None:
    """Written in another way than the code: over the lines of ``str.splitlines``."""
    lines = text.splitlines(keepends=True)
    pieces = [""]
    while lines:
        line = lines.pop(0)
        if lines and is_blank(lines[0]):
            pieces[-1] += without_end(line)
            pieces.append("")
            while lines and is_blank(lines[0]):
                del lines[0]
        else:
            pieces[-1] += line
    assert texts(PARAGRAPHS, text) == [piece for piece in pieces if piece.strip()]


def without_end(line: str) -> str:
    return line.splitlines()[0]


def is_blank(line: str) -> bool:
    return line != without_end(line) and not without_end(line).strip(" \t")


@pytest.mark.parametrize(
    ("before", "decides"),
    [("one\n", "\n"), ("one\n \t", "\n"), ("one\r\n", "\n"), ("one\r\n\r", "\n")],
)
def test_the_second_line_end_releases(before: str, decides: str) -> None:
    chunker = Chunker(PARAGRAPHS)
    for code_point in before:
        assert chunker.feed(code_point) == []
    assert chunker.feed(decides) == ["one"]


def test_a_carriage_return_waits_for_one_more_code_point() -> None:
    chunker = Chunker(PARAGRAPHS)
    assert chunker.feed("one\r") == []
    assert chunker.feed("\n") == []
    assert chunker.feed("\r") == []
    assert chunker.feed("t") == ["one"]
    assert chunker.flush() == ["t"]


def test_a_heading_and_the_paragraph_behind_it_are_two() -> None:
    assert texts(PARAGRAPHS, "Overview\n\nIt works. Ok.") == [
        "Overview",
        "It works. Ok.",
    ]


def test_the_last_paragraph_is_not_complete() -> None:
    assert run(PARAGRAPHS, ["one\n\ntwo\n"]).chunks == [
        Facts("one", 0, 3, "", 0, complete=True, kind="paragraph"),
        Facts("two\n", 5, 9, "\n\n", 1, complete=False, kind="paragraph"),
    ]


def test_a_paragraph_that_ends_with_an_open_carriage_return_is_complete() -> None:
    """Only the wait for a line feed held it back."""
    assert run(PARAGRAPHS, ["one\n\r"]).chunks == [
        Facts("one", 0, 3, "", 0, complete=True, kind="paragraph")
    ]
    assert run(PARAGRAPHS, ["one\r"]).chunks == [
        Facts("one\r", 0, 4, "", 0, complete=False, kind="paragraph")
    ]


def test_it_is_lenient_unless_told() -> None:
    assert ParagraphChunking().strict is False
    assert repr(ParagraphChunking()) == "ParagraphChunking(strict=False)"


@pytest.mark.parametrize("wrong", ["no", 0, 1, None])
def test_strict_is_a_bool(wrong: Any) -> None:
    with pytest.raises(TypeError, match="strict must be a bool"):
        ParagraphChunking(strict=wrong)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("other", ["", "\r\n", "\u2028"])
def test_a_long_text_is_cut_as_its_deltas_are(strict: bool, other: str) -> None:  # noqa: FBT001 - a parameter
    """In one feed a long text is searched in another way than a short one."""
    text = f"One \n{other}.\n\n\n  Two.\n \t\n{other}{other}Three\n\t\n\n" * 60
    assert len(text) > 1_000
    strategy = ParagraphChunking(strict=strict)
    assert run(strategy, [text]) == run(strategy, sliced(text, range(7, len(text), 7)))
    assert len(run(strategy, [text]).chunks) >= 60


def test_a_paragraph_is_open_once_it_has_text() -> None:
    def opened(text: str) -> tuple[int, int] | None:
        strategy = ParagraphChunking()
        _, _, resume, state, _ = strategy.scan(text, 0, strategy.begin(0))
        return strategy.opened(text[resume:], resume, state)

    assert opened(" \n") is None
    assert opened(" a b") == (0, 4)
    assert opened("a\n\n b\n ") == (3, 5)
    assert opened("a\r") == (0, 1)
