"""JSONChunking."""

from __future__ import annotations

import copy
import json
import math
import pickle
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise import (
    Chunker,
    ChunkerState,
    JSONChunking,
    MalformedJSONError,
    NestedChunking,
    strategy_from_dict,
)
from chunkwise.strategies._json_path import path_of, steps_of
from tests.examples import Counting
from tests.json_texts import Document, documents, json_values, malformed, written
from tests.running import run, scan_whole
from tests.texts import sliced, slicings

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ITEMS = JSONChunking()
LINES = JSONChunking(at="lines")
NAN = JSONChunking(allow_nan=True)
STRICT = JSONChunking(strict=True)
STRICT_LINES = JSONChunking(at="lines", strict=True)


def found(strategy: JSONChunking, text: str) -> list[tuple[str, str | None, bool]]:
    """Return text, path and completeness of each chunk, the same in any slicing."""
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    assert run(strategy, sliced(text, range(0, len(text), 4))) == whole
    assert all(chunk.kind == "json" for chunk in whole.chunks)
    return [(chunk.text, chunk.path, chunk.complete) for chunk in whole.chunks]


def texts(strategy: JSONChunking, text: str) -> list[str]:
    return [chunk for chunk, _, _ in found(strategy, text)]


def complete(strategy: JSONChunking, text: str) -> list[str]:
    return [chunk for chunk, _, is_complete in found(strategy, text) if is_complete]


