"""Where a value is in a JSON text: paths are read and written."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    Segment: TypeAlias = "int | str"
    Step: TypeAlias = "Segment | None"

_STEP = re.compile(
    r"""
    \.(?P<name>[^.\[\]'"*\s]+)
    | \[(?P<index>0|[1-9][0-9]*)\]
    | \['(?P<single>(?:[^'\\]|\\.)*)'\]
    | \["(?P<double>(?:[^"\\]|\\.)*)"\]
    | (?:\.\*|\[\*\])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\f": "\\f",
    "\r": "\\r",
}
_ESCAPED = {
    **{chr(code): f"\\u{code:04x}" for code in range(32)},
    **_ESCAPES,
}
_TABLE = str.maketrans(_ESCAPED)


def steps_of(path: str) -> tuple[Step, ...]:
    """Return what each step of *path* takes: a key, an index, or ``None`` for all.

    Raises:
        ValueError: It is no path that is understood here.

    Source:
        RFC 9535 without slices, filters, unions and descendants.

    Examples:
        >>> steps_of("$.findings[*]['a b']")
        ('findings', None, 'a b')
    """
    steps: list[Step] = []
    at = 1
    while path[:1] == "$" and at < len(path):
        match = _STEP.match(path, at)
        step = _step(match) if match else ""
        if match is None or (step == "" and match.lastgroup == "name"):
            break
        steps.append(step)
        at = match.end()
    else:
        if path[:1] == "$":
            return tuple(steps)
    where = f", which is not understood from {path[at:]!r} on" if at > 1 else ""
    msg = (
        "at must be 'items', 'lines' or a path of keys, indices and [*] such as "
        f"\"$.findings[*]['a b']\", got {path!r}{where}"
    )
    raise ValueError(msg)


def _step(match: re.Match[str]) -> Step:
    """Return one step; the empty name where a name has to be quoted, or is wrong."""
    kind = match.lastgroup
    if kind is None:
        return None
    text = match[kind]
    if kind == "index":
        return int(text)
    if kind == "name":
        return text if text.isidentifier() else ""
    if kind == "single":
        # As a JSON string: of the two quotes only the other one is escaped there.
        text = re.sub(r"""\\.|\"""", _as_json, text, flags=re.DOTALL)
    return decoded(text)


def _as_json(match: re.Match[str]) -> str:
    return {"\\'": "'", '"': '\\"'}.get(match[0], match[0])


def decoded(raw: str) -> str:
    """Return the text of a JSON string, which is *raw* if that is malformed.

    Args:
        raw: What is between the quotation marks.
    """
    if "\\" not in raw:
        return raw
    try:
        return str(json.loads(f'"{raw}"', strict=False))
    except ValueError:
        return raw


def path_of(segments: Iterable[Segment]) -> str:
    r"""Return the path of a value; a key that is no identifier stands in brackets.

    Source:
        Normalized paths of RFC 9535, but with ``.name`` for identifiers.

    Examples:
        >>> path_of(["findings", 3, "it's"])
        "$.findings[3]['it\\'s']"
    """
    return "$" + "".join(map(segment_path, segments))


def segment_path(segment: Segment) -> str:
    """Return one step of a path."""
    if isinstance(segment, int):
        return f"[{segment}]"
    if segment.isidentifier():
        return f".{segment}"
    return f"['{segment.translate(_TABLE)}']"
