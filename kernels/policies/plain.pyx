"""Policies in plain Python: a class from elsewhere that decides, and what it sees of the machine.

The class has `schedule(machine)`, called once in each pass, and may have `explain(machine, job)` (a sentence),
`promise(machine, job)` (an instant or None) and `memory`: what it keeps from one pass to the next, JSON values only, since
it goes into every copy and comes back when the operator goes back. Its constructor takes the parameters by name.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.string cimport memcpy

import json
from threading import get_ident
from types import MemberDescriptorType
from weakref import ref

from shadowtime.kernels.core.decisions cimport BACKFILL, PREEMPT, START
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, int32_t, int64_t
from shadowtime.kernels.planning.preemption cimport unless_resumed
from shadowtime.kernels.policies.policy cimport pass_pending

from shadowtime.kernels.core.decisions import reason
from shadowtime.kernels.policies.watched import Failure, NeverReturns, watched

cdef int OWN_CHOICE = reason("own_choice", "needs", "free")
# The objects from elsewhere, each with the policy that it decides for.
KEPT = []
# Who has this makes what a policy sees. A policy that could make one would have one of nothing.
cdef object OURS = object()


cdef int made_here(token) except -1:
    if token is not OURS:
        raise TypeError("a policy makes no such object; expected those of the machine that it is given")
    return 0


class PolicyError(Exception):
    """A policy from elsewhere failed: which one, when, and what it did."""


@cython.final
cdef class JobView:
    """A waiting job: `row` in the table, `size` in nodes, `submit`, `estimate`, what is `left` of it, its class's `priority`."""
    cdef readonly job_t row
    cdef readonly nodes_t size
    cdef readonly seconds_t submit, estimate, left
    cdef readonly int64_t priority

    def __cinit__(self, token=None):
        made_here(token)

    def __repr__(self):
        return f"JobView(row={self.row}, size={self.size}, submit={self.submit}, estimate={self.estimate}, left={self.left})"


@cython.final
cdef class RunningView:
    """A running job: `row`, `size`, the `start` of its present run and its predicted `end`."""
    cdef readonly job_t row
    cdef readonly nodes_t size
    cdef readonly seconds_t start, end

    def __cinit__(self, token=None):
        made_here(token)

    def __repr__(self):
        return f"RunningView(row={self.row}, size={self.size}, start={self.start}, end={self.end})"


cdef JobView view_of(World world, Py_ssize_t at):
    cdef JobView made = JobView.__new__(JobView, OURS)
    made.row = world.queue.job[at]
    made.size = world.queue.size[at]
    made.left = world.queue.estimate[at]
    made.submit = world.jobs.submit[made.row]
    made.estimate = world.jobs.estimate[made.row]
    made.priority = world.overrides.weight(world.jobs, made.row)
    return made


@cython.final
cdef class PlanView:
    """Free nodes from now on, by the predicted ends of the running jobs, less what is reserved here."""

    def __cinit__(self, token=None):
        made_here(token)

    def earliest(self, nodes_t size, seconds_t length, start=None):
        """The first instant, from `start` (now) on, at which `size` nodes stay free for `length`; None for never."""
        cdef seconds_t at
        if not 1 <= size <= self.nodes or length < 1:
            raise ValueError(f"{size} nodes for {length} s; expected 1 to {self.nodes} nodes for 1 s or more")
        at = self.profile.anchor(self.now if start is None else max(start, self.now), size, length, FOREVER)
        return None if at == FOREVER else at

    def free_at(self, seconds_t time):
        """Free nodes at an instant, now or later."""
        return self.profile.free[self.profile.locate(time)]

    def reserve(self, seconds_t start, nodes_t size, seconds_t length):
        """Take nodes out of the plan, from now or later on. ValueError where they are not free."""
        if not self.now <= start < FOREVER or not 1 <= length <= FOREVER - start or size < 1:
            raise ValueError(f"{size} nodes from {start} on for {length} s; expected 1 node for 1 s or more, from now or later on")
        if self.profile.anchor(start, size, length, start + 1) != start:
            raise ValueError(f"{size} nodes are not free from {start} on for {length} s; expected an instant from `earliest`")
        self.profile.change(start, start + length, -size)


