"""Decoding: bytes become text as they arrive, cut anywhere."""

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


class ByteDecoder:
    """Decodes bytes as they arrive, without a BOM at their start.

    Args:
        encoding: A text encoding that Python has an incremental decoder for.
        errors: Name of the error policy.
    """

    def __init__(self, encoding: str, errors: str) -> None:
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)(errors)
        self._at_start = codecs.lookup(encoding).name not in _BOM_READERS
        self._size = 0

    def decode(
        self, data: bytes, *, final: bool = False
    ) -> tuple[str, UnicodeError | None]:
        """Return the text that *data* completes, and the error where it ends.

        Args:
            data: The next bytes; a character may be cut at their ends.
            final: Whether they are the last.

        Returns:
            All text up to the first byte that is none, and an error with its offset
            from the first byte of all; ``None`` where there is no such byte.
        """
        self._size += len(data)
        text, cause = _decode(self._decoder, data, final=final)
        if self._at_start and text:
            self._at_start = False
            text = text.removeprefix(_BOM)
        if cause is None:
            return text, None
        # The decoder's offset counts from what it still held of earlier bytes.
        offset = self._size - len(cause.object) + cause.start
        found = cause.object[cause.start : cause.end][:_SHOWN_BYTES].hex()
        place = f"0x{found} at byte offset {offset}"
        error = UnicodeError(f"{place} is not {self._encoding}: {cause.reason}")
        error.__cause__ = cause
        return text, error


def decode_reads(source: io.RawIOBase, encoding: str, errors: str) -> Iterator[str]:
    """Yield the text of *source* as it arrives, without a BOM at its start.

    Args:
        source: What to read from, until it ends. Each read may give any number of
            bytes; a character may be cut between two reads.
        encoding: A text encoding that Python has an incremental decoder for.
        errors: Name of the error policy.

    Yields:
        One text for each read, which may be empty; and what only the end completes.

    Raises:
        UnicodeError: A byte is not text. All text before it has been yielded; the
            message has its offset from the first byte of the source.
        BlockingIOError: The source has nothing now, and does not wait.
    """
    decoder = ByteDecoder(encoding, errors)
    ended = False
    while not ended:
        data = source.read(_READ_SIZE)
        if data is None:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        ended = not data
        text, error = decoder.decode(data, final=ended)
        if text or not ended:
            yield text
        if error is not None:
            raise error


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
