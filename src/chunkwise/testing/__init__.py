"""Testing strategies, chunkers and sources of deltas: the conformance kit.

`chunkwise.testing.hypothesis` has strategies for Hypothesis; nothing else here needs
it.
"""

from __future__ import annotations

from ._check import check_chunker, check_strategy
from ._counting import CountingStrategy, counting
from ._deltas import check_deltas
from ._report import BrokenLawError
from ._strategy_laws import StrategyLaws

__all__ = [
    "BrokenLawError",
    "CountingStrategy",
    "StrategyLaws",
    "check_chunker",
    "check_deltas",
    "check_strategy",
    "counting",
]
