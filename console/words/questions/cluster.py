"""Training: the words of the questions about a captured cluster."""

from collections.abc import Mapping

from shadowtime.console.session.training import Mistaken, OnCluster, Value, written_instant
from shadowtime.console.words.plan import reason_words
from shadowtime.console.words.questions.wording import Wording, among, job, plain
from shadowtime.console.words.units import Unit

SUPPOSE = "Suppose `{do}`."
"""Before a question that supposes a change."""
CAUSES: Mapping[str, str] = {
    "busy": "the running jobs leave it too few nodes now, whoever waits before it",
    "behind": "enough nodes are free for it now, but they are kept for jobs before it in the queue",
    "kept": "a reservation of the operator keeps nodes from it that are free now",
    "too_large": "not even an empty cluster could start it now",
    "held": "it is held: its priority is 0",
    "dependency": "it waits for another job",
    "begin": "its begin time has not come",
    "begins_later": "its own reservation has not begun",
    "array_limit": "as many tasks of its array run as may",
    "over_limit": "a limit of its quality of service lets its user have no more nodes now",
    "not_reached": "the backfill cycle ended before its turn",
}
MISTAKES: Mapping[str, str] = {
    "room_if_alone": "if nobody else waited, job {job} would start now: enough nodes are free",
    "room_but_for_reservation": "without the reservations of the operator job {job} would start now, beside"
    " all running jobs",
    "no_room_if_alone": "if nobody else waited, job {job} would not start now either: {at}",
    "reservations_harmless": "the reservations of the operator do not decide whether job {job} starts now",
    "fits_when_empty": "on an empty cluster job {job} would start now",
    "was_tried": "the cycle tries job {job}: it has a place in the queue",
    "within_limits": "the plan gives job {job} a start, which passes the limits of its quality of service",
    "nobody_holds_job": "the priority of job {job} is not 0: nobody holds it",
    "no_dependency": "job {job} waits for the end of no other job",
    "may_begin": "the begin time of job {job} has come",
    "no_array": "job {job} is no array",
    "start_if_alone": "{at} is when job {job} would start if nobody else waited",
    "starts_not_now": "{at} is now: the cycle starts job {job} later, or not at all",
    "others_hold_on": "at {at} others still hold nodes that job {job} is planned on, or want them first",
    "planned_for_another": "{at} is the planned start of job {job}, not of the one in question",
    "planned_end": "{at} is the end of job {job} if it starts as planned",
    "has_a_start": "the plan has a start for job {job}",
    "nodes_if_alone": "job {job} would get these nodes if nobody else waited",
    "nodes_of_another": "these are the planned nodes of job {job}",
    "no_sooner": "with that change job {job} starts no earlier",
    "gone_or_refused": "after that change job {job} does not wait any more, or the change cannot be made",
    "put_off_less": "job {job} is put off, but another one more",
    "not_put_off": "job {job} starts no later",
    "somebody_is_put_off": "a job is put off",
    "fewer_points": "another factor gives job {job} more points",
}
FACTORS: Mapping[str, str] = {
    "AGE": "its age in the queue",
    "ASSOC": "its association",
    "FAIRSHARE": "its fair share",
    "JOBSIZE": "its size",
    "PARTITION": "its partition",
    "QOS": "its quality of service",
}


def _start(value: Value, unit: Unit) -> str:
    return written_instant(value) if isinstance(value, int) else "the plan has no start for it"


