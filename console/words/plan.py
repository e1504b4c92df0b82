"""The words of the plan of a captured cluster: Slurm's reasons, marks, and the plan beside Slurm's own."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm import Measure
from shadowtime.console.session.slurm.caveats import left_out_of_all
from shadowtime.console.session.slurm.guard.beside import Apart, Beside
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.session.slurm.guard.reasons import BELIEVED
from shadowtime.console.session.slurm.limits import Reached
from shadowtime.console.words.cluster.caveats import TOUCHED, caveat
from shadowtime.console.words.phrases import count

RESTING = "rest on marked rows"
UNITS = {"mem": "M"}
"""Resource of a limit -> the unit in which Slurm writes it."""
MOST_NAMED = 6
"""Jobs that a line names."""
SLURM: Mapping[str, str] = {
    "Priority": ": a job before it in its partition waits. That says nothing of the nodes",
    "Resources": ": it is the first of its partition that did not fit when the queue was last looked at",
    "Dependency": ": a job that it names must end first",
    "BeginTime": ": it may not start yet",
    "JobHeldUser": ": its user holds it, and may release it",
    "JobHeldAdmin": ": an administrator holds it, and has to release it",
    "QOSMaxNodePerUserLimit": ": its user has as many nodes as the quality of service allows",
    "Reservation": ": the reservation that it names has not begun",
    "JobArrayTaskLimit": ": as many of its tasks run as its % allows",
    "PartitionDown": ": its partition is down",
    "PartitionInactive": ": its partition is inactive",
    "PartitionNodeLimit": ": it asks for more or fewer nodes than its partition allows",
    "PartitionTimeLimit": ": its limit is longer than its partition allows",
    "PartitionConfig": ": its partition does not take it",
    "AccountNotAllowed": ": its partition does not take its account",
    "QOSNotAllowed": ": its partition does not take its quality of service",
    "BadConstraints": ": no nodes can meet what it asks for",
    "Assoc": ": a limit of its account or its user",
    "QOS": ": a limit of its quality of service",
    "BurstBuffer": ": its burst buffer is not ready",
}
"""What the reasons that Slurm shows mean; of several that fit, the longest beginning counts."""


def reason_words(reason: str) -> str:
    """Return what a reason of Slurm means, after a colon; empty if that is not known."""
    return SLURM.get(max(filter(reason.startswith, SLURM), key=len, default=""), "")


def note_words(note: str) -> str:
    """Return a note of the plan; of a job that Slurm keeps from starting with what its reason means."""
    reason = note.removeprefix(BELIEVED)
    return note if reason == note else f"{reason}{reason_words(reason)} (Slurm's reason)"


def limit_words(found: Reached) -> str:
    """Return a limit with its value and its owner, how much others use of it, and what the job wants."""
    if found.what is Measure.JOBS:
        return f"{found.name}={found.most} of {found.owner}: {found.used} run"
    of, sign = " of one node" if found.what is Measure.BY_NODE else "", UNITS.get(found.name.split()[-1], "")
    if found.what in (Measure.MINUTES, Measure.MOST_MINUTES):
        of = ", each times its minutes"
    held = "" if found.used is None else f"{found.used}{sign} held, "
    return f"{found.name}={found.most}{sign} of {found.owner}: {held}{found.asked}{sign} wanted{of}"


def marks_words(rows: Iterable[tuple[str, Sequence[Caveat]]]) -> Iterator[str]:
    """Yield what the marked rows leave out, a line each, with the jobs; those that rest on others last.

    `rows` are jobs with the marks of their rows.
    """
    jobs: dict[str, dict[str, None]] = {}
    for job, marks in rows:
        for mark in marks:
            text = RESTING if mark.left is Left.RESTS else caveat(mark)
            if mark.left not in (Left.NEVER, Left.RESTS):
                text = f"without {text}"
            jobs.setdefault(text, {})[job] = None
    for text in sorted(jobs, key=lambda text: text == RESTING):
        yield f"{text}: {named_jobs(list(jobs[text]))}"


def left_out_words(
    caveats: Iterable[Caveat], marked: Sequence[tuple[str, Sequence[Caveat]]]
) -> Iterator[str]:
    """Yield what all starts leave out, then the marked jobs with what each leaves out, a line each."""
    for left_out in left_out_of_all(caveats, (marks for _, marks in marked)):
        yield f"not in this plan: {caveat(left_out)}"
    for text in marks_words(marked):
        yield f"{TOUCHED} {text}"


def marked_lanes(names: Sequence[str], reports: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield for each run of a cluster under Slurm what the starts of its marked jobs leave out."""
    for name, report in zip(names, reports, strict=True):
        marks = report.get("marks")
        if isinstance(marks, Mapping):
            for text in marks_words(marks.items()):
                yield f"{name}: {TOUCHED} {text}"


def kept_out_words(kept_out: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield why jobs are not in the queue, a line for each reason, with the jobs."""
    jobs: dict[str, list[str]] = {}
    for job, why in kept_out:
        jobs.setdefault(why, []).append(job)
    for why, names in jobs.items():
        yield f"not in the queue: {named_jobs(names)}: {why}"


def named_jobs(names: Sequence[str], most: int = MOST_NAMED) -> str:
    """Return jobs by name: `job 3`, `jobs 3, 4 and 2 more`."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"job{'s' * (len(names) > 1)} {', '.join(names[:most])}{more}"


def beside_words(found: Beside, instant: Callable[[int], str] | None = None) -> str:
    """Return how many jobs differ from what Slurm showed, and the first; empty if none could be compared.

    The starts, and what has changed since that cycle, are given if `instant` writes them.
    """
    if not found.compared:
        return ""
    text = f"{len(found.apart)} of {found.compared} jobs differ from Slurm's last cycle"
    if found.age is not None:
        text += f", {duration(found.age)} before"
    if not found.apart:
        return text
    first = found.apart[0]
    if instant is None:
        return f"{text}, first job {first.job_id}"
    since = ""
    if found.age is not None:
        since = f"; since then {count(found.started, 'job')} started, {found.submitted} submitted"
    return f"{text}, first {apart_words(first, instant)}{since}"


def apart_words(found: Apart, instant: Callable[[int], str]) -> str:
    ours = "no start" if found.start is None else instant(found.start)
    theirs = "no start" if found.slurm_start is None else instant(found.slurm_start)
    return f"job {found.job_id}: here {ours}, Slurm {theirs}, {found.slurm_reason}"
