"""Strategies and chunkers as people write them, each with one mistake."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from typing_extensions import override

from chunkwise import ChunkingStrategy, Scan, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise._spans import ScanFields

# Level 1.


class DecidesAtTheEnd(ChunkingStrategy):
    """A full stop at the end of the text so far ends a sentence."""

    @override
    def split(self, text: str) -> list[str]:
        return re.findall(r"\S[^.]*\.(?=\s|$)", text)


class ReleasesTooEarly(ChunkingStrategy):
    """A line ends with its carriage return, and a line feed may follow."""

    @override
    def split(self, text: str) -> list[str]:
        return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)", text)


class ReleasesTheFragment(ChunkingStrategy):
    """Does not withhold the last word."""

    @override
    def split(self, text: str) -> list[str]:
        return text.split()


class LooksLeft(ChunkingStrategy):
    """Words that have not occurred before."""

    @override
    def split(self, text: str) -> list[str]:
        words = text.split() if text[-1:].isspace() else text.split()[:-1]
        return list(dict.fromkeys(words))


class CountsFromTheStart(ChunkingStrategy):
    """The first line of a text is a chunk, and then two lines are one."""

    @override
    def split(self, text: str) -> list[str]:
        first, *lines = [f"{line}\n" for line in text.split("\n")[:-1]] or [""]
        pairs = ["".join(pair) for pair in zip(lines[::2], lines[1::2], strict=False)]
        return [first, *pairs] if first else []


class PlacesAmbiguously(ChunkingStrategy):
    """Lines; the comment sign in front of a line is left out, and so is the line."""

    @override
    def split(self, text: str) -> list[str]:
        lines = [line for line in text.splitlines(keepends=True) if line[-1] == "\n"]
        return [line for line in lines if not line.startswith("#")]


class StripsInside(ChunkingStrategy):
    """Lines without the spaces in them."""

    @override
    def split(self, text: str) -> list[str]:
        return [line.replace(" ", "") for line in text.split("\n")[:-1] if line.strip()]


class Normalises(ChunkingStrategy):
    """Paragraphs, of which every white space is one space."""

    @override
    def split(self, text: str) -> list[str]:
        return [
            " ".join(part.split()) for part in text.split("\n\n")[:-1] if part.split()
        ]


class Doubles(ChunkingStrategy):
    """Gives each pair of words, so that most come twice."""

    @override
    def split(self, text: str) -> list[str]:
        return [" ".join(pair) for pair in pairwise(text.split(" ")[:-1])]


class GivesEmptyChunks(ChunkingStrategy):
    """Does not leave out what is between two semicolons in a row."""

    @override
    def split(self, text: str) -> list[str]:
        return text.split(";")[:-1]


class FlushDiffers(ChunkingStrategy):
    """Flushes the whole text, also where a part of it was complete."""

    @override
    def split(self, text: str) -> list[str]:
        return [part for part in text.split(";")[:-1] if part]

    @override
    def flush(self, text: str) -> list[str]:
        return [text] if text else []


class Drops(ChunkingStrategy):
    """Words of one letter are nowhere."""

    @override
    def split(self, text: str) -> list[str]:
        return [word for word in text.split(" ")[:-1] if len(word) > 1]


class Raises(ChunkingStrategy):
    """Expects every line to have a first word."""

    @override
    def split(self, text: str) -> list[str]:
        lines = text.split("\n")[:-1]
        return [line for line in lines if line.split()[0]]


class HoldsState(ChunkingStrategy):
    """Remembers what it has given, and gives nothing twice."""

    def __init__(self) -> None:
        self.given: list[str] = []

    @override
    def split(self, text: str) -> list[str]:
        words = [word for word in text.split(" ")[:-1] if word]
        new = [word for word in words if word not in self.given]
        self.given += new
        return new


class CountsCalls(ChunkingStrategy):
    """Has a number in it that changes, and nothing that comes of it yet."""

    calls = 0

    @override
    def split(self, text: str) -> list[str]:
        self.calls += 1
        return [part for part in text.split(";")[:-1] if part]


@dataclass
class Unhashable(ChunkingStrategy):
    """A dataclass that can be changed, and so has no hash."""

    marks: list[str] = field(default_factory=lambda: [";"])

    @override
    def split(self, text: str) -> list[str]:
        return [part for part in text.split(self.marks[0])[:-1] if part]


# Level 2. All of them cut behind each line feed, or mean to.


@dataclass(frozen=True)
class _Lines(ChunkingStrategy[Any]):
    """Right; the state is where the open line starts."""

    @override
    def begin(self, offset: int) -> Any:
        return offset

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans = []
        for match in re.finditer("\n", text):
            spans.append(Span(state, base + match.end()))
            state = base + match.end()
        end = base + len(text)
        if final and state < end:
            spans.append(Span(state, end, complete=None))
        return Scan(spans, state, end, state)


class ForgetsTheBase(_Lines):
    """Counts from the start of the text that it is given."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans, at = [], 0
        while end := text.find("\n", at) + 1:
            spans.append(Span(at, end))
            at = end
        if final and at < len(text):
            spans.append(Span(at, len(text), complete=None))
        resume = base + len(text) if final else base + at
        return Scan(spans, resume, resume, None)


