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
    # A function from two offsets to text, which the docstring explains.
    ("py:class", "Read"),
    # The same type variable as `S` on the page of the API, by its full name.
    ("py:class", "chunkwise._spans.S"),
]
