"""The fields of the jobs of a machine: what the queue shows, is filtered by and is sorted by."""

from collections.abc import Callable, Mapping
from functools import partial

import attrs

from shadowtime.console.session.clock import Clock
from shadowtime.console.session.jobs.rows import JobRows
from shadowtime.console.session.table.field import Field, Fields, Kind, Value
from shadowtime.console.session.table.ordering import alphabet
from shadowtime.kernels.core.simulation import Simulation

Of = Callable[[int], Value]
"""The value of a job, by index."""
FORECAST, LIKELY = frozenset(("starts", "ends", "slip")), frozenset(("likely", "by"))
"""The fields that a filter or an order reads from a forecast, and from samples."""


@attrs.frozen
class PresentJobs:
    """The jobs of a simulation at its present position."""

    rows: JobRows
    simulation: Simulation
    before: Mapping[int, int] = attrs.field(factory=dict)
    """The predicted starts before the last step, where they are known, by index."""

    @property
    def now(self) -> int:
        return self.simulation.now

    @property
    def clock(self) -> Clock:
        return self.rows.clock


def _column(name: str) -> Callable[[PresentJobs], Of]:
    return lambda jobs: getattr(jobs.rows.columns, name).__getitem__


def _alphabet(name: str) -> Callable[[PresentJobs], Of]:
    return lambda jobs: alphabet(getattr(jobs.rows.columns, name))


def _term(name: str) -> Callable[[PresentJobs], Of]:
    return lambda jobs: lambda index: jobs.rows.terms(jobs.simulation, index).get(name)


def _class_order(jobs: PresentJobs) -> Of:
    rows = jobs.rows
    return (
        rows.klass(jobs.simulation) if rows.gives_classes(jobs.simulation) else alphabet(rows.columns.klass)
    )


def _starts(jobs: PresentJobs) -> Of:
    return jobs.rows.predicted_starts(jobs.simulation).get


def _ahead(jobs: PresentJobs) -> Of:
    likely, starts, now = _odds("likely")(jobs), _starts(jobs), jobs.now

    def ahead(index: int) -> int | None:
        start = likely(index)
        start = starts(index) if start is None else start
        return None if start is None else start - now

    return ahead


def _odds(name: str) -> Callable[[PresentJobs], Of]:

    def values(jobs: PresentJobs) -> Of:
        starts, begun = jobs.rows.likely(jobs.simulation), jobs.simulation.start_of

        def value(index: int) -> int | None:
            found = starts.get(index)
            return None if found is None or begun(index) is not None else getattr(found, name)

        return value

    return values


def _changes(jobs: PresentJobs) -> Of:
    starts, before = _starts(jobs), jobs.before

    def moved(index: int) -> int | None:
        start, was = starts(index), before.get(index)
        return None if start is None or was is None else start - was

    return moved


def _code(jobs: PresentJobs) -> Of:
    return partial(jobs.rows.code, jobs.simulation)


QUEUE = Fields[PresentJobs, int](
    (
        Field("id", Kind.NUMBER, _column("id"), "JOB", 0, bare=True),
        Field("user", Kind.TEXT, _column("user"), "USER", 5, 10, bare=True, keys=_alphabet("user")),
        Field(
            "class", Kind.TEXT, lambda jobs: jobs.rows.klass(jobs.simulation), "CLASS", 9, 11,
            bare=True, keys=_class_order,
        ),
        Field("queue", Kind.TEXT, _column("queue")),
        Field("name", Kind.TEXT, _column("name"), bare=True),
        Field("state", Kind.LETTER, lambda jobs: jobs.simulation.state, "S", 1, 1),
        Field("size", Kind.NUMBER, _column("size"), "SIZE", 2, falls=True),
        Field("submit", Kind.INSTANT, _column("submit"), "SUBMIT", 10),
        Field("wait", Kind.DURATION, lambda jobs: jobs.rows.waits(jobs.simulation), "WAIT", 4, 6, falls=True),
        Field("base", Kind.NUMBER, _term("base"), "BASE", 3, 4, filtered=False),
        Field("wire", Kind.NUMBER, _term("wire"), "W", 4, 1, filtered=False),
        Field("priority", Kind.NUMBER, _term("priority"), "PRIO", 5, 7, filtered=False),
        Field("limit", Kind.DURATION, _column("estimate"), "LIMIT", 7, 6, falls=True),
        Field("done", Kind.NUMBER, _term("done"), "DONE", 3, 4, filtered=False),
        Field("likely", Kind.MOMENT, _odds("likely"), "LIKELY", 1, 20),
        Field("by", Kind.MOMENT, _odds("late"), "9 IN 10 BY", 1, 20),
        Field("starts", Kind.MOMENT, _starts, "STARTS", 3, 24, instead="likely"),
        Field("in", Kind.DURATION, _ahead, "IN", 6, 7, filtered=False),
        Field("change", Kind.CHANGE, _changes, "CHANGE", 7, 8, filtered=False),
        Field("ends", Kind.MOMENT, lambda jobs: jobs.rows.ends(jobs.simulation), "ENDS", 4, 20),
        Field("stops", Kind.NUMBER, lambda jobs: jobs.simulation.preemptions, "PRE", 4, 3, filtered=False),
        Field("slip", Kind.CHANGE, lambda jobs: jobs.rows.slips(jobs.simulation), "SLIP", 8, 7, falls=True),
        Field("slack", Kind.DURATION, _term("slack_left"), "SLACK", 4, 6, filtered=False),
        Field("reason", Kind.TEXT, _code, "REASON", 0, filtered=False, wide=True),
    ),
    orders=(
        "order", "starts", "likely", "by", "ends", "wait", "slip", "id", "user", "class", "state", "size",
        "submit", "limit",
    ),
    rows="the queue",
    older={"estimate": "limit", "predicted": "starts", "job": "id"},
    absent={
        **dict.fromkeys(("account", "qos"), "jobs of a machine have users and classes"),
        **dict.fromkeys(("cpus", "gpus", "gres"), "jobs of a machine have whole nodes: size"),
        "partition": "a machine has one pool of nodes and no partitions",
        "expected": "starts is the expected start of each job here",
        "slurm": "Slurm does not run this machine",
        "nodes": "the node map shows which nodes a job has",
        **dict.fromkeys(("runs", "left"), "ends shows until when a job runs"),
        "next": "the page of a node shows who comes next",
    },
)  # fmt: skip
