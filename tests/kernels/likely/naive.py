"""How the tests put the naive program of likely starts beside the compiled one."""

from collections.abc import Callable
from itertools import islice

from shadowtime.kernels.core.simulation import Simulation
from tests.oracles.jobs import Job
from tests.oracles.likely.known import Known, Request
from tests.oracles.likely.sample import Arrival, Sample
from tests.oracles.likely.workloads import UsersWorkload

NEVER = -1
RUNS = "R"

Begin = Callable[[UsersWorkload], Simulation]


def known_of(simulation: Simulation, workload: UsersWorkload) -> Known:
    """Return what a sample may know of a simulation where it stands."""
    rows = range(simulation.submitted)
    requests = [
        Request(job.submit, user, job.size, job.estimate)
        for job, user in zip(workload.jobs[: len(rows)], workload.users, strict=False)
    ]
    starts = {row: simulation.start_event(row) for row in rows}
    ends = {row: simulation.finish_event(row) for row in rows if simulation.outcome(row) == "completed"}
    ended = sorted((event, row) for row, event in ends.items() if event is not None)
    alive = {row: simulation.progress(row) for row in rows}
    return Known(
        now=simulation.now,
        requests=requests,
        started=[row for _, row in sorted((e, row) for row, e in starts.items() if e is not None)],
        ended={row: workload.jobs[row].runtime for _, row in ended},
        progress={row: progress for row, progress in alive.items() if progress is not None},
        holding=sorted(row for row in simulation.held() if holds(simulation, row)),
        queue=list(simulation.waiting()),
    )


def holds(simulation: Simulation, row: int) -> bool:
    """Return whether a job has nodes and has not started."""
    return bool(simulation.nodes_of(row)) and simulation.start_of(row) is None


def starts_of(
    begin: Begin, simulation: Simulation, workload: UsersWorkload, sample: Sample, asked: list[int]
) -> list[int]:
    """Return the starts of jobs in a sample: from a simulation with the same past and the drawn runtimes.

    It is run with as many arrivals as come before the last of those starts.
    """
    most, arrivals = 4, sample.arrivals()
    taken: list[Arrival] = []
    while True:
        taken += islice(arrivals, most - len(taken))
        twin = begin(drawn_workload(workload, sample, taken))
        twin.run(events=simulation.event)
        assert twin.now == simulation.now
        assert list(twin.waiting()) == list(simulation.waiting())
        assert list(twin.running()) == list(simulation.running())
        starts = run_on(twin, asked)
        if len(taken) < most or NEVER not in starts and max(starts, default=0) < taken[-1].submit:
            return starts
        most *= 4


def drawn_workload(workload: UsersWorkload, sample: Sample, arrivals: list[Arrival]) -> UsersWorkload:
    """Return the jobs of a sample: those so far with what it has drawn, and those that come."""
    count = len(sample.known.requests)
    jobs: list[Job] = []
    for row, job in enumerate(workload.jobs[:count]):
        jobs.append(job._replace(runtime=sample.runtimes.get(row, job.runtime)))
    for arrival in arrivals:
        jobs.append(jobs[arrival.model]._replace(submit=arrival.submit, runtime=arrival.runtime))
    users = workload.users[:count] + [workload.users[arrival.model] for arrival in arrivals]
    return UsersWorkload(jobs, users, workload.nodes)


def run_on(twin: Simulation, asked: list[int]) -> list[int]:
    """Run until each of these jobs runs; return when it first does, -1 for never."""
    starts = {row: NEVER for row in asked}
    while NEVER in starts.values() and twin.step():
        for row, start in starts.items():
            if start == NEVER and twin.state(row) == RUNS:
                starts[row] = twin.now
    return list(starts.values())
