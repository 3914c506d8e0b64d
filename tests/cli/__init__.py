"""Tests of the command line, a file for each module of chunkwise._cli."""
