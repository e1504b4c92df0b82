"""The bars and the loads of a cluster as rows, for files. Instants are seconds since 1970."""

from collections.abc import Iterator, Sequence

from shadowtime.console.session.slurm.charting.load import Load

BARS = ("kind", "name", "user", "nodes", "since", "until")
"""Who has which nodes, from when to when; `until` is empty if it is not known.

`kind`: `held`, `expected` to start, `planned` to start, `out` of service, or `reserved`. `name` is that of
the job or of the reservation, empty for nodes that are out of service.
"""
LOADS = ("event", "at", "partition", "cpus", "gpus", "waiting", "running", "waiting_for", "waited")
"""The load after one event of a partition, or of the whole cluster if `partition` is empty.

`cpus` and `gpus` are the shares that are held; each task of an array that waits is counted. `waiting_for` are
the seconds that those which wait have waited so far, `waited` those that the ones which have started since
the capture had waited, in the mean.
"""


def load_rows(loads: Sequence[Load]) -> Iterator[tuple[object, ...]]:
    """Yield the loads: of the whole cluster after an event, then of each partition."""
    for at in loads:
        for name, load in (("", at), *at.partitions.items()):
            held = load.utilization_now, load.gpus
            waits = load.queue_length, load.running, load.waiting, load.mean_wait
            yield (at.number, at.time, name, *held, *waits)
