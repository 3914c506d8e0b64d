"""The checks that come with the library."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import JSONChunking
from chunkwise.validation import (
    Check,
    Rejected,
    forbid,
    max_length,
    require_json_schema,
    validate_sync,
)

if TYPE_CHECKING:
    from chunkwise.validation import Outcome


def outcome_of(deltas: Any, check: Check, **options: Any) -> Outcome:
    """Return how a stream ended under one check, which must not raise."""
    with validate_sync(deltas, check, on_reject="stop", **options) as stream:
        list(stream)
    assert stream.outcome is not None
    return stream.outcome


def reason_of(deltas: Any, check: Check, **options: Any) -> str | None:
    """Return why a stream was rejected."""
    rejected = outcome_of(deltas, check, **options).rejected
    return None if rejected is None else rejected.reason


# --- forbid -------------------------------------------------------------------------


def test_forbid_rejects_what_holds_the_pattern() -> None:
    check = forbid(r"\bpin\b")
    assert reason_of("My pi. My pink.", check) is None
    outcome = outcome_of("My pi. My pin.", check)
    assert outcome.rejected is not None
    assert outcome.rejected.reason == "forbid: found 'pin' at stream offset 10"
    assert outcome.rejected.failures[0][1].data == (10, 13)
    assert outcome.released_to == 6


def test_forbid_looks_back_as_far_as_it_is_told() -> None:
    text = "Call me. Ishmael is here."
    assert reason_of(text, forbid(r"me\.\s+Ishmael")) is None
    reason = reason_of(text, forbid(r"me\.\s+Ishmael", context=10, name="novel"))
    assert reason == "novel: found 'me. Ishmael' at stream offset 5"
    assert reason_of(text, forbid("Call", context=99), hold_back=1) is not None


def test_forbid_does_not_blame_a_chunk_for_the_text_before_it() -> None:
    """What was let through, by another release policy say, is not found again."""
    text = "bad. Good. Fine."
    with validate_sync(text, forbid("bad", context=99), release="observe") as stream:
        assert len(list(stream)) == 3
    assert stream.outcome is not None
    assert stream.outcome.stats.checks[0].rejects == 1


def test_forbid_ignores_matches_without_text() -> None:
    assert reason_of("a b", forbid("x*")) is None


def test_forbid_gives_up_on_a_search_that_takes_too_long() -> None:
    check = forbid("(a+)+b|(a|aa)+c(?<=(x+x+)+y)", timeout=1e-9)
    with (
        pytest.raises(TimeoutError),
        validate_sync("a" * 5_000, check, strategy="line") as stream,
    ):
        list(stream)


@pytest.mark.parametrize(
    ("pattern", "options", "error", "message"),
    [
        ("(", {}, ValueError, r"pattern '\(' is no regular expression"),
        (b"x", {}, TypeError, "pattern must be a str, got bytes"),
        ("x", {"timeout": 0}, ValueError, "timeout must be above 0"),
        ("x", {"timeout": float("inf")}, ValueError, "at most 86400 seconds, got inf"),
        ("x", {"context": -1}, ValueError, "context must be"),
    ],
    ids=str,
)
def test_forbid_refuses_what_it_cannot_search_for(
    pattern: Any, options: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        forbid(pattern, **options)


# --- max_length ---------------------------------------------------------------------


def test_max_length_counts_the_answer_from_its_start() -> None:
    text = "One. Two. Three."
    assert reason_of(text, max_length(16)) is None
    outcome = outcome_of(text, max_length(15))
    assert outcome.released_to == 9
    reason = reason_of(text, max_length(15, name="short"))
    assert reason == "short: 16 code points, at most 15 allowed"
    with pytest.raises(ValueError, match="limit must be an int of at least 1"):
        max_length(0)


# --- require_json_schema ------------------------------------------------------------

SCHEMA = {
    "type": "object",
    "properties": {"id": {"type": "integer"}, "tags": {"items": {"type": "string"}}},
    "required": ["id"],
}
GOOD = '{"id": 1, "tags": ["a"]}'


class Model:
    """Behaves like a pydantic model."""

    @staticmethod
    def model_validate_json(text: str) -> object:
        """Raise as pydantic does."""
        if text == "plain":
            raise ValueError(text)
        if '"id"' not in text:
            raise ModelError
        return text


class ModelError(ValueError):
    """Behaves like pydantic's ``ValidationError``."""

    def errors(self) -> list[dict[str, Any]]:
        """Return what is wrong."""
        return [{"loc": ("tags", 0, "id"), "msg": "Field required"}]


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (GOOD, None),
        ('{"tags": []}', "$: 'id' is a required property"),
        ('{"id": 1, "tags": [1]}', "$.tags[0]: 1 is not of type 'string'"),
    ],
)
def test_items_are_held_against_a_schema(item: str, reason: str | None) -> None:
    check = require_json_schema(SCHEMA, name="form")
    found = reason_of(f"[{GOOD}, {item}]", check, strategy=JSONChunking())
    assert found == (None if reason is None else f"form: {reason}")


def test_what_is_no_json_is_rejected() -> None:
    reason = reason_of("Hello.", require_json_schema(SCHEMA))
    assert reason is not None
    assert reason.startswith("require_json_schema: no JSON: ")


def test_a_model_of_pydantic_is_known_by_its_shape() -> None:
    check = require_json_schema(Model, name="m")
    items = JSONChunking()
    assert reason_of(f"[{GOOD}]", check, strategy=items) is None
    reason = reason_of(f"[{GOOD}, {{}}]", check, strategy=items)
    assert reason == "m: $.tags[0].id: Field required"
    assert reason_of("plain", check) == "m: plain"


def test_a_wrong_schema_is_refused_at_once() -> None:
    with pytest.raises(ValueError, match="no valid JSON schema"):
        require_json_schema({"type": "objekt"})
    with pytest.raises(TypeError, match="got str"):
        require_json_schema("object")


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jsonschema.exceptions", None)
    needs = r'python -m pip install "chunkwise\[jsonschema\]"'
    with pytest.raises(ImportError, match=needs):
        require_json_schema(SCHEMA)


def test_a_rejection_by_a_ready_made_check_is_one_like_others() -> None:
    with (
        pytest.raises(Rejected, match="'x' at stream offset 1"),
        validate_sync("ax", forbid("x")) as stream,
    ):
        list(stream)
