"""Fixtures that every test file may use."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import settings

from chunkwise import STRATEGIES, _registry, _strategy, register_strategy
from tests.commands import call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from chunkwise import ChunkingStrategy
    from tests.commands import Outcome, Run

# No deadline: tests here count work, they do not time it.
settings.register_profile("short", deadline=None, max_examples=20)
settings.register_profile("quick", deadline=None, max_examples=10)
settings.register_profile("long", deadline=None, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    """Run a test that is marked ``anyio`` on asyncio and on Trio."""
    return cast("str", request.param)


@pytest.fixture
def register() -> Iterator[Callable[[str, type[ChunkingStrategy[Any]]], None]]:
    """Return ``register_strategy``; the names given go away behind the test."""
    before = set(STRATEGIES)
    yield register_strategy
    for name in set(STRATEGIES) - before:
        # There is no public way to take a name back.
        cls = _registry._classes.pop(name)  # noqa: SLF001
        del _strategy.registered_names[cls]


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    tmp_path: Path,
) -> Run:
    """Return a function that calls the command in this process."""

    def run(*arguments: str, stdin: bytes = b"") -> Outcome:
        (tmp_path / "stdin").write_bytes(stdin)
        with (tmp_path / "stdin").open() as source, monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", source)
            return call(*arguments, patch=patch, captured=capsysbinary)

    return run
