"""The T3D's schedulers and NQS in words: blocks by their bases Z, Y, X, priorities of classes, limits."""

from collections.abc import Mapping

from shadowtime.console.session import Value

BLOCK = "the block of {needs:,} at {base:zyx}"
OTHERS = "others have {in_use:,} PE, and {limit:,} is the most"

WAITING: Mapping[str, str] = {
    "block_reserved": f"job {{job}} has the reservation, of {BLOCK}: it may be clear at {{at:time}}, when job"
    " {blocker} has left it; it has waited {waited:span}",
    "block_clearing": f"job {{job}} waits for {BLOCK}, which is being cleared: it may be clear at"
    " {at:time}, when job {blocker} has left it",
    "over_job_limit": "job {job} waits: it needs {needs:,} PE, and no job may have more than {limit:,}",
    "over_system_limit": f"job {{job}} waits: it needs {{needs:,}} PE, and {OTHERS} that jobs which"
    " run or ran may have",
    "over_class_limit": f"job {{job}} waits: it needs {{needs:,}} PE, and {OTHERS} that {{service}}"
    " jobs may have",
    "over_large_limit": f"job {{job}} waits: it needs {{needs:,}} PE, and {OTHERS} that jobs of"
    " {large:,} or more may have",
    "reserved_for": "job {job} waits: it needs {needs:,} PE, and job {head} of priority {head_level}"
    " has a claim at {base:zyx}, which a job of priority {level} respects",
    "still_undisturbed": "job {job} waits: no block of {needs:,} is free, and job {blocker} in"
    " the block at {base:zyx} may not be disturbed until {at:time}",
    "nothing_lower": "job {job} waits: no block of {needs:,} is free, and even in the cheapest, at"
    " {base:zyx}, job {blocker} of priority {blocker_level} may not be preempted for a job of priority"
    " {level}",
    "no_free_block": "job {job} waits: no block of {needs:,} is free; {free:are} idle in all",
    "wire_beside": "job {job} waits: the block of {needs:,} at {base:zyx} is free, and job {blocker}"
    " beside it has barrier wire {wire}",
    "nqs_user": "job {job} is held by NQS: the scheduler has {in_use:jobs} of its user, and the limit is"
    " {limit:,}",
    "nqs_queue_user": "job {job} is held by NQS: the scheduler has {in_use:jobs} of its user from {queue},"
    " and the limit is {limit:,}",
    "nqs_run": "job {job} is held by NQS: the scheduler has {in_use:jobs}, and the limit is {limit:,}",
    "nqs_queue_run": "job {job} is held by NQS: the scheduler has {in_use:jobs} from {queue}, and the limit"
    " is {limit:,}",
    "nqs_processors": f"job {{job}} is held by NQS: it needs {{needs:,}} PE, and {OTHERS} that"
    " released jobs may have",
    "nqs_aggregate": f"job {{job}} is held by NQS: it needs {{needs:,}} PE, and {OTHERS} that"
    " released jobs of {queue} may have",
    "being_loaded": f"job {{job}} is being loaded into {BLOCK} and runs from {{at:time}}",
    "being_saved": f"job {{job}} is being saved and leaves {BLOCK} at {{at:time}}",
    "suspended": "job {job} is suspended by the operator, off its {units} since {since:time}, until it is"
    " resumed",
}
"""The sentence for each reason to wait."""

BRIEF: Mapping[str, str] = {
    "block_reserved": "reserved {base:zyx}, {at:time}",
    "block_clearing": "clearing {base:zyx}, {at:time}",
    "over_job_limit": "over {limit:,} a job",
    "over_system_limit": "system has {in_use:,} of {limit:,}",
    "over_class_limit": "class has {in_use:,} of {limit:,}",
    "over_large_limit": "large have {in_use:,} of {limit:,}",
    "reserved_for": "{head} has a claim",
    "still_undisturbed": "{blocker} until {at:time}",
    "nothing_lower": "{blocker} is worth {blocker_level}",
    "no_free_block": "no block of {needs:,}",
    "wire_beside": "wire {wire} beside {base:zyx}",
    "nqs_user": "NQS: user has {in_use:,} of {limit:,}",
    "nqs_queue_user": "NQS: user has {in_use:,} of {limit:,}",
    "nqs_run": "NQS: {in_use:,} of {limit:,} run",
    "nqs_queue_run": "{queue}: {in_use:,} of {limit:,} run",
    "nqs_processors": "NQS: {in_use:,} of {limit:,} PE",
    "nqs_aggregate": "{queue}: {in_use:,} of {limit:,} PE",
    "being_loaded": "runs at {at:time}",
    "being_saved": "saved at {at:time}",
    "suspended": "suspended",
}
"""The same in a few words."""

