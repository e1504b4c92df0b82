"""UNICOS MAX on a flat machine (Feitelson & Jette 1997, section 4; policies.md, section 11): variable partitioning.

The queue is scanned in order of arrival and whatever fits starts, until a job that does not fit has waited for longer
than the limit: it ends the scan. Nothing happens when a job's wait reaches the limit, only at the next event.

Those who waited so long are the first in the queue, so a pass has two parts: one job by one while they are old, then
by the minima of blocks, since nobody behind ends the scan. Nothing need be remembered: where no node came free and
the first is not old, only the jobs that came are tested.
"""

cimport cython

from kernels.decisions cimport (
    BACKFILL,
    FITS_OUT_OF_ORDER,
    HEAD_FITS,
    NO_ROOM_NOW,
    START,
    WAITED_ENDS_SCAN,
    reason_data,
)
from kernels.policies.policy cimport pass_pending
from kernels.preemption cimport unless_resumed
from kernels.queue cimport BLOCK
from kernels.types cimport NONE, int64_t


@cython.final
cdef class Unicos(Policy):
    def __init__(self, name, parameters):
        Policy.__init__(self, name, parameters)
        if parameters["limit"] < 0:
            raise ValueError(f"limit is {parameters['limit']}; expected 0 or more seconds")
        self.limit = parameters["limit"]

    cdef bint _holds_back(self, World world, Py_ssize_t at) noexcept nogil:
        """Whether the job at a position has waited so long that it ends the scan if it does not fit."""
        return world.at.now - world.jobs.submit[world.queue.job[at]] > self.limit

    cdef int schedule(self, World world) except -1 nogil:
        cdef Py_ssize_t young = self._scan_old(world)
        if young == NONE or world.at.free == 0:
            return 0
        if not world.at.freed:
            # Nobody who was refused fits now; those that came are the last of the queue.
            if world.at.seen == world.at.arrivals:
                return 0
            young = max(young, world.queue.find(world.at.seen))
        return self._scan_young(world, young)

    cdef int _start(self, World world, Py_ssize_t at) except -1 nogil:
        """Start the job at a position, which fits."""
        cdef Py_ssize_t first = world.queue.first
        if at == first:
            world.decisions.add(unless_resumed(world, at, START), world.queue.job[at], HEAD_FITS, world.queue.size[at], world.at.free)
        else:
            world.decisions.add(unless_resumed(world, at, BACKFILL), world.queue.job[at], FITS_OUT_OF_ORDER, world.queue.size[at], world.at.free,
                                world.queue.job[first], world.queue.size[first])
        return world.start(at, at != first)

    cdef Py_ssize_t _scan_old(self, World world) except -2 nogil:
        """Scan while jobs may end the scan; the position at which that is over, NONE where one did end it."""
        cdef Py_ssize_t at, tail = world.queue.tail
        for at in range(world.queue.first, tail):
            if world.queue.job[at] == NONE:
                continue
            if world.queue.size[at] <= world.at.free:
                self._start(world, at)
            elif self._holds_back(world, at):
                return NONE
            elif world.queue.slot[at] == NONE:
                # From here on the queue is in order of submission: nobody behind has waited longer.
                return at
        return NONE

    cdef int _scan_young(self, World world, Py_ssize_t begin) except -1 nogil:
        """Start whatever fits, from a position on."""
        cdef Py_ssize_t block, at, tail = world.queue.tail
        for block in range(begin // BLOCK, (tail + BLOCK - 1) // BLOCK):
            if world.queue.least_size[block] > world.at.free:
                continue
            for at in range(max(begin, block * BLOCK), min((block + 1) * BLOCK, tail)):
                if world.queue.size[at] <= world.at.free:
                    self._start(world, at)
        return 0

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        """By a scan of this moment: the first job that it could start or that ends it settles all behind."""
        cdef int64_t numbers[6]
        cdef Py_ssize_t other
        numbers[0] = world.queue.size[at]
        numbers[1] = world.at.free
        for other in range(world.queue.first, at + 1):
            if world.queue.job[other] == NONE:
                continue
            if world.queue.size[other] <= world.at.free:
                return pass_pending(world, at)
            if other != at and self._holds_back(world, other):
                numbers[2] = world.queue.job[other]
                numbers[3] = world.queue.size[other]
                numbers[4] = world.at.now - world.jobs.submit[world.queue.job[other]]
                numbers[5] = self.limit
                return reason_data(WAITED_ENDS_SCAN, numbers)
        return reason_data(NO_ROOM_NOW, numbers)
