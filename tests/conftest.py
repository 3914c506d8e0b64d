"""Fixtures that every test file may use."""

from __future__ import annotations

from typing import cast

import pytest


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run a test that is marked ``anyio`` on asyncio and on Trio."""
    return cast("str", request.param)
