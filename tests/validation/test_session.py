"""The core of validation: release policies, grains, edits, outcomes."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import (
    CUT,
    ChunkingStrategy,
    FixedSizeChunking,
    JSONChunking,
    MalformedJSONError,
    PendingLimitError,
    WindowChunking,
)
from chunkwise.validation import (
    Check,
    Edit,
    Rejected,
    Released,
    Retraction,
    Verdict,
    validate_sync,
)
from chunkwise.validation._options import SessionOptions
from chunkwise.validation._session import Session

from .streams import CHUNKS, TEXT, rejecting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chunkwise.validation import Event, Outcome, Piece, SyncStream, View


def passing(view: View) -> None:
    del view


def run(
    source: Any, *checks: Any, **options: Any
) -> tuple[list[Piece], BaseException | None, SyncStream]:
    """Return the pieces of a stream, what it raised behind them, and the stream."""
    pieces: list[Piece] = []
    with validate_sync(source, *checks, **options) as stream:
        try:
            pieces.extend(stream)
        except Exception as raised:  # noqa: BLE001 - returned
            return pieces, raised, stream
    return pieces, None, stream


def texts(pieces: list[Piece]) -> list[str]:
    return [piece.text for piece in pieces]


def ended(stream: SyncStream) -> Outcome:
    assert stream.outcome is not None
    return stream.outcome


def crossing_out(word: str, new: str = "_") -> Any:
    """Return a check that replaces a word of the chunk, wherever it is in it."""

    def edit(view: View) -> Verdict | None:
        at = view.chunk.find(word)
        if at < 0:
            return None
        start = view.chunk.start + at
        return Verdict("pass", edits=(Edit(start, start + len(word), new),))

    return edit


def giving(result: Any) -> Any:
    """Return a check that returns this, whatever it is shown."""

    def give(view: View) -> Any:
        del view
        return result

    return give


# --- policies -----------------------------------------------------------------------


@pytest.mark.parametrize(("hold_back", "released"), [(0, 3), (1, 2), (2, 1), (5, 0)])
def test_a_window_behind_a_chunk_has_to_pass_as_well(
    hold_back: int, released: int
) -> None:
    pieces, error, stream = run(TEXT, rejecting("Four"), hold_back=hold_back)
    assert texts(pieces) == CHUNKS[:released]
    assert isinstance(error, Rejected)
    assert error.chunk.index == 3
    assert (
        ended(stream).pending
        == TEXT[len("".join(CHUNKS[:released])) + max(0, released - 1) :]
    )


def test_release_at_the_end_releases_all_or_nothing() -> None:
    assert texts(run(TEXT, passing, release="end")[0]) == CHUNKS
    pieces, error, stream = run(TEXT, rejecting("Five"), release="end")
    assert pieces == []
    assert isinstance(error, Rejected)
    assert (ended(stream).pending, ended(stream).released_to) == (TEXT, 0)


def test_release_at_the_end_waits_for_all_chunks_of_other_strategies() -> None:
    last_word = Check(rejecting("it."), strategy="word")
    for checks in ([last_word], [passing, last_word]):
        pieces, error, _ = run(TEXT, *checks, release="end")
        assert pieces == []
        assert isinstance(error, Rejected)
        assert error.chunk == "it."


def test_observing_stops_for_nothing_and_notes_the_first_failure() -> None:
    def fails(view: View) -> None:
        if view.chunk.index == 3:
            raise OSError(view.chunk)

    checks = (rejecting("Two", "Five"), fails)
    pieces, error, stream = run(TEXT, *checks, release="observe")
    assert (texts(pieces), error) == (CHUNKS, None)
    outcome = ended(stream)
    assert (outcome.status, outcome.error) == ("completed", None)
    assert outcome.rejected is not None
    assert (outcome.rejected.chunk, outcome.rejected.released_to) == (CHUNKS[1], 10)
    assert [stats.rejects for stats in outcome.stats.checks] == [2, 0]
    assert outcome.stats.checks[1].errors == 1
    pieces, error, stream = run(TEXT, fails, release="observe")
    assert (texts(pieces), error) == (CHUNKS, None)
    assert isinstance(ended(stream).error, OSError)
    assert ended(stream).rejected is None


def test_observing_changes_no_text_and_retracts_nothing() -> None:
    check = crossing_out("is")
    pieces, _, _ = run(TEXT, check, rejecting("Two"), release="observe")
    assert texts(pieces) == CHUNKS
    assert all(piece.verbatim for piece in pieces)
    with validate_sync(TEXT, rejecting("Two"), release="observe") as stream:
        events = list(stream.events())
    assert not any(isinstance(event, Retraction) for event in events)


def test_optimistic_text_cannot_be_edited() -> None:
    with (
        pytest.raises(ValueError, match="edits of text that is not out, got 4:6"),
        validate_sync(TEXT, crossing_out("is"), release="optimistic") as stream,
    ):
        list(stream.events())
    word = Check(crossing_out("is"), strategy="word")
    whole = Check(crossing_out("is"), at="end")
    for check in (word, whole):
        with (
            pytest.raises(ValueError, match="edits of text that is not out"),
            validate_sync(TEXT, check, release="optimistic") as stream,
        ):
            list(stream.events())


def test_optimistic_pieces_that_were_not_handed_out_are_pending() -> None:
    with validate_sync(TEXT, rejecting("Two"), release="optimistic") as stream:
        *released, retraction, _ = stream.events()
    assert len(released) == 2
    assert retraction == Retraction(11, "reject: bad")
    assert ended(stream).pending == TEXT[21:]


def test_on_reject_stop_leaves_the_telling_to_the_outcome() -> None:
    pieces, error, stream = run(TEXT, rejecting("Two"), on_reject="stop")
    assert (texts(pieces), error) == (CHUNKS[:1], None)
    assert ended(stream).rejected is not None


def test_without_checks_everything_passes() -> None:
    for release in ("hold", "end", "observe"):
        assert texts(run(TEXT, release=release)[0]) == CHUNKS


# --- other grains -------------------------------------------------------------------


def test_words_are_judged_before_their_sentence_is_complete() -> None:
    seen: list[str] = []

    def judge(view: View) -> Verdict | None:
        seen.append(view.chunk)
        return rejecting("bad")(view)

    deltas = ["One is ", "on. Two is bad ", "but long"]
    check = Check(judge, strategy="word")
    pieces, error, stream = run(deltas, check, passing)
    assert texts(pieces) == ["One is on."]
    assert isinstance(error, Rejected)
    assert (error.chunk, error.chunk.start) == ("bad", 18)
    assert seen == ["One", "is", "on.", "Two", "is", "bad"]
    assert ended(stream).stats.deltas == 2
    assert ended(stream).pending == " Two is bad "


def test_a_sentence_waits_for_the_paragraph_that_it_is_in() -> None:
    text = "A is. B is.\n\nC is. D is bad."
    check = Check(rejecting("C"), strategy="paragraph")
    pieces, error, _ = run(list(text), check, passing)
    assert texts(pieces) == ["A is.", "B is."]
    assert isinstance(error, Rejected)
    assert error.chunk == "C is. D is bad."
    good = Check(passing, strategy="paragraph")
    assert len(run(list(text), good, release="end")[0]) == 4
    assert len(run(list(text), good)[0]) == 4


def test_edits_of_words_are_made_in_their_sentences() -> None:
    check = Check(crossing_out("is", "was"), strategy="word")
    pieces, _, stream = run(list(TEXT), check)
    assert texts(pieces) == [chunk.replace(" is", " was") for chunk in CHUNKS]
    assert [piece.chunk for piece in pieces] == CHUNKS
    assert ended(stream).status == "completed"


def test_checks_of_one_strategy_share_a_grain() -> None:
    checks = [Check(passing, strategy="word"), Check(rejecting("is"), strategy="word")]
    error = run(TEXT, *checks)[1]
    assert isinstance(error, Rejected)
    assert error.failures[0][0] == "reject"


def test_cut_is_a_boundary_for_all_grains() -> None:
    seen: list[str] = []
    check = Check(lambda view: seen.append(view.chunk), strategy="word")
    pieces, _, _ = run(["One", CUT, "two"], check, strategy="line")
    assert texts(pieces) == ["One", "two"]
    assert seen == ["One", "two"]


# --- the whole text -----------------------------------------------------------------


def test_the_whole_text_is_judged_before_the_last_chunk_is_released() -> None:
    seen: list[str] = []

    def whole(view: View) -> Verdict | None:
        seen.append(view.chunk)
        return Verdict("reject", "all") if "Five" in view.chunk else None

    check = Check(whole, at="end")
    pieces, _, _ = run(["One. ", CUT, "Two. "], check, passing)
    assert texts(pieces) == ["One.", "Two."]
    pieces, error, _ = run(TEXT + " ", check, passing)
    assert texts(pieces) == CHUNKS[:4]
    assert isinstance(error, Rejected)
    assert (error.chunk.start, error.released_to) == (0, 46)
    assert seen == ["One. Two. ", TEXT + " "]
    with validate_sync(TEXT, check) as stream:
        events: list[Any] = list(stream.events())
    assert events[-2] == Retraction(0, "whole: all")
    assert isinstance(run("", Check(rejecting(""), at="end"))[1], Rejected)


@pytest.mark.parametrize("release", ["hold", "end"])
def test_the_whole_text_can_edit_what_is_not_out(release: Any) -> None:
    last = Check(crossing_out("Five", "5"), at="end")
    pieces, error, _ = run(TEXT, last, release=release)
    assert (texts(pieces)[-1], error) == ("5 is it.", None)
    first = Check(crossing_out("One", "1"), at="end")
    pieces, error, _ = run(TEXT, first, release=release)
    if release == "end":
        assert texts(pieces)[0] == "1 is on."
    else:
        assert isinstance(error, ValueError)
        assert len(pieces) == 4


# --- edits --------------------------------------------------------------------------


def test_an_edit_may_reach_back_into_what_is_held_back() -> None:
    def across(view: View) -> Verdict | None:
        if view.chunk.index != 2:
            return None
        return Verdict("pass", edits=(Edit(17, 27, "<gone>"),))

    pieces, error, _ = run(TEXT, across, hold_back=1)
    assert error is None
    assert texts(pieces)[:4] == [CHUNKS[0], "Two is<gone>", " is in.", CHUNKS[3]]
    assert [piece.lead for piece in pieces] == ["", " ", "", " ", " "]
    assert pieces[1].edits == pieces[2].edits == (Edit(17, 27, "<gone>"),)
    joined = "".join(piece.lead + piece.text for piece in pieces)
    assert joined == TEXT[:17] + "<gone>" + TEXT[27:]
    assert isinstance(run(TEXT, across)[1], ValueError)


def test_an_edit_that_is_written_in_part_keeps_its_text() -> None:
    def edits(view: View) -> Verdict | None:
        if view.chunk.index == 1:
            return Verdict("pass", edits=(Edit(8, 14, "<one>"),))
        if view.chunk.index == 2:
            return Verdict("pass", edits=(Edit(12, 24, "<two>"),))
        return None

    pieces, _, _ = run(TEXT, edits, hold_back=1)
    joined = "".join(piece.lead + piece.text for piece in pieces)
    assert joined == TEXT[:8] + "<one>" + TEXT[24:]


def test_edits_have_to_be_edits() -> None:
    wrong: Any = ("x",)
    error = run(TEXT, giving(Verdict("pass", edits=wrong)))[1]
    assert isinstance(error, TypeError)
    assert "must give edits as Edit, got 'x'" in str(error)


def test_edits_that_a_generator_gives_are_made() -> None:
    def mask(view: View) -> Verdict:
        start = view.chunk.start
        edits: Any = (
            Edit(start + at, start + at + 1, "#")
            for at, char in enumerate(view.chunk)
            if char.isdigit()
        )
        return Verdict("pass", edits=edits)

    pieces, _, _ = run("My pin is 1234. Keep it.", mask)
    assert texts(pieces) == ["My pin is ####.", "Keep it."]


def test_chunks_that_overlap_are_written_once() -> None:
    strategy = WindowChunking(2, stride=1, by="word")
    pieces, _, stream = run("a b c d", passing, strategy=strategy)
    assert [piece.chunk for piece in pieces] == ["a b", "b c", "c d"]
    assert texts(pieces) == ["a b", " c", " d"]
    pieces, error, stream = run("a b c d", rejecting("b"), strategy=strategy)
    assert (texts(pieces), type(error)) == (["a b"], Rejected)
    assert ended(stream).pending == " c d"
    error = run("a b c d", crossing_out("b"), strategy=strategy)[1]
    assert isinstance(error, ValueError)
    assert "in 3..5, got 2:3" in str(error)


# --- errors and limits --------------------------------------------------------------


class BrokenChunking(ChunkingStrategy[None]):
    """Cuts at white space; fails at ``!`` and, if told to, in the end."""

    def __init__(self, *, at_flush: bool = False) -> None:
        self._at_flush = at_flush

    def split(self, text: str) -> list[str]:
        """Return all words but the last."""
        if "!" in text:
            raise OSError(text)
        return text.split()[:-1]

    def flush(self, text: str) -> list[str]:
        """Return the last word, or fail."""
        if self._at_flush:
            raise OSError(text)
        return text.split()


def test_an_error_of_the_strategy_keeps_the_delta() -> None:
    pieces, error, stream = run(["a b", " c!"], strategy=BrokenChunking())
    assert (texts(pieces), type(error)) == (["a"], OSError)
    assert ended(stream).pending == " b c!"
    assert ended(stream).status == "source_error"


def test_an_error_of_another_grain_ends_the_reading_as_well() -> None:
    check = Check(passing, strategy=BrokenChunking())
    pieces, error, stream = run(["One. It is. So ", "Th! ", "Four"], check)
    assert isinstance(error, OSError)
    assert texts(pieces) == ["One.", "It is."]
    assert ended(stream).pending == " So Th! "


def test_an_error_at_the_end_of_the_stream_releases_what_is_complete() -> None:
    broken = BrokenChunking(at_flush=True)
    pieces, error, stream = run("a b", strategy=broken)
    assert (texts(pieces), type(error), ended(stream).pending) == (["a"], OSError, " b")
    pieces, error, stream = run("One. Two.", Check(passing, strategy=broken))
    assert isinstance(error, OSError)
    assert ended(stream).status == "source_error"


@pytest.mark.parametrize("grain", ["own", "other"])
def test_a_limit_that_is_reached_is_an_error_or_a_cut(grain: str) -> None:
    check = passing if grain == "own" else Check(passing, strategy="paragraph")
    deltas = ["One. ", "aaaa", "bbbb", "cccc", " d"]
    pieces, error, stream = run(deltas, check, max_pending=9)
    assert isinstance(error, PendingLimitError)
    if grain == "own":
        assert texts(pieces) == ["One."]
        assert ended(stream).pending == " aaaabbbbcccc"[:13]
    options: Any = {"max_pending": 9, "on_limit": "cut"}
    pieces, error, stream = run(deltas, check, **options)
    assert error is None
    assert "".join(piece.lead + piece.text for piece in pieces) == "".join(deltas)
    assert not pieces[1].chunk.complete


def test_an_error_of_the_cut_at_a_limit_is_one_of_the_source() -> None:
    broken = BrokenChunking(at_flush=True)
    options: Any = {"max_pending": 3, "on_limit": "cut", "strategy": broken}
    pieces, error, stream = run(["a bbbbb", " c"], passing, **options)
    assert (texts(pieces), type(error)) == (["a"], OSError)
    assert ended(stream).status == "source_error"
    assert ended(stream).pending == " bbbbb"


def test_only_the_first_error_counts() -> None:
    session = Session([passing], SessionOptions())
    session.fail_source(OSError("first"))
    session.fail_source(OSError("second"))
    assert str(session.conclude(None)) == "first"


def test_a_stall_says_how_far_the_text_came() -> None:
    session = Session([], SessionOptions())
    session.take("One. Two")
    session.stall(2)
    error = session.conclude(None)
    assert "idle_timeout=2 seconds (stream offset 8)" in str(error)
    assert session.outcome is not None
    assert session.outcome.status == "stalled"


def test_the_first_reason_to_leave_counts() -> None:
    session = Session([passing], SessionOptions())
    session.abort()
    session.interrupt()
    assert "task group" in str(session.conclude(None))


def test_leaving_behind_a_rejection_or_the_end_changes_nothing() -> None:
    with validate_sync(TEXT, rejecting("One"), on_reject="stop") as stream:
        assert list(stream) == []
        stream.stop()
    assert ended(stream).status == "rejected"
    with validate_sync("One.") as stream:
        next(stream)
    assert ended(stream).status == "completed"


def test_a_late_verdict_on_a_failed_chunk_is_noted() -> None:
    async def never(view: View) -> None:
        del view

    session = Session([never, never], SessionOptions())
    session.take("One. Two")
    slot = session.next_slot()
    assert slot is not None
    one, two = session.checks
    session.record_error(slot, one, OSError(), 0.5)
    session.record_error(slot, two, ValueError(), 0.25)
    assert isinstance(session.conclude(None), OSError)
    assert session.outcome is not None
    assert [check.seconds for check in session.outcome.stats.checks] == [0.5, 0.25]
    assert session.next_slot() is None


def test_there_is_room_for_as_many_chunks_as_may_be_in_flight() -> None:
    async def judge(view: View) -> None:
        del view

    session = Session([judge], SessionOptions())
    session.take("One. Two. Three")
    assert (session.has_room(2), session.has_room(3)) == (False, True)
    session = Session([Check(judge, strategy="word")], SessionOptions())
    session.take("One two three. ")
    assert (session.has_room(2), session.has_room(4)) == (False, True)
    session = Session([judge], SessionOptions(release="optimistic"))
    session.take("One. Two. Three")
    assert (session.has_room(2), session.has_room(3)) == (False, True)
    session = Session([judge], SessionOptions(release="observe"))
    session.take("One. Two. Three")
    session.hand_out()
    assert (session.has_room(1), session.has_room(2)) == (False, True)


def test_what_a_policy_holds_back_takes_no_room() -> None:
    session = Session([passing], SessionOptions(release="end"))
    session.take(TEXT)
    while (slot := session.next_slot()) is not None:
        assert session.judge_inline(slot)
    assert session.has_room(1)


def test_timeouts_follow_the_policy_of_the_check() -> None:
    async def judge(view: View) -> None:
        del view

    for policy, status in (("reject", "rejected"), ("raise", "check_error")):
        check = Check(judge, timeout=0.5, on_timeout=policy, name="slow")  # type: ignore[arg-type]  # of two
        session = Session([check], SessionOptions())
        session.take("One. Two")
        slot = session.next_slot()
        assert slot is not None
        session.record_timeout(slot, session.checks[0], 0.5)
        assert "took longer than timeout=0.5 seconds" in str(session.conclude(None))
        assert session.outcome is not None
        assert session.outcome.status == status


def test_statistics_count_what_was_done() -> None:
    _, _, stream = run(["One. Two. ", "Three"], passing, passing)
    stats = ended(stream).stats
    assert (stats.deltas, stats.chunks, stats.released) == (2, 3, 3)
    assert stats.first_release_seconds is not None
    assert [check.calls for check in stats.checks] == [3, 3]
    assert stats.checks[0].slowest_seconds <= stats.checks[0].seconds
    assert ended(run([], passing)[2]).stats.first_release_seconds is None


def test_an_observer_changes_nothing_and_is_logged_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    events: list[Event] = []

    def fail(event: Event) -> None:
        events.append(event)
        raise ValueError(event)

    for observer in (events.append, fail):
        pieces, error, _ = run(TEXT, passing, observer=observer)
        assert (texts(pieces), error) == (CHUNKS, None)
    assert len(caplog.records) == 1


def test_what_is_no_verdict_is_an_error_that_says_so() -> None:
    async def coroutine() -> None: ...

    class Awaitable:
        def __await__(self) -> Any: ...

    cases: list[tuple[Any, str]] = [
        (True, "got bool True"),
        ("ok", "got str 'ok'"),
        (coroutine(), "write it as an async function"),
        (Awaitable(), "write it as an async function"),
    ]
    for result, told in cases:
        error = run(TEXT, giving(result))[1]
        assert isinstance(error, TypeError)
        assert told in str(error)


def test_a_session_that_has_not_ended_has_nothing_to_retract() -> None:
    session = Session([], SessionOptions())
    assert (session.tail, session.last_events) == ("", [])


def test_what_begins_behind_a_failure_is_not_judged_any_more() -> None:
    async def judge(view: View) -> None:
        del view

    session = Session([judge], SessionOptions())
    session.take("One. Two. Three")
    slot = session.next_slot()
    assert slot is not None
    assert session.to_judge
    session.record(slot, session.checks[0], Verdict("reject"), 0.0)
    assert session.next_slot() is None
    assert not session.to_judge


def test_the_failure_that_begins_first_stays_the_limit() -> None:
    async def judge(view: View) -> None:
        del view

    session = Session([judge], SessionOptions())
    session.take(TEXT)
    slots = [session.next_slot() for _ in range(4)]
    limits = []
    for at in (2, 0, 1):
        slot = slots[at]
        assert slot is not None
        session.record(slot, session.checks[0], Verdict("reject"), 0.0)
        limits.append(session.limit)
    assert limits == [22, 0, 0]


def test_an_abandoned_session_raises_nothing() -> None:
    session = Session([passing], SessionOptions())
    session.leave()
    assert session.conclude(None) is None
    assert session.outcome is not None
    assert session.outcome.status == "abandoned"


def test_a_rejection_of_what_is_not_out_needs_no_retraction() -> None:
    with validate_sync(TEXT, rejecting("Two")) as stream:
        assert len(list(stream.events())) == 2


def test_optimistic_pieces_behind_a_failure_are_withdrawn() -> None:
    async def judge(view: View) -> None:
        del view

    session = Session([judge], SessionOptions(release="optimistic"))
    session.take("One. Two. Three")
    slot = session.next_slot()
    assert slot is not None
    assert len(session.ready) == 2
    session.record(slot, session.checks[0], Verdict("reject"), 0.0)
    assert not session.ready
    session.conclude(None)
    assert session.outcome is not None
    assert session.outcome.pending == "One. Two. Three"


@pytest.mark.parametrize("release", ["hold", "optimistic"])
@pytest.mark.parametrize("stopping", ["ChunkFormed", "CheckFinished", "Released"])
def test_nothing_is_handed_out_behind_a_stop_by_an_observer(
    stopping: str, release: Any
) -> None:
    def observe(event: Event) -> None:
        if type(event).__name__ == stopping:
            stream.stop()

    options: Any = {"release": release, "observer": observe}
    for checks in ([], [passing]):
        with validate_sync(TEXT, *checks, **options) as stream:
            texts = [event for event in stream.events() if isinstance(event, Released)]
        if checks or stopping != "CheckFinished":
            given = "".join(each.piece.lead + each.piece.text for each in texts)
            assert len(texts) <= (stopping == "CheckFinished" and release != "hold")
            assert given + ended(stream).pending == TEXT
            assert ended(stream).status == "abandoned"


def test_nothing_is_handed_out_behind_a_stop_by_a_check() -> None:
    def stop(view: View) -> None:
        if view.chunk == CHUNKS[1]:
            stream.stop()

    with validate_sync(TEXT, stop) as stream:
        assert texts(list(stream)) == CHUNKS[:1]
    assert CHUNKS[0] + ended(stream).pending == TEXT


@pytest.mark.parametrize("sliced", [False, True])
def test_a_piece_waits_for_every_chunk_that_overlaps_it(*, sliced: bool) -> None:
    text = "aaaaaaSECRET and more text behind it"
    source = list(text) if sliced else [text]
    windows: Any = FixedSizeChunking(10, overlap=6)
    options: Any = {"strategy": FixedSizeChunking(10)}

    def judge(view: View) -> Verdict | None:
        return Verdict("reject") if "SECRET" in view.chunk else None

    pieces, error, stream = run(source, Check(judge, strategy=windows), **options)
    assert (texts(pieces), type(error)) == ([], Rejected)
    assert text.startswith(ended(stream).pending)
    masking = Check(crossing_out("SECRET"), strategy=windows)
    pieces, error, _ = run(source, masking, **options)
    written = "".join(piece.lead + piece.text for piece in pieces)
    assert (written, error) == (text.replace("SECRET", "_"), None)


@pytest.mark.parametrize("release", ["hold", "end"])
def test_an_edit_that_reaches_into_the_tail_is_made_there(release: Any) -> None:
    def drop_spaces(view: View) -> Verdict:
        size = len(view.chunk)
        edits = (Edit(size - 6, size - 2, "!"), Edit(size - 1, size, ""))
        return Verdict("pass", edits=edits)

    options: Any = {"release": release}
    check = Check(drop_spaces, at="end")
    with validate_sync("It is. So it is. \n\n", check, **options) as stream:
        assert "".join(stream.texts()) == "It is. So it !\n"
    assert ended(stream).tail == "\n"


def test_any_number_of_failures_can_become_known_at_a_time() -> None:
    text = "word " * 2000 + "end. Next one."
    check = Check(rejecting("word"), strategy="word")
    pieces, error, stream = run(text, passing, check, release="observe")
    assert (len(pieces), error) == (2, None)
    rejected = ended(stream).rejected
    assert rejected is not None
    assert rejected.chunk.start == 0


def test_a_rejection_that_a_source_or_a_check_raises_is_an_error() -> None:
    def guarded(text: str) -> Iterator[str]:
        with validate_sync(text, rejecting("Two")) as inner:
            yield from inner.texts()

    def nested(view: View) -> None:
        list(guarded(view.chunk))

    for source, check, status in (
        (guarded(TEXT), passing, "source_error"),
        (TEXT, nested, "check_error"),
    ):
        stream = validate_sync(source, check, release="optimistic")
        events: list[Event] = []
        with stream, pytest.raises(Rejected) as raised:
            events.extend(stream.events())
        outcome = ended(stream)
        assert (outcome.status, outcome.rejected) == (status, None)
        assert outcome.error is raised.value


def test_a_cut_at_the_limit_may_fail_itself() -> None:
    options: Any = {"max_pending": 20, "on_limit": "cut"}
    text = '[{"id": 1}, {"id": "' + "x" * 40
    strategy = JSONChunking(strict=True)
    pieces, error, stream = run(text, strategy=strategy, **options)
    assert texts(pieces) == ['{"id": 1}']
    assert isinstance(error, MalformedJSONError)
    assert ended(stream).error is error
    assert ended(stream).pending == text[10:]


@pytest.mark.parametrize(
    ("options", "released_to"),
    [
        ({"strategy": "word"}, 10),
        ({"strategy": "paragraph"}, 0),
        ({"at": "end"}, 46),
        ({}, 10),
    ],
)
def test_observing_notes_how_far_holding_would_have_come(
    options: Any, released_to: int
) -> None:
    def judge(view: View) -> Verdict | None:
        return Verdict("reject") if "Two" in view.chunk or "up" in view.chunk else None

    found = set()
    for release in ("hold", "observe"):
        with (
            validate_sync(
                list(TEXT), passing, Check(judge, **options), release=release
            ) as stream,
            suppress(Rejected),
        ):
            list(stream)
        rejected = ended(stream).rejected
        assert rejected is not None
        found.add((rejected.released_to, str(rejected.chunk)))
    assert len(found) == 1
    assert found.pop()[0] == released_to
