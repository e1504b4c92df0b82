"""Measures: the numbers that an experiment can ask for of a cell's results."""

from collections.abc import Mapping

from console.session.report import REPORTED
from scenarios.experiment import BREAKDOWNS

_OF_JOBS = (
    "jobs",
    "area",
    "estimated_area",
    "mean_wait",
    "mean_response",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "mean_bounded_slowdown_fw98",
    "preempt_ratio",
    "mean_preemptions",
    "mean_quantum",
    "users_per_job",
    *(
        f"{how}_{what}"
        for how in ("median", "interval")
        for what in ("runtime", "size", "work", "interarrival")
    ),
)
_OF_WORKLOAD = (
    "jobs",
    "mean_size",
    "mean_runtime",
    "mean_estimate",
    "mean_interarrival",
    "load",
    "below_fifth",
    "above_nine_tenths",
)
GROUPED: Mapping[str, tuple[str, ...]] = {
    "months": _OF_JOBS,
    "sizes": _OF_JOBS,
    "bins": _OF_JOBS,
    "classes": (*_OF_JOBS, "total_ratio", "max_slowdown", "max_preemptions"),
    "levels": ("days", "mean_queue_length"),
    "preemptions": ("jobs",),
    "slowdowns": ("plain", "bounded"),
    "requests": ("jobs", "below_twenty_fifth"),
    "ratios": ("jobs",),
    "shares": ("time",),
    "days": ("utilization", "mean_queue_length"),
    "weeks": ("utilization", "mean_queue_length"),
}
MEASURES: frozenset[str] = frozenset(
    (
        *REPORTED,
        "span",
        *(f"workload.{name}" for name in _OF_WORKLOAD),
        *(f"{group}.{name}" for group, names in GROUPED.items() for name in names),
    )
)
"""Their names: a metric of `run --json`, or one for each month (`months.mean_wait`), size, ... of a cell."""
assert GROUPED.keys() <= BREAKDOWNS.keys()

WEEK = 7

Results = Mapping[str, object]
"""What `run_cell` gave, read back."""


def measured(results: Results, measure: str) -> dict[str, float]:
    """Return the values of a measure by their label on its own axis; under '' where it has none."""
    group, point, name = measure.partition(".")
    if group == "weeks":
        return _weeks(measured(results, f"days.{name}"))
    if measure == "workload.below_fifth":
        shares = measured(results, "ratios.jobs")
        return {"": shares["0.1"] + shares["0.2"]}
    if measure == "workload.above_nine_tenths":
        shares = measured(results, "ratios.jobs")
        return {"": shares["1.0"] + shares["killed"]}
    if group in GROUPED and point:
        tables = results[group]
        assert isinstance(tables, Mapping)
        return {label: float(table[name]) for label, table in tables.items()}
    if point:
        table = results[group]
        assert isinstance(table, Mapping)
        return {"": float(table[name])}
    metrics = results["metrics"]
    assert isinstance(metrics, Mapping)
    value = results["span"] if measure == "span" else metrics[measure]
    return {} if value is None else {"": float(str(value))}


def _weeks(days: Mapping[str, float]) -> dict[str, float]:
    """The means of every seven whole days, from the first submission on; what is left over is no week."""
    values = list(days.values())
    whole = range(len(values) // WEEK)
    return {str(week + 1): sum(values[WEEK * week : WEEK * (week + 1)]) / WEEK for week in whole}
