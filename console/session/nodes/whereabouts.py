"""Where a job is: the nodes that it holds, that it held last, or that it is expected on."""

from contextlib import suppress

import attrs

from shadowtime.console.session.nodes.lists import whole_nodes
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.scout import Scout
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError
from shadowtime.scenarios.nodes import NodeRanges

PIECE = 8192
"""Events between two looks at whether the work has been broken off."""


@attrs.frozen
class Whereabouts:
    """Nodes that a job held, or is expected on from an instant."""

    nodes: NodeRanges
    since: int | None = None
    """When it is expected there; None for nodes that it held last."""


class WhereaboutsWork:
    """Finds the nodes of a job that holds no nodes now. `run` and `cancel` are for any thread."""

    def __init__(self, run: Run, index: int) -> None:
        self._index = index
        self._size = run.case.scenario.machine.node_size
        self._cancelled = False
        self._state = run.simulation.state(index)
        self._finished = run.simulation.finish_event(index)
        self._places = run.trajectory.tape.marks()
        over = self._state == "F"
        self._simulation = run.simulation.fork() if over else run.simulation.expected()

    def cancel(self) -> None:
        """Break the work off; `run` then returns None."""
        self._cancelled = True

    def run(self) -> Whereabouts | None:
        """Return where the job was or is expected; None if it never is anywhere, or that is not known."""
        # What a policy fails at here, the forecast of this event reports.
        with suppress(PolicyError):
            return self._held_last() if self._state == "F" else self._expected()
        return None

    def _held_last(self) -> Whereabouts | None:
        if self._finished is None:
            return None
        simulation = Scout(self._simulation).at_event(self._places, self._finished - 1)
        return self._found(simulation, None)

    def _expected(self) -> Whereabouts | None:
        simulation = self._simulation
        while not simulation.nodes_of(self._index):
            if self._cancelled or not simulation.run(events=PIECE, decisions=1):
                return None
            simulation.pass_turns()
        return self._found(simulation, simulation.now)

    def _found(self, simulation: Simulation, since: int | None) -> Whereabouts | None:
        nodes = whole_nodes(simulation.nodes_of(self._index), self._size)
        return Whereabouts(nodes, since) if nodes else None
