"""``chunkwise replay``: a recorded stream, as it would have come."""

from io import StringIO
from typing import Annotated

import typer

from .._playback import play
from ..viewer import Recording
from ._output import print_text
from ._problems import CommandError, tell_problems
from ._sources import STDIN, ErrorPolicy, open_source, read_deltas, shown_name


def _parse_speed(speed: float) -> float:
    if not speed > 0:
        msg = f"expected a number above 0, got {speed:g}"
        raise typer.BadParameter(msg)
    return speed


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            allow_dash=True,
            show_default=False,
            help="A recorded stream: a line of JSON for each delta, a string or an "
            'object such as {"delta": "It ", "time": 0.25}. None or - is standard '
            "input.",
        ),
    ] = STDIN,
    *,
    speed: Annotated[
        float,
        typer.Option(
            metavar="X",
            callback=_parse_speed,
            help="How many times as fast as it came; inf waits for nothing.",
        ),
    ] = 1.0,
) -> None:
    """Print a recorded stream as it would have come, delta by delta.

    Nothing about the text changes, so that it can be piped into another command.
    Without times in the recording 50 deltas come a second.
    """
    with tell_problems():
        recording = _read_recording(file)
        for delta in play(recording.deltas, recording.times, speed=speed):
            if isinstance(delta, str):
                print_text(delta)


def _read_recording(name: str) -> Recording:
    with open_source(name) as source:
        text = "".join(read_deltas(source, "utf-8", ErrorPolicy.STRICT, None))
    try:
        return Recording.from_lines(StringIO(text))
    except ValueError as error:
        msg = f"{shown_name(name)}: {error}"
        raise CommandError(msg) from error
