"""Runs the examples of guides that need a library which is not always at hand."""

from __future__ import annotations

from tests.test_docs import ALL_IN_PAGES, ROOT, check_all_is_shown

GUIDES = ROOT / "docs/howto"


def run_page(name: str) -> None:
    """Run all examples of a guide."""
    document = ALL_IN_PAGES.parse(GUIDES / f"{name}.md")
    document.namespace["__name__"] = "example"
    for example in document.examples():
        example.evaluate()
    check_all_is_shown(document.namespace)


def run_section(title: str) -> None:
    """Run the examples of the guide for frameworks below the heading *title*."""
    document = ALL_IN_PAGES.parse(GUIDES / "use-in-frameworks.md")
    start = document.text.index(f"\n## {title}\n")
    end = document.text.find("\n## ", start + 1)
    document.namespace["__name__"] = "example"
    for example in document.examples():
        if start < example.start and (end < 0 or example.start < end):
            example.evaluate()
    check_all_is_shown(document.namespace)
