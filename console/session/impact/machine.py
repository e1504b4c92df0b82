"""What is expected of a machine (docs/steering.md, What an action would change)."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.course.places import instant_from
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import DOWN
from shadowtime.console.session.impact.outlook import (
    Deed,
    Each,
    Kind,
    Largest,
    LikelyMoves,
    Sampler,
    Typed,
    largest_first,
)
from shadowtime.console.session.impact.rows import JobChange, Times
from shadowtime.console.session.jobs.forecasts import Forecasts
from shadowtime.console.session.jobs.names import Names
from shadowtime.console.session.likely.starts import FIRST
from shadowtime.console.session.operator.here import here_and_now, typed_action
from shadowtime.console.session.operator.steering import checked, intervention_of
from shadowtime.console.session.progress import Step
from shadowtime.console.session.run import Run
from shadowtime.console.session.work import PIECE, Halt, check
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.operator.steering import Intervention
from shadowtime.scenarios import Action, format_action, format_duration, parse_duration
from shadowtime.scenarios.nodes import NodeRanges, joined

_LATER = re.compile(r"(?P<do>(?:drain|down|up) .+) at (?P<when>.+)")
"""Nodes that leave service, or come back, at an instant to come."""
_ASKED = re.compile(r"(size|estimate) (\d+) (\S+)", re.ASCII)
"""What the user of a waiting job may ask for."""
SIZES = 64
"""Smaller sizes that are tried, evenly spaced if there are more."""
SINGLES = 400
"""Other jobs that are tried one by one; the widest running ones, the first to start of the waiting ones."""


class MachineApplicant:
    """A waiting job of a machine, and what may be done for it."""

    def __init__(self, case: Case, here: Simulation, job: int) -> None:
        """SessionError: the job (an id) does not wait."""
        self._case, self._from, self._job = case, here, job
        self.name, self._index = str(job), case.index_of(job)
        if here.state(self._index) not in ("N", "O"):
            raise SessionError(f"job {job} does not wait; expected a waiting job")

    def find(self, halt: Halt) -> None:
        """It is known to wait."""

    def start(self, times: Times) -> int | None:
        return times.starts.get(self._index)

    def is_own(self, row: JobChange) -> bool:
        return row.index == self._index

    def kinds(self, before: Times) -> Sequence[Kind]:
        """Return what may be done: for the job itself, by its user, to others that wait or run."""
        columns, unit = self._case.columns, 60 if self._case.columns.estimate[self._index] > 60 else 1
        sizes = largest_first(columns.size[self._index], SIZES)

        def estimate(count: int) -> str:
            return f"estimate {self._job} {format_duration(count * unit)}"

        held, suspended = self._others(before)
        return (
            Each(tuple(map(format_action, self._directly()))),
            Each([f"size {self._job} {size}" for size in sizes], enough=1),
            Largest((columns.estimate[self._index] - 1) // unit, estimate),
            Each(held, enough=SINGLES, together=True),
            Each(suspended, enough=SINGLES, together=True),
        )

    def _directly(self) -> Iterator[Action]:
        """Start it, put it first, put nodes back in service."""
        yield Action("start", job=self._job)
        yield Action("priority", job=self._job, to=self._first_priority())
        out = self._out_of_service()
        if out:
            yield Action("up", nodes=out)

    def _others(self, before: Times) -> tuple[list[str], list[str]]:
        """Return who may be held, first to start first, and who may be suspended, widest first."""
        ids, sizes, starts = self._case.columns.id, self._case.columns.size, before.starts
        others = [job for job in self._from.waiting() if job != self._index and job in starts]
        others.sort(key=lambda job: (starts[job], job))
        running = sorted(self._from.running(), key=lambda job: (-sizes[job], job))
        held = [f"hold {ids[job]}" for job in others[:SINGLES]]
        return held, [f"suspend {ids[job]}" for job in running[:SINGLES]]

    def _first_priority(self) -> int:
        """Return a priority above every one that an operator gave."""
        given = [action.to for action in self._case.scenario.actions if action.do == "priority"]
        return 1 + max((to for to in given if isinstance(to, int)), default=0)

    def _out_of_service(self) -> NodeRanges:
        """Return the nodes that are down or leave service."""
        down = (node for node, owner in enumerate(self._from.owners()) if owner == DOWN)
        per = self._case.scenario.machine.node_size
        return joined((node // per, node // per + 1) for node in (*down, *self._from.draining()))


def acting(case: Case, names: Names, simulation: Simulation, actions: Sequence[Action]) -> Simulation:
    """Return a run in which actions are done right here, in order. SessionError: why one cannot be done."""
    for action in actions:
        _, given = here_and_now(case, names, simulation, action)
        simulation = simulation.acting([given])
        simulation.step()
    return simulation


class MachineRun:
    """An expected run of a machine; `seen` are the jobs of which times are given, by index."""

    vacated = ()
    """A machine does not say who is on nodes out of service."""

    def __init__(
        self, case: Case, names: Names, simulation: Simulation, seen: Sequence[int], clock: Clock
    ) -> None:
        self._case, self._names, self._seen, self._clock = case, names, seen, clock
        self._simulation = simulation
        self._shared = False
        """Whether a fork has the same simulation."""
        self.deeds: list[Deed] = []
        self.later: list[Intervention] = []
        self._timed: list[Intervention] = []

    def fork(self) -> "MachineRun":
        other = MachineRun(self._case, self._names, self._simulation, self._seen, self._clock)
        self._shared = other._shared = True
        other.deeds, other.later = list(self.deeds), list(self.later)
        other._timed = list(self._timed)
        return other

    @property
    def simulation(self) -> Simulation:
        """The simulation, which nobody else follows."""
        if self._shared:
            self._simulation, self._shared = self._simulation.fork(), False
        return self._simulation

    @property
    def waiting(self) -> int:
        return len(self._simulation.waiting())

    def do(self, text: str, at: int | None = None) -> None:
        """Do an action, or what the user of a job asks for, here or at an instant. SessionError."""
        asked, later = _ASKED.fullmatch(text), _LATER.fullmatch(text)
        if later is not None:
            self._put_off(later["do"], instant_to_come(later["when"], self._simulation.now, self._clock))
        elif self._timed:
            raise SessionError(f"{text} is done now; expected it before what is done at an instant")
        elif asked is not None:
            self._ask(*asked.groups())
        elif at is None:
            self._act(typed_action(text))
        else:
            self.simulation.run(until=at - 1)
            action = attrs.evolve(typed_action(text), at=at)
            self.later.append(intervention_of(self._case, action, None))
            self._take(self._simulation.acting(self.later))

    def _put_off(self, text: str, at: int) -> None:
        """Do an action with nodes at an instant."""
        action = attrs.evolve(typed_action(text), at=at)
        given = intervention_of(self._case, checked(self._case, action, ("", {})), None)
        self._timed = sorted([*self._timed, given], key=lambda each: each.at or 0)
        self.deeds = [*(deed for deed in self.deeds if deed not in self._timed), *self._timed]
        self._take(self._simulation.acting(self._timed))

    def _act(self, action: Action) -> None:
        _, given = here_and_now(self._case, self._names, self._simulation, action)
        self._take(self._simulation.acting([given]))
        self._simulation.step()
        self.deeds.append(given)

    def _take(self, simulation: Simulation) -> None:
        self._simulation, self._shared = simulation, False

    def _ask(self, what: str, number: str, value: str) -> None:
        """A waiting job asks for another size or estimate.

        It leaves the queue and comes back to its place, so that every plan is made anew.
        """
        job = int(number)
        jobs = self._asking(what, self._case.index_of(job), value)
        self._act(Action("hold", job=job))
        self._take(self._simulation.acting((), jobs))
        _, _, estimate, size = jobs.row(self._case.index_of(job))
        self.deeds.append((self._case.index_of(job), size, estimate))
        self._act(Action("release", job=job))

    def _asking(self, what: str, index: int, value: str) -> Jobs:
        _, _, estimate, size = self._simulation.jobs.row(index)
        if what == "size":
            most, size = size, int(value) if value.isdecimal() and len(value) < 20 else 0
            if not 1 <= size <= most:
                raise SessionError(f"size {value[:40]!r} cannot be tried; expected 1 to {most}")
        else:
            most, estimate = estimate, seconds_of(value)
            if not 1 <= estimate <= most:
                raise SessionError(
                    f"estimate {value[:40]!r} cannot be tried; expected 1s to {format_duration(most)}"
                )
        return self._simulation.jobs.asking(index, size=size, estimate=estimate)

    def start_by(self, name: str, by: int, halt: Halt) -> int | None:
        check(halt)
        self.simulation.run(until=by)
        index = self._case.index_of(int(name))
        start = self._simulation.start_of(index)
        return start if start is not None and start <= by else None

    def times(self, halt: Halt, step: Step) -> Times:
        simulation = self.simulation
        while simulation.run(events=PIECE):
            check(halt)
            step(len(simulation.waiting()))
        starts = {job: start for job in self._seen if (start := simulation.start_of(job)) is not None}
        ends = {job: end for job in self._seen if (end := simulation.finish_of(job)) is not None}
        return Times(starts, ends)


class MachineOutlook:
    """What is expected of a machine from the event on at which a run stands."""

    doubts = None

    def __init__(self, run: Run, clock: Clock | None = None) -> None:
        self.event, self.time = run.number, run.simulation.now
        self.case, self.clock = run.case, clock or run.clock
        self.jobs = run.case.columns
        self._names = run.names
        self._from = run.simulation.fork()
        self._before: Times | None = None
        self._likely, self._when = run.likely, Forecasts(run).when()

    @cached_property
    def seen(self) -> tuple[int, ...]:
        """The jobs that have been submitted and are not over, by index, in order of submission."""
        simulation = self._from
        return tuple(sorted((*simulation.waiting(), *simulation.held(), *simulation.running())))

    def typed(self, text: str) -> Typed:
        """Return an action, or what a user asks for, as it is typed. SessionError for anything else."""
        line = " ".join(text.split())
        asked = _ASKED.fullmatch(line)
        if asked is not None:
            return Typed(line, self.case.id_called(asked[2]))
        later = _LATER.fullmatch(line)
        if later is not None:
            instant_to_come(later["when"], self.time, self.clock)
            return Typed(f"{format_action(typed_action(later['do']))} at {later['when']}")
        action = typed_action(text)
        return Typed(format_action(action), action.job)

    @cached_property
    def _here(self) -> MachineRun:
        return MachineRun(self.case, self._names, self._from.expected(), self.seen, self.clock)

    def here(self, halt: Halt) -> MachineRun:
        """Return the run at the event, to be forked."""
        return self._here

    def before(self, halt: Halt, step: Step) -> Times:
        if self._before is None:
            self._before = self._here.fork().times(halt, step)
        return self._before

    @cached_property
    def _sampler(self) -> Sampler:
        return Sampler(self._likely, self._from, self.seen, self._when)

    @property
    def samples(self) -> int:
        return 0 if self._sampler.absent else FIRST

    @property
    def effort(self) -> int:
        return 2 if self.samples else 0

    def odds(
        self, run: MachineRun, before: Times, after: Times, halt: Halt, step: Step, awaited: str = ""
    ) -> LikelyMoves:
        job = self.case.index_of(int(awaited)) if awaited else -1
        return self._sampler.odds(
            run.deeds, before, after, halt, step, back=run.later if awaited else (), awaited=job
        )

    def number_called(self, name: str) -> int:
        return self.case.id_called(name)

    def applicant(self, job: int) -> MachineApplicant:
        return MachineApplicant(self.case, self._from, job)


def instant_to_come(text: str, now: int, clock: Clock) -> int:
    """Return the second of an instant after now. SessionError for any other text."""
    found = instant_from(text, now, clock)
    if found is None or found <= now:
        raise SessionError(f"{text!r} is no time after {clock.format(now)}; expected one such as +2h")
    return found


def seconds_of(text: str) -> int:
    """Return an estimate as it is typed. SessionError if it is none."""
    try:
        seconds = parse_duration(text)
    except ValueError as error:
        raise SessionError(str(error)) from None
    if seconds < 1:
        raise SessionError(f"estimate {text[:40]!r} is no duration; expected {format_duration(1)} or more")
    return seconds
