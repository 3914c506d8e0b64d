"""The console entry point: the command starts, or one line says what it needs."""

from __future__ import annotations

import runpy
import sys
from typing import TYPE_CHECKING

import pytest

from chunkwise.__main__ import main
from tests.commands import started

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec

    from tests.commands import Run


def test_it_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.delitem(sys.modules, "chunkwise.__main__")
    monkeypatch.setattr(sys, "argv", ["chunkwise", "--version"])
    with pytest.raises(SystemExit) as exit_:
        runpy.run_module("chunkwise", run_name="__main__")
    assert exit_.value.code == 0
    assert capsysbinary.readouterr().out.startswith(b"chunkwise ")


def test_without_its_library_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_command(monkeypatch)
    monkeypatch.setitem(sys.modules, "typer", None)
    needs = 'the command needs typer: python -m pip install "chunkwise[cli]"'
    assert run("--version") == (2, b"", f"chunkwise: {needs}\n")


def forget_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules of the command be imported anew."""
    for name in list(sys.modules):
        if name.startswith("chunkwise._cli"):
            monkeypatch.delitem(sys.modules, name)


class Failing:
    """A finder that fails on one module."""

    def __init__(self, name: str, error: BaseException) -> None:
        self.name = name
        self.error = error

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Fail, or leave the module to others."""
        if name == self.name:
            raise self.error
        return None


@pytest.fixture
def fail_import(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Return a function that makes the import of the CLI library fail."""

    def fail(error: BaseException) -> None:
        forget_command(monkeypatch)
        monkeypatch.delitem(sys.modules, "typer")
        monkeypatch.setattr(sys, "meta_path", [Failing("typer", error), *sys.meta_path])

    return fail


def test_any_other_missing_module_is_a_bug_and_looks_like_one(
    fail_import: Callable[[BaseException], None],
) -> None:
    fail_import(ModuleNotFoundError("no colours", name="colours"))
    with pytest.raises(ModuleNotFoundError, match="no colours"):
        main()


def test_an_interrupt_while_it_starts_exits_with_130(
    run: Run, fail_import: Callable[[BaseException], None]
) -> None:
    fail_import(KeyboardInterrupt())
    assert run("--version") == (130, b"", "")


def test_a_process_without_the_library_says_one_line() -> None:
    code = """
import sys
sys.modules["typer"] = None
from chunkwise.__main__ import main
main()
"""
    with started("--version", code=code) as process:
        out, err = process.popen.communicate()
    assert (process.popen.returncode, out) == (2, b"")
    needs = 'the command needs typer: python -m pip install "chunkwise[cli]"'
    assert err.decode().splitlines() == [f"chunkwise: {needs}"]
