"""Why a job of a captured cluster does not run, and which other reasons are false of it.

Each reason is a statement that the planner settles: the plan of the whole queue, the plan of the job alone,
that without reservations of the operator, and that on an empty cluster.
"""

from shadowtime.console.session.slurm.board.facts import LEFT_OUT, PlanRow
from shadowtime.console.session.training.clusters.scene import STARTS, ClusterScene
from shadowtime.console.session.training.facts import Mistaken, Value
from shadowtime.scenarios.slurm import Job

OUT_OF_QUEUE = ("held", "dependency", "begin", "begins_later", "array_limit")
"""The reasons of jobs that have no entry in the queue (docs/slurm-cycle.md, section 2)."""
OVER_LIMIT = "accounting limit", "limit on jobs"


def cause(scene: ClusterScene, number: int) -> str:
    """Return the reason that is true of a job, by number; empty if it starts now, or if none is settled."""
    job, row = scene.job(number), scene.row(number)
    if row.outcome == LEFT_OUT:
        found = [code for code in OUT_OF_QUEUE if _keeps_out(scene, job, code)]
        if len(found) > 1:
            return ""
        return found[0] if found else "not_reached"
    if row.outcome == "started":
        return ""
    if row.note in OVER_LIMIT:
        return "over_limit"
    if row.outcome == "skipped" and row.note != "cannot be scheduled":
        return ""
    return _of_plan(scene, job, number)


def _keeps_out(scene: ClusterScene, job: Job, code: str) -> bool:
    if code == "held":
        return job.priority == 0
    if code == "dependency":
        return job.depends
    if code == "begin":
        return job.eligible > scene.now
    if code == "begins_later":
        begins = {each.name: each.begin for each in scene.capture.reservations}
        return begins.get(job.reservation, 0) > scene.now
    return job.array is not None and job.array.most_running > 0


def _of_plan(scene: ClusterScene, job: Job, number: int) -> str:
    """The reason of a job that the cycle tried, and gave no start now."""
    if job.reservation:
        # The reasons below do not count what its own reservation keeps from it.
        return ""
    if scene.alone(number)[0] == scene.now:
        return "behind"
    if scene.alone(number, running=False, reserved=False)[0] != scene.now:
        return "too_large"
    return "kept" if scene.alone(number, reserved=False)[0] == scene.now else "busy"


def false_causes(scene: ClusterScene, number: int) -> dict[Value, Mistaken]:
    """Return the reasons that are false of a job, by number, the likeliest first, and what makes them so."""
    job, row = scene.job(number), scene.row(number)
    false: dict[Value, Mistaken] = {}
    if not job.reservation:
        false |= _false_of_plan(scene, number)
    if row.order is not None:
        false["not_reached"] = Mistaken("was_tried", number)
    if row.outcome in STARTS:
        false["over_limit"] = Mistaken("within_limits", number)
    mistakes = {"held": "nobody_holds_job", "dependency": "no_dependency", "begin": "may_begin"}
    for code, mistake in mistakes.items():
        if not _keeps_out(scene, job, code):
            false[code] = Mistaken(mistake, number)
    if job.array is None:
        false["array_limit"] = Mistaken("no_array", number)
    true = cause(scene, number)
    # After a change of the cycle its end tempts more than anything else.
    first = "not_reached" if scene.do.startswith("set ") else ""
    codes = sorted(false.keys() - {true}, key=lambda code: (code != first, [*false].index(code)))
    return {code: false[code] for code in codes}


def _false_of_plan(scene: ClusterScene, number: int) -> dict[Value, Mistaken]:
    """Which reasons about nodes are false, by the plans of the job alone."""
    alone, _ = scene.alone(number)
    unreserved, _ = scene.alone(number, reserved=False)
    empty, _ = scene.alone(number, running=False, reserved=False)
    now, row = scene.now, scene.row(number)
    false: dict[Value, Mistaken] = {}
    if alone == now:
        false["busy"] = Mistaken("room_if_alone", number)
    elif unreserved == now:
        false["busy"] = Mistaken("room_but_for_reservation", number)
    if alone != now and row.order is not None:
        false["behind"] = Mistaken("no_room_if_alone", number, alone)
    if (alone == now) == (unreserved == now):
        false["kept"] = Mistaken("reservations_harmless", number)
    if empty == now:
        false["too_large"] = Mistaken("fits_when_empty", number)
    return false


def shown_reason(row: PlanRow) -> str:
    """The reason that Slurm shows; empty if it shows none."""
    return "" if row.slurm_reason in ("", "None") else row.slurm_reason
