"""What is prepared in advance: the survey of the whole course, and the steps around the cursor."""

from shadowtime.console.session.jobs.reasons import Reasons
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.lookahead import LookAhead
from shadowtime.console.session.travel.survey import Survey
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PlainPolicy

MANY = 1000
"""Waiting jobs from which the next step may be a costly one, however cheap the last ones were: a stretch
of arrivals says nothing of the completion behind it."""


class Ahead:
    """Makes the work of running ahead of the operator, for any thread, and adopts what it found."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._looking: tuple[Trajectory, Simulation] | None = None
        """The simulation that looks ahead, and the course that it belongs to."""

    def survey(self) -> Survey:
        """Return a run of the whole course: a worker calls its `run` until false, then `take_survey`."""
        return Survey(self._run.simulation.fork(), self._run.trajectory)

    def take_survey(self, survey: Survey) -> bool:
        """Adopt what a survey has found so far; return whether the whole course is known.

        The findings of a survey of another course do not hold, and are dropped.
        """
        course = self._run.trajectory
        if survey.known is not course:
            return course.total is not None
        found = survey.findings()
        course.tape.adopt(found.copies)
        course.tape.thin(course.number)
        course.trend.add(found.samples)
        if found.total is not None:
            course.total = found.total
            self._run.moments.learn(found.results["start"], found.results["finish"])
        return course.total is not None

    def start_look(self) -> LookAhead | None:
        """Return the work of stepping around this event in advance: for any thread, then `take_look`.

        None if steps cost little, and if the policy is written in Python: it would keep the interpreter busy.
        One at a time: it moves a simulation that the next one goes on with.
        """
        run, course = self._run, self._run.trajectory
        cheap = not course.costly and len(course.simulation.waiting()) < MANY
        if cheap or isinstance(course.simulation.policy, PlainPolicy):
            return None
        if self._looking is None or self._looking[0] is not course:
            self._looking = (course, course.simulation.fork())
        before, after = run.events.around
        reasons = Reasons(run.case.columns.size, run.names)
        return LookAhead(self._looking[1], course, before, after, reasons, run.reasons.asked)

    def take_look(self, work: LookAhead) -> None:
        course = self._run.trajectory
        if work.known is course:
            for found in work.findings():
                if isinstance(found, int):
                    course.landings.mark(found, False)
                else:
                    course.landings.keep(found)