def parts(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


def same(one: Any, other: Any) -> bool:
    return json.dumps(one) == json.dumps(other)


# Where values are.


@pytest.mark.parametrize(
    ("text", "items"),
    [
        pytest.param("[1, 2]", ["1", "2"], id="alone"),
        pytest.param("[]", [], id="empty"),
        pytest.param("  \t[1]", ["1"], id="blanks before it"),
        pytest.param("Here:\n[1]\nThat is all: [2]\n[3]", ["1"], id="in prose"),
        pytest.param("See [1] and {2}.\n[3]", ["3"], id="not inside a line"),
        pytest.param("```json\n[1]\n```\n", ["1"], id="in a fence"),
        pytest.param("```json\n\n  [1]\n```\n", ["1"], id="further down in a fence"),
        pytest.param('{"a": 0, "b": {"c": [1, 2]}}', ["1", "2"], id="in an object"),
        pytest.param('{"a": "[0]", "b": [1]}', ["1"], id="not inside a string"),
        pytest.param('{"a": [1], "b": [2]}', ["1"], id="the first one"),
        pytest.param('{"a": 1}\n{"b": [2]}', ["2"], id="in the second object"),
        pytest.param('{"a": 1} [2]\n[3]', ["3"], id="not behind an object"),
        pytest.param("One\u2028[1]", ["1"], id="any line end"),
        pytest.param("One\r[1]", ["1"], id="carriage return"),
        pytest.param("\ufeff[1]", ["1"], id="byte order mark"),
        pytest.param("One.\n  \nTwo. \n \t", [], id="prose"),
        pytest.param(f"One\n{' ' * 999}[1]", ["1"], id="many blanks before it"),
        pytest.param(f"One{' ' * 999}[1]\n[2]", ["2"], id="many blanks on its line"),
        pytest.param('"[1]"', [], id="a string"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_items_are_those_of_the_outermost_array(text: str, items: list[str]) -> None:
    assert texts(ITEMS, text) == items
    assert texts(STRICT, text) == items


@pytest.mark.parametrize("blanks", [0, 1, 63, 64, 65, 255, 256, 257, 9_999])
def test_blanks_at_the_end_of_a_delta_are_those_of_their_line(blanks: int) -> None:
    for before, items in (("One\n", ["1", "2"]), ("One", []), ("{}", [])):
        deltas = [before + " " * blanks, "[1, 2]"]
        for first in ([], ["One.\n"]):
            chunks = run(ITEMS, [*first, *deltas]).chunks
            assert [chunk.text for chunk in chunks] == items


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param('{"a": 1}\n{"a": 2}\n', ['{"a": 1}', '{"a": 2}'], id="lines"),
        pytest.param('{"a": 1}\r\n\r\n{"a": 2}', ['{"a": 1}', '{"a": 2}'], id="crlf"),
        pytest.param(
            '{"a": 1}{"a": 2}[3]', ['{"a": 1}', '{"a": 2}', "[3]"], id="joined"
        ),
        pytest.param('1 2\n"a""b" true', ["1", "2", '"a"', '"b"', "true"], id="words"),
        pytest.param('{\n"a":\n1\n}\n[\n]\n', ['{\n"a":\n1\n}', "[\n]"], id="indented"),
        pytest.param(" \n", [], id="white space"),
    ],
)
def test_lines_are_values_one_behind_the_other(text: str, values: list[str]) -> None:
    assert texts(LINES, text) == values
    assert texts(STRICT_LINES, text) == values
    assert {path for _, path, _ in found(LINES, text)} <= {"$"}


def test_between_values_on_lines_there_may_be_commas_and_record_separators() -> None:
    assert texts(LINES, "\ufeff1, 2,\n\x1e3\n") == ["1", "2", "3"]


def test_a_line_that_begins_no_value_is_gap() -> None:
    text = 'Here:\n```jsonl\n{"a": 1} // one\nnothing [1]\n{"a": 2}\n```\n'
    assert texts(LINES, text) == ['{"a": 1}', '{"a": 2}']


PATHS = '{"a": [{"b": 1, "c d": 2}, {"b": [3]}], "e": {"a": "x"}, "f": {"g": null}}'


@pytest.mark.parametrize(
    ("at", "values"),
    [
        ("$.a[*]", ['{"b": 1, "c d": 2}', '{"b": [3]}']),
        ("$.a[1]", ['{"b": [3]}']),
        ("$.a[*].b", ["1", "[3]"]),
        ("$['a'][0]['c d']", ["2"]),
        ('$["a"][0]["c d"]', ["2"]),
        ("$.*.a", ['"x"']),
        ("$[*].g", ["null"]),
        ("$.e", ['{"a": "x"}']),
        ("$.a[*].b[0]", ["3"]),
        ("$.f.g", ["null"]),
        ("$.g", []),
        ("$[0]", []),
        ("$.a.b", []),
        ("$", [PATHS]),
    ],
)
def test_a_path_finds_every_value_at_its_place(at: str, values: list[str]) -> None:
    for strict in (False, True):
        strategy = JSONChunking(at=at, strict=strict)
        assert texts(strategy, f"Here:\n{PATHS}\n") == values
        paths = [path for _, path, _ in found(strategy, PATHS)]
        assert all(texts(JSONChunking(at=str(path)), PATHS) for path in paths)


def test_a_path_is_looked_for_in_every_array_or_object_that_begins_a_line() -> None:
    text = '[1] is a note.\n{"a": 1}\n```\n{"a": 2, "a": 3}\n``` {"a": 4}'
    assert texts(JSONChunking(at="$.a"), text) == ["1", "2", "3"]


def test_keys_are_compared_as_text_not_as_they_are_written() -> None:
    text = '{"\\u0061\\ud83d\\ude00": 1}'
    assert found(JSONChunking(at="$['a\U0001f600']"), text) == [
        ("1", "$['a\U0001f600']", True)
    ]
    assert found(JSONChunking(at="$['\\\\x']"), '{"\\x": 1}') == [
        ("1", "$['\\\\x']", True)
    ]


@pytest.mark.parametrize(
    ("segments", "path"),
    [
        ([], "$"),
        (["findings", 3], "$.findings[3]"),
        (["\u00e9t\u00e9", "_1"], "$.\u00e9t\u00e9._1"),
        (["a b", "1", ""], "$['a b']['1']['']"),
        (["it's", '"', "\\"], "$['it\\'s']['\"']['\\\\']"),
        (["\n\x00"], "$['\\n\\u0000']"),
    ],
)
def test_a_path_says_where(segments: list[int | str], path: str) -> None:
    assert path_of(segments) == path
    assert steps_of(path) == tuple(segments)


@given(st.lists(st.one_of(st.integers(0), st.text())))
def test_a_path_can_be_read_again(segments: list[int | str]) -> None:
    assert steps_of(path_of(segments)) == tuple(segments)


def test_items_have_paths() -> None:
    assert found(ITEMS, '{"a": {"it\'s": [1, [2], "x"]}}') == [
        ("1", "$.a['it\\'s'][0]", True),
        ("[2]", "$.a['it\\'s'][1]", True),
        ('"x"', "$.a['it\\'s'][2]", True),
    ]


# What json finds in the whole.


@given(data=st.data(), document=documents(lambda items: items))
def test_items_are_what_json_parses(data: st.DataObject, document: Document) -> None:
    chunks = run(ITEMS, data.draw(slicings(document.text))).chunks
    assert chunks == run(ITEMS, [document.text]).chunks
    assert same([json.loads(chunk.text) for chunk in chunks], document.values)
    assert all(chunk.complete for chunk in chunks)
    assert [chunk.path for chunk in chunks] == [f"$[{n}]" for n in range(len(chunks))]
    assert run(STRICT, [document.text]).chunks == chunks
    for chunk in chunks[1:]:
        assert chunk.gap.strip(" \t\n\r") == ","


@given(
    data=st.data(),
    document=documents(lambda items: {"x": 1, "y": {"a b": items}, "z": [0]}),
)
def test_items_in_an_object_are_what_json_parses(
    data: st.DataObject, document: Document
) -> None:
    chunks = run(ITEMS, data.draw(slicings(document.text))).chunks
    assert same([json.loads(chunk.text) for chunk in chunks], document.values)
    by_path = JSONChunking(at="$.y['a b'][*]")
    assert run(by_path, data.draw(slicings(document.text))).chunks == chunks
    assert run(STRICT, data.draw(slicings(document.text))).chunks == chunks


@given(data=st.data(), values=st.lists(json_values()))
def test_lines_are_what_json_parses(data: st.DataObject, values: list[Any]) -> None:
    text = "".join(data.draw(written(value)) + "\n" for value in values)
    for strategy in (LINES, STRICT_LINES):
        chunks = run(strategy, data.draw(slicings(text))).chunks
        assert same([json.loads(chunk.text) for chunk in chunks], values)
        assert all(chunk.complete for chunk in chunks)


@given(data=st.data(), value=json_values())
def test_every_place_in_a_value_can_be_looked_for(
    data: st.DataObject, value: Any
) -> None:
    segments: list[int | str] = []
    inner = value
    while isinstance(inner, (list, dict)) and inner and data.draw(st.booleans()):
        places = range(len(inner)) if isinstance(inner, list) else list(inner)
        segment: Any = data.draw(st.sampled_from(places))
        segments.append(segment)
        inner = inner[segment]
    text = data.draw(written([value]))
    strategy = JSONChunking(at=path_of([0, *segments]))
    (chunk,) = run(strategy, data.draw(slicings(text))).chunks
    assert same(json.loads(chunk.text), inner)
    assert chunk.path == strategy.at


def is_valid(text: str) -> bool:
    try:
        json.loads(text, parse_constant=lambda name: 1 / len(name[:0]))
    except (ValueError, ZeroDivisionError):
        return False
    return True


EVERY_PLACE = [ITEMS, LINES, JSONChunking(at="$.a[*]"), JSONChunking(at="$[*].a")]


@pytest.mark.parametrize("strategy", EVERY_PLACE, ids=repr)
@given(data=st.data(), text=malformed())
def test_what_is_complete_is_valid_and_what_is_valid_and_ended_is_complete(
    strategy: JSONChunking, data: st.DataObject, text: str
) -> None:
    whole = run(strategy, [text])
    assert run(strategy, data.draw(slicings(text))) == whole
    for chunk in whole.chunks:
        if chunk.complete or chunk.end < len(text):
            assert chunk.complete == is_valid(chunk.text), chunk


@pytest.mark.parametrize("strategy", EVERY_PLACE, ids=repr)
@given(data=st.data(), text=malformed())
def test_strict_raises_in_the_same_place_in_every_slicing(
    strategy: JSONChunking, data: st.DataObject, text: str
) -> None:
    strict = JSONChunking(at=strategy.at, strict=True)

    def outcome(deltas: Iterable[str]) -> Any:
        try:
            return run(strict, deltas)
        except MalformedJSONError as error:
            return str(error)

    whole = outcome([text])
    assert outcome(data.draw(slicings(text))) == whole
    assert outcome(text) == whole
    if not isinstance(whole, str):
        assert whole == run(strategy, [text])


@given(value=json_values(), data=st.data())
def test_strict_is_as_strict_as_json(value: Any, data: st.DataObject) -> None:
    text = data.draw(written(value))
    place = data.draw(st.integers(0, len(text)))
    added = data.draw(st.text('[]{},:"\\1e.-tn \n', max_size=2))
    text = text[:place] + added + text[place + data.draw(st.integers(0, 1)) :]
    try:
        chunks = run(STRICT_LINES, [text]).chunks
    except MalformedJSONError:
        assert not is_valid(text)
    else:
        assert all(is_valid(chunk.text) for chunk in chunks)
        assert is_valid(text) == (len(chunks) == 1)


# When they are released.


@pytest.mark.parametrize(
    ("before", "decides", "chunk"),
    [
        ('[{"a": [1]', "}", '{"a": [1]}'),
        ("[[[]", "]", "[[]]"),
        ('["a\\"', '"', '"a\\""'),
        ("[12", ",", "12"),
        ("[12", " ", "12"),
        ("[-1.5e+3", "]", "-1.5e+3"),
        ("[true", "\n", "true"),
        ("[null", "]", "null"),
        ("[1x", ",", "1x"),
        ('[{"a"', "]", '{"a"'),
    ],
)
def test_the_deciding_code_point_releases(
    before: str, decides: str, chunk: str
) -> None:
    for size in (1, 3, 100):
        chunker = Chunker(ITEMS)
        for part in parts(before, size):
            assert chunker.feed(part) == []
        assert chunker.feed(decides) == [chunk]


@given(document=documents(lambda items: items))
def test_an_item_is_out_before_the_next_one_begins(document: Document) -> None:
    """The first code point of a number that ends at the end of the text apart."""
    chunker = Chunker(ITEMS)
    for number, char in enumerate(document.text):
        for chunk in chunker.feed(char):
            is_word = chunk[0] not in '"[{'
            assert chunk.end == (number if is_word else number + 1)


def test_flush_gives_what_is_open() -> None:
    assert found(ITEMS, '[1, {"a": [2, \n') == [
        ("1", "$[0]", True),
        ('{"a": [2,', "$[1]", False),
    ]
    assert found(ITEMS, '["a b ') == [('"a b ', "$[0]", False)]
    assert found(LINES, '"a b ') == [('"a b', "$", False)]
    assert found(ITEMS, "[tru") == [("tru", "$[0]", False)]
    assert found(LINES, "true") == [("true", "$", False)]


def test_a_cut_completes_a_number_but_no_open_array() -> None:
    for text, is_complete in [
        ("12", True),
        ("1.", False),
        ("[1", False),
        ('"a', False),
    ]:
        chunker = Chunker(LINES)
        assert chunker.feed(text) == []
        (chunk,) = chunker.cut()
        assert (chunk, chunk.complete) == (text, is_complete)


def test_behind_a_cut_another_array_may_come() -> None:
    chunker = Chunker(ITEMS)
    assert chunker.feed("Look: ") == []
    assert chunker.cut() == []
    assert chunker.feed("[1]\n[2]") == ["1"]
    assert chunker.cut() == []
    (chunk,) = chunker.feed("[3]")
    assert (chunk, chunk.start, chunk.path) == ("3", 14, "$[0]")


# What is malformed.


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ("[1, 2,]", ["1", "2"]),
        ("[1 2]", ["1", "2"]),
        ("[,1,,2]", ["1", "2"]),
        ("[1: 2]", ["1", "2"]),
        ("[}1]", ["1"]),
        ('{"a" [1]}', ["1"]),
        ('{"a": 0 "b": [1]}', ["1"]),
        ("{a: 0, b: [1]}", ["1"]),
        ("{: [1]}", ["1"]),
        ('{"a", "b": ], [1]}', ["1"]),
        ('{"a\n": [1]}', ["1"]),
        ('{"a": [1}, "b": [2]', ["1"]),
        ('{"a": {"b": [1}', ["1"]),
        ("{1 [2]}", ["2"]),
        ("{,[2]}", ["2"]),
    ],
)
def test_what_is_malformed_around_items_is_passed_over(
    text: str, chunks: list[str]
) -> None:
    assert complete(ITEMS, text) == texts(ITEMS, text) == chunks
    with pytest.raises(MalformedJSONError):
        run(STRICT, [text])


