"""The front end: batch jobs queue in NQS, which releases them to the scheduler (Feitelson & Jette 1997, Table 2).

A batch job (of any class but interactive and debug) enters on arrival the queue of the smallest processor limit that
holds it, among these the one of the shortest time limit that its estimate does not pass; one that no queue takes is refused.
In order of arrival a job is released if with it the limits hold: of its user in all queues and in its own, of jobs and
processors in all queues and in its own; others are passed over. Jobs that were released and are not over count.

Released jobs come before the machine as if they were submitted then. Starred limits have one value by day (07 to 18
h of every day) and one by night; a job without a user has no user's limit.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memmove

from shadowtime.kernels.core.decisions cimport reason_data
from shadowtime.kernels.core.jobs cimport DEBUG, INTERACTIVE
from shadowtime.kernels.core.memory cimport grown, place_of, put_bytes, take_bytes
from shadowtime.kernels.core.types cimport NONE

from shadowtime.kernels.core.decisions import reason

cdef int NQS_USER = reason("nqs_user", "needs", "free", "in_use", "limit")
cdef int NQS_QUEUE_USER = reason("nqs_queue_user", "needs", "free", "in_use", "limit", "queue")
cdef int NQS_RUN = reason("nqs_run", "needs", "free", "in_use", "limit")
cdef int NQS_QUEUE_RUN = reason("nqs_queue_run", "needs", "free", "in_use", "limit", "queue")
cdef int NQS_PROCESSORS = reason("nqs_processors", "needs", "free", "in_use", "limit")
cdef int NQS_AGGREGATE = reason("nqs_aggregate", "needs", "free", "in_use", "limit", "queue")

NQS_QUEUES = ("pe32", "pe64", "pe64_long", "pe128_short", "pe128", "pe256_short", "pe256")

HOUR = 3600

# Of all queues: (released jobs of a user, released jobs, their processors in each period).
GLOBAL = {"before": (2, 8, (256, 96, 96, 192)), "after": (5, 20, (512, 320, 256, 320))}

# Of each queue: (processors and estimate of a job, then of a user, of all and of their processors: by day, by night).
LIMITS = {
    "before": (
        (32, 4 * HOUR, (1, 1), (4, 4), (128, 128)),
        (64, 4 * HOUR, (1, 1), (3, 3), (192, 192)),
        (64, 19 * HOUR, (2, 2), (2, 2), (96, 96)),
        (128, 900, (1, 1), (4, 4), (128, 128)),
        (128, 4 * HOUR, (1, 1), (1, 1), (128, 128)),
        (256, 900, (1, 1), (1, 1), (256, 256)),
        (256, 4 * HOUR, (1, 1), (1, 1), (256, 256)),
    ),
    "after": (
        (32, 4 * HOUR, (3, 3), (8, 8), (128, 128)),
        (64, 4 * HOUR, (2, 2), (2, 3), (128, 192)),
        (128, 40 * HOUR, (2, 2), (2, 2), (96, 128)),
        (128, 900, (1, 1), (4, 4), (128, 128)),
        (128, 4 * HOUR, (0, 2), (1, 1), (0, 256)),
        (256, 900, (0, 1), (1, 1), (0, 256)),
        (256, 4 * HOUR, (0, 1), (1, 1), (0, 256)),
    ),
}


@cython.final
cdef class Nqs:
    def __cinit__(self, limits=None, seconds_t epoch=0):
        self.open = limits is not None
        self.epoch = epoch
        if not self.open:
            return
        self.user, self.run, processors = GLOBAL[limits]
        for period in range(PERIODS):
            self.processors[period] = processors[period]
        for queue, (most, longest, user, run, aggregate) in enumerate(LIMITS[limits]):
            self.queues[queue].processors = most
            self.queues[queue].longest = longest
            for night in range(2):
                self.queues[queue].user[night] = user[night]
                self.queues[queue].run[night] = run[night]
                self.queues[queue].aggregate[night] = aggregate[night]

    def __dealloc__(self):
        free(self.held)
        free(self.released)

    cdef bint takes(self, World world, job_t job) noexcept nogil:
        """Whether a job that arrives has to queue here."""
        return self.open and world.jobs.service(job) != INTERACTIVE and world.jobs.service(job) != DEBUG

    cdef int queue_for(self, World world, job_t job) noexcept nogil:
        """The queue that a job enters, NONE where none takes it."""
        cdef int queue, best = NONE
        cdef QueueLimits *limits
        for queue in range(QUEUES):
            limits = &self.queues[queue]
            if world.jobs.size[job] > limits.processors or world.jobs.estimate[job] > limits.longest:
                continue
            if (best == NONE or limits.processors < self.queues[best].processors
                    or (limits.processors == self.queues[best].processors
                        and limits.longest < self.queues[best].longest)):
                best = queue
        return best

    cdef seconds_t longest_for(self, nodes_t size) noexcept nogil:
        """The longest estimate that any queue takes of a job of that size."""
        cdef int queue
        cdef seconds_t longest = 0
        for queue in range(QUEUES):
            if size <= self.queues[queue].processors:
                longest = max(longest, self.queues[queue].longest)
        return longest

    cdef int _reserve(self, Py_ssize_t held, Py_ssize_t active) except -1 nogil:
        """Have room for so many jobs that are held, and that are released."""
        self.held = <Held *> grown(self.held, &self.room, held, sizeof(Held))
        self.released = <Released *> grown(self.released, &self.space, active, sizeof(Released))
        return 0

    cdef int hold(self, job_t job, int queue, int service) except -1 nogil:
        """A job enters its queue."""
        self._reserve(self.count + 1, 0)
        self.held[self.count].job = job
        self.held[self.count].queue = queue
        self.held[self.count].service = service
        self.count += 1
        return 0

    cdef Held *find(self, job_t job) noexcept nogil:
        """A job that is held; NULL where it is not."""
        cdef Py_ssize_t i = place_of(self.held, self.count, sizeof(Held), job)
        return &self.held[i] if i < self.count and self.held[i].job == job else NULL

    cdef int _period(self, seconds_t now) noexcept nogil:
        cdef seconds_t time = (now + self.epoch) % 86400
        if time < 7 * 3600:
            return 0 if time < 4 * 3600 else 1
        return 2 if time < 18 * 3600 else 3

    cdef seconds_t next_period(self, seconds_t now) noexcept nogil:
        """The first instant after this one at which other limits may be in force."""
        cdef seconds_t begun = now - (now + self.epoch) % 86400
        cdef int period = self._period(now)
        if period == 0:
            return begun + 4 * 3600
        if period == 1:
            return begun + 7 * 3600
        return begun + 18 * 3600 if period == 2 else begun + 86400

    cdef int binding(self, World world, const Held *held, int64_t *numbers) noexcept nogil:
        """The limit that a job of the queues would pass if it were released, NONE where there is none.

        `numbers` gets processors that it needs and idle ones, what counts already, the limit and the queue.
        """
        cdef QueueLimits *limits = &self.queues[held.queue]
        cdef int period = self._period(world.at.now), night = period != 2
        cdef nodes_t size = world.jobs.size[held.job], processors = 0, aggregate = 0
        cdef int32_t user = world.jobs.user(held.job), of_user = 0, in_queue = 0, of_user_in_queue = 0
        cdef Py_ssize_t i
        cdef bint same_user
        for i in range(self.active):
            processors += world.jobs.size[self.released[i].job]
            same_user = user != NONE and world.jobs.user(self.released[i].job) == user
            of_user += same_user
            if self.released[i].queue == held.queue:
                aggregate += world.jobs.size[self.released[i].job]
                in_queue += 1
                of_user_in_queue += same_user
        numbers[0] = size
        numbers[1] = world.at.free
        numbers[4] = held.queue
        if user != NONE and exceeds(of_user, 1, self.user, numbers):
            return NQS_USER
        if user != NONE and exceeds(of_user_in_queue, 1, limits.user[night], numbers):
            return NQS_QUEUE_USER
        if exceeds(<int32_t> self.active, 1, self.run, numbers):
            return NQS_RUN
        if exceeds(in_queue, 1, limits.run[night], numbers):
            return NQS_QUEUE_RUN
        if exceeds(processors, size, self.processors[period], numbers):
            return NQS_PROCESSORS
        if exceeds(aggregate, size, limits.aggregate[night], numbers):
            return NQS_AGGREGATE
        return NONE

    cdef bint may_release(self, World world) noexcept nogil:
        """Whether the limits let any job through now."""
        cdef int64_t numbers[6]
        cdef Py_ssize_t i
        for i in range(self.count):
            if self.binding(world, &self.held[i], numbers) == NONE:
                return True
        return False

    cdef bint release(self, World world, Py_ssize_t *begin, Held *to) except -1 nogil:
        """Let the first job through, from place `begin` on, that the limits allow; False where there is none.

        `begin` becomes the place from which to go on: whoever was passed over would be again.
        """
        cdef int64_t numbers[6]
        cdef Py_ssize_t i
        if self.active >= self.run:
            return False
        for i in range(begin[0], self.count):
            if self.binding(world, &self.held[i], numbers) != NONE:
                continue
            to[0] = self.held[i]
            begin[0] = i
            self.count -= 1
            memmove(&self.held[i], &self.held[i + 1], (self.count - i) * sizeof(Held))
            self._reserve(0, self.active + 1)
            self.released[self.active].job = to.job
            self.released[self.active].queue = to.queue
            self.active += 1
            return True
        return False

    cdef void forget(self, job_t job) noexcept nogil:
        """A job is over, wherever it was."""
        cdef Py_ssize_t i = place_of(self.held, self.count, sizeof(Held), job)
        if i < self.count and self.held[i].job == job:
            self.count -= 1
            memmove(&self.held[i], &self.held[i + 1], (self.count - i) * sizeof(Held))
            return
        for i in range(self.active):
            if self.released[i].job == job:
                self.active -= 1
                memmove(&self.released[i], &self.released[i + 1], (self.active - i) * sizeof(Released))
                return

    cdef object explain(self, World world, Py_ssize_t at):
        """Which limit holds back the job at a position of the queue; None where none does (any more)."""
        cdef int64_t numbers[6]
        cdef Held *held = self.find(world.queue.job[at])
        cdef int code = self.binding(world, held, numbers)
        return None if code == NONE else reason_data(code, numbers)

    cdef object status(self, World world):
        """How many jobs are held and released, in all and in each queue, and until when these limits are in force."""
        held = [0] * QUEUES
        released = [0] * QUEUES
        for i in range(self.count):
            held[self.held[i].queue] += 1
        for i in range(self.active):
            released[self.released[i].queue] += 1
        return {
            "until": self.next_period(world.at.now),
            "held": sum(held),
            "released": sum(released),
            "queues": {name: {"held": held[i], "released": released[i]} for i, name in enumerate(NQS_QUEUES)},
        }

    cdef size_t bytes(self) noexcept nogil:
        return 2 * sizeof(Py_ssize_t) + self.count * sizeof(Held) + self.active * sizeof(Released)

    cdef char *save(self, char *to) noexcept nogil:
        (<Py_ssize_t *> to)[0] = self.count
        (<Py_ssize_t *> to)[1] = self.active
        to += 2 * sizeof(Py_ssize_t)
        to = put_bytes(to, self.held, self.count * sizeof(Held))
        return put_bytes(to, self.released, self.active * sizeof(Released))

    cdef const char *load(self, const char *source) except NULL nogil:
        cdef Py_ssize_t count = (<const Py_ssize_t *> source)[0], active = (<const Py_ssize_t *> source)[1]
        self._reserve(count, active)
        self.count = count
        self.active = active
        source += 2 * sizeof(Py_ssize_t)
        source = take_bytes(source, self.held, count * sizeof(Held))
        return take_bytes(source, self.released, active * sizeof(Released))


cdef bint exceeds(int32_t in_use, int32_t more, int32_t limit, int64_t *numbers) noexcept nogil:
    """Whether so many more pass the limit; if so, `numbers` tells of it."""
    if in_use + more <= limit:
        return False
    numbers[2] = in_use
    numbers[3] = limit
    return True
