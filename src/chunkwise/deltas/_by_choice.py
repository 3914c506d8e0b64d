"""by_choice and aby_choice: the deltas of all choices of a response, in one pass."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._cut import Cut
from .._reading import AsyncReading, SyncReading
from ._event_reading import EventReading, as_items, check_events, closer_of
from ._track import Track

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._extraction import Extractor
    from ._part import Ending, Kind, Part


def by_choice(
    source: Iterable[Any],
    *,
    closer: Callable[[], object] | None = None,
    extract: Extractor | None = None,
    kind: Kind = "text",
) -> ChoiceDeltas:
    """Return an iterator over pairs: the index of a choice, and a delta of its text.

    For responses with several choices or candidates, which come mixed. Each needs a
    Chunker of its own.

    Args:
        source: As for ``text_deltas``, and closed like it.
        closer: As for ``text_deltas``.
        extract: As for ``text_deltas``.
        kind: As for ``text_deltas``.

    Raises:
        TypeError: *source* is no iterable, or one of the functions is none.
        ValueError: A wrong *kind*.

    Examples:
        >>> def chunk(index, content):
        ...     return {"choices": [{"index": index, "delta": {"content": content}}]}
        >>> with by_choice([chunk(0, "Yes. "), chunk(1, "No. ")]) as deltas:
        ...     print(list(deltas))
        [(0, 'Yes. '), (1, 'No. ')]
    """
    return ChoiceDeltas(source, closer=closer, extract=extract, kind=kind)


def aby_choice(
    source: AsyncIterable[Any] | Iterable[Any],
    *,
    closer: Callable[[], object] | None = None,
    extract: Extractor | None = None,
    kind: Kind = "text",
) -> AsyncChoiceDeltas:
    """Return an async iterator over pairs, as `by_choice` does.

    Args:
        source: As for ``atext_deltas``, and closed like it.
        closer: As for ``atext_deltas``.
        extract: As for ``text_deltas``.
        kind: As for ``text_deltas``.

    Raises:
        TypeError: *source* is no iterable, or one of the functions is none.
        ValueError: A wrong *kind*.
    """
    return AsyncChoiceDeltas(source, closer=closer, extract=extract, kind=kind)


class _Choices(EventReading[tuple[int, str | Cut]]):
    """What both iterators do with the items."""

    @override
    def _set_up(self, extract: Extractor | None, kind: Kind) -> None:
        super()._set_up(extract, kind)
        self._tracks: dict[int, Track] = {}

    @property
    def endings(self) -> dict[int, Ending | None]:
        """How each choice ended, by its index, as ``TextDeltas.ending`` says it."""
        return {
            choice: self._ending_of(track)
            for choice, track in sorted(self._tracks.items())
        }

    @override
    def _take_part(self, part: Part | Cut) -> None:
        if isinstance(part, Cut):
            for choice, track in self._tracks.items():
                self._ready.extend((choice, delta) for delta in track.cut())
        elif part.choice is None:
            for choice in self._tracks:
                self._take_of(choice, part)
        else:
            self._tracks.setdefault(part.choice, Track(self._kind))
            self._take_of(part.choice, part)

    def _take_of(self, choice: int, part: Part) -> None:
        deltas = self._deltas_of(self._tracks[choice], part)
        self._ready.extend((choice, delta) for delta in deltas)

    @override
    def _take_rest(self) -> None:
        for choice, track in self._tracks.items():
            held = track.rest()
            if held:
                self._ready.append((choice, held))


class ChoiceDeltas(_Choices, SyncReading[tuple[int, str | Cut]]):
    """Iterates over the deltas of all choices in a stream; `by_choice` makes it.

    It is closed like ``TextDeltas``.
    """

    def __init__(
        self,
        source: Iterable[Any],
        *,
        closer: Callable[[], object] | None = None,
        extract: Extractor | None = None,
        kind: Kind = "text",
    ) -> None:
        check_events(source, Iterable)
        self._set_up(extract, kind)
        super().__init__(as_items(source), closer or closer_of(source))


class AsyncChoiceDeltas(_Choices, AsyncReading[tuple[int, str | Cut]]):
    """The twin of `ChoiceDeltas` for async streams; `aby_choice` makes it."""

    def __init__(
        self,
        source: AsyncIterable[Any] | Iterable[Any],
        *,
        closer: Callable[[], object] | None = None,
        extract: Extractor | None = None,
        kind: Kind = "text",
    ) -> None:
        check_events(source, AsyncIterable, Iterable)
        self._set_up(extract, kind)
        super().__init__(as_items(source), closer or closer_of(source))
