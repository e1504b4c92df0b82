"""Who is preempted so that a job can start now (section 17)."""

from collections.abc import Sequence

from shadowtime.scenarios.slurm import Capture, Job
from tests.oracles.slurm.holding import Running, memory_of
from tests.oracles.slurm.queue import Entry
from tests.oracles.slurm.will_run import Question, place


def preemptable(capture: Capture, entry: Entry, running: Sequence[Running], now: int) -> list[Running]:
    """The running jobs that an entry may preempt, in the order in which they are thought away."""
    jobs = {job.id: job for job in capture.jobs if job.holding}
    found = [each for each in running if each.id in jobs and may(capture, entry, jobs[each.id], now)]
    return sorted(found, key=lambda each: (rank(capture, jobs[each.id]), len(each.nodes), each.id))


def may(capture: Capture, entry: Entry, job: Job, now: int) -> bool:
    """Whether an entry may preempt a running job."""
    settings, mode = capture.settings, mode_of(capture, job)
    if mode not in ("SUSPEND", "REQUEUE", "CANCEL") or "COMPLETING" in job.states:
        return False
    if mode != "SUSPEND" and ("SUSPENDED" in job.states or job.end <= now):
        return False
    if mode != "SUSPEND" and now - job.begin < settings.preempt_exempt:
        return False
    if settings.preempt == "preempt/partition_prio":
        return rank(capture, job) < entry.partition.tier
    lists = {quality.name: quality.preempts for quality in capture.qualities}
    return job.qos in lists.get(entry.job.qos, ())


def rank(capture: Capture, job: Job) -> int:
    """The tier of a job's partition, or the priority of its quality of service: the lowest go first."""
    if capture.settings.preempt == "preempt/partition_prio":
        return next(each.tier for each in capture.partitions if each.name == job.partitions[0])
    return next((each.priority for each in capture.qualities if each.name == job.qos), 0)


def mode_of(capture: Capture, job: Job) -> str:
    """What happens to a job that is preempted: SUSPEND, REQUEUE, CANCEL, or OFF."""
    words = set(capture.settings.preempt_mode.split(",")) & {"SUSPEND", "REQUEUE", "CANCEL"}
    general = next(iter(words), "OFF")
    if capture.settings.preempt == "preempt/partition_prio":
        own = next(each.preempt_mode for each in capture.partitions if each.name == job.partitions[0])
    elif capture.settings.preempt == "preempt/qos":
        own = next((each.preempt_mode for each in capture.qualities if each.name == job.qos), "")
    else:
        return "OFF"
    return own or general


def preempt(
    question: Question, capture: Capture, running: Sequence[Running], candidates: Sequence[Running]
) -> tuple[dict[int, int], list[Running]] | None:
    """The nodes, and who is requeued or cancelled for them: none if suspending is enough."""
    jobs = {job.id: job for job in capture.jobs}
    suspended = [job for job in candidates if mode_of(capture, jobs[job.id]) == "SUSPEND"]
    others = [job for job in candidates if job not in suspended]
    beside = [memory_of(job) if job in suspended else job for job in running]
    nodes = place(question, beside) if suspended else None
    return (nodes, []) if nodes is not None else victims(question, beside, others)


def victims(
    question: Question, running: Sequence[Running], candidates: Sequence[Running]
) -> tuple[dict[int, int], list[Running]] | None:
    """The nodes, and who is preempted for them: two rounds, the second one in another order."""
    first = round_of(question, running, candidates)
    if first is None:
        return None
    nodes, gone = first
    others = sorted(gone[:-1], key=lambda job: -len(job.nodes.keys() & nodes.keys()))
    second = round_of(question, running, [gone[-1], *others])
    assert second is not None
    nodes, gone = second
    return nodes, [job for job in gone if job.nodes.keys() & nodes.keys()]


def round_of(
    question: Question, running: Sequence[Running], candidates: Sequence[Running]
) -> tuple[dict[int, int], list[Running]] | None:
    """Think the candidates away, one after the other, until the job fits."""
    gone: list[Running] = []
    for job in candidates:
        gone.append(job)
        nodes = place(question, [each for each in running if each not in gone])
        if nodes is not None:
            return nodes, gone
    return None
