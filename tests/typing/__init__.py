"""What type checkers read and nothing runs."""