@cython.final
cdef class MachineView:
    """The machine with its queue, at one pass."""

    def __cinit__(self, token=None):
        made_here(token)

    cdef World seen(self):
        """The machine. ValueError when it may have moved on, or may move: after the call, and in another thread."""
        if self.world is None or get_ident() != self.thread:
            raise ValueError("the machine is not to be seen; expected a look while the call runs, in the thread of the call")
        return self.world

    @property
    def now(self):
        return self.seen().at.now

    @property
    def nodes(self):
        return self.seen().nodes

    @property
    def waiting(self):
        """The waiting jobs, in the order of the queue, but for those that this pass has started."""
        cdef Py_ssize_t at
        cdef World world = self.seen()
        return [view_of(world, at) for at in range(world.queue.first, world.queue.tail)
                if world.queue.job[at] != NONE and world.queue.job[at] not in self.starting]

    @property
    def running(self):
        """The running jobs, in the order of their predicted ends."""
        cdef Py_ssize_t i
        cdef Active *active
        cdef RunningView made
        cdef World world = self.seen()
        found = []
        for i in range(world.running.count):
            active = &world.running.slots[world.running.endings[i].slot]
            if active.job in self.stopping:
                continue
            made = RunningView.__new__(RunningView, OURS)
            made.row = active.job
            made.size = active.size
            made.start = active.run_start
            made.end = active.end
            found.append(made)
        return found

    def plan(self):
        """A plan with the running jobs in place, and what this pass has started or stopped so far."""
        cdef PlanView made = PlanView.__new__(PlanView, OURS)
        cdef Py_ssize_t at
        cdef Active *active
        cdef World world = self.seen()
        made.profile = Profile()
        made.now = world.at.now
        made.nodes = world.nodes
        world.lay(made.profile)
        for row in self.starting:
            at = world.queue.find(row)
            made.profile.change(made.now, made.now + world.queue.estimate[at], -world.queue.size[at])
        for row in self.stopping:
            active = &world.running.slots[world.slot_of(row)]
            made.profile.change(made.now, max(active.end, made.now + 1), active.size - active.leaving)
        return made

    cdef World open(self):
        """The machine, to act on. ValueError outside schedule(machine)."""
        cdef World world = self.seen()
        if self.closed:
            raise ValueError("nothing is done here; expected start, preempt and wake while schedule(machine) runs")
        return world

    cdef Py_ssize_t _waiting(self, World world, job) except -1:
        cdef Py_ssize_t at = NONE
        if not isinstance(job, JobView):
            raise TypeError(f"{job!r} is no waiting job; expected one of machine.waiting")
        if (<JobView> job).row not in self.starting:
            at = world.queue.find((<JobView> job).row)
        if at == NONE:
            raise ValueError(f"{job!r} does not wait; expected one of machine.waiting")
        return at

    def start(self, job):
        """Start a waiting job in this pass. ValueError where it does not wait or does not fit."""
        cdef World world = self.open()
        cdef Py_ssize_t at = self._waiting(world, job)
        if world.queue.size[at] > self.free:
            raise ValueError(f"{job!r} needs {world.queue.size[at]} nodes; {self.free} are free")
        self.free -= world.queue.size[at]
        self.starting.add(world.queue.job[at])

    def preempt(self, job):
        """Stop a running job: it keeps its progress and waits, from the next pass on, at the front of the queue."""
        cdef World world = self.open()
        cdef int32_t slot = world.slot_of((<RunningView?> job).row)
        if slot == NONE or world.running.slots[slot].state != c'R' or (<RunningView> job).row in self.stopping:
            raise ValueError(f"{job!r} does not run; expected one of machine.running")
        self.free += world.running.slots[slot].size - world.running.slots[slot].leaving
        self.stopping.add((<RunningView> job).row)

    def wake(self, seconds_t time):
        """Ask for a pass at a later instant; the earliest one that was asked for in a pass counts."""
        cdef World world = self.open()
        if time <= world.at.now:
            raise ValueError(f"wake at {time}; expected an instant after now, {world.at.now}")
        self.waking = min(self.waking, time)


