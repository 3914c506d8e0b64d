"""What a validated stream is to its reader, whichever driver is behind it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import TYPE_CHECKING

from anyio.lowlevel import checkpoint

from .._reading import as_runtime_error
from ..errors import StreamStateError
from ._errors import Rejected

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from ._events import Ended, Released, Retraction
    from ._session import Session
    from ._source import AsyncSource
    from ._values import Outcome, Piece

CHECKPOINT_EVERY = 64
"""Steps after which other tasks get their turn, whatever source and checks do."""


class Reader:
    """What the sync and the async streams share: all but the waiting."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._entered = False
        self._busy = False
        self._due: BaseException | None = None

    @property
    def outcome(self) -> Outcome | None:
        """How the stream ended; ``None`` until then. Set whatever the ending."""
        return self._session.outcome

    def _enter(self) -> None:
        if self._entered:
            msg = "this stream has been entered before; it can be read once"
            raise StreamStateError(msg)
        self._entered = True
        self._session.begin()

    def _check_call(self, call: str) -> None:
        if not self._entered:
            msg = f"{call} outside of the block; enter the stream first, using with"
            raise StreamStateError(msg)
        if self._busy:
            msg = f"{call} while another such call waits; one task reads a stream"
            raise StreamStateError(msg)

    def _check_judged_first(self, call: str) -> None:
        if self._session.releases_first and not self._session.observes:
            msg = (
                f"{call} with release='optimistic', which gives text before its "
                "verdict; read events(), which also says when to take it back"
            )
            raise StreamStateError(msg)

    def _conclude(self, close_error: BaseException | None) -> None:
        """Set the outcome, once, and keep what is to be raised."""
        if self.outcome is None:
            self._due = self._session.conclude(close_error)

    def _take_due(self) -> BaseException | None:
        due, self._due = self._due, None
        if isinstance(due, (StopIteration, StopAsyncIteration)):
            # Raised as it is, it would pass for the end of the iteration.
            stray = as_runtime_error(due)
            stray.__cause__ = due
            return stray
        return due


