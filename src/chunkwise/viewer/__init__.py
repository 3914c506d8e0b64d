"""Showing chunks: a page for a browser or a notebook, and colours for a terminal.

`render` makes one HTML page that needs nothing else, `view` shows it in a notebook, and
`paint` writes for a terminal. What is shown is a text, a stream that is still running,
or a `Recording` of one.
"""

from ._recording import Recording, arecord, record
from ._terminal import paint
from ._view import View, render, view

__all__ = ["Recording", "View", "arecord", "paint", "record", "render", "view"]
