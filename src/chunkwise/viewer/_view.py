"""render and view: a page about a text, a recording, or a stream."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .._numbers import check_count
from .._strategy import ChunkingStrategy
from ._data import page_data
from ._page import page
from ._recording import Recording, record
from ._trace import trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .._cut import Cut
    from .._registry import StrategyLike

_FRAME = (
    '<iframe title="{title}" sandbox="allow-scripts" srcdoc="{page}" '
    'style="width: 100%; height: 36rem; border: 0"></iframe>'
)


@dataclass(frozen=True)
class View:
    """A page that a notebook shows; `view` makes it.

    Attributes:
        page: The page as `render` returns it.
        title: What it is about.
    """

    page: str
    title: str

    def _repr_html_(self) -> str:
        """Return the page in a frame of its own, which can do nothing to the notebook.

        The frame may run the script of the page, and nothing else.
        """
        title, page = html.escape(self.title), html.escape(self.page)
        return _FRAME.format(title=title, page=page)

    def __repr__(self) -> str:
        """Say what is shown; the page itself is long."""
        return f"<View of {self.title!r}, a page of {len(self.page)} characters>"


def view(
    source: str | Recording | Iterable[str | Cut],
    by: StrategyLike | Sequence[StrategyLike] = "sentence",
    *,
    title: str = "Chunks",
    delta_size: int = 4,
) -> View:
    """Return the page that `render` makes, as an object that a notebook shows.

    Takes what `render` takes.

    Examples:
        >>> view("It is on. Now wait.", title="An answer").title
        'An answer'
    """
    simulated = 0
    if isinstance(source, str):
        check_count("delta_size", delta_size, 1)
        simulated = delta_size
        recording = Recording(
            [source[at : at + delta_size] for at in range(0, len(source), delta_size)]
        )
    else:
        recording = source if isinstance(source, Recording) else record(source)
    strategies = [by] if isinstance(by, str | Mapping | ChunkingStrategy) else list(by)
    if not strategies:
        msg = "by must name at least one strategy, got none"
        raise ValueError(msg)
    traces = [trace(recording, strategy) for strategy in strategies]
    data = page_data(recording, traces, title=title, simulated=simulated)
    return View(page(data), title)


def render(
    source: str | Recording | Iterable[str | Cut],
    by: StrategyLike | Sequence[StrategyLike] = "sentence",
    *,
    title: str = "Chunks",
    delta_size: int = 4,
) -> str:
    """Return a page that shows how strategies cut a stream.

    The page is one HTML document that needs no network: the text with its chunks, each
    strategy in a column of its own, sizes, and a replay of the deltas. Write it as
    UTF-8.

    Args:
        source: A text; a `Recording`; or a stream of deltas, which is read to its end,
            timed and closed, as `record` does.
        by: A strategy, its registered name, or its dictionary form; or several.
        title: What the page is about.
        delta_size: Code points that a delta of the replay has where *source* is a text,
            which has no deltas by itself.

    Raises:
        UnknownStrategyError: No strategy has a given name.
        ValueError: There is no strategy, or *delta_size* is below 1.
        ContractError: A strategy broke its contract.

    Examples:
        >>> page = render("It is on. Now wait.", ["sentence", "word"])
        >>> page[:15], "https://" in page
        ('<!doctype html>', False)
    """
    return view(source, by, title=title, delta_size=delta_size).page
