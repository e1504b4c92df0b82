"""The look ahead: the events around the cursor and around the nearest decisions, stepped in advance.

If a step costs milliseconds, the list of events and the next key would wait for several of them. A worker
makes these steps while the operator reads, on a fork, and the session adopts the landings on its own thread:
the key that follows then restores a copy. At the steps that a key can take from here it also asks why the
jobs in sight wait: a policy that plans everybody anew makes a plan for that. Only how soon a key is answered
depends on all this.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from time import perf_counter

import attrs

from shadowtime.console.session.jobs.reasons import Reasons
from shadowtime.console.session.run import Run
from shadowtime.console.session.travel.landings import Landing
from shadowtime.console.session.travel.moments import Survey
from shadowtime.console.session.travel.trajectory import Trajectory
from shadowtime.console.session.work import Cancellable
from shadowtime.kernels.core.simulation import Copy, Simulation
from shadowtime.kernels.policies import PlainPolicy, PolicyError

FAR = 8192
"""Events on, up to which a decision is looked for: such a stretch of arrivals takes half a second."""
FAR_BACK = 256
"""Events back, up to which a decision is looked for: each is kept until the look is over."""
NEAR = 4
"""Jobs before and after those that are looked at which may come into sight when others start."""
BLOCK = 16
"""Events that are stepped together on the way back."""
MANY = 1000
"""Waiting jobs from which the next step may be a costly one, however cheap the last ones were: a stretch
of arrivals says nothing of the completion behind it."""


class LookAhead(Cancellable):
    """One look around an event. `run` is for any thread; then the session takes what it has found so far."""

    def __init__(
        self,
        simulation: Simulation,
        course: Trajectory,
        before: int,
        after: int,
        reasons: Reasons,
        looked_at: Sequence[int] = (),
    ) -> None:
        """The simulation is a fork of the course's; nobody else moves it until this is over.

        `before` and `after`: how many events the list shows on either side of the cursor. `reasons`: nobody
        else's. `looked_at`: the jobs whose reasons are shown, by index.
        """
        self.known = course
        """Whose events they are."""
        self._simulation = simulation
        self._here = course.simulation.copy()
        self._landings = course.landings.all()
        self._tape = course.tape.marks()
        self._before = before
        self._after = after
        self._reasons = reasons
        self._looked_at = frozenset(looked_at)
        self._found: list[Landing | int] = []
        self._looking = self._look()

    def run(self, seconds: float | None = None) -> bool:
        """Look on for so many seconds, or to the end; return whether there is more to see."""
        deadline = None if seconds is None else perf_counter() + seconds
        # If the policy fails there is nothing to see.
        try:
            for _ in self._looking:
                if self._cancelled:
                    return False
                if deadline is not None and perf_counter() > deadline:
                    return True
        except PolicyError:
            pass
        return False

    def findings(self) -> list[Landing | int]:
        """Return what is new since the last time: landings, and the numbers of events that started no job.

        Between two calls of `run` only.
        """
        found, self._found = self._found, []
        return found

    def _look(self) -> Iterator[None]:
        yield from self._ahead()
        yield from self._behind()

    def _ahead(self) -> Iterator[None]:
        """Step on: as far as the list shows after the next event, and around the next decision."""
        here, near = self._here.event, self._here.event + self._after + 1
        latest: deque[Landing] = deque(maxlen=self._before + 1)
        decision: int | None = None
        for number in range(here + 1, here + FAR):
            # On the way to a far decision only the last landings are kept: all would take a gigabyte.
            landing = self._landing(number, keep=number <= near or decision is not None)
            if landing is None:
                break
            decides = decision is None and landing.acts
            if decides or number == here + 1:
                landing = self._explained(landing)
            if decides:
                decision = number
                self._found += latest
            if number <= near or decision is not None:
                self._found.append(landing)
            else:
                self._found.append(number)
                latest.append(landing)
            if decision is not None and number >= max(near, decision + self._after):
                break
            yield

    def _behind(self) -> Iterator[None]:
        """Step from further and further back up to here: past the last decision and the list before it.

        Of a long way without a decision only the numbers are found: its landings would drive out the others.
        """
        here = last = self._here.event
        least, decision = here - 1 - self._before, None
        later: list[Landing] = []
        while (
            last > 1
            and here - last < FAR_BACK
            and (decision is None or last > min(least, decision - self._before))
        ):
            first = max(1, last - BLOCK)
            stretch = []
            for number in range(first, last):
                landing = self._landing(number)
                if landing is None:
                    return
                stretch.append(landing)
                yield
            acts = [landing.event for landing in stretch if landing.acts]
            decides = decision is None and bool(acts)
            stretch = [
                self._explained(landing)
                if landing.event == here - 1 or (decides and landing.event == acts[-1])
                else landing
                for landing in stretch
            ]
            if decides:
                decision = acts[-1]
                # The list around the decision goes on into the stretch after it.
                self._found += later
            if decision is not None or last > least:
                self._found += stretch
                later = []
            else:
                self._found += [landing.event for landing in stretch]
                later = stretch
            last = first

    def _landing(self, number: int, keep: bool = True) -> Landing | None:
        """Return the landing of an event, stepped if it is not known; None if there is no such event."""
        known = self._landings.get(number)
        if known is not None:
            return known
        simulation = self._simulation
        if simulation.event != number - 1:
            start = self._start(number - 1)
            if not start.event <= simulation.event < number:
                simulation.restore(start)
            simulation.run(events=number - 1 - simulation.event)
        if simulation.event < number - 1 or not simulation.step():
            return None
        landing = Landing.of(simulation)
        if keep:
            self._landings[number] = landing
        return landing

    def _explained(self, landing: Landing) -> Landing:
        """Return a landing with the reasons of the jobs that are looked at, and of some that may come up."""
        if not self._looked_at or landing.reasons:
            return landing
        simulation = self._simulation
        if simulation.event != landing.event:
            simulation.restore(landing.copy)
        waiting = simulation.waiting()
        places = [place for place, job in enumerate(waiting) if job in self._looked_at]
        jobs = {waiting[place] for place in places}
        if places and places[-1] - places[0] < len(places) + NEAR:
            jobs |= {*waiting[max(0, places[0] - NEAR) : places[-1] + 1 + NEAR]}
        found = {job: self._reasons.of(simulation, job) for job in sorted(jobs)}
        return landing if self._reasons.failure else attrs.evolve(landing, reasons=found)

    def _start(self, event: int) -> Copy:
        """Return the last copy known that has done at most `event` events."""
        landed = self._landings.get(event)
        if landed is not None:
            return landed.copy
        copies = [self._tape.before_event(event)]
        copies += [self._here] if self._here.event <= event else []
        copies += [landing.copy for number, landing in self._landings.items() if number <= event]
        return max(copies, key=lambda copy: copy.event)


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
        if survey.known is course and (results := survey.hand_over()):
            self._run.moments.learn(results["start"], results["finish"])
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
