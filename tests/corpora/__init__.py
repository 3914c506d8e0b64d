"""Whole corpora, through libraries that only ``nox -s corpora`` installs."""
