"""Sizers: units, tokenizers by their shape, and names."""
# ruff: noqa: D102 - the fakes have the methods of what they stand for

from __future__ import annotations

import copy
import pickle
import re
from types import SimpleNamespace
from typing import Any

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.sizing import (
    SIZERS,
    TokenCounter,
    code_points,
    graphemes,
    resolve_sizer,
    sizer_name,
    tokens,
    utf8_bytes,
    words,
)
from tests.texts import boundary_rich_texts

SPECIAL = "<|end|>"


class OrdinaryEncoding:
    """Shaped as ``tiktoken.Encoding``: ``encode`` refuses special tokens."""

    def encode(self, text: str) -> list[int]:
        if SPECIAL in text:
            raise ValueError(text)
        return self.encode_ordinary(text)

    def encode_ordinary(self, text: str) -> list[int]:
        return list(text.encode())

    def __repr__(self) -> str:
        return "<Encoding 'bytes'>"


class CountingTokenizer:
    """Shaped as the tokenizers of ``rs-bpe``."""

    def encode(self, text: str) -> list[int]:
        raise AssertionError(text)

    def count(self, text: str) -> int:
        return len(text.encode())


class CallableTokenizer:
    """Shaped as the tokenizers of ``transformers``, which can be called."""

    __hash__ = None  # type: ignore[assignment]  # not every tokenizer has a hash

    def convert_tokens_to_ids(self, tokens: list[str]) -> list[int]:
        raise AssertionError(tokens)

    def encode(
        self,
        text: str,
        *,
        add_special_tokens: bool = True,
        split_special_tokens: bool = False,
        verbose: bool = True,
    ) -> list[int]:
        assert not verbose
        if not split_special_tokens:
            text = text.replace(SPECIAL, ".")
        return [0] * add_special_tokens + list(text.encode())

    def __call__(self, text: str) -> dict[str, list[int]]:
        return {"input_ids": self.encode(text)}


class CopiedTokenizer:
    """Shaped as ``tokenizers.Tokenizer``: switches change it in place."""

    def __init__(self) -> None:
        self.truncated = True
        self.padded = True
        self.encode_special_tokens = False

    @classmethod
    def from_str(cls, form: str) -> CopiedTokenizer:
        assert form == "a tokenizer"
        return cls()

    def to_str(self) -> str:
        return "a tokenizer"

    def no_truncation(self) -> None:
        self.truncated = False

    def no_padding(self) -> None:
        self.padded = False

    def token_to_id(self, token: str) -> int:
        raise AssertionError(token)

    def encode(self, text: str, *, add_special_tokens: bool = True) -> SimpleNamespace:
        if not self.encode_special_tokens:
            text = text.replace(SPECIAL, ".")
        ids = [0] * add_special_tokens + list(text.encode())
        if self.truncated:
            ids = ids[:2]
        if self.padded:
            ids += [0] * (40 - len(ids))
        return SimpleNamespace(ids=ids)


TOKENIZERS = [
    OrdinaryEncoding(),
    CountingTokenizer(),
    CallableTokenizer(),
    CopiedTokenizer(),
]
every_tokenizer = pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=type)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        pytest.param("", (0, 0, 0, 0), id="nothing"),
        pytest.param("ab c", (4, 4, 2, 4), id="ascii"),
        pytest.param("a\r\nb\r", (5, 4, 2, 5), id="carriage returns"),
        pytest.param("e\u0301\u3000e", (4, 3, 2, 7), id="a mark and a wide space"),
        pytest.param("\U0001f469\u200d\U0001f467", (3, 1, 1, 11), id="joined emoji"),
        pytest.param("\ud83d", (1, 1, 1, 3), id="lone surrogate"),
        pytest.param("\x00\x1f\x7f", (3, 3, 2, 3), id="control characters"),
    ],
)
def test_a_text_has_a_size_in_each_unit(
    text: str, sizes: tuple[int, int, int, int]
) -> None:
    units = (code_points, graphemes, words, utf8_bytes)
    assert tuple(unit(text) for unit in units) == sizes


@given(text=st.one_of(boundary_rich_texts(), st.text(st.characters(max_codepoint=127))))
def test_the_quick_paths_give_what_the_long_ones_give(text: str) -> None:
    assert graphemes(text) == len(regex.findall(r"\X", text))
    assert utf8_bytes(text) == len(text.encode("utf-8", "surrogatepass"))


