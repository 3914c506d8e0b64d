"""The command ``chunkwise``: parses arguments, calls the library, prints.

A module for each command, and one for each thing that several of them share. Nothing
about text is decided here.
"""

from ._app import app

__all__ = ["app"]
