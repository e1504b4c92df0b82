"""Shifts in words: the figures, the rule of the score, the result, the debrief."""

from collections.abc import Iterator, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session import format_action
from shadowtime.console.session.shift import (
    MANUAL,
    MOST,
    ActionOdds,
    Debrief,
    Figures,
    Moment,
    References,
    Score,
    Shift,
    ShiftSession,
)
from shadowtime.console.session.shift.figures import WEIGHT
from shadowtime.console.session.shift.hindsight import POINTS
from shadowtime.console.words import likely
from shadowtime.console.words.phrases import count, per_cent
from shadowtime.console.words.units import Unit

NAME = 19
HEADS = (("SLOWDOWN", 9), ("WORST WAIT", 11), ("WIDE", 7), ("ENDED", 7))
"""The figures, each with its cells: with the name, as many as the narrowest screen has."""
YOU, RESPONSE = "you", "the response"
NO_MOMENT = "Nothing that you did changed the result."
NOT_MEASURED = "Moments are not measured here: a scheduler that took over would build its rows anew."
IDS = 6
"""Job ids that a sentence lists."""


def heading() -> str:
    return _row("", [head for head, _ in HEADS])


def line(name: str, found: Figures) -> str:
    """A row of figures: mean bounded slowdown, worst wait, that of the wide jobs, jobs over."""
    worst = duration(found.worst) if found.slowdown is not None else "-"
    cells = (_mean(found.slowdown), worst, _mean(found.wide), f"{found.over:,}")
    return _row(name, cells)


def _row(name: str, cells: Sequence[str]) -> str:
    figures = "".join(f"{cell:>{width}}" for cell, (_, width) in zip(cells, HEADS, strict=True))
    return f"{name[:NAME]:<{NAME}}{figures}"


