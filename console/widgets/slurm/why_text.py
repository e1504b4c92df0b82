"""Everything about one row of a plan: what it asks for, when and where it starts, what its priority is."""

from collections.abc import Iterator, Mapping
from functools import partial

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm import Factor
from shadowtime.console.session.slurm.board.chain import chain, likely_chain
from shadowtime.console.session.slurm.board.changes import Changes
from shadowtime.console.session.slurm.board.factors import Standpoint, standpoint
from shadowtime.console.session.slurm.board.facts import COVERED, Board, PlanRow
from shadowtime.console.session.slurm.board.fitting import fitting, idle_nodes
from shadowtime.console.session.slurm.likely.odds import JobOdds
from shadowtime.console.session.slurm.stepping.coming import Coming
from shadowtime.console.widgets.events.text import chain_lines
from shadowtime.console.widgets.frame.ink import Line, cell, fact, printable, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.plan_text import OUTCOMES
from shadowtime.console.words import NODES, Unit, count
from shadowtime.console.words import chain as words
from shadowtime.console.words.cluster import events, why
from shadowtime.console.words.cluster.caveats import caveat

INDENT = 10
NO_STARTS: Mapping[str, JobOdds] = {}
MOST_IDLE = 4
"""Groups of idle nodes that are listed one by one."""
MOST_STEPS = 12
"""Instants of a chain that have lines of their own."""
NAMES = {
    Factor.SITE: "site",
    Factor.AGE: "age",
    Factor.ASSOCIATION: "association",
    Factor.FAIR_SHARE: "fair share",
    Factor.SIZE: "job size",
    Factor.PARTITION: "partition",
    Factor.QUALITY: "QOS",
    Factor.NICE: "nice",
    Factor.TRES: "TRES",
}
UNKNOWN = "the capture does not have its factors (sprio -l)"
HEADINGS = ("FACTOR", "POINTS", "WEIGHT", "RAW")
WIDTHS = (12, 12, 12, 8)


def why_lines(
    board: Board,
    changes: Changes,
    row: PlanRow | None,
    dates: Dates,
    width: int,
    next_tries: Coming | None = None,
    expected: str = "",
    odds: str = "",
    starts: Mapping[str, JobOdds] = NO_STARTS,
) -> list[Line]:
    """Return the lines about a row; about nothing without one.

    `next_tries`: when the queue is tried next. `expected`: its expected start over time. `odds`: its likely
    start; `starts`: those of the jobs before it.
    """
    if row is None:
        return []
    runs = board.begun and row.outcome == "started"
    tried = next_tries is not None and row.order is not None and not runs
    return [
        *wrap(_title(row), width, "strong"),
        *_plan(board, changes, row, dates, width, expected, starts),
        *(fact("likely", odds.removeprefix("likely "), width, INDENT) if odds else ()),
        *(next_lines(next_tries, board, dates, width) if next_tries is not None and tried else ()),
        *_left_out(board, row, width),
        *_asks(board, row, dates, width),
    ]


def summary_line(board: Board, row: PlanRow, dates: Dates) -> str:
    """Return why a row starts when it does, in one line."""
    return why.summary(board, row, chain(board, row), _instant(board, dates), _unit(board, dates))


def _title(row: PlanRow) -> str:
    name = f" {row.name}" if row.name else ""
    place = f", place {row.order} in the queue" if row.order is not None else ""
    return f"job {row.job}{name} of {row.user}{place}"


