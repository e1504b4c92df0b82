"""Priorities over time: how they grow with age and move with fair share (docs/slurm-cycle.md, section 13)."""

from shadowtime.console.session.slurm.priorities.calculations import last_calculation
from shadowtime.console.session.slurm.priorities.points import (
    Priorities,
    grows_since,
    next_calculation,
    submitted_anew,
    with_calculation,
)
from shadowtime.console.session.slurm.priorities.standing import Bills, charged, charges, with_standing

__all__ = [
    "Bills",
    "Priorities",
    "charged",
    "charges",
    "grows_since",
    "last_calculation",
    "next_calculation",
    "submitted_anew",
    "with_calculation",
    "with_standing",
]
