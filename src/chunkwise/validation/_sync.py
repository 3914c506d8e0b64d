"""The sync driver: the inline one without the waiting."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .._closing import SourceCloser
from .._ending import is_cut_short
from .._reading import checked_deltas, nest
from ..errors import StreamStateError
from ._errors import Rejected
from ._events import SourceClosed
from ._stream import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from typing_extensions import Self

    from ._events import Ended, Released, Retraction
    from ._session import Session
    from ._values import Piece


class SyncStream(Reader):
    """The pieces of a validated stream, as an iterator in a ``with``.

    ``validate_sync`` makes it. It keeps the promises of the async streams: one call
    reads until a chunk is complete, has it judged, and returns.

    Raises:
        TypeError: *source* is no iterable of text.
        ValueError: A check is async or runs in a thread.
    """

    def __init__(
        self,
        session: Session,
        source: Any,
        closer: Callable[[], object] | None,
    ) -> None:
        super().__init__(session)
        for check in session.checks:
            if not check.is_inline:
                msg = (
                    f"check {check.name!r} has to be awaited or runs in a thread, and "
                    "validate_sync() can do neither; use validate()"
                )
                raise ValueError(msg)
        self._source = checked_deltas(source, "validate", Iterable)
        self._closing = SourceCloser(source, closer)
        nest(source, closer)
        self._iterator: Iterator[Any] | None = None
        self._closed = False

    def __enter__(self) -> Self:
        """Return the stream itself."""
        self._enter()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Do what `close` does."""
        self.close()

    def __iter__(self) -> Self:
        """Return the stream itself: it can be read once."""
        self._check_judged_first("iteration")
        return self

    def __next__(self) -> Piece:
        """Return the next piece that passed.

        Raises:
            StopIteration: The stream has ended; `outcome` says how.
            Rejected: A check rejected a chunk, and ``on_reject`` is ``"raise"``.
            Interrupted: ``KeyboardInterrupt`` or the like ended the call before.
            StreamStateError: The block was not entered, or another call is waiting.
            Exception: What the source, the strategy, or a check with
                ``on_error="raise"`` raised. All of these are raised once, after the
                source was closed, behind all pieces that passed.
        """
        self._check_judged_first("iteration")
        return self._next_release().piece

    def texts(self) -> Iterator[str]:
        """Yield the text to show: leads, texts, and the tail.

        Joined, it is the stream with all edits made.

        Yields:
            Text that is not empty.
        """
        self._check_judged_first("texts()")
        return self._texts()

    def _texts(self) -> Iterator[str]:
        for piece in self:
            if piece.lead or piece.text:
                yield piece.lead + piece.text
        if self._session.tail:
            yield self._session.tail

    def events(self) -> Iterator[Released | Retraction | Ended]:
        """Yield what happens to the text.

        Yields:
            ``Released`` for each piece; then, if something that was handed out has been
            rejected after all, a ``Retraction``; then ``Ended``. A rejection is not
            raised here; other errors are, in place of ``Ended``.
        """
        try:
            while True:
                yield self._next_release()
        except (StopIteration, Rejected) as error:
            if not self._session.tells_of(error):
                raise
            yield from self._session.last_events

    def stop(self) -> None:
        """End the stream; nothing more will be handed out.

        The source is closed by the next call, or at the end of the block.
        """
        self._session.leave()

    def close(self) -> None:
        """End the stream and close the source; an error of that is in the outcome.

        Raises:
            StreamStateError: Another call is waiting for the source. It closes the
                source as soon as its wait ends.
        """
        self.stop()
        if self._busy:
            msg = (
                "close() while another call waits in __next__(); that call closes the "
                "source once its wait ends"
            )
            raise StreamStateError(msg)
        self._end()

    def _next_release(self) -> Released:
        self._check_call("__next__()")
        session = self._session
        if not session.ready or session.is_due:
            self._busy = True
            try:
                self._step()
            except BaseException:
                session.interrupt()
                self._end()
                raise
            finally:
                self._busy = False
        if session.ready:
            return session.hand_out()
        raise self._take_due() or StopIteration

    def _step(self) -> None:
        """Read and judge until a piece is ready or the stream has been concluded."""
        session = self._session
        while not session.over:
            slot = session.next_slot() if session.is_due else None
            if slot is not None:
                session.judge_inline(slot)
            elif session.ready:
                return
            else:
                self._pull()
            if not session.reading:
                self._close_source()
        self._close_source()
        if not session.ready:
            self._end()

    def _pull(self) -> None:
        session = self._session
        try:
            if self._iterator is None:
                self._iterator = iter(self._source)
            item = next(self._iterator)
        except StopIteration:
            self._take_end()
        except Exception as error:  # noqa: BLE001 - raised behind what is complete
            session.fail_source(error)
        else:
            # Stopped from within the source: the item is not wanted any more.
            if not session.over:
                session.take(item)

    def _take_end(self) -> None:
        if self._session.over:
            return
        try:
            truncated = is_cut_short(self._source)
        except Exception as error:  # noqa: BLE001 - raised behind what is complete
            self._session.fail_source(error)
        else:
            self._session.take_end(truncated=truncated)

    def _close_source(self) -> None:
        if self._closed:
            return
        self._closed = True
        began = perf_counter()
        with suppress(Exception):
            self._closing.close(self._iterator)
        seconds = perf_counter() - began
        self._session.tell(SourceClosed(seconds, self._closing.error))

    def _end(self) -> None:
        # What ends the close, an interrupt for example, must not take the outcome away.
        try:
            self._close_source()
        finally:
            self._conclude(self._closing.error)
