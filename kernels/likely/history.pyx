"""Who started and who ended, in order, linked by what jobs have in common.

Both lists only grow: what a run has written of an event is the same whenever it gets there. A moment further back is an
event number, before which the links are followed.
"""

cimport cython
from libc.stdlib cimport free, qsort

from shadowtime.kernels.core.memory cimport grown, resized
from shadowtime.kernels.core.results cimport COMPLETED, Result
from shadowtime.kernels.core.types cimport NONE


cdef inline int power(int64_t number) noexcept nogil:
    """floor(log2 number), of 1 or more."""
    cdef int found = 0
    while number > 1:
        number >>= 1
        found += 1
    return found


cdef int by_event(const void *a, const void *b) noexcept nogil:
    # A Start and an End begin alike.
    cdef const Start *one = <const Start *> a
    cdef const Start *other = <const Start *> b
    if one.event != other.event:
        return -1 if one.event < other.event else 1
    return (one.job > other.job) - (one.job < other.job)


@cython.final
cdef class History:
    """The starts and ends of one run, whose table and results these are."""

    def __cinit__(self, Jobs jobs not None, Results results not None):
        self.jobs, self.results, self.keys = jobs, results, Keys()

    def __dealloc__(self):
        free(self.starts)
        free(self.ends)
        free(self.last)

    cdef int32_t key(self, int sort, Jobs jobs, job_t job) noexcept nogil:
        """What a job has in common with others; NONE where no job of the history has it and no user was named, or it has no user."""
        if sort == CLASS:
            return self.keys.find(CLASS, power(jobs.estimate[job]), power(jobs.size[job]))
        if jobs.user(job) == NONE:
            return NONE
        # A user has 31 bits, a size 31.
        return self.keys.find(
            <int64_t> jobs.user(job) * SORTS + sort,
            0 if sort == USER else jobs.estimate[job],
            jobs.size[job] if sort == REQUEST else 0,
        )

    cdef int32_t _number(self, int sort, job_t job) except -1 nogil:
        cdef int32_t number
        if sort == CLASS:
            number = self.keys.number(CLASS, power(self.jobs.estimate[job]), power(self.jobs.size[job]))
        else:
            number = self.keys.number(
                <int64_t> self.jobs.user(job) * SORTS + sort,
                0 if sort == USER else self.jobs.estimate[job],
                self.jobs.size[job] if sort == REQUEST else 0,
            )
        if number >= self._lasts:
            self._widen()
        return number

    cdef int name_user(self, job_t job) except -1:
        """Give the user of a job a key, who may have started none: jobs drawn in the queue are found by it."""
        if self.jobs.user(job) != NONE:
            self._number(USER, job)
        return 0

    cdef int _widen(self) except -1 nogil:
        self.last = <int32_t *> resized(self.last, self.keys.capacity * sizeof(int32_t))
        while self._lasts < self.keys.capacity:
            self.last[self._lasts] = NONE
            self._lasts += 1
        return 0

    cdef int follow(self, World world) except -1 nogil:
        """List what has started and ended up to the event at which the world stands; nothing where it was further."""
        return self.list_until(world.at.arrivals, world.at.event)

    cdef int list_until(self, job_t submitted, int64_t until) except -1 nogil:
        """List what has started and ended of the first `submitted` jobs up to an event."""
        cdef Py_ssize_t started = self.started, ended = self.ended, i
        cdef int64_t since = self.event
        cdef job_t job, low = self._low
        cdef Result *result
        cdef bint whole = True, begun, over
        cdef int sort
        cdef int32_t number
        if until <= since:
            return 0
        for job in range(self._low, submitted):
            result = &self.results.of[job]
            begun = 0 < result.start_event <= until
            over = 0 < result.finish_event <= until
            if begun and result.start_event > since:
                self.starts = <Start *> grown(self.starts, &self._room[0], self.started + 1, sizeof(Start))
                self.starts[self.started].event, self.starts[self.started].job = result.start_event, job
                self.started += 1
            if over and result.finish_event > since and result.left == COMPLETED:
                self.ends = <End *> grown(self.ends, &self._room[1], self.ended + 1, sizeof(End))
                self.ends[self.ended].event, self.ends[self.ended].job = result.finish_event, job
                self.ended += 1
            whole = whole and over
            if whole:
                low = job + 1
        self._low = low
        qsort(self.starts + started, self.started - started, sizeof(Start), by_event)
        qsort(self.ends + ended, self.ended - ended, sizeof(End), by_event)
        for i in range(started, self.started):
            for sort in range(CLASS):
                self.starts[i].before[sort] = NONE
                if self.jobs.user(self.starts[i].job) != NONE:
                    number = self._number(sort, self.starts[i].job)
                    self.starts[i].before[sort] = self.last[number]
                    self.last[number] = <int32_t> i
        for i in range(ended, self.ended):
            number = self._number(CLASS, self.ends[i].job)
            self.ends[i].before = self.last[number]
            self.last[number] = <int32_t> i
        self.event = until
        return 0

    cdef Py_ssize_t ends_until(self, int64_t event) noexcept nogil:
        """How many ends there were up to an event."""
        cdef Py_ssize_t low = 0, high = self.ended, middle
        while low < high:
            middle = (low + high) // 2
            if self.ends[middle].event <= event:
                low = middle + 1
            else:
                high = middle
        return low

    cdef int32_t last_start(self, int sort, int32_t key, int64_t event) noexcept nogil:
        """The last start with a key up to an event, NONE for none."""
        cdef int32_t at = NONE if key == NONE else self.last[key]
        while at != NONE and self.starts[at].event > event:
            at = self.starts[at].before[sort]
        return at

    cdef int32_t last_end(self, int32_t key, int64_t event) noexcept nogil:
        """The last end with a key up to an event, NONE for none."""
        cdef int32_t at = NONE if key == NONE else self.last[key]
        while at != NONE and self.ends[at].event > event:
            at = self.ends[at].before
        return at