@pytest.mark.parametrize(
    "item",
    [
        *(
            "{'a': 1}",
            '{"a" 1}',
            '{"a": 1,}',
            '{"a": 1 "b": 2}',
            "{1}",
            "[1,,2]",
            "[1 2]",
        ),
        *("[1:2]", '{"a": [1}', "[{]", "01", "1.", "+1", ".5", "-", "1e", "1e+", "nul"),
        *(
            "True",
            "NaN",
            "-Infinity",
            '"\\x"',
            '"\\u12g4"',
            '"\n"',
            '{"a":}',
            "{,}",
            "[,]",
        ),
        *(
            '{"a"}',
            '{"a":1:2}',
            '{"a",1}',
            "[[]}]",
            '"\\u12"',
            "[tru]",
            "{{}}",
            '"\\\n"',
        ),
    ],
)
def test_a_malformed_item_is_released_where_its_brackets_say(item: str) -> None:
    assert found(ITEMS, f'[1, {item}, {{"b": 2}}]') == [
        ("1", "$[0]", True),
        (item, "$[1]", False),
        ('{"b": 2}', "$[2]", True),
    ]
    with pytest.raises(MalformedJSONError):
        run(STRICT, [f'[1, {item}, {{"b": 2}}]'])


def test_a_bracket_that_ends_the_array_ends_an_open_item() -> None:
    assert found(ITEMS, '[{"a": 1 ] {"b": 2}') == [('{"a": 1', "$[0]", False)]
    assert found(ITEMS, '{"x": [[1, [2} ]') == [("[1, [2", "$.x[0]", False)]
    assert found(JSONChunking(at="$[*][*]"), "[[{], [2]]") == [
        ("{", "$[0][0]", False),
        ("2", "$[1][0]", True),
    ]
    assert found(JSONChunking(at="$.a[*]"), '{"a": [1}, {"a": [2]}\n{"a": [3]}') == [
        ("1", "$.a[0]", True),
        ("3", "$.a[0]", True),
    ]


