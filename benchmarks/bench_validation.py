"""What does judging cost, and how late does it make text?"""

from __future__ import annotations

import gc
import math
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from statistics import median
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

import anyio

from chunkwise import aiter_chunks
from chunkwise.validation import Check, Rejected, Verdict, validate

from ._report import Section, Table, digits, said
from ._texts import answer_text, deltas_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from typing_extensions import Self

    from chunkwise.validation import View

_TEXT = """
CPU time of a stream of the answer text, 4 code points a delta and all of it there
already, as a ratio to `async for chunk in aiter_chunks(...)` of the same deltas in the
same run. The checks are async functions that do nothing. The checkpoint every 64 steps
is included on both sides.
"""
_LATE_TEXT = """
Milliseconds, with a sentence every 10 ms, as a source that keeps its own clock, and a
judge that takes 25 ms: how late the last of 40 sentences comes out, and how many deltas
are read after the verdict that rejects the fourth sentence. The median of 5.
"""
_SIZE = 40_000
_REPEATS = 7
_EVERY = 0.010
_JUDGE = 0.025
_BARS = {
    ("asyncio", "inline, 1 async check"): 1.7,
    ("trio", "inline, 1 async check"): 3.0,
    ("asyncio", "pipelined, 3 async checks"): 6.0,
    ("trio", "pipelined, 3 async checks"): 6.0,
}


class _Deltas:
    """A source whose data has all arrived."""

    def __init__(self, deltas: Sequence[str]) -> None:
        self._deltas = iter(deltas)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        for delta in self._deltas:
            return delta
        raise StopAsyncIteration


def run() -> Section:
    """Time the drivers on both event loops, then look at the clock."""
    return Section("Validation", f"{_TEXT}{_LATE_TEXT}", [_overhead(), _lateness()])


# --- CPU time -----------------------------------------------------------------------


async def _nothing(view: View) -> None:
    del view


async def _plain(deltas: Sequence[str]) -> None:
    async with aiter_chunks(_Deltas(deltas)) as chunks:
        async for _ in chunks:
            pass


async def _validated(deltas: Sequence[str], *, checks: int, grouped: bool) -> None:
    owner: AbstractAsyncContextManager[Any] = nullcontext()
    if grouped:
        owner = anyio.create_task_group()
    async with (
        owner as group,
        validate(_Deltas(deltas), *[_nothing] * checks, task_group=group) as stream,
    ):
        async for _ in stream:
            pass


def _overhead() -> Table:
    deltas = deltas_of(answer_text().text[:_SIZE], 4)
    contestants: dict[str, Callable[[], Awaitable[None]]] = {
        "chunks alone": partial(_plain, deltas)
    }
    for name, grouped in (("inline", False), ("pipelined", True)):
        for checks in (0, 1, 3):
            title = f"{name}, {checks} async check{'s' if checks != 1 else ''}"
            contestants[title] = partial(
                _validated, deltas, checks=checks, grouped=grouped
            )
    rows = []
    for backend in ("asyncio", "trio"):
        seconds = anyio.run(_race, contestants, backend=backend)
        alone = seconds["chunks alone"]
        for name, took in seconds.items():
            ratio, bar = took / alone, _BARS.get((backend, name))
            met = None if bar is None else ratio <= bar
            shown = "-" if bar is None else f"≤ {bar}"
            each = took / len(deltas) * 1e6
            rows.append(
                [backend, name, f"{digits(each)} µs", digits(ratio), shown, said(met)]
            )
    return Table(["event loop", "stream", "a delta", "ratio", "bar", "met"], rows)


async def _race(
    contestants: dict[str, Callable[[], Awaitable[None]]],
) -> dict[str, float]:
    best = dict.fromkeys(contestants, math.inf)
    names = list(contestants)
    for repeat in range(_REPEATS):
        for name in names if repeat % 2 else reversed(names):
            gc.collect()
            began = process_time()
            await contestants[name]()
            best[name] = min(best[name], process_time() - began)
    return best


# --- the clock ----------------------------------------------------------------------


async def _spoken(sentences: int, read: list[int]) -> AsyncIterator[str]:
    """Give a sentence every 10 ms, in five deltas; count them."""
    began = perf_counter()
    for number in range(sentences):
        for part, text in enumerate(("This", " is", " no.", f" {number}", ". ")):
            due = began + (number + part / 5) * _EVERY
            await anyio.sleep(max(0.0, due - perf_counter()))
            read.append(number)
            yield text


async def _late(parallel: int) -> float:
    """Return how many milliseconds behind its end the last sentence comes out."""

    async def judge(view: View) -> None:
        del view
        await anyio.sleep(_JUDGE)

    read: list[int] = []
    came = began = perf_counter()
    async with (
        anyio.create_task_group() as group,
        validate(
            _spoken(40, read),
            Check(judge, parallel=parallel),
            task_group=group,
            max_in_flight=8,
        ) as stream,
    ):
        async for _ in stream:
            came = perf_counter()
    return (came - began - 39.8 * _EVERY) * 1e3


async def _read_on(*, grouped: bool) -> float:
    """Return how many deltas are read after the verdict on sentence 4."""
    read: list[int] = []
    at_verdict = 0

    async def judge(view: View) -> Verdict | None:
        nonlocal at_verdict
        await anyio.sleep(_JUDGE)
        if not view.chunk.endswith(" 3."):
            return None
        at_verdict = len(read)
        return Verdict("reject")

    owner: AbstractAsyncContextManager[Any] = nullcontext()
    if grouped:
        owner = anyio.create_task_group()
    async with (
        owner as group,
        validate(_spoken(40, read), judge, task_group=group) as stream,
    ):
        try:
            async for _ in stream:
                pass
        except Rejected:
            pass
    return float(len(read) - at_verdict)


def _lateness() -> Table:
    rows = []
    limit = _JUDGE * 1e3 + 15
    for backend in ("asyncio", "trio"):
        for parallel in (1, 4):
            late = median(anyio.run(_late, parallel, backend=backend) for _ in range(5))
            bar = limit if parallel == 4 else None
            rows.append(
                [
                    backend,
                    f"last sentence, parallel={parallel}",
                    f"{digits(late)} ms",
                    "-" if bar is None else f"≤ {bar:.0f} ms",
                    said(None if bar is None else late <= bar),
                ]
            )
        for name, grouped in (("inline", False), ("pipelined", True)):
            more = median(
                anyio.run(partial(_read_on, grouped=grouped), backend=backend)
                for _ in range(5)
            )
            rows.append(
                [
                    backend,
                    f"rejection of sentence 4, {name}",
                    f"{more:.0f} deltas",
                    "≤ 1 delta",
                    said(more <= 1),
                ]
            )
    return Table(["event loop", "what", "measured", "bar", "met"], rows)
