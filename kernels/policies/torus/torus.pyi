SIDES: tuple[int, int, int]
"""Processors along X, Y and Z."""

SIZES: tuple[int, ...]
"""The sizes of its blocks, and so of jobs."""

def is_base(size: int, base: int) -> bool:
    """Return whether a block of so many processors has this lowest processor."""
