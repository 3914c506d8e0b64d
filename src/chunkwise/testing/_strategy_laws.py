"""StrategyLaws: the laws as test methods, for pytest and for unittest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ._check import MAX_EXAMPLES, check_laws, checked_strategy, examples_of
from ._laws import STRATEGY_LAWS
from ._runs import OfStrategy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .._strategy import ChunkingStrategy
    from ._slicings import Slicings


class StrategyLaws:
    r"""A base class for tests of a strategy: a test method for each law.

    It needs no plug-in. pytest finds a subclass by its name; for ``unittest`` derive
    from ``unittest.TestCase`` as well.

    Attributes:
        strategy: The strategy to test; a subclass names it.
        texts: As for `check_strategy`, and so are the others.
        slicings: See there.
        max_examples: See there; for each law.
        separators: See there.

    Examples:
        >>> from chunkwise import WordChunking
        >>> class TestWords(StrategyLaws):
        ...     strategy = WordChunking()
        ...     separators = r"\s*"
        >>> TestWords().test_finality()
    """

    strategy: ClassVar[ChunkingStrategy[Any]]
    texts: ClassVar[Iterable[str] | None] = None
    slicings: ClassVar[Slicings] = "random"
    max_examples: ClassVar[int] = MAX_EXAMPLES
    separators: ClassVar[str | None] = None

    def test_stateless_strategies(self) -> None:
        """The same text gives the same chunks; nothing is kept, and it has a hash."""
        self._check("stateless strategies")

    def test_verbatim(self) -> None:
        """A chunk is text of the stream, and never empty."""
        self._check("verbatim")

    def test_order(self) -> None:
        """Starts increase; chunks overlap only where the strategy says so."""
        self._check("order")

    def test_finality(self) -> None:
        """A released chunk is never changed or taken back."""
        self._check("finality")

    def test_delta_invariance(self) -> None:
        """Every slicing gives what the whole text gives."""
        self._check("delta-invariance")

    def test_earliest_release(self) -> None:
        """Each delta releases what the text so far gives at once."""
        self._check("earliest release")

    def test_nothing_lost(self) -> None:
        """What stands between chunks matches *separators*, where they are given."""
        self._check("nothing lost")

    def test_resumable(self) -> None:
        """A stream goes on from its saved state; it can begin at any offset."""
        self._check("resumable")

    def test_bounded(self) -> None:
        """Work for a code point, and memory, do not grow with the stream."""
        self._check("bounded")

    def _check(self, name: str) -> None:
        cls = type(self)
        strategy = checked_strategy(getattr(cls, "strategy", None))
        cases = examples_of([strategy], cls.texts, cls.slicings, cls.max_examples)
        laws = [law for law in STRATEGY_LAWS if law.name == name]
        check_laws(OfStrategy(strategy), laws, cases, cls.separators)
