"""How good are the sentences of the smart rules, and what do these rules cost?"""

from __future__ import annotations

import math
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from chunkwise import Chunker, SentenceChunking

from ._report import Section, Table, digits, said
from ._sentence_scores import (
    CASES,
    Score,
    at_hand,
    documents,
    mean,
    recorded_best,
    score_all,
    treebanks,
)
from ._sentence_splitters import (
    DEFAULTS,
    PEERS,
    PLAIN,
    SINGLE,
    SMART,
    SPLITTERS,
    loaded,
)
from ._texts import answer_text, blocks_of, deltas_of, prose, repeated
from ._timing import race

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ._sentence_scores import Scored
    from ._sentence_splitters import Split
    from ._timing import Starts, Stream

_TEXT = """
What comes out, next to other libraries: cases whose sentences are all as expected, and
F1t, the mean of the treebanks, one call for each paragraph. F1t is the harmonic mean of
precision and recall over the ends of sentences; an end without a terminal mark, of a
heading for example, is neither wanted nor punished. "chunkwise" is told the language of
each text and "defaults" is not; all libraries that take a language are told it, and
split those that they do not know as English. The distances are to the best library of
this run, and to the best on record, which is more of them.

Then what the smart rules cost next to the plain ones, in the same run: one `feed` at 4
code points a delta, on prose and on the answer text. One feed of 1 MB of prose, and of
50 KB next to the other libraries, because some need half a second for that; a ratio
above 1 says that chunkwise is faster.

Then 100 KB and 400 KB of texts that are hard for such rules: seconds for 100 KB in one
feed and in deltas of 4 code points, `flush` included, and the exponents, which are 1
where four times the text takes four times as long.

At last how many code points stand behind the end of a sentence when it is released,
over the English treebanks at one code point a delta.
"""
_MISSING = """
The texts whose sentences are known, or the tool that scores them, are not at hand, so
there are neither scores nor distances from an end to its release.
"""
_TITLES = {
    "en_golden_48": "Golden Rules English",
    "llm_chat": "chat",
    "golden_other": "Golden Rules, others",
    "pragmatic": "pragmatic",
    "sentencex": "sentencex",
}
_CASE_BARS = {
    "en_golden_48": 48,
    "llm_chat": 56,
    "golden_other": 33,
    "pragmatic": 100,
    "sentencex": 95,
}
_MEAN_BARS = {SMART: 98.5, DEFAULTS: 98.3}
_DISTANCE_BAR = 3
_RATIO_BAR = 1.4
_SPEED_BAR = 10
_LARGE = 1_000_000
_SMALL = 50_000
_HARD = {"100 KB": 100_000, "400 KB": 400_000}
_SECONDS_BAR = 0.15
_EXPONENT_BAR = 1.1
_RELEASE_BARS = {"median": 2, "99th percentile": 6}
_DELTA = 4
_Bests = dict[str, tuple[float, str]]


class _Hard(NamedTuple):
    """A text that is hard.

    Attributes:
        name: What a report calls it.
        unit: What is repeated.
        start: What stands once, before that.
    """

    name: str
    unit: str
    start: str = ""


_HARD_TEXTS = [
    _Hard("`a.a.a.`", "a."),
    _Hard("`. . . .`", ". "),
    _Hard("open quote, words", "abcd ", '"'),
    _Hard("open quote, sentences", "Abcd abcd. ", '"'),
    _Hard("`((((`", "("),
    _Hard("digits and dots", "1."),
    _Hard("one long token", "a"),
    _Hard("`A. A. A.`", "A. "),
    _Hard("lines of `a.`", "a.\n"),
    _Hard("lines of `- `", "- \n"),
    _Hard("backticks", "`"),
    _Hard("`**a. b`", "**a. b"),
    _Hard('`."."`', '."'),
]


def run() -> Section:
    """Score the sentences, and time the rules."""
    costs = [_cost_table(), _feed_table(), _hard_table()]
    if not at_hand():
        return Section("Sentences", f"{_TEXT.strip()}\n{_MISSING}", costs)
    return Section("Sentences", _TEXT, [*_quality_tables(), *costs, _release_table()])


def _quality_tables() -> list[Table]:
    banks = treebanks()
    tasks = [
        (name, text)
        for name in SPLITTERS
        for text in ([*CASES, *banks] if name != SINGLE else CASES)
    ]
    scores = score_all(tasks)
    shown = Table(
        ["sentences", *_TITLES.values(), "mean F1t"],
        [_scores_row(name, scored, banks) for name, scored in scores.items()],
    )
    here, recorded = _best_peers(scores, banks), recorded_best()
    return [
        shown,
        Table(
            ["sentences", "reached", "bar", "met"], _bar_rows(scores, here, recorded)
        ),
        _treebank_table(scores, here, recorded),
    ]


