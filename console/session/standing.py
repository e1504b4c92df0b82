"""Where a session stands: its case, its course, and the parts that look around on it."""

from console.session.breakpoints import Breakpoints
from console.session.case import Case
from console.session.course import Course
from console.session.events import EventList
from console.session.moments import Moments
from console.session.names import Names, matrix_of
from console.session.predictions import Predictions
from console.session.rows import Rows
from console.session.scout import Scout
from console.session.skipping import Skipping
from console.session.turns import Turns
from scenarios import Action


class Standing:
    """One case, somewhere on its course."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.journal: tuple[Action, ...] = ()
        """The operator's actions, in order."""
        self.breakpoints = Breakpoints()
        self._course = Course(case.simulation(), len(case.jobs))
        self._predictions = Predictions()
        self._moments = Moments(case.columns.submit)
        self._names = Names(case.columns.id)
        scout = Scout(self._course.simulation.fork())
        self._events = EventList(scout, self._names)
        self._turns = Turns(scout, self._names)
        self._skipping = Skipping(scout)
        self._sliced = matrix_of(self._course.simulation.status()) is not None
        self._rows = Rows(case, self._names, self._predictions)

    @property
    def number(self) -> int:
        """Events done; 0 at the beginning."""
        return self._course.number

    @property
    def time(self) -> int:
        """The instant of the last event; before the first, of the first submission."""
        return self._course.simulation.now

    @property
    def over(self) -> bool:
        """Whether nothing is left to happen."""
        return self._course.simulation.over

    @property
    def total(self) -> int | None:
        """The number of all events, once the end has been seen, by a survey or by going there."""
        return self._course.total

    def digest(self) -> bytes:
        """Return the whole moving state as bytes: equal states, equal bytes."""
        return self._course.simulation.digest()