@pytest.mark.parametrize(
    ("text", "chunks"),
    [
        ('{"a": 1\n{"b": 2}\n', [('{"a": 1', False), ('{"b": 2}', True)]),
        ('{"a": "x\n{"b": 2}\n', [('{"a": "x', False), ('{"b": 2}', True)]),
        ("{'a': [}\n{\"b\": 2}\n", [("{'a': [}", False), ('{"b": 2}', True)]),
        ('{"a": nil}\n2\n', [('{"a": nil}', False), ("2", True)]),
        ('{"a": x\n  1\n}\n2\n', [('{"a": x\n  1\n}', False), ("2", True)]),
        ('[1}\n\n"b"\n', [("[1}", False), ('"b"', True)]),
        ('{"a": [1}\n2\n', [('{"a": [1}', False), ("2", True)]),
        ('{"a": {"b": [1}\n2\n', [('{"a": {"b": [1}', False), ("2", True)]),
        ("{} }\n2\n", [("{}", True), ("2", True)]),
        ("[1,\n]\n2\n", [("[1,\n]", False), ("2", True)]),
        ('{"a": x\n', [('{"a": x', False)]),
        ('{"a":\n: 1}\n2\n', [('{"a":', False), ("2", True)]),
        ('{"a"\n}\n2 ', [('{"a"\n}', False), ("2", True)]),
        ("[\n\n1 x\n}\n]\n2 ", [("[\n\n1 x\n}\n]", False), ("2", True)]),
    ],
)
def test_a_malformed_line_ends_before_the_next_one(
    text: str, chunks: list[tuple[str, bool]]
) -> None:
    assert [(chunk, ended) for chunk, _, ended in found(LINES, text)] == chunks


