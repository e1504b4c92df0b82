"""What an operator does to a machine at work: holds, cancels, suspends, starts, ranks, and puts policies in force.

Each action is an event: it is done, the policy hears of it and a pass follows, or it is refused and nothing else comes of
it (docs/steering.md). A scheduler of the torus knows itself what can be asked of its jobs.
"""

from shadowtime.kernels.core.decisions cimport MOVE, PREEMPT, REFUSE, RELEASE, START, SWITCH, reason_code, reason_data
from shadowtime.kernels.core.running cimport Active
from shadowtime.kernels.core.types cimport FOREVER, NONE, job_t, nodes_t, seconds_t
from shadowtime.kernels.core.world cimport NODES_FREED
from shadowtime.kernels.operator.outages cimport bring_back, count_down, count_kept, count_marked, keep, take_out
from shadowtime.kernels.operator.overrides cimport Override
from shadowtime.kernels.operator.steering cimport Range, as_numbered, as_timed
from shadowtime.kernels.operator.verbs cimport (
    CANCEL_JOB,
    CLASS_OF_JOB,
    DOWN_NODES,
    DRAIN_NODES,
    HOLD_JOB,
    PRIORITY_OF_JOB,
    RELEASE_JOB,
    RESUME_JOB,
    SET_PARAMETER,
    SET_POLICY,
    START_JOB,
    SUSPEND_JOB,
    UP_NODES,
)

from shadowtime.kernels.core.decisions import reason

cdef int OPERATOR = reason("operator", "needs", "free")
cdef int NOT_SUBMITTED = reason("not_submitted", "at")
cdef int IS_OVER = reason("is_over")
cdef int ONLY_WAITING_HELD = reason("only_waiting_held", "state")
cdef int ONLY_HELD_RELEASED = reason("only_held_released", "state")
cdef int ONLY_RUNNING_SUSPENDED = reason("only_running_suspended", "state")
cdef int ONLY_SUSPENDED_RESUMED = reason("only_suspended_resumed", "state")
cdef int ONLY_WAITING_STARTED = reason("only_waiting_started", "state")
cdef int NO_ROOM_TO_START = reason("no_room_to_start", "needs", "free")
cdef int OWN_ORDER = reason("own_order")
cdef int CLASSES_IGNORED = reason("classes_ignored")
cdef int ALL_IN_SERVICE = reason("all_in_service", "nodes")
cdef int ALL_DOWN = reason("all_down", "nodes")
cdef int ALL_LEAVING = reason("all_leaving", "nodes")
cdef int JOB_ACTIVE = reason("job_active", "blocker")
cdef int OTHER_MACHINE = reason("other_machine")
cdef int OTHER_POLICY = reason("other_policy")
cdef int OPERATOR_HELD = reason("operator_held", "needs")
cdef int OPERATOR_RELEASED = reason("operator_released", "needs")
cdef int OPERATOR_CANCELLED = reason("operator_cancelled", "needs")
cdef int OPERATOR_SUSPENDED = reason("operator_suspended", "size")
cdef int OPERATOR_RESUMED = reason("operator_resumed", "needs")
cdef int OPERATOR_RANKED = reason("operator_ranked", "needs", "level")
cdef int OPERATOR_CLASSED = reason("operator_classed", "needs")
cdef int POLICY_SET = reason("policy_set")
cdef int PARAMETER_SET = reason("parameter_set")


cdef Policy policy_of(World world, int32_t number):
    """The policy of a number in `at.in_force`, made when it is first asked for."""
    if number not in world.policies:
        world.policies[number] = world.steering.intervention(number - 1).policy.twin()
    return world.policies[number]


cdef int obstacle(World world, Policy policy, Steering steering, int32_t item, int64_t *numbers) except -2:
    """Why an action cannot be done at this moment, the code of a reason with its numbers; NONE where it can be."""
    cdef const InterventionRecord *record = steering.record(item)
    if record.verb >= SET_POLICY:
        if steering.intervention(item).policy is None:
            return OTHER_POLICY
        if record.verb == SET_PARAMETER and steering.intervention(item).policy.name != policy.name:
            return OTHER_POLICY
        return obstacle_to_policy(world, policy, steering.intervention(item).policy, numbers)
    if record.verb >= DRAIN_NODES:
        return obstacle_to_nodes(world, steering, record, numbers)
    if policy.blocks:
        refusal = policy.refusal(world, record.verb, record.job, record.to)
        return NONE if refusal is None else reason_code(refusal, numbers)
    return obstacle_to_job(world, policy, record, numbers)


cdef object refusal_of(World world, Policy policy, Intervention intervention):
    """The same of any action, as (code, {name: number}); None where it can be done."""
    cdef int64_t numbers[6]
    cdef Steering asked = Steering((intervention,))
    cdef int code
    asked.check(world.nodes, <job_t> world.jobs.count)
    code = obstacle(world, policy, asked, as_timed(0) if intervention.after is None else as_numbered(0), numbers)
    return None if code == NONE else reason_data(code, numbers)


