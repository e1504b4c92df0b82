"""Sets of nodes as words of 64 bits."""

cimport cython

from shadowtime.kernels.core.types cimport uint64_t


@cython.final
cdef class NodeSet:
    cdef uint64_t *words
    cdef Py_ssize_t length      # words

    cdef NodeSet copy(self)
    cdef void assign(self, NodeSet other) noexcept
    cdef void clear(self) noexcept
    cdef void fill(self, Py_ssize_t nodes) noexcept

    cdef inline bint has(self, Py_ssize_t node) noexcept:
        return self.words[node >> 6] >> (node & 63) & 1

    cdef inline void put(self, Py_ssize_t node, bint inside) noexcept:
        """Make a node a member, or not."""
        cdef uint64_t bit = <uint64_t> 1 << (node & 63)
        if inside:
            self.words[node >> 6] |= bit
        else:
            self.words[node >> 6] &= ~bit

    cdef void keep(self, NodeSet other) noexcept
    cdef void drop(self, NodeSet other) noexcept
    cdef void join(self, NodeSet other) noexcept
    cdef bint meets(self, NodeSet other) noexcept
    cdef bint shares(self, NodeSet other, Py_ssize_t nodes) noexcept
    cdef bint within(self, NodeSet other) noexcept
    cdef bint same(self, NodeSet other) noexcept
    cdef bint empty(self) noexcept
    cdef bint holds(self, Py_ssize_t nodes) noexcept
    cdef Py_ssize_t count(self) noexcept
    cdef Py_ssize_t following(self, Py_ssize_t node) noexcept
    cdef Py_ssize_t run_end(self, Py_ssize_t node) noexcept
    cdef object number(self)


cdef NodeSet set_of(Py_ssize_t nodes, object number)
