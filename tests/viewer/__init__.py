"""Tests of ``chunkwise.viewer``, but for what only a browser can show."""