cdef int obstacle_to_job(World world, Policy policy, const InterventionRecord *record, int64_t *numbers) except -2:
    cdef int state = world.state_of(record.job)
    cdef Py_ssize_t at
    if record.verb == PRIORITY_OF_JOB and not policy.ranks:
        return OWN_ORDER
    if record.verb == CLASS_OF_JOB and not policy.classes:
        return CLASSES_IGNORED
    numbers[0] = world.jobs.submit[record.job]
    if state == 0:
        return NOT_SUBMITTED
    if state == c'F':
        return IS_OVER
    numbers[0] = state
    at = world.queue.find(record.job)
    if record.verb == HOLD_JOB and at == NONE:
        return ONLY_WAITING_HELD
    if record.verb == RELEASE_JOB and state != c'H':
        return ONLY_HELD_RELEASED
    if record.verb == SUSPEND_JOB and state != c'R' and not (world.sliced and state == c'W'):
        return ONLY_RUNNING_SUSPENDED
    if record.verb == RESUME_JOB and state != c'S':
        return ONLY_SUSPENDED_RESUMED
    if record.verb != START_JOB:
        return NONE
    if at == NONE:
        return ONLY_WAITING_STARTED
    if policy.has_room(world, at):
        return NONE
    numbers[0] = world.queue.size[at]
    numbers[1] = world.at.free
    return NO_ROOM_TO_START


cdef int obstacle_to_nodes(World world, Steering steering, const InterventionRecord *record, int64_t *numbers) except -2:
    cdef const Range *ranges = &steering.ranges[record.begin]
    cdef int32_t k, count = record.end - record.begin
    cdef nodes_t nodes = 0, marked = count_marked(world, ranges, count)
    for k in range(count):
        nodes += ranges[k].count
    numbers[0] = nodes
    if record.verb == UP_NODES:
        return NONE if marked else ALL_IN_SERVICE
    if marked < nodes or count_kept(world, ranges, count) < nodes:
        return NONE
    if count_down(world, ranges, count) == nodes:
        return ALL_DOWN
    return ALL_LEAVING if record.verb == DRAIN_NODES else NONE


cdef int obstacle_to_policy(World world, Policy policy, Policy other, int64_t *numbers) except -2:
    cdef int32_t slot
    if not other.suits(world):
        return OTHER_MACHINE
    if not policy.blocks and not other.needs_blocks(world):
        return NONE
    for slot in range(world.running.used):
        if world.running.slots[slot].job != NONE and not policy.is_new(world, slot):
            numbers[0] = world.running.slots[slot].job
            return JOB_ACTIVE
    return NONE


cdef int act(World world, Policy policy, int32_t item) except -1:
    """Do an action, or refuse it; its event has begun."""
    cdef int64_t numbers[6]
    cdef const InterventionRecord *record = world.steering.record(item)
    cdef int code, i
    for i in range(6):
        numbers[i] = 0
    code = obstacle(world, policy, world.steering, item, numbers)
    if item % 2:
        world.at.numbered += 1
    else:
        world.at.timed += 1
    if code != NONE:
        world.results.refused[item] = (world.at.event, policy.name, reason_data(code, numbers))
        return world.decisions.add(REFUSE, record.job, code, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4],
                                   numbers[5])
    world.at.pass_due = 1
    world.at.changed |= NODES_FREED
    if record.verb >= SET_POLICY:
        return put_in_force(world, policy, item)
    if record.verb == UP_NODES:
        keep(world, &world.steering.ranges[record.begin], record.end - record.begin, False)
        bring_back(world, &world.steering.ranges[record.begin], record.end - record.begin, True)
    elif record.verb >= DRAIN_NODES:
        keep(world, &world.steering.ranges[record.begin], record.end - record.begin, True)
        take_out(world, policy, &world.steering.ranges[record.begin], record.end - record.begin, record.verb == DOWN_NODES)
    elif policy.blocks:
        note(world, record)
        if record.verb == CLASS_OF_JOB:
            tell(world, item, NONE)
        return policy.operate(world, record.verb, record.job, record.to)
    else:
        act_on_job(world, policy, item)
    return policy.disturbed(world)


cdef int put_in_force(World world, Policy policy, int32_t item) except -1:
    """Another policy adopts the machine, with no past; one of the same name may know the other's."""
    cdef Policy other
    cdef bint parameter = world.steering.record(item).verb == SET_PARAMETER
    # A new one each time: nothing is left of what it did before somebody went back.
    world.policies.pop(item + 1, None)
    other = policy_of(world, item + 1)
    policy.leave(world)
    other.reset(world)
    if parameter:
        other.inherit(policy)
    world.at.in_force = item + 1
    world.at.switch_at = FOREVER
    world.decisions.add(SWITCH, NONE, PARAMETER_SET if parameter else POLICY_SET)
    return other.take_over(world)


