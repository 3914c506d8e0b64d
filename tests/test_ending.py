"""Which endings cut a text short, and which objects say so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import get_args

import pytest

from chunkwise._ending import is_cut_short
from chunkwise.deltas import Ending

WHOLE = {"stop", "tool_calls"}


@pytest.mark.parametrize("ending", get_args(Ending))
def test_a_text_is_cut_short_unless_it_ended_by_itself(ending: str) -> None:
    assert is_cut_short(SimpleNamespace(ending=ending)) is (ending not in WHOLE)


@pytest.mark.parametrize("ending", [None, "the end", ["length"]], ids=str)
def test_who_does_not_know_says_nothing(ending: object) -> None:
    assert not is_cut_short(SimpleNamespace(ending=ending))


def test_a_plain_source_says_nothing() -> None:
    assert not is_cut_short(["length"])
