"""Delta-invariance: the chunks do not depend on how the stream was sliced.

For every slicing of ``T`` all ``feed()`` results plus ``flush()`` equal
``split(T) + flush(T)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    LineChunking,
    ParagraphChunking,
    SentenceChunking,
    WordChunking,
)
from tests.examples import SemicolonChunking
from tests.running import run
from tests.texts import (
    OWN_TEXTS,
    boundary_rich_texts,
    every_built_in,
    every_strategy,
    require_recordings,
    sliced_texts,
    slicings,
)

ALONE = (LineChunking, ParagraphChunking, SentenceChunking, WordChunking)

if TYPE_CHECKING:
    from chunkwise import ChunkingStrategy
    from tests.texts import Recording


@every_strategy
@given(data=st.data(), text=st.one_of(boundary_rich_texts(), st.text()))
def test_any_slicing_equals_one_delta(
    strategy: ChunkingStrategy[Any], data: st.DataObject, text: str
) -> None:
    assert run(strategy, data.draw(slicings(text))) == run(strategy, [text])


@every_strategy
@given(deltas=sliced_texts())
def test_any_slicing_equals_split_and_flush(
    strategy: ChunkingStrategy[Any], deltas: list[str]
) -> None:
    """With cuts inside and between what makes boundaries."""
    text = "".join(deltas)
    sliced_run = run(strategy, deltas)
    assert sliced_run == run(strategy, [text])
    texts = [chunk.text for chunk in sliced_run.chunks]
    assert texts == strategy.split(text) + strategy.flush(text)


@every_strategy
@given(text=boundary_rich_texts())
def test_every_split_into_two_and_single_code_points_equal_one_delta(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    for cut in range(len(text) + 1):
        assert run(strategy, [text[:cut], text[cut:]]) == whole, cut


@every_strategy
@pytest.mark.parametrize("text", OWN_TEXTS.values(), ids=OWN_TEXTS)
def test_our_own_texts_in_every_split_into_two_deltas(
    strategy: ChunkingStrategy[Any], text: str
) -> None:
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    for cut in range(len(text) + 1):
        assert run(strategy, [text[:cut], text[cut:]]) == whole, cut


@every_strategy
def test_long_fragments_in_small_deltas_equal_one_delta(
    strategy: ChunkingStrategy[Any],
) -> None:
    """Long enough for stored deltas to be joined, and joined again."""
    text = ("x" * 3_000 + "." + "\u0301" * 99 + "y; ") + "\t" * 2_000 + "z.\n\n" * 3
    for size in (1, 4, 47, 48, 49, 1_000):
        deltas = [text[at : at + size] for at in range(0, len(text), size)]
        assert run(strategy, deltas) == run(strategy, [text]), size


@every_built_in
@given(
    before=boundary_rich_texts(),
    filler=st.sampled_from(["x", "x. ", " ", "\n", "x\n\n"]),
    behind=boundary_rich_texts(),
)
def test_long_texts_in_short_deltas_equal_one_delta(
    strategy: ChunkingStrategy[Any], before: str, filler: str, behind: str
) -> None:
    """What is quicker for a long text has to find the same."""
    text = before + filler * (2_000 // len(filler)) + behind
    deltas = [text[at : at + 90] for at in range(0, len(text), 90)]
    assert run(strategy, deltas) == run(strategy, [text])


def assert_slicings_agree(
    strategy: ChunkingStrategy[Any], recording: Recording
) -> None:
    text = "".join(recording.deltas)
    whole = run(strategy, [text])
    assert run(strategy, recording.deltas) == whole, recording.id
    assert run(strategy, text) == whole, recording.id
    for chunk in whole.chunks:
        assert text[chunk.start : chunk.end] == chunk.text, recording.id


@every_built_in
def test_recorded_streams_as_recorded_in_single_code_points_and_whole(
    strategy: ChunkingStrategy[Any],
) -> None:
    """All of them where one strategy alone does the work, elsewhere every tenth.

    The parts of a strategy have their own turn here.
    """
    step = 1 if isinstance(strategy, ALONE) else 10
    for recording in [*require_recordings()][::step]:
        assert_slicings_agree(strategy, recording)


def test_short_recorded_streams_with_a_strategy_of_level_1() -> None:
    """Short ones only: re-splitting costs the pending text for every delta."""
    for recording in require_recordings():
        if sum(map(len, recording.deltas)) < 400:
            assert_slicings_agree(SemicolonChunking(), recording)
