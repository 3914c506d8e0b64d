"""Part: what one event says about one choice, in the same words for every SDK."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable

Ending = Literal[
    "stop", "length", "content_filter", "tool_calls", "refusal", "error", "truncated"
]
"""How a stream ended. Behind ``"stop"`` and ``"tool_calls"`` its text is whole."""

Kind = Literal["text", "reasoning", "tool_calls", "refusal"]
"""What a stream of deltas is made of: the answer's text, or what came beside it."""

KINDS: Final[tuple[Kind, ...]] = ("text", "reasoning", "tool_calls", "refusal")


class Part(NamedTuple):
    """What an extractor takes out of one event.

    Attributes:
        text: A delta; may be empty.
        kind: What it belongs to. ``"other"`` is content that is never asked for; like
            any kind that is not the one read it separates two texts.
        choice: Index of the choice or candidate; ``None`` for all of them.
        block: What tells neighbouring texts of a kind apart that do not belong
            together, two messages or two tool calls for example. Where it changes, a
            ``CUT`` comes between them.
        finish: The service's word for how the text ended, if the event says it.
    """

    text: str = ""
    kind: Kind | Literal["other"] = "text"
    choice: int | None = 0
    block: Hashable = None
    finish: str | None = None


_WORDS: Final[dict[Ending, str]] = {
    "stop": (
        "stop end_turn stop_sequence completed complete finish eos eos_token done "
        "end_of_turn load unload"
    ),
    "length": (
        "length max_tokens max_output_tokens max_completion_tokens max_prompt_tokens "
        "model_length model_context_window_exceeded token_limit error_limit "
        "context_window_exceeded incomplete"
    ),
    "content_filter": (
        "content_filter content_filtered guardrail_intervened safety recitation "
        "blocklist prohibited_content spii image_safety image_prohibited_content "
        "image_recitation language sensitive error_toxic"
    ),
    "tool_calls": (
        "tool_calls tool_call tool_use function_call pause_turn requires_action"
    ),
    "refusal": "refusal",
    "error": "error failed cancelled expired",
    "truncated": "truncated",
}

_ENDINGS: Final[dict[str, Ending]] = {
    word: ending for ending, words in _WORDS.items() for word in words.split()
}

_NOT_YET: Final = frozenset(
    {"", "null", "none", "not_finished", "finish_reason_unspecified"}
)
"""Words that some services give while the text goes on."""


def ending_of(word: str) -> Ending | None:
    """Return how a text ended, from the service's *word* for it, in any case.

    A word that is not known is an ``"error"``: it is safer to treat a whole text as cut
    short than the other way round. ``None`` where the text goes on.
    """
    word = plain_word(word).lower()
    if word in _NOT_YET:
        return None
    return _ENDINGS.get(word, "error")


def plain_word(word: str) -> str:
    """Return *word*, which may be a member of an SDK's enumeration, as a ``str``."""
    return str(word.value) if isinstance(word, Enum) else str.__str__(word)
