"""The folder of a report: one page of HTML, every row and every cell as CSV."""

from pathlib import Path

from shadowtime.console.session.files.places import make_folder
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.lab.judging.rows import rows_of
from shadowtime.console.session.lab.judging.verdicts import Found
from shadowtime.console.session.lab.report import rows_table
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.tables import write_cells
from shadowtime.console.widgets.study.page import study_page

PAGE = "report.html"


def write_report(lab: Lab, found: list[Found], folder: Path) -> None:
    """Write the page and the tables. OSError if the folder cannot be written."""
    make_folder(folder)
    for item in found:
        with written_whole(folder / f"{item.experiment.name}.csv") as stream:
            write_cells(stream, lab.store, item.experiment)
    rows_table([row for item in found for row in rows_of(item)]).to_csv(folder / "rows.csv")
    with written_whole(folder / PAGE) as stream:
        stream.write(study_page(found, lab.lookup()))
