"""The laws as test methods, one for each, found by pytest and by unittest."""

from __future__ import annotations

import unittest

import pytest

from chunkwise import WordChunking
from chunkwise.testing import BrokenLawError, StrategyLaws
from chunkwise.testing._laws import STRATEGY_LAWS
from tests.testing.faulty import DecidesAtTheEnd, Drops


class TestWords(StrategyLaws):
    """What pytest finds: these run as tests of their own."""

    strategy = WordChunking()
    max_examples = 20
    separators = r"\s*"


def test_every_law_has_a_test_method() -> None:
    names = {name for name in vars(StrategyLaws) if name.startswith("test_")}
    laws = {law.name.replace(" ", "_").replace("-", "_") for law in STRATEGY_LAWS}
    assert names == {f"test_{name}" for name in laws}


class LawsOfDecidesAtTheEnd(StrategyLaws):
    """Not found by pytest: its name begins with another word."""

    strategy = DecidesAtTheEnd()
    texts = ("It costs 3.14.",)
    slicings = "all"
    max_examples = 30


def test_a_test_method_checks_one_law() -> None:
    tests = LawsOfDecidesAtTheEnd()
    tests.test_verbatim()
    tests.test_order()
    tests.test_stateless_strategies()
    with pytest.raises(BrokenLawError, match="law of finality"):
        tests.test_finality()
    with pytest.raises(BrokenLawError, match="law of delta-invariance"):
        tests.test_delta_invariance()


def test_separators_are_used() -> None:
    class LawsOfDrops(StrategyLaws):
        strategy = Drops()
        texts = ("to b or ",)
        max_examples = 5

    LawsOfDrops().test_nothing_lost()
    LawsOfDrops.separators = r"\s*"
    with pytest.raises(BrokenLawError, match="law of nothing lost"):
        LawsOfDrops().test_nothing_lost()


def test_unittest_runs_them_too() -> None:
    class UnitTests(StrategyLaws, unittest.TestCase):
        strategy = WordChunking()
        max_examples = 3

    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(UnitTests).run(result)
    assert result.testsRun == len(STRATEGY_LAWS)
    assert result.wasSuccessful()


def test_a_class_without_a_strategy_says_so() -> None:
    class Forgotten(StrategyLaws):
        pass

    with pytest.raises(TypeError, match="expected a ChunkingStrategy, got None"):
        Forgotten().test_verbatim()
