"""Everything about one row of a plan: what it asks for, when and where it starts, who holds its nodes."""

from collections.abc import Iterator

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.admission import NEVER
from shadowtime.console.session.slurm.board import (
    Bar,
    Blocker,
    Board,
    Changes,
    IdleNodes,
    PlanRow,
    blockers,
    fitting,
    idle_nodes,
    short_licenses,
    standpoint,
)
from shadowtime.console.session.slurm.board.facts import COVERED
from shadowtime.console.session.slurm.guard.resting import RESTS
from shadowtime.console.session.slurm.stepping import Coming, Happening
from shadowtime.console.widgets.frame.ink import Line, fact, printable, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.event_text import limit_words, passed_words
from shadowtime.console.widgets.slurm.plan_text import OUTCOMES
from shadowtime.console.widgets.slurm.priority_text import factor_words
from shadowtime.console.words import count, plan

ENDED = "the cycle ends before it"
"""Note of a row that the cycle does not reach."""
DOES = {
    Happening.END: ("ends", "end"),
    Happening.SUBMISSION: ("comes", "come"),
    Happening.PRIORITIES: (
        "passes others as priorities are calculated",
        "pass others as priorities are calculated",
    ),
}
"""What happens to jobs next -> its words for one job, and for several."""
NOTES = {
    "cannot be scheduled": "no start was found in the plan: every try failed until no later one was left",
    "bf_max_job_user": "bf_max_job_user entries of this user were tried before it",
    "bf_max_job_part": "bf_max_job_part entries of this partition were tried before it",
    "bf_max_job_user_part": "bf_max_job_user_part entries of its user in this partition were tried before it",
    "bf_max_job_assoc": "bf_max_job_assoc entries of its account and user were tried before it",
    "licenses": "its licences are not free now",
    "reservation defer": "its reservation has ended, does not exist, or begins after each try",
    "earliest try after the window": "its first try would be after the backfill window",
    "hetjob deadlock": "it waits for a heterogeneous job that waits for its own elsewhere",
    "held": "it is held: its priority is 0",
    ENDED: "the cycle ends before its turn: a limit of the cycle is reached",
}
"""Note of the plan -> a sentence."""
IN_WINDOW = ("cannot be scheduled", "earliest try after the window")
"""Notes of rows for which the end of the window matters."""
BARRED = {
    Bar.DOWN: "drained or down",
    Bar.UNLISTED: "held by jobs that the queue does not show",
    Bar.OTHERS: "outside of reservation {}",
    Bar.EXCLUDED: "excluded by the job",
    Bar.FEATURES: "without the features {}",
    Bar.CPUS: "with fewer than {} CPUs",
    Bar.MEMORY: "with less than {} MB of memory",
    Bar.DEVICES: "without {}",
}
"""What keeps a job off nodes -> its words."""
INDENT = 10
MINUTE = 60
MOST_CHANGING = 3
"""Jobs that end next and are named."""
MOST_IDLE = 4
"""Groups of idle nodes that are listed one by one."""
MOST_BLOCKERS = 12
"""Holders of nodes that are listed one by one."""


def why_lines(
    board: Board,
    changes: Changes,
    row: PlanRow | None,
    dates: Dates,
    width: int,
    next_tries: Coming | None = None,
    expected: str = "",
) -> list[Line]:
    """Return the lines about a row; about nothing without one.

    `next_tries`: when the queue is tried next. `expected`: of a row without a start, its expected start.
    """
    if row is None:
        return []
    runs = board.begun and row.outcome == "started"
    tried = next_tries is not None and row.order is not None and not runs
    return [
        *wrap(_title(row), width, "strong"),
        *_plan(board, changes, row, dates, width, expected),
        *(next_lines(next_tries, board, dates, width) if next_tries is not None and tried else ()),
        *_left_out(board, row, width),
        *_asks(board, row, dates, width),
    ]


