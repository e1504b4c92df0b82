"""Training: the words of the questions about rows, blocks, limits, reviews and actions."""

from collections.abc import Mapping

from shadowtime.console.clock import duration
from shadowtime.console.session import format_nodes
from shadowtime.console.session.training import Answer, Bound, InForce, Moved, Packed, Placed, Value, Would
from shadowtime.console.words.phrases import base, count, scheduler
from shadowtime.console.words.questions.wording import Wording, job, plain
from shadowtime.console.words.units import Unit

BLOCK = "Which block does job {job} have or claim after the scheduling pass of this instant?"
BLOCK_NOW = "Which block does job {job} have or claim now?"
REASONS: Mapping[str, str] = {
    "block_reserved": "it has reserved a block, and that block is not clear yet",
    "block_clearing": "a block is being cleared for it",
    "over_job_limit": "it needs more {units} than a job may have",
    "over_system_limit": "with it the jobs that run or ran would have too many {units}",
    "over_class_limit": "with it the jobs of its class would have too many {units}",
    "over_large_limit": "with it the large jobs would have too many {units}",
    "reserved_for": "another job has a claim, which it must respect",
    "still_undisturbed": "a job in the way may not be disturbed yet",
    "nothing_lower": "no block is free, and jobs in the way may not be preempted for it",
    "no_free_block": "no block of its size is free",
    "nqs_user": "NQS holds it: its user has too many jobs",
    "nqs_queue_user": "NQS holds it: its user has too many jobs of its queue",
    "nqs_run": "NQS holds it: too many jobs are released",
    "nqs_queue_run": "NQS holds it: too many jobs of its queue are released",
    "nqs_processors": "NQS holds it: released jobs have too many {units}",
    "nqs_aggregate": "NQS holds it: released jobs of its queue have too many {units}",
    "being_loaded": "it is being loaded",
    "being_saved": "it is being saved",
    "suspended": "an operator suspended it",
}
"""The reasons of the T3D, without their numbers."""
LIMITS: Mapping[str, tuple[str, str]] = {
    "job_limit": ("the limit of a job", "a job may have {most:,} PE"),
    "system_limit": ("the system limit", "jobs that run or ran may have {most:,} PE in all"),
    "class_limit": ("the limit of its class", "jobs of its class may have {most:,} PE"),
    "large_limit": ("the limit of large jobs", "large jobs may have {most:,} PE"),
    "nqs_user": ("the jobs of its user, over all queues of NQS", "a user may have {most:,} released jobs"),
    "nqs_queue_user": ("the jobs of its user in its queue of NQS", "a user may have {most:,} of this queue"),
    "nqs_run": ("the jobs over all queues of NQS", "NQS may release {most:,} jobs"),
    "nqs_queue_run": ("the jobs of its queue of NQS", "its queue may release {most:,} jobs"),
    "nqs_processors": ("the processors over all queues of NQS", "released jobs may have {most:,} PE"),
    "nqs_aggregate": (
        "the processors of its queue of NQS",
        "released jobs of its queue: {most:,} PE",
    ),
}
"""Each limit as a choice, and as the rule that an explanation states."""
RULES: Mapping[str, str] = {
    "buddy": "the least load decides, then the lowest row, then the lowest {unit}",
    "first": "the lowest row with enough gets it",
    "best": "of the rows with enough the one with the fewest gets it",
    "new": "no row has enough, and a row is added",
}
"""By what a packing chooses."""
NO_LIMIT = "none of these limits"


def _row(value: Value, unit: Unit) -> str:
    return f"row {value}"


def _nodes(value: Value, unit: Unit) -> str:
    text = str(value)
    return f"the block {text}" if text.startswith("at ") else f"{unit.several} {text}"


def _limit(value: Value, unit: Unit) -> str:
    return NO_LIMIT if value is None else LIMITS[str(value)][0]


def _scheduler(value: Value, unit: Unit) -> str:
    return scheduler(str(value))


