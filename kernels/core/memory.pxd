"""Memory for columns, bytes of copies, and the place of a job in rows by job."""

from libc.string cimport memcpy

from shadowtime.kernels.core.types cimport job_t


cdef void *zeros(Py_ssize_t count, size_t width) except NULL nogil
cdef void *resized(void *column, size_t size) except NULL nogil
cdef void *grown(void *column, Py_ssize_t *room, Py_ssize_t wanted, size_t width) except NULL nogil
cdef Py_ssize_t place_of(const void *rows, Py_ssize_t count, size_t width, job_t job) noexcept nogil


cdef inline char *put_bytes(char *to, const void *what, size_t size) noexcept nogil:
    """Write bytes; returns where the next ones go."""
    memcpy(to, what, size)
    return to + size


cdef inline const char *take_bytes(const char *source, void *what, size_t size) noexcept nogil:
    """Read bytes into `what`; returns where the next ones are."""
    memcpy(what, source, size)
    return source + size
