"""The entries of a queue whose jobs and priorities change (docs/slurm-cycle.md, sections 2 and 13)."""

cimport cython

from shadowtime.kernels.core.types cimport int64_t


@cython.final
cdef class Line:
    """A waiting job in a partition that lets it in, and the entry that it had last."""

    cdef object job, partition, first, last
    cdef bint may_start, refusable
    cdef int64_t captured, since, plans
    cdef object entry
    cdef tuple key              # its place in the order of the queue
    cdef tuple calculation      # that of its priority

    def __init__(self, job, partition, *, bint may_start, bint refusable, tuple first, tuple last, captured, since, plans):
        """`first` and `last`: what goes before and after the priority in the order of the queue.

        `refusable`: whether a limit may keep it out. `captured`: the priority of the capture. `since`: from when
        it grows older. `plans`: how many of its tries a cycle may plan for later.
        """
        self.job, self.partition, self.first, self.last = job, partition, first, last
        self.may_start, self.refusable = may_start, refusable
        self.captured, self.since, self.plans = captured, since, plans


@cython.final
cdef class Known:
    """What of a job does not change while the job stays as it is."""

    cdef object job, since      # since: before this instant it is not in the queue
    cdef int64_t tasks
    cdef list lines

    def __init__(self, job, since=0, tasks=0, lines=()):
        self.job, self.since, self.tasks, self.lines = job, since, tasks, list(lines)


@cython.final
cdef class Growth:
    """How priorities have grown from the capture to a calculation; by `of` what age alone does not decide."""

    cdef readonly tuple calculation
    cdef int64_t first, last, weight, most
    cdef object of

    def __init__(self, calculation, first=0, last=0, weight=0, most=1, of=None):
        """`calculation`: what distinguishes it from others. Without growth all stays 0."""
        self.calculation, self.first, self.last = calculation, first, last
        self.weight, self.most, self.of = weight, max(1, most), of

    cdef int64_t priority(self, Line line) except? -1:
        if self.of is not None:
            return self.of(line.job, line.partition.name)
        if not line.captured or not self.weight:
            return line.captured
        return line.captured + self.weight * (self._age(line.since, self.last) - self._age(line.since, self.first)) // self.most

    cdef int64_t _age(self, int64_t since, int64_t at) noexcept:
        return min(self.most, max(0, at - since))


@cython.final
cdef class Lines:
    """All lines of a cluster: what a job alone decides is asked once, of `know`.

    `tries(job, tasks)` returns how often an array is tried, and how many of the tries may start.
    `refuses(job, partition)` returns whether a limit keeps a job out now. `make` makes an entry. `compared`:
    whether an entry has to be made anew for its priority.
    """

    cdef dict known
    cdef object know, refuses, make
    cdef bint compared
    cdef list last

    def __init__(self, know, refuses, make, bint compared):
        self.known, self.know, self.refuses, self.make, self.compared = {}, know, refuses, make, compared
        self.last = []

    def listed(self, tuple jobs, now, Growth growth, tries, Py_ssize_t spare):
        """Return the entries in order: the same list as before, if nothing has changed."""
        cdef Known known
        cdef Line line
        cdef list found = [], entries
        cdef int64_t priority, count, starts, may
        cdef Py_ssize_t i
        if len(self.known) > 2 * len(jobs) + spare:
            self.known.clear()
        for job in jobs:
            known = self.known.get(job.id)
            if known is None or known.job is not job:
                known = self.known[job.id] = self.know(job)
            if not known.lines or known.since > now:
                continue
            count = starts = known.tasks
            if job.array is not None:
                count, starts = tries(job, known.tasks)
                if count <= 0:
                    continue
            for line in known.lines:
                if line.refusable and self.refuses(job, line.partition):
                    continue
                may = starts if line.may_start else 0
                if line.entry is None or line.calculation != growth.calculation:
                    priority = growth.priority(line)
                    line.calculation = growth.calculation
                    if line.entry is None or -priority != line.key[1]:
                        line.key = line.first, -priority, line.last
                        if self.compared:
                            line.entry = None
                if line.entry is None or line.entry.tries != count or line.entry.starts != may:
                    line.entry = self.make(job, line.partition, -line.key[1], count, may, line.plans)
                found.append(line)
        found.sort(key=_key)
        entries = [(<Line> each).entry for each in found]
        if len(entries) == len(self.last):
            for i in range(len(entries)):
                if entries[i] is not self.last[i]:
                    break
            else:
                return self.last
        self.last = entries
        return entries


def _key(Line line):
    return line.key
