"""The report of a reproduction as data, as Markdown, and as a table of every row."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence

import attrs

from shadowtime.console.session.files.tidy import Table
from shadowtime.console.session.lab.frames import written
from shadowtime.console.session.lab.judging.means import MeansFound
from shadowtime.console.session.lab.judging.rows import Row, headline, rows_of
from shadowtime.console.session.lab.judging.verdicts import (
    CheckFound,
    ClaimFound,
    Found,
    Line,
    TableFound,
    Verdict,
)
from shadowtime.console.session.lab.pages import page
from shadowtime.scenarios.experiment import Absent, Experiment, Plot, Published, Tried
from shadowtime.scenarios.traces.pwa import LOGS


def distance(found: TableFound, line: Line) -> str:
    """Ours over the published value; less the published one, with its sign, if a ratio means nothing."""
    if found.table.in_points:
        return "-" if line.off is None else f"{line.off:+.{2 if found.table.correlated else 0}f}"
    return "-" if line.ratio is None else f"{line.ratio:.2f}"


def as_data(found: Sequence[Found]) -> list[dict[str, object]]:
    """What `reproduce --json` prints."""
    return [
        {
            "name": item.experiment.name,
            "title": item.experiment.title,
            "paper": item.experiment.paper,
            "counts": {str(each): count for each, count in counts_of(item).items()},
            "differs": list(item.experiment.differs),
            "missing": dict(item.missing),
            "failures": list(item.failures),
            "tables": [_table_data(table) for table in item.tables],
            "means": [_means_data(table) for table in item.means],
            "claims": [_claim_data(claim) for claim in item.claims],
            "checks": [_check_data(check) for check in item.checks],
            "tried": [attrs.asdict(tried) for tried in item.experiment.tried],
            "rows": [_row_data(row) for row in rows_of(item)],
        }
        for item in found
    ]


def _table_data(found: TableFound) -> dict[str, object]:
    return {
        "title": found.table.view.title,
        "measure": found.table.view.measure,
        "within": found.table.within,
        "role": found.table.source.role,
        "reading": found.reading,
        "finding": found.finding,
        "because": found.because,
        "values": [
            {
                "row": line.row,
                "column": line.column,
                "published": line.published,
                "ours": None if line.ours is None else line.ours.mean,
                "half": None if line.ours is None else line.ours.half,
                "ratio": line.ratio,
                "off": line.off,
                "near": line.near,
                "chance": line.chance,
                "verdict": str(line.verdict),
                "readings": {label: value.mean for label, value in line.readings.items()},
            }
            for line in found.lines
        ],
    }


def _means_data(found: MeansFound) -> dict[str, object]:
    return {
        "title": found.means.view.title,
        "measure": found.means.view.measure,
        "against": found.means.against,
        "values": means_data(found),
    }


def means_data(found: MeansFound) -> list[dict[str, object]]:
    """Return the places of a table of means with their values."""
    return [
        {
            "row": value.row,
            "column": value.column,
            "ours": value.ours.mean,
            "half": value.ours.half,
            "difference": None if value.apart is None else value.apart.mean,
            "difference_half": None if value.apart is None else value.apart.half,
            "sense": None if value.sense is None else str(value.sense),
        }
        for value in found.values
    ]


def _claim_data(found: ClaimFound) -> dict[str, object]:
    return {
        "title": found.claim.view.title,
        "role": found.claim.source.role,
        "reading": found.claim.source.reading,
        "verdict": str(found.verdict),
        "finding": found.finding,
        "held": found.held,
        "cases": found.cases,
        "chance": found.chance,
        "failing": list(found.failing),
        "because": found.because,
    }


def _row_data(row: Row) -> dict[str, object]:
    return {**attrs.asdict(row), "verdict": str(row.verdict), "data": str(row.data)}


def counts_of(found: Found) -> dict[Verdict, int]:
    """Return how many rows of an experiment have each verdict."""
    counts = Counter(row.verdict for row in rows_of(found))
    return {each: counts[each] for each in Verdict}


def _check_data(found: CheckFound) -> dict[str, object]:
    return {
        "scenario": found.name,
        "verdict": str(found.verdict),
        "expectations": found.expectations,
        "failing": list(found.failing),
    }


def picture_of(experiment: Experiment, shown: Published | Plot) -> str:
    """Return the name of the picture of a table or a plot of an experiment, without its ending."""
    if isinstance(shown, Plot):
        return f"{experiment.name}-{experiment.plots.index(shown) + 1}"
    return f"{experiment.name}-table-{experiment.tables.index(shown) + 1}"


def markdown(found: Found, pictures: Container[str]) -> str:
    """One experiment as a page; `pictures` are the names of the pictures that were drawn."""
    return page(_page(found, pictures))


def _page(found: Found, pictures: Container[str]) -> Iterator[str]:
    experiment = found.experiment
    yield f"# {experiment.title}"
    yield ""
    if experiment.paper:
        yield f"{experiment.paper}. {headline(rows_of(found))}."
        yield ""
    if experiment.about:
        yield from experiment.about.splitlines()
        yield ""
    notes = [*_missing(found), *(f"Differs: {text}" for text in experiment.differs)]
    yield from (f"- {line}" for line in notes)
    yield from [""] * bool(notes)
    for table in found.tables:
        yield from table_lines(table, "##", picture_of(experiment, table.table), pictures)
    for means in found.means:
        yield f"## {means.means.view.title}"
        yield ""
        head, *rows = means_cells(means)
        yield "| " + " | ".join(head) + " |"
        yield "|" + "---|" * len(head)
        yield from ("| " + " | ".join(row) + " |" for row in rows)
        yield ""
    for claim in found.claims:
        yield from claim_lines(claim)
    for check in found.checks:
        yield from check_lines(check)
    for absent in experiment.absent:
        yield from absent_lines(absent)
    yield from tried_lines(experiment.tried)
    for plot in experiment.plots:
        yield from picture_lines(plot.view.title, picture_of(experiment, plot), pictures)


def means_cells(found: MeansFound) -> list[tuple[str, ...]]:
    """Return the head of a table of means, and its rows."""
    means = found.means
    places = tuple(filter(None, (means.rows, means.columns)))
    head = (*places, "ours", *((f"less {means.against}", "") if means.against is not None else ()))
    cells = [head]
    for value in found.values:
        at = (value.row, value.column) if means.rows is not None else (value.column,)
        apart = (written(value.apart), str(value.sense or "")) if means.against is not None else ()
        cells.append((*at, written(value.ours), *apart))
    return cells


def picture_lines(title: str, name: str, pictures: Container[str]) -> Iterator[str]:
    """Yield the lines that show a picture, if it was drawn."""
    if name in pictures:
        yield f"![{title}]({name}.svg)"
        yield ""


def claim_lines(found: ClaimFound) -> Iterator[str]:
    """Yield a claim, its verdict, its reading, and where it does not hold."""
    yield f"**{found.claim.view.title}**: {found.word}; {found.finding}."
    yield ""
    yield f"- reading: {found.claim.source.reading}"
    yield from (f"- not so: {where}" for where in found.failing)
    if found.because:
        yield f"- {found.because}"
    yield ""


def check_lines(found: CheckFound) -> Iterator[str]:
    """Yield a scenario with its verdict, and the expectations that fail."""
    yield f"**{found.name}**: {found.verdict}; {found.finding}."
    yield from (f"- {line}" for line in found.failing)
    yield ""


def absent_lines(absent: Absent) -> Iterator[str]:
    """Yield what nobody can compute."""
    published = f" Published: {absent.published}." if absent.published else ""
    yield f"**{absent.title}**: {Verdict.NO_DATA}.{published} {absent.because}"
    yield ""


def tried_lines(tried: Sequence[Tried]) -> Iterator[str]:
    """Yield the readings that were tried, with their figures."""
    for each in tried:
        yield f"- tried for {each.item}: {each.reading}: {each.ours}"
    if tried:
        yield ""


def not_run(log: str, cells: int) -> str:
    """What is not run for want of a log, and how that log can be had."""
    name = log.removesuffix(".swf")
    how = (
        f"shadowtime fetch {name}, or --traces" if name in LOGS else "no log of the archive: only by --traces"
    )
    return f"{cells} {'cell' if cells == 1 else 'cells'} for want of the log {log} ({how})"


def _missing(found: Found) -> Iterator[str]:
    for log, cells in found.missing.items():
        yield f"Not run: {not_run(log, cells)}."
    for reason in found.failures:
        yield f"Not run: {reason}"


def table_lines(found: TableFound, heading: str, picture: str, pictures: Container[str]) -> Iterator[str]:
    """Yield a table under a heading: verdicts, reading, a picture, every published value beside ours."""
    table = found.table
    yield f"{heading} {table.view.title}"
    yield ""
    yield f"{found.word}; {found.finding}. {found.because}".rstrip()
    yield ""
    yield f"Reading: {found.reading}."
    yield ""
    yield from picture_lines(table.view.title, picture, pictures)
    labels = list(dict.fromkeys(label for line in found.lines for label in line.readings))
    others = [label for label in labels if label != found.shown]
    head = [*([table.rows] if table.rows else []), table.columns, "published", "ours", found.against]
    head += [*others, "verdict"]
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for line in found.lines:
        cells = [line.column, f"{line.said:,}", written(line.ours), distance(found, line)]
        cells += [*(written(line.readings.get(label)) for label in others), str(line.verdict)]
        yield "| " + " | ".join([*([line.row] if table.rows else []), *cells]) + " |"
    yield ""


def rows_table(rows: Sequence[Row]) -> Table:
    """Return every row of a reproduction, a column for each field of `Row`."""
    return Table.of_rows(
        [field.name for field in attrs.fields(Row)], (tuple(_row_data(row).values()) for row in rows)
    )
