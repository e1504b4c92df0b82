"""Read a captured cluster and plan the cycle that begins now, row by row as Slurm tries the queue."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, tzinfo
from pathlib import Path

import attrs

from shadowtime.console.session.progress import Progress, no_progress
from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.caveats import CaveatsOfJobs, caveats
from shadowtime.console.session.slurm.guard.beside import Beside, beside_slurm
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.session.slurm.guard.reasons import BELIEVED, believed
from shadowtime.console.session.slurm.guard.resting import resting
from shadowtime.console.session.slurm.likely.odds import NOTHING, Known, Likely, likely
from shadowtime.console.session.slurm.limits import Limits, Reached
from shadowtime.console.session.slurm.over_time import Expected, followed
from shadowtime.console.session.slurm.parameters import Overrides
from shadowtime.console.session.slurm.problem import problem
from shadowtime.console.session.slurm.queue import Waiting, queue
from shadowtime.kernels.slurm.cycle import run_cycle
from shadowtime.kernels.slurm.nodeset import members
from shadowtime.kernels.slurm.over_time.moments import Moment
from shadowtime.kernels.slurm.records import Measure, Outcome, Place
from shadowtime.scenarios.slurm import Capture, Job, format_hosts, parse_hosts, read_capture
from shadowtime.scenarios.slurm.documents import many_objects
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.text.gate import printable

NO_CHOICE = frozenset(("licenses", "reservation defer"))
"""Reasons of rows that were skipped before nodes were chosen."""


@attrs.frozen
class ForecastRow:
    """A row of the plan. Instants are seconds since 1970; `nodes` is a list such as `n[1-4]`."""

    order: int
    job_id: str
    partition: str
    reservation: str
    priority: int
    outcome: str
    start: int | None
    end: int | None
    nodes: str
    note: str
    marks: tuple[Caveat, ...] = ()
    """What this row leaves out, or the marked row that it rests on; empty for a row without a mark."""
    user: str = ""
    account: str = ""
    slurm_start: int | None = None
    """The start that Slurm showed when the queue was read."""


@attrs.frozen
class Forecast:
    """The plan of a cluster: when its cycle begins, its rows, and what the plan leaves out.

    `expected` has the starts of the cluster over time, if they were asked for.
    """

    now: int
    release: str
    rules: str
    rows: tuple[ForecastRow, ...]
    caveats: tuple[Caveat, ...]
    expected: tuple[Expected, ...] = ()
    tried: int = 0
    """For how many entries a placement was tried."""
    stopped: str = ""
    """The parameter that ends the cycle before the end of the queue; empty if none does."""
    moments: tuple[Moment, ...] = ()
    """Every event of the cluster over time, if it was followed."""
    kept_out: tuple[tuple[str, str], ...] = ()
    """The waiting jobs that no partition lets into the queue, each with the reason."""
    beside: Beside = attrs.field(factory=Beside)
    """The plan beside Slurm's own, if it is that of the instant of the capture."""
    limits: Mapping[int, Reached] = attrs.field(factory=dict)
    """The place of a row -> the limit that keeps its job out in the cycle."""
    likely: Likely | None = None
    """If it was asked for."""


class JobMarks:
    """The marks of the waiting jobs of a cluster, from the rows of its plan."""

    def __init__(self, capture: Capture, rows: Iterable[ForecastRow]) -> None:
        """A job without a row has what the plan leaves out of it."""
        self._found: dict[str, tuple[Caveat, ...]] = {}
        for row in rows:
            self._found[row.job_id] = tuple(dict.fromkeys((*self._found.get(row.job_id, ()), *row.marks)))
        own = CaveatsOfJobs(capture)
        for job in capture.jobs:
            if job.waiting and job.shown not in self._found:
                self._found[job.shown] = own.of(job)

    def of(self, job: str) -> tuple[Caveat, ...]:
        """Return the marks of a job, by name; of a task those of its array if it waited with others."""
        name = job if job in self._found else f"{job.partition('_')[0]}_*"
        return self._found.get(name, ())


