"""ChunkerState: what a stream is between two deltas, as a value."""

from __future__ import annotations

import copy
import functools
import json
import pickle
import subprocess
import sys
import time
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from typing_extensions import override

from chunkwise import (
    Chunker,
    ChunkerState,
    ChunkingStrategy,
    LineChunking,
    ParagraphChunking,
    SentenceChunking,
    StreamStateError,
    WindowChunking,
    WordChunking,
)
from tests.examples import SemicolonChunking
from tests.texts import every_strategy

if TYPE_CHECKING:
    from collections.abc import Callable

PLAIN = SentenceChunking(rules="plain")


@dataclass(frozen=True)
class Sized(ChunkingStrategy):
    """Level 1, unregistered, with a parameter that no dictionary can carry."""

    count: Callable[[str], int]

    @override
    def split(self, text: str) -> list[str]:
        return []


def a_state() -> ChunkerState:
    chunker = Chunker(PLAIN, max_pending=50, metadata={"id": 7})
    chunker.feed(" One.  Two")
    return chunker.state


def count_words(text: str) -> int:
    return len(text.split())


HELD: dict[str, Any] = {
    "function": count_words,
    "tuple": (count_words, len),
    "strategy": Sized(count_words),
    "strategies": ("word", Sized(count_words)),
    "set": frozenset({"one", "two", "three", "four"}),
    "mapping": {"by": count_words, "words": Sized(count_words), "a": {"b", "c"}},
    "partial": functools.partial(count_words, "a b"),
}
"""What the parameter of a strategy may be, in a fingerprint."""


def test_a_state_says_where_the_stream_stands() -> None:
    state = a_state()
    assert state.strategy == PLAIN.to_dict()
    assert state.text[-3:] == "Two"
    assert state.start <= state.base <= state.start + len(state.text) == 10
    assert (state.index, state.last_end) == (1, 5)
    assert (state.ended, state.max_pending) == (False, 50)
    assert state.metadata == {"id": 7}


def test_the_state_of_a_new_chunker_is_that_of_an_empty_stream() -> None:
    state = Chunker("word").state
    assert (state.text, state.start, state.base, state.index) == ("", 0, 0, 0)
    assert (state.last_end, state.ended, state.max_pending) == (0, False, None)
    assert state == Chunker("word").state


def test_a_state_goes_on_after_its_chunker_is_gone() -> None:
    chunker = Chunker.resume(PLAIN, ChunkerState.from_json(a_state().to_json()))
    chunks = chunker.feed(". Three")
    assert chunks == ["Two."]
    (chunk,) = chunks
    assert (chunk.start, chunk.index, chunk.gap) == (7, 1, "  ")
    assert chunk.metadata == {"id": 7}


def test_the_state_of_a_stream_that_ended_has_ended() -> None:
    chunker = Chunker("word")
    chunker.feed("one two ")
    chunker.flush()
    again = Chunker.resume("word", ChunkerState.from_json(chunker.state.to_json()))
    assert again.tail == " "
    assert again.pending == ""
    assert again.flush() == []
    with pytest.raises(StreamStateError, match=r"after flush\(\)"):
        again.feed("three")


def test_a_state_fits_every_form_of_its_strategy() -> None:
    state = Chunker("line").state
    for form in ("line", LineChunking(), {"type": "line"}, LineChunking().to_dict()):
        assert Chunker.resume(form, state).feed("a\n") == ["a\n"]


@pytest.mark.parametrize(
    ("taken", "resumed"),
    [
        pytest.param(WordChunking(), LineChunking(), id="class"),
        pytest.param(LineChunking(), LineChunking(keep_ends=False), id="parameter"),
        pytest.param(ParagraphChunking(strict=True), ParagraphChunking(), id="default"),
        pytest.param(Sized(len), Sized(int), id="unregistered"),
        pytest.param(SemicolonChunking(), WordChunking(), id="other unregistered"),
    ],
)
def test_a_state_of_another_strategy_is_refused(
    taken: ChunkingStrategy[Any], resumed: ChunkingStrategy[Any]
) -> None:
    state = Chunker(taken).state
    with pytest.raises(StreamStateError, match="another strategy") as caught:
        Chunker.resume(resumed, state)
    assert repr(resumed) in str(caught.value)


