"""A simulation that can be anywhere on its course: forward by running, back by a copy and a replay.

`Trajectory` runs in slices. Between slices it lays a copy if the replay since the last one has become long,
so that any event is later a few milliseconds away, and it records the trend. A clock cuts the slices (the CPU
time of this thread): that decides only where copies lie, never what a state holds.
"""

from collections.abc import Callable
from operator import attrgetter
from time import thread_time

from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel import landings
from shadowtime.console.session.travel.copies import Recent, Tape
from shadowtime.console.session.travel.landings import ACTS, Landing, Landings
from shadowtime.console.session.travel.trend import Trend
from shadowtime.kernels.core.decision_view import DecisionView
from shadowtime.kernels.core.simulation import Copy, Simulation

GAP = 0.001
"""Seconds of replay between two copies, if memory allows."""
NEAR = 32
"""Events before a place gone back to, at which a copy is kept: the next steps back start there."""
WINDOW = 128
"""Events searched first for the decision before: it is seldom further."""
FEW = 16
"""A move of at most so many events keeps a copy of where it came from."""


class Trajectory:
    """One simulation with the copies and the trend of its course. Not for two threads at a time."""

    def __init__(self, simulation: Simulation, jobs: int, tape: Tape | None = None) -> None:
        self.simulation = simulation
        self.tape = tape if tape is not None else Tape(simulation.copy())
        self.trend = Trend(jobs)
        self.total: int | None = None
        """The number of events of the whole run, once it has been at the end."""
        self.landings = Landings()
        self._recent = Recent()
        self._since = 0.0
        self._pace = 1e-6
        self._stepped = False
        """Whether the simulation has come here by a step, and so knows what its last event decided."""
        self._asked: tuple[int, DecisionView] | None = None
        """The event that was asked about last, by number, and what it decided."""

    def parted(self, simulation: Simulation) -> "Trajectory":
        """Return the course of another run that stands here and has this one's past.

        What this one knows of the past, its copies and its trend, the other knows too.
        """
        here = self.number
        course = Trajectory(simulation, 0, self.tape.parted(here, simulation.share))
        course.trend = self.trend.parted(here)
        course.landings = self.landings.parted(here, simulation.share)
        course._recent = self._recent.parted(here, simulation.share)
        course._pace = self._pace
        return course

    @property
    def number(self) -> int:
        return self.simulation.event

    @property
    def costly(self) -> bool:
        """Whether a step costs so much that it is better not to be made twice."""
        return self._pace >= landings.WORTH

    @property
    def decisions(self) -> DecisionView:
        """What the last event decided; nothing right after `restore`."""
        if self._asked is None or self._asked[0] != self.number:
            if not self._stepped:
                return self.simulation.decisions()
            self._asked = (self.number, self.simulation.decisions())
        return self._asked[1]

    def run(
        self, events: int | None = None, until: int | None = None, watch: Callable[[], None] | None = None
    ) -> int:
        """Run at most `events` events, through the instant `until`, or to the end; return how many."""
        done = 0
        while events is None or done < events:
            count = self._slice(None if events is None else events - done)
            ran = self._timed(count, until, None)
            done += ran
            if watch is not None:
                watch()
            if ran < count:
                break
        return done

    def run_to_decision(self, events: int | None = None) -> bool:
        """Run to the next event that starts, backfills, preempts or resumes, `events` at most; found?"""
        left = events
        while left is None or left > 0:
            count = self._slice(left)
            ran = self._timed(count, None, 1)
            if ran < count and not self.simulation.over:
                return True
            if ran and self.decisions.of_kinds(ACTS):
                return True
            if ran < count:
                break
            left = None if left is None else left - ran
        return False

    def next_decision(self) -> bool:
        """Go to the next such event; stay if there is no such event, and if the policy fails before."""
        here = self.number
        self.keep()
        reached, known = self.landings.next_act(here)
        if known and self._land(reached):
            return True
        found = False
        try:
            start = self._before(reached - 1 if known else reached)
            if start.event > here:
                self.restore(start)
            begin = self.number
            found = self.run_to_decision()
        finally:
            if not found:
                self.go(here)
        self._keep_landing()
        if found and self.costly:
            self.landings.pass_over(begin, self.number)
        return found

    def keep(self) -> None:
        """Keep a copy of this position for steps back to it."""
        self._recent.keep(self.simulation.copy())

    def go(self, event: int) -> None:
        """Go to the state after `event` events, or to the end if there are fewer."""
        here = self.number
        if event == here or self._land(event):
            return
        if 0 < event - here <= FEW:
            self.keep()
        start = self._nearest(event)
        if event < here or start.event > here:
            self.restore(start)
            if event < here and start.event < event - NEAR:
                self.run(events=event - NEAR - self.number)
                self.keep()
        if not self.run(events=event - self.number) and start.event == self.number:
            # There are fewer, and the copy is the end itself; only a step there gives what its event decided.
            self.settle()
        self._keep_landing()

    def _land(self, event: int) -> bool:
        """Go to an event without a step if its landing is kept; else False, and it may stand elsewhere."""
        landing = self.landings.at(event)
        while landing is not None and event > self._sampled:
            # The trend has no gap: the sample that is due before must be taken on the way.
            on_the_way = self.landings.at(self._sampled)
            if on_the_way is None:
                return False
            self.restore(on_the_way.copy)
        if landing is None:
            return False
        self.restore(landing.copy)
        self._asked = (event, landing.decided)
        return True

    def _keep_landing(self) -> None:
        """Keep this position as a landing, if it was costly to come here by a step."""
        if self.costly and self._stepped and self.landings.at(self.number) is None:
            self.landings.keep(Landing(self.simulation.copy(), self.decisions))

    @property
    def _sampled(self) -> int:
        """The last event that may be gone to without a run: the trend has no gap up to there."""
        return self.trend.end + self.trend.stride

    def settle(self) -> None:
        """Do the last event again: a copy, like a run just parted from another, holds no decision."""
        here = self.number
        if here:
            self.restore(self._nearest(here))
            self.run(events=here - self.number)

    def go_time(self, time: int, watch: Callable[[], None] | None = None) -> None:
        """Go to the state after the last event, with its pass, that is not later than `time`."""
        start = self.tape.before_time(time)
        here = self.simulation
        if here.now <= time and here.event >= start.event:
            self.run(until=time, watch=watch)
            return
        self.restore(start)
        if not self.run(until=time, watch=watch) and self.number:
            # The copy is the place itself; only a step there gives what its event decided.
            self.restore(self._nearest(start.event))
            self.run(events=start.event - self.number)

    def restore(self, copy: Copy) -> None:
        self.simulation.restore(copy)
        if self.simulation.over:
            self.total = self.simulation.event
        self._stepped = False
        self._since = 0.0
        self.trend.record(self.simulation)

    def walk(self, time: int, happened: Callable[[Simulation], bool]) -> bool:
        """Go to the first event of the instant `time` after which something has happened; is there one?"""
        self.go_time(time - 1)
        while not happened(self.simulation):
            upcoming = self.simulation.peek()
            if upcoming is None or upcoming[0] > time:
                return False
            self.run(events=1)
        return True

    def previous_decision(self) -> int | None:
        """Go to the last event before this one that started, backfilled, preempted or resumed; return it.

        Stands where it stood if there is no such event.
        """
        here = self.number
        reached, known = self.landings.last_act(here)
        if known and self._land(reached):
            return reached
        before = reached + 1 if known else reached
        window = WINDOW
        while before > 1:
            after = self._search_from(before, window)
            found = self._last_decision(after, before)
            if found is not None:
                self.go(found)
                return found
            before = after + 1
            window *= 8
        self.go(here)
        return None

    def _nearest(self, event: int) -> Copy:
        """Return the copy to replay from to `event`: the last one before it.

        Not one of that very event: a copy does not hold what its event decided, only a step there gives that.
        """
        return self._before(max(event - 1, 0))

    def _before(self, event: int) -> Copy:
        """Return the last copy that has done at most `event` events, before the trend's next sample."""
        return self._last(event, self.landings.before_event(min(event, self._sampled)))

    def before_event(self, event: int) -> Copy:
        """Return the last copy that has done at most `event` events."""
        return self._last(event, self.landings.before_event(event))

    def _last(self, event: int, landed: Copy | None) -> Copy:
        copies = (self.tape.before_event(event), self._recent.before_event(event), landed)
        return max((copy for copy in copies if copy is not None), key=attrgetter("event"))

    def before_time(self, time: int) -> Copy:
        """Return the last copy that stands at `time` or earlier; the first if all are later."""
        return self.tape.before_time(time)

    def _search_from(self, before: int, window: int) -> int:
        """Return where to search from: at the nearest copy, but at most `window` events before `before`."""
        return max(self._before(before - 2).event, before - 1 - window)

    def _last_decision(self, after: int, before: int) -> int | None:
        """Return the last event later than `after` and earlier than `before` that decided something."""
        self.restore(self._before(after))
        self.run(events=after - self.number)
        self.keep()
        found = None
        while self.run_to_decision(events=before - 1 - self.number):
            found = self.number
        return found

    def _slice(self, events: int | None) -> int:
        """Return how many events to run before the next look: about a gap's worth, and not past a sample."""
        count = max(1, min(int(GAP / self._pace), 1 << 20))
        if events is not None:
            count = min(count, events)
        due = self.trend.due(self.number)
        return count if due is None else min(count, due)

    def _timed(self, events: int, until: int | None, decisions: int | None) -> int:
        simulation = self.simulation
        began = thread_time()
        done = simulation.run(until=until, events=events, decisions=decisions)
        spent = thread_time() - began
        if not done:
            return 0
        self._stepped = True
        self._since += spent
        # Half old, half new: the pace follows the queue within a few slices, and one hiccup fades soon.
        self._pace = max((self._pace + spent / done) / 2, 1e-9)
        self.trend.record(simulation)
        if simulation.over:
            self.total = simulation.event
        if self._since >= GAP:
            self._lay()
        return done

    def _lay(self) -> None:
        following = self.tape.following(self.number)
        if following is None or (following - self.number) * self._pace > GAP / 2:
            self.tape.lay(self.simulation.copy(), self._since)
            self.tape.thin(self.number)
        self._since = 0.0


def finishing(simulation: Simulation, progress: Progress | None) -> Callable[[], None] | None:
    """Return what reports the jobs done, and all jobs, at every half per cent of them."""
    if progress is None:
        return None
    jobs, reported = len(simulation.jobs), 0

    def watch() -> None:
        nonlocal reported
        done = simulation.finished
        if done == jobs or (done - reported) * 200 >= jobs:
            reported = done
            progress(done, jobs)

    return watch
