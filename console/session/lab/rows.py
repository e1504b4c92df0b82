"""Rows: every value, claim and scenario that has a verdict, each with its cause and reading."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs

from shadowtime.console.session.lab.verdicts import Found, Verdict
from shadowtime.scenarios.experiment import CAUSES, Source

UNKNOWN = CAUSES[-1]


@attrs.frozen
class Row:
    """What the paper publishes beside ours. `ours` and `published` are numbers, or texts of a claim."""

    experiment: str
    paper: str
    item: str
    title: str
    published: float | str
    ours: float | str | None
    half: float | None
    verdict: Verdict
    cause: str | None
    """Why it is not reproduced, one of `CAUSES`; None if it is."""
    reading: str


def rows_of(found: Found) -> tuple[Row, ...]:
    """Return the rows of an experiment: values of tables, claims, scenarios, and what is absent."""
    return tuple(_rows(found))


def _rows(found: Found) -> Iterator[Row]:
    experiment = found.experiment

    def row(
        source: Source,
        title: str,
        published: float | str,
        ours: float | str | None,
        half: float | None,
        verdict: Verdict,
        reading: str = "",
    ) -> Row:
        cause = None
        if verdict is Verdict.NO_DATA:
            cause = CAUSES[0]
        elif verdict is not Verdict.REPRODUCED:
            cause = source.cause or UNKNOWN
        return Row(
            experiment.name,
            experiment.publication,
            source.item,
            title,
            published,
            ours,
            half,
            verdict,
            cause,
            reading or source.reading,
        )

    for table in found.tables:
        source = table.table.source
        if not source.is_judged:
            continue
        for line in table.lines:
            at = ", ".join(filter(None, (line.row, line.column)))
            ours, half = (None, None) if line.ours is None else (line.ours.mean, line.ours.half)
            title = f"{table.table.view.title}: {at}"
            yield row(source, title, line.published, ours, half, line.verdict, table.reading)
    for claim in found.claims:
        source = claim.claim.source
        if source.is_judged:
            title = claim.claim.view.title
            ours_text = claim.finding if claim.cases else None
            yield row(source, title, title, ours_text, None, claim.verdict)
    for check in found.checks:
        title = f"scenario {check.name}"
        yield row(experiment.source, title, title, check.finding, None, check.verdict)
    for absent in experiment.absent:
        published = absent.published or absent.title
        yield row(absent.source, absent.title, published, None, None, Verdict.NO_DATA)


def headline(rows: Sequence[Row]) -> str:
    """Return the rows counted by verdict, and what is contradicted by cause, in one line."""
    causes = Counter(row.cause for row in rows if row.verdict is Verdict.CONTRADICTS)
    counts = Counter(row.verdict for row in rows)
    parts = [f"{counts[each]:,} {each}" for each in Verdict if counts[each]]
    why = ", ".join(f"{causes[cause]} {cause}" for cause in CAUSES if causes[cause])
    return f"{_several(len(rows), 'row')}{': ' * bool(parts)}{', '.join(parts)}" + (
        f" (cause: {why})" if why else ""
    )


def by_paper(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows by paper, in the order of the papers."""
    papers = dict[str, list[Row]]()
    for row in rows:
        papers.setdefault(row.paper, []).append(row)
    return papers


def _several(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"
