"""How much of their estimates jobs run, and how loosely they do (docs/schedulers.md, section 12.2)."""

from typing import NamedTuple

from shadowtime.scenarios.workload import Workload


class EstimateUse(NamedTuple):
    """What the estimates of a workload say of its runtimes; both numbers are fractions."""

    share: float
    """All runtimes over all estimates."""
    looseness: float
    """Variance of runtime over estimate, weighted by the estimates, over the greatest that `share` allows."""


def estimate_use(workload: Workload) -> EstimateUse | None:
    """How the runtimes of a workload follow its estimates; None if all are exact, or without jobs."""
    runtimes, estimates = workload.runtime, workload.estimate
    if runtimes == estimates:
        return None
    total = sum(estimates)
    share = sum(runtimes) / total
    squares = sum(runtime * runtime / estimate for runtime, estimate in zip(runtimes, estimates, strict=True))
    return EstimateUse(share, (squares / total - share * share) / (share * (1 - share)))
