"""ChunkerState: what a Chunker knows between two deltas, as an immutable value."""

from __future__ import annotations

import binascii
import hashlib
import json
import re
import zlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from math import inf
from operator import is_
from typing import TYPE_CHECKING, Any, Literal

from typing_extensions import override

from ._chunk import read_only
from ._quote import quote, shown
from ._strategy import ChunkingStrategy, parameters
from .errors import ContractError, StreamStateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

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


class _Copies(Mapping[str, Any]):
    """A mapping whose containers go in and out as copies, so that nobody changes it.

    Both is cheaper than it looks: a state is read once, if ever, and most metadata are
    a few strings. Containers that cannot change would come back as other types.
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = {key: _copy_of(value, {}) for key, value in values.items()}

    @override
    def __getitem__(self, key: str) -> Any:
        return _copy_of(self._values[key], {})

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    @override
    def __len__(self) -> int:
        return len(self._values)

    @override
    def __repr__(self) -> str:
        return repr(self._values)


_CONTAINERS: tuple[Any, ...] = (dict, list, deque, set, bytearray)


def _copy_of(value: Any, done: dict[int, Any]) -> Any:
    """Return *value*, or a copy where it is a container; see `ChunkerState`.

    A type of a caller's own may not let itself be copied, so what comes out is plain.

    Args:
        value: Any object; a container may have itself inside.
        done: The copies by the ``id()`` of what they are copies of.
    """
    if isinstance(value, tuple):
        return _tuple_copy(value, done)
    kind = next((kind for kind in _CONTAINERS if isinstance(value, kind)), None)
    if kind is None:
        return value
    if id(value) in done:
        return done[id(value)]
    copy: Any = deque(maxlen=value.maxlen) if kind is deque else kind()
    done[id(value)] = copy
    if kind is dict:
        copy.update((key, _copy_of(item, done)) for key, item in value.items())
    elif kind in (list, deque):
        copy.extend(_copy_of(item, done) for item in value)
    elif kind is set:
        copy.update(value)
    else:
        copy.extend(value)
    return copy


def _tuple_copy(value: tuple[Any, ...], done: dict[int, Any]) -> tuple[Any, ...]:
    """Return *value*, or one of its type where there is something to copy inside."""
    items = [_copy_of(item, done) for item in value]
    if all(map(is_, items, value)):
        return value
    copy = tuple.__new__(type(value), items)
    if hasattr(copy, "__dict__"):
        vars(copy).update(vars(value))
    return copy


@dataclass(frozen=True)
class ChunkerState:
    """The state of a stream between two deltas. Immutable; pickles; JSON-safe.

    ``Chunker.state`` takes it, ``Chunker.resume`` continues from it. The offsets are
    stream offsets in code points.

    Dictionaries, lists, tuples, sets, deques and byte arrays in the two mappings are
    copied on their way in, and again whenever they are looked at, so a change to one
    that was given or looked at changes no state. The copies have these types, whatever
    was given: an ``OrderedDict`` becomes a dictionary, as it does in JSON. Tuples keep
    the type that they have. Other objects in the metadata are those that were given.

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
        """Hold copies of the two mappings."""
        for name in ("strategy", "metadata"):
            mapping = getattr(self, name)
            if mapping is not None:
                object.__setattr__(self, name, _Copies(read_only(mapping)))

    def to_json(self) -> str:
        """Return the state as a JSON object, on one line.

        Raises:
            ValueError: A metadata value cannot be written as JSON, and the message
                names its key; or what the strategy carries on cannot.
        """
        for key, value in self.metadata.items():
            _check_json(key, value)
        form = {"format": FORMAT, **_plain_fields(self)}
        try:
            form["checksum"] = _checksum(self)
        except (TypeError, ValueError, RecursionError) as error:
            msg = (
                f"strategy_state is {shown(self.strategy_state)}, which cannot be "
                f"written as JSON: {error}"
            )
            raise ValueError(msg) from error
        form["text"] = _split_pairs(self.text)
        form["strategy_state"] = _pack(_split_pairs(self.strategy_state), self.text)
        return json.dumps(form, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the state that `to_json` wrote.

        Raises:
            StreamStateError: *text* is not such a state, or one of a newer format.
        """
        form = _read_object(text)
        _check_keys(form, {"format", "checksum", *_plain_names(cls)})
        del form["format"]
        checksum = form.pop("checksum")
        form["text"] = _as_written("text", form, _join_pairs)
        _check_fields(form)
        unpack = partial(_unpack, text=form["text"])
        form["strategy_state"] = _as_written("strategy_state", form, unpack)
        state = cls(**form)
        expected = _checksum(state)
        if checksum != expected:
            problem = (
                f"checksum is {shown(checksum)}, expected {expected}; strategy_state, "
                "text or a number is not what to_json() wrote"
            )
            raise _not_a_state(problem)
        return state

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the two mappings as dictionaries."""
        return (_rebuild, (_plain_fields(self), FORMAT))


def _plain_names(cls: type[ChunkerState]) -> list[str]:
    return [field.name for field in fields(cls)]


def _plain_fields(state: ChunkerState) -> dict[str, Any]:
    form = {name: getattr(state, name) for name in _plain_names(type(state))}
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


def _read_object(text: str) -> dict[str, Any]:
    """Return the JSON object that *text* is, of a format that is known here.

    Raises:
        StreamStateError: It is no object, or one of another format.
    """
    try:
        form = json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"found {shown(text)}, expected a JSON object: {error}"
        raise _not_a_state(problem) from error
    if not isinstance(form, dict):
        problem = f"found {shown(text)}, expected a JSON object"
        raise _not_a_state(problem)
    version = form.get("format", _NO_FORMAT)
    if type(version) is not int or version < 1:
        found = "no format" if version is _NO_FORMAT else f"format {shown(version)}"
        problem = f"found {found}, expected one of 1..{FORMAT}"
        raise _not_a_state(problem)
    if version > FORMAT:
        # Its keys may be others, so this is said first.
        raise _newer(version)
    return form


def _check_keys(form: Mapping[str, Any], expected: AbstractSet[str]) -> None:
    """Check that a JSON form has these keys.

    Raises:
        StreamStateError: One is missing, or there are others.
    """
    if form.keys() != expected:
        missing = ", ".join(map(repr, sorted(expected - form.keys())))
        others = ", ".join(map(quote, sorted(form.keys() - expected)))
        found = " and ".join(
            [f"no {missing}"] * bool(missing) + [f"also {others}"] * bool(others)
        )
        problem = f"found {found}, expected the keys {', '.join(sorted(expected))}"
        raise _not_a_state(problem)


def _as_written(name: str, form: Mapping[str, Any], read: Callable[[Any], Any]) -> Any:
    """Return what was written under a key, and *read* takes out of it again.

    Raises:
        StreamStateError: It cannot be read.
    """
    try:
        return read(form[name])
    except (LookupError, TypeError, ValueError, RecursionError, zlib.error) as error:
        found = f"{name} is {shown(form[name])}"
        problem = f"{found}, expected what to_json() wrote there: {error!r}"
        raise _not_a_state(problem) from error


def _check_fields(form: Mapping[str, Any]) -> None:
    """Check what the fields of a JSON form can have wrong.

    Raises:
        StreamStateError: A field has a value of another type, or the offsets do not
            belong together.
    """
    for name, types in _TYPES.items():
        if type(form[name]) not in types:
            expected = " or ".join(_IN_JSON[kind] for kind in types)
            problem = f"{name} is {shown(form[name])}, expected {expected}"
            raise _not_a_state(problem)
    if form["check"] not in ("verbatim", "full"):
        problem = f"check is {shown(form['check'])}, expected 'verbatim' or 'full'"
        raise _not_a_state(problem)
    start = form["start"]
    end = start + len(form["text"])
    bounds = {
        "start": (0, inf),
        "base": (start, end),
        "last_end": (start, end),
        "last_start": (-1, form["last_end"] - 1),
        "index": (0, inf),
        "max_pending": (0, inf),
    }
    for name, (least, most) in bounds.items():
        value = form[name]
        if value is not None and not least <= value <= most:
            expected = f"at least {least}" if most == inf else f"{least}..{most}"
            problem = f"{name} is {value}, expected {expected}"
            raise _not_a_state(problem)


_NO_FORMAT = object()

_TYPES: dict[str, tuple[type, ...]] = {
    "strategy": (dict, type(None)),
    "fingerprint": (str,),
    "text": (str,),
    "start": (int,),
    "base": (int,),
    "index": (int,),
    "last_start": (int,),
    "last_end": (int,),
    "ended": (bool,),
    "max_pending": (int, type(None)),
    "metadata": (dict,),
}

_IN_JSON = {
    dict: "an object",
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    type(None): "null",
}
"""What JSON calls the types."""


def _not_a_state(problem: str) -> StreamStateError:
    msg = f"not the JSON form of a ChunkerState: {problem}"
    return StreamStateError(msg)


def _checksum(state: ChunkerState) -> int:
    """Return what tells whether a JSON form is still what was written.

    It covers what the cuts depend on, and not what a caller may set: the limit and the
    metadata. What a strategy carries on has no form that could be checked from outside,
    and a wrong one need not fail: it may cut elsewhere. This is no signature.
    """
    covered = [
        state.fingerprint,
        state.text,
        state.start,
        state.base,
        state.strategy_state,
        state.index,
        state.last_start,
        state.last_end,
        state.ended,
        state.check,
    ]
    return zlib.crc32(json.dumps(covered).encode())


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
    """Return the state that `_split_pairs` and `_pack` made this of.

    Raises:
        ValueError: They did not. Other errors say the same.
    """
    if not isinstance(value, dict) or "zlib" not in value:
        return _join_pairs(value)
    unpacker = zlib.decompressobj(zdict=_known(text))
    plain = unpacker.decompress(binascii.a2b_base64(value["zlib"]))
    if not unpacker.eof or len(value) > 1:
        msg = "the state of the strategy is not complete"
        raise ValueError(msg)
    return _join_pairs(json.loads(plain.decode("utf-8", "surrogatepass")))


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