@pytest.mark.parametrize(
    ("strategy", "text", "expected", "offset", "path"),
    [
        (STRICT, "[1, x]", "a value", 4, "$[1]"),
        (STRICT, "[1, tru]", "the rest of a number or name", 7, "$[1]"),
        (STRICT, "[1, trux]", "a value", 7, "$[1]"),
        (STRICT, "[01]", "a value", 2, "$[0]"),
        (STRICT, "[-]", "the rest of a number or name", 2, "$[0]"),
        (STRICT, "[1.5e]", "the rest of a number or name", 5, "$[0]"),
        (STRICT, "[1 2]", "',' or the end of the array or object", 3, "$[0]"),
        (STRICT, "[}", "a value or ']'", 1, "$[0]"),
        (STRICT, '[{"a" 1}]', "':'", 6, "$[0]"),
        (STRICT, "[{1: 2}]", "a string or '}'", 2, "$[0]"),
        (STRICT, '[{"a": 1,}]', "a string", 9, "$[0]"),
        (STRICT, '[{"a": 1]]', "',' or the end of the array or object", 8, "$[0]"),
        (STRICT, '["\t"]', "a code point that a JSON string may hold", 2, "$[0]"),
        (STRICT, '["\\x"]', "a code point that a JSON string may hold", 3, "$[0]"),
        (STRICT, '{"\t": 1}', "a code point that a JSON string may hold", 2, "$"),
        (STRICT, '{"a": 1, b: 2}', "a string", 9, "$"),
        (STRICT, '{"a": {"b": x}}', "a value", 12, "$.a.b"),
        (STRICT, '{"a": [1], "b" 2}', "':'", 15, "$.b"),
        (STRICT, '{"a": 1]', "',' or the end of the array or object", 7, "$.a"),
        (STRICT_LINES, "1\nx", "a value", 2, "$"),
        (STRICT_LINES, '{"a": 1}, 2', "a value", 8, "$"),
        (JSONChunking(at="$.a", strict=True), "[1, x]", "a value", 4, "$"),
    ],
)
def test_strict_says_where_what_and_in_which_value(
    strategy: JSONChunking, text: str, expected: str, offset: int, path: str
) -> None:
    for deltas in ([text], text, ["", text, ""]):
        chunker = Chunker(strategy)
        with pytest.raises(MalformedJSONError) as caught:
            _ = [chunker.feed(delta) for delta in deltas]
        error = caught.value
        assert (error.expected, error.offset, error.path) == (expected, offset, path)
        assert error.found == repr(text[offset])


