"""The command replay: a recorded stream, as it would have come."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.commands import started, told

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands import Run

DELTAS = ["It ", "", "is\u2028on.\n", "𝄞", "\udc80"]


@pytest.mark.parametrize(
    "lines",
    [
        [json.dumps(delta, ensure_ascii=delta == "\udc80") for delta in DELTAS],
        [json.dumps({"delta": delta, "time": 0.5}) for delta in DELTAS],
        [json.dumps({"id": "s1", "deltas": DELTAS, "times": None})],
        [*(json.dumps(delta) for delta in DELTAS), '{"cut": true}', ""],
    ],
    ids=["strings", "times", "one line", "cut"],
)
def test_it_prints_the_text_and_nothing_else(run: Run, lines: list[str]) -> None:
    stdin = "\n".join(lines).encode()
    expected = "It is\u2028on.\n𝄞\\udc80".encode()
    assert run("replay", "--speed", "inf", stdin=stdin) == (0, expected, "")


def test_a_file_may_hold_it(run: Run, tmp_path: Path) -> None:
    recording = tmp_path / "stream.jsonl"
    recording.write_text('"one "\n"two"\n')
    outcome = run("replay", str(recording), "--speed", "1000")
    assert outcome == (0, b"one two", "")


def test_deltas_come_one_by_one() -> None:
    lines = ['{"delta": "one ", "time": 0}', '{"delta": "two", "time": 1e9}']
    with started("replay") as process:
        process.write("\n".join(lines).encode())
        process.stdin.close()
        # The next one is far off.
        assert process.stdout.read(4) == b"one "
        assert process.popen.poll() is None


@pytest.mark.parametrize("speed", ["0", "-1", "nan"])
def test_a_speed_is_above_0(run: Run, speed: str) -> None:
    outcome = run("replay", "--speed", speed, stdin=b'"one"')
    assert (outcome.code, outcome.out) == (2, b"")
    assert f"expected a number above 0, got {speed}" in told(outcome)


def test_a_line_that_is_no_delta_is_told_with_its_number(run: Run) -> None:
    outcome = run("replay", stdin=b'"one"\n{"text": "two"}\n')
    assert (outcome.code, outcome.out) == (1, b"")
    assert outcome.err.startswith("chunkwise: standard input: line 2: expected a JSON ")
    assert outcome.err.count("\n") == 1


def test_bytes_that_are_no_text_are_told_with_their_offset(run: Run) -> None:
    outcome = run("replay", stdin=b'"on\xff"')
    says = "standard input: 0xff at byte offset 3 is not utf-8: invalid start byte"
    assert outcome == (1, b"", f"chunkwise: {says}\n")
