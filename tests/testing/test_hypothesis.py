"""The strategies for Hypothesis: every text and slicing can come, and shrinks."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import find, given
from hypothesis import strategies as st

from chunkwise import Chunker
from chunkwise.testing.hypothesis import boundary_rich_texts, slicings


@given(data=st.data(), text=boundary_rich_texts())
def test_a_slicing_is_the_text_in_deltas(data: st.DataObject, text: str) -> None:
    assert "".join(data.draw(slicings(text))) == text


def test_a_slicing_may_have_empty_deltas() -> None:
    assert find(slicings("ab"), lambda deltas: deltas.count("") == 2).count("") == 2


def test_texts_are_made_of_common_boundaries_or_of_given_ones() -> None:
    assert find(boundary_rich_texts(), lambda text: "\r\n" in text) == "\r\n"
    assert find(boundary_rich_texts(["@@", "a"]), lambda text: "@" in text) == "@@"


def test_a_property_is_written_in_a_line() -> None:
    @given(data=st.data(), text=boundary_rich_texts())
    def law(data: st.DataObject, text: str) -> None:
        chunker = Chunker("word")
        chunks = [c for delta in data.draw(slicings(text)) for c in chunker.feed(delta)]
        assert chunks + chunker.flush() == text.split()

    law()


def test_the_kit_itself_needs_no_hypothesis() -> None:
    code = "import sys, chunkwise.testing; print('hypothesis' in sys.modules)"
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
