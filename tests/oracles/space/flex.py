"""Flex, slack-based backfilling: a plan in which every job may be moved, but never past its deadline.

Talby and Feitelson (2005) describe Flex and refer for its formulae to a paper of 1999 that was not found:
what stands here is a reconstruction, not the authors' own.

Decided here, where the text is silent: a job inserted at place k of the list stands at place k from then on;
the cost counts the jobs of the list, the new one included, and not the running ones; a slack is a double
until it is floored for the deadline, after the factor and the weight have been applied.

When Flex takes over a machine, a job's deadline is *known* if this Flex ever gave it one, on its own virtual
machine or earlier on the real one, whether or not the job still waits on the virtual one. Of four readings
this is the one that gives the mean wait and bounded slowdown of PBAS on KTH, 6125.2 and 69.1
(docs/schedulers.md, section 13), against 6037.7 and 68.2 if it must still wait there too, 5979.5 and 67.5 if
the deadline must come from the real machine or if none is known. The later of the known deadline and the new
start replaces the known deadline, and a deadline given to an unknown job is known at the next change: WBAS
with a frame of 2 h shows it.
The slack of an unknown job is that of the instant of the change: W from the sum and number of waits on the
real machine, the mean of `heavy` over all jobs submitted so far, whoever scheduled them.
"""

from collections.abc import Callable
from math import floor
from typing import NamedTuple

from tests.oracles.jobs import Job
from tests.oracles.space.conservative import Hold, anchor
from tests.oracles.space.virtual import Machine, State, hold, run

COSTS: dict[str, Callable[[Job, int], int]] = {
    "wait": lambda job, wait: wait,
    "slowdown": lambda job, wait: 1_000_000 * wait // max(10, job.estimate),
    "area": lambda job, wait: job.size * wait,
}


class Planned(NamedTuple):
    """A waiting job's place in the plan: it is to start at `start`, and at the latest at `deadline`."""

    job: int
    start: int
    deadline: int


class FlexOutcome(NamedTuple):
    """What Flex did with every job: its start, its deadline, and its planned start right after insertion."""

    starts: list[int]
    deadlines: list[int]
    first_planned: list[int]


class Flex:
    """The scheduler, to be stepped on a machine."""

    def __init__(
        self,
        slack: int = 3600,
        slack_factor: float | None = None,
        cost: str = "wait",
        heavy: bool = False,
    ) -> None:
        self.slack, self.slack_factor, self.cost, self.heavy = slack, slack_factor, cost, heavy
        self.plan: list[Planned] = []
        self.deadlines: dict[int, int] = {}
        self.first_planned: dict[int, int] = {}

    def slack_of(self, state: State, index: int) -> int:
        """The whole seconds of slack that a job gets at this instant, on this machine."""
        if self.slack_factor is None:
            slack = float(self.slack)
        elif state.started == 0:
            slack = 0.0
        else:
            slack = (self.slack_factor * state.waits) / state.started
        if self.heavy:
            submitted = [job.size * job.estimate for job in state.jobs[: state.submitted]]
            slack = slack * min(1.0, (sum(submitted) / len(submitted)) / submitted[index])
        return floor(slack)

    def holds(self, state: State, plan: list[Planned]) -> list[Hold]:
        """What the running jobs and those of a plan hold."""
        return state.holds() + [hold(state.jobs[item.job], item.start) for item in plan]

    def earliest(self, state: State, now: int, index: int, plan: list[Planned]) -> int:
        """The earliest start of a job beside the running jobs and those of a plan."""
        return anchor(state.jobs[index], self.holds(state, plan), state.nodes, now)

    def cost_of(self, state: State, plan: list[Planned]) -> int:
        """What a plan costs, all waiting jobs together."""
        cost = COSTS[self.cost]
        return sum(cost(state.jobs[item.job], item.start - state.jobs[item.job].submit) for item in plan)

    def inserted(self, state: State, now: int, new: Planned, place: int) -> list[Planned] | None:
        """The plan with a new job at a place of the list, None if some job would miss its deadline.

        Those before the place keep their starts; the new one and those behind it are placed anew.
        """
        plan = self.plan[:place]
        for item in [new, *self.plan[place:]]:
            start = self.earliest(state, now, item.job, plan)
            if start > item.deadline:
                return None
            plan.append(item._replace(start=start))
        return plan

    def submitted(self, state: State, now: int, index: int) -> None:
        """The new job goes where the whole plan costs least; at equal cost as far back as possible."""
        last = self.earliest(state, now, index, self.plan)
        new = Planned(index, last, last + self.slack_of(state, index))
        plans = [self.inserted(state, now, new, place) for place in range(len(self.plan), -1, -1)]
        feasible = [plan for plan in plans if plan is not None]
        self.plan = min(feasible, key=lambda plan: self.cost_of(state, plan))
        self.deadlines[index] = new.deadline
        self.first_planned[index] = next(item.start for item in self.plan if item.job == index)

    def completed(self, state: State, now: int) -> None:
        """Each job in list order is taken out and put back at its earliest time, the others in place."""
        for place, item in enumerate(self.plan):
            others = self.plan[:place] + self.plan[place + 1 :]
            start = self.earliest(state, now, item.job, others)
            assert start <= item.start, "a job whose place was free moves later"
            self.plan[place] = item._replace(start=start)

    def starters(self, state: State, now: int) -> list[int]:
        """The jobs planned for now."""
        starting = [item.job for item in self.plan if item.start == now]
        self.plan = [item for item in self.plan if item.start != now]
        return starting

    def due(self) -> int | None:
        """The least planned start."""
        return min((item.start for item in self.plan), default=None)

    def take_over(self, state: State, now: int) -> None:
        """A fresh plan of the waiting jobs, in arrival order, each at its earliest time."""
        self.plan = []
        for index in state.waiting:
            start = self.earliest(state, now, index, self.plan)
            known = self.deadlines.get(index)
            deadline = start + self.slack_of(state, index) if known is None else max(known, start)
            self.plan.append(Planned(index, start, deadline))
            self.deadlines[index] = deadline


def flex(
    jobs: list[Job],
    nodes: int,
    slack: int = 3600,
    slack_factor: float | None = None,
    cost: str = "wait",
    heavy: bool = False,
) -> FlexOutcome:
    """Start, deadline and first planned start of every job."""
    scheduler = Flex(slack, slack_factor, cost, heavy)
    starts = run(jobs, Machine(State(jobs, nodes), scheduler))
    return FlexOutcome(
        starts,
        [scheduler.deadlines[index] for index in range(len(jobs))],
        [scheduler.first_planned[index] for index in range(len(jobs))],
    )
