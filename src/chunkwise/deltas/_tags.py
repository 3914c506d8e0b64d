"""split_tags and asplit_tags: what stands between two tags, apart from the rest."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import Self, override

from .._checks import plain_delta
from .._cut import CUT, Cut
from .._reading import AsyncReading, Reading, SyncReading, checked_deltas

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._part import Ending

Keep = Literal["both", "outside", "inside"]
"""Which text is handed out."""

_NAME = re.compile(r"[^\s<>/]+")


class TagDelta(str):
    """A delta that knows on which side of the tags it stood, and where.

    It is its text, and compares and hashes as that.

    Attributes:
        inside: Whether it stood between the opening and the closing tag.
        start: Where, in code points from the start of the stream, tags included.
    """

    __slots__ = ("inside", "start")

    inside: bool
    start: int

    def __new__(cls, text: str, *, inside: bool, start: int) -> Self:
        """Make a delta of *text*."""
        delta = super().__new__(cls, text)
        delta.inside = inside
        delta.start = start
        return delta

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle with the attributes."""
        return (_made, (str(self), self.inside, self.start))


def _made(text: str, inside: bool, start: int) -> TagDelta:  # noqa: FBT001 - as pickled
    return TagDelta(text, inside=inside, start=start)


def split_tags(
    deltas: Iterable[str | Cut],
    tag: str,
    *,
    keep: Keep = "both",
    closer: Callable[[], object] | None = None,
) -> TagSplit:
    """Return an iterator over *deltas* that tells the text between tags from the rest.

    Some models write their reasoning into the answer, between ``<think>`` and
    ``</think>``. The tags themselves are left out, also where they are cut over
    deltas; what could still become one is held back, no more than that. A tag that
    never closes goes on to the end. One inside another, a closing tag alone, and tags
    with attributes are text.

    Args:
        deltas: Text and ``CUT``, as ``text_deltas`` gives it; closed by the iterator.
        tag: Name of the tag, ``"think"`` for example.
        keep: ``"both"``: all text, and ``inside`` of each delta says which; for a loop
            of your own that feeds each side to a Chunker. ``"outside"`` or
            ``"inside"``: only that, for ``iter_chunks`` and ``validate``, which would
            join both sides; a ``CUT`` stands for what was left out between two texts.
        closer: Called once in place of ``deltas.close()``.

    Raises:
        TypeError: *deltas* is no iterable of text.
        ValueError: *tag* is no name of a tag, or a wrong *keep*.

    Examples:
        >>> deltas = ["<thi", "nk>Hm.</think>", "It is on."]
        >>> with split_tags(deltas, "think") as split:
        ...     for delta in split:
        ...         print(delta.inside, delta.start, delta)
        True 7 Hm.
        False 18 It is on.
    """
    return TagSplit(deltas, tag, keep=keep, closer=closer)


def asplit_tags(
    deltas: AsyncIterable[str | Cut] | Iterable[str | Cut],
    tag: str,
    *,
    keep: Keep = "both",
    closer: Callable[[], object] | None = None,
) -> AsyncTagSplit:
    """Return an async iterator over *deltas*, as `split_tags` does.

    Args:
        deltas: Text and ``CUT``, as ``atext_deltas`` gives it; closed by the iterator.
        tag: As for `split_tags`.
        keep: As for `split_tags`.
        closer: Called once, and awaited where that is possible, in place of all that
            is done to close *deltas*.

    Raises:
        TypeError: *deltas* is no iterable of text.
        ValueError: *tag* is no name of a tag, or a wrong *keep*.
    """
    return AsyncTagSplit(deltas, tag, keep=keep, closer=closer)


class _Split(Reading["TagDelta | Cut"]):
    """What both iterators do with the deltas."""

    def _set_up(self, tag: str, keep: Keep) -> None:
        if not isinstance(tag, str) or not _NAME.fullmatch(tag):  # type: ignore[redundant-expr]  # callers may be untyped
            msg = f"tag must be the name of a tag, 'think' for example, got {tag!r}"
            raise ValueError(msg)
        if keep not in ("both", "outside", "inside"):
            msg = f"keep must be 'both', 'outside' or 'inside', got {keep!r}"
            raise ValueError(msg)
        self._marks = (f"<{tag}>", f"</{tag}>")
        self._left_out = {"both": None, "outside": True, "inside": False}[keep]
        self._inside = False
        # The end of the text so far, where a tag may have begun, and its place.
        self._held = ""
        self._start = 0
        # Something was handed out since the last cut; something left out since then.
        self._given = False
        self._between = False

    @property
    def ending(self) -> Ending | None:
        """How the stream ended, as the source says; ``None`` if it does not."""
        ending: Ending | None = getattr(self._source, "ending", None)
        return ending

    @override
    def _take(self, item: str | Cut) -> None:
        if item is CUT:
            self._give(self._held)
            self._held = ""
            self._ready.append(CUT)
            self._given = self._between = False
            return
        text = self._held + plain_delta(item)
        done = 0
        mark = self._marks[self._inside]
        while (at := text.find(mark, done)) >= 0:
            self._give(text[done:at])
            self._start += len(mark)
            done = at + len(mark)
            self._inside = not self._inside
            mark = self._marks[self._inside]
        kept = len(text) - _begun(text[done:], mark)
        self._give(text[done:kept])
        self._held = text[kept:]

    @override
    def _take_end(self) -> None:
        self._give(self._held)

    def _give(self, text: str) -> None:
        """Hand out *text*, unless it is empty or of the side that is left out."""
        if not text:
            return
        start = self._start
        self._start += len(text)
        if self._inside is self._left_out:
            self._between = True
            return
        if self._given and self._between:
            self._ready.append(CUT)
        self._given = True
        self._between = False
        self._ready.append(TagDelta(text, inside=self._inside, start=start))


class TagSplit(_Split, SyncReading["TagDelta | Cut"]):
    """Iterates over the text on both sides of tags; `split_tags` makes it.

    An iterator and a context manager in one. It closes what it reads from.
    """

    def __init__(
        self,
        deltas: Iterable[str | Cut],
        tag: str,
        *,
        keep: Keep = "both",
        closer: Callable[[], object] | None = None,
    ) -> None:
        source = checked_deltas(deltas, "asplit_tags", Iterable)
        self._set_up(tag, keep)
        super().__init__(source, closer)


class AsyncTagSplit(_Split, AsyncReading["TagDelta | Cut"]):
    """The twin of `TagSplit` for async streams; `asplit_tags` makes it."""

    def __init__(
        self,
        deltas: AsyncIterable[str | Cut] | Iterable[str | Cut],
        tag: str,
        *,
        keep: Keep = "both",
        closer: Callable[[], object] | None = None,
    ) -> None:
        source = checked_deltas(deltas, "asplit_tags", AsyncIterable, Iterable)
        self._set_up(tag, keep)
        super().__init__(source, closer)


def _begun(text: str, mark: str) -> int:
    """Return how many code points at the end of *text* may be the start of *mark*."""
    for size in range(min(len(mark) - 1, len(text)), 0, -1):
        if mark.startswith(text[-size:]):
            return size
    return 0
