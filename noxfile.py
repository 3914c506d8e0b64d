"""The checks of this project, one session each; ``nox`` runs all that are quick."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import nox

PYTHONS = ["3.10", "3.11", "3.12", "3.13"]
ROOT = Path(__file__).parent
QUICK = {"HYPOTHESIS_PROFILE": "quick", "CHUNKWISE_DATA": "none"}
SHARED_TESTS = {
    "_descent": "sized",
    "_event_reading": "text_deltas",
    "_json_path": "json",
    "_json_value": "json",
    "_pack": "sized",
    "_reading": "adapters",
    "_sentence_options": "sentence",
    "_token_pack": "sized",
    # What the kit finds is tested by the faults that it has to find.
    "_laws": "check",
    "_runs": "check",
    "_trial": "check",
    # Drivers, and what they have in common, are tested by what can go wrong.
    "_calling": "failures",
    "_inline": "failures",
    "_pipelined": "failures",
    "_source": "failures",
    "_stream": "failures",
}
"""Modules that are parts of what another module's test file is about."""
FRAMEWORKS = [
    "interop/haystack.py",
    "interop/langchain.py",
    "interop/llama_index.py",
    "interop/opentelemetry.py",
    "interop/spacy.py",
]
"""Modules whose libraries, and so their own tests, only one session has."""
ENGINES = ["interop/spark.py"]
"""The same, of another session."""
ALL_CORES = ["-n", "auto", "--dist", "worksteal"]
PYPROJECT = nox.project.load_toml("pyproject.toml")

