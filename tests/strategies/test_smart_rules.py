"""The smart rules: what ends a sentence, and when that is known."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest
import regex

from chunkwise import Chunker, ClauseChunking, SentenceChunking
from tests.running import run, scan_stream

if TYPE_CHECKING:
    from collections.abc import Iterable

SMART = SentenceChunking()
LONG = "so it goes on and on " * 12
"""More than is looked at again."""


def texts(deltas: Iterable[str], strategy: Any = SMART) -> list[str]:
    return [chunk.text for chunk in run(strategy, deltas).chunks]


def sentences(text: str, strategy: Any = SMART) -> list[str]:
    """Return the sentences, the same in several slicings."""
    whole = texts([text], strategy)
    assert texts(text, strategy) == whole
    pairs = [text[at : at + 2] for at in range(0, len(text), 2)]
    assert texts(pairs, strategy) == whole
    return whole


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Dr. Lee came. Hi.", ["Dr. Lee came.", "Hi."], id="title"),
        pytest.param("It is 3.14 now. Ok.", ["It is 3.14 now.", "Ok."], id="decimal"),
        pytest.param(
            "See https://a.b/c.d?e=f.g now. Ok.",
            ["See https://a.b/c.d?e=f.g now.", "Ok."],
            id="address",
        ),
        pytest.param(
            "Born Jan 1, 1980. Ok.",
            ["Born Jan 1, 1980.", "Ok."],
            id="number at the end",
        ),
        pytest.param(
            'He said "Go." She left.', ['He said "Go."', "She left."], id="quotation"
        ),
        pytest.param(
            "The sky is... blue. Ok.", ["The sky is... blue.", "Ok."], id="ellipsis"
        ),
        pytest.param(
            "Hm... So it is.", ["Hm...", "So it is."], id="ellipsis at an end"
        ),
        pytest.param("Hm\u2026 so it is.", ["Hm\u2026 so it is."], id="one code point"),
        pytest.param("It is... I know.", ["It is... I know."], id="ellipsis before I"),
        pytest.param(
            "So it is all right\u2026 I know.",
            ["So it is all right\u2026 I know."],
            id="one code point before I",
        ),
        pytest.param("It is.... I know.", ["It is....", "I know."], id="four dots"),
        pytest.param("It is... (so) fine.", ["It is... (so) fine."], id="in brackets"),
        pytest.param("It is... (So) fine.", ["It is...", "(So) fine."], id="opened"),
        pytest.param(
            "He goes . . . on. Then",
            ["He goes . . . on.", "Then"],
            id="spaced ellipsis",
        ),
        pytest.param(
            "He ends. . . . Then on", ["He ends.", ". . . Then on"], id="end before it"
        ),
        pytest.param(
            "He ends . . . . Then", ["He ends . . . .", "Then"], id="end with it"
        ),
        pytest.param('He ends. . . ."', ['He ends. . . ."'], id="ellipsis at the end"),
        pytest.param("He . . .) then. So", ["He . . .) then.", "So"], id="bracket"),
        pytest.param("It . . . .x then", ["It . . . .x then"], id="no ellipsis"),
        pytest.param("He [...] left. So", ["He [...] left.", "So"], id="left out"),
        pytest.param("Ok . So it is.", ["Ok .", "So it is."], id="space before"),
        pytest.param("Fine ! . So it is.", ["Fine ! .", "So it is."], id="lone mark"),
        pytest.param("It is. ...and so", ["It is.", "...and so"], id="ellipsis begins"),
        pytest.param("No?! Yes.", ["No?!", "Yes."], id="two marks"),
        pytest.param("No ? ! Yes.", ["No ? !", "Yes."], id="marks apart"),
        pytest.param("Mr., then. So", ["Mr., then.", "So"], id="comma"),
        pytest.param("An end. ; So", ["An end. ; So"], id="semicolon behind a space"),
        pytest.param("An end. , So", ["An end. , So"], id="comma behind a space"),
        pytest.param("An end. ,,So it", ["An end.", ",,So it"], id="low quote"),
        pytest.param("- No! - he said", ["- No! - he said"], id="dialogue"),
        pytest.param("No! - He said", ["No!", "- He said"], id="dash, capital"),
        pytest.param("No! -he said", ["No!", "-he said"], id="dash, no space"),
        pytest.param("Done! \U0001f389 Let", ["Done! \U0001f389", "Let"], id="emoji"),
        pytest.param(
            "Done! \U0001f389\U0001f389 :) Let",
            ["Done! \U0001f389\U0001f389 :)", "Let"],
            id="emoji and emoticon",
        ),
        pytest.param(
            "Done! \U0001f389Let", ["Done!", "\U0001f389Let"], id="glued emoji"
        ),
        pytest.param("Done. [1][2] [3] So", ["Done. [1][2] [3]", "So"], id="citations"),
        pytest.param("Done.[4] So it", ["Done.[4]", "So it"], id="citation"),
        pytest.param("Done. [1] [a] So", ["Done. [1]", "[a] So"], id="no citation"),
        pytest.param("Done.[1", ["Done.[1"], id="citation begun"),
        pytest.param("Done. \U0001f389", ["Done. \U0001f389"], id="emoji at the end"),
        pytest.param(
            "Done! \U0001f389\nLet", ["Done! \U0001f389", "Let"], id="emoji, line end"
        ),
        pytest.param('A "b c. " So it', ['A "b c. "', "So it"], id="quote apart"),
        pytest.param('A b c. " So it', ["A b c.", '" So it'], id="opening quote apart"),
        pytest.param("A ,,b c. '' So", ["A ,,b c. ''", "So"], id="two apostrophes"),
        pytest.param(
            "Il dit : \xab Non. \xbb Puis", ["Il dit : \xab Non. \xbb", "Puis"], id="fr"
        ),
        pytest.param("Non. \xbbPuis", ["Non.", "\xbbPuis"], id="reversed guillemets"),
        pytest.param("Non. \xbb. Puis", ["Non. \xbb.", "Puis"], id="mark behind"),
        pytest.param("Non. '", ["Non. '"], id="apostrophe at the end"),
        pytest.param(
            "\u4f60\u597d\u3002\u518d", ["\u4f60\u597d\u3002", "\u518d"], id="zh"
        ),
        pytest.param(
            "\u300c\u884c\u3053\u3046\uff01\u300d\u3068\u3002\u6b21",
            ["\u300c\u884c\u3053\u3046\uff01\u300d\u3068\u3002", "\u6b21"],
            id="ja",
        ),
        pytest.param("\u597d!\u518d", ["\u597d!", "\u518d"], id="half-width mark"),
        pytest.param(
            "\u597d\u3002\uff0c\u518d", ["\u597d\u3002\uff0c\u518d"], id="comma"
        ),
        pytest.param(
            "\u597d\u3002\uff01\u518d", ["\u597d\u3002\uff01", "\u518d"], id="run"
        ),
        pytest.param("\u597d\u3002 \u518d", ["\u597d\u3002", "\u518d"], id="zh, space"),
        pytest.param("ab." + " " * 30 + "c", ["ab.", "c"], id="much white space"),
        pytest.param("x!!!!!!!!!! So", ["x!!!!!!!!!!", "So"], id="many marks"),
        pytest.param("Ok \U00011001 so. Bb", ["Ok \U00011001 so.", "Bb"], id="script"),
        pytest.param(
            "Ok. :) :) :) :) :) :) So", ["Ok. :) :) :) :) :) :) So"], id="many tails"
        ),
        pytest.param("Ok. 'So' it", ["Ok.", "'So' it"], id="opening quote"),
        pytest.param("", [], id="nothing"),
        pytest.param(" \n\t ", [], id="white space"),
        pytest.param(" . ", ["."], id="a mark alone"),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_the_terminators_of_all_scripts_end_sentences() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    marks = regex.findall(r"\p{Sentence_Terminal}", every)
    kept = [mark for mark in marks if sentences(f"Abc{mark} Def.")[0] != f"Abc{mark}"]
    assert (len(marks) > 100, kept) == (True, [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("A b\n\nC d", ["A b", "C d"], id="blank line"),
        pytest.param("A b.\n \t\nc d", ["A b.", "c d"], id="blank line with blanks"),
        pytest.param("A b.\r\n\r\nc d", ["A b.", "c d"], id="crlf"),
        pytest.param("A b  \n\nC", ["A b", "C"], id="blanks before"),
        pytest.param("A was\nb. C d", ["A was\nb.", "C d"], id="wrapped"),
        pytest.param("A was\r\nb. C d", ["A was\r\nb.", "C d"], id="wrapped by crlf"),
        pytest.param("A b.\nC d", ["A b.", "C d"], id="end at a line end"),
        pytest.param("A b.\n  C d", ["A b.", "C d"], id="end, indented line"),
        pytest.param("A b.\n(C d)", ["A b.", "(C d)"], id="end, opening mark"),
        pytest.param("# A b.\nC d", ["# A b.", "C d"], id="end of a heading"),
        pytest.param("Mr.\nLee", ["Mr.\nLee"], id="abbreviation at a line end"),
        pytest.param(
            "It was the good Mr.\nLee", ["It was the good Mr.\nLee"], id="title"
        ),
        pytest.param(
            "# It is A. So it is\nand so",
            ["# It is A.", "So it is", "and so"],
            id="two",
        ),
        pytest.param(
            "It is so all of it.\nB) So", ["It is so all of it.", "B) So"], id="letter"
        ),
        pytest.param("x = a.b\n\ty.z = 3", ["x = a.b\n\ty.z = 3"], id="names in lines"),
        pytest.param("Mr.\n- Lee", ["Mr.", "- Lee"], id="item behind an abbreviation"),
        pytest.param(
            "- red\n- blue\n- green", ["- red", "- blue", "- green"], id="list"
        ),
        pytest.param("a) red\nb) blue", ["a) red", "b) blue"], id="letters"),
        pytest.param("1. red\n2. blue", ["1. red", "2. blue"], id="numbers"),
        pytest.param("# A\nIt is. So", ["# A", "It is.", "So"], id="heading"),
        pytest.param("So\n# A\nIt", ["So", "# A", "It"], id="heading behind text"),
        pytest.param("# A\n\nIt", ["# A", "It"], id="blank line behind a heading"),
        pytest.param(
            "### 1. A b\nIt is.", ["### 1. A b", "It is."], id="numbered heading"
        ),
        pytest.param("So it\n---\nis", ["So it", "---", "is"], id="rule"),
        pytest.param("It.\n\n***\n\nIs", ["It.", "***", "Is"], id="rule apart"),
        pytest.param("So it\n--- is", ["So it\n--- is"], id="no rule"),
        pytest.param("|a. B|c|\n|d|\nE", ["|a. B|c|", "|d|", "E"], id="table"),
        pytest.param("> It is\n> so. Ok", ["> It is\n> so.", "Ok"], id="quote"),
        pytest.param("> Mr.\n> Lee", ["> Mr.\n> Lee"], id="abbreviation in a quote"),
        pytest.param("> So.\n> ", ["> So.\n>"], id="quote begun"),
        pytest.param("So\n> it", ["So", "> it"], id="quote behind text"),
        pytest.param("A b\n" + " " * 30 + "c", ["A b", "c"], id="far indented"),
        pytest.param("A b\n  c. D", ["A b\n  c.", "D"], id="indented"),
        pytest.param("A b\x0bc. D", ["A b\x0bc.", "D"], id="another line end"),
    ],
)
def test_lines(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("1. A b 2. C d", ["1. A b", "2. C d"], id="numbers"),
        pytest.param("1) A b 2) C d", ["1) A b", "2) C d"], id="brackets"),
        pytest.param("1.) A b 2.) C", ["1.) A b", "2.) C"], id="both"),
        pytest.param(
            "a. One b. Two c. Three", ["a. One", "b. Two", "c. Three"], id="abc"
        ),
        pytest.param(
            "\u2022 9. A \u2022 10. B", ["\u2022 9. A", "\u2022 10. B"], id="dots"
        ),
        pytest.param(
            "\u20439. A \u204310. B", ["\u20439. A", "\u204310. B"], id="hyphens"
        ),
        pytest.param("1. Read. Then 2.", ["1. Read.", "Then 2."], id="end before it"),
        pytest.param("1) A b (2) c", ["1) A b (2) c"], id="in brackets"),
        pytest.param("1) A b 2)c", ["1) A b 2)c"], id="no space behind"),
        pytest.param("1) A b2) c", ["1) A b2) c"], id="no space before"),
        pytest.param("1) A b 3) c", ["1) A b 3) c"], id="not the next"),
        pytest.param("1.) A b 2. C", ["1.) A b 2.", "C"], id="another mark"),
        pytest.param("\u2022 A b\u2022 c", ["\u2022 A b\u2022 c"], id="glued bullet"),
        pytest.param("A \u2022 b", ["A \u2022 b"], id="no list"),
        pytest.param("1) A b 2)", ["1) A b 2)"], id="begun"),
    ],
)
def test_lists_inside_a_line(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "It is **b. S** so. Ok", ["It is **b. S** so.", "Ok"], id="strong"
        ),
        pytest.param("It is **b.** So", ["It is **b.**", "So"], id="closed behind"),
        pytest.param("See `a. B` now. Ok", ["See `a. B` now.", "Ok"], id="code"),
        pytest.param(
            "See `a. B\nC` now", ["See `a.", "B\nC` now"], id="open at a line end"
        ),
        pytest.param("See `a. B c", ["See `a.", "B c"], id="open at the end"),
        pytest.param("5 * 3 is 15. Ok", ["5 * 3 is 15.", "Ok"], id="arithmetic"),
        pytest.param("a_b is c. Ok_", ["a_b is c.", "Ok_"], id="name"),
        pytest.param("See ``a. B'' now. Ok", ["See ``a.", "B'' now.", "Ok"], id="TeX"),
        pytest.param(
            f"See *ab. So {LONG}end. Bb* now",
            ["See *ab.", f"So {LONG}end.", "Bb* now"],
            id="open too long",
        ),
        pytest.param("An *a. b _c. D* e. F", ["An *a. b _c. D* e.", "F"], id="two"),
    ],
)
def test_markup_that_is_open(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "So:\n```\nx = 1. Y\n\nz\n```\nEnd. ",
            ["So:", "```\nx = 1. Y\n\nz\n```", "End."],
            id="in text",
        ),
        pytest.param(
            "~~~~\n~~~\na. B\n~~~~~\nC", ["~~~~\n~~~\na. B\n~~~~~", "C"], id="longer"
        ),
        pytest.param("```\na. B\n\nc", ["```\na. B\n\nc"], id="never closed"),
        pytest.param(
            "```\na\n``` x\n```", ["```\na\n``` x\n```"], id="closed at the end"
        ),
        pytest.param("```\r\na. B\r\n```\r\nC", ["```\r\na. B\r\n```", "C"], id="crlf"),
        pytest.param(
            "```\n" + "`" * 90 + "\n```\nC",
            ["```\n" + "`" * 90 + "\n```", "C"],
            id="long run",
        ),
        pytest.param(
            "```\n" + " " * 200 + "```\n```\nC",
            ["```\n" + " " * 200 + "```\n```", "C"],
            id="far indented",
        ),
    ],
)
def test_fenced_code_is_one_chunk(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "waits_for"),
    [
        ("It is.", " T"),
        ("It is.", "\n\n"),
        ('It is."', " T"),
        ("It is at 5.", " t"[:1] + "T"),
        ("In the U.S.", " How "),
        ("So e.g.", "\n\n"),
        ("\u597d\u3002", "\u518d"),
        ("So\n", "\n"),
        ("# So", "\n"),
        ("So it is. \U0001f389", " T"),
        ("So it is...", " Th"[:2]),
        ("A **bc.**", " C"),
        ("So\n", "- "),
        ("用x来。", "`"),
        ("用`x`来。", "`"),
        ("用*x*来。", "*好"),
        ("用*x来。*", "好"),
    ],
)
def test_a_sentence_is_released_by(text: str, waits_for: str) -> None:
    chunker = Chunker(SMART)
    assert chunker.feed(text) == []
    for code_point in waits_for[:-1]:
        assert chunker.feed(code_point) == []
    assert chunker.feed(waits_for[-1]) == [text.rstrip()]


def test_what_is_too_long_for_a_fence_is_released_when_it_is() -> None:
    chunker = Chunker(SMART)
    for code_point in f"``` 好。{'x' * 37}":
        assert chunker.feed(code_point) == []
    assert chunker.feed("x") == ["``` 好。"]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("It is.", True),
        ("It is!\u201d)", True),
        ("It is", False),
        ("\u597d\u3002", True),
        ("```\nIt is.", False),
        ("```\nIt\n```", True),
        (f"{LONG}so. ", True),
    ],
)
def test_the_rest_is_complete_if_it_looks_so(text: str, *, complete: bool) -> None:
    for deltas in ([text], list(text)):
        assert run(SMART, deltas).chunks[-1].complete is complete


def test_what_is_open_goes_as_far_as_nothing_is_undecided() -> None:
    def opened(text: str) -> tuple[int, int] | None:
        _, _, resume, state, _ = SMART.scan(text, 0, SMART.begin(0))
        return SMART.opened(text[resume:], resume, state)

    assert opened("") is None
    assert opened(" ") is None
    assert opened("It is") == (0, 5)
    assert opened("It is.") == (0, 5)
    assert opened("It is. So it") == (7, 12)
    assert opened("It is\n  ") == (0, 5)
    assert opened("```\nx = 1 ") == (0, 9)


def test_marks_of_a_language_are_its_own() -> None:
    greek = SentenceChunking("el")
    assert sentences("\u03a4\u03b9; \u039d\u03b1\u03b9.", greek) == [
        "\u03a4\u03b9;",
        "\u039d\u03b1\u03b9.",
    ]
    assert sentences("So; Yes.") == ["So; Yes."]
    armenian = SentenceChunking("hy")
    assert sentences("\u0531\u0575\u0578: \u0548\u0579:", armenian) == [
        "\u0531\u0575\u0578:",
        "\u0548\u0579:",
    ]


def test_every_scan_is_the_same_from_a_state_that_was_kept() -> None:
    """White space in front, far from where the last sentence ended."""
    text = f"{LONG}. \n {LONG}: see Mr. Lee and the U.S. Then"
    assert sentences(text) == texts([text[:300], text[300:]])


WORDS = "word " * 90


@pytest.mark.parametrize(
    "text",
    [
        f"\u2014 {WORDS}3.5 {WORDS}end! said he. Then",
        f"{WORDS}*a {'word ' * 9}3.5 {'word ' * 9}end. Now* it is. Then",
        f'{WORDS}"a {"word " * 9}3.5 {"word " * 9}end. " Then',
        f"{WORDS}2 * 3 {'word ' * 12}3.5 {'word ' * 9}end. Then",
        f"{WORDS}{'*' * 40}b *c {'word ' * 33}end. Then",
        f"{WORDS}{WORDS}3.5 end, but. Then",
    ],
    ids=["dash", "markup", "quote", "no markup", "inside a run", "plain"],
)
@pytest.mark.parametrize(
    "strategy", [SMART, ClauseChunking(600)], ids=["sentence", "clause"]
)
def test_a_long_sentence_is_decided_by_what_is_near_its_end(
    strategy: Any, text: str
) -> None:
    whole = sentences(text, strategy)
    assert whole[0].startswith(text[:300])
    for size in (1, 7, len(text) - 9):
        deltas = [text[at : at + size] for at in range(0, len(text), size)]
        assert texts(deltas, strategy) == whole


def test_a_capital_at_the_start_of_a_line_may_be_the_mark_of_an_item() -> None:
    """Whatever the deltas are, it waits for what comes behind it."""
    strategy = SentenceChunking()
    for deltas in (["\n  W"], ["\n", "  W"], ["\n", " ", " W"], ["\n ", " ", "W"]):
        scanned = [step.scan for step in scan_stream(strategy, deltas)][-1]
        assert strategy.opened("", scanned.resume, scanned.state) is None
        text = "".join(deltas) + ") One\n  X) Two"
        found = texts([*deltas, ") One\n  X) Two"])
        assert found == sentences(text) == ["W) One", "X) Two"]


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        ({"newlines": "boundary"}, "A b\nc", ["A b", "c"]),
        ({"newlines": "space"}, "# A b\n- c. D", ["# A b\n- c.", "D"]),
        ({"newlines": "space"}, "A b. \n- Cc", ["A b.", "- Cc"]),
        ({"glued": True}, "so it ends.So it", ["so it ends.", "So it"]),
        ({"glued": True}, "a.B c.D", ["a.B c.D"]),
        ({"first": "clause"}, "So, it, is. So, it", ["So,", "it, is.", "So, it"]),
        ({"first": "clause"}, "So,", ["So,"]),
        ({"first": "clause"}, ", so, it", [", so,", "it"]),
        ({"first": "clause"}, "\uff11\uff0c\uff10", ["\uff11\uff0c\uff10"]),
        ({"first": "clause"}, "\u597d\uff0c\u597d", ["\u597d\uff0c", "\u597d"]),
        ({"protect_tags": ["t"]}, "So <t>a. B</t>. Ok", ["So <t>a. B</t>.", "Ok"]),
        ({"protect_tags": ["t"]}, "So <t>a. B", ["So <t>a. B"]),
        ({"protect_tags": ["t"]}, "So <t>a<b. B", ["So <t>a<b. B"]),
        ({"protect_tags": ["t"]}, "So <b> it. <t", ["So <b> it.", "<t"]),
        ({"lone_marks": "attach"}, "-- \n\nSo\n\n***", ["-- \n\nSo", "***"]),
        ({"lone_marks": "attach"}, "```\n```\nSo", ["```\n```", "So"]),
        ({"glued": True}, "So it is.\n\nThen", ["So it is.", "Then"]),
        ({"glued": True}, f"So it is\n{' ' * 24}then", ["So it is", "then"]),
    ],
)
def test_options(options: dict[str, Any], text: str, expected: list[str]) -> None:
    assert sentences(text, SentenceChunking(**options)) == expected


@pytest.mark.parametrize(
    ("min_size", "text", "expected"),
    [
        (0, "So, it is; so", ["So,", "it is;", "so"]),
        (5, "So, it is; so", ["So, it is;", "so"]),
        (4, "\u597d\uff0c\u597d\u597d\uff0c", ["\u597d\uff0c", "\u597d\u597d\uff0c"]),
        (300, f"{LONG}, {LONG}, so", [f"{LONG}, {LONG},", "so"]),
    ],
)
def test_clauses(min_size: int, text: str, expected: list[str]) -> None:
    assert sentences(text, ClauseChunking(min_size)) == expected


def test_a_dash_at_the_start_is_remembered_for_a_while() -> None:
    begin = "\u2014 " + LONG[:100]
    assert sentences(f"{begin}no! he said") == [f"{begin}no! he said"]
    assert sentences(f"\u2014 {LONG}no! he") == [f"\u2014 {LONG}no!", "he"]


def test_quotation_marks_are_counted_for_a_while() -> None:
    begin = f'He says " {LONG[:100]}'
    assert sentences(f'{begin}so. " So it') == [f'{begin}so. "', "So it"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("so" + " " * 41 + "\n- x", ["so", "- x"], id="far from its end"),
        pytest.param("." + " " * 41, ["."], id="mark far from the end"),
        pytest.param(
            "1) so" + " " * 41 + "2) x", ["1) so", "2) x"], id="far from a mark"
        ),
        pytest.param(
            "1. Add 2.\n\nSo", ["1. Add", "2.", "So"], id="marker, blank line"
        ),
        pytest.param("1. One 2", ["1. One 2"], id="marker begun"),
        pytest.param(". So it is. Yes", [". So it is.", "Yes"], id="mark first"),
        pytest.param("So (is).\nThen", ["So (is).", "Then"], id="bracket, line"),
        pytest.param("1) So it.\nThen", ["1) So it.", "Then"], id="item, line"),
        pytest.param(
            " So it is. # Yes\nso", ["So it is.", "# Yes\nso"], id="space first"
        ),
        pytest.param("So. *,,", ["So. *,,"], id="low quote behind markup"),
        pytest.param("So. *,x", ["So.", "*,x"], id="comma behind markup"),
        pytest.param(
            "a``- etc.b) (so) _ ].[_etc.(so) # 2.(so) :? >_a",
            ["a``- etc.b) (so) _ ].[_etc.(so) # 2.(so) :? >_a"],
            id="a run that is cut off",
        ),
        pytest.param(f"a_b {LONG}so. Bb", [f"a_b {LONG}so.", "Bb"], id="no markup"),
        pytest.param(
            "他说。“好。”再。", ["他说。", "“好。”", "再。"], id="opening quote"
        ),
        pytest.param("好。**是**", ["好。", "**是**"], id="opening markup"),
        pytest.param("**是。**再", ["**是。**", "再"], id="closing markup"),
    ],
)
def test_what_is_decided_far_from_what_decides_it(
    text: str, expected: list[str]
) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize("mark", ["`", "*", "**", "~~", '"'])
@pytest.mark.parametrize("size", [1, 45, 90])
def test_behind_an_east_asian_mark_only_what_is_open_is_closed(
    mark: str, size: int
) -> None:
    """However far away what was opened is, and whatever was closed since."""
    inside = f"{mark}{'x' * size}{mark}"
    assert sentences(f"用{inside}来。{mark}T{mark}类。好") == [
        f"用{inside}来。",
        f"{mark}T{mark}类。",
        "好",
    ]
    closed = f"用{inside}来{mark}{'x' * size}。{mark}"
    assert sentences(f"{closed}好") == [closed, "好"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("用`a。b`来。好", ["用`a。b`来。", "好"], id="code"),
        pytest.param("是**重。再**说。好", ["是**重。再**说。", "好"], id="strong"),
        pytest.param("是_重。再_说。好", ["是_重。", "再_说。", "好"], id="name"),
        pytest.param("用``a`b``来。`c`好", ["用``a`b``来。", "`c`好"], id="two ticks"),
        pytest.param("用`a*`。*是*好", ["用`a*`。", "*是*好"], id="star in code"),
        pytest.param("一`条*线。*再", ["一`条*线。*", "再"], id="no code"),
        pytest.param("**用`a。`**再", ["**用`a。`**", "再"], id="code in strong"),
        pytest.param("5 * 3 是。*注*好", ["5 * 3 是。", "*注*好"], id="arithmetic"),
        pytest.param("*是。**再**好", ["*是。", "**再**好"], id="more than is open"),
        pytest.param("***是** 好。*再", ["***是** 好。*", "再"], id="what is left"),
        pytest.param("是。** 再", ["是。**", "再"], id="too late to open"),
        pytest.param("a_b 是。_再_", ["a_b 是。", "_再_"], id="inside a word"),
    ],
)
def test_markup_between_words_without_spaces(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_what_may_be_the_next_marker_is_held_back_until_it_is_none() -> None:
    chunker = Chunker(SMART)
    assert chunker.feed("1. One") == []
    assert chunker.feed(" a.b 2") == []
    assert SMART.opened("", 12, chunker.state.strategy_state) == (0, 10)
    assert chunker.feed(". Two") == ["1. One a.b"]


def test_a_list_in_brackets_is_released_by_its_next_marker() -> None:
    chunker = Chunker(SMART)
    for code_point in "a) one b)":
        assert chunker.feed(code_point) == []
    assert chunker.feed(" ") == ["a) one"]


@pytest.mark.parametrize(
    ("begun", "deltas", "expected"),
    [
        pytest.param("So it\n", ["  ", "", " ", "- it"], ["So it"], id="item"),
        pytest.param("So it\n", ["  ", "  ", "is. N"], ["So it\n    is."], id="word"),
        pytest.param("So it.\n", ["  ", "N"], ["So it."], id="terminator"),
        pytest.param("1) So it.\n", ["  ", "N"], ["1) So it."], id="in brackets"),
        pytest.param("So it\n", [" " * 9, " " * 9, " " * 5], ["So it"], id="far"),
        pytest.param(
            "A *b. C d", ["e ", "f", "* go. H"], ["A *b. C de f* go."], id="run"
        ),
        pytest.param("A *b. C d", ["e ", "f\n"], ["A *b."], id="line end"),
        pytest.param("A *b. C d", ["e" * 150, "f" * 50], ["A *b."], id="long"),
    ],
)
def test_what_tells_nothing_is_passed_over_until_something_does(
    begun: str, deltas: list[str], expected: list[str]
) -> None:
    chunker = Chunker(SMART)
    assert chunker.feed(begun) == []
    for delta in deltas[:-1]:
        assert chunker.feed(delta) == []
    assert chunker.feed(deltas[-1]) == expected
    assert texts([begun, *deltas]) == sentences("".join([begun, *deltas]))
