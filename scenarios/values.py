"""What a scenario is: frozen values, each with the rules that make it one."""

import math
from collections.abc import Mapping
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from shadowtime.scenarios.actions import Action
from shadowtime.scenarios.lessons.tour import Tour
from shadowtime.scenarios.nodes import NodeRanges
from shadowtime.scenarios.policy import PolicyChoice
from shadowtime.scenarios.shift import Shift
from shadowtime.scenarios.workload import MAX_NODES, Workload, between

if TYPE_CHECKING:
    from shadowtime.scenarios.slurm.records import Capture

UNITS = ("node", "processor")
CHECKPOINT = "checkpoint"
ON_FAILURE = ("kill", "requeue", CHECKPOINT)
"""What becomes of a job whose nodes fail."""
CHECKPOINT_INTERVAL = 3600
"""Seconds of progress between two checkpoints, where the file does not say."""
JOB_FIELDS = ("start", "finish", "preemptions")
NQS_LIMITS = ("before", "after")
METRICS_NOW = ("utilization_now", "utilization_slots", "queue_length", "running", "free_nodes")
METRICS_SO_FAR = (
    "mean_wait",
    "mean_response",
    "mean_slowdown",
    "mean_bounded_slowdown",
    "mean_bounded_slowdown_fw98",
    "mean_bounded_slowdown_n12",
    "utilization",
    "utilization_to_last_arrival",
    "mean_queue_length",
    "backfill_ratio",
    "preempt_ratio",
    "checkpoints_per_node_day",
    "wasted_ratio",
    "lost_capacity",
    "stability",
    "mean_prediction_error",
)
METRICS = METRICS_NOW + METRICS_SO_FAR
ALL, ANY = "all", "any"
"""Of which courses a note is true: those that the file describes, or whatever is simulated."""
STATES = ("N", "W", "i", "R", "S", "o", "O", "H", "F")
"""The letters of the states of a job that has come."""
READ_METRICS = {
    "utilization_now": ("share", ("utilization", "backfill_ratio")),
    "utilization": ("share", ("utilization_now", "backfill_ratio")),
    "queue_length": ("count", ("running", "free_nodes")),
    "running": ("count", ("queue_length", "free_nodes")),
    "mean_wait": ("length", ("mean_response",)),
    "mean_response": ("length", ("mean_wait",)),
}
"""The metrics that can be asked for, each with its measure, and the metrics that are mistaken for it."""
ODDS = ("early", "likely", "late")
"""The instants that the odds give: 1 in 10 before, the likely start, 9 in 10 by."""
RECORDS = ("held", *ODDS, "limits")
"""What is counted of earlier forecasts: those that held, or whose start came by one of these instants, or by
the expected one."""
MACHINE, SCREEN, CLUSTER = "machine", "screen", "cluster"
"""What a question is about: the pass of an instant, what the screen shows, the plan of a captured cluster."""


@attrs.frozen
class QuestionFields:
    """What the table of a kind of question has in a file, beside its instant and its texts."""

    about: str = MACHINE
    needs: tuple[str, ...] = ()
    """The keys that it must have."""
    takes: tuple[str, ...] = ()
    """Those that it may have: the action or the change that it supposes, a tolerance."""
    drawn: bool = True
    """Whether a seed can draw it."""


