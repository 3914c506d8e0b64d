"""Patterns become probes, or are refused."""

from __future__ import annotations

import sys

import pytest
import regex

from chunkwise.strategies._regex_probe import Probe, probe_of
from tests.texts import LINE_ENDS, WHITE_SPACE

V1 = int(regex.VERSION1)
V0 = int(regex.VERSION0)


def probe(pattern: str, flags: int = 0) -> Probe:
    return probe_of(pattern, int(flags if flags & V0 else flags | V1))


def certain(pattern: str, text: str, flags: int = 0) -> int:
    """Return how much of *text* needs no look behind it."""
    match = probe(pattern, flags).uncertain.search(text, partial=True)
    return len(text) + 1 if match is None else match.start()


@pytest.mark.parametrize(
    ("pattern", "text", "place"),
    [
        pytest.param("ab", "xab", 3, id="decided"),
        pytest.param("ab", "xa", 1, id="open"),
        pytest.param("ab|abc", "ab", 2, id="what would have come later"),
        pytest.param("abc|ab", "ab", 0, id="what comes before"),
        pytest.param("a+", "baa", 1, id="open run"),
        pytest.param("ba{2}", "baa", 3, id="full count"),
        pytest.param("(?>ab|a)", "a", 0, id="atomic"),
        pytest.param("a++", "a", 0, id="possessive"),
        pytest.param("a(?=b)", "a", 0, id="look-ahead"),
        pytest.param("a(?!bc)", "ab", 0, id="negative look-ahead"),
        pytest.param("(?<=a)", "a", 2, id="look-behind"),
        pytest.param("(?<=a$)", "a", 1, id="assertion in a look-behind"),
        pytest.param(r"a\b", "a", 0, id="word boundary"),
        pytest.param(r"a\B", "a", 0, id="no word boundary"),
        pytest.param(r"a\m", "a", 0, id="start of a word"),
        pytest.param(r"a\M", "a", 0, id="end of a word"),
        pytest.param(r"a\Z", "a", 0, id="end of the text"),
        pytest.param("a$", "a", 0, id="end"),
        pytest.param("a$", "a\n", 0, id="end before a line feed"),
        pytest.param("a$", "a\nb", 3, id="no end"),
        pytest.param("(?m)a$", "a\n", 2, id="end of a line"),
        pytest.param("(?m)(?-m:a$)", "a\n", 0, id="flag turned off"),
        pytest.param("(?m:a)$", "a\n", 0, id="flag that has ended"),
        pytest.param(r"a[$\b]", "ab", 2, id="no assertion in a set"),
        pytest.param(r"a\$", "ab", 2, id="no assertion behind a backslash"),
        pytest.param("a(?#$)b", "ab", 2, id="no assertion in a comment"),
        pytest.param("a(?#\\)$)b", "ab", 2, id="nor behind what does not end it"),
        pytest.param("(?x) a b # $", "ab", 2, id="verbose"),
        pytest.param("(?x: a #$\n b)$", "ab", 0, id="verbose that has ended"),
        pytest.param("(?x) a [ #] $", "a ", 0, id="set in a verbose pattern"),
        pytest.param(r"(?x) a \ b", "a b", 3, id="escape in a verbose pattern"),
        pytest.param(r"\R", "\r", 0, id="line end of two"),
        pytest.param("(?i)ss", "s", 0, id="case-folding"),
        pytest.param("(b)*(?<=c)", "b", 0, id="round of a group"),
        pytest.param("xa*?(?<=c)", "xa", 0, id="lazy"),
        pytest.param("(?=.*x)a", "b", 0, id="look-ahead before a string"),
        pytest.param("(a)?(?(1)b|c)", "a", 0, id="condition"),
    ],
)
def test_where_certainty_ends(pattern: str, text: str, place: int) -> None:
    assert certain(pattern, text) == place


