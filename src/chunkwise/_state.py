"""ChunkerState: what a Chunker knows between two deltas, as an immutable value."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ._chunk import read_only
from ._strategy import parameters
from .errors import ContractError, StreamStateError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

    from ._strategy import ChunkingStrategy

FORMAT = 1
"""Version of the JSON form; grows whenever an older reader would go wrong."""


@dataclass(frozen=True)
class ChunkerState:
    """The state of a stream between two deltas. Immutable; pickles; JSON-safe.

    ``Chunker.state`` takes it, ``Chunker.resume`` continues from it. The offsets are
    stream offsets in code points.

    Attributes:
        strategy: The strategy's dictionary form; ``None`` where it has none.
        fingerprint: Identifies the strategy and its parameters.
        text: Text that was fed and may still be needed.
        start: Where *text* begins.
        base: From where on *text* has not been looked at.
        strategy_state: What the strategy carries from scan to scan.
        index: Number that the next chunk gets.
        last_start: Start of the last chunk; -1 before the first.
        last_end: The furthest end of all chunks so far.
        ended: Whether the stream was flushed.
        max_pending: The Chunker's limit.
        metadata: The stream's metadata.
        check: The Chunker's check.
    """

    strategy: Mapping[str, Any] | None
    fingerprint: str
    text: str
    start: int
    base: int
    strategy_state: Any
    index: int
    last_start: int
    last_end: int
    ended: bool
    max_pending: int | None
    metadata: Mapping[str, object]
    check: Literal["verbatim", "full"]

    def to_json(self) -> str:
        """Return the state as a JSON object, on one line.

        Raises:
            ValueError: A metadata value cannot be written as JSON; the message names
                its key.
        """
        form = {field.name: getattr(self, field.name) for field in fields(self)}
        form["metadata"] = dict(self.metadata)
        form["strategy"] = self.strategy and dict(self.strategy)
        for key, value in self.metadata.items():
            try:
                json.dumps({key: value}, allow_nan=False)
            except (TypeError, ValueError) as error:
                msg = f"metadata key {key!r} cannot be written as JSON: {error}"
                raise ValueError(msg) from error
        return json.dumps({"format": FORMAT, **form}, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the state that `to_json` wrote.

        Raises:
            StreamStateError: *text* is not such a state, or one of a newer format.
        """
        try:
            form = json.loads(text)
            version = form.pop("format")
            known = version <= FORMAT
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            msg = f"not the JSON form of a ChunkerState: {error!r}"
            raise StreamStateError(msg) from error
        if not known:
            msg = (
                f"the state has format {version}, expected at most {FORMAT}; it was "
                "written by a newer chunkwise"
            )
            raise StreamStateError(msg)
        try:
            form["strategy_state"] = _frozen(form["strategy_state"])
            form["metadata"] = read_only(form["metadata"])
            return cls(**form)
        except (KeyError, TypeError) as error:
            msg = f"not the JSON form of a ChunkerState: {error!r}"
            raise StreamStateError(msg) from error

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the read-only metadata as the dictionary that it wraps."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        values["metadata"] = dict(self.metadata)
        values["strategy"] = self.strategy and dict(self.strategy)
        return (_rebuild, (values,))


def _rebuild(values: dict[str, Any]) -> ChunkerState:
    values["metadata"] = read_only(values["metadata"])
    return ChunkerState(**values)


def _frozen(value: object) -> object:
    """Return *value* with the tuples that JSON turned into lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def strategy_form(strategy: ChunkingStrategy[Any]) -> Mapping[str, Any] | None:
    """Return the dictionary form of *strategy*, or ``None`` where it has none."""
    try:
        return MappingProxyType(strategy.to_dict())
    except ContractError:
        return None


def fingerprint(strategy: ChunkingStrategy[Any]) -> str:
    """Return what identifies *strategy*: class and parameters, as 16 hex digits."""
    cls = type(strategy)
    values = {name: getattr(strategy, name, None) for name in parameters(cls)}
    told = f"{cls.__module__}.{cls.__qualname__} {values}"
    return hashlib.sha256(told.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def check_fits(state: ChunkerState, strategy: ChunkingStrategy[Any]) -> None:
    """Check that *state* was taken from a Chunker of this *strategy*.

    Raises:
        StreamStateError: It was not.
    """
    if state.fingerprint != fingerprint(strategy):
        found = state.strategy or f"fingerprint {state.fingerprint}"
        msg = f"the state belongs to another strategy: {found}, expected {strategy!r}"
        raise StreamStateError(msg)
