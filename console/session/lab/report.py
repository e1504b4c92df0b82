"""The report of a reproduction as data, as Markdown, and as a table of every row."""

from collections import Counter
from collections.abc import Sequence

import attrs

from shadowtime.console.session.files.tidy import Table
from shadowtime.console.session.lab.frames import chance, written
from shadowtime.console.session.lab.judging.means import MeansFound
from shadowtime.console.session.lab.judging.rows import Row, rows_of
from shadowtime.console.session.lab.judging.verdicts import (
    CheckFound,
    ClaimFound,
    Found,
    Line,
    TableFound,
    Verdict,
)
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
            "pairs": None if value.apart is None else len(value.apart.parts) or None,
            "p": value.p,
            "p_holm": value.holm,
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


def means_cells(found: MeansFound) -> list[tuple[str, ...]]:
    """Return the head of a table of means, and its rows."""
    means = found.means
    places = tuple(filter(None, (means.rows, means.columns)))
    beside = () if means.against is None else (f"less {means.against}", "pairs", "p", "Holm", "")
    head = (*places, "ours", *beside)
    cells = [head]
    for value in found.values:
        at = (value.row, value.column) if means.rows is not None else (value.column,)
        pairs = "" if value.apart is None else str(len(value.apart.parts) or "-")
        apart = (written(value.apart), pairs, chance(value.p), chance(value.holm), str(value.sense or ""))
        cells.append((*at, written(value.ours), *(() if means.against is None else apart)))
    return cells


def not_run(log: str, cells: int) -> str:
    """What is not run for want of a log, and how that log can be had."""
    name = log.removesuffix(".swf")
    how = (
        f"shadowtime fetch {name}, or --traces" if name in LOGS else "no log of the archive: only by --traces"
    )
    return f"{cells} {'cell' if cells == 1 else 'cells'} for want of the log {log} ({how})"


def rows_table(rows: Sequence[Row]) -> Table:
    """Return every row of a reproduction, a column for each field of `Row`."""
    return Table.of_rows(
        [field.name for field in attrs.fields(Row)], (tuple(_row_data(row).values()) for row in rows)
    )
