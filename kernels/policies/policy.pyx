"""What a scheduling policy is to the kernel: one pass an instant, and an account of itself.

`schedule` is the pass; it acts by the world's verbs. `completed` tells that a job has left its nodes; its estimate
would have run out at `limit`. `adopt` takes over a machine in the middle of its work. What a policy remembers between passes it
saves and loads, so that copies are whole: `kept` is that memory, unless it overrides `bytes`, `save` and `load`.
"""

from shadowtime.kernels.core.clock cimport RESERVATION_DUE
from shadowtime.kernels.core.decisions cimport because
from shadowtime.kernels.core.estimates cimport believe_estimates
from shadowtime.kernels.core.memory cimport put_bytes, take_bytes
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, int64_t
from shadowtime.kernels.core.world cimport NODES_FREED

from shadowtime.kernels.core.decisions import reason

cdef int PASS_PENDING = reason("pass_pending", "needs", "free")
cdef int ABOUT_TO_RUN = reason("about_to_run", "needs", "free", "at")
cdef int SUSPENDED = reason("suspended", "needs", "since")
cdef int NOT_OFFERED = reason("not_offered")
cdef int ON_HOLD = reason("on_hold", "needs", "since")
cdef int OUT_OF_SERVICE = reason("out_of_service", "needs", "free", "nodes")