def summary_line(board: Board, row: PlanRow, dates: Dates) -> str:
    """Return why a row starts when it does, in one line."""
    if row.start is None:
        return f"job {row.job}: {note_of(board, row) or row.outcome}"
    if row.outcome == "started":
        return f"job {row.job}: starts now on {row.nodes}"
    never = next((mark for mark in row.caveats if mark.startswith(NEVER)), "")
    if never:
        return f"job {row.job}: {never}"
    found = blockers(board, row)
    if not found:
        return f"job {row.job}: starts at {dates.brief(row.start, board.now)}; its nodes are free before"
    return f"job {row.job}: {_held(found[0], board, dates)}"


def note_of(board: Board, row: PlanRow) -> str:
    """Return why a row has no start, with the limit of an account or a quality of service that decides it."""
    reached = board.limit_of(row)
    return NOTES.get(row.note, plan.note_words(row.note)) if reached is None else plan.limit_words(reached)


def _title(row: PlanRow) -> str:
    name = f" {row.name}" if row.name else ""
    place = f", place {row.order} in the queue" if row.order is not None else ""
    return f"job {row.job}{name} of {row.user}{place}"


def _plan(
    board: Board, changes: Changes, row: PlanRow, dates: Dates, width: int, expected: str
) -> Iterator[Line]:
    if row.outcome == COVERED:
        yield from fact("plan", "covered until the lesson is over", width, INDENT)
        yield from fact("Slurm", _reason(row), width, INDENT)
        return
    if row.start is None:
        words = _note(board, row, dates)
        yield from fact("outcome", f"{row.outcome}: {words}" if words else row.outcome, width, INDENT)
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
        yield from _marks(row, width)
        yield from fact("on", row.nodes or "-", width, INDENT)
        if row.outcome == "started" and passed_words(board, row, dates):
            yield from fact("since", f"its nodes are free; {passed_words(board, row, dates)}", width, INDENT)
        yield from _holders(board, row, dates, width)
        if row.end is not None:
            yield from fact("until", f"{dates.whole(row.end)} at the latest", width, INDENT)
        yield from _idle(board, row, dates, width)
        yield from _fits(board, row, width)
    yield from _elsewhere(board, row, dates, width)
    if row.outcome == "beyond window":
        yield from fact(
            "note", f"{_window(board, dates)}, before its start: no nodes are reserved for it", width, INDENT
        )
    shift = changes.shifts.get(row.key)
    if shift:
        moved = f"{duration(abs(shift))} {'later' if shift > 0 else 'earlier'} than before"
        yield from fact("moved", moved, width, INDENT)
    yield from fact("Slurm", _slurm(board, row, dates), width, INDENT)


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


def _window(board: Board, dates: Dates) -> str:
    """Until when the plan looks, and the parameter that says so."""
    end = board.now + 60 * board.capture.settings.backfill.window
    return f"{limit_words('bf_window', board)} minutes end at {dates.brief(end, board.now)}"


def _note(board: Board, row: PlanRow, dates: Dates) -> str:
    """Why a row has no start, with the parameter that decides it."""
    if row.note == ENDED and board.stopped:
        where = limit_words(board.stopped, board)
        return f"the cycle ends before its turn: {where} is reached, {board.tried} entries were tried"
    if row.note in IN_WINDOW:
        return f"{NOTES[row.note]}; {_window(board, dates)}"
    if row.note.startswith("bf_"):
        return f"{limit_words(row.note, board)}: {note_of(board, row)}"
    words = note_of(board, row)
    return f"{words}{_licences(board, row)}" if row.note == "licenses" else words


def _licences(board: Board, row: PlanRow) -> str:
    """Which licences are short, and who holds them."""
    texts = []
    for name, free, total, jobs in short_licenses(board, row):
        more = f" and {len(jobs) - MOST_CHANGING} more" if len(jobs) > MOST_CHANGING else ""
        held = f", held by {'job' if len(jobs) == 1 else 'jobs'} {', '.join(jobs[:MOST_CHANGING])}{more}"
        texts.append(f"{free} of {total} of {printable(name)} are free{held if jobs else ''}")
    return f": {'; '.join(texts)}" if texts else ""


