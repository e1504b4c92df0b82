"""The folder of a report: a page for each experiment with its plots, an index, and every cell as CSV."""

from pathlib import Path

from console.session.errors import SessionError
from console.session.files.writers import written_whole
from console.session.lab.plots import draw
from console.session.lab.report import cells_csv, markdown
from console.session.lab.reproduce import Lab
from console.session.lab.rows import headline, rows_of
from console.session.lab.verdicts import Found, counted


def write_report(lab: Lab, found: list[Found], folder: Path) -> str:
    """Write the report; return why it has no plots, or ''. OSError if the folder cannot be written."""
    folder.mkdir(parents=True, exist_ok=True)
    lookup, note = lab.lookup(), ""
    cells = [(place, cell, lab.store.read(cell)) for place, cell in lab.cells()]
    for item in found:
        experiment = item.experiment
        pictures = dict[str, str]()
        for place, plot in enumerate(experiment.plots, start=1):
            name = f"{experiment.name}-{place}"
            try:
                if draw(experiment, plot, lookup, folder, name):
                    pictures[plot.view.title] = name
            except SessionError as error:
                note = str(error)
        _write(folder / f"{experiment.name}.md", markdown(item, pictures))
        _write(folder / f"{experiment.name}.csv", cells_csv(experiment, cells))
    _write(folder / "README.md", _index(found))
    return note


def _index(found: list[Found]) -> str:
    lines = [
        "# Reproduction of the published tables and figures",
        "",
        headline([row for item in found for row in rows_of(item)]) + ".",
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
    return "\n".join(lines) + "\n"


def _write(path: Path, text: str) -> None:
    with written_whole(path) as stream:
        stream.write(text)
