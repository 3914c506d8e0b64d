"""Other spellings give the strategies that do the same job."""

from __future__ import annotations

import json
import os
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import (
    STRATEGIES,
    ChunkingStrategy,
    ParagraphChunking,
    SentenceChunking,
    UnknownStrategyError,
    resolve_chunking_strategy,
    strategy_from_dict,
)
from chunkwise._spellings import SPELLINGS, respelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise._registry import StrategyLike

PLAIN = {"type": "sentence", "rules": "plain"}


@dataclass(frozen=True)
class Windows(ChunkingStrategy):
    """Has the parameters of a window."""

    window: int
    _: KW_ONLY
    stride: int | None = None
    by: StrategyLike = "line"

    @override
    def split(self, text: str) -> list[str]:
        return []


@dataclass(frozen=True)
class Patterns(ChunkingStrategy):
    """Has the parameters of a pattern."""

    pattern: str
    _: KW_ONLY
    strip: bool = False

    @override
    def split(self, text: str) -> list[str]:
        return []


@pytest.fixture
def targets(
    register: Callable[[str, type[ChunkingStrategy[Any]]], None],
) -> dict[str, type[ChunkingStrategy[Any]]]:
    """Register what the spellings mean, where it is not registered."""
    for name, cls in (("window", Windows), ("regex", Patterns)):
        if name not in STRATEGIES:
            register(name, cls)
    return {name: STRATEGIES[name] for name in ("paragraph", "window", "regex")}


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        pytest.param(
            {"type": "fixed_window", "window": 5, "stride": 3},
            {"type": "window", "by": PLAIN, "window": 5, "stride": 3},
            id="fixed_window",
        ),
        pytest.param(
            {"type": "fixed_window", "window": 5, "by": {"type": "word"}, "x": 1},
            {"type": "window", "by": {"type": "word"}, "window": 5, "x": 1},
            id="fixed_window with other keys",
        ),
        pytest.param(
            {"type": "FixedWindowSplit", "window": 5, "stride": 3, "extra": 1},
            {"type": "window", "by": PLAIN, "window": 5, "stride": 3},
            id="FixedWindowSplit",
        ),
        pytest.param(
            {"type": "FixedWindowSplit", "stride": None},
            {"type": "window", "by": PLAIN, "window": 5, "stride": None},
            id="FixedWindowSplit by default",
        ),
        pytest.param(
            {"type": "ParagraphSplit"}, {"type": "paragraph"}, id="ParagraphSplit"
        ),
        pytest.param(
            {"type": "ParagraphSplit", "strict": True},
            {"type": "paragraph"},
            id="ParagraphSplit with another key",
        ),
        pytest.param(
            {"type": "RegexSplit", "pattern": ",", "flags": 2},
            {"type": "regex", "strip": True, "pattern": ","},
            id="RegexSplit",
        ),
    ],
)
def test_a_spelling_becomes_the_registered_one(
    form: dict[str, object], wanted: dict[str, object]
) -> None:
    before = dict(form)
    assert respelled(form) == wanted
    assert form == before


@pytest.mark.parametrize(
    "form",
    [{}, {"type": None}, {"type": ["RegexSplit"]}, {"type": "regex", "pattern": ","}],
)
def test_everything_else_comes_back_as_it_is(form: dict[str, object]) -> None:
    assert respelled(form) is form


def test_paragraphs_are_spelled_in_two_ways() -> None:
    assert resolve_chunking_strategy("ParagraphSplit") == ParagraphChunking()
    assert strategy_from_dict({"type": "ParagraphSplit"}) == ParagraphChunking()


def test_a_window_in_another_spelling_is_one_over_sentences(
    targets: dict[str, type[ChunkingStrategy[Any]]],
) -> None:
    window = targets["window"]
    for name in ("fixed_window", "FixedWindowSplit"):
        strategy = strategy_from_dict({"type": name, "window": 5, "stride": 3})
        wanted = {"window": 5, "stride": 3, "by": SentenceChunking(rules="plain")}
        assert strategy == window.from_dict(wanted)


def test_a_pattern_in_another_spelling_is_stripped(
    targets: dict[str, type[ChunkingStrategy[Any]]],
) -> None:
    strategy = strategy_from_dict({"type": "RegexSplit", "pattern": ",\\s*"})
    assert strategy == targets["regex"].from_dict({"pattern": ",\\s*", "strip": True})


def test_spellings_nest(register: Callable[[str, type[Any]], None]) -> None:
    register("outer windows", type("OuterWindows", (Windows,), {}))
    form = {"type": "outer windows", "window": 2, "by": {"type": "ParagraphSplit"}}
    strategy = strategy_from_dict(form)
    assert isinstance(strategy, Windows)
    assert strategy.by == ParagraphChunking()


def test_our_own_spelling_ignores_no_key(
    targets: dict[str, type[ChunkingStrategy[Any]]],
) -> None:
    message = f"{targets['window'].__name__}: unknown key 'size' .*'window'"
    with pytest.raises(ValueError, match=message):
        strategy_from_dict({"type": "fixed_window", "window": 5, "size": 3})


def test_a_spelling_without_its_strategy_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lost = SPELLINGS["ParagraphSplit"]._replace(name="not registered")
    monkeypatch.setattr("chunkwise._spellings.SPELLINGS", {"ParagraphSplit": lost})
    with pytest.raises(UnknownStrategyError, match="'ParagraphSplit', expected one of"):
        strategy_from_dict({"type": "ParagraphSplit"})


def peer_forms() -> list[dict[str, Any]]:
    """Return recorded dictionaries, and what the library that reads them answered."""
    root = Path(__file__).parent.parent
    data = root / os.environ.get("CHUNKWISE_DATA", "../shared/data")
    file = data / "peers/delm.jsonl"
    if not file.exists():
        pytest.skip("no recorded dictionaries; CHUNKWISE_DATA names their folder")
    records = map(json.loads, file.read_text("utf-8").splitlines())
    return [record for record in records if record["kind"] == "from_dict"]


@pytest.mark.usefixtures("targets")
def test_dictionaries_of_delm_are_taken() -> None:
    forms = peer_forms()
    taken = [form for form in forms if isinstance(form["out"], dict)]
    assert taken
    for form in taken:
        strategy = strategy_from_dict(form["data"])
        spelling = SPELLINGS[form["data"]["type"]]
        assert type(strategy) is STRATEGIES[spelling.name]
        for theirs, value in form["out"].items():
            if theirs != "type":
                ours = (spelling.keys or {})[theirs]
                assert strategy.to_dict()[ours] == value


@pytest.mark.usefixtures("targets")
@pytest.mark.parametrize("form", [{}, {"type": "RegexSplit"}], ids=str)
def test_what_delm_does_not_take_is_a_value_error(form: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"no '(type|pattern)' in the dictionary"):
        strategy_from_dict(form)
