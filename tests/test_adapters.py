"""iter_chunks and aiter_chunks: what is read, handed out and closed, and when."""

from __future__ import annotations

import asyncio
import subprocess
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    PendingLimitError,
    StreamStateError,
    UnknownStrategyError,
    WordChunking,
    atext_deltas,
    text_deltas,
)
from chunkwise._adapters import (
    AsyncChunkIterator,
    ChunkIterator,
    aiter_chunks,
    iter_chunks,
)
from chunkwise._cut import CUT
from chunkwise._reading import Reading, SyncReading
from chunkwise.deltas import asplit_tags, split_tags
from tests.pausing import LONG, SHORT, Stream

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterable,
        AsyncIterator,
        Iterable,
        Iterator,
    )

    from typing_extensions import Self

    from chunkwise import Chunk
    from chunkwise._cut import Cut

WORDS = ("The ", "qui", "ck fox", " jumps")


class Interrupt(BaseException):
    """Like ``KeyboardInterrupt``, which test runners take for themselves."""


class Deltas:
    """A stream that counts what is asked of it, and how often it is closed.

    An item that is an exception is raised. After the last item the stream ends.
    """

    def __init__(
        self,
        *items: str | Cut | BaseException,
        close_error: BaseException | None = None,
    ) -> None:
        self._items = iter(items)
        self._close_error = close_error
        self.asked = 0
        self.closed = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str | Cut:
        self.asked += 1
        item = next(self._items)
        if isinstance(item, BaseException):
            raise item
        return item

    def close(self) -> None:
        """Count the call, then raise the error if there is one."""
        self.closed += 1
        if self._close_error is not None:
            raise self._close_error


class AsyncDeltas:
    """The same as an async stream, which really waits before each item.

    It waits for ever before an item ``None``. What was cancelled while waiting is
    counted too.
    """

    def __init__(
        self,
        *items: str | Cut | BaseException | None,
        close_error: BaseException | None = None,
    ) -> None:
        self._items = iter(items)
        self._close_error = close_error
        self.asked = 0
        self.closed = 0
        self.cancelled = 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str | Cut:
        self.asked += 1
        try:
            item = next(self._items)
        except StopIteration:
            raise StopAsyncIteration from None
        try:
            await (anyio.sleep_forever if item is None else anyio.lowlevel.checkpoint)()
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        if isinstance(item, BaseException):
            raise item
        assert item is not None
        return item

    async def aclose(self) -> None:
        """Wait, count the call, then raise the error if there is one."""
        await anyio.lowlevel.checkpoint()
        self.closed += 1
        if self._close_error is not None:
            raise self._close_error


class Endless(SyncReading[str]):
    """A reading that leaves an error to be raised behind what its first item gave."""

    def __init__(self, source: Deltas) -> None:
        super().__init__(source, None)

    def _take(self, item: str) -> None:
        self._ready.append(item)
        self._due = ValueError("no text")
        self._over = True

    def _take_end(self) -> None:
        """Leave the end as it is."""


class BrokenChunking(ChunkingStrategy[None]):
    """Cuts at white space; raises *error* when the text holds its message."""

    def __init__(self, error: Exception, *, at_flush: bool = False) -> None:
        self._error = error
        self._at_flush = at_flush

    def split(self, text: str) -> list[str]:
        """Return all words but the last, or raise."""
        if not self._at_flush and str(self._error) in text:
            raise self._error
        return text.split()[:-1]

    def flush(self, text: str) -> list[str]:
        """Raise."""
        del text
        raise self._error


def gaps(chunks: list[Chunk]) -> list[tuple[str, str]]:
    """Return gap and text of each chunk: together they are the stream."""
    return [(chunk.gap, str(chunk)) for chunk in chunks]


def rebuilt(given: list[Chunk], chunks: ChunkIterator | AsyncChunkIterator) -> str:
    """Return all that was read: handed out, unread, and held back."""
    released = "".join(c.gap + c for c in (*given, *chunks.unread))
    return released + chunks.chunker.pending + chunks.chunker.tail


async def taken(chunks: AsyncChunkIterator) -> list[Chunk]:
    """Return all chunks that *chunks* still gives."""
    return [chunk async for chunk in chunks]


# --- what goes in -------------------------------------------------------------------


def test_chunks_are_those_of_a_chunker_however_the_text_arrives() -> None:
    text = "It is on. Now wait!  Bye."
    chunker = Chunker("sentence")
    expected = gaps(chunker.feed(text) + chunker.flush())
    assert expected == [("", "It is on."), (" ", "Now wait!"), ("  ", "Bye.")]
    for deltas in ([text], text, list(text), ["", *text, ""], iter(text)):
        assert gaps(list(iter_chunks(deltas))) == expected


@pytest.mark.anyio
async def test_async_chunks_are_those_of_the_twin() -> None:
    text = "It is on. Now wait!  Bye."
    expected = gaps(list(iter_chunks(text)))
    sources: list[AsyncIterable[str | Cut] | Iterable[str]] = [
        AsyncDeltas(*text),
        AsyncDeltas("", text, ""),
        [text],
        text,
    ]
    for deltas in sources:
        assert gaps(await taken(aiter_chunks(deltas))) == expected