@pytest.mark.parametrize(
    ("strategy", "text", "expected", "path"),
    [
        (STRICT, "[1", "',' or the end of the array or object", "$[0]"),
        (STRICT, "[1.", "the rest of a number or name", "$[0]"),
        (STRICT, '["a', "the end of a string", "$[0]"),
        (STRICT, "[", "a value or ']'", "$[0]"),
        (STRICT, '{"a": [1]', "',' or the end of the array or object", "$.a"),
        (STRICT, '{"a', "a string or '}'", "$"),
        (STRICT, '[{"a":', "a value", "$[0]"),
        (STRICT_LINES, '{"a"', "':'", "$"),
    ],
)
def test_strict_raises_for_what_the_end_leaves_open(
    strategy: JSONChunking, text: str, expected: str, path: str
) -> None:
    for deltas in ([text], text):
        chunker = Chunker(strategy)
        for delta in deltas:
            chunker.feed(delta)
        for end in (chunker.flush, chunker.cut):
            with pytest.raises(
                MalformedJSONError, match="the end of the text"
            ) as caught:
                end()
            error = caught.value
            assert (error.expected, error.offset, error.path) == (
                *(expected, len(text)),
                path,
            )


def test_strict_is_content_with_prose_and_with_a_number_at_the_end() -> None:
    assert run(STRICT, ["Sorry, none."]).chunks == []
    assert run(STRICT_LINES, ["1\n23"]).chunks[1].complete is False


def test_a_chunker_stays_as_it_was_before_the_error() -> None:
    chunker = Chunker(STRICT)
    assert chunker.feed("[1, 2") == ["1"]
    before = chunker.state
    with pytest.raises(MalformedJSONError):
        chunker.feed("x")
    assert chunker.state == before
    assert chunker.feed("3, ") == ["23"]


def test_strict_raises_with_the_first_delta_that_is_wrong() -> None:
    chunker = Chunker(STRICT)
    assert chunker.feed('[{"a') == []
    assert chunker.feed('": ') == []
    with pytest.raises(MalformedJSONError):
        chunker.feed("yes")


# Parameters.


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_of_python_are_values_by_option(word: str) -> None:
    text = f'[{word}, {{"a": {word}}}, 1]'
    assert complete(ITEMS, text) == ["1"]
    assert complete(NAN, text) == [word, f'{{"a": {word}}}', "1"]
    lines = JSONChunking(at="lines", allow_nan=True)
    assert complete(lines, f"{word}\n") == [word]
    assert math.isnan(json.loads(word)) or math.isinf(json.loads(word))
    assert texts(LINES, f"{word}\n") == []


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            "",
            "item",
            ".a",
            "a",
            "$a",
            "$.",
            "$..a",
            "$.a b",
            "$.a-b",
            "$.1",
            "$[",
            "$[-1]",
        ),
        *("$[01]", "$['a]", "$[a]", "$[1:2]", "$[?(@.a)]", "$.a[*]]", "$.a.", " $"),
    ],
)
def test_at_is_a_word_or_a_path(wrong: str) -> None:
    with pytest.raises(ValueError, match="at must be 'items', 'lines' or a path"):
        JSONChunking(at=wrong)


