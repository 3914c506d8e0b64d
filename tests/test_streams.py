"""StreamChunkers: many streams at once, with limits, and nothing lost over them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    Chunker,
    ChunkerState,
    PendingLimitError,
    SentenceChunking,
    StreamChunkers,
    StreamStateError,
    UnknownStrategyError,
    WordChunking,
)
from tests.examples import SemicolonChunking
from tests.running import Run, facts, run
from tests.texts import sliced_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise import Chunk

PLAIN = SentenceChunking(rules="plain")


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = -5.0

    def __call__(self) -> float:
        """Return the time, which may be negative."""
        return self.now


class Store:
    """Where streams go that are evicted, and where they come back from."""

    def __init__(self) -> None:
        self.states: dict[str, str] = {}
        self.evicted: list[str] = []
        self.fails_on: set[str] = set()

    def save(self, key: str, state: ChunkerState) -> None:
        """Keep a state as JSON, which a stream can leave only once."""
        if key in self.fails_on:
            raise OSError(key)
        assert key not in self.states
        self.evicted.append(key)
        self.states[key] = state.to_json()

    def load(self, key: str) -> ChunkerState | None:
        """Take a state out."""
        form = self.states.pop(key, None)
        return None if form is None else ChunkerState.from_json(form)


def limited(
    store: Store,
    strategy: Any = "word",
    *,
    max_streams: int | None = None,
    idle: float | None = None,
    clock: Callable[[], float] | None = None,
    restore: Callable[[str], ChunkerState | None] | None = None,
) -> StreamChunkers[str]:
    return StreamChunkers(
        strategy,
        max_streams=max_streams,
        idle=idle,
        on_evict=store.save,
        restore=restore or store.load,
        # By default it is later at each look.
        clock=clock or itertools.count().__next__,
    )


def test_streams_do_not_know_of_each_other() -> None:
    streams: StreamChunkers[str] = StreamChunkers("word")
    assert streams.feed("a", "one t") == ["one"]
    assert streams.feed("b", "zwei d") == ["zwei"]
    (chunk,) = streams.feed("a", "wo ")
    assert (chunk, chunk.index, chunk.start) == ("two", 1, 4)
    assert streams.flush("b") == ["d"]
    assert streams.flush("a") == []


def test_the_open_streams_are_a_mapping_in_the_order_of_their_opening() -> None:
    streams: StreamChunkers[object] = StreamChunkers("word")
    for key in ("a", 2, ("c", None)):
        assert streams.feed(key, "") == []
    streams.feed("a", "one")
    assert list(streams) == ["a", 2, ("c", None)]
    assert len(streams) == 3
    assert 2 in streams
    assert 3 not in streams
    assert streams["a"].pending == "one"
    assert streams["a"].cut() == ["one"]
    assert streams.get(3) is None
    with pytest.raises(KeyError):
        streams[3]
    streams.flush(2)
    assert list(streams) == ["a", ("c", None)]
    assert repr(streams) == "<StreamChunkers WordChunking(), 2 open>"


def test_a_key_is_free_behind_flush() -> None:
    streams: StreamChunkers[str] = StreamChunkers("word")
    streams.feed("a", "one two")
    assert streams.flush("a", truncated=True) == ["two"]
    assert streams.feed("a", "three ")[0].index == 0


def test_the_last_chunk_of_a_truncated_stream_is_not_complete() -> None:
    streams: StreamChunkers[str] = StreamChunkers("sentence")
    for truncated in (True, False):
        streams.feed("a", "It is on.")
        (chunk,) = streams.flush("a", truncated=truncated)
        assert chunk.complete is not truncated


@pytest.mark.parametrize("call", ["flush", "evict"])
@pytest.mark.parametrize("has_store", [True, False])
def test_a_key_without_a_stream_is_an_error(call: str, has_store: bool) -> None:  # noqa: FBT001 - a parameter of the test
    streams = limited(Store()) if has_store else StreamChunkers[str]("word")
    for _ in range(2):
        with pytest.raises(StreamStateError, match=rf"{call}\('a'\): no open stream"):
            getattr(streams, call)("a")
        streams.feed("a", "one")
        getattr(streams, call)("a")


def test_options_are_those_of_each_chunker() -> None:
    streams: StreamChunkers[str] = StreamChunkers(
        {"type": "word"}, max_pending=3, check="full", metadata={"at": "edge"}
    )
    (chunk,) = streams.feed("a", "one ")
    assert chunk.metadata == {"at": "edge"}
    state = streams["a"].state
    assert (state.max_pending, state.check) == (3, "full")


def test_a_stream_is_evicted_when_a_new_one_needs_its_place() -> None:
    store = Store()
    streams = limited(store, max_streams=2)
    streams.feed("a", "on")
    streams.feed("b", "tw")
    streams.feed("a", "e")
    assert (list(streams), store.evicted) == (["a", "b"], [])
    streams.feed("c", "thr")
    assert (list(streams), store.evicted) == (["a", "c"], ["b"])


def test_of_streams_fed_at_one_time_the_first_one_opened_goes_first() -> None:
    store = Store()
    streams = limited(store, max_streams=2, clock=Clock())
    for key in "abacd":
        streams.feed(key, "one")
    assert (list(streams), store.evicted) == (["c", "d"], ["a", "b"])


@given(st.lists(st.tuples(st.sampled_from("abcdefgh"), st.booleans()), max_size=60))
def test_the_stream_that_was_fed_least_recently_goes(
    turns: list[tuple[str, bool]],
) -> None:
    """As in a dictionary in which each delta moves its stream to the end."""
    store = Store()
    streams = limited(store, max_streams=3)
    order: list[str] = []
    evicted: list[str] = []
    for key, is_last in turns:
        if key in order:
            order.remove(key)
        elif len(order) == 3:
            evicted.append(order.pop(0))
        order.append(key)
        streams.feed(key, "one ")
        if is_last:
            streams.flush(key)
            order.remove(key)
    assert (set(streams), store.evicted) == (set(order), evicted)


def test_an_evicted_stream_goes_on_with_its_next_delta() -> None:
    store = Store()
    streams = limited(store, max_streams=1)
    streams.feed("a", "one tw")
    streams.feed("b", "zwei")
    (chunk,) = streams.feed("a", "o ")
    assert (chunk, chunk.index, chunk.start) == ("two", 1, 4)
    assert (list(streams), list(store.states)) == (["a"], ["b"])


def test_an_evicted_stream_can_be_flushed() -> None:
    store = Store()
    streams = limited(store, max_streams=1)
    streams.feed("a", "one tw")
    streams.feed("b", "zwei")
    assert streams.flush("a") == ["tw"]
    assert (list(streams), store.evicted) == (["b"], ["a"])


def test_without_restore_an_evicted_key_begins_anew() -> None:
    store = Store()
    streams: StreamChunkers[str] = StreamChunkers(
        "word", max_streams=1, on_evict=store.save
    )
    streams.feed("a", "one tw")
    streams.feed("b", "")
    assert streams.feed("a", "o ")[0].start == 0
    assert ChunkerState.from_json(store.states["a"]).text[-2:] == "tw"


def test_idle_streams_are_evicted_when_another_one_is_opened() -> None:
    store, clock = Store(), Clock()
    streams = limited(store, idle=10, clock=clock)
    streams.feed("a", "one")
    clock.now += 4
    streams.feed("b", "two")
    clock.now += 5.5
    streams.feed("c", "three")
    assert store.evicted == []
    clock.now += 0.5
    streams.feed("b", "fo")  # Open streams are fed, whatever is idle.
    assert (list(streams), store.evicted) == (["a", "b", "c"], [])
    streams.feed("d", "ur")
    assert (list(streams), store.evicted) == (["b", "c", "d"], ["a"])
    clock.now += 60
    streams.feed("b", "r")
    streams.feed("e", "")
    assert (list(streams), store.evicted) == (["b", "e"], ["a", "c", "d"])


def test_a_timer_evicts_idle_streams_in_a_quiet_hour() -> None:
    store, clock = Store(), Clock()
    streams = limited(store, idle=10, clock=clock)
    streams.evict_idle()
    for key in "abc":
        streams.feed(key, "one")
        clock.now += 4
    streams.evict_idle()
    assert (list(streams), store.evicted) == (["b", "c"], ["a"])
    clock.now += 3_600
    streams.evict_idle()
    assert (list(streams), store.evicted) == ([], ["a", "b", "c"])


def test_without_a_limit_nothing_is_evicted() -> None:
    streams: StreamChunkers[int] = StreamChunkers("word")
    for key in range(1_000):
        streams.feed(key, "one")
    streams.evict_idle()
    assert len(streams) == 1_000


def test_a_stream_can_be_handed_over() -> None:
    store = Store()
    old = limited(store, idle=10)
    new = limited(store, max_streams=10)
    old.feed("a", "one tw")
    old.feed("b", "zwei dr")
    for key in list(old):
        store.save(key, old.evict(key))
    assert len(old) == 0
    assert (new.feed("b", "ei "), new.flush("a")) == (["drei"], ["tw"])


def test_an_error_of_one_stream_leaves_the_others_alone() -> None:
    streams: StreamChunkers[str] = StreamChunkers("word", max_pending=4)
    streams.feed("a", "one")
    with pytest.raises(PendingLimitError) as caught:
        streams.feed("b", "two three")
    assert caught.value.chunks == ["two"]
    with pytest.raises(PendingLimitError):
        streams.feed("b", "s")
    assert streams["b"].pending == " threes"
    assert streams.feed("a", " ") == ["one"]
    assert streams.flush("b") == ["threes"]


def test_a_first_delta_that_is_refused_opens_no_stream() -> None:
    streams: StreamChunkers[str] = StreamChunkers("word")
    with pytest.raises(TypeError, match="a delta must be a str"):
        streams.feed("a", None)  # type: ignore[arg-type]  # what it must not be
    assert list(streams) == []


def test_a_delta_that_is_refused_does_not_lose_what_came_back() -> None:
    store = Store()
    streams = limited(store, max_streams=1)
    streams.feed("a", "on")
    streams.feed("b", "tw")
    with pytest.raises(TypeError, match="a delta must be a str"):
        streams.feed("a", b"e ")  # type: ignore[arg-type]  # as above
    assert streams.feed("a", "e ") == ["one"]


def test_a_stream_that_cannot_be_flushed_stays_open() -> None:
    class Failing(SemicolonChunking):
        def flush(self, text: str) -> list[str]:
            raise ArithmeticError(text)

    store = Store()
    streams = limited(store, Failing(), max_streams=1)
    streams.feed("a", "one")
    streams.feed("b", "two")
    for key in ("a", "b"):
        with pytest.raises(ArithmeticError):
            streams.flush(key)
    assert streams["a"].pending == "one"
    assert streams["b"].pending == "two"


def test_a_stream_that_could_not_be_saved_stays_and_another_one_goes() -> None:
    store = Store()
    streams = limited(store, max_streams=2)
    streams.feed("a", "one")
    streams.feed("b", "two")
    store.fails_on = {"a"}
    with pytest.raises(OSError, match="a"):
        streams.feed("c", "three ")
    assert list(streams) == ["a", "b"]
    assert streams.feed("c", "three ") == ["three"]
    assert (list(streams), store.evicted) == (["a", "c"], ["b"])
    assert streams.flush("a") == ["one"]


def test_an_idle_stream_that_could_not_be_saved_is_tried_again_later() -> None:
    store, clock = Store(), Clock()
    streams = limited(store, idle=10, clock=clock)
    streams.feed("a", "one")
    streams.feed("b", "two")
    clock.now += 10
    store.fails_on = {"a"}
    with pytest.raises(OSError, match="a"):
        streams.evict_idle()
    streams.evict_idle()
    assert (list(streams), store.evicted) == (["a"], ["b"])
    clock.now += 10
    store.fails_on = set()
    streams.evict_idle()
    assert store.evicted == ["b", "a"]


def test_nothing_is_taken_from_the_store_before_there_is_room() -> None:
    store = Store()
    streams = limited(store, max_streams=1)
    streams.feed("a", "on")
    streams.feed("b", "tw")
    store.fails_on = {"b"}
    with pytest.raises(OSError, match="b"):
        streams.feed("a", "e ")
    assert list(store.states) == ["a"]


def test_a_state_of_another_strategy_or_of_an_ended_stream_is_refused() -> None:
    ended = Chunker("word")
    ended.flush()
    states: dict[str, Any] = {
        "other": Chunker("line").state,
        "ended": ended.state,
        "text": "{}",
    }
    streams = StreamChunkers("word", restore=states.pop)
    with pytest.raises(StreamStateError, match="another strategy"):
        streams.feed("other", "one ")
    with pytest.raises(StreamStateError, match=r"after flush\(\)"):
        streams.feed("ended", "one ")
    with pytest.raises(TypeError, match="expected a ChunkerState"):
        streams.feed("text", "one ")


def test_a_state_that_is_refused_is_held_until_it_is_taken_out() -> None:
    """It may be in no store any more."""
    other = Chunker("line")
    other.feed("one li")
    states: dict[str, Any] = {"other": other.state, "text": "{}"}
    given = dict(states)
    store = Store()
    streams = limited(store, max_streams=1, restore=lambda key: states.pop(key, None))
    for _ in range(2):
        with pytest.raises(StreamStateError, match=r"; evict\('other'\) returns it$"):
            streams.feed("other", "ne")
        with pytest.raises(StreamStateError, match="another strategy"):
            streams.flush("other")
        with pytest.raises(TypeError, match=r"; evict\('text'\) returns it$"):
            streams.feed("text", "ne")
    assert (states, list(streams)) == ({}, [])
    assert streams.feed("mine", "one ") == ["one"]
    # A key that is refused takes no room.
    with pytest.raises(StreamStateError, match="another strategy"):
        streams.feed("other", "ne")
    assert (list(streams), store.states) == (["mine"], {})
    for key, state in given.items():
        assert streams.evict(key) is state
        with pytest.raises(StreamStateError, match="no open stream has this key"):
            streams.evict(key)
    assert streams.feed("other", "two ") == ["two"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"max_streams": 0}, ValueError, "max_streams must be an int of at least 1"),
        ({"max_streams": 1.5}, TypeError, "max_streams must be an int"),
        ({"idle": 0}, ValueError, "idle must be above 0 seconds"),
        ({"idle": "1"}, TypeError, "idle must be a number of seconds or None"),
        ({"max_streams": 1}, ValueError, "max_streams needs on_evict"),
        ({"idle": 1}, ValueError, "idle needs on_evict"),
        ({"on_evict": {}}, TypeError, "on_evict must be a function or None"),
        ({"restore": {}}, TypeError, "restore must be a function or None"),
        ({"clock": 7}, TypeError, "clock must be a function, got 7"),
        ({"max_pending": -1}, ValueError, "max_pending must be at least 0"),
        ({"strategy": "wrod"}, UnknownStrategyError, "unknown strategy 'wrod'"),
        ({"strategy": None}, TypeError, "strategy"),
    ],
)
def test_wrong_arguments_are_refused_at_once(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        StreamChunkers(**{"strategy": WordChunking(), **arguments})


@given(texts=st.lists(sliced_texts(), min_size=2, max_size=4), data=st.data())
def test_streams_that_come_and_go_give_what_each_gives_alone(
    texts: list[list[str]], data: st.DataObject
) -> None:
    store, clock = Store(), Clock()
    streams = limited(store, PLAIN, max_streams=2, idle=3, clock=clock)
    rest = {f"{number}": ["", *deltas] for number, deltas in enumerate(texts)}
    found: dict[str, list[Chunk]] = {key: [] for key in rest}
    while rest:
        clock.now += data.draw(st.integers(0, 2))
        key = data.draw(st.sampled_from(sorted(rest)))
        found[key] += streams.feed(key, rest[key].pop(0))
        assert len(streams) <= 2
        if not rest[key]:
            del rest[key]
            chunker = streams[key]
            found[key] += streams.flush(key)
            whole = run(PLAIN, texts[int(key)])
            assert Run(facts(found[key]), chunker.tail) == whole
    assert (len(streams), store.states) == (0, {})
