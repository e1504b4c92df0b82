"""What the running jobs hold of each node."""

from shadowtime.kernels.core.types cimport int64_t, seconds_t
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.request cimport Request

cdef struct Share:
    Py_ssize_t node
    int64_t cpus
    int64_t memory


cdef class Holding:
    cdef NodeSet nodes
    cdef Share *shares
    cdef Py_ssize_t count
    cdef list devices           # one a share: ((kind, count), ...)
    cdef dict kinds             # by which the devices are numbered; None without devices


cdef class Held:
    cdef seconds_t end, leaves, gone    # gone: when rule 2 of section 5 has it away
    cdef bint exclusive, away, suspended
    cdef Py_ssize_t capped      # which of the capped partitions it runs in, -1 for another
    cdef Holding holding
    cdef NodeSet nodes          # these four are those of `holding`
    cdef Share *shares
    cdef Py_ssize_t count
    cdef list devices
    cdef Py_ssize_t place       # in the list of jobs
    cdef object holder          # the record that it was made of


cdef class Occupancy:
    cdef Py_ssize_t count                           # nodes
    cdef object nodes
    cdef dict kinds, capped                         # capped: partition -> its number
    cdef Py_ssize_t columns                         # kinds of devices
    cdef bint memory_counts, whole_cores, capping
    cdef bint by_task                               # whether CPUs are rounded down to those of whole tasks
    cdef int64_t *cpus                              # of each node: configured, ...
    cdef int64_t *threads
    cdef int64_t *memory
    cdef int64_t *weight
    cdef int64_t *devices                           # node by node, one a kind
    cdef int64_t *cpus_held                         # ... and held
    cdef int64_t *memory_held
    cdef int64_t *devices_held
    cdef int64_t *capped_held                       # by the jobs of each capped partition, partition by partition
    cdef int64_t *jobs
    cdef int64_t *closing                           # jobs of whole nodes
    cdef NodeSet busy
    cdef Request request
    cdef int64_t *rooms[2]                          # CPUs that a node gives: in full, and no more than its tasks use
    cdef NodeSet usable, usable_capped
    cdef Py_ssize_t version                         # of the rooms

    cdef Held held(self, object holder)
    cdef Holding _holding(self, object holder)
    cdef void add(self, Held held) noexcept
    cdef void remove(self, Held held) noexcept
    cdef void suspend(self, Held held) noexcept
    cdef bint gives_as_much(self, Request request) noexcept
    cdef void forget(self, Request request) noexcept
    cdef void consider(self, Request request)
    cdef int64_t free_devices(self, Py_ssize_t node, Py_ssize_t kind) noexcept
    cdef void _change(self, Held held, int64_t sign) noexcept
    cdef void _measure(self, Py_ssize_t node) noexcept
    cdef int64_t _room(self, Py_ssize_t node, bint capped) noexcept
    cdef int64_t _by_tasks(self, int64_t cpus, bint capped) noexcept
    cdef int64_t _by_memory(self, Py_ssize_t node, int64_t cpus) noexcept
    cdef bint _has_devices(self, Py_ssize_t node) noexcept


cdef int64_t *column(Py_ssize_t size) except NULL