@given(text=boundary_rich_texts(), data=st.data())
def test_code_points_are_additive_over_any_cut(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    assert code_points(text[:cut]) + code_points(text[cut:]) == code_points(text)


@every_tokenizer
@pytest.mark.parametrize("text", ["", "abc", f"a {SPECIAL}", "\u20ac"])
def test_tokens_are_counted_without_special_ones(tokenizer: Any, text: str) -> None:
    assert tokens(tokenizer)(text) == len(text.encode())


@every_tokenizer
@pytest.mark.parametrize(
    ("text", "count"),
    [("\ud83d", 3), ("a\ude00b", 5), ("\ud83d\ude00", 4)],
    ids=["high", "low", "pair"],
)
def test_tokenizers_are_given_text_without_surrogates(
    tokenizer: Any, text: str, count: int
) -> None:
    assert tokens(tokenizer)(text) == count


def test_counts_add_up_before_spaces_where_that_is_known() -> None:
    class Named(OrdinaryEncoding):
        def __init__(self, name: Any) -> None:
            self.name = name

    class OfOpenAI(CountingTokenizer):
        def bpe(self) -> object:
            raise AssertionError

    for known in ("gpt2", "cl100k_base", "o200k_base"):
        assert tokens(Named(known)).adds_up_before_spaces
    for other in ("claude", None, ["gpt2"]):
        assert not tokens(Named(other)).adds_up_before_spaces
    assert tokens(OfOpenAI()).adds_up_before_spaces
    for tokenizer in TOKENIZERS:
        assert not tokens(tokenizer).adds_up_before_spaces


def assert_counts_add_up_before_spaces(counter: TokenCounter) -> None:
    """Compare the parts of texts that have a space behind all kinds of things."""
    assert counter.adds_up_before_spaces
    befores = [
        "a",
        "B",
        "é",
        "日本",
        "。",
        "1",
        "12345",
        ".",
        "...",
        "'s",
        "it'",
        '"',
        "|",
        "/",
    ]
    befores += ["\U0001f389", "\u200b", "e\u0301", "\u0600", "\u017f", "<|endoftext|>"]
    behinds = [
        "",
        "a",
        "The",
        "'s",
        "7",
        ".",
        "\n",
        " ",
        " b",
        "\t",
        "\n\nb",
        "\u3000",
        "/",
    ]
    for before in befores:
        for behind in behinds:
            for left in (before, f"x {before}", f"\n\n{before}"):
                right = f" {behind}"
                assert counter(left + right) == counter(left) + counter(right)
    pieces = [
        *befores,
        *behinds,
        "  ",
        "\r\n",
        "\u00a0",
        "\x1c",
        "\x85",
        "\ud83d",
        "\udf89",
    ]

    @given(st.lists(st.one_of(st.sampled_from(pieces), st.text(max_size=3))))
    def check(parts: list[str]) -> None:
        text = "".join(parts)
        size = counter(text)
        assert size <= utf8_bytes(text)
        for joint in re.finditer(r"(?<=\S) ", text):
            left, right = text[: joint.start()], text[joint.start() :]
            assert size == counter(left) + counter(right)

    check()


def test_a_tokenizer_that_has_to_be_changed_is_copied() -> None:
    tokenizer = CopiedTokenizer()
    assert tokens(tokenizer)("abcd") == 4
    assert (tokenizer.truncated, tokenizer.padded) == (True, True)
    assert not tokenizer.encode_special_tokens


@every_tokenizer
def test_counters_of_the_same_tokenizer_are_equal(tokenizer: Any) -> None:
    one, same = tokens(tokenizer), TokenCounter(tokenizer)
    assert one == same
    assert hash(one) == hash(same)
    assert one != tokens(OrdinaryEncoding())
    assert one != code_points


def test_a_counter_shows_its_tokenizer() -> None:
    shown = "TokenCounter(tokenizer=<Encoding 'bytes'>)"
    assert repr(tokens(OrdinaryEncoding())) == shown


def test_a_counter_is_immutable() -> None:
    counter = tokens(OrdinaryEncoding())
    with pytest.raises(AttributeError):
        counter.tokenizer = CountingTokenizer()  # type: ignore[misc]  # that it is


@every_tokenizer
def test_a_counter_pickles_and_copies(tokenizer: Any) -> None:
    counter = tokens(tokenizer)
    assert copy.copy(counter) == counter
    for again in (
        copy.deepcopy(counter),
        pickle.loads(pickle.dumps(counter)),  # noqa: S301 - our own pickle
    ):
        assert type(again.tokenizer) is type(tokenizer)
        assert again("abc") == 3


@pytest.mark.parametrize(
    "wrong",
    [None, 7, "cl100k_base", b"a", ["a"], len, object(), OrdinaryEncoding],
    ids=type,
)
def test_what_is_no_tokenizer_is_refused_with_the_known_shapes(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"tokenizer must be .*, got ") as caught:
        tokens(wrong)
    for library in ("tiktoken", "bpe-openai", "rs-bpe", "transformers", "tokenizers"):
        assert library in str(caught.value)


def test_an_object_that_only_encodes_is_no_tokenizer() -> None:
    only_encode = SimpleNamespace(encode=len)
    with pytest.raises(TypeError, match="got namespace"):
        tokens(only_encode)
    with pytest.raises(TypeError, match="tokenizer must be"):
        resolve_sizer(only_encode)


def test_tiktoken_itself_is_counted() -> None:
    tiktoken = pytest.importorskip("tiktoken")
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"ab": 256}
    encoding = tiktoken.Encoding(
        "pairs",
        pat_str=r"[a-z]+|[^a-z]+",
        mergeable_ranks=ranks,
        special_tokens={SPECIAL: 257},
    )
    counter = resolve_sizer(encoding)
    assert counter("abab c") == 4
    assert counter(SPECIAL) == len(SPECIAL)
    assert counter("\ud83d") == 3


