"""The schedule as it was simulated, in the Standard Workload Format.

The format: https://www.cs.huji.ac.il/labs/parallel/workload/swf.html. Wait and run time are what the
simulation gave: submission + wait is the first start, and that + run time is the end, the stops of a job
that was preempted included. What has not happened is -1.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from shadowtime.console.session.case import Case
from shadowtime.console.session.files.replay import Replay
from shadowtime.console.session.files.writers import counted, refuse_archive, written_whole
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.travel.moments import NONE
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Labels, Workload
from shadowtime.scenarios.traces.header import header_lines

COMPLETED, FAILED, CANCELLED, UNKNOWN = 1, 0, 5, -1
"""The statuses: a job that is killed, at its estimate or with its nodes, has failed."""
CLASSES = ("interactive", "batch")
"""The classes that queues 0 and 1 stand for, by the format."""


def save_swf(replay: Replay, path: str | Path, progress: Progress | None = None) -> None:
    """Write the schedule so far. OSError leaves nothing half-written; SessionError for an archive's name."""
    refuse_archive(path)
    case = replay.case
    with written_whole(path) as stream:
        text = (f"{line}\n" for line in lines(case, replay.simulation))
        stream.writelines(counted(text, len(case.jobs), progress))


def lines(case: Case, simulation: Simulation) -> Iterator[str]:
    """The log of a simulation as it stands, line by line, without line ends."""
    jobs = case.columns
    users, user_names = numbered(jobs.user)
    queues, queue_names = _queues(jobs)
    yield from header_lines(_header(case, simulation, any(simulation.results("preemptions")["preemptions"])))
    yield from header_lines(("Queue", f"{number} {name}") for name, number in queue_names.items())
    yield from header_lines(("Note", f"user {number} is {name}") for name, number in user_names.items())
    results = simulation.results("start", "finish")
    rows = zip(
        jobs.id,
        jobs.submit,
        results["start"],
        results["finish"],
        jobs.size,
        jobs.estimate,
        users,
        queues,
        strict=True,
    )
    for index, (job, submit, start, finish, size, estimate, user, queue) in enumerate(rows):
        wait, ran, used = -1, -1, -1
        if start != NONE:
            wait, used = start - submit, size
            ran = finish - start if finish != NONE else -1
        status = _status(simulation.outcome(index), bool(jobs.killed[index]))
        yield (
            f"{job} {submit} {wait} {ran} {used} -1 -1 {size} {estimate} -1 "
            f"{status} {user} -1 -1 {queue} -1 -1 -1"
        )


def _status(outcome: str | None, killed: bool) -> int:
    if outcome == "completed":
        return FAILED if killed else COMPLETED
    return {"struck": FAILED, "cancelled": CANCELLED}.get(outcome or "", UNKNOWN)


def _header(case: Case, simulation: Simulation, preempted: bool) -> Iterator[tuple[str, str]]:
    epoch = case.scenario.epoch
    yield "Version", "2.2"
    yield "Computer", f"none: simulated by shadowtime {our_version()}"
    settings = ", ".join(f"{key} = {_written(value)}" for key, value in case.parameters.items())
    yield "Information", f"policy {case.policy}{f' ({settings})' if settings else ''}"
    yield "Information", f"scenario {case.scenario.title}"
    yield "MaxJobs", str(len(case.jobs))
    yield "MaxRecords", str(len(case.jobs))
    yield "MaxNodes", str(case.nodes)
    yield "MaxProcs", str(case.nodes)
    if epoch is not None and epoch.utcoffset() is not None:
        yield "UnixStartTime", str(int(epoch.timestamp()))
        zone = getattr(epoch.tzinfo, "key", None)
        offset = epoch.utcoffset()
        assert offset is not None
        yield ("TimeZoneString", zone) if zone else ("TimeZone", str(int(offset.total_seconds())))
    for reason, count in case.columns.dropped.items():
        yield "Note", f"{count} jobs of the workload could not be simulated: {reason}"
    if not simulation.over:
        yield "Note", f"as it stood after event {simulation.event}; -1 is what had not happened"
    if preempted:
        yield "Note", "the run time of a job that was preempted goes from its first start to its end"


def _queues(jobs: Workload) -> tuple[Sequence[int], Mapping[str, int]]:
    """The number of each job's queue; if there are no queues, of its class, of which 0 is the interactive."""
    if any(jobs.queue):
        return numbered(jobs.queue)
    known = frozenset(jobs.klass)
    names = {name: number for number, name in enumerate(CLASSES) if name in known}
    return numbered(jobs.klass, names)


def numbered(
    texts: Sequence[str], known: Mapping[str, int] | None = None
) -> tuple[Sequence[int], Mapping[str, int]]:
    """A number for each text, -1 for an empty one, and the names that the numbers stand for.

    Texts that are numbers stand for themselves; names are counted from 1, or after those that are known.
    """
    if isinstance(texts, Labels) and texts.words is None:
        return texts.codes, {}
    distinct = dict.fromkeys(text for text in texts if text)
    if all(text.isascii() and text.isdigit() for text in distinct):
        return array("q", (int(text) if text else -1 for text in texts)), {}
    names = dict(known or {})
    for text in distinct:
        names.setdefault(text, max(names.values(), default=0) + 1)
    return array("q", (names[text] if text else -1 for text in texts)), names


def our_version() -> str:
    try:
        return version("shadowtime")
    except PackageNotFoundError:
        return "(version unknown)"


def _written(value: object) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)