nox.needs_version = ">=2025.2.9"
nox.options.sessions = [
    "lint",
    "imports",
    "typing",
    "tests",
    "sdk",
    "browser",
    "coverage",
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


def install(session: nox.Session, *groups: str, extras: str = "[arrow,cli]") -> None:
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
    install(session, "lint", extras="[cli]")
    session.run("lint-imports", "--no-cache")


@nox.session
def typing(session: nox.Session) -> None:
    """Check types with mypy and basedpyright, and that the public ones are complete."""
    install(session, "typing")
    session.run("mypy", "src", "tests", "benchmarks", "noxfile.py")
    session.run("basedpyright", "--level", "error", "src", "tests/typing")
    session.run("basedpyright", "--verifytypes", "chunkwise", "--ignoreexternal")


@nox.session(python=PYTHONS)
@nox.parametrize("extras", ["", "[arrow,cli]"], ids=["bare", "extras"])
def tests(session: nox.Session, extras: str) -> None:
    """Run all tests with all extras, and those of modules with core dependencies."""
    if not extras and session.python not in (PYTHONS[0], PYTHONS[-1]):
        session.skip("without extras the oldest and the newest Python tell enough")
    install(session, "tests", extras=extras)
    run = ["pytest", *ALL_CORES, *session.posargs]
    if extras and session.python == PYTHONS[-1]:
        session.run(*run)
        return
    # One Python tells from another as much by the modules' own tests; the laws run on
    # the newest, and on the oldest but for what counts work, goes over all
    # continuations, or takes long texts.
    ignored = ["tests/laws"]
    if extras and session.python == PYTHONS[0]:
        ignored = ["tests/laws/test_bounded.py", "tests/laws/test_earliest_release.py"]
    if not extras:
        # What the command line does needs its extra, and so do the documents.
        ignored += ["tests/cli", "tests/test_main.py", "tests/test_docs.py"]
    ignore = [f"--ignore={path}" for path in ignored]
    session.run(*run, *ignore, "-k", "not our_own_texts and not long_", env=QUICK)


@nox.session
def sdk(session: nox.Session) -> None:
    """Read recorded answers through real clients, and leave their streams early."""
    # Compiling it all takes longer than the modules that are imported once.
    groups = nox.project.dependency_groups(PYPROJECT, "sdk-tests")
    session.install("--no-compile", ".", *groups)
    # Clients that are kept until the end leave their idle connections to Python.
    unclosed = ["-W", "ignore::pytest.PytestUnraisableExceptionWarning"]
    session.run("pytest", "tests/sdk", *unclosed, *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Use the viewer's page, and an EventSource, in a headless Chromium."""
    need_chromium(session)
    install(session, "browser")
    session.run("pytest", "tests/browser", *session.posargs)


@nox.session
def pictures(session: nox.Session) -> None:
    """Make the pictures of the documentation anew."""
    need_chromium(session)
    install(session, "browser")
    session.run("python", "docs/pictures/make.py")


def need_chromium(session: nox.Session) -> None:
    """Install Debian's Chromium, or skip the session where that is not possible."""
    if shutil.which("chromium") is not None:
        return
    apt_get = shutil.which("apt-get")
    # Only Debian's package is a browser; Ubuntu's installs a snap.
    if apt_get is None or not Path("/etc/debian_version").exists() or os.geteuid():
        session.skip(
            "needs chromium, which only root can install, with Debian's apt-get"
        )
    try:
        quiet = {"DEBIAN_FRONTEND": "noninteractive"}
        session.run(apt_get, "update", "-qq", external=True)
        # The page is compared with pictures in this font.
        packages = ["chromium", "fonts-dejavu-core"]
        options = ["install", "-qq", "--yes", "--no-install-recommends"]
        session.run(apt_get, *options, *packages, external=True, env=quiet)
    except nox.command.CommandFailed:
        session.skip("needs chromium, which apt-get could not install")


@nox.session
def coverage(session: nox.Session) -> None:
    """Check that each module's own test file alone reaches all its branches.

    All run once, and what is reached is recorded by test; what no test did, as imports,
    counts for every module.
    """
    install(session, "tests", "coverage")
    data = coverage_file(session)
    session.run("coverage", "erase", env=data, silent=True)
    options = ["--cov=chunkwise", "--cov-context=test", "--cov-report="]
    tests = ["tests", "--ignore=tests/laws", "--ignore=tests/test_docs.py"]
    session.run("pytest", "-q", *ALL_CORES, *options, *tests, env={**QUICK, **data})
    package = ROOT / "src" / "chunkwise"
    modules = [
        path
        for module in sorted(package.rglob("*.py"))
        if re.search(r"^(def|class) ", module.read_text("utf-8"), re.MULTILINE)
        and (path := module.relative_to(package)).as_posix()
        not in {*FRAMEWORKS, *ENGINES}
    ]
    check_own_coverage(session, modules, data)


def coverage_file(session: nox.Session) -> dict[str, str]:
    """Return the variable that says where what is reached is recorded."""
    # Not in nox's own temporary folder: once that is there, all programs put theirs
    # into it, and Ray was seen to wait for ever for its sockets.
    return {"COVERAGE_FILE": str(session.cache_dir.resolve() / "coverage")}


def check_own_coverage(
    session: nox.Session, modules: list[Path], data: dict[str, str]
) -> None:
    """Fail if a module's own test file, in the recorded data, left out a branch."""
    short = []
    for path in modules:
        name = SHARED_TESTS.get(path.stem, path.stem.strip("_"))
        folder = Path("tests", *(part.strip("_") for part in path.parent.parts))
        test = (folder / f"test_{name}.py").as_posix()
        try:
            session.run(
                "coverage",
                "report",
                f"--include=*/chunkwise/{path.as_posix()}",
                f"--contexts=^{test}::,^$",
                "--fail-under=100",
                env=data,
                silent=True,
            )
        except nox.command.CommandFailed:
            short.append(path.as_posix())
    if short:
        session.error("not reached by their own tests: " + ", ".join(short))


@nox.session
def frameworks(session: nox.Session) -> None:
    """Test the modules for frameworks with these, and what of them is reached."""
    install(session, "tests", "coverage", "frameworks", extras="")
    test_and_check_coverage(session, FRAMEWORKS, *session.posargs)


def test_and_check_coverage(
    session: nox.Session, modules: list[str], *arguments: str
) -> None:
    """Run the own tests of modules, and check that they reach all branches."""
    data = coverage_file(session)
    session.run("coverage", "erase", env=data, silent=True)
    paths = [Path(module) for module in modules]
    tests = [f"tests/interop/test_{path.stem}.py" for path in paths]
    options = ["--cov=chunkwise", "--cov-context=test", "--cov-report="]
    session.run("pytest", *options, *tests, *arguments, env=data)
    check_own_coverage(session, paths, data)


@nox.session
def spec(session: nox.Session) -> None:
    """Compare the blocks of all examples of CommonMark with those of a parser."""
    install(session, "tests")
    session.install("flit-core")
    folder = session.create_tmp()
    only_source = ["--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
    session.run("pip", "download", *only_source, "-d", folder, "markdown-it-py")
    test = "tests/laws/test_markdown_blocks.py"
    session.run("pytest", test, "-k", "spec", env={"CHUNKWISE_SPEC": folder})


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation, with every warning an error."""
    install(session, "docs", extras="[arrow,asgi,cli]")
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
    # The second one needs files of the package that are no modules.
    for command in (["split", "--by", "sentence"], ["view", "-o", f"{out}/page.html"]):
        session.run(
            str(python),
            "-m",
            "chunkwise",
            *command,
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
        "pytest",
        "tests/laws",
        "--timeout=0",
        *session.posargs,
        env={"HYPOTHESIS_PROFILE": "long"},
    )


@nox.session
def engines(session: nox.Session) -> None:
    """Try the recipes for batch splitters with the libraries that they are for."""
    install(session, "engines", extras="[cli]")
    session.run("pytest", "tests/engines", *session.posargs)


@nox.session
def corpora(session: nox.Session) -> None:
    """Chunk a corpus, and live streams, with engines; Spark needs Java."""
    install(session, "corpora")
    test_and_check_coverage(session, ENGINES)
    # Nothing is asked for over the network, and nobody is told.
    env = {"HF_HUB_OFFLINE": "1", "RAY_USAGE_STATS_ENABLED": "0"}
    # These libraries have warnings of their own.
    options = ["-W", "default", "--timeout=900"]
    session.run("pytest", "tests/corpora", *options, *session.posargs, env=env)


@nox.session
def restarts(session: nox.Session) -> None:
    """Kill a query over live streams 20 times, and look for what is lost or doubled."""
    install(session, "corpora")
    options = ["-W", "default", "--timeout=0"]
    session.run("pytest", "tests/restarts", *options, *session.posargs)


@nox.session
def mutation(session: nox.Session) -> None:
    """Change the core modules in small ways and list the changes that no test sees."""
    install(session, "tests", "mutation", extras="[cli]")
    session.run("mutmut", "run", *session.posargs)
    session.run("mutmut", "results")


@nox.session
def bench(session: nox.Session) -> None:
    """Measure sentences, speed and memory next to others; writes RESULTS.md."""
    install(session, extras="[cli]")
    # Next to these sizes and sentences are measured, and streams run on Trio; they need
    # what they depend on.
    groups = ("bench-sizes", "bench-sentences", "bench-validation")
    session.install(*nox.project.dependency_groups(PYPROJECT, *groups))
    # One module of each peer is used, and what they depend on takes gigabytes.
    session.install("--no-deps", *nox.project.dependency_groups(PYPROJECT, "bench"))
    session.run("python", "-m", "benchmarks", *session.posargs)
