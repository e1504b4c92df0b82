"""Workloads: the jobs of a scenario, as values one by one and as the columns that are simulated."""

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import accumulate
from typing import Any

import attrs

from shadowtime.scenarios.times import MAX_TIME
from shadowtime.scenarios.traces.labels import Labels

TOO_LONG = "the last submission and all estimates together are 2^62 seconds or more; expected less"
"""What is wrong with a workload whose times could not all be int64 seconds."""

MAX_NODES = 2**24
"""The largest machine: every node has its own entry in the console's map."""


WIRES = 4
"""Barrier wires of the T3D, numbered from 0."""


def between(low: int, high: int) -> Any:
    """A validator of attrs: a whole number from `low` to `high`, both included; ValueError for all else."""

    def check(_: object, attribute: "attrs.Attribute[int]", value: object) -> None:
        if type(value) is not int or not low <= value <= high:
            raise ValueError(f"{attribute.name} must be a whole number from {low} to {high} (got {value!r})")

    return check


@attrs.frozen
class Request:
    """What a job of the T3D asks for (docs/schedulers.md, section 11.11)."""

    wire: int | None = None
    """Its barrier wire."""
    base: int | None = None
    """The lowest processor of its block."""
    locked: bool = False
    """Whether it is never preempted, and restored only where it was."""


@attrs.frozen
class Job:
    """One job of a scenario file: sizes in the machine's unit, times in seconds of its clock."""

    id: int = attrs.field(validator=between(0, MAX_TIME))
    size: int = attrs.field(validator=between(1, MAX_NODES))
    submit: int = attrs.field(validator=between(0, MAX_TIME))
    runtime: int = attrs.field(validator=between(1, MAX_TIME))
    estimate: int = attrs.field(validator=between(1, MAX_TIME))
    user: str = ""
    klass: str = ""
    queue: str = ""
    name: str = ""
    command: str = ""
    request: Request = Request()


class CalledId(int):
    """The id of a job, which is written as the job is called: `46_12`."""

    def __new__(cls, job: int, name: str) -> "CalledId":
        made = super().__new__(cls, job)
        made.name = name or str(job)
        return made

    name: str

    def __str__(self) -> str:
        return self.name


