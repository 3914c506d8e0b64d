"""How the page looks, light and dark, compared with pictures that are stored.

``CHUNKWISE_PICTURES=new nox -s browser`` stores them anew; look at them before they are
committed.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from chunkwise import SizedChunking
from chunkwise.viewer import Recording

if TYPE_CHECKING:
    from collections.abc import Callable

Image: Any = pytest.importorskip("PIL.Image")
ImageChops: Any = pytest.importorskip("PIL.ImageChops")

PICTURES = Path(__file__).parent / "pictures"
TEXT = "The export is slow. It waits for pages!\n\nWhy? כך זה עובד. It does not say.\n"
DELTAS = [TEXT[at : at + 9] for at in range(0, len(TEXT), 9)]

BLOCK = 4
VISIBLE = 20
ALLOWED = 0.004
"""What the comparison lets pass.

Other versions of Chromium and FreeType draw the edges of letters in other greys, and
move them by part of a pixel: averages over 4 by 4 pixels hardly notice. The palest tint
of a chunk differs from the paper by 33 of 255 steps, so a block counts as different
from 20 on; 4 in 1,000 may. The smallest chunk without its tint changes twice as many,
and a line that is broken elsewhere many more.
"""


def difference(one: Any, two: Any) -> float:
    """Return the share of blocks that look different in two pictures."""
    if one.size != two.size:
        return 1.0
    small = (one.width // BLOCK, one.height // BLOCK)
    averages = [
        picture.convert("RGB").resize(small, Image.Resampling.BOX)
        for picture in (one, two)
    ]
    bands = ImageChops.difference(*averages).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    counted: list[int] = most.histogram()
    return sum(counted[VISIBLE:]) / sum(counted)


def picture_of(page: Any) -> Any:
    return Image.open(io.BytesIO(page.screenshot()))


@pytest.fixture
def open_small(open_page: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that opens a small page, in a font that Debian always has."""

    def open_(scheme: str) -> Any:
        page = open_page(
            Recording(DELTAS),
            ["sentence", SizedChunking(40)],
            viewport={"width": 980, "height": 420},
            color_scheme=scheme,
            bypass_csp=True,
        )
        fonts = (
            'body, .text { font-family: "DejaVu Sans" }'
            'code { font-family: "DejaVu Sans Mono" }'
        )
        page.add_style_tag(content=fonts)
        return page

    return open_


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("moment", ["whole", "replay"])
def test_the_page_looks_as_it_did(
    open_small: Callable[..., Any],
    scheme: str,
    moment: str,
) -> None:
    page = open_small(scheme)
    if moment == "replay":
        page.get_by_label("Show gaps").check()
        page.get_by_label("Place in the replay").fill("5")
    page.locator(".chunk").first.hover()
    found = picture_of(page)
    stored = PICTURES / f"{moment}-{scheme}.png"
    if os.environ.get("CHUNKWISE_PICTURES") == "new":
        found.convert("RGB").quantize(64, dither=Image.Dither.NONE).save(
            stored, optimize=True
        )
    assert difference(found, Image.open(stored)) <= ALLOWED


def test_a_chunk_without_its_tint_would_be_seen(open_small: Callable[..., Any]) -> None:
    page = open_small("light")
    before = picture_of(page)
    assert difference(before, picture_of(page)) == 0
    page.locator(".chunk").nth(1).evaluate("el => el.classList.remove('odd')")
    assert difference(before, picture_of(page)) > ALLOWED