def test_a_wrong_path_is_shown_from_where_it_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"not understood from '\.a-b' on"):
        JSONChunking(at="$.x[0].a-b")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"at": 3}, "at must be a str"),
        ({"strict": 1}, "strict must be a bool"),
        ({"allow_nan": "no"}, "allow_nan must be a bool"),
    ],
)
def test_parameters_have_types(parameters: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        JSONChunking(**parameters)


def test_a_dictionary_makes_one() -> None:
    form = {"type": "json", "at": "$.a[*]", "strict": True, "allow_nan": False}
    strategy = JSONChunking(at="$.a[*]", strict=True)
    assert strategy.to_dict() == form
    assert strategy_from_dict(form) == strategy
    assert repr(strategy) == "JSONChunking(at='$.a[*]', strict=True, allow_nan=False)"


def test_a_copy_is_equal() -> None:
    for strategy in (ITEMS, JSONChunking(at="$.a[*]", strict=True, allow_nan=True)):
        assert copy.deepcopy(strategy) == strategy
        assert pickle.loads(pickle.dumps(strategy)) == strategy  # noqa: S301 - our own


def test_a_word_on_a_line_may_still_be_none() -> None:
    """So that nothing is looked for inside of it before it has ended."""
    for text, opened in [
        ("tru", None),
        ('"tru', (0, 4)),
        ("[tru ", (0, 4)),
        (" ", None),
    ]:
        scan = scan_whole(LINES, text)
        assert LINES.opened("", len(text), scan.state) == opened


def test_sentences_of_a_string_come_while_it_is_written() -> None:
    chunker = Chunker(NestedChunking(JSONChunking(at="$.summary"), "sentence"))
    assert chunker.feed('{"id": 1, "summary": "One. Tw') == ['"One.']
    assert chunker.feed("o. Three") == ["Two."]
    assert chunker.feed('."}') == ['Three."']


# What it costs.


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" * 300_000, id="brackets"),
        pytest.param("[" * 1_000 + "]" * 1_000, id="nested"),
        pytest.param('[{"a":' * 2_000, id="objects in arrays"),
        pytest.param('{"a":' * 40_000 + "}" * 40_000, id="objects on the way"),
        pytest.param('{"a":[' + '{"b":' * 40_000 + "}" * 40_000, id="objects"),
        pytest.param("[" * 50_000 + "}" * 100_000, id="brackets of the other kind"),
        pytest.param("[[" + "{" * 50_000 + "]" * 5, id="one bracket ends many"),
        pytest.param('["' + "x" * 200_000, id="string"),
        pytest.param('["' + "\\n" * 100_000 + '"]', id="escapes"),
        pytest.param('{"' + "x" * 100_000 + '":[1]}', id="key"),
        pytest.param("[" + "1" * 200_000, id="number"),
        pytest.param('[{"a":' + "1," * 50_000, id="no keys"),
        pytest.param("[" + " " * 200_000, id="white space"),
        pytest.param("[" + '"a",' * 20_000, id="items"),
        pytest.param("[{" + '"a":1,' * 30_000, id="members"),
        pytest.param("[[" + '"' + "\\x" * 30_000, id="wrong escapes"),
        pytest.param("\n" + " " * 100_000 + "\n   " * 20_000, id="blanks"),
    ],
)
@pytest.mark.parametrize("at", ["items", "lines", "$.a", "$[0][0]"])
def test_each_code_point_is_looked_at_once(text: str, at: str) -> None:
    """Counted by what is handed over; states stay as small as what is open."""
    counting = Counting(JSONChunking(at=at))
    chunker = Chunker(counting)
    for part in parts(text, 1 if len(text) < 3_000 else 97):
        chunker.feed(part)
    chunker.flush()
    assert counting.scanned <= 1.1 * len(text) + 1_000