def _mean(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def spent(session: ShiftSession, hindsight: int, unit: Unit) -> str:
    """What has been spent, and when the shift ends: `3 of 8 actions   hindsight -4   ends 0 10:00:00`."""
    shift = session.shift
    budget = "" if shift.budget is None else f"{session.spent:,} of "
    done = budget + count(session.spent if shift.budget is None else shift.budget, "action")
    parts = [done, f"hindsight {-hindsight}"]
    if shift.until is not None and not session.ended:
        parts.append(f"ends {unit.instant(shift.until)}")
    return "   ".join(parts)


def standing(session: ShiftSession, compared: References, unit: Unit) -> Iterator[tuple[str, str]]:
    """The figures up to here beside the baseline and the response, and what was spent, each with its role."""
    yield "head", heading()
    yield from _lines(compared, compared.figures_at(session))
    yield "note", spent(session, compared.hindsight(session), unit)


def _lines(compared: References, figures: Sequence[Figures]) -> Iterator[tuple[str, str]]:
    """The rows of the operator, of the baseline and of the response, each with its role."""
    names, roles = (YOU, compared.baseline.name, RESPONSE), ("strong", "text", "text")
    yield from zip(roles, map(line, names, figures), strict=True)


def rule(shift: Shift, unit: Unit, short: bool = False) -> str:
    """How points are given; `short`: in as few words as a line takes."""
    low = "starting jobs in order of arrival" if shift.kind == MANUAL else "doing nothing"
    half = round(50 * shift.fairness)
    mean = 100 - 2 * half
    if short:
        fair = f", worst wait {half} %, wide ({shift.wide:,} or more) {half} %" if half else ""
        slowdown = f"slowdown (urgent {WEIGHT} times) {mean} %"
        return f"points: 0 {low}, {MOST} the response; {slowdown}{fair}; less hindsight"
    wide = f"the slowdown of wide jobs ({unit.sized(shift.wide)} or more)"
    fair = f", {half} % the worst wait, {half} % {wide}" if half else ""
    return (
        f"Your points are the share that you recover of the gap between {low} (0) and the response ({MOST})."
        f" {mean} % of it is the mean bounded slowdown of all jobs (an urgent job counts {WEIGHT} times)"
        f"{fair}. Hindsight costs: to go back and do otherwise what you have seen costs {POINTS} points for"
        " the whole shift, and for a part of it its part. A job that never ends by itself is lost; if you"
        f" lose more jobs than by {low}, there are no points."
    )


def allowed(shift: Shift) -> str:
    budget = "" if shift.budget is None else f", {count(shift.budget, 'action')} at most"
    return f"You may: {', '.join(shift.allow)}{budget}."


def result(score: Score) -> str:
    text = f"{count(score.points, 'point')} of {MOST}: {per_cent(score.share, 0)} of the gap recovered"
    if score.hindsight:
        text += f", {count(score.hindsight, 'point')} less for hindsight"
    if score.lost:
        text = f"0 points of {MOST}: {count(score.lost, 'job')} lost that would have ended"
    return text


def result_role(score: Score) -> str:
    return "good" if score.points else "strong"


def stuck(session: ShiftSession) -> str:
    """What is left when nothing is left to happen."""
    jobs = session.left_over
    are = "is" if len(jobs) == 1 else "are"
    return (
        f"nothing is left to happen, and {count(len(jobs), 'job')} {are} not over: {listed(jobs)};"
        f" they are lost if you end the shift"
    )


def last_call(session: ShiftSession, unit: Unit) -> str:
    """The warning before the end of a shift while jobs wait."""
    until = session.shift.until
    assert until is not None
    waiting = [session.id_of(row) for row in session.snapshot().waiting]
    return (
        f"the next event is the end of the shift, {unit.instant(until)}, and"
        f" {count(len(waiting), 'job')} {'waits' if len(waiting) == 1 else 'wait'}: {listed(waiting)};"
        " the same key once more goes there"
    )


def listed(jobs: Sequence[int]) -> str:
    """Ids, the first of many."""
    return ", ".join(map(str, jobs[:IDS])) + (" ..." if len(jobs) > IDS else "")


def debrief(found: Debrief, compared: References, shift: Shift, unit: Unit) -> Iterator[tuple[str, str]]:
    """The paragraphs of a debrief, each with its role: head, text, note or good."""
    yield "head", "THE RESULT"
    yield result_role(found.score), result(found.score)
    yield "dim", heading()
    yield from _lines(compared, (found.score.figures, compared.baseline.figures, compared.best.figures))
    yield "head", "WHAT DECIDED IT"
    if not found.moments:
        yield "text", NO_MOMENT if found.moments is not None else NOT_MEASURED
    for moment in found.moments or ():
        yield "text", moment_of(moment, shift, unit)
    if found.odds:
        yield "head", "THE ODDS BEFORE YOUR ACTIONS, AND WHAT CAME"
    for each in found.odds:
        yield "text", action_odds(each, unit)
    yield "head", f"THE RESPONSE: {found.response}"
    for action, time in zip(found.actions, compared.best.times, strict=True):
        yield "text", f"{unit.instant(time)}  {format_action(action)}"
    for it in found.delayed:
        when = "later" if it.delay > 0 else "earlier"
        yield (
            "text",
            f"job {it.job}, {unit.sized(it.size)}: {duration(abs(it.delay))} {when} than in the response",
        )
    if found.injected:
        yield "head", "WHAT THE INSTRUCTOR INJECTED"
    for at, text in found.injected:
        yield "text", f"{unit.instant(at)}  {text}"
    if found.notes:
        yield "head", "THE INSTRUCTOR"
        for part in found.notes.split("\n\n"):
            yield "note", " ".join(part.split())


def action_odds(each: ActionOdds, unit: Unit) -> str:
    """The odds of a job before an action, and the start that came with it."""
    came = "it never started" if each.came is None else f"it started at {unit.instant(each.came)}"
    odds = likely.odds(each.likely, each.time, unit.clock)
    done = f"{unit.instant(each.time)}  {format_action(each.action)}"
    return f"{done}: without it job {each.job} was {odds}; {came}"


def moment_of(moment: Moment, shift: Shift, unit: Unit) -> str:
    """One key moment, and what it cost or saved."""
    points = count(abs(moment.points), "point")
    if abs(moment.points) > MOST:
        points += ", counted below 0, too"
    worth = f"{'cost' if moment.points > 0 else 'saved'} {points}" if moment.points else "cost nothing"
    done = ", ".join(map(format_action, moment.done))
    if shift.kind != MANUAL:
        return f"{unit.instant(moment.time)}  {done}: {worth}"
    text = f"{unit.instant(moment.since)} to {unit.instant(moment.time)}: {worth}"
    if moment.response:
        jobs = "job" if len(moment.response) == 1 else "jobs"
        text += f"; the response starts {jobs} {listed(moment.response)} first"
    return f"{text}; you: {done}" if done else f"{text}; you start no job"
