"""Sphinx configuration."""

from chunkwise import __version__

project = "chunkwise"
author = "The chunkwise authors"
copyright = "The chunkwise authors"  # noqa: A001 - the name that Sphinx reads
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
exclude_patterns = ["_build", "examples"]
default_role = "py:obj"
html_theme = "furo"
html_title = f"chunkwise {version}"

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# What is not needed to describe the modules that build on it.
autodoc_mock_imports = [
    "langchain_core",
    "starlette",
    "langchain_text_splitters",
    "llama_index",
    "opentelemetry",
    "spacy",
    "pandas",
    "pyspark",
]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True
napoleon_custom_sections = ["Source"]

nitpick_ignore = [
    # No intersphinx, so that a build needs no network.
    ("py:class", "collections.abc.Callable"),
    ("py:class", "collections.abc.Mapping"),
    # What an iterator gives: each class says it.
    ("py:class", "chunkwise._reading.Out"),
    ("py:class", "hypothesis.strategies.SearchStrategy"),
    ("py:class", "st.SearchStrategy"),
    # These are on the page of sources, by their full name.
    ("py:class", "Extractor"),
    # A function from two offsets to text, which the docstring explains.
    ("py:class", "Read"),
    # The type variables `S` and `K` of the page of the API, by their full names.
    ("py:class", "chunkwise._spans.S"),
    ("py:class", "chunkwise._streams.K"),
    # Of Starlette.
    ("py:class", "Request"),
    ("py:class", "Response"),
    # Of OpenTelemetry.
    ("py:class", "Tracer"),
    # Of spaCy.
    ("py:class", "Doc"),
]

nitpick_ignore_regex = [
    # Of Arrow.
    ("py:class", r"(pa|pyarrow\.lib)\.\w+"),
]
