"""Reads become text: whatever they cut apart, and up to the first bad byte."""

from __future__ import annotations

import codecs
import errno
import io
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import override

from chunkwise._decoding import decode_reads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _typeshed import ReadableBuffer


class Reads(io.RawIOBase):
    """A source whose reads give exactly these bytes; ``None`` means nothing yet."""

    def __init__(self, reads: Sequence[bytes | None]) -> None:
        super().__init__()
        self._reads = iter(reads)

    @override
    def read(self, size: int = -1, /) -> bytes | None:
        return next(self._reads, b"")


@st.composite
def cuts(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """Return *data* cut into reads; none is empty, as that would end the source."""
    places = draw(st.sets(st.integers(1, max(len(data) - 1, 1))))
    edges = [0, *sorted(places), len(data)]
    pieces = [data[a:b] for a, b in pairwise(edges)]
    return [piece for piece in pieces if piece]


def test_each_read_gives_its_text_at_once() -> None:
    reads = Reads([b"one \xc3", b"\xa9", b"t\xc3\xa9"])
    assert list(decode_reads(reads, "utf-8", "strict")) == ["one ", "é", "té"]


def test_the_end_gives_what_it_completes_and_no_text_of_its_own() -> None:
    reads = Reads([b"a", b"\xc3"])
    assert list(decode_reads(reads, "utf-8", "replace")) == ["a", "", "\ufffd"]


def test_a_source_without_bytes_gives_no_text() -> None:
    assert list(decode_reads(Reads([]), "utf-8", "strict")) == []


@pytest.mark.parametrize(
    ("encoding", "bom"),
    [
        ("utf-8", b"\xef\xbb\xbf"),
        ("UTF8", b"\xef\xbb\xbf"),
        ("utf-8-sig", b"\xef\xbb\xbf"),
        ("utf-16", b"\xff\xfe"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-32-le", b"\xff\xfe\0\0"),
    ],
)
def test_one_bom_at_the_start_is_not_text(encoding: str, bom: bytes) -> None:
    plain = {"utf-16": "utf-16-le", "utf-8-sig": "utf-8"}.get(encoding, encoding)
    for data, text in [
        (bom, ""),
        (bom + "a\ufeff".encode(plain), "a\ufeff"),
        (bom + bom, "\ufeff"),
    ]:
        # Whole, and in single bytes.
        for reads in ([data], [data[at : at + 1] for at in range(len(data))]):
            found = decode_reads(Reads(reads), encoding, "strict")
            assert "".join(found) == text


@given(
    text=st.text("a.é\n中𝄞\ufeff"),
    encoding=st.sampled_from(
        ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "utf-7", "gb18030"]
    ),
    data=st.data(),
)
def test_characters_may_be_cut_anywhere_between_reads(
    text: str, encoding: str, data: st.DataObject
) -> None:
    stored = f"x{text}".encode(encoding)
    reads = Reads(data.draw(cuts(stored)))
    assert "".join(decode_reads(reads, encoding, "strict")) == f"x{text}"


@given(good=st.text("a.é\n中𝄞"), rest=st.binary(), data=st.data())
def test_all_text_before_a_bad_byte_is_given(
    good: str, rest: bytes, data: st.DataObject
) -> None:
    before = good.encode()
    reads = Reads(data.draw(cuts(before + b"\xff" + rest)))
    found: list[str] = []
    with pytest.raises(UnicodeError) as error:
        found.extend(decode_reads(reads, "utf-8", "strict"))
    # `extend` keeps what came before the error.
    assert "".join(found) == good
    assert f" byte offset {len(before)} " in str(error.value)


def test_an_offset_counts_from_the_first_byte_bom_included() -> None:
    reads = Reads([b"\xef\xbb\xbfOne.\r\n", b"\xff"])
    says = "^0xff at byte offset 9 is not utf-8: invalid start byte$"
    with pytest.raises(UnicodeError, match=says):
        list(decode_reads(reads, "utf-8", "strict"))


def test_an_input_that_ends_inside_a_character_is_an_error() -> None:
    reads = Reads([b"One. \xe2", b"\x82"])
    says = "^0xe282 at byte offset 5 is not utf-8: unexpected end of data$"
    with pytest.raises(UnicodeError, match=says):
        list(decode_reads(reads, "utf-8", "strict"))


def test_a_message_shows_four_bad_bytes_at_most() -> None:
    reads = Reads([b"+AAAAAAAAAA!"])
    with pytest.raises(UnicodeError, match=r"^0x[0-9a-f]{8} at byte offset 0 is"):
        list(decode_reads(reads, "utf-7", "strict"))


@pytest.mark.parametrize(
    ("policy", "text"),
    [("replace", "a\ufffdb"), ("ignore", "ab"), ("backslashreplace", r"a\xffb")],
)
def test_a_policy_may_let_bad_bytes_pass(policy: str, text: str) -> None:
    assert "".join(decode_reads(Reads([b"a\xffb"]), "utf-8", policy)) == text


def test_a_source_that_does_not_wait_has_not_ended() -> None:
    texts = decode_reads(Reads([b"One. Tw", None]), "utf-8", "strict")
    assert next(texts) == "One. Tw"
    with pytest.raises(BlockingIOError) as error:
        next(texts)
    assert error.value.errno == errno.EAGAIN


class BluntDecoder(codecs.IncrementalDecoder):
    """Takes ASCII, and says of other bytes only that there are some."""

    @override
    def decode(self, input: ReadableBuffer, final: bool = False) -> str:
        data = bytes(input)
        if not data.isascii():
            msg = "not plain"
            raise UnicodeError(msg)
        return data.decode("ascii")


def blunt_codec(name: str) -> codecs.CodecInfo | None:
    """Return the codec of `BluntDecoder`, as ``codecs.register`` wants it."""
    if name != "blunt":
        return None
    ascii_codec = codecs.lookup("ascii")
    return codecs.CodecInfo(
        ascii_codec.encode,
        ascii_codec.decode,
        incrementaldecoder=BluntDecoder,
        name=name,
    )


def test_a_codec_that_does_not_say_where_gets_the_place_of_the_read() -> None:
    codecs.register(blunt_codec)
    texts: list[str] = []
    says = "^0x6f at byte offset 4 is not blunt: not plain$"
    try:
        with pytest.raises(UnicodeError, match=says):
            texts.extend(decode_reads(Reads([b"One ", b"or\xff"]), "blunt", "strict"))
    finally:
        codecs.unregister(blunt_codec)
    assert texts == ["One ", ""]
