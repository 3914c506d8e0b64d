"""The blocks of Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise import Chunker, MarkdownChunking, SentenceChunking
from tests.markdown_texts import OWN_EXAMPLES
from tests.running import run, run_in_all_ways
from tests.texts import slicings

if TYPE_CHECKING:
    from collections.abc import Iterable

SENTENCES = MarkdownChunking(sentence=SentenceChunking(rules="plain"))
BLOCKS = MarkdownChunking(prose="block", table="block", lists="list")
LEAVES = MarkdownChunking(prose="block", code="line", context=False)


def cut(text: str, strategy: MarkdownChunking = BLOCKS) -> list[tuple[str, str]]:
    """Return text and kind of each chunk."""
    return [(c.text, c.kind) for c in run_in_all_ways(strategy, text)]


def kinds(text: str, strategy: MarkdownChunking = BLOCKS) -> list[str]:
    return [kind for _, kind in cut(text, strategy)]


@pytest.mark.parametrize("text", OWN_EXAMPLES.values(), ids=OWN_EXAMPLES)
@pytest.mark.parametrize("strategy", [SENTENCES, BLOCKS, LEAVES])
def test_our_own_examples_are_cut_in_the_same_way_in_every_slicing(
    strategy: MarkdownChunking, text: str
) -> None:
    chunks = run_in_all_ways(strategy, text)
    assert all(chunk.text.strip() for chunk in chunks)


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("# a\nb\n", [("# a", "heading"), ("b", "paragraph")]),
        ("a\n===\n", [("a\n===", "heading")]),
        ("a\n---\n", [("a\n---", "heading")]),
        ("  a\n  b\n\nc", [("a\n  b", "paragraph"), ("c", "paragraph")]),
        ("```\na\n\n```\nb", [("```\na\n\n```", "code"), ("b", "paragraph")]),
        ("```\na\n\n", [("```\na", "code")]),
        ("    a\n\n\n    b\nc", [("    a\n\n\n    b", "code"), ("c", "paragraph")]),
        ("<div>\na\n\nb", [("<div>\na", "html"), ("b", "paragraph")]),
        ("a\n</div/>\nb", [("a", "paragraph"), ("</div/>\nb", "html")]),
        ("<!-- a\n\n--> b\nc", [("<!-- a\n\n--> b", "html"), ("c", "paragraph")]),
        ("***\n---", [("***", "rule"), ("---", "rule")]),
        ("> a\nb\n\nc", [("> a\nb", "quote"), ("c", "paragraph")]),
        ("> a\n# b", [("> a", "quote"), ("# b", "heading")]),
        ("- a\n- b\n\n  c\n\nd", [("- a\n- b\n\n  c", "list"), ("d", "paragraph")]),
        ("- a\n+ b", [("- a", "list"), ("+ b", "list")]),
        ("1. a\n2. b\n1) c", [("1. a\n2. b", "list"), ("1) c", "list")]),
        ("-\n\n  a", [("-", "list"), ("a", "paragraph")]),
        ("-\n\n- a", [("-\n\n- a", "list")]),
        ("- > a\n- b", [("- > a\n- b", "list")]),
        ("|a|\n|-|\n|b|\n\nc", [("|a|\n|-|\n|b|", "table"), ("c", "paragraph")]),
        ("a\n|b|\n|-|", [("a", "paragraph"), ("|b|\n|-|", "table")]),
        ("|a|\n|-|\n# b", [("|a|\n|-|", "table"), ("# b", "heading")]),
        ("|a|\n|-|\n    b", [("|a|\n|-|", "table"), ("    b", "code")]),
    ],
)
def test_whole_blocks(text: str, chunks: list[tuple[str, str]]) -> None:
    assert cut(text) == chunks


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        (
            "---\na: b\n\n---\nc",
            [("---\na: b\n\n---", "front_matter"), ("c", "paragraph")],
        ),
        ("---\na: b\n...\nc", [("---\na: b\n...", "front_matter"), ("c", "paragraph")]),
        ("---\na: b\n", [("---\na: b", "front_matter")]),
        ("---\na b\n", [("---", "rule"), ("a b", "paragraph")]),
        ("---\n- b\n", [("---", "rule"), ("- b", "list")]),
        ("---\n\na: b", [("---", "rule"), ("a: b", "paragraph")]),
        ("---\n", [("---", "rule")]),
        (
            "a\n\n---\nb: c\n",
            [("a", "paragraph"), ("---", "rule"), ("b: c", "paragraph")],
        ),
        ("+ ---\n  a: b", [("+ ---\n  a: b", "list")]),
        (
            "a\n$$\nb\n$$\nc",
            [("a", "paragraph"), ("$$\nb\n$$", "math"), ("c", "paragraph")],
        ),
        ("\\[ a \\]\nb", [("\\[ a \\]", "math"), ("b", "paragraph")]),
        ("$$\na\n\nb", [("$$\na", "math"), ("b", "paragraph")]),
        (
            "[^1]: a\n    b\n\n    c\n\nd",
            [("[^1]: a\n    b\n\n    c", "footnote"), ("d", "paragraph")],
        ),
        ("a\n[^1]: b", [("a", "paragraph"), ("[^1]: b", "footnote")]),
    ],
)
def test_extensions(text: str, chunks: list[tuple[str, str]]) -> None:
    assert cut(text) == chunks


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("- a. b\n- c", [("- a.", "sentence"), ("b", "sentence"), ("- c", "sentence")]),
        ("-\n  a", [("-\n  a", "sentence")]),
        ("-\n\n  a", [("-", "list_item"), ("a", "sentence")]),
        ("-\n- a", [("-", "list_item"), ("- a", "sentence")]),
        ("-", [("-", "list_item")]),
        ("- \x0c\n- b", [("-", "list_item"), ("- b", "sentence")]),
        ("1. \x85", [("1.", "list_item")]),
        ("- ```\n  a\n  ```", [("- ```\n  a\n  ```", "code")]),
        ("> # a\n> b", [("> # a", "heading"), ("> b", "sentence")]),
        (">\n> a", [("> a", "sentence")]),
        ("> ```\n> a\nb", [("> ```\n> a", "code"), ("b", "sentence")]),
        ("- [^1]: a. b", [("- [^1]: a. b", "footnote")]),
        ("-\n  > a", [("-\n  > a", "sentence")]),
        (
            "|a|\n|-|\n|b. c|\nd",
            [("|a|\n|-|", "table_header"), ("|b. c|", "table_row"), ("d", "table_row")],
        ),
        ("One. Two\n===", [("One.", "sentence"), ("Two\n===", "heading")]),
        ("One. \n===", [("One.", "sentence"), ("===", "heading")]),
        (
            "a. b\nc. d\n|e|\n|-|",
            [
                ("a.", "sentence"),
                ("b\nc.", "sentence"),
                ("d", "sentence"),
                ("|e|\n|-|", "table_header"),
            ],
        ),
        ("a. b|c\n-|-", [("a.", "sentence"), ("b|c\n-|-", "table_header")]),
        ("a\nb. c|d\n-|-", [("a\nb.", "sentence"), ("c|d\n-|-", "table_header")]),
    ],
)
def test_sentences_and_rows(text: str, chunks: list[tuple[str, str]]) -> None:
    assert cut(text, SENTENCES) == chunks


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        (
            "```\na\n\nb\n```",
            [("```", "code"), ("a", "code"), ("b", "code"), ("```", "code")],
        ),
        ("    a\n\n    b\n", [("    a", "code"), ("    b", "code")]),
        (
            "* \n      a\n\n      b",
            [("* \n      a", "code"), ("      b", "code")],
        ),
        ("+ -\n\n+ -\n        a", [("+ -", "list_item"), ("+ -\n        a", "code")]),
        (
            "- a\n- b\n\n  c",
            [("- a", "list_item"), ("- b", "list_item"), ("c", "paragraph")],
        ),
        ("- a\n  |b|\n  |-|", [("- a", "list_item"), ("|b|\n  |-|", "table_header")]),
    ],
)
def test_lines_of_code_and_blocks_of_items(
    text: str, chunks: list[tuple[str, str]]
) -> None:
    assert cut(text, LEAVES) == chunks


@pytest.mark.parametrize("fence", ["", "```\n"])
def test_lines_of_code_that_were_released_are_not_held(fence: str) -> None:
    chunker = Chunker(LEAVES)
    chunker.feed(fence + "    a\n" * 10)
    size = len(chunker.state.to_json())
    chunker.feed("    a\n" * 1_000)
    assert len(chunker.state.to_json()) < size + 100


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[a]: b\n'c\nd. e", ["definition", "sentence", "sentence"]),
        ("[a]: b\n'c\nd' e", ["definition", "sentence"]),
        ("[a]: b\n'c' d", ["definition", "sentence"]),
        ("[a]: b\n\nc", ["definition", "sentence"]),
        ("[a]: b\n# c", ["definition", "heading"]),
        ("[a]: b\n'c\n# d", ["definition", "sentence", "heading"]),
        ("> [a]: b\n> c", ["definition", "sentence"]),
        ("[a\nb|c\n-|-", ["sentence", "table_header"]),
        ("[a]: b\n'c\nd\n===", ["definition", "heading"]),
        ("> [a]: b\n> 'c\n> ---", ["definition", "heading"]),
        ("[a]: b 'c\n===", ["heading"]),
        ("[a]: b\n'c\n|d|\n|-|", ["definition", "sentence", "table_header"]),
        ("[a]: b\n'c|d\n-|-", ["definition", "table_header"]),
        ("[" + "a" * 999 + "]: b\n\nc", ["definition", "sentence"]),
        ("[" + "a" * 1_000 + "]: b\n\nc", ["sentence", "sentence"]),
    ],
)
def test_definitions_and_what_follows(text: str, found: list[str]) -> None:
    assert kinds(text, SENTENCES) == found
    whole = ["paragraph" if kind == "sentence" else kind for kind in found]
    assert len(kinds(text, LEAVES)) <= len(whole)


def contexts(text: str, **parameters: Any) -> list[tuple[str, list[str]]]:
    chunks = run_in_all_ways(MarkdownChunking(**parameters), text)
    return [(c.text, [part for _, part, _ in c.context]) for c in chunks]


def test_a_heading_clears_those_of_its_own_and_of_lower_levels() -> None:
    text = "# A\n## B\nb\n## C\n### D\nd\n# E\ne\n> ## F\n\ng"
    assert contexts(text) == [
        ("# A", []),
        ("## B", ["# A"]),
        ("b", ["# A", "## B"]),
        ("## C", ["# A"]),
        ("### D", ["# A", "## C"]),
        ("d", ["# A", "## C", "### D"]),
        ("# E", []),
        ("e", ["# E"]),
        ("> ## F", ["# E"]),
        ("g", ["# E"]),
    ]
    assert all(not context for _, context in contexts(text, context=False))


def test_rows_have_the_head_of_their_table_and_lines_their_fence() -> None:
    assert contexts("|a|\n|-|\n|b|\n|c|") == [
        ("|a|\n|-|", []),
        ("|b|", ["|a|\n|-|"]),
        ("|c|", ["|a|\n|-|"]),
    ]
    assert contexts("# A\n```py\nb\nc\n", code="line") == [
        ("# A", []),
        ("```py", ["# A"]),
        ("b", ["# A", "```py"]),
        ("c", ["# A", "```py"]),
    ]


@pytest.mark.parametrize(
    ("text", "row", "with_context"),
    [
        ("- |a|\n  |-|\n  |b|", "|b|", "|a|\n|-|\n|b|"),
        ("-\n  |a|\n  |-|\n  |b|", "|b|", "|a|\n|-|\n|b|"),
        ("- x\n  - y\n    |a|\n    |-|\n    |b|", "|b|", "|a|\n|-|\n|b|"),
        ("10. > |a|\n    > |-|\n    > |b|", "|b|", "|a|\n|-|\n|b|"),
        ("> 10. |a|\n>     |-|\n>     |b|", "|b|", "|a|\n|-|\n|b|"),
        ("> x\n> |a|\n> |-|\n> |b|", "> |b|", "> |a|\n> |-|\n> |b|"),
        ("> # x\n> > |a|\n> > |-|\n> > |b|", "|b|", "|a|\n|-|\n|b|"),
        ("  |a|\n  |-|\n   |b|", "|b|", "|a|\n  |-|\n|b|"),
        ("- A. b | c\n  -|-\n  1 | 2", "1 | 2", "b | c\n-|-\n1 | 2"),
        ("> A. b | c\n> -|-\n> 1 | 2", "1 | 2", "b | c\n-|-\n1 | 2"),
        ("A. b | c\n-|-\n1 | 2", "1 | 2", "b | c\n-|-\n1 | 2"),
    ],
)
def test_a_row_of_a_table_in_containers_has_a_head_that_is_one_without_them(
    text: str, row: str, with_context: str
) -> None:
    run_in_all_ways(SENTENCES, text)
    chunker = Chunker(SENTENCES)
    *_, last = [*chunker.feed(text), *chunker.flush()]
    assert last == row
    assert last.with_context() == with_context
    assert all(text[c.start : c.end] == c for c in last.context)


def test_what_the_text_shows_to_be_whole_is_complete() -> None:
    def complete(text: str, strategy: MarkdownChunking = BLOCKS) -> bool:
        return run_in_all_ways(strategy, text)[-1].complete

    assert complete("```\na\n```")
    assert complete("$$ a $$")
    assert complete("<!-- a -->")
    assert complete("---\na: b\n---")
    assert complete("```\na\n```", LEAVES)
    assert complete("# a\n")
    assert not complete("# a")
    assert not complete("```\na")
    assert not complete("a")
    assert not complete("- a\n")
    assert not complete("***")
    assert complete("One.", SENTENCES)


@pytest.mark.parametrize(
    ("before", "decides", "chunks"),
    [
        ("One. Two\n", "\n", ["Two"]),
        ("One. Two\n#", " ", ["Two"]),
        ("One. Two\n-", " ", []),
        ("One. Two\n- ", "a", ["Two"]),
        ("One. Two.\n", "T", ["Two."]),
        ("# a", "\n", ["# a"]),
        ("> One.", " ", ["> One."]),
        ("```\na\n``", "`", []),
        ("```\na\n```", "\n", ["```\na\n```"]),
        ("```a b", "`", []),
        ("1", "x", []),
        ("|a|\n|-|", "\n", ["|a|\n|-|"]),
        ("    a\n", "b", ["    a"]),
        ("a\n\n[^1]", ":", []),
        ("-\n  ", "\n", ["-"]),
        ("- -\n", "\n", ["- -"]),
        ("> 1.\n>", "\n", ["> 1."]),
        ("- >\n", "\n", ["- >"]),
        ("-\n\n", "\n", []),
    ],
)
def test_a_line_decides_as_soon_as_it_is_certain(
    before: str, decides: str, chunks: list[str]
) -> None:
    chunker = Chunker(SENTENCES)
    chunker.feed(before)
    assert chunker.feed(decides) == chunks


@pytest.mark.parametrize(
    "line",
    [
        " " * 100 + "a",
        "=" * 100 + "a. b",
        ">" * 100 + "a. b",
        "- " * 60 + "a. b",
        "`" * 100,
        "`" * 100 + " a` b. c",
        "```" + "a" * 100 + "` b. c",
        "```" + "a" * 100,
        "<b " + "a" * 100 + "> c. d",
        "<b a='" + "a" * 100 + "'> c. d",
        "[" + "a" * 100 + "](b) c. d",
        "[" + "a" * 100 + "]: b\nc. d",
        "#" * 100,
        "1" * 100,
        "~" * 100 + "\na. b",
        "-" * 100 + "\na. b",
        "|" * 100 + "\n|-|\n",
        "$$" + "a" * 100 + "\nb$$",
    ],
)
@pytest.mark.parametrize("before", ["", "x. y\n", "- x\n"])
def test_long_lines_are_cut_in_the_same_way_in_every_slicing(
    before: str, line: str
) -> None:
    for text in (before + line, before + line + "\nx. y\n\nz"):
        for strategy in (SENTENCES, BLOCKS):
            run_in_all_ways(strategy, text)
            for end in range(len(before), len(text), 40):
                chunker = Chunker(strategy)
                released = [c for each in text[:end] for c in chunker.feed(each)]
                assert released == strategy.split(text[:end])


def released_by(strategy: MarkdownChunking, deltas: Iterable[str]) -> dict[int, int]:
    """Return how many chunks are out where each delta ends."""
    chunker = Chunker(strategy)
    end = released = 0
    found = {0: 0}
    for delta in deltas:
        end += len(delta)
        released += len(chunker.feed(delta))
        found[end] = released
    return found


@st.composite
def long_starts(draw: st.DrawFn) -> str:
    """Lines that begin with a long run of what may begin a block."""
    marks = [*"-*_+=#`~|:.1> \t", "- ", "* ", "_ ", "> ", "1. ", "- 1. ", " -"]
    openers = [*"[<$", "", "$$", "\\[", "[^", "[a", "<a ", "<!--", "```", "``` a"]
    texts = [" ", "", ". A. B", "A. B", " a. A] b", "]: A. B", "* A. B", "` A. B. C"]
    before = ["", "", "# A\n", "Aa. B\n", "a|b\n", "- Aa\n", "> Aa. B\n> ", "---\n"]
    long = st.sampled_from([1, 30, 62, 63, 64, 65, 66, 100, 999, 1_000, 1_001])
    text = draw(st.sampled_from(before))
    for _ in range(draw(st.integers(1, 2))):
        mark = draw(st.sampled_from([*marks, "a"]))
        text += draw(st.sampled_from(openers)) + mark * (draw(long) // len(mark))
        text += draw(st.sampled_from(texts))
    return text + draw(st.sampled_from(["\n", "\n\n", "\nAa. B"]))


@pytest.mark.parametrize(
    "strategy",
    [MarkdownChunking(), SENTENCES, BLOCKS, LEAVES, MarkdownChunking(sentence="word")],
    ids=["sentences", "plain sentences", "blocks", "leaves", "words"],
)
@given(deltas=long_starts().flatmap(slicings))
@example(deltas=["-" * 70 + ". A. B\n"])
@example(deltas=["# A\n" + "_" * 65 + ". A. B\nAa. B"])
@example(deltas=["- " * 40 + "1. * A. B\n"])
@example(deltas=["Aa b\n" + " " * 64 + ")", " A. B\n"])
@example(deltas=["[A. B" + "c" * 1_100 + "\n"])
@example(deltas=["  [A. B" + "c" * 993 + "(d e. F\n"])
@example(deltas=["[" + "a" * 999 + "]: b\n[" + "a" * 1_000 + "]: B. C\n"])
def test_what_is_released_of_a_long_line_depends_on_the_text_alone(
    strategy: MarkdownChunking, deltas: list[str]
) -> None:
    """And not on where deltas end, wherever two slicings can be compared."""
    text = "".join(deltas)
    by_one = released_by(strategy, text)
    for size in (2, 3, 4, 7):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        for end, released in released_by(strategy, pieces).items():
            assert released == by_one[end], (size, end)
    for end, released in released_by(strategy, deltas).items():
        assert released == by_one[end] == len(strategy.split(text[:end])), end


def test_nesting_can_be_deep() -> None:
    """Without recursion, and in time."""
    for text in ("> " * 1_000 + "a", "- " * 1_000 + "a. b\nc\n\n\nd\n", ">" * 5_000):
        assert run(SENTENCES, text) == run(SENTENCES, [text])


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        (">     a\n     b", [(">     a", "quote"), ("     b", "code")]),
        ("-     a\n      b\n      ", [("-     a\n      b", "list")]),
        ("    a\n     \n\n    b\n", [("    a\n     \n\n    b", "code")]),
        (
            "```\na\n~~~\n``\n```\nb",
            [("```\na\n~~~\n``\n```", "code"), ("b", "paragraph")],
        ),
        ("~~~\n\n```\n \n~~~", [("~~~\n\n```\n \n~~~", "code")]),
        ("a\nb\nc\n|-|\nd", [("a\nb\nc\n|-|\nd", "paragraph")]),
        ("a\nb\nc|\n-|\nd", [("a\nb", "paragraph"), ("c|\n-|\nd", "table")]),
        (
            "a\nb\r# c\r\nd\n\ne",
            [
                ("a\nb", "paragraph"),
                ("# c", "heading"),
                ("d", "paragraph"),
                ("e", "paragraph"),
            ],
        ),
    ],
)
def test_lines_that_go_on_with_what_is_open(
    text: str, chunks: list[tuple[str, str]]
) -> None:
    assert cut(text) == chunks


@pytest.mark.parametrize("marker", [">", "+ "])
def test_one_line_may_open_very_many_containers(marker: str) -> None:
    """Each for itself; if all before it were copied, this would take minutes."""
    depth = 200_000
    text = marker * depth + "a"
    (chunk,) = run(MarkdownChunking(), [text]).chunks
    assert chunk.text == text
