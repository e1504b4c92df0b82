"""Which metrics of a cluster are shown over time, in which order, with which unit."""

from collections.abc import Mapping

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.charting.load import Load
from shadowtime.console.widgets.frame.ink import printable
from shadowtime.console.widgets.metrics.text import Measure, jobs
from shadowtime.console.words.phrases import per_cent

CPUS = Measure("utilization_now", "CPUs held", "CPUs held", per_cent, top=1.0)
GPUS = Measure("gpus", "GPUs held", "GPUs held", per_cent, top=1.0)
QUEUE = Measure("queue_length", "queue", "jobs waiting", jobs)
RUNNING = Measure("running", "running", "jobs running", jobs)
WAITING = Measure("waiting", "waiting", "waiting so far", duration)
WAITED = Measure("mean_wait", "mean wait", "mean wait", duration)
SHORT = {CPUS.field: "CPUs", GPUS.field: "GPUs", QUEUE.field: "queue", WAITING.field: "waiting"}
"""What is shown of each partition, and how it is called behind its name."""


@attrs.frozen
class OfPartition(Measure):
    """A metric of one partition."""

    partition: str = ""
    of: str = ""

    def title(self, room: int, roomy: bool) -> str:
        """The name of the partition, as far as there is room for it, and what is shown of it."""
        return f"{printable(self.partition)[: room - len(self.short) - 1]} {self.short}"

    def value(self, metrics: object) -> float | None:
        partitions: Mapping[str, Load] = getattr(metrics, "partitions", {})
        found = partitions.get(self.partition)
        return None if found is None else _value(found, self.of)


def _value(load: Load, field: str) -> float | None:
    found: float | None = getattr(load, field)
    return found


def load_measures(load: Load) -> tuple[Measure, ...]:
    """Return what is shown of a cluster: of all of it, then of each partition."""
    whole = [CPUS, *([] if load.gpus is None else [GPUS]), QUEUE, RUNNING, WAITING, WAITED]
    parts = [
        _of(name, measure)
        for name, each in load.partitions.items()
        for measure in (CPUS, GPUS, QUEUE, WAITING)
        if measure is not GPUS or each.gpus is not None
    ]
    return (*whole, *(parts if len(load.partitions) > 1 else ()))


def _of(partition: str, measure: Measure) -> Measure:
    word = SHORT[measure.field]
    field = f"{partition} {measure.field}"
    return OfPartition(field, word, word, measure.written, measure.top, partition, measure.field)
