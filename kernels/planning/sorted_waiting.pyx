"""The waiting jobs, kept sorted in one order from pass to pass.

A planner goes through the queue in the order of its plan in every pass; sorting anew took a fifth of its time. Blocks of 64
entries carry the least size and the least estimate in them, so that a look for jobs that can start skips most of the queue.
An arrival goes behind its equals. Whatever else changes the queue (a hold, a priority, a job that comes back, a restored copy)
has it sorted anew at the next pass: the queue counts what is put in its middle, and jobs that left show in the number of entries.
Who takes entries out when it comes to them (`lasting`) has as many of jobs that left as there are of others.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove

from shadowtime.kernels.core.memory cimport resized
from shadowtime.kernels.core.queue cimport NOBODY
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.planning.ordering cimport ARRIVAL, rank_of


@cython.final
cdef class SortedWaiting:
    def __cinit__(self):
        self.listing = Listing()

    def __dealloc__(self):
        free(self.job)
        free(self.size)
        free(self.estimate)
        free(self.filled)
        free(self.least_size)
        free(self.least_estimate)
        free(self.chain)

    cdef void forget(self) noexcept nogil:
        """The queue has become another one."""
        self.valid = False

    cdef int follow(self, Queue queue, int order, bint by_row, job_t arrivals) except -1 nogil:
        """Become the waiting jobs of the rows before `arrivals` in that order."""
        cdef Py_ssize_t at
        cdef job_t job
        if self.valid and self.order == order and self.stirred == queue.stirred:
            for job in range(self.known, arrivals):
                at = queue.find(job)
                if at != NONE:
                    self._insert(job, queue.size[at], queue.estimate[at])
            self.known = arrivals
            if self.count == queue.live or (self.lasting and self.count <= 2 * queue.live + WIDTH):
                return 0
        self._sort(queue, order, by_row)
        self.known = arrivals
        self.stirred = queue.stirred
        self.order = order
        self.valid = True
        return 0

    cdef int _sort(self, Queue queue, int order, bint by_row) except -1 nogil:
        """Begin anew: full blocks but for one place in four, which arrivals take."""
        cdef Py_ssize_t i, at, k = 0
        cdef int32_t block = NONE
        self.blocks = self.count = 0
        self.listing.take_all(queue, order, by_row)
        for i in range(self.listing.count):
            if i % (WIDTH * 3 // 4) == 0:
                self._open(self.blocks)
                block = self.chain[self.blocks - 1]
                k = 0
            at = self.listing.of[i].at
            self._put(block, k, queue.job[at], queue.size[at], queue.estimate[at])
            self.filled[block] = <int32_t> k + 1
            k += 1
        self.count = self.listing.count
        for i in range(self.blocks):
            self._measure(self.chain[i])
        return 0

    cdef void _put(self, int32_t block, Py_ssize_t k, job_t job, nodes_t size, seconds_t estimate) noexcept nogil:
        self.job[block * WIDTH + k] = job
        self.size[block * WIDTH + k] = size
        self.estimate[block * WIDTH + k] = estimate

    cdef int _open(self, Py_ssize_t i) except -1 nogil:
        """Put an empty block in front of block number i of the chain."""
        cdef Py_ssize_t room = 2 * self.room + 4, k
        cdef int32_t block
        if self.blocks == self.room:
            self.job = <job_t *> resized(self.job, room * WIDTH * sizeof(job_t))
            self.size = <nodes_t *> resized(self.size, room * WIDTH * sizeof(nodes_t))
            self.estimate = <seconds_t *> resized(self.estimate, room * WIDTH * sizeof(seconds_t))
            self.filled = <int32_t *> resized(self.filled, room * sizeof(int32_t))
            self.least_size = <nodes_t *> resized(self.least_size, room * sizeof(nodes_t))
            self.least_estimate = <seconds_t *> resized(self.least_estimate, room * sizeof(seconds_t))
            self.chain = <int32_t *> resized(self.chain, room * sizeof(int32_t))
            for k in range(self.room, room):
                self.chain[k] = <int32_t> k
            self.room = room
        block = self.chain[self.blocks]
        memmove(&self.chain[i + 1], &self.chain[i], (self.blocks - i) * sizeof(int32_t))
        self.chain[i] = block
        self.filled[block] = 0
        self.least_size[block] = NOBODY
        self.least_estimate[block] = FOREVER
        self.blocks += 1
        return 0

    cdef int _insert(self, job_t job, nodes_t size, seconds_t estimate) except -1 nogil:
        """Put a job that has just arrived behind its equals."""
        cdef Py_ssize_t low = 0, high = self.blocks, middle, k
        cdef int32_t block, other
        cdef int64_t key = rank_of(size, estimate, self.order)
        if self.blocks == 0:
            self._open(0)
            high = 1
        # The last block whose first entry comes before the job.
        if self.order == ARRIVAL:
            low = self.blocks - 1
        while self.order != ARRIVAL and high - low > 1:
            middle = (low + high) >> 1
            if self._precedes(self.chain[middle] * WIDTH, key):
                low = middle
            else:
                high = middle
        block = self.chain[low]
        if self.filled[block] == WIDTH:
            self._open(low + 1)
            other = self.chain[low + 1]
            # In order of arrival the entry goes to the end: nothing is to be moved.
            k = WIDTH if self.order == ARRIVAL else WIDTH // 2
            self.filled[other] = <int32_t> (WIDTH - k)
            self.filled[block] = <int32_t> k
            memcpy(&self.job[other * WIDTH], &self.job[block * WIDTH + k], (WIDTH - k) * sizeof(job_t))
            memcpy(&self.size[other * WIDTH], &self.size[block * WIDTH + k], (WIDTH - k) * sizeof(nodes_t))
            memcpy(&self.estimate[other * WIDTH], &self.estimate[block * WIDTH + k], (WIDTH - k) * sizeof(seconds_t))
            self._measure(block)
            self._measure(other)
            if k == WIDTH or self._precedes(other * WIDTH, key):
                block = other
        k = self.filled[block]
        while self.order != ARRIVAL and k > 0 and not self._precedes(block * WIDTH + k - 1, key):
            k -= 1
        memmove(&self.job[block * WIDTH + k + 1], &self.job[block * WIDTH + k], (self.filled[block] - k) * sizeof(job_t))
        memmove(&self.size[block * WIDTH + k + 1], &self.size[block * WIDTH + k],
                (self.filled[block] - k) * sizeof(nodes_t))
        memmove(&self.estimate[block * WIDTH + k + 1], &self.estimate[block * WIDTH + k],
                (self.filled[block] - k) * sizeof(seconds_t))
        self._put(block, k, job, size, estimate)
        self.filled[block] += 1
        self.least_size[block] = min(self.least_size[block], size)
        self.least_estimate[block] = min(self.least_estimate[block], estimate)
        self.count += 1
        return 0

    cdef bint _precedes(self, Py_ssize_t at, int64_t key) noexcept nogil:
        """Whether an entry comes before an arrival with that key."""
        return rank_of(self.size[at], self.estimate[at], self.order) <= key

    cdef void remove(self, Py_ssize_t i, Py_ssize_t k) noexcept nogil:
        """Take out entry k of block number i of the chain. Entries behind it move; a block without entries goes."""
        cdef int32_t block = self.chain[i]
        cdef Py_ssize_t at = block * WIDTH + k, behind = self.filled[block] - k - 1
        memmove(&self.job[at], &self.job[at + 1], behind * sizeof(job_t))
        memmove(&self.size[at], &self.size[at + 1], behind * sizeof(nodes_t))
        memmove(&self.estimate[at], &self.estimate[at + 1], behind * sizeof(seconds_t))
        self.filled[block] -= 1
        self.count -= 1
        if self.filled[block]:
            self._measure(block)
            return
        self.blocks -= 1
        memmove(&self.chain[i], &self.chain[i + 1], (self.blocks - i) * sizeof(int32_t))
        self.chain[self.blocks] = block

    cdef void _measure(self, int32_t block) noexcept nogil:
        cdef Py_ssize_t at
        cdef nodes_t size = NOBODY
        cdef seconds_t estimate = FOREVER
        for at in range(block * WIDTH, block * WIDTH + self.filled[block]):
            size = min(size, self.size[at])
            estimate = min(estimate, self.estimate[at])
        self.least_size[block] = size
        self.least_estimate[block] = estimate
