"""Overviews of a reproduction: rows by paper and verdict, what is contradicted, and what the data forbid.

Each is a table of Markdown without the lines of its head.
"""

from collections.abc import Iterator, Sequence

import attrs

from shadowtime.console.session.lab.frames import written
from shadowtime.console.session.lab.pages import marked
from shadowtime.console.session.lab.rows import by_paper, headline, rows_of
from shadowtime.console.session.lab.verdicts import Found, TableFound, Verdict
from shadowtime.scenarios.experiment import CAUSES, Source

CONTRADICTED_HEAD = ("paper", "item", "what", "rows", "how near, or the finding", "cause", "what was tried")
ABSENT_HEAD = ("paper", "item", "what", "rows", "why")


@attrs.frozen
class Subject:
    """A table, claim, scenario or absent item, and the rows of it that have one verdict."""

    found: Found
    item: str
    title: str
    rows: str
    """How many rows have the verdict: `2 of 12`, or `1`."""
    finding: str
    because: str
    cause: str
    readings: tuple[str, ...] = ()
    """Ours under each stated reading, or in each comparison that fails."""


def counted_by_paper(found: Sequence[Found]) -> str:
    """Return the rows of all experiments, counted by paper and verdict, as a table under a headline."""
    rows = [row for item in found for row in rows_of(item)]
    causes = [cause for cause in CAUSES if cause != CAUSES[0]]
    kinds = [each for each in Verdict if each is not Verdict.CONTRADICTS]
    lines = [
        table_row("paper", "rows", *kinds, *(f"contradicts: {cause}" for cause in causes)),
        "|---" * (2 + len(kinds) + len(causes)) + "|",
    ]
    for paper, own in sorted(by_paper(rows).items()):
        counts = [sum(row.verdict == kind for row in own) for kind in kinds]
        contradicted = [row for row in own if row.verdict is Verdict.CONTRADICTS]
        counts += [sum(row.cause == cause for row in contradicted) for cause in causes]
        lines.append(table_row(paper, str(len(own)), *map(str, counts)))
    return f"{headline(rows)}.\n\n" + "\n".join(lines) + "\n"


def contradicted(found: Sequence[Found]) -> str:
    """Return what is contradicted, a line a table or claim, with the readings tried and their figures."""
    lines = [table_row(*CONTRADICTED_HEAD), "|---" * len(CONTRADICTED_HEAD) + "|"]
    for subject in _subjects(found, Verdict.CONTRADICTS):
        experiment = subject.found.experiment
        tried = [f"{each.reading}: {each.ours}" for each in experiment.tried if each.item == subject.item]
        tried += subject.readings
        lines.append(
            table_row(
                experiment.publication,
                subject.item,
                subject.title,
                subject.rows,
                " ".join(filter(None, (f"{subject.finding}.", subject.because))),
                subject.cause,
                "; ".join(tried),
            )
        )
    return "\n".join(lines) + "\n"


def without_data(found: Sequence[Found]) -> str:
    """Return what the data forbid to compare, a line a table, claim or absent item."""
    lines = [table_row(*ABSENT_HEAD), "|---" * len(ABSENT_HEAD) + "|"]
    for subject in _subjects(found, Verdict.NO_DATA):
        why = subject.because or f"{subject.finding}."
        lines.append(
            table_row(subject.found.experiment.publication, subject.item, subject.title, subject.rows, why)
        )
    return "\n".join(lines) + "\n"


def table_row(*cells: str) -> str:
    """Return a row of a table of Markdown; a bar inside a cell becomes a slash."""
    return "| " + " | ".join(marked(cell).replace("|", "/") for cell in cells) + " |"


def _subjects(found: Sequence[Found], verdict: Verdict) -> Iterator[Subject]:
    """Yield what has rows of a verdict, paper by paper."""
    for item in sorted(found, key=lambda each: (each.experiment.publication, each.experiment.name)):
        yield from _of_one(item, verdict)


def _of_one(found: Found, verdict: Verdict) -> Iterator[Subject]:
    def subject(
        source: Source, title: str, rows: str, finding: str, because: str, readings: tuple[str, ...] = ()
    ) -> Subject:
        cause = CAUSES[0] if verdict is Verdict.NO_DATA else source.cause or CAUSES[-1]
        return Subject(found, source.item, title, rows, finding, because, cause, readings)

    for table in found.tables:
        number = sum(line.verdict is verdict for line in table.lines)
        if number and table.table.source.is_judged:
            rows = f"{number} of {len(table.lines)}"
            title, values = table.table.view.title, tuple(_under_readings(table, verdict))
            yield subject(table.table.source, title, rows, table.finding, table.because, values)
    for claim in found.claims:
        if claim.verdict is verdict and claim.claim.source.is_judged:
            title, source = claim.claim.view.title, claim.claim.source
            yield subject(source, title, "1", claim.finding, claim.because, claim.failing)
    for check in found.checks:
        if check.verdict is verdict:
            source = found.experiment.source
            yield subject(source, f"scenario `{check.name}`", "1", check.finding, "")
    if verdict is Verdict.NO_DATA:
        for absent in found.experiment.absent:
            yield subject(absent.source, absent.title, "1", "", absent.because)


def _under_readings(found: TableFound, verdict: Verdict) -> Iterator[str]:
    """Yield each value of that verdict beside the published one, under every stated reading."""
    for line in found.lines:
        if line.verdict is verdict and line.ours is not None:
            at = " ".join(filter(None, (line.row, line.column)))
            values = line.readings or {"ours": line.ours}
            ours = ", ".join(f"{label} {written(value)}" for label, value in values.items())
            yield f"{at}: {ours} (the paper: {line.said})"
