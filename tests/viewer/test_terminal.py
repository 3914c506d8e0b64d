"""paint: chunks for a terminal, to which no text can do anything."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import CUT, LineChunking, SizedChunking, WindowChunking
from chunkwise.viewer._recording import Recording
from chunkwise.viewer._terminal import paint
from tests.deltas.sources import Events

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy

BLUE, BROWN = "\x1b[48;5;24;38;5;255m", "\x1b[48;5;94;38;5;255m"
FAINT, LINED, PLAIN = "\x1b[2m", "\x1b[4m", "\x1b[0m"


def plain(text: str, by: Any = "sentence") -> str:
    return "".join(paint(text, by, color=False))


def test_without_colours_chunks_stand_between_marks() -> None:
    assert plain(" One.\tTwo.\n\nTh ") == "·⟦One.⟧→⟦Two.⟧↵\n↵\n⟦Th⟧·"


def test_colours_take_turns_and_gaps_are_faint() -> None:
    assert list(paint("a b\nc", "word", color=True)) == [
        f"{BLUE}a{PLAIN}",
        f"{FAINT}·{PLAIN}{BROWN}b{PLAIN}",
        f"{FAINT}↵{PLAIN}\n{BLUE}c{PLAIN}",
        "",
    ]


def test_a_line_end_is_never_coloured() -> None:
    painted = "".join(paint("a\r\n\nb\n", LineChunking(), color=True))
    assert painted == f"{BLUE}a{PLAIN}\n{BROWN}\n{BLUE}b{PLAIN}\n".replace(BROWN, "")


def test_text_that_is_repeated_is_underlined() -> None:
    window = WindowChunking(2, stride=1, by="word")
    assert list(paint("a b c", window, color=True))[1] == (
        f"{BROWN}{LINED}b{PLAIN}{BROWN} c{PLAIN}"
    )
    assert plain("a b c", window) == "⟦a b⟧⟦b c⟧"


def test_each_chunk_comes_as_soon_as_it_is_complete() -> None:
    source: Any = Events("One. Two", ". Th", ValueError("gone"))
    painted = paint(source, color=False)
    assert next(painted) == "⟦One.⟧"
    assert next(painted) == "·⟦Two.⟧"
    with pytest.raises(ValueError, match=r"^gone$"):
        next(painted)
    assert source.closed == 1


def test_a_recording_is_painted_with_its_cuts() -> None:
    painted = paint(Recording(["It is", CUT, "on"]), color=False)
    assert "".join(painted) == "⟦It is⟧⟦on⟧"


def test_what_a_terminal_would_obey_or_hide_is_shown_as_a_number() -> None:
    text = "a\x1b[2J\x00\x9b\u202eb\u2066\ud800\rc\r\nd\x85"
    assert plain(text, SizedChunking(100)) == (
        "⟦a<U+001B>[2J<U+0000><U+009B><U+202E>b<U+2066><U+D800><U+000D>c\nd<U+0085>⟧"
    )


def test_what_takes_no_room_is_shown_as_a_number() -> None:
    hidden = (
        "\u00ad\u034f\u061c\u115f\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u2060"
        "\u2064\u2065\u206a\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\U0001d173\U000e0001"
        "\U000e0069\U000e007f\U000e0100\U000e01ef\U000e0fff"
    )
    text = "".join(f"a{sign}" for sign in hidden)
    numbers = "".join(f"a<U+{ord(sign):04X}>" for sign in hidden)
    assert plain(text, SizedChunking(100)) == f"⟦{numbers}⟧"
    # Behind a visible one, only the first of several shapes anything.
    assert plain("😀\ufe0f\ufe01\u200d", "line") == "⟦😀\ufe0f<U+FE01><U+200D>⟧"


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d👩\u200d👧 👁\ufe0f\u200d🗨\ufe0f ❤\ufe0f ©\ufe0f 1\ufe0f\u20e3",
        "👩🏽\u200d🚀 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
        "می\u200cخواهم क्\u200dष 葛\U000e0100 ≨\ufe00 ᠭ\u180b",  # noqa: RUF001 - it is Persian
    ],
)
def test_what_shapes_its_neighbours_is_shown_in_them(text: str) -> None:
    assert plain(text, "line") == f"⟦{text}⟧"


@pytest.mark.parametrize("color", [False, True])
@given(text=st.text(st.characters(categories=["Cc", "Cf", "Zl", "Zp", "Cs", "Lu"])))
def test_no_text_gives_a_control_of_its_own(text: str, *, color: bool) -> None:
    painted = "".join(paint(text, "word", color=color))
    for sequence in (BLUE, BROWN, FAINT, LINED, PLAIN):
        painted = painted.replace(sequence, "")
    found = {sign for sign in painted if unicodedata.category(sign) in {"Cc", "Cs"}}
    assert found <= {"\n", "\t"}
    assert not re.search("[\u200e\u200f\u202a-\u202e\u2066-\u2069]", painted)


@pytest.mark.parametrize("by", ["word", "sentence", LineChunking()])
def test_nothing_of_a_plain_text_is_lost(by: str | ChunkingStrategy[Any]) -> None:
    text = "It is on. Now\twait.\n\n- One\n- Two "
    shown = re.sub("[⟦⟧]|↵(?=\n)", "", plain(text, by))
    assert shown.replace("·", " ").replace("→", "\t") == text
