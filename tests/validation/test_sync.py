"""The sync driver: it keeps what the async ones promise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import CUT, StreamStateError
from chunkwise.validation import (
    Check,
    Edit,
    Ended,
    Interrupted,
    Rejected,
    Released,
    Retraction,
    Verdict,
    validate_sync,
)

from .streams import CHUNKS, DELTAS, TEXT, rejecting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

    from chunkwise.validation import Outcome, SyncStream, View


class Deltas:
    """A source that counts; an item that is an exception is raised."""

    ending = "stop"

    def __init__(self, *items: Any, close_error: BaseException | None = None) -> None:
        self._items = iter(items)
        self._close_error = close_error
        self.given = 0
        self.closed = 0

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        assert not self.closed
        item = next(self._items)
        if isinstance(item, BaseException):
            raise item
        self.given += 1
        return item

    def close(self) -> None:
        """Count the call, then raise the error if there is one."""
        self.closed += 1
        if self._close_error is not None:
            raise self._close_error


class Interrupt(BaseException):
    """Like ``KeyboardInterrupt``, which test runners take for themselves."""


def passing(view: View) -> None:
    del view


def ended(stream: SyncStream) -> Outcome:
    assert stream.outcome is not None
    return stream.outcome


def test_pieces_come_one_by_one_and_read_nothing_ahead() -> None:
    source = Deltas("One. T", "wo. ", "Three")
    with validate_sync(source, passing) as stream:
        assert (next(stream).text, source.given) == ("One.", 1)
        assert (next(stream).text, source.given) == ("Two.", 3)
        assert (source.closed, next(stream).text, source.closed) == (0, "Three", 1)
        assert list(stream) == []
    assert ended(stream).status == "completed"
    assert source.closed == 1


def test_a_rejection_is_raised_once_behind_the_close() -> None:
    source = Deltas(*DELTAS)
    with validate_sync(source, rejecting("Three")) as stream:
        assert [next(stream).text, next(stream).text] == CHUNKS[:2]
        with pytest.raises(Rejected, match="Three is in"):
            next(stream)
        assert source.closed == 1
        assert list(stream) == []
    assert ended(stream).status == "rejected"


def test_an_error_of_the_source_comes_behind_complete_chunks() -> None:
    error = OSError("reset")
    source = Deltas("One. Two. Thr", error)
    with validate_sync(source, passing) as stream:
        assert [next(stream).text, next(stream).text] == ["One.", "Two."]
        with pytest.raises(OSError, match="reset"):
            next(stream)
    assert (ended(stream).status, ended(stream).pending) == ("source_error", " Thr")
    assert source.closed == 1


def test_a_source_that_cannot_be_iterated_over_is_closed() -> None:
    class Unready(Deltas):
        def __iter__(self) -> Self:
            raise OSError(404)

    source = Unready()
    with validate_sync(source, passing) as stream, pytest.raises(OSError, match="404"):
        next(stream)
    assert source.closed == 1


def test_an_error_of_the_close_is_only_recorded() -> None:
    source = Deltas(*DELTAS, close_error=OSError("gone"))
    with validate_sync(source, passing) as stream:
        assert [piece.text for piece in stream] == CHUNKS
    assert ended(stream).status == "completed"
    assert str(ended(stream).close_error) == "gone"


def test_leaving_early_closes() -> None:
    source = Deltas(*DELTAS)
    with validate_sync(source, passing) as stream:
        for _ in stream:
            break
    assert source.closed == 1
    assert ended(stream).status == "abandoned"
    with validate_sync(source, passing) as stream:
        pass
    assert source.closed == 2


def test_a_closer_is_called_in_place_of_close() -> None:
    source = Deltas(*DELTAS)
    calls: list[str] = []
    with validate_sync(source, closer=lambda: calls.append("closer")) as stream:
        stream.close()
        stream.close()
    assert (calls, source.closed) == (["closer"], 0)


def test_stop_ends_the_stream_and_keeps_what_was_ready() -> None:
    source = Deltas(TEXT)
    with validate_sync(source, passing, hold_back=1) as stream:
        next(stream)
        stream.stop()
        stream.stop()
        assert list(stream) == []
    assert ended(stream).pending == TEXT[10:]


def test_texts_are_the_stream() -> None:
    text = " One.\n\nTwo! "
    with validate_sync(list(text), passing) as stream:
        assert "".join(stream.texts()) == text
    with validate_sync("a", passing) as stream:
        assert list(stream.texts()) == ["a"]
    with validate_sync(" ", passing) as stream:
        assert list(stream.texts()) == [" "]


def test_empty_texts_are_left_out() -> None:
    strategy = {"type": "window", "window": 2, "stride": 1, "by": {"type": "word"}}
    with validate_sync("a b c", passing, strategy=strategy) as stream:
        assert "".join(stream.texts()) == "a b c"
    with validate_sync([CUT, "a"], passing) as stream:
        assert list(stream.texts()) == ["a"]


def test_edited_to_nothing_is_no_text() -> None:
    def drop(view: View) -> Verdict:
        return Verdict("pass", edits=(Edit(view.chunk.start, view.chunk.end, ""),))

    with validate_sync("a b", drop, strategy="word") as stream:
        assert list(stream.texts()) == [" "]


def test_what_is_ready_at_once_comes_out_in_order() -> None:
    with validate_sync(TEXT, passing, release="end") as stream:
        assert [piece.text for piece in stream] == CHUNKS


@pytest.mark.parametrize("run", ["async", "thread"])
def test_what_cannot_be_called_here_is_refused(run: Any) -> None:
    async def judge(view: View) -> None:
        del view

    check = Check(judge) if run == "async" else Check(passing, run=run)
    with pytest.raises(ValueError, match=r"validate_sync\(\) can do neither"):
        validate_sync("a", check)


@pytest.mark.parametrize("release", ["hold", "optimistic"])
def test_events_tell_of_a_rejection(release: Any) -> None:
    check = rejecting("Two")
    with validate_sync(Deltas(*DELTAS), check, release=release) as stream:
        events = list(stream.events())
    kinds = [type(event) for event in events]
    if release == "hold":
        assert kinds == [Released, Ended]
    else:
        assert kinds == [Released, Released, Retraction, Ended]
        assert events[2] == Retraction(11, "reject: bad")
    with validate_sync("One. Two", check, release=release, on_reject="stop") as stream:
        assert [type(event) for event in stream.events()] == kinds


def test_events_raise_the_rejection_of_another_stream() -> None:
    with validate_sync("Two.", rejecting("Two")) as inner, pytest.raises(Rejected):
        list(inner)
    assert inner.outcome is not None
    other = inner.outcome.rejected
    assert other is not None
    with validate_sync(Deltas("One. Two", other)) as stream:
        events = stream.events()
        assert isinstance(next(events), Released)
        with pytest.raises(Rejected) as raised:
            next(events)
    assert raised.value is other


@pytest.mark.parametrize("call", ["__iter__", "__next__", "texts"])
def test_optimistic_text_is_read_as_events_only(call: str) -> None:
    with (
        validate_sync("a", release="optimistic") as stream,
        pytest.raises(StreamStateError, match=r"read events\(\)"),
    ):
        getattr(stream, call)()


def test_an_interrupt_closes_and_the_next_call_says_so() -> None:
    source = Deltas("One. ", "Two. ", Interrupt())
    with validate_sync(source, passing) as stream:
        assert next(stream).text == "One."
        with pytest.raises(Interrupt):
            list(stream)
        assert source.closed == 1
        with pytest.raises(Interrupted):
            next(stream)
        assert list(stream) == []
    assert ended(stream).status == "aborted"


def test_a_stream_is_read_in_its_block_and_once() -> None:
    stream = validate_sync("a")
    with pytest.raises(StreamStateError, match="outside of the block"):
        next(stream)
    with stream:
        pass
    with pytest.raises(StreamStateError, match="entered before"):
        stream.__enter__()


@pytest.mark.parametrize("last", ["more", "end"])
def test_a_source_that_uses_its_own_stream_is_told_so(last: str) -> None:
    def deltas() -> Iterator[str]:
        yield "One. Tw"
        with pytest.raises(StreamStateError, match="while another such call"):
            next(stream)
        with pytest.raises(StreamStateError, match=r"close\(\) while another call"):
            stream.close()
        if last == "more":
            yield "o. Three."

    stream = validate_sync(deltas(), passing)
    with stream:
        assert [piece.text for piece in stream] == ["One."]
    assert (ended(stream).status, ended(stream).pending) == ("abandoned", " Tw")


def test_a_source_that_says_it_was_cut_short_is_believed() -> None:
    source = Deltas("One. Two.")
    source.ending = "length"
    with validate_sync(source) as stream:
        assert [piece.chunk.complete for piece in stream] == [True, False]


def test_an_interrupt_of_the_close_leaves_an_outcome() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with (
        pytest.raises(KeyboardInterrupt),
        validate_sync(["One. Two"], closer=interrupt) as stream,
    ):
        next(stream)
    assert stream.outcome is not None
    assert stream.outcome.status == "abandoned"


def test_an_ending_that_raises_is_an_error_of_the_source() -> None:
    class Source(list[str]):
        ending = property(lambda self: dict[int, str]()[len(self)])

    with validate_sync(Source(["One. Two"])) as stream:
        assert next(stream).text == "One."
        with pytest.raises(KeyError):
            next(stream)
    assert stream.outcome is not None
    assert stream.outcome.status == "source_error"
