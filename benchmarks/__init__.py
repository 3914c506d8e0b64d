"""Benchmarks of chunkwise, side by side with two other chunkers of streams."""
