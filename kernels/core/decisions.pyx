"""What one event decided, and why: codes and numbers, as data. The console words them."""

cimport cython
from libc.stdlib cimport free

from kernels.core.memory cimport resized

DECISION_NAMES = ("start", "backfill", "reserve", "preempt", "resume", "place", "move", "release", "refuse",
                  "switch", "keep")

# The name of each reason and of its numbers, in the order of ReasonCode. `head`, `blocker` and `by` are rows of the table;
# `was` and `becomes` are numbers of orders or candidates; averages and scores are in millionths; `service` is a place in
# SERVICES, `queue` one in NQS_QUEUES, `state` the code of a letter, `level` the priority of a class as it stands.
REASONS = (
    ("head_fits", ("needs", "free")),
    ("ends_by_shadow", ("needs", "free", "end", "shadow", "head")),
    ("within_extra", ("needs", "free", "end", "shadow", "extra", "head")),
    ("head_shadow", ("needs", "free", "shadow", "extra")),
    ("anchor", ("needs", "at")),
    ("compressed", ("needs", "was", "at")),
    ("reservation_due", ("needs", "free", "reserved")),
    ("planned_now", ("needs", "free")),
    ("head_blocked", ("needs", "free", "shadow", "extra", "blocker")),
    ("behind_head", ("needs", "free", "head", "head_needs", "shadow")),
    ("no_room", ("needs", "free", "head", "shadow")),
    ("would_delay_head", ("needs", "free", "end", "shadow", "extra", "head")),
    ("reserved", ("needs", "free", "reserved", "short_at", "short_free")),
    ("planned", ("needs", "free", "planned", "short_at", "short_free", "place")),
    ("pass_pending", ("needs", "free")),
    ("missed_turn", ("needs", "free", "reserved")),
    ("operator", ("needs", "free")),
    ("own_choice", ("needs", "free")),
    ("aert", ("was", "becomes", "total", "waiting", "lower", "upper")),
    ("classes_waiting", ("was", "becomes", "interactive", "batch", "busy", "nodes")),
    ("after_preemption", ("needs", "free", "stopped", "freed", "at")),
    ("preempted_for", ("size", "head", "head_needs", "done", "left")),
    ("predicted_by_shadow", ("needs", "free", "end", "shadow", "limit", "head")),
    ("fits_out_of_order", ("needs", "free", "head", "head_needs")),
    ("about_to_run", ("needs", "free", "at")),
    ("eligible", ("needs", "free", "runtime")),
    ("too_large_for_prime", ("needs", "free", "large", "runtime", "short", "boundary")),
    ("too_long_for_prime", ("needs", "free", "runtime", "long", "short", "boundary")),
    ("prime_reserve", ("needs", "free", "reserve", "runtime", "short", "boundary")),
    ("scan_ended", ("needs", "free", "blocker", "blocker_needs")),
    ("no_room_now", ("needs", "free")),
    ("waited_ends_scan", ("needs", "free", "blocker", "blocker_needs", "waited", "limit")),
    ("inserted", ("needs", "at", "deadline", "earliest", "ahead_of", "waiting")),
    ("pushed_back", ("needs", "was", "at", "deadline", "by")),
    ("planned_by_deadline", ("needs", "free", "planned", "deadline", "short_at", "short_free")),
    ("taken_over", ("needs", "at", "deadline")),
    ("scores", ("was", "becomes", "score_was", "score_becomes", "metric", "frame")),
    ("nobody_completed", ("was", "becomes", "metric", "frame")),
    ("sizes", ("was", "becomes", "average", "recent", "arrivals", "frame")),
    ("no_arrivals", ("was", "becomes", "average", "frame")),
    ("next_row", ("was", "becomes", "rows", "quantum")),
    ("row_empty", ("becomes", "rows")),
    ("placed", ("needs", "row", "base", "rows", "load")),
    ("placed_lowest", ("needs", "row", "base", "rows")),
    ("its_row", ("needs", "row", "base", "rows")),
    ("as_alternate", ("needs", "row", "base", "rows")),
    ("row_over", ("needs", "row", "base", "current")),
    ("waits_for_row", ("needs", "row", "base", "current", "rows", "turn")),
    ("no_row", ("needs", "free", "rows", "slots")),
    ("behind_no_row", ("needs", "free", "head", "head_needs", "rows", "slots")),
    ("not_enough_to_stop", ("needs", "free", "stoppable", "shadow", "blocker")),
    ("loaded_best", ("needs", "free", "base", "enclosing", "wire", "waited")),
    ("loaded_reserved", ("needs", "free", "base", "wire", "waited")),
    ("loaded_lowest", ("needs", "free", "base")),
    ("least_cost", ("needs", "base", "level", "sizes", "longest", "waited")),
    ("saved_for", ("size", "head", "head_level", "level", "base", "until")),
    ("claim_lost", ("needs", "base", "by")),
    ("claim_not_due", ("needs", "base", "waited", "max_wait")),
    ("claim_blocked", ("needs", "base", "blocker", "level", "blocker_level")),
    ("claim_lapsed", ("needs", "base")),
    ("storage_full", ("size", "stored", "storage")),
    ("block_reserved", ("needs", "free", "base", "at", "blocker", "waited")),
    ("block_clearing", ("needs", "free", "base", "at", "blocker")),
    ("over_job_limit", ("needs", "free", "limit")),
    ("over_system_limit", ("needs", "free", "in_use", "limit")),
    ("over_class_limit", ("needs", "free", "in_use", "limit", "service")),
    ("over_large_limit", ("needs", "free", "in_use", "limit", "large")),
    ("reserved_for", ("needs", "free", "base", "head", "level", "head_level")),
    ("still_undisturbed", ("needs", "free", "base", "blocker", "at")),
    ("nothing_lower", ("needs", "free", "base", "blocker", "level", "blocker_level")),
    ("being_loaded", ("needs", "base", "at")),
    ("being_saved", ("needs", "base", "at")),
    ("suspended", ("needs", "since")),
    ("no_free_block", ("needs", "free")),
    ("nqs_released", ("needs", "queue")),
    ("nqs_no_queue", ("needs", "estimate", "processors", "longest")),
    ("nqs_user", ("needs", "free", "in_use", "limit")),
    ("nqs_queue_user", ("needs", "free", "in_use", "limit", "queue")),
    ("nqs_run", ("needs", "free", "in_use", "limit")),
    ("nqs_queue_run", ("needs", "free", "in_use", "limit", "queue")),
    ("nqs_processors", ("needs", "free", "in_use", "limit")),
    ("nqs_aggregate", ("needs", "free", "in_use", "limit", "queue")),
    ("not_offered", ()),
    ("not_submitted", ("at",)),
    ("is_over", ()),
    ("wrong_state", ("state",)),
    ("no_such_class", ("service",)),
    ("only_waiting_held", ("state",)),
    ("only_held_released", ("state",)),
    ("only_running_suspended", ("state",)),
    ("only_suspended_resumed", ("state",)),
    ("only_waiting_started", ("state",)),
    ("no_room_to_start", ("needs", "free")),
    ("own_order", ()),
    ("classes_ignored", ()),
    ("all_in_service", ("nodes",)),
    ("all_down", ("nodes",)),
    ("all_leaving", ("nodes",)),
    ("job_active", ("blocker",)),
    ("other_machine", ()),
    ("other_policy", ()),
    ("operator_held", ("needs",)),
    ("operator_released", ("needs",)),
    ("operator_cancelled", ("needs",)),
    ("operator_suspended", ("size",)),
    ("operator_resumed", ("needs",)),
    ("operator_ranked", ("needs", "level")),
    ("operator_classed", ("needs",)),
    ("nodes_down", ("nodes", "leaving")),
    ("nodes_back", ("nodes", "covered")),
    ("struck_killed", ("size", "lost")),
    ("struck_requeued", ("size", "done", "lost")),
    ("policy_set", ()),
    ("parameter_set", ()),
    ("on_hold", ("needs", "since")),
    ("head_waits_for_nodes", ("needs", "free", "shadow", "extra")),
    ("out_of_service", ("needs", "free", "nodes")),
    ("no_block", ("needs", "free", "nodes", "block")),
)


