"""The recipes of the guide for checks: all blocks run, and their checks are tried.

Stand-ins take the place of the libraries. They have the names, parameters and results
that these document, and no others, so that a call that is spelt differently fails.
"""

from __future__ import annotations

import asyncio
import re
import sys
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import pytest

from chunkwise.validation import Check, Outcome, validate
from tests.test_docs import ALL_IN_PAGES, ROOT, check_all_is_shown

PAGE = ROOT / "docs/howto/write-checks.md"


class RecognizerResult(NamedTuple):
    """What Presidio found: a kind of entity, and its place in the text."""

    entity_type: str
    start: int
    end: int
    score: float


class AnalyzerEngine:
    """Presidio's engine, which knows one person."""

    def analyze(self, text: str, language: str) -> list[RecognizerResult]:
        """Return what is found in a plain text."""
        assert (type(text), language) == (str, "en")
        at = text.find("Osei")
        return [] if at < 0 else [RecognizerResult("PERSON", at, at + 4, 0.85)]


class Moderations:
    """OpenAI's moderation endpoint, which takes offence at one word."""

    async def create(self, *, model: str, input: str) -> SimpleNamespace:  # noqa: A002 - its name
        """Return one result for one input."""
        assert (type(input), model) == (str, "omni-moderation-latest")
        await asyncio.sleep(0)
        if input == "It fails.":
            msg = "no connection"
            raise ConnectionError(msg)
        result = SimpleNamespace(flagged="bad" in input, categories={})
        return SimpleNamespace(results=[result])


class Responses:
    """OpenAI's language model, which believes what was said before."""

    async def create(self, *, model: str, input: str) -> SimpleNamespace:  # noqa: A002 - its name
        """Return an answer to one question."""
        assert (type(input), type(model)) == (str, str)
        await asyncio.sleep(0)
        facts, asked = input.split("\n\nBefore: ")
        before, claim = asked.split("\n\nIs this supported, yes or no? ")
        supported = claim.split()[0] in facts + before
        return SimpleNamespace(output_text="Yes." if supported else "No.")


class AsyncOpenAI:
    """OpenAI's client, which finds its key in the environment."""

    def __init__(self) -> None:
        self.moderations = Moderations()
        self.responses = Responses()


class RegexMatch:
    """A validator of Guardrails, which wants a match."""

    def __init__(self, regex: str, match_type: str = "search") -> None:
        self.match = getattr(re.compile(regex), match_type)

    def validate(self, value: Any, metadata: dict[str, Any]) -> SimpleNamespace:
        """Return what a PassResult or a FailResult has."""
        assert (type(value), metadata) == (str, {})
        if self.match(value):
            return SimpleNamespace(outcome="pass")
        return SimpleNamespace(outcome="fail", error_message="no match")


STAND_INS: dict[str, dict[str, Any]] = {
    "presidio_analyzer": {"AnalyzerEngine": AnalyzerEngine},
    "openai": {"AsyncOpenAI": AsyncOpenAI},
    "guardrails": {},
    "guardrails.hub": {"RegexMatch": RegexMatch},
}


@pytest.fixture
def recipes(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the blocks of the page define; all of them run."""
    for name, members in STAND_INS.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    document = ALL_IN_PAGES.parse(PAGE)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        example.evaluate()
    check_all_is_shown(document.namespace)
    return document.namespace


def texts_of(text: str, check: Check) -> tuple[list[str], Outcome]:
    """Return what passes a check or is edited by it, and how the stream ended."""

    async def run() -> tuple[list[str], Outcome]:
        async with validate([text], check, on_reject="stop") as stream:
            texts = [piece.text async for piece in stream]
        assert stream.outcome is not None
        return texts, stream.outcome

    return asyncio.run(run())


def test_presidio_masks_people(recipes: dict[str, Any]) -> None:
    text = "It is on. Ask Ms Osei now. Osei waits."
    expected = ["It is on.", "Ask Ms <PERSON> now.", "<PERSON> waits."]
    texts, outcome = texts_of(text, recipes["presidio"])
    assert (texts, outcome.status) == (expected, "completed")


def test_a_moderation_endpoint_rejects(recipes: dict[str, Any]) -> None:
    texts, outcome = texts_of("It is on. It is bad. It waits.", recipes["moderation"])
    assert (texts, reason(outcome)) == (["It is on."], "moderate: moderation")
    # Where it gives no answer, nothing passes.
    texts, outcome = texts_of("It is on. It fails. Why?", recipes["moderation"])
    assert (texts, outcome.status) == (["It is on."], "rejected")


def test_a_judge_sees_facts_and_what_was_said_before(recipes: dict[str, Any]) -> None:
    texts, outcome = texts_of("The shop waits. waits it? Snow!", recipes["support"])
    assert (texts, reason(outcome)) == (
        ["The shop waits.", "waits it?"],
        "grounded: not supported",
    )
    texts, outcome = texts_of("The snow is on.\n\nsnow falls.", recipes["support"])
    assert (texts, outcome.status) == (["The snow is on.", "snow falls."], "completed")


def test_a_validator_of_guardrails_rejects(recipes: dict[str, Any]) -> None:
    texts, outcome = texts_of("It is on. It is 5. It waits.", recipes["guardrails"])
    assert (texts, reason(outcome)) == (["It is on."], "guarded: no match")


def reason(outcome: Outcome) -> str | None:
    return outcome.rejected.reason if outcome.rejected is not None else None
