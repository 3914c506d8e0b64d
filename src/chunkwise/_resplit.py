"""Level 1 strategies: scan a stream by splitting its pending text again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._spans import Scan, Span
from .errors import ContractError, NotVerbatimError, quote

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import TypeAlias

    Split: TypeAlias = "Callable[[str], list[str]]"
    Released: TypeAlias = "tuple[int, int] | None"

_ADVICE = (
    "a strategy that drops text inside a chunk's line, overlaps, or needs to see what "
    "was before has to implement scan(); "
    'Chunker(strategy, check="full") and the conformance kit find the shortest text'
)


def resplit(  # noqa: PLR0913 - a strategy's two methods and the arguments of scan()
    split: Split,
    flush: Split,
    text: str,
    base: int,
    released: Released,
    *,
    final: bool,
    strategy: str,
) -> Scan[Released]:
    """Scan with a strategy that can only split whole texts.

    *text* begins behind the last chunk but one, so that every scan meets the chunk
    released last once more, gap included: a strategy that changes its mind about it
    is found out as soon as the text shows it. Behind the last chunk the strategy
    must find nothing, or the next scan would find it twice. Costs splitting the last
    chunk and the pending text, once per scan, and the pending text once more
    whenever a chunk came out.

    Args:
        split: The strategy's method of this name.
        flush: The strategy's method of this name; called when *final*.
        text: The stream from *base* on.
        base: Stream offset at which *text* begins.
        released: Start and end of the chunk released last, if *text* holds one.
        final: Whether the stream ends behind *text*.
        strategy: Its name, for messages.

    Raises:
        NotVerbatimError: A chunk is empty or cannot be placed behind the one before.
        ContractError: The strategy is not stable or cannot be restarted.
    """
    chunks = split(text)
    spans = _place(chunks, text, base, source=f"{strategy}.split()", strategy=strategy)
    if released is not None and (not spans or spans[0][:2] != released):
        start, end = released
        problem = (
            f"released {quote(text[start - base : end - base])} at {start}:{end}, but "
            f"with more text split() gives {quote(chunks[0]) if chunks else 'nothing'} "
            "there: it breaks the laws of stability and finality (a released chunk "
            f"never changes); {_ADVICE}"
        )
        raise ContractError(problem, strategy=strategy, offset=start)
    last = spans[-1] if spans else None
    resume = spans[-2][1] if len(spans) > 1 else base
    new = spans if released is None else spans[1:]
    rest_at = base if last is None else last[1]
    rest = text[rest_at - base :]
    if new and (again := split(rest)):
        problem = (
            f"split() gives {quote(again[0])} from {quote(rest)}, the text behind the "
            "last chunk that it gave before, expected nothing: it breaks the law of "
            f"resumption, and with it delta-invariance; {_ADVICE}"
        )
        raise ContractError(problem, strategy=strategy, offset=rest_at)
    if not final:
        state = None if last is None else last[:2]
        return Scan(new, rest_at, resume, state)
    source = f"{strategy}.flush()"
    new += [
        Span(start, end, complete=None)
        for start, end, *_ in _place(
            flush(rest), rest, rest_at, source=source, strategy=strategy
        )
    ]
    end = base + len(text)
    return Scan(new, end, end, None)


def _place(
    chunks: object, text: str, base: int, *, source: str, strategy: str
) -> list[Span]:
    """Return where *chunks* lie in *text*, each behind the one before it."""
    if not isinstance(chunks, (list, tuple)):
        problem = f"{source} returned {type(chunks).__name__}, expected a list of str"
        raise ContractError(problem, strategy=strategy, offset=base)
    spans: list[Span] = []
    at = 0
    for number, chunk in enumerate(chunks):
        if not isinstance(chunk, str):
            problem = (
                f"{source} returned {type(chunk).__name__} as chunk {number}, "
                "expected str"
            )
            raise ContractError(problem, strategy=strategy, offset=base + at)
        start = text.find(chunk, at) if chunk else -1
        if start < 0:
            problem = (
                f"chunk {number} of {source} is {quote(chunk)}, expected a non-empty "
                f"verbatim substring of {quote(text[at:])}, the text behind the chunk "
                "before; a strategy must not change text, and one whose chunks "
                "overlap has to implement scan()"
            )
            raise NotVerbatimError(problem, strategy=strategy, offset=base + at)
        at = start + len(chunk)
        spans.append(Span(base + start, base + at))
    return spans