def test_the_error_shows_the_strategy_that_the_state_belongs_to() -> None:
    with pytest.raises(StreamStateError, match=r"'keep_ends': False"):
        Chunker.resume("line", Chunker(LineChunking(keep_ends=False)).state)
    state = Chunker(SemicolonChunking()).state
    with pytest.raises(StreamStateError, match=f"fingerprint {state.fingerprint}"):
        Chunker.resume("line", state)


def test_a_strategy_without_a_dictionary_form_is_known_by_its_fingerprint() -> None:
    state = Chunker(Sized(len)).state
    assert state.strategy is None
    assert len(state.fingerprint) == 16
    again = ChunkerState.from_json(state.to_json())
    assert again == state
    assert Chunker.resume(Sized(len), again).feed("a") == []


def test_fingerprints_tell_parameters_apart() -> None:
    prints = {
        Chunker(strategy).state.fingerprint
        for strategy in (
            LineChunking(),
            LineChunking(keep_ends=False),
            ParagraphChunking(),
            ParagraphChunking(strict=True),
            WordChunking(),
            SemicolonChunking(),
        )
    }
    assert len(prints) == 6


@pytest.mark.parametrize(
    "count", [len, str.__len__, "ab".count, functools.partial(len), lambda _: 3]
)
def test_a_fingerprint_can_be_taken_of_any_callable(
    count: Callable[[str], int],
) -> None:
    state = Chunker(Sized(count)).state
    assert Chunker.resume(Sized(count), state).state == state


@pytest.mark.parametrize("name", HELD)
def test_a_fingerprint_is_the_same_in_every_process(name: str) -> None:
    """Nothing of it depends on where an object lies in memory, or on hash seeds."""
    code = (
        "from chunkwise import Chunker; from tests.test_state import HELD, Sized; "
        f"print(Chunker(Sized(HELD[{name!r}])).state.fingerprint)"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent.parent,
    )
    assert done.stdout.strip() == Chunker(Sized(HELD[name])).state.fingerprint


def test_a_state_pickles() -> None:
    for state in (a_state(), Chunker(SemicolonChunking()).state):
        assert pickle.loads(pickle.dumps(state)) == state  # noqa: S301 - our own pickle


def test_fingerprints_tell_what_is_inside_apart() -> None:
    """A strategy inside another counts with its own parameters."""
    prints = {
        Chunker(Sized(inside)).state.fingerprint  # type: ignore[arg-type]  # as above
        for inside in (LineChunking(), LineChunking(keep_ends=False), WordChunking())
    }
    assert len(prints) == 3


def test_a_fingerprint_can_be_taken_of_any_text_parameter() -> None:
    @dataclass(frozen=True)
    class Named(ChunkingStrategy):
        name: str

        @override
        def split(self, text: str) -> list[str]:
            return []

    state = Chunker(Named("\ud800")).state
    assert state.fingerprint != Chunker(Named("\ud801")).state.fingerprint


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(object(), id="object"),
        {1, 2},
        b"a",
        float("nan"),
        [float("inf")],
        "\ud83d\ude00",
        ["\ud83d\ude00"],
    ],
    ids=ascii,
)
def test_a_metadata_value_that_json_cannot_carry_is_named(value: object) -> None:
    chunker = Chunker("word", metadata={"fine": 1, "source of it": value})
    with pytest.raises(ValueError, match="metadata key 'source of it'"):
        chunker.state.to_json()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ud83d", id="high"),
        pytest.param("\ude00", id="low"),
        pytest.param("\ude00\ud83d", id="low and high"),
        pytest.param("\ud83d.\ude00", id="high and low apart"),
    ],
)
def test_json_carries_surrogates_that_it_does_not_join(text: str) -> None:
    state = Chunker("word", metadata={"text": text}).state
    assert ChunkerState.from_json(state.to_json()).metadata == {"text": text}


