"""Which job has which nodes when: what was is recorded, what is goes to its estimate, what comes is placed.

The kernel keeps no track of where a job ran. So a worker runs the missing part of what is looked at once
more, from the nearest copies, and what it finds is kept, within a limit, while the operator goes back and
forth. Everything here is for the session's thread, but for `BarsWork.run` and `cancel`.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from time import thread_time

import attrs

from shadowtime.console.session.jobs.predictions import promised_starts
from shadowtime.console.session.run import Run
from shadowtime.console.session.session import Session
from shadowtime.console.session.travel.copies import LaidCopies
from shadowtime.console.session.work import Cancellable
from shadowtime.kernels.charts.bars import Expectation, Recorder, Stretches, stretches
from shadowtime.kernels.charts.cells import Grid
from shadowtime.kernels.charts.chances import Chances
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import PolicyError
from shadowtime.scenarios.nodes import NodeRanges

EXPECTED, PREDICTED, LIKELY, DOWN, RESERVED = ".", "~", "%", "X", ":"
"""The kinds that are no state of a job.

It runs on to its estimate, it is expected, it has the nodes in some samples of what may come, the nodes are
down, the nodes are reserved.
"""
NOBODY_MOST, NODES_DOWN, RESERVED_FIRST = -3, -2, -4
"""In the place of a job: nobody has half of what is taken of a cell; the nodes are down; they are reserved.

Reservations count from the last one downwards.
"""
WHOLE = 64
"""The share of a node that is all of it."""
LIMIT = 1 << 19
"""Stretches kept in all: 16 MB."""
PIECE = 4096
"""Stretches after which a piece is closed: the pieces are what is searched, and what is dropped."""
PIECES = 16
"""Pieces that a worker closes between two looks of the session at most: so the limit is passed by little."""
SLICE = 0.02
"""Seconds between two looks of a worker."""
MOST = 1 << 16
"""Events between two looks at the clock at most."""
BUDGET = 0.002
"""Seconds that the recorder may follow the cursor by itself, without a worker."""
STEPS = 4
"""The same within that budget: with 10,000 reservations one completion takes milliseconds."""
FEW = 500
"""Waiting jobs up to which they are placed at once: in less than a millisecond."""

SINCE = attrgetter("since")
Down = tuple[int, int, int, int | None]
"""The first of some nodes, how many they are, and from when to when they are down; None: not known."""


@attrs.frozen
class Viewport:
    """A part of the chart: rows of `per` nodes from `first` on, columns of `span` seconds from `since` on."""

    first: int
    per: int
    rows: int
    since: int
    span: int
    columns: int

    @property
    def until(self) -> int:
        return self.since + self.span * self.columns


CellRun = tuple[int, int, int, str, int]
"""(first column, columns, index of the job, kind, eighths taken)"""


class Lanes:
    """Who has each cell of a window: one run of alike cells after the other, lane by lane."""

    def __init__(self, grid: Grid, window: Viewport, over: Grid | None = None) -> None:
        """`over` has the cells of one job, seen before all others. What has up to 1 in 8 odds is not seen."""
        self._grid, self._over = grid, over
        self.window = window
        self.count = grid.rows

    def runs(self, row: int) -> Sequence[CellRun]:
        """(first column, columns, index of the job, kind, eighths taken) of a row, without what is idle."""
        found = [run for run in self._grid.runs(row) if run[3] != LIKELY or run[4] > 1]
        if self._over is not None:
            for run in self._over.runs(row):
                if run[4] > 1:
                    found = [*(part for other in found for part in _beside(other, run)), run]
            found.sort()
        return found


def _beside(run: CellRun, other: CellRun) -> Iterator[CellRun]:
    """What is seen of cells on both sides of others."""
    first, end, its_first, its_end = run[0], run[0] + run[1], other[0], other[0] + other[1]
    if first < min(end, its_first):
        yield (first, min(end, its_first) - first, *run[2:])
    if max(first, its_end) < end:
        yield (max(first, its_end), end - max(first, its_end), *run[2:])


class BarsWork(Cancellable):
    """Records what is missing, in any thread; then the bars take it over. Cancelled, `run` does nothing."""

    def __init__(self, recorder: Recorder | None, marks: LaidCopies, gaps: Sequence[tuple[int, int]]) -> None:
        self.recorder = recorder
        self.placing: Expectation | None = None
        """Jobs to be placed, too; before anything else."""
        self.placed = False
        self.found: list[Stretches] = []
        """What has been recorded; whoever takes it removes it."""
        self.failed_at: int | None = None
        """How far it came when the policy failed."""
        self._marks = marks
        self._gaps = list(gaps)[::-1]
        self._begun = False
        self._events = 64

    def run(self) -> bool:
        """Do a slice of the work, without the interpreter's lock; is there more to do?"""
        if self.placing is not None and not self.placed:
            self.placing.place()
            self.placed = True
        elif self._gaps and not self._cancelled:
            try:
                self._record(*self._gaps[-1])
            except PolicyError:
                # What came to pass before is known; going further reports the failure.
                assert self.recorder is not None
                self.failed_at = self.recorder.until
                self.found.append(self.recorder.take())
                self._cancelled = True
        return not self.over

    @property
    def over(self) -> bool:
        return self._cancelled or (not self._gaps and (self.placing is None or self.placed))

    def _record(self, since: int, until: int) -> None:
        recorder = self.recorder
        assert recorder is not None
        if not self._begun:
            recorder.begin(since, self._marks.before_time(since))
            self._begun = True
        began = thread_time()
        done, most = False, len(self.found) + PIECES
        while not done and len(self.found) < most and thread_time() - began < SLICE:
            before = thread_time()
            done = recorder.record(until, self._events, PIECE)
            spent = thread_time() - before
            wanted = int(self._events * SLICE / 4 / max(spent, 1e-6))
            self._events = max(1, min(4 * self._events, wanted, MOST))
            if recorder.made.count >= PIECE:
                self.found.append(recorder.take())
        self.found.append(recorder.take())
        if done:
            self._gaps.pop()
            self._begun = False


