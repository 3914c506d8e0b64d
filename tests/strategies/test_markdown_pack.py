"""Markdown packed up to a size."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from chunkwise import Chunker, ContractError, MarkdownChunking, sizing
from tests.markdown_texts import markdown_texts
from tests.running import run, run_in_all_ways

TEXT = """# Head

One two. Three four.

Five.

- item one. More text here
- item two
- item three is long

## Sub

A very long sentence that is longer than the limit of forty. Ok.

| a | b |
|---|---|
| 1 | 2 |
| 3 | 4 |
"""


def packs(text: str, strategy: MarkdownChunking) -> list[tuple[str, str]]:
    return [(c.text, c.kind) for c in run_in_all_ways(strategy, text)]


def test_blocks_items_sentences_and_words_are_packed() -> None:
    assert packs(TEXT, MarkdownChunking(max_size=40)) == [
        ("# Head\n\nOne two. Three four.\n\nFive.", "sized"),
        ("- item one. More text here\n- item two", "list"),
        ("- item three is long", "sentence"),
        ("## Sub\n\nA very long sentence that is", "sized"),
        ("longer than the limit of forty.", "sentence"),
        ("Ok.", "sentence"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "table"),
    ]


def test_a_chunk_that_is_too_small_joins_its_neighbour() -> None:
    assert packs(TEXT, MarkdownChunking(max_size=40, min_size=10)) == [
        ("# Head\n\nOne two. Three four.\n\nFive.", "sized"),
        ("- item one. More text here\n- item two", "list"),
        ("- item three is long", "sentence"),
        ("## Sub\n\nA very long sentence that is", "sized"),
        ("longer than the limit of forty. Ok.", "paragraph"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", "table"),
    ]


def test_a_small_section_joins_the_next_one() -> None:
    text = "# A\na\n# B\nb\n# C\nc"
    assert packs(text, MarkdownChunking(max_size=12)) == [
        ("# A\na", "sized"),
        ("# B\nb", "sized"),
        ("# C\nc", "sized"),
    ]
    assert packs(text, MarkdownChunking(max_size=12, min_size=6)) == [
        ("# A\na\n# B\nb", "sized"),
        ("# C\nc", "sized"),
    ]


def test_a_small_section_joins_no_heading_alone() -> None:
    text = "Word\n\n## B\n- a b\n"
    assert packs(text, MarkdownChunking(max_size=14, min_size=7)) == [
        ("Word", "sentence"),
        ("## B\n- a b", "sized"),
    ]
    text = "Word\n\n# B\n## C\n- a b\n"
    assert packs(text, MarkdownChunking(max_size=16, min_size=7)) == [
        ("Word", "sentence"),
        ("# B\n## C\n- a b", "sized"),
    ]
    assert packs(text[:14], MarkdownChunking(max_size=16, min_size=7)) == [
        ("Word\n\n# B\n## C", "sized"),
    ]


def test_the_last_chunk_joins_the_one_before() -> None:
    text = "- aaaa\n- bbbb\n\ncc"
    assert packs(text, MarkdownChunking(max_size=17, min_size=5)) == [(text, "sized")]
    assert packs("aaaaaaa bbb\n", MarkdownChunking(max_size=9, min_size=3)) == [
        ("aaaaaaa", "sentence"),
        ("bbb", "sentence"),
    ]


def test_a_word_that_is_too_large_is_cut_between_clusters() -> None:
    assert packs("abcdefg hi", MarkdownChunking(max_size=3)) == [
        ("abc", "sentence"),
        ("def", "sentence"),
        ("g", "sentence"),
        ("hi", "sentence"),
    ]
    text = "# e\u0301\u0301\n\ne\u0301\u0301 b"
    chunks = run_in_all_ways(MarkdownChunking(max_size=2), text)
    assert [(c.text, c.oversize) for c in chunks] == [
        ("#", False),
        ("e\u0301\u0301", True),
        ("e\u0301\u0301", True),
        ("b", False),
    ]


def test_headings_go_with_what_follows() -> None:
    text = "# One\n## Two\n\nA sentence of words. Another one.\n\n> ## In a quote\n"
    assert packs(text, MarkdownChunking(max_size=30)) == [
        ("# One\n## Two\n\nA sentence of", "sized"),
        ("words.", "sentence"),
        ("Another one.", "sentence"),
        ("> ## In a quote", "heading"),
    ]


def test_a_heading_goes_with_what_follows_where_its_paragraph_was_cut() -> None:
    text = "Aaaa. Bbbb cc\n---\nt"
    assert packs(text, MarkdownChunking(max_size=14)) == [
        ("Aaaa.", "sentence"),
        ("Bbbb cc\n---\nt", "sized"),
    ]
    text = "Aaaa aaa aa. Aa. Bb\n---\nC d"
    assert packs(text, MarkdownChunking(max_size=12, min_size=6)) == [
        ("Aaaa aaa aa.", "sentence"),
        ("Aa.", "sentence"),
        ("Bb\n---\nC d", "sized"),
    ]


@pytest.mark.parametrize("before", ["", "Word.\n"])
def test_the_last_heading_goes_with_what_does_not_fit_beside_all(before: str) -> None:
    text = before + "# Aaaaaaaa\n## Bbbbbbbbbb\nText."
    assert packs(text, MarkdownChunking(max_size=25))[-2:] == [
        ("# Aaaaaaaa", "heading"),
        ("## Bbbbbbbbbb\nText.", "sized"),
    ]
    assert packs(text, MarkdownChunking(max_size=25, size_of="with_context"))[-2:] == [
        ("# Aaaaaaaa\n## Bbbbbbbbbb", "sized"),
        ("Text.", "sentence"),
    ]


def test_no_heading_is_cut_to_go_with_another_one() -> None:
    text = "# Ab cd\n\n## Ef\n\n## Gh\n\nij"
    assert packs(text, MarkdownChunking(max_size=18)) == [
        ("# Ab cd\n\n## Ef", "sized"),
        ("## Gh\n\nij", "sized"),
    ]


def test_the_end_of_a_heading_that_is_cut_goes_with_what_follows() -> None:
    assert packs("# A title\n\nb c. Def", MarkdownChunking(max_size=8)) == [
        ("# A", "heading"),
        ("title\n\nb", "sized"),
        ("c.", "sentence"),
        ("Def", "sentence"),
    ]
    assert packs("# A title\n\nb c defg", MarkdownChunking(max_size=10)) == [
        ("# A title", "heading"),
        ("b c defg", "sentence"),
    ]
    assert packs("# A long title\n\nb c defg", MarkdownChunking(max_size=10)) == [
        ("# A long", "heading"),
        ("title\n\nb c", "sized"),
        ("defg", "sentence"),
    ]


def test_a_pack_has_the_context_of_its_first_piece() -> None:
    chunks = run(MarkdownChunking(max_size=25), [TEXT]).chunks
    by_text = {c.text: [part for _, part, _ in c.context] for c in chunks}
    assert by_text["- item three is long"] == ["# Head"]
    assert by_text["| 1 | 2 |\n| 3 | 4 |"] == [
        "# Head",
        "## Sub",
        "| a | b |\n|---|---|",
    ]


@pytest.mark.parametrize(
    ("max_size", "text", "chunks"),
    [
        (
            11,
            "- |a|\n  |-|\n  |b|\n  |c|\n  |d|\n",
            ["|a|\n|-|\n|b|\n  |c|", "|a|\n|-|\n|d|"],
        ),
        (
            15,
            "10. |a|\n    |-|\n    |b|\n    |c|\n",
            ["|a|\n|-|\n|b|", "|a|\n|-|\n|c|"],
        ),
        (
            15,
            "- > |a|\n  > |-|\n  > |b|\n  > |c|\n",
            ["|a|\n|-|\n|b|", "|a|\n|-|\n|c|"],
        ),
        (
            11,
            "> |a|\n> |-|\n> |b|\n> |c|\n> |d|\n",
            ["> |a|\n> |-|\n> |b|\n> |c|", "> |a|\n> |-|\n> |d|"],
        ),
    ],
)
@pytest.mark.parametrize("min_size", [0, 10])
def test_rows_that_would_make_no_table_are_not_packed(
    max_size: int, text: str, chunks: list[str], min_size: int
) -> None:
    strategy = MarkdownChunking(max_size=max_size, min_size=min_size)
    run_in_all_ways(strategy, text)
    chunker = Chunker(strategy)
    _, *rows = [*chunker.feed(text), *chunker.flush()]
    assert [row.with_context() for row in rows] == chunks


def test_a_section_behind_a_sentence_that_was_cut_is_packed_anew() -> None:
    text = "A sentence that is too long for it\n\n## Sub\n\n- a\n- b"
    assert packs(text, MarkdownChunking(max_size=20)) == [
        ("A sentence that is", "sentence"),
        ("too long for it", "sentence"),
        ("## Sub\n\n- a\n- b", "sized"),
    ]


def in_context(text: str, max_size: int, sizer: sizing.Sizer) -> list[str]:
    strategy = MarkdownChunking(max_size=max_size, sizer=sizer, size_of="with_context")
    whole = run_in_all_ways(strategy, text)
    chunker = Chunker(strategy)
    chunks = [*chunker.feed(text), *chunker.flush()]
    for chunk, facts in zip(chunks, whole, strict=True):
        is_large = sizer(chunk.with_context()) > max_size
        assert chunk.oversize == facts.oversize == is_large
    return [chunk.with_context() for chunk in chunks]


def test_context_counts_where_it_is_sized() -> None:
    assert in_context(TEXT, 60, sizing.code_points) == [
        "# Head\n\nOne two. Three four.\n\nFive.",
        "# Head\n\n- item one. More text here\n- item two",
        "# Head\n\n- item three is long",
        "# Head\n\n## Sub\n\nA very long sentence that is longer than the",
        "# Head\n\n## Sub\n\nlimit of forty.",
        "# Head\n\n## Sub\n\nOk.",
        "# Head\n\n## Sub\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
    ]


def test_the_head_of_a_table_counts() -> None:
    text = "|a|b|\n|-|-|\n|1|2|\n|3|4|\n|5|6|\n|7|8|\n"
    assert in_context(text, 23, sizing.code_points) == [
        "|a|b|\n|-|-|\n|1|2|\n|3|4|",
        "|a|b|\n|-|-|\n|5|6|\n|7|8|",
    ]


def test_the_head_of_a_table_goes_as_a_whole_where_it_leaves_no_room() -> None:
    text = "# A\n\n- |a|\n  |-|\n  |somewordsmore|\n"
    assert in_context(text, 17, sizing.code_points) == [
        "# A\n\n- |a|\n  |-|",
        "|somewordsmore|",
    ]
    whole = "|a\n|-\n|somewordsmore|"
    assert in_context(text, 21, sizing.code_points)[-1] == whole


ROWS = "# A\n\n|name|size|\n|-|-|\n|one two three|4 MB|\n|x|y|\n"


def test_a_row_is_cut_between_cells_that_have_the_heads_of_their_columns() -> None:
    assert in_context(ROWS, 26, sizing.code_points) == [
        "# A\n\n|name|size|\n|-|-|",
        "# A\n\n|name\n|-\n|one two",
        "# A\n\n|name\n|-\nthree",
        "# A\n\n|size\n|-\n|4 MB|",
        "# A\n\n|name|size\n|-|-\n|x|y|",
    ]
    # Here the whole head leaves no room.
    assert in_context(ROWS, 18, sizing.code_points)[2:] == [
        "|name\n|-\n|one two",
        "|name\n|-\nthree",
        "|size\n|-\n|4 MB|",
        "|name\n|-\n|x",
        "|size\n|-\n|y|",
    ]


@pytest.mark.parametrize("marker", ["", "> ", "- "])
@pytest.mark.parametrize("min_size", [0, 8])
def test_parts_of_rows_have_these_heads_where_only_text_counts(
    marker: str, min_size: int
) -> None:
    lines = ROWS[5:].splitlines(keepends=True)
    further = marker.replace("-", " ")
    text = marker + further.join(lines)
    strategy = MarkdownChunking(max_size=13, min_size=min_size)
    run_in_all_ways(strategy, text)
    chunker = Chunker(strategy)
    chunks = [*chunker.feed(text), *chunker.flush()]
    rows = [chunk.with_context() for chunk in chunks if chunk.kind == "table_row"]
    assert rows[:3] == [
        "|name\n|-\n|one two",
        "|name\n|-\nthree",
        "|size\n|-\n|4 MB|",
    ]
    assert rows[3].endswith("|x|y|")


def test_rows_without_context_are_cut_between_cells() -> None:
    strategy = MarkdownChunking(max_size=12, context=False)
    assert packs(ROWS, strategy)[2:] == [
        ("|-|-|", "table_header"),
        ("|one two", "table_row"),
        ("three", "table_row"),
        ("|4 MB|", "table_row"),
        ("|x|y|", "table_row"),
    ]


def test_the_line_of_a_fence_counts() -> None:
    text = "```py\nx = 1\ny = 2\nz = 3\n```"
    assert in_context(text, 17, sizing.code_points) == [
        "```py\nx = 1\ny = 2",
        "```py\nz = 3\n```",
    ]


def test_context_that_leaves_no_room_for_a_word_is_left_out_from_its_start() -> None:
    text = "# One\n\n## Two\n\nAb cd efghi jklmnopqrstu vw"
    assert in_context(text, 17, sizing.code_points) == [
        "# One\n\n## Two\n\nAb",
        "# One\n\n## Two\n\ncd",
        "## Two\n\nefghi",
        "jklmnopqrstu vw",
    ]


def test_context_over_the_limit_is_left_out() -> None:
    text = "# A title too long\n\nFive.\n\n## B\n\nOne two. Three\n\n# C\n\nfour"
    assert in_context(text, 16, sizing.code_points) == [
        "# A title too",
        "long\n\nFive.",
        "## B\n\nOne two.",
        "## B\n\nThree",
        "# C\n\nfour",
    ]


def test_a_cluster_over_the_limit_has_no_context() -> None:
    cluster = "e\u0301\u0301\u0301\u0301\u0301"
    assert in_context(f"# A\n\n{cluster} b", 5, sizing.code_points) == [
        "# A",
        cluster,
        "b",
    ]


def test_no_context_counts_where_there_is_none() -> None:
    strategy = MarkdownChunking(max_size=40, size_of="with_context", context=False)
    assert packs(TEXT, strategy) == packs(TEXT, MarkdownChunking(max_size=40))


def test_what_has_the_least_size_with_its_context_joins_no_neighbour() -> None:
    text = "# Head\n\nA sentence of words. Ok."
    small = MarkdownChunking(max_size=27, min_size=10)
    assert packs(text, small)[-1] == ("words. Ok.", "paragraph")
    small = MarkdownChunking(max_size=27, min_size=10, size_of="with_context")
    assert packs(text, small)[-1] == ("Ok.", "sentence")


@pytest.mark.parametrize("title", ["Title " * 200, "x" * 2_000], ids=["words", "word"])
def test_a_large_heading_is_not_counted_again_and_again(title: str) -> None:
    counted = 0

    def words(text: str) -> int:
        nonlocal counted
        counted += len(text)
        return len(text.split())

    chunker = Chunker(MarkdownChunking(max_size=9, sizer=words, size_of="with_context"))
    chunker.feed(f"# {title}\n\n")
    assert chunker.feed("A b c. D e f. " * 9)
    counted = 0
    for _ in range(500):
        assert len(chunker.feed("A b c. D e f. G h i. ")) <= 1
    assert counted < 100 * 500


def odd(text: str) -> int:
    """Neither additive nor monotone."""
    return len(text.split()) + 3 * text.count(".") - 3 * text.count(". ")


@pytest.mark.parametrize(
    ("strategy", "sizer"),
    [
        (MarkdownChunking(max_size=20), sizing.code_points),
        (MarkdownChunking(max_size=20, min_size=9), sizing.code_points),
        (MarkdownChunking(max_size=4, sizer="words"), sizing.words),
        (MarkdownChunking(max_size=25, sizer="utf8_bytes"), sizing.utf8_bytes),
        (MarkdownChunking(max_size=5, sizer=odd), odd),
    ],
    ids=["code points", "least size", "words", "bytes", "not monotone"],
)
@given(text=markdown_texts())
def test_limits_hold(
    strategy: MarkdownChunking, sizer: sizing.Sizer, text: str
) -> None:
    limit = strategy.max_size or 0
    for chunk in run(strategy, [text]).chunks:
        assert chunk.oversize == (sizer(chunk.text) > limit)
    in_context = replace(strategy, size_of="with_context")
    chunker = Chunker(in_context)
    for piece in [*chunker.feed(text), *chunker.flush()]:
        size = sizer(piece.with_context())
        assert piece.oversize == (size > limit)
        assert size <= limit or sizing.graphemes(piece) == 1


@pytest.mark.parametrize("size", [-1, True, None, 2.5])
def test_a_sizer_returns_a_size(size: object) -> None:
    def wrong(text: str) -> int:
        del text
        return size  # type: ignore[return-value]  # what is wrong about it

    chunker = Chunker(MarkdownChunking(max_size=5, sizer=wrong))
    with pytest.raises(ContractError, match="the sizer returned"):
        chunker.feed("a. b\n\n")
