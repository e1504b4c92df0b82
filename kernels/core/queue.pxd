"""The waiting jobs, in order of arrival."""

cimport cython

from shadowtime.kernels.core.types cimport NONE, int32_t, int64_t, job_t, nodes_t, seconds_t

cdef enum:
    BLOCK = 32          # positions a block: one minimum of size and one of estimate stand for so many
    NOBODY = 0x7FFFFFFF     # the size at an empty position: fits nowhere


@cython.final
cdef class Queue:
    """Positions first .. tail - 1, in order of arrival; a job that left leaves an empty position behind."""
    cdef job_t *job             # job_t[capacity]: the job at a position, NONE where it left
    cdef nodes_t *size          # nodes_t[capacity]: its size, NOBODY where it left
    cdef seconds_t *estimate    # seconds_t[capacity]: its estimate (what is left of it), FOREVER where it left
    cdef seconds_t *reserved    # seconds_t[capacity]: start of its reservation, FOREVER for none
    cdef int32_t *slot          # int32[capacity]: the active slot of an interrupted job, NONE for a new one
    cdef nodes_t *least_size    # nodes_t[capacity / BLOCK]: least size in a block
    cdef seconds_t *least_estimate  # seconds_t[capacity / BLOCK]
    # int32[jobs]: the position of a waiting job, -2 - slot of an active one; true only where what stands there
    # names the job, since going back leaves old entries.
    cdef int32_t *place
    cdef Py_ssize_t first       # position of the head; tail when nobody waits
    cdef Py_ssize_t tail        # one past the last position in use
    cdef Py_ssize_t live        # jobs that wait
    cdef int64_t estimates      # the sum of their estimates; the job table sees to it that it cannot overflow
    cdef Py_ssize_t capacity    # a multiple of BLOCK
    cdef int64_t stirred        # how often anything but an arrival came: not part of the state
    cdef nodes_t _narrowest     # least size of all, valid unless _stale
    cdef bint _stale

    cdef int append(self, job_t job, nodes_t size, seconds_t estimate) except -1 nogil
    cdef int insert(self, job_t job, nodes_t size, seconds_t estimate, int32_t slot, Py_ssize_t rank) except -1 nogil
    cdef void remove(self, Py_ssize_t at) noexcept nogil
    cdef void _find_narrowest(self) noexcept nogil
    cdef int _relay(self, Py_ssize_t capacity) except -1 nogil
    cdef void _index(self) noexcept nogil
    cdef void _measure(self, Py_ssize_t block) noexcept nogil
    cdef size_t bytes(self, bint plain) noexcept nogil
    cdef char *save(self, char *to, bint plain) noexcept nogil
    cdef const char *load(self, const char *source, const nodes_t *size, const seconds_t *estimate) \
        except NULL nogil

    # Asked in nearly every event: inlined.
    cdef inline Py_ssize_t find(self, job_t job) noexcept nogil:
        """The position of a waiting job, NONE when it does not wait."""
        cdef Py_ssize_t at = self.place[job]
        return at if self.first <= at < self.tail and self.job[at] == job else NONE

    cdef inline nodes_t narrowest(self) noexcept nogil:
        """The least size among the waiting, NOBODY when there is none."""
        if self._stale:
            self._find_narrowest()
        return self._narrowest
