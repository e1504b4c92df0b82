"""PBAS, performance-based adaptive scheduling (Talby & Feitelson 2005; docs/schedulers.md, section 7).

Each candidate has a machine of its own with every arrival and the log's runtimes; the real machine is that of the
one in force. After each frame the candidate whose machine did strictly best in the last frames takes over. The virtual machines are brought
up to date only when somebody needs them: what they do between two reviews is nobody's business.
"""

cimport cython
from libc.stdlib cimport free
from libc.string cimport memset

from shadowtime.kernels.core.clock cimport KILL, SWITCH_POLICY
from shadowtime.kernels.core.decisions cimport KEEP, SWITCH
from shadowtime.kernels.core.estimates cimport believe_runtimes, run_to_limits
from shadowtime.kernels.core.estimates cimport foretell as foretell_world
from shadowtime.kernels.core.memory cimport put_bytes, take_bytes, zeros
from shadowtime.kernels.core.results cimport Results
from shadowtime.kernels.core.stepping cimport Next, apply, upcoming
from shadowtime.kernels.core.types cimport FOREVER, NONE, millionths, nodes_t

from shadowtime.kernels.core.decisions import reason

cdef int SCORES = reason("scores", "was", "becomes", "score_was", "score_becomes", "metric", "frame")
cdef int NOBODY_COMPLETED = reason("nobody_completed", "was", "becomes", "metric", "frame")

cdef enum Metric:
    UTILIZATION
    RESPONSE
    WAIT
    SLOWDOWN
    BOUNDED_SLOWDOWN

METRICS = ("utilization", "response", "wait", "slowdown", "bounded_slowdown")
MOST_FRAMES = 1000      # that a score may cover


cdef int64_t of_job(int metric, seconds_t response, seconds_t runtime) noexcept nogil:
    """What a job adds to the total of a metric: whole numbers, whose sum does not depend on the order of completions."""
    if metric == RESPONSE:
        return response
    if metric == WAIT:
        return response - runtime
    if metric == SLOWDOWN:
        return millionths(response, runtime)
    if metric == BOUNDED_SLOWDOWN:
        return max(1000000, millionths(response, max(10, runtime)))
    return 0


