"""The recipes of the guide: batch splitters as inner functions, in every slicing."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import Chunker, NestedChunking
from tests.running import run
from tests.test_docs import ALL_IN_PAGES, ROOT, check_all_is_shown
from tests.texts import OWN_TEXTS, sliced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Places = Iterable[tuple[int, int]]

spacy: Any = pytest.importorskip("spacy")
pysbd: Any = pytest.importorskip("pysbd")
punkt: Any = pytest.importorskip("nltk.tokenize.punkt")

PAGE = ROOT / "docs/howto/use-a-batch-splitter.md"

SAMPLE = (
    "Overview\n\n"
    'Dr. Osei left at 6.45 p.m. today. It rained!  "Was it open?" She did not know.\n'
    "  An indented line... follows; it ends here. \n \t\n"
    "She said (aloud.) Then it was 3.14 again. It was 3.14 again. Ok? \U0001f389 Yes."
    "\n\n\n"
    "\u4f60\u597d\u3002\u518d\u89c1\uff01 e\u0301t\u00e9\u00a0! No end"
)

TEXTS = {"sample": SAMPLE, **OWN_TEXTS}
"""Texts with abbreviations, numbers, quotes, indentation and several scripts."""


def spacy_places(text: str) -> Places:
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return [(sentence.start_char, sentence.end_char) for sentence in nlp(text).sents]


def pysbd_places(text: str) -> Places:
    segmenter = pysbd.Segmenter(language="en", clean=False, char_span=True)
    return [(sentence.start, sentence.end) for sentence in segmenter.segment(text)]


def punkt_places(text: str) -> Places:
    return list(punkt.PunktSentenceTokenizer().span_tokenize(text))


every_recipe = pytest.mark.parametrize(
    ("recipe", "places"),
    [
        pytest.param("spacy_sentences", spacy_places, id="spacy"),
        pytest.param("pysbd_sentences", pysbd_places, id="pysbd"),
        pytest.param("punkt_sentences", punkt_places, id="punkt"),
    ],
)
every_text = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


@pytest.fixture(scope="module")
def recipes() -> dict[str, Any]:
    """Return what the examples of the page define; all of them run."""
    document = ALL_IN_PAGES.parse(PAGE)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        example.evaluate()
    check_all_is_shown(document.namespace)
    return document.namespace


@every_recipe
@every_text
def test_the_chunks_are_what_the_library_says_of_each_paragraph(
    recipes: dict[str, Any],
    recipe: str,
    places: Callable[[str], Places],
    text: str,
) -> None:
    paragraphs = Chunker("paragraph")
    expected = [
        (paragraph.start + start, paragraph.start + end)
        for paragraph in [*paragraphs.feed(text), *paragraphs.flush()]
        for start, end in places(str(paragraph))
    ]
    chunks = run(NestedChunking("paragraph", recipes[recipe]), [text]).chunks
    assert [(chunk.start, chunk.end) for chunk in chunks] == expected
    assert len(chunks) > 1


@every_recipe
@every_text
def test_every_slicing_gives_the_same_chunks(
    recipes: dict[str, Any],
    recipe: str,
    places: Callable[[str], Places],
    text: str,
) -> None:
    del places
    strategy = NestedChunking("paragraph", recipes[recipe])
    whole = run(strategy, [text])
    assert run(strategy, text) == whole
    numbers = random.Random(7)  # noqa: S311 - slicings, no secrets
    for _ in range(10):
        cuts = numbers.choices(range(len(text) + 1), k=numbers.randint(1, len(text)))
        assert run(strategy, sliced(text, cuts)) == whole