WORDINGS: Mapping[str, Wording] = {
    "row": Wording(
        "In which row of the matrix is job {job} after the scheduling pass of this instant?",
        "Which rows have room for the job, and which one does the packing take?",
        _row,
        "In which row of the matrix is job {job} now?",
    ),
    "nodes": Wording(
        "Which nodes does job {job} have after the scheduling pass of this instant?",
        "Which {units} may it have by its size, and which of these are idle?",
        _nodes,
        "Which nodes does job {job} have now?",
    ),
    "limit": Wording(
        "Which limit would job {job} exceed, after the scheduling pass of this instant?",
        "Add the size of the job to what the others have. Which sum is too large?",
        _limit,
        "Which limit would job {job} exceed now?",
    ),
    "in_force": Wording(
        "What does the review of this instant put in force, or keep?",
        "What does the scheduler compare at a review, and which numbers are there?",
        _scheduler,
    ),
    "delayed": Wording(
        "Suppose that you do `{do}` now. Which other job is delayed most?",
        "Which {units}, or which turn, does the action take away, and who was to have them next?",
        job,
    ),
    "remedy": Wording(
        "Which of these actions, taken now, gets job {job} started by {by}?",
        "Which jobs have the {units} that it needs, and what gives enough of them back?",
        plain,
    ),
}


def ask_for_block(answer: Answer) -> str:
    """Return the question for a block of the torus in place of that for nodes; empty for any other."""
    if answer.question.ask != "nodes" or not str(answer.shown).startswith("at "):
        return ""
    return BLOCK if answer.pending else BLOCK_NOW


def placed(part: Placed, unit: Unit) -> str:
    if part.base is not None:
        claim = "has" if part.nodes else "has a claim to"
        return f"job {part.job} {claim} the block at {base(part.base)}"
    if not part.nodes:
        return f"job {part.job} is in row {part.row}"
    row = "" if part.row is None else f", in row {part.row}"
    return f"job {part.job} has the {unit.several} {format_nodes(part.nodes)}{row}"


def packed(part: Packed, unit: Unit) -> str:
    if part.packing != "buddy":
        free = ", ".join(f"row {row} has {count:,} {unit.several} free" for row, count, _ in part.rows)
        rule = RULES["new" if part.new else part.packing]
        return f"job {part.job} needs {unit.sized(part.needs)}: {free or 'there is no row'}; {rule}"
    where = ", ".join(
        f"row {row} from {unit.one} {at} on has a load of {load}" for row, at, load in part.rows
    )
    if part.new:
        row, at, load = part.rows[-1]
        where = f"no row has one left, and row {row} is added; from {unit.one} {at} on its load is {load}"
    return f"job {part.job} needs a block of {part.needs:,}: {where}; {unit.fill(RULES['buddy'])}"


def bound(part: Bound) -> str:
    rule = LIMITS[part.limit][1].format(most=part.most)
    verb = "exceeds that" if part.exceeded else "does not exceed that"
    return f"{rule}; others have {part.in_use:,}, and with {part.needs:,} more job {part.job} {verb}"


def in_force(part: InForce) -> str:
    mean = "" if part.mean_estimate is None else f", with a mean estimate of {duration(part.mean_estimate)}"
    wait = "waits" if part.waiting == 1 else "wait"
    return f"{scheduler(part.name)} stays in force: {count(part.waiting, 'job')} {wait} at the review{mean}"


def moved(part: Moved, unit: Unit) -> str:
    verb = "start" if part.what == "start" else "end"
    before = "never" if part.before is None else f"at {unit.instant(part.before)}"
    after = "never" if part.after is None else f"at {unit.instant(part.after)}"
    return f"after `{part.do}` job {part.job} is expected to {verb} {after}, without it {before}"


def would(part: Would, unit: Unit) -> str:
    given = f"after `{part.do}`" if part.do else "if nothing is done"
    if part.refused:
        return f"`{part.do}` is refused: {part.refused}"
    starts = "never starts" if part.start is None else f"starts at {unit.instant(part.start)}"
    return f"{given} job {part.job} {starts}, as far as is expected"