@cython.final
cdef class Pbas(Meta):
    def __cinit__(self, name, parameters):
        self.choose_among(parameters, parameters["candidates"], 0)
        self.metric = METRICS.index(parameters["metric"])
        self.count = len(self.candidates)
        self.sums = <FrameSums *> zeros(self.count, sizeof(FrameSums))
        history = parameters["history"] or self.frame
        if history % self.frame or history > MOST_FRAMES * self.frame:
            raise ValueError(f"history is {history}; expected whole frames of {self.frame} seconds, {MOST_FRAMES:,} at most")
        self.covered = history // self.frame
        self.past = <Frame *> zeros(self.count * self.covered, sizeof(Frame))
        self.worlds = []

    def __dealloc__(self):
        free(self.sums)
        free(self.past)

    cdef int reset(self, World world) except -1 nogil:
        memset(self.sums, 0, self.count * sizeof(FrameSums))
        memset(self.past, 0, self.count * self.covered * sizeof(Frame))
        self.reviewed = 0
        self.at = 0
        with gil:
            self._set_up(world)
        return Meta.reset(self, world)

    cdef int _set_up(self, World world) except -1:
        """A virtual machine for each candidate. Their results are nobody's."""
        cdef World virtual
        cdef Results nobodys = Results(0, world.jobs.count)
        self.active = self.candidates[0]
        self.worlds = []
        for candidate in self.candidates:
            virtual = World(world.jobs, world.nodes, False, None, world.steering)
            virtual.virtual = True
            virtual.steered = False
            virtual.results = nobodys
            (<Policy> candidate).reset(virtual)
            self.worlds.append(virtual)
        return 0

    cdef int adopt(self, World world) except -1 nogil:
        """Every candidate takes over the machine as it stands, each a copy of its own."""
        self.reset(world)
        self._begin_anew(world)
        return self.active.adopt(world)

    cdef int take_over(self, World world) except -1:
        self.reset(world)
        self._begin_anew(world)
        return self.active.take_over(world)

    cdef int disturbed(self, World world) except -1 nogil:
        """The virtual machines begin anew from the real one; the next review stays where it was."""
        self._begin_anew(world)
        return self.active.disturbed(world)

    cdef int _begin_anew(self, World world) except -1 nogil:
        """Clone the real machine for everybody but the one in force, with nothing done yet."""
        cdef Py_ssize_t i
        memset(self.sums, 0, self.count * sizeof(FrameSums))
        memset(self.past, 0, self.count * self.covered * sizeof(Frame))
        self.reviewed = 0
        for i in range(self.count):
            self.sums[i].busy_before = world.tally.busy
        with gil:
            for i in range(self.count):
                if i != self.at:
                    self._clone(world, self.worlds[i])
                    (<Policy> self.candidates[i]).reset(self.worlds[i])
                    (<Policy> self.candidates[i]).adopt(self.worlds[i])
        return 0

    cdef void _completed(self, World world, FrameSums *sums, job_t job) noexcept nogil:
        sums.completed += 1
        sums.total += of_job(self.metric, world.at.now - world.jobs.submit[job], world.jobs.runtime[job])

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        self._completed(world, &self.sums[self.at], job)
        return self.active.completed(world, job, size, limit)

    cdef int _advance(self, World world, Policy policy, FrameSums *sums, seconds_t until, job_t arrivals) except -1 nogil:
        """Bring a virtual machine to `until`: the completions of that instant, but not its submissions."""
        cdef Next to
        while True:
            to = upcoming(world, policy, arrivals)
            if to.kind == NONE or to.time > until or (to.time == until and to.kind >= SWITCH_POLICY):
                break
            apply(world, policy, to)
            if to.kind <= KILL:
                self._completed(world, sums, world.at.last_job)
        world.advance(until)
        return 0

    cdef int _catch_up(self, World real) except -1:
        """Bring every virtual machine to now."""
        cdef Py_ssize_t i
        cdef World world
        cdef Policy policy
        for i in range(self.count):
            if i != self.at:
                world = self.worlds[i]
                policy = self.candidates[i]
                with nogil:
                    self._advance(world, policy, &self.sums[i], real.at.now, real.at.arrivals)
        return 0

    cdef int64_t _covered(self) noexcept nogil:
        """The seconds that the scores cover: the history, or all frames so far."""
        return min(self.reviewed, self.covered) * self.frame

    cdef void _score(self, World world, Py_ssize_t i) noexcept nogil:
        """Score a candidate for its last frames, of which one ends now; another begins."""
        cdef FrameSums *sums = &self.sums[i]
        cdef Frame *past = &self.past[i * self.covered]
        cdef double busy = 0.0
        cdef int64_t completed = 0, total = 0
        cdef Py_ssize_t k
        past[(self.reviewed - 1) % self.covered] = Frame(world.tally.busy - sums.busy_before, sums.completed, sums.total)
        sums.busy_before = world.tally.busy
        sums.completed = sums.total = 0
        for k in range(min(self.reviewed, self.covered)):
            busy += past[k].busy
            completed += past[k].completed
            total += past[k].total
        sums.scored = self.metric == UTILIZATION or completed > 0
        sums.score = 0.0
        if self.metric == UTILIZATION:
            sums.score = busy / (<double> self._covered() * world.nodes)
        elif completed:
            sums.score = <double> total / <double> completed
            if self.metric in (SLOWDOWN, BOUNDED_SLOWDOWN):
                sums.score /= 1e6

    cdef Py_ssize_t _best(self) noexcept nogil:
        """The candidate with the strictly best score; the one in force keeps a tie, then the first; NONE: no score."""
        cdef Py_ssize_t i, best = self.at
        for i in range(self.count):
            if not self.sums[i].scored:
                return NONE
            if self.sums[i].score > self.sums[best].score if self.metric == UTILIZATION \
                    else self.sums[i].score < self.sums[best].score:
                best = i
        return best

    cdef bint review(self, World world) except -1 nogil:
        cdef Py_ssize_t i, best
        with gil:
            self._catch_up(world)
            self.reviewed += 1
            for i in range(self.count):
                self._score(world if i == self.at else <World> self.worlds[i], i)
                (<Policy> self.candidates[i]).prune(world)
        best = self._best()
        if best == NONE:
            world.decisions.add(KEEP, NONE, NOBODY_COMPLETED, self.at, self.at, self.metric, self._covered())
            return False
        world.decisions.add(KEEP if best == self.at else SWITCH, NONE, SCORES, self.at, best,
                            <int64_t> (self.sums[self.at].score * 1e6 + 0.5), <int64_t> (self.sums[best].score * 1e6 + 0.5),
                            self.metric, self._covered())
        if best == self.at:
            return False
        with gil:
            # Whoever was in force goes on from the real state on a machine of its own.
            self._clone(world, self.worlds[self.at])
        self.hand_over(world, best)
        # From here on it is the real machine's work that counts for it.
        self.sums[best].busy_before = world.tally.busy
        return True

    cdef int _clone(self, World world, World virtual) except -1:
        """Give a virtual machine the state of the real one."""
        cdef size_t size = world.bytes()
        cdef char *state = <char *> zeros(size, 1)
        world.save(state)
        virtual.load(state)
        virtual.at.switch_at = FOREVER
        virtual.owning = world.owning
        virtual.repairs.foreseen = world.repairs.foreseen
        virtual.repairs.known_at = NONE
        free(state)
        return 0

    cdef int foretell(self, World world) except -1 nogil:
        """The virtual machines, too, run to the estimates from here on."""
        cdef Py_ssize_t i
        with gil:
            self._catch_up(world)
            for i in range(self.count):
                # That of the one in force too: it may be handed the real state.
                (<World> self.worlds[i]).forecasting = True
                if i != self.at:
                    if world.forecasting:
                        foretell_world(self.worlds[i])
                    else:
                        # An expected run can be forked, and its nodes have owners.
                        run_to_limits(self.worlds[i])
                    (<Policy> self.candidates[i]).foretell(self.worlds[i])
        return self.active.foretell(world)

    cdef int redrawn(self, World world) except -1 nogil:
        cdef Py_ssize_t i
        with gil:
            self._catch_up(world)
            for i in range(self.count):
                if i != self.at:
                    believe_runtimes(self.worlds[i])
                    (<Policy> self.candidates[i]).redrawn(self.worlds[i])
        return self.active.redrawn(world)

    cdef int forget_runtimes(self, World world) except -1 nogil:
        self._begin_anew(world)
        return self.active.forget_runtimes(world)

    cdef object status(self, World world):
        facts = Meta.status(self, world)
        facts["metric"] = METRICS[self.metric]
        facts["history"] = self._covered()
        facts["scores"] = tuple(self.sums[i].score if self.sums[i].scored else None for i in range(self.count))
        return facts

    cdef size_t bytes(self) noexcept nogil:
        cdef size_t size = Meta.bytes(self) + sizeof(int64_t) + self.count * (sizeof(FrameSums) + self.covered * sizeof(Frame))
        with gil:
            for i in range(self.count):
                size += (<World> self.worlds[i]).bytes()
        return size

    cdef char *save(self, char *to) noexcept nogil:
        to = put_bytes(Meta.save(self, to), &self.reviewed, sizeof(int64_t))
        to = put_bytes(to, self.sums, self.count * sizeof(FrameSums))
        to = put_bytes(to, self.past, self.count * self.covered * sizeof(Frame))
        with gil:
            for i in range(self.count):
                if i != self.at:
                    to = (<World> self.worlds[i]).save(to)
        return to

    cdef const char *load(self, const char *source) except NULL nogil:
        source = take_bytes(Meta.load(self, source), &self.reviewed, sizeof(int64_t))
        source = take_bytes(source, self.sums, self.count * sizeof(FrameSums))
        source = take_bytes(source, self.past, self.count * self.covered * sizeof(Frame))
        with gil:
            for i in range(self.count):
                if i != self.at:
                    source = (<World> self.worlds[i]).load(source)
        return source
