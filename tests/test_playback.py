"""A recorded stream is played: each delta comes when it is due, at any speed."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import pytest

from chunkwise import CUT
from chunkwise._playback import EVEN_STEP, play

if TYPE_CHECKING:
    from chunkwise._cut import Cut


class Clock:
    """Stands still but for the sleeps, and takes notes of them."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        """Return the time."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.slept.append(seconds)
        self.now += seconds


def played(
    clock: Clock, times: list[float] | None, speed: float, work: float = 0.0
) -> list[float]:
    """Return when each of three deltas came; the reader takes *work* seconds each."""
    came: list[float] = []
    deltas: list[str | Cut] = ["a", CUT, "b"]
    for delta in play(deltas, times, speed=speed, clock=clock, sleep=clock.sleep):
        assert delta is deltas[len(came)]
        came.append(clock.now - 100)
        clock.now += work
    return came


def test_deltas_come_when_they_came() -> None:
    assert played(Clock(), [5, 5.5, 7], 1) == [0, 0.5, 2]


def test_a_speed_divides_the_time() -> None:
    assert played(Clock(), [5, 5.5, 7], 4) == [0, 0.125, 0.5]
    assert played(Clock(), [5, 5.5, 7], 0.5) == [0, 1, 4]


def test_at_infinite_speed_nothing_is_waited_for() -> None:
    clock = Clock()
    assert played(clock, [5, 5.5, 7], math.inf) == [0, 0, 0]
    assert clock.slept == []


def test_where_nobody_measured_deltas_come_evenly() -> None:
    came = played(Clock(), None, 1)
    assert came == pytest.approx([0, EVEN_STEP, 2 * EVEN_STEP])


def test_what_the_reader_takes_is_made_up_for() -> None:
    assert played(Clock(), [0, 1, 1.25], 1, work=0.5) == [0, 1, 1.5]


def test_a_long_wait_is_several_sleeps() -> None:
    clock = Clock()
    assert played(clock, [0, 9_000, 9_000], 1) == [0, 9_000, 9_000]
    assert clock.slept == [3_600, 3_600, 1_800]


def test_by_default_real_time_passes() -> None:
    began = time.monotonic()
    assert list(play(["a", "b"], [0, 0.001], speed=1)) == ["a", "b"]
    assert time.monotonic() - began >= 0.001
