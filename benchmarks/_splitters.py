"""Splitters of whole texts that limit the size of a chunk, as far as installed."""

from __future__ import annotations

import importlib
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, NamedTuple

from chunkwise import Chunker, SizedChunking
from chunkwise.sizing import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Placed: TypeAlias = "tuple[int, int, str]"
    Split: TypeAlias = "Callable[[str], Any]"

CODE_POINTS = 1_000
TOKENS = 512
COUNTER = "rs-bpe"
"""The package that counts tokens, for all contestants alike."""


class Splitter(NamedTuple):
    """A way to split a whole text.

    Attributes:
        name: Name of the library on PyPI.
        start: Returns a function that splits one text. It has seen no text before, so
            what a library remembers of one text helps with no other.
        placed: Returns start, end and text of each chunk out of what that function
            returns.
    """

    name: str
    start: Callable[[], Split]
    placed: Callable[[Any], Iterable[Placed]]


class Unit(NamedTuple):
    """What sizes are counted in.

    Attributes:
        name: What a report calls it.
        limit: The size that no chunk should exceed.
        contestants: The libraries that are measured with it, installed or not.
        load: Returns the splitters among them that are installed, and the function
            that counts.
    """

    name: str
    limit: int
    contestants: tuple[str, ...]
    load: Callable[[], tuple[dict[str, Splitter], Callable[[str], int]]]


@cache
def versions() -> dict[str, str | None]:
    """Return what is installed of the other libraries, by name on PyPI."""
    names = dict.fromkeys([*UNITS[0].contestants, *UNITS[1].contestants, COUNTER])
    del names["chunkwise"]
    return {name: _version(name) for name in names}


def absence(name: str) -> str:
    """Return what a table says in place of the numbers of a contestant."""
    return "not installed" if versions().get(name, "own") is None else f"no {COUNTER}"


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _installed(*splitters: tuple[str, Callable[[], Splitter]]) -> dict[str, Splitter]:
    return {name: load() for name, load in splitters if versions().get(name, "own")}


def _by_code_points() -> tuple[dict[str, Splitter], Callable[[str], int]]:
    splitters = _installed(
        ("chunkwise", partial(_chunkwise, SizedChunking(CODE_POINTS))),
        ("langchain-text-splitters", _langchain),
        ("chonkie", partial(_chonkie, lambda: "character", CODE_POINTS)),
        ("semchunk", partial(_semchunk, len, CODE_POINTS)),
        ("semantic-text-splitter", _semantic),
    )
    return splitters, len


def _by_tokens() -> tuple[dict[str, Splitter], Callable[[str], int]]:
    if versions()[COUNTER] is None:
        return {}, len
    tokenizer: Any = importlib.import_module("rs_bpe").openai.cl100k_base()
    sized = SizedChunking(TOKENS, sizer=tokens(tokenizer))
    splitters = _installed(
        ("chunkwise", partial(_chunkwise, sized)),
        ("chonkie", partial(_chonkie, partial(_tokenizer, tokenizer), TOKENS)),
        ("semchunk", partial(_semchunk, tokenizer.count, TOKENS)),
    )
    return splitters, tokenizer.count


UNITS = (
    Unit(
        "code points",
        CODE_POINTS,
        (
            "chunkwise",
            "langchain-text-splitters",
            "chonkie",
            "semchunk",
            "semantic-text-splitter",
        ),
        _by_code_points,
    ),
    Unit("tokens", TOKENS, ("chunkwise", "chonkie", "semchunk"), _by_tokens),
)


def _chunkwise(sized: SizedChunking) -> Splitter:
    def start() -> Split:
        chunker = Chunker(sized)

        def split(text: str) -> Any:
            chunks = chunker.feed(text)
            chunks += chunker.flush()
            return chunks

        return split

    return Splitter(
        "chunkwise", start, lambda chunks: [(c.start, c.end, c) for c in chunks]
    )


def _langchain() -> Splitter:
    module: Any = importlib.import_module("langchain_text_splitters")

    def start() -> Split:
        splitter = module.RecursiveCharacterTextSplitter(
            chunk_size=CODE_POINTS, chunk_overlap=0, add_start_index=True
        )
        return lambda text: splitter.create_documents([text])

    def placed(documents: Any) -> Iterable[Placed]:
        for document in documents:
            at: int = document.metadata["start_index"]
            yield at, at + len(document.page_content), document.page_content

    return Splitter("langchain-text-splitters", start, placed)


def _chonkie(tokenizer: Callable[[], Any], limit: int) -> Splitter:
    chunker: Any = importlib.import_module("chonkie").RecursiveChunker

    def start() -> Split:
        # It remembers sizes by chunker, so a new one knows none.
        split: Split = chunker(tokenizer=tokenizer(), chunk_size=limit).chunk
        return split

    def placed(chunks: Any) -> Iterable[Placed]:
        return [(c.start_index, c.end_index, c.text) for c in chunks]

    return Splitter("chonkie", start, placed)


def _tokenizer(tokenizer: Any) -> Any:
    """Return *tokenizer* in the form that chonkie takes.

    A function that counts would do but for words longer than the limit, which it
    takes apart into tokens.
    """
    base: Any = importlib.import_module("chonkie.tokenizer").Tokenizer

    def method(name: str) -> Any:
        function = getattr(tokenizer, name)
        return lambda _, value: function(value)

    names = {
        "__repr__": "",
        "encode": "encode",
        "tokenize": "encode",
        "decode": "decode",
        "count_tokens": "count",
    }
    methods = {name: method(ours) for name, ours in names.items() if ours}
    methods["__repr__"] = lambda _: "cl100k"
    return type("Cl100k", (base,), methods)()


def _semchunk(counter: Callable[[str], int], limit: int) -> Splitter:
    chunkerify: Any = importlib.import_module("semchunk").chunkerify

    def start() -> Split:
        # It remembers sizes by counter, for as long as the process runs; a new
        # `partial` is another counter.
        chunker = chunkerify(partial(counter), limit)
        return lambda text: chunker(text, offsets=True)

    def placed(result: Any) -> Iterable[Placed]:
        chunks, offsets = result
        pairs = zip(chunks, offsets, strict=True)
        return [(first, end, chunk) for chunk, (first, end) in pairs]

    return Splitter("semchunk", start, placed)


def _semantic() -> Splitter:
    module: Any = importlib.import_module("semantic_text_splitter")

    def start() -> Split:
        split: Split = module.TextSplitter(CODE_POINTS).chunk_indices
        return split

    def placed(chunks: Any) -> Iterable[Placed]:
        return [(at, at + len(chunk), chunk) for at, chunk in chunks]

    return Splitter("semantic-text-splitter", start, placed)
