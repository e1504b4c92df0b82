"""Which nodes a job gets."""

from shadowtime.kernels.core.types cimport int64_t
from shadowtime.kernels.slurm.nodeset cimport NodeSet
from shadowtime.kernels.slurm.occupancy cimport Occupancy
from shadowtime.kernels.slurm.request cimport Request

cdef struct Run:
    Py_ssize_t first, last      # nodes first to last - 1
    int64_t cpus, nodes         # those that are not required
    int64_t weight
    Py_ssize_t required         # the first required node, -1
    bint used


cdef class Choice:
    cdef Occupancy occupancy
    cdef int64_t release
    cdef Request request
    cdef NodeSet usable, taken
    cdef NodeSet breaks, cuts           # nodes whose weight is not that of the node before; for this request
    cdef int64_t *rooms                 # of the occupancy
    cdef int64_t *sums                  # rooms of all nodes before a node
    cdef Py_ssize_t summed              # version of the rooms that `sums` has
    cdef bint summed_capped
    cdef Run *runs
    cdef Py_ssize_t run_count           # -1: not those of `usable`
    cdef bint alike                     # whether all runs have one weight, and none a required node
    cdef Py_ssize_t *node               # the nodes taken, and the CPUs that each gives
    cdef int64_t *given
    cdef Py_ssize_t count
    cdef Py_ssize_t *poorest            # the usable nodes, poorest first
    cdef Py_ssize_t *begin              # where the nodes that give so many CPUs begin in it
    cdef int64_t levels
    cdef int64_t cpus, nodes, left      # still needed; how many more may be taken
    cdef int64_t richest                # no usable node gives more

    cdef bint find(self, Request request, NodeSet available, bint capped, NodeSet busy) except -1
    cdef int64_t _weight(self, Py_ssize_t node) noexcept
    cdef int _cut(self) except -1
    cdef void _add_up(self, bint capped) noexcept
    cdef bint _holds_tasks(self) noexcept
    cdef bint _first(self) noexcept
    cdef bint _without_the_poorest(self, NodeSet busy) except -1
    cdef Py_ssize_t _sort_by_room(self) except -1
    cdef bint _richest_suffice(self, Py_ssize_t members) noexcept
    cdef void _begin(self) noexcept
    cdef bint _once(self, NodeSet busy) except -1
    cdef int _in_turn(self, NodeSet busy) except -1
    cdef bint _done(self) noexcept
    cdef void _take(self, Py_ssize_t node) noexcept
    cdef void _by_runs(self) noexcept
    cdef void _find_runs(self) noexcept
    cdef void _leave_out(self, Py_ssize_t node) noexcept
    cdef void _set_run(self, Py_ssize_t place, Py_ssize_t first, Py_ssize_t last, int64_t weight) noexcept
    cdef bint _set_required_apart(self, Run *run) noexcept
    cdef bint _enough(self, Run *run) noexcept
    cdef Run *_best(self) noexcept
    cdef Run *_largest(self) noexcept
    cdef void _use(self, Run *run) noexcept
    cdef void _consider(self, Py_ssize_t node) noexcept
    cdef Py_ssize_t _tightest(self, Run *run) noexcept
    cdef int64_t _richest(self) noexcept
    cdef void _use_last(self) noexcept
    cdef bint _hopeless(self) noexcept