@pytest.mark.parametrize("check", ["verbatim", "full"])
@pytest.mark.parametrize(
    "text", ["\ud83d\ude00", "a\ud83d\ude00b\ud83d\ude00", "\ud83d\ud83d\ude00\ude00"]
)
def test_surrogates_that_json_would_join_stay_apart(text: str, check: Any) -> None:
    """They can reach a stream as two code points, and offsets count them as two."""
    chunker = Chunker("word", check=check)
    chunker.feed(text)
    state = ChunkerState.from_json(chunker.state.to_json())
    assert state == chunker.state
    assert Chunker.resume("word", state).flush() == [text]


def by_hand(state: ChunkerState) -> ChunkerState:
    values = {field.name: getattr(state, field.name) for field in fields(state)}
    return ChunkerState(**values)


def by_json(state: ChunkerState) -> ChunkerState:
    return ChunkerState.from_json(state.to_json())


@pytest.mark.parametrize("carry", [by_hand, by_json, copy.copy, copy.deepcopy])
def test_what_is_inside_of_a_state_cannot_be_changed(
    carry: Callable[[ChunkerState], ChunkerState],
) -> None:
    metadata: dict[str, Any] = {"a": [1, {"b": [2]}], "c": {"d": []}}
    chunker = Chunker(WindowChunking(2, by=PLAIN), metadata=metadata)
    state = chunker.state
    expected = json.loads(json.dumps(metadata))
    written = state.to_json()
    metadata["a"][1]["b"].append(3)
    metadata["c"]["e"] = 4
    for each in (state, carry(state)):
        found: Any = each.metadata
        assert found == expected
        assert repr(found) == repr(expected)
        found["a"][1]["b"].append(3)
        found["c"]["d"].append(3)
        next(iter(found.values())).clear()
        inner: Any = each.strategy
        inner["by"]["language"] = "de"
        inner["by"]["protect_tags"].append("b")
        assert each.to_json() == written
        resumed = Chunker.resume(WindowChunking(2, by=PLAIN), each)
        (chunk,) = resumed.feed("One. Two. Three.")
        assert chunk.metadata == expected
        chunk.metadata["a"].append(5)  # type: ignore[attr-defined]  # it is a list
        assert each.to_json() == written


def test_metadata_of_any_kind_are_held() -> None:
    """Also such as JSON does not know; what is no container is held as it is."""
    loop: list[Any] = [1]
    loop.append(loop)
    given = {"loop": loop, "pair": (1, [2]), "set": {3}, "other": object()}
    state = Chunker("word", metadata=given).state
    found: Any = state.metadata
    again = found["loop"]
    assert again[0] == 1
    assert again[1] is again is not loop
    assert found["pair"] == (1, [2])
    assert found["pair"][1] is not given["pair"][1]  # type: ignore[index]  # a tuple
    assert found["set"] == {3}
    assert found["set"] is not given["set"]
    assert found["other"] is given["other"]


