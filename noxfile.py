"""The checks of this project, one session each; ``nox`` runs all that are quick."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import nox

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
ROOT = Path(__file__).parent
QUICK = {"HYPOTHESIS_PROFILE": "quick", "CHUNKWISE_DATA": "none"}
SHARED_TESTS = {"__main__": "cli", "_descent": "sized", "_pack": "sized"}
"""Modules that are parts of what another module's test file is about."""
PYPROJECT = nox.project.load_toml("pyproject.toml")

nox.needs_version = ">=2025.2.9"
nox.options.sessions = [
    "lint",
    "imports",
    "typing",
    "tests",
    "coverage",
    "own_coverage",
    "docs",
    "build",
]
# A Python that is not installed is skipped, also with CI=true.
nox.options.error_on_missing_interpreters = False
nox.options.reuse_venv = "yes"


def show_pyenv_versions() -> None:
    """Let pyenv's shims start every installed Python that a session asks for.

    A machine with pyenv needs it because the shims refuse every version that is not
    selected: nox would find none of them, and skip their sessions. Selected are those
    that ``PYENV_VERSION`` names; the one in use stays first.
    """
    try:
        current, installed = (
            subprocess.run(  # noqa: S603 - fixed arguments
                ["pyenv", *arguments],  # noqa: S607 - whichever pyenv is in use
                check=True,
                capture_output=True,
                text=True,
            ).stdout.split()
            for arguments in (["version-name"], ["versions", "--bare"])
        )
    except (OSError, subprocess.CalledProcessError):
        return
    wanted = [name for name in installed if name.rpartition(".")[0] in PYTHONS]
    names = dict.fromkeys([*"".join(current).split(":"), *wanted])
    os.environ["PYENV_VERSION"] = ":".join(names)


show_pyenv_versions()


def install(session: nox.Session, *groups: str, extras: str = "[cli]") -> None:
    """Install the project with *extras* and the dependency *groups*."""
    requirements = nox.project.dependency_groups(PYPROJECT, *groups)
    session.install(f".{extras}", *requirements)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and form with ruff."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "lint"))
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")


@nox.session
def imports(session: nox.Session) -> None:
    """Check who imports whom."""
    install(session, "lint")
    session.run("lint-imports", "--no-cache")


@nox.session
def typing(session: nox.Session) -> None:
    """Check types with mypy and basedpyright, and that the public ones are complete."""
    install(session, "typing")
    session.run("mypy", "src", "tests", "benchmarks", "noxfile.py")
    session.run("basedpyright", "--level", "error", "src", "tests/typing")
    session.run("basedpyright", "--verifytypes", "chunkwise", "--ignoreexternal")


@nox.session(python=PYTHONS)
@nox.parametrize("extras", ["", "[cli]"], ids=["bare", "extras"])
def tests(session: nox.Session, extras: str) -> None:
    """Run all tests with all extras, and those of modules with core dependencies."""
    install(session, "tests", extras=extras)
    data = f"--data-file={ROOT / '.coverage'}.{session.python}{extras and '-extras'}"
    cores = ["-n", "auto", "--dist", "worksteal"]
    run = ["coverage", "run", data, "-m", "pytest", *cores, *session.posargs]
    if extras and session.python == PYTHONS[-1]:
        session.run(*run)
        return
    # One Python tells from another as much by a part of the laws: what counts work,
    # goes over all continuations, or takes long texts runs once.
    ignored = ["tests/laws/test_bounded.py", "tests/laws/test_earliest_release.py"]
    if not extras:
        # What the command line does needs its extra, and so do the documents; no law
        # depends on one.
        ignored = ["tests/test_cli.py", "tests/test_docs.py", "tests/laws"]
    ignore = [f"--ignore={path}" for path in ignored]
    session.run(*run, *ignore, "-k", "not our_own_texts and not long_", env=QUICK)


@nox.session
def coverage(session: nox.Session) -> None:
    """Check that the tests reach every branch of the package."""
    session.install(*nox.project.dependency_groups(PYPROJECT, "coverage"))
    session.run("coverage", "combine", "--keep")
    session.run("coverage", "report", "--fail-under=100")


@nox.session
def own_coverage(session: nox.Session) -> None:
    """Check that each module is covered by its own test file alone."""
    install(session, "tests")
    package = ROOT / "src" / "chunkwise"
    for module in sorted(package.rglob("*.py")):
        if not re.search(r"^(def|class) ", module.read_text("utf-8"), re.MULTILINE):
            continue
        name = SHARED_TESTS.get(module.stem, module.stem.strip("_"))
        test = ROOT / "tests" / module.parent.relative_to(package) / f"test_{name}.py"
        data = f"--data-file={session.create_tmp()}/coverage"
        session.run("coverage", "run", data, "-m", "pytest", "-q", str(test), env=QUICK)
        session.run("coverage", "combine", data, silent=True)
        session.run(
            "coverage",
            "report",
            data,
            f"--include=*/{module.relative_to(package.parent).as_posix()}",
            "--fail-under=100",
        )


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, with every warning an error."""
    install(session, "docs")
    session.run(
        "sphinx-build", "-n", "-W", "--keep-going", "-b", "html", "docs", "docs/_build"
    )


@nox.session
def build(session: nox.Session) -> None:
    """Build wheel and sdist, and use the wheel in a clean environment."""
    session.install("build")
    out = session.create_tmp()
    session.run("python", "-m", "build", "--outdir", f"{out}/dist")
    (wheel,) = Path(out, "dist").glob("*.whl")
    session.run("python", "-m", "venv", "--clear", f"{out}/clean")
    python = next(Path(out, "clean").glob("[Bb]*/python*"))
    session.run(
        str(python), "-m", "pip", "install", "-q", f"{wheel}[cli]", external=True
    )
    session.run(
        str(python),
        "-m",
        "chunkwise",
        "split",
        "--by",
        "sentence",
        "docs/examples/answer.md",
        external=True,
    )
    # The folder is reused, and the glob above wants one wheel.
    wheel.unlink()


@nox.session
def laws(session: nox.Session) -> None:
    """Run the law tests with the long Hypothesis profile."""
    install(session, "tests")
    session.run(
        "pytest", "tests/laws", *session.posargs, env={"HYPOTHESIS_PROFILE": "long"}
    )


@nox.session
def engines(session: nox.Session) -> None:
    """Try the recipes for batch splitters with the libraries that they are for."""
    install(session, "engines")
    session.run("pytest", "tests/engines", *session.posargs)


@nox.session
def mutation(session: nox.Session) -> None:
    """Change the core modules in small ways and list the changes that no test sees."""
    install(session, "tests", "mutation")
    session.run("mutmut", "run", *session.posargs)
    session.run("mutmut", "results")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed and memory next to other libraries; writes RESULTS.md."""
    install(session)
    # Next to these sizes are measured; they need what they depend on.
    session.install(*nox.project.dependency_groups(PYPROJECT, "bench-sizes"))
    # One module of each peer is used, and what they depend on takes gigabytes.
    session.install("--no-deps", *nox.project.dependency_groups(PYPROJECT, "bench"))
    session.run("python", "-m", "benchmarks", *session.posargs)
