"""Prints the seconds of a splitter's first call, for a process of its own."""

from __future__ import annotations

import gc
import sys
from time import process_time

from ._splitters import UNITS
from ._texts import markdown, prose

TEXTS = {"Markdown": markdown, "prose": prose}
FIRST_SIZE = 1_000_000


def main(unit: str, text_name: str, name: str) -> None:
    """Split one text once; what is imported and built for it is not timed."""
    (found,) = [one for one in UNITS if one.name == unit]
    splitters, _ = found.load()
    split = splitters[name].start()
    text = TEXTS[text_name](FIRST_SIZE)
    gc.collect()
    began = process_time()
    result = split(text)
    print(process_time() - began)
    del result


if __name__ == "__main__":
    main(*sys.argv[1:])
