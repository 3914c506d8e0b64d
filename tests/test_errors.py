"""Errors keep their facts, say what was found where, and survive pickle."""

from __future__ import annotations

import copy
import pickle

import pytest

from chunkwise import Chunk, errors
from chunkwise.errors import (
    ChunkwiseError,
    ContractError,
    DeltaInvarianceError,
    MalformedJSONError,
    NotVerbatimError,
    PendingLimitError,
    SeparatorTimeoutError,
    SourceError,
    StreamStateError,
    UnknownStrategyError,
)

CHUNK = Chunk("Yes.", start=2, index=3, gap="  ", kind="sentence", metadata={"id": 7})

EVERY_ERROR = [
    pytest.param(error, id=type(error).__name__)
    for error in (
        ChunkwiseError("something"),
        ContractError("found a, expected b", strategy="MyChunking", offset=7),
        NotVerbatimError("found a, expected b", strategy="MyChunking", offset=0),
        DeltaInvarianceError(
            strategy="MyChunking", offset=3, released=["a"], expected=["b"]
        ),
        UnknownStrategyError("wrod", known=["word", "line"], path="by.type"),
        StreamStateError("feed() after flush()"),
        PendingLimitError(
            pending=12, limit=10, offset=6, chunks=[CHUNK], strategy="MyChunking"
        ),
        SourceError("found a, expected b", item=3),
        MalformedJSONError(found="'x'", expected="a value", offset=7, path="$.a"),
        SeparatorTimeoutError(pattern="(a|aa)+b", timeout=1.0, offset=5),
    )
]
every_error = pytest.mark.parametrize("error", EVERY_ERROR)


@every_error
def test_every_error_is_a_chunkwise_error(error: ChunkwiseError) -> None:
    assert isinstance(error, ChunkwiseError)


@pytest.mark.parametrize(
    ("cls", "is_value_error"),
    [
        (ChunkwiseError, False),
        (ContractError, True),
        (NotVerbatimError, True),
        (DeltaInvarianceError, True),
        (UnknownStrategyError, True),
        (StreamStateError, False),
        (PendingLimitError, False),
        (SourceError, True),
        (MalformedJSONError, True),
        (SeparatorTimeoutError, False),
    ],
)
def test_what_a_value_was_wrong_for_is_a_value_error_too(
    cls: type[ChunkwiseError], *, is_value_error: bool
) -> None:
    assert issubclass(cls, ValueError) is is_value_error


def test_what_cannot_be_placed_or_depends_on_the_slicing_breaks_the_contract() -> None:
    assert issubclass(NotVerbatimError, ContractError)
    assert issubclass(DeltaInvarianceError, ContractError)


