"""When nodes are empty if they are drained now."""

from shadowtime.console.session.nodes.lists import units_of
from shadowtime.console.session.nodes.watch import holders
from shadowtime.console.session.run import Run
from shadowtime.scenarios.nodes import NodeRanges


def empty_at(run: Run, nodes: NodeRanges) -> int | None:
    """Return when all jobs on some nodes have left them, by their estimates; None if that is not known.

    It is now if nobody holds them. A job that takes turns leaves when the forecast expects it to.
    """
    simulation, size = run.simulation, run.case.scenario.machine.node_size
    ends: list[int | None] = []
    for job in {
        job
        for first, stop in nodes
        for job in holders(simulation, range(units_of(first, size).start, units_of(stop - 1, size).stop))
    }:
        foreseen = run.predictions.end_of(simulation, job)
        ends.append(simulation.end_of(job) if foreseen is None else foreseen.time)
    known = [end for end in ends if end is not None]
    return max([simulation.now, *known]) if len(known) == len(ends) else None
