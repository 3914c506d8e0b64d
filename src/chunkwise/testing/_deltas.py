"""check_deltas: a source of deltas closes what it reads, once, however it is left."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterator
from importlib.util import find_spec
from itertools import count, product
from typing import TYPE_CHECKING, Any, NamedTuple

from .._adapters import aiter_chunks, iter_chunks
from .._quote import shown
from ..strategies import FixedSizeChunking
from ._report import BrokenLawError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Factory: TypeAlias = "Callable[[Any], Iterable[Any] | AsyncIterable[Any]]"

_CAUSE = (
    "close the stream where the source of deltas itself is closed, also where it never "
    "began (a generator that never began runs no finally), and let errors through; "
    "text_deltas() and atext_deltas() do so"
)
_EACH_CODE_POINT = FixedSizeChunking(1, keep_clusters=False)
"""Each delta completes a chunk, so that a reader can leave after any of them."""


class _Exit(NamedTuple):
    """A way to leave a source."""

    name: str
    chunks: int | None = None
    """Chunks that are read; ``None`` reads to the end."""
    is_twice: bool = False
    """Whether the reader closes the source itself, before the block does."""
    reader_raises: bool = False
    fails_at: int | None = None
    """Number of the item in place of which the stream raises."""
    close_fails: bool = False
    waits_at: int | None = None
    """Number of the item for which the stream lets a reader wait, who is cancelled."""


_EXITS = (
    _Exit("never read", chunks=0),
    _Exit("read to its end"),
    _Exit("left after the first delta", chunks=1),
    _Exit("closed twice", chunks=1, is_twice=True),
    _Exit("left by an error of the reader", chunks=1, reader_raises=True),
    _Exit("ended by an error of the stream", fails_at=1),
    _Exit("ended by an error before the first item", fails_at=0),
    _Exit("read to its end, where the close raises", close_fails=True),
    _Exit("left after the first delta, where the close raises", 1, close_fails=True),
)
_ASYNC_EXITS = (
    *_EXITS,
    _Exit("cancelled while it waits", waits_at=1),
    _Exit("cancelled before the first item", waits_at=0),
)


class _PlannedError(Exception):
    """What a stream, its close or a reader raises on purpose."""


def check_deltas(source_factory: Factory, items: Iterable[Any] = ("a", "b")) -> None:
    """Check that a source of deltas closes the stream it reads on every exit path.

    The source is read by ``iter_chunks`` or, where it is async, by ``aiter_chunks``, on
    asyncio and, where that is installed, on Trio: to its end, not at all, and up to the
    first delta; it is closed twice; the reader raises; the stream raises before and
    behind its first item; its close raises; an async reader is cancelled. Each time the
    stream has to be closed exactly once, and an error of the stream has to come
    through. To be called where no event loop runs.

    Args:
        source_factory: Given a stream as a client returns it, returns the source of
            deltas that is made of it: what ``iter_chunks`` is to read. The stream is an
            iterator, sync and async, with ``close`` and ``aclose``.
        items: What the stream gives. The first one has text.

    Raises:
        BrokenLawError: The stream was not closed, or more than once, or its error was
            lost. Its ``law`` is ``"closing"``.
        ValueError: There are no *items*.
        TypeError: What *source_factory* returns cannot be read.

    Examples:
        >>> from chunkwise import text_deltas
        >>> check_deltas(text_deltas, [{"message": {"content": "It is on."}}])
    """
    given = list(items)
    if not given:
        msg = "items must have one item at least, got none"
        raise ValueError(msg)
    backends: list[str | None] = [None]
    exits: tuple[_Exit, ...] = _EXITS
    if isinstance(source_factory(_Stream(given, _EXITS[0])), AsyncIterable):
        backends = [name for name in ("asyncio", "trio") if find_spec(name) is not None]
        exits = _ASYNC_EXITS
    for backend, path in product(backends, exits):
        stream = _Stream(given, path)
        if backend is None:
            raised = _leave(path, source_factory(stream))
        else:
            raised = _run(backend, path, source_factory, stream)
        _check_exit(source_factory, stream, backend, raised=raised)


def _check_exit(
    source_factory: Factory, stream: _Stream, backend: str | None, *, raised: bool
) -> None:
    """Check what was left of a stream.

    Raises:
        BrokenLawError: It was not closed once, or its error was lost.
    """
    path = stream.path
    if stream.closed != 1:
        found = f"the stream was closed {stream.closed} times, expected once"
    elif path.fails_at is not None and not raised:
        found = "the error of the stream was lost"
    else:
        return
    where = f" on {backend}" if backend else ""
    name = getattr(source_factory, "__qualname__", type(source_factory).__name__)
    raise BrokenLawError(
        subject=name,
        law="closing",
        deltas=[],
        problem=f"{path.name}{where}, {found}",
        sides=(),
        cause=_CAUSE,
    )


def _leave(path: _Exit, source: Any) -> bool:
    """Read a source as far as *path* says; return whether it raised."""
    try:
        with iter_chunks(source, _EACH_CODE_POINT) as chunks:
            for _ in count() if path.chunks is None else range(path.chunks):
                if next(chunks, None) is None:
                    break
            if path.is_twice:
                chunks.close()
            _read_on(path)
    except Exception as error:  # noqa: BLE001 - a source may raise what it likes
        _check_readable(error)
        return True
    return False


def _run(backend: str, path: _Exit, source_factory: Factory, stream: _Stream) -> bool:
    """The same for an async source, in an event loop of its own."""
    from anyio import CancelScope, run  # noqa: PLC0415 - loaded late

    async def leave() -> bool:
        with CancelScope() as scope:
            stream.cancel = scope.cancel
            try:
                source: Any = source_factory(stream)
                async with aiter_chunks(source, _EACH_CODE_POINT) as chunks:
                    for _ in count() if path.chunks is None else range(path.chunks):
                        if await anext(chunks, None) is None:
                            break
                    if path.is_twice:
                        await chunks.aclose()
                    _read_on(path)
            except Exception as error:  # noqa: BLE001 - as above
                _check_readable(error)
                return True
        return False

    return run(leave, backend=backend)


def _read_on(path: _Exit) -> None:
    """Do what a reader does with its chunks."""
    if path.reader_raises:
        raise _PlannedError


def _check_readable(error: Exception) -> None:
    """Check that an error is not about a source that nobody could read.

    Raises:
        TypeError: It is.
    """
    if isinstance(error, TypeError):
        raise error


class _Stream(Iterator[Any], AsyncIterator[Any]):
    """Stands for what a client returns, and counts how often it is closed."""

    def __init__(self, items: list[Any], path: _Exit) -> None:
        self.path = path
        self.closed = 0
        self.cancel: Callable[[], object] | None = None
        self._items = items
        self._at = 0

    def __repr__(self) -> str:
        return f"<a stream of {shown(self._items)}>"

    def __next__(self) -> Any:
        if self._at == self.path.fails_at:
            raise _PlannedError
        if self._at == len(self._items):
            raise StopIteration
        self._at += 1
        return self._items[self._at - 1]

    async def __anext__(self) -> Any:
        from anyio import sleep_forever  # noqa: PLC0415 - loaded late
        from anyio.lowlevel import checkpoint  # noqa: PLC0415 - loaded late

        await checkpoint()
        if self._at == self.path.waits_at and self.cancel is not None:
            self.cancel()
            await sleep_forever()
        try:
            return next(self)
        except StopIteration:
            raise StopAsyncIteration from None

    def close(self) -> None:
        self.closed += 1
        if self.path.close_fails:
            raise _PlannedError

    async def aclose(self) -> None:
        self.close()
