"""A captured cluster over time as a lane: what its history does to the jobs of a case."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from threading import Lock
from typing import Any

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.comparison.schedule import Ran, Schedule
from shadowtime.console.session.course.places import AtTime, Place
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.facts import (
    DOWN,
    Decision,
    Event,
    Metrics,
    Prediction,
    Reason,
    Row,
    Snapshot,
)
from shadowtime.console.session.operator.refusals import Refusal
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.slurm.lanes.workload import ClusterJobs
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.console.session.texts import printable
from shadowtime.console.session.travel.moments import NONE
from shadowtime.console.session.travel.trend import NAMES
from shadowtime.kernels.core.metrics import summary
from shadowtime.kernels.slurm.over_time.moments import Happening, Moment
from shadowtime.scenarios import Action
from shadowtime.scenarios.slurm.scenario import cpus_of, listed_jobs

IDLE = -1
"""Stands for a node that nobody holds."""
FAR = 1 << 62
"""The event of what has not happened."""
KINDS = frozenset(happening.value.replace(" ", "-") for happening in Happening)
MANY = 64
"""Moments between two reports of how far a way is."""


@attrs.frozen
class Happened(Event):
    """An event of a cluster."""

    moment: Moment | None = None


class Outcomes:
    """What a history does to the jobs of a case, as far as it is known: the event of each start and end."""

    def __init__(self, history: History, jobs: ClusterJobs) -> None:
        self._history, self._jobs = history, jobs
        self._following = Lock()
        """A screen may ask where a lane stands while a worker takes it further."""
        count = len(jobs.names)
        self.started = array("q", [FAR]) * count
        """The event of the first start of each job; 0 for one that runs at the capture."""
        self.ended = array("q", [FAR]) * count
        """The event after which a job neither waits nor runs."""
        self.latest = array("q", [NONE]) * count
        """When each job ends at the latest, in seconds of the case."""
        self.backfilled = bytearray(count)
        self.times = array("q")
        """The instant of each event."""
        for job in history.capture.jobs:
            index = jobs.places.get(job.shown)
            if index is not None and job.holding:
                self.started[index] = 0
                self.latest[index] = jobs.case.columns.submit[index] + jobs.case.columns.runtime[index]

    def follow(self) -> None:
        """Take what has become known since; any thread may ask for it."""
        with self._following:
            self._follow()

    def _follow(self) -> None:
        places = self._jobs.places
        for number in range(len(self.times) + 1, self._history.known + 1):
            moment = self._history.moment_at(number)
            assert moment is not None
            # A job that has held its nodes to the end of a second is gone in the next one.
            at = self._jobs.second(moment.at) - (moment.what is Happening.END)
            self.times.append(max(at, self.times[-1] if self.times else 0))
            for each in moment.started:
                index = places.get(each.job)
                if index is not None:
                    if self.started[index] == FAR:
                        self.started[index] = number
                        self.backfilled[index] = moment.what is Happening.BACKFILL
                    self.ended[index] = FAR
                    self.latest[index] = self._jobs.second(each.end)
            gone = moment.subjects if moment.what is Happening.END else ()
            for name in gone:
                if name in places:
                    self.ended[places[name]] = number

    def time(self, number: int) -> int:
        """Return the instant of an event; the capture has that of the case's second 1."""
        return self.times[number - 1] if number else 1

    def start(self, index: int, number: int = FAR - 1) -> int:
        """Return when a job first started, up to an event; NONE if it has not."""
        event = self.started[index]
        return (
            NONE if event > number else self.time(event) if event else self._jobs.case.columns.submit[index]
        )

    def end(self, index: int, number: int = FAR - 1) -> int:
        """Return when a job ended, up to an event; NONE if it has not."""
        event = self.ended[index]
        return NONE if event > number else self.time(event)


class ClusterCourse:
    """Runs the history of a lane ahead, on its own. `run` may be called in any thread."""

    def __init__(self, history: History, jobs: ClusterJobs) -> None:
        self.history = history
        self.outcomes = Outcomes(history, jobs)
        self._jobs = jobs

    @property
    def number(self) -> int:
        return self.history.known

    @property
    def over(self) -> bool:
        return self.history.complete

    def run(self, chunk: int = MANY) -> bool:
        """Run some events further; is there more to do?"""
        self.history.reach(self.history.known + min(chunk, MANY))
        return not self.over

    def results(self) -> Mapping[str, "array[int]"]:
        self.outcomes.follow()
        jobs = range(len(self._jobs.names))
        return {
            "start": array("q", map(self.outcomes.start, jobs)),
            "finish": array("q", (_finish(self.outcomes, index) for index in jobs)),
        }


