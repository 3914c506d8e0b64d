"""Everything that can go wrong with a stream, for each driver and each event loop.

The numbers are those of the table in ``docs/explanation/validation.md``.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
import logging
import subprocess
import sys
import threading
from contextlib import aclosing, nullcontext
from typing import TYPE_CHECKING, Any

import anyio
import anyio.from_thread
import pytest
from anyio.lowlevel import checkpoint

from chunkwise import (
    JSONChunking,
    MalformedJSONError,
    PendingLimitError,
    SentenceChunking,
    StreamStateError,
    atext_deltas,
)
from chunkwise.testing import counting
from chunkwise.validation import (
    Aborted,
    Check,
    Edit,
    Ended,
    Interrupted,
    Rejected,
    Released,
    Retraction,
    SourceClosed,
    SourceStalled,
    Verdict,
    validate,
)

from .streams import (
    CHUNKS,
    DELTAS,
    DRIVERS,
    HOUR,
    TEXT,
    WAIT,
    Source,
    every_driver,
    jump,
    later,
    nothing_left,
    on_jumping_clocks,
    opened,
    passing,
    read,
    rejecting,
    rest,
    run,
)

if sys.version_info < (3, 11):
    from exceptiongroup import BaseExceptionGroup

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator
    from contextlib import AbstractContextManager

    from chunkwise.validation import AsyncStream, Event, Outcome, Piece, View

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
async def _nothing_is_left(anyio_backend: str) -> AsyncIterator[None]:
    del anyio_backend
    async with nothing_left():
        yield


def ended(stream: AsyncStream) -> Outcome:
    assert stream.outcome is not None
    return stream.outcome


# --- T1 to T5: rejections -----------------------------------------------------------


@every_driver
@pytest.mark.parametrize("wait", [False, True], ids=["sync", "async"])
async def test_t01_what_is_before_a_rejected_chunk_comes_out_then_the_rejection(
    driver: str, *, wait: bool
) -> None:
    source = Source(*DELTAS)
    check = rejecting("Three")
    async with opened(driver, source, later(check) if wait else check) as stream:
        pieces, error = await read(stream)
        assert source.finished_close
    assert [piece.text for piece in pieces] == CHUNKS[:2]
    assert isinstance(error, Rejected)
    assert error.chunk == CHUNKS[2]
    assert error.released_to == ended(stream).released_to == pieces[-1].end
    assert ended(stream).status == "rejected"
    assert ended(stream).rejected is error
    text = rest(stream, pieces)
    assert TEXT.startswith(text)
    assert len(text) >= error.chunk.end
    source.check()


@every_driver
async def test_t02_optimistic_text_is_retracted(driver: str) -> None:
    source = Source(*DELTAS)
    check = later(rejecting("Two"))
    async with opened(driver, source, check, release="optimistic") as stream:
        events = [event async for event in stream.events()]
        with pytest.raises(StreamStateError, match=r"read events\(\)"):
            aiter(stream)
    *released, retraction, end = events
    texts = [event.piece.text for event in released if isinstance(event, Released)]
    assert texts == CHUNKS[: len(released)]
    assert len(texts) >= 2
    assert retraction == Retraction(11, "judge: bad")
    assert isinstance(end, Ended)
    assert end.outcome.status == "rejected"
    source.check()


@every_driver
@pytest.mark.parametrize(
    "item", [b"x", None, {"text": "x"}], ids=["bytes", "None", "dict"]
)
async def test_t03_an_item_that_is_no_text_is_an_error_behind_earlier_pieces(
    driver: str, item: Any
) -> None:
    source = Source("One. Two. Th", item, "ree.")
    texts, error, stream = await run(driver, source, passing)
    assert texts == ["One.", "Two."]
    assert isinstance(error, TypeError)
    assert type(item).__name__ in str(error)
    assert ended(stream).status == "source_error"
    assert ended(stream).pending == " Th"
    source.check()


@every_driver
@pytest.mark.parametrize("how", ["rejects", "raises"])
async def test_t04_siblings_of_a_check_that_fails_are_cancelled_and_awaited(
    driver: str, how: str
) -> None:
    seen: list[str] = []

    async def fails(view: View) -> Verdict | None:
        del view
        await checkpoint()
        if how == "raises":
            raise OSError(how)
        return Verdict("reject")

    async def sleeps(view: View) -> None:
        try:
            await anyio.sleep_forever()
        finally:
            seen.append(view.chunk)

    source = Source(*DELTAS)
    texts, error, stream = await run(driver, source, fails, sleeps)
    assert (texts, seen) == ([], [CHUNKS[0]])
    assert isinstance(error, OSError if how == "raises" else Rejected)
    assert [check.calls for check in ended(stream).stats.checks] == [1, 0]
    source.check()


@every_driver
async def test_t05_bad_news_is_told_once(driver: str) -> None:
    async with opened(driver, Source(*DELTAS), rejecting("One")) as stream:
        with pytest.raises(Rejected):
            await anext(stream)
        for _ in range(3):
            with pytest.raises(StopAsyncIteration):
                await anext(stream)


# --- T6 to T12: text ----------------------------------------------------------------


@every_driver
@pytest.mark.parametrize(
    "edit", [Edit(0, 3, "x"), Edit(12, 40, "x"), Edit(21, 21, "x")], ids=str
)
async def test_t07_an_edit_outside_of_the_chunk_is_an_error_of_the_check(
    driver: str, edit: Edit
) -> None:
    def edits(view: View) -> Verdict | None:
        return Verdict("pass", edits=(edit,)) if view.chunk.index == 1 else None

    texts, error, stream = await run(driver, Source(*DELTAS), edits)
    assert texts == CHUNKS[:1]
    assert isinstance(error, ValueError)
    assert "may make edits in 11..21" in str(error)
    assert ended(stream).status == "check_error"


@every_driver
async def test_t08_edits_that_overlap_become_their_union(driver: str) -> None:
    def first(view: View) -> Verdict:
        start = view.chunk.start
        return Verdict("pass", edits=(Edit(start, start + 3, "<first>"),))

    async def second(view: View) -> Verdict:
        start = view.chunk.start
        return Verdict("pass", edits=(Edit(start + 1, start + 6, "<second>"),))

    async with opened(driver, Source(*DELTAS), second, first) as stream:
        pieces, _ = await read(stream)
    assert [piece.text for piece in pieces] == [
        "<second>" + chunk[6:] for chunk in CHUNKS
    ]
    assert [piece.chunk for piece in pieces] == CHUNKS
    assert not any(piece.verbatim for piece in pieces)
    assert pieces[1].edits == (Edit(11, 17, "<second>"),)


@every_driver
async def test_t09_offsets_count_code_points(driver: str) -> None:
    text = "I 👩‍👩‍👧 it. Cafe\u0301 is\r\n\r\non \U0001d518p. End"

    def mark(view: View) -> Verdict:
        edits = [
            Edit(at, at + 1, "U")
            for at in range(view.chunk.start, view.chunk.end)
            if text[at] == "\U0001d518"
        ]
        return Verdict("pass", edits=tuple(edits))

    async with opened(driver, list(text), mark) as stream:
        pieces, _ = await read(stream)
    assert all(text[piece.start : piece.end] == piece.chunk for piece in pieces)
    assert rest(stream, pieces) == text.replace("\U0001d518", "U")


@every_driver
@pytest.mark.parametrize("on_limit", ["raise", "cut"])
async def test_t10_a_chunk_that_never_ends_has_a_limit(
    driver: str, on_limit: Any
) -> None:
    source = Source("One. ", *["a" * 10] * 30)
    async with opened(
        driver, source, passing, max_pending=100, on_limit=on_limit
    ) as stream:
        pieces, error = await read(stream)
    assert pieces[0].text == "One."
    if on_limit == "raise":
        assert isinstance(error, PendingLimitError)
        assert len(pieces) == 1
        assert len(ended(stream).pending) == 111 - 10
    else:
        assert error is None
        assert [p.chunk.complete for p in pieces] == [
            True,
            *[False] * (len(pieces) - 1),
        ]
        assert all(len(piece.chunk) <= 110 for piece in pieces)
    source.check()


@every_driver
async def test_t10_work_for_it_grows_with_its_length_alone(driver: str) -> None:
    scanned = []
    for count in (500, 2_000):
        counted = counting(SentenceChunking())
        source = Source(*["word "] * count)
        options: Any = {"max_pending": 100_000, "strategy": counted}
        async with opened(driver, source, passing, **options) as stream:
            pieces, error = await read(stream)
        assert (len(pieces), error) == (1, None)
        scanned.append(counted.scanned)
    assert scanned[1] <= 4.2 * scanned[0]
    assert scanned[1] <= 4 * 10_000


@every_driver
async def test_t11_leads_texts_and_tail_are_the_stream(driver: str) -> None:
    text = "  One.\n\nTwo! \t Three  "
    async with opened(driver, list(text), passing) as stream:
        assert "".join([part async for part in stream.texts()]) == text
    assert ended(stream).tail == "  "
    assert ended(stream).status == "completed"


@every_driver
async def test_t12_the_fragment_is_judged_and_says_whether_it_is_whole(
    driver: str,
) -> None:
    class Ending(Source):
        ending = "length"

    texts, error, _ = await run(driver, Source("One. Two"), rejecting("Two"))
    assert (texts, type(error)) == (["One."], Rejected)
    for source, complete in ((Ending("One. It costs 3."), False), (Source("A."), True)):
        async with opened(driver, source, passing) as stream:
            pieces, _ = await read(stream)
        assert pieces[-1].chunk.complete is complete


# --- T13 to T18: checks -------------------------------------------------------------


@every_driver
async def test_t13_each_check_judges_each_chunk_once(driver: str) -> None:
    calls: list[tuple[str, int]] = []

    def one(view: View) -> None:
        calls.append(("one", view.chunk.index))

    async def two(view: View) -> None:
        calls.append(("two", view.chunk.index))

    await run(driver, Source(*DELTAS), one, Check(two, parallel=3))
    assert sorted(calls) == [(name, at) for name in ("one", "two") for at in range(5)]


@every_driver
async def test_t14_the_same_check_twice_and_equal_names_are_all_reported(
    driver: str,
) -> None:
    check = Check(later(rejecting("Two")), name="same")
    other = Check(passing, name="same")
    async with opened(driver, Source(*DELTAS), check, check, other) as stream:
        pieces, error = await read(stream)
    assert [name for name, _ in pieces[0].verdicts] == ["same"] * 3
    assert isinstance(error, Rejected)
    assert {name for name, _ in error.failures} == {"same"}
    stats = ended(stream).stats.checks
    assert [each.name for each in stats] == ["same"] * 3
    assert sum(each.calls for each in stats) >= 4


@every_driver
@on_jumping_clocks
@pytest.mark.parametrize("policy", ["reject", "release", "raise"])
@pytest.mark.parametrize("kind", ["async", "thread"])
async def test_t15_a_check_that_hangs_is_given_up(
    driver: str, policy: Any, kind: str
) -> None:
    # Time passes only while the second chunk is judged: a busy machine may take as long
    # as it wants for the first one.
    freed = threading.Event()
    returned = threading.Event()

    async def hangs(view: View) -> None:
        if view.chunk.index == 1:
            jump(HOUR)
            await anyio.sleep_forever()

    def blocks(view: View) -> None:
        if view.chunk.index == 1:
            anyio.from_thread.run_sync(jump, HOUR)
            freed.wait(20)
            returned.set()

    check = Check(
        hangs if kind == "async" else blocks,
        run="auto" if kind == "async" else "thread",
        timeout=HOUR / 2,
        on_timeout=policy,
    )
    try:
        async with opened(driver, Source("One. Two. "), check) as stream:
            pieces, error = await read(stream)
        assert not returned.is_set()
    finally:
        freed.set()
    if policy == "release":
        assert error is None
        verdict = pieces[1].verdicts[0][1]
        assert (verdict.status, verdict.origin) == ("pass", "timeout")
    else:
        assert isinstance(error, Rejected if policy == "reject" else TimeoutError)
        assert [piece.text for piece in pieces] == ["One."]
    assert ended(stream).stats.checks[0].timeouts == 1


async def test_t16_a_source_that_hangs_is_given_up() -> None:
    source = Source("One. Two. Th", WAIT)
    texts, error, stream = await run("pipelined", source, passing, idle_timeout=0.04)
    assert texts == ["One.", "Two."]
    assert isinstance(error, SourceStalled)
    assert (error.seconds, error.offset) == (0.04, 12)
    assert ended(stream).status == "stalled"
    source.check()


async def test_t16_a_slow_reader_is_no_stall() -> None:
    source = Source(*DELTAS)
    options: Any = {"idle_timeout": 0.02, "max_in_flight": 1}
    async with opened("pipelined", source, passing, **options) as stream:
        pieces = [await anext(stream)]
        await anyio.sleep(0.1)
        more, error = await read(stream)
    assert error is None
    assert [piece.text for piece in pieces + more] == CHUNKS


@every_driver
async def test_t17_an_error_of_a_check_comes_bare_behind_earlier_pieces(
    driver: str,
) -> None:
    error = OSError("down")

    async def fails(view: View) -> None:
        await checkpoint()
        if view.chunk.index == 2:
            raise error

    source = Source(*DELTAS)
    texts, raised, stream = await run(driver, source, fails, passing)
    assert texts == CHUNKS[:2]
    assert raised is error
    assert ended(stream).status == "check_error"
    assert ended(stream).error is error
    source.check()


@every_driver
@pytest.mark.parametrize("policy", ["reject", "release"])
async def test_t18_a_policy_for_errors_is_visible(driver: str, policy: Any) -> None:
    async def fails(view: View) -> None:
        raise OSError(view.chunk)

    check = Check(fails, on_error=policy)
    async with opened(driver, Source(*DELTAS), check) as stream:
        pieces, error = await read(stream)
    if policy == "release":
        assert [piece.text for piece in pieces] == CHUNKS
        verdict = pieces[0].verdicts[0][1]
    else:
        assert isinstance(error, Rejected)
        verdict = error.failures[0][1]
    assert (verdict.origin, verdict.reason) == ("error", "OSError: One is on.")
    assert ended(stream).stats.checks[0].errors == (5 if policy == "release" else 1)


# --- T19 to T26: the source ---------------------------------------------------------


@every_driver
async def test_t19_an_error_of_the_source_comes_behind_complete_chunks(
    driver: str,
) -> None:
    error = OSError("reset")
    source = Source("One. Two. Thr", error)
    texts, raised, stream = await run(driver, source, passing)
    assert texts == ["One.", "Two."]
    assert raised is error
    assert (ended(stream).status, ended(stream).pending) == ("source_error", " Thr")
    source.check()


@every_driver
async def test_t19_an_error_of_the_strategy_does_as_well(driver: str) -> None:
    source = Source("[1, ", "2, ", "x", "]")
    strategy = JSONChunking(strict=True)
    async with opened(driver, source, passing, strategy=strategy) as stream:
        pieces, error = await read(stream)
    assert isinstance(error, MalformedJSONError)
    assert ended(stream).status == "source_error"
    assert rest(stream, pieces) == "[1, 2, x"
    source.check()


@every_driver
@pytest.mark.parametrize("how", ["break", "never", "raise"])
async def test_t20_leaving_early_closes_once_in_the_task_that_read(
    driver: str, how: str
) -> None:
    source = Source(*DELTAS[:8], WAIT)
    error: BaseException | None = None
    async with opened(driver, source, passing) as stream:
        try:
            async with aclosing(stream):
                if how != "never":
                    async for _ in stream:
                        break
                if how == "raise":
                    raise KeyError(how)  # noqa: TRY301 - as a block does
        except KeyError as raised:
            error = raised
        assert source.finished_close
    assert isinstance(error, KeyError) is (how == "raise")
    assert ended(stream).status == "abandoned"
    source.check()


@every_driver
async def test_t20_an_error_of_the_block_comes_bare(driver: str) -> None:
    source = Source(*DELTAS)
    error = KeyError()
    raised: BaseException | None = None
    async with anyio.create_task_group() as group:
        options: Any = {} if driver == "inline" else {"task_group": group}
        try:
            async with validate(source, passing, **options) as stream:
                await anext(stream)
                raise error
        except KeyError as found:
            raised = found
    assert raised is error
    source.check()


class SyncClose:
    """An async iterable with a plain ``close`` and an iterator of its own."""

    def __init__(self) -> None:
        self.closed = 0

    def __aiter__(self) -> AsyncIterator[str]:
        return self._deltas()

    async def _deltas(self) -> AsyncIterator[str]:
        for delta in DELTAS:
            await checkpoint()
            yield delta

    def close(self) -> None:
        """Count."""
        self.closed += 1


class AsyncClose(SyncClose):
    """The same with a ``close`` to await."""

    async def close(self) -> None:  # type: ignore[override]  # as clients have it
        """Count."""
        await checkpoint()
        self.closed += 1


@every_driver
@pytest.mark.parametrize("kind", [SyncClose, AsyncClose])
@pytest.mark.parametrize("early", [False, True], ids=["drain", "break"])
async def test_t21_each_kind_of_close_is_called_once(
    driver: str, kind: type[SyncClose], *, early: bool
) -> None:
    source = kind()
    async with opened(driver, source, passing) as stream:
        async for _ in stream:
            if early:
                break
    assert source.closed == 1
    assert ended(stream).close_error is None


@every_driver
async def test_t21_plain_iterables_and_text_need_no_close(driver: str) -> None:
    closed: list[bool] = []

    def deltas() -> Iterator[str]:
        try:
            yield from DELTAS
        finally:
            closed.append(True)

    assert (await run(driver, TEXT, passing))[0] == CHUNKS
    assert (await run(driver, DELTAS, passing))[0] == CHUNKS
    async with opened(driver, deltas(), passing) as stream:
        await anext(stream)
    assert closed == [True]


@every_driver
@pytest.mark.parametrize("how", ["drain", "break", "disconnect"])
async def test_t22_the_block_may_stand_in_a_generator_of_the_caller(
    driver: str, how: str
) -> None:
    source = Source(*DELTAS)
    async with anyio.create_task_group() as group:

        async def events() -> AsyncGenerator[str, None]:
            options: Any = {} if driver == "inline" else {"task_group": group}
            async with validate(source, passing, **options) as stream:
                async for text in stream.texts():
                    yield text

        with anyio.CancelScope() as scope:
            async with aclosing(events()) as texts:
                async for _ in texts:
                    if how == "break":
                        break
                    if how == "disconnect":
                        scope.cancel()
                        await checkpoint()
    source.check()


@every_driver
async def test_t22_the_event_loop_closes_a_generator_that_is_dropped(
    driver: str, anyio_backend: str
) -> None:
    """Trio warns of it as well."""
    source = Source(*DELTAS)
    warned: AbstractContextManager[Any] = nullcontext()
    if anyio_backend == "trio":
        warned = pytest.warns(ResourceWarning, match="garbage collected")
    async with anyio.create_task_group() as group:

        async def events() -> AsyncGenerator[str, None]:
            options: Any = {} if driver == "inline" else {"task_group": group}
            async with validate(source, passing, **options) as stream:
                async for text in stream.texts():
                    yield text

        async def drop() -> None:
            async for _ in events():
                return

        with warned:
            await drop()
            gc.collect()
            await checkpoint()
            await checkpoint()
            await anyio.wait_all_tasks_blocked()
    assert source.closed == 1
    assert source.finished_close


@every_driver
async def test_t23_enter_and_leave(driver: str) -> None:
    source = Source(*DELTAS)
    async with opened(driver, source, passing) as stream:
        pass
    assert ended(stream).status == "abandoned"
    assert source.closed == 1


@every_driver
async def test_t24_enter_in_a_scope_that_is_cancelled_already(driver: str) -> None:
    source = Source(*DELTAS)
    with anyio.CancelScope() as scope:
        scope.cancel()
        async with opened(driver, source, passing) as stream:
            await anext(stream)
    assert scope.cancelled_caught
    assert source.closed == 1
    assert source.finished_close


@every_driver
@pytest.mark.parametrize("bad", [False, True], ids=["passes", "rejects"])
async def test_t25_a_close_that_hangs_or_raises_is_only_recorded(
    driver: str, *, bad: bool
) -> None:
    check = rejecting("Three" if bad else "-")
    status = "rejected" if bad else "completed"
    hanging = Source(*DELTAS, close_hangs=True)
    _, error, stream = await run(driver, hanging, check, close_timeout=0.02)
    assert isinstance(error, Rejected) is bad
    assert ended(stream).status == status
    assert isinstance(ended(stream).close_error, TimeoutError)
    assert hanging.closed == 1
    raising = Source(*DELTAS, close_error=OSError("gone"))
    _, error, stream = await run(driver, raising, check)
    assert isinstance(error, Rejected) is bad
    assert ended(stream).status == status
    assert str(ended(stream).close_error) == "gone"
    raising.check()


@every_driver
@pytest.mark.parametrize("where", ["source", "check", "body"])
async def test_t26_cancellation_from_outside_propagates_and_the_close_completes(
    driver: str, where: str
) -> None:
    source = Source(*DELTAS[:8], *([WAIT] if where == "source" else DELTAS[8:]))
    hangs = anyio.Event()

    async def check(view: View) -> None:
        if where == "check" and view.chunk.index == 1:
            hangs.set()
            await anyio.sleep_forever()

    async def read_all() -> None:
        async with opened(driver, source, check) as stream:
            async for _ in stream:
                if where == "body":
                    await anyio.sleep_forever()

    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(read_all)
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
    assert scope.cancelled_caught
    source.check()


@every_driver
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("how", ["cancel", "timeout"])
async def test_t26_asyncio_cancels_in_its_own_way(driver: str, how: str) -> None:
    source = Source(*DELTAS[:8], WAIT)

    async def read_all() -> None:
        async with opened(driver, source, passing) as stream:
            async for _ in stream:
                pass

    if how == "cancel":
        task = asyncio.ensure_future(read_all())
        await anyio.wait_all_tasks_blocked()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    else:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(read_all(), 0.05)
    assert source.closed == 1
    assert source.finished_close


# --- T27 to T33: several parties ----------------------------------------------------


@every_driver
async def test_t27_streams_share_no_state_of_a_check_from_a_factory(
    driver: str,
) -> None:
    def make() -> Any:
        seen: list[str] = []

        async def judge(view: View) -> Verdict:
            seen.append(view.chunk)
            await checkpoint()
            return Verdict("pass", data=len(seen))

        return judge

    check = Check.factory(make)
    counts: list[list[Any]] = []

    async def one() -> None:
        async with opened(driver, Source(*DELTAS), check) as stream:
            pieces, _ = await read(stream)
        counts.append([piece.verdicts[0][1].data for piece in pieces])

    async with anyio.create_task_group() as group:
        group.start_soon(one)
        group.start_soon(one)
    assert counts == [[1, 2, 3, 4, 5]] * 2


@pytest.mark.parametrize("most", [1, 2, 4])
async def test_t28_a_reader_that_idles_stops_the_pulls(most: int) -> None:
    source = Source(*[f"Number {n}. " for n in range(50)])
    async with opened("pipelined", source, passing, max_in_flight=most) as stream:
        await anyio.wait_all_tasks_blocked()
        assert source.given <= most + 1
        await anext(stream)
        await anyio.wait_all_tasks_blocked()
        assert source.given <= most + 2
    assert ended(stream).stats.most_in_flight <= most


async def test_t28_the_inline_driver_reads_nothing_ahead() -> None:
    source = Source(*[f"Number {n}. " for n in range(50)])
    async with opened("inline", source, passing) as stream:
        await anyio.wait_all_tasks_blocked()
        assert source.given == 0
        await anext(stream)
        await anyio.wait_all_tasks_blocked()
        assert source.given == 2


@every_driver
@pytest.mark.parametrize("shape", ["deltas", "one delta"])
async def test_t29_data_that_is_all_there_lets_others_run_and_be_cancelled(
    driver: str, shape: str
) -> None:
    async def busy() -> AsyncIterator[str]:
        if shape == "one delta":
            yield "It is. " * 5_000
        for _ in range(100_000):
            yield "word "

    async def instantly(view: View) -> None:
        del view

    ticks = 0

    async def tick(scope: anyio.CancelScope) -> None:
        nonlocal ticks
        for _ in range(10):
            await checkpoint()
            ticks += 1
        scope.cancel()

    count = 0
    async with anyio.create_task_group() as group:
        with anyio.CancelScope() as scope:
            group.start_soon(tick, scope)
            async with opened(driver, busy(), instantly) as stream:
                async for _ in stream:
                    count += 1
    assert scope.cancelled_caught
    assert ticks == 10
    assert count < 5_000


@pytest.mark.parametrize("where", ["source", "check"])
async def test_t30_a_timeout_for_each_item(where: str) -> None:
    gate = anyio.Event()

    async def deltas() -> AsyncIterator[str]:
        yield "One. Tw"
        if where == "source":
            await gate.wait()
        yield "o. Three."

    async def check(view: View) -> None:
        if where == "check" and view.chunk.index == 1:
            await gate.wait()

    texts: list[str] = []
    timeouts = 0
    async with opened("pipelined", deltas(), check) as stream:
        while True:
            with anyio.move_on_after(0.02) as scope:
                try:
                    texts.append((await anext(stream)).text)
                except StopAsyncIteration:
                    break
            if scope.cancelled_caught:
                timeouts += 1
                gate.set()
    assert texts == ["One.", "Two.", "Three."]
    # On a busy machine any call may take that long.
    assert timeouts >= 1


@pytest.mark.parametrize("where", ["source", "check"])
async def test_t30_an_inline_call_that_timed_out_says_so(where: str) -> None:
    source = Source("One. Tw", *([WAIT] if where == "source" else ["o. Three."]))

    async def check(view: View) -> None:
        if where == "check" and view.chunk.index == 1:
            await anyio.sleep_forever()

    async with opened("inline", source, check) as stream:
        assert (await anext(stream)).text == "One."
        with anyio.move_on_after(0.02) as scope:
            await anext(stream)
        assert scope.cancelled_caught
        assert source.finished_close
        with pytest.raises(Interrupted, match=r"outcome\.pending"):
            await anext(stream)
        with pytest.raises(StopAsyncIteration):
            await anext(stream)
    assert ended(stream).status == "aborted"
    assert ended(stream).pending.startswith(" Tw")
    source.check()


@every_driver
async def test_t31_a_second_reader_is_refused(driver: str) -> None:
    source = Source(*DELTAS[:4], WAIT)
    async with opened(driver, source, passing) as stream:
        await anext(stream)
        async with anyio.create_task_group() as group:
            group.start_soon(read, stream)
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(StreamStateError, match="while another such call"):
                await anext(stream)
            group.cancel_scope.cancel()


@pytest.mark.parametrize("where", ["pulling", "parked", "judging"])
async def test_t32_the_end_of_the_group_that_reads_is_told(where: str) -> None:
    deltas = [*DELTAS[:4], WAIT] if where == "pulling" else DELTAS
    source = Source(*deltas)

    async def check(view: View) -> None:
        if where == "judging" and view.chunk.index == 1:
            await anyio.sleep_forever()

    owner = anyio.create_task_group()
    await owner.__aenter__()
    async with validate(source, check, task_group=owner, max_in_flight=1) as stream:
        if where != "parked":
            await anext(stream)
        await anyio.wait_all_tasks_blocked()
        owner.cancel_scope.cancel()
        await owner.__aexit__(None, None, None)
        _, error = await read(stream)
    assert isinstance(error, Aborted)
    assert ended(stream).status == "aborted"
    assert source.closed == 1
    assert source.finished_close


async def test_t32_cancellation_of_the_reader_comes_before_the_abortion() -> None:
    source = Source(*DELTAS[:4], WAIT)
    raised: list[BaseException] = []

    async def reader(stream: AsyncStream) -> None:
        try:
            while True:
                await anext(stream)
        except BaseException as error:
            raised.append(error)
            raise

    async with (
        anyio.create_task_group() as group,
        validate(source, passing, task_group=group) as stream,
    ):
        group.start_soon(reader, stream)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert [type(error) for error in raised] == [anyio.get_cancelled_exc_class()]
    assert source.closed == 1


@every_driver
@pytest.mark.parametrize("turns", range(12))
async def test_t33_a_stop_at_any_turn_of_the_loop_does_not_cut_the_close_short(
    driver: str, turns: int
) -> None:
    source = Source(*DELTAS)

    async with opened(driver, source, passing) as stream:

        async def stop() -> None:
            for _ in range(turns):
                await checkpoint()
            stream.stop()
            stream.stop()

        async with anyio.create_task_group() as group:
            group.start_soon(stop)
            pieces, error = await read(stream)
    assert error is None
    assert ended(stream).status == "abandoned"
    assert TEXT.startswith(rest(stream, pieces))
    source.check()


# --- T34 to T39 ---------------------------------------------------------------------


async def scoped(told: list[str]) -> AsyncGenerator[str, None]:
    """Hold a cancel scope open between items, as no source should."""
    try:
        with anyio.CancelScope():
            for delta in DELTAS:
                await checkpoint()
                yield delta
    finally:
        told.append("closed")


@pytest.mark.parametrize("how", ["drain", "break", "reject", "cancel"])
@pytest.mark.parametrize("closer", [False, True], ids=["poke", "closer"])
async def test_t34_a_source_that_holds_a_scope_is_unwound_in_order(
    how: str, *, closer: bool
) -> None:
    told: list[str] = []
    source = scoped(told)
    check = rejecting("Three" if how == "reject" else "-")
    options: Any = {"closer": source.aclose} if closer else {}
    with anyio.CancelScope() as scope:
        async with opened(
            "pipelined", source, check, max_in_flight=1, **options
        ) as stream:
            await anext(stream)
            await anyio.wait_all_tasks_blocked()
            if how == "cancel":
                scope.cancel()
                await checkpoint()
            if how != "break":
                _, error = await read(stream)
                assert isinstance(error, Rejected) is (how == "reject")
    assert told == ["closed"]
    assert ended(stream).close_error is None


@pytest.mark.parametrize("closer", [False, True], ids=["no closer", "closer"])
async def test_t34_inline_such_a_source_can_be_read_to_its_end(*, closer: bool) -> None:
    told: list[str] = []
    source = scoped(told)
    options: Any = {"closer": source.aclose} if closer else {}
    texts, error, stream = await run("inline", source, passing, **options)
    assert (texts, error, told) == (CHUNKS, None, ["closed"])
    assert ended(stream).close_error is None


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
def test_t34_inline_such_a_source_that_is_left_early_breaks_the_scopes_around_it(
    backend: str,
) -> None:
    """In a process of its own: nothing can be trusted behind it."""
    code = f"""
