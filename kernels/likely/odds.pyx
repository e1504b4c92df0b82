"""Runs of a policy in samples of what may come (docs/forecast.md, "The order of draws", "Arrivals", "The run").

One runner serves a whole run, whatever moment is asked about: its table has the rows of the run's, the runtimes of a
sample in those that matter, and room for the arrivals of a sample behind them.
"""

cimport cython
from libc.stdint cimport uint64_t
from libc.stdlib cimport free, qsort
from libc.string cimport memset

from array import array

from shadowtime.kernels.charts.bars cimport Recorder
from shadowtime.kernels.charts.chances cimport Chances, MOST
from shadowtime.kernels.core.environment cimport Site
from shadowtime.kernels.core.estimates cimport believe_runtimes
from shadowtime.kernels.core.memory cimport resized, zeros
from shadowtime.kernels.core.results cimport CANCELLED, COMPLETED, Result, Results
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, int32_t
from shadowtime.kernels.core.world cimport World
from shadowtime.kernels.likely.random cimport periods
from shadowtime.kernels.operator.steering cimport Intervention, Steering

cdef enum:
    ARRIVALS = 65536        # arrivals of a sample
    CHUNK = 256             # arrivals put into the table at once, and events between two looks at who has started
    WEEK = 604800

cdef enum:                  # what is put in place of what is not known
    DRAWN                   # samples
    LIMITS                  # every runtime is the estimate, nobody comes
    TRUTH                   # runtimes and arrivals are those of the table

MODES = {"drawn": DRAWN, "limits": LIMITS, "truth": TRUTH}


cdef extern from "limits.h":
    long long LLONG_MAX


cdef int newest(const void *a, const void *b) noexcept nogil:
    cdef const Begun *one = <const Begun *> a
    cdef const Begun *other = <const Begun *> b
    if one.event != other.event:
        return -1 if one.event > other.event else 1
    return (one.job < other.job) - (one.job > other.job)


cdef Site known_site(World world):
    """What surrounds the nodes; of what jobs of the T3D ask for that which is known. Arrivals ask for nothing."""
    cdef Site site = world.site
    if not site.requests:
        return site
    return Site(torus=(site.x, site.y, site.z) if site.x else None, nqs=site.nqs, epoch=site.epoch,
                requests={row: asked for row, asked in site.requests.items() if row < world.at.arrivals})


