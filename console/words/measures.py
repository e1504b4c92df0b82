"""The metrics of a report as the commands print them: a unit for each, and its meaning in a few words."""

from collections.abc import Iterator, Mapping, Sequence

from shadowtime.console.words.phrases import count, per_cent
from shadowtime.console.words.units import Unit

SECONDS, SHARE, RATIO = "seconds", "share", "ratio"

MEASURES: Mapping[str, tuple[str, str]] = {
    "mean_wait": (SECONDS, "until the first start, and in the queue after a stop"),
    "mean_response": (SECONDS, "submission to end"),
    "mean_slowdown": (RATIO, "response / runtime"),
    "mean_bounded_slowdown": (RATIO, "runtimes below 10 s count as 10 s, never below 1"),
    "mean_bounded_slowdown_fw98": (RATIO, "the same as Feitelson & Weil 1998 define it"),
    "mean_bounded_slowdown_n12": (RATIO, "the same as Niu et al. 2012 define it"),
    "utilization": (SHARE, "of the machine, first submission to last end"),
    "utilization_to_last_arrival": (SHARE, "of the machine, first to last submission"),
    "mean_queue_length": (RATIO, "jobs waiting, over time"),
    "backfill_ratio": (SHARE, "of the jobs passed another one"),
    "preempt_ratio": (SHARE, "of the jobs were preempted once or more"),
    "checkpoints_per_node_day": (RATIO, "how often a {unit} was checkpointed in a day"),
    "wasted_ratio": (SHARE, "of the machine held without progress, for preemption"),
    "lost_capacity": (SHARE, "of the machine idle while a job waited that fits in size"),
    "stability": (SECONDS, "standard deviation of the monthly mean wait"),
    "mean_prediction_error": (SECONDS, "first predicted start to actual start"),
}
"""Name of each metric, as in `run --json` -> its unit, and its meaning for `Unit.fill`."""


PREEMPTION = ("preempt_ratio", "checkpoints_per_node_day", "wasted_ratio")
"""The metrics that have a meaning only if jobs were preempted."""


def listed(*tables: Mapping[str, float | int | None]) -> list[str]:
    """Return the metrics of a printed table: those of preemption only if a job was preempted."""
    preempted = any(table.get("preempt_ratio") for table in tables)
    return [name for name in tables[0] if preempted or name not in PREEMPTION] if tables else []


def written(metric: str, value: float | int | None) -> str:
    """Return a value with its unit: `6,834.59 s`, `70.12 %`, `92.688`; `-` without a value."""
    if value is None:
        return "-"
    unit, _ = MEASURES.get(metric, (RATIO, ""))
    if unit == SECONDS:
        return f"{value:,.2f} s"
    return per_cent(value, 2) if unit == SHARE else f"{value:,.3f}"


def never_started(names: Sequence[str], reports: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield for each run that leaves jobs behind how many, in a sentence: its means are without them."""
    for name, report in zip(names, reports, strict=True):
        left = report.get("not_started")
        if isinstance(left, int) and left:
            verb = "starts" if left == 1 else "start"
            jobs = count(left, "job")
            yield f"{name}: {jobs} never {verb} as things stand; metrics are without their waits"


def meaning(metric: str, unit: Unit) -> str:
    """Return what a metric means on a machine counted in `unit`, in a few words."""
    return unit.fill(MEASURES.get(metric, ("", ""))[1])
