"""A steered run where hundreds of jobs wait: the plain one of steered.py, with the plans of a pass on steps.

The plain policies count the free nodes of an instant anew whenever they are asked. Here a plan is laid once a
pass; a job is taken out of it and put back. Nodes that are not known to come back are in no step.
"""

from tests.oracles.deep.programs import NEVER, Steps
from tests.oracles.steered.case import Policy
from tests.oracles.steered.orders import DynP, Ivs, space_policy
from tests.oracles.steered.policies import Conservative, Fcfs, Ordered
from tests.oracles.steered.run import Steered
from tests.oracles.steered.world import World


def ahead(world: World) -> Steps:
    """What is known of the future: the idle nodes, and when the others come free."""
    coming = world.coming()
    steps = Steps(len(world.idle()) + len(coming), world.now)
    for back in coming:
        # A node is spoken for until it comes free.
        steps.take(1, world.now, back)
    return steps


def placed(world: World, steps: Steps, job: int) -> int | None:
    """Put a job at its earliest time, which is returned; None where there is none."""
    size, length = world.jobs[job].size, world.estimate(job)
    start = steps.earliest(size, length)
    if start == NEVER:
        return None
    steps.take(size, start, start + length)
    return start


class DeepConservative(Conservative):
    """Everybody has a reservation, which lasts until the plan is void."""

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        queue, steps = world.queue(), ahead(world)
        if self.void or self.way == "replan":
            self.reserved = {}
        for job, start in self.reserved.items():
            if start is not None:
                steps.take(world.jobs[job].size, start, start + world.estimate(job))
        for job in [job for job in queue if job in self.reserved and self.compress]:
            start = self.reserved[job]
            if start is not None:
                steps.take(-world.jobs[job].size, start, start + world.estimate(job))
            self.reserved[job] = placed(world, steps, job)
        for job in [job for job in queue if job not in self.reserved]:
            self.reserved[job] = placed(world, steps, job)
        self.void = self.compress = False
        started = [job for job in queue if self.reserved[job] == world.now]
        for job in started:
            del self.reserved[job]
        due = [(start, queue.index(job)) for job, start in self.reserved.items() if start is not None]
        self.timer = (min(due)[0], queue[min(due)[1]]) if due and self.way != "replan" else None
        return started


class DeepOrdered(Ordered):
    """Everybody has the earliest place in a plan made in order of the estimates, in each pass anew."""

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        steps, queue = ahead(world), world.queue()
        started = set()
        for job in sorted(queue, key=lambda job: (self.sign * world.estimate(job), job)):
            if steps.free_at(world.now) == 0:
                break
            if placed(world, steps, job) == world.now:
                started.add(job)
        return [job for job in queue if job in started]


class DeepDynP(DynP, DeepOrdered):
    """By the mean estimate of the waiting jobs."""


class DeepIvs(Ivs, DeepOrdered):
    """By the vote of the waiting jobs."""


def deep_policy(name: str, parameters: dict[str, object]) -> Fcfs:
    """A policy by its name and parameters, in the form for many jobs where there is one."""
    plain = space_policy(name, parameters)
    if isinstance(plain, Conservative):
        return DeepConservative(plain.way)
    if isinstance(plain, DynP):
        return DeepDynP(plain.lower, plain.upper, plain.threshold)
    if isinstance(plain, Ivs):
        return DeepIvs(plain.delta, plain.utilized, plain.interactive)
    return DeepOrdered(plain.sign) if isinstance(plain, Ordered) else plain


class DeepSteered(Steered):
    """A run and where it stands."""

    def put_in_force(self, policy: Policy) -> None:
        """Another policy takes the machine over as it is, with no past."""
        super().put_in_force(policy)
        if self.gang is None:
            self.space = deep_policy(*policy)
