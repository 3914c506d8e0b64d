"""Track: the deltas of one choice, out of the parts that the events hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .._cut import CUT
from ._part import ending_of, plain_word

if TYPE_CHECKING:
    from collections.abc import Hashable

    from .._cut import Cut
    from ._part import Ending, Kind, Part

_SURE: Final = 20
"""Code points that a delta and the one before it share at their start only where it
repeats that one."""
_PROOF: Final = 2
"""Deltas in a row that each repeat the one before them, and add to it, as no text is
likely to begin. One may: the second line of a text can be the first one again."""

_HIGH: Final = ("\ud800", "\udbff")
_LOW: Final = ("\udc00", "\udfff")


class CumulativeText(ValueError):  # noqa: N818 - caught inside the package
    """The source gives the whole text so far each time."""


class Track:
    """Turns the parts of one choice into deltas of one kind.

    * A ``CUT`` comes before a text if something else came between it and the one
      before it, or if that was of another block.
    * Half a surrogate pair at the end of a text is held back until the next one comes,
      and joined with its other half.
    * Texts that each begin with all before them are refused at the second one that
      adds to 20 code points or more, and not with how it began itself. Those before it
      are out by then; shorter texts, and such as repeat their beginning, pass.

    Args:
        kind: What is read.

    Attributes:
        finish: The service's word for how the text ended; ``None`` before that.
    """

    __slots__ = (
        "_before",
        "_between",
        "_block",
        "_held",
        "_kind",
        "_refused",
        "_repeats",
        "_started",
        "finish",
    )

    def __init__(self, kind: Kind) -> None:
        self._kind = kind
        self.finish: str | None = None
        # Something else came since the last text.
        self._between = False
        self._block: Hashable = None
        self._started = False
        self._held = ""
        # As long as each text began with the one before it: that text.
        self._before: str | None = ""
        self._repeats = 0
        self._refused = False

    @property
    def ending(self) -> Ending | None:
        """How the text ended, as far as it was said.

        A refusal that ended by itself is a ``"refusal"``, whatever the service calls
        it.
        """
        ending = None if self.finish is None else ending_of(self.finish)
        return "refusal" if ending == "stop" and self._refused else ending

    def take(self, part: Part) -> list[str | Cut]:
        """Return the deltas that *part* completes: one, or one behind a ``CUT``.

        Raises:
            CumulativeText: It repeats all before it.
        """
        if part.finish and ending_of(part.finish) is not None:
            self.finish = plain_word(part.finish)
        if part.kind != self._kind:
            if part.kind == "refusal":
                self._refused = True
            if part.text or part.kind != "text":
                self._between = True
            return []
        if not part.text:
            return []
        deltas: list[str | Cut] = []
        if self._started and (self._between or part.block != self._block):
            deltas.extend(self.cut())
        self._between = False
        self._started = True
        self._block = part.block
        text = self.add(part.text)
        if text:
            deltas.append(text)
        return deltas

    def cut(self) -> list[str | Cut]:
        """Return a ``CUT``, behind what was held back."""
        held = self.rest()
        return [held, CUT] if held else [CUT]

    def rest(self) -> str:
        """Return what is held back at the end of the stream, or before a cut."""
        held, self._held = self._held, ""
        return held

    def add(self, text: str) -> str:
        """Return *text* as it is to be handed out: whole surrogate pairs, plain.

        Raises:
            CumulativeText: It repeats all before it.
        """
        if type(text) is not str:
            text = str.__str__(text)
        if self._before is not None:
            self._check_new(text)
        if self._held:
            text = _joined(self._held, text)
            self._held = ""
        if _HIGH[0] <= text[-1:] <= _HIGH[1]:
            self._held = text[-1]
            text = text[:-1]
        return text

    def _check_new(self, text: str) -> None:
        """Refuse a text that begins with the one before it, as all before it did.

        The first text that does not, usually the second, ends the watch. What a text
        adds proves nothing where it is the beginning of that text once more: a rule of
        dashes, or a line again and again, can arrive in pieces that grow.
        """
        before = self._before or ""
        if not text.startswith(before):
            self._before = None
            return
        added = text[len(before) :]
        if len(before) >= _SURE and not text.startswith(added):
            self._repeats += 1
            if self._repeats == _PROOF:
                raise CumulativeText(before)
        self._before = text


def _joined(high: str, text: str) -> str:
    """Return *high* and *text*, as one character where they meet if they make one."""
    if not _LOW[0] <= text[:1] <= _LOW[1]:
        return high + text
    offset = ((ord(high) - 0xD800) << 10) + ord(text[0]) - 0xDC00
    return chr(0x10000 + offset) + text[1:]
