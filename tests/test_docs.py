"""Every example in the README, the documentation and the docstrings runs.

A block of Python on a page is plain code without prompts, so that the blocks of a page
can go into one file; what it prints is in the ``output`` block behind it, and nowhere
else. A ``console`` block runs the lines that begin with ``$ chunkwise`` or
``$ printf``. Blocks between ``skip`` comments need a library that is not at hand;
``tests/engines``, ``corpora``, ``interop`` and ``sdk`` run them, and
``tests/validation/test_recipes.py``, with stand-ins.
"""

from __future__ import annotations

import code
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sybil import Sybil
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.myst import CodeBlockParser, SkipParser
from sybil.parsers.rest import DocTestParser

import chunkwise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sybil import Example
    from sybil.typing import Parser

ROOT = Path(__file__).parents[1]
SOURCE = Path(chunkwise.__file__).parent

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if page.parent.name != "examples"
    ),
]
MODULES = sorted(SOURCE.rglob("*.py"))

LANGUAGES = {"python", "output", "console", "sh", "text"}
"""What a fence may say; one that is spelt differently would not be run."""

_FENCE = re.compile(r"^```(.*)\n(?s:.*?)^```$", re.MULTILINE)
_PRINTED = "what the last block printed"

run_python = PythonEvaluator()


def run_and_keep_output(example: Example) -> None:
    """Run plain code, and keep what it prints for the block behind it."""
    check_all_is_shown(example.namespace)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        run_python(example)
    example.namespace[_PRINTED] = printed.getvalue()


def compare_output(example: Example) -> None:
    """Compare the block with what the code before it printed."""
    assert example.parsed == example.namespace.pop(_PRINTED, "")


def check_all_is_shown(namespace: dict[str, object]) -> None:
    """Fail where code printed something that no block shows."""
    assert not namespace.pop(_PRINTED, "")


def run_commands(example: Example) -> None:
    """Run the commands of a console block whose output is always the same."""
    for command, shown in commands(example.parsed):
        if command.startswith(("chunkwise ", "printf ")):
            assert run_command(command) == shown, command
        else:
            assert not shown, command


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a console block, and what is shown below each."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield command, shown


def run_command(command: str) -> str:
    """Run a line of shell in which ``chunkwise`` is the one that is tested."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash")
    done = subprocess.run(  # noqa: S603 - a line of our own documentation
        [bash, "-c", f'chunkwise() {{ "$PYTHON" -m chunkwise "$@"; }}; {command}'],
        cwd=ROOT,
        env={**os.environ, "PYTHON": sys.executable},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return done.stdout.decode()


BLOCKS: list[Parser] = [
    CodeBlockParser("python", run_and_keep_output),
    CodeBlockParser("output", compare_output),
    CodeBlockParser("console", run_commands),
]
IN_PAGES = Sybil(parsers=[*BLOCKS, SkipParser()])
ALL_IN_PAGES = Sybil(parsers=BLOCKS)
IN_DOCSTRINGS = Sybil(parsers=[DocTestParser()])


def ids(paths: Iterable[Path], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


every_page = pytest.mark.parametrize("page", PAGES, ids=ids(PAGES, ROOT))


@every_page
@pytest.mark.usefixtures("register")
def test_the_examples_of_a_page_run(page: Path) -> None:
    document = IN_PAGES.parse(page)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        example.evaluate()
    check_all_is_shown(document.namespace)


@every_page
def test_no_example_of_a_page_is_left_out(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    infos = _FENCE.findall(text)
    assert len(re.findall(r"^\s*(?:```|~~~)", text, re.MULTILINE)) == 2 * len(infos)
    assert {info for info in infos if not info.startswith("{")} <= LANGUAGES


@every_page
def test_a_page_links_to_files_that_exist(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


@every_page
def test_an_anchor_leads_to_a_heading_where_the_source_is_read(page: Path) -> None:
    """The build checks its own anchors; a forge makes others of some headings."""
    text = page.read_text(encoding="utf-8")
    for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", text):
        aim = (page.parent / target).resolve() if target else page
        assert anchor in anchors(aim), f"{target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, by the rule of GitHub."""
    text = page.read_text(encoding="utf-8")
    for other in re.findall(r"^```\{include\} (.*)$", text, re.MULTILINE):
        text += (page.parent / other).read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", _FENCE.sub("", text), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in headings
    }


