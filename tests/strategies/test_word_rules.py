"""What words say about a full stop between them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.strategies._languages import language
from chunkwise.strategies._word_rules import WordRules

ENGLISH = WordRules(language("en"))


def verdict(
    before: str,
    after: str,
    mark: str = ".",
    closers: str = "",
    code: str = "en",
    *,
    final: bool = True,
) -> bool | None:
    """Return whether a sentence that is *before* ends at *mark* and before *after*."""
    rules = ENGLISH if code == "en" else WordRules(language(code))
    text = f"{before}{mark}{closers} {after}"
    at = len(before)
    opened = at + len(mark) + len(closers) + 1
    return rules.ends(text, 0, at, opened, mark, closers, final)


@pytest.mark.parametrize(
    ("before", "after", "mark", "closers"),
    [
        ("So it was", "Then", ".", ""),
        ("So it was", "then", ".", ""),
        ("was it so", "then", "?", ""),
        ("it was at 3", "Then", ".", ""),
        ("We sold 30", "2 came back", ".", ""),
        ("on 5th st", "The end", ".", ""),
        ("in the U.S", "How so", ".", ""),
        ("you and I", "Did we", ".", ""),
        ("It has 8 m", "Then", ".", ""),
        ("it weighs 5 lbs", "Shipping", ".", ""),
        ("wheels etc", "Most of", ".", ""),
        ("in the year 79 C.E", "Pompeii was", ".", ""),
        ("We left at 5 p.m", "Mr", ".", ""),
        ("It is called gen", "It", ".", ""),
        ("The answer is no", "Try", ".", ""),
        ("He said etc", "So", "!", ""),
        ("Mr", "Lee", ".", '"'),
        ("So it was at no", "7", "?", ""),
    ],
)
def test_a_sentence_ends(before: str, after: str, mark: str, closers: str) -> None:
    assert verdict(before, after, mark, closers) is True


@pytest.mark.parametrize(
    ("before", "after", "mark", "closers"),
    [
        ("They saw Mr", "Lee", ".", ""),
        ("They saw Gen", "Lee", ".", ""),
        ("They saw (Dr", "Lee", ".", ""),
        ("They saw the co", "of it", ".", ""),
        ("They saw J", "Smith", ".", ""),
        ("They saw the U.S", "Government", ".", ""),
        ("They saw no", "7", ".", ""),
        ("They saw Fig", "3", ".", ""),
        ("They saw 2 lb", "4 oz", ".", ""),
        ("They went, c", "1818", ".", ""),
        ("They stir for 2 min", "at low heat", ".", ""),
        ("1", "The first", ".", ""),
        ("- a", "The first", ".", ""),
        ("iv", "The first", ".", ""),
        ("At 5 a.m", "Lee left", ".", ""),
        ("They saw the end", "she said", ".", '"'),
        ("They saw foo.bar", "it", ".", ""),
        ("They saw it in 2024", "it", ".", ""),
        ("They saw Louis XIV", "it", ".", ""),
        ("They saw Yahoo", "in it", "!", ""),
        ("- They went", "she said", "!", ""),
        ("They saw p.co", "Lee", ".", ""),
        ("They saw an adj", "(one)", ".", ""),
        ("They saw an adj", "\u2116 7", ".", ""),
        ("They saw \u202aJ\u202c", "Lee", ".", ""),
        ("z", "B", ".", ""),
    ],
)
def test_a_sentence_goes_on(before: str, after: str, mark: str, closers: str) -> None:
    assert verdict(before, after, mark, closers) is False


def test_an_abbreviation_in_two_parts_goes_on() -> None:
    assert verdict("Es kostet z", "B. viel", code="de") is False
    assert verdict("Es kostet z", "B", code="de", final=False) is None
    assert verdict("Es kostet z", "Bald", code="de") is True


def test_ordinals_go_on_where_the_language_has_them() -> None:
    assert verdict("am 3", "Oktober", code="de") is False
    assert verdict("Ludwig XIV", "Bourbon war", code="de") is False
    assert verdict("auf Seite 12", "Dort", code="de") is True
    assert verdict("im Jahr 1999", "Oktober", code="de") is True
    assert verdict("on 3", "October") is True


def test_sentences_go_on_behind_questions_where_the_language_asks_inside() -> None:
    assert verdict("Geldi mi", "diye sordu", "?", code="tr") is False
    assert verdict("Is it", "they asked", "?") is True


def test_the_word_before_a_mark_is_looked_for_near_it() -> None:
    assert verdict(f"{'so it goes on and ' * 5}the U.S", "How ") is True
    assert verdict("x" * 60, "how ") is True


def test_a_word_that_is_not_complete_is_waited_for() -> None:
    assert verdict("the U.S", "H", final=False) is None
    assert verdict("the U.S", "How ", final=False) is True
    assert verdict("the U.S", "Hebrew ", final=False) is False
    assert verdict("the U.S", "H" * 24, final=False) is None
    assert verdict("the U.S", "H" * 25, final=False) is False


def test_where_a_sentence_starts_far_away_its_start_says_nothing() -> None:
    text = "- so it was! then"
    assert ENGLISH.ends(text, 0, 11, 13, "!", "", final=False) is False
    assert ENGLISH.ends(text, -1, 11, 13, "!", "", final=False) is True
    text = "At 5 a.m. Lee "
    assert ENGLISH.ends(text, 0, 8, 10, ".", "", final=False) is False
    assert ENGLISH.ends(text, -1, 8, 10, ".", "", final=False) is True


@pytest.mark.parametrize(
    ("word", "mark", "is_ordinary"),
    [
        ("house", ".", True),
        ("etc", ".", False),
        ("etc", "!", True),
        ("x", ".", False),
        ("x", "!", True),
        ("XIV", ".", True),
        ("2019", ".", True),
        ("7", ".", True),
        ("v2", ".", True),
    ],
)
def test_ordinary_words(word: str, mark: str, *, is_ordinary: bool) -> None:
    assert ENGLISH.is_ordinary(word, mark) is is_ordinary


def test_numbers_are_no_ordinary_words_where_they_may_be_ordinals() -> None:
    german = WordRules(language("de"))
    assert not german.is_ordinary("XIV", ".")
    assert not german.is_ordinary("17", ".")
    assert german.is_ordinary("2019", ".")
    assert german.is_ordinary("Haus", ".")


@given(
    word=st.text("aBcoxX1729IV\u00e9\u00bd\u00b2\u0663", min_size=1, max_size=6),
    mark=st.sampled_from(".!?"),
    code=st.sampled_from(["en", "de"]),
)
def test_a_sentence_ends_behind_an_ordinary_word(
    word: str, mark: str, code: str
) -> None:
    if word.isalnum() and WordRules(language(code)).is_ordinary(word, mark):
        assert verdict(f"At last we came to {word}", "Then", mark, code=code)


def test_i_does_not_begin_a_sentence_behind_an_ellipsis() -> None:
    assert ENGLISH.begins_anew("... I did", 4, final=False) is False
    assert ENGLISH.begins_anew("... I", 4, final=False) is None
    assert ENGLISH.begins_anew("... I", 4, final=True) is False
    assert ENGLISH.begins_anew("... It", 4, final=False) is True
    assert ENGLISH.begins_anew("... 7", 4, final=False) is True
    italian = WordRules(language("it"))
    assert italian.begins_anew("... I gatti", 4, final=False) is True
