"""The reasons of decisions: a sentence for each decision, about a job or about the policy."""

from collections.abc import Callable, Mapping
from functools import partial

from shadowtime.console.session import Value
from shadowtime.console.session.facts import Decision
from shadowtime.console.words import operating
from shadowtime.console.words.phrases import say, score, uncoded
from shadowtime.console.words.t3d import reasons as torus
from shadowtime.console.words.units import Unit
from shadowtime.console.words.waiting import HEADS, NEEDS

Numbers = Mapping[str, Value]

VERBS: Mapping[str, str] = {
    "start": "starts",
    "backfill": "is backfilled",
    "resume": "resumes",
    "reserve": "is reserved a start",
    "move": "is moved",
    "preempt": "is preempted",
    "place": "is placed",
    "release": "is released",
    "refuse": "is refused",
    "switch": "switches",
    "keep": "stays as it is",
}

CLAUSES: Mapping[str, str] = {
    "head_fits": HEADS,
    "ends_by_shadow": f"{NEEDS}, and ends at {{end:time}} at the latest, not after the shadow time"
    " {shadow:time} of job {head}",
    "within_extra": "it may end at {end:time}, after the shadow time {shadow:time} of job {head}, but needs"
    " {needs:nodes} of the {extra:,} extra",
    "beside_reserved": f"{NEEDS}, and until {{end:time}} it delays neither job {{head}} nor another job"
    " that has a reservation",
    "predicted_by_shadow": f"{NEEDS}, and is predicted to end at {{end:time}}, not after the time"
    " {shadow:time} that is reserved for job {head}; its estimate lasts until {limit:time}",
    "fits_out_of_order": f"{NEEDS}, while job {{head}} before it needs {{head_needs:nodes}}",
    "speculates": f"{NEEDS}, and may end before job {{head}} needs them, at {{shadow:time}};"
    " if it does not, it is killed then; it is to end at {end:time}",
    "leapfrogs": f"{NEEDS}, while job {{head}} before it needs {{head_needs:nodes}}; it is number"
    " {passed:,} of the {limit:,} that may pass that job",
    "after_preemption": "{stopped:jobs} preempted for it gave back {freed:nodes}; "
    f"{NEEDS}, and it runs from {{at:time}}",
    "eligible": f"it is eligible now and runs {{runtime:span}}; {NEEDS}",
    "reservation_due": f"its reservation at {{reserved:time}} is due; {NEEDS}",
    "planned_now": f"a fresh plan of the whole queue places it now; {NEEDS}",
    "operator": f"the operator started it; {NEEDS}",
    "own_choice": f"the policy chose it; {NEEDS}",
    "its_row": "its row {row:,} has the machine, and there it has {needs:nodes} from {unit} {base:,} on",
    "as_alternate": "the row that has the machine leaves its {needs:nodes} from {unit} {base:,} on idle,"
    " beside which it runs; its own row is {row:,}",
    **torus.CLAUSES,
}
"""Why a job may run: the same clauses for a start, a backfill and a resume."""

PASSING: Mapping[str, str] = {
    "reservation_due": f"its reservation at {{reserved:time}} is due before those of earlier jobs; {NEEDS}",
    "planned_now": f"a fresh plan of the whole queue places it now, before earlier jobs; {NEEDS}",
}
"""The clauses for a job that passes an earlier one, if they differ."""


def _sentences(kind: str, clauses: Mapping[str, str]) -> Mapping[str, str]:
    return {code: f"job {{job}} {VERBS[kind]}: {clause}" for code, clause in clauses.items()}


