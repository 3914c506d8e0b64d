"""A recorded stream is played: each delta comes again when it came."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ._cut import Cut

EVEN_STEP = 0.02
"""Seconds between two deltas where nobody measured; models come near it."""

_LONGEST_SLEEP = 3_600.0
"""Seconds that one call sleeps at most: what a platform allows is more than that."""


def play(
    deltas: Sequence[str | Cut],
    times: Sequence[float] | None,
    *,
    speed: float,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[str | Cut]:
    """Yield each delta when it is due, counted from the first.

    What takes time in between is made up for by shorter waits.

    Args:
        deltas: The stream, as it was recorded.
        times: When each came, in seconds from any fixed moment, never less than the
            time before; ``None`` for `EVEN_STEP` between two.
        speed: How many recorded seconds pass in one; more than 0. Infinity waits for
            nothing.
        clock: Returns seconds that never go back.
        sleep: Waits for so many seconds.

    Examples:
        >>> waits = []
        >>> list(play(["a", "b"], [7, 8], speed=2, clock=lambda: 0, sleep=waits.append))
        ['a', 'b']
        >>> waits
        [0.5]
    """
    began = clock()
    for number, delta in enumerate(deltas):
        since = number * EVEN_STEP if times is None else times[number] - times[0]
        wait = began + since / speed - clock()
        while wait > 0:
            sleep(min(wait, _LONGEST_SLEEP))
            wait -= _LONGEST_SLEEP
        yield delta
