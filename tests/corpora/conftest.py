"""Spark, once for all tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.corpora.live import start_spark

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Run Spark with two workers, which run this Python."""
    session = start_spark()
    yield session
    session.stop()
