"""Which reasons to wait are false of a job of the T3D: about blocks, claims, limits and NQS."""

from collections.abc import Mapping

from shadowtime.console.session.training.questions.bounds import bounds_of, held_by_nqs
from shadowtime.console.session.training.questions.choices import first
from shadowtime.console.session.training.scene import Scene

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
