"""Where a session stands: its case, its course, and the parts that look around on it."""

from pathlib import Path

from console.session.case import Case
from console.session.jobs.names import names_of
from console.session.jobs.predictions import Predictions
from console.session.jobs.rows import Rows
from console.session.operator.journal import Journal, numbered
from console.session.travel.breakpoints import Breakpoints
from console.session.travel.events import EventList
from console.session.travel.last_move import LastMoves
from console.session.travel.moments import Moments
from console.session.travel.scout import Scout
from console.session.travel.skipping import Skipping
from console.session.travel.trajectory import Trajectory
from kernels.core.simulation import Simulation
from scenarios import Action


class SessionParts:
    """One case, somewhere on its course."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.saved_to: Path | None = None
        """Where the session was saved last."""
        self._journal = Journal.of(numbered(case.scenario.actions))
        self._kernel_actions = {
            id(action): (action, given)
            for action, given in zip(case.scenario.actions, case.kernel_actions, strict=True)
        }
        """The kernel's action for each action, by identity."""
        self._acted_at: dict[int, int] = {}
        """When the actions of this session were done, by identity."""
        self.breakpoints = Breakpoints()
        self._trajectory = Trajectory(case.simulation(), len(case.jobs))
        self._predictions = Predictions()
        self._moments = Moments(case.columns.submit)
        self._names = names_of(case.scenario)
        self._scout = Scout(self._trajectory.simulation.fork())
        self._events = EventList(self._scout, self._names)
        self._turns = LastMoves(self._scout, self._names)
        self._skipping = Skipping(self._scout)
        self._rows = Rows(case, self._names, self._predictions)
        self._ahead: tuple[Trajectory, Simulation] | None = None
        """The simulation that looks ahead, and the course that it belongs to."""

    def _adopt(self, course: Trajectory, simulation: Simulation) -> None:
        """Stand where a simulation stands, on its course; what came later on another one is forgotten."""
        here = simulation.event
        self._trajectory = course
        self._scout = Scout(simulation.fork())
        self._names.steer(self.case.scenario.actions)
        self._events.part(self._scout, here)
        self._turns.part(self._scout, here)
        self._skipping.part(self._scout)
        self._moments.forget()
        self._predictions.part(simulation, self.case.columns.submit)
        self._rows.part()

    @property
    def journal(self) -> tuple[Action, ...]:
        """The operator's actions, in order; also those that lie ahead."""
        return self._journal.actions

    @property
    def number(self) -> int:
        """Events done; 0 at the beginning."""
        return self._trajectory.number

    @property
    def time(self) -> int:
        """The instant of the last event; before the first, of the first submission."""
        return self._trajectory.simulation.now

    @property
    def over(self) -> bool:
        """Whether nothing is left to happen."""
        return self._trajectory.simulation.over

    @property
    def total(self) -> int | None:
        """The number of all events, once the end has been seen, by a survey or by going there."""
        return self._trajectory.total

    def digest(self) -> bytes:
        """Return the whole moving state as bytes: equal states, equal bytes."""
        return self._trajectory.simulation.digest()
