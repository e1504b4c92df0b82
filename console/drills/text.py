"""What a drill shows in lines: the machine at the moment of a question, the question, the verdict."""

from collections.abc import Iterator, Sequence

from console import words
from console.session.facts import Row
from console.session.training import POINTS, Drill, Verdict, letter_of
from console.words import training

MOST = 40
"""Jobs that are listed."""
HEADS = ("JOB", "STATE", "SIZE", "ESTIMATE", "SUBMITTED", "SINCE", "ENDS BY ESTIMATE")


def machine_lines(drill: Drill, unit: words.Unit) -> Iterator[str]:
    """The machine as it stands at the question: free nodes, nodes out of service, rows, jobs."""
    session = drill.session
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
    order = session.order()
    if order:
        rows = [_cells(row, unit) for row in session.rows(order, 0, MOST)]
        widths = [max(map(len, column)) for column in zip(HEADS, *rows, strict=True)]
        for cells in (HEADS, *rows):
            yield "  ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    if len(order) > MOST:
        yield f"and {len(order) - MOST:,} others"


def question_lines(drill: Drill, unit: words.Unit) -> Iterator[str]:
    """The open question with the choices that are left, and the hints taken."""
    question, made = drill.question, drill.answer
    assert question is not None
    yield f"QUESTION {drill.place + 1} of {len(drill.questions)}, {unit.instant(question.at)}"
    if question.text:
        yield " ".join(question.text.split())
    yield training.asked(made)
    for place, value in enumerate(made.offered):
        if value in drill.left:
            yield f"  {letter_of(place)}  {training.choice(question.ask, value, unit)}"
    if drill.hints:
        yield f"HINT  {' '.join(training.hinted(question, drill.hints, unit).split())}"


def verdict_lines(ended: Verdict, unit: words.Unit) -> Iterator[str]:
    """How a question ended, and why."""
    yield training.verdict(ended, unit)
    for sentence in training.explained(ended, unit):
        yield f"- {sentence}"


def end_lines(drill: Drill, points: int, answered: int, unit: words.Unit) -> Iterator[str]:
    """What a lesson came to, and what the run does otherwise than could be known."""
    yield f"THE LESSON IS OVER  {words.count(points, 'point')} of {POINTS * answered}"
    for place, part in drill.turned_out:
        yield f"- question {place + 1}: as it turns out, {training.turned_out(part, unit)}"
    for place, parts in drill.held:
        yield f"- question {place + 1}: {'; '.join(training.because(part, unit) for part in parts)}"


def _cells(row: Row, unit: words.Unit) -> tuple[str, ...]:
    since = "" if row.since is None or row.state == "N" else unit.instant(row.since)
    ends = unit.instant(row.end) if row.end is not None and row.state == "R" else ""
    length = words.duration(row.estimate)
    return (str(row.id), row.state, f"{row.size:,}", length, unit.instant(row.submit), since, ends)


def _ranges(nodes: Sequence[tuple[int, int]]) -> str:
    """Half-open ranges as they are written: `0-3, 8`."""
    return ", ".join(f"{first}" if last == first + 1 else f"{first}-{last - 1}" for first, last in nodes)
