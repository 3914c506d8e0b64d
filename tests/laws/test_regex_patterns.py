"""RegexChunking keeps the laws with any pattern that it accepts.

Random patterns on random texts: in single code points, in random deltas and whole, next
to what the ``regex`` module finds in the whole text; and on all short texts, where
nothing may be released that a continuation changes.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import regex
from hypothesis import event, given, note, reject, settings
from hypothesis import strategies as st

from chunkwise import RegexChunking, SeparatorTimeoutError
from tests.patterns import ALPHABETS, PatternMaker
from tests.running import run, scan_stream, scan_whole, spans_of
from tests.texts import sliced

if TYPE_CHECKING:
    from chunkwise import Span

TEXTS_PER_PATTERN = 5
seeds = st.integers(0, 2**32)


class Drawn(NamedTuple):
    """A strategy with a random pattern, and what makes texts for it."""

    strategy: RegexChunking
    maker: PatternMaker
    random: Random
    alphabet: str


def drawn(seed: int) -> Drawn:
    """Return a strategy that accepts its pattern; reject the example if it does not."""
    random = Random(seed)  # noqa: S311 - to test with
    alphabet = random.choice(ALPHABETS)
    maker = PatternMaker(random, alphabet)
    pattern = maker.pattern()
    flags = 0
    for flag, chance in ((regex.M, 0.3), (regex.I, 0.3), (regex.S, 0.2)):
        flags |= flag if random.random() < chance else 0
    separator = random.choice(["drop", "end", "start"])
    try:
        strategy = RegexChunking(
            pattern,
            separator=separator,  # type: ignore[arg-type]  # one of the three
            flags=flags,
            strip=random.random() < 0.25,
        )
    except ValueError as error:
        event("refused" if "decided" in str(error) else "invalid")
        reject()
    event("accepted")
    note(repr(strategy))
    return Drawn(strategy, maker, random, alphabet)


def pieces(strategy: RegexChunking, text: str) -> list[tuple[int, int, bool]]:
    """Cut a whole text at what ``regex.finditer`` finds in it."""
    compiled = regex.compile(strategy.pattern, strategy.flags | regex.VERSION1)
    start = 0
    ends: list[tuple[int, int, bool]] = []
    for match in compiled.finditer(text, timeout=5):
        end = match.end() if strategy.separator == "end" else match.start()
        ends.append((start, end, True))
        start = match.start() if strategy.separator == "start" else match.end()
    ends.append((start, len(text), False))
    if strategy.separator == "drop" and not compiled.groups:
        assert [text[start:end] for start, end, _ in ends] == compiled.split(text)
    if strategy.strip:
        ends = [(*trimmed(text, start, end), complete) for start, end, complete in ends]
    return [piece for piece in ends if piece[0] < piece[1]]


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return (start, end)


@settings(max_examples=4 * settings().max_examples)
@given(seed=seeds)
def test_any_slicing_gives_what_regex_finds_in_the_whole_text(seed: int) -> None:
    strategy, maker, random, _ = drawn(seed)
    for _ in range(TEXTS_PER_PATTERN):
        text = maker.text(9)
        cuts = [random.randint(0, len(text)) for _ in range(random.randint(0, 5))]
        try:
            expected = pieces(strategy, text)
            whole = run(strategy, [text])
            assert [(c.start, c.end, c.complete) for c in whole.chunks] == expected, (
                text
            )
            assert run(strategy, text) == whole, text
            assert run(strategy, sliced(text, cuts)) == whole, (text, cuts)
            released: list[Span] = []
            for number, step in enumerate(scan_stream(strategy, text), 1):
                released += spans_of(step.scan)
                so_far = scan_whole(strategy, text[:number])
                assert released == spans_of(so_far), (text, number)
        except (TimeoutError, SeparatorTimeoutError, MemoryError):
            # The module itself runs out of time or memory.
            event("gave up")
            return


@given(seed=seeds)
def test_no_continuation_changes_what_was_released(seed: int) -> None:
    """All texts of up to four code points, with all their continuations by one."""
    strategy, _, _, alphabet = drawn(seed)
    alphabet = alphabet[:3]
    scanned: dict[str, list[Span]] = {}
    try:
        for length in range(5):
            for text in map("".join, product(alphabet, repeat=length)):
                scanned[text] = spans_of(scan_whole(strategy, text))
                before = scanned[text[:-1]]
                assert scanned[text][: len(before)] == before, text
                ended = spans_of(scan_whole(strategy, text, final=True))
                for released in (before, scanned[text]):
                    assert ended[: len(released)] == released, text
    except (SeparatorTimeoutError, MemoryError):
        event("gave up")