def _scores_row(name: str, scored: Scored, banks: Iterable[str]) -> list[str]:
    cells = [_cell(scored[text]) for text in _TITLES]
    return [name, *cells, "-" if name == SINGLE else _cell(mean(scored, banks))]


def _cell(score: Score | str) -> str:
    if isinstance(score, str):
        return score
    if score.cases:
        return f"{score.value:.0f} of {score.cases}"
    return f"{score.value:.2f}"


def _best_peers(scores: Mapping[str, Scored], banks: Iterable[str]) -> _Bests:
    """Return by treebank the best F1t of the other libraries, and which reached it."""
    best: _Bests = {}
    for treebank in banks:
        for name in PEERS:
            score = scores[name][treebank]
            if not isinstance(score, str):
                found = score.value, name
                best[treebank] = max(best.get(treebank, found), found)
    return best


def _bar_rows(
    scores: Mapping[str, Scored], here: _Bests, recorded: _Bests
) -> list[list[str]]:
    rows: list[list[str]] = []
    for text, bar in _CASE_BARS.items():
        rows.append(_bar_row(_TITLES[text], scores[SMART][text], bar))
    golden = f"{_TITLES['en_golden_48']}, one code point a delta"
    rows.insert(
        1, _bar_row(golden, scores[SINGLE]["en_golden_48"], _CASE_BARS["en_golden_48"])
    )
    for name, least in _MEAN_BARS.items():
        found = mean(scores[name], treebanks())
        rows.append(_bar_row(f"mean F1t, {name}", found, least))
    rows.append(_distance_row("of this run", scores[SMART], here))
    rows.append(_distance_row("on record", scores[SMART], recorded))
    return rows


def _bar_row(name: str, score: Score | str, bar: float) -> list[str]:
    met = not isinstance(score, str) and score.value >= bar
    return [name, _cell(score), f"≥ {bar:g}", said(met)]


def _distance_row(source: str, scored: Scored, best: _Bests) -> list[str]:
    """Return the row of the treebank that is farthest below the best."""
    name = f"farthest below the best {source}"
    bar = f"≤ {_DISTANCE_BAR}"
    distances = [
        (value - score.value, f"{treebank}, {library}")
        for treebank, (value, library) in best.items()
        if not isinstance(score := scored[treebank], str)
    ]
    if not distances:
        return [name, "none is known", bar, said(None)]
    distance, where = max(distances)
    return [name, f"{distance:.1f} ({where})", bar, said(distance <= _DISTANCE_BAR)]


def _treebank_table(
    scores: Mapping[str, Scored], here: _Bests, recorded: _Bests
) -> Table:
    head = [
        "treebank, F1t",
        SMART,
        DEFAULTS,
        PLAIN,
        "best of this run",
        "best on record",
    ]
    rows = [
        [
            treebank,
            *(_cell(scores[name][treebank]) for name in (SMART, DEFAULTS, PLAIN)),
            *(
                f"{best[treebank][0]:.1f} {best[treebank][1]}"
                if treebank in best
                else "-"
                for best in (here, recorded)
            ),
        ]
        for treebank in treebanks()
    ]
    return Table(head, rows)


def _cost_table() -> Table:
    texts = {"prose": prose(400_000), "answer text": answer_text().text}
    rows = [_cost_row(name, text) for name, text in texts.items()]
    return Table(["one feed of 4", "smart", "plain", "ratio", "bar", "met"], rows)


def _cost_row(name: str, text: str) -> list[str]:
    deltas = deltas_of(text, _DELTA)
    starts: Starts = {
        "smart": partial(Chunker, SentenceChunking()),
        "plain": partial(Chunker, SentenceChunking(rules="plain")),
    }
    seconds = race(starts, blocks_of(deltas, 10_000), repeats=5)
    ratio = seconds["smart"] / seconds["plain"]
    times = [f"{digits(seconds[rules] / len(deltas) * 1e6)} µs" for rules in starts]
    return [name, *times, digits(ratio), f"≤ {_RATIO_BAR}", said(ratio <= _RATIO_BAR)]


