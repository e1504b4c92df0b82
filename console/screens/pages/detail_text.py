"""The text of the detail views: everything about one job, one event, the metrics, or a policy."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType

import attrs

from shadowtime.console import words
from shadowtime.console.session import Case, Value, format_nodes, policies_table
from shadowtime.console.session.facts import Event, Metrics, Prediction, Row, Snapshot
from shadowtime.console.session.jobs.history import Life
from shadowtime.console.session.likely.starts import LikelyStarts
from shadowtime.console.session.nodes.whereabouts import Whereabouts
from shadowtime.console.widgets.events.text import ChosenJob, why_lines
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, fact, printable, wrap
from shadowtime.console.words import likely
from shadowtime.console.words.measures import written
from shadowtime.console.words.phrases import base as zyx

LABEL = 17
BESIDE = 14
"""Cells that the cause of a change needs behind it."""
COLUMN, NARROWEST = 60, 20
"""Cells at most of a column of facts, and those that their texts need for a second one."""
TERMS: Mapping[str, str] = {
    "done": "progress",
    "left": "estimate left",
    "service": "class now",
    "level": "priority",
    "wire": "barrier wire",
    "base": "block at",
    "stood": "last block at",
    "waited": "waits this time",
    "max_wait": "may wait",
    "reserved": "has reservation",
    "undisturbed_until": "undisturbed till",
    "preemptable": "preemptable",
}
"""What some of the terms of a job are called here."""
INSTANTS = frozenset(("deadline", "until", "undisturbed_until"))
DURATIONS = frozenset(("slack_left", "done", "left", "waited", "max_wait"))
BLOCKS = frozenset(("base", "stood"))
ANSWERS = frozenset(("reserved", "preemptable"))
"""The terms that are instants, durations, processors of the torus, and yes or no."""
METRICS: Mapping[str, str] = {
    "utilization_now": "{units} that run a job now, as a share of the machine",
    "utilization": "{unit}-seconds used so far, as a share of {units} times the time since the first"
    " submission",
    "utilization_to_last_arrival": "the same up to the last submission",
    "utilization_slots": "the mean of utilization_now over the time slots; without slots the same",
    "queue_length": "jobs that wait now",
    "mean_queue_length": "jobs that waited, averaged over time",
    "running": "jobs that run now",
    "free_nodes": "{units} that run nothing now",
    "mean_wait": "seconds until the first start and in the queue after a stop, averaged over those started",
    "mean_response": "seconds from submission to end, averaged over the jobs that have ended",
    "mean_slowdown": "response divided by runtime, averaged",
    "mean_bounded_slowdown": "the same with runtimes below 10 s counted as 10 s, and at least 1",
    "mean_bounded_slowdown_fw98": "the variant of Feitelson and Weil 1998",
    "mean_bounded_slowdown_n12": "the variant of Niu et al. 2012",
    "backfill_ratio": "share of the started jobs that passed one that came earlier",
    "lost_capacity": "share of the capacity left idle while a job waited that was small enough for it",
    "preempt_ratio": "share of the started jobs that were preempted at least once (pRatio)",
    "checkpoints_per_node_day": "how often a {unit} was checkpointed in a day, with the job on it (cNum)",
    "wasted_ratio": "share of all {unit}-seconds held without progress, for preemption (wRatio)",
    "stability": "standard deviation of the monthly mean wait, in seconds",
    "mean_prediction_error": "seconds between the first predicted and the actual start, averaged",
}
"""What each metric means, for `Unit.fill`, in the order of the detail view."""


def job_lines(
    choice: ChosenJob,
    life: Life | None,
    now: int,
    number: int,
    width: int,
    unit: words.Unit,
    where: Whereabouts | None = None,
    here: str = "",
    causes: Mapping[int, str] = MappingProxyType({}),
) -> list[Line]:
    """One job: its fields, why it stands where it does, how its forecast moved (None: not known yet).

    `where` is where it is expected or was last, if it holds no nodes; `here` is what moved its
    predicted start at this instant, if it did, and `causes` what did at earlier events.
    """
    lines: list[Line] = [*_fields(choice, number, width, unit), *_nodes(choice, where, width, unit), []]
    lines += why_lines(choice, now, number, width, unit)
    lines += [[], [("HOW ITS PREDICTED START MOVED", "head")]]
    lines += wrap(f"here: {here}", width - 2, "strong", [("  ", "text")], 4) if here else []
    if life is None:
        return [*lines, [("  working it out ...", "dim")]]
    if not life.predicted:
        soon = choice.row.start in (None, choice.row.submit)
        why = "it started in the instant of its submission" if soon else "it started before there was one"
        return [*lines, [(f"  no prediction: {why}", "dim")]]
    return [*lines, *_life_lines(life, choice.row, width, unit, causes)]


def _life_lines(
    life: Life, row: Row, width: int, unit: words.Unit, causes: Mapping[int, str]
) -> Iterator[Line]:
    """How the forecast of a job moved, a line for each moment, and what came of it.

    How far and why stand in a line below it where they would be cut.
    """
    clock, before = unit.clock, None
    for each in (clock, attrs.evolve(clock, yearless=True)):
        heading, *table = likely.life_table(life, each)
        if max(map(len, (heading, *table))) + 2 <= width:
            break
    if life.odds:
        shown = f"  {heading}"
        yield [(shown if len(shown) <= width else shown.replace(" THE ", " "), "dim")]
    for text, made in zip(table, life.predicted, strict=True):
        change = "" if before is None else words.moved(made.time - before.time)
        role, before = _moved_role(made, before), made
        cause = f"#{made.event} {causes[made.event]}" if made.event in causes else ""
        shown = f"  {text}{', ' * bool(change)}{change}"
        first: Line = [(f"{shown}  ", role)]
        if len(shown) + bool(cause) * BESIDE > width:
            yield [(f"  {text}", role)]
            first = [(f"    {change}{'  ' * bool(change)}", role)]
        yield from wrap(cause, width, "dim", first, 6) if cause else [first]
    if row.start is not None:
        yield from wrap(likely.came(life, row.start, clock), width - 2, "strong", [("  ", "text")], 4)


def _nodes(choice: ChosenJob, where: Whereabouts | None, width: int, unit: words.Unit) -> list[Line]:
    """The nodes that a job holds, held last or is expected on, in as many lines as they need.

    Who has them until then stands in the chain of the job, if it has one.
    """
    row = choice.row
    if row.nodes:
        text = format_nodes(row.nodes)
    elif where is not None:
        text = words.whereabouts(where, unit.clock)
    else:
        return []
    # A list has no blanks at which a line could end.
    found = [("nodes", text.replace(",", ", "))]
    if where is not None and where.holders and choice.chain is None:
        found.append(("waits for", words.waits_for(where, unit.clock)))
    if where is not None and where.idle:
        found.append(("idle now", words.idle_now(where, row.size, row.now, unit)))
    return [
        line
        for label, value in found
        for line in wrap(value, width, "text", [(f"{label:<{LABEL}}", "dim")], LABEL)
    ]


def _moved_role(made: Prediction, before: Prediction | None) -> str:
    if before is None or made.time == before.time:
        return "text"
    return "bad" if made.time > before.time else "good"


def _fields(choice: ChosenJob, number: int, width: int, unit: words.Unit) -> list[Line]:
    row = choice.row
    found = [("job", f"{row.id} {words.state(row.state, unit)} ({row.state or '-'})")]
    found += [(label, value) for label, value in (("name", row.name), ("user", row.user)) if value]
    found += [(label, value) for label, value in (("class", row.klass), ("queue", row.queue)) if value]
    found.append(("size", unit.sized(row.size)))
    found.append(("submitted", unit.instant(row.submit)))
    found.append(("estimate", f"{words.duration(row.estimate)} ({row.estimate:,} s)"))
    found.append((_wait_label(row), f"{words.duration(row.wait)} ({row.wait:,} s)"))
    if row.start is not None:
        found.append(("first started" if row.preemptions else "started", unit.instant(row.start)))
    if row.end is not None and row.predicted_end is None:
        found.append(("ended" if row.state == "F" else "ends by", unit.instant(row.end)))
    if row.likely is not None and row.likely.event == number:
        found.append(("odds", likely.odds(row.likely, row.now, unit.clock)))
    elif row.no_odds:
        found.append(("odds", likely.absent(row.no_odds)))
    if row.predicted is not None:
        found.append(("start", f"{unit.instant(row.predicted.time)} {row.predicted.promise}"))
    if row.predicted_end is not None:
        found.append(("end", f"{unit.instant(row.predicted_end.time)} {row.predicted_end.promise}"))
    if row.first_predicted is not None:
        found.append(("first predicted", unit.instant(row.first_predicted)))
    if row.slip is not None:
        found.append(("slip", words.moved(row.slip)))
    if row.preemptions:
        found.append(("preempted", words.times(row.preemptions)))
    if row.since is not None and (row.preemptions or row.state == "W"):
        found.append(("in this state", f"since {unit.instant(row.since)}"))
    found += [
        _term(name, value, unit) for name, value in row.terms.items() if (name, row.state) != ("done", "R")
    ]
    return _in_columns(found, width)


def _in_columns(facts: Sequence[tuple[str, str]], width: int) -> list[Line]:
    """Facts in two columns where there is room, those with long texts below, each in lines of its own."""
    half = min(width // 2, COLUMN)
    room = half - LABEL
    short = [fact for fact in facts if len(fact[0]) < LABEL and len(printable(fact[1])) < room]
    if room < NARROWEST:
        short = []
    down = (len(short) + 1) // 2
    pairs = zip_longest(short[:down], short[down:], fillvalue=("", ""))
    lines: list[Line] = [[*_column(left, room), *_column(right, room)] for left, right in pairs]
    others = (each for each in facts if each not in short)
    return lines + [line for label, value in others for line in fact(label, value, width, LABEL)]


def _column(fact: tuple[str, str], room: int) -> Line:
    return [(f"{fact[0]:<{LABEL}}", "dim"), (cell(fact[1], room), "text")]


def _wait_label(row: Row) -> str:
    """What `row.wait` is: of a job that was stopped, all its stays, or where it is over the first one."""
    if not row.preemptions:
        return "wait"
    return "first wait" if row.state == "F" else "waits in all"


def _term(name: str, value: Value, unit: words.Unit) -> tuple[str, str]:
    """What the policy keeps for a job, by the name that it gives it."""
    label = TERMS.get(name, name.replace("_", " "))
    if value is None:
        return label, "never" if name in INSTANTS else "-"
    if isinstance(value, int) and name in INSTANTS:
        return label, unit.instant(value)
    if isinstance(value, int) and name in DURATIONS:
        return label, f"{words.duration(value)} ({value:,} s)"
    if isinstance(value, int) and name in BLOCKS:
        return label, zyx(value)
    if name in ANSWERS:
        return label, "yes" if value else "no"
    return label, f"{value:,}" if isinstance(value, int | float) else value


def field(label: str, value: str) -> list[Piece]:
    return [(f"{label:<{LABEL}}", "dim"), (printable(value), "text")]


def event_lines(event: Event, width: int, unit: words.Unit) -> list[Line]:
    lines: list[Line] = [
        field("event", f"{event.number:,}"),
        field("time", unit.instant(event.time)),
        field("what", words.occurred(event)),
        field("decisions", f"{len(event.decisions)}"),
        [],
    ]
    for made in event.decisions:
        lines += wrap(words.decision(made, unit), width, "text", [("* ", "good")], 2)
    return lines


def status_lines(snapshot: Snapshot, width: int, unit: words.Unit) -> list[Line]:
    """What the policy goes by at a snapshot, under a heading; no lines if the policy reports nothing."""
    lines: list[Line] = []
    for label, text in words.status(snapshot.status, snapshot.time, snapshot.nodes, unit):
        lines += fact(label, text, width, LABEL + 1)
    return [[("THE POLICY NOW", "head")], *lines, []] if lines else []


def odds_lines(answer: LikelyStarts | None, width: int) -> list[Line]:
    """How good likely starts have been so far, under a heading; no lines as long as that is not known."""
    said = likely.accuracy(answer)
    return [[("LIKELY STARTS SO FAR", "head")], *wrap(said, width, "text"), []] if said else []


def metric_lines(metrics: Metrics, width: int, unit: words.Unit) -> list[Line]:
    lines: list[Line] = []
    for name, meaning in METRICS.items():
        value = getattr(metrics, name)
        kind = "utilization" if name.startswith("utilization") else name  # Of an instant it is a share, too.
        shown = f"{value:,}" if isinstance(value, int) else written(kind, value)
        first: list[Piece] = [(f"{name:<28}", "head"), (f"{shown:>14}  ", "strong")]
        text = unit.fill(meaning)
        if width < 72:  # Beside the figure a line of the text would be of one word or two.
            lines += [first, *wrap(text, width, "dim", [("  ", "dim")], 2)]
        else:
            lines += wrap(text, width, "dim", first, 44)
    return lines


def policy_lines(case: Case, snapshot: Snapshot, width: int, unit: words.Unit) -> list[Line]:
    """The policy of a case: what it goes by now, its parameters as they are typed, its paper, its notes."""
    found = [("policy", words.policy_name(case.policy, case.name))]
    entry = next((entry for entry in policies_table() if entry.name == case.policy), None)
    if entry is not None:
        found += [("what", entry.summary), ("paper", entry.paper)]
    found += words.settings(case.policy, case.parameters).items()
    wide = max(LABEL, *(len(label) for label, _ in found))
    lines: list[Line] = [line for label, text in found for line in fact(label, text, width, wide + 1)]
    now = status_lines(snapshot, width, unit)
    lines += [[], *now] if now else [[]]
    for note in entry.notes if entry is not None else ():
        lines += wrap(note, width, "text", [("* ", "key")], 2)
    return lines