class AsyncStream(Reader, ABC):
    """The pieces of a validated stream, as an async iterator in an ``async with``.

    ``validate`` makes it. It can be iterated over only inside of its block, by one task
    and once: as pieces, as ``texts()``, or as ``events()``. However the block is left,
    the source is closed by then, and `outcome` says how the stream ended.
    """

    def __init__(
        self, session: Session, source: AsyncSource, close_timeout: float
    ) -> None:
        super().__init__(session)
        self._source = source
        self._close_timeout = close_timeout
        self._turns = 0

    async def __aenter__(self) -> Self:
        """Begin, and return the stream."""
        self._enter()
        await self._start()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Do what `aclose` does."""
        await self.aclose()

    def __aiter__(self) -> Self:
        """Return the stream itself: it can be read once."""
        self._check_judged_first("iteration")
        return self

    async def __anext__(self) -> Piece:
        """Return the next piece that passed.

        Raises:
            StopAsyncIteration: The stream has ended; `outcome` says how.
            Rejected: A check rejected a chunk, and ``on_reject`` is ``"raise"``.
            Interrupted: The call before was cancelled on its way.
            Aborted: The task group that reads the stream was cancelled.
            SourceStalled: The source gave nothing for too long.
            StreamStateError: The block was not entered, or another call is waiting.
            Exception: What the source, the strategy, or a check with
                ``on_error="raise"`` raised. All of these are raised once, after the
                source was closed, behind all pieces that passed.
        """
        self._check_judged_first("iteration")
        return (await self._next_release()).piece

    async def _next_release(self) -> Released:
        """Return what `__anext__` returns, with the time that it was held."""
        self._check_call("__anext__()")
        self._busy = True
        try:
            await self._breathe()
            released = await self._next()
        finally:
            self._busy = False
        if released is None:
            raise self._take_due() or StopAsyncIteration
        return released

    def texts(self) -> Texts:
        """Return an iterator over the text to show: leads, texts, and the tail.

        Joined, it is the stream with all edits made. It raises what the iteration over
        pieces raises.
        """
        self._check_judged_first("texts()")
        return Texts(self, self._session)

    def events(self) -> Events:
        """Return an iterator over what happens to the text.

        ``Released`` for each piece; then, if something that was handed out has been
        rejected after all, a ``Retraction``; then ``Ended``. A rejection is not raised
        here, as the events tell of it; all other errors are, in place of ``Ended``.
        """
        return Events(self, self._session)

    def stop(self) -> None:
        """End the stream; nothing more will be handed out.

        May be called any number of times from anything that runs in the thread of the
        event loop. Where the stream is read in a task group, the source is closed at
        once; otherwise by the next call, or at the end of the block.
        """
        self._session.leave()

    async def aclose(self) -> None:
        """End the stream and close the source; an error of that is in the outcome.

        Raises:
            StreamStateError: Another task is waiting for a piece. It closes the source
                as soon as its wait ends. Or the call comes from a check or from the
                source; the stream has been stopped then.
        """
        self.stop()
        await self._finish()

    @abstractmethod
    async def _start(self) -> None:
        """Begin to read, if that is not for the calls to do."""

    @abstractmethod
    async def _next(self) -> Released | None:
        """Return the next piece; ``None`` when the stream has been concluded."""

    @abstractmethod
    async def _finish(self) -> None:
        """Close the source if it is not closed yet, and conclude the stream."""

    async def _close_source(self) -> None:
        await self._source.close(self._session.tell, self._close_timeout)

    async def _close_and_conclude(self) -> None:
        # What ends the close, an interrupt for example, must not take the outcome away.
        try:
            await self._close_source()
        finally:
            self._conclude(self._source.close_error)

    def _take_end(self) -> None:
        """Pass on that the source has ended; whether it broke off is for it to say."""
        if self._session.over:
            return
        try:
            truncated = self._source.is_cut_short
        except Exception as error:  # noqa: BLE001 - raised behind what is complete
            self._session.fail_source(error)
        else:
            self._session.take_end(truncated=truncated)

    async def _breathe(self) -> None:
        """Let other tasks run now and then; whatever could go on for long calls it.

        A source whose data has all arrived never waits, and on Trio a cancellation
        would not be noticed either.
        """
        self._turns += 1
        if self._turns % CHECKPOINT_EVERY == 0:
            await checkpoint()


class Texts:
    """An iterator over the text to show; `AsyncStream.texts` makes it."""

    def __init__(self, stream: AsyncStream, session: Session) -> None:
        self._stream = stream
        self._session = session
        self._ended = False

    def __aiter__(self) -> Self:
        """Return the iterator itself."""
        return self

    async def __anext__(self) -> str:
        """Return the next text, which is not empty."""
        while not self._ended:
            try:
                piece = await anext(self._stream)
            except StopAsyncIteration:
                self._ended = True
                text = self._session.tail
            else:
                text = piece.lead + piece.text
            if text:
                return text
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """End the stream, as its own ``aclose()`` does."""
        await self._stream.aclose()


class Events:
    """An iterator over what happens to the text; `AsyncStream.events` makes it."""

    def __init__(self, stream: AsyncStream, session: Session) -> None:
        self._stream = stream
        self._session = session
        self._last: deque[Retraction | Ended] | None = None

    def __aiter__(self) -> Self:
        """Return the iterator itself."""
        return self

    async def __anext__(self) -> Released | Retraction | Ended:
        """Return the next event."""
        if self._last is None:
            try:
                return await self._stream._next_release()  # noqa: SLF001 - of this module
            except (StopAsyncIteration, Rejected) as error:
                if not self._session.tells_of(error):
                    raise
                self._last = deque(self._session.last_events)
        if not self._last:
            raise StopAsyncIteration
        return self._last.popleft()

    async def aclose(self) -> None:
        """End the stream, as its own ``aclose()`` does."""
        await self._stream.aclose()
