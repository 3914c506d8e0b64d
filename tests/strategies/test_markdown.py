"""MarkdownChunking."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise import (
    Chunker,
    ChunkerState,
    FixedSizeChunking,
    MarkdownChunking,
    SentenceChunking,
    Span,
    WindowChunking,
    strategy_from_dict,
)
from tests.examples import Counting
from tests.running import facts, run, run_in_all_ways, scan_whole

ANSWER = (
    "# Plan\r\n\r\nFirst `a. b`, then rest. **Good.** Next\r\nline.\r\n\r\n- One. Two\n"
    "- three\n\n> Ab. Cd\n\n```py\nx. y\n\n```\n| a | b |\n|---|---|\n| 1 | 2 |"
    "\n\nEnd\r"
)


def test_kinds() -> None:
    assert [chunk.kind for chunk in run_in_all_ways(MarkdownChunking(), ANSWER)] == [
        "heading",
        *["sentence"] * 3,
        *["sentence"] * 3,
        *["sentence"] * 2,
        "code",
        "table_header",
        "table_row",
        "sentence",
    ]


@pytest.mark.parametrize(
    "strategy",
    [
        MarkdownChunking(),
        MarkdownChunking(prose="block", lists="list"),
        MarkdownChunking(max_size=20, min_size=5),
        MarkdownChunking(max_size=8, sizer="words"),
        MarkdownChunking(max_size=20, size_of="with_context"),
    ],
)
@pytest.mark.parametrize("size", [1, 4, 30])
def test_a_stream_can_move_at_every_delta(
    strategy: MarkdownChunking, size: int
) -> None:
    chunker = Chunker(strategy)
    chunks = []
    for at in range(0, len(ANSWER), size):
        chunks += chunker.feed(ANSWER[at : at + size])
        state = ChunkerState.from_json(chunker.state.to_json())
        chunker = Chunker.resume(strategy, state)
    chunks += chunker.flush()
    assert facts(chunks) == run(strategy, [ANSWER]).chunks


def test_context_can_be_put_in_front() -> None:
    chunker = Chunker(MarkdownChunking())
    chunks = [*chunker.feed("# A\n\n## B\n\n|a|\n|-|\n|b|\n"), *chunker.flush()]
    assert chunks[-1].with_context() == "# A\n\n## B\n\n|a|\n|-|\n|b|"


def test_it_works_inside_other_strategies() -> None:
    strategy = WindowChunking(2, by=MarkdownChunking())
    texts = [
        chunk.text for chunk in run_in_all_ways(strategy, "# A\n\nBb. Cc\n\n- d\n")
    ]
    assert texts == ["# A\n\nBb.", "Cc\n\n- d"]


@pytest.mark.parametrize("prose", ["sentence", "block"])
def test_inside_of_a_line_most_deltas_are_not_looked_at(prose: Any) -> None:
    class CountingScans(Counting):
        scans = 0

        def scan(self, *args: Any, **kwargs: Any) -> Any:
            self.scans += 1
            return super().scan(*args, **kwargs)

    counting = CountingScans(MarkdownChunking(prose=prose))
    run(counting, ["x"] * 1_000)
    assert counting.scans <= 1_000 / 10
    for opener in ("\\[", "$$"):
        counting = CountingScans(MarkdownChunking(prose=prose))
        run(counting, ["a\n" + opener, *"x" * 50])
        assert counting.scans <= 50 / 10


@pytest.mark.parametrize(
    "text",
    [
        "word. " * 2_000,
        "```\n" + "x. y\n" * 2_000,
        "- item. more\n" * 1_000,
        "[" * 5_000,
        "*" * 5_000,
        "|" * 5_000,
        "`" * 5_000,
        "`a" * 2_500,
        "<b" * 2_500,
        "$a" * 2_500,
        "> " * 2_500,
        "- " * 2_500,
        "a|b\n" * 1_500,
        "|a|\n|-|\n" * 800,
        "\n" * 5_000,
        " " * 5_000,
        "[a]: b\n" * 800,
        "_. " * 1_700,
        "[" + "a. " * 1_700,
        "# a\n" * 1_200,
    ],
    ids=lambda text: repr(text[:9]),
)
@pytest.mark.parametrize("size", [1, 4, 10_000])
def test_hostile_texts_are_looked_at_a_few_times(text: str, size: int) -> None:
    """Counted are code points that are handed over, and those that are read back."""
    read_back = 0

    class CountingReads(Counting):
        def bound_to(self, read: Any) -> Any:
            def counted(start: int, end: int) -> str:
                nonlocal read_back
                read_back += end - start
                return read(start, end)  # type: ignore[no-any-return]  # as its type says

            return super().bound_to(counted)

    counting = CountingReads(MarkdownChunking())
    run(counting, [text[at : at + size] for at in range(0, len(text), size)])
    assert counting.scanned <= 3 * len(text)
    # What is opened is looked at again for 200 code points at most.
    assert read_back <= 2 * 210 * len(text)


def test_it_has_a_dictionary_form() -> None:
    strategy = MarkdownChunking(
        code="line", extensions=["math"], max_size=9, size_of="with_context"
    )
    form = strategy.to_dict()
    assert form["type"] == "markdown"
    assert form["size_of"] == "with_context"
    assert form["sentence"] == SentenceChunking().to_dict()
    assert strategy_from_dict(form) == strategy


def test_sentences_are_smart_unless_told() -> None:
    assert MarkdownChunking().sentence == SentenceChunking()


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"prose": "word"}, ValueError, "prose must be 'sentence' or 'block'"),
        ({"code": None}, ValueError, "code must be"),
        ({"table": "cell"}, ValueError, "table must be"),
        ({"lists": True}, ValueError, "lists must be"),
        ({"extensions": "math"}, TypeError, "extensions must be a sequence"),
        ({"extensions": 3}, TypeError, "extensions must be a sequence"),
        ({"extensions": ["maths"]}, ValueError, "extensions must be of"),
        ({"context": 1}, TypeError, "context must be a bool"),
        ({"max_size": 0}, ValueError, "max_size must be"),
        ({"max_size": "9"}, TypeError, "max_size must be"),
        ({"min_size": 1}, ValueError, "min_size must be in 0..0"),
        ({"max_size": 5, "min_size": 6}, ValueError, "min_size must be in 0..5"),
        ({"min_size": -1}, ValueError, "min_size must be"),
        (
            {"max_size": 9, "size_of": "chunk"},
            ValueError,
            "size_of must be 'text' or 'with_context', got 'chunk'",
        ),
        (
            {"size_of": "with_context"},
            ValueError,
            "size_of must be 'text' without max_size, got 'with_context'",
        ),
        ({"sizer": "miles"}, ValueError, "miles"),
        ({"sentence": FixedSizeChunking(3, overlap=1)}, ValueError, "not overlap"),
    ],
)
def test_wrong_parameters(
    parameters: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        MarkdownChunking(**parameters)


def test_its_own_scan_works_on_whole_texts() -> None:
    strategy = MarkdownChunking()
    assert strategy.split("One. Two") == ["One."]
    assert strategy.flush("One. Two") == ["Two"]
    assert "\n" in strategy.trigger
    assert "." not in MarkdownChunking(prose="block").trigger


def test_a_paragraph_goes_on_over_the_ends_of_its_lines() -> None:
    chunker = Chunker(MarkdownChunking())
    assert chunker.feed("One of") == []
    assert chunker.feed("\nthem. Two") == ["One of\nthem."]
    assert chunker.feed(" of\nthem.\nTh") == ["Two of\nthem."]
    assert chunker.feed("ree of\nthem\n") == []
    assert chunker.feed("\n") == ["Three of\nthem"]
    assert chunker.feed("- One.\n  Two") == ["- One."]
    assert chunker.feed(" and\n  three. **Four.**\n") == ["Two and\n  three."]
    assert chunker.feed("five") == ["**Four.**"]
    assert chunker.feed("\nsix. seven\nEight") == ["five\nsix."]


@pytest.mark.parametrize("blanks", ["  ", "   \t", " " * 8, " " * 20])
def test_a_paragraph_goes_on_in_lines_that_begin_with_blanks(blanks: str) -> None:
    text = "One of\n" + blanks + "them. Two of\n" + blanks + "[them. They](a). It"
    chunks = run_in_all_ways(MarkdownChunking(), text + "\n" + blanks)
    assert [chunk.text for chunk in chunks] == [
        "One of\n" + blanks + "them.",
        "Two of\n" + blanks + "[them. They](a).",
        "It",
    ]


@pytest.mark.parametrize("more", ["", "T", "Three ", "Three goes on and on ", " T"])
def test_a_blank_line_ends_a_paragraph_whatever_is_behind_it(more: str) -> None:
    chunker = Chunker(MarkdownChunking())
    assert chunker.feed("One of them") == []
    assert chunker.feed(".\n\nTwo") == ["One of them."]
    assert chunker.feed(" of\nthem\n\n" + more) == ["Two of\nthem"]
    assert chunker.feed("hree. Four is it") == [more.lstrip() + "hree."]
    assert chunker.flush() == ["Four is it"]


@pytest.mark.parametrize(
    ("more", "chunks"),
    [
        ("- T", ["- Three.", "Four"]),
        ("- Two. T", ["- Two.", "Three.", "Four"]),
        ("Two. T", ["Two.", "Three.", "Four"]),
        ("- Those are t", ["- Those are three.", "Four"]),
        ("\n  \nT", ["Three.", "Four"]),
        ("    T", ["    Three. Four"]),
        ("$$T", ["$$Three. Four"]),
    ],
)
def test_a_blank_line_ends_a_paragraph_before_other_blocks(
    more: str, chunks: list[str]
) -> None:
    chunker = Chunker(MarkdownChunking())
    assert chunker.feed("One of them") == []
    released = chunker.feed("\n\n" + more)
    assert released[0] == "One of them"
    assert [*released[1:], *chunker.feed("hree. Four"), *chunker.flush()] == chunks


@pytest.mark.parametrize("fence", ["```\n", ""])
def test_code_goes_on_over_the_ends_of_its_lines(fence: str) -> None:
    chunker = Chunker(MarkdownChunking())
    code = fence + "    a. b\n\n  \n      \n    c\n    ```\n    d"
    assert [chunk for each in code for chunk in chunker.feed(each)] == []
    assert chunker.feed("\n    e. f\n    g\n  ") == []
    assert chunker.feed("\n ") == []
    code += "\n    e. f\n    g"
    if fence:
        assert chunker.feed("x\n") == []
        assert chunker.feed("```\n\nThe") == [code + "\n  \n x\n```"]
    else:
        assert chunker.feed("The") == [code]
    assert chunker.flush() == ["The"]


def test_prose_comes_out_when_it_is_certain_that_it_is_no_definition() -> None:
    chunker = Chunker(MarkdownChunking())
    assert [chunk for each in "[1. One. Two.]" for chunk in chunker.feed(each)] == []
    assert chunker.feed("#") == ["[1. One."]


def test_headings_stay_in_force_behind_a_cut() -> None:
    chunker = Chunker(MarkdownChunking())
    chunks = [*chunker.feed("# A\n\n## B\n\n- ```\n  c"), *chunker.cut()]
    chunks += [*chunker.feed("It is. So"), *chunker.cut()]
    chunks += [*chunker.feed("# F"), *chunker.cut(), *chunker.feed("g"), *chunker.cut()]
    assert [(chunk.kind, chunk.with_context()) for chunk in chunks] == [
        ("heading", "# A"),
        ("heading", "# A\n\n## B"),
        ("code", "# A\n\n## B\n\n- ```\n  c"),
        ("sentence", "# A\n\n## B\n\nIt is."),
        ("sentence", "# A\n\n## B\n\nSo"),
        ("heading", "# F"),
        ("sentence", "# F\n\ng"),
    ]


def test_a_heading_that_is_released_in_part_is_not_in_force() -> None:
    """The context of a chunk comes from before it."""
    chunker = Chunker(MarkdownChunking())
    chunks = [*chunker.feed("# A\n\n## A title that br"), *chunker.release()]
    chunks += [*chunker.feed("eaks"), *chunker.flush()]
    assert chunks == ["# A", "## A title that", "breaks"]
    assert chunks[-1].with_context() == "# A\n\nbreaks"


def test_its_own_scan_goes_on_behind_a_cut() -> None:
    strategy = MarkdownChunking()
    before = scan_whole(strategy, "# A", final=True)
    state = strategy.begin_again(3, before.state)
    (span,) = strategy.scan("It is. So", 3, state)[0]
    assert Span(*span).context == ((0, "# A", "heading"),)
