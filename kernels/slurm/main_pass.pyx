"""The main pass: which jobs start now, the queue taken in order (docs/slurm-cycle.md, section 12)."""

cimport cython

from shadowtime.kernels.core.types cimport int64_t
from shadowtime.kernels.slurm.bounds cimport too_wide

from itertools import islice

from shadowtime.kernels.slurm.records import Outcome, PassResult, Stop
from shadowtime.kernels.slurm.state import State
from shadowtime.kernels.slurm.trial import Trial

cdef object STARTED = Outcome.STARTED


def main_pass(cluster, depth=None):
    """Return the jobs that a pass starts, and what it closed. `depth`: only so many entries of the queue."""
    cdef Pass made = Pass(cluster)
    cdef Py_ssize_t index
    for index, entry in enumerate(islice(cluster.entries, depth)):
        made.take(index, entry)
    stopped = Stop.DEPTH if depth is not None and len(cluster.entries) > depth else None
    return PassResult(made.state.begun, made.tried, made.closings, stopped, made.state.preempted)


@cython.final
cdef class Pass:
    """What a pass has closed, and whom it has started."""

    cdef object state
    cdef object trial           # the last one, which the next task of the same array uses again
    cdef set closed             # partitions, by name, and reservations, by index
    cdef set started
    cdef list closings          # the entries that closed their partition or reservation, by index
    cdef int64_t tried

    def __cinit__(self, cluster):
        self.state, self.closed, self.started, self.closings = State(cluster), set(), set(), []

    cdef int take(self, Py_ssize_t index, object entry) except -1:
        """Try an entry; an array as often as tasks may run."""
        cdef int64_t _try
        # Only a cycle starts heterogeneous jobs: their entries may not start alone.
        if not entry.starts or entry.job in self.started:
            return 0
        for _try in range(<int64_t> entry.tries):
            if not self._once(index, entry):
                break
            self.started.add(entry.job)
        return 0

    cdef bint _once(self, Py_ssize_t index, object entry) except -1:
        """Whether the entry, or a task of it, starts."""
        what = entry.partition if entry.reservation is None else entry.reservation
        if what in self.closed or self.state.lacks_licenses(entry):
            return False
        if entry.limits and (self.state.full_of_jobs(entry) or too_wide(entry)):
            return False
        self.tried += 1
        if self.trial is None or self.trial.index != index:
            self.trial = Trial(self.state, index, entry)
        place = self.trial.in_main_pass()
        if place.reason in ("cannot be scheduled", "preempting"):
            self.closed.add(what)
            self.closings.append(index)
            if entry.reservation is None:
                self.state.close(entry.nodes)
        return place.outcome is STARTED
