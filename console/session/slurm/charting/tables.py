"""The bars and the loads of a cluster as rows, for files. Instants are seconds since 1970."""

from collections.abc import Iterator, Sequence

import attrs

from shadowtime.console.session.slurm.charting.load import Load


@attrs.frozen
class BarRow:
    """Who has which nodes, from when to when."""

    kind: str
    """`held`, `expected` to start, `planned` to start, `out` of service, or `reserved`."""
    name: str
    """The job or the reservation; empty for nodes that are out of service."""
    user: str
    nodes: str
    """A list such as `n[1-4]`."""
    since: int
    until: int | None
    """None: that is not known."""


@attrs.frozen
class LoadRow:
    """The load of the cluster, or of a partition, after one event."""

    event: int
    at: int
    partition: str
    """Empty for the whole cluster."""
    cpus: float | None
    """The share that is held, as of the GPUs."""
    gpus: float | None
    waiting: int
    """Jobs, each task of an array counted."""
    running: int
    waiting_for: float | None
    """Seconds that those which wait have waited so far, in the mean."""
    waited: float | None
    """Seconds that those which have started since the capture had waited, in the mean."""


def load_rows(loads: Sequence[Load]) -> Iterator[LoadRow]:
    """Yield the loads: of the whole cluster after an event, then of each partition."""
    for load in loads:
        yield _row(load, load, "")
        yield from (_row(load, its, name) for name, its in load.partitions.items())


def _row(at: Load, load: Load, partition: str) -> LoadRow:
    cpus = load.utilization_now
    return LoadRow(
        at.number,
        at.time,
        partition,
        cpus,
        load.gpus,
        load.queue_length,
        load.running,
        load.waiting,
        load.mean_wait,
    )
