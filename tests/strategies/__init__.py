"""The built-in strategies, a module each."""