@cython.final
cdef class Odds:
    """Samples of the future of one run.

    `simulation` is of that run; every moment that is asked about has to be of it, or of a fork. Not for two threads at a time.
    """

    def __cinit__(self, Simulation simulation not None):
        self.of = simulation.world.results
        self.jobs = simulation.world.jobs
        self.history = History(self.jobs, self.of)
        self.table = self.jobs.roomy(ARRIVALS)
        self._true = <job_t> self.jobs.count
        self._first = self.jobs.submit[0] if self.jobs.count else 0
        self.levels = Levels(self.history, self.table)

    def __dealloc__(self):
        free(self._begun)
        free(self._waiting)

    cdef int _stand(self, Simulation simulation) except -1:
        """Take the moment at which the simulation stands."""
        cdef World world = simulation.world
        cdef Py_ssize_t i
        cdef job_t row
        if world.results is not self.of:
            raise ValueError("the moment is of another run; expected one of the run that these odds are for")
        self.history.follow(world)
        if self.runner is None or self._acted != world.at.timed + world.at.numbered or world.site.requests:
            # A policy that begins looks at the whole table: no arrival of before stands in it.
            for row in range(self._true, <job_t> self.jobs.count):
                self.table.take_row(row, self.jobs, row, self.jobs.submit[row])
            self._true = <job_t> self.jobs.count
            self.runner = self._runner(simulation, ())
            self._acted = world.at.timed + world.at.numbered
        self.runner.world.repairs.foreseen = world.at.changes
        self._submitted = world.at.arrivals
        for i in range(self._beginnings):
            self.table.runtime[self._begun[i].job] = self.jobs.runtime[self._begun[i].job]
        for i in range(self._waiters):
            self.table.runtime[self._waiting[i]] = self.jobs.runtime[self._waiting[i]]
        self._put_back(self._true, self._submitted)
        # Arrivals may stand behind them from now on.
        self._true = self._submitted
        self.here = simulation.copy()
        # What the policy runs on the side is brought to this moment with what is true.
        self.runner._load_from(self.here)
        self.runner.policy.redrawn(self.runner.world)
        self.here = self.runner.copy()
        self._list(simulation)
        self.levels.moment(world.at.event)
        return 0

    cdef Simulation _runner(self, Simulation simulation, tuple further):
        """What runs samples of a moment in which `further` is all that is done from there on."""
        cdef World world = simulation.world
        cdef Steering known = world.steering
        cdef Simulation runner
        if known is not None or further:
            known = (Steering() if known is None else known).past(world.at.timed, world.at.numbered, further)
        runner = Simulation(self.table, world.nodes, simulation.base, False, known_site(world), known,
                            Results(0, self.table.count))
        runner.world.expecting = True
        runner.world.sampling = True
        runner.world.repairs.foreseen = world.at.changes
        return runner

    cdef int _put_back(self, job_t first, job_t last) except -1:
        """Rows first .. last - 1 are those of the run again."""
        cdef job_t row
        for row in range(first, last):
            self.table.take_row(row, self.jobs, row, self.jobs.submit[row])
            memset(&self.runner.world.results.of[row], 0, sizeof(Result))
        return 0

    cdef int _list(self, Simulation simulation) except -1:
        """Who has started, and who waits, in the order of draws."""
        cdef World world = simulation.world
        cdef Py_ssize_t most = world.running.used + world.queue.live, at
        cdef int32_t slot
        cdef Active *active
        cdef job_t job
        self._beginnings = self._waiters = 0
        if most > self._room:
            self._begun = <Begun *> resized(self._begun, most * sizeof(Begun))
            self._waiting = <job_t *> resized(self._waiting, most * sizeof(job_t))
            self._room = most
        held = []
        for slot in range(world.running.used):
            active = &world.running.slots[slot]
            if active.job == NONE:
                continue
            if world.has_started(active.job):
                self._begun[self._beginnings].job = active.job
                self._begun[self._beginnings].event = self.of.of[active.job].start_event
                self._begun[self._beginnings].progress = active.done + (
                    max(world.at.now - active.run_start - active.lead, 0) if active.state == c'R' else 0)
                self._beginnings += 1
            elif world.queue.find(active.job) == NONE:
                held.append(active.job)
        for job in sorted(held):
            self._waiting[self._waiters] = job
            self._waiters += 1
        for at in range(world.queue.first, world.queue.tail):
            job = world.queue.job[at]
            if job != NONE and not world.has_started(job):
                self._waiting[self._waiters] = job
                self._waiters += 1
        for at in range(self._waiters):
            self.history.name_user(self._waiting[at])
        qsort(self._begun, self._beginnings, sizeof(Begun), newest)
        return 0

    cdef int _draw(self) except -1 nogil:
        """The runtimes of a sample, and which weeks come again."""
        cdef Py_ssize_t i
        cdef uint64_t turn
        cdef job_t row
        for turn in range(2):
            for i in range(self._beginnings):
                self.levels.draw(self._begun[i].job, self._begun[i].progress, turn)
        for i in range(self._waiters):
            self.levels.draw(self._waiting[i], 0, 0)
            self.levels.in_queue(self._waiting[i])
        self._period = <seconds_t> periods(self.levels._stream, (self.here.now - self._first) // WEEK) * WEEK
        row = self._submitted
        while row > 0 and self.table.submit[row - 1] > self.here.now - self._period:
            row -= 1
        self._source = row
        return 0

    cdef int _arrive(self, job_t most) except -1 nogil:
        """Put up to `most` more arrivals into the table."""
        cdef job_t recurring = self._submitted - self._source, number, model
        cdef Result *result
        while most > 0 and self._arrived < self.table.count and recurring > 0:
            number = self._arrived - self._submitted
            model = self._source + number % recurring
            if number >= ARRIVALS or self._asked + self.jobs.estimate[model] > FOREVER // 4:
                break
            self.table.take_row(self._arrived, self.jobs, model,
                                self.jobs.submit[model] + (number // recurring + 1) * self._period)
            self._asked += self.jobs.estimate[model]
            result = &self.of.of[model]
            if not (0 < result.finish_event <= self.levels.event and result.left == COMPLETED):
                self.levels.draw(self._arrived, 0, 0)
            memset(&self.runner.world.results.of[self._arrived], 0, sizeof(Result))
            self._arrived += 1
            most -= 1
        return 0

    cdef int64_t _some(self, seconds_t until, Recorder recorder) except -1 nogil:
        """Some events up to an instant, recorded if that is wanted; how many."""
        if recorder is None or recorder.made.count >= MOST:
            return self.runner._run(until, CHUNK, False)
        return recorder._run(until, CHUNK)

    cdef int _run(self, Asked *asked, Py_ssize_t count, int mode, Recorder recorder) except -1 nogil:
        """Run on until all that are asked for have started, or ended, or nothing is left."""
        cdef Result *result
        cdef Py_ssize_t i
        cdef job_t before
        cdef seconds_t until
        self._arrived = self._submitted
        self._asked = 0
        while True:
            before = self._arrived
            if mode == DRAWN:
                self._arrive(CHUNK)
            elif mode == TRUTH:
                self._arrived = <job_t> self.jobs.count
            self.runner.last_arrival = self._arrived
            until = LLONG_MAX if self._arrived == before or mode != DRAWN else self.table.submit[self._arrived - 1] - 1
            while True:
                i = 0
                while i < count:
                    result = &self.runner.world.results.of[asked[i].job]
                    if result.finish_event or result.start_event and not asked[i].end:
                        count -= 1
                        asked[i] = asked[count]
                    else:
                        i += 1
                if count == 0:
                    return 0
                if self._some(until, recorder) == 0:
                    break
            if until == LLONG_MAX:
                return 0

    cdef int _prepare(self, int mode) except -1:
        """The runner stands at the moment, with nothing to come but what the table says."""
        cdef Py_ssize_t i
        cdef job_t job
        cdef Result *result
        cdef Result *true
        if mode == TRUTH:
            self._put_back(self._submitted, <job_t> self.jobs.count)
        for i in range(self._beginnings + self._waiters):
            job = self._begun[i].job if i < self._beginnings else self._waiting[i - self._beginnings]
            result = &self.runner.world.results.of[job]
            true = &self.of.of[job]
            memset(result, 0, sizeof(Result))
            if 0 < true.was_promised <= self.levels.event:
                result.was_promised, result.promised = true.was_promised, true.promised
            if mode == LIMITS:
                self.table.runtime[job] = self.jobs.estimate[job]
            elif mode == TRUTH:
                self.table.runtime[job] = self.jobs.runtime[job]
        return 0

    cdef int _begin(self, int mode, tuple done) except -1:
        """The runner is at the moment, its jobs have their runtimes, and what is to be done is done."""
        self.runner._load_from(self.here)
        self.runner.last_arrival = self._submitted
        with nogil:
            believe_runtimes(self.runner.world)
            if mode == LIMITS:
                self.runner.policy.foretell(self.runner.world)
            elif mode == TRUTH:
                self.runner.policy.redrawn(self.runner.world)
            else:
                self.runner.policy.forget_runtimes(self.runner.world)
        for deed in done:
            if isinstance(deed, Intervention):
                if deed.at is None:
                    self.runner._run(LLONG_MAX, 1, False)
                continue
            row, size, estimate = deed
            self.table.size[<job_t> row] = size
            self.table.estimate[<job_t> row] = estimate
            self.table.runtime[<job_t> row] = estimate if mode == LIMITS else min(
                self.table.runtime[<job_t> row], estimate)
        return 0

    cdef int _restore_requests(self, tuple done) except -1:
        """Jobs ask again for what they ask for in the run: that is what the next sample draws from."""
        cdef seconds_t runtime
        for deed in done:
            if not isinstance(deed, Intervention):
                runtime = self.table.runtime[<job_t> deed[0]]
                self.table.take_row(deed[0], self.jobs, deed[0], self.jobs.submit[<job_t> deed[0]])
                self.table.runtime[<job_t> deed[0]] = runtime
        return 0

    cdef seconds_t _start_of(self, job_t job, int mode, tuple done) except -2:
        """When a job starts in this sample, NONE for never; the results of the sample are as before."""
        cdef Asked asked = Asked(job, False)
        cdef Result *result = &self.runner.world.results.of[job]
        cdef seconds_t start
        self._begin(mode, done)
        with nogil:
            self._run(&asked, 1, mode, None)
        start = result.start if result.start_event else NONE
        self._restore_requests(done)
        self._prepare(mode)
        return start

    def starts(self, Simulation simulation not None, jobs, *, int64_t seed, Py_ssize_t samples=100, Py_ssize_t first=0,
               str mode="drawn", done=(), back=(), job_t after=NONE, bint ends=False, Chances chances=None):
        """The starts of waiting jobs in samples `first` to `first + samples - 1`: array('q'), a sample after the other.

        An instant for each of `jobs` (rows of the table) in their order, -1 where it never starts; with `ends` the end
        of a job that has started. At the moment at which `simulation` stands, and from what is known then alone.
        `mode`: "limits" puts the estimates in place of drawn runtimes and lets nobody come, "truth" puts the runtimes
        and arrivals of the table; both are the same in every sample.

        `done` is done at the moment, in its order; the draws are the same without it. Each is an `Intervention` after
        the events so far, a timed one behind these, which is done at its instant, or what the user of a held job asks
        for from here on: (row, size, estimate). `back` are timed ones, done in the second after the job `after` has
        started, whatever time they have; no timed one stands in `done` then. `chances` records who has which nodes in
        the samples.

        ValueError if the moment is of another run, or a request that the machine cannot hold; IndexError for a row that is not there.
        """
        cdef Py_ssize_t count = len(jobs), i, k
        cdef int way = MODES[mode]
        cdef int32_t[::1] rows = array("i", jobs)
        cdef int64_t[::1] found
        cdef tuple deeds = tuple(done), given = tuple(back)
        cdef Asked *asked
        cdef Result *result
        cdef Simulation own, doing, giving
        cdef seconds_t start
        cdef Recorder recorder = None
        for i in range(count):
            simulation._check(rows[i])
        for deed in deeds:
            if not isinstance(deed, Intervention):
                row, size, estimate = deed
                simulation._check(row)
                if not 1 <= size <= simulation.world.nodes or estimate < 1:
                    raise ValueError(f"row {row} cannot ask for {size} nodes and {estimate} s")
        if given:
            simulation._check(after)
        made = array("q", [-1]) * (count * samples)
        found = made
        self._stand(simulation)
        own = doing = giving = self.runner
        asked = <Asked *> zeros(count, sizeof(Asked))
        try:
            actions = tuple([deed for deed in deeds if isinstance(deed, Intervention)])
            if deeds:
                doing = self._runner(simulation, actions)
            if given:
                giving = self._runner(simulation, actions + given)
            for k in range(samples):
                self.runner = doing
                self._prepare(way)
                if way == DRAWN:
                    with nogil:
                        self.levels.begin(<uint64_t> seed, first + k)
                        self._draw()
                if given:
                    start = self._start_of(after, way, deeds)
                    if start != NONE:
                        self.runner = giving
                        self._prepare(way)
                        for i in range(len(given)):
                            giving.world.steering.timed[simulation.world.at.timed + i].time = start + 1
                self._begin(way, deeds)
                for i in range(count):
                    asked[i] = Asked(rows[i], ends and simulation.world.has_started(rows[i]))
                if chances is not None:
                    recorder = chances.begin(self.runner)
                with nogil:
                    self._run(asked, count, way, recorder)
                if chances is not None:
                    chances.end(self._submitted)
                for i in range(count):
                    result = &self.runner.world.results.of[rows[i]]
                    if ends and simulation.world.has_started(rows[i]):
                        if result.finish_event and result.left != CANCELLED:
                            found[k * count + i] = result.finish
                    elif result.start_event:
                        found[k * count + i] = result.start
                self._restore_requests(deeds)
        finally:
            free(asked)
            # Also of a sample that a policy has ended with an error.
            self._restore_requests(deeds)
            # One that has gone by estimates does so from now on.
            self.runner = own if way != LIMITS or deeds else None
        return made

    def runtimes(self, Simulation simulation not None, *, int64_t seed, Py_ssize_t sample=0):
        """{row: runtime} as a sample draws them for the jobs that are not over, and (row, submission, runtime) of its first arrivals."""
        cdef Py_ssize_t i
        self._stand(simulation)
        self._prepare(DRAWN)
        self.levels.begin(<uint64_t> seed, sample)
        self._draw()
        self._arrived = self._submitted
        self._asked = 0
        self._arrive(CHUNK)
        drawn = {self._begun[i].job: self.table.runtime[self._begun[i].job] for i in range(self._beginnings)}
        drawn |= {self._waiting[i]: self.table.runtime[self._waiting[i]] for i in range(self._waiters)}
        return drawn, [(row, self.table.submit[row], self.table.runtime[row])
                       for row in range(self._submitted, self._arrived)]
