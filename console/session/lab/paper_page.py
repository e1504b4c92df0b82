"""The page of a paper in a report: its tables and figures in its own order, published beside ours."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence

import attrs

from shadowtime.console.session.lab.judging.rows import Row, rows_of
from shadowtime.console.session.lab.judging.verdicts import Found, Verdict
from shadowtime.console.session.lab.overview import chance_line, counts_table
from shadowtime.console.session.lab.pages import page
from shadowtime.console.session.lab.papers import place_of
from shadowtime.console.session.lab.report import (
    absent_lines,
    check_lines,
    claim_lines,
    picture_lines,
    picture_of,
    table_lines,
    tried_lines,
)


def paper_name(found: Sequence[Found]) -> str:
    """Return the name of the page of a paper: `paper-fw98`, as its experiments begin."""
    return "paper-" + found[0].experiment.name.partition("-")[0]


def paper_markdown(paper: str, found: Sequence[Found], pictures: Container[str]) -> str:
    """Return the page of a paper; `pictures` are the names of the pictures that were drawn."""
    rows = [row for item in found for row in rows_of(item)]
    return page(_page(paper, found, rows, pictures))


def _page(paper: str, found: Sequence[Found], rows: Sequence[Row], pictures: Container[str]) -> Iterator[str]:
    yield f"# {paper}"
    yield ""
    yield from counts_table({paper: rows})
    yield ""
    yield chance_line(rows)
    yield ""
    yield "Published values are hollow bars, ours are filled. A mark is the result of another reading."
    yield ""
    items = sorted(
        {item for each in found for item in items_of(each)}, key=lambda item: place_of(paper, item)
    )
    for item in items:
        yield f"## {item[:1].upper()}{item[1:]}"
        yield ""
        own = Counter(row.verdict for row in rows if row.item == item)
        if own:
            yield ", ".join(f"{own[each]} {each}" for each in Verdict if own[each]) + "."
            yield ""
        for each in found:
            yield from _item(each, item, pictures)


def items_of(found: Found) -> set[str]:
    """Return the items of a paper that an experiment has something of."""
    experiment = found.experiment
    items = {table.source.item for table in experiment.tables}
    items |= {claim.source.item for claim in experiment.claims}
    items |= {absent.source.item for absent in experiment.absent} | {each.item for each in experiment.tried}
    if experiment.plots or experiment.scenarios:
        items.add(experiment.source.item)
    return items


def _item(found: Found, item: str, pictures: Container[str]) -> Iterator[str]:
    """What an experiment has of one item."""
    experiment = found.experiment
    mine = item == experiment.source.item
    part = attrs.evolve(
        found,
        tables=tuple(table for table in found.tables if table.table.source.item == item),
        claims=tuple(claim for claim in found.claims if claim.claim.source.item == item),
        checks=found.checks if mine else (),
    )
    lines = list(_part(part, item, pictures, mine))
    if lines:
        yield f"From [{experiment.title}]({experiment.name}.md)."
        yield ""
        yield from lines


def _part(found: Found, item: str, pictures: Container[str], mine: bool) -> Iterator[str]:
    experiment = found.experiment
    for table in found.tables:
        yield from table_lines(table, "###", picture_of(experiment, table.table), pictures)
    if mine:
        for plot in experiment.plots:
            yield from picture_lines(plot.view.title, picture_of(experiment, plot), pictures)
    for claim in found.claims:
        yield from claim_lines(claim)
    for check in found.checks:
        yield from check_lines(check)
    for absent in experiment.absent:
        if absent.source.item == item:
            yield from absent_lines(absent)
    yield from tried_lines([tried for tried in experiment.tried if tried.item == item])