def _plan(
    board: Board,
    changes: Changes,
    row: PlanRow,
    dates: Dates,
    width: int,
    expected: str,
    starts: Mapping[str, JobOdds],
) -> Iterator[Line]:
    instant = _instant(board, dates)
    if row.outcome == COVERED:
        yield from fact("plan", why.COVERED, width, INDENT)
        yield from fact("Slurm", why.reason(row), width, INDENT)
        return
    if row.start is None:
        text = why.note(board, row, instant)
        yield from fact("outcome", f"{row.outcome}: {text}" if text else row.outcome, width, INDENT)
        if expected:
            yield from fact("expected", expected, width, INDENT)
        yield from _marks(row, width)
        yield from _fits(board, row, width)
    else:
        ahead = duration(max(0, row.start - board.now))
        now = "by this cycle" if board.begun else "now"
        when = (
            now
            if row.outcome == "started"
            else f"{dates.whole(row.start)}, {ahead} after {dates.clock(board.now)}"
        )
        yield from fact("starts", when, width, INDENT)
        if expected:
            yield from fact("expected", expected, width, INDENT)
        yield from _marks(row, width)
        yield from fact("on", row.nodes or "-", width, INDENT)
        if row.outcome == "started" and (passed := events.passed(board, row, instant)):
            yield from fact("since", f"its nodes are free; {passed}", width, INDENT)
        yield from _chain(board, row, dates, width, starts)
        if row.end is not None:
            yield from fact("ends by", dates.whole(row.end), width, INDENT)
        yield from _idle(board, row, dates, width)
        yield from _fits(board, row, width)
    yield from _elsewhere(board, row, dates, width)
    if row.outcome == "beyond window":
        yield from fact("note", why.beyond_window(board, instant), width, INDENT)
    shift = changes.shifts.get(row.key)
    if shift:
        moved = f"{duration(abs(shift))} {'later' if shift > 0 else 'earlier'} than before"
        yield from fact("moved", moved, width, INDENT)
    yield from fact("Slurm", why.slurm(board, row, dates.whole), width, INDENT)


