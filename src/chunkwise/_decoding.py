"""Decoding: the bytes of a source become text, read by read."""

from __future__ import annotations

import codecs
import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

_READ_SIZE = 1 << 16
"""Bytes that one read takes at most; a pipe gives what it has and is not waited for."""

_SHOWN_BYTES = 4
"""Undecodable bytes that a message shows at most."""

_BOM = "\ufeff"

_BOM_READERS = frozenset({"utf-8-sig", "utf-16", "utf-32"})
"""Codecs that take a BOM away themselves; a second one behind it is text."""


def decode_reads(source: io.RawIOBase, encoding: str, errors: str) -> Iterator[str]:
    """Yield the text of *source* as it arrives, without a BOM at its start.

    Args:
        source: What to read from, until it ends. Each read may give any number of
            bytes; a character may be cut between two reads.
        encoding: A text encoding that Python has an incremental decoder for.
        errors: Name of the error policy.

    Yields:
        One text for each read; may be empty.

    Raises:
        UnicodeError: A byte is not text. All text before it has been yielded; the
            message has its offset from the first byte of the source.
        BlockingIOError: The source has nothing now, and does not wait.
    """
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    at_start = codecs.lookup(encoding).name not in _BOM_READERS
    size = 0
    ended = False
    while not ended:
        data = source.read(_READ_SIZE)
        if data is None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        size += len(data)
        ended = not data
        text, error = _decode(decoder, data, final=ended)
        if at_start and text:
            at_start = False
            text = text.removeprefix(_BOM)
        yield text
        if error is not None:
            # The decoder's offset counts from what it still held of earlier reads.
            offset = size - len(error.object) + error.start
            found = error.object[error.start : error.end][:_SHOWN_BYTES].hex()
            place = f"0x{found} at byte offset {offset}"
            msg = f"{place} is not {encoding}: {error.reason}"
            raise UnicodeError(msg) from error


def _decode(
    decoder: codecs.IncrementalDecoder, data: bytes, *, final: bool
) -> tuple[str, UnicodeDecodeError | None]:
    """Return the text of *data* up to the first error, and that error."""
    state = decoder.getstate()
    try:
        return decoder.decode(data, final), None
    except UnicodeError as failure:
        error = failure
        if not isinstance(error, UnicodeDecodeError):
            # A codec that does not say where (the ISO-2022 family): somewhere here.
            error = UnicodeDecodeError("", data or b"?", 0, 1, str(failure))
        # A failed call gives no text at all, so decode what it found to be good.
        good = len(data) - len(error.object) + error.start
        decoder.setstate(state)
        return decoder.decode(data[: max(good, 0)]), error
