r"""Extended grapheme clusters, found near a place without cutting up the whole text.

What a cluster is says ``\X`` of the ``regex`` module, in the version of Unicode that
the installed one knows. Nothing here adds rules; it only looks at less text.

Three facts make that possible. Whether a cluster ends at a place depends on the text
before it and on the one code point behind it. Between two code points that both have
Grapheme_Cluster_Break=Other a cluster always ends, and ordinary text is full of such
places. And a run of regional indicators is cut into pairs from its start.

Source:
    Rules GB1 to GB999 of Unicode Standard Annex 29, "Unicode Text Segmentation".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

_JOINING = r"[\p{GCB=Extend}\p{GCB=ZWJ}\p{GCB=SpacingMark}]"
"""What never begins a cluster behind a code point that is no control."""

# `\X` alone counts back to the start of a run of regional indicators at each of them,
# which is quadratic. The first alternative is what it would find inside of the run:
# matches follow each other, so two of them here are a pair.
_CLUSTER = regex.compile(rf"\p{{RI}}\p{{RI}}(?!{_JOINING})|\X")
_LAST_TWO_OTHERS = regex.compile(r"(?r)\p{GCB=Other}\p{GCB=Other}")
_END = regex.compile(rf"(?rs)(?:\p{{RI}}\p{{RI}}|.)?({_JOINING}*)")
_CONTROL = regex.compile(r"[\p{GCB=Control}\p{GCB=LF}]")

_FIRST_LOOK = 32
"""Code points behind a place in which the end of its cluster is looked for first."""


def cluster_start(text: str, at: int, first: int = 0) -> int:
    r"""Return the greatest cluster boundary that is not behind *at*.

    The end of *text* is a boundary. Costs the distance back to the nearest place
    between two code points that join nothing, or to *first*.

    Args:
        text: The text.
        at: Where to look, an index into *text*.
        first: A boundary known, at most *at*. Clusters are those of the text that
            begins there.

    Examples:
        >>> cluster_start("ae\u0301o", 2), cluster_start("ae\u0301o", 3)
        (1, 3)
    """
    if not first < at < len(text):
        return at
    start = _boundary_before(text, at, first)
    if start == at:
        return at
    # One code point behind `at` decides whether a cluster ends there.
    clusters = _CLUSTER.finditer(text[start : at + 1])
    return start + next(each.start() for each in clusters if each.end() > at - start)


def cluster_end(text: str, at: int, first: int = 0) -> int:
    r"""Return the least cluster boundary that is not before *at*.

    The end of *text* is a boundary. Costs as much as `cluster_start`, and the rest of
    the cluster.

    Args:
        text: The text.
        at: Where to look, an index into *text*.
        first: A boundary known, at most *at*. Clusters are those of the text that
            begins there.

    Examples:
        >>> cluster_end("ae\u0301o", 2), cluster_end("ae\u0301o", 3)
        (3, 3)
    """
    if not first < at < len(text):
        return at
    start = _boundary_before(text, at, first)
    if start == at:
        return at
    stop = at
    end = at
    # A cluster that reaches the end of what was looked at may go on behind it.
    while end == stop < len(text):
        stop = min(stop + stop - start + _FIRST_LOOK, len(text))
        clusters = _CLUSTER.finditer(text[start:stop])
        end = start + next(each.end() for each in clusters if each.end() >= at - start)
    return end


def cluster_ends(text: str, first: int = 0) -> Iterator[int]:
    r"""Return the ends of all clusters from *first* on, in order.

    Args:
        text: The text.
        first: Where the first cluster begins.

    Examples:
        >>> list(cluster_ends("ae\u0301\r\n"))
        [1, 3, 5]
    """
    # The pattern looks left of where it is told to begin, so that text goes away.
    for match in _CLUSTER.finditer(text[first:]):
        yield first + match.end()


def ends_cluster(text: str) -> bool:
    r"""Return whether a cluster ends at the end of *text* whatever follows.

    That is so behind a control code point or a line feed alone: a ``\r`` may get its
    ``\n``, and behind everything else a mark may follow.

    Examples:
        >>> ends_cluster("a\n"), ends_cluster("a")
        (True, False)
    """
    return bool(_CONTROL.match(text[-1:]))


def open_context(cluster: str) -> str:
    r"""Return a short text that may stand for *cluster*, whatever follows it.

    A code point ends a cluster behind the one exactly if it does behind the other, so
    that a cluster of any length can be followed while it arrives. It is as long as
    *cluster* has different code points, at most; mostly two or three.

    Args:
        cluster: The beginning of a cluster, or all of it.

    Examples:
        >>> ascii(open_context("e" + "\u0301" * 1_000))
        "'e\\u0301\\u0301'"
    """
    # All rules look at the last code point; behind joining ones also at the one that
    # they join, at whether any of them is of some sort, at whether all are, and at
    # those behind the last one of some sort. So it is enough to keep where each stands
    # for the last time, and the last one in its place. Regional indicators that belong
    # together are two at most.
    match = _END.search(cluster)
    assert match is not None  # noqa: S101 - the pattern matches the empty text, too
    joining = match.start(1)
    if len(cluster) - joining <= 1:
        return cluster[match.start() :]
    earlier = dict.fromkeys(reversed(cluster[joining:-1]))
    return cluster[match.start() : joining] + "".join(earlier)[::-1] + cluster[-1]


def _boundary_before(text: str, at: int, first: int) -> int:
    """Return a boundary that is not behind *at*, near it if there is one."""
    match = _LAST_TWO_OTHERS.search(text, first, at + 1)
    return match.start() + 1 if match else first
