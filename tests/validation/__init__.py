"""Tests of chunkwise.validation."""