@pytest.mark.parametrize("at", ["items", "lines", "$[*][*]"])
def test_a_deep_value_is_no_deep_state(at: str) -> None:
    """Whatever is nested in the text, the state can be written and compared."""
    depth = 100_000
    chunker = Chunker(JSONChunking(at=at))
    for part in parts("[" * depth, 1_000):
        chunker.feed(part)
    state = ChunkerState.from_json(chunker.state.to_json())
    assert state == chunker.state
    chunker = Chunker.resume(JSONChunking(at=at), state)
    chunks = [c for part in parts("]" * depth, 1_000) for c in chunker.feed(part)]
    assert [chunk.complete for chunk in chunks] == [True]


def test_a_deep_state_changes_little_with_a_delta() -> None:
    """One more bracket copies a block of the stack at most, however deep it is."""
    state: Any = scan_whole(ITEMS, "[" * 10_000).state
    value: Any = ITEMS.scan("[", 10_000, state)[3][1]
    assert value[5] is state[1][5]
    assert len(value[6]) < 256


def test_a_run_of_more_members_than_one_match_takes() -> None:
    values = {f"k{number}": [number, "\n" * 300] for number in range(700)}
    flat = {f"k{number}": number for number in range(700)}
    numbers = list(range(900))
    text = json.dumps([values, flat, numbers])
    assert texts(ITEMS, text) == [json.dumps(each) for each in (values, flat, numbers)]
    assert all(is_complete for _, _, is_complete in found(ITEMS, text))


def members(text: str) -> str:
    """Return objects with many members in front of those that are looked for."""
    return json.dumps([{f"key {number}": text for number in range(200)}, {"a": 1}])


@pytest.mark.parametrize(
    ("strategy", "text", "share"),
    [
        pytest.param(ITEMS, members("some words"), 20, id="item"),
        pytest.param(JSONChunking(at="$[*].a"), members("word " * 30), 8, id="others"),
        pytest.param(STRICT, members("word " * 30), 8, id="strict"),
    ],
)
def test_quiet_deltas_are_not_scanned(
    strategy: JSONChunking, text: str, share: int
) -> None:
    class CountingScans(Counting):
        scans = 0

        def scan(self, *arguments: Any, **keywords: Any) -> Any:
            self.scans += 1
            return super().scan(*arguments, **keywords)

    deltas: Sequence[str] = parts(text, 4)
    counting = CountingScans(strategy)
    run(counting, deltas)
    assert counting.scans < len(deltas) / share


def test_values_that_come_whole_are_those_that_come_bit_by_bit() -> None:
    text = '[1, "a", {"b": "c", "d": null , "e": 2}, true , [3], -4.5 ]'
    assert texts(ITEMS, text) == [
        *("1", '"a"', '{"b": "c", "d": null , "e": 2}', "true", "[3]", "-4.5")
    ]
    assert texts(JSONChunking(at="$[2].d"), text) == ["null"]
    assert texts(JSONChunking(at="$[2].*"), text) == ['"c"', "null", "2"]
    assert texts(JSONChunking(at="$[5]"), text) == ["-4.5"]
    assert texts(JSONChunking(at="$[*].e"), text) == ["2"]
    assert texts(LINES, '1\n"a" \n\n[2]\n') == ["1", '"a"', "[2]"]


@pytest.mark.parametrize("text", ['"a ', '{"a": "b ', '["a  '])
def test_blanks_behind_an_open_string_end_the_line_after_empty_deltas_too(
    text: str,
) -> None:
    lines = JSONChunking(at="lines")
    chunks, tail = run(lines, [text, ""])
    assert (chunks, tail) == run(lines, [text])
    assert chunks[0].text == text.rstrip()
    assert tail == text[len(text.rstrip()) :]


@pytest.mark.parametrize("broken", ['"\x01', '"a\x00b" c'])
def test_a_line_that_is_a_broken_string_stays_open(broken: str) -> None:
    strategy = JSONChunking(at="lines")
    for size in range(1, len(broken) + 1):
        _, _, resume, state, _ = strategy.scan(broken[:size], 0, strategy.begin(0))
        assert strategy.opened("", resume, state) == (0, len(broken[:size].rstrip()))
    nested = Chunker(NestedChunking(strategy, "word"))
    words = [word for char in f"{broken} d\n1\n" for word in nested.feed(char)]
    assert [*words, *nested.flush()] == [*broken.split(" "), "d", "1"]
