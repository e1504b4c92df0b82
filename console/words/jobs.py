"""A job's state, its predicted start, the moves of that prediction; and the jobs that a reader left out."""

from collections.abc import Mapping, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session import Value
from shadowtime.console.session.facts import Prediction, Row, Snapshot
from shadowtime.console.words.phrases import ahead, count, instant, state
from shadowtime.console.words.units import Unit

PROMISES: Mapping[str, str] = {"guaranteed": "guar", "planned": "plan", "expected": "exp", "settled": "set"}
"""The certainty of a predicted start, in a word for the queue."""


def prediction(
    job: int,
    made: Prediction,
    now: int,
    unit: Unit,
    terms: Mapping[str, Value] | None = None,
    verb: str = "start",
) -> str:
    """Return when a job starts (or resumes: the `verb`), and how certain that is."""
    when = f"{unit.instant(made.time)} ({ahead(made.time - now)})"
    if made.promise == "guaranteed":
        return f"job {job} is guaranteed to {verb} at {when} or earlier"
    if made.promise == "planned":
        bound = ", but never past its deadline" if "deadline" in (terms or {}) else ""
        return f"job {job} is planned to {verb} at {when}; that may change{bound}"
    if made.promise == "settled":
        return f"job {job} holds its {unit.several} and runs from {when}"
    return f"at the limits job {job} {verb}s at {when}: every job runs to its estimate and nothing else comes"


def progress(terms: Mapping[str, Value]) -> str:
    """Return the progress and the rest of an interrupted job; empty if the policy does not give them."""
    done, left = terms.get("done"), terms.get("left")
    if not isinstance(done, int) or not isinstance(left, int):
        return ""
    return f"{duration(done)} done, {duration(left)} of its estimate left"


def standing(row: Row, unit: Unit) -> str:
    """Return the state of a job in a sentence: waiting since, running since and until, or finished."""
    if row.state == "":
        return f"job {row.called} is not submitted before {unit.instant(row.submit)}"
    claims = row.state == "W" and "wire" in row.terms
    if row.state == "W" and not claims:
        since = instant(row.since, unit.clock)
        return f"job {row.called} has held its {unit.several} without running since {since}"
    if (row.waits or claims) and row.start is not None:
        return _interrupted(row, unit)
    if row.start is None and row.state == "F":
        return f"job {row.called} was cancelled by the operator, and never started"
    if row.start is None:
        standing = state(row.state, unit)
        since = unit.instant(row.submit)
        return f"job {row.called} is {standing} since {since}, for {duration(row.wait)} so far"
    waited = f"after a wait of {duration(row.start - row.submit)}" if row.start > row.submit else "at once"
    text = f"job {row.called} started at {unit.instant(row.start)}, {waited}"
    if row.preemptions:
        text += f", was preempted {times(row.preemptions)}"
        if row.state == "R" and row.since is not None:
            text += f" and runs since {unit.instant(row.since)}"
    if row.outcome == "cancelled":
        return f"{text}, and was cancelled by the operator"
    if row.outcome == "struck" and row.end is not None:
        return f"{text}, and was killed at {unit.instant(row.end)}, when one of its {unit.several} failed"
    if row.state == "F":
        return text + (f", and ended at {unit.instant(row.end)}" if row.end is not None else ", and is over")
    if row.predicted_end is not None:
        return f"{text}; it is expected to end at {unit.instant(row.predicted_end.time)}"
    if row.end is not None:
        text += f"; by its estimate it ends at {unit.instant(row.end)}"
    return text


def _interrupted(row: Row, unit: Unit) -> str:
    """Return the state of a job that ran before and waits again."""
    assert row.start is not None
    text = (
        f"job {row.called} is {state(row.state, unit)} since {instant(row.since, unit.clock)}, and has waited"
        f" {duration(row.wait)} in all; it first started at {unit.instant(row.start)}"
    )
    if row.preemptions:
        text += f" and was preempted {times(row.preemptions)}"
    made = progress(row.terms)
    return f"{text}; {made}" if made else text


def times(number: int) -> str:
    """`once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(number) or count(number, "time")


DROPPED: Mapping[str, str] = {
    "runtime": "without a runtime",
    "size": "without a size",
    "larger_than_machine": "larger than the machine",
    "estimate": "without an estimate",
    "cancelled": "cancelled in the log",
    "partial": "partial executions of jobs",
    "predecessor": "after one that never ends",
}
"""Why a job of a log cannot be simulated."""


def reading(dropped: Mapping[str, int], lines: Mapping[str, int], notes: Sequence[str]) -> list[str]:
    """Return what a reader left out or changed: a line for the dropped rows, then its notes.

    `lines` has the first line of each reason, if it is known.
    """
    reasons = ", ".join(
        f"{DROPPED.get(reason, reason)}{f' {number:,}' * (len(dropped) > 1)}{from_line(lines.get(reason))}"
        for reason, number in dropped.items()
    )
    total = sum(dropped.values())
    gone = [f"{count(total, 'row')} of the log {'is' if total == 1 else 'are'} left out: {reasons}"]
    return [*(gone if total else []), *notes]


def from_line(line: int | None) -> str:
    """Return where the first of some rows is, to stand behind how many they are; empty if that is unknown."""
    return "" if line is None else f" (from line {line:,})"


def tallied(shot: Snapshot, unit: Unit, waits: str, runs: str, holds: str) -> list[str]:
    """Return how many jobs stand how: `3 waiting (1 held)`, `2 running`, `2 holding nodes`, `1 suspended`.

    A job that is held waits, and so does one that has nodes before its first run: the length of the queue
    counts both. The jobs that hold nodes are those that are being moved or wait for another turn.
    """
    letters = list(shot.holding.values())
    held, suspended = letters.count("H"), letters.count("S")
    waiting = shot.metrics.queue_length
    beside = len(shot.waiting) + len(letters) - suspended - waiting
    parts = [f"{waiting:,} {waits}{f' ({held:,} held)' if held else ''}", f"{len(shot.running):,} {runs}"]
    counts = ((beside, f"{holds} {unit.several}"), (suspended, "suspended"))
    return [*parts, *(f"{number:,} {what}" for number, what in counts if number > 0)]
