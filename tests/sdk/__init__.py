"""Streams of real clients, which only ``nox -s sdk`` installs."""
