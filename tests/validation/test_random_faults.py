"""T40: random combinations of everything that can go wrong leave nothing behind."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import warnings
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from anyio.lowlevel import checkpoint

from chunkwise import CUT, PendingLimitError
from chunkwise.validation import (
    Check,
    Edit,
    Ended,
    Rejected,
    Released,
    Retraction,
    Verdict,
)

from .streams import DRIVERS, TEXT, WAIT, Source, opened, rest

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from chunkwise.validation import AsyncStream, Event, Piece, View

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
COMBINATIONS = 10_000 if LONG else 160
BLOCK = 40
BYTES = b"bytes"
BAD_ENDS = {"rejected", "check_error", "source_error", "stalled"}


class FaultError(Exception):
    """Raised on purpose."""


class ReaderError(Exception):
    """The same by the reader of a stream."""


def random_check(dice: random.Random) -> Check:
    """Return a check that passes, rejects, raises, hangs or edits, now or later."""
    at: Any = dice.choice(["chunk"] * 4 + ["end"])
    fates = ["reject", "raise", "hang", "true", "edit"]
    fate = {dice.randrange(8 if at == "chunk" else 2): dice.choice(fates)}
    turns = dice.randrange(4)
    timeout = dice.choice([None, 0.005])

    def result(view: View) -> Any:
        what = fate.get(view.chunk.index)
        if what == "raise":
            raise FaultError
        if what == "edit":
            # As long as what it stands for, so that all text can be counted.
            edit = Edit(view.chunk.end - 1, view.chunk.end, "#")
            return Verdict("pass", edits=(edit,))
        return {"reject": Verdict("reject"), "true": True}.get(what or "")

    async def judge(view: View) -> Any:
        for _ in range(turns):
            await checkpoint()
        if fate.get(view.chunk.index) == "hang":
            await anyio.sleep_forever()
        return result(view)

    policies: Any = ["raise", "reject", "release"]
    on_error = dice.choice(policies)
    strategy = dice.choice([None, None, None, "word"]) if at == "chunk" else None
    if dice.random() < 0.4:
        return Check(result, on_error=on_error, strategy=strategy, at=at)
    return Check(
        judge,
        on_error=on_error,
        timeout=timeout,
        on_timeout=dice.choice(policies),
        parallel=dice.randrange(1, 4),
        strategy=strategy,
        at=at,
    )


def random_items(dice: random.Random) -> list[Any]:
    """Return what a source gives: the deltas, cuts, and what may be wrong with it."""
    size = dice.choice([4, 4, 9, 23])
    items: list[Any] = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    for _ in range(dice.choice([0, 0, 1, 3])):
        items.insert(dice.randrange(len(items)), CUT)
    fault = dice.choice([None, None, FaultError(), WAIT, None, BYTES])
    if fault is not None:
        items.insert(dice.randrange(len(items)), fault)
    return items


def random_options(dice: random.Random, driver: str) -> dict[str, Any]:
    """Return options of a stream that go together."""
    options: dict[str, Any] = {
        "close_timeout": 0.005,
        "release": dice.choice(["hold", "hold", "end", "optimistic", "observe"]),
        "on_reject": dice.choice(["raise", "stop"]),
        "max_pending": dice.choice([None, None, 7, 12]),
    }
    if options["release"] == "hold":
        options["hold_back"] = dice.choice([0, 0, 0, 1, 2])
    if options["max_pending"] is not None:
        options["on_limit"] = dice.choice(["raise", "cut"])
    if driver == "pipelined":
        options["max_in_flight"] = dice.randrange(1, 5)
        options["idle_timeout"] = dice.choice([None, 0.01])
    return options


async def released(
    stream: AsyncStream, told: list[Event]
) -> AsyncGenerator[Piece, None]:
    """Yield the pieces of a stream that is read as events; keep the other events."""
    async for event in stream.events():
        if isinstance(event, Released):
            yield event.piece
        else:
            told.append(event)


async def use(
    stream: AsyncStream,
    dice: random.Random,
    release: str,
    pieces: list[Piece],
    told: list[Event],
) -> None:
    """Read a stream as some reader might."""
    leave_at = dice.choice([None, None, 0, 1, 3])
    turns = dice.randrange(3)
    as_events = release == "optimistic" or dice.random() < 0.3
    async with aclosing(released(stream, told)) as found:
        async for piece in found if as_events else stream:
            pieces.append(piece)
            for _ in range(turns):
                await checkpoint()
            if len(pieces) == leave_at:
                how = dice.choice(["break", "raise", "stop"])
                if how == "raise":
                    raise ReaderError
                if how == "break":
                    break
                stream.stop()


def is_same(text: str, expected: str) -> bool:
    """Return whether *text* is the other one but for edits."""
    return len(text) == len(expected) and all(
        char in {"#", other} for char, other in zip(text, expected, strict=True)
    )


def check_text(stream: AsyncStream, pieces: list[Piece], taken: list[Any]) -> None:
    """Check that what was read is there, once and in order, whatever became of it.

    Args:
        stream: The stream, which has ended.
        pieces: What it gave.
        taken: Items of the source that were read for certain.
    """
    assert [piece.chunk.index for piece in pieces] == list(range(len(pieces)))
    for piece in pieces:
        assert TEXT[piece.start : piece.end] == piece.chunk
        assert piece.verbatim == (
            piece.lead + piece.text == piece.chunk.gap + piece.chunk
        )
    text = rest(stream, pieces)
    assert is_same(text, TEXT[: len(text)])
    assert len(text) >= len("".join(each for each in taken if isinstance(each, str)))


def check_release(
    stream: AsyncStream,
    pieces: list[Piece],
    told: list[Event],
    release: str,
    *,
    judges_whole: bool,
) -> None:
    """Check what each policy promises, and that the outcome says what happened.

    Args:
        stream: The stream, which has ended.
        pieces: What it gave.
        told: The events behind them, where it was read as events.
        release: The policy.
        judges_whole: Whether a check judges the whole text, when most of it is out.
    """
    outcome = stream.outcome
    assert outcome is not None
    assert outcome.released_to == max((piece.end for piece in pieces), default=0)
    assert outcome.stats.released == len(pieces)
    if release in {"hold", "end"}:
        verdicts = [verdict for piece in pieces for _, verdict in piece.verdicts]
        assert all(verdict.status == "pass" for verdict in verdicts)
        # What failed is not out; of the whole text the last chunk is not.
        assert outcome.pending or outcome.status not in {"rejected", "check_error"}
    if release == "end" and outcome.status in BAD_ENDS:
        assert pieces == []
    if release == "observe":
        assert outcome.status not in {"rejected", "check_error"}
    if outcome.status == "rejected":
        assert outcome.rejected is not None
        assert outcome.rejected.released_to == outcome.released_to
        if release in {"hold", "end"} and not judges_whole:
            assert outcome.rejected.chunk.start >= outcome.released_to
    if told:
        *before, last = told
        assert last == Ended(outcome)
        rejected = None if release == "observe" else outcome.rejected
        if rejected is None or rejected.chunk.start >= outcome.released_to:
            assert before == []
        else:
            assert before == [Retraction(rejected.chunk.start, rejected.reason)]


def check_raised(
    stream: AsyncStream,
    raised: Exception,
    options: dict[str, Any],
    *,
    gives_bytes: bool,
) -> None:
    """Check that what came out of the reading is one of the faults, and reported.

    Args:
        stream: The stream, which has ended.
        raised: What came out of the stream, or of its reader.
        options: The options of the stream.
        gives_bytes: Whether an item of the source is no text.
    """
    outcome = stream.outcome
    assert outcome is not None
    if isinstance(raised, ReaderError):
        return
    assert raised is (outcome.error or outcome.rejected)
    if isinstance(raised, TypeError):
        of_source = outcome.status == "source_error"
        found = "bytes" if of_source else "must return a Verdict or None, got bool True"
        assert gives_bytes or not of_source
        assert found in str(raised)
    elif isinstance(raised, ValueError):
        # There every edit is one too many.
        assert options["release"] == "optimistic"
        assert "may make edits of text that is not out" in str(raised)
    else:
        assert isinstance(
            raised, (FaultError, PendingLimitError, Rejected, TimeoutError)
        )


async def one(seed: int) -> None:
    """Run one combination and check what must hold for all."""
    dice = random.Random(seed)  # noqa: S311 - to be repeated, not to be guessed
    driver = dice.choice(DRIVERS)
    items = random_items(dice)
    close_hangs = dice.random() < 0.1
    source = Source(
        *items,
        close_error=dice.choice([None, None, FaultError()]),
        close_hangs=close_hangs,
    )
    checks = [random_check(dice) for _ in range(dice.randrange(4))]
    options = random_options(dice, driver)
    if not close_hangs:
        # Or a busy machine cuts a close short that takes two turns of the loop.
        options["close_timeout"] = 60
    release = options["release"]
    pieces: list[Piece] = []
    told: list[Event] = []
    raised: Exception | None = None
    stream: AsyncStream | None = None
    # Whatever hangs for ever is cut off from outside, and some of the rest, too.
    with anyio.move_on_after(dice.choice([0.002, 0.03, 0.03])):
        async with opened(driver, source, *checks, **options) as stream:
            try:
                await use(stream, dice, release, pieces, told)
            except Exception as error:  # noqa: BLE001 - looked at below
                raised = error
    assert source.closed == 1
    assert source.finished_close is not close_hangs
    assert len(source.tasks) == 1
    assert stream is not None
    if raised is not None:
        check_raised(stream, raised, options, gives_bytes=BYTES in items)
    # All but the bytes, and an item that came when none was wanted any more.
    check_text(stream, pieces, items[: max(0, source.given - 2)])
    judges_whole = any(check.at == "end" for check in checks)
    check_release(stream, pieces, told, release, judges_whole=judges_whole)
    assert stream.outcome is not None
    if stream.outcome.status == "completed":
        assert is_same(rest(stream, pieces), TEXT)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("first", range(0, COMBINATIONS, BLOCK))
def test_t40_random_faults_leave_nothing_behind(first: int, backend: str) -> None:
    async def main() -> None:
        told: list[dict[str, Any]] = []
        if backend == "asyncio":
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(lambda _, context: told.append(context))
        before = len(anyio.get_running_tasks())
        for seed in range(first, first + BLOCK):
            try:
                await one(seed)
            except Exception as error:
                msg = f"seed {seed}"
                raise AssertionError(msg) from error
            assert len(anyio.get_running_tasks()) == before, seed
        assert told == []

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        anyio.run(main, backend=backend)
        gc.collect()
