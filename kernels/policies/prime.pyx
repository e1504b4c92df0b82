"""Prime and non-prime time (Feitelson & Jette 1997, section 3.1; docs/schedulers.md, section 9).

Shifts alternate. In non-prime time every job is eligible; in prime time the short ones are, and those that are neither
large nor long while enough nodes are free. The queue is scanned in order of arrival: who is not eligible is
skipped, who is and fits starts, who is and does not fit ends the scan. It goes by actual runtimes. Running
jobs cross a boundary untouched.

A pass needs little where no node came free since the last one, in the same shift: who was not eligible is not, since
free nodes only became fewer, and the job that ended the scan still ends it; so only the jobs that came are
tested, and none where the scan had ended.
"""

cimport cython

from shadowtime.kernels.core.clock cimport BOUNDARY
from shadowtime.kernels.core.decisions cimport BACKFILL, START, because
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.core.world cimport NODES_FREED
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason

cdef int ELIGIBLE = reason("eligible", "needs", "free", "runtime")
cdef int TOO_LARGE_FOR_PRIME = reason("too_large_for_prime", "needs", "free", "large", "runtime", "short",
                                      "boundary")
cdef int TOO_LONG_FOR_PRIME = reason("too_long_for_prime", "needs", "free", "runtime", "long", "short",
                                     "boundary")
cdef int PRIME_RESERVE = reason("prime_reserve", "needs", "free", "reserve", "runtime", "short", "boundary")
cdef int SCAN_ENDED = reason("scan_ended", "needs", "free", "blocker", "blocker_needs")
cdef int NO_ROOM_NOW = reason("no_room_now", "needs", "free")

LONGEST = 1 << 40   # the longest shift, in seconds: no instant can overflow


cdef inline seconds_t runtime_of(World world, Py_ssize_t at) noexcept nogil:
    """What the job at a position will take; in a forecast nobody knows better than the estimate."""
    return (world.jobs.estimate if world.forecasting else world.jobs.runtime)[world.queue.job[at]]


@cython.final
cdef class Prime(Policy):
    def __cinit__(self, name, parameters):
        self.kept, self.kept_bytes = &self.state, sizeof(PrimeState)
        if not 1 <= parameters["shift"] <= LONGEST:
            raise ValueError(f"shift is {parameters['shift']}; expected 1 to {LONGEST} seconds")
        for which in ("large", "short", "long", "reserve"):
            if parameters[which] < 0:
                raise ValueError(f"{which} is {parameters[which]}; expected 0 or more")
        self.cycle = 2 * parameters["shift"]
        if not 0 <= parameters["length"] < self.cycle:
            raise ValueError(f"length is {parameters['length']}; expected 0 to {self.cycle - 1} seconds: less than two shifts")
        self.length = parameters["length"] or parameters["shift"]
        self.phase = parameters["phase"] % self.cycle
        self.large = parameters["large"]
        self.short = parameters["short"]
        self.long = parameters["long"]
        self.reserve = parameters["reserve"]
        self.state.blocker = NONE

    cdef int reset(self, World world) except -1 nogil:
        self.state.blocker = NONE
        self.state.idle = 0
        world.at.due_kind = BOUNDARY
        return 0

    cdef seconds_t _into_cycle(self, seconds_t now) noexcept nogil:
        """How long ago prime time last began."""
        # A cycle on, so that what is divided is never below zero.
        return (now + self.cycle - self.phase) % self.cycle

    cdef bint _is_prime(self, seconds_t now) noexcept nogil:
        return self._into_cycle(now) < self.length

    cdef seconds_t _next_boundary(self, seconds_t now) noexcept nogil:
        """The first change of shift after an instant."""
        return now + (self.length if self._is_prime(now) else self.cycle) - self._into_cycle(now)

    cdef bint _is_eligible(self, World world, Py_ssize_t at, bint prime) noexcept nogil:
        """Whether the job at a position may start at all, with the nodes that are free now."""
        cdef seconds_t runtime
        if not prime:
            return True
        runtime = runtime_of(world, at)
        return runtime <= self.short or (
            world.queue.size[at] <= self.large and runtime <= self.long and world.at.free >= self.reserve)

    cdef int schedule(self, World world) except -1 nogil:
        # While jobs wait the timer stands; it has gone off when this is a new shift.
        cdef bint quiet = not world.at.changed and world.at.seen == world.at.arrivals and world.heap.count == 0
        if world.at.due == FOREVER or world.at.changed:
            self._scan(world, world.queue.first)
        elif self.state.blocker == NONE and world.at.seen < world.at.arrivals:
            self._scan(world, max(world.queue.find(world.at.seen), world.queue.first))
        # Where both kinds of shift have started nothing on an idle machine, since nodes are down, no third one will.
        self.state.idle = self.state.idle + 1 if quiet and world.heap.count == 0 else 0
        world.at.due = self._next_boundary(world.at.now) if world.queue.live and self.state.idle < 2 else FOREVER
        return 0

    cdef int _scan(self, World world, Py_ssize_t begin) except -1 nogil:
        """Start who is eligible and fits, in order of arrival from a position on."""
        cdef bint prime = self._is_prime(world.at.now)
        cdef Py_ssize_t at, tail = world.queue.tail
        self.state.blocker = NONE
        for at in range(begin, tail):
            if world.queue.job[at] == NONE or not self._is_eligible(world, at, prime):
                continue
            if world.queue.size[at] > world.at.free:
                self.state.blocker = world.queue.job[at]
                return 0
            world.decisions.add(unless_resumed(world, at, START if at == world.queue.first else BACKFILL), world.queue.job[at], ELIGIBLE,
                                world.queue.size[at], world.at.free, runtime_of(world, at))
            world.start(at, at != world.queue.first)
        return 0

    cdef int foretell(self, World world) except -1 nogil:
        # Who is eligible by the runtime may not be by the estimate: the pass that is due looks at everybody.
        world.at.changed = NODES_FREED
        return 0

    cdef object status(self, World world):
        """Whether this is prime time, and when the next shift begins."""
        return {"prime": self._is_prime(world.at.now), "boundary": self._next_boundary(world.at.now)}

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        """By a scan of this moment: the first job that it could start or that ends it settles all behind."""
        cdef bint prime = self._is_prime(world.at.now)
        cdef Py_ssize_t other
        for other in range(world.queue.first, at + 1):
            if world.queue.job[other] == NONE or not self._is_eligible(world, other, prime):
                continue
            if world.queue.size[other] <= world.at.free:
                return pass_pending(world, at)
            return because(NO_ROOM_NOW if other == at else SCAN_ENDED, world.queue.size[at], world.at.free,
                           world.queue.job[other], world.queue.size[other])
        return self._ineligible(world, at)

    cdef object _ineligible(self, World world, Py_ssize_t at):
        """Which rule of prime time the job at a position breaks."""
        cdef seconds_t runtime = runtime_of(world, at), boundary = self._next_boundary(world.at.now)
        cdef nodes_t needs = world.queue.size[at]
        if runtime > self.long:
            return because(TOO_LONG_FOR_PRIME, needs, world.at.free, runtime, self.long, self.short, boundary)
        if needs > self.large:
            return because(TOO_LARGE_FOR_PRIME, needs, world.at.free, self.large, runtime, self.short, boundary)
        return because(PRIME_RESERVE, needs, world.at.free, self.reserve, runtime, self.short, boundary)
