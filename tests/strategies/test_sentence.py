"""SentenceChunking: its options, and which rules they choose."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from chunkwise import (
    Chunker,
    SentenceChunking,
    resolve_chunking_strategy,
    strategy_from_dict,
)
from tests.running import run

EVERYTHING = SentenceChunking(
    "de",
    newlines="boundary",
    glued=True,
    first="clause",
    protect_tags=["think", "spell", "think"],
    lone_marks="attach",
    abbreviations={"xyz", "-dr"},
)


def sentences(text: str, **options: Any) -> list[str]:
    strategy = SentenceChunking(**options)
    whole = [chunk.text for chunk in run(strategy, [text]).chunks]
    assert [chunk.text for chunk in run(strategy, list(text)).chunks] == whole
    return whole


def test_the_rules_are_smart_by_default() -> None:
    text = "Dr. Lee came. Hi."
    assert sentences(text) == ["Dr. Lee came.", "Hi."]
    assert sentences(text, rules="plain") == ["Dr.", "Lee came.", "Hi."]
    assert resolve_chunking_strategy("sentence") == SentenceChunking()


@pytest.mark.parametrize(
    "strategy", [SentenceChunking(), EVERYTHING], ids=["en", "all"]
)
def test_a_strategy_survives_its_other_forms(strategy: SentenceChunking) -> None:
    assert pickle.loads(pickle.dumps(strategy)) == strategy  # noqa: S301 - our own
    assert copy.deepcopy(strategy) == strategy
    assert strategy_from_dict(strategy.to_dict()) == strategy
    assert eval(repr(strategy)) == strategy  # noqa: S307 - a round trip
    assert hash(copy.copy(strategy)) == hash(strategy)


def test_whole_texts_are_cut_alike() -> None:
    for strategy in (SentenceChunking(), SentenceChunking(rules="plain")):
        assert strategy.split("It is. So") == ["It is."]
        assert strategy.flush("It is. So") == ["So"]
        state = strategy.scan("So", 0, strategy.begin(0))[3]
        assert strategy.opened("", 2, state) == (0, 2)
        assert "." in strategy.trigger


def test_names_are_kept_sorted_and_once() -> None:
    assert EVERYTHING.protect_tags == ("spell", "think")
    assert EVERYTHING.abbreviations == ("-dr", "xyz")


def test_equal_parameters_make_equal_strategies() -> None:
    assert SentenceChunking("en") == SentenceChunking()
    assert SentenceChunking("de") != SentenceChunking()
    assert SentenceChunking(rules="plain") != SentenceChunking()


@pytest.mark.parametrize("rules", ["fancy", "", None, "PLAIN"])
def test_other_rules_are_refused(rules: Any) -> None:
    with pytest.raises(ValueError, match=r"rules must be 'smart' or 'plain', got"):
        SentenceChunking(rules=rules)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"newlines": "no"}, ValueError, "newlines must be 'auto', 'space' or 'bound"),
        ({"glued": "no"}, TypeError, "glued must be a bool, got 'no'"),
        ({"first": "word"}, ValueError, "first must be 'sentence' or 'clause', got"),
        ({"lone_marks": 1}, ValueError, "lone_marks must be 'keep' or 'attach', got 1"),
        ({"language": ""}, ValueError, "language must be a code like 'en', got ''"),
        ({"language": None}, TypeError, "language must be a code like 'en', got None"),
        ({"protect_tags": "think"}, TypeError, "protect_tags must be several names"),
        ({"protect_tags": 3}, TypeError, "protect_tags must be several names, got 3"),
        ({"protect_tags": [1]}, TypeError, "protect_tags must be names, got 1 among"),
        ({"abbreviations": ["a b"]}, ValueError, "abbreviations must be names without"),
        ({"abbreviations": ["-"]}, ValueError, "abbreviations must be names without"),
    ],
)
def test_wrong_options_are_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        SentenceChunking(**options)


@pytest.mark.parametrize(
    "options",
    [
        {"newlines": "space"},
        {"glued": True},
        {"first": "clause"},
        {"protect_tags": ("t",)},
        {"lone_marks": "attach"},
        {"abbreviations": ("x",)},
    ],
    ids=str,
)
def test_the_plain_rules_refuse_options_of_the_smart_ones(
    options: dict[str, Any],
) -> None:
    (name,) = options
    with pytest.raises(ValueError, match=f"the plain rules have no {name}, got"):
        SentenceChunking(rules="plain", **options)


def test_a_single_line_end_is_what_newlines_says() -> None:
    text = "It was\nlate. - Then\n# we\nleft"
    assert sentences(text) == ["It was\nlate.", "- Then", "# we", "left"]
    assert sentences(text, newlines="space") == ["It was\nlate.", "- Then\n# we\nleft"]
    assert sentences(text, newlines="boundary") == [
        *("It was", "late.", "- Then", "# we", "left")
    ]


def test_a_blank_line_ends_a_sentence_whatever_newlines_says() -> None:
    for newlines in ("auto", "space", "boundary"):
        assert sentences("So\n \nit is", newlines=newlines) == ["So", "it is"]


def test_sentences_may_be_glued_together() -> None:
    text = "It rains.He stays inside.okay. See foo.Bar"
    assert sentences(text) == ["It rains.He stays inside.okay.", "See foo.Bar"]
    assert sentences(text, glued=True) == [
        *("It rains.", "He stays inside.okay.", "See foo.", "Bar")
    ]
    assert sentences("a.B x.Y", glued=True) == ["a.B x.Y"]


def test_the_first_chunk_may_be_a_clause() -> None:
    text = "Well, yes, it is. So, no."
    assert sentences(text, first="clause") == ["Well,", "yes, it is.", "So, no."]
    chunks = run(SentenceChunking(first="clause"), [text]).chunks
    assert [chunk.kind for chunk in chunks] == ["clause", "sentence", "sentence"]


def test_what_is_in_a_protected_tag_is_not_cut() -> None:
    text = "Say <t>a. B\n\nC</t> now. Ok. <s>A. B</s> Then."
    assert sentences(text, protect_tags=["t"]) == [
        *("Say <t>a. B\n\nC</t> now.", "Ok.", "<s>A.", "B</s> Then.")
    ]
    assert sentences("See <t>A. B", protect_tags=["t"]) == ["See <t>A. B"]
    assert sentences("a <t", protect_tags=["t"]) == ["a <t"]
    (chunk,) = run(SentenceChunking(protect_tags=["t"]), ["See <t>A."]).chunks
    assert chunk.complete is False


def test_marks_alone_are_kept_or_attached() -> None:
    text = "So it is.\n\n---\n\nThen what?"
    assert sentences(text) == ["So it is.", "---", "Then what?"]
    assert sentences(text, lone_marks="attach") == ["So it is.", "---\n\nThen what?"]
    assert sentences("Ok.\n\n***", lone_marks="attach") == ["Ok.", "***"]


def test_abbreviations_can_be_added_and_forgotten() -> None:
    text = "See the xyz. Smith of it. Approx. 5 of them"
    assert sentences(text) == ["See the xyz.", "Smith of it.", "Approx.", "5 of them"]
    assert sentences(text, abbreviations={"xyz", "Approx."}) == [
        *("See the xyz. Smith of it.", "Approx. 5 of them")
    ]
    assert sentences("Mr. Lee", abbreviations={"-mr"}) == ["Mr.", "Lee"]


def test_a_stream_goes_on_behind_a_cut_as_at_the_start_of_a_line() -> None:
    chunker = Chunker(SentenceChunking())
    assert chunker.feed("So") == []
    assert chunker.cut() == ["So"]
    assert chunker.feed("# One\nTwo") == ["# One"]
