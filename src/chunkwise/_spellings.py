"""Other spellings of strategies, which dictionaries from elsewhere use."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Spelling(NamedTuple):
    """How a dictionary says which strategy it means.

    Attributes:
        name: The name under which the strategy is registered.
        keys: What each of its keys is called here; others are ignored, as they are
            where the dictionary was written. ``None``: the keys are the strategy's
            own.
        defaults: What stands in for keys that are left out.
    """

    name: str
    keys: Mapping[str, str] | None
    defaults: Mapping[str, object]


_PLAIN_SENTENCES = {"type": "sentence", "rules": "plain"}

SPELLINGS: Mapping[str, Spelling] = MappingProxyType(
    {
        "fixed_window": Spelling("window", None, {"by": _PLAIN_SENTENCES}),
        # The names of delm's classes. Its windows hold five sentences, which end
        # without a look at abbreviations, and it strips what a pattern separates.
        "ParagraphSplit": Spelling("paragraph", {}, {}),
        "FixedWindowSplit": Spelling(
            "window",
            {"window": "window", "stride": "stride"},
            {"window": 5, "by": _PLAIN_SENTENCES},
        ),
        "RegexSplit": Spelling("regex", {"pattern": "pattern"}, {"strip": True}),
    }
)
"""Every other spelling; no strategy can be registered under one of these names."""


def respelled(form: Mapping[str, object]) -> Mapping[str, object]:
    """Return a dictionary with the registered name and the strategy's own keys.

    Args:
        form: A dictionary form; one in the registered spelling comes back as it is.
    """
    name = form.get("type")
    if not isinstance(name, str) or name not in SPELLINGS:
        return form
    spelling = SPELLINGS[name]
    values = {key: value for key, value in form.items() if key != "type"}
    if spelling.keys is not None:
        values = {
            ours: values[theirs]
            for theirs, ours in spelling.keys.items()
            if theirs in values
        }
    return {"type": spelling.name, **spelling.defaults, **values}
