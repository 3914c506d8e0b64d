"""Recipes for libraries that only ``nox -s engines`` installs."""