cdef class Policy:
    # Everything is made here and in the `__cinit__` of the classes below: `__init__` can be left out.
    def __cinit__(self, name, parameters, *others, **named):
        self.name = name
        self.parameters = dict(parameters)
        self.ranks = True

    @property
    def head_delay(self):
        """Seconds from the preemption of jobs for the head of the queue to the head's run."""
        return 0

    def twin(self):
        """Another policy of the same name and parameters, with nothing to remember yet."""
        return type(self)(self.name, self.parameters)

    cdef int reset(self, World world) except -1 nogil:
        """Forget everything: a run begins."""
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        with gil:
            raise NotImplementedError("a policy must schedule")

    cdef int adopt(self, World world) except -1 nogil:
        """Take over a machine with its running and its waiting jobs from another policy; a full pass follows."""
        cdef Py_ssize_t at
        for at in range(world.queue.first, world.queue.tail):
            world.queue.reserved[at] = FOREVER
        world.at.due = FOREVER
        world.at.due_kind = RESERVATION_DUE
        world.at.due_job = NONE
        world.at.changed |= NODES_FREED
        world.sliced = False
        believe_estimates(world)
        return self.reset(world)

    cdef int take_over(self, World world) except -1:
        """Adopt a machine because the operator wants it so: whatever is to be planned the next pass plans."""
        return self.adopt(world)

    cdef bint suits(self, World world) except -1:
        """Whether it can schedule that machine at all."""
        return True

    cdef bint needs_blocks(self, World world) except -1:
        """Whether it will place its jobs on blocks of that machine: it takes over none at work."""
        return False

    cdef bint is_new(self, World world, int32_t slot) noexcept nogil:
        """Whether a job has a slot only to wait in the queue as a new one."""
        return False

    cdef int inherit(self, Policy other) except -1:
        """It takes over from one of the same name with other parameters, right before it adopts the machine."""
        return 0

    cdef int leave(self, World world) except -1:
        """Another policy takes over: leave the machine as one that shares space finds it."""
        return 0

    cdef int disturbed(self, World world) except -1 nogil:
        """The operator has acted, an outage began or ended, or a job left in another way than by ending.

        Lay anew what is planned, over the machine as it is, and keep what is remembered of the past; a full pass follows.
        """
        return 0

    cdef int freed(self, World world, seconds_t start, seconds_t end, nodes_t size) except -1 nogil:
        """Nodes are free on [start, end) that were not to be: those of a job that ended before its estimate."""
        return 0

    cdef int left(self, World world, job_t job) except -1:
        """A job has left its nodes, or its columns, in another way than by ending."""
        return 0

    cdef int gone(self, World world, job_t job, int32_t slot) except -1:
        """A job is over by a failure of its nodes, which it has given back."""
        return 0

    cdef int come_back(self, World world, int32_t slot) except -1:
        """A job without nodes, that held or lost them, is in the queue again, at its place by priority and arrival.

        One that never ran gives up its slot: nothing is left to know of it.
        """
        cdef job_t job = world.running.slots[slot].job
        cdef Py_ssize_t rank = world.rank_of(job, 0)
        if world.running.slots[slot].started or world.running.slots[slot].queued != world.jobs.submit[job]:
            return world.rejoin(slot, rank)
        world.at.changed |= NODES_FREED
        world.running.close(slot)
        return world.queue.insert(job, world.jobs.size[job], world.jobs.estimate[job], NONE, rank)

    cdef bint has_room(self, World world, Py_ssize_t at) except -1:
        """Whether the job at a position could start now."""
        return world.queue.size[at] <= world.at.free

    cdef int start_now(self, World world, Py_ssize_t at) except -1:
        """Start the job at a position, since the operator wants it so; it has room."""
        return world.start(at, at != world.queue.first)

    cdef int completed(self, World world, job_t job, nodes_t size, seconds_t limit) except -1 nogil:
        return 0

    cdef bint has_turned(self, World world) noexcept nogil:
        """Whether the policy changes its mind now, before a pass; asked only of one that `decides`."""
        return False

    cdef bint turn(self, World world) except -1 nogil:
        """Change its mind, or review who is in force (the timer `switch_at`); returns whether anything changed."""
        return False

    cdef int64_t skip(self, World world, job_t last_arrival, seconds_t until, int64_t events) except -1 nogil:
        """Do what whole turns would do, right before a switch of slots; returns the events that this stands for."""
        return 0

    cdef bint timer_rang(self, World world, int kind, job_t job) except -1 nogil:
        """Its timer went off, which is off now; returns whether that makes a pass."""
        return True

    cdef int swapped_out(self, World world, int32_t slot) except -1 nogil:
        """The state of a job is saved, and its nodes are free."""
        return 0

    cdef object refusal(self, World world, int verb, job_t job, int64_t to):
        """Why the operator cannot do that to a job at this moment, as (code, numbers); None where it can be done."""
        return because(NOT_OFFERED)

    cdef int operate(self, World world, int verb, job_t job, int64_t to) except -1:
        """Do to a job what the operator wants and nothing stands against; a pass follows."""
        return 0

    cdef int prune(self, World real) except -1 nogil:
        """Forget what concerns no job that waits on the real machine; called now and then for a virtual machine."""
        return 0

    cdef int foretell(self, World world) except -1 nogil:
        """From here on every estimate is a runtime: a forecast begins."""
        return 0

    cdef int redrawn(self, World world) except -1 nogil:
        """The runtimes of jobs that are not over have become others in the job table: for what it runs on the side."""
        return 0

    cdef int forget_runtimes(self, World world) except -1 nogil:
        """What it runs on the side has seen runtimes of jobs that are not over: it begins anew."""
        return 0

    cdef object status(self, World world):
        """What it goes by at this moment, as data."""
        return {}

    cdef object terms(self, World world, Py_ssize_t at):
        """What it keeps for the job at a position of the queue, as data."""
        return {}

    cdef object active_terms(self, World world, int32_t slot):
        """What it keeps for a job that has left the queue, as data."""
        return {}

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        """Why the job at a position of the queue waits: (code, numbers)."""
        raise NotImplementedError("a policy must explain itself")

    cdef object explain_active(self, World world, int32_t slot):
        """Why a job that has left the queue does not run: one that holds nodes for its run; None where it runs."""
        cdef Active *active = &world.running.slots[slot]
        if active.state == c'H' or active.state == c'S':
            return because(ON_HOLD if active.state == c'H' else SUSPENDED, active.size, active.since)
        if active.state != c'W' or not active.listed:
            return None
        return because(ABOUT_TO_RUN, active.size, world.at.free, active.run_start)

    cdef double slots_utilization(self, World world) noexcept nogil:
        """The mean over the time slots of the share of nodes that run; where space is shared there is one slot."""
        return <double> world.at.busy / world.nodes

    cdef object promise_waiting(self, World world, Py_ssize_t at):
        """(time, kind) where the policy promises a start to the job at a position, else None.

        "guaranteed" moves earlier only; "planned" may move, up to a deadline or to a change of mind.
        """
        return None

    cdef size_t bytes(self) noexcept nogil:
        return self.kept_bytes

    cdef char *save(self, char *to) noexcept nogil:
        return put_bytes(to, self.kept, self.kept_bytes)

    cdef const char *load(self, const char *source) except NULL nogil:
        return take_bytes(source, self.kept, self.kept_bytes)


cdef job_t ending_job(World world, Py_ssize_t ending) noexcept nogil:
    """The running job behind an ending, NONE for no ending."""
    if ending == NONE:
        return NONE
    return world.running.slots[world.running.endings[ending].slot].job


cdef object pass_pending(World world, Py_ssize_t at):
    """The job fits and its turn is in the pass that is still to come."""
    return because(PASS_PENDING, world.queue.size[at], world.at.free)


cdef object never_fits(World world, Py_ssize_t at):
    """The job needs more nodes than will ever be free, as far as is known: nodes are down."""
    return because(OUT_OF_SERVICE, world.queue.size[at], world.at.free, world.nodes - world.machine.downs)
