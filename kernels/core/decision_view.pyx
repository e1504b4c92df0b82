"""What one event decided, as a sequence that makes a decision when it is asked for: one pass may move thousands of jobs.

A decision is (kind, job, reason, {name: number}): the job by row, -1 for none; kernels/core/decisions.pyx has the meaning
and units of the numbers.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memcpy

from shadowtime.kernels.core.decisions cimport reason_data
from shadowtime.kernels.core.memory cimport resized
from shadowtime.kernels.core.types cimport NONE, job_t

from shadowtime.kernels.core.decisions import DECISION_NAMES, REASONS

cdef enum:
    KINDS = 256                 # of decisions and of reasons, each in one byte


cdef DecisionView frozen(Decisions decisions):
    """A copy of what has been decided: the next event overwrites it."""
    cdef DecisionView made = DecisionView()
    cdef Py_ssize_t count = 0 if decisions.unread else decisions.count, size = count * sizeof(Decision)
    made.made = <Decision *> resized(NULL, max(size, 1))
    made.count = count
    if size:
        memcpy(made.made, decisions.made, size)
    return made


@cython.final
cdef class DecisionView:
    def __dealloc__(self):
        free(self.made)

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        cdef Py_ssize_t at
        cdef Decision *made
        if isinstance(place, slice):
            return [self[at] for at in range(*place.indices(self.count))]
        at = place
        if at < 0:
            at += self.count
        if at < 0 or at >= self.count:
            raise IndexError(f"there are {self.count} decisions, and none at {place}")
        made = &self.made[at]
        code, numbers = reason_data(made.reason, made.numbers)
        return DECISION_NAMES[made.kind], made.job, code, numbers

    def __eq__(self, other):
        if not isinstance(other, DecisionView):
            return NotImplemented if not isinstance(other, (list, tuple)) else list(self) == list(other)
        return len(self) == len(other) and all(mine == its for mine, its in zip(self, other))

    def __repr__(self):
        return repr(list(self))

    def jobs(self):
        """The rows of the jobs that were decided about, a frozenset."""
        cdef Py_ssize_t i
        return frozenset([self.made[i].job for i in range(self.count) if self.made[i].job != NONE])

    def of_kinds(self, kinds not None):
        """Whether any decision is of one of some kinds, by name."""
        cdef bint wanted[KINDS]
        cdef Py_ssize_t i
        for i in range(KINDS):
            wanted[i] = i < len(DECISION_NAMES) and DECISION_NAMES[i] in kinds
        for i in range(self.count):
            if wanted[self.made[i].kind]:
                return True
        return False

    def about(self, job_t job):
        """The places of the decisions about a job, by row."""
        cdef Py_ssize_t i
        return [i for i in range(self.count) if self.made[i].job == job]

    def jobless(self):
        """The places of the decisions that are about no job: about the policy, or about nodes."""
        return self.about(NONE)

    def groups(self, Py_ssize_t most):
        """The decisions about jobs by kind and reason, in order of the first of each: (kind, reason, places, count).

        `places`: of the first `most` of them; `count`: of all.
        """
        cdef Py_ssize_t i
        cdef int key
        cdef dict found = {}
        cdef list group
        for i in range(self.count):
            if self.made[i].job == NONE:
                continue
            key = self.made[i].kind * KINDS + self.made[i].reason
            if key not in found:
                found[key] = [DECISION_NAMES[self.made[i].kind], REASONS[self.made[i].reason][0], [], 0]
            group = found[key]
            if len(group[2]) < most:
                group[2].append(i)
            group[3] += 1
        return [tuple(group) for group in found.values()]
