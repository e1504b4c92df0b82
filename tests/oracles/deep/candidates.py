"""Candidates of a meta-policy where hundreds wait: those of candidates.py, with one plan a pass."""

from tests.oracles.deep.programs import Steps
from tests.oracles.jobs import Job
from tests.oracles.space.candidates import Candidate, Conservative, Planner
from tests.oracles.space.meta import Pbas, Wbas
from tests.oracles.space.virtual import Scheduler, State


class DeepConservative(Conservative):
    """Conservative backfilling; each job is taken out of the plan and put back."""

    def plan(self, state: State, now: int) -> Steps:
        """What the running jobs hold and what is reserved."""
        plan = running(state, now)
        for index, start in self.reserved.items():
            plan.take(state.jobs[index].size, start, start + state.jobs[index].estimate)
        return plan

    def put(self, state: State, plan: Steps, index: int) -> None:
        """Put a job at its earliest time in a plan that it is not in."""
        size, length = state.jobs[index].size, state.jobs[index].estimate
        start = plan.earliest(size, length)
        plan.take(size, start, start + length)
        self.reserved[index] = start

    def take_over(self, state: State, now: int) -> None:
        """Fresh reservations in arrival order."""
        self.reserved = {}
        plan = self.plan(state, now)
        for index in state.waiting:
            self.put(state, plan, index)

    def completed(self, state: State, now: int) -> None:
        """Compression: each job, in arrival order, is taken out and put back."""
        plan = self.plan(state, now)
        for index in sorted(self.reserved):
            job, start = state.jobs[index], self.reserved[index]
            plan.take(-job.size, start, start + job.estimate)
            self.put(state, plan, index)

    def submitted(self, state: State, now: int, index: int) -> None:
        """A new job is given its reservation."""
        self.put(state, self.plan(state, now), index)


class DeepPlanner(Planner):
    """SJF or LJF."""

    def starters(self, state: State, now: int) -> list[int]:
        """The jobs that a fresh plan has at its very beginning; without a free node now, nobody else."""
        plan, starting = running(state, now), []
        for index in sorted(state.waiting, key=lambda index: (self.rank(state.jobs[index]), index)):
            if plan.free_at(now) == 0:
                break
            size, length = state.jobs[index].size, state.jobs[index].estimate
            start = plan.earliest(size, length)
            plan.take(size, start, start + length)
            if start == now:
                starting.append(index)
        return starting


def running(state: State, now: int) -> Steps:
    """What the running jobs hold."""
    plan = Steps(state.nodes, now)
    for item in state.holds():
        plan.take(item.size, now, item.end)
    return plan


def deepened(scheduler: Scheduler) -> Scheduler:
    """The same scheduler, in the form for many jobs where there is one."""
    if isinstance(scheduler, Conservative):
        return DeepConservative()
    return DeepPlanner(scheduler.rank) if isinstance(scheduler, Planner) else scheduler


def pbas(jobs: list[Job], nodes: int, candidates: list[Candidate], frame: int, metric: str) -> list[int]:
    """Starts under PBAS."""
    meta = Pbas(jobs, nodes, candidates, metric)
    for machine in meta.machines:
        machine.scheduler = deepened(machine.scheduler)
    return meta.play(jobs[0].submit + frame, frame).starts


def wbas(jobs: list[Job], nodes: int, wide: Candidate, narrow: Candidate, frame: int, maf: int) -> list[int]:
    """Starts under WBAS, whose candidates differ."""
    meta = Wbas(jobs, nodes, wide, narrow, frame, maf)
    for machine in meta.machines:
        machine.scheduler = deepened(machine.scheduler)
    return meta.play(jobs[0].submit + frame, frame).starts