cdef int note(World world, const InterventionRecord *record) except -1:
    """The decision that an action on a job is."""
    cdef nodes_t size = world.jobs.size[record.job]
    if record.verb == HOLD_JOB:
        return world.decisions.add(MOVE, record.job, OPERATOR_HELD, size)
    if record.verb == RELEASE_JOB:
        return world.decisions.add(MOVE, record.job, OPERATOR_RELEASED, size)
    if record.verb == CANCEL_JOB:
        return world.decisions.add(RELEASE, record.job, OPERATOR_CANCELLED, size)
    if record.verb == SUSPEND_JOB:
        return world.decisions.add(PREEMPT, record.job, OPERATOR_SUSPENDED, size)
    if record.verb == RESUME_JOB:
        return world.decisions.add(MOVE, record.job, OPERATOR_RESUMED, size)
    if record.verb == CLASS_OF_JOB:
        return world.decisions.add(MOVE, record.job, OPERATOR_CLASSED, size)
    if record.verb == PRIORITY_OF_JOB:
        return world.decisions.add(MOVE, record.job, OPERATOR_RANKED, size, record.to)
    if record.verb == START_JOB and not world.sliced:
        return world.decisions.add(START, record.job, OPERATOR, size, world.at.free)
    return 0


cdef int act_on_job(World world, Policy policy, int32_t item) except -1:
    cdef const InterventionRecord *record = world.steering.record(item)
    cdef job_t job = record.job
    cdef int32_t slot = world.slot_of(job)
    cdef Py_ssize_t at = world.queue.find(job)
    cdef bint had
    note(world, record)
    if record.verb == HOLD_JOB:
        return hold(world, at)
    if record.verb == RELEASE_JOB:
        world.at.awaited -= 1
        world.running.slots[slot].awaited = 0
        return policy.come_back(world, slot)
    if record.verb == CANCEL_JOB:
        had = slot != NONE and world.running.slots[slot].extents != NONE
        world.cancel(job)
        return policy.left(world, job) if had else 0
    if record.verb == SUSPEND_JOB:
        suspend(world, slot)
        return policy.left(world, job)
    if record.verb == RESUME_JOB:
        return resume(world, slot)
    if record.verb == START_JOB:
        return policy.start_now(world, at)
    return tell(world, item, at)


cdef int hold(World world, Py_ssize_t at) except -1:
    """The job at a position leaves the queue; it goes on waiting."""
    cdef job_t job = world.queue.job[at]
    cdef int32_t slot = world.queue.slot[at]
    cdef Active *active
    if slot == NONE:
        slot = world.seat(at)
    world.queue.remove(at)
    active = &world.running.slots[slot]
    active.state = c'H'
    active.since = world.at.now
    active.ahead = 0
    active.awaited = 1
    world.at.awaited += 1
    world.queue.place[job] = -2 - slot
    return 0


cdef int suspend(World world, int32_t slot) except -1:
    """A job leaves its nodes, or its columns, and keeps its progress; until it is resumed it does not wait."""
    cdef Active *active = &world.running.slots[slot]
    if active.awaited:
        # It had columns, and never ran: what it has waited is known.
        active.waited += world.at.now - active.queued
        active.awaited = 0
        world.at.awaited -= 1
    world.evict(slot)
    active.state = c'S'
    active.since = world.at.now
    active.preemptable = 0
    active.lead = active.predicted = 0
    return 0


cdef int resume(World world, int32_t slot) except -1:
    """A suspended job waits again, at its place by priority and arrival."""
    cdef Active *active = &world.running.slots[slot]
    active.queued = world.at.now
    if not active.started:
        # What it waited before and what it will is one wait.
        active.queued -= active.waited
        active.waited = 0
    return world.rejoin(slot, world.rank_of(active.job, 0))


cdef int tell(World world, int32_t item, Py_ssize_t at) except -1:
    """A job has another priority, which may move it in the queue, or is of another class."""
    cdef const InterventionRecord *record = world.steering.record(item)
    cdef Override *said = world.overrides.open(record.job)
    cdef int32_t slot
    cdef seconds_t left
    cdef nodes_t size
    if record.verb == CLASS_OF_JOB:
        said.classed = 1
        said.by = item
        said.service = record.service
        said.interactive = record.interactive
        said.weight = record.weight
        return 0
    said.priority = record.to
    if at == NONE:
        return 0
    slot = world.queue.slot[at]
    left = world.queue.estimate[at]
    size = world.queue.size[at]
    world.queue.remove(at)
    return world.queue.insert(record.job, size, left, slot,
                              world.rank_of(record.job, world.running.slots[slot].ahead if slot != NONE else 0))
