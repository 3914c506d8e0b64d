"""How large a text is: in code points, grapheme clusters, words, bytes or tokens.

A sizer takes a text and returns its size, which is at least 0. Of the sizers here only
`code_points` is additive over any cut: the sizes of the parts add up to that of the
whole. A cut can split a cluster, a word, or a token.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from typing_extensions import override

from ._clusters import cluster_ends
from ._quote import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "SIZERS",
    "Sizer",
    "TokenCounter",
    "code_points",
    "graphemes",
    "resolve_sizer",
    "sizer_name",
    "tokens",
    "utf8_bytes",
    "words",
]

Sizer: TypeAlias = Callable[[str], int]
"""Returns the size of a text in some unit, at least 0."""

_BEFORE_SPACES = (
    "gpt2",
    "r50k_base",
    "p50k_base",
    "p50k_edit",
    "cl100k_base",
    "o200k_base",
    "o200k_harmony",
)
"""Encodings whose patterns have no match with a space behind anything but white space.

Read from the patterns in ``tiktoken_ext/openai_public.py`` of tiktoken 0.12. What lies
left of such a space is therefore split as if the text ended there, and what begins
with it as if the text began there.
"""


def code_points(text: str) -> int:
    """Return the number of code points; additive over any cut.

    Examples:
        >>> code_points("e\u0301a")
        3
    """
    return len(text)


def graphemes(text: str) -> int:
    r"""Return the number of extended grapheme clusters: what readers call characters.

    Examples:
        >>> graphemes("e\u0301a\r\n")
        3

    Source:
        Unicode Standard Annex 29, in the version of the ``regex`` module.
    """
    # In ASCII only `\r\n` is more than one code point.
    if text.isascii() and "\r" not in text:
        return len(text)
    return sum(1 for _ in cluster_ends(text))


def words(text: str) -> int:
    r"""Return the number of runs without white space, as ``str.split`` finds them.

    Examples:
        >>> words(" a bc\n-- d")
        4
    """
    return len(text.split())


def utf8_bytes(text: str) -> int:
    """Return the number of bytes in UTF-8; a lone surrogate counts 3.

    Examples:
        >>> utf8_bytes("a\u20ac")
        4
    """
    if text.isascii():
        return len(text)
    return len(text.encode("utf-8", "surrogatepass"))


SIZERS: Mapping[str, Sizer] = MappingProxyType(
    {
        "code_points": code_points,
        "graphemes": graphemes,
        "words": words,
        "utf8_bytes": utf8_bytes,
    }
)
"""The sizers that have a name; a read-only view."""


@dataclass(frozen=True, eq=False)
class TokenCounter:
    """Counts the tokens of a text; `tokens` makes one of a tokenizer.

    Nothing is added to the text, and what looks like a special token is counted as
    the plain text that it is. A lone surrogate counts as U+FFFD, because tokenizers
    take text that UTF-8 can express. Two counters of the same tokenizer object are
    equal. One pickles if its tokenizer does.

    The counts of two parts need not add up to that of the whole, and a longer text can
    have fewer tokens than its beginning. In the encodings of OpenAI they do add up
    where the second part begins with a space and the first one does not end in white
    space; `adds_up_before_spaces` says so.

    Args:
        tokenizer: A tokenizer of one of the shapes that `tokens` names.

    Raises:
        TypeError: *tokenizer* has none of these shapes.
    """

    tokenizer: Any
    _count: Sizer = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Find out how the tokenizer is called."""
        object.__setattr__(self, "_count", _counting(self.tokenizer))

    def __call__(self, text: str) -> int:
        """Return the number of tokens in *text*."""
        if text.isascii():
            return self._count(text)
        try:
            text.encode()
        except UnicodeEncodeError:
            # Joins halves of a pair that were cut apart, replaces what is left.
            pairs = text.encode("utf-16-le", "surrogatepass")
            text = pairs.decode("utf-16-le", "replace")
        return self._count(text)

    @property
    def adds_up_before_spaces(self) -> bool:
        """Whether counts add up before a space that does not follow on white space.

        If so, a text also has no more tokens than bytes in UTF-8. True for what
        ``rs-bpe`` has of OpenAI, and for encodings of ``tiktoken`` and ``bpe-openai``
        with a name that OpenAI gave; ``False`` says that it is not known.
        """
        if _has(self.tokenizer, "encode_ordinary"):
            return getattr(self.tokenizer, "name", None) in _BEFORE_SPACES
        return _has(self.tokenizer, "encode", "count", "bpe")

    @override
    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TokenCounter):
            return NotImplemented
        return self.tokenizer is other.tokenizer

    @override
    def __hash__(self) -> int:
        # Not of the tokenizer itself, which may have no hash.
        return hash((TokenCounter, id(self.tokenizer)))

    @override
    def __reduce__(self) -> tuple[type[TokenCounter], tuple[Any]]:
        return (TokenCounter, (self.tokenizer,))


