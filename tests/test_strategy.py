"""ChunkingStrategy: what is not written is derived, and what cannot work is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from typing_extensions import override

from chunkwise import (
    Chunker,
    ChunkingStrategy,
    ContractError,
    FixedSizeChunking,
    LineChunking,
    Scan,
    Span,
    WordChunking,
)
from chunkwise._pending import nothing_held
from chunkwise._strategy import check_no_overlap
from tests.examples import DiscardingChunking, EveryDelta, SemicolonChunking

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise._spans import ScanFields


class DashChunking(ChunkingStrategy[int]):
    """Level 2: a dash ends a chunk; the last one may lack it."""

    @override
    def begin(self, offset: int) -> int:
        return offset

    @override
    def scan(
        self, text: str, base: int, state: int, final: bool = False
    ) -> ScanFields[int]:
        spans = []
        for at, code_point in enumerate(text, base + 1):
            if code_point == "-":
                spans.append(Span(state, at))
                state = at
        end = base + len(text)
        if final and state < end:
            spans.append(Span(state, end, complete=None))
        return Scan(spans, state, end, state)


@dataclass(frozen=True)
class Holding(ChunkingStrategy):
    """Level 1 with one parameter of any kind."""

    held: Any

    @override
    def split(self, text: str) -> list[str]:
        return []


class Forgetting(DashChunking):
    """Level 2 with a parameter that is not kept."""

    def __init__(self, size: int) -> None:
        pass


@pytest.fixture(autouse=True)
def registered(register: Callable[[str, type[ChunkingStrategy[Any]]], None]) -> None:
    """Register the two for one test."""
    register("holding", Holding)
    register("forgetting", Forgetting)


def test_level_1_needs_no_more_than_split() -> None:
    chunker = Chunker(DiscardingChunking())
    assert chunker.feed("a;b") == ["a"]
    assert chunker.feed(";c") == ["b"]


def test_a_strategy_that_does_not_override_flush_discards_its_fragment() -> None:
    strategy = DiscardingChunking()
    assert strategy.flush("a;b") == []
    chunker = Chunker(strategy)
    assert chunker.feed("a;b") == ["a"]
    assert chunker.flush() == []
    assert chunker.tail == ";b"


def test_level_2_gets_split_and_flush_from_scan() -> None:
    strategy = DashChunking()
    assert strategy.split("a-b-c") == ["a-", "b-"]
    assert strategy.flush("a-b-c") == ["c"]
    assert strategy.flush("a-") == []
    assert strategy.split("") == strategy.flush("") == []


def test_level_1_gets_scan_from_split_and_flush() -> None:
    strategy = SemicolonChunking()
    spans, keep, resume, state, wake = strategy.scan(
        "a;b", 10, strategy.begin(10), final=False
    )
    assert [span[:2] for span in spans] == [(10, 11)]
    assert (keep, wake) == (11, 0)
    spans, *_ = strategy.scan("a;b;c"[resume - 10 :], resume, state, final=True)
    assert [span[:2] for span in spans] == [(12, 13), (14, 15)]


def test_no_trigger_is_named_unless_told() -> None:
    assert SemicolonChunking().trigger == frozenset()


def test_nothing_crosses_a_cut_unless_told() -> None:
    strategy = DashChunking()
    assert strategy.begin_again(3, 1) == strategy.begin(3)


def test_nothing_is_sure_of_an_open_chunk_unless_told() -> None:
    strategy = DashChunking()
    assert strategy.opened("a-b", 0, 0) is None
    assert strategy.overlaps is False


def test_a_strategy_has_to_override_split_or_scan() -> None:
    class Nothing(ChunkingStrategy):
        def flush(self, text: str) -> list[str]:
            return [text]

    for cls in (ChunkingStrategy, Nothing):
        with pytest.raises(TypeError, match=rf"instantiate {cls.__qualname__}: .* nor"):
            cls()


@pytest.mark.parametrize("name", ["split", "flush"])
def test_overriding_split_or_flush_under_an_inherited_scan_is_refused(
    name: str,
) -> None:
    """No driver would ever call it."""

    def method(_self: object, _text: str) -> list[str]:
        return []

    with pytest.raises(TypeError, match=r"Mine overrides split\(\) or flush\(\)"):
        type("Mine", (WordChunking,), {name: method})


def test_overriding_scan_and_split_together_is_allowed() -> None:
    class Quick(DashChunking):
        @override
        def split(self, text: str) -> list[str]:
            return [f"{part}-" for part in text.split("-")[:-1]]

        @override
        def scan(
            self, text: str, base: int, state: int, final: bool = False
        ) -> ScanFields[int]:
            return super().scan(text, base, state, final=final)

    assert Quick().split("a-b") == ["a-"]
    assert Chunker(Quick()).feed("a-b") == ["a-"]


def test_a_scan_may_take_final_in_any_way() -> None:
    """By position or keyword, with a default or without one."""

    class Named(DashChunking):
        def scan(  # type: ignore[override]  # what a user may write
            self, text: str, base: int, state: int, *, final: bool
        ) -> ScanFields[int]:
            return super().scan(text, base, state, final)

    class NamedWithDefault(DashChunking):
        def scan(  # type: ignore[override]  # as above
            self, text: str, base: int, state: int, *, final: bool = False
        ) -> ScanFields[int]:
            return super().scan(text, base, state, final)

    for strategy in (DashChunking(), Named(), NamedWithDefault()):
        chunker = Chunker(strategy)
        assert chunker.feed("a-b") == strategy.split("a-b") == ["a-"]
        assert chunker.flush() == strategy.flush("a-b") == ["b"]


def test_a_subclass_of_level_1_may_override_flush_alone() -> None:
    class Releasing(DiscardingChunking):
        @override
        def flush(self, text: str) -> list[str]:
            return SemicolonChunking().flush(text)

    chunker = Chunker(Releasing())
    assert chunker.feed("a;b") + chunker.flush() == ["a", "b"]


def test_a_subclass_may_add_parameters() -> None:
    class Named(DashChunking):
        def __init__(self, name: str) -> None:
            self.name = name

    assert Named("x").split("a-b") == ["a-"]


def test_arguments_that_nothing_takes_are_refused() -> None:
    with pytest.raises(TypeError, match=r"EveryDelta\(\) takes no arguments"):
        EveryDelta(3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"EveryDelta\(\) takes no arguments"):
        EveryDelta(size=3)  # type: ignore[call-arg]


def test_class_keywords_reach_other_bases() -> None:
    class Taking:
        taken = ""

        def __init_subclass__(cls, *, taken: str, **kwargs: Any) -> None:
            super().__init_subclass__(**kwargs)
            cls.taken = taken

    class Mine(DashChunking, Taking, taken="this"):
        pass

    assert Mine.taken == "this"


def test_an_unregistered_class_has_no_dictionary_form() -> None:
    with pytest.raises(
        ContractError, match=r"DashChunking: .*register_strategy"
    ) as caught:
        DashChunking().to_dict()
    assert caught.value.offset is None


@pytest.mark.parametrize(
    ("held", "written"),
    [
        pytest.param(None, None, id="None"),
        pytest.param(True, True, id="bool"),
        pytest.param(3, 3, id="int"),
        pytest.param(0.5, 0.5, id="float"),
        pytest.param("a", "a", id="str"),
        pytest.param(("a", 1), ["a", 1], id="tuple"),
        pytest.param(["a", ["b"]], ["a", ["b"]], id="list"),
        pytest.param({"a": (1,)}, {"a": [1]}, id="mapping"),
        pytest.param(
            LineChunking(), {"type": "line", "keep_ends": True}, id="strategy"
        ),
        pytest.param(
            (WordChunking(), "x"), [{"type": "word"}, "x"], id="strategy in a tuple"
        ),
    ],
)
def test_parameters_are_written_as_json_knows_them(held: Any, written: Any) -> None:
    form = Holding(held).to_dict()
    assert form == {"type": "holding", "held": written}
    assert type(form["held"]) is type(written)


@pytest.mark.parametrize(
    "held", [len, {1, 2}, [object()], b"a", DashChunking()], ids=type
)
def test_a_parameter_that_cannot_be_written_is_named(held: Any) -> None:
    with pytest.raises(ContractError):
        Holding(held).to_dict()


def test_the_error_about_a_parameter_names_it_and_shows_what_was_found() -> None:
    with pytest.raises(ContractError, match=r"Holding: parameter 'held' .*built-in"):
        Holding(len).to_dict()


def test_a_parameter_without_an_attribute_is_named() -> None:
    with pytest.raises(ContractError, match=r"parameter 'size' .*no attribute"):
        Forgetting(3).to_dict()


def test_from_dict_makes_a_strategy_of_its_parameters() -> None:
    assert LineChunking.from_dict({"keep_ends": False}) == LineChunking(keep_ends=False)
    assert WordChunking.from_dict({}) == WordChunking()


def test_from_dict_takes_positional_parameters_by_name() -> None:
    assert Holding.from_dict({"held": 3}) == Holding(3)


def test_a_class_without_parameters_takes_none(
    register: Callable[[str, type[ChunkingStrategy[Any]]], None],
) -> None:
    register("every delta", EveryDelta)
    assert isinstance(EveryDelta.from_dict({}), EveryDelta)
    assert EveryDelta().to_dict() == {"type": "every delta"}
    with pytest.raises(
        ValueError, match=r"unknown key .size. .* expected no parameters"
    ):
        EveryDelta.from_dict({"size": 3})


def test_from_dict_names_an_unknown_and_a_missing_parameter() -> None:
    with pytest.raises(ValueError, match=r"Holding: unknown key 'size'.*'held'"):
        Holding.from_dict({"held": 1, "size": 3})
    with pytest.raises(ValueError, match="Holding: no 'held'"):
        Holding.from_dict({})


def test_from_dict_turns_a_wrong_type_into_a_value_error() -> None:
    class Counted(DashChunking):
        def __init__(self, size: Any) -> None:
            self.size = size + 0

    with pytest.raises(ValueError, match="Counted: ") as caught:
        Counted.from_dict({"size": "three"})
    assert isinstance(caught.value.__cause__, TypeError)


def test_from_dict_compares_a_value_with_the_annotation() -> None:
    class Counted(DashChunking):
        def __init__(self, size: int) -> None:
            self.size = size

    with pytest.raises(ValueError, match=r"Counted: found '3' for 'size'.* an int$"):
        Counted.from_dict({"size": "3"})
    assert Counted.from_dict({"size": 3}).size == 3


def test_from_dict_refuses_parameters_that_have_no_name() -> None:
    class Starred(DashChunking):
        def __init__(self, *sizes: int) -> None:
            self.sizes = sizes

    with pytest.raises(
        TypeError, match=r"cannot hold the parameter '\*sizes' of .*Sta"
    ):
        Starred.from_dict({})


def test_a_broken_contract_stays_what_it_is() -> None:
    class Breaking(DashChunking):
        def __init__(self) -> None:
            problem = "it broke"
            raise ContractError(problem, strategy="Breaking")

    with pytest.raises(ContractError, match=r"^Breaking: it broke$"):
        Breaking.from_dict({})


@pytest.mark.parametrize("wrong", ["no", "", 0, 1, None])
def test_a_parameter_that_is_on_or_off_has_to_be_a_bool(wrong: Any) -> None:
    """``"no"`` would count as true."""
    with pytest.raises(TypeError, match=f"keep_ends must be a bool, got {wrong!r}"):
        LineChunking(keep_ends=wrong)


def test_what_is_not_bound_reads_nothing_back() -> None:
    strategy = EveryDelta()
    assert strategy.bound_to(nothing_held) is strategy
    assert strategy.needs(5, None) == 5
    assert strategy.opened("", 5, None) is None
    assert not strategy.overlaps


def test_a_level_must_not_overlap() -> None:
    check_no_overlap("outer", EveryDelta())
    with pytest.raises(ValueError, match="outer must not overlap, got Fixed"):
        check_no_overlap("outer", FixedSizeChunking(4, overlap=2))