def _finish(outcomes: Outcomes, index: int) -> int:
    """When a job ends, also one that runs on after the last event, to its limit."""
    end = outcomes.end(index)
    return outcomes.latest[index] if end == NONE and outcomes.started[index] < FAR else end


class ClusterLane:
    """A cluster in lockstep with others."""

    refused: tuple[Refusal, ...] = ()
    journal: tuple[Action, ...] = ()

    def __init__(
        self,
        name: str,
        jobs: ClusterJobs,
        history: Callable[[], History],
        fork: "Callable[[ClusterLane, str], ClusterLane] | None" = None,
    ) -> None:
        """`history` makes the history anew; `fork` another lane, in which something is done here and now."""
        self.jobs, self._make, self._fork = jobs, history, fork
        self.case: Case = jobs.named(name)
        self.history = history()
        self._outcomes = Outcomes(self.history, jobs)
        self._reasons = {job.shown: job.reason for job in self.history.capture.jobs}
        self.skipped: frozenset[str] = frozenset()

    # Where it stands.

    @property
    def outcomes(self) -> Outcomes:
        """What its history does to the jobs, as far as that is known."""
        self._outcomes.follow()
        return self._outcomes

    @property
    def number(self) -> int:
        """Events passed; 0 at the capture."""
        return self.history.number

    @property
    def nodes(self) -> tuple[str, ...]:
        """The names of the nodes, where jobs are counted in nodes."""
        names = tuple(node.name for node in self.history.capture.nodes)
        return names if len(names) == self.case.nodes else ()

    @property
    def clock(self) -> Clock:
        return Clock(self.case.scenario.epoch, calendar=True)

    @property
    def time(self) -> int:
        """The instant, in seconds of the case."""
        return self.outcomes.time(self.number)

    @property
    def total(self) -> int | None:
        return self.history.total

    @property
    def over(self) -> bool:
        return not self.history.reach(self.number + 1)

    def digest(self) -> bytes:
        """Return its moving state: what all jobs are at this event."""
        return sha256(repr((self.number, self.history.capture_at(self.number).jobs)).encode()).digest()

    # Its jobs.

    def samples_of(self, _: int) -> None:
        """No samples of a cluster are drawn."""

    def passing(self, jobs: Sequence[int], text: str) -> Sequence[int]:
        """Refuse a filter: the fields of a queue are those of a machine."""
        raise SessionError("the lanes of a cluster have no filter; :job 31 looks at a job in every lane")

    def id_of(self, index: int) -> int:
        return self.case.columns.ids[index]

    def index_of(self, job: int) -> int:
        return self.jobs.places[str(job)] if str(job) in self.jobs.places else self.case.index_of(job)

    def turned(self, job: int) -> Decision | None:
        """Return None: no decision about a job is kept."""

    def columns(self, index: int) -> Sequence[tuple[int, int]]:
        """Return nothing: jobs share nodes, and take no turns."""
        return ()

    def started_at(self, index: int) -> int | None:
        return known_time(self.outcomes.start(index, self.number))

    def finished_at(self, index: int) -> int | None:
        return known_time(self.outcomes.end(index, self.number))

    def state(self, index: int) -> str:
        """Return the letter of a job's state; empty for one that has not come yet."""
        if self.outcomes.started[index] <= self.number:
            return "F" if self.outcomes.ended[index] <= self.number else "R"
        return "N" if self.case.columns.submit[index] <= self.time else ""

    def row(self, index: int) -> Row:
        columns, now, state = self.case.columns, self.time, self.state(index)
        start, end = self.started_at(index), self.finished_at(index)
        submit = columns.submit[index]
        latest = known_time(self.outcomes.latest[index]) if state == "R" else None
        ahead = self.predicted_starts().get(index) if state == "N" else None
        return Row(
            index=index,
            id=columns.ids[index],
            user=columns.user[index],
            klass=columns.klass[index],
            queue=columns.queue[index],
            name=columns.name[index],
            state=state,
            size=columns.size[index],
            submit=submit,
            estimate=columns.estimate[index],
            wait=max(0, (now if start is None else start) - submit),
            start=start,
            end=end if state == "F" else latest,
            predicted=None if ahead is None else Prediction(ahead, "expected", self.number),
            reason=self._captured(index) if state == "N" else None,
            now=now,
        )

    def _captured(self, index: int) -> Reason | None:
        """Slurm's reason at the capture; tasks of an array that wait have one together."""
        name, reasons = self.jobs.names[index], self._reasons
        why = reasons.get(name) or reasons.get(f"{name.partition('_')[0]}_*")
        return None if not why else Reason(printable(why), {})

    def rows(self, order: Sequence[int], first: int, count: int) -> Sequence[Row]:
        return [self.row(index) for index in order[first : first + count]]

    @property
    def predicted(self) -> bool:
        """Whether the starts of the jobs that wait are known: those of the whole course."""
        return self.history.complete

    def predict(self) -> None:
        """Predict nothing: the starts are known once the course is."""

    def predicted_starts(self) -> Mapping[int, int]:
        """Return the starts to come, by index, as far as they are known."""
        if not self.predicted:
            return {}
        number, started = self.number, self.outcomes.started
        return {index: self.outcomes.time(at) for index, at in enumerate(started) if number < at < FAR}

    # The machine.

    def _schedule(self) -> Schedule:
        columns, number = self.case.columns, self.number
        now = self.time
        ran = [
            Ran(
                size,
                submit,
                known_time(self.outcomes.start(index, number)),
                known_time(self.outcomes.end(index, number)),
                bool(self.outcomes.backfilled[index]),
            )
            for index, (size, submit) in enumerate(zip(self.jobs.taken, columns.submit, strict=True))
            if submit <= now
        ]
        return Schedule(ran, self.jobs.room, now, 0)

    def sums(self) -> Mapping[str, float]:
        return self._schedule().tally()[0]

    def snapshot(self) -> Snapshot:
        """Return how the cluster stands, counted as the case counts."""
        columns, now, outcomes = self.case.columns, self.time, self.outcomes
        states = [self.state(index) for index in range(len(columns.id))]
        running = [index for index, state in enumerate(states) if state == "R"]
        running.sort(key=lambda index: (outcomes.started[index], index))
        nodes = self.case.nodes
        found: dict[str, Any] = {**dict.fromkeys(NAMES), **summary(self._schedule()), "lost_capacity": None}
        last = self.events(self.number, 1)[0] if self.number else None
        upcoming = self.next_stop
        return Snapshot(
            number=self.number,
            total=self.total,
            time=now,
            last=last,
            upcoming=None if upcoming is None else (upcoming, "event", None),
            nodes=nodes,
            free=int(found["free_nodes"]),
            waiting=tuple(index for index, state in enumerate(states) if state == "N"),
            running=tuple(running),
            submitted=sum(map(bool, states)),
            finished=states.count("F"),
            jobs=len(states),
            metrics=Metrics(**{name: found[name] for name in NAMES}),
            changed=frozenset(self._changed()),
            owners=self._owners(running),
        )

    def _changed(self) -> Iterable[int]:
        moment = self.history.moment_at(self.number)
        if moment is None:
            return ()
        names = (*moment.subjects, *(each.job for each in moment.started))
        return [self.jobs.places[name] for name in names if name in self.jobs.places]

    def _owners(self, running: Sequence[int]) -> bytes:
        """Somebody who holds each node: jobs that share one cannot all be shown.

        Parts of nodes have no names: of a case that counts in them, the jobs stand one after the other.
        """
        capture, owners = self.history.capture_at(self.number), array("i", [IDLE]) * self.case.nodes
        if len(capture.nodes) == len(owners):
            places = {node.name: place for place, node in enumerate(capture.nodes)}
            for place, node in enumerate(capture.nodes):
                if not node.up:
                    owners[place] = DOWN
            for job in capture.jobs:
                index = self.jobs.places.get(job.shown)
                if index is not None and job.holding:
                    for name in job.nodes:
                        owners[places[name]] = index
            return owners.tobytes()
        first = 0
        for index in running:
            last = min(first + self.case.columns.size[index], len(owners))
            owners[first:last] = array("i", [index]) * (last - first)
            first = last
        # Those of nodes that are down follow, where nobody holds them any more.
        down = min(sum(cpus_of(node) for node in capture.nodes if not node.up), len(owners) - first)
        owners[first : first + down] = array("i", [DOWN]) * down
        return owners.tobytes()

    def events(self, first: int, count: int) -> Sequence[Event]:
        self.history.reach(first + count - 1)
        return [self._event(at) for at in range(first, min(first + count - 1, self.history.known) + 1)]

    def _event(self, number: int) -> Event:
        moment = self.history.moment_at(number)
        assert moment is not None
        return Happened(number, self.outcomes.time(number), _kind(moment), None, moment=moment)

    # Moving.

    def skip(self, kinds: Iterable[str]) -> None:
        chosen = frozenset(kinds)
        for kind in sorted(chosen - KINDS):
            raise SessionError(
                f"there is no kind of event {kind!r}; expected some of {', '.join(sorted(KINDS))}"
            )
        self.skipped = chosen

    def _stops(self, number: int) -> bool:
        moment = self.history.moment_at(number)
        return moment is not None and _kind(moment) not in self.skipped

    @property
    def next_stop(self) -> int | None:
        number = self.number + 1
        while self.history.reach(number):
            if self._stops(number):
                return self.outcomes.time(number)
            number += 1
        return None

    @property
    def last_stop(self) -> int | None:
        numbers = (number for number in range(self.number, 0, -1) if self._stops(number))
        return next((self.outcomes.time(number) for number in numbers), None)

    @property
    def decided(self) -> bool:
        moment = self.history.moment
        return moment is not None and bool(moment.started)

    def step(self, n: int = 1) -> int:
        """Go some events forward; return how many there were."""
        return self.history.step(n)

    def next_decision(self) -> bool:
        """Go to the next event that starts a job; stay if there is none."""
        return self.history.next_decision()

    def previous_decision(self) -> bool:
        """Go to the event before that started a job; stay if there was none."""
        return self.history.previous_decision()

    def go_time(self, time: int, progress: Progress | None = None) -> bool:
        history, jobs = self.history, len(self.jobs.names)
        while not ((times := self.outcomes.times) and times[-1] > time) and history.reach(history.known + 1):
            if progress is not None and history.known % MANY == 0:
                progress(sum(map(history.known.__ge__, self.outcomes.started)), jobs)
        return bool(history.go_event(bisect_right(times, time)))

    def go_start(self) -> bool:
        return bool(self.history.go_event(0))

    def go_end(self, progress: Progress | None = None) -> bool:
        return self.go_time(FAR, progress)

    def way(self, place: Place) -> Iterator[int]:
        """Compute the events that a place needs; yield after each how many are known."""
        # An end counts in the second before, so that what is known reaches a second further.
        return self.history.way(AtTime(place.time + self.jobs.begin) if isinstance(place, AtTime) else place)

    def go_place(self, place: Place) -> bool:
        """Go to a place. SessionError if it never happens to a job."""
        return self.go_time(place.time) if isinstance(place, AtTime) else self.history.go_place(place)

    # Beside it.

    def survey(self) -> ClusterCourse:
        """Return what runs a history of its own to the end."""
        return ClusterCourse(self._make(), self.jobs)

    def take_survey(self, survey: ClusterCourse) -> bool:
        """Take the history that has been run to its end, which has this one's past."""
        if survey.history.known < self.history.known:
            # Another lane failed before this one was run.
            return survey.over
        survey.history.go_event(self.number)
        self.history, self._outcomes = survey.history, survey.outcomes
        return survey.over

    def fork(self, name: str, action: str | None = None) -> "ClusterLane":
        """Return the lane in which something is done here and now. SessionError: why it cannot be done."""
        if self._fork is None:
            raise SessionError(
                f"nothing can be done in the lane {self.case.name}; expected one that is followed"
            )
        if action is None:
            made = ClusterLane(name, self.jobs, self._make, self._fork)
        else:
            made = self._fork(self, action)
        made.skip(self.skipped)
        return made


class CapturedLane(ClusterLane):
    """What later captures show: other jobs come, and hold nodes, that are none of the case."""

    def snapshot(self) -> Snapshot:
        found = super().snapshot()
        capture = self.history.capture_at(self.number)
        rows, _ = listed_jobs(capture, capture.taken)
        held = sum(int(str(row["cpus"])) for row in rows if not row["submit"])
        busy = min(1.0, held / max(1, sum(map(cpus_of, capture.nodes))))
        metrics = attrs.evolve(found.metrics, utilization_now=busy, utilization=None)
        return attrs.evolve(found, metrics=metrics)


def known_time(time: int) -> int | None:
    """Return an instant; None for one that does not come."""
    return None if time == NONE else time


def _kind(moment: Moment) -> str:
    return moment.what.value.replace(" ", "-")
