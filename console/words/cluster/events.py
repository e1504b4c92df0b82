"""What happens on a cluster over time, in words. `instant` writes a second since 1970."""

from collections.abc import Callable, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session.slurm import Happening, Moment, PassKind, Started
from shadowtime.console.session.slurm.board.chain import passing
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.texts import printable
from shadowtime.console.words.phrases import count

Instant = Callable[[int], str]

LATER = "the next capture, without a new job"
CAPTURE = "the capture: the plan of a backfill cycle now"
KINDS = {
    PassKind.QUICK: "quick pass",
    PassKind.WHOLE: "whole pass",
}
"""Kind of a main pass -> its words."""
WHEN = {
    PassKind.QUICK: "after jobs ended or came, over the first default_queue_depth entries",
    PassKind.WHOLE: "every sched_interval; one without a change before it is left out",
    None: "bf_interval after the last cycle ended; every entry is planned anew",
}
"""Kind of a main pass, or None of a cycle -> when it comes."""
WANTED = "nodes are wanted by a job that may preempt"
BEFALLS = {
    Happening.END: ("ends", "end"),
    Happening.SUBMISSION: ("comes into the queue", "come into the queue"),
    Happening.PRIORITIES: (
        "moves up by priority",
        "move up by priority",
    ),
    Happening.SUSPEND: ("is suspended", "are suspended"),
    Happening.RESUME: ("is resumed", "are resumed"),
    Happening.REQUEUE: (f"is requeued: its {WANTED} it", f"are requeued: their {WANTED} them"),
    Happening.CANCEL: (f"is cancelled: its {WANTED} it", f"are cancelled: their {WANTED} them"),
}
"""What befalls jobs -> its words for one job, and for several."""
PASSES = (Happening.MAIN_PASS, Happening.BACKFILL)


def happened(moment: Moment | None, instant: Instant) -> str:
    """Return what happened, in one line that can be cut at its end."""
    if moment is None:
        return CAPTURE
    if moment.cluster is not None and not moment.subjects:
        return LATER
    if moment.what in BEFALLS:
        return befell(moment.what, moment.subjects)
    if moment.what is Happening.CHANGE:
        return f"{printable(moment.subjects[0])} is done"
    if moment.what is Happening.RESERVATION:
        return f"reservation {printable(moment.subjects[0])} {'begins' if moment.begins else 'ends'}"
    return f"{name(moment)}: {_started(moment.started, instant)}; {_numbers(moment)}"


def befell(what: Happening, jobs: Sequence[str], most: int | None = None) -> str:
    """Return what befalls jobs, of which `most` are named."""
    more = " and others" if most is not None and len(jobs) > most else ""
    word = "job" if len(jobs[:most]) == 1 else "jobs"
    return f"{word} {', '.join(jobs[:most])}{more} {BEFALLS[what][len(jobs) > 1]}"


def name(moment: Moment) -> str:
    """Return which pass or cycle it is: `quick pass batch`."""
    return "backfill cycle" if moment.kind is None else " ".join((KINDS[moment.kind], *moment.subjects))


def _started(started: Sequence[Started], instant: Instant) -> str:
    if not started:
        return "nobody starts"
    first, *others = started
    where = f"on {first.nodes} until {instant(first.end)}"
    if not others:
        return f"{first.job} starts {where}"
    listed = (f"{first.job} {where}", *(f"{each.job} on {each.nodes}" for each in others))
    return f"{len(started)} start: {', '.join(listed)}"


def _numbers(moment: Moment) -> str:
    """How many were tried, what was closed, and what ended it."""
    parts = [f"{moment.tried} tried"]
    if moment.what is Happening.BACKFILL:
        parts.append(f"{moment.planned} planned")
    parts += [f"job {job} closes {printable(what)}" for what, job in moment.closed]
    if moment.stopped and moment.what is Happening.BACKFILL:
        parts.append(f"ended by {moment.stopped}")
    return ", ".join(parts)


def tried(moment: Moment) -> str:
    text = f"a placement was tried {count(moment.tried, 'time')}"
    return f"{text}, {moment.planned} were planned later" if moment.kind is None else text


def started(started: Started, at: int, instant: Instant) -> str:
    """Return which job starts where at an instant, and until when it may run."""
    until = f"{instant(started.end)} ({duration(started.end - at)})"
    return f"job {started.job} of {started.partition} on {started.nodes} until {until}"


def closed(what: str, job: str, board: Board) -> str:
    """Return why a partition or a reservation is closed in a pass, with what is free there after it."""
    text = f"{printable(what)}: job {job} has no place now, and nobody behind it may use its nodes"
    row = next((row for row in board.rows if row.job == job), None)
    nodes = [node for node in board.nodes if what in node.partitions]
    if row is None or not nodes:
        return text
    idle = sum(not node.jobs and node.up for node in nodes)
    cpus = sum(node.cpus - node.cpus_taken for node in nodes if node.up)
    asks = f"{count(row.size, 'node')} and {count(row.cpus, 'CPU')}"
    return f"{text}; it asks for {asks}, and {count(idle, 'node')} and {count(cpus, 'CPU')} are free there"


def passed(board: Board, row: PlanRow, instant: Instant) -> str:
    """Return whom a start of a cycle passes, and who needs its nodes next; empty if it passes nobody."""
    found = passing(board, row)
    if not found.passed:
        return ""
    text = f"it passes {count(found.passed, 'job')} that {'waits' if found.passed == 1 else 'wait'}"
    if found.next_start is None:
        return f"{text}, none of which is planned on its nodes"
    return f"{text}; the first of them on its nodes is {found.next_job}, at {instant(found.next_start)}"


def parameter(name: str, board: Board) -> str:
    """Return a parameter with its value: `bf_max_job_test=500`."""
    settings = board.capture.settings
    if name == "default_queue_depth":
        return f"{name}={settings.queue_depth}"
    value = getattr(settings.backfill, name.removeprefix("bf_"), None)
    if name == "bf_node_space_size" and not value:
        return f"{name}={settings.backfill.max_job_test} (as bf_max_job_test)"
    return name if value is None else f"{name}={value}"
