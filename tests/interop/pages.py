"""Runs the examples of the guide for frameworks, a section for each of them."""

from __future__ import annotations

from tests.test_docs import ALL_IN_PAGES, ROOT, check_all_is_shown

PAGE = ROOT / "docs/howto/use-in-frameworks.md"


def run_section(title: str) -> None:
    """Run the examples below the heading *title*."""
    document = ALL_IN_PAGES.parse(PAGE)
    start = document.text.index(f"\n## {title}\n")
    end = document.text.find("\n## ", start + 1)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        if start < example.start and (end < 0 or example.start < end):
            example.evaluate()
    check_all_is_shown(document.namespace)
