"""Tests of the conformance kit, and the faults that it has to find."""