def forecast(
    folder: str | Path,
    now: int | None = None,
    zone: tzinfo | None = None,
    expected: bool = False,
    overrides: Overrides | None = None,
    progress: Progress = no_progress,
    samples: int = 0,
    known: Callable[[str, int], Known] = lambda _, __: NOTHING,
) -> Forecast:
    """Return the plan of the cycle that begins now, by default when the queue was read.

    `expected`: follow the cluster over time, too, until every job that can start has started. `overrides`:
    parameters that are not those of the configuration. `samples`: sample the cluster so often, for likely
    starts. `known` gives what is known of earlier ones of a cluster at an instant. `progress` is called while
    the cluster is followed.

    Raises CaptureError if the folder cannot be read, or does not say when it was read.
    """
    capture = read_capture(Path(folder), UTC if zone is None else zone)
    capture = (overrides or Overrides()).apply(capture)
    instant = capture.taken if now is None else now
    if not instant:
        raise broken(
            folder, "does not say when it was read; expected the instant as --now, as date +%s prints it"
        )
    found = forecast_of(capture, instant)
    if samples:
        before = known(printable(capture.settings.cluster), instant)
        found = attrs.evolve(found, likely=likely(capture, instant, samples, progress, before))
    if not expected:
        return found
    starts, moments = followed(capture, instant, progress)
    marks = JobMarks(capture, found.rows)
    marked = tuple(attrs.evolve(each, marks=marks.of(each.job_id)) for each in starts)
    return attrs.evolve(found, expected=marked, moments=moments)


@many_objects()
def forecast_of(capture: Capture, now: int) -> Forecast:
    """Return the plan of the cycle that begins now on a captured cluster."""
    entries = queue(capture, now)
    cluster = problem(capture, entries, now)
    cycle = run_cycle(cluster)
    # What is over leads nowhere back to itself: to collect 100,000 objects took a seventh of a plan.
    cluster.nodes.kept.clear()
    rows = (*_rows(capture, entries, cycle.places, now), *_skipped(capture, len(cycle.places)))
    admission, listed = Admission(capture), {row.job_id for row in rows}
    listed.update(entry.name for entry in entries)
    others = (job for job in capture.jobs if job.waiting and job.priority and job.shown not in listed)
    return Forecast(
        now,
        capture.settings.version,
        capture.generation.rules,
        rows,
        caveats(capture),
        tried=cycle.tested,
        stopped=cycle.stopped.value if cycle.stopped else "",
        kept_out=tuple((job.shown, why) for job in others if (why := admission.kept_out(job))),
        beside=beside_slurm(capture, entries, rows, now) if now == capture.taken else Beside(),
        limits=_limits(capture, entries, cycle.places),
    )


def _limits(capture: Capture, entries: Sequence[Waiting], places: Sequence[Place]) -> dict[int, Reached]:
    """The place of each row that a limit keeps out -> the limit."""
    limits, found = Limits(capture), {}
    for order, place in enumerate(places, 1):
        if place.excess is not None:
            entry = entries[place.entry]
            found[order] = limits.reached(entry.job, entry.partition.name, place.excess)
    return found


def planned_sizes(rows: Iterable[ForecastRow]) -> Mapping[str, int]:
    """Return on how many nodes each job is planned, by its name; the tasks of an array are `12_*`."""
    found: dict[str, int] = {}
    for row in rows:
        if row.nodes:
            found.setdefault(row.job_id, len(parse_hosts(row.nodes)))
    return found


def size_of(planned: Mapping[str, int], name: str, least: int) -> int:
    """Return the size of a waiting job: the nodes that it is planned on, without a plan those it asks for."""
    return planned.get(name) or planned.get(f"{name.partition('_')[0]}_*") or least


