"""The folder of a report: a page for each paper and each experiment, with pictures, and every cell as CSV."""

from collections.abc import Iterator
from pathlib import Path

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.places import make_folder
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.lab.frames import Lookup
from shadowtime.console.session.lab.judging.rows import by_paper, headline, rows_of
from shadowtime.console.session.lab.judging.verdicts import Found, counted
from shadowtime.console.session.lab.overview import chance_line, counts_table
from shadowtime.console.session.lab.pages import page
from shadowtime.console.session.lab.pairs import draw_pairs
from shadowtime.console.session.lab.paper_page import paper_markdown, paper_name
from shadowtime.console.session.lab.plots import draw
from shadowtime.console.session.lab.report import markdown, picture_of, rows_table
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.tables import cells_table


def write_report(lab: Lab, found: list[Found], folder: Path) -> str:
    """Write the report; return why it has no pictures, or ''. OSError if the folder cannot be written."""
    make_folder(folder)
    lookup, note = lab.lookup(), ""
    cells = [(place, lab.store.read(cell)) for place, cell in lab.cells()]
    pictures = set[str]()
    for item in found:
        experiment = item.experiment
        try:
            pictures.update(_drawn(item, lookup, folder))
        except SessionError as error:
            note = str(error)
        _write(folder / f"{experiment.name}.md", markdown(item, pictures))
        cells_table(experiment, cells).to_csv(folder / f"{experiment.name}.csv")
    for paper, own in _papers(found).items():
        _write(folder / f"{paper_name(own)}.md", paper_markdown(paper, own, pictures))
    rows_table([row for item in found for row in rows_of(item)]).to_csv(folder / "rows.csv")
    _write(folder / "README.md", _index(found))
    return note


def _drawn(found: Found, lookup: Lookup, folder: Path) -> Iterator[str]:
    """Draw the tables and plots of an experiment; yield the name of each picture."""
    experiment = found.experiment
    for table in found.tables:
        name = picture_of(experiment, table.table)
        if draw_pairs(table, folder, name):
            yield name
    for plot in experiment.plots:
        name = picture_of(experiment, plot)
        if draw(experiment, plot, lookup, folder, name):
            yield name


def _papers(found: list[Found]) -> dict[str, list[Found]]:
    papers = dict[str, list[Found]]()
    for item in found:
        if item.experiment.paper:
            papers.setdefault(item.experiment.publication, []).append(item)
    return papers


def _index(found: list[Found]) -> str:
    rows = [row for item in found for row in rows_of(item)]
    lines = [
        "# Reproduction of the published tables and figures",
        "",
        headline(rows) + ".",
        "",
        "## Papers",
        "",
    ]
    of_paper = by_paper(rows)
    links = {
        f"[{paper}]({paper_name(own)}.md)": of_paper.get(paper, []) for paper, own in _papers(found).items()
    }
    lines += [
        *counts_table(links),
        "",
        chance_line(rows),
        "",
        "## Experiments",
        "",
        "| experiment | paper | rows |",
        "|---|---|---|",
    ]
    for item in found:
        experiment = item.experiment
        link = f"[{experiment.title}]({experiment.name}.md)"
        lines.append(
            f"| {link} | {experiment.paper} | {counted(row.verdict for row in rows_of(item)) or 'drawn'} |"
        )
    return page(lines)


def _write(path: Path, text: str) -> None:
    with written_whole(path) as stream:
        stream.write(text)
