"""Checks that need no model: patterns, lengths, JSON schemas."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import regex

from .._numbers import check_count, check_seconds
from .._quote import quote
from ..strategies._regex import LONGEST_SEARCH
from ._check import Check
from ._values import Verdict, View

if TYPE_CHECKING:
    from collections.abc import Callable


def forbid(
    pattern: str, *, context: int = 0, timeout: float | None = 1.0, name: str = "forbid"
) -> Check:
    r"""Return a check that rejects a chunk in which a pattern is found.

    A match that begins before the chunk counts when it ends in it, and lies in the
    *context*. What was released by then stays released: hold chunks back as well
    (``hold_back=1``) where a match can reach over their ends.

    Args:
        pattern: A regular expression of the ``regex`` module. A match has to hold at
            least one code point.
        context: Code points before the chunk that are searched, too.
        timeout: Seconds that one search may take, before it raises ``TimeoutError``.
        name: The name of the check.

    Raises:
        TypeError: *pattern* is no ``str``, or *timeout* no number.
        ValueError: *pattern* is no regular expression, or a number is too small or, for
            *timeout*, above a day.

    Examples:
        >>> from chunkwise.validation import Rejected, validate_sync
        >>> with validate_sync("Fine. My pin is 1234.", forbid(r"\d{4}")) as stream:
        ...     try:
        ...         for piece in stream:
        ...             print(piece.text)
        ...     except Rejected as error:
        ...         print(error.reason)
        Fine.
        forbid: found '1234' at stream offset 16
    """
    check_seconds("timeout", timeout, or_none=True, most=LONGEST_SEARCH)
    if not isinstance(pattern, str):
        msg = f"pattern must be a str, got {type(pattern).__name__}"
        raise TypeError(msg)
    try:
        search = regex.compile(pattern).finditer
    except regex.error as error:
        msg = f"pattern {quote(pattern)} is no regular expression: {error}"
        raise ValueError(msg) from error

    def judge(view: View) -> Verdict | None:
        text = view.before + view.chunk
        size = len(view.before)
        for match in search(text, timeout=timeout):
            if match.end() > max(size, match.start()):
                at = view.chunk.start - size + match.start()
                found = quote(match.group())
                return Verdict(
                    "reject",
                    f"found {found} at stream offset {at}",
                    data=(at, at + len(match.group())),
                )
        return None

    return Check(judge, name=name, context=context)


def max_length(limit: int, *, name: str = "max_length") -> Check:
    """Return a check that rejects the chunk with which an answer becomes too long.

    Args:
        limit: Code points that the answer may have, from the start of the stream to the
            end of the chunk.
        name: The name of the check.

    Raises:
        TypeError: *limit* is no ``int``.
        ValueError: *limit* is below 1.
    """
    check_count("limit", limit, 1)

    def judge(view: View) -> Verdict | None:
        end = view.chunk.end
        if end <= limit:
            return None
        return Verdict("reject", f"{end} code points, at most {limit} allowed")

    return Check(judge, name=name)


def require_json_schema(schema: Any, *, name: str = "require_json_schema") -> Check:
    """Return a check that rejects a chunk that is not JSON of a certain form.

    For the items of ``JSONChunking``, or its lines with ``at="lines"``.

    Args:
        schema: A JSON schema as a dictionary, for which the extra ``jsonschema`` has to
            be installed; or a pydantic model, or a pydantic ``TypeAdapter``.
        name: The name of the check.

    Raises:
        TypeError: *schema* is none of these.
        ValueError: The dictionary is no valid schema.
        ImportError: ``jsonschema`` is needed, and not installed.
    """
    problem_of: Callable[[str], str | None]
    for method in ("model_validate_json", "validate_json"):
        validate_json = getattr(schema, method, None)
        if callable(validate_json):
            problem_of = _by_pydantic(validate_json)
            break
    else:
        if not isinstance(schema, dict):
            msg = (
                "schema must be a JSON schema as a dict, or a pydantic model or "
                f"TypeAdapter, got {type(schema).__name__}"
            )
            raise TypeError(msg)
        problem_of = _by_jsonschema(schema)

    def judge(view: View) -> Verdict | None:
        problem = problem_of(str(view.chunk))
        return None if problem is None else Verdict("reject", problem)

    return Check(judge, name=name)


def _by_jsonschema(schema: dict[str, Any]) -> Callable[[str], str | None]:
    try:
        from jsonschema.exceptions import SchemaError, best_match  # noqa: PLC0415 - an extra
        from jsonschema.validators import validator_for  # noqa: PLC0415 - as above
    except ImportError as error:
        msg = (
            "a JSON schema needs the package jsonschema: "
            'python -m pip install "chunkwise[jsonschema]"'
        )
        raise ImportError(msg) from error
    cls = validator_for(schema)
    try:
        cls.check_schema(schema)
    except SchemaError as error:
        msg = f"no valid JSON schema: {error.message}"
        raise ValueError(msg) from error
    validator = cls(schema)

    def problem_of(text: str) -> str | None:
        try:
            value = json.loads(text)
        except ValueError as error:
            return f"no JSON: {error}"
        worst = best_match(validator.iter_errors(value))
        return None if worst is None else f"{worst.json_path}: {worst.message}"

    return problem_of


def _by_pydantic(validate_json: Callable[[str], object]) -> Callable[[str], str | None]:
    def problem_of(text: str) -> str | None:
        try:
            validate_json(text)
        except ValueError as error:  # The base of pydantic's ValidationError.
            errors: Any = getattr(error, "errors", None)
            if errors is None:
                return str(error)
            first = errors()[0]
            path = "".join(
                f"[{at}]" if isinstance(at, int) else f".{at}" for at in first["loc"]
            )
            return f"${path}: {first['msg']}"
        return None

    return problem_of
