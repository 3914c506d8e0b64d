"""One text in one slicing, and what it gives in all the ways that laws compare."""

from __future__ import annotations

from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, cast

from ._runs import OfStrategy, Run, is_refusal, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .._strategy import ChunkingStrategy
    from ._runs import Facts, Subject


class Trial:
    """A subject that is given one text in one slicing. What is costly is kept.

    Args:
        subject: What is tested.
        deltas: The slicing.
        separators: Regular expression of what may stand between chunks, if any.
    """

    def __init__(
        self, subject: Subject, deltas: Sequence[str], separators: str | None
    ) -> None:
        self.subject = subject
        self.deltas = tuple(deltas)
        self.separators = separators
        self.text = "".join(deltas)
        self._released: dict[str, Run] = {}

    @property
    def strategy(self) -> ChunkingStrategy[Any]:
        """The strategy; only laws of strategies ask for it."""
        return cast("OfStrategy", self.subject).strategy

    @property
    def is_level_1(self) -> bool:
        """Whether the subject is a strategy that can only split whole texts."""
        return isinstance(self.subject, OfStrategy) and self.subject.is_level_1

    @cached_property
    def sliced(self) -> Run:
        """What the deltas give."""
        return run(self.subject, self.deltas)

    @cached_property
    def whole(self) -> Run:
        """What the text gives in one delta."""
        return run(self.subject, [self.text])

    @property
    def is_refused(self) -> bool:
        """Whether the text is one that the subject does not take: no law is for it."""
        return is_refusal(self.whole.error) or is_refusal(self.sliced.error)

    def released(self, text: str) -> Run:
        """Return what *text* gives in one delta, while the stream goes on."""
        if text not in self._released:
            self._released[text] = run(self.subject, [text], final=False)
        return self._released[text]

    @property
    def prefixes(self) -> list[str]:
        """The text after each delta."""
        return [*accumulate(self.deltas)]

    @cached_property
    def split(self) -> list[str]:
        """What ``split`` of a strategy gives for the whole text."""
        return self.strategy.split(self.text)

    @cached_property
    def flush(self) -> list[str]:
        """What ``flush`` of a strategy gives for the whole text."""
        return self.strategy.flush(self.text)


def run_of(chunks: Sequence[Facts]) -> Run:
    """Return *chunks* as what a stream gave."""
    return Run((tuple(chunks),))