DECISIONS: Mapping[str, Mapping[str, str]] = {
    "start": _sentences("start", CLAUSES),
    "backfill": _sentences("backfill", {**CLAUSES, **PASSING}),
    "resume": _sentences("resume", CLAUSES),
    "reserve": {
        **torus.DECISIONS["reserve"],
        "head_shadow": "job {job} heads the queue and needs {needs:nodes}, {free:are} free: it is to start at"
        " its shadow time {shadow:time}, which leaves {extra:nodes} extra",
        "head_relaxed": "job {job} heads the queue and needs {needs:nodes}, {free:are} free: it is expected"
        " to start at {expected:time}, and others may delay it to {shadow:time}, its shadow time, which"
        " leaves {extra:nodes} extra",
        "anchor": "job {job} gets a reservation at {at:time}: the first time at which {needs:nodes}"
        " can be had for its whole estimate",
        "inserted": "job {job} is planned to start at {at:time}, by {deadline:time} at the latest: it goes"
        " before {ahead_of:,} of the {waiting:,} in the plan, and behind all of them its {needs:nodes} would"
        " be free at {earliest:time}",
        "taken_over": "job {job} is planned anew as another scheduler takes over: its {needs:nodes} are free"
        " from {at:time} on, and it starts by {deadline:time} at the latest",
    },
    "place": {
        **torus.DECISIONS["place"],
        "placed": "job {job} is placed in row {row:,} of {rows:,}, on {needs:nodes} from {unit} {base:,} on,"
        " where {load:have} {units} so far; it keeps them until it ends",
        "placed_lowest": "job {job} is placed in row {row:,} of {rows:,}, on the {needs:nodes} that are the"
        " lowest free ones of the row; it keeps them until it ends",
    },
    "move": {
        **operating.DECISIONS["move"],
        "compressed": "the reservation of job {job} moves {gain:span} earlier, from {was:time} to {at:time}:"
        " its {needs:nodes} are free from then on",
        "outlived": "job {job} outlives its prediction: its predicted end moves from {was:time} to {at:time};"
        " its estimate lasts until {limit:time}",
        "pushed_back": "job {job} is moved back by {loss:span}, from {was:time} to {at:time}, for job {by}:"
        " the plan costs less so, and its deadline is {deadline:time}",
    },
    "preempt": {
        **torus.DECISIONS["preempt"],
        **operating.DECISIONS["preempt"],
        "preempted_for": "job {job} is preempted: its {size:go} to job {head}, which needs"
        " {head_needs:nodes}; it has done {done:span}, and {left:span} of its estimate are left",
        "killed_for": "job {job} is killed and waits again: its {size:go} to job {head}, which needs"
        " {head_needs:nodes}; the {done:span} that it has done are lost",
        "row_over": "job {job} is preempted: row {current:,} has the machine, its own is {row:,}; it keeps"
        " its {needs:nodes} from {unit} {base:,} on for its next turn",
        "own_choice": "job {job} is preempted: the policy chose it; its {needs:nodes} are given back",
    },
    "release": {**torus.DECISIONS["release"], **operating.DECISIONS["release"]},
    "refuse": torus.DECISIONS["refuse"],
}
"""The sentence for each decision of a kind for a reason."""
UNKNOWN = f"{NEEDS}, and when job {{head}} before it can start is not known"
SHADOWLESS: Mapping[str, str] = {
    "head_shadow": "job {job} heads the queue and needs {needs:nodes}, {free:are} free: when it can start is"
    " not known",
    "ends_by_shadow": f"job {{job}} is backfilled: {UNKNOWN}",
    "within_extra": f"job {{job}} is backfilled: {UNKNOWN}",
    "predicted_by_shadow": f"job {{job}} is backfilled: {UNKNOWN}",
}
"""The sentence if the shadow time never comes: the head needs more nodes than are in service."""
LAST_INSERTED = (
    "job {job} is planned to start at {at:time}, by {deadline:time} at the latest: the first time at which"
    " {needs:nodes} can be had for its whole estimate"
)
"""The sentence for a job that goes behind all others in the plan."""


def decision(made: Decision, unit: Unit) -> str:
    """Return the reason of a decision, with its numbers."""
    code, numbers = made.reason.code, made.reason.numbers
    if made.kind == "refuse" and "text" in numbers:
        return f"refused: {numbers['text']}"
    if made.job is None:
        about = POLICY.get(made.kind, {}).get(code)
        if about is not None:
            return about(numbers, unit)
        return f"the policy {VERBS.get(made.kind, made.kind)}: {uncoded(code, numbers)}"
    sentence = DECISIONS.get(made.kind, {}).get(code)
    if code == "inserted" and not numbers["ahead_of"]:
        sentence = LAST_INSERTED
    if code in SHADOWLESS and numbers.get("shadow", 0) is None:
        sentence = SHADOWLESS[code]
    if sentence is None:
        return f"job {made.job} {VERBS.get(made.kind, made.kind)}: {uncoded(code, numbers)}"
    return say(sentence, {"job": made.job, **numbers, **_differences(numbers)}, unit)