def _rows(
    capture: Capture, entries: Sequence[Waiting], places: Sequence[Place], now: int
) -> tuple[ForecastRow, ...]:
    """The rows of the queue, in its order."""
    names = [node.name for node in capture.nodes]
    own, admission = CaveatsOfJobs(capture), Admission(capture)
    jobs = {job.id: job for job in (entries[place.entry].job for place in places)}
    left_out = {id_: own.of(job) for id_, job in jobs.items()}
    marks = [left_out[entries[place.entry].job.id] for place in places]
    waits = [
        admission.kept_waiting(entries[place.entry].job, entries[place.entry].partition, place.start)
        for place in places
    ]
    # Slurm reserves nodes for a job that never starts, too, but not always these if it is planned at now.
    at_now = [bool(why) and place.start == now for why, place in zip(waits, places, strict=True)]
    unsure = [bool(mark) or never for mark, never in zip(marks, at_now, strict=True)]
    for row, other in resting(capture, entries, places, unsure, now).items():
        marks[row] = (Caveat(Left.RESTS, (entries[places[other].entry].name,)),)
    for row, touched in enumerate(Preferred(capture, entries, places, now).touched()):
        marks[row] = (*marks[row], Caveat(Left.PREFERRED)) if touched else marks[row]
    rows = []
    for order, place in enumerate(places, 1):
        entry = entries[place.entry]
        chosen = (names[node] for node in members(place.nodes))
        partition, reservation = printable(entry.partition.name), printable(entry.job.reservation)
        never = [Caveat(Left.NEVER, (why,)) for why in waits[order - 1]]
        rows.append(
            ForecastRow(
                order, entry.name, partition, reservation, entry.priority, place.outcome.value,
                place.start, place.end, format_hosts(chosen),
                place.reason, (*marks[order - 1], *never), *_whose(entry.job),
            )
        )  # fmt: skip
    return tuple(rows)


def _whose(job: Job) -> tuple[str, str, int | None]:
    """The user, the account, and the start that Slurm expects."""
    return printable(job.user), printable(job.account), job.begin or None


def _skipped(capture: Capture, tried: int) -> Iterator[ForecastRow]:
    """The jobs that Slurm itself keeps from starting, and those that cannot be read, after the queue."""
    found = [
        (job.shown, ",".join(job.partitions), job.reservation, job.priority, BELIEVED + reason, _whose(job))
        for job in capture.jobs
        if (reason := job.priority and believed(capture, job))
    ]
    found += [
        (each.name, each.partition, "", 0, each.fault, ("", "", None))
        for each in capture.left_out
        if each.waiting and each.name
    ]
    skipped = Outcome.SKIPPED.value
    for order, (name, partition, reservation, priority, why, whose) in enumerate(found, tried + 1):
        texts, (user, account, start) = (printable(partition), printable(reservation)), whose
        yield ForecastRow(
            order, name, *texts, priority, skipped, None, None, "", why, (), user, account, start
        )


class Preferred:
    """The nodes whose weight no capture shows: those on which a job under a limit on nodes is tried for now.

    A pass tries the entries of a partition until the first one that has to wait for nodes. A cycle chooses
    anew for those that it starts.
    """

    def __init__(
        self, capture: Capture, entries: Sequence[Waiting], places: Sequence[Place], now: int
    ) -> None:
        self._limits, self._entries, self._places = Limits(capture), entries, places
        self._nodes = frozenset[str]()
        if capture.generation.rules != "22.05" or not self._limits.on:
            return
        holding = [job for job in capture.jobs if job.holding]
        scopes = {scope for job in holding for scope in self._limits.scopes(job, job.partitions[0])}
        closed: set[str] = set()
        for place in places:
            job, part = entries[place.entry].job, entries[place.entry].partition
            held = any(not scopes.isdisjoint(near.scopes) for near in self._limits.near(job, part.name))
            if held and (part.name not in closed or place.outcome == Outcome.STARTED):
                self._nodes |= frozenset(part.nodes)
            if place.start is not None and place.start > now:
                closed.add(part.name)

    def touched(self) -> list[bool]:
        """Return for each row whether other weights can change it."""
        return [
            bool(self._nodes) and self._touches(self._entries[place.entry], place) for place in self._places
        ]

    def _touches(self, entry: Waiting, place: Place) -> bool:
        if self._nodes.isdisjoint(entry.partition.nodes) or place.reason in NO_CHOICE:
            return False
        if place.outcome != Outcome.SKIPPED or place.excess is None:
            return True
        limit = self._limits.on_size(entry.job, entry.partition.name)[place.excess.limit]
        # Who asks for whole nodes holds the CPUs of those that are chosen.
        by_choice = limit.resource == "node" or entry.partition.exclusive or entry.job.request.exclusive
        # A count of jobs keeps a row out for what this cycle has started.
        return by_choice or limit.what == Measure.JOBS
