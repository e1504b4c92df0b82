"""As much of a plan as decides who starts now.

A plan places every waiting job, in its order, at its earliest time above the running jobs; those placed at now start. A pass
needs only these, and a small part of the plan decides them:

- The *horizon* is the first moment at which fewer nodes are free than any waiting job needs. No job can run across it. So what
  is planned behind the horizon takes no room before it, and who has no place before it is left out.
- A job can start now only while its size is free throughout its length from now on. Placements only take room away: as soon as
  no job at hand or behind it could start, the pass is over. The least free nodes of each window from now on are kept
  for that, as a staircase that placements lower.
- Equal neighbours, the bags of tasks of one user, are placed together, as many as fit side by side.

Jobs planned in a pass of a whole plan, and in this one: CTC on 338 nodes under sjf 502 and 7; RICC 4,117 and 75.
"""

cimport cython
from libc.stdlib cimport free

from shadowtime.kernels.core.memory cimport grown
from shadowtime.kernels.core.types cimport FOREVER
from shadowtime.kernels.planning.sorted_waiting cimport WIDTH


@cython.final
cdef class PartialPlan:
    def __cinit__(self):
        self.profile = Profile()
        self.bounds = PlanBounds()

    def __dealloc__(self):
        free(self.due)
        free(self.windows)

    cdef int decide(self, World world, SortedWaiting waiting) except -1 nogil:
        """Find out who starts now: `due`."""
        cdef Place here, next
        cdef int32_t block, filled
        cdef nodes_t size
        cdef seconds_t length
        cdef Py_ssize_t equals
        world.lay(self.profile)
        self.bounds.begin(self.profile, world.nodes)
        self.now = world.at.now
        self.narrowest = world.queue.narrowest()
        self.due_count = self.window_count = 0
        self._measure(self.now)
        next.block = next.k = 0
        for here.block in range(<int32_t> waiting.blocks):
            block = waiting.chain[here.block]
            filled = waiting.filled[block]
            here.k = 0
            while here.k < filled and waiting.least_estimate[block] <= self.horizon - self.now:
                here.entry = block * WIDTH + here.k
                size = waiting.size[here.entry]
                length = waiting.estimate[here.entry]
                if length > self.horizon - self.now:
                    here.k += 1
                    continue
                equals = 1
                while here.k + equals < filled and waiting.size[here.entry + equals] == size \
                        and waiting.estimate[here.entry + equals] == length:
                    equals += 1
                if size <= self._free_for(length):
                    here.k += <int32_t> self._start(here, size, length, equals)
                    continue
                if next.block < here.block or (next.block == here.block and next.k < here.k):
                    next = here
                if not self._find_next(waiting, &next):
                    return 0
                self._plan(size, length, equals)
                here.k += <int32_t> equals
        return 0

    cdef nodes_t _free_for(self, seconds_t length) noexcept nogil:
        """How many nodes are free throughout that time from now on; 0 if it reaches beyond the horizon."""
        cdef Py_ssize_t i = 0
        if length > self.horizon - self.now:
            return 0
        while self.windows[i].until - self.now < length:
            i += 1
        return self.windows[i].least

    cdef bint _find_next(self, SortedWaiting waiting, Place *next) noexcept nogil:
        """Move on to the first job, here or behind, that could start now as far as is known; False if there is no such job."""
        cdef int32_t block, entry
        while next.block < waiting.blocks:
            block = waiting.chain[next.block]
            if waiting.least_size[block] <= self._free_for(waiting.least_estimate[block]):
                while next.k < waiting.filled[block]:
                    entry = block * WIDTH + next.k
                    if waiting.size[entry] <= self._free_for(waiting.estimate[entry]):
                        return True
                    next.k += 1
            next.block += 1
            next.k = 0
        return False

    cdef int _measure(self, seconds_t start) except -1 nogil:
        """Fewer nodes are free from `start` on: find the windows and the horizon anew from there."""
        cdef Py_ssize_t k = self.profile.first
        cdef nodes_t least = self.profile.free[k]
        while self.window_count and self.windows[self.window_count - 1].until > start:
            self.window_count -= 1
        if self.window_count:
            self.window_count -= 1
            least = self.windows[self.window_count].least
            k = self.profile.locate(self.windows[self.window_count].until)
        self.horizon = self.now
        while least >= self.narrowest:
            while k < self.profile.last and self.profile.free[k] >= least:
                k += 1
            if self.window_count == self.window_room:
                self.windows = <Window *> grown(self.windows, &self.window_room, self.window_count + 1, sizeof(Window))
            self.horizon = self.profile.time[k] if k < self.profile.last else FOREVER
            self.windows[self.window_count].until = self.horizon
            self.windows[self.window_count].least = least
            self.window_count += 1
            if k == self.profile.last:
                break
            least = self.profile.free[k]
        return 0

    cdef Py_ssize_t _start(self, Place place, nodes_t size, seconds_t length, Py_ssize_t equals) except -1 nogil:
        """Start as many of these equal jobs as fit; returns how many."""
        cdef Py_ssize_t _each
        equals = min(equals, self._free_for(length) // size)
        self.due = <Place *> grown(self.due, &self.due_room, self.due_count + equals, sizeof(Place))
        for _each in range(equals):
            self.due[self.due_count] = place
            self.due_count += 1
            place.k += 1
            place.entry += 1
        self.profile.change(self.now, self.now + length, -<nodes_t> equals * size)
        self._measure(self.now)
        return equals

    cdef int _plan(self, nodes_t size, seconds_t length, Py_ssize_t equals) except -1 nogil:
        """Place these equal jobs, none of which starts now, as far as they have a place before the horizon."""
        cdef seconds_t start
        cdef Py_ssize_t together
        start = self.bounds.least(self.profile, size, length, self.horizon)
        while equals and start + length <= self.horizon:
            start = self.profile.whole(start, self.horizon, size, length)
            if start == FOREVER:
                return 0
            together = min(equals, self.profile.least_free(start, start + length) // size)
            self.profile.change(start, start + length, -<nodes_t> together * size)
            equals -= together
            self._measure(start)
        return 0
