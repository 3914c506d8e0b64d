"""Tests of what hands chunks to other libraries."""
