"""Contract checks: values in, nothing or an exception out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from typing_extensions import override

from ._strategy import ChunkingStrategy
from .errors import ContractError, DeltaInvarianceError, NotVerbatimError

if TYPE_CHECKING:
    from typing import TypeAlias

    from ._spans import ScanFields, SpanFields

    Spans: TypeAlias = "tuple[tuple[Any, ...], ...]"
    Checked: TypeAlias = "tuple[str, int, Spans, Any]"


def check_delta(delta: object) -> str:
    """Return *delta* as a plain ``str``, or say what to do with it instead.

    Raises:
        TypeError: *delta* is not a ``str``.
    """
    if isinstance(delta, str):
        return str.__str__(delta)
    msg = f"a delta must be a str, got {type(delta).__name__}"
    if delta is None:
        msg += "; skip events that carry no text"
    elif isinstance(delta, (bytes, bytearray, memoryview)):
        msg += (
            "; decode bytes incrementally, with "
            "codecs.getincrementaldecoder('utf-8')(), because a character can be "
            "split between two of them"
        )
    else:
        msg += "; take the text out of the event first"
    raise TypeError(msg)


def check_span(
    span: SpanFields, after: int, end: int, strategy: ChunkingStrategy[Any]
) -> None:
    """Check that *span* is a slice of the stored text, behind the chunk before it.

    Args:
        span: What the scan returned.
        after: Where it may start: the stored text begins there, or the chunk before it
            started one code point earlier.
        end: Where the stored text ends.
        strategy: Whose scan it was.

    Raises:
        NotVerbatimError: It is empty, or not inside ``after:end``.
    """
    start, stop, *_ = span
    if not after <= start < stop <= end:
        problem = (
            f"scan() returned the span {start}:{stop}, expected a non-empty verbatim "
            f"substring of the stream inside {after}:{end}; starts strictly increase"
        )
        raise NotVerbatimError(
            problem, strategy=type(strategy).__name__, offset=max(start, after)
        )


def raise_for_offset(
    name: str, offset: int, first: int, last: int, strategy: ChunkingStrategy[Any]
) -> NoReturn:
    """Say that an offset of a scan lies where the next scan cannot go on.

    Raises:
        ContractError: Always.
    """
    problem = f"scan() returned {name}={offset}, expected an offset in {first}..{last}"
    raise ContractError(problem, strategy=type(strategy).__name__, offset=first)


class FullCheck(ChunkingStrategy["Checked"]):
    """Wraps a strategy and compares each scan with one of the whole text.

    The state carries the stream since its start, or since the last ``cut()``, so it
    grows with the stream, and every scan looks at all of it.

    Args:
        checked: The strategy to check.
    """

    def __init__(self, checked: ChunkingStrategy[Any]) -> None:
        self.checked = checked

    @override
    def begin(self, offset: int) -> Checked:
        return ("", offset, (), self.checked.begin(offset))

    @override
    def scan(
        self, text: str, base: int, state: Checked, final: bool = False
    ) -> ScanFields[Checked]:
        before, offset, released, inner = state
        spans, keep, resume, inner, _ = self.checked.scan(
            text, base, inner, final=final
        )
        whole = before[: base - offset] + text
        expected, *_ = self.checked.scan(
            whole, offset, self.checked.begin(offset), final=final
        )
        got = (*released, *map(tuple, spans))
        name = type(self.checked).__name__
        check_same(got, tuple(map(tuple, expected)), whole, offset, name)
        return (spans, keep, resume, (whole, offset, got, inner), 0)


def check_same(
    got: Spans, expected: Spans, text: str, offset: int, strategy: str
) -> None:
    """Check that the deltas gave what the whole text gives.

    Args:
        got: The span of every chunk that the deltas gave.
        expected: The same for the whole text.
        text: The whole text so far.
        offset: Stream offset at which *text* begins.
        strategy: Its name, for the message.

    Raises:
        DeltaInvarianceError: They differ; the error shows from where on.
    """
    if got == expected:
        return
    same = 0
    while got[same : same + 1] == expected[same : same + 1]:
        same += 1
    parted = [got[same:], expected[same:]]
    released, whole = (
        [text[start - offset : end - offset] for start, end, *_ in spans]
        for spans in parted
    )
    raise DeltaInvarianceError(
        strategy=strategy,
        offset=min(spans[0][0] for spans in parted if spans),
        released=released,
        expected=whole,
    )
