"""Progress: how long work says how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Told how much is done, of how much."""
