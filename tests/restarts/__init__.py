"""Queries that are killed again and again, which only ``nox -s restarts`` does."""