class ResumesTooFar(_Lines):
    """Resumes at the end of the text, and does not remember where its line starts."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans, keep, end, _, wake = super().scan(text, base, base, final)
        return Scan(spans, keep, end, base, wake)


class ResumesTooEarly(_Lines):
    """Looks once more at the line that it gave last."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans, *_ = super().scan(text, base, base, final)
        resume = spans[-1][0] if spans else base
        return Scan(spans, resume, base + len(text) if final else resume, None)


class Sleeps(_Lines):
    """Wakes for commas and semicolons only."""

    trigger = frozenset(",;")

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        return Scan(*super().scan(text, base, state, final)[:4], sys.maxsize)


class LooksAgain(_Lines):
    """Never moves on: every scan goes over the whole open stream."""

    @override
    def begin(self, offset: int) -> Any:
        return (offset, offset)

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        first, given = state
        spans = super().scan(text, base, first, final)[0]
        new = [span for span in spans if span[0] >= given]
        after = new[-1][1] if new else given
        return Scan(new, first, base + len(text) if final else base, (first, after))


class HoardsText(_Lines):
    """Has every line that it gave in its state."""

    @override
    def begin(self, offset: int) -> Any:
        return (offset, ())

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        start, seen = state
        spans, keep, end, start, wake = super().scan(text, base, start, final)
        return Scan(spans, keep, end, (start, (*seen, *map(len, spans))), wake)


class MissesHalves(_Lines):
    """Paragraphs; does not see a separator that comes in two deltas."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        end = base + len(text)
        spans = []
        for match in re.finditer("\n\n", text):
            spans.append(Span(state, base + match.end()))
            state = base + match.end()
        if final and state < end:
            spans.append(Span(state, end, complete=None))
        return Scan(spans, state, end, state)


class RaisesAtTheEnd(_Lines):
    """Cannot end a stream that it has not begun."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        if final and base == 0:
            raise ZeroDivisionError
        return super().scan(text, base, state, final)


class MutableState(_Lines):
    """Appends to a list that it hands on."""

    @override
    def begin(self, offset: int) -> Any:
        return [offset]

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans, keep, end, start, wake = super().scan(text, base, state[-1], final)
        return Scan(spans, keep, end, [start], wake)


class _Named(NamedTuple):
    start: int


class NamesItsState(_Lines):
    """Asks its state by name; what JSON gives back has none."""

    @override
    def begin(self, offset: int) -> Any:
        return _Named(offset)

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans, keep, end, start, wake = super().scan(text, base, state.start, final)
        return Scan(spans, keep, end, _Named(start), wake)


class KeepsStateAside(_Lines):
    """Has the start of the open line in an attribute instead."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        start = getattr(self, "start", 0) if base else 0
        spans, keep, end, start, wake = super().scan(text, base, start, final)
        object.__setattr__(self, "start", start)
        return Scan(spans, keep, end, None, wake)


class BeginsAtZero(_Lines):
    """Starts at 0, wherever it begins."""

    @override
    def begin(self, offset: int) -> Any:
        return 0


class TakesBack(_Lines):
    """Says at the end of a line that was complete that it is not."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans, *rest = super().scan(text, base, state, final)
        if final:
            spans = [Span(*span[:2], complete=None) for span in spans]
        return Scan(spans, *rest)