@every_page
def test_a_page_says_how_to_install_what_its_examples_import(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    blocks = "".join(re.findall(r"^```python\n((?s:.*?))^```$", text, re.MULTILINE))
    imported = {
        name.replace("_", "-")
        for name in re.findall(r"^(?:from|import) (\w+)", blocks, re.MULTILINE)
        if name not in sys.stdlib_module_names
    }
    assert imported <= installed(text) | {"chunkwise", "anyio", "regex"}


def installed(text: str) -> set[str]:
    """Return the modules that the commands of a page install, by their first names."""
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found: set[str] = set()
    for command in re.findall(r"pip install ([^`\n]*)", text):
        for extra in re.findall(r'"\.\[(.*?)\]"', command):
            for name in extra.split(","):
                (needs,) = re.findall(rf"^{name} = \[(.*)\]", settings, re.MULTILINE)
                found |= set(re.findall(r'"([\w-]+)', needs))
        found |= set(re.findall(r"[\w-]+", command))
    return found | {other for name in found for other in _MODULES.get(name, ())}


_MODULES = {
    "google-genai": ["google"],
    "guardrails-ai": ["guardrails"],
    "haystack-ai": ["haystack"],
    "llama-index-core": ["llama-index"],
    "opentelemetry-api": ["opentelemetry"],
    "opentelemetry-sdk": ["opentelemetry"],
    "pydantic-ai-slim": ["pydantic-ai"],
}
"""What is imported, where a distribution has another name, with hyphens."""


def test_the_readme_leads_to_every_page() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for folder in ("tutorial", "howto", "reference", "explanation"):
        for page in (ROOT / "docs" / folder).glob("*.md"):
            assert f"](docs/{folder}/{page.name}" in readme, page.name


@pytest.mark.parametrize("name", ["README.md", "docs/tutorial/first-stream.md"])
def test_the_blocks_of_a_page_can_be_pasted_into_a_session(name: str) -> None:
    """A session shows values, and ends a block at a blank line; a file does neither."""
    page = (ROOT / name).read_text(encoding="utf-8")
    session = code.InteractiveConsole()
    printed = ""
    for kind, block in re.findall(
        r"^```(python|output)\n((?s:.*?))^```$", page, re.MULTILINE
    ):
        if kind == "output":
            assert printed == block
            printed = ""
            continue
        assert not printed, block
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            waits = [session.push(line) for line in [*block.splitlines(), ""]]
        assert not waits[-1], block
        printed = shown.getvalue()
    assert not printed


@pytest.mark.parametrize("module", MODULES, ids=ids(MODULES, SOURCE))
@pytest.mark.usefixtures("register")
def test_the_examples_of_docstrings_run(module: Path) -> None:
    document = IN_DOCSTRINGS.parse(module)
    examples = list(document.examples())
    assert len(examples) == document.text.count(">>> ")
    for example in examples:
        example.evaluate()


def test_the_map_of_the_house_names_every_module() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for module in MODULES:
        assert f"  {module.name} " in contributing, module.name


def test_the_map_of_the_house_shows_who_may_import_whom() -> None:
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    layers, *_ = re.findall(r"^layers = \[\n((?s:.*?))^\]", settings, re.MULTILINE)
    shown = "".join(f"{layer}\n" for layer in re.findall(r'"(.*)"', layers))
    assert f"```text\n{shown}```" in contributing


def test_the_reference_names_every_public_name() -> None:
    reference = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
    for name in chunkwise.__all__:
        assert re.search(rf"^\.\. \S+:: {name}\b", reference, re.MULTILINE), name


def test_the_reference_names_every_built_in_strategy() -> None:
    names = (ROOT / "docs/reference/names.md").read_text(encoding="utf-8")
    strategies = (ROOT / "docs/reference/strategies.md").read_text(encoding="utf-8")
    for name in chunkwise.STRATEGIES:
        assert f'| `"{name}"` | `' in names
    for name in chunkwise.strategies.__all__:
        assert f"\n`{name}(" in strategies
