"""Tests of chunks as spans of spaCy, with spaCy."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from chunkwise import (
    Chunk,
    FixedSizeChunking,
    LineChunking,
    UnknownStrategyError,
    WindowChunking,
    iter_chunks,
)
from tests.interop.pages import run_section
from tests.texts import OWN_TEXTS, boundary_rich_texts, every_built_in

if TYPE_CHECKING:
    from pathlib import Path

spacy: Any = pytest.importorskip("spacy")
interop: Any = pytest.importorskip("chunkwise.interop.spacy")

_LONE = re.compile("[\ud800-\udfff]")

nlp: Any = spacy.blank("en")

TEXT = "# Colours\n\nIt isn't blue. It's \U0001f600."


def spans(text: str, strategy: Any, **options: Any) -> list[Any]:
    found: list[Any] = interop.chunk_spans(
        nlp(text), iter_chunks(text, strategy), **options
    )
    return found


def texts(text: str, strategy: Any, **options: Any) -> list[str]:
    return [span.text for span in spans(text, strategy, **options)]


def test_the_import_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.interop.spacy")
    monkeypatch.setitem(sys.modules, "spacy.language", None)
    with pytest.raises(ImportError, match=r'pip install "chunkwise\[spacy\]"'):
        importlib.import_module("chunkwise.interop.spacy")


def test_a_span_for_each_chunk_says_where_and_what_it_is() -> None:
    found = spans(TEXT, "markdown")
    assert [
        (span.text, span.start_char, span.end_char, span.label_) for span in found
    ] == [
        ("# Colours", 0, 9, "heading"),
        ("It isn't blue.", 11, 25, "sentence"),
        ("It's \U0001f600.", 26, 33, "sentence"),
    ]
    assert [(span.start, span.end) for span in found] == [(0, 2), (3, 8), (8, 12)]


def test_chunks_of_a_stream_are_found_in_the_doc_of_its_text() -> None:
    chunks = list(iter_chunks(list(TEXT), WindowChunking(2, stride=1, by="word")))
    doc = nlp(TEXT)
    found = interop.chunk_spans(doc, chunks)
    assert [span.text for span in found] == chunks
    # Some of the chunks, in another order, are as good.
    assert interop.chunk_spans(doc, chunks[3:0:-1]) == found[3:0:-1]


def test_a_kind_that_is_none_gives_no_label() -> None:
    (span,) = interop.chunk_spans(nlp("One two"), [Chunk("two", start=4)])
    assert (span.text, span.label, span.label_) == ("two", 0, "")


def test_no_chunks_give_no_spans() -> None:
    assert spans("", "word") == []
    assert interop.chunk_spans(nlp("One"), []) == []


def test_a_chunk_that_cuts_a_token_is_an_error() -> None:
    with pytest.raises(ValueError, match="tokens") as info:
        spans("The sky is wide", FixedSizeChunking(7))
    assert str(info.value) == (
        "chunk 1 at 7:14 is not the text of whole tokens; those that it touches are "
        "'is wide' at 8:15, and alignment=\"expand\" takes these"
    )


@pytest.mark.parametrize(
    ("chunk", "touched"),
    [
        pytest.param(Chunk("On", start=0), "'One' at 0:3", id="end in a token"),
        pytest.param(Chunk("ne", start=1), "'One' at 0:3", id="start in a token"),
        pytest.param(Chunk("e two t", start=2), "'One two three' at 0:13", id="both"),
        pytest.param(Chunk("One ", start=0), "'One' at 0:3", id="end behind a space"),
        pytest.param(Chunk(" two", start=3), "'two' at 4:7", id="start at a space"),
        pytest.param(Chunk(" ", start=3), "'One' at 0:3", id="space"),
    ],
)
def test_what_is_not_the_text_of_whole_tokens(chunk: Chunk, touched: str) -> None:
    doc = nlp("One two three")
    with pytest.raises(ValueError, match=f"those that it touches are {touched}, and"):
        interop.chunk_spans(doc, [chunk])
    (span,) = interop.chunk_spans(doc, [chunk], alignment="expand")
    assert f"{span.text!r} at {span.start_char}:{span.end_char}" == touched


def test_expanded_spans_of_neighbours_share_the_token_between_them() -> None:
    text = "One\n\nTwo\n"
    assert texts(text, "line", alignment="expand") == ["One\n\n", "\n\n", "Two\n"]
    assert texts(text, LineChunking(keep_ends=False)) == ["One", "Two"]


def test_white_space_that_is_a_token_is_in_a_span() -> None:
    text = "  One  two\n"
    assert [token.text for token in nlp(text)] == ["  ", "One", " ", "two", "\n"]
    assert texts(text, FixedSizeChunking(1), alignment="expand") == [
        *["  "] * 2,
        *["One"] * 3,
        # The first space is none of a token, and goes to the one before; the second is.
        "One",
        " ",
        *["two"] * 3,
        "\n",
    ]


def check_nothing_is_lost(text: str, strategy: Any) -> None:
    """Check that each chunk is in its span, but for spaces that are of no token."""
    doc = nlp(text)
    of_no_token = {
        token.idx + len(token)
        for token in doc
        if token.whitespace_ and token.idx + len(token) < len(text)
    }
    chunks = list(iter_chunks(text, strategy))
    found = interop.chunk_spans(doc, chunks, alignment="expand")
    for chunk, span in zip(chunks, found, strict=True):
        covered = set(range(span.start_char, span.end_char))
        assert set(range(chunk.start, chunk.end)) - of_no_token <= covered
        touched = [
            token.i
            for token in doc
            if token.idx < chunk.end and token.idx + len(token) > chunk.start
        ]
        if touched:
            assert [token.i for token in span] == touched
        else:
            assert len(span) == 1
            assert span.text_with_ws == doc.text[span.start_char : chunk.end]
        assert span.label_ == chunk.kind
    try:
        exact = interop.chunk_spans(doc, chunks)
    except ValueError:
        assert any(span.text != c for span, c in zip(found, chunks, strict=True))
    else:
        assert [span.text for span in exact] == chunks


@every_built_in
def test_no_text_of_a_chunk_is_lost(strategy: Any) -> None:
    for text in OWN_TEXTS.values():
        check_nothing_is_lost(text, strategy)


# spaCy takes no text with lone surrogates.
@given(boundary_rich_texts().filter(lambda text: not _LONE.search(text)))
def test_no_text_of_a_generated_text_is_lost(text: str) -> None:
    for strategy in ("line", "sentence", FixedSizeChunking(2)):
        check_nothing_is_lost(text, strategy)


@pytest.mark.parametrize("strategy", ["word", "sentence", "markdown"])
def test_english_chunks_are_the_text_of_whole_tokens(strategy: str) -> None:
    text = OWN_TEXTS["english answer with a list"]
    assert texts(text, strategy) == list(iter_chunks(text, strategy))


def test_a_chunk_of_another_text_is_refused() -> None:
    chunks = list(iter_chunks("One. Two."))
    with pytest.raises(ValueError, match=r"chunk 1 is 'Two\.' at 5:9, .* has 'Tow\.'"):
        interop.chunk_spans(nlp("One. Tow."), chunks)
    with pytest.raises(ValueError, match="where the Doc has ''"):
        interop.chunk_spans(nlp("One."), chunks)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match=r"doc must be a Doc of spaCy, got 'One\.'"):
        interop.chunk_spans("One.", [])
    with pytest.raises(TypeError, match=r"chunks must be chunks, got 'One\.'"):
        interop.chunk_spans(nlp("One."), ["One."])
    for alignment in ("contract", None):
        with pytest.raises(ValueError, match="alignment must be 'strict' or 'expand'"):
            interop.chunk_spans(nlp("One."), [], alignment=alignment)


def pipeline(**config: Any) -> Any:
    blank = spacy.blank("en")
    blank.add_pipe("chunkwise", config=config)
    return blank


def test_a_pipeline_keeps_the_spans_of_sentences() -> None:
    doc = pipeline()(TEXT)
    kept = doc.spans["chunks"]
    assert [span.text for span in kept] == list(iter_chunks(TEXT))
    assert {span.label_ for span in kept} == {"sentence"}


def test_a_pipeline_may_have_two_of_them_with_settings() -> None:
    two = pipeline(strategy={"type": "line", "keep_ends": True}, alignment="expand")
    two.add_pipe("chunkwise", "words", config={"strategy": "word", "key": "words"})
    for doc in two.pipe(["One\n\ntwo", "three"]):
        text = doc.text
        assert [span.text for span in doc.spans["words"]] == text.split()
        lines = texts(text, "line", alignment="expand")
        assert [span.text for span in doc.spans["chunks"]] == lines


def test_a_pipeline_is_saved_with_it(tmp_path: Path) -> None:
    saved = pipeline(strategy={"type": "sized", "max_size": 20}, key="packs")
    saved.to_disk(tmp_path)
    doc = spacy.load(tmp_path)("It is late. Go home. We stay.")
    assert [span.text for span in doc.spans["packs"]] == [
        "It is late. Go home.",
        "We stay.",
    ]


def test_spacy_finds_the_component_without_an_import() -> None:
    code = (
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('chunkwise'); "
        "doc = nlp('One. Two.'); print(len(doc.spans['chunks']))"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "2\n"


def test_a_component_that_cannot_work_is_refused_when_it_is_made() -> None:
    with pytest.raises(UnknownStrategyError, match="sentense"):
        pipeline(strategy="sentense")
    with pytest.raises(ValueError, match="alignment must be 'strict' or 'expand'"):
        pipeline(alignment="contract")


def test_a_text_that_does_not_align_is_an_error_of_the_pipeline() -> None:
    failed: list[str] = []
    lines = pipeline(strategy="line")
    lines.set_error_handler(lambda *given: failed.append(str(given[-1])))
    assert [doc.text for doc in lines.pipe(["One\n\nTwo", "Three"])] == ["Three"]
    (message,) = failed
    assert message.startswith("chunk 0 at 0:4 is not the text of whole tokens")


def test_the_examples_of_the_guide_run() -> None:
    run_section("spaCy")
