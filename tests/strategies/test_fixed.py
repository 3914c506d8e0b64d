"""FixedSizeChunking."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import Chunker, FixedSizeChunking
from tests.examples import Counting
from tests.running import Facts, run
from tests.texts import boundary_rich_texts

TICKET = "Returns are accepted within 30 days. Refunds take 5 days."
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
MARKED = "e\u25cc\u0301"


def places(strategy: FixedSizeChunking, text: str) -> list[tuple[int, int]]:
    """Return start and end of the chunks, the same in one delta and in many."""
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    return [(chunk.start, chunk.end) for chunk in whole.chunks]


def texts(strategy: FixedSizeChunking, text: str) -> list[str]:
    return [text[start:end] for start, end in places(strategy, text)]


def test_exact_slices_begin_at_multiples_of_the_size() -> None:
    strategy = FixedSizeChunking(20, keep_clusters=False)
    assert places(strategy, TICKET) == [(0, 20), (20, 40), (40, 57)]
    assert places(FixedSizeChunking(20), TICKET) == [(0, 20), (20, 40), (40, 57)]


@pytest.mark.parametrize("keep_clusters", [False, True])
@pytest.mark.parametrize("overlap", [0, 3])
def test_no_text_gives_nothing(overlap: int, *, keep_clusters: bool) -> None:
    strategy = FixedSizeChunking(4, overlap=overlap, keep_clusters=keep_clusters)
    assert run(strategy, [""]).chunks == []
    assert run(strategy, []).chunks == []


@pytest.mark.parametrize("keep_clusters", [False, True])
def test_an_overlap_repeats_the_end_of_the_chunk_before(*, keep_clusters: bool) -> None:
    """And behind the chunk that reaches the end of the text there is no other one."""
    strategy = FixedSizeChunking(4, overlap=1, keep_clusters=keep_clusters)
    assert places(strategy, "0123456789") == [(0, 4), (3, 7), (6, 10)]
    assert places(strategy, "0123456789a") == [(0, 4), (3, 7), (6, 10), (9, 11)]
    assert places(strategy, "012") == [(0, 3)]


def test_a_cut_inside_a_cluster_moves_back_to_its_start() -> None:
    chunks = texts(FixedSizeChunking(5), MARKED * 12)
    assert "".join(chunks) == MARKED * 12
    assert chunks[:3] == [
        "e\u25cc\u0301e",
        "\u25cc\u0301e\u25cc\u0301",
        "e\u25cc\u0301e",
    ]
    assert all(chunk[0] != "\u0301" for chunk in chunks)
    exact = texts(FixedSizeChunking(5, keep_clusters=False), MARKED * 12)
    assert exact[1][0] == "\u0301"


def test_a_mark_stays_with_its_letter() -> None:
    """The word has an a with a dot below, written as two code points."""
    assert texts(FixedSizeChunking(3), "cha\u0323y") == ["ch", "a\u0323y"]


def test_a_line_end_of_two_code_points_is_a_cluster() -> None:
    assert texts(FixedSizeChunking(4), "one\r\ntwo") == ["one", "\r\ntw", "o"]
    assert texts(FixedSizeChunking(1), "\r\n\n\r") == ["\r\n", "\n", "\r"]


def test_a_cluster_that_is_too_long_stays_whole_and_is_oversize() -> None:
    whole = run(FixedSizeChunking(3), [f"ab{FAMILY}cd"]).chunks
    assert whole == [
        Facts("ab", 0, 2, "", 0, complete=True, kind="fixed"),
        Facts(FAMILY, 2, 7, "", 1, complete=True, kind="fixed", oversize=True),
        Facts("cd", 7, 9, "", 2, complete=False, kind="fixed"),
    ]
    assert run(FixedSizeChunking(3), f"ab{FAMILY}cd").chunks == whole


def test_only_a_cluster_alone_is_oversize() -> None:
    for size in range(1, 9):
        for chunk in run(FixedSizeChunking(size), [f"ab{FAMILY}cde\u0301" * 3]).chunks:
            assert chunk.oversize == (len(chunk.text) > size)
            if chunk.oversize:
                assert regex.fullmatch(r"\X", chunk.text)


def test_white_space_is_text_as_any_other() -> None:
    assert texts(FixedSizeChunking(50), "\u00a0" * 200) == ["\u00a0" * 50] * 4


def test_the_start_of_an_overlap_moves_out_of_a_cluster() -> None:
    """Forward: a repeated cluster is either whole or not there."""
    strategy = FixedSizeChunking(5, overlap=2)
    assert texts(strategy, "abce\u0301fgh") == ["abce\u0301", "e\u0301fgh"]
    assert texts(strategy, "abe\u0301cdef") == ["abe\u0301c", "cdef"]
    assert texts(strategy, f"ab{FAMILY}cdefg") == ["ab", FAMILY, "cdefg"]


def test_starts_increase_however_short_a_chunk_before_an_overlap_is() -> None:
    """The cut of the first chunk moves back so far that little is left to repeat."""
    strategy = FixedSizeChunking(4, overlap=3)
    marks = "\u0301" * 2
    assert places(strategy, f"abc{marks}d") == [(0, 2), (1, 5), (2, 6)]
    assert places(strategy, f"ac{marks}de") == [(0, 4), (1, 5), (4, 6)]


def test_a_chunk_always_shows_something_new() -> None:
    """Where an overlap would leave no room for a whole cluster there is none."""
    strategy = FixedSizeChunking(4, overlap=3)
    marked = "e\u0301\u0301"
    assert texts(strategy, f"abcd{marked}fg") == ["abcd", f"{marked}f", "fg"]
    assert texts(strategy, f"abcd{marked * 2}") == ["abcd", marked, marked]
    long = "e" + "\u0301" * 6
    assert texts(strategy, f"abcd{long}f") == ["abcd", long, "f"]


def expected(text: str, strategy: FixedSizeChunking) -> list[tuple[int, int, bool]]:
    """Return start, end and oversize of the chunks, from all clusters of the text."""
    ends = [0, *range(1, len(text) + 1)]
    if strategy.keep_clusters:
        ends = [0, *accumulate(map(len, regex.findall(r"\X", text)))]
    chunks: list[tuple[int, int, bool]] = []
    start = shown = 0
    while shown < len(text):
        cut = start + strategy.size
        end = max(end for end in ends if end <= cut)
        if end == shown and start < shown:
            start = shown
        else:
            if end == shown:
                end = min(end for end in ends if end >= cut)
            chunks.append((start, end, end > cut))
            back = max(end - strategy.overlap, start + 1)
            start = min(end for end in ends if end >= back)
            shown = end
    return chunks


strategies = st.integers(1, 8).flatmap(
    lambda size: st.builds(
        FixedSizeChunking,
        st.just(size),
        overlap=st.integers(0, size - 1),
        keep_clusters=st.booleans(),
    )
)


@given(strategy=strategies, text=boundary_rich_texts())
def test_chunks_are_what_all_clusters_say(
    strategy: FixedSizeChunking, text: str
) -> None:
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    found = [(chunk.start, chunk.end, chunk.oversize) for chunk in whole.chunks]
    assert found == expected(text, strategy)


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("abcd", [True]),
        ("abc", [False]),
        ("abcde", [True, False]),
        ("abce\u0301", [True, False]),
        ("a\u0301\u0301\u0301\u0301", [True]),
    ],
)
def test_what_is_full_or_was_cut_is_complete(text: str, complete: list[bool]) -> None:
    chunks = run(FixedSizeChunking(4), [text]).chunks
    assert [chunk.complete for chunk in chunks] == complete


def test_an_exact_slice_is_released_by_its_last_code_point() -> None:
    chunker = Chunker(FixedSizeChunking(3, keep_clusters=False))
    assert chunker.feed("ab") == []
    assert chunker.feed("c") == ["abc"]
    assert chunker.feed("\u0301de") == ["\u0301de"]


def test_a_chunk_is_released_by_the_code_point_that_ends_its_last_cluster() -> None:
    chunker = Chunker(FixedSizeChunking(3))
    assert chunker.feed("abc") == []
    assert chunker.feed("d") == ["abc"]
    assert chunker.feed("ef") == []
    assert chunker.feed("\u0301") == ["de"]
    assert chunker.feed("\u0301\u0301") == []
    assert chunker.feed("") == []
    assert chunker.feed("\u0301") == []
    assert chunker.feed("g") == ["f" + "\u0301" * 4]


def test_behind_a_control_code_point_nothing_is_waited_for() -> None:
    chunker = Chunker(FixedSizeChunking(3))
    assert chunker.feed("ab\n") == ["ab\n"]
    assert chunker.feed("ab\r") == []
    assert chunker.feed("\n") == ["ab"]
    assert chunker.feed("c") == []
    assert chunker.feed("d") == ["\r\nc"]
    one = Chunker(FixedSizeChunking(1))
    assert one.feed("\r") == []
    assert one.feed("\n") == ["\r\n"]


def test_flags_are_pairs_from_the_start_of_their_run() -> None:
    flags = "\U0001f1e9\U0001f1ea" * 3
    assert places(FixedSizeChunking(3), f"a{flags}") == [(0, 3), (3, 5), (5, 7)]
    assert places(FixedSizeChunking(3), f"aa{flags}")[:2] == [(0, 2), (2, 4)]


@pytest.mark.parametrize("overlap", [0, 100])
@pytest.mark.parametrize(
    "text",
    ["e" + "\u0301" * 20_000 + "fg", "\U0001f469\u200d" * 10_000, "\u0600" * 20_000],
    ids=["marks", "emoji", "prepend"],
)
def test_a_long_cluster_is_looked_at_once(text: str, overlap: int) -> None:
    deltas = [text[at : at + 4] for at in range(0, len(text), 4)]
    counting = Counting(FixedSizeChunking(500, overlap=overlap))
    in_parts = run(counting, deltas)
    assert counting.scanned == len(text)
    assert in_parts == run(FixedSizeChunking(500, overlap=overlap), [text])
    assert in_parts.chunks[0].oversize


def test_what_an_overlap_repeats_is_read_back() -> None:
    """In the chunk before; nothing else ever reads back."""
    asked: list[tuple[int, int]] = []

    def read(start: int, end: int) -> str:
        asked.append((start, end))
        return "abcdef"[start:end]

    for strategy in (
        FixedSizeChunking(6),
        FixedSizeChunking(6, overlap=3, keep_clusters=False),
    ):
        assert strategy.bound_to(read) is strategy
    strategy = FixedSizeChunking(6, overlap=3)
    bound = strategy.bound_to(read)
    assert bound == strategy
    _, keep, resume, state, _ = bound.scan("abcdef", 0, bound.begin(0))
    assert (keep, resume, asked) == (0, 6, [])
    spans, keep, *_ = bound.scan("g", resume, state)
    assert [span[:2] for span in spans] == [(0, 6)]
    assert (keep, asked) == (3, [(0, 6)])


def test_what_is_open() -> None:
    strategy = FixedSizeChunking(4)
    state = strategy.begin(10)
    assert strategy.opened("", 10, state) is None
    assert strategy.opened("a", 10, state) == (10, 11)
    assert strategy.opened("ab", 10, state) == (10, 11)
    assert strategy.opened("abe\u0301", 10, state) == (10, 12)
    _, _, resume, state, _ = strategy.scan("abce\u0301", 10, state)
    assert strategy.opened("", resume, state) == (13, 15)
    assert strategy.opened("\u0301", resume, state) == (13, 16)
    assert strategy.opened("\u0301f", resume, state) == (13, 16)


def test_what_is_open_of_an_exact_slice() -> None:
    strategy = FixedSizeChunking(4, keep_clusters=False)
    _, _, resume, state, _ = strategy.scan("abcde\u0301", 0, strategy.begin(0))
    assert strategy.opened("", resume, state) == (4, 6)
    assert strategy.opened("f", resume, state) == (4, 7)


def test_of_an_overlap_it_is_not_known_in_time_where_it_starts() -> None:
    for keep_clusters in (False, True):
        strategy = FixedSizeChunking(4, overlap=1, keep_clusters=keep_clusters)
        assert strategy.overlaps
        assert strategy.opened("ab", 0, strategy.begin(0)) is None
    assert not FixedSizeChunking(4).overlaps


@pytest.mark.parametrize("keep_clusters", [False, True])
def test_the_next_scan_is_due_at_the_cut(*, keep_clusters: bool) -> None:
    strategy = FixedSizeChunking(1_000, keep_clusters=keep_clusters)
    assert strategy.scan("x" * 700, 0, strategy.begin(0))[4] == 1_000
    assert strategy.scan("x" * 1_300, 0, strategy.begin(0))[4] == 2_000


@pytest.mark.parametrize("size", [0, -1, True, False])
def test_a_size_is_at_least_one(size: int) -> None:
    with pytest.raises(ValueError, match=f"size must be .* at least 1, got {size}"):
        FixedSizeChunking(size)


@pytest.mark.parametrize("overlap", [-1, 4, 5, True])
def test_an_overlap_is_less_than_the_size(overlap: int) -> None:
    with pytest.raises(ValueError, match=f"overlap must be .* got {overlap}"):
        FixedSizeChunking(4, overlap=overlap)


@pytest.mark.parametrize("wrong", [None, "3", 3.0])
def test_numbers_are_whole(wrong: Any) -> None:
    with pytest.raises(TypeError, match="size must be an int"):
        FixedSizeChunking(wrong)
    with pytest.raises(TypeError, match="overlap must be an int"):
        FixedSizeChunking(4, overlap=wrong)


def test_keep_clusters_is_a_bool() -> None:
    with pytest.raises(TypeError, match="keep_clusters must be a bool, got 1"):
        FixedSizeChunking(4, keep_clusters=1)  # type: ignore[arg-type]  # the error


def test_it_says_what_it_was_given() -> None:
    strategy = FixedSizeChunking(4, overlap=1)
    assert repr(strategy) == (
        "FixedSizeChunking(size=4, overlap=1, keep_clusters=True)"
    )
    assert strategy.to_dict() == {
        "type": "fixed_size",
        "size": 4,
        "overlap": 1,
        "keep_clusters": True,
    }


def test_only_an_overlap_of_clusters_is_read_back() -> None:
    for strategy, needed in [
        (FixedSizeChunking(4, overlap=2), 4),
        (FixedSizeChunking(4, overlap=2, keep_clusters=False), 7),
        (FixedSizeChunking(4), 7),
    ]:
        scanner = strategy.bound_to(lambda start, end: "abcdefg"[start:end])
        _, _, resume, state, _ = scanner.scan("abcdefg", 0, scanner.begin(0))
        assert scanner.needs(resume, state) == needed
