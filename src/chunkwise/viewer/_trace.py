"""What became of a recording: the chunks of a strategy, and when each came out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .._chunker import Chunker
from .._quote import shown
from .._registry import resolve_strategy
from .._strategy import ChunkingStrategy, parameters, registered_names
from ..sizing import TokenCounter, code_points, resolve_sizer, sizer_name

if TYPE_CHECKING:
    from .._chunk import Chunk
    from .._registry import StrategyLike
    from ..sizing import Sizer
    from ._recording import Recording


_NOTHING = object()
"""What an attribute is that an object does not have."""


class Trace(NamedTuple):
    """The chunks of one strategy over one recording.

    Attributes:
        label: The strategy by its name, with the parameters that are not its defaults.
        chunks: All chunks, in order.
        released: For each chunk the number of the delta that it came out with, from 0;
            the number of deltas for what only the end of the stream released.
        limit: The most that a chunk should have, or ``None``.
        unit: What sizes and *limit* count.
        sizes: The size of each chunk in that unit.
    """

    label: str
    chunks: list[Chunk]
    released: list[int]
    limit: int | None
    unit: str
    sizes: list[int]


def trace(recording: Recording, strategy: StrategyLike) -> Trace:
    """Return what a Chunker makes of *recording*, delta by delta.

    Raises:
        ContractError: The strategy broke its contract.
    """
    resolved = resolve_strategy(strategy)
    chunker = Chunker(resolved)
    chunks: list[Chunk] = []
    released: list[int] = []
    for number, delta in enumerate(recording.deltas):
        new = chunker.feed(delta) if isinstance(delta, str) else chunker.cut()
        if new:
            chunks += new
            released += [number] * len(new)
    last = chunker.flush()
    chunks += last
    released += [len(recording.deltas)] * len(last)
    limit, sizer = size_limit(resolved)
    return Trace(
        label_of(resolved),
        chunks,
        released,
        limit,
        _unit_of(sizer),
        [sizer(chunk) for chunk in chunks],
    )


def size_limit(strategy: ChunkingStrategy[Any]) -> tuple[int | None, Sizer]:
    """Return the most that a chunk should have, and what counts it.

    A strategy says it as its ``max_size``, or as the ``size`` of all its chunks; one
    that cuts the chunks of another has the limit of its *inner* strategy.
    """
    innermost: Any = strategy
    while isinstance(getattr(innermost, "inner", None), ChunkingStrategy):
        innermost = innermost.inner
    for name in ("max_size", "size"):
        limit = getattr(innermost, name, None)
        if isinstance(limit, int):
            return limit, resolve_sizer(getattr(innermost, "sizer", code_points))
    return None, code_points


def label_of(strategy: ChunkingStrategy[Any]) -> str:
    """Return a strategy in few words: its name, and what is not as it is by default.

    Examples:
        >>> from chunkwise import SentenceChunking, WindowChunking
        >>> label_of(WindowChunking(3, by=SentenceChunking("de")))
        "window(window=3, by=sentence(language='de'))"
    """
    cls = type(strategy)
    named = parameters(cls)
    needed = {
        key: getattr(strategy, key, None)
        for key, parameter in named.items()
        if parameter.default is parameter.empty
    }
    try:
        # A default may be a name that the constructor makes a strategy of.
        plain = cls(**needed)
    except (TypeError, ValueError):
        plain = None
    said = [
        f"{key}={_in_few_words(value)}"
        for key in named
        if (value := getattr(strategy, key, _NOTHING)) is not _NOTHING
        and (key in needed or value != getattr(plain, key, _NOTHING))
    ]
    name = registered_names.get(cls, cls.__name__)
    return f"{name}({', '.join(said)})" if said else name


def _in_few_words(value: object) -> str:
    if isinstance(value, ChunkingStrategy):
        return label_of(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_in_few_words, value))})"
    if callable(value):
        return _unit_of(value)
    return shown(value)


def _unit_of(sizer: Any) -> str:
    if isinstance(sizer, TokenCounter):
        return "tokens"
    return str(sizer_name(sizer) or getattr(sizer, "__name__", "units"))
