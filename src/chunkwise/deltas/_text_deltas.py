"""text_deltas and atext_deltas: what a client returned becomes a stream of text."""

from __future__ import annotations

from collections.abc import AsyncIterable, Iterable
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from .._cut import Cut
from .._numbers import check_count
from .._reading import AsyncReading, SyncReading
from ..errors import SourceError
from ._event_reading import EventReading, as_items, check_events, closer_of
from ._track import Track

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._extraction import Extractor
    from ._part import Ending, Kind, Part


def text_deltas(
    source: Iterable[Any],
    *,
    closer: Callable[[], object] | None = None,
    on_end: Callable[[Ending | None], object] | None = None,
    extract: Extractor | None = None,
    choice: int = 0,
    kind: Kind = "text",
) -> TextDeltas:
    """Return an iterator over the text in what a client streams.

    The events of OpenAI, Anthropic, Google, Mistral, Cohere, Ollama, Bedrock, litellm,
    LangChain, LlamaIndex, Pydantic AI and of services that use one of these forms are
    recognised by their shape, as objects and as the dictionaries that JSON gives. Text
    and UTF-8 bytes are taken as they are, and items that are ``None`` are passed over.

    Args:
        source: The stream object itself, as the client returned it; it is closed by
            the iterator. A plain ``str`` or ``bytes`` is one item.
        closer: Called once in place of ``source.close()``, for a stream whose owner is
            another object.
        on_end: Called once with the ``ending``, when the source has ended by itself.
        extract: Reads an item in place of the extractor that its shape would choose:
            one of ``chunkwise.deltas``, or a function of your own, which returns text,
            ``CUT``, a ``Part``, several of these, or ``None``.
        choice: Index of the choice or candidate that is read.
        kind: What is read of it. ``"reasoning"``, ``"tool_calls"`` (their arguments)
            and ``"refusal"`` come beside the text of an answer.

    Raises:
        TypeError: *source* is no iterable, or one of the functions is none.
        ValueError: A wrong *choice* or *kind*.

    Examples:
        >>> chunk = {"choices": [{"delta": {"content": "It is on."}}]}
        >>> end = {"choices": [{"delta": {}, "finish_reason": "stop"}]}
        >>> with text_deltas([chunk, end]) as deltas:
        ...     print(list(deltas), deltas.ending)
        ['It is on.'] stop
    """
    return TextDeltas(
        source, closer=closer, on_end=on_end, extract=extract, choice=choice, kind=kind
    )


def atext_deltas(
    source: AsyncIterable[Any] | Iterable[Any],
    *,
    closer: Callable[[], object] | None = None,
    on_end: Callable[[Ending | None], object] | None = None,
    extract: Extractor | None = None,
    choice: int = 0,
    kind: Kind = "text",
) -> AsyncTextDeltas:
    """Return an async iterator over the text in what a client streams.

    Runs on asyncio and on Trio, as far as the client does. It is the twin of
    `text_deltas`.

    Args:
        source: The stream object itself, as the (awaited) call of the client returned
            it; it is closed by the iterator. A plain iterable works too.
        closer: Called once, and awaited where that is possible, in place of all that
            is done to close *source*.
        on_end: Called once with the ``ending``, when the source has ended by itself.
        extract: As for `text_deltas`.
        choice: As for `text_deltas`.
        kind: As for `text_deltas`.

    Raises:
        TypeError: *source* is no iterable, or one of the functions is none.
        ValueError: A wrong *choice* or *kind*.

    Examples:
        >>> import asyncio
        >>> async def main(events):
        ...     async with atext_deltas(events) as deltas:
        ...         print([delta async for delta in deltas], deltas.ending)
        >>> event = {"message": {"content": "It is on."}, "done": True}
        >>> asyncio.run(main([event]))
        ['It is on.'] stop
    """
    return AsyncTextDeltas(
        source, closer=closer, on_end=on_end, extract=extract, choice=choice, kind=kind
    )


class _Deltas(EventReading[str | Cut]):
    """What both iterators do with the items."""

    def _set_up_choice(
        self,
        on_end: Callable[[Ending | None], object] | None,
        extract: Extractor | None,
        choice: int,
        kind: Kind,
    ) -> None:
        if on_end is not None and not callable(on_end):
            msg = f"on_end must be callable, got {on_end!r}"
            raise TypeError(msg)
        check_count("choice", choice, 0)
        self._set_up(extract, kind)
        self._on_end = on_end
        self._choice = choice
        self._others: set[int] = set()
        self._seen = False
        self._track = Track(kind)

    @property
    def ending(self) -> Ending | None:
        """How the stream ended, as soon as it is known.

        ``"stop"``, ``"length"``, ``"content_filter"``, ``"tool_calls"`` and
        ``"refusal"`` are what the service said; a word of it that is not known counts
        as ``"error"``. This is also the ending of a stream that raised. ``"truncated"``
        is that of events that ended without such a word. ``None`` before the end, when
        closed early, and for plain text, which does not say how it ended, unless it
        comes from a source that does in an attribute ``ending``, such as this one.

        After ``"stop"`` and ``"tool_calls"``, and ``None``, the text is whole.
        """
        return self._ending_of(self._track)

    @property
    def finish_reason(self) -> str | None:
        """The service's own word for how the text ended, if there was one."""
        return self._track.finish

    @override
    def _take_part(self, part: Part | Cut) -> None:
        if isinstance(part, Cut):
            self._ready.extend(self._track.cut())
        elif part.choice is None or part.choice == self._choice:
            self._seen = True
            self._ready.extend(self._deltas_of(self._track, part))
        else:
            self._others.add(part.choice)

    @override
    def _take_rest(self) -> None:
        if self._others and not self._seen:
            found = ", ".join(map(str, sorted(self._others)))
            problem = f"found no choice {self._choice}, only {found}"
            raise SourceError(problem, item=self._extraction.item)
        held = self._track.rest()
        if held:
            self._ready.append(held)
        if self._on_end is not None:
            self._on_end(self.ending)


class TextDeltas(_Deltas, SyncReading[str | Cut]):
    """Iterates over the text in a stream of events; closes the stream in any case.

    An iterator and a context manager in one; ``text_deltas`` makes it. Its items are
    non-empty text, and ``CUT`` where something else, a tool call for example, stood
    between two texts. `ending` says how the stream ended.

    Given to ``iter_chunks`` it is closed by that, and the stream with it. A ``break``
    alone closes nothing: use ``with``, or call `close`. Not thread-safe.
    """

    def __init__(
        self,
        source: Iterable[Any],
        *,
        closer: Callable[[], object] | None = None,
        on_end: Callable[[Ending | None], object] | None = None,
        extract: Extractor | None = None,
        choice: int = 0,
        kind: Kind = "text",
    ) -> None:
        check_events(source, Iterable)
        self._set_up_choice(on_end, extract, choice, kind)
        super().__init__(as_items(source), closer or closer_of(source))


class AsyncTextDeltas(_Deltas, AsyncReading[str | Cut]):
    """The twin of `TextDeltas` for async streams; ``atext_deltas`` makes it.

    Closing it unwinds the stream as ``AsyncChunkIterator`` does. One task reads.
    """

    def __init__(
        self,
        source: AsyncIterable[Any] | Iterable[Any],
        *,
        closer: Callable[[], object] | None = None,
        on_end: Callable[[Ending | None], object] | None = None,
        extract: Extractor | None = None,
        choice: int = 0,
        kind: Kind = "text",
    ) -> None:
        check_events(source, AsyncIterable, Iterable)
        self._set_up_choice(on_end, extract, choice, kind)
        super().__init__(as_items(source), closer or closer_of(source))
