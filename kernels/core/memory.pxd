"""Memory for columns."""


cdef void *resized(void *column, size_t size) except NULL nogil
