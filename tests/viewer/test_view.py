"""render and view: a page about a text, a recording, or a stream."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from chunkwise import CUT, SentenceChunking, UnknownStrategyError
from chunkwise.viewer._recording import Recording
from chunkwise.viewer._view import View, render, view
from tests.deltas.sources import Events


def data_in(page: str) -> Any:
    (written,) = re.findall(r'id="data">(.*?)</script>', page)
    return json.loads(written)


def labels(page: str) -> list[str]:
    return [trace["label"] for trace in data_in(page)["traces"]]


def test_a_text_is_cut_into_deltas_for_the_replay() -> None:
    data = data_in(render("It is on. Go", title="An answer"))
    assert (data["title"], data["text"]) == ("An answer", "It is on. Go")
    assert (data["deltas"], data["times"], data["simulated"]) == ([[4, 3]], None, 4)
    data = data_in(render("It is on. Go", delta_size=5))
    assert (data["deltas"], data["simulated"]) == ([[5, 2], [2, 1]], 5)


def test_a_recording_is_shown_as_it_came() -> None:
    data = data_in(render(Recording(["It is ", CUT, "on."], [0, 0.5, 1])))
    assert (data["text"], data["simulated"]) == ("It is on.", 0)
    assert data["deltas"] == [[6, 1], [-1, 1], [3, 1]]
    assert data["times"] == [0, 500, 500]


def test_a_stream_is_read_timed_and_closed() -> None:
    source: Any = Events("It is ", "on.")
    data = data_in(render(source))
    assert (data["text"], data["deltas"]) == ("It is on.", [[6, 1], [3, 1]])
    assert len(data["times"]) == 2
    assert source.closed == 1


def test_a_strategy_is_given_in_every_form_alone_or_with_others() -> None:
    assert labels(render("a")) == ["sentence"]
    assert labels(render("a", "word")) == ["word"]
    assert labels(render("a", {"type": "window", "window": 2})) == ["window(window=2)"]
    assert labels(render("a", SentenceChunking("de"))) == ["sentence(language='de')"]
    several: list[Any] = ["word", {"type": "line"}, SentenceChunking()]
    assert labels(render("a", several)) == ["word", "line", "sentence"]
    assert labels(render("a", tuple(several))) == ["word", "line", "sentence"]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^by must name at least one strategy"):
        render("a", [])
    with pytest.raises(UnknownStrategyError):
        render("a", "sentences")
    with pytest.raises(ValueError, match=r"^delta_size must be an int of at least 1"):
        render("a", delta_size=0)
    with pytest.raises(TypeError, match=r"^expected an iterable of str, got int"):
        render(7)  # type: ignore[arg-type]  # that is what is tested


def test_a_notebook_shows_the_page_in_a_frame_that_can_do_nothing_else() -> None:
    shown = view('"It" is <on>.', title='a "title" & <more>')
    frame = shown._repr_html_()
    (title, sandbox, page) = re.findall(
        r'^<iframe title="(.*?)" sandbox="(.*?)" srcdoc="(.*?)" style="[^"]*">'
        r"</iframe>$",
        frame,
        re.DOTALL,
    )[0]
    assert html.unescape(title) == shown.title
    assert sandbox == "allow-scripts"
    assert (
        html.unescape(page) == shown.page == render('"It" is <on>.', title=shown.title)
    )


def test_a_view_is_said_in_few_words() -> None:
    assert repr(View("<p>", "a")) == "<View of 'a', a page of 3 characters>"
