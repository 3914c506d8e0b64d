"""The lists of abbreviations are what their script makes of its sources."""

from __future__ import annotations

import pytest

from chunkwise.strategies._abbreviations import ABBREVIATIONS
from tests.make_abbreviations import SOURCES, TARGET, module_of, words_of
from tests.texts import data_folder


def test_every_language_has_a_list() -> None:
    assert set(ABBREVIATIONS) == set(SOURCES)
    assert all(words.split() for words in ABBREVIATIONS.values())


def test_a_list_is_sorted_and_has_each_word_once() -> None:
    for words in ABBREVIATIONS.values():
        assert words.split() == sorted(set(words.split()))


def test_the_module_is_what_the_script_writes() -> None:
    folder = data_folder() / "sentences" / "abbreviations"
    if not folder.is_dir():
        pytest.skip("the lists of others are not at hand")
    assert TARGET.read_text(encoding="utf-8") == module_of(words_of(folder))