@pytest.mark.parametrize(
    ("pattern", "reach"),
    [
        ("", 0),
        ("ab|c", 2),
        ("a{2,3}b?", 4),
        ("a{2}", 2),
        ("a{,3}", 3),
        ("a{0}", 0),
        ("(?i)a", 3),
        (r"a\b", 2),
        ("a$", 3),
        ("(?m)a$", 2),
        ("a(?=bc)d", 3),
        ("(?=a+)", sys.maxsize),
        ("(?<=ab)c", 2),
        ("a{2,}", sys.maxsize),
        ("(?:a+)?", sys.maxsize),
        (r"(a)\1", sys.maxsize),
        (r"(a)\g<1>", sys.maxsize),
        ("(?P<n>a)(?P=n)", sys.maxsize),
        (r"\R", 2),
        ("(?|ab|c)", 2),
        ("(?>ab)", 2),
        ("(?<n>ab)", 2),
        ("(a)?(?(1)bc|d)", 3),
        ("(?x) a { 2 , 3 } ", 3),
        ("(?x) a { 2 } ", 2),
        ("a{b", 3),
        ("a{}", 3),
        (r"\123", 1),
        (r"\0", 1),
        (r"\x41\u0042\U00000043", 3),
        (r"\N{BULLET}", 1),
        (r"\p{L}\PL", 2),
        (r"\d\h", 2),
    ],
)
def test_how_far_an_attempt_looks(pattern: str, reach: int) -> None:
    assert probe(pattern).reach == reach


@pytest.mark.parametrize(
    ("pattern", "behind"),
    [
        ("a", 0),
        ("^", 1),
        (r"\A", 1),
        (r"\b", 1),
        ("(?<=abc)", 3),
        ("(?<!a|bc)", 2),
        ("(?<=(?<=ab)c)", 3),
        ("(?<=^a)", 2),
        ("(?i)(?<=s)", 3),
        ("(?<=a(?=b))", 1),
    ],
)
def test_how_far_a_look_behind_sees(pattern: str, behind: int) -> None:
    assert probe(pattern).behind == behind


@pytest.mark.parametrize(
    ("pattern", "first"),
    [
        ("ab|c", "ac"),
        ("[,;]x", ",;"),
        (r"[\n\]\x41-]", "\n]A-"),
        ("[]a]", "]a"),
        ("a?b", "ab"),
        ("(?<=x)a", "a"),
        ("(?=.)a", "a"),
        (r"\ba", "a"),
        (r"\s", "".join(WHITE_SPACE)),
        (r"[\s,]", "".join(WHITE_SPACE) + ","),
        (r"\R", "".join(LINE_ENDS)),
        (r"\u2022|\U0001f600|\.", "\u2022\U0001f600."),
        ("[[ab]c]", "abc"),
        ("(?x) a | b", "ab"),
        ("{a", "{"),
    ],
)
def test_what_a_separator_may_begin_with(pattern: str, first: str) -> None:
    assert probe(pattern).first == frozenset(first)


@pytest.mark.parametrize(
    "pattern",
    [
        *("a?", "", r"\b", "(?=a)", "a|"),  # A separator may be empty.
        *("[^a]", ".", r"\w", r"\p{L}", "[a-c]", r"[\w]", "[[:alpha:]]"),
        *(
            "[ab--b]",
            "[ab||c]",
            "[a&&a]",
            "[a~~b]",
            "[[^a]b]",
            "[a-c--[b]]",
            "[[a]--]]",
        ),
        *("(?i)a", r"(a)?\1b", r"\07", r"\N{BULLET}"),
        "[" + "".join(map(chr, range(0x4E00, 0x4E80))) + "]",
    ],
)
def test_what_a_separator_may_begin_with_is_not_known(pattern: str) -> None:
    assert probe(pattern).first is None


