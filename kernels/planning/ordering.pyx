"""Waiting jobs in another order than that of their arrival; ties always go by arrival."""

cimport cython
from libc.stdlib cimport free, qsort

from shadowtime.kernels.core.memory cimport grown
from shadowtime.kernels.core.types cimport NONE

ORDERS = ("arrival", "shortest", "longest", "widest", "narrowest")


cdef int64_t key_of(Queue queue, Py_ssize_t at, int order) noexcept nogil:
    """The key of the job at a position: ascending keys are that order."""
    return at if order == ARRIVAL else rank_of(queue.size[at], queue.estimate[at], order)


cdef int64_t rank_of(nodes_t size, seconds_t estimate, int order) noexcept nogil:
    """The key of a job in any order but that of arrival."""
    if order == SHORTEST:
        return estimate
    if order == LONGEST:
        return -estimate
    return -<int64_t> size if order == WIDEST else size


cdef int by_key(const void *left, const void *right) noexcept nogil:
    cdef const Candidate *a = <const Candidate *> left
    cdef const Candidate *b = <const Candidate *> right
    if a.key != b.key:
        return -1 if a.key < b.key else 1
    return -1 if a.tie < b.tie else 1


@cython.final
cdef class Listing:
    def __dealloc__(self):
        free(self.of)

    cdef int empty(self, Py_ssize_t room) except -1 nogil:
        """Begin anew, with room for so many."""
        self.count = 0
        self.of = <Candidate *> grown(self.of, &self.room, room, sizeof(Candidate))
        return 0

    cdef void add(self, int64_t key, Py_ssize_t at) noexcept nogil:
        self.of[self.count].key = key
        self.of[self.count].at = self.of[self.count].tie = at
        self.count += 1

    cdef void sort(self) noexcept nogil:
        if self.count > 1:
            qsort(self.of, self.count, sizeof(Candidate), by_key)

    cdef int take_all(self, Queue queue, int order, bint by_row) except -1 nogil:
        """Every waiting job, in that order; `by_row`: its arrival is its row, wherever it stands in the queue."""
        cdef Py_ssize_t at
        self.empty(queue.live)
        for at in range(queue.first, queue.tail):
            if queue.job[at] != NONE:
                self.add(0 if by_row and order == ARRIVAL else key_of(queue, at, order), at)
                if by_row:
                    self.of[self.count - 1].tie = queue.job[at]
        if order != ARRIVAL or by_row:
            self.sort()
        return 0