import anyio
from chunkwise.validation import validate

async def deltas():
    try:
        with anyio.CancelScope():
            yield "One. Two"
            await anyio.sleep_forever()
    finally:
        print("closed")

async def main():
    with anyio.CancelScope():
        async with validate(deltas()) as stream:
            print((await anext(stream)).text)
        if stream.outcome.close_error is not None:
            raise stream.outcome.close_error

try:
    anyio.run(main, backend={backend!r})
except RuntimeError as error:
    print("cancel scope" in str(error).lower())
"""
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.stdout == "One.\nclosed\nTrue\n"


context: contextvars.ContextVar[str] = contextvars.ContextVar("context", default="-")


@every_driver
async def test_t35_source_and_checks_see_the_context_of_the_caller(
    driver: str,
) -> None:
    seen: set[tuple[str, str]] = set()

    async def deltas() -> AsyncIterator[str]:
        seen.add(("source", context.get()))
        yield TEXT

    async def judge(view: View) -> None:
        del view
        seen.add(("async", context.get()))

    def in_thread(view: View) -> None:
        del view
        seen.add(("thread", context.get()))

    token = context.set("caller")
    try:
        await run(driver, deltas(), judge, Check(in_thread, run="thread"))
    finally:
        context.reset(token)
    assert seen == {(place, "caller") for place in ("source", "async", "thread")}


async def test_t36_the_rejection_that_begins_first_is_reported() -> None:
    gate = anyio.Event()
    judged: list[int] = []

    async def fast(view: View) -> Verdict | None:
        judged.append(view.chunk.index)
        if view.chunk.index == 3:
            gate.set()
            return Verdict("reject", "fast")
        return None

    async def slow(view: View) -> Verdict | None:
        await gate.wait()
        return Verdict("reject", "slow") if view.chunk.index == 1 else None

    source = Source(*DELTAS)
    texts, error, _ = await run("pipelined", source, fast, slow, max_in_flight=9)
    assert texts == CHUNKS[:1]
    assert isinstance(error, Rejected)
    assert (error.chunk.index, error.reason) == (1, "slow: slow")
    assert max(judged) == 3
    source.check()


async def test_t36_inline_nothing_behind_the_first_rejection_is_judged() -> None:
    judged: list[int] = []

    async def fast(view: View) -> Verdict | None:
        judged.append(view.chunk.index)
        return Verdict("reject", "fast") if view.chunk.index == 3 else None

    slow = later(rejecting("Two"), turns=5)
    source = Source(*DELTAS)
    texts, error, _ = await run("inline", source, fast, Check(slow, name="slow"))
    assert (texts, judged) == (CHUNKS[:1], [0, 1])
    assert isinstance(error, Rejected)
    assert (error.chunk.index, error.reason) == (1, "slow: bad")
    source.check()


@every_driver
async def test_t37_one_check_in_order_next_to_a_parallel_one(driver: str) -> None:
    order: list[int] = []
    running = 0

    async def stateful(view: View) -> None:
        nonlocal running
        running += 1
        assert running == 1
        for _ in range((view.chunk.index * 7) % 5):
            await checkpoint()
        order.append(view.chunk.index)
        running -= 1

    async def judge(view: View) -> None:
        for _ in range((-view.chunk.index * 3) % 7):
            await checkpoint()

    text = "".join(f"Number {n}. " for n in range(30))
    checks = (stateful, Check(judge, parallel=4))
    options: Any = {} if driver == "inline" else {"max_in_flight": 8}
    async with opened(driver, [text], *checks, **options) as stream:
        pieces, error = await read(stream)
    assert error is None
    assert order == list(range(30)) == [piece.chunk.index for piece in pieces]


@every_driver
async def test_t38_a_hundred_streams_at_once_do_not_meet(driver: str) -> None:
    results: dict[int, str] = {}

    async def one(number: int) -> None:
        deltas = [f"Stream {number}. ", f"Again {number}. ", f"End {number}"]
        async with opened(driver, Source(*deltas), passing) as stream:
            results[number] = "".join([text async for text in stream.texts()])

    async with anyio.create_task_group() as group:
        for number in range(100):
            group.start_soon(one, number)
    assert results == {n: f"Stream {n}. Again {n}. End {n}" for n in range(100)}


@every_driver
async def test_t38_two_streams_in_turns(driver: str) -> None:
    async with (
        opened(driver, Source(*DELTAS), passing) as one,
        opened(driver, Source(*DELTAS), passing) as two,
    ):
        for chunk in CHUNKS:
            assert (await anext(one)).text == (await anext(two)).text == chunk


@every_driver
async def test_t39_an_observer_that_raises_is_logged_once(
    driver: str, caplog: pytest.LogCaptureFixture
) -> None:
    events: list[Event] = []

    def observer(event: Event) -> None:
        events.append(event)
        raise ValueError(event)

    source = Source(*DELTAS)
    with caplog.at_level(logging.ERROR, "chunkwise.validation"):
        texts, error, _ = await run(driver, source, passing, observer=observer)
    assert (texts, error) == (CHUNKS, None)
    assert len(caplog.records) == 1
    assert isinstance(events[-1], Ended)


@every_driver
@on_jumping_clocks
@pytest.mark.parametrize("kind", ["async", "thread"])
async def test_t39_the_time_of_a_slow_observer_is_charged_to_no_check(
    driver: str, kind: str
) -> None:
    told: list[str] = []

    def observer(event: Event) -> None:
        told.append(type(event).__name__)
        # The source may be closed while a chunk is judged: that time counts for both.
        if not isinstance(event, SourceClosed):
            jump(HOUR)

    def judge(view: View) -> None:
        del view

    check = Check(judge, run="thread", timeout=HOUR / 2)
    if kind == "async":
        check = Check(passing, timeout=HOUR / 2)
    source = Source(*DELTAS)
    # More than one in flight would be judged while the observer is told of another.
    options: Any = {} if driver == "inline" else {"max_in_flight": 1}
    texts, error, stream = await run(
        driver, source, check, observer=observer, **options
    )
    assert (texts, error) == (CHUNKS, None)
    assert ended(stream).stats.checks[0].timeouts == 0
    assert told.count("Released") == told.count("CheckFinished") == len(CHUNKS)
    source.check()


# --- T41 to T43 ---------------------------------------------------------------------


async def _coroutine() -> None: ...


@every_driver
@pytest.mark.parametrize("result", [True, False, "ok", "coroutine"], ids=str)
async def test_t41_what_is_no_verdict_never_passes_text(
    driver: str, result: Any
) -> None:
    def check(view: View) -> Any:
        del view
        return _coroutine() if result == "coroutine" else result

    texts, error, stream = await run(driver, Source(*DELTAS), check)
    assert texts == []
    assert isinstance(error, TypeError)
    assert "must return a Verdict or None" in str(error)
    assert ended(stream).status == "check_error"


class Interrupt(BaseException):
    """Like ``KeyboardInterrupt``, which test runners take for themselves."""


@pytest.mark.parametrize("kind", ["sync", "async", "two async"])
async def test_t42_an_interrupt_in_a_check_comes_bare_inline(kind: str) -> None:
    async def slowly(view: View) -> None:
        del view
        raise Interrupt

    def at_once(view: View) -> None:
        del view
        raise Interrupt

    source = Source(*DELTAS)
    checks: dict[str, list[Any]] = {
        "sync": [at_once],
        "async": [slowly],
        "two async": [slowly, passing],
    }
    with pytest.raises(Interrupt):
        async with validate(source, *checks[kind]) as stream:
            await anext(stream)
    source.check()


def bare(error: BaseException) -> BaseException:
    """Return the one exception of a group, of groups in groups too."""
    while isinstance(error, BaseExceptionGroup):
        (error,) = error.exceptions
    return error


async def test_t42_an_interrupt_in_a_check_ends_the_group_pipelined() -> None:
    async def interrupts(view: View) -> None:
        del view
        raise Interrupt

    source = Source(*DELTAS)
    raised: BaseException | None = None
    try:
        await run("pipelined", source, interrupts)
    except BaseException as error:  # noqa: BLE001 - looked at below
        raised = bare(error)
    assert isinstance(raised, Interrupt)
    assert source.closed == 1


@every_driver
async def test_t42_an_interrupt_in_the_block_closes(driver: str) -> None:
    source = Source(*DELTAS)
    raised: BaseException | None = None
    try:
        async with opened(driver, source, passing) as stream:
            await anext(stream)
            raise Interrupt  # noqa: TRY301 - as a block does
    except BaseException as error:  # noqa: BLE001 - looked at below
        raised = bare(error)
    assert isinstance(raised, Interrupt)
    source.check()


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
def test_t43_an_open_stream_at_the_end_of_the_program_hangs_nothing(
    driver: str, backend: str
) -> None:
    code = f"""
