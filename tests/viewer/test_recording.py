"""Recordings: what came and when, as a value, as lines, and taken from a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import CUT
from chunkwise.viewer._recording import Recording, arecord, is_recording, record
from tests.deltas.sources import AsyncEvents, Events
from tests.texts import data_folder

if TYPE_CHECKING:
    from collections.abc import Iterable


def lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def test_what_is_given_is_kept_as_tuples() -> None:
    recording = Recording(["a", CUT, ""], times=[1, 1, 2.5])
    assert recording == Recording(("a", CUT, ""), (1, 1, 2.5))
    assert hash(recording) == hash(Recording(("a", CUT, ""), (1, 1, 2.5)))
    assert recording.text == "a"


@pytest.mark.parametrize(
    ("deltas", "times", "message"),
    [
        ("abc", None, "deltas must be a sequence of texts, got 'abc'"),
        (iter(["a"]), None, "deltas must be a sequence of texts"),
        ([b"a"], None, "a delta must be a str, got bytes; decode"),
        ([None], None, "a delta must be a str, got NoneType"),
        (["a"], "1", "times must be a sequence of numbers or None, got '1'"),
        (["a"], 1, "times must be a sequence of numbers or None, got 1"),
        (["a"], ["1"], "a time must be a number of seconds, got '1'"),
        (["a"], [True], "a time must be a number of seconds, got True"),
    ],
)
def test_what_is_no_delta_or_no_time_is_refused(
    deltas: Any, times: Any, message: str
) -> None:
    with pytest.raises(TypeError, match=f"^{message}"):
        Recording(deltas, times)


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([], "expected a time for each of 2 deltas, got 0 times"),
        ([1, 2, 3], "expected a time for each of 2 deltas, got 3 times"),
        ([1, 0.5], "a time must be a finite number of seconds, at least 1, got 0.5"),
        ([float("nan"), 1], "a time must be a finite number of seconds, any, got nan"),
        ([0, float("inf")], "a time must be a finite number .*, at least 0, got inf"),
    ],
)
def test_times_do_not_go_back(times: list[float], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        Recording(["a", "b"], times)


@pytest.mark.parametrize(
    ("text", "recording"),
    [
        ("", Recording([])),
        ('"a"\n\n  \n"b\\n"', Recording(["a", "b\n"])),
        ('{"delta": "a", "finish": null}\n"b"\n', Recording(["a", "b"])),
        (
            '{"delta": "a", "time": 3}\n{"cut": true, "time": 3.5}',
            (["a", CUT], [3, 3.5]),
        ),
        ('{"delta": "a", "time": null}\n{"cut": true}', Recording(["a", CUT])),
        ('\n{"deltas": ["a", ""], "id": 7}\n\n', Recording(["a", ""])),
        ('{"deltas": ["a"], "times": [2], "delta": "b"}', Recording(["a"], [2])),
        ('{"deltas": [], "times": []}', Recording([], [])),
        ('"\\ud83d\\ude00"', Recording(["😀"])),
    ],
)
def test_lines_are_deltas_or_one_line_is_a_stream(text: str, recording: Any) -> None:
    if isinstance(recording, tuple):
        recording = Recording(*recording)
    assert Recording.from_lines(lines(text)) == recording


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('"a"\n\nb', "line 3: Expecting value"),
        ("[" * 100_000, "line 1: the JSON is nested too deeply"),
        ("7", "line 1: expected a JSON string, or an object with a .*, got 7"),
        ('"a"\n{"text": "b"}', "line 2: expected a JSON .*, got {'text': 'b'}"),
        ('{"delta": null}', "line 1: expected a JSON .*, got {'delta': None}"),
        ('{"delta": null, "cut": true}', "line 1: expected a JSON string"),
        ('{"cut": 1}', "line 1: expected a JSON string"),
        ('"a"\n{"deltas": ["b"]}', "line 2: expected a JSON string"),
        ('{"deltas": "ab"}', "line 1: deltas must be a sequence of texts, got 'ab'"),
        ('{"deltas": [null]}', "line 1: a delta must be a str, got NoneType"),
        (
            '{"deltas": ["a"]}\n{"deltas": ["b"]}',
            "line 2: found another line behind a recording in one line",
        ),
        (
            '{"delta": "a", "time": 1}\n"b"',
            "line 2: expected a time, because the deltas before it have one",
        ),
        (
            '"a"\n{"delta": "b", "time": 1}',
            "line 2: expected no time, because the deltas before it have none, got 1",
        ),
        ('{"delta": "a", "time": "1"}', "line 1: a time must be a number of seconds"),
        (
            '{"delta": "a", "time": 2}\n{"delta": "b", "time": 1}',
            "line 2: a time must be a finite number of seconds, at least 2, got 1",
        ),
    ],
)
def test_a_line_that_is_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        Recording.from_lines(lines(text))


@pytest.mark.parametrize(
    "recording",
    [
        Recording(["It is ", "", CUT, "\ud800\u2028😀\n"]),
        Recording(["a", CUT], [0.25, 1]),
        Recording([]),
    ],
    ids=["untimed", "timed", "empty"],
)
def test_what_is_written_as_lines_is_read_again(recording: Recording) -> None:
    assert Recording.from_lines(recording.to_lines()) == recording
    assert all("\n" not in line for line in recording.to_lines())


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"a"', True),
        ('{"delta": null}', True),
        ('{"deltas": []}', True),
        ('{"cut": true}', True),
        ('{"text": "a"}', False),
        ("7", False),
        ("It is on.", False),
    ],
)
def test_a_first_line_shows_whether_it_is_a_recording(
    line: str, *, expected: bool
) -> None:
    assert is_recording(line) is expected


def test_recorded_streams_can_be_read() -> None:
    file = data_folder() / "streams" / "streams.jsonl"
    if not file.exists():
        pytest.skip("no recorded streams; CHUNKWISE_DATA names their folder")
    with file.open(encoding="utf-8") as streams:
        for line in streams:
            recording = Recording.from_lines([line])
            assert list(recording.deltas) == json.loads(line)["deltas"]


def check_taken(recording: Recording, deltas: Iterable[Any]) -> None:
    """Check that these deltas were taken, with times that begin at 0."""
    assert recording.deltas == tuple(deltas)
    assert recording.times is not None
    assert recording.times[:1] == (0,)


def test_a_stream_is_read_to_its_end_and_closed() -> None:
    source = Events("It is ", CUT, "on.")
    check_taken(record(source), ["It is ", CUT, "on."])
    assert source.closed == 1


def test_a_stream_without_a_delta_has_no_times_to_speak_of() -> None:
    assert record([]) == Recording([], [])


def test_a_plain_text_is_one_delta() -> None:
    check_taken(record("It is on."), ["It is on."])


def test_a_stream_that_fails_is_closed() -> None:
    source = Events("It is ", ConnectionError("gone"))
    with pytest.raises(ConnectionError, match=r"^gone$"):
        record(source)
    assert source.closed == 1


def test_an_async_stream_has_a_function_of_its_own() -> None:
    with pytest.raises(TypeError, match=r"; use arecord\(\) for an async iterable$"):
        record(AsyncEvents("a"))  # type: ignore[arg-type]  # that is what is tested


@pytest.mark.anyio
async def test_an_async_stream_is_read_to_its_end_and_closed() -> None:
    source = AsyncEvents("It is ", CUT, "on.")
    check_taken(await arecord(source), ["It is ", CUT, "on."])
    assert source.closed == 1
    check_taken(await arecord(["a"]), ["a"])
