"""What happened on a stepped cluster, in a line and in full. Pure text."""

from collections.abc import Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm.board import Board, PlanRow
from shadowtime.console.session.slurm.stepping import Happening, Moment, PassKind, Started, passing
from shadowtime.console.widgets.frame.ink import Line, fact, printable, wrap
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words import count

KINDS = {
    PassKind.QUICK: "quick pass",
    PassKind.WHOLE: "whole pass",
}
"""Kind of a main pass -> its words."""
WHEN = {
    PassKind.QUICK: "after jobs ended or came, over the first default_queue_depth entries",
    PassKind.WHOLE: "every sched_interval; one without a change before it is left out",
}
"""Kind of a main pass -> when it comes."""
CYCLE = "bf_interval after the last cycle ended; every entry is planned anew"
PREEMPTED = {
    Happening.SUSPEND: "is suspended",
    Happening.RESUME: "is resumed",
    Happening.REQUEUE: "is requeued: its nodes are wanted by a job that may preempt it",
    Happening.CANCEL: "is cancelled: its nodes are wanted by a job that may preempt it",
}
"""What befalls a running job -> its words."""
INDENT = 10


def event_text(moment: Moment | None, dates: Dates, begin: int) -> str:
    """Return what happened, in one line that can be cut at its end; `begin` is the instant of the capture."""
    if moment is None:
        return "the capture: the plan is that of a backfill cycle that begins now"
    if moment.what is Happening.END:
        verb = "ends" if len(moment.subjects) == 1 else "end"
        return f"{_jobs(moment.subjects)} {verb}"
    if moment.what in PREEMPTED:
        return f"{_jobs(moment.subjects)} {PREEMPTED[moment.what]}"
    if moment.what is Happening.CHANGE:
        return f"{printable(moment.subjects[0])} is done"
    if moment.what is Happening.SUBMISSION:
        return f"{_jobs(moment.subjects)} comes into the queue"
    if moment.what is Happening.PRIORITIES:
        verb = "passes" if len(moment.subjects) == 1 else "pass"
        return f"priorities: {_jobs(moment.subjects)} {verb} others as they are calculated"
    if moment.what is Happening.RESERVATION:
        return f"reservation {printable(moment.subjects[0])} {'begins' if moment.begins else 'ends'}"
    return f"{_name(moment)}: {_started(moment.started, dates, begin)}; {_numbers(moment)}"


def _name(moment: Moment) -> str:
    if moment.kind is None:
        return "backfill cycle"
    return " ".join((KINDS[moment.kind], *moment.subjects))


def _jobs(names: Sequence[str]) -> str:
    return f"job{'s' if len(names) > 1 else ''} {', '.join(names)}"


def _started(started: Sequence[Started], dates: Dates, begin: int) -> str:
    if not started:
        return "nobody starts"
    first = started[0]
    text = f"{first.job} starts on {first.nodes} until {dates.brief(first.end, begin)}"
    others = [f"{each.job} on {each.nodes}" for each in started[1:]]
    return f"{len(started)} start: {', '.join((text.replace(' starts', '', 1), *others))}" if others else text


def _numbers(moment: Moment) -> str:
    """How many were tried, what was closed, and what ended it."""
    parts = [f"{moment.tried} tried"]
    if moment.what is Happening.BACKFILL:
        parts.append(f"{moment.planned} planned")
    parts += [f"job {job} closes {printable(what)}" for what, job in moment.closed]
    if moment.stopped and moment.what is Happening.BACKFILL:
        parts.append(f"ended by {moment.stopped}")
    return ", ".join(parts)


def event_lines(
    moment: Moment | None, number: int, board: Board, dates: Dates, begin: int, width: int
) -> list[Line]:
    """Return everything about a moment; `board` is that of its position."""
    if moment is None:
        return list(wrap(event_text(None, dates, begin), width, "strong"))
    ahead = duration(moment.at - begin)
    lines: list[Line] = list(wrap(f"event {number}: {_heading(moment)}", width, "strong"))
    lines += fact("at", f"{dates.whole(moment.at)}, {ahead} after the capture", width, INDENT)
    for each in moment.started:
        lines += fact("starts", _start(moment, each, board, dates, begin), width, INDENT)
    if moment.what in (Happening.MAIN_PASS, Happening.BACKFILL):
        if not moment.started:
            lines += fact("starts", "nobody", width, INDENT)
        lines += fact("tried", _tried(moment), width, INDENT)
        for what, job in moment.closed:
            text = f"{printable(what)}: job {job} has no place now, and nobody behind it may use its nodes"
            lines += fact("closed", f"{text}{_room(board, what, job)}", width, INDENT)
        if moment.stopped:
            label = "ended by" if moment.what is Happening.BACKFILL else "bound by"
            lines += fact(label, limit_words(moment.stopped, board), width, INDENT)
        lines += fact("when", CYCLE if moment.kind is None else WHEN[moment.kind], width, INDENT)
    return lines


def _room(board: Board, partition: str, job: str) -> str:
    """What a job asks for beside what is free in its partition after the event; empty for a reservation."""
    row = next((row for row in board.rows if row.job == job), None)
    nodes = [node for node in board.nodes if partition in node.partitions]
    if row is None or not nodes:
        return ""
    idle = sum(not node.jobs and node.up for node in nodes)
    cpus = sum(node.cpus - node.cpus_taken for node in nodes if node.up)
    asks = f"{count(row.size, 'node')} and {count(row.cpus, 'CPU')}"
    return f"; it asks for {asks}, and {count(idle, 'node')} and {count(cpus, 'CPU')} are free there"


def _heading(moment: Moment) -> str:
    if moment.what in (Happening.MAIN_PASS, Happening.BACKFILL):
        return _name(moment)
    return event_text(moment, Dates(), moment.at)


def _tried(moment: Moment) -> str:
    tried = f"a placement was tried {count(moment.tried, 'time')}"
    return f"{tried}, {moment.planned} were planned later" if moment.kind is None else tried


def _start(moment: Moment, started: Started, board: Board, dates: Dates, begin: int) -> str:
    text = (
        f"job {started.job} of {started.partition} on {started.nodes} until"
        f" {dates.brief(started.end, begin)} ({duration(started.end - moment.at)})"
    )
    rows = [row for row in board.rows if row.job == started.waited_as and row.outcome == "started"]
    row = next((row for row in rows if row.nodes == started.nodes), None)
    passed = passed_words(board, row, dates) if row is not None and board.begun else ""
    return f"{text}; {passed}" if passed else text


def passed_words(board: Board, row: PlanRow, dates: Dates) -> str:
    """Return whom a start of a cycle passes, and who needs its nodes next; empty if it passes nobody."""
    found = passing(board, row)
    if not found.passed:
        return ""
    text = f"it passes {count(found.passed, 'job')} that {'waits' if found.passed == 1 else 'wait'}"
    if found.next_start is None:
        return f"{text}, none of which is planned on its nodes"
    at = dates.brief(found.next_start, board.now)
    return f"{text}; the first of them on its nodes is {found.next_job}, at {at}"


def limit_words(name: str, board: Board) -> str:
    """Return a parameter with its value: `bf_max_job_test=500`."""
    settings = board.capture.settings
    if name == "default_queue_depth":
        return f"{name}={settings.queue_depth}"
    value = getattr(settings.backfill, name.removeprefix("bf_"), None)
    if name == "bf_node_space_size" and not value:
        return f"{name}={settings.backfill.max_job_test} (as bf_max_job_test)"
    return name if value is None else f"{name}={value}"