def _elsewhere(board: Board, row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    """The first entry of the job in each of its other partitions: it starts where it can first."""
    job = board.jobs.get(row.job)
    if job is None or len(job.partitions) < 2 or row.order is None:
        return
    seen = {row.partition}
    for other in board.rows:
        if other.job != row.job or other.partition in seen or other.order is None:
            continue
        head = "also in" if len(seen) == 1 else ""
        seen.add(other.partition)
        found = OUTCOMES[other.outcome] if other.start is None else dates.brief(other.start, board.now)
        nodes = f" on {other.nodes}" if other.start is not None else ""
        text = f"{printable(other.partition)}, place {other.order}: {found}{nodes}"
        yield from fact(head, text, width, INDENT)


def next_lines(found: Coming, board: Board, dates: Dates, width: int) -> Iterator[Line]:
    """When the queue is tried next, and what that waits for."""
    instant = _instant(board, dates)
    if found.change is not None:
        yield from fact("next", why.next_change(found, instant), width, INDENT)
    if found.whole_pass is not None:
        yield from fact("pass", why.whole_pass(found.whole_pass, board, instant), width, INDENT)
    yield from fact("cycle", why.next_cycle(found, board, instant), width, INDENT)


def next_line(found: Coming, board: Board, dates: Dates, room: int) -> str:
    """What happens next by the clock, the next whole pass and the next cycle, in one line, in their order."""
    return why.next_in_line(found, board, _instant(board, dates), room)


def _chain(
    board: Board, row: PlanRow, dates: Dates, width: int, starts: Mapping[str, JobOdds]
) -> Iterator[Line]:
    """What happens on its nodes up to its start, instant by instant."""
    found, unit = chain(board, row), _unit(board, dates)
    if found is not None:
        sentence = "; ".join(filter(None, (words.opening(found, unit), words.clause(found, None, unit))))
        yield from fact("waits", sentence, width, INDENT)
        likely = {job: odds.likely for job, odds in starts.items()}
        yield from chain_lines(likely_chain(found, likely), width, unit, MOST_STEPS)


def _unit(board: Board, dates: Dates) -> Unit:
    """Nodes, by the clock of the console, without the date of today."""
    return attrs.evolve(NODES, clock=attrs.evolve(dates.calendar(board.now), yearless=True, today=board.now))


def _idle(board: Board, row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    """Why it does not start now on the nodes that nobody uses."""
    found = idle_nodes(board, row)
    for place, idle in enumerate(found[:MOST_IDLE]):
        text = why.idle(idle, row, board.now, _instant(board, dates))
        yield from fact("idle now" if place == 0 else "", text, width, INDENT)
    if len(found) > MOST_IDLE:
        more = sum(len(idle.nodes) for idle in found[MOST_IDLE:])
        yield from fact("", f"and {count(more, 'node')} more", width, INDENT)


def _fits(board: Board, row: PlanRow, width: int) -> Iterator[Line]:
    """On how many nodes of its partition the job can run at all, and what keeps it off the others, if any."""
    found = fitting(board, row)
    if found is None or not (found.short or found.barred):
        return
    yield from fact("fits on", why.fits(found, row), width, INDENT)


def _marks(row: PlanRow, width: int) -> Iterator[Line]:
    for mark in row.caveats:
        yield from fact(*why.mark(mark), width, INDENT)


def _left_out(board: Board, row: PlanRow, width: int) -> Iterator[Line]:
    for left_out in board.shared_caveats:
        yield from fact("without", caveat(left_out), width, INDENT)


def _asks(board: Board, row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    limit = "no limit" if row.limit is None else f"limit {duration(row.limit)}"
    asks = [f"{count(row.least, 'node')} at least", count(row.cpus, "CPU"), row.devices, limit]
    yield from fact("asks for", ", ".join(filter(None, asks)), width, INDENT)
    groups = (("account", row.account), ("QOS", row.qos), ("reservation", row.reservation))
    of = ", ".join(f"{name} {value}" for name, value in groups if value)
    factors = factor_words(standpoint(board, row))
    made_of = f" ({factors})" if factors else ""
    where = f"partition {row.partition}, priority {row.priority}{made_of}"
    yield from fact("in", f"{where}, {of}" if of else where, width, INDENT)
    yield from fact("submitted", dates.whole(row.submit), width, INDENT)


def expected_words(start: int | None, row: PlanRow, board: Board, dates: Dates) -> str:
    """Return when a job is expected to start over time; empty if that is the planned start."""
    if row.start is None:
        return why.expected(start, board.now, dates.whole, dates.clock)
    return why.beside_plan(start, row.start, dates.whole)


def _instant(board: Board, dates: Dates) -> events.Instant:
    return partial(dates.brief, now=board.now)


def factor_words(found: Standpoint) -> str:
    """Return the factors in one line: `age 410, job size 31`; empty if they are not known."""
    words = [f"{NAMES[each.factor]} {each.points:,}" for each in found.factors if each.points]
    return "; since the capture ".join(filter(None, (", ".join(words), _grown(found))))


def priority_lines(board: Board, row: PlanRow, width: int) -> Iterator[Line]:
    found = standpoint(board, row)
    place = f", place {row.order} in the queue" if row.order is not None else ", not in the queue"
    title = f"job {row.job} of {row.user} in {row.partition}: priority {row.priority:,}{place}"
    yield from wrap(title, width, "strong")
    if not found.factors:
        yield from wrap(UNKNOWN, width, "dim")
    else:
        yield []
        yield [(_line(HEADINGS), "head")]
        for each in found.factors:
            weight = "" if each.weight is None else f"{each.weight:,}"
            raw = "" if each.raw is None else f"{each.raw:.4f}"
            yield [(_line((NAMES[each.factor], f"{each.points:,}", weight, raw)), "text")]
        if found.grown:
            yield from wrap(f"since the priorities were read: {_grown(found)}", width, "dim")
        yield []
    for label, other in (("above", found.above), ("below", found.below)):
        if other is not None:
            turned = other.priority != row.priority and (other.priority > row.priority) == (label == "below")
            despite = _tiers(board, other, row) if turned else ""
            yield from fact(label, _neighbour(row, other) + despite, width, INDENT)


def _grown(found: Standpoint) -> str:
    return ", ".join(f"{NAMES[factor]} {by:+,}" for factor, by in found.grown.items())


def _line(cells: tuple[str, str, str, str]) -> str:
    return "".join(
        cell(text, width, right=place > 0)
        for place, (text, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )


def _tiers(board: Board, other: PlanRow, row: PlanRow) -> str:
    """Return what puts a job before one of more priority: the tiers of their partitions, if they differ."""
    tiers = {each.name: each.tier for each in board.capture.partitions}
    one, two = tiers.get(other.partition), tiers.get(row.partition)
    return f", but {other.partition} has tier {one}, {row.partition} {two}" if one != two else ""


def _neighbour(row: PlanRow, other: PlanRow) -> str:
    difference = other.priority - row.priority
    by = f"{abs(difference):,} {'more' if difference > 0 else 'less'}" if difference else "as much"
    return f"job {other.job} of {other.user} in {other.partition}: {other.priority:,}, {by}"
