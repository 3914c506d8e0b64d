"""RegexChunking: what a regular expression matches separates."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass, field
from operator import methodcaller
from typing import TYPE_CHECKING, Any, Literal

import regex
from typing_extensions import override

from .._numbers import check_seconds
from .._registry import register_built_in
from .._spans import NEVER
from .._strategy import ChunkingStrategy, check_bool
from ..errors import SeparatorTimeoutError
from ._regex_probe import Probe, probe_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from .._spans import ScanFields, SpanFields

    OpenChunk: TypeAlias = "tuple[int, int, int, str, bool]"

_BLANK = -1
"""In place of an offset: the open chunk has white space alone, if anything."""

_VERSIONS = regex.VERSION0 | regex.VERSION1

_LONG = 100
"""Code points of a separator from which on the places inside of it are not tried."""

_MUCH = 1_000_000
"""Code points for which a search has its time once more."""

LONGEST_SEARCH = 86_400
"""Seconds that a limit may have at most: a day. The module counts in small parts."""

_place_of: Callable[[regex.Match[str]], tuple[int, int]] = methodcaller("span")

_RE_FLAGS = (
    (re.ASCII, regex.ASCII),
    (re.IGNORECASE, regex.IGNORECASE),
    (re.MULTILINE, regex.MULTILINE),
    (re.DOTALL, regex.DOTALL),
    (re.VERBOSE, regex.VERBOSE),
    (re.DEBUG, regex.DEBUG),
)
"""Flags by name: the same numbers mean other things in the two modules."""

_SET_ANYWAY = regex.UNICODE | regex.VERSION1
_FLAGS = sum(flag for flag in regex.RegexFlag if flag is not regex.TEMPLATE)


@dataclass(frozen=True, init=False)
class RegexChunking(ChunkingStrategy["OpenChunk"]):
    r"""Cuts at every match of a regular expression.

    A separator is what ``regex.finditer`` finds in the whole stream; an empty one cuts
    as well. It is released once no continuation could change it: when neither its own
    match nor the search for it had to look at what follows the text so far. Look-ahead
    waits, look-behind sees the text of the stream. A chunk is ``complete`` when a
    separator ended it; ``flush`` releases the rest, which is not. A chunk that would be
    empty is none, and groups of the pattern mean nothing here.

    A match that stays open, of ``<!--.*?-->`` for example, is searched for again with
    every delta: that costs its length, which ``max_pending`` bounds.

    Args:
        pattern: A pattern of the ``regex`` module, read as its version 1; or a pattern
            that ``regex`` or ``re`` compiled, which means what it meant there.
        separator: ``"drop"``: the separator belongs to no chunk. ``"end"``: it ends
            the chunk before it. ``"start"``: it begins the chunk behind it.
        flags: Flags of the ``regex`` module; ``VERSION0`` is one of them.
        timeout: Seconds, up to a day, that one search may take before
            ``SeparatorTimeoutError`` is raised, and as long again for each million code
            points that arrive at once;
            ``None`` sets no limit. Patterns that need a few steps at each place only
            are searched for without it.
        strip: Trims white space at both ends of each chunk; what is trimmed is in the
            gaps, and a chunk of white space alone is none.

    Raises:
        ValueError: The pattern is not valid or cannot be decided while text arrives,
            or another parameter has a wrong value. The message says which and why.
        TypeError: *pattern* is not text, or another parameter has a wrong type.

    Examples:
        >>> RegexChunking("[,;]").split("one,two;thr")
        ['one', 'two']
        >>> RegexChunking(r"\n(?=#)", separator="end").split("# A\na\n# B\n")
        ['# A\na\n']
        >>> RegexChunking(r"Step \d+:", separator="start").split("Step 1: a Step 2: b")
        ['Step 1: a ']
    """

    pattern: str
    separator: Literal["drop", "end", "start"]
    flags: int
    timeout: float | None
    strip: bool
    _probe: Probe = field(repr=False, compare=False)
    _limit: float | None = field(repr=False, compare=False)

    def __init__(
        self,
        pattern: str | regex.Pattern[str] | re.Pattern[str],
        *,
        separator: Literal["drop", "end", "start"] = "drop",
        flags: int = 0,
        timeout: float | None = 1.0,
        strip: bool = False,
    ) -> None:
        text, given = _text_and_flags(pattern, flags)
        if separator not in ("drop", "end", "start"):
            msg = f"separator must be 'drop', 'end' or 'start', got {separator!r}"
            raise ValueError(msg)
        check_seconds("timeout", timeout, or_none=True, most=LONGEST_SEARCH)
        check_bool("strip", strip)
        # What is checked above has no default in the class, so this fills a new object.
        fill = object.__setattr__
        fill(self, "pattern", text)
        fill(self, "separator", separator)
        fill(self, "timeout", None if timeout is None else float(timeout))
        fill(self, "strip", strip)
        probe = probe_of(text, given)
        fill(self, "_probe", probe)
        fill(self, "_limit", None if probe.is_bounded else self.timeout)
        fill(self, "flags", _least_flags(probe.separator, given))

    @override
    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by the parameters, not by what was made of them."""
        values = (self.pattern, self.separator, self.flags, self.timeout, self.strip)
        return (_rebuild, (type(self), *values))

    @property
    @override
    def trigger(self) -> frozenset[str]:
        return self._probe.first or frozenset()

    @override
    def begin(self, offset: int) -> OpenChunk:
        return (offset, _BLANK, _BLANK, "", False)

    @override
    def opened(self, text: str, base: int, state: OpenChunk) -> tuple[int, int] | None:
        # The last scan resumed where certainty ends: the earliest place where another
        # separator may begin.
        start, first, last, *_ = state
        if self.strip:
            return None if first == _BLANK else (first, last)
        return (start, base) if start < base else None

    @override
    def scan(  # noqa: C901, PLR0912, PLR0915 - one loop, in one place because it is hot
        self, text: str, base: int, state: OpenChunk, final: bool = False
    ) -> ScanFields[OpenChunk]:
        # Plan: go over the separators, and ask the probe where certainty ends when one
        # turns up that is not known to be certain. An attempt looks at `reach` code
        # points at most, so whatever begins further from the end is certain unasked:
        # for most patterns the probe sees but the last few code points. The next scan
        # resumes where certainty ends; only an attempt that is open there is made
        # again. The state is where the open chunk starts, where its text without white
        # space around begins and ends so far, what a look-behind may see of the text
        # before `resume`, and whether an empty separator at `resume` was found.
        start, first, last, behind, is_taken = state
        probe = self._probe
        at = len(behind)
        if behind:
            text = behind + text
            base -= at
        size = len(text)
        ends = self.separator == "end"
        starts = self.separator == "start"
        strip = self.strip
        spans: list[SpanFields] = []
        seen = at
        # Attempts from before `certain` are decided. Once `is_known`, others are not.
        is_known = final
        certain = size + 1 if final else size - probe.reach + 1
        done = at
        found: Iterable[tuple[int, int]]
        found = self._separators(text, base, at, is_taken=is_taken)
        long: list[tuple[int, int]] = []
        if probe.reach > _LONG:
            # What was open is tried first: while it stays open nothing else matters.
            if not is_known and self._is_open(text, base, at):
                found = ()
                certain = at
                is_known = True
            found = list(found)
            long = [span for span in found if span[1] - span[0] > _LONG]
        for begin, end in found:
            if begin >= certain:
                if not is_known:
                    certain = self._certainty(text, base, done, long)
                    is_known = True
                if begin >= certain:
                    break
            if is_known and end > certain:
                # The probe also tried the places inside of this separator.
                certain = self._certainty(text, base, end, long)
            done = end
            is_taken = begin == end
            stop = end if ends else begin
            if strip:
                first, last = _trimmed(text[seen:stop], base + seen, first, last)
                if first != _BLANK:
                    spans.append((first, last, True, "regex"))
                first = last = _BLANK
            elif start < base + stop:
                spans.append((start, base + stop, True, "regex"))
            seen = begin if starts else end
            start = base + seen
        if not is_known:
            certain = self._certainty(text, base, done, long)
        resume = min(certain, size)
        if strip:
            first, last = _trimmed(text[seen:resume], base + seen, first, last)
        if final:
            if strip and first != _BLANK:
                spans.append((first, last, None, "regex"))
            elif not strip and start < base + size:
                spans.append((start, base + size, None, "regex"))
        behind = text[max(resume - probe.behind - 1, 0) : resume]
        state = (start, first, last, behind, is_taken and done == resume)
        # With nothing open, only what a separator may begin with calls for a scan.
        quiet = certain >= size and probe.first is not None
        return (spans, start, base + resume, state, NEVER if quiet else 0)

    def _certainty(
        self, text: str, base: int, at: int, long: Sequence[tuple[int, int]] = ()
    ) -> int:
        """Return the first place, from *at*, from where a search would look further.

        Args:
            text: Text up to the present end of the stream.
            base: Where it begins.
            at: Where to begin, behind the last separator that is certain.
            long: Places of separators that are long. A probe that tried every place
                inside of them would take quadratic time.

        Returns:
            A place in *text*; one behind its end when even the search from there needs
            nothing of what follows.
        """
        size = len(text)
        at = max(at, size - self._probe.reach + 1)
        for begin, end in long:
            if begin >= at:
                place = self._first_open(text, base, at, begin)
                if place <= begin:
                    return place
                at = end
        return self._first_open(text, base, at, size)

    def _first_open(self, text: str, base: int, at: int, last: int) -> int:
        """Return the first place from *at* to *last* where an attempt stays open.

        Returns:
            The place; when there is none, one behind the end of *text*.
        """
        search = self._probe.uncertain.search
        size = len(text)
        limit = self._limit_for(text)
        try:
            while last < size:
                # In text that ends at `last` no fewer attempts stay open.
                match = search(text, at, last, partial=True, timeout=limit)
                place = last if match is None else match.start()
                if self._is_open(text, base, place):
                    return place
                if place == last:
                    return size + 1
                at = place + 1
            match = search(text, at, partial=True, timeout=limit)
        except TimeoutError:
            raise self._timed_out(base + at) from None
        return size + 1 if match is None else match.start()

    def _is_open(self, text: str, base: int, at: int) -> bool:
        """Return whether the attempt from *at* would look behind the end of *text*."""
        match = self._probe.uncertain.match
        try:
            found = match(text, at, partial=True, timeout=self._limit_for(text))
        except TimeoutError:
            raise self._timed_out(base + at) from None
        return found is not None

    def _limit_for(self, text: str) -> float | None:
        if self._limit is None:
            return None
        return self._limit * (1 + len(text) // _MUCH)

    def _separators(
        self, text: str, base: int, at: int, *, is_taken: bool
    ) -> Iterator[tuple[int, int]]:
        """Find the places of separators from *at* on, each within the limit.

        Args:
            text: Text up to the present end of the stream.
            base: Where it begins.
            at: Where to begin.
            is_taken: Whether the first one is an empty one that was found before.
        """
        if self._limit is None:
            places = map(_place_of, self._probe.separator.finditer(text, at))
            if is_taken:
                next(places)
            return places
        return self._separators_in_time(text, base, at, is_taken=is_taken)

    def _separators_in_time(
        self, text: str, base: int, at: int, *, is_taken: bool
    ) -> Iterator[tuple[int, int]]:
        # The module counts the time of all searches of one iterator together, so one
        # that has found something and then runs out of time is made anew behind that.
        limit = self._limit_for(text)
        while True:
            found_some = was_empty = False
            try:
                for match in self._probe.separator.finditer(text, at, timeout=limit):
                    if is_taken:
                        is_taken = False
                        continue
                    found_some = True
                    begin, at = span = match.span()
                    was_empty = begin == at
                    yield span
            except TimeoutError:
                if not found_some:
                    raise self._timed_out(base + at) from None
                is_taken = was_empty
            else:
                return

    def _timed_out(self, offset: int) -> SeparatorTimeoutError:
        limit = self._limit
        assert limit is not None  # noqa: S101 - else there is no search to time
        return SeparatorTimeoutError(pattern=self.pattern, timeout=limit, offset=offset)


def _trimmed(piece: str, offset: int, first: int, last: int) -> tuple[int, int]:
    """Return where text without white space around begins and ends, with *piece*.

    Args:
        piece: The next part of that text.
        offset: Where it begins.
        first: Where the text before it begins.
        last: Where that ends.
    """
    content = piece.lstrip()
    if content:
        if first == _BLANK:
            first = offset + len(piece) - len(content)
        last = offset + len(piece.rstrip())
    return (first, last)


def _text_and_flags(pattern: Any, flags: Any) -> tuple[str, int]:
    """Return the pattern's text, and all flags to compile it with."""
    if isinstance(flags, bool) or not isinstance(flags, int):
        msg = f"flags must be an int, got {flags!r}"
        raise TypeError(msg)
    text = pattern
    if isinstance(pattern, (re.Pattern, regex.Pattern)):
        if flags:
            msg = f"flags must be 0 with a compiled pattern, got {flags!r}"
            raise ValueError(msg)
        text = pattern.pattern
        flags = pattern.flags
    if not isinstance(text, str):
        found = f"one of {type(text).__name__}" if text is not pattern else repr(text)
        msg = f"pattern must be a str or a compiled pattern of str, got {found}"
        raise TypeError(msg)
    if isinstance(pattern, re.Pattern):
        flags = sum(ours for theirs, ours in _RE_FLAGS if flags & theirs)
        flags |= regex.VERSION0
    elif isinstance(pattern, regex.Pattern):
        if pattern.named_lists:
            msg = "pattern must be complete, got one with named lists"
            raise ValueError(msg)
        flags = _least_flags(pattern, flags)
    if flags & _VERSIONS == _VERSIONS:
        msg = f"flags must name one version at most, got {flags!r}"
        raise ValueError(msg)
    if flags & ~_FLAGS:
        msg = f"flags must be flags of the regex module, got {flags!r}"
        raise ValueError(msg)
    return (text, int(flags) if flags & _VERSIONS else int(flags | regex.VERSION1))


def _least_flags(compiled: regex.Pattern[str], given: int) -> int:
    """Return the flags that have to be given, so that equal patterns have equal ones.

    Left out is what the pattern itself says and what is set anyway.

    Args:
        compiled: The pattern.
        given: What it was compiled with, as far as that is known.
    """
    version = compiled.flags & _VERSIONS
    own = regex.compile(compiled.pattern, version).flags
    least = (compiled.flags & ~own) | (version & regex.VERSION0)
    # A flag that holds from the middle of a pattern on is among its own, too, so what
    # was compiled shows whether it was given as well.
    again = regex.compile(compiled.pattern, least | version)
    if pickle.dumps(again) == pickle.dumps(compiled):
        return int(least)
    return int(given & ~_SET_ANYWAY)


def _rebuild(
    cls: type[RegexChunking],
    pattern: str,
    separator: Literal["drop", "end", "start"],
    flags: int,
    timeout: float | None,
    strip: bool,  # noqa: FBT001 - as it was pickled
) -> RegexChunking:
    # A subclass may have a constructor of its own.
    strategy = object.__new__(cls)
    options: Any = {"separator": separator, "flags": flags, "strip": strip}
    RegexChunking.__init__(strategy, pattern, timeout=timeout, **options)
    return strategy


register_built_in("regex", RegexChunking)
