"""Which reasons are false of a job at its moment: only those are offered as wrong answers.

docs/training.md says of each reason when it is false. A reason whose truth is not settled by what is computed
here is not offered.
"""

from collections.abc import Mapping

from shadowtime.console.session.facts import DOWN, Decision
from shadowtime.console.session.training.questions.bounds import bounds_of, held_by_nqs
from shadowtime.console.session.training.questions.choices import first
from shadowtime.console.session.training.scene import Scene
from shadowtime.kernels.core.simulation import Simulation

PASSED = frozenset(
    (
        "ends_by_shadow",
        "within_extra",
        "predicted_by_shadow",
        "fits_out_of_order",
        "leapfrogs",
        "speculates",
    )
)
"""Reasons to run of jobs that passed the head."""
ROWS = frozenset(("its_row", "as_alternate"))
SHIFTS = frozenset(("shift", "large", "short", "long", "reserve"))
"""The parameters of `prime` on a flat machine."""
LIMITED = frozenset(("limit",))
"""Those of `unicos`, whose scan a job ends that has waited too long."""


def false_to_wait(scene: Scene, index: int) -> dict[str, str]:
    """Return the reasons to wait that are false of a job, by index, after the pass; the likeliest first.

    Each comes with the misconception that it stands for: what makes it false.
    """
    if on_blocks(scene):
        return false_on_torus(scene, index)
    after = scene.after
    queue, size = after.waiting(), scene.case.columns.size[index]
    # Which job heads the queue is certain only if the policy takes the jobs as they came.
    certain = not scene.policy.reorders
    heads = certain and bool(queue) and queue[0] == index
    behind = certain and index in queue and not heads
    # Under time slots "free" depends on the row that is meant.
    fits, lacks = size <= after.free and not scene.sliced, size > after.free and not scene.sliced
    rows = scene.sliced
    in_service = sum(owner != DOWN for owner in after.owners())
    false = {
        "head_blocked": first((certain and not heads, "not_the_head"), (fits, "it_fits")),
        "no_room": first((heads, "is_the_head"), (fits, "it_fits")),
        "would_delay_head": first(
            (heads, "is_the_head"),
            (lacks, "it_does_not_fit"),
            (behind and _harmless(scene, index), "delays_nobody"),
        ),
        "behind_head": first((scene.policy.passes, "policy_lets_pass")),
        "arrival_order": first((scene.policy.reorders and _passed(scene, index), "a_later_one_runs")),
        "reserved": _unreserved(scene, behind),
        "no_row": first((not rows, "no_turns"), (after.state(index) == "W", "has_a_row")),
        "behind_no_row": first((not rows, "no_turns"), (certain and not behind, "is_first_in_line")),
        "waits_for_row": first((not rows, "no_turns")),
        "on_hold": first((after.state(index) not in "HS", "nobody_holds_it")),
        "out_of_service": first((size <= in_service, "enough_in_service")),
        "too_large": first((size <= after.nodes, "machine_is_large_enough")),
    }
    return _ordered({**false_in_shifts(scene, index), **false}, scene.sliced)


def false_to_run(scene: Scene, job: int, made: Decision) -> dict[str, str]:
    """Return the reasons to run that are false of a job, by id, that started as `made`; likeliest first.

    Each comes with the misconception that it stands for: what makes it false.
    """
    code, rows = made.reason.code, scene.sliced
    here = scene.passed is not None and made in scene.passed.decisions
    stopped = here and any(one.kind == "preempt" for one in scene.decisions(frozenset(("preempt",))))
    heads, in_row = (code == "head_fits", "was_the_head"), (code in ROWS, "no_shadow")
    false = {
        "head_fits": first(
            (
                code in PASSED or (here and _behind(scene, job) and not scene.policy.reorders),
                "passed_the_head",
            ),
            (code in ROWS and scene.case.index_of(job) not in scene.before.waiting(), "had_its_place"),
        ),
        "ends_by_shadow": first(heads, in_row, (_later(made, "end", "shadow"), "ends_after_shadow")),
        "within_extra": first(heads, in_row, (code == "ends_by_shadow", "ends_in_time")),
        "reservation_due": _unreserved(scene, code in PASSED),
        "after_preemption": first((not scene.preempts or (here and not stopped), "stopped_nobody")),
        "its_row": first((not rows, "no_turns"), (code == "as_alternate", "row_of_others")),
        "as_alternate": first((not rows, "no_turns"), (code == "its_row", "its_own_row")),
        "operator": first((not scene.case.scenario.actions, "no_operator")),
    }
    return {it: why for it, why in _ordered(false, scene.sliced).items() if it != code}


