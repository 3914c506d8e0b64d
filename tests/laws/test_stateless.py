"""Stateless strategies: a strategy is an immutable, hashable, thread-safe value.

The same text gives the same scan; one instance serves any number of streams.
"""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields, is_dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chunkwise
from chunkwise import (
    Chunker,
    LineChunking,
    ParagraphChunking,
    WordChunking,
    strategy_from_dict,
)
from tests.examples import SemicolonChunking
from tests.running import Run, facts, run, scan_stream, scan_whole
from tests.texts import (
    OWN_TEXTS,
    STRATEGIES_UNDER_TEST,
    boundary_rich_texts,
    every_built_in,
    every_strategy,
    sliced_texts,
)

if TYPE_CHECKING:
    from chunkwise import Chunk, ChunkingStrategy

NAMES = {**vars(chunkwise), "SemicolonChunking": SemicolonChunking}


@every_strategy
def test_the_repr_of_a_strategy_makes_an_equal_one(
    strategy: ChunkingStrategy[Any],
) -> None:
    again = eval(repr(strategy), NAMES)  # noqa: S307 - our own repr
    assert type(again) is type(strategy)
    assert again == strategy
    assert hash(again) == hash(strategy)


@every_strategy
def test_copies_of_a_strategy_are_equal(strategy: ChunkingStrategy[Any]) -> None:
    pickled = pickle.loads(pickle.dumps(strategy))  # noqa: S301 - our own pickle
    for again in (pickled, copy.copy(strategy), copy.deepcopy(strategy)):
        assert again == strategy
        assert hash(again) == hash(strategy)
        assert repr(again) == repr(strategy)


@every_built_in
def test_the_dictionary_form_makes_an_equal_strategy(
    strategy: ChunkingStrategy[Any],
) -> None:
    assert strategy_from_dict(strategy.to_dict()) == strategy


def test_strategies_with_other_parameters_differ() -> None:
    strategies = [strategy for _, strategy in STRATEGIES_UNDER_TEST]
    assert len(set(strategies)) == len(strategies)
    assert len({repr(strategy) for strategy in strategies}) == len(strategies)
    for number, one in enumerate(strategies):
        for other in strategies[number + 1 :]:
            assert one != other


def test_a_strategy_without_arguments_is_one_with_the_defaults() -> None:
    assert LineChunking() == LineChunking(keep_ends=True)
    assert ParagraphChunking() == ParagraphChunking(strict=False)
    assert WordChunking() == WordChunking()


@every_strategy
def test_a_strategy_cannot_be_changed(strategy: ChunkingStrategy[Any]) -> None:
    assert is_dataclass(strategy)
    for name in ("anything", *(field.name for field in fields(strategy))):
        with pytest.raises(FrozenInstanceError):
            setattr(strategy, name, None)
    with pytest.raises(AttributeError):
        setattr(strategy, "trigger", frozenset())  # noqa: B010 - mypy knows, too


@every_strategy
@given(text=boundary_rich_texts(), final=st.booleans())
def test_the_same_text_gives_the_same_scan(
    strategy: ChunkingStrategy[Any], text: str, *, final: bool
) -> None:
    first = scan_whole(strategy, text, final=final)
    scan_whole(strategy, text[::-1] + "\n", final=not final)
    assert scan_whole(strategy, text, final=final) == first


@every_strategy
@given(deltas=sliced_texts())
def test_the_same_steps_give_the_same_scans_with_plain_states(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """States are ``None``, ``bool``, ``int``, ``str`` and tuples of these."""
    steps = list(scan_stream(strategy, deltas, final=True))
    assert steps == list(scan_stream(strategy, deltas, final=True))
    for step in steps:
        assert_plain(step.scan.state)


def assert_plain(value: object) -> None:
    hash(value)
    if isinstance(value, tuple):
        for item in value:
            assert_plain(item)
    else:
        assert value is None or isinstance(value, (bool, int, str))


@every_strategy
@given(one=sliced_texts(), other=sliced_texts())
def test_one_strategy_serves_two_streams_in_turns(
    strategy: ChunkingStrategy[Any], one: list[str], other: list[str]
) -> None:
    first, second = Chunker(strategy), Chunker(strategy)
    of_first: list[Chunk] = []
    of_second: list[Chunk] = []
    for to_first, to_second in zip_longest(one, other, fillvalue=""):
        of_first += first.feed(to_first)
        of_second += second.feed(to_second)
    of_first += first.flush()
    of_second += second.flush()
    assert Run(facts(of_first), first.tail) == run(strategy, one)
    assert Run(facts(of_second), second.tail) == run(strategy, other)


@every_built_in
def test_one_strategy_serves_many_threads(strategy: ChunkingStrategy[Any]) -> None:
    texts = [*OWN_TEXTS.values()] * 4
    alone = [run(strategy, text) for text in texts]
    with ThreadPoolExecutor(max_workers=8) as threads:
        together = list(threads.map(lambda text: run(strategy, text), texts))
    assert together == alone