NEVER_PREEMPTED = (
    "job {job} waits: no block of {needs:,} is free, and even in the cheapest, at {base:zyx}, is job"
    " {blocker}, which is never preempted",
    "{blocker} is never preempted",
)
CLOSED: Mapping[str, tuple[str, str]] = {
    "nqs_queue_user": (
        "job {job} is held by NQS: {queue} lets no job through at this time of the day",
        "{queue} is closed",
    ),
}
"""The sentence and its short form, if a number has a special meaning."""


def special(code: str, numbers: Mapping[str, Value]) -> tuple[str, str] | None:
    """Return the sentence for a case that the usual one does not explain, else None.

    A job of lower priority in the way stays for another reason: its class, or a full storage. A queue with a
    limit of 0 is closed.
    """
    level, other = numbers.get("level"), numbers.get("blocker_level")
    if code == "nothing_lower" and isinstance(level, int) and isinstance(other, int) and other < level:
        return NEVER_PREEMPTED
    return CLOSED.get(code) if numbers.get("limit") == 0 else None


CLAUSES: Mapping[str, str] = {
    "loaded_best": f"{BLOCK} is free, the best fit: {{enclosing:,}} are free around it; it has wire"
    " {wire:,} and is loaded after a wait of {waited:span}",
    "loaded_reserved": f"{BLOCK}, which it had reserved, is clear; it has wire {{wire:,}} and is"
    " loaded after a wait of {waited:span}",
    "loaded_lowest": f"{BLOCK} is the lowest that is free",
}
"""Why a job is loaded, or its state restored."""

COST = (
    "the highest priority in it is {level}, jobs of {sizes:,} PE leave it, and it may be clear in"
    " {longest:span}; the job has waited {waited:span}"
)

DECISIONS: Mapping[str, Mapping[str, str]] = {
    "reserve": {"least_cost": f"job {{job}} reserves {BLOCK}, the cheapest to clear: {COST}"},
    "place": {"least_cost": f"job {{job}} is assigned {BLOCK}, the cheapest to clear at once: {COST}"},
    "preempt": {
        "saved_for": "job {job} of priority {level} is preempted at {base:zyx} for job {head} of priority"
        " {head_level}; its {size:,} PE are saved until {until:time}",
    },
    "release": {
        "claim_lost": f"job {{job}} loses its reservation, of {BLOCK}, to job {{by}} of higher priority",
        "claim_not_due": f"job {{job}} loses its reservation, of {BLOCK}: it has waited {{waited:span}}, and"
        " its class may wait {max_wait:length} now",
        "claim_blocked": f"job {{job}} of priority {{level}} loses its reservation, of {BLOCK}: job"
        " {blocker} of priority {blocker_level} in it may not be preempted for it any more",
        "claim_lapsed": f"job {{job}} gives up {BLOCK}, which was being cleared for it",
        "nqs_released": "job {job} is released by NQS from {queue}: with its {needs:,} PE all limits hold",
    },
    "refuse": {
        "storage_full": "job {job} is not saved, now or ever: its {size:,} PE and the {stored:,}"
        " stored exceed the {storage:,} of the storage",
        "not_interactive": "job {job} is refused: it needs {needs:,} PE for {estimate:span}; an interactive"
        " job may have {processors:,} for {longest:length} at most",
        "nqs_no_queue": "job {job} is refused by NQS: no queue takes {needs:,} PE for"
        " {estimate:span}; queues take {processors:,}, and that many for {longest:length} at most",
    },
}
"""The sentence for each decision of a kind for a reason."""

CODES = frozenset((*WAITING, *CLAUSES, *(code for codes in DECISIONS.values() for code in codes)))
