"""Measures rows of the benchmark: one program at one size, by us and by others, in turn."""
