"""ChunkerState: what a Chunker knows between two deltas, as an immutable value."""

from __future__ import annotations

import binascii
import hashlib
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ._chunk import read_only
from ._quote import quote
from ._strategy import ChunkingStrategy, parameters
from .errors import ContractError, StreamStateError

if TYPE_CHECKING:
    from typing_extensions import Self

_SURROGATE_PAIR = re.compile("(?<=[\ud800-\udbff])(?=[\udc00-\udfff])")

_PLAIN_SIZE = 512
"""Bytes of JSON from which on a strategy's state is written compressed.

With that, and whatever is in it, the form has at most 1 KB beyond its text, dictionary
and metadata, and 16 bytes for each piece that waits or level that is open: such pieces
differ in little but their offsets.
"""

FORMAT = 1
"""Version of JSON form and pickle; grows whenever an older reader would go wrong."""


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
        last_start: The start of the last chunk; -1 before the first.
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

    def __post_init__(self) -> None:
        """Make the two mappings read-only."""
        for name in ("strategy", "metadata"):
            mapping = getattr(self, name)
            if mapping is not None:
                object.__setattr__(self, name, read_only(mapping))

    def to_json(self) -> str:
        """Return the state as a JSON object, on one line.

        Raises:
            ValueError: A metadata value cannot be written as JSON; the message names
                its key.
        """
        for key, value in self.metadata.items():
            _check_json(key, value)
        form = {"format": FORMAT, **_plain_fields(self)}
        form["text"] = _split_pairs(self.text)
        form["strategy_state"] = _pack(_split_pairs(self.strategy_state), self.text)
        return json.dumps(form, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the state that `to_json` wrote.

        Raises:
            StreamStateError: *text* is not such a state, or one of a newer format.
        """
        try:
            form = json.loads(text)
            if not isinstance(form, dict):
                problem = f"found {quote(text)}, expected a JSON object"
                raise _not_a_state(problem)
            version = form.pop("format")
            if type(version) is not int or version < 1:
                problem = f"format is {version!r}, expected 1 to {FORMAT}"
                raise _not_a_state(problem)
            newer = version > FORMAT
        except (
            ValueError,
            KeyError,
            TypeError,
            AttributeError,
            RecursionError,
        ) as error:
            raise _not_a_state(error) from error
        if newer:
            raise _newer(version)
        try:
            text = form["text"] = _join_pairs(form["text"])
            form["strategy_state"] = _join_pairs(_unpack(form["strategy_state"], text))
            state = cls(**form)
        except (
            KeyError,
            TypeError,
            ValueError,
            AttributeError,
            RecursionError,
            zlib.error,
        ) as error:
            raise _not_a_state(error) from error
        _check_fields(state)
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the read-only mappings as the dictionaries that they wrap."""
        return (_rebuild, (_plain_fields(self), FORMAT))


def _plain_fields(state: ChunkerState) -> dict[str, Any]:
    form = {field.name: getattr(state, field.name) for field in fields(state)}
    form["strategy"] = state.strategy and dict(state.strategy)
    form["metadata"] = dict(state.metadata)
    return form


def _rebuild(values: dict[str, Any], version: int) -> ChunkerState:
    if version > FORMAT:
        raise _newer(version)
    return ChunkerState(**values)


def _newer(version: int) -> StreamStateError:
    msg = (
        f"the state has format {version}, expected at most {FORMAT}; it was written by "
        "a newer chunkwise"
    )
    return StreamStateError(msg)


def _check_json(key: str, value: object) -> None:
    """Check that *value* is the same behind a round trip through JSON.

    Raises:
        ValueError: It is not; the message names the key.
    """
    entry = {key: value}
    try:
        again = json.loads(json.dumps(entry, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"metadata key {key!r} cannot be written as JSON: {error}"
        raise ValueError(msg) from error
    if again != entry:
        msg = (
            f"metadata key {key!r} cannot be written as JSON, which makes {again} of it"
        )
        raise ValueError(msg)


def _check_fields(state: ChunkerState) -> None:
    """Check what a JSON form can have wrong.

    Raises:
        StreamStateError: A field has a value of another type, or the offsets do not
            belong together.
    """
    for name, types in _TYPES.items():
        value = getattr(state, name)
        if type(value) not in types:
            expected = " or ".join(kind.__name__ for kind in types)
            problem = f"{name} is {value!r}, expected {expected}"
            raise _not_a_state(problem)
    if state.max_pending is not None and state.max_pending < 0:
        problem = f"max_pending is {state.max_pending}, expected at least 0"
        raise _not_a_state(problem)
    if state.check not in {"verbatim", "full"}:
        problem = f"check is {state.check!r}, expected 'verbatim' or 'full'"
        raise _not_a_state(problem)
    end = state.start + len(state.text)
    places = (state.base, state.last_end)
    if not (
        0 <= state.start <= min(places)
        and max(places) <= end
        and -1 <= state.last_start < state.last_end
        and state.index >= 0
    ):
        problem = f"text at {state.start}:{end} does not fit its offsets"
        raise _not_a_state(problem)


_TYPES: dict[str, tuple[type, ...]] = {
    "fingerprint": (str,),
    "text": (str,),
    "start": (int,),
    "base": (int,),
    "index": (int,),
    "last_start": (int,),
    "last_end": (int,),
    "ended": (bool,),
    "max_pending": (int, type(None)),
}


def _not_a_state(problem: object) -> StreamStateError:
    msg = f"not the JSON form of a ChunkerState: {problem}"
    return StreamStateError(msg)


def _split_pairs(value: object) -> object:
    """Return *value* with strings taken apart that JSON would change.

    The two halves of a surrogate pair can reach a stream as two code points. In JSON
    they would become one, so such a string is written in parts.
    """
    if isinstance(value, tuple):
        return [_split_pairs(item) for item in value]
    if isinstance(value, str) and _SURROGATE_PAIR.search(value):
        return {"parts": _SURROGATE_PAIR.split(value)}
    return value


def _join_pairs(value: Any) -> Any:
    """Return what `_split_pairs` was given; JSON made lists of the tuples."""
    if isinstance(value, list):
        return tuple(_join_pairs(item) for item in value)
    return "".join(value["parts"]) if isinstance(value, dict) else value


def _pack(value: object, text: str) -> object:
    """Return a strategy's state as it is to be written, compressed if it is large.

    A state may have pieces of the pending *text*, which the compressor knows.
    """
    if len(json.dumps(value, separators=(",", ":"))) <= _PLAIN_SIZE:
        return value
    plain = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    packer = zlib.compressobj(level=9, zdict=_known(text))
    packed = packer.compress(plain.encode("utf-8", "surrogatepass")) + packer.flush()
    return {"zlib": binascii.b2a_base64(packed, newline=False).decode()}


def _unpack(value: Any, text: str) -> Any:
    """Return what `_pack` was given.

    Raises:
        ValueError: It was not written by `_pack`.
    """
    if not isinstance(value, dict) or "zlib" not in value:
        return value
    unpacker = zlib.decompressobj(zdict=_known(text))
    plain = unpacker.decompress(binascii.a2b_base64(value["zlib"]))
    if not unpacker.eof or len(value) > 1:
        msg = "the state of the strategy is not complete"
        raise ValueError(msg)
    return json.loads(plain.decode("utf-8", "surrogatepass"))


def _known(text: str) -> bytes:
    """Return what a compressor can look up: it knows no more than 32 KB."""
    return text[-(1 << 15) :].encode("utf-8", "surrogatepass")[-(1 << 15) :]


def strategy_form(strategy: ChunkingStrategy[Any]) -> Mapping[str, Any] | None:
    """Return the dictionary form of *strategy*, or ``None`` where it has none."""
    try:
        return strategy.to_dict()
    except ContractError:
        return None


def fingerprint(strategy: ChunkingStrategy[Any]) -> str:
    """Return what identifies *strategy*: class and parameters, as 16 hex digits.

    The same in every process: a callable counts by its name.
    """
    described = _describe(strategy).encode("utf-8", "backslashreplace")
    return hashlib.sha256(described).hexdigest()[:16]


def _describe(value: object) -> str:  # noqa: PLR0911 - one line for each kind
    if isinstance(value, ChunkingStrategy):
        cls = type(value)
        values = {name: getattr(value, name, None) for name in parameters(cls)}
        return f"{cls.__module__}.{cls.__qualname__}{_describe(values)}"
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_describe, value))}]"
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_describe, value)))}}}"
    if isinstance(value, Mapping):
        items = sorted(f"{_describe(key)}: {_describe(value[key])}" for key in value)
        return f"{{{', '.join(items)}}}"
    if isinstance(value, partial):
        return f"partial{_describe((value.func, value.args, value.keywords))}"
    if callable(value):
        named = value if hasattr(value, "__qualname__") else type(value)
        return f"{getattr(named, '__module__', None)}.{named.__qualname__}"
    return repr(value)


def check_fits(state: ChunkerState, strategy: ChunkingStrategy[Any]) -> None:
    """Check that *state* was taken from a Chunker of this *strategy*.

    Raises:
        StreamStateError: It was not.
    """
    if state.fingerprint != fingerprint(strategy):
        found = state.strategy or f"fingerprint {state.fingerprint}"
        msg = f"the state belongs to another strategy: {found}, expected {strategy!r}"
        raise StreamStateError(msg)
