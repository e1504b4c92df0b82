"""Rows: every value, claim and scenario that has a verdict, each with its data, cause and reading."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import attrs

from shadowtime.console.session.lab.frames import number, written
from shadowtime.console.session.lab.judging.data import Data, data_of
from shadowtime.console.session.lab.judging.verdicts import ON_STAND_INS, Found, TableFound, Verdict, counted
from shadowtime.scenarios.experiment import CAUSES, Citation

UNKNOWN = CAUSES[-1]
COUNTED = ("paper", "rows", *map(str, Verdict), "met by chance")
MET = (Verdict.REPRODUCED, Verdict.AGREES)


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
    data: Data
    chance: float | None
    """How often what knows nothing of the paper would do as well; None if nobody can say."""
    threshold: bool
    """Whether the number is ours: the paper says it in words."""


def rows_of(found: Found) -> tuple[Row, ...]:
    """Return the rows of an experiment: values of tables, claims, scenarios, and what is absent."""
    return tuple(_rows(found))


def _rows(found: Found) -> Iterator[Row]:
    experiment = found.experiment

    def row(
        source: Citation,
        title: str,
        published: float | str,
        ours: float | str | None,
        verdict: Verdict,
        data: Data,
        half: float | None = None,
        chance: float | None = None,
        reading: str = "",
    ) -> Row:
        cause = source.cause or UNKNOWN
        if verdict is Verdict.NO_DATA:
            cause = CAUSES[0]
        return Row(
            experiment.name,
            experiment.publication,
            source.item,
            title,
            published,
            ours,
            half,
            verdict,
            None if verdict in MET else cause,
            reading or source.reading,
            data,
            chance,
            source.threshold,
        )

    for table in found.tables:
        source = table.table.source
        if not source.is_judged:
            continue
        data = data_of(experiment, source, table.table.view.grid)
        if table.table.sentence:
            (verdict,) = table.verdicts
            said, ours = _in_a_row(table)
            yield row(source, table.table.view.title, said, ours, verdict, data, None, None, table.reading)
            continue
        for line in table.lines:
            at = ", ".join(filter(None, (line.row, line.column)))
            value, half = (None, None) if line.ours is None else (line.ours.mean, line.ours.half)
            title = f"{table.table.view.title}: {at}"
            yield row(
                source, title, line.published, value, line.verdict, data, half, line.chance, table.reading
            )
    for claim in found.claims:
        source = claim.claim.source
        if source.is_judged:
            title, data = claim.claim.view.title, data_of(experiment, source, claim.claim.view.grid)
            ours_text = None if claim.verdict is Verdict.NO_DATA else claim.finding
            yield row(source, title, title, ours_text, claim.verdict, data, chance=claim.chance)
    for check in found.checks:
        title = f"scenario {check.name}"
        yield row(experiment.source, title, title, check.finding, check.verdict, Data.TEXT)
    for absent in experiment.absent:
        published = absent.published or absent.title
        yield row(absent.source, absent.title, published, None, Verdict.NO_DATA, Data.NONE)


def _in_a_row(found: TableFound) -> tuple[str, str]:
    """The published values of a sentence, and ours, each as one text."""
    lines = found.lines
    return ", ".join(number(line.published) for line in lines), ", ".join(
        written(line.ours) for line in lines
    )


def headline(rows: Sequence[Row]) -> str:
    """Return the rows counted by verdict, those on stand-ins apart, and what is contradicted by cause."""
    kept = [row for row in rows if row.verdict not in ON_STAND_INS and row.verdict is not Verdict.NO_DATA]
    stand_ins = [row.verdict for row in rows if row.verdict in ON_STAND_INS]
    causes = Counter(row.cause for row in kept if row.verdict is Verdict.CONTRADICTS)
    why = ", ".join(f"{causes[cause]} {cause}" for cause in CAUSES if causes[cause])
    absent = sum(row.verdict is Verdict.NO_DATA for row in rows)
    parts = [
        f"{len(kept):,} on the paper's data: {counted(row.verdict for row in kept)}"
        + f" (cause: {why})" * bool(why),
        f"{len(stand_ins):,} on stand-ins: {counted(stand_ins)}",
        f"{absent:,} without data",
    ]
    shown = [part for part, number in zip(parts, (kept, stand_ins, absent), strict=True) if number]
    return f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}{'; '.join(['', *shown])}"


def by_chance(rows: Sequence[Row]) -> tuple[int, int, float]:
    """Return the rows on the paper's data that have a chance: all, the reproduced, and what chance gives."""
    known = [(row, row.chance) for row in rows if row.data is not Data.STAND_IN and row.chance is not None]
    met = sum(row.verdict is Verdict.REPRODUCED for row, _ in known)
    return len(known), met, sum(chance for _, chance in known)


def counts_of_paper(paper: str, rows: Sequence[Row]) -> tuple[str, ...]:
    """Return a row of a table under `COUNTED`: the rows by verdict, and how many chance would meet."""
    verdicts, (known, _, expected) = Counter(row.verdict for row in rows), by_chance(rows)
    numbers = (len(rows), *(verdicts[each] for each in Verdict))
    return (paper, *map(str, numbers), f"{expected:.1f} of {known}" if known else "-")


def by_paper(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """Return the rows by paper, in the order of the papers."""
    papers = dict[str, list[Row]]()
    for row in rows:
        papers.setdefault(row.paper, []).append(row)
    return papers