class StopsShort(_Lines):
    """Does not look at the end of the text, though there is no other scan."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        spans, keep, end, state, wake = super().scan(text, base, state, final)
        return Scan(spans, keep, base if final else end, state, wake)


class ReleasesLate(_Lines):
    """Gives the lines of a delta with the next one."""

    @override
    def scan(
        self, text: str, base: int, state: Any, final: bool = False
    ) -> ScanFields[Any]:
        end = base + len(text)
        if not final and "\n" in text and base:
            return Scan([], state, base, state)
        spans, keep, _, state, wake = super().scan(text, base, state, final)
        return Scan(spans, keep, end, state, wake)


class OpensTooMuch(_Lines):
    """Takes all that is there for the open line, also where there is none."""

    def opened(self, text: str, base: int, state: Any) -> tuple[int, int] | None:
        """Return what is said to be open."""
        return (state, base + len(text))


class OpensAndForgets(_Lines):
    """Says of an open line what is sure, and at an even offset nothing."""

    def opened(self, text: str, base: int, state: Any) -> tuple[int, int] | None:
        """Return what is open, at times."""
        end = base + len(text)
        return (state, end) if end > state and end % 2 else None


class OpensElsewhere(_Lines):
    """Says of an open line that it starts one code point further right."""

    def opened(self, text: str, base: int, state: Any) -> tuple[int, int] | None:
        """Return a wrong start."""
        end = base + len(text)
        return (state + 1, end) if end > state else None


class Seeded(NamedTuple):
    """A mistake, and what a report has to say of it."""

    strategy: ChunkingStrategy[Any]
    law: str
    cause: str
    separators: str | None = None


FAULTS = {
    fault.strategy.__class__.__name__: fault
    for fault in (
        Seeded(DecidesAtTheEnd(), "finality", "decides at the end of the text"),
        Seeded(ReleasesTooEarly(), "finality", "decides at the end of the text"),
        Seeded(ReleasesTheFragment(), "finality", "decides at the end of the text"),
        Seeded(LooksLeft(), "delta-invariance", "looks left of what was released"),
        Seeded(
            CountsFromTheStart(), "delta-invariance", "looks left of what was released"
        ),
        Seeded(PlacesAmbiguously(), "delta-invariance", "text is placed ambiguously"),
        Seeded(StripsInside(), "verbatim", "changes text"),
        Seeded(Normalises(), "verbatim", "changes text"),
        Seeded(Doubles(), "order", "gives text twice"),
        Seeded(GivesEmptyChunks(), "verbatim", "changes text"),
        Seeded(FlushDiffers(), "delta-invariance", "flush() differs"),
        Seeded(Drops(), "nothing lost", "drops text", r"\s*"),
        Seeded(Raises(), "contract", "raises"),
        Seeded(HoldsState(), "stateless strategies", "holds state"),
        Seeded(CountsCalls(), "stateless strategies", "holds state"),
        Seeded(Unhashable(), "stateless strategies", "holds state"),
        Seeded(ForgetsTheBase(), "resumable", "begins at 0 only"),
        Seeded(MissesHalves(), "delta-invariance", "looks left of what was released"),
        Seeded(RaisesAtTheEnd(), "contract", "raises"),
        Seeded(ResumesTooFar(), "delta-invariance", "looks left of what was released"),
        Seeded(ResumesTooEarly(), "order", "gives text twice"),
        Seeded(Sleeps(), "earliest release", "sleeps through a boundary"),
        Seeded(LooksAgain(), "bounded", "looks at text again"),
        Seeded(HoardsText(), "bounded", "keeps text"),
        Seeded(MutableState(), "resumable", "the state is not a plain value"),
        Seeded(NamesItsState(), "resumable", "the state does not say enough"),
        Seeded(KeepsStateAside(), "stateless strategies", "holds state"),
        Seeded(BeginsAtZero(), "resumable", "begins at 0 only"),
        Seeded(TakesBack(), "finality", "takes back at the end"),
        Seeded(StopsShort(), "finality", "leaves text"),
        Seeded(OpensTooMuch(), "finality", "says too much in opened()"),
        Seeded(OpensAndForgets(), "finality", "says too much in opened()"),
        Seeded(OpensElsewhere(), "finality", "says too much in opened()"),
        Seeded(ReleasesLate(), "earliest release", "holds back in some slicings"),
    )
}


@dataclass(frozen=True)
class HoldsALock(_Lines):
    """Right, though it cannot be copied."""

    lock: Any = field(default_factory=Lock, compare=False)


# Chunkers that belong to nobody's framework: `add` a delta, then `end`.


class RightSentences:
    """Right: sentences end at a full stop and a space."""

    def __init__(self) -> None:
        self.rest = ""

    def add(self, delta: str) -> list[str]:
        """Take a delta and return the sentences that it completed."""
        *done, self.rest = re.split(r"(?<=\.) ", self.rest + delta)
        return [*filter(None, done)]

    def end(self) -> list[str]:
        """Return the last sentence, if any."""
        return [self.rest] if self.rest else []


class LooksAtTheDelta(RightSentences):
    """Takes a delta that ends with a full stop for the end of a sentence."""

    @override
    def add(self, delta: str) -> list[str]:
        self.rest += delta
        if not delta.endswith("."):
            return []
        done, self.rest = self.rest, ""
        return [done]


class TellsChunksByText(RightSentences):
    """Keeps all text, and leaves out what it has given: ``in`` finds look-alikes."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[str] = []

    @override
    def add(self, delta: str) -> list[str]:
        self.rest += delta
        sentences = re.split(r"(?<=\.) ", self.rest)[:-1]
        new = [each for each in sentences if each and each not in self.given]
        self.given += new
        return new

    @override
    def end(self) -> list[str]:
        return [*filter(None, re.split(r"(?<=\.) ", self.rest)[-1:])]