@attrs.frozen(eq=False)
class Workload:
    """The jobs to simulate: columns of one length, in order of submission, then in the order given.

    Columns are array('q') and are not to be changed. No estimate is below its runtime. `rows` counts what the
    source held, so that len(workload) + sum(dropped.values()) == rows.
    """

    id: "array[int]"
    submit: "array[int]"
    """Seconds of the scenario's clock; a log's own, never shifted."""
    runtime: "array[int]"
    """Seconds, at least 1."""
    estimate: "array[int]"
    """Seconds, at least the runtime."""
    size: "array[int]"
    """Nodes, or processors where the machine counts those."""
    killed: "array[int]"
    """1 where the runtime was cut to the estimate."""
    user: Sequence[str]
    klass: Sequence[str]
    queue: Sequence[str]
    name: Sequence[str]
    command: Sequence[str]
    rows: int
    dropped: Mapping[str, int] = attrs.field(factory=dict)
    """Reason (runtime, size, larger_than_machine, estimate, cancelled, partial, predecessor) to count."""
    dropped_lines: Mapping[str, int] = attrs.field(factory=dict)
    """The line of a log on which each reason came first; `predecessor` has none."""
    notes: tuple[str, ...] = ()
    """What the reader did that the user should know."""
    epoch: datetime | None = None
    """The wall-clock time of second 0, in the log's own time zone; naive where a scenario gives it."""
    cancel: "array[int] | None" = None
    """Seconds after its submission at which a job is cancelled; -1, or None for all, if it is not."""
    after: "array[int] | None" = None
    """The id of the job whose end a job waits for before it comes, 0 or less for none; None: an open loop."""
    think: "array[int] | None" = None
    """Seconds from that end to the submission; None for all 0."""
    status: "array[int] | None" = None
    """How each job ended by its log: 1 completed, 0 failed, 5 cancelled, -1 unknown; None without a log."""
    settled: bool = False
    """Whether the submissions are those of the closed loop already."""
    requests: Mapping[int, Request] = attrs.field(factory=dict)
    """What jobs ask for, by id; a job that asks for nothing is left out."""
    called: Mapping[int, str] = attrs.field(factory=dict)
    """How jobs are called, by id, where that is not their id: `46_12`, a task of an array of Slurm."""
    group: "array[int] | None" = None
    """The month of submission: 0 for the month of the first job, then counted on; None without an epoch."""

    def __len__(self) -> int:
        return len(self.id)

    def __attrs_post_init__(self) -> None:
        for column in attrs.fields(Workload):
            value = getattr(self, column.name)
            if isinstance(value, array | Labels) and len(value) != len(self.id):
                raise ValueError(f"{column.name} has {len(value)} rows; id has {len(self.id)}")

    @cached_property
    def ids(self) -> Sequence[int]:
        """The ids as they are shown: that of a job that is called otherwise is written so."""
        return [CalledId(job, self.called.get(job, "")) for job in self.id] if self.called else self.id

    def find(self, job: int) -> int | None:
        """Return the row of the job with this id, or None. Linear."""
        try:
            return self.id.index(job)
        except ValueError:
            return None

    def resubmitted(self, submissions: Sequence[tuple[int, int]]) -> "Workload":
        """Return the jobs of these (submission, row) only, in this order: their loop is closed.

        The others are dropped (`predecessor`): what they follow never ended.
        """
        lost = len(self) - len(submissions)
        dropped = {**self.dropped, "predecessor": lost} if lost else self.dropped
        return attrs.evolve(self.taken(submissions), dropped=dropped, settled=True)

    def taken(self, submissions: Sequence[tuple[int, int]]) -> "Workload":
        """Return the jobs of these (submission, row), in this order; rows are not counted anew."""
        rows = [row for _, row in submissions]
        columns = self._columns(lambda _, column: array("q", map(column.__getitem__, rows)))
        columns["submit"] = array("q", (submit for submit, _ in submissions))
        return attrs.evolve(self, **columns)

    def _columns(self, made: "Callable[[str, Sequence[int]], array[int]]") -> dict[str, Any]:
        """What is made of each column, by its name; of texts the codes are taken."""
        columns: dict[str, Any] = {}
        for name in attrs.fields_dict(Workload):
            value = getattr(self, name)
            if isinstance(value, array):
                columns[name] = made(name, value)
            elif isinstance(value, Labels):
                columns[name] = Labels(made(name, value.codes), value.words)
        return columns

    def with_job(self, job: Job) -> "Workload":
        """Return these jobs and one more: it comes after all that are submitted by then.

        The rows before it stay what they are. It has no texts, follows no job, is not cancelled, and counts
        for the month of the job before it.
        """
        row = bisect_right(self.submit, job.submit)
        own = {
            **{name: getattr(job, name) for name in ("id", "submit", "runtime", "estimate", "size")},
            **{"cancel": -1, "status": -1, "group": self.group[max(row - 1, 0)] if self.group else 0},
            **dict.fromkeys(("user", "klass", "queue", "name", "command"), -1),
        }
        columns = self._columns(lambda name, column: _inserted(column, row, own.get(name, 0)))
        return attrs.evolve(self, rows=self.rows + 1, **columns)

    @classmethod
    def of(cls, jobs: Iterable[Job], *, extend: bool = False) -> "Workload":
        """The workload of these jobs. One that would run beyond its estimate is killed there, or,
        with `extend`, has its estimate extended."""
        given = list(jobs)
        ordered = sorted(given, key=lambda job: job.submit)
        newest = accumulate((job.submit for job in given), max)
        late = sum(job.submit < latest for job, latest in zip(given, newest, strict=True))
        killed = [not extend and job.runtime > job.estimate for job in ordered]
        pairs = list(zip(ordered, killed, strict=True))
        return cls(
            id=array("q", (job.id for job in ordered)),
            submit=array("q", (job.submit for job in ordered)),
            runtime=array("q", (job.estimate if cut else job.runtime for job, cut in pairs)),
            estimate=array("q", (max(job.estimate, 0 if cut else job.runtime) for job, cut in pairs)),
            size=array("q", (job.size for job in ordered)),
            killed=array("q", killed),
            user=Labels.of(job.user for job in ordered),
            klass=Labels.of(job.klass for job in ordered),
            queue=Labels.of(job.queue for job in ordered),
            name=Labels.of(job.name for job in ordered),
            command=Labels.of(job.command for job in ordered),
            requests={job.id: job.request for job in ordered if job.request != Request()},
            rows=len(ordered),
            notes=(disorder_note(late, "jobs"),) if late else (),
        )

    @classmethod
    def modelled(
        cls,
        submit: Iterable[int],
        runtime: Iterable[int],
        size: Iterable[int],
        *,
        estimate: Iterable[int] | None = None,
        user: Labels | None = None,
        klass: Labels | None = None,
        notes: tuple[str, ...] = (),
    ) -> "Workload":
        """The jobs of a model, in order of submission; times in seconds, sizes in the unit of the machine.

        Ids count from 1, nobody is killed, and estimates are the runtimes where none are given.
        """
        submits, runtimes = array("q", submit), array("q", runtime)
        count = len(submits)
        return cls(
            id=array("q", range(1, count + 1)),
            submit=submits,
            runtime=runtimes,
            estimate=runtimes if estimate is None else array("q", estimate),
            size=array("q", size),
            killed=array("q", bytes(8 * count)),
            user=Labels.none(count) if user is None else user,
            klass=Labels.none(count) if klass is None else klass,
            queue=Labels.none(count),
            name=Labels.none(count),
            command=Labels.none(count),
            rows=count,
            notes=notes,
        )


def _inserted(values: Sequence[int], row: int, value: int) -> "array[int]":
    """These values with one more at a row."""
    column = array("q", values)
    column.insert(row, value)
    return column


def disorder_note(count: int, noun: str) -> str:
    """Return the note for `count` rows or jobs that were submitted earlier than one before them."""
    was = f"1 {noun[:-1]} was" if count == 1 else f"{count} {noun} were"
    return f"{was} out of order of submission: sorted"


def work(workload: Workload) -> int:
    """The last submission plus the sum of all estimates, in seconds: no job is foretold to end later."""
    return (max(workload.submit) if len(workload) else 0) + sum(workload.estimate)
