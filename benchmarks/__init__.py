"""Benchmarks of chunkwise, side by side with other libraries."""
