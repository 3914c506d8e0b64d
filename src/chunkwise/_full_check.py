"""The check that splits the whole stream again after every delta."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from ._checks import check_scan
from ._spans import Span
from ._strategy import ChunkingStrategy
from .errors import ContractError, DeltaInvarianceError

if TYPE_CHECKING:
    from typing import TypeAlias

    from ._pending import Read
    from ._spans import ScanFields, SpanFields

    Spans: TypeAlias = "tuple[tuple[Any, ...], ...]"
    Checked: TypeAlias = "tuple[str, int, Any, Spans, Any]"


class FullCheck(ChunkingStrategy["Checked"]):
    """Wraps a strategy and compares each scan with one of the whole text.

    The state carries the stream since its start, or since the last ``cut()``, so it
    grows with the stream, and every scan looks at all of it.

    Args:
        checked: The strategy to check.
        scanner: The same, bound to a stream.
    """

    def __init__(
        self,
        checked: ChunkingStrategy[Any],
        scanner: ChunkingStrategy[Any] | None = None,
    ) -> None:
        self.checked = checked
        self.scanner = scanner or checked

    @override
    def bound_to(self, read: Read) -> FullCheck:
        return FullCheck(self.checked, self.checked.bound_to(read))

    @override
    def begin(self, offset: int) -> Checked:
        begun = self.checked.begin(offset)
        return ("", offset, begun, (), begun)

    @override
    def begin_again(self, offset: int, state: Checked) -> Checked:
        begun = self.scanner.begin_again(offset, state[-1])
        return ("", offset, begun, (), begun)

    @override
    def scan(
        self, text: str, base: int, state: Checked, final: bool = False
    ) -> ScanFields[Checked]:
        before, offset, begun, released, inner = state
        whole = before[: base - offset] + text
        found = self.checked.scan(whole, offset, begun, final=final)
        check_scan(found, offset, self.checked)
        expected = tuple(map(_all_fields, found[0]))
        name = type(self.checked).__name__
        try:
            scanned = self.scanner.scan(text, base, inner, final=final)
            check_scan(scanned, base, self.checked)
            spans, keep, resume, inner, wake = scanned
        except ContractError:
            # A strategy of level 1 refuses to go on behind a chunk that it would not
            # give any more. What it would give instead says more.
            if released != expected[: len(released)]:
                check_same(released, expected, whole, offset, name)
            raise
        got = (*released, *map(_all_fields, spans))
        check_same(got, expected, whole, offset, name)
        # Every delta is checked, whatever the strategy says about the next one.
        return (spans, keep, resume, (whole, offset, begun, got, inner), min(wake, 0))


def _all_fields(span: SpanFields) -> tuple[Any, ...]:
    return tuple(Span(*span))  # pyright: ignore[reportArgumentType]  # fields in order


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