def test_bpe_openai_itself_is_counted() -> None:
    bpe_openai = pytest.importorskip("bpe_openai")
    counter = tokens(bpe_openai.get_encoding("cl100k_base"))
    assert counter("hello world") == 2
    assert counter("<|endoftext|>") > 1
    assert counter("\ud83d") == counter("\ufffd")
    for name in ("cl100k_base", "o200k_base"):
        encoding = bpe_openai.get_encoding(name)
        assert_counts_add_up_before_spaces(tokens(encoding))


def test_rs_bpe_itself_is_counted() -> None:
    bpe = pytest.importorskip("rs_bpe.bpe")
    counter = tokens(bpe.openai.cl100k_base())
    assert counter("hello world") == 2
    assert counter("<|endoftext|>") > 1
    assert counter("\ud83d") == counter("\ufffd")
    for encoding in (bpe.openai.cl100k_base(), bpe.openai.o200k_base()):
        assert_counts_add_up_before_spaces(tokens(encoding))


def words_of_tokenizers() -> Any:
    """Return a small ``tokenizers.Tokenizer`` with a special token."""
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {each: at for at, each in enumerate(["?", "a", "<", "|", "end", ">"])}
    model = tokenizers.models.WordLevel(vocabulary, unk_token="?")  # noqa: S106 - a word
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens([SPECIAL])
    return tokenizer


def test_tokenizers_itself_is_counted() -> None:
    tokenizer = words_of_tokenizers()
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=9)
    counter = resolve_sizer(tokenizer)
    assert counter("a a a") == 3
    assert counter(f"a {SPECIAL}") == 4
    assert counter("\ud83d") == counter("\ufffd")
    assert tokenizer.truncation["max_length"] == 2
    assert not tokenizer.encode_special_tokens


def test_transformers_itself_is_counted() -> None:
    transformers = pytest.importorskip("transformers")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words_of_tokenizers(), eos_token=SPECIAL, model_max_length=2
    )
    counter = resolve_sizer(tokenizer)
    assert isinstance(counter, TokenCounter)
    assert counter("a a a") == 3
    assert counter(f"a {SPECIAL}") == 4
    assert counter("\ud83d") == counter("\ufffd")


def test_names_give_sizers_and_sizers_their_names() -> None:
    assert list(SIZERS) == ["code_points", "graphemes", "words", "utf8_bytes"]
    for name, sizer in SIZERS.items():
        assert resolve_sizer(name) is sizer
        assert sizer.__name__ == name
        assert sizer_name(sizer) == name


def test_the_names_are_read_only() -> None:
    with pytest.raises(TypeError):
        SIZERS["mine"] = len  # type: ignore[index]  # that it is read-only


def test_other_sizers_have_no_name() -> None:
    assert sizer_name(len) is None
    assert sizer_name(tokens(OrdinaryEncoding())) is None


def test_a_function_or_a_counter_comes_back_as_it_is() -> None:
    counter = tokens(OrdinaryEncoding())
    for sizer in (str.__len__, code_points, counter):
        assert resolve_sizer(sizer) is sizer


def test_len_counts_code_points() -> None:
    assert resolve_sizer(len) is code_points


@every_tokenizer
def test_a_tokenizer_becomes_a_counter(tokenizer: Any) -> None:
    assert resolve_sizer(tokenizer) == tokens(tokenizer)


@pytest.mark.parametrize("name", ["", "letters", "Words"])
def test_an_unknown_name_is_answered_with_the_known_ones(name: str) -> None:
    with pytest.raises(ValueError, match=f"unknown sizer {name!r}, ") as caught:
        resolve_sizer(name)
    for known in SIZERS:
        assert repr(known) in str(caught.value)


@pytest.mark.parametrize("wrong", [None, 7, ["words"], OrdinaryEncoding, int], ids=repr)
def test_what_gives_no_sizer_is_shown(wrong: Any) -> None:
    with pytest.raises(TypeError, match="sizer must be a function") as caught:
        resolve_sizer(wrong)
    assert repr(wrong) in str(caught.value)
