"""Level 1 strategies: scan a stream by splitting its pending text again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._quote import quote
from ._spans import Scan, Span
from .errors import ContractError, NotVerbatimError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Split: TypeAlias = "Callable[[str], list[str]]"
    Released: TypeAlias = "tuple[str, int] | None"

ADVICE = (
    "split() has to withhold the last fragment of its text, and to leave out empty "
    "chunks; a strategy that drops text in front of a chunk, overlaps, or needs what "
    'was before it has to implement scan(); Chunker(strategy, check="full") and the '
    "conformance kit (see the documentation) compare every slicing with the whole text"
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

    Every scan meets the chunk released last once more, gap included: a strategy that
    changes its mind about it is found out as soon as the text shows it. Behind the last
    chunk the strategy must find nothing, or the next scan would find it twice. Costs
    splitting the last chunk and the pending text, once per scan, and the pending text
    once more whenever a chunk came out.

    Args:
        split: The strategy's method of this name.
        flush: The strategy's method of this name; called when *final*.
        text: The stream from *base* on.
        base: Stream offset of the end of the last chunk, or of the start.
        released: The last chunk with the gap before it, and the chunk's length;
            ``None`` at the start.
        final: Whether the stream ends behind *text*.
        strategy: Its name, for messages.

    Raises:
        NotVerbatimError: A chunk is empty or cannot be placed behind the one before.
        ContractError: The strategy is not stable or cannot be restarted.
    """
    before, length = released or ("", 0)
    text = before + text
    start = base - len(before)
    chunks = split(text)
    spans = _place(chunks, text, start, source=f"{strategy}.split()", strategy=strategy)
    if released is not None:
        if not spans or spans[0][:2] != (base - length, base):
            now = quote(chunks[0]) if chunks else "nothing"
            problem = (
                f"released {quote(before[-length:])} at {base - length}:{base}, but "
                f"with more text split() gives {now} there: it breaks the laws of "
                f"stability and finality (a released chunk never changes); {ADVICE}"
            )
            raise ContractError(problem, strategy=strategy, offset=base - length)
        del spans[0]
    end = spans[-1][1] if spans else base
    rest = text[end - start :]
    if spans:
        if again := split(rest):
            problem = (
                f"split() gives {quote(again[0])} from {quote(rest)}, the text behind "
                "the last chunk that it gave before, expected nothing: it breaks the "
                f"law of resumption, and with it delta-invariance; {ADVICE}"
            )
            raise ContractError(problem, strategy=strategy, offset=end)
        last = spans[-1]
        gap_start = spans[-2][1] if len(spans) > 1 else base
        released = (text[gap_start - start : end - start], last[1] - last[0])
    if not final:
        return Scan(spans, end, end, released)
    source = f"{strategy}.flush()"
    tail = _place(flush(rest), rest, end, source=source, strategy=strategy)
    behind = text[tail[-1][1] - start :] if tail else ""
    if behind and any(again := flush(behind)):
        problem = (
            f"flush() gives {quote(again[0])} from {quote(behind)}, the text behind "
            "what it gave before, expected nothing: it breaks the law of resumption, "
            f"and what it gave cannot be placed surely; {ADVICE}"
        )
        raise ContractError(problem, strategy=strategy, offset=tail[-1][1])
    spans += [Span(first, stop, complete=None) for first, stop, *_ in tail]
    stop = start + len(text)
    return Scan(spans, stop, stop, None)


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
                "before: it breaks the law of verbatim text (a strategy must not "
                "change text) or the law of order; "
                f"{ADVICE}"
            )
            raise NotVerbatimError(problem, strategy=strategy, offset=base + at)
        at = start + len(chunk)
        spans.append(Span(base + start, base + at))
    return spans