import anyio
from chunkwise.validation import validate

class Deltas:
    given = False

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.given:
            await anyio.sleep_forever()
        self.given = True
        return "One. Two"

async def check(view):
    pass

async def main():
    async with anyio.create_task_group() as group:
        options = dict(task_group=group) if {driver!r} == "pipelined" else dict()
        stream = validate(Deltas(), check, **options)
        await stream.__aenter__()
        print((await anext(stream)).text)
        group.cancel_scope.cancel()

anyio.run(main, backend={backend!r})
"""
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "One.\n", "")


# --- the calls themselves -----------------------------------------------------------


@every_driver
async def test_a_stream_is_read_in_its_block_and_once(driver: str) -> None:
    source = Source(*DELTAS)
    async with anyio.create_task_group() as group:
        options: Any = {} if driver == "inline" else {"task_group": group}
        stream = validate(source, passing, **options)
        with pytest.raises(StreamStateError, match="outside of the block"):
            await anext(stream)
        async with stream:
            assert stream.outcome is None
        with pytest.raises(StreamStateError, match="entered before"):
            await stream.__aenter__()
    assert source.closed == 1


@every_driver
async def test_texts_and_events_can_be_closed_like_generators(driver: str) -> None:
    for kind in ("texts", "events"):
        source = Source(*DELTAS)
        async with opened(driver, source, passing) as stream:
            part: Any = getattr(stream, kind)()
            async with aclosing(part):
                await anext(part)
            assert source.finished_close
            assert [item async for item in stream.texts()] == []
    async with (
        opened(driver, Source("a."), passing) as stream,
        aclosing(stream.texts()) as texts,
    ):
        assert [text async for text in texts] == ["a."]
        assert [text async for text in texts] == []


@every_driver
async def test_events_tell_of_a_rejection_instead_of_raising_it(driver: str) -> None:
    async with opened(driver, Source(*DELTAS), rejecting("Two")) as stream:
        events = [event async for event in stream.events()]
    assert [type(event) for event in events] == [Released, Ended]


@every_driver
async def test_edited_to_nothing_is_no_text(driver: str) -> None:
    def drop(view: View) -> Verdict:
        return Verdict("pass", edits=(Edit(view.chunk.start, view.chunk.end, ""),))

    async with opened(driver, ["a b c"], drop, strategy="word") as stream:
        assert [text async for text in stream.texts()] == [" ", " "]


@every_driver
@pytest.mark.parametrize("kind", [StopIteration, StopAsyncIteration])
async def test_a_stray_stop_of_a_check_is_no_end(
    driver: str, kind: type[Exception]
) -> None:
    def check(view: View) -> None:
        raise kind(view.chunk)

    texts, error, _ = await run(driver, Source(*DELTAS), check)
    assert texts == []
    assert isinstance(error, RuntimeError)
    assert kind.__name__ in str(error)


async def test_aclose_is_refused_while_another_task_reads_inline() -> None:
    gate = anyio.Event()

    async def deltas() -> AsyncIterator[str]:
        yield "One. Tw"
        await gate.wait()

    async with opened("inline", deltas(), passing) as stream:
        await anext(stream)
        async with anyio.create_task_group() as group:
            group.start_soon(read, stream)
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(StreamStateError, match="cancel its task"):
                await stream.aclose()
            gate.set()
    assert ended(stream).status == "abandoned"


async def test_an_inline_call_that_is_thrown_away_leaves_the_close_to_the_block() -> (
    None
):
    source = Source(*DELTAS)
    async with opened("inline", source, passing) as stream:
        call = stream.__anext__()
        call.send(None)
        call.close()
        assert source.closed == 0
        with pytest.raises(Interrupted):
            await anext(stream)
    assert source.closed == 1


@pytest.mark.parametrize("answer", ["more", "end"])
async def test_a_stop_during_the_last_wait_takes_nothing_more(answer: str) -> None:
    gate = anyio.Event()

    class Late:
        """Does not let itself be cancelled."""

        asked = 0

        def __aiter__(self) -> Late:
            return self

        async def __anext__(self) -> str:
            self.asked += 1
            if self.asked == 1:
                return "One. Tw"
            if self.asked > 2 or answer == "end":
                with anyio.CancelScope(shield=True):
                    await gate.wait()
                raise StopAsyncIteration
            with anyio.CancelScope(shield=True):
                await gate.wait()
            return "o. Three."

    for driver in DRIVERS:
        gate = anyio.Event()
        async with opened(driver, Late(), passing) as stream:
            await anext(stream)
            async with anyio.create_task_group() as group:
                group.start_soon(read, stream)
                await anyio.wait_all_tasks_blocked()
                stream.stop()
                gate.set()
        assert ended(stream).status == "abandoned"
        assert ended(stream).pending == " Tw"


async def test_a_group_that_takes_no_tasks_closes_the_source() -> None:
    source = Source(*DELTAS)
    group = anyio.create_task_group()
    with pytest.raises(RuntimeError):
        await validate(source, passing, task_group=group).__aenter__()
    assert source.closed == 1


async def test_chunks_behind_a_rejected_one_are_not_judged() -> None:
    judged: list[int] = []
    gate = anyio.Event()

    async def slow(view: View) -> None:
        judged.append(view.chunk.index)
        await gate.wait()

    async def fast(view: View) -> Verdict | None:
        if view.chunk.index == 2:
            gate.set()
            return Verdict("reject")
        return None

    texts, error, _ = await run("pipelined", [TEXT], slow, fast)
    assert (texts, judged) == (CHUNKS[:2], [0, 1])
    assert isinstance(error, Rejected)


async def test_an_inline_check_that_rejects_leaves_later_chunks_alone() -> None:
    judged: list[str] = []

    def words(view: View) -> Verdict | None:
        judged.append(view.chunk)
        return rejecting("is")(view)

    async with opened("inline", [TEXT], Check(words, strategy="word")) as stream:
        pieces, error = await read(stream)
    assert pieces == []
    assert isinstance(error, Rejected)
    assert judged == ["One", "is"]


@every_driver
@pytest.mark.parametrize("options", [{"release": "end"}, {"hold_back": 2}], ids=str)
async def test_what_a_policy_releases_at_once_comes_out_in_order(
    driver: str, options: Any
) -> None:
    source = Source(*DELTAS)
    texts, error, stream = await run(driver, source, passing, **options)
    assert (texts, error) == (CHUNKS, None)
    assert ended(stream).status == "completed"
    source.check()


@every_driver
async def test_a_word_may_fail_where_its_sentence_begins(driver: str) -> None:
    words = Check(later(rejecting("Two")), strategy="word")
    source = Source(*DELTAS)
    texts, error, _ = await run(driver, source, words, passing)
    assert texts == CHUNKS[:1]
    assert isinstance(error, Rejected)
    assert error.chunk == "Two"
    source.check()


@pytest.mark.parametrize("leaving", ["break", "stop"])
async def test_a_verdict_that_comes_behind_a_stop_releases_nothing(
    leaving: str,
) -> None:
    # A thread cannot be interrupted, so its verdict arrives all the same.
    begun, going = threading.Event(), threading.Event()

    def wait(view: View) -> None:
        if view.chunk == CHUNKS[2]:
            begun.set()
            going.wait(10)

    source = Source(*DELTAS)
    pieces: list[Piece] = []
    async with opened("pipelined", source, Check(wait, run="thread")) as stream:
        async for piece in stream:
            pieces.append(piece)
            if len(pieces) > 1:
                continue
            # The second piece is ready, and the third chunk is being judged.
            with anyio.fail_after(10):
                while not begun.is_set():  # noqa: ASYNC110 - set by a thread
                    await anyio.sleep(0.001)
            stream.stop()
            going.set()
            if leaving == "break":
                break
    assert [piece.text for piece in pieces] == CHUNKS[:1]
    pending = ended(stream).pending
    assert TEXT.startswith(CHUNKS[0] + pending)
    assert CHUNKS[2] in pending
    source.check()


@every_driver
async def test_events_raise_the_rejection_of_a_stream_that_is_the_source(
    driver: str,
) -> None:
    source = Source(*DELTAS)
    async with (
        validate(source, rejecting("Two")) as inner,
        opened(driver, inner.texts(), passing) as stream,
    ):
        events = stream.events()
        with pytest.raises(Rejected) as raised:
            _ = [event async for event in events]
        assert [type(event) async for event in events] == [Ended]
    assert ended(stream).status == "source_error"
    assert ended(stream).error is raised.value
    assert ended(stream).rejected is None


@every_driver
async def test_closing_from_a_check_is_refused_and_stops(driver: str) -> None:
    async def close(view: View) -> None:
        if view.chunk == CHUNKS[1]:
            await stream.aclose()

    source = Source(*DELTAS)
    with anyio.fail_after(10):
        async with opened(driver, source, close) as stream:
            _, error = await read(stream)
    assert isinstance(error, StreamStateError)
    source.check()


@every_driver
async def test_closing_from_the_source_is_refused_and_stops(driver: str) -> None:
    async def deltas() -> AsyncIterator[str]:
        yield "One. Two. "
        with pytest.raises(StreamStateError, match=r"aclose\(\)"):
            await stream.aclose()
        yield "Three. "

    with anyio.fail_after(10):
        async with opened(driver, deltas(), passing) as stream:
            pieces, error = await read(stream)
    assert error is None
    assert [piece.text for piece in pieces] in ([], ["One."])
    assert ended(stream).status == "abandoned"


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("count", [1, 2])
async def test_a_check_that_waits_for_a_cancelled_task_hangs_nothing(
    count: int,
) -> None:
    gone = asyncio.get_running_loop().create_future()
    gone.cancel()

    async def wait(view: View) -> None:
        if view.chunk == CHUNKS[1]:
            await gone

    source = Source(*DELTAS)
    checks = [wait, passing][:count]
    async with validate(source, *checks) as stream:
        await anext(stream)
        with pytest.raises(asyncio.CancelledError):
            await anext(stream)
        with pytest.raises(Interrupted):
            await anext(stream)
    source.check()


@every_driver
async def test_an_ending_that_raises_is_an_error_of_the_source(driver: str) -> None:
    class Source:
        ending = property(lambda self: {}[self])

        async def __aiter__(self) -> AsyncIterator[str]:
            yield "One. Two."

    pieces, error, stream = await run(driver, Source(), passing)
    assert (pieces, type(error)) == (["One."], KeyError)
    assert ended(stream).status == "source_error"


@every_driver
async def test_an_error_of_the_close_of_what_the_source_reads_is_noted(
    driver: str,
) -> None:
    inner = Source(*DELTAS, close_error=OSError("gone"))
    _, error, stream = await run(driver, atext_deltas(inner), rejecting("Two"))
    assert isinstance(error, Rejected)
    assert str(ended(stream).close_error) == "gone"
    inner.check()


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_an_interrupt_of_the_close_leaves_an_outcome() -> None:
    gone = asyncio.CancelledError()
    source = Source(*DELTAS, close_error=gone)
    with pytest.raises(asyncio.CancelledError):
        async with validate(source, passing) as stream:
            await anext(stream)
    assert ended(stream).status == "abandoned"
    assert ended(stream).close_error is gone
    assert source.closed == 1


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("where", ["source", "check", "close"])
async def test_waiting_for_a_cancelled_task_does_not_cancel_the_group(
    where: str,
) -> None:
    async def wait(view: View) -> None:
        if where == "check" and view.chunk == CHUNKS[1]:
            raise asyncio.CancelledError

    gone = asyncio.CancelledError()
    source = Source(
        *DELTAS[:6],
        *([gone] if where == "source" else DELTAS[6:]),
        close_error=gone if where == "close" else None,
    )
    done = False
    async with anyio.create_task_group() as group:
        async with validate(source, wait, task_group=group) as stream:
            _, error = await read(stream)
        await checkpoint()
        done = True
    assert done
    if where == "close":
        assert (error, ended(stream).status) == (None, "completed")
        assert ended(stream).close_error is gone
    else:
        assert isinstance(error, Aborted)
        assert ended(stream).status == "aborted"
    source.check()