def tokens(tokenizer: Any) -> TokenCounter:
    """Return a sizer that counts the tokens of *tokenizer*.

    A tokenizer is known by its methods, so that no library is imported for it:

    * ``encode_ordinary(text)``: an encoding of ``tiktoken``, or of ``bpe-openai``;
    * ``count(text)`` next to ``encode``: a tokenizer of ``rs-bpe``;
    * ``encode`` and ``convert_tokens_to_ids``: a tokenizer of ``transformers``, called
      with ``split_special_tokens=True``;
    * ``encode`` and ``token_to_id``: a ``tokenizers.Tokenizer``. It is copied once,
      because truncation, padding and the recognition of special tokens have to be off,
      and the one that was given stays as it is.

    Args:
        tokenizer: An object of one of these shapes.

    Raises:
        TypeError: It has none of them.

    Examples:
        >>> class Pairs:
        ...     def encode_ordinary(self, text: str) -> list[str]:
        ...         return [text[at : at + 2] for at in range(0, len(text), 2)]
        >>> tokens(Pairs())("abcde")
        3
    """
    return TokenCounter(tokenizer)


def _counting(tokenizer: Any) -> Sizer:
    """Return the function that counts with *tokenizer*.

    Raises:
        TypeError: It has no known shape.
    """
    if _has(tokenizer, "encode_ordinary"):
        encode_ordinary = tokenizer.encode_ordinary
        return lambda text: len(encode_ordinary(text))
    if _has(tokenizer, "encode", "count"):
        count: Sizer = tokenizer.count
        return count
    if _has(tokenizer, "encode", "convert_tokens_to_ids"):
        # Not verbose: a text that is longer than a model takes is no problem here.
        return lambda text: len(
            tokenizer.encode(
                text, add_special_tokens=False, split_special_tokens=True, verbose=False
            )
        )
    if _has(tokenizer, "encode", "token_to_id"):
        plain = type(tokenizer).from_str(tokenizer.to_str())
        plain.no_truncation()
        plain.no_padding()
        plain.encode_special_tokens = True
        return lambda text: len(plain.encode(text, add_special_tokens=False).ids)
    msg = (
        f"tokenizer must be an object with encode_ordinary() (as in tiktoken and "
        "bpe-openai), encode() and count() (rs-bpe), encode() and "
        "convert_tokens_to_ids() (transformers), or encode() and token_to_id() "
        f"(tokenizers), got {shown(tokenizer)}"
    )
    raise TypeError(msg)


def _has(tokenizer: object, *methods: str) -> bool:
    """Whether an object has these methods; a class, or text, is no tokenizer."""
    return not isinstance(tokenizer, (type, str)) and all(
        callable(getattr(tokenizer, method, None)) for method in methods
    )


def resolve_sizer(sizer: Sizer | str | object) -> Sizer:
    """Return the sizer that *sizer* names.

    Args:
        sizer: A function (comes back as it is, but for ``len``, which is
            `code_points`), a name out of `SIZERS`, or a tokenizer (comes back as a
            `TokenCounter`, also if it can be called).

    Raises:
        ValueError: There is no sizer of that name; the message lists those that exist.
        TypeError: *sizer* is something else.

    Examples:
        >>> resolve_sizer("words")("a b")
        2
        >>> resolve_sizer("letters")
        Traceback (most recent call last):
            ...
        ValueError: unknown sizer 'letters', expected one of 'code_points', \
'graphemes', 'words', 'utf8_bytes'
    """
    if isinstance(sizer, str):
        if sizer not in SIZERS:
            known = ", ".join(map(repr, SIZERS))
            msg = f"unknown sizer {shown(sizer)}, expected one of {known}"
            raise ValueError(msg)
        return SIZERS[sizer]
    if sizer is len:
        return code_points
    # Tokenizers first: those of transformers can be called, and return no size then.
    if any(_has(sizer, method) for method in ("encode_ordinary", "encode")):
        return tokens(sizer)
    if callable(sizer) and not isinstance(sizer, type):
        function: Any = sizer
        return function  # type: ignore[no-any-return]  # calls show what it returns
    msg = (
        "sizer must be a function from a text to its size, a name out of "
        f"chunkwise.sizing.SIZERS, or a tokenizer, got {shown(sizer)}"
    )
    raise TypeError(msg)


def sizer_name(sizer: Sizer) -> str | None:
    """Return the name of *sizer* in `SIZERS`, or ``None`` if it has none.

    Examples:
        >>> sizer_name(words)
        'words'
        >>> print(sizer_name(len))
        None
    """
    for name, named in SIZERS.items():
        if named is sizer:
            return name
    return None
