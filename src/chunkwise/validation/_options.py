"""The options of a stream, checked: what ``validate`` passes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from .._numbers import check_count
from .._quote import shown
from ._check import check_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .._registry import StrategyLike
    from ._events import Event

Release: TypeAlias = Literal["hold", "end", "optimistic", "observe"]
"""When text is released; ``validate`` says what each word means."""


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """What the entry points pass on; they describe it.

    Raises:
        TypeError: A number is no ``int``, or *observer* cannot be called.
        ValueError: A value that is not allowed, or options that exclude each other.
    """

    strategy: StrategyLike = "sentence"
    release: Release = "hold"
    hold_back: int = 0
    on_reject: Literal["raise", "stop"] = "raise"
    max_pending: int | None = None
    on_limit: Literal["raise", "cut"] = "raise"
    metadata: Mapping[str, object] | None = None
    observer: Callable[[Event], object] | None = None

    def __post_init__(self) -> None:
        check_choice("release", self.release, ("hold", "end", "optimistic", "observe"))
        check_choice("on_reject", self.on_reject, ("raise", "stop"))
        check_choice("on_limit", self.on_limit, ("raise", "cut"))
        check_count("hold_back", self.hold_back, 0)
        if self.observer is not None and not callable(self.observer):
            msg = f"observer must be callable, got {shown(self.observer)}"
            raise TypeError(msg)
        if self.hold_back and self.release != "hold":
            msg = (
                f"hold_back={self.hold_back} goes with release='hold' only, got "
                f"{self.release!r}"
            )
            raise ValueError(msg)
        if self.on_limit == "cut" and self.max_pending is None:
            msg = "on_limit='cut' needs max_pending"
            raise ValueError(msg)