WORDINGS: Mapping[str, Wording] = {
    "not_running": Wording(
        "Why is job {job} not running?",
        "Is the job in the queue at all? If so: would the nodes that are free now be enough for it"
        " if nobody stood before it?",
        among(CAUSES),
    ),
    "planned_start": Wording(
        "When does job {job} start, by the plan of the next backfill cycle?",
        "Who stands before it, and which of its nodes are held last? A row of the plan keeps its"
        " nodes from all rows below it. The cycle plans in steps of bf_resolution.",
        _start,
    ),
    "planned_nodes": Wording(
        "On which nodes does job {job} start, by the plan of the next backfill cycle?",
        "Which nodes are free together for the whole limit? The tightest run of neighbours is"
        " taken, the lightest weight first.",
        plain,
    ),
    "sooner": Wording(
        "Which of these changes starts job {job} earlier, by the plan of the next backfill cycle?",
        "What holds its nodes last: a running job, a row above it, or a reservation? Which change"
        " touches just that?",
        plain,
    ),
    "put_off": Wording(
        "Suppose `{do}`. Which other job is put off most, in the plan of the next backfill cycle?",
        "Which nodes does the change take, and from when to when? Who was planned on them then?",
        job,
    ),
    "factor": Wording(
        "Which factor gives job {job} the most points of its priority?",
        "Each factor lies between 0 and 1, and its weight turns it into points. Which weight is large, and"
        " which factor of this job is near 1?",
        among(FACTORS),
    ),
}


def mistaken(part: Mistaken) -> str:
    at = "it would have no start" if part.time is None else written_instant(part.time)
    at = f"it would start at {at}" if part.code == "no_room_if_alone" and part.time is not None else at
    return MISTAKES[part.code].format(job=part.job, at=at)


def because(part: OnCluster) -> str:
    after = f"after `{part.do}` " if part.do else ""
    numbers = part.numbers
    match part.code:
        case "planned":
            start, nodes = _at(numbers["start"]), numbers["nodes"]
            place = f"place {numbers['order']} of the queue, in {numbers['partition']}"
            return f"{after}job {part.job}, {place}, is planned for {start} on {nodes}"
        case "alone":
            start = "now" if numbers["now"] else f"at {_at(numbers['start'])}"
            return f"{after}if nobody else waited, job {part.job} would start {start}"
        case "holder":
            return f"{after}{_holder(numbers)}"
        case "cause":
            return f"{after}{_reason(part)}"
        case "slurm":
            return f"Slurm shows the reason {numbers['reason']}{reason_words(str(numbers['reason']))}"
        case "points":
            return f"{after}{FACTORS[str(numbers['factor'])]} gives job {part.job} {numbers['points']} points"
        case "change":
            before = f"at {_at(numbers['before'])}" if "before" in numbers else "never"
            then = f"at {_at(numbers['after'])}" if "after" in numbers else "never"
            return f"after `{part.do}` job {part.job} is planned to start {then}, without it {before}"
        case _:
            return f"{after}no other job is planned to start later"


def _at(value: int | str) -> str:
    return written_instant(value) if isinstance(value, int) else value


def _holder(numbers: Mapping[str, int | str]) -> str:
    nodes, until = numbers["nodes"], _at(numbers["until"])
    if numbers["kind"] == "reserved":
        return f"{nodes}: kept by the reservation {numbers['who']} until {until}"
    does = "may run" if numbers["kind"] == "runs" else "is planned before it,"
    return f"{nodes}: job {numbers['who']} {does} until {until}"


def _reason(part: OnCluster) -> str:
    numbers, code = part.numbers, str(part.numbers["cause"])
    job = part.job
    match code:
        case "busy" | "kept":
            then = f"not start before {_at(numbers['alone'])}" if "alone" in numbers else "have no start"
            return f"even if nobody else waited, job {job} would {then}: {CAUSES[code]}"
        case "behind":
            return f"if nobody else waited, job {job} would start now; the plan keeps these nodes for others"
        case "dependency":
            return f"job {job} waits for {numbers['dependency']}"
        case "begin":
            return f"job {job} may not begin before {_at(numbers['begins'])}"
        case "begins_later":
            return f"the reservation {numbers['reservation']} of job {job} has not begun"
        case "array_limit":
            return f"{numbers['running']} tasks of job {job} run, and no more may run at once"
        case "over_limit":
            return (
                f"the quality of service {numbers['quality']} lets the user of job {job} have no more nodes"
            )
        case _:
            return f"job {job}: {CAUSES[code]}"
