"""The impact of changes of a cluster: two runs, second by second, and whose start or end differs."""

from typing import Any, NamedTuple

import attrs

from shadowtime.scenarios.slurm import Capture, Job, Reservation
from tests.oracles.slurm.access.sharing import charged
from tests.oracles.slurm.holding import leaving
from tests.oracles.slurm.over_time import SECOND, OverTime, name_of


class Row(NamedTuple):
    """A job whose start moves, or its end if the start stays; None: not until the end of the run."""

    job: str
    what: str
    before: int | None
    after: int | None


def impact(capture: Capture, now: int, at: int, lines: list[str], until: int) -> set[Row]:
    """Every row if lines such as `hold 31` are done at the end of a second; `at` before `now`: at once.

    `drain 1 at 1200300` is done at the end of that second.
    """
    runs = []
    for done in ([], lines):
        over_time = OverTime(capture, now)
        over_time.run(at)
        running = {name_of(job) for job in over_time.capture.jobs if job.holding}
        for line in done:
            if " at " not in line:
                do(over_time, line, capture)
        for second in sorted({int(line.split(" at ")[1]) for line in done if " at " in line}):
            over_time.run(second)
            for line in done:
                if line.endswith(f" at {second}"):
                    do(over_time, line.split(" at ")[0], capture)
        over_time.run(until)
        runs.append((over_time, running))
    starts, ends = zip(*(times(*run) for run in runs), strict=True)
    found = set()
    for job in set(starts[0]) | set(starts[1]) | set(ends[0]) | set(ends[1]):
        for what, (before, after) in (("start", starts), ("end", ends)):
            if before.get(job) != after.get(job):
                found.add(Row(job, what, before.get(job), after.get(job)))
                break
    return found


def times(over_time: OverTime, running: set[str]) -> tuple[dict[str, int], dict[str, int]]:
    """The first start of each job that did not run then, and the last end of each."""
    starts: dict[str, int] = {}
    for event in over_time.events:
        if event.what in ("main pass", "backfill") and event.job not in running:
            starts.setdefault(event.job, event.at)
    return starts, {event.job: event.at for event in over_time.events if event.what == "end"}


def do(over_time: OverTime, line: str, first: Capture) -> None:
    """Change the cluster as it stands; `first` has the priorities that released jobs get back."""
    what, subject, *values = line.split()
    capture, now = over_time.capture, min(over_time.now, max(over_time.now - 1, first.taken))
    over_time.change()
    if what == "set":
        configure(over_time, *subject.split("="))
        return
    if what in ("drain", "resume"):
        names = {node.name for place, node in enumerate(capture.nodes) if str(place) in subject.split(",")}
        was_up = {node.name for node in capture.nodes if node.up}
        nodes = tuple(
            attrs.evolve(node, states=("DRAIN",) if what == "drain" else ("IDLE",))
            if node.name in names and node.up == (what == "drain") else node
            for node in capture.nodes
        )  # fmt: skip
        over_time.capture = attrs.evolve(capture, nodes=nodes)
        if {node.name for node in nodes if node.up} > was_up and over_time.pass_asked is None:
            over_time.pass_asked = now
        return
    if what == "unreserve":
        kept = tuple(each for each in capture.reservations if each.name != subject)
        over_time.capture = attrs.evolve(capture, reservations=kept)
        return
    if what == "reserve":
        begin, minutes, name = values
        chosen = tuple(capture.nodes[int(place)].name for place in subject.split(","))
        end = int(begin) + 60 * int(minutes.rstrip("m"))
        made = Reservation(name, int(begin), end, chosen, frozenset(("MAINT",)), ("root",), 0, "")
        over_time.capture = attrs.evolve(capture, reservations=(*capture.reservations, made))
        return
    for job in capture.jobs:
        if number(job) == int(subject) and (job.waiting or job.holding):
            act(over_time, job, what, values, first, now)
    for job in over_time.capture.jobs:
        if job.waiting and job.priority == 0:
            over_time.known.discard(job.id)


def configure(over_time: OverTime, name: str, value: str) -> None:
    """Give a parameter another value: the next pass and cycle are counted from the last ones.

    Before the first second there was none, and the first cycle comes at once.
    """
    before = over_time.capture.settings
    if name.startswith("bf_"):
        given: dict[str, Any] = {name.removeprefix("bf_"): int(value)}
        settings = attrs.evolve(before, backfill=attrs.evolve(before.backfill, **given))
    else:
        given = {{"default_queue_depth": "queue_depth"}.get(name, name): int(value)}
        settings = attrs.evolve(before, **given)
    over_time.capture = attrs.evolve(over_time.capture, settings=settings)
    over_time.whole_after += settings.sched_interval - before.sched_interval
    if over_time.events or over_time.now > over_time.capture.taken:
        over_time.cycle_after += SECOND * (settings.backfill.interval - before.backfill.interval)


def act(over_time: OverTime, job: Job, what: str, values: list[str], first: Capture, now: int) -> None:
    """Change a job."""
    jobs = {each.id: each for each in over_time.capture.jobs}
    if what == "cancel" and job.holding:
        over_time.capture = charged(over_time.capture, job, now)
    if what == "cancel":
        del jobs[job.id]
        if job.holding:
            del over_time.ends[job.id]
            over_time.completing.discard(job.id)
            if over_time.pass_asked is None:
                over_time.pass_asked = now
    elif what == "requeue":
        requeue(over_time, job, now)
        return
    elif what == "limit" and job.holding:
        end = job.begin + 60 * int(values[0].rstrip("m"))
        jobs[job.id] = attrs.evolve(job, limit=int(values[0].rstrip("m")), end=end)
        over_time.ends[job.id] = leaving(over_time.capture, jobs[job.id], now)
    elif job.waiting:
        jobs[job.id] = waiting(over_time.capture, job, what, values, first)
    over_time.capture = attrs.evolve(over_time.capture, jobs=tuple(jobs.values()))


def requeue(over_time: OverTime, job: Job, now: int) -> None:
    """A running job leaves its nodes, and waits again behind all others of the list."""
    second, over_time.now = over_time.now, now
    again = over_time.again(job)
    over_time.now = second
    del over_time.ends[job.id]
    over_time.completing.discard(job.id)
    if over_time.pass_asked is None:
        over_time.pass_asked = now
    others = [each for each in over_time.capture.jobs if each.id != job.id]
    over_time.capture = attrs.evolve(over_time.capture, jobs=(*others, again))


def waiting(capture: Capture, job: Job, what: str, values: list[str], first: Capture) -> Job:
    """A waiting job after a change."""
    if what == "hold":
        return attrs.evolve(job, priority=0, priority_by_partition={})
    if what == "limit":
        return attrs.evolve(job, limit=int(values[0].rstrip("m")))
    if what == "priority":
        return attrs.evolve(job, priority=int(values[0]), priority_by_partition={})
    assert what == "release", what
    former = next((each for each in first.jobs if each.id == job.id), None)
    if former is not None and former.priority and capture.settings.priority != "priority/basic":
        return attrs.evolve(job, priority=former.priority)
    lowest = min((each.priority for each in capture.jobs if each.waiting and each.priority), default=2)
    return attrs.evolve(job, priority=max(1, lowest - 1))


def number(job: Job) -> int:
    """The number of a job, or of its array."""
    return job.array.job if job.array else job.id
