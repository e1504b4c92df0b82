"""Words: what the console says in one English sentence about a reason, a decision, an event or a state.

The kernels explain themselves in codes and numbers; this is the only place that turns them into language.
Times are seconds of the scenario's clock, durations seconds, sizes nodes.
"""

from collections.abc import Mapping, Sequence

from console.clock import clock as clock
from console.clock import duration as duration
from console.session.facts import Decision, Event, Prediction, Reason, Row

STATES: Mapping[str, str] = {
    "": "not yet submitted",
    "N": "waiting",
    "W": "waiting with nodes assigned",
    "i": "swapping in",
    "R": "running",
    "S": "suspended",
    "o": "swapping out",
    "O": "swapped out",
    "H": "held",
    "F": "finished",
}


def slip(seconds: int | None) -> str:
    """How far a predicted start moved since submission: `+12m` is later, `-5m` earlier, `0` not at all."""
    if seconds is None:
        return ""
    return "0" if seconds == 0 else f"{'+' if seconds > 0 else '-'}{duration(abs(seconds))}"


def count(number: int, thing: str) -> str:
    """`1 node`, `14 nodes`, `9,310 events`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def state(letter: str) -> str:
    """The word for a job's state letter."""
    return STATES.get(letter, letter)


class _Number(int):
    """A number of a reason; a sentence asks for `{end:time}`, `{needs:nodes}`, `{gain:span}` or plainly."""

    def __format__(self, kind: str) -> str:
        if kind == "time":
            return clock(self)
        if kind == "nodes":
            return count(int(self), "node")
        return duration(self) if kind == "span" else format(int(self), kind)


def _say(sentence: str, job: int, numbers: Mapping[str, int]) -> str:
    known = {"job": job, **numbers}
    if "was" in known and "at" in known:
        known["gain"] = known["was"] - known["at"]
    return sentence.format_map({key: _Number(value) for key, value in known.items()})


WAITING: Mapping[str, str] = {
    "head_blocked": "job {job} waits: it heads the queue and needs {needs:nodes} of the {free:,} free;"
    " enough are free at {shadow:time}, when job {blocker} ends at the latest",
    "behind_head": "job {job} waits behind job {head}: nobody may pass the head, which needs"
    " {head_needs:nodes} of the {free:,} free and can start at {shadow:time}",
    "no_room": "job {job} is not backfilled: it needs {needs:nodes} of the {free:,} free, and job {head}"
    " is before it until {shadow:time}",
    "would_delay_head": "job {job} is not backfilled: it would end at {end:time}, after the shadow time"
    " {shadow:time} of job {head}, and needs {needs:nodes} of the {extra:,} extra",
    "reserved": "job {job} waits for its reservation at {reserved:time}: it needs {needs:nodes} for its whole"
    " estimate, and only {short_free:,} are free at {short_at:time}",
    "planned": "job {job} waits: the plan of the whole queue starts it at {planned:time}; it needs"
    " {needs:nodes} for its whole estimate, and only {short_free:,} are free at {short_at:time}",
    "missed_turn": "job {job} waits for its reservation at {reserved:time}: it needs {needs:nodes}"
    " of the {free:,} free, but the room came after its turn to move; the next completion moves it",
    "pass_pending": "job {job} waits for the scheduling pass of this instant: it needs {needs:nodes}"
    " of the {free:,} free",
}
"""The sentence for each reason to wait."""

BRIEF: Mapping[str, str] = {
    "head_blocked": "head, {free:,} of {needs:,} free",
    "behind_head": "behind {head}",
    "no_room": "{free:,} of {needs:,} free",
    "would_delay_head": "would delay {head}",
    "reserved": "only {short_free:,} at {short_at:time}",
    "planned": "only {short_free:,} at {short_at:time}",
    "missed_turn": "moves at the next end",
    "pass_pending": "the pass is next",
}
"""The same in a few words, for the queue's last column: `64 of 128 free` counts the nodes that it needs."""

