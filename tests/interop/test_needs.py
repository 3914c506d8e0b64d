"""Tests of what an import says where a library is missing."""

from __future__ import annotations

import importlib
import json

import pytest

from chunkwise.interop._needs import needs


def test_a_library_that_is_missing_is_named_with_its_extra() -> None:
    with pytest.raises(ImportError) as info, needs("some-extra"):
        importlib.import_module("no_such_library")
    assert str(info.value) == (
        "No module named 'no_such_library'; "
        'install it with: python -m pip install "chunkwise[some-extra]"'
    )
    assert info.value.name == "no_such_library"


def test_a_library_that_is_there_is_imported() -> None:
    with needs("some-extra"):
        import decimal  # noqa: PLC0415 - this is what the block is for
    assert decimal.Decimal(1) == 1


def test_other_errors_come_through() -> None:
    with pytest.raises(json.JSONDecodeError), needs("some-extra"):
        json.loads("{")
