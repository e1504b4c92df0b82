"""The text of the detail views: everything about one job, one event, the metrics, or a policy."""

from collections.abc import Mapping, Sequence

from console import words
from console.session.facts import Event, Metrics, Prediction
from console.widgets.events_text import Choice, why_lines
from console.widgets.panel_ink import Line, Piece, printable, wrap

LABEL = 17
METRICS: Mapping[str, str] = {
    "utilization_now": "nodes that run a job now, as a share of the machine",
    "utilization": "node-seconds used so far, as a share of nodes times the time since the first submission",
    "utilization_to_last_arrival": "the same up to the last submission",
    "utilization_slots": "the mean of utilization_now over the time slots; without slots the same",
    "queue_length": "jobs that wait now",
    "mean_queue_length": "jobs that waited, averaged over time",
    "running": "jobs that run now",
    "free_nodes": "nodes that run nothing now",
    "mean_wait": "seconds from submission to start, averaged over the jobs that have ended",
    "mean_response": "seconds from submission to end, averaged over the jobs that have ended",
    "mean_slowdown": "response divided by runtime, averaged",
    "mean_bounded_slowdown": "the same with runtimes below 10 s counted as 10 s, and at least 1",
    "mean_bounded_slowdown_fw98": "the variant of Feitelson and Weil 1998",
    "mean_bounded_slowdown_n12": "the variant of Niu et al. 2012",
    "backfill_ratio": "share of the started jobs that passed one that came earlier",
    "lost_capacity": "share of the capacity left idle while a job waited that was small enough for it",
    "preempt_ratio": "preemptions a job",
    "checkpoints_per_node_day": "checkpoints a node and day",
    "wasted_ratio": "share of the work done twice or spent on overhead",
    "stability": "standard deviation of the monthly mean wait, in seconds",
    "mean_prediction_error": "seconds between the first predicted and the actual start, averaged",
}
"""What each metric means, in the order of the detail view."""


def job_lines(
    choice: Choice, history: Sequence[Prediction] | None, now: int, number: int, width: int
) -> list[Line]:
    """One job: its fields, why it stands where it does, how its prediction moved (None: not known yet)."""
    lines: list[Line] = [*_fields(choice), []]
    lines += why_lines(choice, now, number, width)
    lines += [[], [("HOW ITS PREDICTED START MOVED", "head")]]
    if history is None:
        return [*lines, [("  working it out ...", "dim")]]
    if not history:
        return [*lines, [("  no prediction: it started in the instant of its submission", "dim")]]
    before: Prediction | None = None
    for made in history:
        lines.append([("  ", "text"), (words.history_line(made, before), _moved_role(made, before))])
        before = made
    return lines


def _moved_role(made: Prediction, before: Prediction | None) -> str:
    if before is None or made.time == before.time:
        return "text"
    return "bad" if made.time > before.time else "good"


def _fields(choice: Choice) -> list[Line]:
    row = choice.row
    found = [("job", f"{row.id}  {words.state(row.state)} ({row.state or '-'})")]
    found += [(label, value) for label, value in (("name", row.name), ("user", row.user)) if value]
    found += [(label, value) for label, value in (("class", row.klass), ("queue", row.queue)) if value]
    found.append(("size", words.count(row.size, "node")))
    found.append(("submitted", words.clock(row.submit)))
    found.append(("estimate", f"{words.duration(row.estimate)} ({row.estimate:,} s)"))
    found.append(("wait", f"{words.duration(row.wait)} ({row.wait:,} s)"))
    if row.start is not None:
        found.append(("started", words.clock(row.start)))
    if row.end is not None:
        found.append(("ended" if row.state == "F" else "ends by", words.clock(row.end)))
    if row.predicted is not None:
        found.append(("start", f"{words.clock(row.predicted.time)} {row.predicted.promise}"))
    if row.first_predicted is not None:
        found.append(("first predicted", words.clock(row.first_predicted)))
    if row.slip is not None:
        found.append(("slip", words.moved(row.slip)))
    if row.preemptions:
        found.append(("preempted", words.count(row.preemptions, "time")))
    return [field(label, value) for label, value in found]


def field(label: str, value: str) -> list[Piece]:
    """A label and its value."""
    return [(f"{label:<{LABEL}}", "dim"), (printable(value), "text")]


def event_lines(event: Event, width: int) -> list[Line]:
    """One event with every decision that it took."""
    lines: list[Line] = [
        field("event", f"{event.number:,}"),
        field("time", words.clock(event.time)),
        field("what", words.happened(event.kind, event.job)),
        field("decisions", f"{len(event.decisions)}"),
        [],
    ]
    for made in event.decisions:
        lines += wrap(printable(words.decision(made)), width, "text", [("* ", "good")], 2)
    return lines


def metric_lines(metrics: Metrics, width: int) -> list[Line]:
    """Every metric so far, with what it means."""
    lines: list[Line] = []
    for name, meaning in METRICS.items():
        value = getattr(metrics, name)
        shown = "-" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:,.4f}"
        first: list[Piece] = [(f"{name:<28}", "head"), (f"{shown:>14}  ", "strong")]
        lines += wrap(meaning, width, "dim", first, 44)
    return lines


def policy_lines(policy: str, parameters: Mapping[str, object], width: int) -> list[Line]:
    """A policy with the values of its parameters."""
    lines: list[Line] = [field("policy", policy)]
    for name, value in parameters.items():
        lines += wrap(printable(str(value)), width, "text", [(f"{name:<{LABEL}}", "dim")], LABEL)
    return lines
