"""Tests of chunkwise."""
