"""Public modules name exactly what they define, and importing them loads little."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import chunkwise

SOURCE = Path(chunkwise.__file__).parent
LAZY = ["chunkwise", "chunkwise.strategies"]
"""Packages whose modules are imported when a name is asked for."""
HEAVY = ["asyncio", "anyio", "trio", "logging", "hashlib", "json", "pickle", "http"]
"""What is slow to load, and not needed before it is used."""
OPTIONAL = [
    "google",
    "haystack",
    "hypothesis",
    "jsonschema",
    "langchain_core",
    "langchain_text_splitters",
    "llama_index",
    "numpy",
    "opentelemetry",
    "pandas",
    "pyarrow",
    "pyspark",
    "rich",
    "spacy",
    "starlette",
    "typer",
]
"""What extras install."""


def public_modules() -> list[str]:
    """Return the names of all modules without an underscore, read from the files."""
    names = []
    for file in sorted(SOURCE.rglob("*.py")):
        parts = file.relative_to(SOURCE.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        if not any(part.startswith("_") for part in parts):
            names.append(".".join(parts))
    return names


def source_of(module: str) -> tuple[ast.Module, bool]:
    """Return the syntax tree of a module, and whether it is a package."""
    path = SOURCE.parent.joinpath(*module.split("."))
    is_package = path.is_dir()
    file = path / "__init__.py" if is_package else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8")), is_package


def names_bound_by(node: ast.stmt, *, is_package: bool) -> list[str]:
    """Return what a statement defines; a package also what its modules define."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign):
        return [target.id for target in node.targets if isinstance(target, ast.Name)]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.ImportFrom) and is_package and node.level == 1:
        return [alias.asname or alias.name for alias in node.names]
    return []


def imports_for_type_checkers(tree: ast.Module) -> list[ast.ImportFrom]:
    """Return what a module imports only where types are checked."""
    return [
        each
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for each in node.body
        if isinstance(each, ast.ImportFrom)
    ]


def is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__version__"


def defined_by(module: str) -> set[str]:
    tree, is_package = source_of(module)
    body = list(tree.body)
    if module in LAZY:
        body += imports_for_type_checkers(tree)
    return {
        name
        for node in body
        for name in names_bound_by(node, is_package=is_package)
        if is_public(name)
    }


def listed_by(module: str) -> list[str]:
    """Return ``__all__`` as it stands in the file, so that nothing is imported."""
    tree, _ = source_of(module)
    for node in tree.body:
        # An empty list needs an annotation.
        bound = names_bound_by(node, is_package=False)
        if isinstance(node, ast.Assign | ast.AnnAssign) and bound == ["__all__"]:
            assert node.value is not None
            names = ast.literal_eval(node.value)
            assert isinstance(names, list)
            return names
    pytest.fail(f"{module} has no __all__")


def test_public_modules_are_found() -> None:
    assert {"chunkwise", "chunkwise.errors"} <= set(public_modules())


@pytest.mark.parametrize("module", public_modules())
def test_a_public_module_lists_what_it_defines(module: str) -> None:
    listed = listed_by(module)
    assert set(listed) == defined_by(module)
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("module", ["chunkwise", "chunkwise.errors"])
def test_every_name_can_be_imported(module: str) -> None:
    imported = importlib.import_module(module)
    assert sorted(imported.__all__) == sorted(listed_by(module))
    for name in imported.__all__:
        assert getattr(imported, name) is not None


def test_every_error_can_be_imported_from_the_package() -> None:
    for name in chunkwise.errors.__all__:
        assert getattr(chunkwise, name) is getattr(chunkwise.errors, name)


def test_every_strategy_is_registered_and_can_be_imported_from_the_package() -> None:
    registered = {cls.__name__: cls for cls in chunkwise.STRATEGIES.values()}
    assert sorted(registered) == sorted(chunkwise.strategies.__all__)
    for name, cls in registered.items():
        assert getattr(chunkwise, name) is cls


def test_the_package_says_its_version() -> None:
    assert chunkwise.__version__.count(".") >= 2


@pytest.mark.parametrize("package", LAZY)
def test_type_checkers_see_the_names_that_are_imported_when_asked_for(
    package: str,
) -> None:
    seen = {
        alias.name: node.module
        for node in imports_for_type_checkers(source_of(package)[0])
        for alias in node.names
    }
    module = importlib.import_module(package)
    assert seen == module._MODULES  # noqa: SLF001 - the table has no other reader
    assert {*seen} == {*module.__all__} - {"__version__"}
    assert set(module.__all__) <= set(dir(module))


@pytest.mark.parametrize("name", ["deltas", "errors", "sizing", "strategies"])
def test_a_module_is_an_attribute_of_the_package(name: str) -> None:
    code = f"import chunkwise; print(chunkwise.{name}.__name__)"
    assert run_python(code) == f"chunkwise.{name}"


def run_python(code: str) -> str:
    """Return what a new interpreter prints for *code*."""
    done = subprocess.run(  # noqa: S603 - our own interpreter, our own words
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def loaded_by(code: str) -> set[str]:
    """Return the modules that a new interpreter loads to run *code*."""
    before = "import sys; before = set(sys.modules)"
    return set(
        run_python(f"{before}\n{code}\nprint(*(set(sys.modules) - before))").split()
    )


def test_importing_the_package_loads_none_of_its_parts() -> None:
    loaded = loaded_by("import chunkwise")
    own = {name for name in loaded if name.split(".")[0] == "chunkwise"}
    assert own == {"chunkwise", "chunkwise._lazy", "chunkwise._version"}
    assert not loaded & {*HEAVY, *OPTIONAL, "dataclasses", "inspect", "regex"}


@pytest.mark.parametrize(
    "code",
    [
        "from chunkwise import StreamChunkers, iter_chunks, aiter_chunks",
        "from chunkwise import Chunker, WordChunking; Chunker('word').feed('a b')",
        "import chunkwise; chunkwise.Chunker('sentence').feed('It is on. Now.')",
        "import chunkwise; list(chunkwise.iter_chunks(['a\\n\\nb'], 'paragraph'))",
    ],
)
def test_a_program_loads_what_it_uses(code: str) -> None:
    """An event loop neither: who has one has loaded it already."""
    loaded = loaded_by(code)
    assert not loaded & {*HEAVY, *OPTIONAL}
    others = ["_markdown", "_json", "_regex", "_sized", "_window", "_nested", "_fixed"]
    assert not loaded & {f"chunkwise.strategies.{other}" for other in others}


def test_all_of_the_package_loads_no_event_loop_and_no_optional_library() -> None:
    loaded = loaded_by("from chunkwise import *")
    assert len([name for name in loaded if "chunkwise" in name]) > 50
    assert not loaded & {"asyncio", "anyio", "trio", *OPTIONAL}


def test_names_of_strategies_are_known_without_loading_them() -> None:
    code = (
        "from chunkwise import STRATEGIES; list(STRATEGIES); len(STRATEGIES); "
        "'word' in STRATEGIES; repr(STRATEGIES)"
    )
    assert not [name for name in loaded_by(code) if "chunkwise.strategies" in name]
