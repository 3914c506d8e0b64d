"""The streams of frameworks over real clients: text, ending, and leaving them early."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio.to_thread
import pytest

from chunkwise import CUT, SourceError, iter_chunks
from chunkwise.deltas import atext_deltas, text_deltas
from tests.recorded_events import recordings
from tests.sdk.replay import Replay
from tests.sdk.test_replays import answers
from tests.sdk.test_stopping import leave, slow

if TYPE_CHECKING:
    from tests.recorded_events import Recording

langchain_openai: Any = pytest.importorskip("langchain_openai")
pydantic_ai: Any = pytest.importorskip("pydantic_ai")
pydantic_models: Any = pytest.importorskip("pydantic_ai.models.openai")
pydantic_providers: Any = pytest.importorskip("pydantic_ai.providers.openai")

pytestmark = [
    pytest.mark.skipif(not recordings(), reason="the recorded answers are not there"),
    pytest.mark.filterwarnings("ignore"),  # of the clients, about themselves
]


def longest() -> Recording:
    return max(answers("openai-chat"), key=lambda recording: len(recording.text))


def langchain(url: str) -> Any:
    return langchain_openai.ChatOpenAI(
        base_url=url, api_key="none", model="m", max_retries=0
    )


def agent(url: str) -> Any:
    provider = pydantic_providers.OpenAIProvider(base_url=url, api_key="none")
    return pydantic_ai.Agent(pydantic_models.OpenAIChatModel("m", provider=provider))


def test_langchain_gives_its_text_and_ending() -> None:
    with Replay(longest()) as replay:
        deltas = text_deltas(langchain(replay.url).stream("Hello"))
        assert "".join(map(str, deltas)) == replay.recording.text
    assert deltas.ending == "stop"


def test_the_connection_of_langchain_is_closed() -> None:
    with slow("openai-chat") as replay:
        stream = langchain(replay.url).stream("Hello")
        with iter_chunks(text_deltas(stream), "word") as chunks:
            next(chunks)
        assert replay.gone.wait(1)
        del stream


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("way", ["break", "rejection", "cancellation"])
@pytest.mark.anyio
async def test_the_connection_of_async_langchain_is_closed(way: str) -> None:
    with slow("openai-chat") as replay:
        await leave(langchain(replay.url).astream("Hello"), way)
        assert await anyio.to_thread.run_sync(replay.gone.wait, 1)


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.anyio
async def test_pydantic_ai_gives_its_text() -> None:
    with Replay(longest()) as replay:
        async with agent(replay.url).run_stream("Hello") as run:
            stream = run.stream_text(delta=True, debounce_by=None)
            found = [delta async for delta in atext_deltas(stream)]
            assert "".join(map(str, found)) == replay.recording.text
        async with agent(replay.url).run_stream_events("Hello") as events:
            found = [delta async for delta in atext_deltas(events)]
            assert CUT not in found
            assert "".join(map(str, found)) == replay.recording.text


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.anyio
async def test_the_whole_text_of_pydantic_ai_again_and_again_is_refused() -> None:
    with Replay(longest()) as replay:
        async with agent(replay.url).run_stream("Hello") as run:
            deltas = atext_deltas(run.stream_text(debounce_by=None))
            with pytest.raises(SourceError, match="all the text so far again"):
                [delta async for delta in deltas]


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.parametrize("way", ["break", "rejection", "cancellation"])
@pytest.mark.anyio
async def test_the_connection_of_pydantic_ai_is_closed(way: str) -> None:
    with slow("openai-chat") as replay:
        with anyio.CancelScope():
            async with agent(replay.url).run_stream("Hello") as run:
                await leave(run.stream_text(delta=True, debounce_by=None), way)
        assert await anyio.to_thread.run_sync(replay.gone.wait, 1)
