"""The command strategies: what there is to cut by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunkwise import STRATEGIES

if TYPE_CHECKING:
    from tests.commands import Run


def test_it_lists_all_strategies_with_their_parameters(run: Run) -> None:
    outcome = run("strategies")
    assert (outcome.code, outcome.err) == (0, "")
    listed = outcome.out.decode().splitlines()
    heads = [line for line in listed if not line.startswith(" ")]
    assert [head.partition(":")[0] for head in heads] == list(STRATEGIES)
    at = listed.index("line: Cuts behind line ends, as `str.splitlines` does.")
    assert listed[at + 1] == "  keep_ends  true or false; true unless given"
    assert "  max_size    an integer" in listed
