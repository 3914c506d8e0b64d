"""The laws, a module each."""
