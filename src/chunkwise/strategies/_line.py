"""LineChunking: every line end that Unicode knows."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from .._registry import register_built_in
from .._spans import NEVER, Scan
from .._strategy import ChunkingStrategy, check_bool
from .._white_space import LINE_ENDS

if TYPE_CHECKING:
    from .._spans import SpanFields


@dataclass(frozen=True)
class LineChunking(ChunkingStrategy[int]):
    r"""Cuts behind line ends, as ``str.splitlines`` does.

    A line is released by its line end; one that ends with ``\r`` waits for one more
    code point, because ``\r\n`` is a single line end. The last line is released by
    ``flush``, not ``complete`` unless it has a line end.

    Args:
        keep_ends: Whether a line end belongs to its line. With ``False`` it becomes a
            gap, and an empty line is no chunk.

    Raises:
        TypeError: *keep_ends* is not a ``bool``.

    Examples:
        >>> LineChunking().split("a\r\n\nb")
        ['a\r\n', '\n']
        >>> LineChunking(keep_ends=False).split("a\r\n\nb")
        ['a']
    """

    _: KW_ONLY
    keep_ends: bool = True

    def __post_init__(self) -> None:
        """Check the parameters."""
        check_bool("keep_ends", self.keep_ends)

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return LINE_ENDS

    @override
    def begin(self, offset: int) -> int:
        return offset

    @override
    def opened(self, text: str, base: int, state: int) -> tuple[int, int] | None:
        return (state, base) if state < base else None

    @override
    def scan(self, text: str, base: int, state: int, final: bool = False) -> Scan[int]:
        # Plan: `str.splitlines` looks at each code point once. Only a `\r` at the end
        # of the text is left for the next scan. The state is where the open line
        # starts; all of it but that `\r` has been looked at.
        spans: list[SpanFields] = []
        undecided = not final and text.endswith("\r")
        decided = text[:-1] if undecided else text
        start = state
        end = base
        for bare, line in zip(
            decided.splitlines(), decided.splitlines(keepends=True), strict=True
        ):
            if len(bare) == len(line):
                # Only the last line can be without a line end.
                break
            stop = end + len(bare)
            end += len(line)
            if self.keep_ends:
                stop = end
            if start < stop:
                spans.append((start, stop, True, "line"))
            start = end
        resume = base + len(decided)
        if final and start < resume:
            spans.append((start, resume, None, "line"))
        return Scan(spans, start, resume, start, 0 if undecided else NEVER)


register_built_in("line", LineChunking)