QUESTION_FIELDS: Mapping[str, QuestionFields] = {
    "next_start": QuestionFields(takes=("do",)),
    "start_time": QuestionFields(needs=("job",), takes=("do", "within")),
    "next_event": QuestionFields(),
    "preempted": QuestionFields(takes=("do",)),
    "state": QuestionFields(needs=("job",), takes=("do",)),
    "why": QuestionFields(needs=("job",), takes=("do",)),
    "row": QuestionFields(needs=("job",), takes=("do",)),
    "nodes": QuestionFields(needs=("job",), takes=("do",)),
    "limit": QuestionFields(needs=("job",)),
    "in_force": QuestionFields(drawn=False),
    "delayed": QuestionFields(needs=("do",)),
    "remedy": QuestionFields(needs=("job", "by", "among")),
    "free": QuestionFields(SCREEN, drawn=False),
    "owner": QuestionFields(SCREEN, ("node",), drawn=False),
    "end_time": QuestionFields(SCREEN, ("job",), drawn=False),
    "waited": QuestionFields(SCREEN, ("job",), drawn=False),
    "metric": QuestionFields(SCREEN, ("metric",), drawn=False),
    "last_event": QuestionFields(SCREEN, drawn=False),
    "likely_start": QuestionFields(SCREEN, ("job", "odds"), ("within",), drawn=False),
    "likely_first": QuestionFields(drawn=False),
    "least_certain": QuestionFields(SCREEN, drawn=False),
    "record": QuestionFields(SCREEN, ("odds",), drawn=False),
    "as_forecast": QuestionFields(SCREEN, ("job",), drawn=False),
    "request": QuestionFields(needs=("job", "among"), drawn=False),
    "not_running": QuestionFields(CLUSTER, ("job",), ("do",)),
    "planned_start": QuestionFields(CLUSTER, ("job",), ("do", "within")),
    "planned_nodes": QuestionFields(CLUSTER, ("job",), ("do",)),
    "sooner": QuestionFields(CLUSTER, ("job", "among")),
    "put_off": QuestionFields(CLUSTER, ("do",)),
    "factor": QuestionFields(CLUSTER, ("job",), ("do",)),
}
DIFFICULTIES = ("low", "medium", "high")
"""Of a question that is drawn: how many jobs wait."""
MOST_PICKED = 100
"""Questions that one table can draw."""


@attrs.frozen
class Machine:
    """The machine. `nodes` is what a simulation has; `capacity` is the same in the unit in which jobs ask."""

    nodes: int = attrs.field(validator=between(1, MAX_NODES))
    torus: tuple[int, int, int] | None = None
    """X, Y, Z in the machine's unit; None where the machine is flat."""
    unit: str = attrs.field(default="node", validator=attrs.validators.in_(UNITS))
    """What job sizes and the torus count: node or processor."""
    per_node: int = attrs.field(default=1, validator=between(1, MAX_NODES))
    """Processors of a node."""
    epoch: datetime | None = None
    """The wall-clock time of second 0, without a time zone; None where the scenario does not say."""
    on_failure: str = attrs.field(default="kill", validator=attrs.validators.in_(ON_FAILURE))
    checkpoint_interval: int = attrs.field(default=CHECKPOINT_INTERVAL, validator=attrs.validators.ge(1))
    """Seconds of progress between two checkpoints, for `checkpoint`."""

    @property
    def node_size(self) -> int:
        """What a node counts for in the machine's unit: its processors where those are counted, else 1."""
        return self.per_node if self.unit == "processor" else 1

    @property
    def capacity(self) -> int:
        """The size of the largest job: nodes, or processors if the machine counts those."""
        return self.nodes * self.node_size

    def sized(self) -> str:
        """Return the capacity with its unit: `128 nodes`, `256 processors`."""
        return f"{self.capacity} {self.unit}{'' if self.capacity == 1 else 's'}"


@attrs.frozen
class Variant:
    """The same workload under another policy."""

    name: str
    policy: PolicyChoice


@attrs.frozen
class Expect:
    """What must come out: a metric at an instant, or when a job starts or ends, or how often it is preempted.

    Either `metric` is named, or `job` and `field`. Either `equals` or `within` is given.
    """

    line: int
    variant: str | None = None
    """The variant that is meant; None: the base policy."""
    at: int | None = None
    """The instant: after its last event and its pass; None: the end of the run."""
    metric: str | None = None
    job: int | None = None
    field: str | None = None
    """start, finish (instants) or preemptions (a count), of the job."""
    equals: float | int | None = None
    within: tuple[float, float] | None = None
    decimals: int = 0
    """At how many decimals `equals` compares."""
    text: str = ""
    """The expected value as it was written."""

    def holds(self, found: float | int | None) -> bool:
        """Whether the value found is the expected one: equal at the decimals written, or within the bounds.

        No value (None, nan, an infinity) never is.
        """
        if found is None or not math.isfinite(found):
            return False
        if self.within is not None:
            return self.within[0] <= found <= self.within[1]
        # In exact numbers: 2.675 written in a file is not the binary 2.675.
        return abs(Fraction(found) - Fraction(str(self.equals))) <= Fraction(1, 2 * 10**self.decimals)


@attrs.frozen
class Note:
    """A text that is shown to the operator when the clock gets to `at`, if it is true there.

    `variants` names the courses that it is true of: variants, the file's own policy, `ALL` for these all,
    `ANY` for whatever is simulated; empty is the file's own policy alone. `when` is a job and its state then.
    """

    at: int
    text: str
    variants: tuple[str, ...] = ()
    when: tuple[int, str] | None = None


