"""What goes wrong while a command runs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands import Run


def test_a_problem_is_one_line_and_exits_with_1(run: Run, tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    problem = os.strerror(2)
    expected = (1, b"", f"chunkwise: {missing}: {problem}\n")
    assert run("split", "--by", "word", str(missing)) == expected