def next_lines(found: Coming, board: Board, dates: Dates, width: int) -> Iterator[Line]:
    """When the queue is tried next, and what that waits for."""
    if found.change is not None:
        yield from fact("next", _next_change(found, board, dates), width, INDENT)
    if found.whole_pass is not None:
        at = dates.brief(found.whole_pass, board.now)
        interval = f"sched_interval={board.capture.settings.sched_interval} s"
        yield from fact("pass", f"{at}, of the whole queue ({interval})", width, INDENT)
    yield from fact("cycle", _next_cycle(found, board, dates), width, INDENT)


def next_line(found: Coming, board: Board, dates: Dates) -> str:
    """What happens next by the clock, the next whole pass and the next cycle, in one line, in their order."""
    cycle = f"backfill cycle {_next_cycle(found, board, dates)}"
    if found.cycle is None and found.change is None:
        return cycle
    parts = []
    if found.change is not None:
        parts.append((found.change, 0, _next_change(found, board, dates)))
    if found.whole_pass is not None:
        parts.append((found.whole_pass, 1, f"whole pass {dates.brief(found.whole_pass, board.now)}"))
    if found.cycle is not None:
        parts.append((found.cycle, 2, cycle))
    return "; ".join(text for _, _, text in sorted(parts))


def _next_change(found: Coming, board: Board, dates: Dates) -> str:
    assert found.change is not None and found.what is not None
    at = dates.brief(found.change, board.now)
    more = " and others" if len(found.changing) > MOST_CHANGING else ""
    names = ", ".join(found.changing[:MOST_CHANGING]) + more
    if found.what is Happening.RESERVATION:
        return f"{at} reservation {printable(names)} begins or ends"
    one = len(found.changing) == 1
    return f"{at} {'job' if one else 'jobs'} {names} {DOES[found.what][not one]}"


def _next_cycle(found: Coming, board: Board, dates: Dates) -> str:
    """When the next backfill cycle begins, and why then."""
    if found.cycle is None:
        if not board.capture.settings.backfills:
            return "none: there are main passes only"
        return "none as things stand: nothing changes any more"
    interval = limit_words("bf_interval", board)
    if not found.changed:
        why = "the next change; nothing has changed since the last cycle"
        if found.change is not None and found.cycle > found.change:
            why = f"{interval} s after the last one"
    elif found.cycle > found.at:
        why = f"{interval} s after the last one"
    else:
        why = "now"
    return f"{dates.brief(found.cycle, board.now)}, {why}"


def _slurm(board: Board, row: PlanRow, dates: Dates) -> str:
    """What Slurm itself expected when the queue was read, and its reason."""
    if row.slurm_start is None:
        return f"no start expected when the queue was read; {_reason(row)}"
    if board.slurm_start(row) is None:
        return f"{_reason(row)} keeps it out; squeue still shows the start {dates.whole(row.slurm_start)}"
    return f"expected {dates.whole(row.slurm_start)} when the queue was read; {_reason(row)}"


def _reason(row: PlanRow) -> str:
    return f"reason {row.slurm_reason}" if row.slurm_reason and row.slurm_reason != "None" else "no reason"