DECISIONS: Mapping[str, Mapping[str, str]] = {
    "start": {
        "head_fits": "job {job} starts: it heads the queue and needs {needs:nodes} of the {free:,} free",
        "reservation_due": "job {job} starts: its reservation at {reserved:time} is due,"
        " and it needs {needs:nodes} of the {free:,} free",
        "planned_now": "job {job} starts: a fresh plan of the whole queue places it now,"
        " and it needs {needs:nodes} of the {free:,} free",
        "operator": "job {job} starts: the operator started it; it needs {needs:nodes} of the {free:,} free",
    },
    "backfill": {
        "ends_by_shadow": "job {job} is backfilled: it needs {needs:nodes} of the {free:,} free and ends at"
        " {end:time} at the latest, not after the shadow time {shadow:time} of job {head}",
        "within_extra": "job {job} is backfilled: it may end at {end:time}, after the shadow time"
        " {shadow:time} of job {head}, but needs {needs:nodes} of the {extra:,} extra",
        "reservation_due": "job {job} is backfilled: its reservation at {reserved:time} is due before those"
        " of earlier jobs, and it needs {needs:nodes} of the {free:,} free",
        "planned_now": "job {job} is backfilled: a fresh plan of the whole queue places it now, before"
        " earlier jobs, and it needs {needs:nodes} of the {free:,} free",
    },
    "reserve": {
        "head_shadow": "job {job} heads the queue and needs {needs:nodes} of the {free:,} free: it is to"
        " start at its shadow time {shadow:time}, which leaves {extra:nodes} extra",
        "anchor": "job {job} gets a reservation at {at:time}: the first time at which {needs:nodes}"
        " stay free for its whole estimate",
    },
    "move": {
        "compressed": "the reservation of job {job} moves {gain:span} earlier, from {was:time} to {at:time}:"
        " its {needs:nodes} are free from then on",
    },
}
"""The sentence for each decision of a kind for a reason."""

VERBS: Mapping[str, str] = {
    "start": "starts",
    "backfill": "is backfilled",
    "reserve": "is reserved a start",
    "move": "gets an earlier start",
    "preempt": "is preempted",
    "resume": "resumes",
    "place": "is placed",
    "release": "is released",
    "refuse": "is refused",
}


def waits(job: int, reason: Reason) -> str:
    """Why a waiting job waits, with the numbers that settle it."""
    sentence = WAITING.get(reason.code)
    return _say(sentence, job, reason.numbers) if sentence else f"job {job} waits: {_unworded(reason)}"


def brief(reason: Reason | None, now: int) -> str:
    """Why a job waits in a few words; empty where there is no reason."""
    if reason is None:
        return ""
    short_now = reason.numbers.get("short_at", now + 1) <= now
    sentence = "{short_free:,} of {needs:,} free" if short_now else BRIEF.get(reason.code)
    return _say(sentence, 0, reason.numbers) if sentence else reason.code.replace("_", " ")


def decision(made: Decision) -> str:
    """Why something was decided, with the numbers that settled it."""
    sentence = DECISIONS.get(made.kind, {}).get(made.reason.code)
    if sentence is not None:
        return _say(sentence, made.job, made.reason.numbers)
    return f"job {made.job} {VERBS.get(made.kind, made.kind)}: {_unworded(made.reason)}"


def _unworded(reason: Reason) -> str:
    """A reason that this console has no sentence for, of a policy from outside: its code and numbers."""
    numbers = ", ".join(f"{key.replace('_', ' ')} {value:,}" for key, value in reason.numbers.items())
    return reason.code.replace("_", " ") + (f" ({numbers})" if numbers else "")


# What happened

EVENTS: Mapping[str, str] = {
    "finish": "job {job} finishes",
    "kill": "job {job} is killed at its estimate",
    "swapped_out": "job {job} is swapped out",
    "swapped_in": "job {job} is swapped in",
    "loaded": "job {job} is loaded",
    "node_down": "nodes go down",
    "node_up": "nodes come up",
    "switch_slot": "the next time slot gets the machine",
    "switch_policy": "the policy may switch",
    "boundary": "a period ends",
    "reservation_due": "the reservation of job {job} is due",
    "waited": "job {job} has waited longer than its class allows",
    "undisturbed": "the do-not-disturb time of job {job} is over",
    "action": "the operator acts",
    "submit": "job {job} is submitted",
    "pass": "scheduling pass",
}