def _differences(numbers: Numbers) -> Numbers:
    was, at = numbers.get("was"), numbers.get("at")
    return {"gain": was - at, "loss": at - was} if isinstance(was, int) and isinstance(at, int) else {}


# The policy

SWITCHES = "the policy switches from {was:name} to {becomes:name}"
KEEPS = "the policy stays {was:name}"


def _aert(numbers: Numbers, unit: Unit) -> str:
    """The mean estimate against the bounds between the orders."""
    total, waiting = numbers["total"], numbers["waiting"]
    assert isinstance(total, int) and isinstance(waiting, int)
    bound = {
        "sjf": "not above the lower bound {lower:seconds}",
        "fcfs": "above the lower bound {lower:seconds} and not above the upper bound {upper:seconds}",
    }.get(str(numbers["becomes"]), "above the upper bound {upper:seconds}")
    sentence = (
        f"{SWITCHES}: the mean estimate of {{waiting:jobs}} waiting (AERT) is {{mean:seconds}}, {bound}"
    )
    return say(sentence, {**numbers, "mean": total / waiting if waiting else None}, unit)


def _classes(numbers: Numbers, unit: Unit) -> str:
    """The busy nodes, and the class with more waiting jobs."""
    why = {
        "sjf": "of the waiting jobs {interactive:are} interactive and {batch:,} batch",
        "ljf": "of the waiting jobs {batch:are} batch and {interactive:,} interactive",
    }.get(str(numbers["becomes"]), "the machine is not utilized")
    return say(f"{SWITCHES}: {why}; {{busy:,}} of {{nodes:nodes}} are busy", numbers, unit)


def _scores(numbers: Numbers, unit: Unit) -> str:
    metric = numbers["metric"]
    scored = {**numbers, **{key: score(metric, numbers[key]) for key in ("score_was", "score_becomes")}}
    sentence = f"{SWITCHES}: {{metric}} {{score_becomes}} against {{score_was}} in the last {{frame:length}}"
    if numbers["was"] == numbers["becomes"]:
        better = "no candidate did better in the last {frame:length} than its {metric} of {score_was}"
        sentence = f"{KEEPS}: {better}"
    return say(sentence, scored, unit)


def _sizes(numbers: Numbers, unit: Unit) -> str:
    """The mean size of the jobs that came in the frame, against the average."""
    average, recent = numbers["average"], numbers["recent"]
    assert isinstance(average, int | float) and isinstance(recent, int | float)
    than = "more than" if average < recent else "not more than"
    start = KEEPS if numbers["was"] == numbers["becomes"] else SWITCHES
    return say(
        f"{start}: {{arrivals:jobs}} came in the last {{frame:length}} and asked for {{recent:mean}}"
        f" {{units}} in the mean (AP_last), {than} the average {{average:mean}} (AP)",
        numbers,
        unit,
    )


POLICY: Mapping[str, Mapping[str, Callable[[Numbers, Unit], str]]] = {
    "switch": {
        **operating.POLICY,
        "aert": _aert,
        "classes_waiting": _classes,
        "scores": _scores,
        "sizes": _sizes,
        "next_row": partial(
            say,
            "row {becomes:,} of {rows:,} gets the machine after row {was:,}, whose quantum of"
            " {quantum:length} is over",
        ),
        "row_empty": partial(
            say, "row {becomes:,} of {rows:,} gets the machine: the one before has no jobs any more"
        ),
    },
    "keep": {
        "scores": _scores,
        "nobody_completed": partial(
            say,
            f"{KEEPS}: in the last {{frame:length}} a candidate completed no job, so there is no {{metric}}"
            " to compare",
        ),
        "sizes": _sizes,
        "no_arrivals": partial(
            say,
            f"{KEEPS}: no job came in the last {{frame:length}}; the average size (AP) is {{average:mean}}"
            " {units}",
        ),
    },
}
"""The sentence about a switch of the policy, or about keeping it, by the reason."""
