"""Reading events: what is the same for one choice of a response and for all of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args

from typing_extensions import override

from .._quote import quote
from .._reading import Reading, check_source
from ..errors import SourceError
from ._extraction import Extraction
from ._part import KINDS, Ending
from ._track import CumulativeText, Track

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._cut import Cut
    from ._extraction import Extractor
    from ._part import Kind, Part

T = TypeVar("T")
Out = TypeVar("Out")

_ENDINGS: Final[dict[str, Ending]] = {each: each for each in get_args(Ending)}


class EventReading(Reading[Out]):
    """Takes the parts out of a source's items, and knows how their texts ended.

    A subclass says what becomes of a part (`_take_part`) and of what tracks still hold
    at the natural end (`_take_rest`).
    """

    def _set_up(self, extract: Extractor | None, kind: Kind) -> None:
        self._kind: Kind = checked_kind(kind)
        self._extraction = Extraction(extract)
        # It raised, or its bytes were no text; it came to its natural end.
        self._failed = False
        self._ended = False

    @abstractmethod
    def _take_part(self, part: Part | Cut) -> None:
        """Hand out what a part says."""

    @abstractmethod
    def _take_rest(self) -> None:
        """Hand out what was held back."""

    @override
    def _take(self, item: Any) -> None:
        for part in self._extraction.parts(item):
            self._take_part(part)
        self._check_decoded()

    @override
    def _take_end(self) -> None:
        for part in self._extraction.rest():
            self._take_part(part)
        self._check_decoded()
        self._ended = True
        self._take_rest()

    @override
    def _take_error(self, error: BaseException) -> None:
        # A cancellation, or an interrupt, is no ending of the stream.
        if isinstance(error, Exception):
            self._failed = True

    def _check_decoded(self) -> None:
        """End the stream behind what is ready where its bytes are no text."""
        if self._extraction.error is not None:
            self._due = self._extraction.error
            self._over = True
            self._failed = True

    def _deltas_of(self, track: Track, part: Part) -> list[str | Cut]:
        """Return the deltas of *part*.

        Raises:
            SourceError: The source repeats all its text each time.
        """
        try:
            return track.take(part)
        except CumulativeText as error:
            before = quote(str(error))
            problem = (
                f"found all the text so far again, {before}, expected only what is "
                "new; ask the source for deltas, with stream_text(delta=True) for "
                "example"
            )
            raise SourceError(problem, item=self._extraction.item) from None

    def _ending_of(self, track: Track) -> Ending | None:
        """Return how the text of a track ended, as far as that is known."""
        if self._failed:
            return "error"
        if track.ending is not None:
            return track.ending
        if self._extraction.says_end:
            return "truncated" if self._ended else None
        # Text may be what another one of us took out of events.
        ending: object = getattr(self._source, "ending", None)
        return _ENDINGS.get(ending) if isinstance(ending, str) else None


def check_events(source: object, *kinds: type) -> None:
    """Check that *source* can be read.

    Raises:
        TypeError: It is none of these *kinds*, or a whole response.
    """
    if isinstance(source, Mapping):
        msg = "expected a stream, got a dictionary"
        streams = [name for name in ("stream", "body") if name in source]
        if streams:
            msg += f"; take its {streams[0]!r}"
        raise TypeError(msg)
    check_source(source, "text or events", "atext_deltas", *kinds)


def checked_kind(kind: Kind) -> Kind:
    """Return *kind*.

    Raises:
        ValueError: There is no such kind.
    """
    if kind not in KINDS:
        msg = f"kind must be one of {', '.join(map(repr, KINDS))}, got {kind!r}"
        raise ValueError(msg)
    return kind


def as_items(source: T) -> T | tuple[T]:
    """Return *source*, or what gives it as one item where it is text itself."""
    return (source,) if isinstance(source, (str, bytes, bytearray)) else source


def closer_of(source: object) -> Callable[[], object] | None:
    """Return what closes the owner of a generator of text, if it can be found.

    Closing Anthropic's ``text_stream`` leaves the connection open, which the stream
    that it is an attribute of owns. A generator knows that object as its ``self``.
    """
    frame = getattr(source, "gi_frame", None) or getattr(source, "ag_frame", None)
    owner = None if frame is None else frame.f_locals.get("self")
    if getattr(owner, "text_stream", None) is not source:
        return None
    closer = getattr(owner, "close", None)
    return closer if callable(closer) else None
