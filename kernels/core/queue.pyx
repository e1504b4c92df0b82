"""The waiting jobs, in order of arrival, as columns with minima for blocks of 32 positions.

Removing a job leaves an empty position, so positions stay put during a pass; only an append or an insertion may
lay the queue out anew. A scan for jobs that fit reads one minimum for 32 jobs.
"""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.core.memory cimport resized, take_bytes, zeros
from shadowtime.kernels.core.types cimport FOREVER, NONE


@cython.final
cdef class Queue:
    def __cinit__(self, Py_ssize_t jobs):
        self._narrowest = NOBODY
        # A runner that meets few jobs, as a forecast, takes memory for few.
        self.place = <int32_t *> zeros(jobs, sizeof(int32_t))
        self._relay(BLOCK)

    def __dealloc__(self):
        free(self.job)
        free(self.size)
        free(self.estimate)
        free(self.reserved)
        free(self.slot)
        free(self.least_size)
        free(self.least_estimate)
        free(self.place)

    cdef int _relay(self, Py_ssize_t capacity) except -1 nogil:
        """Close the empty positions, and have room for `capacity` of them."""
        cdef Py_ssize_t at, to = 0
        capacity = max((capacity + BLOCK - 1) // BLOCK * BLOCK, self.capacity)
        if capacity > self.capacity:
            self.job = <job_t *> resized(self.job, capacity * sizeof(job_t))
            self.size = <nodes_t *> resized(self.size, capacity * sizeof(nodes_t))
            self.estimate = <seconds_t *> resized(self.estimate, capacity * sizeof(seconds_t))
            self.reserved = <seconds_t *> resized(self.reserved, capacity * sizeof(seconds_t))
            self.slot = <int32_t *> resized(self.slot, capacity * sizeof(int32_t))
            self.least_size = <nodes_t *> resized(self.least_size, capacity // BLOCK * sizeof(nodes_t))
            self.least_estimate = <seconds_t *> resized(
                self.least_estimate, capacity // BLOCK * sizeof(seconds_t))
            self.capacity = capacity
        for at in range(self.first, self.tail):
            if self.job[at] == NONE:
                continue
            self.job[to] = self.job[at]
            self.size[to] = self.size[at]
            self.estimate[to] = self.estimate[at]
            self.reserved[to] = self.reserved[at]
            self.slot[to] = self.slot[at]
            to += 1
        self.first = 0
        self.tail = to
        self._index()
        return 0

    cdef void _index(self) noexcept nogil:
        """Everything that follows from the columns: places and minima."""
        cdef Py_ssize_t at, block
        for at in range(self.first, self.tail):
            self.place[self.job[at]] = <int32_t> at
        for block in range((self.tail + BLOCK - 1) // BLOCK):
            self._measure(block)
        self._stale = True

    cdef void _measure(self, Py_ssize_t block) noexcept nogil:
        cdef Py_ssize_t at, last = min((block + 1) * BLOCK, self.tail)
        cdef nodes_t size = NOBODY
        cdef seconds_t estimate = FOREVER
        for at in range(max(block * BLOCK, self.first), last):
            if self.size[at] < size:
                size = self.size[at]
            if self.estimate[at] < estimate:
                estimate = self.estimate[at]
        self.least_size[block] = size
        self.least_estimate[block] = estimate

    cdef int append(self, job_t job, nodes_t size, seconds_t estimate) except -1 nogil:
        """Put a job at the end."""
        cdef Py_ssize_t at, block
        if self.tail == self.capacity or self.tail - self.first > 2 * self.live + BLOCK:
            # Closing up pays when it frees half; otherwise the columns double.
            self._relay(self.capacity if 2 * self.live < self.capacity else 2 * self.capacity)
        at = self.tail
        self.tail = at + 1
        self.live += 1
        self.estimates += estimate
        self.job[at] = job
        self.size[at] = size
        self.estimate[at] = estimate
        self.reserved[at] = FOREVER
        self.slot[at] = NONE
        self.place[job] = <int32_t> at
        block = at // BLOCK
        if at % BLOCK == 0:
            self.least_size[block] = size
            self.least_estimate[block] = estimate
        else:
            self.least_size[block] = min(self.least_size[block], size)
            self.least_estimate[block] = min(self.least_estimate[block], estimate)
        self._narrowest = min(self._narrowest, size)
        return 0

    cdef int insert(self, job_t job, nodes_t size, seconds_t estimate, int32_t slot, Py_ssize_t rank) except -1 nogil:
        """Put an interrupted job before the one that is number `rank` (from 0) of the waiting; linear: it is rare."""
        cdef Py_ssize_t at
        self.stirred += 1
        self._relay(self.live + 1)
        for at in range(self.tail, rank, -1):
            self.job[at] = self.job[at - 1]
            self.size[at] = self.size[at - 1]
            self.estimate[at] = self.estimate[at - 1]
            self.reserved[at] = self.reserved[at - 1]
            self.slot[at] = self.slot[at - 1]
        self.job[rank] = job
        self.size[rank] = size
        self.estimate[rank] = estimate
        self.reserved[rank] = FOREVER
        self.slot[rank] = slot
        self.tail += 1
        self.live += 1
        self.estimates += estimate
        self._index()
        return 0

    cdef void remove(self, Py_ssize_t at) noexcept nogil:
        """Leave position `at` empty; the head moves on where it was the head's."""
        cdef nodes_t size = self.size[at]
        cdef seconds_t estimate = self.estimate[at]
        cdef Py_ssize_t block = at // BLOCK
        self.job[at] = NONE
        self.size[at] = NOBODY
        self.estimate[at] = FOREVER
        self.reserved[at] = FOREVER
        self.live -= 1
        self.estimates -= estimate
        if size == self._narrowest:
            self._stale = True
        if self.live == 0:
            self.first = self.tail = 0
            self._narrowest = NOBODY
            self._stale = False
            return
        if at == self.first:
            while self.job[self.first] == NONE:
                self.first += 1
        if size == self.least_size[block] or estimate == self.least_estimate[block]:
            self._measure(block)

    cdef void _find_narrowest(self) noexcept nogil:
        cdef Py_ssize_t block
        self._narrowest = NOBODY
        for block in range(self.first // BLOCK, (self.tail + BLOCK - 1) // BLOCK):
            self._narrowest = min(self._narrowest, self.least_size[block])
        self._stale = False

    # A copy holds the waiting only, without empty positions. A plain one leaves out sizes and estimates: they are
    # the job table's, unless an interrupted job waits with what is left of its estimate.
    cdef size_t bytes(self, bint plain) noexcept nogil:
        cdef size_t wide = sizeof(job_t) + sizeof(seconds_t)
        if not plain:
            wide += sizeof(seconds_t) + sizeof(nodes_t) + sizeof(int32_t)
        return 2 * sizeof(Py_ssize_t) + self.live * wide

    cdef char *save(self, char *to, bint plain) noexcept nogil:
        cdef Py_ssize_t at, n = self.live, i = 0
        cdef seconds_t *reserved = <seconds_t *> (to + 2 * sizeof(Py_ssize_t))
        cdef seconds_t *estimates = reserved + n
        cdef job_t *jobs = <job_t *> (reserved + n if plain else estimates + n)
        cdef nodes_t *sizes = <nodes_t *> (jobs + n)
        cdef int32_t *slots = <int32_t *> (sizes + n)
        (<Py_ssize_t *> to)[0] = n
        (<Py_ssize_t *> to)[1] = plain
        for at in range(self.first, self.tail):
            if self.job[at] == NONE:
                continue
            reserved[i] = self.reserved[at]
            jobs[i] = self.job[at]
            if not plain:
                estimates[i] = self.estimate[at]
                sizes[i] = self.size[at]
                slots[i] = self.slot[at]
            i += 1
        return <char *> (jobs + n if plain else slots + n)

    cdef const char *load(self, const char *source, const nodes_t *size, const seconds_t *estimate) \
            except NULL nogil:
        cdef Py_ssize_t at, n = (<const Py_ssize_t *> source)[0]
        cdef bint plain = (<const Py_ssize_t *> source)[1]
        cdef const char *column = source + 2 * sizeof(Py_ssize_t)
        self.stirred += 1
        self.first = self.tail = self.live = 0
        self._relay(n)
        column = take_bytes(column, self.reserved, n * sizeof(seconds_t))
        if not plain:
            column = take_bytes(column, self.estimate, n * sizeof(seconds_t))
        column = take_bytes(column, self.job, n * sizeof(job_t))
        if plain:
            for at in range(n):
                self.size[at] = size[self.job[at]]
                self.estimate[at] = estimate[self.job[at]]
                self.slot[at] = NONE
        else:
            column = take_bytes(column, self.size, n * sizeof(nodes_t))
            column = take_bytes(column, self.slot, n * sizeof(int32_t))
        self.live = self.tail = n
        self.estimates = 0
        for at in range(n):
            self.estimates += self.estimate[at]
        self._index()
        return column
