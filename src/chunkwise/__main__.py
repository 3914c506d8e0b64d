"""The console entry point: starts the command, or says what it needs."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command ``chunkwise`` and exit with its code.

    Raises:
        SystemExit: Always. The code is 2 where the CLI library is not installed.
    """
    try:
        _run()
    except KeyboardInterrupt:
        # Only while the imports are still running; later it is the library's business.
        sys.exit(130)


def _run() -> None:
    try:
        from ._cli import app  # noqa: PLC0415 - needs a library that may be missing
    except ModuleNotFoundError as error:
        if error.name != "typer":
            raise
        needs = 'the command needs typer: python -m pip install "chunkwise[cli]"'
        sys.stderr.write(f"chunkwise: {needs}\n")
        sys.exit(2)
    app(prog_name="chunkwise")


if __name__ == "__main__":
    main()
