"""What the page is about, as JSON can hold it."""

from __future__ import annotations

import json
from itertools import accumulate
from typing import Any

from hypothesis import given

from chunkwise import CUT, JSONChunking, MarkdownChunking, SizedChunking
from chunkwise.viewer._data import page_data
from chunkwise.viewer._recording import Recording
from chunkwise.viewer._trace import trace
from tests.texts import boundary_rich_texts


def data_of(recording: Recording, *strategies: Any) -> dict[str, Any]:
    traces = [trace(recording, strategy) for strategy in strategies]
    return page_data(recording, traces, title="A title", simulated=0)


def test_deltas_are_runs_of_sizes_and_times_are_differences() -> None:
    recording = Recording(["ab", "cd", "", CUT, "e"], [7, 7.1, 7.1, 7.2, 9.00004])
    data = data_of(recording)
    assert (data["title"], data["text"], data["simulated"]) == ("A title", "abcde", 0)
    assert data["deltas"] == [(2, 2), (0, 1), (-1, 1), (1, 1)]
    assert data["times"] == [0, 100, 0, 100, 1800]
    assert data_of(Recording(["a"]))["times"] is None
    assert data_of(Recording([], []))["times"] == []


def test_errors_of_rounded_times_do_not_add_up() -> None:
    recording = Recording(["a"] * 1_001, [at * 0.00004 for at in range(1_001)])
    assert round(sum(data_of(recording)["times"]), 1) == 40


def test_a_lone_surrogate_is_replaced_so_that_offsets_stay() -> None:
    recording = Recording(["\ud83d", "\ude00 ", "😀"])
    data = page_data(recording, [], title="\udc80", simulated=0)
    assert (data["text"], data["title"]) == ("\ufffd\ufffd 😀", "\ufffd")


def test_chunks_are_columns() -> None:
    (packed,) = data_of(Recording(["One. Two", "! And"]), "sentence")["traces"]
    assert packed == {
        "label": "sentence",
        "limit": None,
        "unit": "code_points",
        "starts": [0, 5, 5],
        "lengths": [4, 4, 3],
        "released": [0, 1, 1],
        "sizes": None,
        "kinds": ["sentence"],
        "kind": [(0, 3)],
        "contexts": [()],
        "context": [(0, 3)],
        "incomplete": [2],
        "oversize": [],
        "paths": {},
    }


def test_sizes_are_there_where_they_are_no_lengths() -> None:
    recording = Recording(["one two three"])
    (packed,) = data_of(recording, SizedChunking(1, sizer="words"))["traces"]
    assert packed["sizes"] == [1, 1, 1]


def test_oversize_chunks_and_paths_are_said() -> None:
    (sized,) = data_of(Recording(["e\u0301\u0301"]), SizedChunking(2))["traces"]
    assert sized["oversize"] == [0]
    (items,) = data_of(Recording(["[1, 2]"]), JSONChunking())["traces"]
    assert items["paths"] == {"0": "$[0]", "1": "$[1]"}


def test_context_is_said_once_for_chunks_in_a_row() -> None:
    recording = Recording(["# One\n\nA b. C d.\n\n# Two\n\nE f.\n"])
    (packed,) = data_of(recording, MarkdownChunking())["traces"]
    assert packed["contexts"] == [(), ((0, 5, "heading"),), ((18, 23, "heading"),)]
    assert packed["context"] == [(0, 1), (1, 2), (0, 1), (2, 1)]


@given(text=boundary_rich_texts())
def test_the_chunks_can_be_unpacked(text: str) -> None:
    recording = Recording([text[at : at + 3] for at in range(0, len(text), 3)])
    found = trace(recording, SizedChunking(8, overlap=4))
    (packed,) = json.loads(json.dumps(data_of(recording, SizedChunking(8, overlap=4))))[
        "traces"
    ]
    starts = list(accumulate(packed["starts"]))
    assert [
        text[start : start + length]
        for start, length in zip(starts, packed["lengths"], strict=True)
    ] == found.chunks
    assert list(accumulate(packed["released"])) == found.released
