"""Measures: the numbers that an experiment can ask for of a cell's results."""

from collections.abc import Mapping

from shadowtime.console.session.files.report import REPORTED
from shadowtime.console.session.lab.intervals import Value
from shadowtime.scenarios.experiment import BREAKDOWNS

_AREAS = ("jobs", "area", "estimated_area")
_OF_JOBS = (
    *_AREAS,
    "mean_wait",
    "mean_response",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "mean_bounded_slowdown_fw98",
    "preempt_ratio",
    "mean_preemptions",
    "mean_quantum",
    "mean_quantum_of_preempted",
    "users_per_job",
    "below_minute",
    "below_hour",
    *(
        f"{how}_{what}"
        for how in ("median", "interval")
        for what in ("runtime", "size", "work", "interarrival")
    ),
)
_OF_WORKLOAD = (
    "jobs",
    "nodes",
    "weeks",
    "mean_size",
    "mean_runtime",
    "mean_estimate",
    "mean_interarrival",
    "load",
    "looseness",
    "below_fifth",
    "below_half",
    "above_nine_tenths",
)
_OF_BATCHES = ("mean_slowdown", "used", "relative_half")
_OF_WAITED = ("jobs", "backfilled")
_OF_FAIRNESS = ("overtaken", "later", "users")
GROUPED: Mapping[str, tuple[str, ...]] = {
    "months": (*_OF_JOBS, "load"),
    "sizes": _OF_JOBS,
    "widths": _AREAS,
    "classes": (*_OF_JOBS, "total_ratio", "max_slowdown", "max_preemptions", "max_wait"),
    "levels": ("days", "mean_queue_length"),
    "preemptions": ("jobs",),
    "slowdowns": ("plain", "bounded"),
    "quantiles": ("wait", "response", "slowdown", "bounded_slowdown"),
    "users": ("jobs", "area", "mean_wait", "max_wait", "mean_bounded_slowdown"),
    "requests": ("jobs", "below_twenty_fifth"),
    "ratios": ("jobs",),
    "percents": ("jobs",),
    "statuses": ("jobs", "at_request", "of_four_hours", "of_four_hours_at_request"),
    "runs": ("jobs",),
    "shares": ("time",),
    "days": ("utilization", "mean_queue_length"),
    "weeks": ("utilization", "mean_queue_length"),
    "calendar": ("utilization",),
}
OF_ITS_OWN = ("span", "relocations")
"""Numbers of a cell that stand in no table of its results."""
MEASURES: frozenset[str] = frozenset(
    (
        *REPORTED,
        *OF_ITS_OWN,
        *(f"workload.{name}" for name in _OF_WORKLOAD),
        *(f"batches.{name}" for name in _OF_BATCHES),
        *(f"waited.{name}" for name in _OF_WAITED),
        *(f"fairness.{name}" for name in _OF_FAIRNESS),
        *(f"{group}.{name}" for group, names in GROUPED.items() for name in names),
    )
)
"""Their names: a metric of `run --json`, or one for each month (`months.mean_wait`), size, ... of a cell."""
assert GROUPED.keys() <= BREAKDOWNS.keys()

WEEK = 7

Results = Mapping[str, object]
"""What `run_cell` gave, read back."""


def measured(results: Results, measure: str) -> dict[str, Value]:
    """Return the values of a measure by their label on its own axis; under '' if it has no axis."""
    group, point, name = measure.partition(".")
    if group == "weeks":
        return _weeks(measured(results, f"days.{name}"))
    if measure == "workload.below_fifth":
        return _together(measured(results, "ratios.jobs"), "0.1", "0.2")
    if measure == "workload.below_half":
        return _together(measured(results, "ratios.jobs"), "0.1", "0.2", "0.3", "0.4", "0.5")
    if measure == "workload.above_nine_tenths":
        return _together(measured(results, "ratios.jobs"), "1.0", "killed")
    tables = results[group] if point else results["metrics"]
    assert isinstance(tables, Mapping)
    if group in GROUPED and point:
        return {label: _value(table[name]) for label, table in tables.items() if name in table}
    found = results[measure] if measure in OF_ITS_OWN else tables[name or measure]
    return {} if found is None else {"": _value(found)}


def _value(found: object) -> Value:
    """A number, or one with the interval that the cell itself has for it."""
    return Value(**found) if isinstance(found, Mapping) else Value(float(str(found)))


def _together(shares: Mapping[str, Value], *labels: str) -> dict[str, Value]:
    return {"": Value(sum(shares[label].mean for label in labels))}


def _weeks(days: Mapping[str, Value]) -> dict[str, Value]:
    """The means of every seven whole days, from the first submission on; what is left over is no week."""
    values = [value.mean for value in days.values()]
    whole = range(len(values) // WEEK)
    return {str(week + 1): Value(sum(values[WEEK * week : WEEK * (week + 1)]) / WEEK) for week in whole}
