"""What is known about languages."""

from __future__ import annotations

import pytest

from chunkwise.strategies._abbreviations import ABBREVIATIONS
from chunkwise.strategies._languages import language, language_with

LISTED = ["cs", "da", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru", "sv", "tr"]


@pytest.mark.parametrize("code", LISTED)
def test_a_language_has_a_list_and_starters_of_its_own(code: str) -> None:
    known = language(code)
    assert known.abbreviations == set(ABBREVIATIONS[code].split())
    assert known.starters
    assert code == "en" or known.starters != language("en").starters


@pytest.mark.parametrize("code", ["de-AT", "DE", "de_CH"])
def test_a_region_and_the_case_do_not_matter(code: str) -> None:
    assert language(code) == language("de")


def test_a_language_without_a_list_gets_the_english_one_and_its_own_marks() -> None:
    assert language("xx") == language("en")
    assert language("hy")._replace(further_marks="") == language("en")
    assert language("hy").further_marks == ":"
    assert language("hu").ordinals
    assert not language("en").ordinals


def test_words_are_lower_case_and_without_the_final_full_stop() -> None:
    for code in ABBREVIATIONS:
        known = language(code)
        for words in known[:6]:
            assert all(word == word.lower() and word[-1] != "." for word in words)


def test_words_of_the_user_are_known_besides_and_others_forgotten() -> None:
    known = language_with("en", ("-Mr.", "-etc", "-kg", "-no", "-gen", "foo.", "Inc"))
    assert {"foo", "inc"} <= known.abbreviations
    assert not {"mr", "gen"} & (known.never | known.titles)
    assert not {"etc", "inc"} & known.trailing
    assert "kg" not in known.units
    assert "no" not in known.numbered
    assert language_with("en", ()) == language("en")
