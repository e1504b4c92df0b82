"""How the tests put the naive program of likely starts beside the compiled one."""

from collections.abc import Callable, Sequence
from itertools import islice

from shadowtime.kernels.core.environment import Site
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention, Steering
from shadowtime.kernels.policies import make
from tests.kernels.core.test_every_policy import NODES, SIDES, size_of
from tests.kernels.drive import SETTINGS, table
from tests.oracles.jobs import Job, Workload
from tests.oracles.likely.known import NO_USER, Known, Request
from tests.oracles.likely.sample import Arrival, Sample
from tests.oracles.likely.workloads import UsersWorkload

NEVER = -1
RUNS = "R"
FAR = 10**12

Begin = Callable[[UsersWorkload, int], Simulation]
"""A simulation of a workload, before its first event, with the actions that come up to an event."""


def begin_under(name: str, actions: Sequence[Intervention] = ()) -> Begin:
    """Return how simulations begin under a setting, or under a policy with its default parameters.

    Each action names the event after which it comes.
    """
    policy, parameters = SETTINGS[name][:2] if name in SETTINGS else (name, {})

    def begin(workload: UsersWorkload, event: int) -> Simulation:
        come = [action for action in actions if action.after is not None and action.after < event]
        return Simulation(
            table(workload.jobs, workload.users),
            workload.nodes,
            make(policy, parameters),
            site=Site(torus=SIDES) if policy == "t3d" else None,
            steering=Steering(come) if actions else None,
        )

    return begin


def fitted(name: str, workload: UsersWorkload) -> UsersWorkload:
    """Return the workload for the machine that a policy needs."""
    if name != "t3d":
        return workload
    plain = Workload(workload.jobs, workload.nodes)
    jobs = [job._replace(size=size_of(plain, row)) for row, job in enumerate(workload.jobs)]
    return UsersWorkload(jobs, workload.users, NODES)


def known_of(simulation: Simulation, workload: UsersWorkload) -> Known:
    """Return what a sample may know of a simulation where it stands."""
    rows = range(simulation.submitted)
    starts = {row: simulation.start_event(row) for row in rows}
    ends = {row: simulation.finish_event(row) for row in rows if simulation.outcome(row) == "completed"}
    alive = {row: simulation.progress(row) for row in rows}
    return Known(
        now=simulation.now,
        requests=[
            Request(job.submit, user, job.size, job.estimate)
            for job, user in zip(workload.jobs[: len(rows)], workload.users[: len(rows)], strict=True)
        ],
        started=in_order(starts),
        ended={row: workload.jobs[row].runtime for row in in_order(ends)},
        progress={row: progress for row, progress in alive.items() if progress is not None},
        aside=sorted(row for row in simulation.held() if starts[row] is None),
        queue=list(simulation.waiting()),
    )


def in_order(events: dict[int, int | None]) -> list[int]:
    """Return the rows that have an event, by event, then by row."""
    return [row for _, row in sorted((event, row) for row, event in events.items() if event is not None)]


def starts_of(
    begin: Begin,
    simulation: Simulation,
    workload: UsersWorkload,
    sample: Sample,
    asked: list[int],
    done: Sequence[Intervention] = (),
) -> list[int]:
    """Return the starts of jobs in a sample: from a simulation with the same past and the drawn runtimes.

    It is run with as many arrivals as come before the last of those starts. What is `done` is done at the
    moment: the sample has been drawn before.
    """
    most, arrivals = 4, sample.arrivals()
    taken: list[Arrival] = []
    while True:
        taken += islice(arrivals, most - len(taken))
        twin = begin(drawn_workload(workload, sample, taken), simulation.event)
        twin.run(events=simulation.event)
        assert twin.now == simulation.now
        assert list(twin.waiting()) == list(simulation.waiting())
        assert list(twin.running()) == list(simulation.running())
        starts = run_on(twin.acting(done) if done else twin, asked)
        if len(taken) < most or (NEVER not in starts and max(starts, default=0) < taken[-1].submit):
            return starts
        most *= 4


def drawn_workload(workload: UsersWorkload, sample: Sample, arrivals: list[Arrival]) -> UsersWorkload:
    """Return the jobs of a sample: those so far with what it has drawn, and those that come.

    Actions name rows of the whole workload: rows that are left over are jobs of a far future.
    """
    count = len(sample.known.requests)
    jobs: list[Job] = []
    for row, job in enumerate(workload.jobs[:count]):
        jobs.append(job._replace(runtime=sample.runtimes.get(row, job.runtime)))
    for arrival in arrivals:
        jobs.append(jobs[arrival.model]._replace(submit=arrival.submit, runtime=arrival.runtime))
    users = workload.users[:count] + [workload.users[arrival.model] for arrival in arrivals]
    while len(jobs) < len(workload.jobs):
        jobs.append(workload.jobs[-1]._replace(submit=FAR))
        users.append(NO_USER)
    return UsersWorkload(jobs, users, workload.nodes)


def run_on(twin: Simulation, asked: list[int]) -> list[int]:
    """Run until each of these jobs runs; return when it first does, -1 for never.

    Only where one of them was stopped, it has to be watched event by event.
    """
    starts = dict.fromkeys(asked, NEVER)
    stopped = [row for row in asked if twin.start_of(row) is not None]
    while NEVER in starts.values() and twin.run(events=1 if stopped else 256):
        for row, start in starts.items():
            if start == NEVER and row not in stopped:
                begun = twin.start_of(row)
                starts[row] = NEVER if begun is None else begun
            elif start == NEVER and twin.state(row) == RUNS:
                starts[row] = twin.now
    return list(starts.values())
