"""Makes the pictures of the documentation: ``nox -s pictures`` runs it.

It needs Chromium, Playwright and Pillow, as ``nox -s browser`` does.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from chunkwise import SizedChunking
from chunkwise.viewer import Recording, render

FOLDER = Path(__file__).parent
ANSWER = FOLDER.parent / "examples" / "answer.md"
COLORS = 128


def recorded() -> Recording:
    """Return the example as a model might have sent it, a few letters at a time."""
    text = ANSWER.read_text(encoding="utf-8")
    deltas: list[str] = []
    sizes = [3, 5, 2, 7, 4, 1, 6]
    at = 0
    while at < len(text):
        size = sizes[len(deltas) % len(sizes)]
        deltas.append(text[at : at + size])
        at += size
    return Recording(deltas, [0.04 * number for number in range(len(deltas))])


def main() -> None:
    """Write one picture of the chunks, and one of the replay in the dark."""
    strategies: list[Any] = ["sentence", "markdown", SizedChunking(200)]
    page = render(recorded(), strategies, title=ANSWER.name)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        file = Path(folder, "page.html")
        file.write_bytes(page.encode())
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        for name, scheme in [("viewer", "light"), ("replay", "dark")]:
            shown: Any = browser.new_page(
                viewport={"width": 1280, "height": 640}, color_scheme=scheme
            )
            shown.goto(file.as_uri())
            shown.locator(".chunk").nth(2).hover()
            if name == "replay":
                shown.get_by_role("button", name="Show its release").click()
            written = FOLDER / f"{name}.png"
            shown.screenshot(path=written)
            # The few colours of the page need no more than one byte a pixel.
            picture = Image.open(written).convert("RGB")
            picture.quantize(COLORS, dither=Image.Dither.NONE).save(
                written, optimize=True
            )
        browser.close()


if __name__ == "__main__":
    main()
