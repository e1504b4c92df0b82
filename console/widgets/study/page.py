"""A reproduction, or a study of one's own, as one page of HTML with its pictures inside."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from shadowtime.console.session.files.places import make_folder
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.lab.frames import Lookup, written
from shadowtime.console.session.lab.judging.rows import COUNTED, counts_of_paper, headline, rows_of
from shadowtime.console.session.lab.judging.verdicts import Found, Line, TableFound, Verdict, counted
from shadowtime.console.session.lab.overview import chance_line
from shadowtime.console.session.lab.papers import place_of
from shadowtime.console.session.lab.report import distance, means_cells, not_run, rows_table
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.tables import write_cells
from shadowtime.console.widgets.report.parts import (
    Html,
    block,
    figure,
    listed,
    page,
    paragraph,
    section,
    table,
)
from shadowtime.console.widgets.study.plots import chart_of
from shadowtime.console.widgets.study.strip import strip

PAGE = "report.html"
MARKS = {
    Verdict.REPRODUCED: "✓",
    Verdict.AGREES: "✓",
    Verdict.PATTERN: "≈",
    Verdict.BRACKETED: "[ ]",
    Verdict.UNDECIDED: "?",
    Verdict.CONTRADICTS: "✗",
    Verdict.DIFFERS: "✗",
    Verdict.NO_DATA: "-",
}
HOW = (
    "A cell has the published value, then ours with half of its 90 % interval. "
    + ", ".join(f"{mark} {verdict}" for verdict, mark in MARKS.items())
    + ". A line below a row has ours under another stated reading.",
    "A dot is ours over a published value. The band is what counts as near. A hollow dot is beyond the axis.",
)


def study_page(found: Sequence[Found], results: Lookup) -> str:
    """Return the page of some experiments: a part a paper, and a part an experiment that has none."""
    titles = [each.experiment.title for each in found]
    title = titles[0] if len(titles) == 1 else "Experiments: published values and ours"
    return page(title, _body(found, results))


def _body(found: Sequence[Found], results: Lookup) -> Iterator[Html]:
    papers = dict[str, list[Found]]()
    for each in found:
        papers.setdefault(each.experiment.publication, []).append(each)
    rows = [row for each in found for row in rows_of(each)]
    if rows:
        yield paragraph(headline(rows) + ".")
        of_paper = {paper: [row for row in rows if row.paper == paper] for paper in papers}
        yield table(
            COUNTED,
            (counts_of_paper(paper, own) for paper, own in of_paper.items() if own),
        )
        yield paragraph(chance_line(rows), "note")
        yield listed(HOW)
    for paper, own in papers.items():
        if paper:
            yield section(paper, *_paper(paper, own, results))
    for each in papers.get("", ()):
        yield section(each.experiment.title, *_own_study(each, results))


def _paper(paper: str, found: Sequence[Found], results: Lookup) -> Iterator[Html]:
    dots = strip(paper, found)
    if dots:
        yield figure(dots, "Ours over the published value")
    items = sorted({item for each in found for item in _items(each)}, key=lambda item: place_of(paper, item))
    for item in items:
        parts = [_part(each, item) for each in found]
        own = [row.verdict for each in found for row in rows_of(each) if row.item == item]
        tables = [each for part in parts for each in part.tables]
        yield block(
            f"{item[:1].upper()}{item[1:]}",
            paragraph(counted(own)),
            *_tables(tables),
            *(html for part in parts for html in _rest(part, item, results)),
        )


def _items(found: Found) -> set[str]:
    """The items of a paper that an experiment has something of."""
    experiment = found.experiment
    items = {each.table.source.item for each in found.tables}
    items |= {each.claim.source.item for each in found.claims}
    items |= {each.source.item for each in experiment.absent} | {each.item for each in experiment.tried}
    return items | {experiment.source.item} if experiment.plots or experiment.scenarios else items


def _part(found: Found, item: str) -> Found:
    experiment, mine = found.experiment, item == found.experiment.source.item
    return attrs.evolve(
        found,
        experiment=attrs.evolve(
            experiment,
            plots=experiment.plots if mine else (),
            absent=tuple(each for each in experiment.absent if each.source.item == item),
            tried=tuple(each for each in experiment.tried if each.item == item),
        ),
        tables=tuple(each for each in found.tables if each.table.source.item == item),
        claims=tuple(each for each in found.claims if each.claim.source.item == item),
        checks=found.checks if mine else (),
    )


def _tables(found: Sequence[TableFound]) -> Iterator[Html]:
    """All tables of an item as one, if their columns are of one axis."""
    axes = dict[str, list[TableFound]]()
    for each in found:
        axes.setdefault(each.table.columns, []).append(each)
    for own in axes.values():
        columns = list(dict.fromkeys(line.column for each in own for line in each.lines))
        yield table(("", *columns), (row for each in own for row in _table_rows(each, columns)))
        reasons = dict.fromkeys(each.because for each in own if each.because)
        yield paragraph(" ".join(reasons), "note")


def _table_rows(found: TableFound, columns: Sequence[str]) -> Iterator[Sequence[str]]:
    rows = dict[str, dict[str, Line]]()
    for line in found.lines:
        rows.setdefault(line.row, {})[line.column] = line
    title = " ".join(filter(None, (found.table.view.title, f"({found.shown})" if found.shown else "")))
    if found.table.rows is not None:
        yield (title, *("" for _ in columns))
    for row, lines in rows.items():
        yield (row or title, *(_cell(found, lines[each]) if each in lines else "" for each in columns))
        labels = dict.fromkeys(label for line in lines.values() for label in line.readings)
        for label in labels:
            if label != found.shown:
                values = (lines[each].readings.get(label) if each in lines else None for each in columns)
                yield (f"reading: {label}", *("" if value is None else written(value) for value in values))


def _cell(found: TableFound, line: Line) -> str:
    if line.ours is None:
        return f"{line.said:,} {MARKS[Verdict.NO_DATA]}"
    mark = MARKS[line.verdict] if found.table.source.is_judged else ""
    off = f" ({distance(found, line)})" if found.table.in_points else ""
    return f"{line.said:,} / {written(line.ours)}{off}{mark}"


def _rest(found: Found, item: str, results: Lookup) -> Iterator[Html]:
    """Plots, claims and scenarios of an item, what nobody can compute, and what was tried."""
    experiment = found.experiment
    for plot in experiment.plots:
        chart = chart_of(experiment, plot, results)
        if chart is not None:
            yield Html(f"<figure>\n{chart.svg()}\n</figure>")
    lines = [
        f"{claim.word}: {claim.claim.view.title}; {claim.finding}. {claim.because}".rstrip()
        for claim in found.claims
    ]
    lines += [f"{check.verdict}: {check.name}; {check.finding}." for check in found.checks]
    lines += [f"{Verdict.NO_DATA}: {each.title}. {each.because}" for each in experiment.absent]
    lines += [f"tried: {each.reading}: {each.ours}" for each in experiment.tried]
    if lines:
        yield listed(lines)
    if item == experiment.source.item:
        yield from _notes(found)


def _notes(found: Found) -> Iterator[Html]:
    notes = [f"not run: {not_run(log, cells)}" for log, cells in found.missing.items()]
    notes += [f"not run: {reason}" for reason in found.failures]
    notes += [f"differs: {text}" for text in found.experiment.differs]
    if notes:
        yield listed(notes)


def _own_study(found: Found, results: Lookup) -> Iterator[Html]:
    yield paragraph(found.experiment.about)
    for means in found.means:
        head, *rows = means_cells(means)
        places = 1 + (means.means.rows is not None)
        yield block(means.means.view.title, table(head, rows, names=places))
    yield from _tables(found.tables)
    yield from _rest(found, found.experiment.source.item, results)


def write_report(lab: Lab, found: list[Found], folder: Path) -> None:
    """Write the page and the tables. OSError if the folder cannot be written."""
    make_folder(folder)
    for item in found:
        with written_whole(folder / f"{item.experiment.name}.csv") as stream:
            write_cells(stream, lab.store, item.experiment)
    rows_table([row for item in found for row in rows_of(item)]).to_csv(folder / "rows.csv")
    with written_whole(folder / PAGE) as stream:
        stream.write(study_page(found, lab.lookup()))
