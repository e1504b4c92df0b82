"""Why a job of a cluster waits, and what it waits for. `instant` writes a second since 1970."""

from collections.abc import Iterator

from shadowtime.console.clock import duration
from shadowtime.console.session.jobs.chain import Chain
from shadowtime.console.session.slurm import Happening
from shadowtime.console.session.slurm.board.facts import ENDED, Board, PlanRow
from shadowtime.console.session.slurm.board.fitting import Bar, Fitting, IdleNodes
from shadowtime.console.session.slurm.board.holding import short_licenses
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.console.session.slurm.stepping.coming import Coming
from shadowtime.console.session.texts import printable
from shadowtime.console.words import plan
from shadowtime.console.words.chain import clause
from shadowtime.console.words.cluster.caveats import TOUCHED, caveat
from shadowtime.console.words.cluster.events import Instant, befell, parameter
from shadowtime.console.words.nodes import comes_to, too_few
from shadowtime.console.words.phrases import count
from shadowtime.console.words.units import Unit

NOTES = {
    "cannot be scheduled": "no time in this plan has room for it: each was tried, up to the last",
    "accounting limit": "a limit of its account, its user or its quality of service keeps it out",
    "limit on jobs": "as many jobs run as its account, its user or its quality of service allows",
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
COVERED = "covered until the lesson is over"
MOST_NAMED = 3
"""Jobs that a line names."""


def note_of(board: Board, row: PlanRow) -> str:
    """Return why a row has no start, with the limit of an account or a quality of service that decides it."""
    reached = board.limit_of(row)
    return NOTES.get(row.note, plan.note_words(row.note)) if reached is None else plan.limit_words(reached)


def note(board: Board, row: PlanRow, instant: Instant) -> str:
    """Return why a row has no start, with the parameter that decides it."""
    if row.note == ENDED and board.stopped:
        where = parameter(board.stopped, board)
        return f"the cycle ends before its turn: {where} is reached, {board.tried} entries were tried"
    if row.note in IN_WINDOW:
        return f"{NOTES[row.note]}; {_window(board, instant)}"
    words = note_of(board, row)
    if row.note.startswith("bf_"):
        return f"{parameter(row.note, board)}: {words}"
    return f"{words}{_licences(board, row)}" if row.note == "licenses" else words


def _licences(board: Board, row: PlanRow) -> str:
    texts = []
    for name, free, total, jobs in short_licenses(board, row):
        held = f", held by {plan.named_jobs(jobs, MOST_NAMED)}" if jobs else ""
        texts.append(f"{free} of {total} of {printable(name)} are free{held}")
    return f": {'; '.join(texts)}" if texts else ""


def _window(board: Board, instant: Instant) -> str:
    """Until when the plan looks, and the parameter that says so."""
    end = board.now + 60 * board.capture.settings.backfill.window
    return f"{parameter('bf_window', board)} minutes end at {instant(end)}"


def beyond_window(board: Board, instant: Instant) -> str:
    """Return why a row with a start has no nodes reserved."""
    return f"{_window(board, instant)}, before its start: no nodes are reserved for it"


def idle(nodes: IdleNodes, row: PlanRow, now: int, instant: Instant) -> str:
    """Return who comes to idle nodes before a job would end, or how many nodes it lacks."""
    if nodes.kind == "free":
        return too_few(nodes.hosts, count(len(nodes.nodes), "node"), row.least)
    if nodes.kind == "reserved":
        until, who = instant(nodes.until), f"reservation {printable(nodes.who)}"
        if nodes.until <= now:
            return f"{nodes.hosts}: {who} has them since {until}"
        return f"{nodes.hosts}: free until {until}, then {who} begins"
    who = f"job {nodes.who} of {printable(nodes.user)}"
    return comes_to(nodes.hosts, who, nodes.until, now, instant)


def fits(found: Fitting, row: PlanRow) -> str:
    """Return on how many nodes a job can run at all, and what keeps it off the others."""
    asked = f" (asks for {found.least})" if found.short else ""
    partitions = row.partition.replace(",", " and ")
    text = f"{found.fits} of {count(found.nodes, 'node')} of {partitions}{asked}"
    barred = [
        f"{found.counts[bar]} {BARRED[bar].format(found.wants[bar])} ({hosts})"
        for bar, hosts in found.barred.items()
    ]
    return f"{text}: {'; '.join(barred)}" if barred else text


def mark(found: Caveat) -> tuple[str, str]:
    """Return what stands behind the mark of a row, as a label and a text."""
    if found.left is Left.RESTS:
        return "rests on", f"job {found.names[0]}, whose start is marked {TOUCHED}"
    if found.left is Left.NEVER:
        return f"{TOUCHED} never", found.names[0]
    return f"{TOUCHED} without", f"{caveat(found)} (this job)"


def summary(board: Board, row: PlanRow, found: Chain | None, instant: Instant, unit: Unit) -> str:
    """Return why a row starts when it does, in one line; `found` is its chain."""
    never = next((each for each in row.caveats if each.left is Left.NEVER), None)
    if row.start is None:
        text = note_of(board, row) or row.outcome
    elif row.outcome == "started":
        text = f"starts now on {row.nodes}"
    elif never is not None:
        text = caveat(never)
    elif found is not None and any(link.change > 0 for link in found.links):
        text = clause(found, None, unit)
    else:
        text = f"starts at {instant(row.start)}; its nodes are free before"
    return f"job {row.job}: {text}"


def reason(row: PlanRow) -> str:
    return f"reason {row.slurm_reason}" if row.slurm_reason and row.slurm_reason != "None" else "no reason"


def slurm(board: Board, row: PlanRow, whole: Instant) -> str:
    """Return the start that Slurm itself showed when the queue was read, and its reason."""
    if row.slurm_start is None:
        return f"showed no start when the queue was read; {reason(row)}"
    if board.slurm_start(row) is None:
        return f"{reason(row)} keeps it out; squeue still shows the start {whole(row.slurm_start)}"
    return f"showed {whole(row.slurm_start)} when the queue was read; {reason(row)}"


def whole_pass(found: int, board: Board, instant: Instant) -> str:
    interval = board.capture.settings.sched_interval
    return f"{instant(found)}, of the whole queue (sched_interval={interval} s)"


def next_in_line(found: Coming, board: Board, instant: Instant, room: int) -> str:
    """Return what happens next by the clock, the next whole pass and the next cycle, in their order.

    More of their names is written, and more jobs are named, where there are so many cells for it.
    """
    if found.cycle is None and found.change is None:
        return f"backfill cycle {next_cycle(found, board, instant)}"
    ways = (
        ("backfill cycle", "whole pass", MOST_NAMED),
        ("backfill cycle", "whole pass", 1),
        ("cycle", "pass", 1),
    )
    texts = ["; ".join(text for _, _, text in sorted(_parts(found, instant, *way))) for way in ways]
    return next((text for text in texts if len(text) <= room), texts[-1])


def _parts(
    found: Coming, instant: Instant, cycle: str, whole: str, most: int
) -> Iterator[tuple[int, int, str]]:
    if found.change is not None:
        yield found.change, 0, next_change(found, instant, most)
    if found.whole_pass is not None:
        yield found.whole_pass, 1, f"{whole} {instant(found.whole_pass)}"
    if found.cycle is not None:
        yield found.cycle, 2, f"{cycle} {instant(found.cycle) if found.cycle > found.at else 'now'}"


def next_change(found: Coming, instant: Instant, most: int = MOST_NAMED) -> str:
    assert found.change is not None and found.what is not None
    at = instant(found.change)
    if found.what is Happening.RESERVATION:
        more = " and others" if len(found.changing) > most else ""
        names = ", ".join(found.changing[:most]) + more
        return f"{at} reservation {printable(names)} begins or ends"
    return f"{at} {befell(found.what, found.changing, most)}"


def next_cycle(found: Coming, board: Board, instant: Instant) -> str:
    if found.cycle is None:
        if not board.capture.settings.backfills:
            return "none: there are main passes only"
        return "none as things stand: nothing changes any more"
    after_last = f"{parameter('bf_interval', board)} s after the last one"
    why = "now"
    if found.changed:
        if found.cycle > found.at:
            why = after_last
    elif found.change is not None and found.cycle > found.change:
        why = after_last
    else:
        why = "the next change; nothing has changed since the last cycle"
    return f"{instant(found.cycle)}, {why}"


def expected(start: int | None, now: int, whole: Instant, clock: Instant) -> str:
    """Return when a job without a start in the cycle is expected to start over time."""
    if start is None:
        return "never, if every job runs to its limit and nobody submits another"
    ahead = duration(max(0, start - now))
    return f"{whole(start)}, {ahead} after {clock(now)}, if every job runs to its limit"


def beside_plan(start: int | None, planned: int, whole: Instant) -> str:
    """Return how the expected start over time differs from that of the plan; empty if it does not."""
    if start is None:
        return "never over time: later cycles plan anew, and do not start it"
    if start == planned:
        return ""
    sooner = "earlier" if start < planned else "later"
    by = duration(abs(start - planned))
    return f"{whole(start)}, {by} {sooner} than planned: every pass and cycle up to then decides anew"
