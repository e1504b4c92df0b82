"""A simulation: a value that one function advances.

`peek`, `step` and `run` are the whole stepping surface. A `Copy` holds the moving state at one event; restoring it
and running on gives, to the byte, what a straight run gives: no policy hides state, and nothing here reads a clock.
"""

cimport cython
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdlib cimport free

from shadowtime.kernels.core cimport columns as accounts
from shadowtime.kernels.core.clock cimport ACTION, KILL, SUBMIT, SWITCH_SLOT
from shadowtime.kernels.core.decision_view cimport frozen
from shadowtime.kernels.core.decisions cimport BACKFILL, PREEMPT, RESUME, START
from shadowtime.kernels.core.environment cimport Site
from shadowtime.kernels.core.estimates cimport believe_runtimes, earliest, foretell
from shadowtime.kernels.core.jobs cimport Jobs
from shadowtime.kernels.core.memory cimport zeros
from shadowtime.kernels.core.results cimport CANCELLED, Results
from shadowtime.kernels.core.same_past cimport agree
from shadowtime.kernels.core.stepping cimport Next, apply, go_on, happens_to, upcoming
from shadowtime.kernels.core.types cimport NONE, nodes_t
from shadowtime.kernels.core.world cimport Position
from shadowtime.kernels.operator.operator_actions cimport policy_of, refusal_of
from shadowtime.kernels.operator.steering cimport Intervention

from shadowtime.kernels.core.metrics import summary

OUTCOMES = ("completed", "cancelled", "struck")

cdef extern from "limits.h":
    long long LLONG_MAX


cdef bint awaits_start(World world) noexcept nogil:
    """Whether a job has nodes and has not started on them yet."""
    cdef int32_t slot
    for slot in range(world.running.used):
        if world.running.slots[slot].job != NONE and not world.running.slots[slot].started:
            return True
    return False


@cython.final
cdef class State:
    """The bytes of a copy, which copies of several branches may have in common."""

    def __dealloc__(self):
        free(self.bytes)


@cython.final
cdef class Copy:
    """The moving state of a simulation at one event: `size` bytes, at `event`, at the instant `now`."""