@pytest.mark.parametrize(
    "strategy",
    ["word", {"type": "word"}, WordChunking()],
    ids=["name", "dictionary", "instance"],
)
def test_a_strategy_is_an_alias_a_dictionary_or_an_instance(strategy: Any) -> None:
    assert list(iter_chunks("a b", strategy)) == ["a", "b"]


def test_options_are_those_of_the_chunker() -> None:
    chunks = iter_chunks("ab", "word", metadata={"id": 7}, check="full", max_pending=2)
    assert next(chunks).metadata == {"id": 7}


def test_no_strategy_of_that_name_leaves_the_stream_open() -> None:
    deltas = Deltas()
    with pytest.raises(UnknownStrategyError):
        iter_chunks(deltas, "sentences")
    assert deltas.closed == 0


def test_cut_is_a_boundary_between_two_deltas() -> None:
    chunks = list(iter_chunks(["A", "B", CUT, CUT, "C"], "word"))
    assert [(str(c), c.start, c.complete) for c in chunks] == [
        ("AB", 0, True),
        ("C", 2, False),
    ]
    assert repr(CUT) == "CUT"


@pytest.mark.anyio
async def test_cut_is_a_boundary_in_an_async_stream() -> None:
    chunks = await taken(aiter_chunks(AsyncDeltas("AB", CUT, "C"), "word"))
    assert [(str(c), c.complete) for c in chunks] == [("AB", True), ("C", False)]