@pytest.mark.parametrize(
    ("pattern", "is_bounded"),
    [
        ("a|bc", True),
        ("a{2}", True),
        ("(?:a|b){0}", True),
        ("a+", False),
        ("(?:a|b){2}", False),
        ("(?:ab?){1}", True),
        ("(?:a?b?c?d?e?f?g?h?)", False),
    ],
)
def test_which_searches_cannot_get_out_of_hand(
    pattern: str,
    is_bounded: bool,  # noqa: FBT001 - a parameter
) -> None:
    assert probe(pattern).is_bounded is is_bounded


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"\X", "grapheme cluster"),
        (r"a\Kb", "start of a match"),
        (r"\Ga", "where a search began"),
        ("(?r)a", "from the end"),
        ("(?b)a", "compares all matches in the text"),
        ("(?e)a", "improves on a match"),
        ("(?p)a|ab", "compares all matches at a place"),
        ("(?w)a", "further than one code point"),
        ("(?w:a)", "further than one code point"),
        ("(?L:a)", "where the program runs"),
        ("a(*PRUNE)b", "a verb"),
        ("a(*SKIP)b", "a verb"),
        ("a(*FAIL)", "a verb"),
        ("(?<=a*)b", "a look-behind without limit"),
        (r"(a)(?<=\1)b", "a look-behind without limit"),
        ("(?=(?<=a)b)", "a look-behind inside of a look-ahead"),
        ("(?<=(?=(?<!a)b))", "a look-behind inside of a look-ahead"),
        ("(?=a)*", "a quantifier behind a look-around"),
        ("(?(?=a)b|c)", "a condition that is a look-around"),
        ("a(?R)?b", "a call of a group"),
        ("(a)(?1)", "a call of a group"),
        ("(?<n>a)(?&n)", "a call of a group"),
        ("(?P<n>a)(?P>n)", "a call of a group"),
        ("(?:a){e<=1}", "fuzzy matching"),
        ("(?:a){1<=e<=2}", "fuzzy matching"),
        ("(?|(?x) a)", "inline flags cannot be here"),
        ("(a)(?(1)(?x) a)", "inline flags cannot be here"),
        ("(?x)(?<n >a)", "cannot be read"),
        ("(?x)(?< n>a)", "cannot be read"),
        ("(?x)(? i:a)", "cannot be read"),
        (r"(?x)\x4 1", "cannot be read"),
        ("(?x)[a](?P <n>a)", "cannot be read"),
    ],
)
def test_what_cannot_be_decided_is_refused_with_the_reason(
    pattern: str, reason: str
) -> None:
    with pytest.raises(ValueError, match="can be decided while text arrives") as caught:
        probe(pattern)
    assert reason in str(caught.value)
    assert repr(pattern) in str(caught.value)


@pytest.mark.parametrize(
    "pattern", ["(", "[a", "a**", r"\p{Nothing}", "(?<n", r"\L<a>"]
)
def test_what_is_not_valid_is_refused_with_the_message_of_regex(pattern: str) -> None:
    with pytest.raises(regex.error) as theirs:
        regex.compile(pattern, V1)
    with pytest.raises(ValueError, match="must be a regular expression") as caught:
        probe(pattern)
    assert str(caught.value).endswith(f"got {pattern!r}: {theirs.value}")


def test_debug_is_refused_before_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="DEBUG prints"):
        probe("a", int(regex.DEBUG))
    assert capsys.readouterr().out == ""


def test_version_0_reads_sets_and_inline_flags_as_re_does() -> None:
    assert probe("[[a]", V0).first == frozenset("[a")
    assert probe("[a||b]", V0).first == frozenset("a|b")
    assert certain("(?m)(?i)a$", "a\n", V0) == 2
    for pattern in ("a(?m)b$", "((?m)a)"):
        with pytest.raises(ValueError, match="inline flags cannot be here"):
            probe(pattern, V0)


def test_version_1_takes_inline_flags_anywhere() -> None:
    assert certain("b|a(?m)$", "a\n") == 2
    assert certain("(?:(?m)b)|a$", "a\n") == 0


def test_groups_may_be_nested_but_not_too_deeply() -> None:
    """Somewhere here the compiler still can, and the parser of the probe cannot."""
    refused: list[str] = []
    for depth in range(100, 400, 5):
        try:
            probe_of("(" * depth + "a" + ")" * depth, int(regex.V1))
        except ValueError as error:  # noqa: PERF203 - each may be refused
            refused.append(str(error))
    assert all("pattern must be" in message for message in refused)
    assert any("groups are nested too deeply" in message for message in refused)