cdef object reason_data(int reason, const int64_t *numbers):
    """(code, {name: number}) of a reason."""
    cdef int i
    name, names = REASONS[reason]
    return name, {names[i]: numbers[i] for i in range(len(names))}


cdef int reason_code(object reason, int64_t *numbers) except -1:
    """The other way round."""
    cdef int i, code
    name, given = reason
    code = [known for known, _ in REASONS].index(name)
    for i, key in enumerate(REASONS[code][1]):
        numbers[i] = given[key]
    return code


@cython.final
cdef class Decisions:
    def __dealloc__(self):
        free(self.made)

    cdef int _write(self, int kind, job_t job, int reason, int64_t a, int64_t b, int64_t c, int64_t d,
                    int64_t e, int64_t f) except -1 nogil:
        cdef Decision *made
        cdef Py_ssize_t capacity
        if self.count == self.capacity:
            capacity = max(2 * self.capacity, 64)
            self.made = <Decision *> resized(self.made, capacity * sizeof(Decision))
            self.capacity = capacity
        made = &self.made[self.count]
        made.numbers[0] = a
        made.numbers[1] = b
        made.numbers[2] = c
        made.numbers[3] = d
        made.numbers[4] = e
        made.numbers[5] = f
        made.job = job
        made.kind = <uint8_t> kind
        made.reason = <uint8_t> reason
        self.count += 1
        return 0
