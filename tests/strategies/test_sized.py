"""SizedChunking: whole pieces up to a size, finer ones where a piece is too large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st
from typing_extensions import override

from chunkwise import (
    Chunk,
    Chunker,
    ContractError,
    LineChunking,
    NestedChunking,
    SentenceChunking,
    SizedChunking,
    UnknownStrategyError,
    WordChunking,
    strategy_from_dict,
)
from chunkwise.sizing import code_points, resolve_sizer
from tests.combinations import OddEncoding
from tests.running import run
from tests.texts import boundary_rich_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chunkwise import ChunkingStrategy

    Placed = tuple[int, int, bool | None, bool]


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def tokens(text: str) -> int:
    """Not additive: four code points or a part of them make a token."""
    return -(-len(text) // 4)


def odd(text: str) -> int:
    """Neither additive nor monotone."""
    return len(text.split()) + 2 * text.count("a") - 2 * text.count("ab")


def chunks_of(strategy: ChunkingStrategy[Any], text: str) -> list[Chunk]:
    chunker = Chunker(strategy)
    return [*chunker.feed(text), *chunker.flush()]


@pytest.mark.parametrize(
    ("strategy", "text", "chunks"),
    [
        pytest.param(
            SizedChunking(20),
            "One two. Three four. Five six seven eight nine. Ten.",
            ["One two. Three four.", "Five six seven eight", "nine.", "Ten."],
            id="sentences, then words; the rest of a piece stays alone",
        ),
        pytest.param(
            SizedChunking(12),
            "# T\n\na.\n\nb.\n\nc d e f g h i",
            ["# T\n\na.\n\nb.", "c d e f g h", "i"],
            id="blank lines are kept",
        ),
        pytest.param(
            SizedChunking(4, overlap=2, by=()),
            "abcdefghij",
            ["abcd", "cdef", "efgh", "ghij"],
            id="overlap without separators",
        ),
        pytest.param(
            SizedChunking(4, overlap=1, by=()),
            "abcdefghij",
            ["abcd", "defg", "ghij"],
            id="the last window ends at the end, once",
        ),
        pytest.param(
            SizedChunking(2, overlap=1, by=("word",), sizer="words"),
            "one two three four",
            ["one two", "two three", "three four"],
            id="overlap in words",
        ),
        pytest.param(
            SizedChunking(10, overlap=4),
            "AAAA BBBB\n\nCCCC",
            ["AAAA BBBB", "CCCC"],
            id="no sentence is small enough to be repeated",
        ),
        pytest.param(
            SizedChunking(10, overlap=4, overlap_by="word"),
            "AAAA BBBB\n\nCCCC",
            ["AAAA BBBB", "BBBB\n\nCCCC"],
            id="overlap by words",
        ),
        pytest.param(
            SizedChunking(8, overlap=5),
            "aaaa\n\nbbbb\n\ncccc\n\ndddd",
            ["aaaa", "bbbb", "cccc", "dddd"],
            id="an overlap near the size does not multiply chunks",
        ),
        pytest.param(
            SizedChunking(4, overlap=2),
            "aa  bb  cc  dd",
            ["aa", "bb", "cc", "dd"],
            id="an overlap does not push over the limit",
        ),
        pytest.param(
            SizedChunking(10),
            "one two ten " + "x" * 30,
            ["one two", "ten", "x" * 10, "x" * 10, "x" * 10],
            id="a long word is cut",
        ),
        pytest.param(
            SizedChunking(9, by=("line",)),
            "a,b;c,d\nxyz",
            ["a,b;c,d\n", "xyz"],
            id="no line fits beside",
        ),
        pytest.param(
            SizedChunking(10, min_size=5),
            "one two ten xx",
            ["one two", "ten xx"],
            id="a small last chunk takes a word",
        ),
        pytest.param(
            SizedChunking(10, min_size=5, by=()),
            "abcdefghijklm",
            ["abcdefgh", "ijklm"],
            id="a small last chunk takes clusters",
        ),
        pytest.param(
            SizedChunking(10, min_size=8, by=()),
            "abcdefghijklm",
            ["abcdefgh", "ijklm"],
            id="the chunk before stays within the limits",
        ),
        pytest.param(
            SizedChunking(5, min_size=5, by=("word",)),
            "aaa bbbbb cc",
            ["aaa", "bbbbb", "cc"],
            id="a piece that is too large to be taken",
        ),
        pytest.param(
            SizedChunking(9, min_size=9, overlap=3, overlap_by="word", by=("word",)),
            "a b c d e f g h i",
            ["a b c d e", "d e f g h", "g h i"],
            id="the chunk before is too small to give",
        ),
        pytest.param(
            SizedChunking(9, min_size=7, overlap=3, overlap_by="word", by=("word",)),
            "a b c d e f g h i",
            ["a b c d e", "d e f g", "f g h i"],
            id="an overlap moves with what is taken",
        ),
        pytest.param(
            SizedChunking(5, overlap=4, by=()),
            "ae\u0301\u0301bf\u0301gghh",
            ["ae\u0301\u0301b", "bf\u0301gg", "f\u0301ggh", "gghh"],
            id="a wide cluster leaves less room for an overlap",
        ),
        pytest.param(
            SizedChunking(5, by=("word",), sizer=lambda text: len(text.split()) ** 2),
            "a b c d e f g",
            ["a b", "c d", "e f", "g"],
            id="a whole that is more than its parts",
        ),
        pytest.param(
            SizedChunking(
                3,
                by=("word",),
                sizer=lambda text: len(text.split()) + (" " in text.strip()),
            ),
            "a b c d e f g",
            ["a b", "c d", "e f", "g"],
            id="what is given back joins what comes next",
        ),
        pytest.param(
            SizedChunking(1, sizer="words", by=()),
            "abcdefghijklmnopqrstuvwxyz" * 4,
            ["abcdefghijklmnopqrstuvwxyz" * 4],
            id="parts that add up to much more than the whole",
        ),
        pytest.param(
            SizedChunking(2, sizer="words"),
            "x" * 999 + " y z",
            ["x" * 999 + " y", "z"],
            id="a whole that is less than its parts",
        ),
        pytest.param(
            SizedChunking(6, min_size=5, overlap=2, by=()),
            "abcdefghijk",
            ["abcdef", "efghi", "hijk"],
            id="an overlap of clusters moves with what is taken",
        ),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_packs(
    strategy: SizedChunking, text: str, chunks: list[str], size: int
) -> None:
    deltas = [text[at : at + size] for at in range(0, len(text), size)]
    assert [chunk.text for chunk in run(strategy, deltas).chunks] == chunks


def test_repeated_text_is_placed_where_it_is() -> None:
    strategy = SizedChunking(9, overlap=4, by=("word",))
    starts = [c.start for c in chunks_of(strategy, " ".join(["tick"] * 6))]
    assert starts == [0, 5, 10, 15, 20]


@pytest.mark.parametrize(
    ("text", "size", "chunks"),
    [
        ("🎉", 1, [("🎉", True)]),
        ("猫猫", 3, [("猫", False), ("猫", False)]),
        ("猫🎉a", 1, [("猫", True), ("🎉", True), ("a", False)]),
        (
            "ab👨\u200d👩\u200d👧cd",
            4,
            [("ab", False), ("👨\u200d👩\u200d👧", True), ("cd", False)],
        ),
        ("e\u0301" * 4, 7, [("e\u0301e\u0301", False)] * 2),
    ],
)
def test_a_cluster_is_never_cut_and_says_when_it_is_too_large(
    text: str, size: int, chunks: list[tuple[str, bool]]
) -> None:
    strategy = SizedChunking(size, sizer="utf8_bytes")
    for deltas in ([text], list(text)):
        found = run(strategy, deltas).chunks
        assert [(chunk.text, chunk.oversize) for chunk in found] == chunks


def test_a_chunk_is_as_complete_as_its_last_piece() -> None:
    found = chunks_of(SizedChunking(6), "One. Twotwotwo three. F")
    assert [(str(c), c.complete, c.kind) for c in found] == [
        ("One.", True, "sized"),
        ("Twotwo", False, "sized"),
        ("two", True, "sized"),
        ("three.", True, "sized"),
        ("F", False, "sized"),
    ]


def test_code_points_are_released_as_soon_as_the_next_piece_cannot_join() -> None:
    chunker = Chunker(SizedChunking(20))
    assert chunker.feed("One two.\n\nThree fou") == []
    assert chunker.feed("r") == []
    assert chunker.feed("r") == ["One two."]
    assert chunker.feed(". And it goes on") == ["Three fourr."]


def test_an_open_piece_that_is_too_large_is_packed_while_it_arrives() -> None:
    for sizer in ("code_points", "utf8_bytes", tokens):
        chunker = Chunker(SizedChunking(40, sizer=sizer))
        chunks = [c for _ in range(2_000) for c in chunker.feed("One two. ")]
        assert sum(map(len, chunks)) > 16_000
        assert len(chunker.pending) < 700


def test_a_least_size_holds_one_chunk_back() -> None:
    chunker = Chunker(SizedChunking(5, min_size=3, by=("word",)))
    assert chunker.feed("aaaa bbbb cccc ") == ["aaaa"]
    assert chunker.feed("d ") == ["bbbb"]
    # "cccc" is closed, but "d" might be the last word.
    assert chunker.feed("e") == []
    assert chunker.feed("e ff") == ["cccc"]
    assert chunker.flush() == ["d ee", "ff"]


def test_a_small_chunk_between_large_ones_stays() -> None:
    strategy = SizedChunking(5, min_size=4, by=("line", "word"))
    assert chunks_of(strategy, "aaaa b\ncccc") == ["aaaa", "b", "cccc"]


@pytest.mark.parametrize(
    "sizer", ["graphemes", "words", "utf8_bytes", tokens, odd, OddEncoding()]
)
@pytest.mark.parametrize("by", [("paragraph", "sentence", "word"), (), ("word",)])
@given(text=boundary_rich_texts(), max_size=st.integers(1, 9), data=st.data())
def test_limits_hold_by_the_real_count(
    sizer: Any, by: tuple[str, ...], text: str, max_size: int, data: st.DataObject
) -> None:
    overlap = data.draw(st.integers(0, max_size - 1))
    min_size = data.draw(st.integers(0, max_size))
    strategy = SizedChunking(
        max_size, overlap=overlap, min_size=min_size, sizer=sizer, by=by
    )
    count = resolve_sizer(sizer)
    end = 0
    for chunk in chunks_of(strategy, text):
        if chunk.oversize:
            assert regex.fullmatch(r"\X", chunk)
        else:
            assert count(chunk) <= max_size
        assert chunk.end > end
        if chunk.start < end:
            assert count(text[chunk.start : end]) <= overlap
        end = chunk.end


def test_what_gives_pieces_to_the_last_chunk_stays_within_the_limit() -> None:
    """Less text can have a greater size, by a tokenizer."""
    count = resolve_sizer(OddEncoding())
    strategy = SizedChunking(5, min_size=5, sizer=count, by=("word",))
    assert (count("\u200b😀`"), count("\u200b😀")) == (1, 7)
    assert chunks_of(strategy, "\u200b😀```json\n") == ["\u200b😀`", "``json"]


def test_a_shorter_overlap_stays_within_its_limit() -> None:
    count = resolve_sizer(OddEncoding())
    strategy = SizedChunking(4, overlap=3, sizer=count)
    assert [count(end) for end in ("sonNaN", "onNaN", "nNaN")] == [1, 4, 3]
    assert count("sonNaNa") > 4
    assert chunks_of(strategy, "jsonaajsonNaNa ") == ["jsonaajsonNaN", "nNaNa"]


def packed(
    levels: tuple[ChunkingStrategy[Any], ...],
    text: str,
    offset: int,
    max_size: int,
    known: bool | None,  # noqa: FBT001 - a value, no switch
) -> list[Placed]:
    """Pack a whole text greedily, in code points: the rule in its plainest form."""
    pieces: list[tuple[int, int, bool | None]]
    if levels:
        spans = levels[0].scan(text, offset, levels[0].begin(offset), final=True)[0]
        pieces = [(s[0], s[1], known if s[2] is None else s[2]) for s in spans]
    else:
        ends = [match.span() for match in regex.finditer(r"\X", text)]
        pieces = [
            (offset + a, offset + b, known if b == len(text) else False)
            for a, b in ends
        ]
    packs: list[Placed] = []
    is_open = False
    for start, end, complete in pieces:
        if end - start > max_size:
            is_open = False
            inside = text[start - offset : end - offset]
            packs += (
                packed(levels[1:], inside, start, max_size, complete)
                if levels
                else [(start, end, complete, True)]
            )
        elif is_open and end - packs[-1][0] <= max_size:
            packs[-1] = (packs[-1][0], end, complete, False)
        else:
            packs.append((start, end, complete, False))
            is_open = True
    return packs


@pytest.mark.parametrize(
    "by",
    [
        ("paragraph", "sentence", "word"),
        ("line", "word"),
        ("sentence",),
        (),
        (NestedChunking("paragraph", "line"), "word"),
    ],
    ids=str,
)
@given(text=boundary_rich_texts(), max_size=st.integers(1, 20))
def test_code_points_are_packed_greedily(
    by: tuple[Any, ...], text: str, max_size: int
) -> None:
    strategy = SizedChunking(max_size, by=by)
    levels: Any = strategy.by
    found = [
        (c.start, c.end, c.complete, c.oversize) for c in chunks_of(strategy, text)
    ]
    assert found == [
        (start, end, complete is True, oversize)
        for start, end, complete, oversize in packed(levels, text, 0, max_size, None)
    ]


@given(text=boundary_rich_texts(), max_size=st.integers(1, 20))
def test_an_additive_sizer_is_greedy_too(text: str, max_size: int) -> None:
    """Counted instead of subtracted: the way that is not for code points alone."""
    plain = SizedChunking(max_size)
    counted = SizedChunking(max_size, sizer=lambda text: len(text))  # noqa: PLW0108 - not code_points
    assert run(counted, text).chunks == run(plain, text).chunks


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_size": 0}, "max_size must be an int of at least 1, got 0"),
        ({"max_size": True}, "max_size must be an int of at least 1, got True"),
        ({"overlap": -1}, "overlap must be an int of at least 0, got -1"),
        ({"overlap": 10}, "overlap must be in 0..9, got 10"),
        ({"overlap": False}, "overlap must be an int of at least 0, got False"),
        ({"min_size": 11}, "min_size must be in 0..10, got 11"),
        ({"sizer": "tokens"}, "tokens"),
        ({"by": ["wrd"]}, "wrd"),
        ({"by": [SizedChunking(9, overlap=3)]}, "a level must not overlap"),
        ({"overlap_by": SizedChunking(9, overlap=3)}, "a level must not overlap"),
    ],
)
def test_wrong_values_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        SizedChunking(**{"max_size": 10, **options})


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"max_size": "10"}, "max_size must be an int, got '10'"),
        ({"max_size": 1.5}, "max_size must be an int"),
        ({"overlap": None}, "overlap must be an int"),
        ({"sizer": 7}, "7"),
        ({"by": "word"}, "by must be a sequence of strategies, got 'word'"),
        ({"by": WordChunking()}, "by must be a sequence of strategies"),
        ({"by": 7}, "by must be a sequence of strategies"),
        ({"by": [7]}, "expected a strategy"),
    ],
)
def test_wrong_types_are_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(TypeError, match=says):
        SizedChunking(**{"max_size": 10, **options})


def test_an_unknown_level_is_an_unknown_strategy() -> None:
    with pytest.raises(UnknownStrategyError):
        SizedChunking(10, by=("paragraph", "wrd"))


def test_names_stand_for_what_they_name() -> None:
    strategy = SizedChunking(10, sizer=code_points, by=["line"], overlap_by="line")
    assert strategy == SizedChunking(
        10, by=(LineChunking(),), overlap_by=LineChunking()
    )
    assert strategy.sizer == "code_points"
    assert hash(strategy) == hash(SizedChunking(10, by=("line",), overlap_by="line"))
    assert strategy_from_dict(strategy.to_dict()) == strategy
    assert strategy.to_dict()["sizer"] == "code_points"
    with pytest.raises(ContractError, match="'sizer'"):
        SizedChunking(10, sizer=tokens).to_dict()


@pytest.mark.parametrize("size", [-1, 1.5, None, True, "3"])
def test_a_sizer_has_to_return_a_size(size: Any) -> None:
    def broken(text: str) -> int:
        del text
        return size  # type: ignore[no-any-return]  # what is wrong about it

    chunker = Chunker(SizedChunking(10, sizer=broken))
    with pytest.raises(ContractError, match="the sizer returned"):
        chunker.feed("One.\n\n")
    assert chunker.pending == ""


@pytest.mark.parametrize("size", [-1, 1.0, None])
@pytest.mark.parametrize("text", ["One two. " * 9 + "\n\n", "Two words.\n\n" * 9])
def test_a_tokenizer_has_to_return_a_size(text: str, size: Any) -> None:
    class Broken:
        def __init__(self) -> None:
            # As a tokenizer of rs-bpe has them.
            self.encode = self.bpe = list
            self.count = lambda text: size if len(text) > 5 else 1

    chunker = Chunker(SizedChunking(10, sizer=resolve_sizer(Broken())))
    with pytest.raises(ContractError, match="the sizer returned"):
        chunker.feed(text)
    assert chunker.pending == ""


def test_what_is_packed_surely_stays_in_the_open_chunk() -> None:
    strategy = SizedChunking(30)
    _, _, resume, state, _ = strategy.scan("One.\n\nTwo.\n\nThr", 0, strategy.begin(0))
    assert strategy.opened("", resume, state) == (0, 10)
    for other in (
        SizedChunking(30, overlap=3),
        SizedChunking(30, min_size=3),
        SizedChunking(30, sizer="utf8_bytes"),
    ):
        _, _, resume, state, _ = other.scan("One.\n\nTwo.\n\nThr", 0, other.begin(0))
        assert other.opened("", resume, state) is None
    assert strategy.opened("", 0, strategy.begin(0)) is None


def test_only_what_repeats_overlaps() -> None:
    assert not SizedChunking(9).overlaps
    assert SizedChunking(9, overlap=1).overlaps
    assert NestedChunking("line", SizedChunking(9, overlap=1)).overlaps


def test_sizes_fit_inside_of_other_strategies() -> None:
    strategy = NestedChunking("paragraph", SizedChunking(8, by=("word",)))
    text = "aa bb cc dd\n\nee ff"
    for deltas in ([text], list(text)):
        texts = [chunk.text for chunk in run(strategy, deltas).chunks]
        assert texts == ["aa bb cc", "dd", "ee ff"]


def test_a_level_may_be_a_function() -> None:
    halves: Callable[[str], list[str]] = str.split
    strategy = SizedChunking(9, by=(NestedChunking("paragraph", halves), "word"))
    assert chunks_of(strategy, "aa bb\n\ncc dd") == ["aa bb\n\ncc", "dd"]


class WordEncoding:
    """Named as an encoding of OpenAI: a word is a token; counts what it is given."""

    name = "cl100k_base"

    def __init__(self) -> None:
        self.counted = 0

    def encode_ordinary(self, text: str) -> list[str]:
        """Return the words of *text*."""
        self.counted += len(text)
        return text.split()


@pytest.mark.parametrize("by", [("paragraph", "sentence", "word"), ("word",)])
@pytest.mark.parametrize("option", ["overlap", "min_size", ""])
@given(text=boundary_rich_texts(), max_size=st.integers(1, 40), data=st.data())
def test_what_adds_up_before_spaces_is_packed_as_what_adds_up(
    by: tuple[str, ...], option: str, text: str, max_size: int, data: st.DataObject
) -> None:
    options: Any = {option: max_size // 3} if option else {}
    text = " word, ".join([text] * data.draw(st.integers(1, 9)))
    # Two sentences with nothing between them may have a word in common.
    assume(all(chunk.gap for chunk in chunks_of(SentenceChunking(), text)[1:]))
    sizer = resolve_sizer(WordEncoding())
    counted = SizedChunking(max_size, sizer=sizer, by=by, **options)
    added = SizedChunking(max_size, sizer="words", by=by, **options)
    assert chunks_of(counted, text) == chunks_of(added, text)


def test_sizes_do_not_add_up_before_a_second_space() -> None:
    text = "Some  words \t of\n one,  and  more.\n\n" * 20
    counted = SizedChunking(20, sizer=resolve_sizer(WordEncoding()))
    assert chunks_of(counted, text) == chunks_of(SizedChunking(20, sizer="words"), text)


@pytest.mark.parametrize("by", [("paragraph", "sentence", "word"), (), ("word",)])
@given(
    texts=st.lists(
        st.one_of(
            boundary_rich_texts(),
            st.sampled_from(
                ["a few more words ", "\U0001f389" * 9, "x-y.\n\n", " (a)"]
            ),
        ),
        max_size=30,
    ),
    max_size=st.integers(1, 90),
)
def test_limits_hold_where_sizes_add_up_before_spaces(
    by: tuple[str, ...], texts: list[str], max_size: int
) -> None:
    text = "".join(texts)
    count = resolve_sizer(OddEncoding())
    strategy = SizedChunking(max_size, sizer=count, by=by)
    chunks = chunks_of(strategy, text)
    assert all(count(chunk) <= max_size or chunk.oversize for chunk in chunks)
    assert run(strategy, list(text)) == run(strategy, [text])


@pytest.mark.parametrize("start", ["", "a ", "One. Two of ", "a\n"])
def test_an_endless_word_is_released_while_it_arrives(start: str) -> None:
    strategy = SizedChunking(16, sizer=resolve_sizer(OddEncoding()))
    chunker = Chunker(strategy)
    chunker.feed(start)
    for _ in range(99):
        chunker.feed("x-" * 20)
        assert len(chunker.pending) < 200


def test_a_piece_that_may_be_too_large_alone_is_counted_before_it_joins() -> None:
    class Dense(WordEncoding):
        @override
        def encode_ordinary(self, text: str) -> list[str]:
            return text.split() + ["more"] * 3 * text.count("\U0001f389")

    count = resolve_sizer(Dense())
    text = "word " * 33 + "\U0001f389" * 5 + " word" * 9
    chunks = chunks_of(SizedChunking(10, sizer=count, by=("word",)), text)
    assert [count(chunk) for chunk in chunks] == [10, 10, 10, 3, 10, 7, 9]


@pytest.mark.parametrize("size", [1, 100, 100_000])
@pytest.mark.parametrize(
    ("text", "times"),
    [
        pytest.param("Some words of one. " * 5 + "\n\n", 1.5, id="small paragraphs"),
        pytest.param("Some words of one. " * 50 + "\n\n", 2.1, id="large ones"),
        pytest.param("word " * 2_000 + "\n\n", 2.2, id="words"),
        pytest.param("One.\n\n" * 500, 16, id="no spaces"),
        pytest.param("x" * 3_000 + "\n\n", 16, id="clusters"),
        pytest.param("a b\n\n" * 500 + "word-word-word " * 99, 3, id="sparse"),
        pytest.param(("x" * 64 + "\n") * 300, 9, id="long words"),
        pytest.param(("x" * 130 + "\n") * 600, 12, id="longer ones"),
        pytest.param(
            ("x" * 64 + "\n") * 150 + "q\n" * 4_800, 12, id="long and short words"
        ),
    ],
)
def test_what_adds_up_before_spaces_is_counted_about_once(
    text: str, times: float, size: int
) -> None:
    text = text * max(20_000 // len(text), 1)
    encoding = WordEncoding()
    deltas = [text[at : at + size] for at in range(0, len(text), size)]
    run(SizedChunking(120, sizer=resolve_sizer(encoding)), deltas)
    assert encoding.counted < times * len(text)


def test_sizes_are_counted_a_bounded_number_of_times() -> None:
    text = ("word " * 30 + ". ") * 40 + "x" * 3_000 + "\n\n" + "y z\n\n" * 500
    for sizer, overlap in ((len, 9), (tokens, 9), (odd, 9), (bool, 0)):
        counted = 0

        def counting(text: str, sizer: Any = sizer) -> int:
            nonlocal counted
            counted += len(text)
            size = sizer(text)
            return int(size)

        for size in (1, 100, len(text)):
            counted = 0
            deltas = [text[at : at + size] for at in range(0, len(text), size)]
            run(SizedChunking(60, sizer=counting, overlap=overlap), deltas)
            assert counted < 16 * len(text)


@pytest.mark.parametrize(
    ("by", "overlap_by", "text"),
    [
        (("line",), "sentence", "\n" * 4_000),
        ((), "sentence", "x" * 4_000),
        (("word",), "word", "lorem ipsum dolor " * 250),
    ],
    ids=["lines", "clusters", "words"],
)
@pytest.mark.parametrize("overlap", [20, 100])
def test_what_is_repeated_is_counted_a_bounded_number_of_times(
    by: tuple[str, ...], overlap_by: str, text: str, overlap: int
) -> None:
    """Also where the whole text has less than the overlap."""
    for sizer in (lambda text: len(text.split()), lambda text: 0 * len(text)):
        counted = 0

        def counting(text: str, sizer: Any = sizer) -> int:
            nonlocal counted
            counted += len(text)
            return int(sizer(text))

        strategy = SizedChunking(
            200, overlap=overlap, sizer=counting, by=by, overlap_by=overlap_by
        )
        run(strategy, [text])
        # Looking for the first fitting start by halves takes a dozen counts.
        assert counted < 60 * len(text)


def test_sentences_that_are_repeated_are_sentences() -> None:
    strategy = SizedChunking(35, overlap=14)
    text = "One one. Two two.\n\nThree three. Four four.\n\nFive"
    assert chunks_of(strategy, text) == [
        "One one. Two two.",
        "Two two.\n\nThree three. Four four.",
        "Four four.\n\nFive",
    ]
    assert SentenceChunking() == strategy.overlap_by


def test_pieces_are_gone_through_once_however_many_are_too_large() -> None:
    touched = 0

    class Touched(list[Any]):
        @override
        def __iter__(self) -> Iterator[Any]:
            return map(self.__getitem__, range(len(self)))

        @override
        def __getitem__(self, index: Any) -> Any:
            nonlocal touched
            touched += 1
            return super().__getitem__(index)

    class TouchedLines(LineChunking):
        @override
        def scan(self, text: str, base: int, state: int, final: bool = False) -> Any:
            spans, *rest = super().scan(text, base, state, final)
            return (Touched(spans), *rest)

    count = 300
    run(SizedChunking(8, by=(TouchedLines(), "word")), ["too large\nab\n" * count])
    assert 2 * count <= touched <= 6 * count
