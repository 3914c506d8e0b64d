"""What is read becomes chunks of several strategies; errors come behind them."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise import CUT, ChunkingStrategy, PendingLimitError, WordChunking
from chunkwise.validation._cutting import Cutting
from chunkwise.validation._options import SessionOptions


def cutting(*others: ChunkingStrategy[Any], **options: Any) -> Cutting:
    return Cutting(SessionOptions(**options), others)


def test_each_strategy_cuts_what_it_is_given() -> None:
    both = cutting(WordChunking())
    assert [both.cut(0, "It is on. It"), both.cut(1, "It is on. It")] == [
        ["It is on."],
        ["It", "is", "on."],
    ]
    assert (both.held, both.rest, both.tail) == (3, " It", "")
    assert [both.cut(0, CUT), both.cut(1, CUT)] == [["It"], ["It"]]
    assert [both.cut(0, " Bye "), both.cut(1, " Bye ")] == [[], ["Bye"]]
    (last,) = both.end(0, truncated=True)
    assert (last, last.complete) == ("Bye", False)
    assert list(both.end(1, truncated=False)) == []
    assert (both.tail, both.rest) == (" ", " ")
    assert both.error is None


def test_at_the_limit_the_text_is_cut_or_refused() -> None:
    cuts = cutting(max_pending=5, on_limit="cut")
    assert cuts.cut(0, "Well. No end") == ["Well.", "No end"]
    assert cuts.error is None
    refuses = cutting(max_pending=5)
    assert refuses.cut(0, "Well. No end") == ["Well."]
    assert isinstance(refuses.error, PendingLimitError)
    assert refuses.rest == " No end"


class Failing(ChunkingStrategy[None]):
    """Cuts at white space, and fails at an exclamation mark, or at the end."""

    def split(self, text: str) -> list[str]:
        """Return all words but the last."""
        if "!" in text:
            msg = f"no {text}"
            raise ValueError(msg)
        return text.split()[:-1]

    def flush(self, text: str) -> list[str]:
        """Fail."""
        raise KeyError(text)


def test_the_first_error_counts_and_no_text_is_lost() -> None:
    fails = cutting(Failing(), strategy=Failing())
    assert fails.cut(0, "a b") == ["a"]
    assert fails.cut(0, "!") == ()
    assert str(fails.error) == "no a b!"
    assert fails.rest == " b!"
    assert fails.end(0, truncated=False) == ()
    assert fails.cut(1, "c!") == ()
    assert str(fails.error) == "no a b!"
    assert fails.rest == " b!"


def test_an_end_that_fails_is_an_error() -> None:
    fails = cutting(strategy=Failing())
    fails.cut(0, "a b")
    assert fails.end(0, truncated=False) == ()
    assert isinstance(fails.error, KeyError)


def test_options_of_a_chunker_are_checked_by_it() -> None:
    with pytest.raises(ValueError, match="max_pending must be at least 0, got -1"):
        cutting(max_pending=-1)
