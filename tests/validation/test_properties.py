"""What holds for every text, slicing, release policy and driver."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from anyio.lowlevel import checkpoint
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import iter_chunks
from chunkwise.validation import Check, Edit, Rejected, Verdict, validate_sync

from ..texts import boundary_rich_texts, slicings
from .streams import DRIVERS, Source, opened, passing, read, rest

if TYPE_CHECKING:
    from chunkwise.validation import Piece, View

every_backend = pytest.mark.parametrize("backend", ["asyncio", "trio"])


@every_backend
@given(data=st.data(), text=boundary_rich_texts())
def test_t06_slicing_changes_nothing(
    backend: str, data: st.DataObject, text: str
) -> None:
    async def facts(driver: str, deltas: list[str]) -> list[Any]:
        async with opened(driver, deltas, passing) as stream:
            pieces, error = await read(stream)
        assert error is None
        assert rest(stream, pieces) == text
        return [(p.start, p.end, p.lead, p.text, p.chunk.complete) for p in pieces]

    async def both() -> None:
        expected = await facts("inline", [text])
        for driver in DRIVERS:
            assert await facts(driver, data.draw(slicings(text))) == expected

    anyio.run(both, backend=backend)


class Spy:
    """Knows which checks have passed which chunks."""

    def __init__(self) -> None:
        self.passed: dict[int, set[str]] = {}

    def judge(self, name: str, turns: list[int], bad: int) -> Any:
        """Return a check that takes some turns of the loop and notes what passed."""

        async def judge(view: View) -> Verdict | None:
            index = view.chunk.index
            for _ in range(turns[index % len(turns)]):
                await checkpoint()
            if index == bad:
                return Verdict("reject")
            self.passed.setdefault(index, set()).add(name)
            return None

        return judge


@every_backend
@given(
    data=st.data(),
    text=boundary_rich_texts(),
    driver=st.sampled_from(DRIVERS),
    hold_back=st.integers(0, 2),
    bad=st.integers(0, 12),
)
def test_nothing_is_released_before_its_verdict_and_nothing_is_lost(
    backend: str, data: st.DataObject, text: str, driver: str, hold_back: int, bad: int
) -> None:
    turns = st.lists(st.integers(0, 3), min_size=1, max_size=4)
    spy = Spy()
    checks = [
        Check(spy.judge("one", data.draw(turns), bad)),
        Check(
            spy.judge("two", data.draw(turns), bad + 2),
            parallel=data.draw(st.integers(1, 3)),
        ),
    ]
    deltas = data.draw(slicings(text))
    source = Source(*deltas)
    options: Any = {"hold_back": hold_back}
    if driver == "pipelined":
        options["max_in_flight"] = data.draw(st.integers(1, 5))
    pieces: list[Piece] = []

    def look_at(piece: Piece) -> None:
        at = piece.chunk.index
        assert spy.passed[at] == {"one", "two"}
        # Nothing follows behind the end of the stream.
        for ahead in range(at + 1, at + hold_back + 1):
            assert spy.passed.get(ahead, set()) in (set(), {"one", "two"})
        pieces.append(piece)

    async def main() -> None:
        async with opened(driver, source, *checks, **options) as stream:
            try:
                async for piece in stream:
                    look_at(piece)
            except Rejected:
                assert len(pieces) == max(0, bad - hold_back)
        outcome = stream.outcome
        assert outcome is not None
        assert [piece.chunk.index for piece in pieces] == list(range(len(pieces)))
        # A pump may have asked for an item that is not wanted when it comes.
        fewest = source.given - (driver == "pipelined")
        taken = ["".join(deltas[:n]) for n in range(max(0, fewest), source.given + 1)]
        assert rest(stream, pieces) in taken
        assert outcome.status in {"completed", "rejected"}
        if outcome.status == "completed":
            assert outcome.stats.chunks == len(pieces)
            assert rest(stream, pieces) == text

    anyio.run(main, backend=backend)
    source.check()


@every_backend
@given(
    data=st.data(),
    text=boundary_rich_texts(),
    driver=st.sampled_from(DRIVERS),
    hold_back=st.integers(0, 2),
    bad=st.tuples(st.integers(0, 12), st.integers(0, 24), st.booleans()),
)
def test_words_and_the_whole_text_are_waited_for(
    backend: str,
    data: st.DataObject,
    text: str,
    driver: str,
    hold_back: int,
    bad: tuple[int, int, bool],
) -> None:
    chunks = list(iter_chunks([text], "sentence"))
    words = list(iter_chunks([text], "word"))
    bad_chunk, bad_word, bad_whole = bad
    # Where the first failure begins, or the last chunk ends where none does.
    begins = [chunk.start for chunk in (*chunks[bad_chunk:], *words[bad_word:])]
    fails_at = min(begins, default=len(text))

    turns = st.lists(st.integers(0, 3), min_size=1, max_size=4)
    own, word, whole = Spy(), Spy(), Spy()
    checks = [
        Check(own.judge("own", data.draw(turns), bad_chunk)),
        Check(
            word.judge("word", data.draw(turns), bad_word),
            strategy="word",
            parallel=data.draw(st.integers(1, 3)),
        ),
        Check(whole.judge("whole", data.draw(turns), 0 if bad_whole else -1), at="end"),
    ]
    source = Source(*data.draw(slicings(text)))
    options: Any = {"hold_back": hold_back}
    if driver == "pipelined":
        options["max_in_flight"] = data.draw(st.integers(1, 5))
    pieces: list[Piece] = []

    def look_at(piece: Piece) -> None:
        assert own.passed[piece.chunk.index]
        begun = [each.index for each in words if each.start < piece.end]
        assert all(index in word.passed for index in begun)
        assert piece.end <= fails_at
        if piece.chunk.index == len(chunks) - 1:
            assert whole.passed
        pieces.append(piece)

    async def main() -> None:
        async with opened(
            driver, source, *data.draw(st.permutations(checks)), **options
        ) as it:
            with suppress(Rejected):
                async for piece in it:
                    look_at(piece)
        assert it.outcome is not None
        passes = not begins and not bad_whole
        assert it.outcome.status == ("completed" if passes else "rejected")
        assert text.startswith(rest(it, pieces))
        if begins and not hold_back:
            # A sentence may be complete only behind the word that ends the reading. And
            # the last one that is complete waits, as none may follow.
            formed = chunks[: it.outcome.stats.chunks]
            assert len(pieces) == sum(chunk.end <= fails_at for chunk in formed[:-1])
        if not begins:
            assert rest(it, pieces) == text
            assert len(pieces) == len(chunks) - (bad_whole and bool(chunks))

    anyio.run(main, backend=backend)
    source.check()


@given(data=st.data(), text=boundary_rich_texts(), hold_back=st.integers(0, 3))
def test_edits_do_not_depend_on_slicing_or_move_offsets(
    data: st.DataObject, text: str, hold_back: int
) -> None:
    def cross_out(view: View) -> Verdict:
        chunk = view.chunk
        edits = [Edit(at, at + 1, "##") for at in range(chunk.start, chunk.end, 2)]
        return Verdict("pass", edits=tuple(edits))

    written = []
    for deltas in ([text], data.draw(slicings(text))):
        with validate_sync(deltas, cross_out, hold_back=hold_back) as stream:
            pieces = list(stream)
        for piece in pieces:
            assert text[piece.start : piece.end] == piece.chunk
            assert len(piece.text) == len(piece.chunk) + (len(piece.chunk) + 1) // 2
        assert stream.outcome is not None
        written.append("".join(p.lead + p.text for p in pieces) + stream.outcome.tail)
    assert written[0] == written[1]