def _passed(scene: Scene, index: int) -> bool:
    """Whether a job that came after a job, by index, runs already."""
    submit = scene.case.columns.submit
    return any(submit[other] > submit[index] for other in scene.after.running())


def _unreserved(scene: Scene, passed: bool) -> str:
    """Why a job has no reservation, if that is certain; `passed`: it is behind the head, or passed it."""
    reserves = scene.reserves
    return first((reserves == "nobody", "no_reservations"), (reserves == "head" and passed, "only_the_head"))


def _harmless(scene: Scene, index: int) -> bool:
    """Whether it is certain that the head starts no later if this job starts now: by the rule of EASY.

    Only if the head, or nobody, has a reservation, jobs share space, and all nodes are in service.
    """
    if not scene.reserves or not scene.shared or not scene.whole:
        return False
    after, columns = scene.after, scene.case.columns
    head, free = after.waiting()[0], after.free
    ends = sorted((max(after.end_of(job) or 0, scene.now + 1), columns.size[job]) for job in after.running())
    shadow = next((end for end, _ in ends if _free_by(end, free, ends) >= columns.size[head]), None)
    if shadow is None:
        return False
    extra = _free_by(shadow, free, ends) - columns.size[head]
    return scene.now + columns.estimate[index] <= shadow or columns.size[index] <= extra


def _free_by(end: int, free: int, ends: list[tuple[int, int]]) -> int:
    return free + sum(size for time, size in ends if time <= end)


def _behind(scene: Scene, job: int) -> bool:
    """Whether a job that stood before this one in the queue still waits after the pass."""
    waiting = set(scene.after.waiting())
    return any(other in waiting for other in _ahead(scene.before, scene.case.index_of(job)))


def _ahead(run: Simulation, index: int) -> list[int]:
    """The jobs that stand before a job, by index, in the queue; none if it is not there."""
    queue = list(run.waiting())
    return queue[: queue.index(index)] if index in queue else []


def _later(made: Decision, one: str, other: str) -> bool:
    """Whether a number of a reason is greater than another; both are known."""
    first, second = made.reason.numbers.get(one), made.reason.numbers.get(other)
    known = isinstance(first, int) and isinstance(second, int)
    return made.reason.code == "within_extra" and known and first > second  # type: ignore[operator]


def _ordered(false: Mapping[str, str], sliced: bool) -> dict[str, str]:
    """Those that are false; where jobs take turns the reasons about rows come first, elsewhere last."""
    rows = [code for code in false if "row" in code or code == "as_alternate"]
    others = [code for code in false if code not in rows]
    order = (*rows, *others) if sliced else (*others, *rows)
    return {code: false[code] for code in order if false[code]}


def false_in_shifts(scene: Scene, index: int) -> dict[str, str]:
    """Return, of each reason of these schedulers, why it is false of a job, by index, after the pass.

    The text is the misconception, and empty if the reason may be true. Other schedulers have no such reasons.
    """
    given = scene.after.parameters
    shifts, limited = given.keys() >= SHIFTS, given.keys() == LIMITED
    if not (shifts or limited) or scene.case.scenario.machine.torus is not None:
        return {}
    after, columns = scene.after, scene.case.columns
    queue, size = after.waiting(), columns.size[index]
    fits, heads = size <= after.free, bool(queue) and queue[0] == index
    found = {
        "no_room_now": first((fits, "it_fits")),
        "scan_ended": first((heads, "is_the_head"), (not _blocked_before(scene, index), "all_before_fit")),
        "reserved": "no_reservations",
    }
    if limited:
        waited = _waited_before(scene, index)
        return {**found, "waited_ends_scan": first((heads, "is_the_head"), (not waited, "waited_less"))}
    over = (not _in_prime(scene), "no_prime_time")
    short = (columns.runtime[index] <= scene.given("short"), "short_enough")
    small = (size <= scene.given("large"), "small_enough")
    brief = (columns.runtime[index] <= scene.given("long"), "not_too_long")
    return {
        "too_large_for_prime": first(over, short, small),
        "too_long_for_prime": first(over, short, brief),
        "prime_reserve": first(over, short, (after.free >= scene.given("reserve"), "reserve_is_free")),
        **found,
    }