def _holders(board: Board, row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    found = blockers(board, row)
    for place, blocker in enumerate(found[:MOST_BLOCKERS]):
        yield from fact("waits for" if place == 0 else "", _held(blocker, board, dates), width, INDENT)
    if len(found) > MOST_BLOCKERS:
        yield from fact("", f"and {len(found) - MOST_BLOCKERS} more, which leave before", width, INDENT)
    if found:
        assert row.start is not None
        yield from _step(board, row.start, found[0].until, dates, width)


def _step(board: Board, start: int, free: int, dates: Dates, width: int) -> Iterator[Line]:
    """Why a job is planned when another one ends, after its own nodes are free: ends are tried in steps."""
    jobs = board.ending.get(start, ()) if start - free >= MINUTE else ()
    if jobs:
        names = ", ".join(job.shown for job in jobs[:MOST_CHANGING])
        text = (
            f"its nodes are free {duration(start - free)} before, at {dates.brief(free, board.now)}: ends are"
            f" tried in steps, and this one ends with job {names} ({limit_words('bf_window_linear', board)})"
        )
        yield from fact("step", text, width, INDENT)


def _held(blocker: Blocker, board: Board, dates: Dates) -> str:
    until = dates.brief(blocker.until, board.now)
    if blocker.kind == "reserved":
        return f"{blocker.hosts}: reservation {printable(blocker.who)} until {until}"
    does = "runs" if blocker.kind == "runs" else "is planned before it,"
    return f"{blocker.hosts}: job {blocker.who} of {printable(blocker.user)} {does} until {until}"


def _idle(board: Board, row: PlanRow, dates: Dates, width: int) -> Iterator[Line]:
    """Why it does not start now on the nodes that nobody uses."""
    found = idle_nodes(board, row)
    for place, idle in enumerate(found[:MOST_IDLE]):
        yield from fact("idle now" if place == 0 else "", _until(idle, row, board, dates), width, INDENT)
    if len(found) > MOST_IDLE:
        more = sum(len(idle.nodes) for idle in found[MOST_IDLE:])
        yield from fact("", f"and {count(more, 'node')} more", width, INDENT)


def _until(idle: IdleNodes, row: PlanRow, board: Board, dates: Dates) -> str:
    """Who comes to idle nodes before the job of a row would end, or how many nodes it lacks."""
    if idle.kind == "free":
        return f"{idle.hosts}: {count(len(idle.nodes), 'node')}, it asks for {row.least}"
    until = dates.brief(idle.until, board.now)
    if idle.kind == "reserved":
        who = f"reservation {printable(idle.who)}"
        if idle.until <= board.now:
            return f"{idle.hosts}: {who} has them since {until}"
        return f"{idle.hosts}: too short, {who} begins at {until}"
    who = f"job {idle.who} of {printable(idle.user)}"
    if idle.until <= board.now:
        return f"{idle.hosts}: {who} starts there"
    return f"{idle.hosts}: too short, {who} is planned there at {until}"


def _fits(board: Board, row: PlanRow, width: int) -> Iterator[Line]:
    """On how many nodes of its partition the job can run at all, and what keeps it off the others, if any."""
    found = fitting(board, row)
    if found is None or not (found.short or found.barred):
        return
    asked = f" (asks for {found.least})" if found.short else ""
    partitions = row.partition.replace(",", " and ")
    text = f"{found.fits} of {count(found.nodes, 'node')} of {partitions}{asked}"
    barred = [
        f"{found.counts[bar]} {BARRED[bar].format(found.wants[bar])} ({hosts})"
        for bar, hosts in found.barred.items()
    ]
    yield from fact("fits on", f"{text}: {'; '.join(barred)}" if barred else text, width, INDENT)


def _marks(row: PlanRow, width: int) -> Iterator[Line]:
    """What stands behind the mark of a row."""
    for mark in row.caveats:
        if mark.startswith(RESTS):
            job = mark.removeprefix(RESTS)
            yield from fact("rests on", f"job {job}, whose start is marked {plan.TOUCHED}", width, INDENT)
        elif mark.startswith(NEVER):
            yield from fact(f"{plan.TOUCHED} never", mark.removeprefix(NEVER), width, INDENT)
        else:
            yield from fact(f"{plan.TOUCHED} without", f"{mark} (this job)", width, INDENT)


def _left_out(board: Board, row: PlanRow, width: int) -> Iterator[Line]:
    for caveat in board.shared_caveats:
        yield from fact("without", caveat, width, INDENT)


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


def expected_words(start: int | None, board: Board, dates: Dates) -> str:
    """Return when a job without a start in the cycle is expected to start over time."""
    if start is None:
        return "never, if every job runs to its limit and nobody submits another"
    ahead = duration(max(0, start - board.now))
    return f"{dates.whole(start)}, {ahead} after {dates.clock(board.now)}, if every job runs to its limit"
