"""What happened to each job: columns written once.

Going back in time does not clear them: whoever reads asks the world first whether the event has happened yet. A
run from an earlier copy writes the same values again.
"""

cimport cython
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset


@cython.final
cdef class Results:
    def __cinit__(self, Py_ssize_t count, bint clear):
        """Columns of `count` rows. Without `clear` the untouched rows hold anything: a forecast reads only what it
        wrote, and the pages that it never touches cost nothing."""
        cdef size_t wide = max(count, 1) * sizeof(int64_t)
        self.count = count
        self.start = <seconds_t *> malloc(wide)
        self.finish = <seconds_t *> malloc(wide)
        self.promised = <seconds_t *> malloc(wide)
        self.submit_event = <int64_t *> malloc(wide)
        self.start_event = <int64_t *> malloc(wide)
        self.finish_event = <int64_t *> malloc(wide)
        self.preemptions = <int32_t *> calloc(max(count, 1), sizeof(int32_t))
        self.backfilled = <uint8_t *> calloc(max(count, 1), 1)
        if (self.start == NULL or self.finish == NULL or self.promised == NULL or self.submit_event == NULL
                or self.start_event == NULL or self.finish_event == NULL or self.preemptions == NULL
                or self.backfilled == NULL):
            raise MemoryError
        if clear:
            memset(self.start, 0xFF, wide)
            memset(self.finish, 0xFF, wide)
            memset(self.promised, 0xFF, wide)
            memset(self.submit_event, 0xFF, wide)
            memset(self.start_event, 0xFF, wide)
            memset(self.finish_event, 0xFF, wide)

    def __dealloc__(self):
        free(self.start)
        free(self.finish)
        free(self.promised)
        free(self.submit_event)
        free(self.start_event)
        free(self.finish_event)
        free(self.preemptions)
        free(self.backfilled)
