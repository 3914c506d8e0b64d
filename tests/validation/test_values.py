"""The values of validation: what they refuse, and that they can be stored."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from chunkwise import Chunk
from chunkwise.validation._values import Edit, Piece, Verdict, View


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_an_edit_is_a_span(start: int, end: int) -> None:
    with pytest.raises(ValueError, match=f"0 <= start <= end, got {start}:{end}"):
        Edit(start, end, "")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("1", 2, ""), "start of an edit must be an int, got '1'"),
        ((1, 2.0, ""), "end of an edit must be an int, got 2.0"),
        ((1, 2, None), "replacement of an edit must be a str, got NoneType"),
    ],
)
def test_an_edit_has_offsets_and_a_text(wrong: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        Edit(*wrong)


def test_a_verdict_keeps_any_edits_as_a_tuple() -> None:
    edit = Edit(1, 2, "")
    given: Any
    for given in ([edit], iter([edit])):
        assert Verdict("pass", edits=given).edits == (edit,)
    for given in (None, edit):
        with pytest.raises(TypeError, match="edits must be a tuple of Edit, got"):
            Verdict("pass", edits=given)


@pytest.mark.parametrize("status", ["unknown", "rejected", True, None])
def test_a_verdict_has_one_of_two_statuses(status: Any) -> None:
    with pytest.raises(ValueError, match="status must be 'pass' or 'reject', got"):
        Verdict(status)


def test_a_verdict_has_one_of_three_origins() -> None:
    origin: Any = "skipped"
    with pytest.raises(ValueError, match="origin must be one of"):
        Verdict("pass", origin=origin)


def test_a_piece_has_the_place_of_its_chunk() -> None:
    piece = Piece(Chunk("Hi.", start=2), "  ", "Hi.")
    assert (piece.start, piece.end, piece.verbatim) == (2, 5, True)
    edited = Piece(piece.chunk, "", "Ho.", edits=(Edit(2, 4, "Ho"),))
    assert not edited.verbatim
    assert edited.chunk == "Hi."


def test_values_pickle() -> None:
    chunk = Chunk("Hi.", start=2)
    verdict = Verdict("reject", "why", 0.5, (Edit(2, 3, ""),), {"a": 1}, "error")
    for value in (verdict, View(chunk), Piece(chunk, "", "Hi.", (("a", verdict),))):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own bytes


def test_text_is_not_looked_for_in_a_view() -> None:
    """It would never be found, and a check would pass everything."""
    view = View(Chunk("It is blue.", start=0, index=0))
    with pytest.raises(TypeError, match=r"got 'blue'; look in view\.chunk"):
        assert "blue" in view
