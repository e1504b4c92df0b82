"""What a workload model gives, and how it reports its progress."""

from array import array
from collections.abc import Callable

import attrs

from shadowtime.scenarios.workload import Workload

REPORTED_EVERY = 4096
Progress = Callable[[int, int], None]
"""Called now and then with how many jobs are made, and of how many."""


class LoadError(ValueError):
    """The load that was asked for cannot be set."""


@attrs.frozen(eq=False)
class Generated:
    """The jobs of a model. Ids count from 1, in order of submission."""

    workload: Workload
    preceding: "array[int] | None" = None
    """For each job the id of the one that it runs again, 0 for a first run; None where none is run again."""
