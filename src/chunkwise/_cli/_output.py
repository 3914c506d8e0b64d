"""What goes to standard output: lines of text or JSON, at once."""

import contextlib
import errno
import json
import os
import sys
from collections.abc import Iterable

import typer

from .._white_space import LINE_ENDS
from ._problems import CommandError

_JSON_ESCAPES = {
    **{ord(end): f"\\u{ord(end):04x}" for end in LINE_ENDS},
    ord("\n"): r"\n",
    ord("\r"): r"\r",
}
"""An escape for every line end that ``str.splitlines`` knows.

In a line of JSON only those from U+0085 on occur unescaped; JSON reads this form, too.
"""

_TEXT_ESCAPES = {ord("\\"): r"\\", **_JSON_ESCAPES}
"""What makes a text one line, and can be undone: backslashes are doubled."""

_to_json = json.JSONEncoder(ensure_ascii=False).encode


def text_line(text: str) -> str:
    """Return *text* as one line, without loss."""
    return text.translate(_TEXT_ESCAPES)


def json_line(value: object) -> str:
    """Return *value* as one line of JSON, not reduced to ASCII."""
    return _to_json(value).translate(_JSON_ESCAPES)


def print_lines(lines: Iterable[str]) -> None:
    """Write the lines to standard output at once, as `print_text` does.

    Raises:
        CommandError: The output cannot be written.
        typer.Exit: Its reader went away.
    """
    print_text("".join(line + "\n" for line in lines))


def as_utf_8(text: str) -> bytes:
    r"""Return *text* as UTF-8.

    A lone surrogate, which UTF-8 cannot express, becomes ``\udc80``, which is its form
    in JSON as well.
    """
    return text.encode("utf-8", "backslashreplace")


def print_text(text: str) -> None:
    """Write *text* to standard output at once, as UTF-8.

    It goes around the text layer, which has the encoding and the line end of the
    platform.

    Raises:
        CommandError: The output cannot be written.
        typer.Exit: Its reader went away.
    """
    if not text:
        return
    if sys.stdout is None:
        msg = "standard output is closed"
        raise CommandError(msg)
    try:
        sys.stdout.buffer.write(as_utf_8(text))
        sys.stdout.buffer.flush()
    except OSError as error:
        _give_up_output()
        # Windows calls a closed pipe an invalid argument.
        if error.errno in {errno.EPIPE, errno.EINVAL}:
            raise typer.Exit from error
        msg = f"standard output: {error.strerror or error}"
        raise CommandError(msg) from error


def _give_up_output() -> None:
    """Send what is still buffered nowhere, or the interpreter fails on it at exit."""
    with contextlib.suppress(OSError):
        number = sys.stdout.fileno()
        os.dup2(os.open(os.devnull, os.O_WRONLY), number)