@cython.final
cdef class Simulation:
    """A machine of `nodes` nodes, a job table and a policy, from before the first event on.

    ValueError when a job needs more nodes than there are, or the policy another machine. The simulation has a twin of
    the policy for its own; `site` says what surrounds the nodes, `steering` what an operator does and what fails.
    """

    def __cinit__(self, Jobs jobs not None, nodes_t nodes, Policy policy not None, bint forecasting=False,
                  Site site=None, Steering steering=None, Results results=None):
        self.world = World(jobs, nodes, forecasting, site, steering, results)
        self.base = policy
        self.policy = policy.twin()
        self.world.policies[0] = self.policy
        self.last_arrival = <job_t> jobs.count
        self.policy.reset(self.world)

    cdef int64_t _run(self, seconds_t until, int64_t events, bint decisive) except -1 nogil:
        """Events until one is later than `until`, so many are done, or (decisive) one has started or stopped a job."""
        cdef int64_t done = 0, skipped
        cdef Py_ssize_t i
        cdef Next to
        cdef int kind
        while True:
            # Where each event has to be looked at, none is done there.
            done += go_on(self.world, self.policy, self.last_arrival, until, 0 if decisive else events - done, &to)
            if done >= events or to.kind == NONE or to.time > until:
                break
            if to.kind == SWITCH_SLOT and self.policy.turns and not decisive and events - done > 1:
                skipped = self.policy.skip(self.world, self.last_arrival, until, events - done)
                if skipped:
                    done += skipped
                    continue
            apply(self.world, self.policy, to)
            done += 1
            if to.kind == ACTION and self.world.at.in_force != self.in_force:
                with gil:
                    self._put_in_force()
            if decisive:
                for i in range(self.world.decisions.count):
                    kind = self.world.decisions.made[i].kind
                    if kind == START or kind == BACKFILL or kind == PREEMPT or kind == RESUME:
                        return done
        return done

    def peek(self):
        """(time, kind, job) of the next event; None when nothing is left. The job is -1 where there is none."""
        cdef Next to = upcoming(self.world, self.policy, self.last_arrival)
        if to.kind == NONE:
            return None
        return to.time, to.kind, happens_to(self.world, to)

    def step(self):
        """Do one event. False when nothing was left to do."""
        return self._run(LLONG_MAX, 1, False) == 1

    def run(self, until=None, events=None, decisions=None):
        """Do events; returns how many. Without the lock: another thread may work meanwhile, on anything but this.

        `until`: the last instant to process, its pass included. `events`: at most so many. `decisions`: stop after
        so many events that started, preempted or resumed a job.
        """
        cdef seconds_t last = LLONG_MAX if until is None else until
        cdef int64_t most = LLONG_MAX if events is None else events
        cdef int64_t wanted = 0 if decisions is None else decisions
        cdef int64_t done = 0, part
        if decisions is None:
            with nogil:
                done = self._run(last, most, False)
            return done
        while wanted > 0 and done < most:
            with nogil:
                part = self._run(last, most - done, True)
            if part == 0:
                break
            done += part
            wanted -= 1
        return done

    def pass_turns(self, events=None):
        """Do the switches of rows that come next, each with its pass, at once; returns how many events: fewer than `events`.

        Nobody comes, leaves, starts for the first time or gets other nodes in them. 0 where something else comes next, or
        a job on the machine has not started yet. As after `restore`, what the last of them decided is not known.
        """
        cdef int64_t done = 0, most = LLONG_MAX if events is None else events
        with nogil:
            if self.policy.turns and not awaits_start(self.world) \
                    and upcoming(self.world, self.policy, self.last_arrival).kind == SWITCH_SLOT:
                done = self.policy.skip(self.world, self.last_arrival, LLONG_MAX, most)
            if done:
                self.world.decisions.count = 0
        return done

    def run_to_job(self, job_t rows):
        """Do events until a job has come or is over; return its (time, kind, row), None when nothing is left.

        Only the first `rows` jobs of the table are known to come.
        """
        cdef Next to
        cdef job_t job
        self.last_arrival = rows
        while True:
            to = upcoming(self.world, self.policy, rows)
            if to.kind == NONE:
                return None
            if to.kind == SWITCH_SLOT and self.policy.turns \
                    and self.policy.skip(self.world, rows, LLONG_MAX, LLONG_MAX):
                continue
            job = happens_to(self.world, to)
            apply(self.world, self.policy, to)
            if to.kind <= KILL or to.kind == SUBMIT:
                return to.time, to.kind, job

    cdef int _put_in_force(self) except -1:
        """The policy is that which the state names."""
        self.in_force = self.world.at.in_force
        self.policy = policy_of(self.world, self.in_force)
        return 0

    cdef int _save_into(self, Copy copy) except -1:
        copy.size = self.world.bytes() + self.policy.bytes()
        copy.state = State()
        copy.bytes = copy.state.bytes = <char *> zeros(copy.size, 1)
        copy.jobs = self.world.jobs
        copy.steering = self.world.steering
        copy.results = self.world.results
        copy.event = self.world.at.event
        copy.now = self.world.at.now
        copy.size = self.policy.save(self.world.save(copy.bytes)) - copy.bytes
        return 0

    cdef int _load_from(self, Copy copy) except -1:
        cdef int32_t number = (<const Position *> copy.bytes).in_force
        if number != self.in_force:
            if number not in self.world.policies:
                # This runner has not been there: the policy is made, and knows its machine.
                policy_of(self.world, number).reset(self.world)
            self.in_force = number
            self.policy = policy_of(self.world, number)
        self.policy.load(self.world.load(copy.bytes))
        self.world.sliced = self.policy.turns
        return 0

    def copy(self):
        """The moving state, here."""
        cdef Copy made = Copy()
        self._save_into(made)
        return made

    def restore(self, Copy copy not None):
        """Go to where the copy was taken, forward or back.

        ValueError when the copy is not of this run: of this simulation, or of a fork of it.
        """
        if copy.results is not self.world.results:
            raise ValueError("the copy is of another simulation; expected one of this run or of its forks")
        self._load_from(copy)

    def fork(self):
        """Another runner of the same run, in the same state: it moves on its own, ahead or behind.

        The two share the columns of results: whoever gets to an event first writes what the other would write, so a
        copy of either is a copy of both. Each may run in a thread of its own.
        """
        cdef Simulation other = self._another(False, self.world.steering, None, self.world.results)
        other._load_from(self.copy())
        other.last_arrival = self.last_arrival
        return other

    cdef Simulation _another(self, bint forecasting, Steering steering, Jobs jobs=None, Results results=None):
        cdef Simulation other = Simulation(self.world.jobs if jobs is None else jobs, self.world.nodes, self.base,
                                           forecasting, self.world.site, steering, results)
        other.world.expecting = self.world.expecting
        other.world.repairs.foreseen = self.world.repairs.foreseen
        return other

    def branch(self, Steering steering, Jobs jobs=None):
        """Another run with the same past, at the same event: `steering` says what is done from here on.

        What it did and what failed up to here must be what happened in this run, ValueError where it is not. The
        branch has results of its own, in which nothing has happened yet that comes after this event. `jobs` is another
        table of the same jobs, if something about those that are not on the machine is different from here on.
        """
        cdef Simulation other = self._another(False, steering, jobs)
        if jobs is not None and jobs.count != self.world.jobs.count:
            raise ValueError(f"a table of {jobs.count} jobs; expected one of {self.world.jobs.count}")
        agree(self.world.steering, steering, &self.world.at)
        if self.world.at.event:
            other.world.results = self.world.results.until(self.world.at.event)
            other._load_from(self.copy())
        other.last_arrival = self.last_arrival
        return other

    def acting(self, actions, Jobs jobs=None):
        """A branch in which `actions` is all that is done from here on; `jobs` as in `branch`."""
        cdef Steering known = Steering() if self.world.steering is None else self.world.steering
        cdef Simulation other = self.branch(known.past(self.world.at.timed, self.world.at.numbered, actions), jobs)
        # The clock begins where it began, whatever began it.
        other.world.at.now = self.world.at.now
        return other

    def expected(self, actions=()):
        """Another run from here in which every job runs to its estimate, no job comes and no outage begins.

        `actions` is all that is done in it from here on: ValueError if one lies in the past. Unlike a forecast it is a
        run like any other: it can be stepped, copied, branched and asked for nodes.
        """
        cdef Simulation other, here
        cdef Steering known = Steering() if self.world.steering is None else self.world.steering
        known = known.past(self.world.at.timed, self.world.at.numbered, actions)
        agree(self.world.steering, known, &self.world.at)
        other = self._another(False, known, self.world.jobs.lasting_estimates())
        other.world.expecting = True
        other.world.repairs.foreseen = self.world.at.changes
        if self.world.at.event:
            other.world.results = self.world.results.until(self.world.at.event)
            # What the policy runs on the side is brought to this moment with what is true.
            here = self.fork()
            here.policy.redrawn(here.world)
            other._load_from(here.copy())
            believe_runtimes(other.world)
            other.policy.foretell(other.world)
        other.world.at.now = self.world.at.now
        other.last_arrival = self.world.at.arrivals
        return other

    def share(self, Copy copy not None):
        """A copy of another branch, as a copy of this run: it has the same bytes.

        The two must be the same up to there, ValueError where they are not.
        """
        cdef Copy made = Copy()
        if copy.jobs is not self.world.jobs:
            raise ValueError("the copy is of another workload; expected one of a branch of this run")
        if copy.steering is not self.world.steering:
            agree(copy.steering, self.world.steering, <const Position *> copy.bytes)
        made.state = copy.state
        made.bytes = copy.bytes
        made.size = copy.size
        made.event = copy.event
        made.now = copy.now
        made.jobs = copy.jobs
        made.steering = self.world.steering
        made.results = self.world.results
        return made

    def refusal(self, Intervention intervention not None):
        """Why an action cannot be done at this moment, as (code, {name: number}); None where it can be."""
        return refusal_of(self.world, self.policy, intervention)

    @property
    def policy_name(self):
        """The name of the policy in force."""
        return self.policy.name

    @property
    def parameters(self):
        """Its parameters."""
        return dict(self.policy.parameters)

    @property
    def acted(self):
        """How many actions have been done or refused so far."""
        return self.world.at.timed + self.world.at.numbered

    def refused(self):
        """The actions refused so far: (place among all, event, policy in force, code, {name: number}) each."""
        return accounts.refused_of(self.world)

    def classes(self):
        """{job: place among all actions} of the jobs of another class: of the action that made it so."""
        return accounts.classes_of(self.world)

    def forecast(self):
        """What would happen if every job ran to its estimate and nothing else came: to be run later, anywhere."""
        cdef Simulation other = self._another(True, self.world.steering)
        cdef job_t first
        other._load_from(self.copy())
        first = earliest(other.world)
        other.world.results = Results(first, other.world.at.arrivals - first)
        other.last_arrival = other.world.at.arrivals
        foretell(other.world)
        other.policy.foretell(other.world)
        # A job that is being saved is going to wait for its next start.
        return Forecast(other, self.world.at.event, [*self.waiting(), *(
            job for job in self.held() if not self.world.has_started(job) or self.state(job) == "o")])

    def digest(self):
        """Every byte of the moving state: equal exactly where two simulations are in the same state."""
        cdef Copy made = self.copy()
        return PyBytes_FromStringAndSize(made.bytes, made.size)

    @property
    def now(self):
        """The instant of the last event; before the first one, of the first submission."""
        return self.world.at.now

    @property
    def event(self):
        """Events done."""
        return self.world.at.event

    @property
    def over(self):
        """Whether nothing is left to do."""
        return upcoming(self.world, self.policy, self.last_arrival).kind == NONE

    @property
    def pending(self):
        """Whether the pass of this instant is still to come."""
        return bool(self.world.at.pass_due)

    @property
    def jobs(self):
        """The job table."""
        return self.world.jobs

    @property
    def nodes(self):
        return self.world.nodes

    @property
    def free(self):
        """Idle nodes."""
        return self.world.at.free

    @property
    def submitted(self):
        """Jobs submitted so far: rows 0 .. submitted - 1."""
        return self.world.at.arrivals

    @property
    def finished(self):
        return self.world.tally.finished

    @property
    def last(self):
        """(time, kind, job) of the last event, None before the first."""
        if self.world.at.last_kind == NONE:
            return None
        return self.world.at.last_time, self.world.at.last_kind, self.world.at.last_job

    def decisions(self):
        """What the last event that was stepped decided, in order: a DecisionView."""
        return frozen(self.world.decisions)

    def waiting(self):
        """array('i') of the waiting jobs, in the order of the queue."""
        return accounts.waiting_of(self.world)

    def running(self):
        """array('i') of the running jobs, in order of their starts."""
        return accounts.running_of(self.world)

    def held(self):
        """array('i') of the jobs that are neither waiting in the queue nor running: assigned nodes, moving, suspended, held."""
        return accounts.held_of(self.world)

    def owners(self):
        """array('i'), one a node: the job that has it, -1 idle, -2 down."""
        return accounts.owners_of(self.world)

    def draining(self):
        """array('i') of the nodes that go down as soon as their jobs leave them."""
        return accounts.draining_of(self.world)

    cdef job_t _check(self, job) except -1:
        if not 0 <= job < self.world.jobs.count:
            raise IndexError(f"job {job}; the table has {self.world.jobs.count} rows")
        return job

    def state(self, job):
        """The letter of a job's state: N W i R S o O H; F when it is over, '' before its submission."""
        cdef int letter = self.world.state_of(self._check(job))
        return chr(letter) if letter else ""

    def since(self, job):
        """The instant at which an active job entered its state, or a new one was submitted; None otherwise."""
        cdef int32_t slot = self.world.slot_of(self._check(job))
        if slot != NONE:
            return self.world.running.slots[slot].since
        return self.world.jobs.submit[job] if self.world.queue.find(job) != NONE else None

    def nodes_of(self, job):
        """The nodes that a job holds now, as (first, count) pairs, lowest first."""
        cdef int32_t slot = self.world.slot_of(self._check(job)), extent
        held = []
        extent = self.world.running.slots[slot].extents if slot != NONE else NONE
        while extent != NONE:
            held.append((self.world.machine.extents[extent].base, self.world.machine.extents[extent].count))
            extent = self.world.machine.extents[extent].next
        return held

    def start_of(self, job):
        """The first start of a job, None when it has not started yet."""
        if not self.world.has_started(self._check(job)):
            return None
        return accounts.known(self.world.results.of[job].start_event, self.world.results.of[job].start)

    def finish_of(self, job):
        """When a job ended, or was ended by a failure; None for one that was cancelled."""
        if self.world.state_of(self._check(job)) != c'F' or self.world.results.of[job].left == CANCELLED:
            return None
        return accounts.known(self.world.results.of[job].finish_event, self.world.results.of[job].finish)

    def outcome(self, job):
        """How a job that is over has left: "completed", "cancelled" or "struck" (by a failure); None before."""
        if self.world.state_of(self._check(job)) != c'F':
            return None
        return OUTCOMES[self.world.results.of[job].left]

    def end_of(self, job):
        """The predicted end of a running job: when its estimate runs out. None when it does not run."""
        cdef int32_t slot = self.world.slot_of(self._check(job))
        if slot == NONE or self.world.running.slots[slot].state != c'R':
            return None
        return self.world.limit(slot)

    def progress(self, job):
        """Seconds of its runtime that a job has had so far: 0 before its first run; None when it is over."""
        cdef int32_t slot = self.world.slot_of(self._check(job))
        cdef seconds_t done
        if slot == NONE:
            return None if self.world.state_of(job) == c'F' else 0
        done = self.world.running.slots[slot].done
        if self.world.running.slots[slot].state == c'R':
            done += max(self.world.at.now - self.world.running.slots[slot].run_start
                        - self.world.running.slots[slot].lead, 0)
        return done

    def submit_event(self, job):
        """The number of the event of a job's submission, None before it."""
        return self.world.results.of[job].submit_event or None if self._check(job) < self.world.at.arrivals else None

    def start_event(self, job):
        return None if self.start_of(job) is None else self.world.results.of[job].start_event

    def finish_event(self, job):
        return None if self.finish_of(job) is None else self.world.results.of[job].finish_event

    def preemptions(self, job):
        """How often a job was preempted so far."""
        cdef int32_t slot = self.world.slot_of(self._check(job))
        if slot != NONE:
            return self.world.running.slots[slot].preemptions
        return self.world.results.of[job].preemptions if self.world.state_of(job) == c'F' else 0

    def waited(self, job):
        """Seconds that a job has waited so far, all its stays together; None before submission, and when it is over."""
        cdef int32_t slot = self.world.slot_of(self._check(job))
        cdef bint waits = self.world.queue.find(job) != NONE
        if slot == NONE:
            return self.world.at.now - self.world.jobs.submit[job] if waits else None
        waits = waits or self.world.running.slots[slot].awaited
        return self.world.running.slots[slot].waited + (
            self.world.at.now - self.world.running.slots[slot].queued if waits else 0)

    def promise(self, job):
        """(time, "guaranteed") where the policy promises a waiting job its start, else None."""
        cdef Py_ssize_t at = self.world.queue.find(self._check(job))
        return None if at == NONE else self.policy.promise_waiting(self.world, at)

    def promises(self):
        """{job: time} of the waiting jobs that the policy promises a start, in the order of the queue."""
        cdef Py_ssize_t at
        found = {}
        for at in range(self.world.queue.first, self.world.queue.tail):
            if self.world.queue.job[at] != NONE:
                promise = self.policy.promise_waiting(self.world, at)
                if promise is not None:
                    found[self.world.queue.job[at]] = promise[0]
        return found

    def first_promise(self, job):
        """The first start that the policy promised a job, None when it promised none (yet)."""
        if self.world.results.of[self._check(job)].was_promised > self.world.at.event:
            return None
        return accounts.known(self.world.results.of[job].was_promised, self.world.results.of[job].promised)

    def explain(self, job):
        """Why a job waits, with nodes or without: (code, {name: number}); None when it does not wait."""
        cdef Py_ssize_t at = self.world.queue.find(self._check(job))
        cdef int32_t slot
        if job >= self.world.at.arrivals:
            return None
        if at != NONE:
            return self.policy.explain_waiting(self.world, at)
        slot = self.world.slot_of(job)
        return None if slot == NONE else self.policy.explain_active(self.world, slot)

    def terms(self, job):
        """What the policy keeps for a job, in its own terms: {name: number}, such as a deadline."""
        cdef Py_ssize_t at = self.world.queue.find(self._check(job))
        cdef int32_t slot
        if job >= self.world.at.arrivals:
            return {}
        if at != NONE:
            return self.policy.terms(self.world, at)
        slot = self.world.slot_of(job)
        return {} if slot == NONE else self.policy.active_terms(self.world, slot)

    def status(self):
        """What the policy goes by at this moment, in its own terms, as data: {} where there is nothing to tell."""
        return self.policy.status(self.world)

    def metrics(self):
        """Every metric so far by its name in `run --json`; None where there is no value yet."""
        return summary(self)

    def tally(self):
        """The sums behind the metrics, and the months: (dict, waits by month, starts by month)."""
        return accounts.tally_of(self.world, self.policy)

    def results(self, *names):
        """Columns of the whole table by name, arrays of int64, copies: start, finish and first_promise (-1 where it
        has not happened), backfilled and preemptions (0). All of them without names; ValueError for another name."""
        return accounts.results_of(self.world, names)

    def result(self, job):
        """What `results` has of one job: (start, finish, backfilled, preemptions, first_promise)."""
        return accounts.result_row(self.world, self._check(job))


