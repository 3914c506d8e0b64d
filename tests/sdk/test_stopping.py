"""A stream that is left early: the server sees the client go within a second."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
import pytest

from chunkwise import aiter_chunks, iter_chunks
from chunkwise.deltas import atext_deltas, text_deltas
from tests.recorded_events import recordings
from tests.sdk.clients import ASYNC_ANTHROPIC, CLIENTS, anthropic_helper, awaited
from tests.sdk.replay import Replay
from tests.sdk.test_replays import ASYNC, answers

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.skipif(not recordings(), reason="the recorded answers are not there"),
    pytest.mark.filterwarnings("ignore"),  # of the clients, about themselves
]


class RejectedError(Exception):
    """A validator did not like what it read."""


def slow(api: str) -> Replay:
    """Return a server that gives words slowly and without end."""
    # Much text for its size: little else comes before it.
    answer = max(answers(api), key=lambda each: len(each.text) / len(each.body))
    return Replay(answer, slow=True)


@pytest.fixture(params=["break", "rejection", "cancellation"])
def way(request: pytest.FixtureRequest) -> Any:
    """Return how a stream is left."""
    return request.param


@pytest.mark.parametrize("api", CLIENTS)
def test_the_connection_is_closed_after_a_break(api: str) -> None:
    with slow(api) as replay:
        stream = CLIENTS[api].stream(replay.url)
        with iter_chunks(text_deltas(stream), "word") as chunks:
            for _ in chunks:
                break
        assert replay.gone.wait(1)
        # What the caller still holds is not what closes it.
        del stream


@pytest.mark.parametrize("api", CLIENTS)
def test_the_connection_is_closed_after_a_rejection(api: str) -> None:
    with slow(api) as replay:
        with (
            pytest.raises(RejectedError),
            iter_chunks(text_deltas(CLIENTS[api].stream(replay.url)), "word") as chunks,
        ):
            raise RejectedError(next(chunks))
        assert replay.gone.wait(1)


@pytest.mark.parametrize(("api", "anyio_backend"), ASYNC)
@pytest.mark.anyio
async def test_the_connection_of_an_async_stream_is_closed(
    api: str, anyio_backend: str, way: str
) -> None:
    del anyio_backend
    astream = CLIENTS[api].astream
    assert astream is not None
    with slow(api) as replay:
        stream = await awaited(astream(replay.url))
        await leave(stream, way)
        assert await anyio.to_thread.run_sync(replay.gone.wait, 1)
        del stream


@pytest.mark.parametrize(("api", "anyio_backend"), ASYNC)
@pytest.mark.anyio
async def test_the_connection_is_closed_where_another_task_reads(
    api: str, anyio_backend: str
) -> None:
    del anyio_backend
    astream = CLIENTS[api].astream
    assert astream is not None
    with slow(api) as replay:
        stream = await awaited(astream(replay.url))
        await leave(stream, "cancellation", idle_release=60.0)
        assert await anyio.to_thread.run_sync(replay.gone.wait, 1)
        del stream


async def leave(stream: Any, way: str, **options: Any) -> None:
    """Read two words of *stream*, then leave it."""
    with anyio.CancelScope() as scope, suppress(RejectedError):
        async with aiter_chunks(atext_deltas(stream), "word", **options) as chunks:
            await anext(chunks)
            chunk = await anext(chunks)
            if way == "rejection":
                raise RejectedError(chunk)
            if way == "cancellation":
                scope.cancel()
                await anyio.sleep_forever()


def test_the_owner_of_a_text_stream_is_closed() -> None:
    with slow("anthropic-messages") as replay:
        helper = anthropic_helper(replay.url).__enter__()
        with iter_chunks(text_deltas(helper.text_stream), "word") as chunks:
            next(chunks)
        assert replay.gone.wait(1)
        del helper


@pytest.mark.anyio
async def test_the_owner_of_an_async_text_stream_is_closed(way: str) -> None:
    with slow("anthropic-messages") as replay:
        helper = await anthropic_helper(replay.url, ASYNC_ANTHROPIC).__aenter__()
        await leave(helper.text_stream, way)
        assert await anyio.to_thread.run_sync(replay.gone.wait, 1)
        del helper


def test_leaving_a_loop_alone_stops_nothing() -> None:
    """So that the tests above can fail."""
    with slow("openai-chat") as replay:
        stream = CLIENTS["openai-chat"].stream(replay.url)
        for _ in stream:
            break
        assert not replay.gone.wait(0.3)
        stream.close()
        assert replay.gone.wait(1)


def generated(stream: Any) -> Iterator[str]:
    for event in stream:
        yield event.choices[0].delta.content or ""


def test_a_closer_closes_what_a_generator_hides() -> None:
    with slow("openai-chat") as replay:
        stream = CLIENTS["openai-chat"].stream(replay.url)
        deltas = text_deltas(generated(stream), closer=stream.close)
        with iter_chunks(deltas, "word") as chunks:
            next(chunks)
        assert replay.gone.wait(1)
