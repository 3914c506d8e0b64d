"""StreamChunkers: many streams at once, each under a key."""

from __future__ import annotations

import math
import time
from collections.abc import Hashable, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from typing_extensions import TypeVar, override

from ._chunker import Chunker
from ._numbers import check_count, check_seconds
from ._quote import shown
from ._registry import resolve_strategy
from .errors import PendingLimitError, StreamStateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from typing_extensions import Unpack

    from ._adapters import ChunkerOptions
    from ._chunk import Chunk
    from ._registry import StrategyLike
    from ._state import ChunkerState

K = TypeVar("K", bound=Hashable, default=Hashable)
"""What a gateway knows its streams by: the id of a conversation, for example."""


class StreamChunkers(Mapping[K, Chunker]):
    """Turns the deltas of many streams into chunks, each stream under its key.

    For a process that serves many conversations at once. `feed` opens a stream with
    its first delta, and `flush` ends it. In between it is open: the mapping has its
    ``Chunker`` under its key, for ``cut()`` or ``pending`` for example; ``len()``,
    ``in`` and iteration are about the open streams, in the order of their opening.

    A stream leaves by `flush`, by `evict`, or by a limit, and its text is handed over
    in each case. Limits act where a new stream is opened, and in `evict_idle`: those
    fed least recently are evicted, and *on_evict* receives key and state of each. When
    another delta of such a stream comes, or its end, *restore* is asked for the state
    that it goes on from.

    What goes wrong in one stream is raised by the call for its key, and changes no
    other one. If *on_evict* raises, the stream that was to go stays open, as if it had
    just been fed. The error comes out of the call that opened a stream, whose delta was
    not taken: it can be made again, and then another stream is evicted.

    Not thread-safe, as a Chunker is not; neither callback may change the set.

    Args:
        strategy: A strategy, its registered name, or its dictionary form; one for all
            streams.
        max_streams: How many may be open; a new one beyond that takes the place of the
            stream that was fed least recently. ``None`` sets no limit.
        idle: Seconds without a delta after which a stream is evicted, when the next one
            is opened or by `evict_idle`. ``None`` sets no limit.
        on_evict: Called with key and state, once for each stream that a limit evicts
            and before it goes. Needed for a limit.
        restore: Called with a key that is not open; returns the state that the stream
            goes on from, or ``None`` for a new stream. It is called once for a stream,
            which is open from then on, so it may take the state out of a store. One
            that is refused is held under its key, where `evict` takes it out.
        clock: Returns seconds that never go back; what *idle* is measured with. Of
            streams that were fed at the same time by it, the first one that was opened
            counts as the least recent one.
        **chunker_options: ``max_pending``, ``check`` and ``metadata`` of ``Chunker``,
            for each new stream. One that was restored keeps its own.

    Raises:
        ValueError: A limit is too small, or has no *on_evict*; or a wrong strategy or
            option, as ``Chunker`` says.
        TypeError: An argument has the wrong type.

    Examples:
        >>> streams = StreamChunkers("sentence")
        >>> streams.feed("a", "It is on. Now"), streams.feed("b", "Hello")
        (['It is on.'], [])
        >>> streams.feed("a", " wait. Th"), streams.flush("b")
        (['Now wait.'], ['Hello'])
        >>> list(streams), streams["a"].pending
        (['a'], ' Th')
        >>> parked = {}
        >>> streams = StreamChunkers(
        ...     "word",
        ...     max_streams=1,
        ...     on_evict=parked.__setitem__,
        ...     restore=lambda key: parked.pop(key, None),
        ... )
        >>> streams.feed("a", "On"), streams.feed("b", "Tw"), list(parked)
        ([], [], ['a'])
        >>> streams.feed("a", "e "), list(parked)
        (['One'], ['b'])
    """

    # Plan. Chunkers are in one dictionary, in the order of their opening. Where there
    # is a limit, a second one has the time of each stream's last delta. Which of these
    # is the oldest is told by a list that was sorted some time ago: a stream that was
    # fed since is behind all in it. It is sorted again when all of it was evicted, fed
    # or flushed, so a delta costs a look at the clock and its share of that.
    __slots__ = (
        "_chunkers",
        "_clock",
        "_fed",
        "_idle",
        "_max_streams",
        "_oldest",
        "_on_evict",
        "_options",
        "_refused",
        "_restore",
        "_strategy",
    )

    def __init__(
        self,
        strategy: StrategyLike,
        *,
        max_streams: int | None = None,
        idle: float | None = None,
        on_evict: Callable[[K, ChunkerState], object] | None = None,
        restore: Callable[[K], ChunkerState | None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        **chunker_options: Unpack[ChunkerOptions],
    ) -> None:
        if max_streams is not None:
            check_count("max_streams", max_streams, 1)
        check_seconds("idle", idle, or_none=True)
        for name, function in (("on_evict", on_evict), ("restore", restore)):
            if function is not None and not callable(function):
                msg = f"{name} must be a function or None, got {shown(function)}"
                raise TypeError(msg)
        if not callable(clock):
            msg = f"clock must be a function, got {shown(clock)}"
            raise TypeError(msg)
        limits = {"max_streams": max_streams, "idle": idle}
        given = [name for name, limit in limits.items() if limit is not None]
        if given and on_evict is None:
            msg = (
                f"{given[0]} needs on_evict, which receives the state of what it evicts"
            )
            raise ValueError(msg)
        self._strategy = resolve_strategy(strategy)
        self._options = chunker_options
        Chunker(self._strategy, **chunker_options)  # Refuses a wrong option at once.
        self._max_streams = math.inf if max_streams is None else max_streams
        self._idle = math.inf if idle is None else idle
        self._on_evict = on_evict
        self._restore = restore
        self._clock = clock
        self._chunkers: dict[K, Chunker] = {}
        self._fed: dict[K, float] | None = {} if given else None
        # Streams and when they were fed, the oldest one last.
        self._oldest: list[tuple[K, float]] = []
        # What *restore* took out of its store, and no stream can go on from.
        self._refused: dict[K, Any] = {}

    @override
    def __getitem__(self, key: K) -> Chunker:
        return self._chunkers[key]

    @override
    def __len__(self) -> int:
        return len(self._chunkers)

    @override
    def __iter__(self) -> Iterator[K]:
        return iter(self._chunkers)

    @override
    def __repr__(self) -> str:
        return f"<StreamChunkers {self._strategy!r}, {len(self)} open>"

    def feed(self, key: K, delta: str) -> list[Chunk]:
        """Take the next delta of a stream and return the chunks that it completed.

        A key that is not open is opened: with the state that *restore* has for it, or
        as a new stream.

        Args:
            key: The stream.
            delta: Text as it arrived; may be empty.

        Raises:
            TypeError: *delta* is not a ``str``, or *restore* returned no state, which
                is held as below.
            ContractError: The strategy broke its contract. Nothing was changed.
            PendingLimitError: More than *max_pending* code points of this stream are
                held back. The delta was taken, and the stream is open.
            StreamStateError: The state that *restore* returned belongs to another
                strategy, or to a stream that has ended. It is held under its key until
                `evict` returns it, and each call for the key is refused until then.
        """
        chunker = self._chunkers.get(key)
        if chunker is None:
            return self._feed_first(key, delta)
        if self._fed is not None:
            self._fed[key] = self._clock()
        return chunker.feed(delta)

    def flush(self, key: K, *, truncated: bool = False) -> list[Chunk]:
        """End a stream and return its last chunks; its key is free behind it.

        Args:
            key: The stream. One that is not open is asked of *restore*.
            truncated: Whether the text broke off, as in `Chunker.flush`.

        Raises:
            StreamStateError: No stream has this key: it was flushed or evicted, or
                never fed. Or the state that *restore* returned belongs to another
                strategy.
            ContractError: The strategy broke its contract. The stream stays open.
        """
        chunker = self._chunkers.get(key)
        if chunker is None:
            chunker = self._restored(key)
            if chunker is None:
                raise _not_open(self.flush, key)
        chunks = chunker.flush(truncated=truncated)
        self._remove(key)
        return chunks

    def evict(self, key: K) -> ChunkerState:
        """Take out a stream and return its state; *on_evict* is not called.

        For a process that ends, and hands its streams to another one::

            for key in list(streams):
                save(key, streams.evict(key))

        Args:
            key: An open stream; or one whose state was refused, as `feed` says. What
                *restore* returned for that one comes back.

        Raises:
            StreamStateError: No open stream has this key.
        """
        if key in self._refused:
            refused: ChunkerState = self._refused.pop(key)
            return refused
        if key not in self._chunkers:
            raise _not_open(self.evict, key)
        state = self._chunkers[key].state
        self._remove(key)
        return state

    def evict_idle(self) -> None:
        """Evict all streams that are idle by now.

        For a timer: in a quiet hour nobody opens a stream.
        """
        if self._fed is not None:
            self._evict_idle(self._fed)

    def _feed_first(self, key: K, delta: str) -> list[Chunk]:
        """Open a stream and feed it its first delta, or the first since it left."""
        # Room comes first: if there is none, nothing was taken out of a store yet.
        if self._fed is not None and key not in self._refused:
            self._make_room(self._fed)
        chunker = self._restored(key)
        if chunker is not None:
            return chunker.feed(delta)
        chunker = Chunker(self._strategy, **self._options)
        try:
            chunks = chunker.feed(delta)
        except PendingLimitError:
            self._add(key, chunker)
            raise
        self._add(key, chunker)
        return chunks

    def _restored(self, key: K) -> Chunker | None:
        """Return the Chunker of a stream that left; it is open, whatever follows."""
        state = self._refused.get(key)
        if state is None and self._restore is not None:
            state = self._restore(key)
        if state is None:
            return None
        try:
            chunker = Chunker.resume(self._strategy, state)
        except (StreamStateError, TypeError) as error:
            # It is out of its store, and nowhere else.
            self._refused[key] = state
            msg = f"{error}; evict({shown(key)}) returns it"
            raise type(error)(msg) from error
        self._refused.pop(key, None)
        self._add(key, chunker)
        return chunker

    def _add(self, key: K, chunker: Chunker) -> None:
        self._chunkers[key] = chunker
        if self._fed is not None:
            self._fed[key] = self._clock()

    def _remove(self, key: K) -> None:
        del self._chunkers[key]
        if self._fed is not None:
            del self._fed[key]

    def _make_room(self, fed: dict[K, float]) -> None:
        """Evict what is idle, and then as many as a new stream needs."""
        self._evict_idle(fed)
        while len(fed) >= self._max_streams:
            self._evict(fed, self._least_recent(fed))

    def _evict_idle(self, fed: dict[K, float]) -> None:
        now = self._clock()
        while fed:
            key = self._least_recent(fed)
            if now - fed[key] < self._idle:
                break
            self._evict(fed, key)

    def _least_recent(self, fed: dict[K, float]) -> K:
        """Return the stream whose last delta is the oldest; there is one."""
        while True:
            if not self._oldest:
                self._oldest = sorted(fed.items(), key=itemgetter(1))
                self._oldest.reverse()
            key, then = self._oldest[-1]
            if fed.get(key) == then:
                return key
            self._oldest.pop()

    def _evict(self, fed: dict[K, float], key: K) -> None:
        """Hand the state of a stream over, and let it go."""
        assert self._on_evict is not None  # noqa: S101 - a limit has one
        # It goes behind the call, and is the last one to be tried again if that fails:
        # behind all others of that time, too.
        now = self._clock()
        del fed[key]
        fed[key] = now
        self._oldest.pop()
        self._on_evict(key, self._chunkers[key].state)
        self._remove(key)


def _not_open(method: Callable[[K], object], key: K) -> StreamStateError:
    msg = (
        f"{method.__name__}({shown(key)}): no open stream has this key; it was never "
        "fed, or was flushed or evicted"
    )
    return StreamStateError(msg)
