"""Events: an event in a line, and its decisions in a few words."""

from collections.abc import Collection, Mapping, Sequence

from shadowtime.console.session.facts import Decision, Event
from shadowtime.console.session.travel.decisions import DecisionGroup, groups, jobless
from shadowtime.console.words import operating
from shadowtime.console.words.phrases import say
from shadowtime.console.words.units import Unit

EVENTS: Mapping[str, str] = {
    "finish": "job {job} finishes",
    "kill": "job {job} is killed at its estimate",
    "swapped_out": "job {job} is swapped out",
    "swapped_in": "job {job} is swapped in",
    "loaded": "job {job} runs from here",
    "node_down": "nodes go down",
    "node_up": "nodes come up",
    "switch_slot": "the time slot is over",
    "switch_policy": "the policy is reviewed",
    "boundary": "a period ends, the next begins",
    "reservation_due": "the reservation of job {job} is due",
    "waited": "job {job} has waited longer than its class allows",
    "undisturbed": "the do-not-disturb time of job {job} is over",
    "action": "the operator acts",
    "submit": "job {job} is submitted",
    "pass": "scheduling pass",
}
NOBODYS: Mapping[str, str] = {
    "reservation_due": "a planned or predicted time comes",
    "waited": "a job has waited longer than its class allows",
    "undisturbed": "a do-not-disturb time is over",
}
"""The same without a single job."""

LISTED = 6
"""Jobs that a tally names; it counts the rest."""
TALLIES: Mapping[str, str] = {
    "start": "starts {}",
    "backfill": "backfills {}",
    "reserve": "reserves {}",
    "move": "moves {} earlier",
    "pushed_back": "moves {} later",
    "outlived": "predicts {} to end later",
    "preempt": "preempts {}",
    "resume": "resumes {}",
    "place": "places {}",
    "release": "releases {}",
    "refuse": "refuses {}",
}
"""The decisions of a pass about some jobs, in a word or two."""
CHANGES: Mapping[str, str] = {
    "switch": "switches from {was:name} to {becomes:name}",
    "keep": "keeps {was:name}",
}
ROWS: Mapping[str, str] = dict.fromkeys(("next_row", "row_empty"), "row {becomes:,} gets the machine")
"""The decisions about the rows of a matrix, by the reason."""


def happened(kind: str, job: int | None) -> str:
    text = EVENTS.get(kind, kind.replace("_", " "))
    if job is None and "{job}" in text:
        return NOBODYS.get(kind, text.replace("job {job}", "a job"))
    return text.format(job=job)


def skipped(kinds: Collection[str]) -> str:
    if not kinds:
        return "steps stop at every event"
    return f"steps pass over {', '.join(sorted(kinds))}, and over passes that belong to nothing else"


def tally(decisions: Sequence[Decision], unit: Unit) -> str:
    """Return an event's decisions in few words: `starts jobs 1, 2; backfills job 4`, or `nothing starts`."""
    parts = [_change(made, unit) for made in jobless(decisions)]
    words = {**TALLIES, **operating.TALLIES}
    by_word: dict[str, list[DecisionGroup]] = {}
    for group in groups(decisions, LISTED):
        by_word.setdefault(group.code if group.code in words else group.kind, []).append(group)
    for kind, found in by_word.items():
        places = sorted(place for group in found for place in group.places)[:LISTED]
        jobs = [str(decisions[place].job) for place in places]
        parts.append(words.get(kind, kind + " {}").format(_listed(jobs, sum(each.count for each in found))))
    return "; ".join(parts) or "nothing starts"


def _change(made: Decision, unit: Unit) -> str:
    """Return a decision about the policy; its reason may name two policies."""
    numbers = made.reason.numbers
    if made.reason.code in ROWS:
        return say(ROWS[made.reason.code], numbers, unit)
    if made.reason.code in operating.POLICY:
        return operating.POLICY[made.reason.code](numbers, unit)
    named = made.kind in CHANGES and "was" in numbers and "becomes" in numbers
    return say(CHANGES[made.kind], numbers, unit) if named else made.kind


def _listed(jobs: Sequence[str], count: int) -> str:
    shown = f"job{'s' * (count != 1)} {', '.join(jobs)}"
    return shown if len(jobs) == count else f"{shown} and {count - len(jobs):,} more"


def occurred(it: Event) -> str:
    """Return the sentence of an event without its decisions; for an action, what the operator did."""
    if it.action is not None:
        return operating.did(it.action)
    text = happened(it.kind, it.job)
    return operating.nodes_happen(it.kind, it.nodes) if it.nodes else text


def event(it: Event, unit: Unit) -> str:
    """Return an event in one line, for a pass with its decisions."""
    text = occurred(it)
    if it.action is not None:
        return text + _consequences(it.decisions, unit)
    if it.kind == "pass" or it.decisions:
        text += f": {tally(it.decisions, unit)}"
    return text


def _consequences(decisions: Sequence[Decision], unit: Unit) -> str:
    """Return the effects that an action does not name itself: it was refused, or jobs were struck."""
    if any(made.kind == "refuse" for made in decisions):
        return ": refused"
    struck = tuple(made for made in decisions if made.reason.code in operating.STRUCK)
    return f": {tally(struck, unit)}" if struck else ""
