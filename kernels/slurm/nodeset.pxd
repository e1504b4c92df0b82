"""Sets of nodes as words of 64 bits."""

from shadowtime.kernels.core.types cimport uint64_t


cdef class NodeSet:
    cdef uint64_t *words
    cdef Py_ssize_t length      # words

    cdef NodeSet copy(self)
    cdef void assign(self, NodeSet other) noexcept
    cdef void clear(self) noexcept
    cdef void fill(self, Py_ssize_t nodes) noexcept
    cdef bint has(self, Py_ssize_t node) noexcept
    cdef void put(self, Py_ssize_t node, bint inside) noexcept
    cdef void keep(self, NodeSet other) noexcept
    cdef void drop(self, NodeSet other) noexcept
    cdef void join(self, NodeSet other) noexcept
    cdef bint meets(self, NodeSet other) noexcept
    cdef bint within(self, NodeSet other) noexcept
    cdef bint same(self, NodeSet other) noexcept
    cdef bint empty(self) noexcept
    cdef bint holds(self, Py_ssize_t nodes) noexcept
    cdef Py_ssize_t count(self) noexcept
    cdef Py_ssize_t following(self, Py_ssize_t node) noexcept
    cdef Py_ssize_t run_end(self, Py_ssize_t node) noexcept
    cdef object number(self)


cdef NodeSet set_of(Py_ssize_t nodes, object number)
