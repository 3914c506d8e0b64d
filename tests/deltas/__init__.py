"""Tests of chunkwise.deltas, with events made by hand."""
