"""Sets of nodes as words of 64 bits; outside the kernel a set is a whole number whose bit i is the node of index i."""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from shadowtime.kernels.core.memory cimport zeros
from shadowtime.kernels.core.types cimport uint64_t

cdef extern from *:
    """
    #define SHADOWTIME_ONES(word) __builtin_popcountll(word)
    #define SHADOWTIME_LOWEST(word) __builtin_ctzll(word)
    """
    Py_ssize_t ones "SHADOWTIME_ONES"(uint64_t word) noexcept nogil
    Py_ssize_t lowest "SHADOWTIME_LOWEST"(uint64_t word) noexcept nogil


@cython.final
cdef class NodeSet:
    """Some nodes of a machine; all sets of one machine have the same length."""

    def __cinit__(self, Py_ssize_t length):
        self.length = length
        self.words = <uint64_t *> zeros(length, sizeof(uint64_t))

    def __dealloc__(self):
        free(self.words)

    cdef NodeSet copy(self):
        cdef NodeSet made = NodeSet(self.length)
        made.assign(self)
        return made

    cdef void assign(self, NodeSet other) noexcept:
        memcpy(self.words, other.words, self.length * sizeof(uint64_t))

    cdef void clear(self) noexcept:
        memset(self.words, 0, self.length * sizeof(uint64_t))

    cdef void fill(self, Py_ssize_t nodes) noexcept:
        """All nodes up to a number of them."""
        cdef Py_ssize_t node
        self.clear()
        for node in range(nodes):
            self.put(node, True)

    cdef void keep(self, NodeSet other) noexcept:
        """Keep the members that the other set has, too."""
        cdef Py_ssize_t i
        for i in range(self.length):
            self.words[i] &= other.words[i]

    cdef void drop(self, NodeSet other) noexcept:
        """Take the members of the other set out."""
        cdef Py_ssize_t i
        for i in range(self.length):
            self.words[i] &= ~other.words[i]

    cdef void join(self, NodeSet other) noexcept:
        """Add the members of the other set."""
        cdef Py_ssize_t i
        for i in range(self.length):
            self.words[i] |= other.words[i]

    cdef bint meets(self, NodeSet other) noexcept:
        """Whether both sets have a node."""
        cdef Py_ssize_t i
        for i in range(self.length):
            if self.words[i] & other.words[i]:
                return True
        return False

    cdef bint shares(self, NodeSet other, Py_ssize_t nodes) noexcept:
        """Whether the sets have so many members in common, at least 1."""
        cdef Py_ssize_t i
        for i in range(self.length):
            if self.words[i] & other.words[i]:
                nodes -= ones(self.words[i] & other.words[i])
                if nodes <= 0:
                    return True
        return False

    cdef bint within(self, NodeSet other) noexcept:
        """Whether the other set has every member."""
        cdef Py_ssize_t i
        for i in range(self.length):
            if self.words[i] & ~other.words[i]:
                return False
        return True

    cdef bint same(self, NodeSet other) noexcept:
        return memcmp(self.words, other.words, self.length * sizeof(uint64_t)) == 0

    cdef bint empty(self) noexcept:
        cdef Py_ssize_t i
        for i in range(self.length):
            if self.words[i]:
                return False
        return True

    cdef bint holds(self, Py_ssize_t nodes) noexcept:
        """Whether the set has so many members."""
        cdef Py_ssize_t i, found = 0
        for i in range(self.length):
            if self.words[i]:
                found += ones(self.words[i])
                if found >= nodes:
                    return True
        return found >= nodes

    cdef Py_ssize_t count(self) noexcept:
        cdef Py_ssize_t i, found = 0
        for i in range(self.length):
            if self.words[i]:
                found += ones(self.words[i])
        return found

    cdef Py_ssize_t following(self, Py_ssize_t node) noexcept:
        """The first member from a node on, -1 if no member follows."""
        cdef Py_ssize_t i = node >> 6
        cdef uint64_t word
        if i >= self.length:
            return -1
        word = self.words[i] >> (node & 63)
        if word:
            return node + lowest(word)
        for i in range(i + 1, self.length):
            if self.words[i]:
                return 64 * i + lowest(self.words[i])
        return -1

    cdef Py_ssize_t run_end(self, Py_ssize_t node) noexcept:
        """The first node from a member on that is no member."""
        cdef Py_ssize_t i = node >> 6
        cdef uint64_t word = ~self.words[i] >> (node & 63)
        if word:
            return node + lowest(word)
        for i in range(i + 1, self.length):
            if ~self.words[i]:
                return 64 * i + lowest(~self.words[i])
        return 64 * self.length

    cdef object number(self):
        """The set as a whole number."""
        cdef Py_ssize_t i, j
        cdef bytes made = PyBytes_FromStringAndSize(NULL, 8 * self.length)
        cdef unsigned char *octets = <unsigned char *> PyBytes_AS_STRING(made)
        for i in range(self.length):
            for j in range(8):
                octets[8 * i + j] = self.words[i] >> (8 * j) & 255
        return int.from_bytes(made, "little")


def numbered(places, Py_ssize_t nodes):
    """Return the set of some of so many nodes as a whole number; `places`: their indexes."""
    cdef NodeSet made = NodeSet((nodes + 63) // 64)
    cdef Py_ssize_t place
    for place in places:
        if not 0 <= place < nodes:
            raise IndexError(place)
        made.put(place, True)
    return made.number()


def members(number):
    """Return the indexes of the nodes of a set, lowest first."""
    cdef NodeSet nodes = set_of(number.bit_length(), number)
    cdef Py_ssize_t place = nodes.following(0)
    cdef list found = []
    while place >= 0:
        found.append(place)
        place = nodes.following(place + 1)
    return found


cdef NodeSet set_of(Py_ssize_t nodes, object number):
    """The set of a whole number; a negative number is as if its bits had no end."""
    cdef Py_ssize_t i, j, length = (nodes + 63) // 64
    cdef NodeSet made = NodeSet(length)
    cdef object every = 1
    cdef bytes digits = (number & ((every << nodes) - 1)).to_bytes(8 * length, "little")
    cdef const unsigned char *octets = digits
    for i in range(length):
        for j in range(8):
            made.words[i] |= <uint64_t> octets[8 * i + j] << (8 * j)
    return made
