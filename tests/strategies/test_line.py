"""LineChunking."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise import Chunker, LineChunking
from tests.running import Facts, run
from tests.texts import LINE_ENDS, sliced

LINES = LineChunking()
BARE = LineChunking(keep_ends=False)


@pytest.mark.parametrize("end", [*LINE_ENDS, "\r\n"], ids=ascii)
def test_every_line_end_ends_a_line(end: str) -> None:
    """Line ends are those of ``str.splitlines``."""
    text = f"one{end}{end}two{end}three"
    kept = [f"one{end}", end, f"two{end}", "three"]
    bare = ["one", "two", "three"]
    for deltas in ([text], list(text), sliced(text, [4, 4])):
        assert [chunk.text for chunk in run(LINES, deltas).chunks] == kept
        assert [chunk.text for chunk in run(BARE, deltas).chunks] == bare
        assert [chunk.gap for chunk in run(BARE, deltas).chunks] == ["", end * 2, end]


@pytest.mark.parametrize("other", [" ", "\t", "\x1f", "\u200b", "\u3000", "\\n"])
def test_nothing_else_ends_a_line(other: str) -> None:
    assert LINES.split(f"one{other}two\n") == [f"one{other}two\n"]


@pytest.mark.parametrize("end", LINE_ENDS, ids=ascii)
def test_a_line_end_releases_its_line(end: str) -> None:
    """A carriage return waits for one more code point."""
    chunker = Chunker(LINES)
    assert chunker.feed("one") == []
    if end == "\r":
        assert chunker.feed(end) == []
        assert chunker.feed("t") == ["one\r"]
    else:
        assert chunker.feed(end) == [f"one{end}"]


@pytest.mark.parametrize("between", [[], [""], ["", ""]], ids=len)
def test_crlf_is_one_line_end_also_in_two_deltas(between: list[str]) -> None:
    chunker = Chunker(LINES)
    assert chunker.feed("one\r") == []
    for delta in between:
        assert chunker.feed(delta) == []
    assert chunker.feed("\ntwo") == ["one\r\n"]
    assert chunker.flush() == ["two"]


def test_crlf_in_two_deltas_is_one_gap_without_ends() -> None:
    chunker = Chunker(BARE)
    assert chunker.feed("one\r") == []
    assert chunker.feed("\n") == ["one"]
    (chunk,) = chunker.feed("two\n")
    assert (chunk, chunk.gap) == ("two", "\r\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\r\r\n\n", ["\r", "\r\n", "\n"]),
        ("\n\r", ["\n", "\r"]),
        ("a\r\r\nb", ["a\r", "\r\n", "b"]),
        ("\r\n\r\n", ["\r\n", "\r\n"]),
        ("\r\x0b\r\u2028", ["\r", "\x0b", "\r", "\u2028"]),
        ("a\n", ["a\n"]),
        ("", []),
    ],
)
def test_lines_are_those_of_splitlines(text: str, lines: list[str]) -> None:
    assert text.splitlines(keepends=True) == lines
    for deltas in ([text], list(text)):
        assert [chunk.text for chunk in run(LINES, deltas).chunks] == lines
        bare = [line for line in text.splitlines() if line]
        assert [chunk.text for chunk in run(BARE, deltas).chunks] == bare


def test_nothing_is_between_lines() -> None:
    chunks, tail = run(LINES, ["one\n\n two\r\nthree"])
    assert all(chunk.gap == "" for chunk in chunks)
    assert tail == ""


def test_without_ends_an_empty_line_is_no_chunk() -> None:
    chunks, tail = run(BARE, ["\n\none\n\n\ntwo\n\n"])
    assert [(chunk.text, chunk.gap) for chunk in chunks] == [
        ("one", "\n\n"),
        ("two", "\n\n\n"),
    ]
    assert tail == "\n\n"


def test_without_ends_a_line_of_white_space_is_a_chunk() -> None:
    assert BARE.split("  \n\t\n") == ["  ", "\t"]


@pytest.mark.parametrize("strategy", [LINES, BARE], ids=repr)
def test_flush_gives_the_unfinished_line(strategy: LineChunking) -> None:
    assert strategy.flush("one\ntwo") == ["two"]
    assert strategy.flush("one\n") == []
    assert strategy.flush(" ") == [" "]
    assert strategy.flush("") == []


def test_a_line_is_complete_when_it_has_its_end() -> None:
    assert run(LINES, ["one\ntwo"]).chunks == [
        Facts("one\n", 0, 4, "", 0, complete=True, kind="line"),
        Facts("two", 4, 7, "", 1, complete=False, kind="line"),
    ]
    assert run(LINES, ["one\r"]).chunks == [
        Facts("one\r", 0, 4, "", 0, complete=True, kind="line")
    ]
    assert run(BARE, ["one\r"]).chunks == [
        Facts("one", 0, 3, "", 0, complete=True, kind="line")
    ]


def test_ends_are_kept_unless_told() -> None:
    assert LineChunking().keep_ends is True
    assert repr(LineChunking()) == "LineChunking(keep_ends=True)"


@pytest.mark.parametrize("wrong", ["no", 0, 1, None])
def test_keep_ends_is_a_bool(wrong: Any) -> None:
    with pytest.raises(TypeError, match="keep_ends must be a bool"):
        LineChunking(keep_ends=wrong)
