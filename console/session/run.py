"""One run of a case: its trajectory, and what is known along it."""

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.jobs.names import names_of
from shadowtime.console.session.jobs.predictions import Predictions
from shadowtime.console.session.jobs.reasons import Found, Reasons
from shadowtime.console.session.jobs.rows import JobRows
from shadowtime.console.session.likely.starts import Likely
from shadowtime.console.session.story import Story
from shadowtime.console.session.travel.events import EventList
from shadowtime.console.session.travel.last_move import LastMoves
from shadowtime.console.session.travel.moments import Moments
from shadowtime.console.session.travel.scout import Scout
from shadowtime.console.session.travel.skipping import Skipping
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.kernels.core.simulation import Simulation


class Run:
    """A case, where its simulation stands, and the parts that look around from there."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.trajectory = Trajectory(case.simulation(), len(case.jobs))
        self.predictions = Predictions()
        self.likely = Likely(self.simulation)
        self.moments = Moments(case.columns.submit)
        self.names = names_of(case.scenario)
        self.scout = Scout(self.simulation.fork())
        self.events = EventList(self.scout, self.names)
        self.last_moves = LastMoves(self.scout, self.names)
        self.skipping = Skipping(self.scout)
        self.clock = Clock(case.scenario.epoch)
        self.story = Story(case)
        self.reasons = Reasons(case.columns.size, self.names, self._known_reasons)
        self.rows = JobRows(case, self.names, self.predictions, self.likely, self.reasons)

    def adopt(self, case: Case, trajectory: Trajectory) -> None:
        """Go on as a run of another case with the same past; what came later on this one is forgotten."""
        here = trajectory.number
        self.case, self.trajectory = case, trajectory
        self.scout = Scout(self.simulation.fork())
        self.names.steer(case.scenario.actions)
        self.events.part(self.scout, here)
        self.last_moves.part(self.scout, here)
        self.skipping.part(self.scout)
        self.moments.forget()
        self.predictions.part(self.simulation, case.columns.submit)
        self.likely = Likely(self.simulation)
        self.reasons.part()
        self.rows.part(self.likely)
        self.story.part()

    def _known_reasons(self, simulation: Simulation) -> Found:
        """Return the reasons that a look ahead has found for where the run stands."""
        landing = self.trajectory.landings.at(self.number) if simulation is self.simulation else None
        return {} if landing is None else landing.reasons

    @property
    def simulation(self) -> Simulation:
        """The simulation as it stands; only the trajectory moves it."""
        return self.trajectory.simulation

    @property
    def number(self) -> int:
        return self.trajectory.number

    @property
    def time(self) -> int:
        """The instant of the last event; before the first, of the first submission."""
        return self.simulation.now

    @property
    def total(self) -> int | None:
        """The number of all events, once the end has been seen, by a survey or by going there."""
        return self.trajectory.total