@every_error
def test_every_error_pickles_and_copies_with_its_facts(error: ChunkwiseError) -> None:
    pickled = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own pickle
    for again in (pickled, copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert again.args == error.args
        assert vars(again) == vars(error)
        assert str(again) == str(error)


def test_the_chunks_of_a_pickled_error_keep_their_attributes() -> None:
    error = PendingLimitError(
        pending=12, limit=10, offset=6, chunks=[CHUNK], strategy="MyChunking"
    )
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own pickle
    (chunk,) = again.chunks
    assert type(chunk) is Chunk
    assert (chunk.start, chunk.index, chunk.gap) == (2, 3, "  ")
    assert chunk.metadata == {"id": 7}


@every_error
def test_a_message_is_one_phrase_without_a_full_stop(error: ChunkwiseError) -> None:
    assert not str(error).endswith(".")
    assert "\n" not in str(error)


def test_a_contract_error_says_who_what_and_where() -> None:
    error = ContractError("found a, expected b", strategy="MyChunking", offset=7)
    assert str(error) == "MyChunking: found a, expected b (stream offset 7)"
    assert (error.problem, error.strategy, error.offset) == (
        "found a, expected b",
        "MyChunking",
        7,
    )


def test_a_contract_error_about_no_place_names_none() -> None:
    error = ContractError("found a, expected b", strategy="MyChunking")
    assert str(error) == "MyChunking: found a, expected b"
    assert error.offset is None


def test_offset_zero_is_a_place() -> None:
    error = ContractError("found a", strategy="MyChunking", offset=0)
    assert str(error) == "MyChunking: found a (stream offset 0)"


def test_a_delta_invariance_error_shows_both_results_and_a_way_out() -> None:
    error = DeltaInvarianceError(
        strategy="MyChunking",
        offset=3,
        released=["Dr."],
        expected=["Dr. Lee came.", "Hi."],
    )
    message = str(error)
    assert message.startswith(
        "MyChunking: broke the law of delta-invariance (stream offset 3): "
        "the deltas gave 'Dr.', the whole text gives 'Dr. Lee came.'"
    )
    assert "scan()" in message
    assert error.released == ("Dr.",)
    assert error.expected == ("Dr. Lee came.", "Hi.")


def test_a_delta_invariance_error_says_when_a_side_gave_nothing() -> None:
    error = DeltaInvarianceError(
        strategy="MyChunking", offset=3, released=[], expected=["b"]
    )
    assert "the deltas gave no chunk, the whole text gives 'b'" in str(error)


def test_an_unknown_strategy_is_shown_next_to_the_known_ones() -> None:
    error = UnknownStrategyError("wrod", known=["word", "line"])
    assert str(error) == "unknown strategy 'wrod', expected one of 'word', 'line'"
    assert (error.name, error.known) == ("wrod", ("word", "line"))


def test_a_dictionary_without_a_type_is_told_apart() -> None:
    error = UnknownStrategyError(None, known=["word", "line"])
    assert str(error) == "no 'type' in the dictionary, expected one of 'word', 'line'"


def test_a_long_name_is_cut_and_one_that_is_no_text_is_shown() -> None:
    assert f"'{'x' * 40}'…," in str(UnknownStrategyError("x" * 41, known=["word"]))
    assert "unknown strategy 7," in str(UnknownStrategyError(7, known=["word"]))


def test_an_unknown_strategy_says_where_it_is_nested() -> None:
    wrong = UnknownStrategyError("wrod", known=["word"], path="by.type")
    assert str(wrong) == (
        "unknown strategy 'wrod' at 'by.type', expected one of 'word'"
    )
    missing = UnknownStrategyError(None, known=["word"], path="by.type")
    assert str(missing) == "no 'by.type' in the dictionary, expected one of 'word'"


def test_a_delta_invariance_error_says_that_the_same_text_differs() -> None:
    error = DeltaInvarianceError(
        strategy="MyChunking", offset=3, released=["a", "b"], expected=["a"]
    )
    assert "gives 'a' with another place, `complete` or `kind`; " in str(error)


def test_a_limit_error_says_how_much_since_where_and_what_helps() -> None:
    error = PendingLimitError(
        pending=12, limit=10, offset=6, chunks=[CHUNK], strategy="MyChunking"
    )
    assert str(error) == (
        "MyChunking holds back 12 code points since stream offset 6, "
        "expected at most max_pending=10; cut() or flush() releases them"
    )
    assert (error.pending, error.limit, error.offset) == (12, 10, 6)
    assert error.chunks == [CHUNK]
    assert error.strategy == "MyChunking"


@pytest.mark.parametrize(
    ("length", "shown"),
    [(39, "x" * 39 + "'"), (40, "x" * 40 + "'"), (41, "x" * 40 + "'…")],
)
def test_quoted_text_is_cut_to_40_code_points(length: int, shown: str) -> None:
    error = DeltaInvarianceError(
        strategy="MyChunking",
        offset=0,
        released=["x" * length],
        expected=[],
    )
    assert f"the deltas gave '{shown}, " in str(error)


def test_quoted_text_is_a_repr() -> None:
    error = DeltaInvarianceError(
        strategy="MyChunking", offset=0, released=["a\n\ud800"], expected=[]
    )
    assert r"the deltas gave 'a\n\ud800'," in str(error)


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = errors.__doc__ or ""
    for name in errors.__all__:
        assert name in drawn


def test_a_json_error_says_what_was_found_where() -> None:
    error = MalformedJSONError(found="'x'", expected="a value", offset=7, path="$.a[0]")
    assert (error.found, error.expected) == ("'x'", "a value")
    assert (error.offset, error.path) == (7, "$.a[0]")
    assert str(error) == (
        "malformed JSON at $.a[0]: found 'x', expected a value (stream offset 7)"
    )


def test_a_separator_timeout_says_what_was_searched_for_and_from_where() -> None:
    error = SeparatorTimeoutError(pattern="(a|aa)+b", timeout=1.0, offset=5)
    assert (error.pattern, error.timeout, error.offset) == ("(a|aa)+b", 1.0, 5)
    assert str(error) == (
        "the search for '(a|aa)+b' from stream offset 5 on took longer than expected, "
        "at most timeout=1.0 seconds"
    )
