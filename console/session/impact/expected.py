"""The expected run: from an instant on, every job runs to its estimate, and nothing else comes.

What an action changes is the difference of two of them (docs/steering.md, What an action would change).
"""

from collections.abc import Callable, Mapping, Sequence

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.jobs.names import Names
from shadowtime.console.session.operator.here import here_and_now
from shadowtime.console.session.operator.steering import intervention_of
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Action

PIECE = 8192
"""Events between two looks at whether the work has been broken off: some milliseconds."""

Halt = Callable[[], bool]
"""Whether the work is to be broken off."""


class Broken(Exception):
    """The work was broken off."""


@attrs.frozen
class Times:
    """When jobs start and end in an expected run, by index; a job that never does is left out."""

    starts: Mapping[int, int]
    ends: Mapping[int, int]


@attrs.frozen
class Doing:
    """Does the actions of an operator in runs of a case. SessionError: why one cannot be done."""

    case: Case
    names: Names

    def after(self, simulation: Simulation, actions: Sequence[Action]) -> Simulation:
        """Return the run in which these actions are done right here, one after the other."""
        for action in actions:
            _, given = here_and_now(self.case, self.names, simulation, action)
            simulation = simulation.acting([given])
            simulation.step()
        return simulation

    @property
    def per_node(self) -> int:
        """How many of what the kernel calls nodes make one of the machine."""
        machine = self.case.scenario.machine
        return machine.per_node if machine.unit == "processor" else 1

    def later(self, simulation: Simulation, actions: Sequence[Action], at: int) -> Simulation:
        """Return the run in which these actions are done at an instant that is still to come."""
        then = (attrs.evolve(action, at=at) for action in actions)
        return simulation.acting([intervention_of(self.case, action, None) for action in then])

    def asking(self, simulation: Simulation, jobs: Jobs, job: int) -> Simulation:
        """Return the run in which a waiting job asks for what another table says.

        It leaves the queue and comes back to its place, so that every plan is made anew.
        """
        held = self.after(simulation, [Action("hold", job=job)])
        return self.after(held.acting((), jobs), [Action("release", job=job)])


def on_machine(simulation: Simulation) -> tuple[int, ...]:
    """Return the jobs that have been submitted and are not over, by index, in order of submission."""
    return tuple(sorted((*simulation.waiting(), *simulation.held(), *simulation.running())))


def run_out(simulation: Simulation, jobs: Sequence[int], halt: Halt) -> Times:
    """Run an expected run to its end; return when each of the jobs starts and ends. Raises Broken."""
    while simulation.run(events=PIECE):
        if halt():
            raise Broken
    starts = {job: start for job in jobs if (start := simulation.start_of(job)) is not None}
    ends = {job: end for job in jobs if (end := simulation.finish_of(job)) is not None}
    return Times(starts, ends)
