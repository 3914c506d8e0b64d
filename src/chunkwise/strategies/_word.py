"""WordChunking: runs of white space separate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from .._registry import register_built_in
from .._spans import NEVER
from .._strategy import ChunkingStrategy
from .._white_space import WHITE_SPACE

if TYPE_CHECKING:
    from .._spans import ScanFields, SpanFields

_SHORT = 32
"""Code points of text up to which an open word is rather looked at again."""


@dataclass(frozen=True)
class WordChunking(ChunkingStrategy["int | None"]):
    """Cuts at white space, as ``str.split`` does.

    A word is released by the first white space behind it; the white space belongs to
    no chunk. The last word is released by ``flush``, not ``complete``, unless white
    space followed it. White space is what ``str.isspace`` says.

    Examples:
        >>> WordChunking().split("one  two thr"), WordChunking().flush("one  two thr")
        (['one', 'two'], ['thr'])
    """

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return WHITE_SPACE

    @override
    def begin(self, offset: int) -> int | None:
        return None

    @override
    def opened(self, text: str, base: int, state: int | None) -> tuple[int, int] | None:
        end = base + len(text)
        if state is None:
            state = end - len(text.lstrip())
        return (state, end) if state < end else None

    @override
    def scan(
        self, text: str, base: int, state: int | None, final: bool = False
    ) -> ScanFields[int | None]:
        # Plan: `str.split` finds the words and `str.find` their places, each from the
        # end of the word before. White space lies between, so the first match is the
        # right one. The last word stays open until white space follows. What is behind
        # the last chunk is looked at again while it is short, which is faster than
        # carrying it: the next scan releases or carries it, so no code point is looked
        # at more than three times. The state is where a word starts that is carried.
        words = text.split()
        if (
            state is None
            and len(words) == (1 if text[-1:] in WHITE_SPACE else 2)
            and not final
        ):
            # What nearly every scan of a stream sees: one word, and the beginning of
            # the next or white space.
            word = words[0]
            start = base + text.find(word)
            end = start + len(word)
            return (((start, end, True, "word"),), end, end, None, NEVER)
        spans: list[SpanFields] = []
        open_word = state
        size = len(text)
        end = 0
        for word in words:
            start = text.find(word, end)
            if open_word is None:
                open_word = base + start
            elif start:
                spans.append((open_word, base + end, True, "word"))
                open_word = base + start
            end = start + len(word)
        resume = base + size
        if open_word is not None and end < size:
            spans.append((open_word, base + end, True, "word"))
            open_word = None
        if open_word is None:
            return (spans, resume, resume, None, NEVER)
        if final:
            spans.append((open_word, resume, None, "word"))
        elif state is None and size <= _SHORT:
            last_end = spans[-1][1] if spans else base
            return (spans, open_word, last_end, None, NEVER)
        return (spans, open_word, resume, open_word, NEVER)


register_built_in("word", WordChunking)
