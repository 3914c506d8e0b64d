"""How a text ended, in the words of many services."""

from __future__ import annotations

from enum import Enum

import pytest

from chunkwise.deltas._part import ending_of, plain_word


class Reason(str, Enum):
    """As in SDKs."""

    MAX = "MAX_TOKENS"


@pytest.mark.parametrize(
    ("word", "ending"),
    [
        ("stop", "stop"),
        ("STOP", "stop"),
        ("end_turn", "stop"),
        ("COMPLETE", "stop"),
        ("max_tokens", "length"),
        (Reason.MAX, "length"),
        ("SAFETY", "content_filter"),
        ("tool_use", "tool_calls"),
        ("pause_turn", "tool_calls"),
        ("refusal", "refusal"),
        ("failed", "error"),
        ("truncated", "truncated"),
        ("not_finished", None),
        ("", None),
        ("a word that no service had so far", "error"),
    ],
)
def test_words_have_a_common_meaning(word: str, ending: str | None) -> None:
    assert ending_of(word) == ending


def test_a_word_of_an_enumeration_is_plain_text() -> None:
    word = plain_word(Reason.MAX)
    assert word == "MAX_TOKENS"
    assert type(word) is str