@pytest.mark.parametrize(
    ("deltas", "told"),
    [
        (None, "expected an iterable of str, got NoneType$"),
        (AsyncDeltas(), r"got AsyncDeltas; use aiter_chunks\(\)"),
        (asyncio.Future, "got type$"),
        (subprocess.Popen.__new__(subprocess.Popen), "got Popen; enter it first"),
        (b"bytes", "a delta must be a str, got bytes; decode"),
    ],
    ids=["None", "async", "class", "context manager", "bytes"],
)
def test_what_is_no_stream_of_text_is_refused_at_once(deltas: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        iter_chunks(deltas)


@pytest.mark.anyio
async def test_a_coroutine_is_refused_with_the_way_out() -> None:
    async def create() -> list[str]:
        return ["a"]

    stream: Any = create()
    with pytest.raises(TypeError, match="got coroutine; await it first"):
        aiter_chunks(stream)
    assert await taken(aiter_chunks(await stream)) == ["a"]


@pytest.mark.anyio
async def test_an_async_context_manager_is_refused_with_the_way_out() -> None:
    class Manager:
        async def __aenter__(self) -> None: ...

    manager: Any = Manager()
    with pytest.raises(TypeError, match="an async or plain iterable of str, got Man"):
        aiter_chunks(manager)


def test_a_delta_that_is_not_text_closes_the_stream() -> None:
    deltas: Any = Deltas("a ", None)  # type: ignore[arg-type]  # what is tested
    chunks = iter_chunks(deltas, "word")
    assert next(chunks) == "a"
    with pytest.raises(TypeError, match="got NoneType; skip events"):
        next(chunks)
    assert deltas.closed == 1


# --- reading lazily -----------------------------------------------------------------


def test_nothing_is_read_before_it_is_asked_for() -> None:
    deltas = Deltas(*WORDS)
    chunks = iter_chunks(deltas, "word")
    assert deltas.asked == 0
    assert (next(chunks), deltas.asked) == ("The", 1)
    assert (next(chunks), deltas.asked) == ("quick", 3)


@pytest.mark.anyio
async def test_nothing_is_read_from_an_async_stream_before_it_is_asked_for() -> None:
    deltas = AsyncDeltas(*WORDS)
    async with aiter_chunks(deltas, "word") as chunks:
        assert deltas.asked == 0
        assert (await anext(chunks), deltas.asked) == ("The", 1)
        assert (await anext(chunks), deltas.asked) == ("quick", 3)


def test_all_chunks_of_a_delta_are_handed_out_before_the_next_one_is_read() -> None:
    deltas = Deltas("a b c ", "d ")
    chunks = iter_chunks(deltas, "word")
    assert [next(chunks), next(chunks), next(chunks)] == ["a", "b", "c"]
    assert deltas.asked == 1


# --- the natural end ----------------------------------------------------------------


def test_the_stream_is_closed_before_the_last_chunks_are_handed_out() -> None:
    deltas = Deltas("a b")
    chunks = iter_chunks(deltas, "word")
    assert (next(chunks), deltas.closed) == ("a", 0)
    assert (next(chunks), deltas.closed) == ("b", 1)
    assert list(chunks) == []
    chunks.close()
    assert deltas.closed == 1


@pytest.mark.anyio
async def test_an_async_stream_is_closed_before_the_last_chunks() -> None:
    deltas = AsyncDeltas("a b")
    chunks = aiter_chunks(deltas, "word")
    assert (await anext(chunks), deltas.closed) == ("a", 0)
    assert (await anext(chunks), deltas.closed) == ("b", 1)
    assert await taken(chunks) == []
    await chunks.aclose()
    assert (deltas.closed, deltas.asked) == (1, 2)


def test_an_error_of_that_close_is_raised_behind_the_last_chunk() -> None:
    chunks = iter_chunks(Deltas("a b", close_error=OSError("gone")), "word")
    assert [next(chunks), next(chunks)] == ["a", "b"]
    with pytest.raises(OSError, match="gone"):
        next(chunks)
    assert list(chunks) == []
    assert str(chunks.close_error) == "gone"


@pytest.mark.anyio
async def test_an_error_of_that_aclose_is_raised_behind_the_last_chunk() -> None:
    chunks = aiter_chunks(AsyncDeltas("a b", close_error=OSError("gone")), "word")
    assert [await anext(chunks), await anext(chunks)] == ["a", "b"]
    with pytest.raises(OSError, match="gone"):
        await anext(chunks)
    assert await taken(chunks) == []
    assert str(chunks.close_error) == "gone"


def test_an_error_of_that_close_passes_through_what_reads_in_between() -> None:
    deltas = text_deltas(Deltas("a b", close_error=OSError("gone")))
    chunks = iter_chunks(split_tags(deltas, "think"), "word")
    assert [next(chunks), next(chunks)] == ["a", "b"]
    with pytest.raises(OSError, match="gone"):
        next(chunks)
    assert deltas.ending is None
    assert chunks.chunker.pending == ""


@pytest.mark.anyio
async def test_an_error_of_that_aclose_passes_through_what_reads_in_between() -> None:
    deltas = atext_deltas(AsyncDeltas("a b", close_error=OSError("gone")))
    chunks = aiter_chunks(asplit_tags(deltas, "think"), "word")
    assert [await anext(chunks), await anext(chunks)] == ["a", "b"]
    with pytest.raises(OSError, match="gone"):
        await anext(chunks)


def test_with_a_closer_an_error_of_that_close_is_not_lost() -> None:
    deltas = text_deltas(Deltas("a b", close_error=OSError("gone")))
    chunks = iter_chunks(deltas, "word", closer=lambda: None)
    with pytest.raises(OSError, match="gone"):
        list(chunks)


def test_an_error_of_that_close_is_raised_by_close_if_it_was_not_before() -> None:
    chunks = iter_chunks(Deltas("a b", close_error=OSError("gone")), "word")
    assert [next(chunks), next(chunks)] == ["a", "b"]
    with pytest.raises(OSError, match="gone"):
        chunks.close()
    chunks.close()


@pytest.mark.anyio
async def test_an_error_of_that_aclose_is_raised_by_aclose() -> None:
    chunks = aiter_chunks(AsyncDeltas("a b", close_error=OSError("gone")), "word")
    assert [await anext(chunks), await anext(chunks)] == ["a", "b"]
    with pytest.raises(OSError, match="gone"):
        await chunks.aclose()
    await chunks.aclose()


def test_an_interrupt_during_that_close_keeps_the_last_chunks() -> None:
    chunks = iter_chunks(Deltas("a b", close_error=Interrupt()), "word")
    assert next(chunks) == "a"
    with pytest.raises(Interrupt):
        next(chunks)
    assert list(chunks) == []
    assert chunks.unread == ("b",)


def test_an_error_of_the_flush_closes_the_stream_first() -> None:
    deltas = Deltas("a b")
    chunks = iter_chunks(deltas, BrokenChunking(OSError("broken"), at_flush=True))
    assert next(chunks) == "a"
    with pytest.raises(OSError, match="broken"):
        next(chunks)
    assert (deltas.closed, chunks.chunker.pending) == (1, " b")


@pytest.mark.anyio
async def test_an_error_of_the_flush_closes_an_async_stream_unpoked() -> None:
    deltas = AsyncDeltas("a b")
    strategy = BrokenChunking(OSError("broken"), at_flush=True)
    chunks = aiter_chunks(deltas, strategy)
    assert await anext(chunks) == "a"
    with pytest.raises(OSError, match="broken"):
        await anext(chunks)
    assert (deltas.closed, deltas.asked) == (1, 2)


# --- leaving early ------------------------------------------------------------------


def test_break_alone_closes_nothing() -> None:
    deltas = Deltas(*WORDS)
    chunks = iter_chunks(deltas, "word")
    for _ in chunks:
        break
    assert deltas.closed == 0
    assert next(chunks) == "quick"


def test_leaving_a_with_block_closes_and_releases_nothing() -> None:
    deltas = Deltas(*WORDS)
    with iter_chunks(deltas, "word") as chunks:
        given = [next(chunks), next(chunks)]
    assert deltas.closed == 1
    assert list(chunks) == []
    assert chunks.chunker.pending == " fox"
    assert rebuilt(given, chunks) == "The quick fox"


@pytest.mark.anyio
async def test_leaving_an_async_with_block_closes_and_releases_nothing() -> None:
    deltas = AsyncDeltas(*WORDS)
    async with aiter_chunks(deltas, "word") as chunks:
        given = [await anext(chunks), await anext(chunks)]
    assert deltas.closed == 1
    assert await taken(chunks) == []
    assert rebuilt(given, chunks) == "The quick fox"


def test_close_is_idempotent() -> None:
    deltas = Deltas(*WORDS)
    chunks = iter_chunks(deltas, "word")
    chunks.close()
    chunks.close()
    assert (deltas.closed, deltas.asked) == (1, 0)
    assert list(chunks) == []


@pytest.mark.anyio
async def test_aclose_is_idempotent_and_pokes_no_stream_that_was_not_read() -> None:
    deltas = AsyncDeltas(*WORDS)
    chunks = aiter_chunks(deltas, "word")
    await chunks.aclose()
    await chunks.aclose()
    assert (deltas.closed, deltas.asked) == (1, 0)
    assert await taken(chunks) == []


def test_chunks_that_nobody_asked_for_stay_in_unread() -> None:
    with iter_chunks(["a b c d"], "word") as chunks:
        given = [next(chunks)]
    assert list(chunks) == []
    assert chunks.unread == ("b", "c")
    assert rebuilt(given, chunks) == "a b c d"


def test_an_error_of_close_is_raised_without_another_error() -> None:
    with (
        pytest.raises(OSError, match="gone"),
        iter_chunks(Deltas(*WORDS, close_error=OSError("gone"))),
    ):
        pass


@pytest.mark.anyio
async def test_an_error_of_aclose_is_raised_without_another_error() -> None:
    with pytest.raises(OSError, match="gone"):
        async with aiter_chunks(AsyncDeltas(close_error=OSError("gone"))):
            pass


def test_an_error_of_close_never_replaces_one_of_the_block() -> None:
    error = NotedError("block")
    chunks = iter_chunks(Deltas(*WORDS, close_error=OSError("gone")))
    with pytest.raises(NotedError, match="block"), chunks:
        raise error
    assert error.notes == ["closing the source failed, too: OSError: gone"]
    assert str(chunks.close_error) == "gone"


@pytest.mark.anyio
async def test_an_error_of_aclose_never_replaces_one_of_the_block() -> None:
    error = NotedError("block")
    chunks = aiter_chunks(AsyncDeltas(*WORDS, close_error=OSError("gone")))
    with pytest.raises(NotedError, match="block"):
        async with chunks:
            raise error
    assert error.notes == ["closing the source failed, too: OSError: gone"]
    assert str(chunks.close_error) == "gone"


class NotedError(Exception):
    """Takes notes on every Python version."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.notes: list[str] = []

    def add_note(self, note: str, /) -> None:
        """Keep the note."""
        self.notes.append(note)


def test_a_closer_is_called_once_in_place_of_close() -> None:
    deltas = Deltas(*WORDS)
    calls: list[str] = []
    with iter_chunks(deltas, closer=lambda: calls.append("closer")) as chunks:
        chunks.close()
    assert (calls, deltas.closed) == (["closer"], 0)


@pytest.mark.anyio
async def test_an_async_closer_is_called_once_in_place_of_poke_and_aclose() -> None:
    deltas = AsyncDeltas(*WORDS)
    calls: list[str] = []

    async def closer() -> None:
        await anyio.lowlevel.checkpoint()
        calls.append("closer")

    async with aiter_chunks(deltas, "word", closer=closer) as chunks:
        assert await anext(chunks) == "The"
    assert (calls, deltas.closed, deltas.asked) == (["closer"], 0, 1)


def test_a_generator_is_closed_where_it_stands() -> None:
    ended: list[str] = []

    def deltas() -> Iterator[str]:
        try:
            yield from WORDS
        finally:
            ended.append("closed")

    with iter_chunks(deltas(), "word") as chunks:
        next(chunks)
        assert ended == []
    assert ended == ["closed"]


# --- errors -------------------------------------------------------------------------


@pytest.mark.parametrize("before", [(), ("a b",)], ids=["first", "later"])
def test_an_error_of_the_stream_comes_through_unchanged(
    before: tuple[str, ...],
) -> None:
    error = OSError("reset")
    deltas = Deltas(*before, error)
    chunks = iter_chunks(deltas, "word")
    given = [next(chunks) for _ in before]
    with pytest.raises(OSError, match="reset") as raised:
        next(chunks)
    assert raised.value is error
    assert raised.value.__cause__ is raised.value.__context__ is None
    assert deltas.closed == 1
    assert list(chunks) == []
    assert rebuilt(given, chunks) == "".join(before)


@pytest.mark.anyio
@pytest.mark.parametrize("before", [(), ("a b",)], ids=["first", "later"])
async def test_an_error_of_an_async_stream_comes_through_and_nothing_is_poked(
    before: tuple[str, ...],
) -> None:
    error = OSError("reset")
    deltas = AsyncDeltas(*before, error, "never read")
    chunks = aiter_chunks(deltas, "word")
    given = [await anext(chunks) for _ in before]
    with pytest.raises(OSError, match="reset") as raised:
        await anext(chunks)
    assert raised.value is error
    assert (deltas.closed, deltas.asked) == (1, len(before) + 1)
    assert await taken(chunks) == []
    assert rebuilt(given, chunks) == "".join(before)


def test_an_interrupt_closes_the_stream_as_well() -> None:
    deltas = Deltas(Interrupt())
    with pytest.raises(Interrupt):
        next(iter_chunks(deltas))
    assert deltas.closed == 1


def test_a_stream_that_cannot_be_iterated_over_is_closed() -> None:
    class Unready(Deltas):
        def __iter__(self) -> Self:
            raise OSError(404)

    deltas = Unready()
    with pytest.raises(OSError, match="404"):
        next(iter_chunks(deltas))
    assert deltas.closed == 1


def test_an_error_of_the_strategy_closes_the_stream() -> None:
    deltas = Deltas("a b", "c!", "never read")
    chunks = iter_chunks(deltas, BrokenChunking(OSError("!")))
    given = [next(chunks)]
    with pytest.raises(OSError, match="!"):
        next(chunks)
    assert (deltas.closed, deltas.asked) == (1, 2)
    assert list(chunks) == []
    assert rebuilt(given, chunks) + chunks.refused == "a bc!"


@pytest.mark.anyio
async def test_an_error_of_the_strategy_pokes_and_closes_the_stream() -> None:
    deltas = AsyncDeltas("a b", "c!", None)
    chunks = aiter_chunks(deltas, BrokenChunking(OSError("!")))
    assert await anext(chunks) == "a"
    with pytest.raises(OSError, match="!"):
        await anext(chunks)
    assert (deltas.closed, deltas.cancelled) == (1, 1)
    assert await taken(chunks) == []
    assert chunks.refused == "c!"


def test_what_is_no_delta_is_not_kept() -> None:
    wrong: Any = ["a b", None]
    chunks = iter_chunks(wrong, "word")
    assert next(chunks) == "a"
    with pytest.raises(TypeError, match="a delta must be a str"):
        next(chunks)
    assert (chunks.refused, chunks.chunker.pending) == ("", " b")


def test_a_limit_that_is_reached_closes_the_stream_and_carries_chunks() -> None:
    deltas = Deltas("a ", "b cdefg", "never read")
    chunks = iter_chunks(deltas, "word", max_pending=5)
    given = [next(chunks)]
    with pytest.raises(PendingLimitError) as raised:
        next(chunks)
    assert (deltas.closed, deltas.asked) == (1, 2)
    assert raised.value.chunks == ["b"]
    assert chunks.refused == ""
    assert rebuilt([*given, *raised.value.chunks], chunks) == "a b cdefg"
    assert chunks.chunker.flush() == ["cdefg"]


def test_an_error_while_closing_is_a_note_on_the_error_before_it() -> None:
    error = NotedError("reset")
    chunks = iter_chunks(Deltas(error, close_error=OSError("gone")))
    with pytest.raises(NotedError, match="reset"):
        next(chunks)
    assert error.notes == ["closing the source failed, too: OSError: gone"]
    assert str(chunks.close_error) == "gone"


@pytest.mark.anyio
async def test_an_error_in_aclose_is_a_note_on_the_error_before_it() -> None:
    error = NotedError("reset")
    chunks = aiter_chunks(AsyncDeltas(error, close_error=OSError("gone")))
    with pytest.raises(NotedError, match="reset"):
        await anext(chunks)
    assert error.notes == ["closing the source failed, too: OSError: gone"]
    assert str(chunks.close_error) == "gone"


@pytest.mark.parametrize("error", [StopIteration("!"), StopAsyncIteration("!")])
@pytest.mark.anyio
async def test_a_stray_stop_of_the_strategy_is_no_silent_end(error: Exception) -> None:
    """A ``for`` loop would take it for the end of the stream and lose the rest."""
    chunks = aiter_chunks(AsyncDeltas("!", None), BrokenChunking(error))
    with pytest.raises(RuntimeError, match=f"raised {type(error).__name__}"):
        await anext(chunks)
    if isinstance(error, StopIteration):
        with pytest.raises(RuntimeError, match="or the stream raised StopIteration"):
            next(iter_chunks("!", BrokenChunking(error)))


@pytest.mark.anyio
async def test_a_stray_stop_of_the_close_is_no_silent_end() -> None:
    """It is raised behind the last chunk, as any error of the close at the end."""

    def fail_sync() -> None:
        raise StopIteration

    async def fail_async() -> None:
        raise StopAsyncIteration

    chunks = iter_chunks("Hi. ", closer=fail_sync)
    assert next(chunks) == "Hi."
    with pytest.raises(RuntimeError, match="raised StopIteration"):
        next(chunks)
    achunks = aiter_chunks("Hi. ", closer=fail_async)
    assert await anext(achunks) == "Hi."
    with pytest.raises(RuntimeError, match="raised StopAsyncIteration"):
        await anext(achunks)


# --- async sources ------------------------------------------------------------------


@pytest.mark.anyio
async def test_leaving_early_unwinds_nested_generators() -> None:
    ended: list[str] = []

    async def inner() -> AsyncIterator[str]:
        try:
            for word in WORDS:
                yield word
                await anyio.lowlevel.checkpoint()
        finally:
            ended.append("inner")

    async def outer(inner: AsyncIterator[str]) -> AsyncIterator[str]:
        async for item in inner:
            yield item

    held = inner()
    async with aiter_chunks(outer(held), "word") as chunks:
        assert await anext(chunks) == "The"
        assert ended == []
    assert ended == ["inner"]


@pytest.mark.anyio
async def test_leaving_early_pokes_once_and_closes_once() -> None:
    deltas = AsyncDeltas("a b", None)
    async with aiter_chunks(deltas, "word") as chunks:
        assert await anext(chunks) == "a"
    assert (deltas.asked, deltas.cancelled, deltas.closed) == (2, 1, 1)


@pytest.mark.anyio
async def test_an_error_of_the_poke_is_recorded_and_not_raised() -> None:
    class Translating(AsyncDeltas):
        async def __anext__(self) -> str | Cut:
            try:
                return await super().__anext__()
            except anyio.get_cancelled_exc_class():
                raise TimeoutError from None

    deltas = Translating("a b", None)
    async with aiter_chunks(deltas, "word") as chunks:
        assert await anext(chunks) == "a"
    assert isinstance(chunks.close_error, TimeoutError)
    assert (deltas.asked, deltas.closed) == (2, 1)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_stream_that_holds_a_scope_is_closed_and_the_error_recorded(
    backend: str,
) -> None:
    """In a run of its own: on asyncio the scope stays open in the task."""
    ended: list[str] = []

    async def deltas() -> AsyncIterator[str]:
        try:
            with anyio.CancelScope():
                yield "a b"
                await anyio.sleep_forever()
        finally:
            ended.append("closed")

    async def main() -> BaseException | None:
        async with aiter_chunks(deltas(), "word") as chunks:
            assert await anext(chunks) == "a"
        return chunks.close_error

    assert isinstance(anyio.run(main, backend=backend), RuntimeError)
    assert ended == ["closed"]


@pytest.mark.anyio
async def test_a_plain_iterable_is_closed_by_its_close() -> None:
    deltas = Deltas(*WORDS)
    async with aiter_chunks(deltas, "word") as chunks:
        assert await anext(chunks) == "The"
    assert (deltas.closed, deltas.asked) == (1, 1)
    assert chunks.close_error is None


@pytest.mark.anyio
async def test_a_stream_that_is_both_sync_and_async_is_read_the_async_way() -> None:
    class Both(AsyncDeltas):
        def __iter__(self) -> Iterator[str]:
            raise AssertionError

    assert await taken(aiter_chunks(Both("a b"), "word")) == ["a", "b"]


@pytest.mark.anyio
async def test_a_stream_that_never_waits_lets_other_tasks_run() -> None:
    """Empty deltas are a fifth of some streams."""
    stopped: list[bool] = []

    def endless() -> Iterator[str]:
        while not stopped:
            yield ""

    async def stop() -> None:
        await anyio.lowlevel.checkpoint()
        stopped.append(True)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(stop)
        assert await taken(aiter_chunks(endless())) == []


# --- cancellation -------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_task_that_is_cancelled_while_it_waits_closes_the_stream() -> None:
    deltas = AsyncDeltas("a b", None)
    chunks = aiter_chunks(deltas, "word")
    given: list[Chunk] = []

    async def read() -> None:
        async for chunk in chunks:
            given.append(chunk)  # noqa: PERF401 - kept when it is cancelled

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    assert (deltas.closed, deltas.cancelled, deltas.asked) == (1, 1, 2)
    assert rebuilt(given, chunks) == "a b"
    assert await taken(chunks) == []


@pytest.mark.anyio
async def test_a_task_that_is_cancelled_while_it_is_busy_closes_the_stream() -> None:
    deltas = AsyncDeltas("a b", None)
    with anyio.CancelScope() as scope:
        async with aiter_chunks(deltas, "word") as chunks:
            async for _ in chunks:
                scope.cancel()
                await anyio.lowlevel.checkpoint()
    assert scope.cancelled_caught
    assert (deltas.closed, deltas.cancelled, deltas.asked) == (1, 1, 2)


@pytest.mark.anyio
async def test_a_cancellation_between_empty_deltas_loses_nothing() -> None:
    deltas = Deltas("a", *[""] * 200, "b c")
    chunks = aiter_chunks(deltas, "word")
    with anyio.CancelScope() as scope:
        scope.cancel()
        await anext(chunks)
    assert deltas.closed == 1
    assert rebuilt([], chunks) == "a"


@pytest.mark.parametrize("waiting", [True, False], ids=["waiting", "busy"])
def test_a_task_that_asyncio_cancels_closes_the_stream(*, waiting: bool) -> None:
    deltas = AsyncDeltas("a b", None)
    chunks = aiter_chunks(deltas, "word")

    async def read() -> None:
        async with chunks:
            async for _ in chunks:
                await asyncio.sleep(0 if waiting else 3600)

    async def main() -> None:
        task = asyncio.create_task(read())
        await anyio.wait_all_tasks_blocked()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert (deltas.closed, deltas.cancelled, deltas.asked) == (1, 1, 2)


@pytest.mark.anyio
async def test_a_wait_that_is_thrown_away_leaves_the_close_to_aclose() -> None:
    """As when an event loop is shut down: nothing can be awaited any more."""
    deltas = AsyncDeltas("a b")
    chunks = aiter_chunks(deltas, "word")
    wait = chunks.__anext__()
    wait.send(None)
    wait.close()
    assert deltas.closed == 0
    await chunks.aclose()
    assert (deltas.closed, deltas.asked) == (1, 1)


# --- one reader at a time -----------------------------------------------------------


def test_a_stream_that_reads_its_own_chunks_is_told_so() -> None:
    def deltas() -> Iterator[str]:
        with pytest.raises(StreamStateError, match=r"__next__\(\) while another such"):
            next(chunks)
        yield "a b"

    chunks = iter_chunks(deltas(), "word")
    assert list(chunks) == ["a", "b"]


def test_a_stream_that_closes_its_own_chunks_is_closed_behind_its_wait() -> None:
    ended: list[str] = []

    def deltas() -> Iterator[str]:
        try:
            yield "a b"
            with pytest.raises(StreamStateError, match=r"close\(\) while another call"):
                chunks.close()
            yield " no longer wanted"
        finally:
            ended.append("closed")

    chunks = iter_chunks(deltas(), "word")
    given = list(chunks)
    assert ended == ["closed"]
    assert rebuilt(given, chunks) == "a b"


def test_closing_during_the_last_wait_releases_no_fragment() -> None:
    def deltas() -> Iterator[str]:
        yield "a b"
        with pytest.raises(StreamStateError):
            chunks.close()

    chunks = iter_chunks(deltas(), "word")
    assert list(chunks) == ["a"]
    assert chunks.chunker.pending == " b"


@pytest.mark.anyio
async def test_a_second_reader_is_refused_and_the_first_one_goes_on() -> None:
    arrived = anyio.Event()

    async def deltas() -> AsyncIterator[str]:
        await arrived.wait()
        yield "a b"

    given: list[Chunk] = []
    chunks = aiter_chunks(deltas(), "word")

    async def read() -> None:
        given.extend(await taken(chunks))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(StreamStateError, match=r"__anext__\(\) while another such"):
            await anext(chunks)
        arrived.set()
    assert given == ["a", "b"]


@pytest.mark.anyio
async def test_aclose_is_refused_while_another_task_waits_which_then_closes() -> None:
    arrived = anyio.Event()
    ended: list[str] = []

    async def deltas() -> AsyncIterator[str]:
        try:
            yield "a b"
            await arrived.wait()
            yield " no longer wanted"
        finally:
            ended.append("closed")

    given: list[Chunk] = []
    chunks = aiter_chunks(deltas(), "word")

    async def read() -> None:
        given.extend(await taken(chunks))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        await anyio.wait_all_tasks_blocked()
        with pytest.raises(StreamStateError, match=r"aclose\(\).*cancel its task"):
            await chunks.aclose()
        assert ended == []
        arrived.set()
    assert ended == ["closed"]
    assert rebuilt(given, chunks) == "a b"
    await chunks.aclose()


@pytest.mark.anyio
async def test_closing_during_the_last_async_wait_releases_no_fragment() -> None:
    async def deltas() -> AsyncIterator[str]:
        yield "a b"
        with pytest.raises(StreamStateError):
            await chunks.aclose()

    chunks = aiter_chunks(deltas(), "word")
    assert await taken(chunks) == ["a"]
    assert chunks.chunker.pending == " b"


# --- one stream into another --------------------------------------------------------


def with_gaps(paragraphs: Iterator[Chunk]) -> Iterator[str | Cut]:
    """Yield the text of a stream again, cut at the end of every paragraph."""
    for paragraph in paragraphs:
        yield paragraph.gap
        yield paragraph
        yield CUT


def test_paragraphs_feed_sentences_without_gluing_them_together() -> None:
    text = "# Title\n\nOne. Two\n\n\nthree. "
    deltas = Deltas(*text)
    with (
        iter_chunks(deltas, "paragraph") as paragraphs,
        iter_chunks(with_gaps(paragraphs), "sentence") as sentences,
    ):
        given = list(sentences)
    assert given == ["# Title", "One.", "Two", "three."]
    assert all(text[chunk.start : chunk.end] == chunk for chunk in given)
    assert rebuilt(given, sentences) + paragraphs.chunker.tail == text
    assert deltas.closed == 1


def test_closing_the_last_of_two_closes_the_first_stream() -> None:
    deltas = Deltas("a b\nc", " d\n")
    with iter_chunks(iter_chunks(deltas, "line"), "word") as words:
        assert next(words) == "a"
    assert (deltas.closed, deltas.asked) == (1, 1)


@pytest.mark.anyio
async def test_closing_the_last_of_two_closes_the_first_async_stream() -> None:
    deltas = AsyncDeltas("a b\nc", None)
    lines = aiter_chunks(deltas, "line")
    async with aiter_chunks(lines, "word") as words:
        assert await anext(words) == "a"
    assert (deltas.closed, deltas.cancelled) == (1, 1)
    assert lines.chunker.pending == "c"


@pytest.mark.parametrize("close_error", [None, OSError("busy")], ids=["", "failing"])
def test_an_error_that_is_due_comes_before_one_of_the_close(
    close_error: OSError | None,
) -> None:
    deltas = Deltas("a", "b", close_error=close_error)
    reading = Endless(deltas)
    assert next(reading) == "a"
    with pytest.raises(ValueError, match="no text") as caught:
        next(reading)
    assert deltas.closed == 1
    assert reading.unread == ()
    assert reading.close_error is close_error
    notes = getattr(caught.value, "__notes__", [])
    assert ("busy" in "".join(notes)) == (close_error is not None) or not notes


def test_what_becomes_of_items_is_for_a_subclass_to_say() -> None:
    with pytest.raises(TypeError, match=r"abstract.*_take.*_take_end"):
        Reading[str](["a"], None)  # type: ignore[abstract]  # what is tested


@pytest.mark.anyio
async def test_what_is_pending_up_to_the_last_white_space_is_released() -> None:
    stream = Stream("It is on. It wor", ..., "ks. Bye.")
    async with aiter_chunks(stream, "sentence", idle_release=SHORT) as chunks:
        found = [await anext(chunks), await anext(chunks)]
        assert chunks.chunker.pending == " wor"
        stream.go.set()
        found += [chunk async for chunk in chunks]
    assert found == ["It is on.", "It", "works.", "Bye."]
    assert [chunk.complete for chunk in found] == [True, False, True, True]
    assert "".join(chunk.gap + chunk for chunk in found) == "It is on. It works. Bye."
    assert stream.closed == 1


@pytest.mark.anyio
async def test_without_a_silence_nothing_changes() -> None:
    stream = Stream("It is on. It wor", "ks.")
    async with aiter_chunks(stream, "sentence", idle_release=LONG) as chunks:
        found = [chunk async for chunk in chunks]
    assert found == ["It is on.", "It works."]


@pytest.mark.parametrize("pause", [True, False], ids=["in a silence", "between items"])
@pytest.mark.anyio
async def test_leaving_early_unwinds_and_closes_the_stream_once(*, pause: bool) -> None:
    stream = Stream("It is", ..., "on")
    seconds = SHORT if pause else LONG
    async with aiter_chunks(stream, "word", idle_release=seconds) as chunks:
        assert await anext(chunks) == "It"
        if pause:
            with anyio.move_on_after(5 * SHORT):
                await anext(chunks)
    assert stream.closed == 1
    assert stream.cancelled == 1
    assert chunks.close_error is None


@pytest.mark.anyio
async def test_a_generator_that_is_closed_may_have_the_block_inside() -> None:
    stream = Stream("It is", ..., "on")

    async def words() -> AsyncGenerator[str, None]:
        async with aiter_chunks(stream, "word", idle_release=LONG) as chunks:
            async for chunk in chunks:
                yield chunk

    async with aclosing(words()) as found:
        async for word in found:
            assert word == "It"
            break
    assert stream.closed == 1


@pytest.mark.anyio
async def test_an_error_in_the_block_comes_out_alone() -> None:
    stream = Stream("It is", ...)
    with pytest.raises(KeyError, match="mine"):
        async with aiter_chunks(stream, "word", idle_release=SHORT) as chunks:
            raise KeyError(await anext(chunks), "mine")
    assert stream.closed == 1


@pytest.mark.anyio
async def test_a_cancelled_task_closes_the_stream() -> None:
    stream = Stream("It is", ...)
    with anyio.move_on_after(5 * SHORT) as scope:
        async with aiter_chunks(stream, "paragraph", idle_release=LONG) as chunks:
            await anext(chunks)
    assert scope.cancelled_caught
    assert (stream.cancelled, stream.closed) == (1, 1)


@pytest.mark.anyio
async def test_it_needs_the_block_of_async_with() -> None:
    stream = Stream("It is")
    with pytest.raises(StreamStateError, match="idle_release needs the block"):
        await anext(aiter_chunks(stream, idle_release=SHORT))


@pytest.mark.parametrize("seconds", [0, -1.0])
def test_a_time_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="idle_release must be above 0 seconds"):
        aiter_chunks([], idle_release=seconds)