class GivesAllAgain(RightSentences):
    """Splits everything again, and forgets what it gave."""

    @override
    def add(self, delta: str) -> list[str]:
        self.rest += delta
        return re.findall(r"\S[^.]*\.(?= )", self.rest)


class LosesTheEnd(RightSentences):
    """Releases nothing at the end."""

    @override
    def end(self) -> list[str]:
        return []


class StripsDeltas(RightSentences):
    """Takes white space off each delta."""

    @override
    def add(self, delta: str) -> list[str]:
        return super().add(delta.strip())


class SharesItsBuffer(RightSentences):
    """Has one list of pieces for all streams."""

    pieces: list[str] = []  # noqa: RUF012 - the mistake

    def __init__(self) -> None:
        """Leave the list as it is."""

    @override
    def add(self, delta: str) -> list[str]:
        self.pieces.append(delta)
        return []

    @override
    def end(self) -> list[str]:
        return ["".join(self.pieces)] if any(self.pieces) else []


class OnePerDelta(RightSentences):
    """Gives one sentence a delta at most, and leaves the others for later."""

    @override
    def add(self, delta: str) -> list[str]:
        self.rest += delta
        done, _, rest = self.rest.partition(". ")
        if not rest:
            return []
        self.rest = rest
        return [f"{done}."]


class LagsBehind(RightSentences):
    """Gives what a delta completed with the next one."""

    def __init__(self) -> None:
        super().__init__()
        self.ready: list[str] = []

    @override
    def add(self, delta: str) -> list[str]:
        ready, self.ready = self.ready, super().add(delta)
        return ready

    @override
    def end(self) -> list[str]:
        return [*self.ready, *super().end()]


CHUNKER_FAULTS: dict[str, tuple[Callable[[], RightSentences], str, str]] = {
    make.__name__: (make, law, cause)
    for make, law, cause in (
        (LooksAtTheDelta, "finality", "decides at the end of the text"),
        (TellsChunksByText, "delta-invariance", "text is placed ambiguously"),
        (GivesAllAgain, "order", "gives text twice"),
        (LosesTheEnd, "nothing lost", "drops text"),
        (StripsDeltas, "verbatim", "changes text"),
        (SharesItsBuffer, "stateless strategies", "holds state"),
        (LagsBehind, "earliest release", "holds back in some slicings"),
        (OnePerDelta, "delta-invariance", "looks at a delta"),
    )
}