@cython.final
cdef class PlainPolicy(Policy):
    """A policy of the kernel that leaves every decision to an object of `kind`, a class in plain Python."""

    def __cinit__(self, name, parameters, kind=None):
        self.kind = kind
        self.overdue = {}
        self.may_fail = self.classes = True
        self._renew()

    def twin(self):
        cdef PlainPolicy made = PlainPolicy(self.name, self.parameters, self.kind)
        made.overdue = self.overdue
        return made

    def _renew(self):
        self._answer("make", "cannot be made", self._made)

    cdef int _remember(self) except -1:
        memory = attribute(self.author, "memory")
        packed = json.dumps(memory, sort_keys=True)
        if json.loads(packed) != memory:
            raise TypeError(f"memory is {memory!r}; expected texts as keys, and lists, that come back as they were")
        self.memory = packed.encode()
        self.length = len(self.memory)
        self.stale = False
        return 0

    cdef int _recall(self) except -1:
        """Give the object the memory of this moment where it may have another."""
        if self.stale and (self.memory != b"null" or attribute(self.author, "memory") is not None):
            self.author.memory = json.loads(self.memory)
        self.stale = True
        return 0

    def _made(self):
        # The last use of an object may be code of its own (`__del__`): it is let go here, in a call that is watched.
        KEPT[:] = [(policy, author) for policy, author in KEPT if policy() is not None]
        self.author = self.kind(**self.parameters)
        KEPT.append((ref(self), self.author))
        self._remember()
        if self.memory != b"null":
            # What cannot be given back is refused now, not when the operator first goes back.
            self.author.memory = self.author.memory

    def _decided(self, machine):
        self._recall()
        self.author.schedule(machine)
        self._remember()

    def _asked(self, what, machine, job):
        ask = attribute(self.author, what)
        if ask is None:
            return None
        self._recall()
        answer = ask(machine, job)
        # A text is shown: the words of another object are its own code again.
        return answer if what != "explain" or answer is None else str.__str__(str(answer))

    def _answer(self, key, failed, function, *arguments):
        """What the code from elsewhere answers; what it does instead is a PolicyError.

        What has not returned once is not asked again: it would not return then either.
        """
        if key in self.overdue:
            raise PolicyError(f"policy {self.name} {failed}: {self.overdue[key]}")
        try:
            return watched(function, *arguments)
        except Failure as failure:
            if isinstance(failure, NeverReturns):
                self.overdue[key] = str(failure)
            raise PolicyError(f"policy {self.name} {failed}: {failure}") from failure

    cdef int reset(self, World world) except -1 nogil:
        with gil:
            self._renew()
        return 0

    cdef int schedule(self, World world) except -1 nogil:
        with gil:
            return self._pass(world)

    cdef int _pass(self, World world) except -1:
        """Ask, and only then act: where the policy fails nothing has happened."""
        cdef MachineView machine = look_at(world)
        key = ("schedule", world.at.now, world.at.free, world.queue.first, world.queue.tail)
        try:
            self._answer(key, f"failed at {world.at.now} s", self._decided, machine)
        finally:
            machine.world = None
        world.at.due = machine.waking
        self._stop(world, machine.stopping)
        self._start(world, machine.starting)
        return self._requeue(world, machine.stopping)

    cdef int _stop(self, World world, set stopping) except -1:
        cdef int32_t slot
        for row in sorted(stopping):
            slot = world.slot_of(row)
            world.stop(slot, c'O')
            world.vacate(slot)
            world.decisions.add(PREEMPT, row, OWN_CHOICE, world.running.slots[slot].size, world.at.free)
        return 0

    cdef int _start(self, World world, set started) except -1:
        """In order of their places in the queue."""
        cdef Py_ssize_t at
        cdef bint behind
        for at in sorted(world.queue.find(row) for row in started):
            behind = at != world.queue.first
            world.decisions.add(unless_resumed(world, at, BACKFILL if behind else START), world.queue.job[at], OWN_CHOICE,
                                world.queue.size[at], world.at.free)
            world.start(at, behind)
        return 0

    cdef int _requeue(self, World world, set stopped) except -1:
        for rank, row in enumerate(sorted(stopped)):
            world.requeue(world.slot_of(row), rank)
        return 0

    cdef object explain_waiting(self, World world, Py_ssize_t at):
        """The policy's own words where it has some."""
        if world.at.pass_due:
            return pass_pending(world, at)
        answer = self._ask("explain", world, at)
        numbers = {"needs": world.queue.size[at], "free": world.at.free}
        return ("left_waiting", numbers) if answer is None else ("own_words", {**numbers, "text": answer})

    cdef object promise_waiting(self, World world, Py_ssize_t at):
        answer = self._ask("promise", world, at)
        if answer is None:
            return None
        if type(answer) is not int or not world.at.now <= answer < FOREVER:
            shown = self._answer("promise", "failed to promise", in_words, answer)
            raise PolicyError(f"policy {self.name} promised {shown} at {world.at.now} s; expected a later instant, or None")
        return answer, "planned"

    def _ask(self, what, World world, Py_ssize_t at):
        cdef MachineView machine = look_at(world)
        machine.closed = True
        try:
            return self._answer(what, f"failed to {what} at {world.at.now} s", self._asked, what, machine, view_of(world, at))
        finally:
            machine.world = None

    cdef size_t bytes(self) noexcept nogil:
        return 8 + padded(self.length)

    cdef char *save(self, char *to) noexcept nogil:
        (<int64_t *> to)[0] = self.length
        with gil:
            memcpy(to + 8, <const char *> self.memory, self.length)
        return to + 8 + padded(self.length)

    cdef const char *load(self, const char *source) except NULL nogil:
        self.length = (<const int64_t *> source)[0]
        with gil:
            self.memory = PyBytes_FromStringAndSize(source + 8, self.length)
        # The object is given it when it is asked next: nobody may fail in the middle of a copy.
        self.stale = True
        return source + 8 + padded(self.length)


def attribute(author, name):
    """What an object from elsewhere has of that name, None for nothing. A property that fails is raised."""
    try:
        return getattr(author, name)
    except AttributeError:
        for kind in type(author).__mro__:
            # A slot may be empty.
            if name in vars(kind) and type(vars(kind)[name]) is not MemberDescriptorType:
                raise
        return None


def in_words(answer):
    """An answer from elsewhere as a plain text."""
    return str.__str__(repr(answer))


cdef inline Py_ssize_t padded(Py_ssize_t length) noexcept nogil:
    return (length + 7) // 8 * 8


cdef MachineView look_at(World world):
    cdef MachineView made = MachineView.__new__(MachineView, OURS)
    made.world = world
    made.thread = get_ident()
    made.starting = set()
    made.stopping = set()
    made.waking = FOREVER
    made.free = world.at.free
    return made
