"""Contract checks: values in, nothing or an exception out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from typing_extensions import override

from ._strategy import ChunkingStrategy
from .errors import ContractError, DeltaInvarianceError, NotVerbatimError

if TYPE_CHECKING:
    from typing_extensions import TypeAlias

    from ._spans import ScanFields, SpanFields

    Places: TypeAlias = "tuple[tuple[int, int], ...]"
    Checked: TypeAlias = "tuple[str, int, Places, Any]"


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
    span: SpanFields,
    last_start: int,
    start: int,
    end: int,
    strategy: ChunkingStrategy[Any],
) -> None:
    """Check that *span* is a slice of the stored text, behind the chunk before it.

    Args:
        span: What the scan returned.
        last_start: Start of the chunk before it; -1 if there was none.
        start: Where the stored text begins.
        end: Where it ends.
        strategy: Whose scan it was.

    Raises:
        NotVerbatimError: It is empty, or not inside ``start:end``.
        ContractError: It does not start behind *last_start*.
    """
    first, stop, *_ = span
    name = type(strategy).__name__
    if not start <= first < stop <= end:
        problem = (
            f"scan() returned the span {first}:{stop}, expected a non-empty verbatim "
            f"substring of the stream inside {start}:{end}"
        )
        raise NotVerbatimError(problem, strategy=name, offset=first)
    if first <= last_start:
        problem = (
            f"scan() returned the span {first}:{stop} behind one that starts at "
            f"{last_start}, expected starts that strictly increase (law of order)"
        )
        raise ContractError(problem, strategy=name, offset=first)


def raise_for_resume(
    resume: int, base: int, end: int, strategy: ChunkingStrategy[Any]
) -> NoReturn:
    """Say that a scan wants to go on outside the text that it was given.

    Raises:
        ContractError: Always.
    """
    problem = f"scan() returned resume={resume}, expected an offset in {base}..{end}"
    raise ContractError(problem, strategy=type(strategy).__name__, offset=base)


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
        self, text: str, base: int, state: Checked, *, final: bool
    ) -> ScanFields[Checked]:
        before, offset, released, inner = state
        spans, keep, resume, inner, _ = self.checked.scan(
            text, base, inner, final=final
        )
        whole = before[: base - offset] + text
        expected, *_ = self.checked.scan(
            whole, offset, self.checked.begin(offset), final=final
        )
        got = (*released, *((span[0], span[1]) for span in spans))
        check_same(
            got,
            tuple((span[0], span[1]) for span in expected),
            whole,
            offset,
            type(self.checked).__name__,
        )
        return (spans, keep, resume, (whole, offset, got, inner), 0)


def check_same(
    got: Places, expected: Places, text: str, offset: int, strategy: str
) -> None:
    """Check that the deltas gave what the whole text gives.

    Args:
        got: Start and end of every chunk that the deltas gave.
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
        [text[start - offset : end - offset] for start, end in places]
        for places in parted
    )
    raise DeltaInvarianceError(
        "broke the law of delta-invariance",
        strategy=strategy,
        offset=min(places[0][0] for places in parted if places),
        released=released,
        expected=whole,
    )