def _in_prime(scene: Scene) -> bool:
    """Whether it is prime time (docs/schedulers.md, section 9)."""
    shift = scene.given("shift")
    return (scene.now - scene.given("phase")) % (2 * shift) < (scene.given("length") or shift)


def _blocked_before(scene: Scene, index: int) -> bool:
    """Whether a job before this one in the queue does not fit."""
    after, size = scene.after, scene.case.columns.size
    return any(size[job] > after.free for job in _ahead(after, index))


def _waited_before(scene: Scene, index: int) -> bool:
    """Whether a job before this one in the queue has waited longer than the limit."""
    after, limit = scene.after, scene.given("limit")
    return any((after.waited(job) or 0) > limit for job in _ahead(after, index))


CODES = {
    "job_limit": "over_job_limit",
    "system_limit": "over_system_limit",
    "class_limit": "over_class_limit",
    "large_limit": "over_large_limit",
}
"""The reason that a limit of the scheduler gives; those of NQS have the names of their limits."""
NQS = ("nqs_user", "nqs_queue_user", "nqs_run", "nqs_queue_run", "nqs_processors", "nqs_aggregate")


def on_blocks(scene: Scene) -> bool:
    """Whether jobs get blocks of the torus, and have claims to them."""
    return "reservation" in scene.after.status()


def false_on_torus(scene: Scene, index: int) -> dict[str, str]:
    """Return the reasons to wait that are false of a job, by index, after the pass; the likeliest first.

    Each comes with the misconception that it stands for.
    """
    state, status = scene.after.state(index), scene.after.status()
    held, claim = held_by_nqs(scene, index), status.get("reservation")
    own = claim is not None and claim["job"] == index
    over = {bound.limit for bound in bounds_of(scene, index) if bound.exceeded}
    limits = _limits(scene, held, over) if state in "NO" else {}
    by_nqs = (held, "held_before")
    false = {
        "still_undisturbed": first(by_nqs, (not _undisturbed(scene), "may_be_disturbed")),
        "reserved_for": first(by_nqs, (not _claimed_by_another(scene, index), "no_claim_of_others")),
        "nothing_lower": first(by_nqs, (_all_lower(scene, index), "all_lower")),
        "block_reserved": first((not own, "no_reservation")),
        "block_clearing": first((state != "W", "nothing_cleared")),
        **limits,
        "being_saved": first((state != "o", "not_saved")),
        "on_hold": first((state not in "HS", "nobody_holds_it")),
    }
    return {code: why for code, why in false.items() if why}


def _limits(scene: Scene, held: bool, over: set[str]) -> Mapping[str, str]:
    """Which reasons about limits are false: those that do not apply, and those that are not exceeded."""
    kept = "limit_is_kept"
    found = {code: first((held, "held_before"), (limit not in over, kept)) for limit, code in CODES.items()}
    if scene.case.scenario.nqs is not None:
        # A job beyond NQS is held by none of its limits.
        nqs = {code: first((not held, "not_held"), (code not in over, kept)) for code in NQS}
        found = {**nqs, **found} if held else {**found, **nqs}
    return found


def _undisturbed(scene: Scene) -> bool:
    """Whether any job on the machine may not be disturbed yet, or is being loaded."""
    after = scene.after
    for job in (*after.running(), *after.held()):
        until = after.terms(job).get("undisturbed_until")
        if after.state(job) == "i" or (until is not None and until > scene.now):
            return True
    return False


def _claimed_by_another(scene: Scene, index: int) -> bool:
    """Whether another job has a reservation or an assigned block."""
    after = scene.after
    jobs = {*after.waiting(), *after.held(), *after.running()} - {index}
    claim = after.status().get("reservation")
    return any(after.state(job) == "W" for job in jobs) or (claim is not None and claim["job"] != index)


def _all_lower(scene: Scene, index: int) -> bool:
    """Whether every job with a block is of lower priority, and may be preempted."""
    after = scene.after
    own = after.terms(index).get("level")
    if own is None:
        return False
    for job in (*after.running(), *after.held()):
        terms = after.terms(job)
        if after.state(job) in "Ri" and not (terms.get("level", own) < own and terms.get("preemptable")):
            return False
    return True
