"""The command stats: sizes, gaps, and what is held back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands import Run


def test_it_prints_a_table_and_a_plot(run: Run) -> None:
    outcome = run("stats", "--by", "word", stdin=b"a bc  de fgh ijklm n")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.decode() == (
        """\
                count      least     median       mean       90 %   greatest
size                6          1          2        2.3          5          5
held back           5          1          1        1.0          1          1
gap                 6          0          1        1.0          2          2
not complete: 1
1 to 1 ███████████████████████████              2
2 to 3 ████████████████████████████████████████ 3
4 to 7 ██████████████                           1
"""
    )


def test_no_chunks_are_a_table_without_numbers(run: Run) -> None:
    outcome = run("stats", "--by", "word")
    rows = [line.split() for line in outcome.out.decode().splitlines()[1:]]
    nothing = [["size", "0"], ["held", "back", "0"], ["gap", "0"]]
    assert rows == [*nothing, ["not", "complete:", "0"]]


def test_all_files_are_counted_together(run: Run, tmp_path: Path) -> None:
    one = tmp_path / "one"
    one.write_bytes(b"a b")
    outcome = run("stats", "--by", "word", str(one), str(one))
    assert outcome.out.decode().splitlines()[1].split()[:2] == ["size", "4"]


@pytest.mark.parametrize(("size", "greatest"), [("1", "1"), ("4", "4")])
def test_the_size_of_deltas_decides_what_is_held_back(
    run: Run, size: str, greatest: str
) -> None:
    text = b"aaa b cc ddd "
    outcome = run("stats", "--by", "word", "--delta-size", size, stdin=text)
    assert outcome.out.decode().splitlines()[2].split()[-1] == greatest


def test_a_missing_file_is_one_line(run: Run) -> None:
    outcome = run("stats", "--by", "word", "nowhere")
    assert (outcome.code, outcome.out) == (1, b"")
    assert outcome.err.startswith("chunkwise: nowhere: ")
