"""The other chunkers of streams, as far as they are installed."""

from __future__ import annotations

import importlib
import importlib.util
from functools import cache
from importlib.metadata import PackageNotFoundError, files, version
from typing import TYPE_CHECKING, Any, NamedTuple

from ._report import digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from types import ModuleType

    from ._timing import Stream


class Peer(NamedTuple):
    """Another library.

    Attributes:
        name: Its name on PyPI.
        version: What is installed; ``None`` when it is not.
        offers: Our names of the strategies that it has.
        starts: For each of these what opens a new stream; empty when not installed.
    """

    name: str
    version: str | None
    offers: frozenset[str]
    starts: Mapping[str, Callable[[], Stream]]

    def absence(self, strategy: str) -> str:
        """Return what a table says in place of a number."""
        return "not installed" if strategy in self.offers else "-"


@cache
def peers() -> tuple[Peer, Peer]:
    """Return ``mellea`` and ``sentence-stream``."""
    return (_mellea(), _sentence_stream())


def peer_starts(strategy: str) -> dict[str, Callable[[], Stream]]:
    """Return what opens a stream, by the names of the peers that have *strategy*."""
    return {
        peer.name: peer.starts[strategy] for peer in peers() if strategy in peer.starts
    }


def peer_head() -> list[str]:
    """Return the columns that `peer_cells` fills."""
    return [name for peer in peers() for name in (peer.name, "ratio")]


def peer_cells(
    strategy: str, ours: float, theirs: Mapping[str, float], unit: str
) -> list[str]:
    """Return two cells a peer: its number, and the ratio of ours to it.

    Args:
        strategy: What was measured.
        ours: The number of chunkwise, in *unit*.
        theirs: The numbers by peer; those without one get the reason in its place.
        unit: Written behind the numbers.
    """
    cells: list[str] = []
    for peer in peers():
        if peer.name in theirs:
            number = theirs[peer.name]
            cells += [f"{digits(number)} {unit}", digits(ours / number)]
        else:
            cells += [peer.absence(strategy)] * 2
    return cells


def _mellea() -> Peer:
    offers = frozenset({"sentence", "word", "paragraph"})
    module = _mellea_chunking()
    if module is None:
        return Peer("mellea", None, offers, {})
    chunker, resolve = module.Chunker, module.resolve_chunking_strategy

    def start(strategy: str) -> Callable[[], Stream]:
        return lambda: chunker(resolve(strategy))

    return Peer(
        "mellea", version("mellea"), offers, {name: start(name) for name in offers}
    )


def _mellea_chunking() -> ModuleType | None:
    """Load the one module that matters here.

    It needs the standard library alone. Importing the package around it would need a
    dozen libraries and start clients.
    """
    try:
        installed = files("mellea") or []
    except PackageNotFoundError:
        return None
    for file in installed:
        if file.as_posix() == "mellea/core/chunking.py":
            spec = importlib.util.spec_from_file_location(
                "mellea_chunking", str(file.locate())
            )
            if spec is not None and spec.loader is not None:
                module = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(module)
                return module
    return None


def _sentence_stream() -> Peer:
    name, offers = "sentence-stream", frozenset({"sentence"})
    try:
        module = importlib.import_module("sentence_stream")
    except ModuleNotFoundError:
        return Peer(name, None, offers, {})

    def start() -> Stream:
        return _DetectorStream(module.SentenceBoundaryDetector())

    return Peer(name, version(name), offers, {"sentence": start})


class _DetectorStream:
    """Sentence-stream's detector under our names.

    Its ``add_chunk`` is a generator, which does its work while it is read. The call
    that this class adds is about one hundredth of that work.
    """

    def __init__(self, detector: Any) -> None:
        self._add: Callable[[str], Iterable[str]] = detector.add_chunk
        self.flush: Callable[[], str] = detector.finish

    def feed(self, delta: str, /) -> list[str]:
        return list(self._add(delta))