@attrs.frozen
class Question:
    """A drill: the question when the clock gets to `at`; `job` if the question is about one."""

    at: int
    ask: str = attrs.field(validator=attrs.validators.in_(QUESTION_FIELDS))
    job: int | None = None
    within: int = 0
    """Seconds by which a time may be wrong and still be right."""
    text: str = ""
    """The text before the question, in the lecturer's words."""
    hint: str = ""
    """The lecturer's hint; if empty, the console gives its own."""
    line: int = attrs.field(default=0, eq=False)
    """The line of the file."""
    pick: int = 0
    """How many such questions a seed draws, with their instants and jobs; 0: this one, as it stands."""
    start: int = 0
    """The first instant at which one may be drawn."""
    until: int | None = None
    """The last one; None: up to the end."""
    difficulty: str = attrs.field(default="", validator=attrs.validators.in_(("", *DIFFICULTIES)))
    do: str = ""
    """The action of the operator, or the change of a cluster, that it supposes; empty for none."""
    by: int | None = None
    """Of a remedy: the instant by which the job is to start."""
    among: tuple[str, ...] = ()
    """Of a remedy: the actions to choose from, as they are typed; of `sooner` the changes, of `request` the
    requests."""

    node: int | None = None
    """The node, if the question is about one."""
    metric: str = ""
    """The metric, if the question is about one."""
    odds: str = ""
    """Of `likely_start` one of `ODDS`, of `record` one of `RECORDS`."""
    covered: bool = True
    """Whether predictions, reasons and what is to come are covered while it is open."""
    debrief: str = ""
    """What the lecturer says of it when the lesson is over."""

    @property
    def about_a_job(self) -> bool:
        return "job" in QUESTION_FIELDS[self.ask].needs

    @property
    def about_a_cluster(self) -> bool:
        """Whether it asks about the plan of a captured cluster."""
        return QUESTION_FIELDS[self.ask].about == CLUSTER


@attrs.frozen
class Outage:
    """Nodes that are down from `start` up to, and without, `until`; for ever where that is None."""

    nodes: NodeRanges
    start: int
    until: int | None = None
    kill: bool = False
    """Whether jobs on the nodes are killed; otherwise the nodes are drained: their jobs end first."""
    line: int = 0


@attrs.frozen(eq=False)
class Scenario:
    """A machine, a policy, the jobs, and the story: all that a session needs, checked as a whole."""

    title: str
    machine: Machine
    policy: PolicyChoice
    workload: Workload
    path: Path
    paper: str = ""
    about: str = ""
    variants: tuple[Variant, ...] = ()
    expects: tuple[Expect, ...] = ()
    notes: tuple[Note, ...] = ()
    """In order of their instants, as are the questions."""
    questions: tuple[Question, ...] = ()
    actions: tuple[Action, ...] = attrs.field(default=())
    """Those at an instant in order of time, then those after an event in order of its number."""
    outages: tuple[Outage, ...] = ()
    nqs: str | None = attrs.field(
        default=None, validator=attrs.validators.optional(attrs.validators.in_(NQS_LIMITS))
    )
    """Which limits NQS has, through which batch jobs come; None where there is no such front end."""
    text: str = ""
    """The file as it was read; nothing for a bare log."""
    log: Path | None = None
    """The log that the jobs are from; None where they are from the file or a model."""
    shift: Shift | None = None
    """What an operator on duty is to reach; None if the scenario is no shift."""
    debrief: str = ""
    """What the lecturer says when the lesson is over."""
    cluster: "Capture | None" = None
    """The captured cluster that the questions are about; the rest is the same cluster as one machine."""

    tour: Tour | None = None
    """The steps of a tour through the console; None if the file has none."""

    @actions.validator
    def _each_with_a_moment(self, _: object, actions: tuple[Action, ...]) -> None:
        for action in actions:
            action.require_moment()

    @property
    def epoch(self) -> datetime | None:
        """The wall-clock time of second 0: the machine's where the scenario gives one, else the log's."""
        return self.machine.epoch or self.workload.epoch

    def variant(self, name: str) -> Variant | None:
        return next((variant for variant in self.variants if variant.name == name), None)