class Attributes(dict[str, Any]):
    """A dictionary whose keys are attributes too, as many a client has one."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


class Frozen(dict[str, Any]):
    """A dictionary that cannot change, and not be copied as others are."""

    @override
    def __setitem__(self, key: str, value: Any) -> None:
        raise TypeError


class Lines(list[Any]):
    """A list of a type of its own."""


class Pair(NamedTuple):
    """Two values, as a tuple of a type of its own."""

    first: Any
    second: Any


class Tagged(tuple[Any, ...]):  # noqa: SLOT001 - has an attribute
    """A tuple with an attribute."""

    tag = ""


@pytest.mark.parametrize(
    "kind", [OrderedDict, functools.partial(defaultdict, list), Attributes, Frozen]
)
def test_what_is_inside_of_a_dictionary_of_any_type_is_copied(
    kind: Callable[..., Any],
) -> None:
    given = kind({"a": [1], "b": Lines([[2]])})
    state = Chunker("word", metadata={"o": given}).state
    written = state.to_json()
    found: Any = state.metadata
    for each in (given, found["o"], found["o"]):
        each["a"].append(3)
        each["b"][0].append(3)
        each["b"].append(3)
        assert state.to_json() == written
    assert found["o"] == {"a": [1], "b": [[2]]}


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (OrderedDict(b=[1], a=2), dict),
        (defaultdict(list, a=[1]), dict),
        (Counter("abca"), dict),
        (Attributes(a=[1]), dict),
        (Frozen(a=[1]), dict),
        (Lines([[1], 2]), list),
        (deque([[1], 2, 3], maxlen=3), deque),
        (bytearray(b"ab"), bytearray),
        ({1, 2}, set),
        (Pair([1], 2), Pair),
        (Pair(1, 2), Pair),
        ((1, [2]), tuple),
    ],
    ids=repr,
)
def test_a_container_comes_out_equal_and_with_a_plain_type(
    given: Any, kind: type
) -> None:
    state = Chunker("word", metadata={"of": given}).state
    (found,) = state.metadata.values()
    assert found == given
    assert type(found) is kind


def test_a_dictionary_keeps_the_order_that_its_type_gives_it() -> None:
    given = OrderedDict(b=1, a=2)
    given.move_to_end("b")
    found: Any = Chunker("word", metadata={"of": given}).state.metadata["of"]
    assert list(found) == ["a", "b"]


def test_what_a_deque_or_a_tuple_says_about_itself_stays_with_its_copy() -> None:
    tagged = Tagged([[1]])
    tagged.tag = "a"
    given = {"last": deque([[1], 2, 3], maxlen=3), "tagged": tagged}
    found: Any = Chunker("word", metadata=given).state.metadata
    last = found["last"]
    last.append(4)
    assert list(last) == [2, 3, 4]
    assert found["tagged"].tag == "a"


@pytest.mark.parametrize(
    ("given", "change"),
    [
        (deque([1]), lambda value: value.append(2)),
        (deque([[1]]), lambda value: value[0].append(2)),
        (bytearray(b"a"), lambda value: value.extend(b"b")),
        ({1}, lambda value: value.add(2)),
        (Pair([1], 2), lambda value: value.first.append(2)),
        (Tagged([{"a": 1}]), lambda value: value[0].clear()),
    ],
    ids=["deque", "inside of a deque", "bytearray", "set", "named tuple", "tuple"],
)
def test_a_state_of_what_json_does_not_know_does_not_change_either(
    given: Any, change: Callable[[Any], None]
) -> None:
    expected = copy.deepcopy(given)
    state = Chunker("word", metadata={"of": given}).state
    change(given)
    for _ in range(2):
        (found,) = state.metadata.values()
        assert found == expected
        change(found)


def test_a_tuple_without_anything_to_copy_is_the_one_that_was_given() -> None:
    given = time.gmtime(0)
    state = Chunker("word", metadata={"at": given}).state
    assert state.metadata["at"] is given


def test_json_carries_metadata_of_every_kind_that_it_knows() -> None:
    metadata = {"a": None, "b": [1, 2.5, True], "c": {"d": "\u2028"}}
    state = Chunker("word", metadata=metadata).state
    assert ChunkerState.from_json(state.to_json()).metadata == metadata


def written() -> dict[str, Any]:
    form = json.loads(a_state().to_json())
    assert isinstance(form, dict)
    return form


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="half"),
        pytest.param("[]", id="array"),
        pytest.param("7", id="number"),
        pytest.param("null", id="null"),
        pytest.param("{}", id="empty object"),
        pytest.param('{"format": 1}', id="format alone"),
        pytest.param('{"format": null}', id="no format"),
        pytest.param('{"format": "1"}', id="format as text"),
        pytest.param(json.dumps({**written(), "more": 1}), id="one field more"),
        pytest.param(json.dumps({**written(), "metadata": 7}), id="metadata number"),
        pytest.param(json.dumps({**written(), "metadata": "abc"}), id="metadata text"),
    ],
)
def test_what_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(StreamStateError, match="not the JSON form of a ChunkerState"):
        ChunkerState.from_json(text)


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"text": ""}, id="text too short"),
        pytest.param({"start": -1}, id="start before the stream"),
        pytest.param({"base": 99}, id="base behind the text"),
        pytest.param({"base": 0}, id="base before the text"),
        pytest.param({"last_start": 5}, id="last start behind its end"),
        pytest.param({"last_start": -2}, id="last start before the stream"),
        pytest.param({"last_end": 99}, id="last end behind the text"),
        pytest.param({"last_end": 0}, id="last end before the text"),
        pytest.param({"start": None}, id="start missing"),
        pytest.param({"text": 7}, id="text is a number"),
        pytest.param({"text": None}, id="text is missing"),
        pytest.param({"text": {"part": ["a"]}}, id="text in an unknown form"),
        pytest.param({"check": "some"}, id="unknown check"),
        pytest.param({"index": "3"}, id="index is text"),
        pytest.param({"ended": 1}, id="ended is a number"),
        pytest.param({"max_pending": True}, id="limit is a bool"),
        pytest.param({"max_pending": -1}, id="limit is negative"),
    ],
)
def test_a_state_that_does_not_fit_together_is_refused(
    changed: dict[str, object],
) -> None:
    with pytest.raises(StreamStateError, match="not the JSON form of a ChunkerState"):
        ChunkerState.from_json(json.dumps({**written(), **changed}))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "found '', expected a JSON object: .* line 1 column 1"),
        ("[]", r"found '\[\]', expected a JSON object$"),
        (None, "found None, expected a JSON object"),
        ("{}", r"found no format, expected one of 1\.\.1$"),
        ('{"format": null}', r"found format None, expected one of 1\.\.1$"),
        ('{"format": 0}', r"found format 0, expected one of 1\.\.1$"),
    ],
    ids=["nothing", "array", "None", "empty object", "null", "format 0"],
)
def test_what_is_no_state_is_said(text: Any, says: str) -> None:
    with pytest.raises(StreamStateError, match=says):
        ChunkerState.from_json(text)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"base": 99}, r"base is 99, expected 5\.\.10"),
        ({"start": -1}, "start is -1, expected at least 0"),
        ({"last_start": -2}, r"last_start is -2, expected -1\.\.4"),
        ({"index": -1}, "index is -1, expected at least 0"),
        ({"text": 7}, "text is 7, expected a string"),
        ({"strategy": 7}, "strategy is 7, expected an object or null"),
        ({"metadata": None}, "metadata is None, expected an object"),
        ({"ended": 1}, "ended is 1, expected true or false"),
        ({"check": []}, r"check is \[\], expected 'verbatim' or 'full'"),
        ({"more": 1}, "found also 'more', expected the keys"),
        ({"strategy_state": {"parts": 7}}, "strategy_state is .*'parts': 7"),
        ({"checksum": None}, "checksum is None, expected [0-9]+"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_what_is_wrong_about_a_field_is_said(
    changed: dict[str, object], says: str
) -> None:
    with pytest.raises(StreamStateError, match=says):
        ChunkerState.from_json(json.dumps({**written(), **changed}))


def test_missing_and_unknown_keys_are_said_together() -> None:
    form = {**written(), "more": 1}
    del form["text"]
    says = "found no 'text' and also 'more', expected the keys base, check, checksum"
    with pytest.raises(StreamStateError, match=says):
        ChunkerState.from_json(json.dumps(form))


@every_strategy()
@pytest.mark.parametrize("wrong", [None, [1, 2, 3], [], 7, "state", True])
def test_a_state_of_a_strategy_that_was_not_written_is_refused(
    strategy: ChunkingStrategy[Any], wrong: object
) -> None:
    """Also where it is the right one for another text, as ``null`` often is."""
    chunker = Chunker(strategy)
    chunker.feed("One. Two thr")
    form = json.loads(chunker.state.to_json())
    if json.dumps(form["strategy_state"]) == json.dumps(wrong):
        wrong = [wrong]
    form["strategy_state"] = wrong
    with pytest.raises(StreamStateError, match=r"checksum .* strategy_state, text or"):
        ChunkerState.from_json(json.dumps(form))


def test_what_a_caller_may_set_is_not_in_the_checksum() -> None:
    form = {**written(), "max_pending": None, "metadata": {"id": 8}}
    chunker = Chunker.resume(PLAIN, ChunkerState.from_json(json.dumps(form)))
    (chunk,) = chunker.feed(". Three" * 20)[:1]
    assert chunk.metadata == {"id": 8}


def test_a_state_of_a_strategy_that_json_cannot_carry_is_named() -> None:
    @dataclass(frozen=True)
    class Collecting(ChunkingStrategy[Any]):
        """Level 2, with a state of a type that is not allowed."""

        @override
        def begin(self, offset: int) -> Any:
            return {offset}

        @override
        def scan(self, text: str, base: int, state: Any, final: bool = False) -> Any:
            raise AssertionError

    with pytest.raises(ValueError, match=r"strategy_state is \{0\}, which cannot be"):
        Chunker(Collecting()).state.to_json()


@pytest.mark.parametrize("name", sorted(written()))
def test_a_state_that_lacks_a_field_is_refused(name: str) -> None:
    form = written()
    del form[name]
    with pytest.raises(StreamStateError, match="not the JSON form of a ChunkerState"):
        ChunkerState.from_json(json.dumps(form))


def test_a_newer_format_is_refused_with_the_reason() -> None:
    with pytest.raises(StreamStateError, match=r"format 99.*newer chunkwise"):
        ChunkerState.from_json(json.dumps({**written(), "format": 99}))


def test_a_pickle_of_a_newer_format_is_refused_with_the_reason() -> None:
    rebuild, (values, version) = a_state().__reduce__()
    assert rebuild(values, version) == a_state()
    with pytest.raises(StreamStateError, match=r"format 99.*newer chunkwise"):
        rebuild(values, 99)


def large_state(text: str) -> ChunkerState:
    """Return a state in which the strategy has many pieces, or a copy of the text."""
    chunker = Chunker("word", check="full")
    chunker.feed(text)
    return chunker.state


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("word " * 200, id="words"),
        pytest.param("\u00e9" * 40_000, id="more than a compressor looks up"),
        pytest.param("\ud83d\ude00\ude00\ud83d" * 200, id="surrogates"),
        pytest.param('\\"\x00\u2028' * 200, id="escapes"),
    ],
)
def test_a_large_state_of_a_strategy_is_written_compressed(text: str) -> None:
    state = large_state(text)
    written = state.to_json()
    assert set(json.loads(written)["strategy_state"]) == {"zlib"}
    assert written.isascii()
    again = ChunkerState.from_json(written)
    assert again == state
    assert (
        Chunker.resume("word", again).flush() == Chunker.resume("word", state).flush()
    )


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda packed: {"zlib": packed[:-8]}, id="cut off"),
        pytest.param(lambda packed: {"zlib": packed[:50] + packed[90:]}, id="gap"),
        pytest.param(lambda packed: {"zlib": f"{packed}", "more": 1}, id="more"),
        pytest.param(lambda packed: {"zlib": f"x{packed}"}, id="not base64"),
        pytest.param(lambda packed: {"zlib": [packed]}, id="not text"),
        pytest.param(lambda packed: {"gzip": packed}, id="another way"),
    ],
)
def test_a_compressed_state_that_is_damaged_is_refused(
    change: Callable[[str], object],
) -> None:
    form = json.loads(large_state("word " * 200).to_json())
    form["strategy_state"] = change(form["strategy_state"]["zlib"])
    with pytest.raises(StreamStateError, match="not the JSON form of a ChunkerState"):
        ChunkerState.from_json(json.dumps(form))


def test_a_state_that_nests_too_deep_is_refused() -> None:
    form = {**written(), "strategy_state": None}
    deep = json.dumps(form).replace(
        '"strategy_state": null', '"strategy_state": ' + "[" * 600 + "]" * 600
    )
    with pytest.raises(StreamStateError, match="not the JSON form of a ChunkerState"):
        ChunkerState.from_json(deep)


def test_the_size_of_a_state_is_that_of_the_pending_text() -> None:
    chunker = Chunker("word")
    sizes = set()
    for _ in range(100):
        chunker.feed("word word ")
        sizes.add(len(chunker.state.text))
    assert max(sizes) < 20
