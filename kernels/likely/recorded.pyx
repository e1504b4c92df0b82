"""Runtimes and arrivals drawn from jobs that are recorded elsewhere, such as those of a cluster's accounting."""

cimport cython
from libc.stdint cimport uint64_t

from array import array

from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.results cimport COMPLETED, STRUCK, Results
from shadowtime.kernels.core.types cimport FOREVER, int64_t, job_t, seconds_t
from shadowtime.kernels.likely.history cimport History
from shadowtime.kernels.likely.levels cimport Levels
from shadowtime.kernels.likely.random cimport periods

cdef enum:
    ARRIVALS = 65536        # arrivals of a sample
    DAY = 86400
    WEEK = 604800


@cython.final
cdef class Recorded:
    """Samples of what may come after an instant, of the jobs that are known then.

    The rows of `jobs` are all that were submitted. `started` are the rows that have started, in the order of their
    starts; `ended` those of them that have ended, in the order of their ends; their runtimes are those of the table.
    `running` are those that run, the newest start first, `progress` the seconds that each has had, and `waiting`
    those that wait, in the order in which they are drawn.
    """

    cdef Jobs jobs
    cdef Jobs table
    cdef Levels levels
    cdef seconds_t now
    cdef job_t[::1] _running
    cdef seconds_t[::1] _progress
    cdef job_t[::1] _waiting
    cdef job_t _source          # arrivals are the jobs of the rows from here on, ...
    cdef seconds_t _period      # ... so many seconds later, and again
    cdef seconds_t _asked       # seconds that arrivals have asked for, all together
    cdef job_t _arrived         # arrivals so far

    def __cinit__(self, Jobs jobs not None, seconds_t now, *, started, ended, running, progress, waiting):
        cdef Results results = Results(0, jobs.count)
        cdef History history = History(jobs, results)
        cdef int64_t event = 0
        cdef job_t row
        self.jobs, self.now = jobs, now
        self.table = jobs.roomy(ARRIVALS)
        self._running, self._progress = array("i", running), array("q", progress)
        self._waiting = array("i", waiting)
        if self._running.shape[0] != self._progress.shape[0]:
            raise ValueError("expected the progress of each running job")
        for rows in (started, ended, running, waiting):
            for row in rows:
                if not 0 <= row < jobs.count:
                    raise ValueError(f"there is no row {row}")
        for event, row in enumerate(started, 1):
            results.of[row].start_event = event
            # Until it is said how it ended, nothing is known of its runtime.
            results.of[row].left = STRUCK
        for event, row in enumerate(ended, 1):
            results.of[row].finish_event = event
            results.of[row].left = COMPLETED
        event = max(len(started), len(ended), 1)
        history.list_until(<job_t> jobs.count, event)
        for row in self._waiting:
            history.name_user(row)
        self.levels = Levels(history, self.table)
        self.levels.moment(event)

    def runtimes(self, *, int64_t seed, int64_t sample):
        """Draw a sample: array('q') of the seconds of each running job, in total, and of each waiting one.

        Its arrivals can be drawn until the next sample is.
        """
        cdef Py_ssize_t i, running = self._running.shape[0]
        cdef uint64_t turn
        cdef seconds_t span, unit
        found = array("q", bytes(8 * (running + self._waiting.shape[0])))
        self.levels.begin(<uint64_t> seed, sample)
        for turn in range(2):
            for i in range(running):
                found[i] = self.levels.draw(self._running[i], self._progress[i], turn)
        for i in range(self._waiting.shape[0]):
            found[running + i] = self.levels.draw(self._waiting[i], 0, 0)
            self.levels.in_queue(self._waiting[i])
        span = self.now - self.jobs.submit[0] if self.jobs.count else 0
        unit = WEEK if span >= WEEK else DAY if span >= DAY else max(span // 8, 1)
        self._period = periods(self.levels._stream, span // unit) * unit
        self._source = <job_t> self.jobs.count
        while self._source > 0 and self.jobs.submit[self._source - 1] > self.now - self._period:
            self._source -= 1
        self._arrived = 0
        self._asked = 0
        return found

    def arrival(self):
        """The next arrival of the sample: (instant, the row of the job that comes again, runtime); None after the last."""
        cdef job_t recurring = <job_t> self.jobs.count - self._source, model, row
        if recurring == 0 or self._arrived == ARRIVALS:
            return None
        model = self._source + self._arrived % recurring
        if self._asked + self.jobs.estimate[model] > FOREVER // 4:
            return None
        row = <job_t> self.jobs.count + self._arrived
        self.table.take_row(row, self.jobs, model,
                            self.jobs.submit[model] + (self._arrived // recurring + 1) * self._period)
        self._asked += self.jobs.estimate[model]
        if not self.levels.history.results.of[model].finish_event:
            self.levels.draw(row, 0, 0)
        self._arrived += 1
        return self.table.submit[row], model, self.table.runtime[row]
