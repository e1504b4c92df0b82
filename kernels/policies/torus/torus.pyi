SIDES: tuple[int, int, int]
"""Processors along X, Y and Z."""

SIZES: tuple[int, ...]
"""The sizes of its blocks, and so of jobs."""
