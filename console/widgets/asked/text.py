"""What a drill shows in lines: the machine or cluster that a question is about, the question, the verdict."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from shadowtime.console import words
from shadowtime.console.session import StatusValue
from shadowtime.console.session.facts import Row
from shadowtime.console.session.slurm import Job, format_hosts
from shadowtime.console.session.slurm.board.facts import Board, NodeFact
from shadowtime.console.session.training import POINTS, Answer, Drill, QuestionResult, Value, written_instant
from shadowtime.console.session.training.clusters.scene import ClusterScene
from shadowtime.console.session.training.questions import kind_of
from shadowtime.console.widgets.metrics.text import MEASURES
from shadowtime.console.words import count, duration, likely, training
from shadowtime.console.words.happening import happened
from shadowtime.console.words.jobs import prediction
from shadowtime.console.words.phrases import base
from shadowtime.console.words.waiting import waits

MOST = 40
"""Waiting jobs that are listed, of those that no answer needs."""
LOG = 5
"""Events that are listed while nothing is covered."""
ALWAYS = ("JOB", "STATE", "SIZE", "ESTIMATE", "SUBMITTED", "SINCE", "ENDS BY ESTIMATE", "NODES")
HEADS = (*ALWAYS, "BASE", "CLASS", "USER")
"""The last three are columns if a job has one."""
SPARED = ("USER", "CLASS", "SUBMITTED", "SINCE", "ESTIMATE", "BASE", "ENDS BY ESTIMATE")
"""What a narrow table can do without, from the first on."""


def machine_lines(
    drill: Drill, unit: words.Unit, width: int | None = None, most: int | None = MOST
) -> Iterator[str]:
    """The machine as it stands at the question: free nodes, nodes out of service, rows, jobs.

    In so many cells `width` the table of the jobs leaves out what can be spared. `most`: how many waiting
    jobs are listed beside those of the question; None for all.
    """
    session = drill.session
    if session.case.scenario.cluster is not None:
        yield from cluster_lines(drill)
        return
    shot, case = session.snapshot(), session.case
    yield f"policy {case.name}; {unit.sized(case.nodes)}, {shot.free:,} free; {len(shot.waiting):,} waiting"
    for outage in case.scenario.outages:
        if outage.start <= shot.time and (outage.until is None or outage.until > shot.time):
            back = "at an unknown time" if outage.until is None else f"at {unit.instant(outage.until)}"
            how = "down" if outage.kill else "drained"
            nodes = f"{unit.several} {_ranges(outage.nodes)}"
            yield f"{nodes}: {how} since {unit.instant(outage.start)}, back {back}"
    if shot.matrix is not None:
        for number, row in enumerate(shot.matrix.rows):
            mark = "  has the machine" if number == shot.matrix.current else ""
            yield f"row {number}: {', '.join(f'job {session.id_of(job)}' for job in row)}{mark}"
    yield from _scheduler_lines(shot.status, unit)
    order = session.order()
    listed = _listed(drill, most)
    if order:
        rows = [_cells(row, unit) for row in session.rows(listed, 0, len(listed))]
        columns: Sequence[Sequence[str]] = [
            column for column in zip(HEADS, *rows, strict=True) if column[0] in ALWAYS or any(column[1:])
        ]
        columns = _fitting(columns, width)
        for cells in zip(*columns, strict=True):
            widths = (max(map(len, column)) for column in columns)
            yield "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    if others := len(order) - len(listed):
        yield f"and {others:,} more that wait"
    if not drill.covered:
        yield from _uncovered_lines(drill, unit)


def _listed(drill: Drill, most: int | None) -> Sequence[int]:
    """The jobs to list, by index: those with nodes, those that a question names here, `most` that wait."""
    session = drill.session
    waiting, named = session.snapshot().waiting, set[Value]()
    for made, event in zip(drill.answers, drill.places, strict=True):
        if event == session.number and isinstance(made, Answer):
            named.add(made.question.job)
            named.update(made.offered if kind_of(made.question).of_jobs else ())
    spared = set(waiting[len(waiting) if most is None else most :])
    return [job for job in session.order() if job not in spared or session.id_of(job) in named]


def _fitting(columns: Sequence[Sequence[str]], width: int | None) -> Sequence[Sequence[str]]:
    """The columns for a width: those without any value go first."""
    kept = list(columns)
    empty = (column[0] for column in columns if not any(column[1:]))
    for head in (*empty, *SPARED):
        if width is None or sum(max(map(len, column)) + 2 for column in kept) - 2 <= width:
            break
        kept = [column for column in kept if column[0] != head]
    return kept


def _scheduler_lines(status: Mapping[str, StatusValue], unit: words.Unit) -> Iterator[str]:
    """What a scheduler that reviews itself has in force, and what the limits of the T3D have in use."""
    if "in_force" in status:
        yield f"in force: {status['in_force']}"
    if "system_limit" in status:
        large = f"large jobs {status['large']} of {status['large_limit']}"
        system = f"system {status['system']} of {status['system_limit']}"
        processors = status["processors"]
        assert isinstance(processors, Mapping)
        classes = [f"{name} {held}" for name, held in processors.items() if held]
        yield f"table {status['table']}; {unit.several}: {', '.join((system, large, *classes))}"


def _uncovered_lines(drill: Drill, unit: words.Unit) -> Iterator[str]:
    """What the screen shows beside the jobs while nothing is covered: events, metrics, starts and reasons."""
    session, shot = drill.session, drill.session.snapshot()
    for event in session.events(max(1, session.number - LOG), min(LOG + 1, session.number)):
        yield f"{unit.instant(event.time)}: {happened(event.kind, event.job)}"
    yield "; ".join(f"{measure.short} {measure.text(shot.metrics, unit)}" for measure in MEASURES)
    session.predict()
    odds = session.forecasts.start_likely()
    odds.run()
    session.forecasts.take_likely(odds)
    listed = _listed(drill, MOST)
    for row in session.rows(listed, 0, len(listed)):
        if row.reason is not None:
            yield waits(row.id, row.reason, unit)
        if row.predicted is not None:
            yield prediction(row.id, row.predicted, shot.time, unit)
        if row.likely is not None:
            yield f"job {row.id}: {likely.odds(row.likely, shot.time, unit.clock)}"


def question_lines(drill: Drill, unit: words.Unit) -> Iterator[str]:
    """The open question with the choices that are left, and the hints taken."""
    question, made = drill.question, drill.answer
    assert question is not None
    moment = training.moment(question, unit)
    yield f"QUESTION {drill.place + 1} of {len(drill.questions)}{moment and ', '}{moment}"
    if question.text:
        yield " ".join(question.text.split())
    yield training.asked(made)
    for letter, written in training.choices(made, drill.left, unit):
        yield f"  {letter}  {written}"
    if drill.hints:
        yield f"HINT  {' '.join(training.hinted(question, drill.hints, unit).split())}"


def verdict_lines(ended: QuestionResult, unit: words.Unit) -> Iterator[str]:
    yield training.verdict(ended, unit)
    for sentence in training.explained_so_far(ended, unit):
        yield f"- {sentence}"


def end_lines(drill: Drill, points: int, answered: int, unit: words.Unit) -> Iterator[str]:
    """What a lesson came to, and what the run does otherwise than could be known."""
    yield f"THE LESSON IS OVER  {words.count(points, 'point')} of {POINTS * answered}"
    for sentence in training.afterwards(drill, unit):
        yield f"- {sentence}"
    for place, question in enumerate(drill.questions):
        if question.debrief:
            yield f"- question {place + 1}: {' '.join(question.debrief.split())}"
    if drill.session.case.scenario.debrief:
        yield f"- {' '.join(drill.session.case.scenario.debrief.split())}"


def _cells(row: Row, unit: words.Unit) -> tuple[str, ...]:
    since = "" if row.since is None or row.state == "N" else unit.instant(row.since)
    ends = unit.instant(row.end) if row.end is not None and row.state == "R" else ""
    length = words.duration(row.estimate)
    return (
        str(row.id),
        row.state,
        f"{row.size:,}",
        length,
        unit.instant(row.submit),
        since,
        ends,
        _ranges(row.nodes),
        "" if not isinstance(place := row.terms.get("base"), int) else base(place),
        row.klass,
        row.user,
    )


def _ranges(nodes: Sequence[tuple[int, int]]) -> str:
    """Half-open ranges as they are written: `0-3, 8`."""
    return ", ".join(f"{first}" if last == first + 1 else f"{first}-{last - 1}" for first, last in nodes)


def cluster_lines(drill: Drill) -> Iterator[str]:
    """The cluster at the instant of its capture, without its plan."""
    capture = drill.session.case.scenario.cluster
    assert capture is not None
    board = ClusterScene(capture).board
    yield f"Slurm {board.release} at {written_instant(board.now)} UTC; {count(len(board.nodes), 'node')}"
    for partition in capture.partitions:
        most = "" if partition.most_minutes is None else f", {duration(60 * partition.most_minutes)} at most"
        yield f"partition {partition.name}, tier {partition.tier}{most}: {format_hosts(partition.nodes)}"
    yield f"without a job: {_hosts(node for node in board.nodes if not node.jobs and _up(node)) or 'no node'}"
    if down := _hosts(node for node in board.nodes if not _up(node)):
        yield f"out of service: {down}"
    for each in sorted(capture.reservations, key=lambda each: (each.begin, each.name)):
        when = f"{written_instant(each.begin)} to {written_instant(each.end)}"
        yield f"reservation {each.name}: {format_hosts(each.nodes)}, {when}"
    running = sorted((job for job in capture.jobs if job.holding), key=lambda job: (job.end, job.id))
    yield from _table(("RUNS", "USER", "QOS", "PARTITION", "ENDS", "NODES"), map(_runs, running))
    yield from _table(
        ("#", "WAITS", "USER", "QOS", "PARTITION", "PRIORITY", "N", "LIMIT", "SLURM SAYS"), _waits(board)
    )


def _up(node: NodeFact) -> bool:
    return {"DOWN", "DRAIN", "DRAINING", "DRAINED", "FAIL"}.isdisjoint(node.states)


def _hosts(nodes: Iterable[NodeFact]) -> str:
    return format_hosts(node.name for node in nodes)


def _runs(job: Job) -> Sequence[str]:
    partition = ",".join(job.partitions)
    return (job.shown, job.user, job.qos, partition, written_instant(job.end), format_hosts(job.nodes))


def _waits(board: Board) -> Iterator[Sequence[str]]:
    """The queue in its order, then the waiting jobs without an entry; an array has one line."""
    seen = set[tuple[str, str]]()
    for row in board.rows:
        if (row.job, row.partition) not in seen:
            seen.add((row.job, row.partition))
            order = "" if row.order is None else str(row.order)
            limit = "none" if row.limit is None else duration(row.limit)
            yield (
                order, row.job, row.user, row.qos, row.partition, str(row.priority), str(row.size), limit,
                row.slurm_reason,
            )  # fmt: skip


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    cells = [heads, *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for line in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
