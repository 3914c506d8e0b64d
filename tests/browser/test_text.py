"""The text with its chunks: where they are, what they say, and how one gets there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import (
    CUT,
    Chunk,
    Chunker,
    JSONChunking,
    MarkdownChunking,
    SizedChunking,
    WindowChunking,
)
from chunkwise.viewer import Recording

if TYPE_CHECKING:
    from collections.abc import Callable

EMOJI = "Go 😀. 👩‍👩‍👧 is a family! \U0001d4b3 = 1. 日本語です。もう一つ。\n\nDone 🎉"
ARABIC = "مرحبا بالعالم. كيف حالك؟ Fine.\n\nשלום עולם. מה שלומך?\n"  # noqa: RUF001 - it is Hebrew


def chunks_of(text: str, by: Any) -> list[Chunk]:
    chunker = Chunker(by)
    return [*chunker.feed(text), *chunker.flush()]


def shown(page: Any, column: int = 0) -> dict[int, str]:
    """Return the text of each chunk that is in the page, from all its pieces."""
    found: dict[int, str] = page.evaluate(
        """(column) => {
          const found = {};
          for (const line of document.querySelectorAll("#rows .line")) {
            const cell = line.querySelectorAll(".text")[column];
            for (const piece of cell.querySelectorAll(".chunk")) {
              for (const chunk of piece.dataset.chunks.split(" ")) {
                found[chunk] = (found[chunk] ?? "") + piece.textContent;
              }
            }
          }
          return found;
        }""",
        column,
    )
    return {int(number): text for number, text in found.items()}


def facts(page: Any) -> dict[str, str]:
    """Return what stands beside the text about the chunk that is looked at."""
    names = page.locator("#chunk dt").all_inner_texts()
    return dict(zip(names, page.locator("#chunk dd").all_inner_texts(), strict=True))


def focused(page: Any) -> str:
    text = page.evaluate("document.activeElement.textContent")
    assert isinstance(text, str)
    return text


@pytest.mark.parametrize("text", [EMOJI, ARABIC, " \n", "x" * 5_000, "é\r\n" * 90])
def test_the_chunks_are_where_the_library_has_them(
    open_page: Callable[..., Any], text: str
) -> None:
    window = WindowChunking(3, stride=1, by="word")
    strategies = ["sentence", "word", MarkdownChunking(), window]
    # So high that all lines are in sight.
    page = open_page(text, strategies, viewport={"width": 1600, "height": 6_000})
    page.wait_for_function(
        "() => [...document.querySelectorAll('.text')].every((c) => c.children[0])"
    )
    for column, strategy in enumerate(strategies):
        assert list(shown(page, column).values()) == chunks_of(text, strategy)
        cells = page.locator(f"#rows .text:nth-child({column + 2})")
        assert "".join(cells.all_text_contents()) == text


def test_an_empty_text_has_no_chunks(open_page: Callable[..., Any]) -> None:
    page = open_page("")
    assert page.locator(".head p").inner_text() == "0 chunks"
    assert page.locator("#facts").inner_text().startswith("0 code points · 0 deltas")


def test_pointing_at_a_chunk_says_its_facts(open_page: Callable[..., Any]) -> None:
    recording = Recording(
        ["Go 😀. It is", " on. ", " Now", " wait. E"], [0, 0.1, 0.25, 2]
    )
    page = open_page(recording)
    page.get_by_text("It is on.").hover()
    assert facts(page) == {
        "index": "1",
        "offsets": "6 to 15",
        "size": "9 code points",
        "kind": "sentence",
        "gap before": "·",
        "held back": "1 delta · 5 code points · 150 ms",
        "released": "with delta 3 of 4",
    }
    page.get_by_text("E", exact=True).hover()
    assert facts(page)["remarks"] == "not complete"
    assert facts(page)["held back"] == "to the end of the stream"
    assert facts(page)["released"] == "by the end of the stream"


def test_context_path_overlap_and_other_units_are_said(
    open_page: Callable[..., Any],
) -> None:
    sized = SizedChunking(3, sizer="words", by=("word",), overlap=1, overlap_by="word")
    page = open_page("# 😀\n\n[1]. B c d.", ["markdown", JSONChunking(), sized])
    page.locator(".text").nth(0).get_by_text("B c d.").hover()
    assert facts(page)["context"] == "# 😀"
    page.locator(".text").nth(1).get_by_text("1").hover()
    assert facts(page)["path"] == "$[0]"
    page.locator(".text").nth(2).locator(".chunk").last.hover()
    found = facts(page)
    assert found["size"] == "2 words · 4 code points"
    assert found["overlap"] == "1 code point"


def test_gaps_can_be_seen_on_demand(open_page: Callable[..., Any]) -> None:
    page = open_page("One.  Two.\n\nThree.\tFour.", "sentence")
    sign = "el => getComputedStyle(el, '::before').content"
    space = page.locator(".gap .space")
    assert [space.nth(at).evaluate(sign) for at in range(5)] == ["none"] * 5
    page.get_by_label("Show gaps").check()
    assert [space.nth(at).evaluate(sign) for at in range(5)] == [
        '"·"',
        '"·"',
        '"↵"',
        '"↵"',
        '"→"',
    ]
    # The text is still the text, for a reader who copies it.
    assert page.locator("#rows .text").text_content() == "One.  Two.\n\nThree.\tFour."


def test_columns_are_aligned_by_text(open_page: Callable[..., Any]) -> None:
    text = "The export is slow. It waits for pages!\n\nWhy? It does not say.\n\n" * 60
    page = open_page(text, ["sentence", "word", "paragraph"])
    page.get_by_label("Show gaps").check()
    for line in range(3):
        cells = page.locator("#rows .line").nth(line).locator(".text")
        boxes = [cells.nth(column).bounding_box() for column in range(3)]
        assert len({(box["y"], box["height"]) for box in boxes}) == 1
        # The last word of each cell stands at the same height.
        ends = cells.evaluate_all(
            """cells => cells.map((cell) => {
              const range = document.createRange();
              range.selectNodeContents(cell);
              return Math.round([...range.getClientRects()].at(-1).bottom);
            })"""
        )
        assert max(ends) - min(ends) <= 8


def test_a_line_has_the_direction_of_its_first_letter(
    open_page: Callable[..., Any],
) -> None:
    page = open_page(ARABIC + "Left to right.", "sentence")
    column = page.locator("#rows .text").bounding_box()
    arabic = page.locator(".chunk").first.bounding_box()
    latin = page.get_by_text("Left to right.").bounding_box()
    assert arabic["x"] + arabic["width"] == pytest.approx(
        column["x"] + column["width"], abs=2
    )
    assert latin["x"] == pytest.approx(column["x"], abs=2)


def test_chunks_can_be_reached_with_the_keyboard(open_page: Callable[..., Any]) -> None:
    page = open_page("One two. Three four.\n\nFive.", ["sentence", "word"])
    page.get_by_label("Show gaps").focus()
    keyboard = page.keyboard
    # Behind the switch comes the text, with a stop for each column.
    keyboard.press("Tab")
    assert focused(page) == "One two."
    assert facts(page)["index"] == "0"
    keyboard.press("ArrowRight")
    assert (focused(page), facts(page)["offsets"]) == ("Three four.", "9 to 20")
    keyboard.press("ArrowDown")
    assert (focused(page), facts(page)["kind"]) == ("Three", "word")
    keyboard.press("End")
    assert focused(page) == "Five."
    keyboard.press("ArrowRight")
    assert focused(page) == "Five."
    keyboard.press("Home")
    keyboard.press("ArrowRight")
    keyboard.press("ArrowUp")
    assert focused(page) == "One two."
    keyboard.press("ArrowLeft")
    assert focused(page) == "One two."


def test_the_arrow_keys_reach_each_of_overlapping_chunks(
    open_page: Callable[..., Any],
) -> None:
    page = open_page("a b c d e", WindowChunking(3, stride=1, by="word"))
    page.locator(".chunk[tabindex='0']").first.focus()
    indices = [facts(page)["index"]]
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        indices.append(facts(page)["index"])
    assert indices == ["0", "1", "2"]


def test_the_keyboard_reaches_what_is_far_away(open_page: Callable[..., Any]) -> None:
    page = open_page("It is on. Now wait.\n\n" * 2_000 + "The end.", "sentence")
    page.locator(".chunk").first.focus()
    page.keyboard.press("End")
    assert focused(page) == "The end."
    assert facts(page)["index"] == "4,000"
    # It can be seen, and is not behind what stands above or below.
    box = page.evaluate("document.activeElement.getBoundingClientRect().toJSON()")
    room = page.locator("#texts").bounding_box()
    assert room["y"] < box["top"] < box["bottom"] < room["y"] + room["height"]
    page.keyboard.press("Home")
    assert focused(page) == "It is on."


def test_the_tab_key_reaches_the_text_wherever_it_was_scrolled(
    open_page: Callable[..., Any],
) -> None:
    page = open_page("It is on. Now wait.\n\n" * 2_000, "sentence")
    page.evaluate("document.getElementById('texts').scrollTop = 60000")
    page.wait_for_function(
        """() => {
          const stop = document.querySelector('#rows .chunk[tabindex="0"]');
          return stop && stop.dataset.chunk !== "0";
        }"""
    )
    page.get_by_label("Show gaps").focus()
    page.keyboard.press("Tab")
    assert focused(page) == "It is on."
    assert int(facts(page)["index"].replace(",", "")) > 100


def test_sizes_are_shown_with_their_limit(open_page: Callable[..., Any]) -> None:
    text = "One two three. " * 30 + "x" * 90
    page = open_page(text, ["sentence", SizedChunking(40)])
    charts = page.locator("#sizes svg")
    assert charts.count() == 2
    assert charts.nth(0).locator(".limit").count() == 0
    assert charts.nth(1).locator(".limit").count() == 1
    assert "limit 40, none over it, in code points" in charts.nth(1).get_attribute(
        "aria-label"
    )
    counted = charts.nth(0).locator(".bar title").all_text_contents()
    assert sum(int(title.split(": ")[1].split()[0]) for title in counted) == 31
    page.locator(".text").nth(0).locator(".chunk").first.hover()
    assert charts.nth(0).locator(".bar.on").count() == 1


def test_a_cut_is_a_step_of_its_own(open_page: Callable[..., Any]) -> None:
    page = open_page(Recording(["It is", CUT, "", "on"]))
    place = page.get_by_label("Place in the replay")
    said = []
    for step in range(6):
        place.fill(str(step))
        said.append(page.locator("#delta").inner_text())
    assert said == ["", "It·is", "a cut", "an empty delta", "on", ""]
