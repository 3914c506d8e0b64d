"""The recipe for Pydantic AI, with a model that is a function: no recorded answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from anyio.lowlevel import checkpoint

from chunkwise import SourceError, aiter_chunks, iter_chunks
from chunkwise.deltas import atext_deltas

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pydantic_ai: Any = pytest.importorskip("pydantic_ai")
function: Any = pytest.importorskip("pydantic_ai.models.function")

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("anyio_backend", ["asyncio"]),
]

DELTAS = ["It is o", "n. It cos", "ts 3.", "50 a page! Wh", "y? Be", "cause"]


class Model:
    """Writes the deltas above, as far as it is asked to.

    Attributes:
        agent: An agent that asks it.
        written: How many deltas it wrote.
        closed: How often it was closed.
    """

    def __init__(self) -> None:
        model = function.FunctionModel(stream_function=self._write)
        self.agent: Any = pydantic_ai.Agent(model)
        self.written = 0
        self.closed = 0

    async def _write(self, _: Any, __: Any) -> AsyncIterator[str]:
        try:
            for delta in DELTAS:
                await checkpoint()
                self.written += 1
                yield delta
        finally:
            self.closed += 1


async def test_the_chunks_are_those_of_the_text() -> None:
    model = Model()
    async with model.agent.run_stream("Hello") as run:
        stream = run.stream_text(delta=True, debounce_by=None)
        async with aiter_chunks(atext_deltas(stream), "sentence") as sentences:
            found = [(chunk, chunk.start) async for chunk in sentences]
    text = "".join(DELTAS)
    assert found == [(chunk, chunk.start) for chunk in iter_chunks(text)]
    assert (model.written, model.closed) == (len(DELTAS), 1)


async def test_a_sentence_comes_while_the_model_writes_and_leaving_stops_it() -> None:
    model = Model()
    async with model.agent.run_stream("Hello") as run:
        stream = run.stream_text(delta=True, debounce_by=None)
        async with aiter_chunks(atext_deltas(stream), "sentence") as sentences:
            assert await anext(sentences) == "It is on."
            assert (model.written, model.closed) == (2, 0)
    assert (model.written, model.closed) == (2, 1)


async def test_without_deltas_the_text_is_refused() -> None:
    model = Model()
    async with model.agent.run_stream("Hello") as run:
        deltas = atext_deltas(run.stream_text(debounce_by=None))
        with pytest.raises(SourceError, match="all the text so far again"):
            [delta async for delta in deltas]
