"""What a scheduling policy is to the kernel."""

from kernels.types cimport job_t, nodes_t, seconds_t
from kernels.world cimport World


cdef class Policy:
    cdef readonly str name
    cdef readonly dict parameters
    cdef readonly bint promises     # it promises every waiting job a start in the pass of its submission

    cdef int schedule(self, World world) except -1 nogil
    cdef int released(self, World world, seconds_t until, nodes_t size) except -1 nogil
    cdef int reset(self, World world) except -1 nogil
    cdef object explain_waiting(self, World world, Py_ssize_t at)
    cdef object promise_waiting(self, World world, Py_ssize_t at)
    cdef size_t bytes(self) noexcept nogil
    cdef char *save(self, char *to) noexcept nogil
    cdef const char *load(self, const char *source) except NULL nogil


cdef job_t ending_job(World world, Py_ssize_t ending) noexcept nogil
cdef object head_blocked(World world)
cdef object pass_pending(World world, Py_ssize_t at)
