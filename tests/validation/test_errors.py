"""What validation raises says what was found, and where."""

from __future__ import annotations

import pickle

from chunkwise import Chunk, ChunkwiseError
from chunkwise.validation import Aborted, Interrupted, Rejected, SourceStalled, Verdict

CHUNK = Chunk("A very long sentence that goes on and on and on.", start=7, index=3)


def test_a_rejection_names_chunk_checks_and_reasons() -> None:
    failures = [("tone", Verdict("reject", "rude")), ("pii", Verdict("reject"))]
    error = Rejected(chunk=CHUNK, failures=failures, released_to=6)
    assert error.failures == tuple(failures)
    assert error.released_to == 6
    assert error.reason == "tone: rude, pii"
    assert str(error) == (
        "chunk 3 at stream offset 7 was rejected (tone: rude, pii): "
        "'A very long sentence that goes on and on'…"
    )


def test_a_stall_says_for_how_long_and_where() -> None:
    error = SourceStalled(seconds=0.5, offset=12)
    assert isinstance(error, TimeoutError)
    assert "idle_timeout=0.5 seconds (stream offset 12)" in str(error)


def test_all_of_them_derive_from_one_base_and_pickle() -> None:
    errors = [
        Rejected(chunk=CHUNK, failures=[("a", Verdict("reject"))], released_to=0),
        SourceStalled(seconds=1, offset=2),
        Interrupted("why"),
        Aborted("why"),
    ]
    for error in errors:
        assert isinstance(error, ChunkwiseError)
        again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
        assert (type(again), str(again), vars(again)) == (
            type(error),
            str(error),
            vars(error),
        )