class _Whole:
    """A splitter under the names of a stream: one feed is one text."""

    def __init__(self, split: Split) -> None:
        self._split = split

    def feed(self, delta: str, /) -> object:
        return list(self._split(delta, "en"))

    def flush(self) -> None:
        pass


def _feed_table() -> Table:
    chunkwise: dict[str, Callable[[], Stream]] = {
        SMART: partial(Chunker, SentenceChunking()),
        PLAIN: partial(Chunker, SentenceChunking(rules="plain")),
    }
    starts = dict(chunkwise)
    failures: dict[str, str] = {}
    for name in PEERS:
        split = _working(name)
        if isinstance(split, str):
            failures[name] = split
        else:
            starts[name] = partial(_Whole, split)
    large, small = _speeds(chunkwise, _LARGE), _speeds(starts, _SMALL)
    rows: list[list[str]] = []
    for name in [*chunkwise, *PEERS]:
        cells = [
            f"{digits(speeds[name])} MB/s" if name in speeds else "-"
            for speeds in (large, small)
        ]
        if name in failures:
            rows.append([name, "-", *[failures[name]] * 2, "-", said(None)])
            continue
        ratio = digits(small[SMART] / small[name]) if name in PEERS else "-"
        met = large[name] >= _SPEED_BAR if name == SMART else None
        bar = "-" if met is None else f"≥ {_SPEED_BAR} MB/s"
        rows.append([name, *cells, ratio, bar, said(met)])
    return Table(["one feed", "1 MB", "50 KB", "ratio", "bar", "met"], rows)


def _working(name: str) -> Split | str:
    """Return how the splitter called *name* splits, or why it splits no English."""
    split = loaded(name)
    if isinstance(split, str):
        return split
    try:
        # What the first call loads is not timed.
        list(split("This is one. This is another.", "en"))
    except Exception as error:  # noqa: BLE001 - whatever a library raises
        return f"failed: {type(error).__name__}"
    return split


def _speeds(starts: Starts, size: int) -> dict[str, float]:
    """Return MB of UTF-8 a second for one feed of *size* code points of prose."""
    text = prose(size)
    seconds = race(starts, [[text]], repeats=3, flush=False)
    return {name: len(text.encode()) / 1e6 / seconds[name] for name in starts}


def _hard_table() -> Table:
    head = ["hard text", "one feed", "deltas", "bar"]
    head += ["exponent, one feed", "exponent, deltas", "bar", "met"]
    return Table(head, [_hard_row(hard) for hard in _HARD_TEXTS])


def _hard_row(hard: _Hard) -> list[str]:
    short, long = _HARD
    seconds: list[float] = []
    exponents: list[float] = []
    for whole in (True, False):
        times = {size: _hard_seconds(hard, _HARD[size], whole=whole) for size in _HARD}
        seconds.append(times[short])
        growth = math.log(times[long] / times[short], _HARD[long] / _HARD[short])
        exponents.append(growth)
    met = max(seconds) < _SECONDS_BAR and max(exponents) <= _EXPONENT_BAR
    row = [hard.name, *(f"{digits(each)} s" for each in seconds), f"< {_SECONDS_BAR} s"]
    return [*row, *map(digits, exponents), f"≤ {_EXPONENT_BAR}", said(met)]


def _hard_seconds(hard: _Hard, size: int, *, whole: bool) -> float:
    text = hard.start + repeated(hard.unit, size - len(hard.start))
    deltas = deltas_of(text, size if whole else _DELTA)
    starts: Starts = {"smart": partial(Chunker, SentenceChunking())}
    return race(starts, blocks_of(deltas, 5_000), repeats=2)["smart"]


def _release_table() -> Table:
    behind = sorted(
        distance
        for treebank in treebanks()
        if treebank.startswith("en_")
        for text in documents(treebank)
        for distance in _distances(text)
    )
    found = {
        "median": median(behind),
        "99th percentile": behind[math.ceil(0.99 * len(behind)) - 1],
        "largest": behind[-1],
    }
    rows: list[list[str]] = []
    for name, value in found.items():
        bar = _RELEASE_BARS.get(name)
        met = None if bar is None else value <= bar
        rows.append([name, f"{value:g}", "-" if bar is None else f"≤ {bar}", said(met)])
    return Table([f"release of {len(behind):,}", "code points", "bar", "met"], rows)


def _distances(text: str) -> Iterable[int]:
    """Return how far behind its end each sentence but the last is released."""
    chunker = Chunker(SentenceChunking())
    for fed, delta in enumerate(text, 1):
        for chunk in chunker.feed(delta):
            yield fed - chunk.end
