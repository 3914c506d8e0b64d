"""The replay: what is pending, what was just released, and for how long it was held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import CUT, FixedSizeChunking
from chunkwise.viewer import Recording

if TYPE_CHECKING:
    from collections.abc import Callable

DELTAS = ["The 😀 is sl", "ow. It wai", "ts for pa", "ges! Why", "?"]
TIMES = [0, 0.2, 0.5, 0.6, 1]


def state(page: Any) -> tuple[list[str], str, str, list[str]]:
    """Return what is released, pending and still to come, and what is new."""

    def texts(kind: str) -> list[str]:
        found = page.locator(f"#rows {kind}").all_text_contents()
        return [str(text) for text in found]

    return (
        texts(".chunk"),
        "".join(texts(".pending")),
        "".join(texts(".coming")),
        texts(".chunk.new"),
    )


def test_the_slider_steps_through_the_deltas(open_page: Callable[..., Any]) -> None:
    page = open_page(Recording(DELTAS, TIMES))
    place = page.get_by_label("Place in the replay")
    assert page.locator("#now").inner_text() == "end of the stream"
    assert page.locator(".head p").inner_text() == "3 chunks"
    one, two, why = "The 😀 is slow.", "It waits for pages!", "Why?"
    expected = [
        ([], "", "".join(DELTAS), []),
        ([], "The 😀 is sl", "ow. It waits for pages! Why?", []),
        ([one], " It wai", "ts for pages! Why?", [one]),
        ([one], " It waits for pa", "ges! Why?", []),
        ([one, two], " Why", "?", [two]),
        ([one, two], " Why?", "", []),
        ([one, two, why], "", "", [why]),
    ]
    for step, then in enumerate(expected):
        place.fill(str(step))
        assert state(page) == then, step


def test_the_stream_has_arrived_at_one_place(open_page: Callable[..., Any]) -> None:
    paragraph = "It is on. " * 50 + "\n\n"
    page = open_page(
        Recording([paragraph] * 7), viewport={"width": 1200, "height": 3_000}
    )
    assert page.locator("#rows .line").count() == 4
    place = page.get_by_label("Place in the replay")
    for step in [3, 2, 1, 0, 1, 2, 7]:
        place.fill(str(step))
        assert page.locator(".caret").count() == 1
        coming = "".join(page.locator(".coming").all_text_contents())
        assert coming == paragraph * (7 - step)


def test_what_was_released_says_how_long_it_was_held_back(
    open_page: Callable[..., Any],
) -> None:
    page = open_page(Recording(DELTAS, TIMES))
    place = page.get_by_label("Place in the replay")
    status = page.locator(".head p")
    place.fill("2")
    assert status.inner_text().split("\n") == [
        "1 of 3 chunks · 7 code points pending",
        "just released 0 · held back 0 deltas · 7 code points · 0 ms",
    ]
    assert page.locator("#now").inner_text() == "delta 2 of 5 · 200 ms"
    assert page.locator("#delta").inner_text() == "ow.·It·wai"
    place.fill("6")
    assert status.inner_text().split("\n") == [
        "3 of 3 chunks · nothing pending",
        "just released 2 · held back to the end of the stream",
    ]


def test_buttons_and_keys_step_and_stop_at_both_ends(
    open_page: Callable[..., Any],
) -> None:
    page = open_page(Recording(DELTAS))
    now = page.locator("#now")
    page.get_by_label("One delta back").click()
    assert now.inner_text() == "delta 5 of 5"
    assert page.get_by_label("One delta on").is_enabled()
    page.get_by_label("One delta on").focus()
    page.keyboard.press("Enter")
    assert now.inner_text() == "end of the stream"
    assert page.get_by_label("One delta on").is_disabled()
    page.get_by_label("Place in the replay").focus()
    page.keyboard.press("Home")
    assert now.inner_text() == "delta 0 of 5"
    assert page.get_by_label("One delta back").is_disabled()
    page.keyboard.press("ArrowRight")
    assert now.inner_text() == "delta 1 of 5"
    place = page.get_by_label("Place in the replay")
    assert place.get_attribute("aria-valuetext") == "delta 1 of 5"


def test_it_plays_to_the_end_and_can_pause(open_page: Callable[..., Any]) -> None:
    page = open_page(Recording([f"Word {at}. " for at in range(400)]))
    page.get_by_label("Speed").select_option("64")
    play = page.get_by_role("button", name="Play")
    play.click()
    page.wait_for_function("() => document.getElementById('position').value > 20")
    page.get_by_role("button", name="Pause").click()
    stopped = page.locator("#position").input_value()
    assert 20 < int(stopped) < 401
    page.wait_for_timeout(100)
    assert page.locator("#position").input_value() == stopped
    # The place where the stream has arrived is in sight.
    caret = page.locator(".caret").bounding_box()
    room = page.locator("#texts").bounding_box()
    assert room["y"] < caret["y"] < room["y"] + room["height"]
    play.click()
    page.locator("#now").get_by_text("end of the stream").wait_for()
    assert page.get_by_role("button", name="Play").is_visible()
    assert page.locator(".head p").inner_text().startswith("400 of 400 chunks")


def test_it_plays_in_the_time_of_the_recording(open_page: Callable[..., Any]) -> None:
    page = open_page(Recording(["One. ", "Two. ", "Three."], [10, 10.2, 3_000]))
    page.get_by_role("button", name="Play").click()
    page.get_by_text("delta 2 of 3 · 200 ms").wait_for()
    page.wait_for_timeout(300)
    assert page.locator("#now").inner_text() == "delta 2 of 3 · 200 ms"
    assert page.locator("#facts").inner_text().endswith("2990.00 s")


def test_the_release_of_a_chunk_can_be_asked_for(open_page: Callable[..., Any]) -> None:
    page = open_page(Recording(DELTAS), ["sentence", "word"])
    page.get_by_text("It waits for pages!", exact=True).hover()
    page.get_by_role("button", name="Show its release").click()
    assert page.locator("#now").inner_text() == "delta 4 of 5"
    new = page.locator("#rows .text").nth(0).locator(".new").all_text_contents()
    assert new == ["It waits for pages!"]


def test_focus_stays_on_its_chunk_while_the_replay_goes_on(
    open_page: Callable[..., Any],
) -> None:
    page = open_page(Recording(DELTAS))
    page.get_by_label("Place in the replay").fill("2")
    page.locator(".chunk").first.focus()
    page.evaluate("document.getElementById('forth').click()")
    assert page.evaluate("document.activeElement.textContent") == "The 😀 is slow."


def test_a_stream_without_text_can_be_replayed(open_page: Callable[..., Any]) -> None:
    page = open_page(Recording([" ", ""]))
    page.get_by_label("One delta back").click()
    assert (
        page.locator(".head p").inner_text().strip()
        == "0 of 0 chunks · 1 code point pending"
    )


@pytest.mark.parametrize(
    "source",
    [
        "",
        Recording([]),
        Recording([], []),
        Recording([""]),
        Recording(["", ""], [0, 0.01]),
        Recording([CUT]),
        Recording([CUT, "", CUT]),
    ],
    ids=repr,
)
def test_a_stream_without_a_code_point_can_be_replayed(
    open_page: Callable[..., Any], source: str | Recording
) -> None:
    page = open_page(source, ["sentence", "word"])
    total = 0 if isinstance(source, str) else len(source.deltas)
    place, now = page.get_by_label("Place in the replay"), page.locator("#now")
    page.get_by_label("One delta back").click()
    assert now.inner_text().startswith(f"delta {total} of {total}")
    place.fill("0")
    assert now.inner_text() == f"delta 0 of {total}"
    assert page.locator(".caret").count() == 2
    page.get_by_label("One delta on").click()
    for start in (0, total + 1):
        place.fill(str(start))
        page.get_by_role("button", name="Play").click()
        now.get_by_text("end of the stream").wait_for()
        page.get_by_role("button", name="Play").wait_for()
    assert page.locator("#rows .text").all_text_contents() == ["", ""]


def test_a_stream_that_its_last_delta_released_can_be_replayed(
    open_page: Callable[..., Any],
) -> None:
    page = open_page(Recording(["abc", "def", ""]), FixedSizeChunking(3))
    carets = []
    for step in (4, 3, 2, 3, 4, 3, 1, 4):
        page.get_by_label("Place in the replay").fill(str(step))
        carets.append(page.locator(".caret").count())
    assert carets == [0, 1, 1, 1, 0, 1, 1, 0]
