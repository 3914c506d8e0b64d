"""Recorded answers through real clients: the text, its chunks, and how it ended."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import CUT, Chunker, aiter_chunks, iter_chunks
from chunkwise.deltas import atext_deltas, text_deltas
from tests.recorded_events import events_of, recordings
from tests.sdk.clients import (
    CLIENTS,
    MESSAGES,
    anthropic_helper,
    awaited,
    openai,
    openai_client,
)
from tests.sdk.replay import Replay

if TYPE_CHECKING:
    from chunkwise import Chunk
    from tests.recorded_events import Recording

RAISING = {"xd56c753b58a0", "xc7441535a1b0"}
"""Recordings with an error event, which OpenAI's client raises."""

MISTRAL = {"sa9adb52add73"}
"""Recordings of Mistral, among those of OpenAI's form."""

REDACTED = {"sb7da4cd8459b"}
"""Recordings whose identifiers were replaced, which a helper stream minds."""

pytestmark = [
    pytest.mark.skipif(not recordings(), reason="the recorded answers are not there"),
    pytest.mark.filterwarnings("ignore"),  # of the clients, about themselves
]

ASYNC = [
    pytest.param(api, backend, id=f"{api}-{backend}")
    for api, client in CLIENTS.items()
    for backend in ("asyncio", "trio")
    if client.astream is not None and (client.on_trio or backend == "asyncio")
]


def answers(api: str) -> list[Recording]:
    """Return the recordings that the client of a form can read."""
    if api == "mistral":
        return [each for each in recordings("openai-chat") if each.id in MISTRAL]
    if api == "bedrock-invoke":
        return [each for each in recordings() if each.api.startswith(api)]
    return recordings(api)


def facts(chunks: list[Chunk]) -> list[Any]:
    return [
        (chunk, chunk.start, chunk.end, chunk.gap, chunk.complete, chunk.kind)
        for chunk in chunks
    ]


def expected(recording: Recording) -> list[Any]:
    """Return the chunks of the whole text, cut where its events are cut."""
    deltas = text_deltas(events_of(recording))
    chunker = Chunker("sentence")
    chunks = []
    segment = ""
    for delta in deltas:
        if delta is CUT:
            chunks += [*chunker.feed(segment), *chunker.cut()]
            segment = ""
        else:
            segment += delta
    chunks += chunker.feed(segment)
    chunks += chunker.flush(truncated=deltas.ending not in {"stop", "tool_calls"})
    return facts(chunks)


@pytest.mark.parametrize("api", CLIENTS)
def test_text_chunks_and_ending_of_a_recording(api: str) -> None:
    found = answers(api)
    assert found
    with Replay(found[0]) as replay:
        for replay.recording in found:
            if replay.recording.id in RAISING:
                continue
            deltas = text_deltas(CLIENTS[api].stream(replay.url))
            with iter_chunks(deltas, "sentence") as chunks:
                taken = list(chunks)
            text = "".join([chunk.gap + chunk for chunk in taken]) + chunks.chunker.tail
            assert text == replay.recording.text
            assert facts(taken) == expected(replay.recording)
            without = text_deltas(events_of(replay.recording))
            deque(without, maxlen=0)
            assert deltas.ending == without.ending


async def check_async(api: str) -> None:
    found = answers(api)
    astream = CLIENTS[api].astream
    assert astream is not None
    with Replay(found[0]) as replay:
        for replay.recording in found:
            if replay.recording.id in RAISING:
                continue
            deltas = atext_deltas(await awaited(astream(replay.url)))
            async with aiter_chunks(deltas, "sentence") as chunks:
                taken = [chunk async for chunk in chunks]
            text = "".join([chunk.gap + chunk for chunk in taken]) + chunks.chunker.tail
            assert text == replay.recording.text
            assert facts(taken) == expected(replay.recording)


@pytest.mark.parametrize(("api", "anyio_backend"), ASYNC)
@pytest.mark.anyio
async def test_text_and_chunks_of_a_recording_async(
    api: str, anyio_backend: str
) -> None:
    del anyio_backend
    await check_async(api)


def helpers(url: str, api: str) -> Any:
    """Return the context manager of a helper stream, which gives each delta twice."""
    if api == "anthropic-messages":
        return anthropic_helper(url)
    client = openai_client(url)
    if api == "openai-responses":
        return client.responses.stream(model="m", input="Hello")
    return client.chat.completions.stream(model="m", messages=MESSAGES)


@pytest.mark.parametrize(
    "api", ["openai-chat", "openai-responses", "anthropic-messages"]
)
def test_a_helper_stream_is_read_once(api: str) -> None:
    found = [
        each
        for each in answers(api)
        if each.finish in {"stop", "end_turn", "completed"} and each.id not in REDACTED
    ]
    with Replay(found[0]) as replay:
        for replay.recording in found:
            with helpers(replay.url, api) as stream:
                deltas = list(text_deltas(stream))
            text = "".join(delta for delta in deltas if delta is not CUT)
            assert text == replay.recording.text


def test_a_text_stream_is_read_as_it_is() -> None:
    recording = next(each for each in answers("anthropic-messages") if each.text)
    with Replay(recording) as replay, anthropic_helper(replay.url) as stream:
        deltas = text_deltas(stream.text_stream)
        assert "".join(map(str, deltas)) == recording.text
        assert deltas.ending is None


@pytest.mark.parametrize("ident", sorted(RAISING))
def test_an_error_event_ends_the_stream_with_an_error(ident: str) -> None:
    (recording,) = [each for each in recordings() if each.id == ident]
    with Replay(recording) as replay:
        deltas = text_deltas(CLIENTS["openai-chat"].stream(replay.url))
        with pytest.raises(openai.APIError):
            list(deltas)
    assert deltas.ending == "error"


@pytest.mark.parametrize("api", ["openai-chat", "anthropic-messages"])
def test_a_body_that_just_ends_is_truncated(api: str) -> None:
    recording = next(each for each in answers(api) if each.text)
    begun = recording._replace(body=recording.body[: len(recording.body) // 2])
    with Replay(begun) as replay:
        deltas = text_deltas(CLIENTS[api].stream(replay.url))
        chunks = list(iter_chunks(deltas))
    assert deltas.ending == "truncated"
    assert not chunks[-1].complete