class Bars:
    """The bars of one session. Of what comes, only what is known at the session's event."""

    def __init__(self, session: Session) -> None:
        self._run = session.run
        self._pieces: list[Stretches] = []
        """What is known of the past, in order, without overlaps."""
        self._size = 0
        self._of: Simulation = session.run.simulation
        self._recorder: Recorder | None = None
        """One that stands where the last piece ends: it goes on from there as the cursor does."""
        self._age = 0
        self._here = Expectation(self._of)
        self._down: Sequence[Down] = ()
        """The nodes that are going to be down, as far as that is known."""
        self._coming: Expectation | None = None
        self._coming_at = -1
        self._wanted: Expectation | None = None
        self._working: tuple[BarsWork, int, int] | None = None
        """The work under way, the age of what it finds, and its event."""
        self._growing: Stretches | None = None
        """The piece that the recorder has not closed yet."""
        self._known_to: int | None = None
        """Where the policy failed while the past was recorded: nothing more is found beyond."""

    def forget(self, after_event: int) -> None:
        """The course after an event is another one from now on: an action was done there, or taken back."""
        self._pieces = [piece for piece in self._pieces if piece.event < after_event]
        self._size = sum(piece.count for piece in self._pieces)
        self._age += 1
        self._recorder = self._growing = self._known_to = None
        self._coming_at = -1
        self._of = self._run.simulation

    # What is and what comes.

    def look(self, work: bool = True) -> None:
        """See what is held now, and place those that are expected: a few at once, many by `work`."""
        simulation = self._run.simulation
        if simulation is not self._of:
            self.forget(-1)
        starts = planned_starts(self._run, simulation)
        self._here = Expectation(simulation, list(starts), starts.values())
        self._down = [it for it in self._outages(simulation) if it[3] is None or it[2] < it[3]]
        if len(starts) <= FEW or not work:
            self._here.place()
            self._place(self._here, simulation.event)
        else:
            self._wanted = self._here

    def _place(self, expectation: Expectation, event: int) -> None:
        self._coming, self._coming_at, self._wanted = expectation, event, None

    @property
    def _chances(self) -> Chances | None:
        """Who may have which nodes from now on, if that is known of this very event."""
        answer = self._run.likely.at(self._run.number)
        return None if answer is None else answer.chances

    @property
    def likely(self) -> bool:
        return self._chances is not None

    @property
    def stale(self) -> bool:
        return self._coming_at != self._run.number and not self.likely

    @property
    def unplaced(self) -> int:
        """Jobs that are expected and find no idle nodes: others will be stopped for them."""
        return 0 if self._coming is None or self.likely else self._coming.unplaced

    @property
    def last(self) -> int:
        """The instant at which the last of what is held or expected ends; at least now."""
        coming = None if self._coming is None else self._coming.made.last
        return max(self._run.time, self._here.standing.last or 0, coming or 0)

    @property
    def soon(self) -> int:
        """The instant up to which it is worth looking by itself: three times as far as what is held lasts."""
        held = (self._here.standing.last or 0) - self._run.time
        return min(self.last, self._run.time + 3 * held) if held > 0 else self.last

    def first(self) -> int:
        return self._run.trajectory.tape.before_event(0).now

    # What was.

    def follow(self, window: Viewport) -> bool:
        """Record what little is missing since the last piece; is all of the window's past known now?"""
        self._thin(window)
        gaps = self.gaps(window)
        recorder = self._recorder if self._size < LIMIT else None
        if gaps and recorder is not None and recorder.until == gaps[0][0]:
            began, done = thread_time(), False
            while not done and thread_time() - began < BUDGET:
                landing = self._run.trajectory.landings.at(recorder.event + 1)
                if landing is not None and landing.copy.now < gaps[0][1]:
                    recorder.leap(landing.copy)
                    continue
                try:
                    done = recorder.record(gaps[0][1], STEPS, PIECE)
                except PolicyError:
                    self._known_to = recorder.until
                    break
            self._grow(recorder)
            gaps = self.gaps(window)
        return not gaps

    def _grow(self, recorder: Recorder) -> None:
        """Let the last piece be longer, rather than have one more for each step."""
        if self._growing is not None and self._growing in self._pieces:
            self._pieces.remove(self._growing)
            self._size -= self._growing.count
        full = recorder.made.count >= PIECE
        piece = recorder.take(not full)
        self._growing = None if full else piece
        self._keep(piece)

    def gaps(self, window: Viewport) -> Sequence[tuple[int, int]]:
        since, until = max(window.since, self.first()), min(window.until, self._run.time)
        if self._known_to is not None:
            until = min(until, self._known_to)
        found = []
        for piece in self._pieces[max(0, bisect_right(self._pieces, since, key=SINCE) - 1) :]:
            if since >= until:
                break
            if piece.since > since:
                found.append((since, min(piece.since, until)))
            since = max(since, piece.until)
        return [*found, (since, until)] if since < until else found

    def work(self, window: Viewport) -> BarsWork | None:
        """Return the work of recording and placing what is missing, for a worker; None if nothing is."""
        self._thin(window)
        gaps = self.gaps(window) if self._size < LIMIT else ()
        if not gaps and self._wanted is None:
            return None
        course = self._run.trajectory
        recorder = Recorder(course.simulation.fork()) if gaps else None
        work = BarsWork(recorder, course.tape.marks(), gaps)
        work.placing = self._wanted
        self._working = (work, self._age, self._run.number)
        return work

    def take(self, work: BarsWork, window: Viewport) -> None:
        """Take over what a worker has found so far; `window` is what is looked at now."""
        if self._working is None:
            return
        of, age, event = self._working
        if of is not work or age != self._age or self._run.simulation is not self._of:
            return
        if work.failed_at is not None:
            self._known_to = work.failed_at
        if work.placed and work.placing is not None:
            self._place(work.placing, event)
            work.placing = None
        while work.found:
            self._keep(work.found.pop(0))
        self._thin(window)
        if self._size >= LIMIT:
            # All that is known lies in the window. The rest of it stays unknown.
            work.cancel()
        if work.over and work.recorder is not None:
            self._recorder, self._growing = work.recorder, None

    def _keep(self, piece: Stretches) -> None:
        if piece.since < piece.until:
            place = bisect_right(self._pieces, piece.since, key=SINCE)
            after = self._pieces[place].since if place < len(self._pieces) else piece.until
            before = self._pieces[place - 1].until if place else piece.since
            if before <= piece.since and piece.until <= after:
                self._pieces.insert(place, piece)
                self._size += piece.count

    def _thin(self, window: Viewport) -> None:
        """Drop the pieces that are farthest from the window while there are too many."""
        while self._size >= LIMIT and len(self._pieces) > 1:
            ends = (self._pieces[0], self._pieces[-1])
            far = max(ends, key=lambda piece: max(window.since - piece.until, piece.since - window.until))
            if far.until > window.since and far.since < window.until:
                return
            self._pieces.remove(far)
            self._size -= far.count

    def lanes(self, window: Viewport, chosen: int | None = None) -> Lanes:
        """Return who has each cell of a window: up to now as it was, from now on as it is likely or expected.

        Of what is likely, a chosen job is seen before all others.
        """
        now = self._run.time
        grid, over = self._grid(window), None
        for piece in self._pieces[max(0, bisect_right(self._pieces, window.since, key=SINCE) - 1) :]:
            if piece.since >= min(window.until, now):
                break
            grid.add(piece, high=now)
        chances = self._chances
        if chances is not None:
            grid.add(chances.made, now)
            if chosen is not None:
                over = self._grid(window)
                over.add(chances.made, now, job=chosen)
                over.fill()
        else:
            grid.add(self._here.standing, now)
            if self._coming is not None:
                grid.add(self._coming.made, now)
        down = (
            (NODES_DOWN, first, count, since, until, DOWN, WHOLE) for first, count, since, until in self._down
        )
        grid.add(stretches(down), now)
        grid.fill()
        return Lanes(grid, window, over)

    def _grid(self, window: Viewport) -> Grid:
        nodes = self._run.case.nodes
        return Grid(nodes, window.first, window.per, window.rows, window.since, window.span, window.columns)

    def _of_jobs(self, nodes: NodeRanges) -> NodeRanges:
        """Nodes as bars count them, as jobs ask for them: if those are processors, a node has several."""
        per = self._run.case.scenario.machine.node_size
        return tuple((first * per, end * per) for first, end in nodes)

    def _outages(self, simulation: Simulation) -> Iterator[Down]:
        """The outages to come, and those that wait for jobs to leave: from the end known of these on."""
        now, scheduled = simulation.now, self._run.case.scenario.outages
        leaving = frozenset(simulation.draining())
        coming = [outage for outage in scheduled if outage.start > now]
        if not leaving and not coming:
            return
        ends: dict[int, int] = {}
        for job, first, count, _, until, _ in self._here.standing.rows():
            if job >= 0:
                ends |= dict.fromkeys(range(first, first + count), until)
        for outage in coming:
            for first, end in self._of_jobs(outage.nodes):
                busy = () if outage.kill else [node for node in range(first, end) if node in ends]
                if not busy:
                    yield first, end - first, outage.start, outage.until
                    continue
                for node in range(first, end):
                    yield node, 1, max(outage.start, ends.get(node, now)), outage.until
        begun = [it for it in scheduled if it.start <= now and (it.until is None or it.until > now)]
        for node in leaving:
            known = [
                it.until for it in begun if any(first <= node < end for first, end in self._of_jobs(it.nodes))
            ]
            back = None if None in known else max((it for it in known if it is not None), default=None)
            yield node, 1, ends.get(node, now), back


def planned_starts(run: Run, simulation: Simulation) -> Mapping[int, int]:
    """Return when the waiting jobs are to start: what the policy promises, else what the forecast expects."""
    return {**run.predictions.expected(simulation), **promised_starts(simulation)}
