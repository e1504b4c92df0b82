"""Progress: how long work says how far it is."""

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with how much is done, of how much."""
Step = Callable[[int], None]
"""Called as a run goes on with how many jobs wait then."""


def no_progress(_done: int, _total: int) -> None:
    """For work of which nobody asks how far it is."""