LISTED = 6
"""Jobs that a tally names before it counts the rest."""
TALLIES: Mapping[str, str] = {
    "start": "starts {}",
    "backfill": "backfills {}",
    "reserve": "reserves {}",
    "move": "moves {} earlier",
    "preempt": "preempts {}",
    "resume": "resumes {}",
    "place": "places {}",
    "release": "releases {}",
    "refuse": "refuses {}",
}
"""What a pass decided about some jobs, in a word or two."""


def happened(kind: str, job: int | None) -> str:
    """One event without what it decided."""
    text = EVENTS.get(kind, kind.replace("_", " "))
    if "{job}" in text:
        return text.format(job=job) if job is not None else text.replace("job {job}", "a job")
    return text


def tally(decisions: tuple[Decision, ...]) -> str:
    """What a pass decided, in a few words: `starts 1, 2; backfills 4`; `nothing starts` for none."""
    jobs: dict[str, list[int]] = {}
    for made in decisions:
        jobs.setdefault(made.kind, []).append(made.job)
    parts = [TALLIES.get(kind, kind + " {}").format(_listed(ids)) for kind, ids in jobs.items()]
    return "; ".join(parts) or "nothing starts"


def _listed(ids: list[int]) -> str:
    shown = ", ".join(str(job) for job in ids[:LISTED])
    return shown if len(ids) <= LISTED else f"{shown} and {len(ids) - LISTED:,} more"


def event(it: Event) -> str:
    """One event in one line: what happened and, for a pass, what was decided."""
    text = happened(it.kind, it.job)
    if it.kind == "pass" or it.decisions:
        text += f": {tally(it.decisions)}"
    return text


def reading(dropped: Mapping[str, int], notes: Sequence[str]) -> list[str]:
    """What reading the workload left out or changed: a line for the jobs dropped, then its notes."""
    reasons = ", ".join(f"{DROPPED.get(reason, reason)} {number:,}" for reason, number in dropped.items())
    total = sum(dropped.values())
    left_out = [f"{count(total, 'job')} of the log {'is' if total == 1 else 'are'} left out: {reasons}"]
    return [*(left_out if total else []), *notes]


DROPPED: Mapping[str, str] = {
    "runtime": "without a runtime",
    "size": "without a size",
    "larger_than_machine": "larger than the machine",
    "estimate": "without an estimate",
}
"""Why a job of a log cannot be simulated."""


# One job


def prediction(job: int, made: Prediction, now: int) -> str:
    """When a waiting job starts and how sure that is."""
    ahead = made.time - now
    when = f"{clock(made.time)} ({f'in {duration(ahead)}' if ahead > 0 else 'now'})"
    if made.promise == "guaranteed":
        return f"job {job} is guaranteed to start at {when} or earlier"
    return (
        f"job {job} is expected to start at {when} if every job runs to its estimate and nothing else comes"
    )


def history_line(made: Prediction, before: Prediction | None) -> str:
    """One step of a job's prediction: what it became at which event, and how far it moved."""
    text = f"event {made.event:,}: {clock(made.time)} {made.promise}"
    return text if before is None else f"{text}, {moved(made.time - before.time)}"


def moved(seconds: int) -> str:
    """How far a predicted start moved: `12m later`, `5m earlier`, `unchanged`."""
    if seconds == 0:
        return "unchanged"
    return f"{duration(abs(seconds))} {'later' if seconds > 0 else 'earlier'}"


def standing(row: Row) -> str:
    """Where a job stands, one sentence: waiting since, running since and until, or finished."""
    if row.state == "":
        return f"job {row.id} is not submitted before {clock(row.submit)}"
    if row.start is None:
        return (
            f"job {row.id} is {state(row.state)} since {clock(row.submit)}, for {duration(row.wait)} so far"
        )
    waited = f"after a wait of {duration(row.start - row.submit)}" if row.start > row.submit else "at once"
    text = f"job {row.id} started at {clock(row.start)}, {waited}"
    if row.state == "F":
        return text + (f", and ended at {clock(row.end)}" if row.end is not None else ", and is over")
    if row.end is not None:
        text += f"; by its estimate it ends at {clock(row.end)}"
    return text
