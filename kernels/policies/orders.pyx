"""Planning anew in every pass, in the order that is in force: SJF, LJF, dynP, IVS (Streit 2002; docs/schedulers.md, section 4).

Each waiting job is placed at its earliest time, shortest estimate first (SJF), longest first (LJF) or in order of arrival
(FCFS); those placed at now start. dynP and IVS choose among the three right before the pass, by all jobs that wait
then, this instant's arrivals included.
"""

cimport cython

from shadowtime.kernels.core.decisions cimport SWITCH
from shadowtime.kernels.core.types cimport FOREVER, NONE
from shadowtime.kernels.operator.overrides cimport Override
from shadowtime.kernels.planning.ordering cimport ARRIVAL, LONGEST, SHORTEST

from shadowtime.kernels.core.decisions import reason

cdef int AERT = reason("aert", "was", "becomes", "total", "waiting", "lower", "upper")
cdef int CLASSES_WAITING = reason("classes_waiting", "was", "becomes", "interactive", "batch", "busy",
                                  "nodes")

IN_FORCE = {ARRIVAL: "fcfs", SHORTEST: "sjf", LONGEST: "ljf"}
ORDERS_IN_FORCE = tuple(IN_FORCE[order] for order in sorted(IN_FORCE))
FIXED = {"sjf": SHORTEST, "ljf": LONGEST}


cdef class Ordered(Policy):
    """SJF or LJF, by the policy's name; dynP and IVS begin as FCFS."""

    def __cinit__(self, name, parameters):
        self.plan = Plan()
        self.plan.own_order = True
        self.ranks = False

    cdef int reset(self, World world) except -1 nogil:
        with gil:
            self.order = FIXED.get(self.name, ARRIVAL)
        self.plan.forget()
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        return self.plan.start_due(world, self.order)

    cdef int wanted(self, World world) noexcept nogil:
        """The order that the waiting jobs ask for."""
        return self.order

    cdef int tell(self, World world, int becomes) except -1 nogil:
        """Record why the order changes."""
        return 0

    cdef bint has_turned(self, World world) noexcept nogil:
        return self.wanted(world) != self.order

    cdef bint turn(self, World world) except -1 nogil:
        cdef int becomes = self.wanted(world)
        self.tell(world, becomes)
        self.order = becomes
        self.plan.forget()
        return True

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        return self.plan.explain(world, at, self.order)

    cdef size_t bytes(self) noexcept nogil:
        return 8

    cdef char *save(self, char *to) noexcept nogil:
        (<int64_t *> to)[0] = self.order
        return to + 8

    cdef const char *load(self, const char *source) except NULL nogil:
        self.order = <int> (<const int64_t *> source)[0]
        self.plan.forget()
        return source + 8


cdef bint within(int64_t total, int64_t count, seconds_t bound) noexcept nogil:
    """Whether the mean of a sum over `count` is at most a bound, in integers."""
    return bound >= FOREVER // count or total <= bound * count


@cython.final
cdef class DynP(Ordered):
    """By the AERT, the mean estimate of the waiting jobs: SJF up to `lower`, FCFS up to `upper`, LJF beyond."""

    def __cinit__(self, name, parameters):
        self.lower = parameters["lower"]
        self.upper = parameters["upper"]
        self.threshold = parameters["threshold"]
        if not 0 <= self.lower <= self.upper:
            raise ValueError(f"lower is {self.lower} and upper is {self.upper}; expected 0 <= lower <= upper")
        if self.threshold < 0:
            raise ValueError(f"threshold is {self.threshold}; expected 0 jobs or more")
        self.decides = True

    cdef int wanted(self, World world) noexcept nogil:
        cdef int64_t count = world.queue.live
        if count < self.threshold or count == 0:
            return self.order
        if within(world.queue.estimates, count, self.lower):
            return SHORTEST
        return ARRIVAL if within(world.queue.estimates, count, self.upper) else LONGEST

    cdef int tell(self, World world, int becomes) except -1 nogil:
        return world.decisions.add(SWITCH, NONE, AERT, self.order, becomes, world.queue.estimates, world.queue.live,
                                   self.lower, self.upper)

    cdef object status(self, World world):
        return {
            "in_force": IN_FORCE[self.order],
            "aert": world.queue.estimates / world.queue.live if world.queue.live else None,
            "waiting": world.queue.live,
            "threshold": self.threshold,
            "lower": self.lower,
            "upper": self.upper,
        }


@cython.final
cdef class Ivs(Ordered):
    """FCFS while the machine is not utilized; then SJF or LJF as interactive or batch jobs outnumber the others."""

    def __cinit__(self, name, parameters):
        self.delta = parameters["delta"]
        self.utilized = parameters["utilized"]
        self.interactive = parameters["interactive"]
        self.classes = True
        if self.utilized != self.utilized or self.utilized < 0:
            raise ValueError(f"utilized is {self.utilized}; expected 0 or more")
        if self.delta < 0:
            raise ValueError(f"delta is {self.delta}; expected 0 jobs or more")
        self.decides = True

    cdef void count(self, World world, int64_t *interactive, int64_t *batch) noexcept nogil:
        """Waiting jobs of the two classes; where the workload has no classes an estimate tells them apart."""
        cdef Py_ssize_t at
        cdef bint is_interactive
        cdef const Override *said
        interactive[0] = batch[0] = 0
        for at in range(world.queue.first, world.queue.tail):
            if world.queue.job[at] == NONE:
                continue
            said = world.overrides.find(world.queue.job[at])
            if said != NULL and said.classed:
                is_interactive = said.interactive
            elif world.jobs.classed:
                is_interactive = world.jobs.interactive(world.queue.job[at])
            else:
                is_interactive = world.jobs.estimate[world.queue.job[at]] <= self.interactive
            interactive[0] += is_interactive
            batch[0] += not is_interactive

    cdef int wanted(self, World world) noexcept nogil:
        cdef int64_t interactive, batch
        if world.at.busy < self.utilized * world.nodes:
            return ARRIVAL
        self.count(world, &interactive, &batch)
        if interactive > batch + self.delta:
            return SHORTEST
        return LONGEST if batch > interactive + self.delta else self.order

    cdef int tell(self, World world, int becomes) except -1 nogil:
        cdef int64_t interactive, batch
        self.count(world, &interactive, &batch)
        return world.decisions.add(SWITCH, NONE, CLASSES_WAITING, self.order, becomes, interactive, batch,
                                   world.at.busy, world.nodes)

    cdef object status(self, World world):
        cdef int64_t interactive, batch
        self.count(world, &interactive, &batch)
        return {
            "in_force": IN_FORCE[self.order],
            "interactive": interactive,
            "batch": batch,
            "delta": self.delta,
            "busy": world.at.busy,
            "utilized": self.utilized,
        }
