"""The levels of history at one moment, and draws of runtimes from them (docs/forecast.md, "Levels of history", "A draw").

Levels 1 to 3 are windows of rows, kept for a moment; their weights are those of a sample. Levels 4 and 5 are the same
in all samples: sorted once, with running sums, a draw is a search in them.
"""

cimport cython
from libc.math cimport cos, exp, fabs, floor, log, log2, sqrt
from libc.stdlib cimport free, qsort
from libc.string cimport memset

from shadowtime.kernels.core.memory cimport grown, resized, zeros
from shadowtime.kernels.core.results cimport COMPLETED, Result
from shadowtime.kernels.core.types cimport NONE
from shadowtime.kernels.likely.history cimport CLASS, USER
from shadowtime.kernels.likely.random cimport BOOTSTRAP, DRAW, stream, uniform

cdef enum:
    OF_CLASS = 600
    OF_ALL = 2000

cdef double TWO_PI = 6.283185307179586


cdef int falling(const void *a, const void *b) noexcept nogil:
    cdef const Ratio *one = <const Ratio *> a
    cdef const Ratio *other = <const Ratio *> b
    if one.ratio != other.ratio:
        return -1 if one.ratio > other.ratio else 1
    return (one.rank > other.rank) - (one.rank < other.rank)


@cython.final
cdef class Levels:
    """Levels over a history, for jobs of a table whose first rows are the history's."""

    def __cinit__(self, History history not None, Jobs table not None):
        self.history, self.table = history, table
        self._weighed = <int64_t *> zeros(history.jobs.count + 1, sizeof(int64_t))
        self._weights = <double *> zeros(history.jobs.count + 1, sizeof(double))
        self.known = <int64_t *> zeros(table.count + 1, sizeof(int64_t))
        self._before = <int32_t *> zeros(table.count + 1, sizeof(int32_t))

    def __dealloc__(self):
        free(self._windows)
        free(self._ladders)
        free(self._looked)
        free(self._pool)
        free(self._ratios)
        free(self._weighed)
        free(self._weights)
        free(self.known)
        free(self._before)
        free(self._latest)
        free(self._queued)

    cdef int _room_for_keys(self) except -1 nogil:
        cdef int32_t keys = self.history.keys.capacity
        if keys == self._keys:
            return 0
        self._windows = <Window *> resized(self._windows, keys * sizeof(Window))
        self._ladders = <Ladder *> resized(self._ladders, keys * sizeof(Ladder))
        self._looked = <int64_t *> resized(self._looked, keys * sizeof(int64_t))
        self._latest = <job_t *> resized(self._latest, keys * sizeof(job_t))
        self._queued = <int64_t *> resized(self._queued, keys * sizeof(int64_t))
        memset(self._looked + self._keys, 0, (keys - self._keys) * sizeof(int64_t))
        memset(self._queued + self._keys, 0, (keys - self._keys) * sizeof(int64_t))
        self._keys = keys
        return 0

    cdef int moment(self, int64_t event) except -1 nogil:
        """What is known after an event, up to which the history has been followed."""
        cdef Py_ssize_t last, at
        self._room_for_keys()
        self.event = event
        self._moment += 1
        self._pooled = self._rated = 0
        last = self.history.ends_until(event)
        for at in range(last - 1, max(last - OF_ALL, 0) - 1, -1):
            self._rate(self.history.ends[at].job, exp(-(<double> (last - 1 - at)) / 1000.0), <int32_t> (last - 1 - at))
        self._everybody = self._sorted(0)
        return 0

    cdef int _rate(self, job_t job, double weight, int32_t rank) except -1 nogil:
        self._ratios = <Ratio *> grown(self._ratios, &self._ratio_room, self._rated + 1, sizeof(Ratio))
        self._ratios[self._rated].ratio = <double> self.history.jobs.runtime[job] / <double> self.history.jobs.estimate[job]
        self._ratios[self._rated].weight = weight
        self._ratios[self._rated].rank = rank
        self._rated += 1
        return 0

    cdef Ladder _sorted(self, int32_t first) noexcept nogil:
        """The ratios from `first` on, in falling order, with the sums of their weights."""
        cdef Ladder made
        cdef Py_ssize_t at
        cdef double total = 0.0
        made.first, made.count = first, <int32_t> (self._rated - first)
        qsort(self._ratios + first, made.count, sizeof(Ratio), falling)
        for at in range(first, self._rated):
            total += self._ratios[at].weight
            self._ratios[at].weight = total
        return made

    cdef int _ladder(self, int32_t key, Ladder *made) except -1 nogil:
        """Level 4 of a class."""
        cdef int32_t at, rank = 0, first = <int32_t> self._rated
        made.first = made.count = 0
        if key == NONE:
            return 0
        if self._looked[key] != self._moment:
            at = self.history.last_end(key, self.event)
            while at != NONE and rank < OF_CLASS:
                self._rate(self.history.ends[at].job, exp(-(<double> rank) / 300.0), rank)
                at = self.history.ends[at].before
                rank += 1
            self._ladders[key] = self._sorted(first)
            self._looked[key] = self._moment
        made[0] = self._ladders[key]
        return 0

    cdef int _window(self, int sort, int32_t key, Window *made) except -1 nogil:
        """The last jobs that started and have a key in common, the newest first."""
        cdef int32_t at
        made.first = made.count = 0
        if key == NONE:
            return 0
        if self._looked[key] == self._moment:
            made[0] = self._windows[key]
            return 0
        made.first = <int32_t> self._pooled
        self._pool = <job_t *> grown(self._pool, &self._pool_room, self._pooled + WIDEST, sizeof(job_t))
        at = self.history.last_start(sort, key, self.event)
        while at != NONE and made.count < WIDEST:
            self._pool[made.first + made.count] = self.history.starts[at].job
            made.count += 1
            at = self.history.starts[at].before[sort]
        self._pooled += made.count
        self._windows[key] = made[0]
        self._looked[key] = self._moment
        return 0

    cdef void begin(self, uint64_t seed, int64_t k) noexcept nogil:
        """Sample `k` of a seed: nothing is drawn yet."""
        cdef double factor = 1.0 if k % 3 == 0 else 0.4 if k % 3 == 1 else 2.5
        cdef int third = <int> ((k // 3) % 3), i
        self.sample += 1
        self._stream = stream(seed, <uint64_t> k)
        self._mixture.kappa[1] = 3.0 * factor
        self._mixture.kappa[2] = 3.0 * factor
        self._mixture.kappa[3] = 6.0 * factor
        self._mixture.kappa[4] = 20.0
        self._mixture.kappa[5] = 1.0
        self._mixture.decay = 6 if third == 0 else 4 if third == 1 else 12
        self._mixture.window = 4 * self._mixture.decay + 1
        self._mixture.near = (k // 2) % 2 == 1
        for i in range(self._mixture.window):
            self._fading[i] = exp(-(<double> i) / <double> self._mixture.decay)

    cdef double _boot(self, job_t job) noexcept nogil:
        if self._weighed[job] != self.sample:
            self._weights[job] = -log(uniform(self._stream, BOOTSTRAP, job, 0))
            self._weighed[job] = self.sample
        return self._weights[job]

    cdef int _gather(self, int level, job_t job, int32_t key) except -1 nogil:
        """The entries of level 1, 2 or 3 for a job; returns how many."""
        cdef Window window
        cdef Entry *entries = self._entries[level - 1]
        cdef double estimate = <double> self.table.estimate[job], ratio, weight
        cdef bint near = level == 3 and self._mixture.near
        cdef int32_t rank, count = 0, user, drawn = 0
        cdef job_t other
        cdef Result *result
        cdef seconds_t runtime
        self._window(level - 1, key, &window)
        for rank in range(min(window.count, self._mixture.window)):
            other = self._pool[window.first + rank]
            if other == job:
                continue
            result = &self.history.results.of[other]
            if 0 < result.finish_event <= self.event:
                if result.left != COMPLETED:
                    continue
                runtime = self.history.jobs.runtime[other]
            elif self.known[other] == self.sample:
                runtime = self.table.runtime[other]
            else:
                continue
            ratio = <double> runtime / estimate
            weight = self._fading[rank] * self._boot(other)
            if near:
                weight *= self._nearness(job, other)
            entries[count].ratio = ratio if ratio < 1.0 else 1.0
            entries[count].weight = weight
            count += 1
        user = self.history.key(USER, self.table, job)
        if user == NONE or self._queued[user] != self.sample:
            return count
        other = self._latest[user]
        while other != NONE and drawn < QUEUED:
            drawn += 1
            if level == 3 or (self.table.estimate[other] == self.table.estimate[job] and (
                    level == 2 or self.table.size[other] == self.table.size[job])):
                ratio = <double> self.table.runtime[other] / estimate
                entries[count].ratio = ratio if ratio < 1.0 else 1.0
                entries[count].weight = 0.5 * self._nearness(job, other) if near else 0.5
                count += 1
            other = self._before[other]
        return count

    cdef double _nearness(self, job_t job, job_t other) noexcept nogil:
        return exp(-fabs(log2(<double> self.table.estimate[other]) - log2(<double> self.table.estimate[job])) / 0.5
                   - fabs(log2(<double> self.table.size[other]) - log2(<double> self.table.size[job])))

    cdef void in_queue(self, job_t job) noexcept nogil:
        """A job of the queue has been drawn: it counts for those of its user that come after it."""
        cdef int32_t user = self.history.key(USER, self.table, job)
        if user == NONE:
            return
        self._before[job] = self._latest[user] if self._queued[user] == self.sample else NONE
        self._latest[user] = job
        self._queued[user] = self.sample

    cdef seconds_t draw(self, job_t job, seconds_t progress, uint64_t turn) except -1 nogil:
        """A runtime of a job that has made some progress, put into the table; `turn` numbers the draws of a job."""
        cdef seconds_t estimate = self.table.estimate[job], drawn
        cdef double r0 = <double> progress / <double> estimate, ratio
        cdef double beyond[7]
        cdef double whole[6]
        cdef double above[6]
        cdef int counts[4]
        cdef int level, i
        cdef Ladder ladders[2]
        self.known[job] = 0
        if progress >= estimate:
            self.table.runtime[job] = estimate
            self.known[job] = self.sample
            return estimate
        for level in range(1, 4):
            counts[level] = self._gather(level, job, self.history.key(level - 1, self.table, job))
            whole[level] = above[level] = 0.0
            for i in range(counts[level]):
                whole[level] += self._entries[level - 1][i].weight
                if self._entries[level - 1][i].ratio > r0:
                    above[level] += self._entries[level - 1][i].weight
        self._ladder(self.history.key(CLASS, self.table, job), &ladders[0])
        ladders[1] = self._everybody
        for i in range(2):
            whole[4 + i] = self._ratios[ladders[i].first + ladders[i].count - 1].weight if ladders[i].count else 0.0
            counts[0] = self._passing(ladders[i], r0)
            above[4 + i] = self._ratios[ladders[i].first + counts[0] - 1].weight if counts[0] else 0.0
        beyond[6] = 1.0 - r0
        for level in range(5, 0, -1):
            beyond[level] = (above[level] + self._mixture.kappa[level] * beyond[level + 1]) \
                / (whole[level] + self._mixture.kappa[level])
        ratio = 0.0
        for level in range(1, 6):
            if above[level] > 0.0 and uniform(self._stream, DRAW, job, 16 * turn + level) \
                    * (above[level] + self._mixture.kappa[level] * beyond[level + 1]) < above[level]:
                ratio = self._chosen(level, counts, ladders, r0,
                                     uniform(self._stream, DRAW, job, 16 * turn + 6) * above[level])
                ratio = self._jittered(ratio, r0, job, turn)
                break
        else:
            ratio = r0 + (1.0 - r0) * uniform(self._stream, DRAW, job, 16 * turn + 9)
        drawn = <seconds_t> floor(ratio * <double> estimate + 0.5)
        drawn = min(estimate, max(progress + 1, drawn))
        self.table.runtime[job] = drawn
        self.known[job] = self.sample
        return drawn

    cdef int32_t _passing(self, Ladder ladder, double r0) noexcept nogil:
        """How many ratios are above r0."""
        cdef int32_t low = 0, high = ladder.count, middle
        while low < high:
            middle = (low + high) // 2
            if self._ratios[ladder.first + middle].ratio > r0:
                low = middle + 1
            else:
                high = middle
        return low

    cdef double _chosen(self, int level, const int *counts, const Ladder *ladders, double r0, double wanted) noexcept nogil:
        """The ratio of the entry at which the sum of weights passes what is wanted."""
        cdef double total = 0.0, ratio = 1.0
        cdef int i
        cdef int32_t low = 0, high, middle
        cdef Ladder ladder
        if level < 4:
            for i in range(counts[level]):
                if self._entries[level - 1][i].ratio > r0:
                    ratio = self._entries[level - 1][i].ratio
                    total += self._entries[level - 1][i].weight
                    if total > wanted:
                        break
            return ratio
        ladder = ladders[level - 4]
        high = self._passing(ladder, r0) - 1
        while low < high:
            middle = (low + high) // 2
            if self._ratios[ladder.first + middle].weight > wanted:
                high = middle
            else:
                low = middle + 1
        return self._ratios[ladder.first + low].ratio

    cdef double _jittered(self, double ratio, double r0, job_t job, uint64_t turn) noexcept nogil:
        cdef double moved
        if ratio >= 1.0:
            return ratio
        moved = ratio * exp(0.1 * (sqrt(-2.0 * log(uniform(self._stream, DRAW, job, 16 * turn + 7)))
                                   * cos(TWO_PI * uniform(self._stream, DRAW, job, 16 * turn + 8))))
        return moved if r0 < moved < 1.0 else ratio
