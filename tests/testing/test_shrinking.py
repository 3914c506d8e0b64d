"""A case becomes smaller while it still shows what is wrong."""

from __future__ import annotations

import pytest

from chunkwise.testing._shrinking import shrink


def test_what_does_not_matter_is_taken_away() -> None:
    deltas = ["some text; ", "", "with a lot", " in front; of it", " all"]
    assert shrink(deltas, lambda case: "".join(case).count(";") == 2) == [";;"]


def test_a_cut_stays_where_it_matters() -> None:
    def shows(case: list[str]) -> bool:
        return any(delta.endswith("\r") for delta in case[:-1])

    assert shrink(["one\r", "\ntwo", "three"], shows) == ["\r", ""]


def test_a_code_point_that_does_not_matter_becomes_a_plain_one() -> None:
    def shows(case: list[str]) -> bool:
        text = "".join(case)
        return len(text) >= 4 and "\n" in text

    assert sorted("".join(shrink(["xy\n", "z\u3000"], shows))) == ["\n", *"aaa"]


def test_white_space_becomes_a_blank_where_it_matters() -> None:
    assert shrink(["x\u3000y"], lambda case: any(map(str.isspace, "".join(case)))) == [
        " "
    ]


def test_a_case_that_nothing_can_be_taken_from_stays() -> None:
    assert shrink(["ab"], lambda case: case == ["ab"]) == ["ab"]
    assert shrink([], lambda _: True) == []


@pytest.mark.parametrize("size", [1, 7, 64])
def test_it_ends_where_everything_shows_it(size: int) -> None:
    assert shrink(["x"] * size, lambda _: True) == []


def test_a_long_text_takes_few_steps() -> None:
    tried = 0

    def shows(case: list[str]) -> bool:
        nonlocal tried
        tried += 1
        return "!" in "".join(case)

    assert shrink(["x" * 500, "y" * 300 + "!" + "z" * 200], shows) == ["!"]
    assert tried < 100
