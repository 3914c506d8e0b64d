"""Events are plain values, and an observer is told of each in turn."""

from __future__ import annotations

from typing import get_args

from chunkwise.validation import (
    CheckFinished,
    ChunkFormed,
    Ended,
    Event,
    Released,
    Retraction,
    SourceClosed,
    View,
    validate_sync,
)


def passing(view: View) -> None:
    del view


def test_the_type_names_all_of_them() -> None:
    events = {CheckFinished, ChunkFormed, Ended, Released, Retraction, SourceClosed}
    assert set(get_args(Event)) == events


def test_an_observer_is_told_of_each_step_in_order() -> None:
    told: list[Event] = []
    with validate_sync("One. Two", passing, observer=told.append) as stream:
        list(stream)
    assert [type(event).__name__ for event in told] == [
        "ChunkFormed",
        "CheckFinished",
        "Released",
        "ChunkFormed",
        "SourceClosed",
        "CheckFinished",
        "Released",
        "Ended",
    ]
    assert told[0] == ChunkFormed(told[2].piece.chunk)  # type: ignore[union-attr]  # it is a Released
    finished, closed = told[1], told[4]
    assert isinstance(finished, CheckFinished)
    assert (finished.check, finished.chunk) == ("passing", "One.")
    assert finished.verdict is not None
    assert isinstance(closed, SourceClosed)
    assert closed.error is None
    assert told[-1] == Ended(stream.outcome)  # type: ignore[arg-type]  # it has ended