@cython.final
cdef class Forecast:
    """A fork in which every estimate is a runtime and nothing arrives, taken at `event`."""

    def __cinit__(self, Simulation simulation, int64_t event, list waiting not None):
        self.simulation, self.event, self._waiting = simulation, event, waiting

    def run(self):
        """Run until nobody waits, with nodes or without; where jobs take turns, until all are over.

        Without the lock, in any thread.
        """
        cdef Simulation simulation = self.simulation
        with nogil:
            if simulation.world.sliced:
                simulation._run(LLONG_MAX, LLONG_MAX, False)
            while simulation.world.queue.live or simulation.world.running.interrupted:
                if simulation._run(LLONG_MAX, 1, False) == 0:
                    break

    def ends(self):
        """{job: expected end} of the jobs that were active or waiting, where jobs take turns; {} elsewhere."""
        cdef World world = self.simulation.world
        if not world.sliced:
            return {}
        return {job: world.results.of[job].finish
                for job in range(world.results.first, world.results.first + world.results.count)
                if world.results.of[job].finish_event and world.results.of[job].left != CANCELLED}

    def starts(self):
        """{job: expected start} of those that waited when the forecast was made; those that never start are left
        out."""
        cdef job_t job
        return {job: self.simulation.world.results.of[job].start for job in self._waiting
                if self.simulation.world.results.of[job].start_event}
